/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The decisions.  Pure: view and question in, decision out; no parsing of
 * configuration, no lock, no I/O, no memory but what `mem` lends.  The same
 * images, question, time and seed give the same decision.
 * Everything here is made to be called inside a request.
 */

#ifndef TCR_ROUTE_H_INCLUDED
#define TCR_ROUTE_H_INCLUDED

#include "tcr_addr.h"
#include "tcr_arena.h"
#include "tcr_distance.h"
#include "tcr_result.h"
#include "tcr_view.h"


/*
 * The steps a decision took, for `tcrouter where` and the status page.  A
 * question without a trace pays one test of a pointer per step.
 */
typedef struct tcr_trace_step_s  tcr_trace_step_t;

struct tcr_trace_step_s {
    tcr_trace_step_t  *next;
    const char        *step;      /* "service", "coverage zone", "hash", …   */
    const char        *text;      /* what it found, one line                 */
};

typedef struct {
    tcr_arena_t       *arena;
    tcr_trace_step_t  *first;
    tcr_trace_step_t  *last;
} tcr_trace_t;


/* ------------------------------------------------------------------- HTTP */

/* First value of a request header, name compared without case; absent=NULL. */
typedef tcr_str_t (*tcr_header_pt)(void *ctx, tcr_str_t name);

typedef struct {
    tcr_str_t      method;
    tcr_str_t      protocol;      /* "HTTP/1.1"; for the log                 */
    tcr_str_t      host;          /* Host or authority with port, as received;
                                     data == NULL without                    */
    tcr_str_t      path;          /* raw, begins with "/"                    */
    tcr_str_t      query;         /* raw without "?"; data == NULL without ? */
    tcr_str_t      form;          /* urlencoded body of a POST, or NULL      */
    tcr_str_t      peer;          /* address text of the TCP peer            */
    bool           secure;        /* came over TLS                           */
    bool           override;      /* the peer may set the client address     */
    tcr_header_pt  header;        /* may be NULL: no headers                 */
    void          *header_ctx;
    tcr_mem_t      mem;
    tcr_trace_t   *trace;         /* NULL = do not record                    */
} tcr_http_request_t;

typedef struct {
    unsigned                   status;      /* 200, 302, 403, 503, 520       */
    tcr_result_e               result;
    tcr_details_e              details;
    tcr_details_e              reason;      /* details before a missing bypass
                                               overwrote them                */
    tcr_str_t                  client;      /* chi: text used for routing    */
    tcr_addr_t                 client_addr; /* family 0: not an address      */
    tcr_str_t                  location;    /* Location header, or NULL data */
    tcr_str_t                  body;        /* JSON, or NULL data            */
    const tcr_str_t           *urls;        /* every URL chosen, in order    */
    size_t                     n_urls;
    bool                       listed;      /* the answer is a list (rurls)  */
    tcr_str_t                  services;    /* svc: "a|b", or NULL data      */
    tcr_str_t                  regional;    /* rgb, or NULL data             */
    bool                       has_point;   /* rloc                          */
    tcr_point_t                point;
    const tcr_img_service_t   *entry;       /* service of the host; NULL none */
    const tcr_img_service_t   *service;     /* whose responseHeaders go out;
                                               NULL: none                    */
    const tcr_img_cache_t     *cache;       /* first chosen, or NULL         */
    const tcr_img_group_t     *group;       /* chosen group, or NULL         */
} tcr_http_decision_t;

/*
 * 0; -1 when there is no routing image (status 503) or no memory (500): the
 * decision is then filled as far as the log needs it.
 */
int tcr_route_http(tcr_view_t *view, const tcr_http_request_t *req,
    tcr_http_decision_t *out);


/* When a question came and how long its answer took, for the access log. */
typedef struct {
    int64_t   arrival_ms;         /* since 1970                              */
    uint64_t  took_us;
} tcr_log_times_t;

/*
 * The access-log line without line end (spec/outputs.md §1.1, rules
 * log-escape, log-headers-local).  Returns its length; never more than
 * size.  A decision with status 0 was none (the static files): pssc and ttms
 * are left out.
 *
 * routing = the image that decided, pinned by the caller, NULL when there was
 * none: a line may be written after the view has moved on to the next one.
 */
size_t tcr_log_http(const tcr_image_t *routing, const tcr_http_request_t *req,
    const tcr_http_decision_t *d, const tcr_log_times_t *times,
    char *buf, size_t size);

/* Most bytes that one byte of outside text becomes: "\xHH". */
#define TCR_LOG_ESCAPE  4

/*
 * Room for the line when no byte from outside becomes more than `escape`
 * bytes: TCR_LOG_ESCAPE always suffices, 1 for nearly every line.
 */
size_t tcr_log_http_size(const tcr_image_t *routing,
    const tcr_http_request_t *req, const tcr_http_decision_t *d,
    size_t escape);

/* Text of rloc in that line, "52.51,-0.11"; returns its length. */
#define TCR_LOG_POINT  64

size_t tcr_log_point(tcr_point_t point, char out[TCR_LOG_POINT]);


/* -------------------------------------------------------------------- DNS */

