/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as the settings of a CDN: what comes out is refused with at least
 * one error, or a snapshot of which its reader has nothing to say.
 */

#include "tcr_crconfig.h"
#include "tcr_own.h"

#include <stdlib.h>

#define REPORTS  20


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


/* The sections of a file; what is no mapping the settings refuse before. */
static void
take_sections(const tcr_yaml_t *root, tcr_own_sections_t *sections)
{
    size_t  i;

    const struct {
        const char         *name;
        const tcr_yaml_t  **node;
    } all[] = {
        { "cdn", &sections->cdn }, { "routers", &sections->routers },
        { "cache_groups", &sections->cache_groups },
        { "caches", &sections->caches },
        { "delivery_services", &sections->delivery_services },
        { "zones", &sections->zones }
    };

    memset(sections, 0, sizeof(*sections));

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        *all[i].node = tcr_yaml_get(root, all[i].name);

        if (*all[i].node != NULL
            && (*all[i].node)->type != TCR_YAML_MAPPING)
        {
            *all[i].node = NULL;
        }
    }
}


static void
check_snapshot(const tcr_own_t *own, tcr_arena_t *arena)
{
    char            *text;
    size_t           len;
    tcr_err_t        err;
    tcr_report_t     report;
    tcr_json_doc_t   doc;
    tcr_crconfig_t   cfg;

    tcr_report_init(&report, arena, REPORTS);
    text = tcr_own_text(own, 1790000000, &len);

    if (text == NULL
        || tcr_json_parse(&doc, arena, "made", tcr_str_n(text, len), &err) != 0
        || tcr_crconfig_parse(&cfg, arena, &doc, &report, &err) != 0
        || report.first != NULL || cfg.date != 1790000000
        || cfg.n_services == 0 || cfg.n_caches == 0)
    {
        abort();
    }

    free(text);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tcr_own_t            own = { { NULL, 0 }, { NULL, 0 } };
    tcr_str_t            text = tcr_str_n((const char *) data, size);
    tcr_yaml_t          *root;
    tcr_arena_t         *arena = tcr_arena_create(0);
    tcr_report_t         report;
    tcr_own_sections_t   sections;

    tcr_report_init(&report, arena, REPORTS);

    if (tcr_yaml_parse(&root, arena, "fuzz", text, &report) == 0
        && report.count[TCR_REPORT_ERROR] == 0)
    {
        take_sections(root, &sections);

        if (tcr_own_given(&sections)) {
            tcr_own_read(&own, &sections, arena, &report);

            if ((own.head.data == NULL)
                != (report.count[TCR_REPORT_ERROR] != 0))
            {
                abort();
            }
        }
    }

    if (own.head.data != NULL) {
        check_snapshot(&own, arena);
    }

    tcr_arena_destroy(arena);
    return 0;
}
