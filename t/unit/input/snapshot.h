/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A small snapshot and ways to change one thing in it: load_with("a", "b")
 * reads it with the first a replaced by b.
 */

#ifndef TCR_SNAPSHOT_H_INCLUDED
#define TCR_SNAPSHOT_H_INCLUDED

#include "tcr_crconfig.h"

#include <stdlib.h>

#include "tap.h"


static const char  snapshot[] =
"{\"stats\": {\"date\": 1790000000, \"CDN_name\": \"cdn1\",\n"
" \"tm_host\": \"ops.example.net:443\"},\n"
"\"config\": {\"domain_name\": \"CDN.example.net.\",\n"
" \"soa\": {\"admin\": \"noc@example.net\", \"minimum\": \"30\"},\n"
" \"ttls\": {\"A\": \"3600\", \"NS\": 1200},\n"
" \"requestHeaders\": [\"X-Global\"]},\n"
"\"edgeLocations\": {\n"
" \"east\": {\"latitude\": \"40.5\", \"longitude\": -74},\n"
" \"west\": {\"latitude\": 39.7, \"longitude\": -104.9}},\n"
"\"trafficRouterLocations\": {\"dc\": {\"latitude\": 1, \"longitude\": 2}},\n"
"\"contentRouters\": {\"tr1\": {\"fqdn\": \"tr1.cdn.example.net\",\n"
" \"ip\": \"192.0.2.53\", \"ip6\": \"2001:db8::35/64\", \"port\": 80,\n"
" \"api.port\": \"3333\", \"status\": \"ONLINE\", \"location\": \"dc\"}},\n"
"\"monitors\": {\"tm1\": {\"fqdn\": \"127.0.0.1\", \"port\": 8080,\n"
" \"status\": \"ONLINE\"}},\n"
"\"topologies\": {\"top\": {\"nodes\": [\"east\", \"nowhere\"]}},\n"
"\"deliveryServices\": {\n"
" \"vod\": {\"coverageZoneOnly\": \"false\", \"routingName\": \"CCR\",\n"
"  \"domains\": [\"Vod.cdn.example.net\"], \"matchsets\": [{\n"
"  \"protocol\": \"HTTP\", \"matchlist\": [{\"match-type\": \"HOST\",\n"
"  \"regex\": \".*\\\\.vod\\\\..*\"}]}]},\n"
" \"live\": {\"coverageZoneOnly\": true, \"routingName\": \"edge\",\n"
"  \"domains\": [\"live.cdn.example.net\"], \"ttls\": {\"A\": 30},\n"
"  \"matchsets\": [{\"protocol\": \"DNS\", \"matchlist\": [{\n"
"  \"match-type\": \"HOST\", \"regex\": \".*\\\\.live\\\\..*\"}]}]}},\n"
"\"contentServers\": {\n"
" \"e1\": {\"fqdn\": \"e1.example.net\", \"port\": 80, \"httpsPort\": 8443,\n"
"  \"ip\": \"192.0.2.1\", \"ip6\": \"2001:DB8:0::1/64\", \"hashCount\": 500,\n"
"  \"hashId\": \"one\", \"locationId\": \"east\", \"deliveryServices\": {\n"
"  \"vod\": [\"E1.vod.cdn.example.net\", \"alias.example.net\"],\n"
"  \"live\": [\"edge.live.cdn.example.net\"]}},\n"
" \"w1@2\": {\"fqdn\": \"w1.example.net\", \"port\": \"8080\", \"ip\": \"\",\n"
"  \"hashId\": null, \"locationId\": \"west\", \"capabilities\": [\"RAM\"],\n"
"  \"deliveryServices\": {\"vod\": \"w1.vod.cdn.example.net\"}}}\n"
"}\n";

static tcr_arena_t     *arena;
static tcr_json_doc_t   doc;
static tcr_crconfig_t   cfg;
static tcr_report_t     report;
static tcr_err_t        err;


/* 0, or -1 with err, as tcr_crconfig_parse() */
static inline int
load(const char *text)
{
    tcr_arena_destroy(arena);
    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 0);

    if (tcr_json_parse(&doc, arena, "CrConfig.json", tcr_str(text), &err) != 0)
    {
        printf("# %s\n", err.text);
        return -2;
    }

    return tcr_crconfig_parse(&cfg, arena, &doc, &report, &err);
}


static inline int
load_with(const char *from, const char *to)
{
    int          rc;
    char        *text;
    size_t       head;
    const char  *at = strstr(snapshot, from);

    if (at == NULL) {
        printf("Bail out! no \"%s\" in the snapshot\n", from);
        exit(1);
    }

    /* given back with the next one: strings of the model lie in it */
    static char  *last;

    head = (size_t) (at - snapshot);
    text = malloc(sizeof(snapshot) + strlen(to));

    if (text == NULL) {
        exit(1);
    }

    memcpy(text, snapshot, head);
    memcpy(text + head, to, strlen(to));
    memcpy(text + head + strlen(to), at + strlen(from),
           sizeof(snapshot) - head - strlen(from));

    rc = load(text);
    free(last);
    last = text;
    return rc;
}


/* Is there a report of that kind with this in its text? */
static inline bool
reported(tcr_severity_e severity, const char *text)
{
    tcr_problem_t  *p;

    for (p = report.first; p != NULL; p = p->next) {
        if (p->severity == severity && strstr(p->text, text) != NULL) {
            return true;
        }
    }

    for (p = report.first; p != NULL; p = p->next) {
        printf("# %d: %s\n", p->severity, p->text);
    }

    return false;
}


#define warned(text)  reported(TCR_REPORT_WARNING, text)
#define left(text)    reported(TCR_REPORT_LEFT_OUT, text)

/* NUL-terminated, NULL for an absent string */
static inline const char *
z(tcr_str_t s)
{
    return s.data != NULL ? tcr_arena_strdup(arena, s).data : NULL;
}


#endif /* TCR_SNAPSHOT_H_INCLUDED */
