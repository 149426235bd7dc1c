/* SPDX-License-Identifier: Apache-2.0 */

/* The file of challenges: read, checked, written as a whole. */

#include "tcr_acme_store.h"

#include <errno.h>
#include <unistd.h>

#include "tcr_file.h"
#include "tcr_jw.h"

#define FILE_BYTES  (16u << 20)


static int
parse(tcr_acme_store_t *s, tcr_str_t text, tcr_json_doc_t *doc,
    tcr_challenges_t *out, tcr_err_t *err)
{
    tcr_report_t  report;

    tcr_report_init(&report, s->arena, 0);

    if (tcr_json_parse(doc, s->arena, s->path, text, err) != 0
        || tcr_challenges_parse(out, s->arena, doc, &report, err) != 0)
    {
        return -1;
    }

    return report.first == NULL ? 0
           : tcr_err_set(err, "%s", report.first->text);
}


static int
take_items(tcr_acme_store_t *s, const tcr_json_doc_t *doc,
    const tcr_challenges_t *read, tcr_err_t *err)
{
    const tcr_json_t  *node;

    s->items = tcr_arena_calloc(s->arena, read->n + 1, sizeof(*s->items));

    if (s->items == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    for (node = tcr_json_first(tcr_json_get(doc->root, "response"));
         node != NULL && s->n < read->n;
         node = node->next)
    {
        s->items[s->n] = (tcr_acme_item_t) {
            .name = read->items[s->n].owner,
            .text = read->items[s->n].text,
            .token = tcr_json_str(tcr_json_get(node, "record"), TCR_STR("")),
            .set = tcr_json_long(tcr_json_get(node, "set"), 0)
        };
        s->n++;
    }

    return 0;
}


static int
read_file(tcr_acme_store_t *s, tcr_err_t *err)
{
    tcr_file_t        file;
    tcr_str_t         text = TCR_STR("{\"response\":[]}");
    tcr_json_doc_t    doc;
    tcr_challenges_t  read;

    if (access(s->path, F_OK) == 0 || errno != ENOENT) {

        if (tcr_file_map(&file, s->path, FILE_BYTES, err) != 0) {
            return -1;
        }

        /* the items point into the text */
        text = tcr_arena_strdup(s->arena, file.text);
        tcr_file_unmap(&file);

        if (text.data == NULL) {
            return tcr_err_set(err, "out of memory");
        }
    }

    return parse(s, text, &doc, &read, err) == 0
           ? take_items(s, &doc, &read, err) : -1;
}


int
tcr_acme_store_open(tcr_acme_store_t *s, const char *dir, tcr_err_t *err)
{
    memset(s, 0, sizeof(*s));
    s->dir = TCR_TOOL_DIR_CLOSED;
    s->arena = tcr_arena_create(0);

    if (s->arena != NULL) {
        s->path = tcr_arena_printf(s->arena, "%s/" TCR_ACME_FILE, dir);
    }

    if (s->path == NULL) {
        tcr_acme_store_close(s);
        return tcr_err_set(err, "out of memory");
    }

    if (tcr_tool_dir_open(&s->dir, dir, 0755, err) != 0
        || read_file(s, err) != 0)
    {
        tcr_acme_store_close(s);
        return -1;
    }

    return 0;
}


void
tcr_acme_store_unlock(tcr_acme_store_t *s)
{
    tcr_tool_dir_unlock(&s->dir);
}


void
tcr_acme_store_close(tcr_acme_store_t *s)
{
    tcr_arena_destroy(s->arena);
    tcr_tool_dir_close(&s->dir);
    memset(s, 0, sizeof(*s));
    s->dir = TCR_TOOL_DIR_CLOSED;
}


static void
write_document(const tcr_acme_store_t *s, tcr_buf_t *out)
{
    size_t    i;
    tcr_jw_t  w = tcr_jw(out);

    tcr_jw_open(&w, NULL, '{');
    tcr_jw_open(&w, "response", '[');

    for (i = 0; i < s->n; i++) {
        tcr_jw_open(&w, NULL, '{');
        tcr_jw_str(&w, "fqdn", s->items[i].name);
        tcr_jw_str(&w, "record", s->items[i].token);
        tcr_jw_int(&w, "set", s->items[i].set);
        tcr_jw_close(&w, '}');
    }

    tcr_jw_close(&w, ']');
    tcr_jw_close(&w, '}');
    tcr_buf_char(out, '\n');
}


int
tcr_acme_store_save(tcr_acme_store_t *s, tcr_err_t *err)
{
    int               rc = -1;
    size_t            i;
    tcr_str_t         text;
    tcr_buf_t         out;
    tcr_json_doc_t    doc;
    tcr_challenges_t  again;

    tcr_buf_init(&out, FILE_BYTES);
    write_document(s, &out);
    text = out.failed ? tcr_str(NULL)
           : tcr_arena_strdup(s->arena, tcr_str_n(out.data, out.len));

    if (text.data == NULL) {
        tcr_err_set(err, "no memory for \"%s\", or it has more than %u bytes",
                    s->path, FILE_BYTES);

    } else if (parse(s, text, &doc, &again, err) == 0) {
        rc = again.n == s->n ? 0
             : tcr_err_set(err, "a token is empty, expected 1 to 255 "
                           "printable characters");
    }

    if (rc == 0) {
        rc = tcr_file_replace(s->dir.fd, TCR_ACME_FILE, text.data, text.len,
                              0644, err);
    }

    for (i = 0; rc == 0 && i < s->n; i++) {
        s->items[i].text = again.items[i].text;
    }

    tcr_buf_free(&out);
    return rc;
}
