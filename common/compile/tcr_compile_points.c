/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hash points (spec/routing.md §6.2): of each cache the places of
 * hash id "--" 0, hash id "--" 1, … ; of each group the points of all its
 * caches in one ascending list with their owners, so that one search finds
 * the nearest points of everybody.
 *
 * Two million points are ordinary, hence threads: first over caches for the
 * digests, then over groups for the sorting.
 */

#include "tcr_compiler.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "tcr_points.h"

#define POINTS_MAX   (32u * 1024 * 1024)
#define THREADS_MAX  4


typedef struct job_s  job_t;

struct job_s {
    tcr_compiler_t    *c;
    tcr_hash_point_t  *points;    /* by cache; owner: local number           */
    size_t            *first;     /* of each cache, n_caches + 1             */
    size_t            *kept;      /* of each group, equal points gone        */
    uint32_t           next;      /* item to take; atomic                    */
    uint32_t           n;
    bool               failed;    /* atomic                                  */
    bool             (*one)(job_t *job, uint32_t item, tcr_md5_t *md5);
};


static bool
hash_cache(job_t *job, uint32_t item, tcr_md5_t *md5)
{
    tcr_str_t               id;
    const tcr_img_cache_t  *cache = &job->c->caches[item];

    id = job->c->cfg->caches[job->c->cache_model[item]].hash_id;

    return tcr_points_hash(md5, id, cache->hash_count, cache->local,
                           job->points + job->first[item]);
}


static bool
sort_group(job_t *job, uint32_t item, tcr_md5_t *md5)
{
    size_t                  first, end;
    const tcr_img_group_t  *g = &job->c->groups[item];

    (void) md5;

    first = job->first[g->first_cache];
    end = job->first[g->first_cache + g->n_caches];

    return tcr_points_sort(job->points + first, end - first,
                           &job->kept[item]);
}


static void *
work(void *arg)
{
    job_t      *job = arg;
    uint32_t    item;
    tcr_md5_t  *md5 = tcr_md5_create();

    if (md5 == NULL) {
        __atomic_store_n(&job->failed, true, __ATOMIC_RELAXED);
        return NULL;
    }

    for ( ;; ) {
        item = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);

        if (item >= job->n) {
            break;
        }

        if (!job->one(job, item, md5)) {
            __atomic_store_n(&job->failed, true, __ATOMIC_RELAXED);
            break;
        }
    }

    tcr_md5_destroy(md5);
    return NULL;
}


/* All items by as many threads as there are processors, this one included. */
static int
run_job(job_t *job, uint32_t n,
    bool (*one)(job_t *job, uint32_t item, tcr_md5_t *md5))
{
    long       want = sysconf(_SC_NPROCESSORS_ONLN);
    size_t     i, started;
    pthread_t  threads[THREADS_MAX];

    job->next = 0;
    job->n = n;
    job->one = one;

    for (started = 0; started + 1 < THREADS_MAX; started++) {

        /* fewer threads than wished for is only slower */
        if ((long) started + 1 >= want
            || pthread_create(&threads[started], NULL, work, job) != 0)
        {
            break;
        }
    }

    work(job);

    for (i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }

    return job->failed ? tcr_compiler_no_memory(job->c) : 0;
}


static int
add_group_points(job_t *job, uint32_t g)
{
    double                  *points;
    size_t                   i, n = job->kept[g];
    uint32_t                *owners;
    tcr_img_group_t         *group = &job->c->groups[g];
    const tcr_hash_point_t  *p = job->points + job->first[group->first_cache];

    points = malloc(n * sizeof(*points) + 1);
    owners = malloc(n * sizeof(*owners) + 1);

    if (points == NULL || owners == NULL) {
        free(points);
        free(owners);
        return tcr_compiler_no_memory(job->c);
    }

    for (i = 0; i < n; i++) {
        memcpy(&points[i], &p[i].bits, sizeof(points[i]));
        owners[i] = p[i].owner;
    }

    group->points = tcr_build_array(job->c->b, points, n, sizeof(*points),
                                    _Alignof(double));
    group->owners = tcr_build_array(job->c->b, owners, n, sizeof(*owners),
                                    _Alignof(uint32_t));

    free(points);
    free(owners);
    return 0;
}


