/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Breaks a complete image in every field that the table of the format
 * describes, in every header field and at every length, and expects each to
 * be refused with its own sentence.  The checksum is made right again, so
 * that it is the structure that is refused.
 */

#include "fixture.h"

#include <math.h>

#include "tap.h"
#include "tcr_image_schema.h"
#include "tcr_image_verify.h"


static uint8_t            *good;
static uint8_t            *copy;
static size_t              size;
static tcr_slot_e          slot;
static const tcr_schema_t  *root_schema;


static uint32_t
load32(size_t at)
{
    uint32_t  v;

    memcpy(&v, good + at, sizeof(v));
    return v;
}


/* The copy with some bytes changed must be refused, naming field and why. */
static void
expect(size_t at, const void *bytes, size_t n, const char *field,
    const char *why)
{
    int        rc;
    tcr_err_t  err;

    memcpy(copy, good, size);
    memcpy(copy + at, bytes, n);
    tcr_image_seal(copy, size);
    err.text[0] = '\0';

    rc = tcr_image_verify(copy, size, slot, &err);
    ok(rc == -1 && strstr(err.text, why) != NULL
       && (field == NULL || strstr(err.text, field) != NULL),
       "%zu: %s: %s", at, field ? field : "-", rc ? err.text : "accepted");
}


static void
expect32(size_t at, uint32_t v, const char *field, const char *why)
{
    expect(at, &v, sizeof(v), field, why);
}


static uint32_t
target_n(const tcr_field_t *f)
{
    return load32(sizeof(tcr_img_header_t) + f->target
                  + offsetof(tcr_img_vec_t, n));
}


static void
break_str(size_t at, const tcr_field_t *f)
{
    uint32_t  ref = load32(at), len = load32(ref);

    ok(ref != 0, "%s: the fixture has a string", f->name ? f->name : "value");

    expect32(at, ref + 2, f->name, "not aligned");
    expect32(at, 4, f->name, "outside of the file");
    expect32(at, (uint32_t) size & ~3u, f->name, "outside of the file");
    expect32(at, 0xfffffffc, f->name, "outside of the file");
    expect32(ref, (uint32_t) size, NULL, "leaves the file");
    expect32(ref, UINT32_MAX, NULL, "leaves the file");
    expect(ref + 4 + len, "x", 1, NULL, "does not end in NUL");

    if (f->needed) {
        expect32(at, 0, f->name, "string is absent");
    }
}


static void
break_vec(size_t at, const char *name, uint32_t element)
{
    uint32_t  off = load32(at), n = load32(at + 4);

    ok(n != 0, "%s: the fixture has elements", name);

    expect32(at, off + 1, name, "is not a multiple");
    expect32(at, (uint32_t) (size + 7) & ~7u, name, "leave the file");
    expect32(at, 0xfffffff8, name, "leave the file");
    expect32(at, 0, name, "leave the file");
    expect32(at + 4, (uint32_t) ((size - off) / element) + 1, name,
             "leave the file");
    expect32(at + 4, UINT32_MAX, name, "leave the file");

    /* an index into it may be met first */
    expect32(at + 4, 0, NULL, "is damaged");
}


static void
break_map(size_t at, const tcr_field_t *f)
{
    uint32_t          i, off = load32(at), n = load32(at + 4);
    tcr_img_slot32_t  full[64];

    break_vec(at, f->name, sizeof(tcr_img_slot32_t));
    expect32(at + 4, 3, f->name, "expected a power of two");
    ok(n <= N(full), "%s: a small map", f->name);

    for (i = 0; i < n; i++) {
        full[i] = (tcr_img_slot32_t) { 0, 0 };
    }

    expect(off, full, n * sizeof(full[0]), f->name, "without an empty place");
    expect32(off + 4, target_n(f), f->name, "map leads to");
}


