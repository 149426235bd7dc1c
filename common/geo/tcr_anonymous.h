/* SPDX-License-Identifier: Apache-2.0 */

/* Look-ups in a GeoIP2 Anonymous-IP database (libmaxminddb). */

#ifndef TCR_ANONYMOUS_H_INCLUDED
#define TCR_ANONYMOUS_H_INCLUDED

#include "tcr_addr.h"


typedef struct tcr_anonymous_s  tcr_anonymous_t;

typedef struct {
    bool  vpn;                    /* is_anonymous_vpn                        */
    bool  hosting;                /* is_hosting_provider                     */
    bool  proxy;                  /* is_public_proxy                         */
    bool  tor;                    /* is_tor_exit_node                        */
} tcr_anonymous_record_t;


/*
 * Maps the database.  NULL: cannot open, corrupt, or a type without
 * "Anonymous".  Not inside a request.
 */
tcr_anonymous_t *tcr_anonymous_open(const char *path, tcr_err_t *err);
void tcr_anonymous_close(tcr_anonymous_t *db);

/* 1 found, 0 not found, -1 damaged there.  Safe inside a request. */
int tcr_anonymous_find(const tcr_anonymous_t *db, const tcr_addr_t *addr,
    tcr_anonymous_record_t *record);


#endif /* TCR_ANONYMOUS_H_INCLUDED */