/* Points of its own for each cache of the group that is in a deep location. */
static int
add_own_points(job_t *job, uint32_t g, const bool *wanted)
{
    double                 **own;
    size_t                   i, n;
    uint32_t                 k, *counts;
    tcr_compiler_t          *c = job->c;
    const tcr_hash_point_t  *p;
    const tcr_img_group_t   *group = &c->groups[g];

    p = job->points + job->first[group->first_cache];
    own = tcr_compiler_alloc(c, group->n_caches, sizeof(*own));
    counts = tcr_compiler_alloc(c, group->n_caches, sizeof(*counts));

    if (own == NULL || counts == NULL) {
        return -1;
    }

    for (k = 0; k < group->n_caches; k++) {
        n = job->first[group->first_cache + k + 1]
            - job->first[group->first_cache + k];

        if (wanted[group->first_cache + k]) {
            own[k] = tcr_compiler_alloc(c, n, sizeof(**own));

            if (own[k] == NULL) {
                return -1;
            }
        }
    }

    for (i = 0; i < job->kept[g]; i++) {
        k = p[i].owner;

        if (own[k] != NULL) {
            memcpy(&own[k][counts[k]++], &p[i].bits, sizeof(double));
        }
    }

    for (k = 0; k < group->n_caches; k++) {
        c->caches[group->first_cache + k].points =
            tcr_build_array(c->b, own[k], counts[k], sizeof(double),
                            _Alignof(double));
    }

    return 0;
}


static int
add_points(job_t *job)
{
    bool            *wanted, *any;
    uint32_t         g, i, k;
    tcr_compiler_t  *c = job->c;

    wanted = tcr_compiler_alloc(c, c->n_caches, sizeof(*wanted));
    any = tcr_compiler_alloc(c, c->n_groups, sizeof(*any));

    if (wanted == NULL || any == NULL) {
        return -1;
    }

    for (i = 0; i < c->n_all - c->n_groups; i++) {
        for (k = 0; k < c->n_members[i]; k++) {
            wanted[c->members[i][k]] = true;
            any[c->caches[c->members[i][k]].group] = true;
        }
    }

    for (g = 0; g < c->n_groups; g++) {
        if (add_group_points(job, g) != 0
            || (any[g] && add_own_points(job, g, wanted) != 0))
        {
            return -1;
        }
    }

    return 0;
}


int
tcr_compile_points(tcr_compiler_t *c)
{
    int       rc;
    job_t     job;
    size_t    total;
    uint32_t  i;

    memset(&job, 0, sizeof(job));
    job.c = c;
    job.first = tcr_compiler_alloc(c, (size_t) c->n_caches + 1,
                                   sizeof(*job.first));
    job.kept = tcr_compiler_alloc(c, c->n_groups, sizeof(*job.kept));

    if (job.first == NULL || job.kept == NULL) {
        return -1;
    }

    for (i = 0, total = 0; i < c->n_caches; i++) {
        job.first[i] = total;
        total += c->caches[i].hash_count;

        if (total > POINTS_MAX) {
            return tcr_err_set(c->err, "the caches have more than %u hash "
                               "points, hashCount of \"%.*s\" is %u",
                               POINTS_MAX,
                               TCR_STR_ARG(c->cfg->caches[c->cache_model[i]]
                                           .id), c->caches[i].hash_count);
        }
    }

    job.first[i] = total;
    job.points = malloc(total * sizeof(*job.points) + 1);

    if (job.points == NULL) {
        return tcr_compiler_no_memory(c);
    }

    rc = run_job(&job, c->n_caches, hash_cache);

    if (rc == 0) {
        rc = run_job(&job, c->n_groups, sort_group);
    }

    if (rc == 0) {
        rc = add_points(&job);
    }

    free(job.points);
    return rc;
}
