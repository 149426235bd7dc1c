/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Facts taken out of a snapshot (spec/inputs.md §5.1, §5.7).
 */

#include "tcf_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcf_hex.h"
#include "tcf_source.h"

#define INTERVAL_MIN  1000
#define INTERVAL_MAX  (INT64_C(365) * 86400 * 1000)
#define TIMEOUT_MIN   50
#define TTL           60
#define API           "/api/5.0"
#define CDN_NAME_SIZE 256
#define HOST_CHARS    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
                      "0123456789-._:[]"


/*
 * Parameters of sources, and what the reference takes where they are absent;
 * the first URL that is given counts.
 */
static const struct {
    tcf_source_e  source;
    const char   *url;
    const char   *absent;
    const char   *interval;
    const char   *timeout;
} parameters[] = {
    { TCF_COVERAGE, "coveragezone.polling.url", NULL,
      "coveragezone.polling.interval", NULL },
    { TCF_DEEP, "deepcoveragezone.polling.url", NULL,
      "deepcoveragezone.polling.interval", NULL },
    { TCF_CITY, "alt.geolocation.polling.url", NULL,
      "geolocation.polling.interval", NULL },
    { TCF_CITY, "geolocation.polling.url", NULL,
      "geolocation.polling.interval", NULL },
    { TCF_CERTIFICATES, "certificate.api.url", "/cdns/name/%s/sslkeys",
      "certificates.polling.interval", NULL },
    { TCF_KEYS, "keystore.api.url", "/cdns/name/%s/dnsseckeys", NULL,
      "keystore.fetch.timeout" },
    { TCF_FEDERATIONS, "federationmapping.polling.url", "/federations/all",
      "federationmapping.polling.interval",
      "federationmapping.polling.timeout" },
    { TCF_STEERING, "steeringmapping.polling.url", "/steering",
      "steeringmapping.polling.interval", "steeringmapping.polling.timeout" },
    { TCF_CHALLENGES, "dnschallengemapping.polling.url",
      "/letsencrypt/dnsrecords/", "dnschallengemapping.polling.interval",
      "dnschallengemapping.polling.timeout" },
    { TCF_REGIONAL, "regional_geoblock.polling.url", NULL,
      "regional_geoblock.polling.interval", NULL },
    { TCF_ANONYMOUS_POLICY, "anonymousip.policy.configuration", NULL,
      "anonymousip.polling.interval", NULL },
    { TCF_ANONYMOUS_IP, "anonymousip.polling.url", NULL,
      "anonymousip.polling.interval", NULL }
};


static bool
is_url(const char *url)
{
    return strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0
           || strncmp(url, "file:/", 6) == 0;
}


/* "file:///x" and "file:/x" are one thing to us. */
static const char *
take_url(tcf_facts_t *facts, tcr_str_t text)
{
    const char  *url;

    if (text.len == 0 || memchr(text.data, '\0', text.len) != NULL) {
        return NULL;
    }

    url = tcr_arena_strdup(facts->arena, text).data;

    if (url == NULL || !is_url(url)) {
        return NULL;
    }

    if (strncmp(url, "file:///", 8) == 0) {
        url = tcr_arena_printf(facts->arena, "file:%s", url + 7);
    }

    return url;
}


/* A whole number of milliseconds (the keystore's: of seconds); 0 = none. */
static int64_t
take_ms(const tcr_crconfig_t *cfg, tcr_arena_t *arena, const char *name,
    int64_t unit, int64_t min)
{
    uint64_t  n;

    if (name == NULL
        || tcr_parse_uint(tcr_crconfig_parameter(cfg, arena, name), 1,
                          INTERVAL_MAX / 1000, &n) != 0
        || (int64_t) n * unit < min)
    {
        return 0;
    }

    return (int64_t) n * unit;
}


