/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a source answered: bytes on the heap, and how to ask for them again
 * only when they changed.
 */

#ifndef TCF_BODY_H_INCLUDED
#define TCF_BODY_H_INCLUDED

#include "tcr_err.h"

#define TCF_NAME_MAX  256


/* For conditional requests (RFC 9110 §13); empty = not given. */
typedef struct {
    char  etag[TCF_NAME_MAX];
    char  modified[64];
} tcf_validator_t;

typedef struct {
    char             *data;       /* NULL = none; free() gives it back       */
    size_t            len;
    char              from[TCF_NAME_MAX];     /* host, or path of a file     */
    tcf_validator_t   validator;
    bool              secret;     /* is overwritten when given back          */
} tcf_body_t;


void tcf_body_free(tcf_body_t *body);

/*
 * Inflates what begins like a gzip file, in place.  -1: damaged, or larger
 * than too_big.
 */
int tcf_body_gunzip(tcf_body_t *body, uint64_t too_big, tcr_err_t *err);

/*
 * Reads the file of a "file:" URL, unless it is as the validator says: then
 * 1 and no body.  0 with a body, -1 when it cannot be read.  absent, if not
 * NULL, stands for the text of a file that is not there.
 */
int tcf_body_read(tcf_body_t *body, const char *url, uint64_t too_big,
    const char *absent, const tcf_validator_t *known, tcr_err_t *err);


#endif /* TCF_BODY_H_INCLUDED */
