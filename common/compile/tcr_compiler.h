/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the compiler only: what its steps hand to one another, and the order
 * in which they run (tcr_compile.c).  Each step reads the model, fills its
 * part of the image and leaves here what later steps need.
 *
 * Steps return 0, or -1 with c->err filled.  Their memory is c->arena, which
 * ends with the compilation.
 */

#ifndef TCR_COMPILER_H_INCLUDED
#define TCR_COMPILER_H_INCLUDED

#include "tcr_compile.h"
#include "tcr_crconfig_names.h"


/* A list that grows; the elements are on the heap. */
typedef struct {
    void    *items;
    size_t   n;
    size_t   room;
    size_t   size;                /* of an element                           */
} tcr_list_t;


/* A cache's name for a service whose names are not all of the usual form. */
typedef struct {
    uint32_t       service;
    uint32_t       cache;
    tcr_img_str_t  host;
    tcr_img_str_t  domain;
} tcr_odd_t;


/* tcr_compile_edge.h */
typedef struct tcr_edge_s  tcr_edge_t;


typedef struct {
    const tcr_compile_input_t  *in;
    const tcr_crconfig_t       *cfg;
    tcr_arena_t                *arena;
    tcr_build_t                *b;
    tcr_report_t               *report;
    tcr_err_t                  *err;
    tcr_img_routing_t           root;         /* copied in at the end        */
    uint32_t                    n_regexes;
    bool                        failed;       /* out of memory: seen after
                                                 each step                   */

    /* tcr_compile_groups */
    tcr_names_t                 group_names;  /* without deep locations      */
    tcr_img_group_t            *groups;       /* n_all: deep ones included   */
    uint32_t                    n_groups;
    uint32_t                    n_all;
    tcr_names_t                 cache_names;  /* id -> index in the image    */
    tcr_img_cache_t            *caches;       /* in the image's order        */
    uint32_t                   *cache_model;  /* index in the image -> model */
    uint32_t                    n_caches;

    /* tcr_compile_coverage: members of deep location n_groups + i */
    uint32_t                  **members;
    uint32_t                   *n_members;

    /* tcr_compile_services */
    tcr_img_service_t          *services;
    uint32_t                    n_services;

    /* tcr_compile_assign: in the image's order, and where each service's
       begin (n_services + 1); without those in deep locations */
    tcr_img_assignment_t       *assignments;
    size_t                     *first_assignment;
    bool                       *plain_names;  /* all are id "." domain       */
    tcr_list_t                  odd;          /* of tcr_odd_t: the others'   */

    /* tcr_compile_routers: on, and a router can be chosen */
    bool                        edge_dns;
    bool                        edge_http;
    tcr_edge_t                 *edge;

    /* tcr_compile_lookup: who answers for a service's routing name */
    uint32_t                   *routed;
} tcr_compiler_t;


/* Zeroed memory; NULL with c->err filled and c->failed set. */
void *tcr_compiler_alloc(tcr_compiler_t *c, size_t n, size_t size);

/* Fills c->err, sets c->failed; always -1, for returning. */
int tcr_compiler_no_memory(tcr_compiler_t *c);

/* Text in the arena; data == NULL with c->err filled. */
tcr_str_t tcr_compiler_printf(tcr_compiler_t *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Strings of a list as a vector of tcr_img_str_t. */
tcr_img_vec_t tcr_compiler_strings(tcr_compiler_t *c,
    const tcr_str_list_t *list);

/* Copy of a string of the image; data == NULL with c->err filled. */
tcr_str_t tcr_compiler_text(tcr_compiler_t *c, tcr_img_str_t ref);

/* Room for one more, zeroed; NULL when out of memory. */
void *tcr_list_add(tcr_list_t *list);
void tcr_list_free(tcr_list_t *list);

/* What stands before the first dot, and behind it (absent without one). */
tcr_str_t tcr_first_label(tcr_str_t name);
tcr_str_t tcr_parent_name(tcr_str_t name);

/* Is name the domain itself or below it? */
bool tcr_name_within(tcr_str_t name, tcr_str_t domain);

/*
 * The id as a host name: lower case; data == NULL when it is none (letters,
 * digits, "-", "_", labels of 1..63 bytes).
 */
tcr_str_t tcr_compiler_host(tcr_compiler_t *c, tcr_str_t id);

/* Value of a TTL of the model, of at most 2^31 - 1 (RFC 2181, 8). */
uint32_t tcr_ttl_or(int64_t ttl, uint32_t def);

/* 0..2^32-1 */
uint32_t tcr_clamp_u32(int64_t n);


/* The steps, in their order. */
int tcr_compile_groups(tcr_compiler_t *c);
int tcr_compile_coverage(tcr_compiler_t *c);
int tcr_compile_points(tcr_compiler_t *c);
int tcr_compile_routers(tcr_compiler_t *c);
int tcr_compile_services(tcr_compiler_t *c);
int tcr_compile_assign(tcr_compiler_t *c);
int tcr_compile_match(tcr_compiler_t *c);
int tcr_compile_lookup(tcr_compiler_t *c);
int tcr_compile_zones(tcr_compiler_t *c);
int tcr_compile_policies(tcr_compiler_t *c);
int tcr_compile_cdn(tcr_compiler_t *c);


/* Assignment of that cache in all[first..end), or NULL. */
const tcr_img_assignment_t *tcr_find_assignment(
    const tcr_img_assignment_t *all, size_t first, size_t end, uint32_t cache);


/* ------------------------------------------------------- routers in zones */

/* Is the router's address published?  (spec/dns.md §2) */
bool tcr_router_published(const tcr_router_t *router);

/* This router: key in contentRouters, else what the caller named. */
tcr_str_t tcr_own_router(const tcr_compiler_t *c);


#endif /* TCR_COMPILER_H_INCLUDED */
