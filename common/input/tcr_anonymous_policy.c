/* SPDX-License-Identifier: Apache-2.0 */

/* The reader of anonymous-IP policies. */

#include "tcr_anonymous_policy.h"

#include "tcr_document.h"


static int
read_switches(tcr_read_t *rd, const tcr_json_t *node,
    tcr_anonymous_policy_t *out, tcr_err_t *err)
{
    size_t             i;
    tcr_read_mark_t    mark;
    const tcr_json_t  *member;
    const struct {
        const char  *name;
        bool        *value;
    } switches[] = {
        { "blockAnonymousVPN", &out->vpn },
        { "blockHostingProvider", &out->hosting },
        { "blockPublicProxy", &out->proxy },
        { "blockTorExitNode", &out->tor }
    };

    mark = tcr_read_enter(rd, node, TCR_STR("anonymousIp"));

    for (i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        member = tcr_json_get(node, switches[i].name);

        if (member == NULL || member->type == TCR_JSON_NULL
            || member->type >= TCR_JSON_ARRAY)
        {
            return tcr_document_refuse(rd, err, member, switches[i].name,
                                       "expected true or false");
        }

        *switches[i].value = tcr_json_bool(member, false);

        if (tcr_json_bool(member, true) != *switches[i].value) {
            tcr_read_wrong(rd, TCR_REPORT_WARNING, member, switches[i].name,
                           "true or false; it counts as false");
        }
    }

    tcr_read_leave(rd, mark);
    return 0;
}


static void
read_whitelists(tcr_read_t *rd, tcr_anonymous_policy_t *out)
{
    out->build = tcr_nets_build_create();

    if (out->build == NULL) {
        rd->failed = true;
        return;
    }

    tcr_document_prefixes(rd, rd->doc->root, "ip4Whitelist", out->build);
    tcr_document_prefixes(rd, rd->doc->root, "ip6Whitelist", out->build);

    if (tcr_nets_build_finish(out->build, &out->allow) != 0) {
        rd->failed = true;
    }
}


int
tcr_anonymous_policy_parse(tcr_anonymous_policy_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err)
{
    tcr_read_t         rd;
    const tcr_json_t  *node;

    memset(out, 0, sizeof(*out));
    tcr_document_start(&rd, arena, doc, report);
    node = tcr_document_member(&rd, "anonymousIp", TCR_JSON_OBJECT, err);

    if (node == NULL || read_switches(&rd, node, out, err) != 0) {
        goto failed;
    }

    out->redirect = tcr_read_line(&rd, tcr_json_get(doc->root, "redirectUrl"),
                                  "redirectUrl");
    read_whitelists(&rd, out);

    if (tcr_document_end(&rd, err) != 0) {
        goto failed;
    }

    return 0;

failed:

    tcr_anonymous_policy_free(out);
    return -1;
}


void
tcr_anonymous_policy_free(tcr_anonymous_policy_t *policy)
{
    tcr_nets_build_destroy(policy->build);
    memset(policy, 0, sizeof(*policy));
}
