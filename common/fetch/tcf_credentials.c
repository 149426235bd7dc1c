/* SPDX-License-Identifier: Apache-2.0 */

/* Credentials: who may read the file, what stands in it. */

#include "tcf_credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_jw.h"
#include "tcr_yaml.h"

#define FILE_BYTES  4096


/* Reads it through the descriptor that was checked; bytes without the end. */
static ssize_t
read_file(const char *path, char text[FILE_BYTES], tcr_err_t *err)
{
    int          fd;
    ssize_t      n = -1;
    struct stat  st;

    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd == -1 || fstat(fd, &st) != 0) {
        tcr_err_set(err, "cannot open the credentials \"%s\": %s", path,
                    strerror(errno));

    } else if (!S_ISREG(st.st_mode)) {
        tcr_err_set(err, "the credentials \"%s\" are not a regular file",
                    path);

    } else if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        tcr_err_set(err, "the credentials \"%s\" have mode 0%03o, expected "
                    "0600: others must not read them", path,
                    (unsigned) st.st_mode & 0777);

    } else if (st.st_uid != geteuid() && st.st_uid != 0) {
        tcr_err_set(err, "the credentials \"%s\" belong to another user",
                    path);

    } else {
        n = read(fd, text, FILE_BYTES);

        if (n == FILE_BYTES) {
            n = tcr_err_set(err, "the credentials \"%s\" are longer than %d "
                            "bytes", path, FILE_BYTES - 1);

        } else if (n < 0) {
            tcr_err_set(err, "cannot read the credentials \"%s\": %s", path,
                        strerror(errno));
        }
    }

    if (fd != -1) {
        close(fd);
    }

    return n;
}


static const tcr_yaml_t *
find_text(const tcr_yaml_t *root, const char *name)
{
    const tcr_yaml_t  *node = tcr_yaml_get(root, name);

    return node != NULL && node->type == TCR_YAML_SCALAR && node->text.len != 0
           ? node : NULL;
}


/* YAML's own words are not passed on: they may quote what stands there. */
static char *
make_body(const char *path, tcr_str_t text, tcr_arena_t *arena,
    tcr_err_t *err)
{
    tcr_jw_t           w;
    tcr_buf_t          buf;
    tcr_yaml_t        *root;
    tcr_report_t       report;
    const tcr_yaml_t  *user = NULL, *password = NULL;

    tcr_report_init(&report, arena, 1);

    if (tcr_yaml_parse(&root, arena, path, text, &report) == 0
        && report.count[TCR_REPORT_ERROR] == 0)
    {
        user = find_text(root, "user");
        password = find_text(root, "password");
    }

    if (user == NULL || password == NULL) {
        tcr_err_set(err, "the credentials \"%s\" are not of the form \"user: "
                    "NAME\", \"password: WORD\" in two lines", path);
        return NULL;
    }

    tcr_buf_init(&buf, 16 * FILE_BYTES);
    w = tcr_jw(&buf);
    tcr_jw_open(&w, NULL, '{');
    tcr_jw_str(&w, "u", user->text);
    tcr_jw_str(&w, "p", password->text);
    tcr_jw_close(&w, '}');
    tcr_buf_char(&buf, '\0');

    if (buf.failed) {
        tcr_err_set(err, "no memory for logging in");
        tcr_buf_free(&buf);
        return NULL;
    }

    return buf.data;
}


char *
tcf_credentials_read(const char *path, tcr_err_t *err)
{
    char         *body = NULL, text[FILE_BYTES];
    ssize_t       n = read_file(path, text, err);
    tcr_arena_t  *arena;

    if (n < 0) {
        return NULL;
    }

    arena = tcr_arena_create(0);

    if (arena == NULL) {
        tcr_err_set(err, "no memory for logging in");

    } else {
        body = make_body(path, tcr_str_n(text, (size_t) n), arena, err);
    }

    explicit_bzero(text, sizeof(text));
    tcr_arena_destroy_wiped(arena);
    return body;
}


int
tcf_credentials_check(const char *path, tcr_err_t *err)
{
    char  *body = tcf_credentials_read(path, err);

    if (body == NULL) {
        return -1;
    }

    explicit_bzero(body, strlen(body));
    free(body);
    return 0;
}
