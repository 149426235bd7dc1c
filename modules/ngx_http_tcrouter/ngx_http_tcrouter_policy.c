/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The two cross-domain policy files that are served to every host and permit
 * everything, for players written for Flash and Silverlight
 * (spec/outputs.md §1.6).
 */

#include "ngx_http_tcrouter.h"


static const char  crossdomain[] =
    "<?xml version=\"1.0\"?>\n"
    "<cross-domain-policy>\n"
    "  <allow-access-from domain=\"*\" secure=\"false\"/>\n"
    "  <allow-http-request-headers-from domain=\"*\" headers=\"*\""
    " secure=\"false\"/>\n"
    "</cross-domain-policy>\n";

static const char  clientaccess[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<access-policy>\n"
    "  <cross-domain-access>\n"
    "    <policy>\n"
    "      <allow-from http-request-headers=\"*\">\n"
    "        <domain uri=\"*\"/>\n"
    "      </allow-from>\n"
    "      <grant-to>\n"
    "        <resource path=\"/\" include-subpaths=\"true\"/>\n"
    "      </grant-to>\n"
    "    </policy>\n"
    "  </cross-domain-access>\n"
    "</access-policy>\n";


tcr_str_t
ngx_http_tcrouter_policy_file(ngx_str_t *uri)
{
    tcr_str_t  path = ngx_http_tcrouter_str(*uri);

    if (tcr_str_eq(path, TCR_STR("/crossdomain.xml"))) {
        return TCR_STR(crossdomain);
    }

    if (tcr_str_eq(path, TCR_STR("/clientaccesspolicy.xml"))) {
        return TCR_STR(clientaccess);
    }

    return tcr_str_n(NULL, 0);
}
