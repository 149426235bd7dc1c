/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Policies in the routing image: rules by service, numbers of patterns behind
 * those of the services, the anonymous policy's flags.
 */

#include "small.h"

#define ELEMENT(vec, type, i)                                                 \
    ((const type *) tcr_image_vec(&t.img, &(vec)) + (i))


static compiled_t                 t;
static const tcr_img_policies_t  *p;


static void
read_json(tcr_json_doc_t *doc, const char *json)
{
    tcr_err_t  err;

    if (tcr_json_parse(doc, t.arena, "f", tcr_str(json), &err) != 0) {
        give_up("JSON", &err);
    }
}


/* A snapshot of the services a, b and c, and these policies (or NULL). */
static void
compile(const char *regional, bool fallback, const char *anonymous)
{
    char                    *text;
    parts_t                  parts = {
        .services = SERVICE("a", "HTTP", ",\"consistentHashRegex\":\"/(.*)\"")
                    "," SERVICE("b", "HTTP", "") "," SERVICE("c", "HTTP", "")
    };
    tcr_err_t                err;
    tcr_json_doc_t           doc;
    tcr_crconfig_t           cfg;
    tcr_regional_t           rules;
    tcr_compile_input_t      in = { .crconfig = &cfg, .router = "tr1" };
    tcr_anonymous_policy_t   policy;

    memset(&t, 0, sizeof(t));
    memset(&rules, 0, sizeof(rules));
    memset(&policy, 0, sizeof(policy));
    t.arena = tcr_arena_create(0);
    tcr_report_init(&t.report, t.arena, 0);
    text = small_json(&parts);
    read_json(&doc, text);

    if (tcr_crconfig_parse(&cfg, t.arena, &doc, &t.report, &err) != 0) {
        give_up("snapshot", &err);
    }

    if (regional != NULL) {
        read_json(&doc, regional);
        in.regional = &rules;
        is_int(tcr_regional_parse(&rules, t.arena, &doc, &t.report, &err), 0,
               "regional policy");
    }

    if (anonymous != NULL) {
        read_json(&doc, anonymous);
        in.anonymous = &policy;
        is_int(tcr_anonymous_policy_parse(&policy, t.arena, &doc, &t.report,
                                          &err), 0, "anonymous policy");
    }

    in.regional_fallback = fallback;

    if (tcr_compile_routing(&in, &t.routing, &t.health, &t.report, &err)
        != 0)
    {
        give_up("compile", &err);
    }

    finish_images(&t);
    p = &t.root->policies;
    tcr_regional_free(&rules);
    tcr_anonymous_policy_free(&policy);
    free(text);
}


static bool
inside(const tcr_img_vec_t *v4, const tcr_img_vec_t *v6, const char *ip)
{
    tcr_addr_t  addr;
    tcr_nets_t  nets = { tcr_image_vec(&t.img, v4), v4->n,
                         tcr_image_vec(&t.img, v6), v6->n };

    return tcr_addr_parse(tcr_str(ip), &addr) == 0
           && tcr_nets_find(&nets, &addr, NULL) == 0;
}


#define RULE(id, regex, geo, more)                                            \
    "{\"deliveryServiceId\":\"" id "\",\"urlRegex\":\"" regex "\","           \
    "\"geoLocation\":{" geo "}" more "}"


