/* SPDX-License-Identifier: Apache-2.0 */

/*
 * IP addresses and prefixes as numbers.  Names are never resolved.
 * Everything here is safe inside a request.
 */

#ifndef TCR_ADDR_H_INCLUDED
#define TCR_ADDR_H_INCLUDED

#include <sys/socket.h>

#include "tcr_err.h"

#define TCR_ADDR_TEXT  48         /* longest text with NUL                   */


/* family 0 = no address; 4: in lo's low 32 bits, host order; 6: hi, lo */
typedef struct {
    uint64_t  hi;
    uint64_t  lo;
    uint32_t  family;
} tcr_addr_t;

/* Host bits may be set; look-ups ignore them. */
typedef struct {
    tcr_addr_t  addr;
    uint32_t    len;
} tcr_cidr_t;


/*
 * A plain IPv4 or IPv6 literal (RFC 4291 forms; dotted quad of four decimal
 * parts without leading zeros).  IPv4-mapped IPv6 becomes IPv4.  -1 for
 * anything else.
 */
int tcr_addr_parse(tcr_str_t s, tcr_addr_t *addr);

/*
 * Client override text as the reference's address parser reads it without
 * DNS: one to four decimal parts ("10.2" = 10.0.0.2, leading zeros decimal,
 * a plain 32-bit number), "[v6]", "::ffff:a.b.c.d" = the IPv4 address, a
 * "%zone" is dropped, text from "/" on is ignored, empty = 127.0.0.1.
 * Anything else: -1, "no location" (QUIRKS 15, decisions E24).
 */
int tcr_addr_parse_override(tcr_str_t s, tcr_addr_t *addr);

/*
 * "ADDR" or "ADDR/LEN", blanks around both tolerated, address as in
 * tcr_addr_parse_override but never empty.  An IPv4-mapped prefix becomes
 * IPv4: of 96 or more with len - 96, of 32 or less with that length, as the
 * reference reads it (spec/inputs.md §9.2).  Between them it is refused.
 */
int tcr_cidr_parse(tcr_str_t s, tcr_cidr_t *cidr, tcr_err_t *err);

/* IPv4-mapped becomes IPv4.  -1 for another family. */
int tcr_addr_from_sockaddr(const struct sockaddr *sa, tcr_addr_t *addr);

/* The address of two halves; IPv4-mapped (RFC 4291, 2.5.5.2) becomes IPv4. */
tcr_addr_t tcr_addr_v6(uint64_t hi, uint64_t lo);
bool tcr_addr_is_mapped(uint64_t hi, uint64_t lo);

/*
 * Length of the text, which ends in NUL.  RFC 5952, or all eight groups
 * ("2001:db8:0:0:0:0:0:1", as the reference logs).  Family 0 is empty text.
 */
size_t tcr_addr_format(const tcr_addr_t *addr, char out[TCR_ADDR_TEXT]);
size_t tcr_addr_format_full(const tcr_addr_t *addr, char out[TCR_ADDR_TEXT]);

/* Zeroes the bits behind the first len. */
tcr_addr_t tcr_addr_mask(tcr_addr_t addr, uint32_t len);

/* <0, 0, >0; of one family */
int tcr_addr_cmp(const tcr_addr_t *a, const tcr_addr_t *b);

/* Is addr of the prefix's family and inside it? */
bool tcr_cidr_contains(const tcr_cidr_t *cidr, const tcr_addr_t *addr);

static inline uint32_t
tcr_addr_bits(const tcr_addr_t *addr)
{
    return addr->family == 4 ? 32 : 128;
}


#endif /* TCR_ADDR_H_INCLUDED */
