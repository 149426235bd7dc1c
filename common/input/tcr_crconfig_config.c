/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The parameters of the CDN: the member "config" (spec/inputs.md §5.1).
 */

#include "tcr_buf.h"
#include "tcr_crconfig_read.h"

#define PARAMETER_MAX  65536      /* bytes of a parameter with names put in  */

#define BOOL(name, member, def)                                               \
    { name, TCR_FIELD_BOOL, offsetof(tcr_crconfig_t, member), def, 0, 0 }

#define INT(name, member, def)                                                \
    { name, TCR_FIELD_INT, offsetof(tcr_crconfig_t, member), def, 0, INT32_MAX }


const tcr_field_t  tcr_read_config_fields[] = {
    BOOL("confighandler.regex.superhack.enabled", superhack, true),
    BOOL("consistent.dns.routing", consistent_dns, false),
    BOOL("strip.special.query.params", strip_special, false),
    BOOL("ecsEnable", ecs, false),
    BOOL("edge.dns.routing", edge_dns, false),
    BOOL("edge.http.routing", edge_http, false),
    BOOL("dnssec.enabled", dnssec, false),
    BOOL("dnssec.allow.expired.keys", allow_expired_keys, true),
    INT("edge.dns.limit", edge_dns_limit, 4),
    INT("edge.http.limit", edge_http_limit, 4),
    INT("api.cache-control.max-age", api_max_age, 0),
    { "requestHeaders", TCR_FIELD_TOKENS,
      offsetof(tcr_crconfig_t, request_headers), 0, 0, 0 }
};

const size_t  tcr_read_n_config_fields = TCR_FIELDS(tcr_read_config_fields);


static bool
read_override(tcr_read_t *rd, const tcr_json_t *node, tcr_override_t *override)
{
    const tcr_json_t  *code;

    code = tcr_json_get(node, "countryCode");

    if (!tcr_json_is(code, TCR_JSON_STRING) || !tcr_read_is_id(code->u.str)) {
        tcr_read_wrong(rd, TCR_REPORT_LEFT_OUT, code, "countryCode",
                       "the code of a country; this override is left out");
        return false;
    }

    override->country_code = code->u.str;
    return tcr_read_point(rd, TCR_REPORT_LEFT_OUT, node, "lat", "long",
                          &override->point);
}


static void
read_overrides(tcr_read_t *rd, const tcr_json_t *config)
{
    size_t             i = 0;
    tcr_crconfig_t    *cfg = rd->cfg;
    tcr_read_mark_t    list, item;
    const tcr_json_t  *array, *node;

    array = tcr_read_container(rd, config, "maxmindDefaultOverride",
                               TCR_JSON_ARRAY);

    if (array == NULL) {
        return;
    }

    cfg->overrides = tcr_read_alloc(rd, array->u.list.n,
                                    sizeof(*cfg->overrides));

    if (cfg->overrides == NULL) {
        return;
    }

    list = tcr_read_enter(rd, array, TCR_STR("maxmindDefaultOverride"));

    for (node = tcr_json_first(array); node != NULL; node = node->next) {
        item = tcr_read_enter_item(rd, node, i++);

        if (read_override(rd, node, &cfg->overrides[cfg->n_overrides])) {
            cfg->n_overrides++;
        }

        tcr_read_leave(rd, item);
    }

    tcr_read_leave(rd, list);
}


void
tcr_read_config(tcr_read_t *rd, const tcr_json_t *config)
{
    tcr_crconfig_t   *cfg = rd->cfg;
    tcr_read_mark_t   mark = tcr_read_enter(rd, config, TCR_STR("config"));

    cfg->config = config;
    cfg->domain = tcr_read_host(rd, TCR_REPORT_WARNING,
                                tcr_json_get(config, "domain_name"),
                                "domain_name", "the domain of the CDN; there "
                                "will be no zone for it");

    tcr_read_fields(rd, config, tcr_read_config_fields,
                    tcr_read_n_config_fields, cfg);
    tcr_read_ttls(rd, config, &cfg->ttls);
    tcr_read_soa(rd, config, &cfg->soa);
    read_overrides(rd, config);

    tcr_read_leave(rd, mark);
}


/* --- parameters for others, with names put in --- */

/* What stands at the front of the text: a template, or one byte. */
static size_t
put_piece(const tcr_crconfig_t *cfg, tcr_buf_t *buf, tcr_str_t text)
{
    size_t  i;

    const struct {
        tcr_str_t  template;
        tcr_str_t  value;
    } names[] = {
        { TCR_STR("${toHostname}"), cfg->traffic_ops },
        { TCR_STR("${tmHostname}"), cfg->traffic_ops },
        { TCR_STR("${cdnName}"), cfg->cdn_name }
    };

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {

        if (names[i].value.data != NULL
            && tcr_str_starts(text, names[i].template))
        {
            tcr_buf_str(buf, names[i].value);
            return names[i].template.len;
        }
    }

    tcr_buf_char(buf, text.data[0]);
    return 1;
}


tcr_str_t
tcr_crconfig_parameter(const tcr_crconfig_t *cfg, tcr_arena_t *arena,
    const char *name)
{
    size_t             n;
    tcr_buf_t          buf;
    tcr_str_t          text, out = { NULL, 0 };
    const tcr_json_t  *node = tcr_json_get(cfg->config, name);

    text = tcr_json_str(node, tcr_str(NULL));

    if (tcr_str_find(text, '$') == text.len) {
        return text;
    }

    tcr_buf_init(&buf, PARAMETER_MAX);

    while (text.len != 0 && !buf.failed) {
        n = put_piece(cfg, &buf, text);
        text.data += n;
        text.len -= n;
    }

    if (!buf.failed) {
        out = tcr_arena_strdup(arena, tcr_str_n(buf.data, buf.len));
    }

    tcr_buf_free(&buf);
    return out;
}
