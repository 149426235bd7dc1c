/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Steering of Traffic Ops (spec/routing.md §8, spec/inputs.md §8.4): services
 * that send their clients on to other services.
 */

#ifndef TCR_STEERING_H_INCLUDED
#define TCR_STEERING_H_INCLUDED

#include "tcr_distance.h"
#include "tcr_json.h"


typedef struct {
    tcr_str_t    service;         /* xml_id                                  */
    uint32_t     weight;          /* number of hash points                   */
    int32_t      order;
    int32_t      geo_order;
    bool         has_point;
    tcr_point_t  point;           /* of the origin                           */
} tcr_steering_target_t;

/* A path that matches as a whole goes to that target. */
typedef struct {
    tcr_str_t  service;
    tcr_str_t  pattern;           /* translated for tcr_regex_compile        */
    tcr_str_t  java;              /* as written                              */
} tcr_steering_filter_t;

typedef struct {
    tcr_str_t               service;
    bool                    client;     /* CLIENT_STEERING                   */
    tcr_steering_target_t  *targets;
    size_t                  n_targets;
    tcr_steering_filter_t  *filters;
    size_t                  n_filters;
} tcr_steering_service_t;

typedef struct {
    tcr_steering_service_t  *services;  /* each once                         */
    size_t                   n;
} tcr_steering_doc_t;


/*
 * Reads a parsed answer.  The model is in the arena, its strings may point
 * into the document: both must outlive it.  A bad target or filter is left out
 * and reported; of a service that is listed twice the last one counts.
 * -1: no "response", or out of memory.  Not inside a request.
 */
int tcr_steering_parse(tcr_steering_doc_t *out, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_report_t *report, tcr_err_t *err);


#endif /* TCR_STEERING_H_INCLUDED */
