/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Fuzzes both policy files.  A regional policy that is accepted has rules
 * whose patterns compile, whose boxes are on the globe and whose URLs do not
 * lead round; one that is refused leaves nothing and says why.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tcr_anonymous_policy.h"
#include "tcr_regex.h"
#include "tcr_regional.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check_rule(const tcr_regional_rule_t *rule)
{
    size_t                     i;
    tcr_regex_t               *re;
    const tcr_regional_box_t  *b;

    re = tcr_regex_compile(rule->pattern,
                           TCR_REGEX_WHOLE | TCR_REGEX_CASELESS, NULL);

    if (re == NULL || rule->service.len == 0 || rule->redirect.len == 0
        || (rule->absolute ? tcr_regex_match(re, rule->redirect)
                           : rule->redirect.data[0] != '/'))
    {
        abort();
    }

    tcr_regex_free(re);

    for (i = 0; i < rule->n_boxes; i++) {
        b = &rule->boxes[i];

        if (!(fabs(b->min_lat) <= 90 && fabs(b->max_lat) <= 90
              && fabs(b->min_lon) <= 180 && fabs(b->max_lon) <= 180))
        {
            abort();
        }
    }
}


static void
regional(tcr_arena_t *arena, const tcr_json_doc_t *doc)
{
    size_t           i;
    tcr_err_t        err;
    tcr_report_t     report;
    tcr_regional_t   out;

    tcr_report_init(&report, arena, 10);
    err.text[0] = '\0';

    if (tcr_regional_parse(&out, arena, doc, &report, &err) == 0) {

        for (i = 0; i < out.n; i++) {
            check_rule(&out.rules[i]);
        }

    } else if (out.n != 0 || err.text[0] == '\0') {
        abort();
    }

    tcr_regional_free(&out);
}


static void
anonymous(tcr_arena_t *arena, const tcr_json_doc_t *doc)
{
    tcr_err_t                err;
    tcr_report_t             report;
    tcr_anonymous_policy_t   out;

    tcr_report_init(&report, arena, 10);
    err.text[0] = '\0';

    if (tcr_anonymous_policy_parse(&out, arena, doc, &report, &err) == 0
        ? out.build == NULL : out.build != NULL || err.text[0] == '\0')
    {
        abort();
    }

    tcr_anonymous_policy_free(&out);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_err_t        err;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_json_doc_t   doc;

    if (tcr_json_parse(&doc, arena, "fuzz",
                       tcr_str_n((const char *) data, size), &err) == 0)
    {
        regional(arena, &doc);
        anonymous(arena, &doc);
    }

    tcr_arena_destroy(arena);
    return 0;
}
