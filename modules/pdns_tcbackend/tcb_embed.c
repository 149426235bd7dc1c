/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Plain types in, plain types out: the core behind the native module.
 */

#include "tcb_embed.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcb_command.h"
#include "tcb_core.h"
#include "tcb_denied.h"


struct tcb_embed_s {
    tcb_core_t    *core;
    tcb_log_t     *log;
    void         (*complain)(const char *text);
    tcb_denied_t   denied;
    tcb_rows_t     rows;
    size_t         next;          /* of rows                                 */
    tcb_list_t     list;
    tcr_buf_t      text;
    char           before[TCB_NAME_TEXT];
    char           name[TCB_NAME_TEXT];
    tcb_zone_keys_t  keys;
    tcb_hashed_t   hashed;
};


/*
 * One log for all threads of the process.  PowerDNS has one access log
 * whatever it launches, so the first path wins.
 */
static pthread_mutex_t  log_lock = PTHREAD_MUTEX_INITIALIZER;
static tcb_log_t       *log_shared;
static size_t           log_users;


static int
log_attach(tcb_embed_t *e, const char *path, tcr_err_t *err)
{
    if (path[0] == '\0') {
        return 0;
    }

    pthread_mutex_lock(&log_lock);

    if (log_shared == NULL) {
        log_shared = tcb_log_open(path, err);
    }

    if (log_shared != NULL) {
        log_users++;
    }

    e->log = log_shared;
    pthread_mutex_unlock(&log_lock);

    return e->log != NULL ? 0 : -1;
}


static void
log_detach(tcb_embed_t *e)
{
    tcb_log_t  *last;

    if (e->log == NULL) {
        return;
    }

    last = NULL;
    pthread_mutex_lock(&log_lock);

    if (--log_users == 0) {
        last = log_shared;
        log_shared = NULL;
    }

    pthread_mutex_unlock(&log_lock);
    tcb_log_close(last);
}


static void
complain(void *ctx, const char *text)
{
    tcb_embed_t  *e = ctx;

    e->complain(text);
}


tcb_embed_t *
tcb_embed_create(const char *images, const char *log,
    void (*complain_cb)(const char *text), char *err, size_t size)
{
    tcr_err_t     why;
    tcb_embed_t  *e;

    (void) tcr_err_set(&why, "no memory");
    e = calloc(1, sizeof(*e));

    if (e == NULL) {
        goto failed;
    }

    e->complain = complain_cb;
    tcr_buf_init(&e->text, 64 * 1024);

    if (log_attach(e, log, &why) != 0) {
        goto failed;
    }

    e->core = tcb_core_create(images, e->log, complain, e);

    if (e->core != NULL) {
        return e;
    }

failed:

    snprintf(err, size, "%s", why.text);
    tcb_embed_destroy(e);
    return NULL;
}


void
tcb_embed_destroy(tcb_embed_t *e)
{
    if (e == NULL) {
        return;
    }

    tcb_list_end(&e->list);
    tcb_core_destroy(e->core);
    log_detach(e);
    tcr_buf_free(&e->text);
    free(e);
}


int
tcb_embed_ready(tcb_embed_t *e)
{
    return tcr_view_ready(tcb_core_view(e->core));
}


/*
 * Presentation form of a wire name (RFC 1035, 5.1), without the final dot;
 * data == NULL when it is none.
 */
static tcr_str_t
name_text(const char *wire, size_t len, char *buf, size_t size)
{
    size_t         left;
    tcr_out_t      out;
    unsigned char  c;

    out = (tcr_out_t) { buf, buf + size, false };

    while (len != 0 && *wire != 0) {
        left = (unsigned char) *wire++;
        len--;

        if (left > len) {
            return tcr_str_n(NULL, 0);
        }

        for (len -= left; left != 0; left--) {
            c = (unsigned char) *wire++;

            if (c == '.' || c == '\\') {
                tcr_out_char(&out, '\\');

            } else if (c <= 0x20 || c >= 0x7f) {
                tcr_out_char(&out, '\\');
                tcr_out_char(&out, (char) ('0' + c / 100));
                tcr_out_char(&out, (char) ('0' + c / 10 % 10));
                c = (unsigned char) ('0' + c % 10);
            }

            tcr_out_char(&out, (char) c);
        }

        if (len != 0 && *wire != 0) {
            tcr_out_char(&out, '.');
        }
    }

    return out.cut ? tcr_str_n(NULL, 0)
                   : tcr_str_n(buf, (size_t) (out.pos - buf));
}


