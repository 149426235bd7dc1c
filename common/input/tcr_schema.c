/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Settings by a table of keys: what each is, which are missing, unknown or of
 * another shape.
 */

#include "tcr_schema_value.h"

#define KEYS_MAX  64              /* of one table, for "did you mean"        */


void
tcr_value_wrong(const tcr_value_t *v, const char *expected)
{
    tcr_yaml_wrong(v->report, v->node, "is \"%.*s\", expected %s",
                   TCR_STR_ARG(v->text), expected);
}


tcr_str_t
tcr_value_copy(const tcr_value_t *v, tcr_str_t text)
{
    tcr_str_t  out = tcr_arena_strdup(v->arena, text);

    if (out.data == NULL) {
        tcr_yaml_wrong(v->report, v->node, "no memory to keep it");
        return TCR_STR("");
    }

    return out;
}


static void
keep_node(tcr_value_t *v)
{
    *(const tcr_yaml_t **) v->out = v->node;
}


static const struct {
    void             (*read)(tcr_value_t *v);
    tcr_yaml_type_e   type;
    const char       *name;
} kinds[] = {
    [TCR_KIND_INT] = { tcr_value_int, TCR_YAML_SCALAR, "a whole number" },
    [TCR_KIND_BOOL] = { tcr_value_bool, TCR_YAML_SCALAR, "true or false" },
    [TCR_KIND_DURATION] = { tcr_value_duration, TCR_YAML_SCALAR, "a time" },
    [TCR_KIND_SIZE] = { tcr_value_size, TCR_YAML_SCALAR, "a size" },
    [TCR_KIND_PERCENT] = { tcr_value_percent, TCR_YAML_SCALAR, "a percentage" },
    [TCR_KIND_TEXT] = { tcr_value_text, TCR_YAML_SCALAR, "a text" },
    [TCR_KIND_PATH] = { tcr_value_path, TCR_YAML_SCALAR, "a path" },
    [TCR_KIND_URL] = { tcr_value_url, TCR_YAML_SCALAR, "a URL" },
    [TCR_KIND_FILE] = { tcr_value_file, TCR_YAML_SCALAR, "\"file:/PATH\"" },
    [TCR_KIND_ORIGIN] = { tcr_value_origin, TCR_YAML_SCALAR,
                          "\"https://HOST[:PORT]\"" },
    [TCR_KIND_WORD] = { tcr_value_word, TCR_YAML_SCALAR, "a word" },
    [TCR_KIND_HOSTS] = { tcr_value_hosts, TCR_YAML_SEQUENCE,
                         "a list of HOST[:PORT]" },
    [TCR_KIND_REAL] = { tcr_value_real, TCR_YAML_SCALAR, "a number" },
    [TCR_KIND_TEXTS] = { tcr_value_texts, TCR_YAML_SEQUENCE, "a list" },
    [TCR_KIND_MEMBERS] = { keep_node, TCR_YAML_MAPPING,
                           "names with values" },
    [TCR_KIND_ITEMS] = { keep_node, TCR_YAML_SEQUENCE, "a list" },
    [TCR_KIND_MAP] = { NULL, TCR_YAML_MAPPING, "keys with values" }
};

static const char *const  type_names[] = {
    [TCR_YAML_SCALAR] = "one value",
    [TCR_YAML_SEQUENCE] = "a list",
    [TCR_YAML_MAPPING] = "a mapping"
};


bool
tcr_schema_is(const tcr_yaml_t *node, tcr_yaml_type_e type,
    const char *expected, tcr_report_t *report)
{
    if (tcr_yaml_is_null(node)) {
        tcr_yaml_wrong(report, node, "is empty, expected %s", expected);
        return false;
    }

    if (node->type != type) {
        tcr_yaml_wrong(report, node, "is %s, expected %s",
                       type_names[node->type], expected);
        return false;
    }

    return true;
}


static void
unknown_key(const tcr_yaml_t *member, const tcr_key_t *keys, size_t n,
    tcr_report_t *report)
{
    size_t       i;
    tcr_yaml_t   shown = *member;
    const char  *names[KEYS_MAX], *near;

    for (i = 0; i < n && i < KEYS_MAX; i++) {
        names[i] = keys[i].name;
    }

    shown.pos = member->key->pos;
    near = tcr_schema_near(member->key->text, names, i);

    if (near != NULL) {
        tcr_yaml_wrong(report, &shown, "unknown key, did you mean \"%s\"",
                       near);

    } else {
        tcr_yaml_wrong(report, &shown, "unknown key");
    }
}


/* A default is read by the code that reads what an operator wrote. */
static void
set_default(const tcr_key_t *key, void *out, tcr_arena_t *arena,
    tcr_report_t *report)
{
    tcr_value_t     v;
    tcr_yaml_t  node;

    if (key->def == NULL) {
        return;
    }

    memset(&node, 0, sizeof(node));
    node.pos.file = "default";
    v = (tcr_value_t) { key, &node, tcr_str(key->def),
                        (char *) out + key->offset, arena, report };
    kinds[key->kind].read(&v);
}


static void
read_member(const tcr_yaml_t *node, const tcr_key_t *key, void *out,
    tcr_arena_t *arena, tcr_report_t *report)
{
    tcr_value_t  v = { key, node, node->text, (char *) out + key->offset, arena,
                       report };

    if (!tcr_schema_is(node, kinds[key->kind].type, kinds[key->kind].name,
                       report))
    {
        return;
    }

    if (key->kind == TCR_KIND_MAP) {
        tcr_schema_read(node, key->keys, key->n_keys, out, arena, report);

    } else {
        kinds[key->kind].read(&v);
    }
}


static void
absent_member(const tcr_yaml_t *map, const tcr_key_t *key, void *out,
    tcr_arena_t *arena, tcr_report_t *report)
{
    if (key->kind == TCR_KIND_MAP) {
        tcr_schema_read(NULL, key->keys, key->n_keys, out, arena, report);

    } else {
        set_default(key, out, arena, report);
    }

    if (key->required && map != NULL) {
        tcr_yaml_wrong(report, map, "\"%s\" is missing", key->name);
    }
}


bool
tcr_schema_member(const tcr_yaml_t *map, const tcr_key_t *key, void *out,
    tcr_arena_t *arena, tcr_report_t *report)
{
    size_t             errors = report->count[TCR_REPORT_ERROR];
    const tcr_yaml_t  *member = tcr_yaml_get(map, key->name);

    if (member == NULL) {
        absent_member(map, key, out, arena, report);

    } else {
        set_default(key, out, arena, report);
        read_member(member, key, out, arena, report);
    }

    return report->count[TCR_REPORT_ERROR] == errors
           && (member != NULL || key->def != NULL);
}


void
tcr_schema_unknown(const tcr_yaml_t *map, const tcr_key_t *keys, size_t n,
    tcr_report_t *report)
{
    size_t             i;
    const tcr_yaml_t  *member;

    for (member = map != NULL ? map->first : NULL; member != NULL;
         member = member->next)
    {
        for (i = 0; i < n; i++) {

            if (tcr_str_eq(member->key->text, tcr_str(keys[i].name))) {
                break;
            }
        }

        if (i == n) {
            unknown_key(member, keys, n, report);
        }
    }
}


void
tcr_schema_read(const tcr_yaml_t *map, const tcr_key_t *keys, size_t n,
    void *out, tcr_arena_t *arena, tcr_report_t *report)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        tcr_schema_member(map, &keys[i], out, arena, report);
    }

    tcr_schema_unknown(map, keys, n, report);
}
