/* SPDX-License-Identifier: Apache-2.0 */

/* The file of keys: read, checked, written as a whole. */

#include "tcr_keys_store.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_buf.h"
#include "tcr_file.h"

#define FILE_BYTES  (64u << 20)


/* The first problem that means a lost key, or NULL. */
static const char *
first_lost(const tcr_report_t *report)
{
    const tcr_problem_t  *p;

    for (p = report->first; p != NULL; p = p->next) {

        if (p->severity != TCR_REPORT_WARNING) {
            return p->text;
        }
    }

    return NULL;
}


static int
parse(tcr_keys_store_t *s, tcr_str_t text, tcr_dnsseckeys_t *out,
    tcr_err_t *err)
{
    const char      *lost;
    tcr_report_t     report;
    tcr_json_doc_t   doc;

    memset(out, 0, sizeof(*out));
    tcr_report_init(&report, s->arena, 0);

    if (tcr_json_parse(&doc, s->arena, s->path, text, err) != 0
        || tcr_dnsseckeys_parse(out, s->arena, &doc, 60, &report, err) != 0)
    {
        return -1;
    }

    lost = first_lost(&report);

    if (lost != NULL) {
        tcr_dnsseckeys_free(out);
        return tcr_err_set(err, "%s", lost);
    }

    return 0;
}


static int
check_mode(const tcr_keys_store_t *s, tcr_err_t *err)
{
    struct stat  st;

    if (stat(s->path, &st) != 0) {
        return tcr_err_set(err, "cannot look at \"%s\": %s", s->path,
                           strerror(errno));
    }

    if ((st.st_mode & 077) != 0) {
        return tcr_err_set(err, "\"%s\" has mode %04o, expected 0600: others "
                           "may know these keys", s->path,
                           (unsigned) (st.st_mode & 07777));
    }

    return 0;
}


static int
read_file(tcr_keys_store_t *s, tcr_err_t *err)
{
    size_t      i;
    tcr_file_t  file;
    tcr_str_t   text;

    if (access(s->path, F_OK) != 0 && errno == ENOENT) {
        return 0;
    }

    if (check_mode(s, err) != 0
        || tcr_file_map(&file, s->path, FILE_BYTES, err) != 0)
    {
        return -1;
    }

    /* the model points into the text */
    text = tcr_arena_strdup(s->arena, file.text);
    tcr_file_unmap(&file);

    if (text.data == NULL) {
        return tcr_err_set(err, "out of memory");
    }

    if (parse(s, text, &s->read, err) != 0) {
        return -1;
    }

    for (i = 0; i < s->read.n; i++) {

        if (tcr_keys_store_add(s, &s->read.items[i], err) != 0) {
            return -1;
        }
    }

    return 0;
}


int
tcr_keys_store_open(tcr_keys_store_t *s, const char *dir, tcr_err_t *err)
{
    memset(s, 0, sizeof(*s));
    s->dir = TCR_TOOL_DIR_CLOSED;
    s->arena = tcr_arena_create(0);

    if (s->arena != NULL) {
        s->path = tcr_arena_printf(s->arena, "%s/%s", dir, TCR_KEYS_FILE);
    }

    if (s->path == NULL) {
        tcr_keys_store_close(s);
        return tcr_err_set(err, "out of memory");
    }

    if (tcr_tool_dir_open(&s->dir, dir, 0700, err) != 0
        || read_file(s, err) != 0)
    {
        tcr_keys_store_close(s);
        return -1;
    }

    return 0;
}


void
tcr_keys_store_close(tcr_keys_store_t *s)
{
    tcr_dnsseckeys_free(&s->read);
    free(s->items);
    tcr_arena_destroy(s->arena);

    tcr_tool_dir_close(&s->dir);
    memset(s, 0, sizeof(*s));
    s->dir = TCR_TOOL_DIR_CLOSED;
}


int
tcr_keys_store_add(tcr_keys_store_t *s, const tcr_dnsseckey_t *key,
    tcr_err_t *err)
{
    size_t            room = s->room != 0 ? s->room * 2 : 64;
    tcr_dnsseckey_t  *items;

    if (s->n == s->room) {
        items = realloc(s->items, room * sizeof(*items));

        if (items == NULL) {
            return tcr_err_set(err, "out of memory");
        }

        s->items = items;
        s->room = room;
    }

    s->items[s->n++] = *key;
    return 0;
}


void
tcr_keys_store_remove(tcr_keys_store_t *s, size_t i)
{
    s->n--;
    memmove(&s->items[i], &s->items[i + 1], (s->n - i) * sizeof(*s->items));
}


