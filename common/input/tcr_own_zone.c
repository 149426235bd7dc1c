/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Zones beside the CDN's, and records.
 */

#include "tcr_own_make.h"


static const tcr_key_t  record_keys[] = {
    { "name", TCR_KIND_TEXT, true, 0, NULL, 0, 0, NULL, NULL, 0, "name" },
    { "type", TCR_KIND_TEXT, true, 0, NULL, 0, 0, NULL, NULL, 0, "type" },
    { "value", TCR_KIND_TEXT, true, 0, NULL, 0, 0, NULL, NULL, 0, "value" },
    TCR_OWN_HAND("ttl", TCR_KIND_DURATION, NULL, "ttl")
};


void
tcr_own_records(tcr_own_make_t *make, const tcr_yaml_t *list,
    const char *name)
{
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *node;

    if (list == NULL) {
        return;
    }

    tcr_made_open(made, list, tcr_str(name), '[');

    for (node = list->first; node != NULL; node = node->next) {

        if (tcr_schema_is(node, TCR_YAML_MAPPING, "a record", made->report)) {
            tcr_made_open(made, node, tcr_str(NULL), '{');
            tcr_made_fields(made, node, TCR_KEYS(record_keys), NULL);
            tcr_made_close(made, '}');
        }
    }

    tcr_made_close(made, ']');
}


typedef struct {
    const tcr_yaml_t  *soa, *records;
} zone_t;

static const tcr_key_t  zone_keys[] = {
    { "ns", TCR_KIND_TEXTS, true, 0, NULL, 0, 0, NULL, NULL, 0, "ns" },
    TCR_OWN_HAND("ttl", TCR_KIND_DURATION, NULL, "ttl"),
    TCR_OWN_HAND("dnssec", TCR_KIND_BOOL, NULL, "dnssec"),
    TCR_OWN_KEEP("soa", TCR_KIND_MEMBERS, zone_t, soa, NULL),
    TCR_OWN_KEEP("records", TCR_KIND_ITEMS, zone_t, records, NULL)
};


void
tcr_own_zones(tcr_own_make_t *make)
{
    zone_t             zone;
    tcr_made_t        *made = &make->made;
    const tcr_yaml_t  *zones = make->from->zones, *node;

    if (zones == NULL) {
        return;
    }

    tcr_made_open(made, zones, TCR_STR("zones"), '{');

    for (node = zones->first; node != NULL; node = node->next) {

        if (tcr_own_open(make, node)) {
            memset(&zone, 0, sizeof(zone));
            tcr_made_fields(made, node, TCR_KEYS(zone_keys), &zone);
            tcr_own_soa(make, node, zone.soa);
            tcr_own_records(make, zone.records, "records");
            tcr_made_close(made, '}');
        }
    }

    tcr_made_close(made, '}');
}
