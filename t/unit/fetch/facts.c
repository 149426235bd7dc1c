/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the fetcher takes out of a snapshot: URLs and their defaults, intervals,
 * what no service needs; and that it reads back what it wrote down.
 */

#include "tcf_facts.h"

#include <stdlib.h>

#include "tap.h"
#include "tcf_source.h"


static tcr_arena_t  *arena;
static tcf_facts_t  *facts;
static uint8_t       hash[32] = { 1, 2, 3 };


/* config and services are members of the snapshot, as text. */
static void
load(const char *stats, const char *config, const char *service)
{
    char            *text;
    tcr_err_t        err = { "" };
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_crconfig_t   cfg;

    tcf_facts_free(facts);
    facts = NULL;
    text = tcr_arena_printf(arena, "{\"stats\":{\"date\":5%s},\"config\":"
        "{\"domain_name\":\"cdn.example.net\"%s},\"contentRouters\":{},"
        "\"edgeLocations\":{},\"contentServers\":{},\"monitors\":{"
        "\"a\":{\"fqdn\":\"a.example.net\",\"port\":80,\"status\":\"ONLINE\"},"
        "\"b\":{\"fqdn\":\"b.example.net\",\"port\":80,"
        "\"status\":\"OFFLINE\"}},\"deliveryServices\":{\"ds\":{"
        "\"coverageZoneOnly\":\"false\",\"routingName\":\"edge\","
        "\"domains\":[\"ds.cdn.example.net\"],\"matchsets\":[{"
        "\"protocol\":\"HTTP\",\"matchlist\":[{\"match-type\":\"HOST\","
        "\"regex\":\".*\\\\.ds\\\\..*\"}]}]%s}}}", stats, config, service);
    tcr_report_init(&report, arena, 0);

    if (tcr_json_parse(&doc, arena, "t", tcr_str(text), &err) == 0
        && tcr_crconfig_parse(&cfg, arena, &doc, &report, &err) == 0)
    {
        facts = tcf_facts_create(&cfg, hash);
    }

    if (facts == NULL) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
}


static const char *
url(tcf_source_e source)
{
    return facts->sources[source].url;
}


#define OPS  ",\"CDN_name\":\"foo\",\"tm_host\":\"ops.example.net\""


static void
defaults(void)
{
    load(OPS, "", "");
    is_str(facts->ops, "https://ops.example.net", "Traffic Ops");
    is_str(facts->login, "https://ops.example.net/api/5.0/user/login",
           "logging in");
    is_str(url(TCF_CERTIFICATES),
           "https://ops.example.net/api/5.0/cdns/name/foo/sslkeys",
           "certificates");
    is_str(url(TCF_KEYS),
           "https://ops.example.net/api/5.0/cdns/name/foo/dnsseckeys", "keys");
    is_str(url(TCF_FEDERATIONS),
           "https://ops.example.net/api/5.0/federations/all", "federations");
    is_str(url(TCF_STEERING), "https://ops.example.net/api/5.0/steering",
           "steering");
    is_str(url(TCF_CHALLENGES),
           "https://ops.example.net/api/5.0/letsencrypt/dnsrecords/",
           "challenges");
    ok(url(TCF_CITY) == NULL && url(TCF_REGIONAL) == NULL, "others have none");
    is_int(facts->n_monitors, 1, "monitors that are ONLINE");
    is_str(facts->monitors[0], "a.example.net:80", "with their port");

    load("", "", "");
    ok(facts->ops == NULL && url(TCF_STEERING) == NULL, "no Traffic Ops");
    load(",\"CDN_name\":\"foo\",\"tm_host\":\"evil.example.net/x?\"", "", "");
    ok(facts->ops == NULL, "a host that would be more than that");
    load(",\"CDN_name\":\"foo\",\"to_host\":\"ops.example.net:8443\"", "", "");
    is_str(facts->ops, "https://ops.example.net:8443", "to_host, a port");
}


