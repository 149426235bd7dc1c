/* SPDX-License-Identifier: Apache-2.0 */

/* Federations and ACME challenges: what is taken, what is left out. */

#include "document.h"
#include "tcr_challenges.h"
#include "tcr_federations.h"
#include "tcr_file.h"


static tcr_federations_t  federations;
static tcr_challenges_t   challenges;


static int
load_text(const char *file, tcr_str_t text)
{
    tcr_federations_free(&federations);
    read_text(file, text);
    return tcr_federations_parse(&federations, arena, &doc, &report, &err);
}


static int
load(const char *text)
{
    return load_text("f", tcr_str(text));
}


static void
mappings(void)
{
    const tcr_federation_mapping_t  *m;

    is_int(load("{\"response\":[{\"cdnName\":\"cdn1\"},"
                "{\"deliveryService\":\"a\",\"mappings\":["
                "{\"cname\":\"Edge.Example.NET.\",\"ttl\":\"60\","
                "\"resolve4\":[\"192.0.2.0/28\",\"192.0.2.0/24\","
                "\"no-address\",\"198.51.100.7\",7],"
                "\"resolve6\":[\"2001:db8::/32\"]},"
                "{\"cname\":\"two.example.net\",\"ttl\":0}]}]}"), 0,
           "a document");
    is_int(federations.n, 1, "the element with the CDN's name is none");
    is_int(federations.items[0].n, 2, "mappings");
    is_str(z(federations.items[0].service), "a", "service");

    m = federations.items[0].mappings;
    is_str(z(m->cname), "edge.example.net.", "cname");
    is_int(m->ttl, 60, "ttl");
    ok(inside(&m->nets, "192.0.2.200"), "the wider prefix counts too");
    ok(inside(&m->nets, "198.51.100.7"), "a bare address");
    ok(!inside(&m->nets, "198.51.100.8"), "is nothing but itself");
    ok(inside(&m->nets, "2001:db8:1::1"), "IPv6");
    ok(!inside(&m->nets, "2001:db9::1"), "not outside");
    is_int(report.count[TCR_REPORT_LEFT_OUT], 2, "two prefixes are left out");
    ok(left("response[1].mappings[0].resolve4[2]: \"no-address\" is not a "
            "prefix"), "a name");
    ok(left("response[1].mappings[0].resolve4[4]: found 7, expected a prefix "
            "in quotes; it is left out"), "a number");

    is_str(z(m[1].cname), "two.example.net.", "the dot is added");
    ok(m[1].ttl == 0 && !inside(&m[1].nets, "192.0.2.1"),
       "no lists, no clients");
}


static void
left_out(void)
{
    is_int(load("{\"response\":[{\"deliveryService\":\"a\"},"
                "{\"mappings\":[]},\"x\","
                "{\"deliveryService\":\"b\",\"mappings\":["
                "{\"ttl\":1},{\"cname\":\"a b\",\"ttl\":1},"
                "{\"cname\":\"a.example.net\"},"
                "{\"cname\":\"a.example.net\",\"ttl\":-1},"
                "{\"cname\":\"a.example.net\",\"ttl\":2147483648},"
                "{\"cname\":\"a.example.net\",\"ttl\":2147483647},null]},"
                "{\"deliveryService\":\"b\",\"mappings\":[]}]}"), 0, "faults");
    is_int(federations.n, 1, "one federation is left");
    is_int(federations.items[0].n, 1, "with one mapping");
    is_int(federations.items[0].mappings[0].ttl, 2147483647, "the good one");
    ok(left("response[0].mappings: found nothing, expected an array; this "
            "federation is left out"), "no mappings");
    ok(left("response[1].deliveryService: found nothing"), "no service");
    ok(left("response[2].deliveryService: found nothing"), "no object");
    ok(left("response[3].mappings[0].cname: found nothing, expected a host "
            "name; this mapping is left out"), "no cname");
    ok(left("response[3].mappings[1].cname: found \"a b\""), "no host name");
    ok(left("response[3].mappings[2].ttl: found nothing, expected seconds"),
       "no ttl");
    ok(left("response[3].mappings[4].ttl: found 2147483648"), "too long");
    ok(left("response[4].deliveryService: found \"b\" twice, the first one "
            "is used"), "twice");

    is_int(load("{}"), -1, "no response");
    is_str(err.text, "f:1:1: response: found nothing, expected an array",
           "says so");
    is_int(federations.n, 0, "and has nothing");
}


static void
recorded(void)
{
    tcr_file_t              file;
    const tcr_federation_t  *f;

    if (tcr_file_map(&file, "t/conformance/e2e/inputs/federations.json",
                     1 << 20, &err) != 0)
    {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }

    is_int(load_text("federations.json", file.text), 0, "the recorded file");
    is_int(federations.n, 3, "federations");
    is_int(problems(), 0, "without a fault");
    f = &federations.items[0];
    ok(inside(&f->mappings[0].nets, "127.0.5.9")
       && inside(&f->mappings[1].nets, "198.51.100.127"), "prefixes");
    ok(inside(&federations.items[1].mappings[0].nets, "8.8.8.8"), "0.0.0.0/0");
    tcr_federations_free(&federations);
    tcr_file_unmap(&file);
}


static int
load_challenges(const char *text)
{
    read_text("c", tcr_str(text));
    return tcr_challenges_parse(&challenges, arena, &doc, &report, &err);
}


static void
acme(void)
{
    is_int(load_challenges(
               "{\"response\":["
               "{\"fqdn\":\"_acme-challenge.VOD.cdn.example.net.\","
               "\"record\":\"to\\\"ke\\\\n\",\"xmlId\":\"vod\",\"more\":1},"
               "{\"fqdn\":\"_acme-challenge.vod.cdn.example.net\","
               "\"record\":\"two\"},"
               "{\"fqdn\":\"gone.example.net\",\"record\":\"\"},"
               "{\"fqdn\":\"gone.example.net\"},"
               "{\"fqdn\":\"gone.example.net\",\"record\":null},"
               "{\"fqdn\":\"no host\",\"record\":\"x\"},"
               "{\"record\":\"x\"},"
               "{\"fqdn\":\"a.example.net\",\"record\":\"\\u0001\"},"
               "{\"fqdn\":\"a.example.net\",\"record\":[]},[]]}"), 0,
           "challenges");
    is_int(challenges.n, 2, "in force");
    is_str(z(challenges.items[0].owner), "_acme-challenge.vod.cdn.example.net",
           "owner");
    is_str(z(challenges.items[0].text), "\"to\\\"ke\\\\n\"", "quoted");
    is_int(challenges.items[0].ttl, 10, "ttl");
    is_str(z(challenges.items[1].text), "\"two\"", "two at one name");
    is_int(problems(), 5, "no record is no fault");
    ok(left("response[5].fqdn: found \"no host\", expected a host name; this "
            "challenge is left out"), "no host name");
    ok(left("response[7].record: "), "a control byte");
    is_int(load_challenges("{\"response\":null}"), -1, "no list");
}


int
main(void)
{
    mappings();
    left_out();
    recorded();
    acme();
    tcr_federations_free(&federations);
    tcr_arena_destroy(arena);

    return done();
}