/* What the reference asks Traffic Ops for when the snapshot does not say. */
static const char *
usual_url(const tcf_facts_t *facts, const tcr_crconfig_t *cfg,
    const char *path)
{
    char  name[CDN_NAME_SIZE];
    char *more;

    if (facts->ops == NULL || path == NULL || cfg->cdn_name.data == NULL
        || cfg->cdn_name.len >= sizeof(name))
    {
        return NULL;
    }

    snprintf(name, sizeof(name), "%.*s", TCR_STR_ARG(cfg->cdn_name));
    more = strstr(path, "%s");

    if (more == NULL) {
        return tcr_arena_printf(facts->arena, "%s" API "%s", facts->ops,
                                path);
    }

    return tcr_arena_printf(facts->arena, "%s" API "%.*s%s%s", facts->ops,
                            (int) (more - path), path, name, more + 2);
}


static void
take_parameters(tcf_facts_t *facts, const tcr_crconfig_t *cfg)
{
    size_t       i;
    tcf_fact_t  *fact;

    for (i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
        fact = &facts->sources[parameters[i].source];

        if (fact->url != NULL) {
            continue;
        }

        fact->url = take_url(facts, tcr_crconfig_parameter(cfg, facts->arena,
                                                       parameters[i].url));

        if (fact->url == NULL) {
            fact->url = usual_url(facts, cfg, parameters[i].absent);
        }

        fact->interval = take_ms(cfg, facts->arena, parameters[i].interval, 1,
                                 INTERVAL_MIN);
        fact->timeout = take_ms(cfg, facts->arena, parameters[i].timeout, 1,
                                TIMEOUT_MIN);
    }

    facts->sources[TCF_KEYS].interval =
        take_ms(cfg, facts->arena, "keystore.maintenance.interval", 1000,
                INTERVAL_MIN);
}


static void
take_ops(tcf_facts_t *facts, const tcr_crconfig_t *cfg)
{
    tcr_str_t  host = cfg->traffic_ops;

    /* nothing that would end the host's name inside of a URL */
    if (host.len == 0
        || strspn(host.data, HOST_CHARS) < host.len)
    {
        return;
    }

    facts->ops = tcr_arena_printf(facts->arena, "https://%.*s",
                                  TCR_STR_ARG(host));
    facts->login = take_url(facts, tcr_crconfig_parameter(cfg, facts->arena,
                                                          "api.auth.url"));

    if (facts->login == NULL && facts->ops != NULL) {
        facts->login = tcr_arena_printf(facts->arena, "%s" API "/user/login",
                                        facts->ops);
    }
}


/* 60 s where none is given (spec/inputs.md §5.1). */
static uint32_t
ttl(int64_t given)
{
    return given < 0 || given > UINT32_MAX ? TTL : (uint32_t) given;
}


/* What nobody would look at is not asked for (spec/inputs.md §5.1, §9.5). */
static void
take_needs(tcf_facts_t *facts, const tcr_crconfig_t *cfg)
{
    size_t       i;
    bool         ssl = false, regional = false, anonymous = false;
    tcf_fact_t  *sources = facts->sources;

    for (i = 0; i < cfg->n_services; i++) {
        ssl = ssl || cfg->services[i].ssl_enabled;
        regional = regional || cfg->services[i].regional;
        anonymous = anonymous || cfg->services[i].anonymous;
    }

    facts->dnssec = cfg->any_dnssec;
    facts->allow_expired = cfg->allow_expired_keys;
    facts->ttl_ds = ttl(cfg->ttls.ds);
    facts->ttl_dnskey = ttl(cfg->ttls.dnskey);

    sources[TCF_CERTIFICATES].idle = !ssl;
    sources[TCF_KEYS].idle = !cfg->any_dnssec;
    sources[TCF_DS_KNOWN].idle = !cfg->any_dnssec;
    sources[TCF_REGIONAL].idle = !regional;
    sources[TCF_ANONYMOUS_POLICY].idle = !anonymous;
    sources[TCF_ANONYMOUS_IP].idle = !anonymous;
}


