/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Facts taken out of a snapshot (spec/inputs.md §5.1, §5.7).
 */

#include "tcf_facts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tcf_source.h"

#define INTERVAL_MIN  1000
#define INTERVAL_MAX  (INT64_C(365) * 86400 * 1000)


/* Parameters; the first URL that is given counts. */
static const struct {
    tcf_source_e  source;
    const char   *url;
    const char   *interval;
} parameters[] = {
    { TCF_COVERAGE, "coveragezone.polling.url",
      "coveragezone.polling.interval" },
    { TCF_DEEP, "deepcoveragezone.polling.url",
      "deepcoveragezone.polling.interval" },
    { TCF_CITY, "alt.geolocation.polling.url",
      "geolocation.polling.interval" },
    { TCF_CITY, "geolocation.polling.url", "geolocation.polling.interval" },
    { TCF_REGIONAL, "regional_geoblock.polling.url",
      "regional_geoblock.polling.interval" },
    { TCF_ANONYMOUS_POLICY, "anonymousip.policy.configuration",
      "anonymousip.polling.interval" },
    { TCF_ANONYMOUS_IP, "anonymousip.polling.url",
      "anonymousip.polling.interval" }
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


/* Policies are asked for only while some service wants them. */
static bool
is_wanted(const tcr_crconfig_t *cfg, tcf_source_e source)
{
    size_t  i;
    bool    regional = source == TCF_REGIONAL;

    if (!regional && source != TCF_ANONYMOUS_POLICY
        && source != TCF_ANONYMOUS_IP)
    {
        return true;
    }

    for (i = 0; i < cfg->n_services; i++) {

        if (regional ? cfg->services[i].regional : cfg->services[i].anonymous) {
            return true;
        }
    }

    return false;
}


static void
take_parameters(tcf_facts_t *facts, const tcr_crconfig_t *cfg)
{
    size_t        i;
    uint64_t      ms;
    tcf_source_e  source;

    for (i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
        source = parameters[i].source;

        if (facts->urls[source] != NULL || !is_wanted(cfg, source)) {
            continue;
        }

        facts->urls[source] = take_url(facts,
                                       tcr_crconfig_parameter(cfg,
                                           facts->arena, parameters[i].url));

        if (tcr_parse_uint(tcr_crconfig_parameter(cfg, facts->arena,
                                                  parameters[i].interval),
                           INTERVAL_MIN, INTERVAL_MAX, &ms) == 0)
        {
            facts->intervals[source] = (int64_t) ms;
        }
    }
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
tcf_facts_create(const tcr_crconfig_t *cfg)
{
    tcf_facts_t  *facts = create();

    if (facts == NULL) {
        return NULL;
    }

    facts->date = cfg->date;
    take_parameters(facts, cfg);

    if (take_monitors(facts, cfg) != 0) {
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

void
tcf_facts_write(const tcf_facts_t *facts, tcr_buf_t *buf)
{
    uint32_t      i;
    const char   *comma = "";
    tcf_source_e  s;

    tcr_buf_printf(buf, "{\"date\":%" PRId64 ",\"monitors\":[", facts->date);

    for (i = 0; i < facts->n_monitors; i++) {
        tcr_buf_printf(buf, "%s", i == 0 ? "" : ",");
        tcr_buf_json_str(buf, tcr_str(facts->monitors[i]));
    }

    tcr_buf_printf(buf, "],\"urls\":{");

    for (s = 0; s < TCF_SOURCES; s++) {

        if (facts->urls[s] != NULL) {
            tcr_buf_printf(buf, "%s\"%s\":", comma, tcf_rows[s].name);
            tcr_buf_json_str(buf, tcr_str(facts->urls[s]));
            comma = ",";
        }
    }

    tcr_buf_printf(buf, "},\"intervals\":{");

    for (s = 0; s < TCF_SOURCES; s++) {
        tcr_buf_printf(buf, "%s\"%s\":%" PRId64, s == 0 ? "" : ",",
                       tcf_rows[s].name, facts->intervals[s]);
    }

    tcr_buf_printf(buf, "}}");
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
        host = tcr_arena_strdup(facts->arena,
                                tcr_json_str(one, TCR_STR(""))).data;

        if (host != NULL && host[0] != '\0') {
            facts->monitors[facts->n_monitors++] = host;
        }
    }
}


tcf_facts_t *
tcf_facts_read(const tcr_json_t *object)
{
    int64_t            ms;
    tcf_facts_t       *facts;
    tcf_source_e       s;
    const tcr_json_t  *urls, *intervals;

    facts = tcr_json_is(object, TCR_JSON_OBJECT) ? create() : NULL;

    if (facts == NULL) {
        return NULL;
    }

    facts->date = tcr_json_long(tcr_json_get(object, "date"), 0);
    read_monitors(facts, tcr_json_get(object, "monitors"));

    urls = tcr_json_get(object, "urls");
    intervals = tcr_json_get(object, "intervals");

    for (s = 0; s < TCF_SOURCES; s++) {
        facts->urls[s] = take_url(facts,
                                  tcr_json_str(tcr_json_get(urls,
                                                            tcf_rows[s].name),
                                               TCR_STR("")));
        ms = tcr_json_long(tcr_json_get(intervals, tcf_rows[s].name), 0);
        facts->intervals[s] = ms >= INTERVAL_MIN && ms <= INTERVAL_MAX ? ms
                                                                       : 0;
    }

    return facts;
}
