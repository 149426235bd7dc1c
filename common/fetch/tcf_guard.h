/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a new snapshot may not do: step back in time, or take most of the CDN
 * or what all of it needs away (design §4).
 */

#ifndef TCF_GUARD_H_INCLUDED
#define TCF_GUARD_H_INCLUDED

#include "tcr_crconfig.h"
#include "tcr_image.h"


/* What came and went between two routing images. */
typedef struct {
    size_t  services, services_before, services_new, services_gone;
    size_t  caches, caches_before, caches_new, caches_gone;
} tcf_diff_t;

/*
 * Compares by name.  before NULL: everything is new.  each() (may be NULL)
 * gets every difference: '+' or '-', "service" or "cache", its name.
 */
typedef void (*tcf_diff_pt)(void *ctx, char sign, const char *what,
    tcr_str_t name);

void tcf_diff(tcf_diff_t *diff, const tcr_image_t *before,
    const tcr_image_t *now, tcf_diff_pt each, void *ctx);

/*
 * stats.date of a new snapshot against the one in force (0 = none); the
 * same date is refused too, equal bytes never come here
 * (spec/inputs.md §5.9).
 */
int tcf_guard_date(int64_t date, int64_t in_force, tcr_err_t *err);

/*
 * Refuses a snapshot without the domain, the routers or the cache groups: no
 * single object is missing then, but what every answer in DNS is made of, and
 * the shrink guard sees caches and services only (spec/inputs.md §5, §5.9).
 */
int tcf_guard_sections(const tcr_crconfig_t *cfg, tcr_err_t *err);

/* Refuses when more than max_percent of the caches or services are gone. */
int tcf_guard_shrink(const tcf_diff_t *diff, int64_t max_percent,
    tcr_err_t *err);

/* "2026-09-21T14:13:20Z" */
#define TCF_DATE_SIZE  32

void tcf_date(int64_t seconds, char text[TCF_DATE_SIZE]);


#endif /* TCF_GUARD_H_INCLUDED */
