/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The certs image: certificate chains and private keys for the HTTP server.
 * Not inside a request.
 */

#ifndef TCR_COMPILE_CERTS_H_INCLUDED
#define TCR_COMPILE_CERTS_H_INCLUDED

#include "tcr_image_build.h"
#include "tcr_sslkeys.h"


/*
 * The builder is the caller's to destroy, which wipes the keys in it; publish
 * with the group of the HTTP server (decisions E26).  -1: nothing was made.
 */
int tcr_compile_certs(const tcr_sslkeys_t *keys, tcr_build_t **out,
    tcr_err_t *err);


#endif /* TCR_COMPILE_CERTS_H_INCLUDED */
