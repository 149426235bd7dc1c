/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Values that are words, texts, paths, URLs and lists of them.
 */

#include "tcr_schema_value.h"

#include <stdio.h>


void
tcr_value_bool(tcr_value_t *v)
{
    size_t  i;

    static const char *const  words[] = {
        "false", "true", "no", "yes", "off", "on"
    };

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {

        if (tcr_str_eq(v->text, tcr_str(words[i]))) {
            *(bool *) v->out = i % 2 == 1;
            return;
        }
    }

    tcr_value_wrong(v, "true or false");
}


void
tcr_value_word(tcr_value_t *v)
{
    size_t       i, n;
    char         expected[200];
    const char  *near;

    for (n = 0; v->key->words[n] != NULL; n++) {

        if (tcr_str_eq(v->text, tcr_str(v->key->words[n]))) {
            *(int64_t *) v->out = (int64_t) n;
            return;
        }
    }

    near = tcr_schema_near(v->text, v->key->words, n);

    if (near != NULL) {
        tcr_yaml_wrong(v->report, v->node, "is \"%.*s\", did you mean \"%s\"",
                       TCR_STR_ARG(v->text), near);
        return;
    }

    expected[0] = '\0';

    for (i = 0; i < n; i++) {
        snprintf(expected + strlen(expected),
                 sizeof(expected) - strlen(expected), "%s%s",
                 i == 0 ? "one of " : ", ", v->key->words[i]);
    }

    tcr_value_wrong(v, expected);
}


/* No byte that would end a C string or forge a line of a log. */
static bool
is_text(tcr_str_t text)
{
    size_t  i;

    for (i = 0; i < text.len; i++) {

        if ((unsigned char) text.data[i] < 0x20 || text.data[i] == 0x7f) {
            return false;
        }
    }

    return text.len != 0;
}


void
tcr_value_text(tcr_value_t *v)
{
    if (!is_text(v->text)) {
        tcr_value_wrong(v, "text without control characters");
        return;
    }

    *(tcr_str_t *) v->out = tcr_value_copy(v, v->text);
}


void
tcr_value_path(tcr_value_t *v)
{
    if (!is_text(v->text) || v->text.data[0] != '/') {
        tcr_value_wrong(v, "an absolute path");
        return;
    }

    *(tcr_str_t *) v->out = tcr_value_copy(v, v->text);
}


/* The path of a "file:" URL, which names this host if any; absent = none. */
static tcr_str_t
file_path(tcr_str_t url)
{
    static const char *const  starts[] = {
        "file://localhost/", "file:///", "file:/"
    };

    size_t     i;
    tcr_str_t  start;

    for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        start = tcr_str(starts[i]);

        if (tcr_str_starts(url, start) && url.len > start.len
            && url.data[start.len] != '/')
        {
            return tcr_str_n(url.data + start.len - 1,
                             url.len - start.len + 1);
        }
    }

    return tcr_str(NULL);
}


/* Kept as "file:" and the path, whatever spelling was used. */
static bool
read_file_url(tcr_value_t *v)
{
    char       *url;
    tcr_str_t   path = file_path(v->text);

    if (!is_text(v->text) || path.data == NULL) {
        return false;
    }

    url = tcr_arena_printf(v->arena, "file:%.*s", TCR_STR_ARG(path));
    *(tcr_str_t *) v->out = url != NULL ? tcr_str(url)
                                        : tcr_value_copy(v, path);
    return true;
}


void
tcr_value_file(tcr_value_t *v)
{
    if (!read_file_url(v)) {
        tcr_value_wrong(v, "\"file:/PATH\"");
    }
}


static tcr_str_t
without_scheme(tcr_str_t url)
{
    tcr_str_t  http = TCR_STR("http://"), https = TCR_STR("https://");

    if (tcr_str_starts(url, http)) {
        return tcr_str_n(url.data + http.len, url.len - http.len);
    }

    if (tcr_str_starts(url, https)) {
        return tcr_str_n(url.data + https.len, url.len - https.len);
    }

    return tcr_str(NULL);
}


void
tcr_value_url(tcr_value_t *v)
{
    tcr_str_t  rest = without_scheme(v->text);

    if (read_file_url(v)) {
        return;
    }

    if (!is_text(v->text) || rest.data == NULL || rest.len == 0
        || rest.data[0] == '/' || tcr_str_find(v->text, ' ') != v->text.len)
    {
        tcr_value_wrong(v, "\"file:/PATH\", \"http://...\" or \"https://...\"");
        return;
    }

    *(tcr_str_t *) v->out = tcr_value_copy(v, v->text);
}


/* HOST[:PORT] or [V6][:PORT], without a scheme. */
static bool
is_host(tcr_str_t text)
{
    size_t      i, end;
    uint64_t    port;
    const char *more;
    bool        v6 = text.len != 0 && text.data[0] == '[';

    end = tcr_str_find(text, v6 ? ']' : ':');

    if (end == v6 || (v6 && end++ == text.len)) {
        return false;
    }

    more = v6 ? "[]:" : "-._";

    for (i = 0; i < end; i++) {

        if (!(text.data[i] >= '0' && text.data[i] <= '9')
            && !(tcr_lower(text.data[i]) >= 'a'
                 && tcr_lower(text.data[i]) <= 'z')
            && (text.data[i] == '\0' || strchr(more, text.data[i]) == NULL))
        {
            return false;
        }
    }

    if (end == text.len) {
        return true;
    }

    return text.data[end] == ':'
           && tcr_parse_uint(tcr_str_n(text.data + end + 1,
                                       text.len - end - 1), 1, 65535, &port)
              == 0;
}


void
tcr_value_origin(tcr_value_t *v)
{
    tcr_str_t  host = without_scheme(v->text);

    if (!is_text(v->text) || host.data == NULL || !is_host(host)) {
        tcr_value_wrong(v, "\"https://HOST[:PORT]\"");
        return;
    }

    *(tcr_str_t *) v->out = tcr_value_copy(v, v->text);
}


void
tcr_value_hosts(tcr_value_t *v)
{
    tcr_str_t          host;
    tcr_texts_t       *out = v->out;
    const tcr_yaml_t  *list = v->node, *item;

    out->items = tcr_arena_calloc(v->arena, list->n + 1, sizeof(tcr_str_t));

    if (list->n == 0 || out->items == NULL) {
        tcr_yaml_wrong(v->report, list, "is empty, expected a list of "
                       "HOST[:PORT]");
        return;
    }

    for (item = list->first; item != NULL; item = item->next) {
        v->node = item;
        v->text = item->text;
        host = without_scheme(item->text);

        if (item->type != TCR_YAML_SCALAR
            || !is_host(host.data != NULL ? host : item->text))
        {
            tcr_value_wrong(v, "HOST or HOST:PORT");
            continue;
        }

        out->items[out->n++] = tcr_value_copy(v, item->text);
    }
}


void
tcr_value_texts(tcr_value_t *v)
{
    tcr_texts_t       *out = v->out;
    const tcr_yaml_t  *list = v->node, *item;

    out->items = tcr_arena_calloc(v->arena, list->n + 1, sizeof(tcr_str_t));

    if (out->items == NULL) {
        tcr_yaml_wrong(v->report, list, "no memory to keep it");
        return;
    }

    for (item = list->first; item != NULL; item = item->next) {
        v->node = item;
        v->text = item->text;

        if (tcr_schema_is(item, TCR_YAML_SCALAR, "a text", v->report)) {
            v->out = &out->items[out->n++];
            tcr_value_text(v);
        }
    }
}
