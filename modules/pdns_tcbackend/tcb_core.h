/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What all three doors to PowerDNS share: a question as PowerDNS puts it
 * becomes rows as PowerDNS wants them.
 *
 * One core per thread, nothing in it is shared or locked.  Rows and the
 * strings they point to stay good until the next call on the same core.
 */

#ifndef TCB_CORE_H_INCLUDED
#define TCB_CORE_H_INCLUDED

#include "tcb_hashed.h"
#include "tcb_keys.h"
#include "tcb_log.h"
#include "tcb_zones.h"

/*
 * Type of the row that stands for "this name exists and has nothing for this
 * client": an empty non-terminal to PowerDNS, which then answers NODATA
 * (decisions D).
 */
#define TCB_TYPE_ENT  0


typedef struct tcb_core_s  tcb_core_t;
typedef struct tcb_denied_s  tcb_denied_t;

/* Something the operator should read; may be called again with the same. */
typedef void (*tcb_complain_pt)(void *ctx, const char *text);


typedef struct {
    tcr_str_t   name;             /* any case, final dot or not              */
    uint16_t    type;             /* as PowerDNS asks: mostly TCR_TYPE_ANY   */
    uint16_t    client_type;      /* as the client asked; 0 = unknown        */
    uint32_t    zone;             /* number PowerDNS has, or TCB_ZONE_NONE   */
    tcr_addr_t  resolver;         /* family 0: PowerDNS asks for itself      */
    tcr_addr_t  subnet;           /* ECS, family 0 without                   */
    uint32_t    subnet_len;
    bool        is_question;      /* the client's own, not one on the way to
                                     its answer: it is logged                */
    bool        has_id;
    uint16_t    id;
    tcb_denied_t
               *denied;           /* of this conversation; may be NULL       */
} tcb_question_t;

typedef struct {
    const tcr_dns_record_t  *rows;
    size_t                   n;
    bool                     exists;    /* the name does, even without rows  */
    uint32_t                 zone;      /* number of the zone they are in    */
} tcb_rows_t;


/*
 * images = image directory; log may be NULL, is not owned.  NULL when out of
 * memory; missing images are no failure.
 */
tcb_core_t *tcb_core_create(const char *images, tcb_log_t *log,
    tcb_complain_pt complain, void *ctx);
void tcb_core_destroy(tcb_core_t *core);

/* View with the newest images in force.  Every call below does this too. */
tcr_view_t *tcb_core_view(tcb_core_t *core);

/* View as it was at the last call, for a walk that must see one generation. */
tcr_view_t *tcb_core_seen(tcb_core_t *core);

/* Memory of the answer in hand, emptied: what it held is gone. */
tcr_arena_t *tcb_core_arena(tcb_core_t *core);

/*
 * Rows at exactly q->name.  No rows: the name does not exist, or has nothing
 * of the type whoever asks; an empty answer never depends on the client,
 * because PowerDNS would give it to the next one.  -1: no images or no memory.
 */
int tcb_core_lookup(tcb_core_t *core, const tcb_question_t *q,
    tcb_rows_t *out);


/*
 * Neighbours of a name in the NSEC chain of a zone of tcb_core_seen's images
 * (tcb_others_neighbours); good until the next call.
 */
int tcb_core_neighbours(tcb_core_t *core, const tcr_img_dns_zone_t *zone,
    tcr_str_t name, tcr_str_t *before, tcr_str_t *after);


/*
 * The zone of that number in the newest images, or NULL.  A walk through all
 * zones unless the last question was about it.
 */
const tcr_img_dns_zone_t *tcb_core_zone(tcb_core_t *core, uint32_t number);

/*
 * Neighbours of a hash in the NSEC3 chain of a zone of tcb_core_seen's images
 * (tcb_hashed_neighbours), if that is how the zone denies; good until the next
 * call.
 */
int tcb_core_hashed(tcb_core_t *core, const tcr_img_dns_zone_t *zone,
    tcr_str_t hash, tcb_hashed_t *out);

/*
 * DNSSEC keys of the zone of that name (any case, final dot or not); they are
 * in the core's arena, good until the next call.  -1: no zone of ours, or no
 * memory.
 */
int tcb_core_keys(tcb_core_t *core, tcr_str_t name, tcb_zone_keys_t *out);

/*
 * Metadata of that zone, good until the next call: absent when it has none of
 * that kind, or is no zone of ours.
 */
tcr_str_t tcb_core_metadata(tcb_core_t *core, tcr_str_t name,
    tcr_str_t kind);


/* Lines of the access log that found no room. */
uint64_t tcb_core_dropped(const tcb_core_t *core);

/* Has PowerDNS ever asked for NS, as it does with consistent-backends=no? */
bool tcb_core_typed(const tcb_core_t *core);


/*
 * Walk through a zone's content that is the same for everybody: routed names
 * have none and are left out.  The images in force at the start are kept
 * until the end.  -1 when there is no such zone.
 */
typedef struct {
    tcb_core_t                *core;
    tcr_set_t                 *set;
    const tcr_image_t         *img;
    const tcr_img_dns_zone_t  *zone;
    const tcr_img_name_t      *name;        /* names of the table first …    */
    const tcr_img_name_t      *end;
    uint32_t                   rrset;
    uint32_t                   data;
    uint32_t                   number;      /* of the zone, for PowerDNS     */
    bool                       begun;       /* name: the overlay was asked   */
    uint32_t                   text_ttl;    /* of its TXT, at most           */
    uint32_t                   other;       /* … then those in no table      */
    uint32_t                   n_others;
    const tcr_dns_record_t    *rows;
    size_t                     row;
    size_t                     n_rows;
    size_t                     owner_len;
    char                       owner[TCB_NAME_TEXT];
} tcb_list_t;

int tcb_list_begin(tcb_core_t *core, tcr_str_t origin, uint32_t number,
    tcb_list_t *list);

/* false after the last one. */
bool tcb_list_next(tcb_list_t *list, tcr_str_t *owner, tcr_dns_record_t *row);

/* May be called at any time, more than once. */
void tcb_list_end(tcb_list_t *list);


#endif /* TCB_CORE_H_INCLUDED */
