/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A process's (thread's) view of the CDN: mapped images and the helpers that
 * cannot stand in an image: the GeoIP2 handle, compiled patterns, ranked
 * cache groups, a prepared MD5, a random generator.
 *
 * One view per thread; nothing in it is shared or locked.
 */

#ifndef TCR_VIEW_H_INCLUDED
#define TCR_VIEW_H_INCLUDED

#include "tcr_snapshot.h"

typedef struct tcr_view_s  tcr_view_t;


/*
 * dir = image directory.  Never fails for missing images; NULL only when out
 * of memory.  seed = start of the random generator; 0 takes one from the
 * system.  Not inside a request.
 */
tcr_view_t *tcr_view_create(const char *dir, uint64_t seed);
void tcr_view_destroy(tcr_view_t *view);

/*
 * For servers: large new images are opened by a thread beside the decisions
 * (tcr_snapshot_background).
 */
void tcr_view_background(tcr_view_t *view);

/*
 * To call before each decision, whose time is now_ms: one acquire load when
 * nothing was published.
 * 0 = as before, 1 = new images are in force, -1 = some image was refused
 * (err says which; the last good ones serve).
 */
int tcr_view_refresh(tcr_view_t *view, int64_t now_ms, tcr_err_t *err);

/* Is there a routing image to decide with? */
bool tcr_view_ready(const tcr_view_t *view);

/* Starts the random sequence anew: same question and seed, same answer. */
void tcr_view_seed(tcr_view_t *view, uint64_t seed);

/*
 * Strings and structures that a decision names stay good while the set they
 * come from is pinned (see tcr_snapshot_pin); without pinning, until the next
 * tcr_view_refresh.
 */
tcr_set_t *tcr_view_pin(tcr_view_t *view);


/* What is in force, for status variables, metrics and pages. */
typedef struct {
    uint64_t  generation;         /* number of the routing image, 0 = none   */
    int64_t   snapshot_date;      /* stats.date, seconds since 1970          */
    int64_t   published;          /* routing image, ms since 1970            */
    int64_t   states_time;        /* ms since 1970, 0 = none yet             */
    int64_t   poll_time;
    uint64_t  refused;            /* images refused since the start          */
} tcr_view_state_t;

void tcr_view_state(tcr_view_t *view, tcr_view_state_t *state);

/* Images for API and tools; NULL when that slot is empty. */
const tcr_image_t *tcr_view_image(tcr_view_t *view, tcr_slot_e slot);


#endif /* TCR_VIEW_H_INCLUDED */
