/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A DNS client that knows one question (RFC 1035 4, RFC 3225, RFC 4034 5).
 */

#include "tcr_keys_parent.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcr_clock.h"

#define MESSAGE   4096
#define NAME_BYTES  255           /* RFC 1035 2.3.4                          */
#define TRIES     3
#define WAIT_MS   2000
#define TYPE_DS   43
#define TYPE_RRSIG  46
#define TYPE_OPT  41
#define FLAG_QR   0x8000u
#define FLAG_TC   0x0200u
#define FLAG_AD   0x0020u
#define ASK       0x0120u         /* RD and AD: tell whether you validated   */
#define DO        0x8000u


/* --- writing --- */

static uint8_t *
put16(uint8_t *p, unsigned v)
{
    *p++ = (uint8_t) (v >> 8);
    *p++ = (uint8_t) v;
    return p;
}


/* NULL when it is no name. */
static uint8_t *
put_name(uint8_t *p, tcr_str_t name)
{
    size_t     n = 0;
    tcr_str_t  label;

    while (name.data != NULL) {
        label = tcr_str_split(&name, '.');
        n += label.len + 1;

        if (label.len == 0 || label.len > 63 || n >= NAME_BYTES) {
            return NULL;
        }

        *p++ = (uint8_t) label.len;
        memcpy(p, label.data, label.len);
        p += label.len;
    }

    *p++ = 0;
    return p;
}


/* 0 when it is no name. */
static size_t
write_question(uint8_t *message, uint16_t id, tcr_str_t zone)
{
    uint8_t  *p = message;

    p = put16(p, id);
    p = put16(p, ASK);
    p = put16(p, 1);
    p = put16(p, 0);
    p = put16(p, 0);
    p = put16(p, 1);
    p = put_name(p, zone);

    if (p == NULL) {
        return 0;
    }

    p = put16(p, TYPE_DS);
    p = put16(p, 1);

    *p++ = 0;
    p = put16(p, TYPE_OPT);
    p = put16(p, MESSAGE);
    p = put16(p, 0);
    p = put16(p, DO);
    p = put16(p, 0);

    return (size_t) (p - message);
}


/* --- reading --- */

typedef struct {
    const uint8_t  *data;
    size_t          n;
    size_t          at;
    bool            bad;          /* the message ended                       */
} reader_t;


static uint32_t
take(reader_t *r, size_t bytes)
{
    uint32_t  v = 0;

    if (r->bad || bytes > r->n - r->at) {
        r->bad = true;
        return 0;
    }

    while (bytes-- != 0) {
        v = v << 8 | r->data[r->at++];
    }

    return v;
}


static void
skip(reader_t *r, size_t bytes)
{
    if (r->bad || bytes > r->n - r->at) {
        r->bad = true;
        return;
    }

    r->at += bytes;
}


/* Whose name is all the same: one question, and its answer or a CNAME's. */
static void
skip_name(reader_t *r)
{
    uint32_t  len;

    for ( ;; ) {
        len = take(r, 1);

        if (r->bad || len == 0) {
            return;
        }

        if (len >= 0xc0) {
            skip(r, 1);
            return;
        }

        skip(r, len);
    }
}


static bool
is_zone(const reader_t *r, size_t at, tcr_str_t zone)
{
    size_t     i, len;
    tcr_str_t  label;

    while (zone.data != NULL) {
        label = tcr_str_split(&zone, '.');

        if (at >= r->n || (len = r->data[at]) != label.len
            || len >= r->n - at)
        {
            return false;
        }

        for (i = 0; i < len; i++) {

            if (tcr_lower((char) r->data[at + 1 + i])
                != tcr_lower(label.data[i]))
            {
                return false;
            }
        }

        at += len + 1;
    }

    return at < r->n && r->data[at] == 0;
}


static int
take_ds(reader_t *r, size_t len, tcr_arena_t *arena, tcr_parent_t *out)
{
    char      hex[2 * 64 + 1];
    char     *text;
    size_t    i;
    uint32_t  tag, algorithm, type;

    if (len < 5 || len - 4 > 64 || out->n == TCR_PARENT_DS) {
        skip(r, len);
        return 0;
    }

    tag = take(r, 2);
    algorithm = take(r, 1);
    type = take(r, 1);

    for (i = 0; i < len - 4; i++) {
        snprintf(hex + 2 * i, 3, "%02X", take(r, 1) & 0xffu);
    }

    text = tcr_arena_printf(arena, "%u %u %u %s", tag, algorithm, type, hex);

    if (text == NULL) {
        return -1;
    }

    out->ds[out->n++] = tcr_str(text);
    return 0;
}


/* The TTL the parent gave is in the signature (RFC 4034 3.1.4). */
static int
take_record(reader_t *r, tcr_arena_t *arena, tcr_parent_t *out)
{
    size_t    len, end;
    uint32_t  type, ttl;

    skip_name(r);
    type = take(r, 2);
    skip(r, 2);
    ttl = take(r, 4);
    len = take(r, 2);

    if (r->bad || len > r->n - r->at) {
        r->bad = true;
        return 0;
    }

    end = r->at + len;

    if (type == TYPE_DS) {
        out->ttl = ttl > out->ttl ? ttl : out->ttl;

        if (take_ds(r, len, arena, out) != 0) {
            return -1;
        }

    } else if (type == TYPE_RRSIG && len >= 18 && take(r, 2) == TYPE_DS) {
        skip(r, 2);
        ttl = take(r, 4);
        out->ttl = ttl > out->ttl ? ttl : out->ttl;
    }

    r->at = end;
    return 0;
}


