/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside this room only: what `tcrouter certs` says about one certificate, as
 * text for people and as JSON.
 */

#ifndef TCR_TOOL_CERTS_H_INCLUDED
#define TCR_TOOL_CERTS_H_INCLUDED

#include "tcr_buf.h"
#include "tcr_certs.h"


typedef struct {
    const tcr_image_t  *img;      /* certs image, verified                   */
    int64_t             now;      /* seconds since 1970                      */
    tcr_buf_t          *buf;
} tcr_tool_certs_t;


/* One line: host, type, end of validity, service. */
void tcr_tool_certs_line(tcr_tool_certs_t *t, const tcr_img_certificate_t *c);

/* All that may be shown, over several lines. */
void tcr_tool_certs_text(tcr_tool_certs_t *t, const tcr_img_certificate_t *c);

/* The same as a JSON object. */
void tcr_tool_certs_json(tcr_tool_certs_t *t, const tcr_img_certificate_t *c);


#endif /* TCR_TOOL_CERTS_H_INCLUDED */
