/* SPDX-License-Identifier: Apache-2.0 */

/* Names, numbers and words of the protocols with PowerDNS. */

#include "jsonl.h"
#include "tap.h"

#include "tcb_session.h"


/* RFC 4034, 6.1, in lower case */
static const char *const canonical[] = {
    "example", "a.example", "yljkjljk.a.example", "z.a.example",
    "zabc.a.example", "z.example", "*.z.example"
};


static void
test_order(void)
{
    int     rc;
    size_t  i, k, n;

    n = sizeof(canonical) / sizeof(canonical[0]);

    for (i = 0; i < n; i++) {
        for (k = 0; k < n; k++) {
            rc = tcb_name_cmp(tcr_str(canonical[i]), tcr_str(canonical[k]));

            ok(i < k ? rc < 0 : i > k ? rc > 0 : rc == 0, "%s, %s",
               canonical[i], canonical[k]);
        }
    }

    ok(tcb_name_cmp(TCR_STR("ab.example"), TCR_STR("a.example")) > 0,
       "a label is compared whole");
    ok(tcb_name_cmp(TCR_STR(""), TCR_STR("example")) < 0, "the root is first");
}


/* The chain of a recorded signed zone: each name, and the one that follows. */
static void
test_recorded_chain(void)
{
    char               first[TCB_NAME_TEXT], second[TCB_NAME_TEXT];
    size_t             n = 0;
    jsonl_t            j;
    tcr_str_t          record, owner, type, next;
    const tcr_json_t  *line, *node;

    jsonl_open(&j, "t/data/unit/dnssec.jsonl");

    while ((line = jsonl_next(&j)) != NULL) {

        for (node = tcr_json_first(tcr_json_get(line, "records_in_order"));
             node != NULL;
             node = node->next)
        {
            record = node->u.str;
            owner = tcr_str_split(&record, '\t');
            (void) tcr_str_split(&record, '\t');
            (void) tcr_str_split(&record, '\t');
            type = tcr_str_split(&record, '\t');

            if (!tcr_str_eq(type, TCR_STR("NSEC"))) {
                continue;
            }

            owner = tcb_name(owner, first);
            next = tcb_name(tcr_str_split(&record, ' '), second);

            /* only the last one leads back, to the apex */
            ok(tcb_name_cmp(owner, next) < 0
               || tcr_str_ends(owner, next), "%.*s, %.*s",
               TCR_STR_ARG(owner), TCR_STR_ARG(next));
            n += tcb_name_cmp(owner, next) < 0;
        }
    }

    is_int(n, 7, "names of the chain behind the apex");
    jsonl_close(&j);
}


static void
test_names(void)
{
    char       buf[TCB_NAME_TEXT], big[TCB_NAME_TEXT + 8];
    tcr_str_t  s;

    s = tcb_name(TCR_STR("WWW.Example.NET."), buf);
    is_str(s.data, "www.example.net", "lower case, no final dot");
    is_str(tcb_name(TCR_STR("."), buf).data, "", "the root");
    is_str(tcb_name(TCR_STR(""), buf).data, "", "nothing");

    memset(big, 'a', sizeof(big));
    ok(tcb_name(tcr_str_n(big, TCB_NAME_TEXT), buf).data == NULL, "too long");
    ok(tcb_name(tcr_str_n(big, TCB_NAME_TEXT - 1), buf).data != NULL,
       "just not");
}


static void
test_numbers(void)
{
    uint32_t  a, b;

    a = tcb_zone_number(TCR_STR("cdn.example.net"));
    b = tcb_zone_number(TCR_STR("vod.cdn.example.net"));

    ok(a != b, "numbers differ");
    ok(a >= 1 && a <= 0x7fffffff && b >= 1 && b <= 0x7fffffff, "in range");
    is_int(a, 119866635, "and stay: PowerDNS keeps them");

    is_int(tcb_number(TCR_STR("2147483647")), 2147483647, "largest");
    is_int(tcb_number(TCR_STR("2147483648")), TCB_ZONE_NONE, "larger");
    is_int(tcb_number(TCR_STR("-1")), TCB_ZONE_NONE, "no zone");
    is_int(tcb_number(TCR_STR("0")), TCB_ZONE_NONE, "0");
    is_int(tcb_number(TCR_STR("")), TCB_ZONE_NONE, "nothing");
}


