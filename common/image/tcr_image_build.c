/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The builder: one buffer that grows, and a table of the strings in it, so
 * that a name used by a million assignments is stored once.  Memory that held
 * private keys is wiped before it is given back.
 */

#include "tcr_image_build.h"

#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_image_verify.h"

#define FIRST_SIZE     65536
#define FIRST_STRINGS  1024


/* off 0 = empty place; the hash spares most looks into the buffer */
typedef struct {
    uint32_t  hash;
    uint32_t  off;
} interned_t;

struct tcr_build_s {
    uint8_t     *data;
    size_t       len;
    size_t       size;
    interned_t  *strings;
    size_t       n_strings;
    size_t       n_places;        /* a power of two                          */
    const char  *failed;          /* why; NULL = good so far                 */
};


tcr_build_t *
tcr_build_create(tcr_slot_e slot, size_t root_size)
{
    tcr_build_t       *b;
    tcr_img_header_t  *h;

    b = calloc(1, sizeof(*b));

    if (b == NULL) {
        return NULL;
    }

    b->size = FIRST_SIZE + root_size;
    b->n_places = FIRST_STRINGS;
    b->data = malloc(b->size);
    b->strings = calloc(b->n_places, sizeof(*b->strings));

    if (b->data == NULL || b->strings == NULL) {
        free(b->data);
        free(b->strings);
        free(b);
        return NULL;
    }

    b->len = sizeof(*h) + root_size;
    memset(b->data, 0, b->len);

    h = (void *) b->data;
    memcpy(h->magic, TCR_IMAGE_MAGIC, sizeof(h->magic));
    h->byte_order = TCR_IMAGE_BYTE_ORDER;
    h->version = TCR_IMAGE_VERSION;
    h->slot = (uint16_t) slot;
    h->root_size = (uint32_t) root_size;

    return b;
}


static bool
is_secret(const tcr_build_t *b)
{
    const tcr_img_header_t  *h = (const void *) b->data;

    return h->slot == TCR_SLOT_CERTS || h->slot == TCR_SLOT_KEYS;
}


void
tcr_build_destroy(tcr_build_t *b)
{
    if (b == NULL) {
        return;
    }

    if (is_secret(b)) {
        explicit_bzero(b->data, b->len);
    }

    free(b->data);
    free(b->strings);
    free(b);
}


/* realloc leaves a copy behind when it moves. */
static uint8_t *
resize(tcr_build_t *b, size_t size)
{
    uint8_t  *data;

    if (!is_secret(b)) {
        return realloc(b->data, size);
    }

    data = malloc(size);

    if (data != NULL) {
        memcpy(data, b->data, b->len);
        explicit_bzero(b->data, b->len);
        free(b->data);
    }

    return data;
}


/*
 * Room for `bytes` behind the end, padded with zeros to `align`: its offset,
 * or 0 once the builder has failed.
 */
static uint32_t
grow(tcr_build_t *b, size_t bytes, size_t align)
{
    size_t    off, size;
    uint8_t  *data;

    if (b->failed != NULL) {
        return 0;
    }

    off = (b->len + align - 1) & ~(align - 1);

    if (off > UINT32_MAX || bytes > UINT32_MAX - off) {
        b->failed = "larger than 4 GiB";
        return 0;
    }

    if (bytes > b->size - off || off > b->size) {
        size = off + bytes;
        size += size / 2;
        data = resize(b, size);

        if (data == NULL) {
            b->failed = "out of memory";
            return 0;
        }

        b->data = data;
        b->size = size;
    }

    memset(b->data + b->len, 0, off - b->len);
    b->len = off + bytes;

    return (uint32_t) off;
}


tcr_img_str_t
tcr_build_str_copy(tcr_build_t *b, tcr_str_t s)
{
    uint32_t  off, len;

    if (s.data == NULL) {
        return 0;
    }

    if (s.len > UINT32_MAX - sizeof(len) - 1) {
        b->failed = "larger than 4 GiB";
        return 0;
    }

    len = (uint32_t) s.len;
    off = grow(b, sizeof(len) + s.len + 1, _Alignof(uint32_t));

    if (off != 0) {
        memcpy(b->data + off, &len, sizeof(len));
        memcpy(b->data + off + sizeof(len), s.data, s.len);
        b->data[off + sizeof(len) + s.len] = '\0';
    }

    return off;
}