/* --- writing --- */

/* A text in base64 as a JSON string. */
static void
add_base64(tcr_buf_t *out, const char *name, tcr_str_t text)
{
    char  *base64 = malloc(text.len / 3 * 4 + 5);

    if (base64 == NULL) {
        out->failed = true;
        return;
    }

    EVP_EncodeBlock((unsigned char *) base64, (const unsigned char *) text.data,
                    (int) text.len);
    tcr_buf_printf(out, ",\"%s\":\"%s\"", name, base64);
    OPENSSL_cleanse(base64, strlen(base64));
    free(base64);
}


static void
add_key(tcr_buf_t *out, const tcr_dnsseckey_t *key)
{
    tcr_buf_t  line;

    tcr_buf_init(&line, FILE_BYTES);
    tcr_buf_printf(&line, "%.*s.\t%u\tIN\tDNSKEY\t%u 3 %u %.*s\n",
                   TCR_STR_ARG(key->zone), key->ttl, key->flags,
                   key->algorithm, TCR_STR_ARG(key->public_key));
    tcr_buf_printf(out, "{\"name\":\"%.*s.\",\"ttl\":\"%u\",\"status\":\"new\""
                   ",\"inceptionDate\":%lld,\"effectiveDate\":%lld,"
                   "\"expirationDate\":%lld", TCR_STR_ARG(key->zone),
                   key->ttl, (long long) key->inception,
                   (long long) key->effective, (long long) key->expiration);

    if (line.failed) {
        out->failed = true;

    } else {
        add_base64(out, "public", tcr_str_n(line.data, line.len));
        add_base64(out, "private", key->private_key);
    }

    tcr_buf_char(out, '}');
    tcr_buf_free(&line);
}


/* Keys of one kind of the zone that item `first` is of. */
static void
add_kind(const tcr_keys_store_t *s, size_t first, const char *name,
    uint16_t flags, tcr_buf_t *out)
{
    size_t  i, n;

    tcr_buf_printf(out, "\"%s\":[", name);

    for (i = first, n = 0; i < s->n; i++) {

        if (s->items[i].flags == flags
            && tcr_str_eq(s->items[i].zone, s->items[first].zone))
        {
            tcr_buf_str(out, n++ != 0 ? TCR_STR(",\n  ") : TCR_STR("\n  "));
            add_key(out, &s->items[i]);
        }
    }

    tcr_buf_str(out, TCR_STR("]"));
}


static bool
is_first_of_zone(const tcr_keys_store_t *s, size_t at)
{
    size_t  i;

    for (i = 0; i < at; i++) {

        if (tcr_str_eq(s->items[i].zone, s->items[at].zone)) {
            return false;
        }
    }

    return true;
}


static void
write_document(const tcr_keys_store_t *s, tcr_buf_t *out)
{
    size_t  i, n;

    tcr_buf_str(out, TCR_STR("{\"response\":{"));

    for (i = 0, n = 0; i < s->n; i++) {

        if (!is_first_of_zone(s, i)) {
            continue;
        }

        tcr_buf_printf(out, "%s\n\"%.*s\":{", n++ != 0 ? "," : "",
                       TCR_STR_ARG(s->items[i].zone));
        add_kind(s, i, "ksk", 257, out);
        tcr_buf_char(out, ',');
        add_kind(s, i, "zsk", 256, out);
        tcr_buf_char(out, '}');
    }

    tcr_buf_str(out, TCR_STR("\n}}\n"));
}


int
tcr_keys_store_save(tcr_keys_store_t *s, tcr_err_t *err)
{
    int               rc = -1;
    tcr_buf_t         out;
    tcr_dnsseckeys_t  again;

    tcr_buf_init(&out, FILE_BYTES);
    write_document(s, &out);

    if (out.failed) {
        tcr_err_set(err, "no memory for \"%s\", or it has more than %u bytes",
                    s->path, FILE_BYTES);

    } else if (parse(s, tcr_str_n(out.data, out.len), &again, err) == 0) {
        rc = again.n == s->n ? 0 : tcr_err_set(err, "\"%s\" would hold %zu of "
                                               "%zu keys", s->path, again.n,
                                               s->n);
        tcr_dnsseckeys_free(&again);
    }

    if (rc == 0) {
        rc = tcr_file_replace(s->dir.fd, TCR_KEYS_FILE, out.data, out.len, 0600,
                              err);
    }

    if (out.data != NULL) {
        OPENSSL_cleanse(out.data, out.len);
    }

    tcr_buf_free(&out);
    return rc;
}