static const struct {
    const char  *text;
    const char  *want;            /* address, or "" for none                 */
    uint32_t     len;
} clients[] = {
    { "192.0.2.1",                   "192.0.2.1",       32 },
    { "192.0.2.1/32",                "192.0.2.1",       32 },
    { "198.51.100.0/24",             "198.51.100.0",    24 },
    { "198.51.100.0/0",              "198.51.100.0",    0 },
    { "2001:db8::1",                 "2001:db8::1",     128 },
    { "2001:db8::/56",               "2001:db8::",      56 },
    { "fe80::1%eth1",                "fe80::1",         128 },
    { "fe80::1%eth1/128",            "fe80::1",         128 },
    { "::ffff:192.0.2.1",            "192.0.2.1",       32 },
    { "::ffff:192.0.2.0/120",        "192.0.2.0",       24 },
    { "0.0.0.0",                     "",                0 },
    { "0.0.0.0/0",                   "",                0 },
    { "",                            "",                0 },
    { "192.0.2.1/33",                "",                0 },
    { "192.0.2.1/",                  "",                0 },
    { "192.0.2.1/x",                 "",                0 },
    { "2001:db8::/129",              "",                0 },
    { "::ffff:192.0.2.0/64",         "",                0 },
    { "www.example.net",             "",                0 },
};


static void
test_clients(void)
{
    char        text[TCR_ADDR_TEXT];
    size_t      i;
    uint32_t    len;
    tcr_addr_t  a;

    for (i = 0; i < sizeof(clients) / sizeof(clients[0]); i++) {
        a = tcb_client(tcr_str(clients[i].text), &len);
        tcr_addr_format(&a, text);

        is_str(text, clients[i].want, "client \"%s\"", clients[i].text);
        ok(a.family == 0 || len == clients[i].len, "... and its length");
    }
}


/* Of resolver and subnet: is there a subnet? */
static bool
has_subnet(const char *resolver, const char *subnet)
{
    tcb_question_t  q;

    memset(&q, 0, sizeof(q));
    tcb_clients(&q, tcr_str(resolver), tcr_str(subnet));

    return q.resolver.family != 0 && q.subnet.family != 0;
}


static void
test_subnets(void)
{
    ok(!has_subnet("192.0.2.1", "192.0.2.1/32"),
       "the resolver once more is no subnet");
    ok(!has_subnet("192.0.2.1", "192.0.2.1"), "nor without a length");
    ok(!has_subnet("2001:db8::1", "2001:db8::1/128"), "nor of IPv6");
    ok(!has_subnet("192.0.2.1", "0.0.0.0/0"), "none");
    ok(has_subnet("192.0.2.1", "192.0.2.2/32"), "another address is one");
    ok(has_subnet("192.0.2.0", "192.0.2.0/24"), "so is the resolver's net");
    ok(has_subnet("192.0.2.1", "2001:db8::/56"), "or one of another family");
}


static void
test_types(void)
{
    char       buf[16];
    tcr_str_t  s;

    is_int(tcb_type(TCR_STR("A")), TCR_TYPE_A, "A");
    is_int(tcb_type(TCR_STR("ANY")), TCR_TYPE_ANY, "ANY");
    is_int(tcb_type(TCR_STR("CAA")), TCR_TYPE_CAA, "CAA");
    is_int(tcb_type(TCR_STR("TYPE65")), 65, "TYPE65");
    is_int(tcb_type(TCR_STR("TYPE65536")), 0, "TYPE65536");
    is_int(tcb_type(TCR_STR("TYPE")), 0, "TYPE");
    is_int(tcb_type(TCR_STR("HTTPS")), 0, "one we have no record of");
    is_int(tcb_type(TCR_STR("")), 0, "none");

    s = tcb_type_name(TCR_TYPE_CNAME, buf);
    ok(tcr_str_eq(s, TCR_STR("CNAME")), "name of CNAME");
    s = tcb_type_name(65535, buf);
    ok(tcr_str_eq(s, TCR_STR("TYPE65535")), "name of 65535");
}


int
main(void)
{
    test_order();
    test_recorded_chain();
    test_names();
    test_numbers();
    test_clients();
    test_subnets();
    test_types();

    return done();
}
