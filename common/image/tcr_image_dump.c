/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A verified image as one JSON object, by the table of the format.  Elements
 * of the root's vectors stand on lines of their own, for grep and diff.
 * Absent strings and TCR_NONE are null, maps are summed up, reserved room is
 * left out, and secrets are only said to be there.
 */

#include <inttypes.h>

#include "tcr_image.h"
#include "tcr_image_schema.h"


typedef struct {
    const tcr_image_t  *img;
    tcr_buf_t          *buf;
} dump_t;


static void dump_members(const dump_t *d, const tcr_schema_t *schema,
    const uint8_t *p, bool lines);
static void dump_element(const dump_t *d, const tcr_schema_t *schema,
    const uint8_t *p);


static uint32_t
load32(const uint8_t *p)
{
    uint32_t  v;

    memcpy(&v, p, sizeof(v));
    return v;
}


static void
dump_str(const dump_t *d, tcr_img_str_t ref)
{
    if (ref == 0) {
        tcr_buf_str(d->buf, TCR_STR("null"));
        return;
    }

    tcr_buf_json_str(d->buf, tcr_image_str(d->img, ref));
}


/* Lower case hexadecimal digits. */
static void
dump_bytes(const dump_t *d, const void *bytes, size_t n)
{
    size_t          i;
    const uint8_t  *p = bytes;

    tcr_buf_char(d->buf, '"');

    for (i = 0; i < n; i++) {
        tcr_buf_printf(d->buf, "%02x", p[i]);
    }

    tcr_buf_char(d->buf, '"');
}


static void
dump_blob(const dump_t *d, tcr_img_str_t ref)
{
    tcr_str_t  s = tcr_image_str(d->img, ref);

    dump_bytes(d, s.data, s.len);
}


static void
dump_index(const dump_t *d, const tcr_field_t *f, uint32_t index)
{
    if (f->none && index == TCR_NONE) {
        tcr_buf_str(d->buf, TCR_STR("null"));
        return;
    }

    tcr_buf_printf(d->buf, "%" PRIu32, index);
}


static void
dump_map(const dump_t *d, const uint8_t *p)
{
    uint32_t                 i, used;
    tcr_img_map_t            map;
    const tcr_img_slot32_t  *places;

    memcpy(&map, p, sizeof(map));
    places = tcr_image_vec(d->img, &map.places);

    for (i = 0, used = 0; i < map.places.n; i++) {
        used += places[i].value != TCR_NONE;
    }

    tcr_buf_printf(d->buf, "{\"places\":%" PRIu32 ",\"used\":%" PRIu32 "}",
                   map.places.n, used);
}


static void
dump_vec(const dump_t *d, const tcr_field_t *f, const uint8_t *p, bool lines)
{
    uint32_t        i;
    tcr_img_vec_t   vec;
    const uint8_t  *element;

    memcpy(&vec, p, sizeof(vec));
    element = tcr_image_vec(d->img, &vec);

    tcr_buf_char(d->buf, '[');

    for (i = 0; i < vec.n && !d->buf->failed; i++) {
        tcr_buf_printf(d->buf, "%s%s", i ? "," : "", lines ? "\n " : "");
        dump_element(d, f->type, element);
        element += f->type->size;
    }

    tcr_buf_char(d->buf, ']');
}


static void
dump_number(const dump_t *d, const tcr_field_t *f, const uint8_t *p)
{
    double    real;
    int64_t   i64;
    uint64_t  u64;

    switch (f->kind) {

    case TCR_FIELD_F64:
        memcpy(&real, p, sizeof(real));
        tcr_buf_printf(d->buf, "%.17g", real);
        break;

    case TCR_FIELD_I64:
        memcpy(&i64, p, sizeof(i64));
        tcr_buf_printf(d->buf, "%" PRId64, i64);
        break;

    case TCR_FIELD_U64:
        memcpy(&u64, p, sizeof(u64));
        tcr_buf_printf(d->buf, "%" PRIu64, u64);
        break;

    default:
        tcr_buf_printf(d->buf, "%" PRIu32, load32(p));
        break;
    }
}


static void
dump_field(const dump_t *d, const tcr_field_t *f, const uint8_t *p, bool lines)
{
    switch (f->kind) {

    case TCR_FIELD_STR:
        dump_str(d, load32(p));
        break;

    case TCR_FIELD_BLOB:
        dump_blob(d, load32(p));
        break;

    case TCR_FIELD_BYTES:
        dump_bytes(d, p, f->size);
        break;

    case TCR_FIELD_SECRET:
        tcr_buf_str(d->buf, load32(p) != 0 ? TCR_STR("\"(secret)\"")
                                           : TCR_STR("null"));
        break;

    case TCR_FIELD_INDEX:
        dump_index(d, f, load32(p));
        break;

    case TCR_FIELD_VEC:
        dump_vec(d, f, p, lines);
        break;

    case TCR_FIELD_MAP:
        dump_map(d, p);
        break;

    case TCR_FIELD_STRUCT:
        tcr_buf_char(d->buf, '{');
        dump_members(d, f->type, p, lines);
        tcr_buf_char(d->buf, '}');
        break;

    default:
        dump_number(d, f, p);
        break;
    }
}


static void
dump_members(const dump_t *d, const tcr_schema_t *schema, const uint8_t *p,
    bool lines)
{
    bool                first = true;
    uint32_t            i;
    const tcr_field_t  *f;

    for (i = 0; i < schema->n; i++) {
        f = &schema->fields[i];

        if (f->kind == TCR_FIELD_RESERVED) {
            continue;
        }

        tcr_buf_printf(d->buf, "%s%s\"%s\":", first ? "" : ",",
                       lines ? "\n" : "", f->name);
        dump_field(d, f, p + f->offset, lines);
        first = false;
    }
}


/* An element that is one value has no name for it. */
static void
dump_element(const dump_t *d, const tcr_schema_t *schema, const uint8_t *p)
{
    if (schema->fields[0].name == NULL) {
        dump_field(d, &schema->fields[0], p, false);
        return;
    }

    tcr_buf_char(d->buf, '{');
    dump_members(d, schema, p, false);
    tcr_buf_char(d->buf, '}');
}


static void
dump_header(const dump_t *d, const tcr_img_header_t *h)
{
    size_t  i;

    tcr_buf_printf(d->buf, "\"image\":\"%s\",\"number\":%" PRIu64
                   ",\"size\":%" PRIu64 ",\"created\":%" PRIu64
                   ",\"snapshot_date\":%" PRIu64 ",\"crc\":\"%08" PRIx32
                   "\",\"source\":", tcr_slot_name(h->slot), h->number,
                   h->size, h->created, h->snapshot_date, h->crc);
    tcr_buf_json_str(d->buf, tcr_str(h->source));
    tcr_buf_str(d->buf, TCR_STR(",\"source_sha256\":\""));

    for (i = 0; i < sizeof(h->source_sha256); i++) {
        tcr_buf_printf(d->buf, "%02x", h->source_sha256[i]);
    }

    tcr_buf_str(d->buf, TCR_STR("\","));
}


void
tcr_image_dump(const tcr_image_t *img, tcr_buf_t *buf)
{
    dump_t               d = { img, buf };
    const tcr_schema_t  *schema;

    if (img->header == NULL) {
        tcr_buf_printf(buf, "{\"size\":%zu}\n", img->size);
        return;
    }

    schema = tcr_schema_root(img->header->slot);

    tcr_buf_char(buf, '{');
    dump_header(&d, img->header);
    dump_members(&d, schema, tcr_image_root(img), true);
    tcr_buf_str(buf, TCR_STR("\n}\n"));
}
