/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The structural walk: every field of every structure, by the table in
 * tcr_image_schema.c.
 *
 * A vector is walked column by column, one field of all its elements at a
 * time, so that the kind of the field is looked at once and not once an
 * element: an image of 2 M assignments passes in some 10 ms.
 */

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "tcr_image_schema.h"
#include "tcr_image_verify.h"

/*
 * Vectors may share elements, so a small file could describe endless work;
 * honest images stay far below this many bytes walked per byte of file.
 */
#define WORK_PER_BYTE  64


/* Structures being walked: where they stand, and how to name them. */
typedef struct frame_s  frame_t;

struct frame_s {
    const frame_t  *up;
    const char     *name;         /* NULL at the root                        */
    bool            vec;          /* element i of a vector, else in place    */
    size_t          at;           /* vec: element of `up` that has it        */
    const uint8_t  *base;
    size_t          n;
    size_t          stride;
};

typedef struct {
    const tcr_image_t  *img;
    const uint8_t      *root;
    uint64_t            work;     /* bytes that may still be walked          */
    tcr_err_t          *err;
} walk_t;


static int walk_fields(walk_t *w, const tcr_schema_t *schema,
    const frame_t *frame);


/* "services[3].groups[0]" into out, cut where it does not fit. */
static size_t
frame_path(const frame_t *frame, size_t i, char *out, size_t size)
{
    int     n;
    size_t  len = 0;

    if (frame->up == NULL) {
        out[0] = '\0';
        return 0;
    }

    len = frame_path(frame->up, frame->vec ? frame->at : i, out, size);

    if (frame->vec) {
        n = snprintf(out + len, size - len, "%s%s[%zu]", len ? "." : "",
                     frame->name, i);
    } else {
        n = snprintf(out + len, size - len, "%s%s", len ? "." : "",
                     frame->name);
    }

    if (n < 0 || (size_t) n >= size - len) {
        return size - 1;
    }

    return len + (size_t) n;
}


static int
__attribute__((format(printf, 5, 6)))
damaged(walk_t *w, const frame_t *frame, const tcr_field_t *f, size_t i,
    const char *fmt, ...)
{
    char     path[256];
    char     what[256];
    size_t   len;
    va_list  ap;

    len = frame_path(frame, i, path, sizeof(path));

    va_start(ap, fmt);
    vsnprintf(what, sizeof(what), fmt, ap);
    va_end(ap);

    return tcr_err_set(w->err, "is damaged: %s%s%s: %s", path,
                       len && f->name ? "." : "", f->name ? f->name : "",
                       what);
}


static uint32_t
load32(const uint8_t *p)
{
    uint32_t  v;

    memcpy(&v, p, sizeof(v));
    return v;
}


/* First place of the field; the next one is frame->stride further. */
static const uint8_t *
column(const frame_t *frame, const tcr_field_t *f)
{
    return frame->base + f->offset;
}


static uint32_t
target_n(const walk_t *w, const tcr_field_t *f)
{
    tcr_img_vec_t  vec;

    memcpy(&vec, w->root + f->target, sizeof(vec));
    return vec.n;
}


static int
walk_u32(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    size_t          i;
    uint32_t        v;
    const uint8_t  *p = column(frame, f);

    if (f->min == 0 && f->max == 0) {
        return 0;
    }

    for (i = 0; i < frame->n; i++, p += frame->stride) {
        v = load32(p);

        if (v < f->min || (f->max != 0 && v > f->max)) {
            return damaged(w, frame, f, i, "value %" PRIu32 ", expected "
                           "%" PRIu32 "..%" PRIu32, v, f->min,
                           f->max ? f->max : UINT32_MAX);
        }
    }

    return 0;
}


static int
walk_f64(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    size_t          i;
    double          v;
    const uint8_t  *p = column(frame, f);

    for (i = 0; i < frame->n; i++, p += frame->stride) {
        memcpy(&v, p, sizeof(v));

        if (!isfinite(v)) {
            return damaged(w, frame, f, i, "not a finite number");
        }
    }

    return 0;
}


