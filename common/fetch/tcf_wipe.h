/* SPDX-License-Identifier: Apache-2.0 */

/* OpenSSL's memory, which has what came over TLS. */

#ifndef TCF_WIPE_H_INCLUDED
#define TCF_WIPE_H_INCLUDED


/* Before the first use of OpenSSL: what it gives back is overwritten. */
void tcf_wipe_openssl(void);


#endif /* TCF_WIPE_H_INCLUDED */