#define TCR_TYPE_A      1
#define TCR_TYPE_NS     2
#define TCR_TYPE_CNAME  5
#define TCR_TYPE_SOA    6
#define TCR_TYPE_MX     15
#define TCR_TYPE_TXT    16
#define TCR_TYPE_AAAA   28
#define TCR_TYPE_SRV    33
#define TCR_TYPE_DS     43
#define TCR_TYPE_CAA    257
#define TCR_TYPE_ANY    255

typedef struct {
    tcr_str_t     name;           /* any case, final dot or not              */
    uint16_t      type;           /* TCR_TYPE_ANY: all types at the name     */
    tcr_addr_t    resolver;       /* source of the packet                    */
    tcr_addr_t    subnet;         /* ECS address, family 0 without           */
    uint32_t      subnet_len;     /* ECS source prefix length                */
    const tcr_img_dns_zone_t
                 *zone;           /* zone to look in, for a name that stands
                                     in two (a child's apex and its delegation
                                     in the parent); NULL = the deepest      */
    tcr_mem_t     mem;
    tcr_trace_t  *trace;
} tcr_dns_question_t;

typedef struct {
    uint16_t   type;
    uint32_t   ttl;
    tcr_str_t  data;              /* presentation form, names absolute       */
    uint8_t    scope;             /* 0 = same for everybody; else the widest
                                     prefix that gets this record, >= 1      */
    bool       auth;              /* false: delegation NS and glue           */
} tcr_dns_record_t;

typedef enum {
    TCR_DNS_NO_ZONE,              /* REFUSED                                 */
    TCR_DNS_NO_NAME,              /* not a name of the zone (try wildcards)  */
    TCR_DNS_NAME                  /* exists; records may be none (NODATA)    */
} tcr_dns_status_e;

typedef struct {
    tcr_dns_status_e           status;
    const tcr_img_dns_zone_t  *zone;
    const tcr_img_name_t      *name;
    tcr_dns_record_t          *records;     /* of the asked type or all      */
    size_t                     n_records;
    uint8_t                    scope;       /* of the whole answer, also of a
                                               client-dependent NODATA       */
    bool                       routed;      /* the engine decided            */
    tcr_addr_t                 client;      /* chi: subnet when ECS is on for
                                               the name, else resolver       */
    bool                       ecs_used;
    tcr_result_e               result;
    tcr_details_e              details;
    bool                       has_point;
    tcr_point_t                point;
    const tcr_img_service_t   *service;
} tcr_dns_answer_t;

/*
 * Everything that stands at exactly this owner name (wildcard owners only
 * when asked for literally): the host server does zone cuts, wildcards, CNAME
 * chains and negative answers.  For TCR_TYPE_ANY the A records are those of an
 * A question and the AAAA records those of an AAAA question; a CNAME stands
 * only where neither gives addresses.  0, or -1 as tcr_route_http.
 */
int tcr_route_dns(tcr_view_t *view, const tcr_dns_question_t *q,
    tcr_dns_answer_t *out);


/*
 * Only what the overlay adds at q->name of q->zone: DS and ACME challenges,
 * for lists of a zone.  0, or -1 as tcr_route_http.
 */
int tcr_dns_overlay(tcr_view_t *view, const tcr_dns_question_t *q,
    tcr_dns_answer_t *out);


/*
 * The complete answer to a question, as an authoritative server on these
 * images gives it: zone choice, wildcards (RFC 4592), CNAME chains, negative
 * answers.  For tools and tests; the DNS servers do this part themselves.
 */
typedef struct {
    tcr_str_t         owner;
    tcr_dns_record_t  record;
} tcr_dns_rr_t;

typedef struct {
    unsigned           rcode;     /* 0, 3, 5                                 */
    bool               aa;
    tcr_dns_rr_t      *answer;
    size_t             n_answer;
    tcr_dns_rr_t      *authority;
    size_t             n_authority;
    tcr_dns_answer_t   last;      /* of the last name that was looked up     */
} tcr_dns_reply_t;

int tcr_resolve_dns(tcr_view_t *view, const tcr_dns_question_t *q,
    tcr_dns_reply_t *out);


/* Deepest zone that holds name, or NULL.  name: lower case, no final dot. */
const tcr_img_dns_zone_t *tcr_dns_zone_of(tcr_view_t *view, tcr_str_t name);

/* Zones in image order, for lists; the count is 0 without an image. */
size_t tcr_dns_zones(tcr_view_t *view, const tcr_img_dns_zone_t **zones);

/* Text of an image string of the routing image in force. */
tcr_str_t tcr_view_str(tcr_view_t *view, tcr_img_str_t ref);


/*
 * DNS access-log line (spec/outputs.md §1.2) without line end.
 */
typedef struct {
    tcr_str_t                name;          /* as received                   */
    uint16_t                 type;          /* 0 = unknown: "type=-"         */
    uint16_t                 id;
    bool                     has_id;
    const char              *rcode;         /* "NOERROR"; NULL = "-"         */
    const tcr_dns_record_t  *records;       /* of the answer section         */
    size_t                   n_records;
    tcr_log_times_t          times;
} tcr_log_dns_t;

size_t tcr_log_dns(tcr_view_t *view, const tcr_dns_question_t *q,
    const tcr_dns_answer_t *a, const tcr_log_dns_t *l, char *buf, size_t size);


#endif /* TCR_ROUTE_H_INCLUDED */
