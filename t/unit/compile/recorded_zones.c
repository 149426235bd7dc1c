/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Zones of recorded snapshots, record by record against the master files that
 * the reference wrote for them.  What differs must be a rule with a name:
 *
 *   soa-minimum    the configured minimum instead of 900
 *   delegation     NS of child zones in the CDN's zone
 *   shared-domain  routing names of both services of a domain
 *   (super zones)  no zones outside of the CDN's domain
 */

#include <dirent.h>

#include "compiled.h"
#include "tcr_file.h"

#define CDN    "cdn.example.net"
#define LINES  8192


typedef struct {
    char    *lines[LINES];
    size_t   n;
} lines_t;

static const char *const  shared[] = { "pathy." CDN, "heady." CDN };


static int
by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}


static void
add_line(lines_t *l, char *line)
{
    if (l->n == LINES || line == NULL) {
        printf("Bail out! more than %d records in a zone\n", LINES);
        exit(1);
    }

    l->lines[l->n++] = line;
}


/* Unique and in order. */
static void
sort_lines(lines_t *l)
{
    size_t  i, n;

    qsort(l->lines, l->n, sizeof(char *), by_text);

    for (i = 0, n = 0; i < l->n; i++) {
        if (n == 0 || strcmp(l->lines[i], l->lines[n - 1]) != 0) {
            l->lines[n++] = l->lines[i];
        }
    }

    l->n = n;
}


static const char *
type_name(uint32_t type)
{
    switch (type) {

    case 1:
        return "A";

    case 2:
        return "NS";

    case 5:
        return "CNAME";

    case 6:
        return "SOA";

    case 16:
        return "TXT";

    case 28:
        return "AAAA";

    default:
        return "?";
    }
}


static void
dump_names(compiled_t *t, const tcr_img_dns_zone_t *zone, lines_t *out)
{
    uint32_t                i, k, d;
    const tcr_img_str_t    *data;
    const tcr_img_name_t   *names;
    const tcr_img_rrset_t  *sets;

    names = tcr_image_vec(&t->img, &t->root->dns.names);
    names += zone->first_name;

    for (i = 0; i < zone->n_names; i++) {
        sets = tcr_image_vec(&t->img, &names[i].rrsets);

        for (k = 0; k < names[i].rrsets.n; k++) {
            data = tcr_image_vec(&t->img, &sets[k].data);

            for (d = 0; d < sets[k].data.n; d++) {
                add_line(out, tcr_arena_printf(t->arena, "%s. %u %s %s",
                                               text_of(t, names[i].owner),
                                               sets[k].ttl,
                                               type_name(sets[k].type),
                                               text_of(t, data[d])));
            }
        }
    }
}


/* Names that the engine finds through the assignments. */
static void
dump_caches(compiled_t *t, const tcr_img_dns_zone_t *zone,
    const tcr_img_service_t *s, lines_t *out)
{
    char                            owner[512];
    uint32_t                        g, i;
    const tcr_img_cache_t          *cache;
    const tcr_img_assignment_t     *a;
    const tcr_img_service_group_t  *sg;

    sg = tcr_image_vec(&t->img, &s->groups);

    for (g = 0; g < s->groups.n && sg[g].group < t->root->n_groups; g++) {
        a = tcr_image_vec(&t->img, &t->root->assignments);
        a += sg[g].first;

        for (i = 0; i < sg[g].n; i++) {
            cache = tcr_image_vec(&t->img, &t->root->caches);
            cache += a[i].cache;
            snprintf(owner, sizeof(owner), "%s.%s", text_of(t, cache->id),
                     text_of(t, zone->origin));

            if (name_of(t, text_of(t, zone->origin), owner) != NULL) {
                continue;
            }

            if (cache->ip != 0) {
                add_line(out, tcr_arena_printf(t->arena, "%s. %u A %s", owner,
                                               s->ttl_cache_a,
                                               text_of(t, cache->ip)));
            }

            if (cache->ip6 != 0 && (s->flags & TCR_SERVICE_IP6)) {
                add_line(out, tcr_arena_printf(t->arena, "%s. %u AAAA %s",
                                               owner, s->ttl_cache_aaaa,
                                               text_of(t, cache->ip6)));
            }
        }
    }
}


static void
dump_zone(compiled_t *t, const tcr_img_dns_zone_t *zone, lines_t *out)
{
    uint32_t                  i;
    const uint32_t           *ids;
    const tcr_img_service_t  *services;

    dump_names(t, zone, out);

    ids = tcr_image_vec(&t->img, &zone->services);
    services = tcr_image_vec(&t->img, &t->root->services);

    for (i = 0; i < zone->services.n; i++) {
        if (services[ids[i]].flags & TCR_SERVICE_CACHE_NAMES) {
            dump_caches(t, zone, &services[ids[i]], out);
        }
    }

    sort_lines(out);
}


/* "owner TTL IN TYPE data" with tabs; addresses become short, 900 becomes
   the minimum that was configured. */
