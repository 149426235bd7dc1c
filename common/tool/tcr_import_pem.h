/* SPDX-License-Identifier: Apache-2.0 */

/* Key and certificates as the two PEM files that nginx reads. */

#ifndef TCR_IMPORT_PEM_H_INCLUDED
#define TCR_IMPORT_PEM_H_INCLUDED

#include <openssl/x509.h>

#include "tcr_import.h"


/* Into im->files; chain may be NULL.  -1: OpenSSL would not. */
int tcr_import_pem(tcr_import_t *im, EVP_PKEY *key, X509 *cert,
    STACK_OF(X509) *chain);


#endif /* TCR_IMPORT_PEM_H_INCLUDED */
