/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the readers of a snapshot's sections share: where they are in the
 * document, reports that say so, members of large objects by name, and rows
 * that are parser, default and validation of a plain field at once.
 *
 * A fault never stops a reader: it reports and goes on with what the rule
 * for that field says.  Only lack of memory ends all, noted in `failed`.
 * Not inside a request.
 */

#ifndef TCR_CRCONFIG_READ_H_INCLUDED
#define TCR_CRCONFIG_READ_H_INCLUDED

#include "tcr_crconfig.h"
#include "tcr_crconfig_names.h"
#include "tcr_made.h"

#define TCR_READ_PATH   512
#define TCR_READ_NAME   255       /* longest id                              */
#define TCR_READ_VALUE  4096      /* longest pattern, URL or header value    */
#define TCR_READ_LIST   10000     /* most items of a list inside an object   */


typedef struct {
    tcr_crconfig_t        *cfg;
    tcr_arena_t           *arena;
    const tcr_json_doc_t  *doc;
    tcr_report_t          *report;
    tcr_made_t            *made;          /* of YAML, whose problems these
                                             are; NULL: a snapshot           */
    bool                   own;           /* made of our settings: no Traffic
                                             Ops, no monitors                */
    const tcr_json_t      *at;            /* the object being read           */
    char                   path[TCR_READ_PATH];
    size_t                 path_len;
    bool                   failed;        /* out of memory                   */
    tcr_names_t            topologies;    /* their names, for the services   */
} tcr_read_t;


/* --- place --- */

typedef struct {
    const tcr_json_t  *at;
    size_t             path_len;
} tcr_read_mark_t;

/*
 * Steps into node: its name is added to the path of reports.  The form for
 * lists adds "[i]".  Every enter has its leave.
 */
tcr_read_mark_t tcr_read_enter(tcr_read_t *rd, const tcr_json_t *node,
    tcr_str_t name);
tcr_read_mark_t tcr_read_enter_item(tcr_read_t *rd, const tcr_json_t *node,
    size_t i);
void tcr_read_leave(tcr_read_t *rd, tcr_read_mark_t mark);


/* --- reports --- */

/*
 * "FILE:LINE:COL: PATH.FIELD: text".  node NULL: the place of the object being
 * read; field NULL: no field.  text may end in "; " and what becomes of the
 * object: in YAML nothing does, every problem is an error.
 */