static int
take_monitors(tcf_facts_t *facts, const tcr_crconfig_t *cfg)
{
    size_t  i;

    facts->monitors = tcr_arena_calloc(facts->arena, cfg->n_monitors + 1,
                                       sizeof(char *));

    for (i = 0; facts->monitors != NULL && i < cfg->n_monitors; i++) {

        if (!cfg->monitors[i].online) {
            continue;
        }

        facts->monitors[facts->n_monitors] =
            tcr_arena_printf(facts->arena, "%.*s:%u",
                             TCR_STR_ARG(cfg->monitors[i].fqdn),
                             cfg->monitors[i].port);

        if (facts->monitors[facts->n_monitors++] == NULL) {
            return -1;
        }
    }

    return facts->monitors == NULL ? -1 : 0;
}


static tcf_facts_t *
create(void)
{
    tcr_arena_t  *arena = tcr_arena_create(4096);
    tcf_facts_t  *facts;

    facts = arena != NULL ? tcr_arena_calloc(arena, 1, sizeof(*facts)) : NULL;

    if (facts == NULL) {
        tcr_arena_destroy(arena);
        return NULL;
    }

    facts->arena = arena;
    return facts;
}


tcf_facts_t *
tcf_facts_create(const tcr_crconfig_t *cfg, const uint8_t sha256[32])
{
    tcf_facts_t  *facts = create();

    if (facts == NULL) {
        return NULL;
    }

    memcpy(facts->sha256, sha256, sizeof(facts->sha256));
    facts->date = cfg->date;
    take_ops(facts, cfg);
    take_parameters(facts, cfg);
    take_needs(facts, cfg);

    if (take_monitors(facts, cfg) != 0) {
        tcf_facts_free(facts);
        return NULL;
    }

    return facts;
}


static const char *
copy_text(tcr_arena_t *arena, const char *text, bool *failed)
{
    const char  *copy;

    if (text == NULL) {
        return NULL;
    }

    copy = tcr_arena_strdup(arena, tcr_str(text)).data;
    *failed = *failed || copy == NULL;
    return copy;
}


tcf_facts_t *
tcf_facts_copy(const tcf_facts_t *from)
{
    bool          failed = false;
    uint32_t      i;
    tcf_facts_t  *facts = create();
    tcf_source_e  s;
    tcr_arena_t  *arena;

    if (facts == NULL) {
        return NULL;
    }

    arena = facts->arena;
    *facts = *from;
    facts->arena = arena;
    facts->ops = copy_text(arena, from->ops, &failed);
    facts->login = copy_text(arena, from->login, &failed);
    facts->monitors = tcr_arena_calloc(arena, from->n_monitors + 1,
                                       sizeof(char *));
    failed = failed || facts->monitors == NULL;

    for (i = 0; !failed && i < from->n_monitors; i++) {
        facts->monitors[i] = copy_text(arena, from->monitors[i], &failed);
    }

    for (s = 0; s < TCF_SOURCES; s++) {
        facts->sources[s].url = copy_text(arena, from->sources[s].url,
                                          &failed);
    }

    if (failed) {
        tcf_facts_free(facts);
        return NULL;
    }

    return facts;
}


void
tcf_facts_free(tcf_facts_t *facts)
{
    if (facts != NULL) {
        tcr_arena_destroy(facts->arena);
    }
}


/* --- from one run to the next --- */

static void
write_source(tcr_jw_t *w, const tcf_fact_t *fact, const char *name)
{
    tcr_jw_open(w, name, '{');
    tcr_jw_str(w, "url", tcr_str(fact->url));
    tcr_jw_int(w, "interval", fact->interval);
    tcr_jw_int(w, "timeout", fact->timeout);
    tcr_jw_bool(w, "idle", fact->idle);
    tcr_jw_close(w, '}');
}


