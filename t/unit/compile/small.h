/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests of the compiler: a small CDN made of parts that a test names; what
 * it does not name is as below.
 */

#ifndef TCR_SMALL_H_INCLUDED
#define TCR_SMALL_H_INCLUDED

#include "compiled.h"


typedef struct {
    long         date;            /* 0 = 1790000000, 2026-09-21 13:33:20 UTC */
    const char  *domain;
    const char  *config;          /* more members, each with "," in front    */
    const char  *groups;
    const char  *routers;
    const char  *locations;       /* trafficRouterLocations                  */
    const char  *services;
    const char  *caches;
    const char  *topologies;
} parts_t;

#define GROUPS                                                                \
    "\"east\":{\"latitude\":40,\"longitude\":-74,"                            \
    "\"backupLocations\":{\"list\":[\"nowhere\",\"west\"],"                   \
    "\"fallbackToClosest\":\"true\"}},"                                       \
    "\"west\":{\"latitude\":39,\"longitude\":-104,"                           \
    "\"localizationMethods\":[\"CZ\"]}"

#define ROUTERS                                                               \
    "\"tr1\":{\"fqdn\":\"tr1.cdn.example.net\",\"ip\":\"203.0.113.1\","       \
    "\"ip6\":\"2001:db8::1\",\"port\":80,\"status\":\"ONLINE\"},"             \
    "\"tr2\":{\"fqdn\":\"tr2.example.org\",\"ip\":\"203.0.113.2\","           \
    "\"ip6\":\"\",\"port\":80,\"status\":\"REPORTED\"},"                      \
    "\"tr3\":{\"fqdn\":\"tr3.cdn.example.net\",\"ip\":\"203.0.113.3\","       \
    "\"ip6\":\"2001:db8::3\",\"port\":80,\"status\":\"OFFLINE\"}"

/* service ID of PROTOCOL with a pattern for its name, and more members */
#define SERVICE(id, protocol, more)                                           \
    "\"" id "\":{\"coverageZoneOnly\":\"false\",\"routingName\":\"www\","     \
    "\"domains\":[\"" id ".cdn.example.net\"],"                               \
    "\"matchsets\":[{\"protocol\":\"" protocol "\",\"matchlist\":["           \
    "{\"match-type\":\"HOST\",\"regex\":\".*\\\\." id "\\\\..*\"}]}]"         \
    more "}"

/* cache ID in GROUP with its own addresses and services */
#define CACHE(id, group, ip, ip6, services)                                   \
    "\"" id "\":{\"fqdn\":\"cache.example.net\",\"port\":80,"                 \
    "\"locationId\":\"" group "\",\"ip\":\"" ip "\",\"ip6\":\"" ip6 "\","     \
    "\"hashCount\":10,\"deliveryServices\":{" services "}}"

#define AT(service, fqdn)  "\"" service "\":[\"" fqdn "\"]"


static inline const char *
part(const char *given, const char *otherwise)
{
    return given != NULL ? given : otherwise;
}


/* Free with free(). */
static inline char *
small_json(const parts_t *p)
{
    char  *text;

    if (asprintf(&text,
                 "{\"stats\":{\"date\":%ld,\"CDN_name\":\"cdn1\","
                 "\"tm_host\":\"ops.example.net\"},"
                 "\"config\":{\"domain_name\":\"%s\"%s},"
                 "\"monitors\":{\"tm\":{\"fqdn\":\"tm.example.net\","
                 "\"port\":80,\"status\":\"ONLINE\"}},"
                 "\"edgeLocations\":{%s},\"contentRouters\":{%s},"
                 "\"trafficRouterLocations\":{%s},"
                 "\"deliveryServices\":{%s},\"contentServers\":{%s},"
                 "\"topologies\":{%s}}",
                 p->date != 0 ? p->date : 1790000000L,
                 part(p->domain, "cdn.example.net"), part(p->config, ""),
                 part(p->groups, GROUPS), part(p->routers, ROUTERS),
                 part(p->locations, ""), part(p->services, ""),
                 part(p->caches, ""), part(p->topologies, ""))
        < 0)
    {
        printf("Bail out! out of memory\n");
        exit(1);
    }

    return text;
}


/* Compiles the parts; from gives all but the snapshot, or is NULL. */
static inline void
compile_small(compiled_t *t, const parts_t *p, const sources_t *from)
{
    char       *text = small_json(p);
    sources_t   sources = { .crconfig = text };

    if (from != NULL) {
        sources = *from;
        sources.crconfig = text;
    }

    compile_from(t, &sources);
    free(text);
}


#endif /* TCR_SMALL_H_INCLUDED */
