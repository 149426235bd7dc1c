/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Asking for a setting: a file's value, else the Java property of that name,
 * else the default (spec/inputs.md §3).  Who asks marks it as used.
 */

#include "tcr_import.h"

#include <inttypes.h>

#define TEXT_MAX  (4u << 20)      /* bytes of a value with names replaced    */


static tcr_import_value_t
take(tcr_property_t *property, const char *def)
{
    if (property == NULL) {
        return (tcr_import_value_t) { tcr_str(def), NULL, 0 };
    }

    property->used = true;
    return (tcr_import_value_t) { property->value, property->file,
                                  property->line };
}


tcr_import_value_t
tcr_import_take(tcr_import_t *im, const char *name, const char *def)
{
    tcr_property_t  *property = tcr_properties_find(&im->local, name);

    if (property == NULL) {
        property = tcr_properties_find(&im->java, name);
    }

    return take(property, def);
}


tcr_import_value_t
tcr_import_take_https(tcr_import_t *im, const char *name, const char *def)
{
    return take(tcr_properties_find(&im->https, name), def);
}


static int64_t
number(tcr_import_t *im, const tcr_import_value_t *value, const char *name,
    int64_t min, int64_t max, int64_t def)
{
    uint64_t   n = 0;
    tcr_str_t  text = tcr_str_trim(value->value);

    if (value->file == NULL) {
        return def;
    }

    if (min < 0 && tcr_str_eq(text, TCR_STR("-1"))) {
        return -1;
    }

    if (tcr_parse_uint(text, min > 0 ? (uint64_t) min : 0, (uint64_t) max, &n)
        != 0)
    {
        tcr_import_say(im, TCR_REPORT_ERROR, value->file, value->line, name,
                       "is \"%.*s\", expected a whole number from %" PRId64
                       " to %" PRId64, TCR_STR_ARG(value->value), min, max);
        return def;
    }

    return (int64_t) n;
}


int64_t
tcr_import_number(tcr_import_t *im, const char *name, int64_t min,
    int64_t max, int64_t def)
{
    tcr_import_value_t  value = tcr_import_take(im, name, NULL);

    return number(im, &value, name, min, max, def);
}


/* "${name}": a Java property, as the container replaces them. */
static tcr_str_t
expand(tcr_import_t *im, const tcr_xml_t *element, const char *attr,
    tcr_str_t text)
{
    size_t           i, end;
    char            *name;
    tcr_buf_t        out;
    tcr_property_t  *property;

    tcr_buf_init(&out, TEXT_MAX);

    for (i = 0; i < text.len; i++) {
        end = i + 1 < text.len && text.data[i] == '$'
              && text.data[i + 1] == '{'
              ? tcr_str_find(tcr_str_n(text.data + i, text.len - i), '}') : 0;

        if (end == 0 || end == text.len - i) {
            tcr_buf_char(&out, text.data[i]);
            continue;
        }

        name = tcr_arena_printf(im->arena, "%.*s", (int) end - 2,
                                text.data + i + 2);
        property = name != NULL ? tcr_properties_find(&im->java, name) : NULL;

        if (property == NULL) {
            tcr_import_say(im, TCR_REPORT_ERROR, im->server_file,
                           element->line, attr, "no \"-D%s=...\" in "
                           "startup.properties", name != NULL ? name : "");

        } else {
            tcr_buf_str(&out, property->value);
        }

        i += end;
    }

    text = tcr_arena_strdup(im->arena, tcr_str_n(out.len != 0 ? out.data : "",
                                                 out.len));
    tcr_buf_free(&out);
    return text;
}


tcr_import_value_t
tcr_import_take_attr(tcr_import_t *im, tcr_xml_t *element, const char *name,
    const char *def)
{
    tcr_xml_attr_t  *attr = tcr_xml_attr(element, name);

    if (attr == NULL) {
        return (tcr_import_value_t) { tcr_str(def), NULL, 0 };
    }

    attr->used = true;
    return (tcr_import_value_t) { expand(im, element, name, attr->value),
                                  im->server_file, element->line };
}


int64_t
tcr_import_attr_number(tcr_import_t *im, tcr_xml_t *element,
    const char *name, int64_t min, int64_t max, int64_t def)
{
    tcr_import_value_t  value = tcr_import_take_attr(im, element, name, NULL);

    return number(im, &value, name, min, max, def);
}
