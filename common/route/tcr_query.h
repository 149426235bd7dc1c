/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: parameters of a query string or an urlencoded body.
 */

#ifndef TCR_QUERY_H_INCLUDED
#define TCR_QUERY_H_INCLUDED

#include "tcr_arena.h"
#include "tcr_image.h"


/* First values of the three parameters the router itself reads; absent=NULL */
typedef struct {
    tcr_str_t  trred;
    tcr_str_t  format;
    tcr_str_t  client;            /* fakeClientIpAddress                     */
} tcr_query_params_t;

/*
 * Fills what is still absent in params, so that query and then form give "the
 * first value".  A piece with a bad escape is no parameter.
 */
void tcr_query_read(const tcr_mem_t *mem, tcr_str_t query,
    tcr_query_params_t *params);

/*
 * The part of the query that takes part in hashing (spec/routing.md §6.5):
 * pieces whose name is listed, decoded, sorted by UTF-16 code units, without
 * duplicates and separators.  data == NULL when memory is out.
 */
tcr_str_t tcr_query_significant(const tcr_mem_t *mem, tcr_str_t query,
    const tcr_image_t *img, const tcr_img_vec_t *names);

/*
 * Query without the pieces fakeClientIpAddress=... and trred=... (rule
 * strip-bytewise); data == NULL when nothing is left.
 */
tcr_str_t tcr_query_strip(const tcr_mem_t *mem, tcr_str_t query);


#endif /* TCR_QUERY_H_INCLUDED */
