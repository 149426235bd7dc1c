/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter zones: every zone as a master file (RFC 1035 §5) named by its
 * origin, with what is the same for every client.  Names that are routed or
 * edge-routed stand there as comments.
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tcr_clock.h"
#include "tcr_route.h"
#include "tcr_tool.h"


typedef struct {
    tcr_view_t                *view;
    const tcr_image_t         *img;
    const tcr_img_routing_t   *rt;
    tcr_arena_t               *arena;
    const tcr_img_dns_zone_t  *zone;
    FILE                      *out;
    bool                       failed;      /* out of memory                 */
} dump_t;


static const char  help[] =
    "usage: tcrouter zones dump DIR [--images DIR]\n"
    "       tcrouter zones list [--images DIR]\n\n"
    "  --images DIR        image directory (" TCR_TOOL_IMAGES ")\n";


static const char *
type_name(uint16_t type)
{
    switch (type) {
    case TCR_TYPE_A:     return "A";
    case TCR_TYPE_NS:    return "NS";
    case TCR_TYPE_CNAME: return "CNAME";
    case TCR_TYPE_SOA:   return "SOA";
    case TCR_TYPE_MX:    return "MX";
    case TCR_TYPE_TXT:   return "TXT";
    case TCR_TYPE_AAAA:  return "AAAA";
    case TCR_TYPE_SRV:   return "SRV";
    case TCR_TYPE_DS:    return "DS";
    case TCR_TYPE_CAA:   return "CAA";
    default:             return "TYPE0";
    }
}


/* What the zone holds at the name; with own: only where no table has it. */
static void
dump_name(dump_t *d, tcr_str_t name, bool own)
{
    size_t              i;
    tcr_dns_answer_t    a;
    tcr_dns_question_t  q = { .name = name, .type = TCR_TYPE_ANY };

    tcr_arena_reset(d->arena);
    q.zone = d->zone;
    q.mem = tcr_arena_mem(d->arena);

    if (tcr_route_dns(d->view, &q, &a) != 0) {
        d->failed = true;
        return;
    }

    if (own && a.name != NULL) {
        return;
    }

    for (i = 0; i < a.n_records; i++) {
        fprintf(d->out, "%s%.*s.\t%u\tIN\t%s\t%.*s\n",
                a.records[i].scope != 0 ? "; " : "", TCR_STR_ARG(name),
                a.records[i].ttl, type_name(a.records[i].type),
                TCR_STR_ARG(a.records[i].data));
    }
}


/* All name servers, where a client is told of some of them. */
static void
dump_servers(dump_t *d, const tcr_img_name_t *name)
{
    uint32_t                i, k;
    tcr_str_t               owner = tcr_image_str(d->img, name->owner);
    const tcr_img_str_t    *data;
    const tcr_img_rrset_t  *sets = tcr_image_vec(d->img, &name->rrsets);

    if (!(d->rt->flags & TCR_CDN_EDGE_DNS) || d->rt->edge_dns_limit == 0
        || d->zone->edge.n == 0
        || !tcr_str_eq(owner, tcr_image_str(d->img, d->zone->origin)))
    {
        return;
    }

    for (i = 0; i < name->rrsets.n; i++) {
        data = tcr_image_vec(d->img, &sets[i].data);

        for (k = 0; sets[i].type == TCR_TYPE_NS && k < sets[i].data.n; k++) {
            fprintf(d->out, "%.*s.\t%u\tIN\tNS\t%.*s\n", TCR_STR_ARG(owner),
                    sets[i].ttl, TCR_STR_ARG(tcr_image_str(d->img, data[k])));
        }
    }
}


static void
dump_names(dump_t *d)
{
    uint32_t               i;
    tcr_str_t              owner;
    const tcr_img_name_t  *names = tcr_image_vec(d->img, &d->rt->dns.names);

    names += d->zone->first_name;

    for (i = 0; i < d->zone->n_names; i++) {
        owner = tcr_image_str(d->img, names[i].owner);

        if (names[i].flags & (TCR_NAME_ROUTED | TCR_NAME_EDGE)) {
            fprintf(d->out, "; %.*s. depends on the client\n",
                    TCR_STR_ARG(owner));
        }

        if (!(names[i].flags & TCR_NAME_ROUTED)) {
            dump_name(d, owner, false);
            dump_servers(d, &names[i]);
        }
    }
}