static int
walk_index(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    size_t          i;
    uint32_t        v, n;
    const uint8_t  *p = column(frame, f);

    n = target_n(w, f);

    for (i = 0; i < frame->n; i++, p += frame->stride) {
        v = load32(p);

        if (v >= n && !(f->none && v == TCR_NONE)) {
            return damaged(w, frame, f, i, "index %" PRIu32 " into %" PRIu32
                           " elements", v, n);
        }
    }

    return 0;
}


static int
walk_first(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    size_t          i;
    uint32_t        first, n, total;
    const uint8_t  *p = column(frame, f);

    total = target_n(w, f);

    for (i = 0; i < frame->n; i++, p += frame->stride) {
        first = load32(p);
        n = load32(p + sizeof(uint32_t));

        if (first > total || n > total - first) {
            return damaged(w, frame, f, i, "%" PRIu32 " elements from "
                           "%" PRIu32 " on, of %" PRIu32, n, first, total);
        }
    }

    return 0;
}


/* NULL when the string is well inside the image, else what is wrong. */
static const char *
bad_string(const tcr_image_t *img, uint32_t ref)
{
    size_t    room;
    uint32_t  len;

    if (ref % sizeof(uint32_t) != 0) {
        return "not aligned";
    }

    if (ref < sizeof(tcr_img_header_t)
        || ref > img->size - sizeof(uint32_t) - 1)
    {
        return "outside of the file";
    }

    len = load32(img->base + ref);
    room = img->size - ref - sizeof(uint32_t) - 1;

    if (len > room) {
        return "leaves the file";
    }

    if (img->base[ref + sizeof(uint32_t) + len] != 0) {
        return "does not end in NUL";
    }

    return NULL;
}


static int
walk_str(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    size_t          i;
    uint32_t        ref, good;
    const char     *bad;
    const uint8_t  *p = column(frame, f);

    for (i = 0, good = 0; i < frame->n; i++, p += frame->stride) {
        ref = load32(p);

        if (ref == 0) {
            if (f->needed) {
                return damaged(w, frame, f, i, "string is absent");
            }

            continue;
        }

        /* neighbours often share a string */
        if (ref == good) {
            continue;
        }

        bad = bad_string(w->img, ref);

        if (bad != NULL) {
            return damaged(w, frame, f, i, "string at %" PRIu32 " %s", ref,
                           bad);
        }

        good = ref;
    }

    return 0;
}


/* Bounds of one vector of elements that are size bytes long. */
static int
check_vec(walk_t *w, const tcr_field_t *f, const frame_t *frame, size_t i,
    const tcr_img_vec_t *vec, uint32_t size, uint32_t align)
{
    uint64_t  bytes;

    if (vec->n == 0) {
        return vec->off == 0 ? 0 : damaged(w, frame, f, i,
                                           "no elements at %" PRIu32
                                           ", expected at 0", vec->off);
    }

    if (vec->off % align != 0) {
        return damaged(w, frame, f, i, "offset %" PRIu32 " is not a multiple "
                       "of %" PRIu32, vec->off, align);
    }

    if (vec->off < sizeof(tcr_img_header_t) || vec->off > w->img->size
        || vec->n > (w->img->size - vec->off) / size)
    {
        return damaged(w, frame, f, i, "%" PRIu32 " elements of %" PRIu32
                       " bytes at %" PRIu32 " leave the file of %zu bytes",
                       vec->n, size, vec->off, w->img->size);
    }

    bytes = (uint64_t) vec->n * size;

    if (bytes > w->work) {
        return damaged(w, frame, f, i, "vectors hold more than %d times the "
                       "file", WORK_PER_BYTE);
    }

    w->work -= bytes;
    return 0;
}


static int
walk_vec(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    size_t          i;
    frame_t         sub;
    tcr_img_vec_t   vec;
    const uint8_t  *p = column(frame, f);

    sub = (frame_t) { frame, f->name, true, 0, NULL, 0, f->type->size };

    for (i = 0; i < frame->n; i++, p += frame->stride) {
        memcpy(&vec, p, sizeof(vec));

        if (check_vec(w, f, frame, i, &vec, f->type->size, f->type->align)
            != 0)
        {
            return -1;
        }

        if (f->max != 0 && vec.n > f->max) {
            return damaged(w, frame, f, i, "%" PRIu32 " elements, at most "
                           "%" PRIu32 " are allowed", vec.n, f->max);
        }

        if (vec.n == 0) {
            continue;
        }

        sub.at = i;
        sub.base = w->img->base + vec.off;
        sub.n = vec.n;

        if (walk_fields(w, f->type, &sub) != 0) {
            return -1;
        }
    }

    return 0;
}