static void
break_number(size_t at, const tcr_field_t *f)
{
    double    bad[] = { NAN, INFINITY, -INFINITY };
    uint32_t  n;

    switch (f->kind) {

    case TCR_FIELD_U32:
        if (f->min != 0) {
            expect32(at, f->min - 1, f->name, "expected");
        }

        /* the number of a range is refused as part of the range */
        if (f->max != 0 && f->offset >= 4 && f[-1].kind == TCR_FIELD_FIRST) {
            expect32(at, f->max + 1, f[-1].name, "elements from");

        } else if (f->max != 0) {
            expect32(at, f->max + 1, f->name, "expected");
        }

        break;

    case TCR_FIELD_F64:
        expect(at, &bad[0], sizeof(double), f->name, "not a finite number");
        expect(at, &bad[1], sizeof(double), f->name, "not a finite number");
        expect(at, &bad[2], sizeof(double), f->name, "not a finite number");
        break;

    case TCR_FIELD_INDEX:
        expect32(at, target_n(f), f->name, "index");
        expect32(at, UINT32_MAX - 1, f->name, "index");

        if (!f->none) {
            expect32(at, TCR_NONE, f->name, "index");
        }

        break;

    case TCR_FIELD_FIRST:
        n = target_n(f);
        expect32(at, n + 1, f->name, "elements from");
        expect32(at, UINT32_MAX, f->name, "elements from");
        expect32(at + 4, n - load32(at) + 1, f->name, "elements from");
        expect32(at + 4, UINT32_MAX, NULL, "");
        break;

    default:
        break;
    }
}


static void
break_fields(const tcr_schema_t *schema, size_t at)
{
    uint32_t            i, k, n;
    const tcr_field_t  *f;

    for (i = 0; i < schema->n; i++) {
        f = &schema->fields[i];

        switch (f->kind) {

        case TCR_FIELD_STR:
        case TCR_FIELD_BLOB:
        case TCR_FIELD_SECRET:
            break_str(at + f->offset, f);
            break;

        case TCR_FIELD_MAP:
            break_map(at + f->offset, f);
            break;

        case TCR_FIELD_STRUCT:
            break_fields(f->type, at + f->offset);
            break;

        case TCR_FIELD_VEC:
            /* empty by the rules: members of a group */
            n = load32(at + f->offset + 4);

            if (n != 0) {
                break_vec(at + f->offset, f->name, f->type->size);
            }

            for (k = 0; k < n; k++) {
                break_fields(f->type, load32(at + f->offset)
                                      + k * f->type->size);
            }

            break;

        default:
            break_number(at + f->offset, f);
            break;
        }
    }
}


static size_t
field_size(const tcr_field_t *f)
{
    switch (f->kind) {

    case TCR_FIELD_U64:
    case TCR_FIELD_I64:
    case TCR_FIELD_F64:
    case TCR_FIELD_VEC:
    case TCR_FIELD_MAP:
        return 8;

    case TCR_FIELD_STRUCT:
        return f->type->size;

    case TCR_FIELD_BYTES:
    case TCR_FIELD_RESERVED:
        return f->size;

    default:
        return 4;
    }
}


/* Fields follow each other without a hole: no byte is left undescribed. */
static void
covers(const tcr_schema_t *schema)
{
    size_t    at = 0;
    uint32_t  i;

    for (i = 0; i < schema->n; i++) {
        if (schema->fields[i].offset != at) {
            break;
        }

        at += field_size(&schema->fields[i]);
    }

    ok(i == schema->n && at == schema->size, "the table covers \"%s\"",
       schema->name);

    for (i = 0; i < schema->n; i++) {
        if (schema->fields[i].type != NULL) {
            covers(schema->fields[i].type);
        }
    }
}


static void
truncations(void)
{
    size_t     len, refused = 0, tried = 0;
    uint8_t   *exact;
    tcr_err_t  err;

    for (len = 0; len < size; len += len < 800 ? 1 : 61) {
        exact = malloc(len ? len : 1);
        memcpy(exact, good, len);
        refused += tcr_image_verify(exact, len, slot, &err) == -1
                   && strstr(err.text, "is cut") != NULL;
        tried++;
        free(exact);
    }

    is_int(refused, tried, "every cut is refused as one");
}


/* A file that is cut, and a header that says so too. */
static void
truncations_owned_up(void)
{
    size_t             len, refused = 0, tried = 0;
    uint8_t           *exact;
    tcr_err_t          err;
    tcr_img_header_t  *h;

    for (len = sizeof(*h); len < size; len += len < 800 ? 1 : 61) {
        exact = malloc(len);
        memcpy(exact, good, len);
        h = (void *) exact;
        h->size = len;
        tcr_image_seal(exact, len);
        refused += tcr_image_verify(exact, len, slot, &err) == -1
                   && strstr(err.text, "checksum") == NULL;
        tried++;
        free(exact);
    }

    is_int(refused, tried, "a smaller size in the header does not help");
}


