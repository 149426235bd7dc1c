/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The table of everything that stands in images: which fields a structure
 * has, where, of what kind, and what they refer to.  Verification and dump
 * walk this table, so a field that is described is checked and shown, and
 * one that is not described fails the unit test (the fields of a structure
 * must cover it byte for byte).
 */

#ifndef TCR_IMAGE_SCHEMA_H_INCLUDED
#define TCR_IMAGE_SCHEMA_H_INCLUDED

#include <stdbool.h>

#include "tcr_image_format.h"


typedef enum {
    TCR_FIELD_U32,                /* in min .. max                           */
    TCR_FIELD_U64,
    TCR_FIELD_I64,
    TCR_FIELD_F64,                /* finite                                  */
    TCR_FIELD_STR,                /* absent only where not needed            */
    TCR_FIELD_BLOB,               /* a string of bytes that are no text      */
    TCR_FIELD_SECRET,             /* the same, and never shown               */
    TCR_FIELD_INDEX,              /* u32 below target's n                    */
    TCR_FIELD_FIRST,              /* u32; with the u32 right behind it, the
                                     number, a range inside target           */
    TCR_FIELD_VEC,                /* of type, max elements at most           */
    TCR_FIELD_MAP,                /* with values below target's n            */
    TCR_FIELD_STRUCT,             /* one of type, in place                   */
    TCR_FIELD_BYTES,              /* size bytes of any value                 */
    TCR_FIELD_RESERVED            /* size bytes for later                    */
} tcr_field_e;

typedef struct tcr_schema_s  tcr_schema_t;

typedef struct {
    const char          *name;    /* NULL: the element is the value itself   */
    tcr_field_e          kind;
    uint32_t             offset;
    uint32_t             target;  /* offset of a tcr_img_vec_t in the root   */
    uint32_t             min;
    uint32_t             max;     /* 0 = no upper bound                      */
    uint32_t             size;    /* BYTES, RESERVED                         */
    bool                 needed;  /* STR, BLOB, SECRET                       */
    bool                 none;    /* INDEX: TCR_NONE is allowed              */
    const tcr_schema_t  *type;    /* VEC, STRUCT                             */
} tcr_field_t;

struct tcr_schema_s {
    const char          *name;
    uint32_t             size;
    uint32_t             align;
    uint32_t             n;
    const tcr_field_t   *fields;
};


/* The root structure of a slot; NULL for a slot that has none. */
const tcr_schema_t *tcr_schema_root(tcr_slot_e slot);


#endif /* TCR_IMAGE_SCHEMA_H_INCLUDED */