int
tcb_embed_lookup(tcb_embed_t *e, const tcb_embed_question_t *q)
{
    tcb_question_t  asked;

    tcb_list_end(&e->list);
    e->rows.n = 0;
    e->next = 0;

    asked = (tcb_question_t) {
        .name = name_text(q->name, q->name_len, e->name, sizeof(e->name)),
        .type = q->type, .client_type = q->client_type, .zone = q->zone,
        .id = q->id, .has_id = q->client_type != 0,
        .is_question = q->is_question != 0, .subnet_len = q->subnet_len,
        .denied = &e->denied
    };

    if (asked.name.data == NULL) {
        return 0;
    }

    if (q->resolver != NULL) {
        (void) tcr_addr_from_sockaddr(q->resolver, &asked.resolver);
    }

    if (q->subnet != NULL) {
        (void) tcr_addr_from_sockaddr(q->subnet, &asked.subnet);
    }

    return tcb_core_lookup(e->core, &asked, &e->rows);
}


int
tcb_embed_list(tcb_embed_t *e, const char *origin, size_t len)
{
    tcb_list_end(&e->list);
    memset(&e->rows, 0, sizeof(e->rows));

    return tcb_list_begin(e->core, tcr_str_n(origin, len), TCB_ZONE_NONE,
                          &e->list);
}


static tcb_embed_str_t
plain(tcr_str_t s)
{
    return (tcb_embed_str_t) { s.data, s.len };
}


/* The bytes of an address, so that PowerDNS need not parse its text. */
static void
put_address(const tcr_dns_record_t *row, tcb_embed_row_t *out)
{
    int         i;
    tcr_addr_t  a;

    out->addr_len = 0;

    if (tcr_addr_parse(row->data, &a) != 0) {
        return;
    }

    if (row->type == TCR_TYPE_A && a.family == 4) {
        out->addr_len = 4;

    } else if (row->type == TCR_TYPE_AAAA && a.family == 6) {
        out->addr_len = 16;
    }

    for (i = 0; i < out->addr_len; i++) {
        out->addr[out->addr_len - 1 - i]
            = (uint8_t) ((i < 8 ? a.lo : a.hi) >> (i % 8 * 8));
    }
}


int
tcb_embed_next(tcb_embed_t *e, tcb_embed_row_t *out)
{
    tcr_str_t         owner;
    tcr_dns_record_t  row;

    owner = tcr_str_n(NULL, 0);

    if (e->list.set != NULL) {

        if (!tcb_list_next(&e->list, &owner, &row)) {
            tcb_list_end(&e->list);
            return 0;
        }

        out->zone = e->list.number;

    } else if (e->next < e->rows.n) {
        row = e->rows.rows[e->next++];
        out->zone = e->rows.zone;

    } else {
        return 0;
    }

    out->owner = plain(owner);
    out->data = plain(row.data);
    out->type = row.type;
    out->ttl = row.ttl;
    out->scope = row.scope;
    out->auth = row.auth;
    out->addr_len = 0;

    if (row.type == TCR_TYPE_A || row.type == TCR_TYPE_AAAA) {
        put_address(&row, out);
    }

    return 1;
}


static int
give_zone(tcr_view_t *view, const tcr_img_dns_zone_t *zone,
    tcb_embed_zone_t *out)
{
    tcr_str_t  origin;

    if (zone == NULL) {
        return 0;
    }

    origin = tcr_view_str(view, zone->origin);
    out->origin = plain(origin);
    out->number = tcb_zone_number(origin);
    out->serial = zone->serial;
    return 1;
}