/* Twice as many places; the strings move by the hashes they came with. */
static bool
widen(tcr_build_t *b)
{
    size_t       i, at, n;
    interned_t  *strings;

    n = b->n_places * 2;
    strings = calloc(n, sizeof(*strings));

    if (strings == NULL) {
        b->failed = "out of memory";
        return false;
    }

    for (i = 0; i < b->n_places; i++) {
        if (b->strings[i].off == 0) {
            continue;
        }

        at = b->strings[i].hash & (n - 1);

        while (strings[at].off != 0) {
            at = (at + 1) & (n - 1);
        }

        strings[at] = b->strings[i];
    }

    free(b->strings);
    b->strings = strings;
    b->n_places = n;
    return true;
}


static bool
same(const tcr_build_t *b, const interned_t *p, uint32_t hash, tcr_str_t s)
{
    uint32_t  len;

    if (p->hash != hash) {
        return false;
    }

    memcpy(&len, b->data + p->off, sizeof(len));

    return len == s.len
           && memcmp(b->data + p->off + sizeof(len), s.data, s.len) == 0;
}


tcr_img_str_t
tcr_build_str(tcr_build_t *b, tcr_str_t s)
{
    size_t       at;
    uint64_t     wide;
    uint32_t     off, hash;
    interned_t  *p;

    if (s.data == NULL || b->failed != NULL) {
        return 0;
    }

    if (b->n_strings > b->n_places / 2 && !widen(b)) {
        return 0;
    }

    wide = tcr_str_hash(s);
    hash = (uint32_t) (wide ^ (wide >> 32));

    for (at = hash;; at++) {
        p = &b->strings[at & (b->n_places - 1)];

        if (p->off == 0) {
            break;
        }

        if (same(b, p, hash, s)) {
            return p->off;
        }
    }

    off = tcr_build_str_copy(b, s);

    if (off != 0) {
        *p = (interned_t) { hash, off };
        b->n_strings++;
    }

    return off;
}


tcr_img_vec_t
tcr_build_array(tcr_build_t *b, const void *elements, size_t n, size_t size,
    size_t align)
{
    uint32_t       off;
    tcr_img_vec_t  vec = { 0, 0 };

    if (n == 0) {
        return vec;
    }

    if (n > UINT32_MAX / size) {
        b->failed = "larger than 4 GiB";
        return vec;
    }

    off = grow(b, n * size, align);

    if (off == 0) {
        return vec;
    }

    if (elements != NULL) {
        memcpy(b->data + off, elements, n * size);

    } else {
        memset(b->data + off, 0, n * size);
    }

    vec.off = off;
    vec.n = (uint32_t) n;
    return vec;
}


void *
tcr_build_at(tcr_build_t *b, uint32_t off)
{
    return off != 0 ? b->data + off : NULL;
}


void *
tcr_build_root(tcr_build_t *b)
{
    return b->data + sizeof(tcr_img_header_t);
}


int
tcr_build_finish(tcr_build_t *b, const tcr_build_origin_t *origin,
    void **data, size_t *size, tcr_err_t *err)
{
    tcr_img_header_t  *h = (void *) b->data;

    if (b->failed != NULL) {
        return tcr_err_set(err, "cannot build the \"%s\" image: %s",
                           tcr_slot_name(h->slot), b->failed);
    }

    h->size = b->len;
    h->created = (uint64_t) (tcr_now_ms() / 1000);

    if (origin != NULL) {
        h->snapshot_date = origin->snapshot_date;
        memcpy(h->source_sha256, origin->source_sha256,
               sizeof(h->source_sha256));
        snprintf(h->source, sizeof(h->source), "%s",
                 origin->source ? origin->source : "");
    }

    tcr_image_seal(b->data, b->len);

    *data = b->data;
    *size = b->len;
    return 0;
}
