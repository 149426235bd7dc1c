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

/*
 * What a certs image holds as a model, for tcr_sslkeys_parse as what is known
 * already.  It points into the image and must not be given to
 * tcr_sslkeys_free.  -1: out of memory.
 */
int tcr_compile_certs_known(const tcr_image_t *img, tcr_arena_t *arena,
    tcr_sslkeys_t *known, tcr_err_t *err);


#endif /* TCR_COMPILE_CERTS_H_INCLUDED */