/*
 * A list of zones is one walk over one generation: only its first step looks
 * for new images.
 */
int
tcb_embed_zone(tcb_embed_t *e, size_t i, tcb_embed_zone_t *zone)
{
    size_t                     n;
    const tcr_img_dns_zone_t  *zones;

    if (i == 0) {
        (void) tcb_core_view(e->core);
    }

    n = tcr_dns_zones(tcb_core_seen(e->core), &zones);

    return give_zone(tcb_core_seen(e->core), i < n ? &zones[i] : NULL, zone);
}


int
tcb_embed_zone_named(tcb_embed_t *e, const char *name, size_t len,
    tcb_embed_zone_t *zone)
{
    tcr_str_t    lower;
    tcr_view_t  *view;

    view = tcb_core_view(e->core);
    lower = tcb_name(tcr_str_n(name, len), e->name);

    return lower.data == NULL
           ? 0 : give_zone(view, tcb_zone_exact(view, lower), zone);
}


int
tcb_embed_hashed(tcb_embed_t *e, uint32_t number, const char *hash,
    size_t len, tcb_embed_str_t *owner, tcb_embed_str_t *before,
    tcb_embed_str_t *after)
{
    const tcr_img_dns_zone_t  *zone = tcb_core_zone(e->core, number);

    if (zone == NULL
        || tcb_core_hashed(e->core, zone, tcr_str_n(hash, len), &e->hashed)
           != 0)
    {
        return 0;
    }

    *owner = plain(e->hashed.owner);
    *before = plain(tcr_str(e->hashed.before));
    *after = plain(tcr_str(e->hashed.after));
    return 1;
}


int
tcb_embed_neighbours(tcb_embed_t *e, const char *zone, size_t zone_len,
    const char *name, size_t name_len, tcb_embed_str_t *before,
    tcb_embed_str_t *after)
{
    tcr_str_t                  origin, lower, found[2];
    tcr_view_t                *view;
    const tcr_img_dns_zone_t  *at;

    view = tcb_core_view(e->core);
    origin = tcb_name(tcr_str_n(zone, zone_len), e->before);
    lower = tcb_name(tcr_str_n(name, name_len), e->name);

    if (origin.data == NULL || lower.data == NULL) {
        return 0;
    }

    at = tcb_zone_exact(view, origin);

    if (at == NULL
        || tcb_core_neighbours(e->core, at, lower, &found[0], &found[1]) != 0)
    {
        return 0;
    }

    *before = plain(found[0]);
    *after = plain(found[1]);
    return 1;
}


int
tcb_embed_key(tcb_embed_t *e, const char *zone, size_t len, size_t i,
    tcb_embed_key_t *out)
{
    const tcb_key_t  *key;

    if (i == 0
        && tcb_core_keys(e->core, tcr_str_n(zone, len), &e->keys) != 0)
    {
        e->keys.n = 0;
    }

    if (i >= e->keys.n) {
        return 0;
    }

    key = &e->keys.keys[i];
    out->content = plain(key->content);
    out->id = key->id;
    out->flags = key->flags;
    out->active = key->active;
    out->published = key->published;
    return 1;
}


tcb_embed_str_t
tcb_embed_metadata(tcb_embed_t *e, const char *zone, size_t zone_len,
    const char *kind, size_t kind_len)
{
    return plain(tcb_core_metadata(e->core, tcr_str_n(zone, zone_len),
                                   tcr_str_n(kind, kind_len)));
}


tcb_embed_str_t
tcb_embed_command(tcb_embed_t *e, const char *query, size_t len)
{
    tcr_buf_reset(&e->text);
    tcb_command(e->core, tcr_str_n(query, len), &e->text);

    return (tcb_embed_str_t) { e->text.data, e->text.len };
}
