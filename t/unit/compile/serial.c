/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Serials: given, else they move when and only when the zone's content does,
 * and never backwards (rule soa-serial).
 */

#include "small.h"

#define CDN     "cdn.example.net"
#define VOD     "vod.cdn.example.net"
#define HOUR    3600
#define NOON    1790000000L       /* 2026-09-21 14 h UTC                     */

#define HTTP(id, more)  SERVICE(id, "HTTP", more)
#define CACHES                                                                \
    CACHE("e1", "east", "192.0.2.1", "", AT("vod", "e1.vod.cdn.example.net"))


static compiled_t  before;


/* Compiles after `before` and takes its place; serial of the zone. */
static uint32_t
next(const parts_t *p, const char *origin)
{
    uint32_t    serial;
    sources_t   from = { .previous = before.arena ? &before.img : NULL };
    compiled_t  after;

    compile_small(&after, p, &from);
    serial = zone_of(&after, origin)->serial;

    if (before.arena != NULL) {
        compiled_free(&before);
    }

    before = after;
    return serial;
}


int
main(void)
{
    parts_t  p = { .date = NOON, .services = HTTP("vod", ""),
                   .caches = CACHES };

    is_int(next(&p, VOD), 2026092114, "first: hour of the snapshot, UTC");
    p.date += HOUR;
    is_int(next(&p, VOD), 2026092114, "the same content an hour later");

    p.caches = CACHES "," CACHE("e2", "east", "192.0.2.2", "",
                                AT("vod", "e2.vod.cdn.example.net"));
    is_int(next(&p, VOD), 2026092115, "a cache more");
    is_int(zone_of(&before, CDN)->serial, 2026092114, "not in the CDN's zone");

    p.caches = CACHE("e1", "east", "192.0.2.9", "",
                     AT("vod", "e1.vod.cdn.example.net"));
    is_int(next(&p, VOD), 2026092116, "a change within the hour: one more");
    p.services = HTTP("vod", ",\"ttls\":{\"A\":\"30\"}");
    is_int(next(&p, VOD), 2026092117, "a TTL");
    p.services = HTTP("vod", ",\"ttls\":{\"A\":\"30\"},"
                             "\"soa\":{\"retry\":\"8\"}");
    is_int(next(&p, VOD), 2026092118, "a timer of the SOA");
    p.services = HTTP("first", "") "," HTTP("vod", ",\"ttls\":{\"A\":\"30\"},"
                                            "\"soa\":{\"retry\":\"8\"}");
    is_int(next(&p, VOD), 2026092118, "another place in the document is none");
    is_int(zone_of(&before, CDN)->serial, 2026092115,
           "but the CDN's zone has a delegation more");

    p.date -= 2 * HOUR;
    p.services = HTTP("first", "") "," SERVICE("vod", "DNS", "");
    is_int(next(&p, VOD), 2026092119, "an older date does not go back");
    p.date += 24 * HOUR;
    p.services = HTTP("vod", "");
    is_int(next(&p, VOD), 2026092213, "a newer one goes on");

    p.services = HTTP("vod", ",\"soa\":{\"serial\":\"42\"}");
    is_int(next(&p, VOD), 42, "a given serial is used as it is");
    p.services = HTTP("vod", "");
    is_int(next(&p, VOD), 42, "and stays while nothing changes");

    compiled_free(&before);
    return done();
}
