/* SPDX-License-Identifier: Apache-2.0 */

/* URLs that clients are sent to (spec/routing.md §7, §10). */

#include "tcr_http.h"


static bool
prints_port(const tcr_url_t *url)
{
    return url->port != 0 && url->port != (url->https ? 443u : 80u);
}


tcr_str_t
tcr_url_build(const tcr_mem_t *mem, const tcr_url_t *url)
{
    char       *data;
    size_t      size;
    tcr_out_t   out;

    size = sizeof("https://.:65535?") + url->host.len + url->domain.len
           + url->path.len + url->query.len;

    data = tcr_mem_alloc(mem, size);

    if (data == NULL) {
        return tcr_str_n(NULL, 0);
    }

    out = (tcr_out_t) { data, data + size, false };

    tcr_out_str(&out, url->https ? TCR_STR("https://") : TCR_STR("http://"));
    tcr_out_str(&out, url->host);

    if (url->domain.data != NULL) {
        tcr_out_char(&out, '.');
        tcr_out_str(&out, url->domain);
    }

    if (prints_port(url)) {
        tcr_out_char(&out, ':');
        tcr_out_uint(&out, url->port);
    }

    tcr_out_str(&out, url->path);

    if (url->query.data != NULL) {
        tcr_out_char(&out, '?');
        tcr_out_str(&out, url->query);
    }

    return tcr_str_n(data, (size_t) (out.pos - data));
}


static bool
uses_https(const tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    const uint32_t  can = TCR_SERVICE_ACCEPT_HTTPS | TCR_SERVICE_SSL_READY;

    if ((s->flags & can) != can) {
        return false;
    }

    return f->req->secure || (s->flags & TCR_SERVICE_REDIRECT_HTTPS);
}


static tcr_str_t
request_query(const tcr_http_flow_t *f, const tcr_img_service_t *s)
{
    return s->flags & TCR_SERVICE_APPEND_QUERY ? f->req->query
                                               : tcr_str_n(NULL, 0);
}


tcr_str_t
tcr_url_cache(const tcr_http_flow_t *f, const tcr_img_service_t *service,
    const tcr_img_assignment_t *assigned, tcr_str_t redirect_path)
{
    tcr_url_t               url;
    const tcr_img_cache_t  *cache = &f->cdn->caches[assigned->cache];

    url.https = uses_https(f, service);
    url.host = tcr_cdn_str(f->cdn, assigned->host);
    url.domain = tcr_cdn_str(f->cdn, assigned->domain);
    url.port = url.https ? cache->https_port : cache->port;

    if (redirect_path.data != NULL) {
        url.path = redirect_path;
        url.query = tcr_str_n(NULL, 0);

    } else {
        url.path = f->req->path;
        url.query = request_query(f, service);
    }

    return tcr_url_build(&f->req->mem, &url);
}


tcr_str_t
tcr_url_bypass(const tcr_http_flow_t *f, const tcr_img_service_t *service)
{
    tcr_url_t  url = {
        .https = uses_https(f, service),
        .host = tcr_cdn_str(f->cdn, service->bypass_fqdn),
        .port = service->bypass_port,
        .path = f->req->path,
        .query = request_query(f, service),
    };

    return tcr_url_build(&f->req->mem, &url);
}


tcr_str_t
tcr_url_strip(const tcr_http_flow_t *f, tcr_str_t url)
{
    char       *data;
    size_t      head;
    tcr_str_t   query;

    head = tcr_str_find(url, '?');

    if (!(f->cdn->rt->flags & TCR_CDN_STRIP_SPECIAL) || head == url.len) {
        return url;
    }

    query = tcr_str_n(url.data + head + 1, url.len - head - 1);
    query = tcr_query_strip(&f->req->mem, query);

    if (query.data == NULL) {
        return tcr_str_n(url.data, head);
    }

    data = tcr_mem_alloc(&f->req->mem, head + 1 + query.len);

    if (data == NULL) {
        return url;
    }

    memcpy(data, url.data, head + 1);
    memcpy(data + head + 1, query.data, query.len);

    return tcr_str_n(data, head + 1 + query.len);
}


tcr_str_t
tcr_http_shown_host(const tcr_http_request_t *req)
{
    size_t      at;
    tcr_str_t   host = req->host, port;

    at = tcr_str_find(host, host.len && host.data[0] == '[' ? ']' : ':');
    at += (at < host.len && host.data[at] == ']');
    port = tcr_str_n(host.data + at, host.len - at);

    if (port.len == 1
        || tcr_str_eq(port, req->secure ? TCR_STR(":443") : TCR_STR(":80")))
    {
        host.len = at;
    }

    return host;
}
