/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Two million points are ordinary, hence threads: first over caches for the
 * digests, then over groups for the sorting.
 */

#include "tcr_points_job.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define POINTS_MAX   (32u * 1024 * 1024)
#define THREADS_MAX  4


typedef struct job_s  job_t;

struct job_s {
    tcr_compiler_t  *c;
    tcr_points_t    *out;
    uint32_t         next;        /* item to take; atomic                    */
    uint32_t         n;
    bool             failed;      /* atomic                                  */
    bool           (*one)(job_t *job, uint32_t item, tcr_md5_t *md5);
};


static bool
hash_cache(job_t *job, uint32_t item, tcr_md5_t *md5)
{
    size_t                  n;
    tcr_str_t               id;
    const tcr_img_cache_t  *cache = &job->c->caches[item];

    id = job->c->cfg->caches[job->c->cache_model[item]].hash_id;

    /* none for the caches of a group that is skipped */
    n = job->out->first[item + 1] - job->out->first[item];

    return tcr_points_hash(md5, id, (uint32_t) n, cache->local,
                           job->out->points + job->out->first[item]);
}


static bool
sort_group(job_t *job, uint32_t item, tcr_md5_t *md5)
{
    size_t                  first, end;
    const tcr_img_group_t  *g = &job->c->groups[item];

    (void) md5;

    first = job->out->first[g->first_cache];
    end = job->out->first[g->first_cache + g->n_caches];

    return tcr_points_sort(job->out->points + first, end - first,
                           &job->out->kept[item]);
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


/* Where each cache's points begin; -1 when there are too many. */
static int
place_points(tcr_compiler_t *c, const bool *skip, tcr_points_t *out)
{
    size_t    total;
    uint32_t  i;

    for (i = 0, total = 0; i < c->n_caches; i++) {
        out->first[i] = total;

        if (skip[c->caches[i].group]) {
            continue;
        }

        total += c->caches[i].hash_count;

        if (total > POINTS_MAX) {
            return tcr_err_set(c->err, "the caches have more than %u hash "
                               "points, hashCount of \"%.*s\" is %u",
                               POINTS_MAX,
                               TCR_STR_ARG(c->cfg->caches[c->cache_model[i]]
                                           .id), c->caches[i].hash_count);
        }
    }

    out->first[i] = total;
    return 0;
}


int
tcr_points_compute(tcr_compiler_t *c, const bool *skip, tcr_points_t *out)
{
    job_t  job = { .c = c, .out = out };

    out->points = NULL;
    out->first = tcr_compiler_alloc(c, (size_t) c->n_caches + 1,
                                    sizeof(*out->first));
    out->kept = tcr_compiler_alloc(c, c->n_groups, sizeof(*out->kept));

    if (c->failed || place_points(c, skip, out) != 0) {
        return -1;
    }

    out->points = malloc(out->first[c->n_caches] * sizeof(*out->points) + 1);

    if (out->points == NULL) {
        return tcr_compiler_no_memory(c);
    }

    if (run_job(&job, c->n_caches, hash_cache) != 0) {
        return -1;
    }

    return run_job(&job, c->n_groups, sort_group);
}
