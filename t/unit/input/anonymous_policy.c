/* SPDX-License-Identifier: Apache-2.0 */

/* Anonymous-IP policies: the reference's recorded answers, values, faults. */

#include "document.h"
#include "tcr_anonymous_policy.h"

#define SWITCHES                                                              \
    "\"anonymousIp\":{\"blockAnonymousVPN\":true,"                            \
    "\"blockHostingProvider\":false,\"blockPublicProxy\":\"true\","           \
    "\"blockTorExitNode\":0}"


static tcr_anonymous_policy_t  policy;


static int
load(const char *text)
{
    tcr_anonymous_policy_free(&policy);
    read_text("p", tcr_str(text));
    return tcr_anonymous_policy_parse(&policy, arena, &doc, &report, &err);
}


static void
recorded(void)
{
    jsonl_t            j;
    tcr_json_doc_t     file;
    const tcr_json_t  *line, *accepted, *data;

    jsonl_open(&j, "t/data/unit/anonymous_ip.jsonl");

    while ((line = jsonl_next(&j)) != NULL) {
        data = tcr_json_get(line, "data");
        accepted = tcr_json_get(line, "accepted");

        if (data == NULL || accepted == NULL) {
            continue;
        }

        file = j.doc;
        file.root = (tcr_json_t *) data;
        tcr_anonymous_policy_free(&policy);
        tcr_report_init(&report, j.arena, 0);
        is_int(tcr_anonymous_policy_parse(&policy, j.arena, &file, &report,
                                          &err) == 0,
               tcr_json_bool(accepted, false), "recorded: line %d", j.line);
    }

    ok(policy.vpn && !policy.hosting && policy.proxy && !policy.tor,
       "texts and numbers: \"true\", \"yes\", 1, 0");
    tcr_anonymous_policy_free(&policy);
    jsonl_close(&j);
}


static void
values(void)
{
    is_int(load("{" SWITCHES ",\"ip4Whitelist\":[\"192.0.2.0/24\",\"x\"],"
                "\"ip6Whitelist\":[\"2001:db8::/32\"],"
                "\"redirectUrl\":\"http://a.example.net/\"}"), 0, "a policy");
    ok(policy.vpn && !policy.hosting && policy.proxy && !policy.tor,
       "switches");
    is_str(z(policy.redirect), "http://a.example.net/", "redirect");
    ok(inside(&policy.allow, "192.0.2.1") && inside(&policy.allow, "2001:db8::")
       && !inside(&policy.allow, "198.51.100.1"), "whitelists");
    ok(left("p:1:150: ip4Whitelist[1]: \"x\" is not a prefix"), "a fault");

    is_int(load("{" SWITCHES "}"), 0, "switches alone");
    ok(policy.redirect.data == NULL && !inside(&policy.allow, "192.0.2.1"),
       "nothing else");
    is_int(load("{" SWITCHES ",\"redirectUrl\":\"\"}"), 0, "empty text");
    is_str(z(policy.redirect), NULL, "is no redirect");
    is_int(load("{" SWITCHES ",\"redirectUrl\":\"a\\nb\"}"), 0, "bad text");
    ok(policy.redirect.data == NULL && left("redirectUrl: found a text"),
       "is none either, and reported");
}


static void
refused(const char *text, const char *want)
{
    int  rc = load(text);

    ok(rc == -1 && strstr(err.text, want) != NULL && policy.build == NULL,
       "%s: %s", want, rc ? err.text : "accepted");
}


int
main(void)
{
    recorded();
    values();
    refused("[]", "p:1:1: anonymousIp: found nothing, expected an object");
    refused("{\"anonymousIp\":[]}", "p:1:16: anonymousIp: expected an object");
    refused("{\"anonymousIp\":{}}", "p:1:16: anonymousIp.blockAnonymousVPN: "
            "expected true or false");
    refused("{\"anonymousIp\":{\"blockAnonymousVPN\":true,"
            "\"blockHostingProvider\":null}}",
            "p:1:65: anonymousIp.blockHostingProvider: expected true");
    refused("{\"anonymousIp\":{\"blockAnonymousVPN\":[]}}",
            "anonymousIp.blockAnonymousVPN: expected true");
    tcr_anonymous_policy_free(&policy);
    tcr_arena_destroy(arena);

    return done();
}