static void
parameters(void)
{
    load(OPS, ",\"steeringmapping.polling.url\":\"https://${toHostname}/s/"
         "${cdnName}\",\"steeringmapping.polling.interval\":\"2000\","
         "\"steeringmapping.polling.timeout\":\"700\","
         "\"keystore.maintenance.interval\":\"60\","
         "\"certificates.polling.interval\":\"0\","
         "\"alt.geolocation.polling.url\":\"http://a.example.net/c\","
         "\"geolocation.polling.url\":\"http://b.example.net/c\","
         "\"coveragezone.polling.url\":\"ftp://a.example.net/\","
         "\"anonymousip.policy.configuration\":\"file:///p.json\"", "");
    is_str(url(TCF_STEERING), "https://ops.example.net/s/foo", "a template");
    is_int(facts->sources[TCF_STEERING].interval, 2000, "interval");
    is_int(facts->sources[TCF_STEERING].timeout, 700, "timeout");
    is_int(facts->sources[TCF_KEYS].interval, 60000, "seconds");
    is_int(facts->sources[TCF_CERTIFICATES].interval, 0, "0 is none");
    is_str(url(TCF_CITY), "http://a.example.net/c", "alt goes first");
    ok(url(TCF_COVERAGE) == NULL, "another scheme is none");
    is_str(url(TCF_ANONYMOUS_POLICY), "file:/p.json", "a file");
}


static void
needs(void)
{
    load(OPS, "", "");
    ok(facts->sources[TCF_CERTIFICATES].idle, "no service has TLS");
    ok(facts->sources[TCF_KEYS].idle, "no DNSSEC");
    ok(facts->sources[TCF_REGIONAL].idle, "no regional policy");
    ok(facts->sources[TCF_ANONYMOUS_IP].idle, "no anonymous addresses");
    ok(!facts->sources[TCF_STEERING].idle, "steering all the same");

    load(OPS, ",\"dnssec.enabled\":\"true\",\"ttls\":{\"DS\":\"30\"}",
         ",\"sslEnabled\":\"true\",\"regionalGeoBlocking\":\"true\","
         "\"anonymousBlockingEnabled\":\"true\"");
    ok(!facts->sources[TCF_CERTIFICATES].idle, "a service with TLS");
    ok(facts->dnssec && !facts->sources[TCF_KEYS].idle, "DNSSEC");
    ok(!facts->sources[TCF_REGIONAL].idle, "a regional policy");
    ok(!facts->sources[TCF_ANONYMOUS_POLICY].idle, "anonymous addresses");
    is_int(facts->ttl_ds, 30, "TTL of DS");
    is_int(facts->ttl_dnskey, 60, "TTL of DNSKEY, where none is given");
}


/* Everything that facts say, as they would be written down. */
static char *
text_of(const tcf_facts_t *from)
{
    char       *text;
    tcr_jw_t    w;
    tcr_buf_t   buf;

    tcr_buf_init(&buf, 65536);
    w = tcr_jw(&buf);
    tcr_jw_open(&w, NULL, '{');
    tcf_facts_write(from, &w);
    tcr_jw_close(&w, '}');
    text = strndup(buf.data, buf.len);
    tcr_buf_free(&buf);
    return text;
}


static void
round_trip(void)
{
    char            *before, *after, *copied;
    tcf_facts_t     *back = NULL, *copy;
    tcr_json_doc_t   doc;

    before = text_of(facts);
    copy = tcf_facts_copy(facts);
    copied = text_of(copy);

    if (tcr_json_parse(&doc, arena, "t", tcr_str(before), NULL) == 0) {
        back = tcf_facts_read(tcr_json_get(doc.root, "facts"));
    }

    after = back != NULL ? text_of(back) : NULL;
    is_str(after, before, "read back");
    is_str(copied, before, "copied");
    ok(back != NULL && memcmp(back->sha256, hash, 32) == 0, "with the hash");
    ok(tcf_facts_read(doc.root) == NULL, "another object is none");
    ok(tcf_facts_read(NULL) == NULL, "nothing is none");

    tcf_facts_free(back);
    tcf_facts_free(copy);
    free(before);
    free(after);
    free(copied);
}


int
main(void)
{
    arena = tcr_arena_create(0);
    defaults();
    parameters();
    needs();
    round_trip();
    tcf_facts_free(facts);
    tcr_arena_destroy(arena);
    return done();
}
