/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Anonymous-IP database: the reference's recorded decisions, which are a
 * policy's four switches against an address's four flags; what is refused.
 */

#include "jsonl.h"
#include "tap.h"
#include "tcr_anonymous.h"
#include "tcr_nets.h"

#define DB    "t/conformance/e2e/inputs/GeoIP2-Anonymous-IP.mmdb"
#define CITY  "t/conformance/e2e/inputs/GeoLite2-City.mmdb"


static tcr_nets_build_t  *whitelist;
static tcr_nets_t         allowed;


static void
add_prefixes(const tcr_json_t *list)
{
    tcr_err_t          err;
    tcr_cidr_t         cidr;
    const tcr_json_t  *item;

    for (item = tcr_json_first(list); item != NULL; item = item->next) {
        if (tcr_cidr_parse(item->u.str, &cidr, &err) == 0) {
            tcr_nets_build_add(whitelist, &cidr, 0);
        }
    }
}


static void
read_whitelist(const tcr_json_t *data)
{
    tcr_nets_build_destroy(whitelist);
    whitelist = tcr_nets_build_create();
    add_prefixes(tcr_json_get(data, "ip4Whitelist"));
    add_prefixes(tcr_json_get(data, "ip6Whitelist"));
    tcr_nets_build_finish(whitelist, &allowed);
}


static bool
policy(const tcr_json_t *line, const char *name)
{
    return tcr_json_bool(tcr_json_get(tcr_json_get(line, "policy"), name),
                         false);
}


static bool
blocked(const tcr_anonymous_t *db, const tcr_json_t *line,
    const tcr_addr_t *addr)
{
    tcr_anonymous_record_t  r;

    if (tcr_nets_find(&allowed, addr, NULL) != TCR_NETS_NONE
        || tcr_anonymous_find(db, addr, &r) != 1)
    {
        return false;
    }

    return (r.vpn && policy(line, "blockAnonymousVPN"))
           || (r.hosting && policy(line, "blockHostingProvider"))
           || (r.proxy && policy(line, "blockPublicProxy"))
           || (r.tor && policy(line, "blockTorExitNode"));
}


static void
recorded(const tcr_anonymous_t *db)
{
    jsonl_t            j;
    tcr_str_t          ip;
    tcr_addr_t         addr;
    const tcr_json_t  *line;

    jsonl_open(&j, "t/data/unit/anonymous_ip.jsonl");

    while ((line = jsonl_next(&j)) != NULL) {

        if (jsonl_is(line, "kind", "config")) {
            read_whitelist(tcr_json_get(line, "data"));
        }

        if (!jsonl_is(line, "kind", "decision")) {
            continue;
        }

        ip = jsonl_str(line, "ip");

        /* no address: an exception there, no location here (E24) */
        if (!tcr_json_is(tcr_json_get(line, "error"), TCR_JSON_NULL)) {
            ok(tcr_addr_parse(ip, &addr) != 0, "\"%.*s\" is no address",
               TCR_STR_ARG(ip));
            continue;
        }

        is_int(tcr_addr_parse(ip, &addr) == 0 && blocked(db, line, &addr),
               tcr_json_bool(tcr_json_get(line, "block"), false),
               "line %d: \"%.*s\"", j.line, TCR_STR_ARG(ip));
    }

    tcr_nets_build_destroy(whitelist);
    jsonl_close(&j);
}


static void
refused(const char *path, const char *why)
{
    tcr_err_t         err;
    tcr_anonymous_t  *db = tcr_anonymous_open(path, &err);

    ok(db == NULL && strstr(err.text, why) != NULL, "%s: %s", path,
       db == NULL ? err.text : "opened");
    tcr_anonymous_close(db);
}


int
main(void)
{
    tcr_err_t               err;
    tcr_addr_t              none = { 0, 0, 0 };
    tcr_anonymous_t        *db = tcr_anonymous_open(DB, &err);
    tcr_anonymous_record_t  record;

    ok(db != NULL, "the database is opened");

    if (db == NULL) {
        printf("Bail out! %s\n", err.text);
        return 1;
    }

    recorded(db);
    is_int(tcr_anonymous_find(db, &none, &record), 0, "no address, no record");
    tcr_anonymous_close(db);

    refused(CITY, "is a database of type \"GeoLite2-City\", expected a type "
            "with \"Anonymous\" in it");
    refused("t/data/unit/geo.jsonl", "is no MaxMind database, or cut");
    refused("t/data/unit/no-such-file", "No such file or directory");

    return done();
}
