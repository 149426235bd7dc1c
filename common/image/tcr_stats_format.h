/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The file "stats" in the image directory: counters that processes share.
 *
 *     header | names | look-up table | slot 0 ("gone") | slot 1 | ...
 *
 * Each worker process or thread owns a slot and alone writes its counters, so
 * counting is a plain addition; readers add the slots up.  A slot whose
 * process is gone is folded into slot 0.  Names are added by the publisher of
 * routing images and never removed: one per service, its canonical routing
 * name; name 0 is "other".  The file is sparse: only counters in use take
 * memory.  Everything is bounded when the file is made (decisions E5).
 */

#ifndef TCR_STATS_FORMAT_H_INCLUDED
#define TCR_STATS_FORMAT_H_INCLUDED

#include <stdint.h>

#define TCR_STATS_MAGIC     "TCRSTAT"
#define TCR_STATS_VERSION   1
#define TCR_STATS_NAMES     8192
#define TCR_STATS_PLACES    16384 /* power of two above the names            */
#define TCR_STATS_SLOTS     128
#define TCR_STATS_NAME_LEN  256
#define TCR_STATS_RESULTS   16    /* room for tcr_result_e                   */
#define TCR_STATS_BUCKETS   24

typedef enum {
    TCR_STATS_HTTP,
    TCR_STATS_DNS,
    TCR_STATS_PROTOCOLS
} tcr_stats_protocol_e;


typedef struct {
    char      magic[8];
    uint32_t  byte_order;
    uint32_t  version;
    uint64_t  size;
    int64_t   created;            /* ms since 1970                           */
    uint32_t  n_names;            /* atomic: names below it are complete     */
    uint32_t  reserved[7];
} tcr_stats_header_t;

_Static_assert(sizeof(tcr_stats_header_t) == 64, "stats header");

typedef struct {
    uint64_t  count[TCR_STATS_PROTOCOLS][TCR_STATS_RESULTS];
} tcr_stats_tally_t;

/*
 * Sums of one slot.  took: microseconds.  Bucket i counts what took less than
 * 2^i microseconds and not less than 2^(i - 1); the last takes the rest.
 */
typedef struct {
    uint64_t  total[TCR_STATS_PROTOCOLS];
    uint64_t  took[TCR_STATS_PROTOCOLS];
    uint64_t  missed;             /* no service matched                      */
    uint64_t  refused_images;
    uint64_t  lost_log_lines;
    uint64_t  handshakes[2];      /* TLS: with a certificate of the image,
                                     with the server's own                   */
    uint64_t  reserved[7];
    uint64_t  details[16];        /* room for tcr_details_e                  */
    uint64_t  bucket[TCR_STATS_PROTOCOLS][TCR_STATS_BUCKETS];
} tcr_stats_sums_t;

typedef struct {
    uint64_t           owner;     /* atomic: process id, 0 = free            */
    uint64_t           started;   /* its start in ticks (proc(5), field 22)  */
    char               kind[16];  /* "nginx", "pdns", ...                    */
    uint64_t           reserved[4];
    tcr_stats_sums_t   sums;
    tcr_stats_tally_t  tally[TCR_STATS_NAMES];
} tcr_stats_slot_t;

typedef struct {
    tcr_stats_header_t  header;
    char                names[TCR_STATS_NAMES][TCR_STATS_NAME_LEN];
    uint32_t            places[TCR_STATS_PLACES];   /* name + 1, 0 = empty   */
    tcr_stats_slot_t    slots[TCR_STATS_SLOTS];
} tcr_stats_file_t;


#endif /* TCR_STATS_FORMAT_H_INCLUDED */
