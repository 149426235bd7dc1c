/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A CDN that the settings themselves describe (docs/cdn.md): routers, cache
 * groups, caches and delivery services under plain names.
 *
 * They are written as the snapshot that Traffic Ops would make of them, and
 * its reader checks them.  So whatever takes a snapshot takes this one.
 */

#ifndef TCR_OWN_H_INCLUDED
#define TCR_OWN_H_INCLUDED

#include "tcr_yaml.h"


/* NULL = not given. */
typedef struct {
    const tcr_yaml_t  *cdn;
    const tcr_yaml_t  *routers;
    const tcr_yaml_t  *cache_groups;
    const tcr_yaml_t  *caches;
    const tcr_yaml_t  *delivery_services;
    const tcr_yaml_t  *zones;     /* need not be there                       */
} tcr_own_sections_t;

/* A snapshot without its date, in the arena; absent text = there is none. */
typedef struct {
    tcr_str_t  head;              /* in front of the date                    */
    tcr_str_t  tail;
} tcr_own_t;


/* Is any section given? */
bool tcr_own_given(const tcr_own_sections_t *sections);

/*
 * Makes and checks the snapshot.  Whatever is wrong is an error in the report,
 * and then there is no snapshot.  Not inside a request.
 */
void tcr_own_read(tcr_own_t *cdn, const tcr_own_sections_t *sections,
    tcr_arena_t *arena, tcr_report_t *report);

/*
 * The snapshot as of that date (seconds since 1970), on the heap.  NULL: no
 * memory.
 */
char *tcr_own_text(const tcr_own_t *cdn, int64_t date, size_t *len);


#endif /* TCR_OWN_H_INCLUDED */