static void
regional(void)
{
    uint32_t               before;
    const tcr_img_rule_t  *r;

    compile(NULL, false, NULL);
    before = t.root->n_regexes;
    is_int(p->rules.n, 0, "no policy, no rules");
    is_int(p->regional_fallback, 0, "no fallback");
    is_int(p->anonymous, 0, "anonymous policy off");
    compiled_free(&t);

    compile("{\"deliveryServices\":["
            RULE("c", ".*c1", "\"includePostalCode\":[\"M5H\",\"K1A\"],"
                 "\"coordinateRange\":[{\"minLat\":1,\"minLon\":2,"
                 "\"maxLat\":3,\"maxLon\":4}]",
                 ",\"redirectUrl\":\"/away\",\"ipWhiteList\":"
                 "[\"192.0.2.0/24\",\"2001:db8::/32\"]") ","
            RULE("a", ".*a1", "\"excludePostalCode\":[]",
                 ",\"redirectUrl\":\"http://a.example.net/\"") ","
            RULE("nowhere", ".*", "\"excludePostalCode\":[]",
                 ",\"redirectUrl\":\"/x\"") ","
            RULE("c", ".*c2", "\"excludePostalCode\":[]",
                 ",\"redirectUrl\":\"/c2\"") "]}", true, NULL);

    is_int(p->rules.n, 3, "rules of known services");
    ok(reported(&t, "rule 2 is of service \"nowhere\", which the snapshot "
                    "does not have"), "the other one is reported");
    is_int(p->regional_fallback, 1, "fallback");
    is_int(t.root->n_regexes, before + 3, "patterns behind the services'");

    r = ELEMENT(p->rules, tcr_img_rule_t, 0);
    is_str(text_of(&t, ELEMENT(t.root->services, tcr_img_service_t,
                               r[0].service)->id), "a", "by service");
    ok(r[0].regex_index == before && r[1].regex_index == before + 1
       && r[2].regex_index == before + 2, "numbers of patterns");
    is_int(r[0].flags, TCR_RULE_ABSOLUTE, "exclude, to a URL");
    is_str(text_of(&t, r[0].redirect), "http://a.example.net/", "the URL");
    is_int(r[0].allow4.n + r[0].allow6.n + r[0].boxes.n
           + r[0].postal_codes.n, 2, "an empty rule has empty lists");

    is_str(text_of(&t, r[2].redirect), "/c2", "then in file order");
    is_int(r[1].flags, TCR_RULE_INCLUDE, "include, to a path");
    is_str(text_of(&t, *ELEMENT(r[1].postal_codes, tcr_img_str_t, 1)), "K1A",
           "postal codes");
    ok(ELEMENT(r[1].boxes, tcr_img_box_t, 0)->min_lat == 1
       && ELEMENT(r[1].boxes, tcr_img_box_t, 0)->max_lon == 4, "box");
    ok(inside(&r[1].allow4, &r[1].allow6, "192.0.2.1")
       && inside(&r[1].allow4, &r[1].allow6, "2001:db8::1")
       && !inside(&r[1].allow4, &r[1].allow6, "198.51.100.1"), "whitelist");
    compiled_free(&t);
}


static void
anonymous(void)
{
    compile(NULL, false,
            "{\"anonymousIp\":{\"blockAnonymousVPN\":true,"
            "\"blockHostingProvider\":false,\"blockPublicProxy\":true,"
            "\"blockTorExitNode\":false},\"ip4Whitelist\":[\"192.0.2.0/24\"],"
            "\"ip6Whitelist\":[\"2001:db8::/32\"],"
            "\"redirectUrl\":\"http://a.example.net/\"}");
    is_int(p->anonymous, TCR_ANON_ON | TCR_ANON_VPN | TCR_ANON_PROXY, "flags");
    is_str(text_of(&t, p->anonymous_redirect), "http://a.example.net/",
           "redirect");
    ok(inside(&p->anonymous_allow4, &p->anonymous_allow6, "192.0.2.1")
       && inside(&p->anonymous_allow4, &p->anonymous_allow6, "2001:db8::1"),
       "whitelists");
    compiled_free(&t);

    compile(NULL, false,
            "{\"anonymousIp\":{\"blockAnonymousVPN\":false,"
            "\"blockHostingProvider\":true,\"blockPublicProxy\":false,"
            "\"blockTorExitNode\":true}}");
    is_int(p->anonymous, TCR_ANON_ON | TCR_ANON_HOSTING | TCR_ANON_TOR,
           "the other flags");
    is_str(text_of(&t, p->anonymous_redirect), "-", "no redirect");
    ok(!inside(&p->anonymous_allow4, &p->anonymous_allow6, "192.0.2.1"),
       "no whitelist");
    compiled_free(&t);
}


int
main(void)
{
    regional();
    anonymous();

    return done();
}