#define HEADER(field, value, why)                                             \
    do {                                                                      \
        tcr_img_header_t  h_;                                                 \
                                                                              \
        memcpy(&h_, good, sizeof(h_));                                        \
        h_.field = value;                                                     \
        memcpy(copy, good, size);                                             \
        memcpy(copy, &h_, sizeof(h_));                                        \
        header_refused(#field, why);                                          \
    } while (0)


static void
header_refused(const char *field, const char *why)
{
    int        rc;
    tcr_err_t  err;

    rc = tcr_image_verify(copy, size, slot, &err);
    ok(rc == -1 && strstr(err.text, why) != NULL, "header %s: %s", field,
       rc ? err.text : "accepted");
}


static void
headers(void)
{
    HEADER(magic[0], 'X', "is not an image");
    HEADER(magic[7], 'X', "is not an image");
    HEADER(byte_order, 0x04030201, "has byte order 04030201");
    HEADER(version, 3, "has format 3, this program reads 2; run the fetcher "
           "of the same release");
    HEADER(slot, TCR_SLOT_ADMIN, "holds \"admin\"");
    HEADER(slot, 999, "holds \"unknown data\"");
    HEADER(size, size - 1, "its header says");
    HEADER(size, UINT64_MAX, "its header says");
    HEADER(root_size, root_schema->size + 4, "expected");
    HEADER(incompat, 0x10, "needs features 00000010");

    if (slot != TCR_SLOT_HEALTH) {
        HEADER(crc, 1, "checksum");
    }

    memcpy(copy, good, size);
    memset(((tcr_img_header_t *) copy)->source, 'x',
           sizeof(((tcr_img_header_t *) copy)->source));
    header_refused("source", "does not end in NUL");

    memcpy(copy, good, size);
    ((tcr_img_header_t *) copy)->compat = UINT32_MAX;
    ok(tcr_image_verify(copy, size, slot, NULL) == 0,
       "compatible features are ignored");
}


static void
whole(tcr_slot_e which, tcr_build_t *b, void *data)
{
    tcr_err_t  err;

    slot = which;
    root_schema = tcr_schema_root(slot);
    good = data;
    copy = malloc(size);

    ok(tcr_image_verify(good, size, slot, &err) == 0,
       "the fixture for \"%s\" is accepted", tcr_slot_name(slot));

    covers(root_schema);
    headers();
    truncations();
    truncations_owned_up();
    break_fields(root_schema, sizeof(tcr_img_header_t));

    free(copy);
    tcr_build_destroy(b);
}


/* What an operator may paste into a ticket. */
static void
secrets(const void *data, const char *secret, const char *hidden,
    const char *shown)
{
    tcr_buf_t    buf;
    tcr_image_t  img = { data, size, data, false };

    tcr_buf_init(&buf, 1u << 20);
    tcr_image_dump(&img, &buf);
    tcr_buf_char(&buf, '\0');

    ok(strstr(buf.data, hidden) != NULL && strstr(buf.data, secret) == NULL,
       "a dump has no private key");
    ok(strstr(buf.data, shown) != NULL, "... but the public part");

    tcr_buf_free(&buf);
}


int
main(void)
{
    void         *data;
    tcr_err_t     err;
    tcr_build_t  *b;

    b = fixture_routing(1, &data, &size);
    whole(TCR_SLOT_ROUTING, b, data);

    b = fixture_health(1, &data, &size);
    whole(TCR_SLOT_HEALTH, b, data);

    b = fixture_overlay(&data, &size);
    whole(TCR_SLOT_OVERLAY, b, data);

    b = fixture_keys(&data, &size);
    secrets(data, "first", "\"private_key\":\"(secret)\"",
            "\"public_key\":\"AAAA\"");
    whole(TCR_SLOT_KEYS, b, data);

    b = fixture_certs(&data, &size);
    secrets(data, "private", "\"key\":\"(secret)\"", "\"der\":\"6c656166\"");
    whole(TCR_SLOT_CERTS, b, data);

    ok(tcr_image_verify("", 0, TCR_SLOT_COUNT, &err) == -1,
       "no such slot: %s", err.text);

    return done();
}
