/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What --check and --dry-run print.
 */

#include "tcf.h"

#include <stdio.h>


static void
print_problems(const tcr_report_t *report)
{
    const tcr_problem_t  *p;

    for (p = report->first; p != NULL; p = p->next) {
        fprintf(stderr, "%s\n", p->text);
    }
}


static void
print_change(void *ctx, char sign, const char *what, tcr_str_t name)
{
    (void) ctx;
    printf("%c %s %.*s\n", sign, what, TCR_STR_ARG(name));
}


static void
print_changes(const tcf_t *f)
{
    char                    date[TCF_DATE_SIZE];
    tcf_diff_t              diff;
    tcf_source_e            i;
    tcr_image_t             now;
    const tcf_judgement_t  *j = f->ready;

    if (!tcf_judgement_is_news(j)) {
        printf("nothing would change\n");
        return;
    }

    if (j->routing != NULL) {
        now = (tcr_image_t) { j->routing_data, j->routing_size,
                              j->routing_data, false };
        tcf_diff(&diff, tcf_in_force(f), &now, print_change, NULL);
        tcf_date(f->date, date);
        printf("snapshot of %s: %zu services, %zu caches, +%zu -%zu "
               "services, +%zu -%zu caches would be published\n", date,
               diff.services, diff.caches, diff.services_new,
               diff.services_gone, diff.caches_new, diff.caches_gone);
    }

    for (i = 0; i < TCF_SOURCES; i++) {

        if (j->databases[i].fresh || j->databases[i].gone) {
            printf("database %s would be %s\n", tcf_rows[i].name,
                   j->databases[i].fresh ? "replaced" : "withdrawn");
        }
    }
}


int
tcf_dry_print(tcf_t *f)
{
    char  date[TCF_DATE_SIZE];

    if (f->ready != NULL) {
        print_problems(&f->ready->report);
    }

    if (!f->usable || f->ready == NULL) {
        fprintf(stderr, "no usable snapshot\n");
        return 2;
    }

    if (f->options->mode == TCF_DRY_RUN) {
        print_changes(f);

    } else {
        tcf_date(f->date, date);
        printf("settings are right, snapshot of %s can be served, %zu "
               "problems\n", date,
               f->ready->report.count[TCR_REPORT_WARNING]
               + f->ready->report.count[TCR_REPORT_LEFT_OUT]);
    }

    return f->refused ? 2 : 0;
}