int
tcr_keys_parent_read(const uint8_t *message, size_t n, uint16_t id,
    tcr_str_t zone, tcr_arena_t *arena, tcr_parent_t *out, tcr_err_t *err)
{
    uint32_t  flags, questions, answers, rcode;
    reader_t  r = { message, n, 0, false };

    memset(out, 0, sizeof(*out));

    if (take(&r, 2) != id) {
        return tcr_err_set(err, "the answer is to another question");
    }

    flags = take(&r, 2);
    questions = take(&r, 2);
    answers = take(&r, 2);
    skip(&r, 4);
    rcode = flags & 15;

    if (r.bad || (flags & FLAG_QR) == 0 || questions != 1
        || !is_zone(&r, r.at, zone))
    {
        return tcr_err_set(err, "the answer is to another question");
    }

    if ((flags & FLAG_TC) != 0 || (rcode != 0 && rcode != 3)) {
        return tcr_err_set(err, "the resolver says %s %u",
                           flags & FLAG_TC ? "truncated, rcode" : "rcode",
                           rcode);
    }

    skip_name(&r);
    skip(&r, 4);

    while (answers-- != 0 && !r.bad) {

        if (take_record(&r, arena, out) != 0) {
            return tcr_err_set(err, "out of memory");
        }
    }

    out->secure = (flags & FLAG_AD) != 0;
    return r.bad ? tcr_err_set(err, "the answer is malformed") : 0;
}


/* --- asking --- */

static int
open_socket(const char *resolver, tcr_arena_t *arena, tcr_err_t *err)
{
    int               fd, rc;
    char             *host, *port = NULL, *colon;
    struct addrinfo  *list;
    struct addrinfo   hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM,
        .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    };

    host = tcr_arena_printf(arena, "%s", resolver);

    if (host == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    colon = strrchr(host, ':');

    /* a bare IPv6 address has more than one */
    if (host[0] == '[') {
        host++;
        port = strstr(host, "]:");

        if (port != NULL) {
            *port = '\0';
            port += 2;
        }

    } else if (colon != NULL && strchr(host, ':') == colon) {
        *colon = '\0';
        port = colon + 1;
    }

    rc = getaddrinfo(host, port != NULL ? port : "53", &hints, &list);

    if (rc != 0) {
        return tcr_err_set(err, "resolver \"%s\": %s; expected ADDR or "
                           "ADDR:PORT", resolver, gai_strerror(rc));
    }

    fd = socket(list->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    /* connected: only its answers are received */
    if (fd == -1 || connect(fd, list->ai_addr, list->ai_addrlen) != 0) {
        tcr_err_set(err, "cannot reach resolver \"%s\": %s", resolver,
                    strerror(errno));

        if (fd != -1) {
            close(fd);
        }

        fd = -1;
    }

    freeaddrinfo(list);
    return fd;
}


/* Waits for one message that fits; -1 when there is none in time. */
static int
wait_answer(int fd, uint16_t id, tcr_str_t zone, tcr_arena_t *arena,
    tcr_parent_t *out, tcr_err_t *err)
{
    int64_t        left, end = tcr_ticks_ms() + WAIT_MS;
    ssize_t        n;
    uint8_t        message[MESSAGE];
    struct pollfd  p = { .fd = fd, .events = POLLIN };

    for ( ;; ) {
        left = end - tcr_ticks_ms();

        if (left <= 0 || poll(&p, 1, (int) left) <= 0) {
            return tcr_err_set(err, "no answer in %d s", WAIT_MS / 1000);
        }

        n = recv(fd, message, sizeof(message), 0);

        if (n < 0) {
            return tcr_err_set(err, "no answer: %s", strerror(errno));
        }

        if (n >= 2 && (message[0] << 8 | message[1]) == id) {
            return tcr_keys_parent_read(message, (size_t) n, id, zone, arena,
                                        out, err);
        }
    }
}


int
tcr_keys_parent(tcr_str_t zone, const char *resolver, tcr_arena_t *arena,
    tcr_parent_t *out, tcr_err_t *err)
{
    int       i, fd, rc = -1;
    size_t    n;
    uint8_t   question[NAME_BYTES + 64];
    uint16_t  id;

    fd = open_socket(resolver, arena, err);

    if (fd == -1) {
        return -1;
    }

    for (i = 0; i < TRIES && rc != 0; i++) {

        if (getrandom(&id, sizeof(id), 0) != (ssize_t) sizeof(id)) {
            tcr_err_set(err, "no random number: %s", strerror(errno));
            break;
        }

        n = write_question(question, id, zone);

        if (n == 0) {
            tcr_err_set(err, "\"%.*s\" is no name", TCR_STR_ARG(zone));
            break;
        }

        if (send(fd, question, n, 0) != (ssize_t) n) {
            tcr_err_set(err, "cannot ask resolver \"%s\": %s", resolver,
                        strerror(errno));
            continue;
        }

        rc = wait_answer(fd, id, zone, arena, out, err);
    }

    close(fd);
    return rc;
}
