/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What --check and --dry-run print.
 */

#include "tcf.h"

#include <stdio.h>


void
tcf_dry_problems(const tcr_report_t *report)
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
print_snapshot(const tcf_t *f)
{
    char               date[TCF_DATE_SIZE];
    tcf_diff_t         diff;
    tcr_image_t        now;
    const tcf_made_t  *made = &f->ready->made[TCR_SLOT_ROUTING];

    now = (tcr_image_t) { made->data, made->size, made->data, false };
    tcf_diff(&diff, tcf_in_force(f), &now, print_change, NULL);
    tcf_date(f->date, date);
    printf("snapshot of %s: %zu services, %zu caches, +%zu -%zu services, "
           "+%zu -%zu caches would be published\n", date, diff.services,
           diff.caches, diff.services_new, diff.services_gone,
           diff.caches_new, diff.caches_gone);
}


static void
print_changes(const tcf_t *f)
{
    size_t             i;
    const tcf_made_t  *made;

    if (!tcf_judgement_has_news(f->ready)) {
        printf("nothing would change\n");
        return;
    }

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        made = &f->ready->made[i];

        if (i == TCR_SLOT_ROUTING && made->build != NULL) {
            print_snapshot(f);

        } else if (made->gone) {
            printf("%s would be withdrawn\n", tcr_slot_name(i));

        } else if (i != TCR_SLOT_HEALTH
                   && (made->build != NULL || made->path[0] != '\0'))
        {
            printf("%s would be replaced\n", tcr_slot_name(i));
        }
    }
}


static size_t
count_problems(const tcf_t *f)
{
    size_t  i, n = 0;

    for (i = 0; i < TCF_SOURCES + TCR_SLOT_COUNT; i++) {
        n += f->problems[i].count;
    }

    return n;
}


/* Those of the image that would be made, or of the one that stays. */
static void
check_ports(const tcf_t *f)
{
    const tcf_made_t   *made = &f->ready->made[TCR_SLOT_ROUTING];
    tcr_image_t         fresh = { made->data, made->size, made->data, false };
    const tcr_image_t  *routing = made->build != NULL ? &fresh
                                  : tcf_in_force(f);

    if (routing != NULL) {
        tcf_check_ports(routing);
    }
}


int
tcf_dry_print(tcf_t *f)
{
    char  date[TCF_DATE_SIZE];

    if (!f->usable || f->ready == NULL) {
        fprintf(stderr, "no usable snapshot\n");
        return 2;
    }

    if (f->options->mode == TCF_DRY_RUN) {
        print_changes(f);

    } else {
        check_ports(f);
        tcf_date(f->date, date);
        printf("settings are right, snapshot of %s can be served, %zu "
               "problems\n", date, count_problems(f));
    }

    return f->refused ? 2 : 0;
}
