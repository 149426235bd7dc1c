/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: a DNSKEY record as a line of a zone file
 * (RFC 1035 5.1, RFC 4034 2.2).
 */

#ifndef TCR_DNSSECKEYS_LINE_H_INCLUDED
#define TCR_DNSSECKEYS_LINE_H_INCLUDED

#include "tcr_err.h"


typedef struct {
    tcr_str_t  owner;             /* as written                              */
    int64_t    ttl;               /* -1 = not given                          */
    uint64_t   flags;
    uint64_t   protocol;
    uint64_t   algorithm;
    tcr_str_t  key;               /* base64 without blanks                   */
} tcr_dnskey_line_t;


/*
 * Reads the first record of the text, which is changed on the way and must
 * outlive the result.  Comments and parentheses are understood, units of TTLs
 * are not.  -1: no such record.
 */
int tcr_dnskey_line(char *text, size_t n, tcr_dnskey_line_t *line,
    tcr_err_t *err);


#endif /* TCR_DNSSECKEYS_LINE_H_INCLUDED */