void tcr_read_report(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *node, const char *field, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* "found NODE, expected EXPECTED"; node NULL = "found nothing" */
void tcr_read_wrong(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *node, const char *field, const char *expected);


/* --- memory --- */

/* Zeroed; NULL sets failed.  n may be 0. */
void *tcr_read_alloc(tcr_read_t *rd, size_t n, size_t size);


/* --- members --- */

/*
 * Members of an object in document order, each name once (the place of the
 * first, the value of the last), with names that make sense as ids.
 */
typedef struct {
    const tcr_json_t  **items;
    size_t              n;
    tcr_names_t         names;            /* name -> place in items          */
} tcr_members_t;

/* object NULL = none.  At most max; what is beyond is left out. */
void tcr_read_members(tcr_read_t *rd, const tcr_json_t *object, size_t max,
    tcr_members_t *members);

/*
 * The member if it is a container of that type; NULL when it is absent, null,
 * or (with a warning) anything else.
 */
const tcr_json_t *tcr_read_container(tcr_read_t *rd,
    const tcr_json_t *object, const char *name, tcr_json_type_e type);


/* --- texts: absent when unusable, which is reported with `severity` --- */

/* May this be an id?  1..255 bytes, no control bytes, no quotes, no "\". */
bool tcr_read_is_id(tcr_str_t s);

/* An RFC 9110 token: the name of a header. */
bool tcr_read_is_token(tcr_str_t s);

/*
 * Host name of letters, digits, "-", "_" and dots: labels of 1..63, 253 in
 * all (RFC 1035 2.3.4), lower-cased, one final dot cut.  Absent without a
 * report when it is none.  Of *labels the number, if wanted.
 */
tcr_str_t tcr_read_lower_host(tcr_read_t *rd, tcr_str_t s, size_t *labels);

/* The same from a text node; nothing but a host name will do. */
tcr_str_t tcr_read_host(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *node, const char *field, const char *expected);

/* A host name, an IPv4 address, or an IPv6 one in brackets or without. */
tcr_str_t tcr_read_host_or_addr(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *node, const char *field, const char *expected);

/*
 * Address of that family (4, 6) in canonical text; "/LEN" is cut.  Empty text
 * and null are no address and no fault.  Names are never resolved.
 */
tcr_str_t tcr_read_addr(tcr_read_t *rd, const tcr_json_t *node,
    const char *field, uint32_t family);

/* Text without control bytes, of at most TCR_READ_VALUE; empty is absent. */
tcr_str_t tcr_read_line(tcr_read_t *rd, const tcr_json_t *node,
    const char *field);

/* Latitude and longitude; false (reported) unless both are finite. */
bool tcr_read_point(tcr_read_t *rd, tcr_severity_e severity,
    const tcr_json_t *object, const char *lat, const char *lon,
    tcr_point_t *point);


/* --- plain fields --- */

typedef enum {
    TCR_FIELD_BOOL,               /* bool                                    */
    TCR_FIELD_INT,                /* int64_t                                 */
    TCR_FIELD_PORT,               /* uint32_t                                */
    TCR_FIELD_ID,                 /* tcr_str_t, absent = not given           */
    TCR_FIELD_LINE,               /* tcr_str_t, likewise                     */
    TCR_FIELD_IDS,                /* tcr_str_list_t; empty texts are skipped */
    TCR_FIELD_TOKENS              /* tcr_str_list_t                          */
} tcr_field_kind_e;

/*
 * One plain field: an absent key, null and empty text give the default without
 * a word, anything unusable gives it with a warning.
 */
typedef struct {
    const char        *name;
    tcr_field_kind_e   kind;
    size_t             offset;    /* in the struct that is filled            */
    int64_t            def;
    int64_t            min;       /* of INT and PORT                         */
    int64_t            max;
} tcr_field_t;

#define TCR_FIELDS(rows)  (sizeof(rows) / sizeof((rows)[0]))

/* object NULL or no object: all defaults */
void tcr_read_fields(tcr_read_t *rd, const tcr_json_t *object,
    const tcr_field_t *fields, size_t n, void *base);

/* One number by the same rule. */
int64_t tcr_read_int(tcr_read_t *rd, const tcr_json_t *node,
    const char *field, int64_t def, int64_t min, int64_t max);

/* Is the member there and usable as a port, 1..65535?  Reports nothing. */
bool tcr_read_port(const tcr_json_t *node, uint32_t *port);

void tcr_read_ttls(tcr_read_t *rd, const tcr_json_t *object, tcr_ttls_t *ttls);
void tcr_read_soa(tcr_read_t *rd, const tcr_json_t *object, tcr_soa_t *soa);


/* --- sections --- */

/*
 * Members of a section and where they went: index in the model, or
 * TCR_READ_LEFT_OUT for what is not in force.
 */
typedef struct {
    tcr_members_t   members;
    uint32_t       *index;
} tcr_read_index_t;

#define TCR_READ_LEFT_OUT  UINT32_MAX

/*
 * Members of the document's section of that name; a section that is not
 * there is an empty one (with a warning where `wanted`).
 */
void tcr_read_section(tcr_read_t *rd, const char *name, bool wanted,
    size_t max, tcr_members_t *members);

void tcr_read_config(tcr_read_t *rd, const tcr_json_t *config);

/* Parameters of the CDN that are plain fields. */
extern const tcr_field_t  tcr_read_config_fields[];
extern const size_t       tcr_read_n_config_fields;

void tcr_read_groups(tcr_read_t *rd, tcr_read_index_t *groups);
void tcr_read_router_locations(tcr_read_t *rd);
void tcr_read_topologies(tcr_read_t *rd);
void tcr_read_routers(tcr_read_t *rd);
void tcr_read_monitors(tcr_read_t *rd);
void tcr_read_zones(tcr_read_t *rd);
void tcr_read_services(tcr_read_t *rd, tcr_read_index_t *services);
void tcr_read_caches(tcr_read_t *rd, const tcr_read_index_t *services,
    const tcr_read_index_t *groups);

/* tcr_crconfig_parse() of what was made of YAML; made NULL: a snapshot. */
int tcr_crconfig_parse_made(tcr_crconfig_t *cfg, tcr_arena_t *arena,
    const tcr_json_doc_t *doc, tcr_made_t *made, tcr_report_t *report,
    tcr_err_t *err);

/* Parts of a service.  False: it cannot be used at all (reported). */
bool tcr_read_matchsets(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service);
void tcr_read_domains(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service);
void tcr_read_geo(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service);
void tcr_read_response_headers(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service);
void tcr_read_static_entries(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service);

/* zone: in a zone of its own, with more types and "@". */
bool tcr_read_entry(tcr_read_t *rd, const tcr_json_t *node, bool zone,
    tcr_static_entry_t *entry);

/* The name as an absolute one: lower case, with a final dot. */
tcr_str_t tcr_read_absolute(tcr_read_t *rd, const tcr_json_t *node,
    const char *field);
void tcr_read_bypass(tcr_read_t *rd, const tcr_json_t *node,
    tcr_service_t *service);


#endif /* TCR_CRCONFIG_READ_H_INCLUDED */
