/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inside the engine only: pieces of an access-log line.  Nothing that came
 * from outside can end a field or a line (rule log-escape).
 */

#ifndef TCR_LOG_TEXT_H_INCLUDED
#define TCR_LOG_TEXT_H_INCLUDED

#include "tcr_addr.h"
#include "tcr_buf.h"

/*
 * Text from outside: a double quote becomes a single one, control bytes
 * "\xHH"; bytes from 0x80 are read as Latin-1 and written as UTF-8.
 */
void tcr_log_escaped(tcr_out_t *out, tcr_str_t s);

/* "seconds.mmm" */
void tcr_log_time(tcr_out_t *out, int64_t ms);

/* "ms.uuu" */
void tcr_log_took(tcr_out_t *out, uint64_t us);

/* An address as eight full groups or dotted. */
void tcr_log_addr(tcr_out_t *out, const tcr_addr_t *addr);

/* Two decimals, truncated toward zero: "39.75", "-0.12", "0.00" (§1.1). */
void tcr_log_degrees_http(tcr_out_t *out, double degrees);

/* One or two decimals, no leading zero: "48.9", ".5", "40.0" (§1.2). */
void tcr_log_degrees_dns(tcr_out_t *out, double degrees);


#endif /* TCR_LOG_TEXT_H_INCLUDED */