void
tcf_facts_write(const tcf_facts_t *facts, tcr_jw_t *w)
{
    char          hex[TCF_HEX_SIZE];
    uint32_t      i;
    tcf_source_e  s;

    tcf_hex(facts->sha256, hex);
    tcr_jw_open(w, "facts", '{');
    tcr_jw_str(w, "sha256", tcr_str(hex));
    tcr_jw_int(w, "date", facts->date);
    tcr_jw_open(w, "monitors", '[');

    for (i = 0; i < facts->n_monitors; i++) {
        tcr_jw_str(w, NULL, tcr_str(facts->monitors[i]));
    }

    tcr_jw_close(w, ']');
    tcr_jw_str(w, "ops", tcr_str(facts->ops));
    tcr_jw_str(w, "login", tcr_str(facts->login));
    tcr_jw_bool(w, "dnssec", facts->dnssec);
    tcr_jw_bool(w, "allow_expired", facts->allow_expired);
    tcr_jw_uint(w, "ttl_ds", facts->ttl_ds);
    tcr_jw_uint(w, "ttl_dnskey", facts->ttl_dnskey);
    tcr_jw_open(w, "sources", '{');

    for (s = 0; s < TCF_SOURCES; s++) {
        write_source(w, &facts->sources[s], tcf_rows[s].name);
    }

    tcr_jw_close(w, '}');
    tcr_jw_close(w, '}');
}


static const char *
read_text(const tcf_facts_t *facts, const tcr_json_t *node)
{
    tcr_str_t  text = tcr_json_str(node, tcr_str(NULL));

    return text.len == 0 ? NULL : tcr_arena_strdup(facts->arena, text).data;
}


static void
read_monitors(tcf_facts_t *facts, const tcr_json_t *list)
{
    const char        *host;
    const tcr_json_t  *one;

    if (!tcr_json_is(list, TCR_JSON_ARRAY)) {
        return;
    }

    facts->monitors = tcr_arena_calloc(facts->arena, list->u.list.n + 1,
                                       sizeof(char *));

    for (one = tcr_json_first(list); one != NULL && facts->monitors != NULL;
         one = one->next)
    {
        host = read_text(facts, one);

        if (host != NULL) {
            facts->monitors[facts->n_monitors++] = host;
        }
    }
}


static int64_t
read_ms(const tcr_json_t *node, int64_t min)
{
    int64_t  ms = tcr_json_long(node, 0);

    return ms >= min && ms <= INTERVAL_MAX ? ms : 0;
}


static void
read_source(tcf_facts_t *facts, tcf_source_e source, const tcr_json_t *object)
{
    tcf_fact_t  *fact = &facts->sources[source];

    fact->url = take_url(facts, tcr_json_str(tcr_json_get(object, "url"),
                                             TCR_STR("")));
    fact->interval = read_ms(tcr_json_get(object, "interval"), INTERVAL_MIN);
    fact->timeout = read_ms(tcr_json_get(object, "timeout"), TIMEOUT_MIN);
    fact->idle = tcr_json_bool(tcr_json_get(object, "idle"), false);
}


tcf_facts_t *
tcf_facts_read(const tcr_json_t *object)
{
    tcf_facts_t       *facts;
    tcf_source_e       s;
    const tcr_json_t  *sources = tcr_json_get(object, "sources");

    facts = tcr_json_is(sources, TCR_JSON_OBJECT) ? create() : NULL;

    if (facts == NULL) {
        return NULL;
    }

    if (tcf_unhex(tcr_json_str(tcr_json_get(object, "sha256"), TCR_STR("")),
                  facts->sha256, sizeof(facts->sha256))
        != 0)
    {
        tcf_facts_free(facts);
        return NULL;
    }

    facts->date = tcr_json_long(tcr_json_get(object, "date"), 0);
    facts->ops = read_text(facts, tcr_json_get(object, "ops"));
    facts->login = take_url(facts, tcr_json_str(tcr_json_get(object, "login"),
                                                TCR_STR("")));
    facts->dnssec = tcr_json_bool(tcr_json_get(object, "dnssec"), false);
    facts->allow_expired = tcr_json_bool(tcr_json_get(object,
                                                      "allow_expired"), true);
    facts->ttl_ds = ttl(tcr_json_long(tcr_json_get(object, "ttl_ds"), -1));
    facts->ttl_dnskey = ttl(tcr_json_long(tcr_json_get(object, "ttl_dnskey"),
                                          -1));
    read_monitors(facts, tcr_json_get(object, "monitors"));

    for (s = 0; s < TCF_SOURCES; s++) {
        read_source(facts, s, tcr_json_get(sources, tcf_rows[s].name));
    }

    return facts;
}
