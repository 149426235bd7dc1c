/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as tcrouter.yaml: refused with errors that tell the place, or
 * settings in their bounds that can be written down and read again.
 */

#include "scratch.h"
#include "tcr_settings.h"

#define REPORTS  20


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check_bounds(const tcr_settings_t *s)
{
    if (s->timeouts.total <= 0 || s->timeouts.connect <= 0
        || s->intervals.states <= 0 || s->limits.snapshot <= 0
        || s->max_shrink < 0 || s->max_shrink > 100)
    {
        abort();
    }
}


static void
check_report(const tcr_report_t *report)
{
    const tcr_problem_t  *p;

    for (p = report->first; p != NULL; p = p->next) {
        if (strchr(p->text, '\n') != NULL || strchr(p->text, '\r') != NULL) {
            abort();
        }
    }
}


/* What is written is what was read, but for names of files in messages. */
static void
read_again(const tcr_settings_t *settings, tcr_arena_t *arena)
{
    tcr_buf_t        buf, again;
    const char      *path;
    tcr_report_t     report;
    tcr_settings_t   other;

    tcr_buf_init(&buf, 1 << 24);
    tcr_buf_init(&again, 1 << 24);
    tcr_buf_str(&buf, TCR_STR("version: 1\n"));
    tcr_settings_write(settings, &buf);
    path = scratch_file("again.yaml", buf.data, buf.len);
    tcr_report_init(&report, arena, REPORTS);

    if (tcr_settings_load(&other, arena, path, &report) != 0) {
        fprintf(stderr, "%s\n", report.first->text);
        abort();
    }

    tcr_buf_str(&again, TCR_STR("version: 1\n"));
    tcr_settings_write(&other, &again);

    if (buf.failed || again.len != buf.len
        || memcmp(again.data, buf.data, buf.len) != 0)
    {
        abort();
    }

    tcr_buf_free(&buf);
    tcr_buf_free(&again);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int              rc;
    const char      *path = scratch_file("tcrouter.yaml", data, size);
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_report_t     report;
    tcr_settings_t   settings;

    tcr_report_init(&report, arena, REPORTS);
    rc = tcr_settings_load(&settings, arena, path, &report);
    check_report(&report);

    if ((rc != 0) != (report.count[TCR_REPORT_ERROR] != 0)) {
        abort();
    }

    if (rc == 0) {
        check_bounds(&settings);
        read_again(&settings, arena);
    }

    tcr_arena_destroy(arena);
    return 0;
}
