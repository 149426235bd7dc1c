/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes coverage zone files of both kinds.  A file that is accepted has
 * prefix tables in order, and every look-up ends in a zone of the file and
 * has a scope that fits the address.  The first byte says which kind.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcr_coverage.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void  check_zones(const tcr_coverage_t *coverage);
static void  check_tables(const tcr_coverage_t *coverage);
static void  check_find(const tcr_coverage_t *coverage, tcr_addr_t addr);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_err_t        err;
    tcr_str_t        text;
    tcr_arena_t     *arena;
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_coverage_t   coverage;

    if (size == 0) {
        return 0;
    }

    text = tcr_str_n((const char *) data + 1, size - 1);
    arena = tcr_arena_create(0);
    tcr_report_init(&report, arena, 10);

    if (tcr_json_parse(&doc, arena, "fuzz", text, &err) == 0) {

        if (tcr_coverage_parse(&coverage, arena, &doc, data[0] == 'd',
                               &report, &err) == 0)
        {
            check_zones(&coverage);
            check_tables(&coverage);

        } else if (coverage.build != NULL || err.text[0] == '\0') {
            abort();
        }

        tcr_coverage_free(&coverage);
    }

    tcr_arena_destroy(arena);
    return 0;
}


static void
check_zones(const tcr_coverage_t *coverage)
{
    size_t                      i, k;
    const tcr_coverage_zone_t  *zone;

    for (i = 0; i < coverage->n_zones; i++) {
        zone = &coverage->zones[i];

        if (zone->name.data == NULL
            || zone->point.lat - zone->point.lat != 0
            || zone->point.lon - zone->point.lon != 0)
        {
            abort();
        }

        for (k = 0; k < zone->n_caches; k++) {

            if (zone->caches[k].len == 0) {
                abort();
            }
        }
    }
}


static void
check_tables(const tcr_coverage_t *coverage)
{
    size_t             i;
    const tcr_nets_t  *nets = &coverage->nets;

    for (i = 0; i < nets->n4; i++) {

        if (i == 0 ? nets->v4[0].start != 0
            : nets->v4[i].start <= nets->v4[i - 1].start)
        {
            abort();
        }

        check_find(coverage, (tcr_addr_t) { 0, nets->v4[i].start, 4 });
    }

    for (i = 0; i < nets->n6; i++) {

        if (i == 0 ? nets->v6[0].hi != 0 || nets->v6[0].lo != 0
            : nets->v6[i].hi < nets->v6[i - 1].hi
              || (nets->v6[i].hi == nets->v6[i - 1].hi
                  && nets->v6[i].lo <= nets->v6[i - 1].lo))
        {
            abort();
        }

        check_find(coverage,
                   (tcr_addr_t) { nets->v6[i].hi, nets->v6[i].lo, 6 });
    }
}


/* The whole scope gets one value: its two ends say so. */
static void
check_find(const tcr_coverage_t *coverage, tcr_addr_t addr)
{
    uint32_t    scope, value;
    tcr_addr_t  end;

    value = tcr_nets_find(&coverage->nets, &addr, &scope);

    if ((value != TCR_NETS_NONE && value >= coverage->n_zones)
        || scope > tcr_addr_bits(&addr))
    {
        abort();
    }

    end = tcr_addr_mask(addr, scope);

    if (tcr_nets_find(&coverage->nets, &end, NULL) != value) {
        abort();
    }
}