static char *
read_record(compiled_t *t, tcr_str_t line, const char *minimum)
{
    char        addr_text[TCR_ADDR_TEXT];
    tcr_str_t   owner, ttl, type, data;
    tcr_addr_t  addr;

    owner = tcr_str_split(&line, '\t');
    ttl = tcr_str_split(&line, '\t');
    tcr_str_split(&line, '\t');
    type = tcr_str_split(&line, '\t');
    data = line;

    if (tcr_str_eq(type, TCR_STR("AAAA"))
        && tcr_addr_parse(data, &addr) == 0)
    {
        tcr_addr_format(&addr, addr_text);
        data = tcr_str(addr_text);
    }

    if (tcr_str_eq(type, TCR_STR("SOA"))
        && tcr_str_ends(data, TCR_STR(" 900")))
    {
        data.len -= 3;
        return tcr_arena_printf(t->arena, "%.*s %.*s %.*s %.*s%s",
                                TCR_STR_ARG(owner), TCR_STR_ARG(ttl),
                                TCR_STR_ARG(type), TCR_STR_ARG(data), minimum);
    }

    return tcr_arena_printf(t->arena, "%.*s %.*s %.*s %.*s",
                            TCR_STR_ARG(owner), TCR_STR_ARG(ttl),
                            TCR_STR_ARG(type), TCR_STR_ARG(data));
}


static void
read_zone(compiled_t *t, const char *path, const char *minimum, lines_t *out)
{
    tcr_err_t   err;
    tcr_str_t   rest, line;
    tcr_file_t  file;

    if (tcr_file_map(&file, path, 1u << 24, &err) != 0) {
        give_up(path, &err);
    }

    for (rest = file.text; rest.data != NULL; ) {
        line = tcr_str_split(&rest, '\n');

        if (line.len != 0) {
            add_line(out, read_record(t, line, minimum));
        }
    }

    tcr_file_unmap(&file);
    sort_lines(out);
}


/* The minimum of our SOA record, its last word. */
static const char *
configured_minimum(compiled_t *t, const char *origin)
{
    return strrchr(rrset_of(t, origin, origin, 6), ' ') + 1;
}


static bool
is_shared(const char *origin)
{
    size_t  i;

    for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
        if (strcmp(shared[i], origin) == 0) {
            return true;
        }
    }

    return false;
}


/* May we have this record that the reference does not have? */
static bool
is_allowed(const char *origin, const char *line)
{
    if (strcmp(origin, CDN) == 0) {
        return strncmp(line, CDN ".", sizeof(CDN)) != 0
               && strstr(line, " NS ") != NULL;
    }

    return is_shared(origin)
           && (strncmp(line, "web.", 4) == 0 || strncmp(line, "vid.", 4) == 0
               || strncmp(line, "m.", 2) == 0 || strncmp(line, "w.", 2) == 0);
}


static void
compare(const char *origin, const lines_t *ours, const lines_t *theirs)
{
    int     rc;
    size_t  i = 0, k = 0, missing = 0, extra = 0;

    while (i < ours->n || k < theirs->n) {
        rc = i == ours->n ? 1
             : k == theirs->n ? -1 : strcmp(ours->lines[i], theirs->lines[k]);

        if (rc < 0 && !is_allowed(origin, ours->lines[i])) {
            printf("# only ours: %s\n", ours->lines[i]);
            extra++;
        }

        if (rc > 0) {
            printf("# only recorded: %s\n", theirs->lines[k]);
            missing++;
        }

        i += rc <= 0;
        k += rc >= 0;
    }

    ok(missing == 0 && extra == 0, "%s: %zu records", origin, theirs->n);
}


static void
compare_zone(compiled_t *t, const char *dir, const char *file)
{
    char                       path[512], origin[256];
    static lines_t             ours, theirs;
    const tcr_img_dns_zone_t  *zone;

    snprintf(path, sizeof(path), "%s/zones/%s", dir, file);
    snprintf(origin, sizeof(origin), "%.*s", (int) strlen(file) - 1, file);

    zone = zone_of(t, origin);

    if (strstr(origin, CDN) == NULL) {
        ok(zone == NULL, "%s: no zone outside of the CDN", origin);
        return;
    }

    if (zone == NULL) {
        ok(0, "%s: there is a zone", origin);
        return;
    }

    ours.n = 0;
    theirs.n = 0;
    dump_zone(t, zone, &ours);
    read_zone(t, path, configured_minimum(t, origin), &theirs);
    compare(origin, &ours, &theirs);
}


static void
compare_phase(const char *crconfig, const char *dir)
{
    DIR            *d;
    char            path[512];
    uint32_t        n = 0;
    tcr_err_t       err;
    compiled_t      t;
    tcr_file_t      file;
    sources_t       from = { .router = "tr-den-1" };
    struct dirent  *e;

    if (tcr_file_map(&file, crconfig, 1u << 28, &err) != 0) {
        give_up(crconfig, &err);
    }

    from.crconfig = strndup(file.text.data, file.text.len);
    compile_from(&t, &from);
    tcr_file_unmap(&file);

    snprintf(path, sizeof(path), "%s/zones", dir);
    d = opendir(path);
    ok(d != NULL, "%s", path);

    while (d != NULL && (e = readdir(d)) != NULL) {
        if (e->d_name[0] != '.') {
            compare_zone(&t, dir, e->d_name);
            n += strstr(e->d_name, CDN) != NULL;
        }
    }

    closedir(d);
    is_int(t.root->dns.zones.n, n, "%s: no other zones", dir);

    compiled_free(&t);
    free((char *) from.crconfig);
}


int
main(void)
{
    compare_phase("t/conformance/e2e/inputs/phase5/CrConfig.json",
                  "t/conformance/e2e/phase5");
    compare_phase("t/conformance/e2e/inputs/phase4/CrConfig.json",
                  "t/conformance/e2e/phase4");
    return done();
}
