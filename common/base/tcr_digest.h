/* SPDX-License-Identifier: Apache-2.0 */

/*
 * MD5 and SHA-256 through OpenSSL, CRC-32C of our own.  MD5 is no secret
 * here: it spreads names over a line, as the reference does
 * (spec/routing.md §6.1).
 */

#ifndef TCR_DIGEST_H_INCLUDED
#define TCR_DIGEST_H_INCLUDED

#include "tcr_str.h"


/* A prepared MD5; one per thread, reused, so that hashing allocates nothing. */
typedef struct tcr_md5_s  tcr_md5_t;

tcr_md5_t *tcr_md5_create(void);
void tcr_md5_destroy(tcr_md5_t *md5);

/*
 * Place of s on the line: its MD5 as one unsigned big-endian integer, rounded
 * half to even to a double.  Safe inside a request.
 */
double tcr_md5_point(tcr_md5_t *md5, tcr_str_t s);

/* 0, or -1 when the library fails. */
int tcr_sha256(const void *data, size_t len, uint8_t out[32]);

/* CRC-32C (Castagnoli).  crc = 0 at the start, else the last result. */
uint32_t tcr_crc32c(uint32_t crc, const void *data, size_t len);


#endif /* TCR_DIGEST_H_INCLUDED */