/* Names of caches, which stand in no table (tcr_img_dns_zone_t). */
static void
dump_caches(dump_t *d)
{
    char                    name[512];
    int                     len;
    uint32_t                i;
    tcr_str_t               origin, id;
    const tcr_img_cache_t  *caches = tcr_image_vec(d->img, &d->rt->caches);

    origin = tcr_image_str(d->img, d->zone->origin);

    for (i = 0; i < d->rt->caches.n && !d->failed; i++) {
        id = tcr_image_str(d->img, caches[i].id);
        len = snprintf(name, sizeof(name), "%.*s.%.*s", TCR_STR_ARG(id),
                       TCR_STR_ARG(origin));

        if (len > 0 && (size_t) len < sizeof(name)) {
            dump_name(d, tcr_str_n(name, (size_t) len), true);
        }
    }
}


static int
dump_zone(dump_t *d, const char *dir)
{
    char       path[4096];
    tcr_str_t  origin = tcr_image_str(d->img, d->zone->origin);

    snprintf(path, sizeof(path), "%s/%.*s.", dir, TCR_STR_ARG(origin));
    d->out = fopen(path, "we");

    if (d->out == NULL) {
        return tcr_tool_fail("zones", "cannot write \"%s\": %s", path,
                             strerror(errno));
    }

    dump_names(d);

    if (d->zone->services.n != 0) {
        dump_caches(d);
    }

    if (fclose(d->out) != 0 || d->failed) {
        return tcr_tool_fail("zones", "\"%s\" is not complete: %s", path,
                             d->failed ? "no memory" : strerror(errno));
    }

    return TCR_TOOL_OK;
}


static int
each_zone(dump_t *d, const char *dir)
{
    size_t                     i, n;
    const tcr_img_dns_zone_t  *zones = NULL;

    n = tcr_dns_zones(d->view, &zones);

    if (dir != NULL && mkdir(dir, 0755) != 0 && errno != EEXIST) {
        return tcr_tool_fail("zones", "cannot make \"%s\": %s", dir,
                             strerror(errno));
    }

    for (i = 0; i < n; i++) {
        d->zone = &zones[i];

        if (dir == NULL) {
            printf("%.*s. serial %u\n",
                   TCR_STR_ARG(tcr_image_str(d->img, zones[i].origin)),
                   zones[i].serial);

        } else if (dump_zone(d, dir) != TCR_TOOL_OK) {
            return TCR_TOOL_FAILED;
        }
    }

    return TCR_TOOL_OK;
}


static int
run(const char *images, const char *dir)
{
    int        rc = TCR_TOOL_FAILED;
    dump_t     d;
    tcr_err_t  err = { "nothing has been published there yet" };

    memset(&d, 0, sizeof(d));
    d.view = tcr_view_create(images, 1);
    d.arena = tcr_arena_create(0);

    if (d.view == NULL || d.arena == NULL
        || tcr_view_refresh(d.view, tcr_now_ms(), &err) < 0
        || !tcr_view_ready(d.view))
    {
        fprintf(stderr, "tcrouter zones: \"%s\": %s\n", images, err.text);

    } else {
        d.img = tcr_view_image(d.view, TCR_SLOT_ROUTING);
        d.rt = tcr_image_root(d.img);
        rc = each_zone(&d, dir);
    }

    tcr_view_destroy(d.view);
    tcr_arena_destroy(d.arena);
    return rc;
}


int
tcr_tool_zones(int argc, char **argv)
{
    int          c;
    const char  *images = TCR_TOOL_IMAGES;

    static const struct option  options[] = {
        { "images", required_argument, NULL, 'i' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'i': images = optarg; break;
        case 'h': fputs(help, stdout); return TCR_TOOL_OK;
        default: return TCR_TOOL_USAGE;
        }
    }

    if (optind + 1 == argc && strcmp(argv[optind], "list") == 0) {
        return run(images, NULL);
    }

    if (optind + 2 == argc && strcmp(argv[optind], "dump") == 0) {
        return run(images, argv[optind + 1]);
    }

    fputs(help, stderr);
    return TCR_TOOL_USAGE;
}
