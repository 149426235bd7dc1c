/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The certs image: what the HTTP server shows its clients in TLS handshakes,
 * and the keys to prove it.  Private keys stand nowhere else; its file is for
 * the group of the HTTP server (design §4).
 *
 * Everything here has been checked by the writer: keys belong to their
 * certificates, chains are in order (spec/inputs.md §8.1).
 */

#ifndef TCR_CERTS_FORMAT_H_INCLUDED
#define TCR_CERTS_FORMAT_H_INCLUDED

#include "tcr_image_format.h"


typedef enum {
    TCR_CERT_RSA,
    TCR_CERT_EC,
    TCR_CERT_ED25519,
    TCR_CERT_TYPES
} tcr_cert_type_e;

/* A certificate; those of authorities are shared by chains. */
typedef struct {
    tcr_img_str_t  der;
} tcr_img_der_t;

/*
 * What is served for a host name.  Ascending by host, then by type, each pair
 * of them once: the entries of a host are neighbours.
 */
typedef struct {
    tcr_img_str_t  host;          /* lower case; "*." stands for one label   */
    uint32_t       type;          /* tcr_cert_type_e                         */
    tcr_img_str_t  service;       /* xml_id                                  */
    tcr_img_str_t  key;           /* PKCS #8, DER                            */
    tcr_img_vec_t  chain;         /* of uint32_t: index of ders, leaf first  */
    int64_t        not_before;    /* of the whole chain, seconds since 1970  */
    int64_t        not_after;
    tcr_img_str_t  fingerprint;   /* SHA-256 of the leaf, hexadecimal        */
    tcr_img_str_t  source;        /* digest of the texts it was made from,
                                     for the writer; may be absent           */
} tcr_img_certificate_t;

/* What the writer would not serve. */
typedef struct {
    tcr_img_str_t  host;          /* absent: it is that which is wrong       */
    tcr_img_str_t  service;
    tcr_img_str_t  why;
} tcr_img_refused_t;

typedef struct {
    tcr_img_vec_t  ders;          /* of tcr_img_der_t                        */
    tcr_img_vec_t  certificates;  /* of tcr_img_certificate_t                */
    tcr_img_map_t  host_map;      /* host -> the first of its certificates   */
    tcr_img_vec_t  refused;       /* of tcr_img_refused_t                    */
    uint32_t       reserved[8];
} tcr_img_certs_t;


_Static_assert(sizeof(tcr_img_certificate_t) == 48, "certificate");
_Static_assert(sizeof(tcr_img_refused_t) == 12, "refused certificate");
_Static_assert(sizeof(tcr_img_certs_t) == 64, "certs root");


#endif /* TCR_CERTS_FORMAT_H_INCLUDED */