/* A look-up ends at an empty place, so one must exist. */
static int
check_places(walk_t *w, const tcr_field_t *f, const frame_t *frame, size_t i,
    const tcr_img_vec_t *vec)
{
    bool                     empty;
    uint32_t                 k, n;
    const tcr_img_slot32_t  *places;

    if ((vec->n & (vec->n - 1)) != 0) {
        return damaged(w, frame, f, i, "map of %" PRIu32 " places, expected "
                       "a power of two", vec->n);
    }

    places = (const void *) (w->img->base + vec->off);
    n = target_n(w, f);

    for (k = 0, empty = false; k < vec->n; k++) {
        if (places[k].value == TCR_NONE) {
            empty = true;

        } else if (places[k].value >= n) {
            return damaged(w, frame, f, i, "map leads to %" PRIu32 " of "
                           "%" PRIu32 " elements", places[k].value, n);
        }
    }

    return empty ? 0 : damaged(w, frame, f, i, "map without an empty place");
}


static int
walk_map(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    size_t          i;
    tcr_img_map_t   map;
    const uint8_t  *p = column(frame, f);

    for (i = 0; i < frame->n; i++, p += frame->stride) {
        memcpy(&map, p, sizeof(map));

        if (check_vec(w, f, frame, i, &map.places, sizeof(tcr_img_slot32_t),
                      _Alignof(tcr_img_slot32_t))
            != 0)
        {
            return -1;
        }

        if (map.places.n != 0
            && check_places(w, f, frame, i, &map.places) != 0)
        {
            return -1;
        }
    }

    return 0;
}


static int
walk_struct(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    frame_t  sub;

    sub = (frame_t) { frame, f->name, false, 0, column(frame, f), frame->n,
                      frame->stride };

    return walk_fields(w, f->type, &sub);
}


static int
walk_field(walk_t *w, const tcr_field_t *f, const frame_t *frame)
{
    switch (f->kind) {

    case TCR_FIELD_U32:
        return walk_u32(w, f, frame);

    case TCR_FIELD_F64:
        return walk_f64(w, f, frame);

    case TCR_FIELD_STR:
    case TCR_FIELD_BLOB:
    case TCR_FIELD_SECRET:
        return walk_str(w, f, frame);

    case TCR_FIELD_INDEX:
        return walk_index(w, f, frame);

    case TCR_FIELD_FIRST:
        return walk_first(w, f, frame);

    case TCR_FIELD_VEC:
        return walk_vec(w, f, frame);

    case TCR_FIELD_MAP:
        return walk_map(w, f, frame);

    case TCR_FIELD_STRUCT:
        return walk_struct(w, f, frame);

    case TCR_FIELD_U64:
    case TCR_FIELD_I64:
    case TCR_FIELD_BYTES:
    case TCR_FIELD_RESERVED:
        break;
    }

    return 0;
}


static int
walk_fields(walk_t *w, const tcr_schema_t *schema, const frame_t *frame)
{
    uint32_t  i;

    for (i = 0; i < schema->n; i++) {
        if (walk_field(w, &schema->fields[i], frame) != 0) {
            return -1;
        }
    }

    return 0;
}


int
tcr_image_walk(const tcr_image_t *img, tcr_slot_e slot, tcr_err_t *err)
{
    walk_t               w;
    frame_t              frame;
    const tcr_schema_t  *schema;

    schema = tcr_schema_root(slot);

    w.img = img;
    w.root = tcr_image_root(img);
    w.work = (uint64_t) img->size * WORK_PER_BYTE;
    w.err = err;

    frame = (frame_t) { NULL, NULL, false, 0, w.root, 1, schema->size };

    return walk_fields(&w, schema, &frame);
}
