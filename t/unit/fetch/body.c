/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Files read, gzip unpacked, limits kept.
 */

#include "tcf_body.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tap.h"


static tcr_err_t  err;
static char       dir[] = "/tmp/tcf-body-XXXXXX";


/* A body of n gzip members, each n times the letter. */
static tcf_body_t
packed(size_t members, size_t each, size_t cut)
{
    size_t      i;
    char       *plain = malloc(each + 1);
    z_stream    z;
    tcf_body_t  body = { .data = NULL };

    memset(plain, 'x', each);
    body.data = malloc(members * (each + 100));

    for (i = 0; i < members; i++) {
        memset(&z, 0, sizeof(z));
        deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
        z.next_in = (Bytef *) plain;
        z.avail_in = (uInt) each;
        z.next_out = (Bytef *) body.data + body.len;
        z.avail_out = (uInt) (each + 100);
        deflate(&z, Z_FINISH);
        body.len += z.total_out;
        deflateEnd(&z);
    }

    free(plain);
    body.len -= cut;
    return body;
}


static void
unpacked(size_t members, size_t each, size_t cut, uint64_t too_big,
    const char *why)
{
    tcf_body_t  body = packed(members, each, cut);
    int         rc = tcf_body_gunzip(&body, too_big, &err);

    if (why == NULL) {
        is_int(rc, 0, "%zu x %zu bytes", members, each);
        is_int(body.len, members * each, "all of them");
        ok(body.len == 0 || body.data[body.len - 1] == 'x', "the last one");

    } else {
        is_int(rc, -1, "%zu x %zu bytes, refused", members, each);
        is_str(err.text, why, "why");
        ok(body.data != NULL, "the body is as it was");
    }

    tcf_body_free(&body);
}


static void
gzip(void)
{
    tcf_body_t  body = { .data = strdup("{}"), .len = 2 };

    is_int(tcf_body_gunzip(&body, 1, &err), 0, "no gzip");
    is_int(body.len, 2, "is left as it is");
    tcf_body_free(&body);

    unpacked(1, 1000, 0, 1000, NULL);
    unpacked(3, 100000, 0, 300000, NULL);
    unpacked(1, 0, 0, 1000, NULL);
    unpacked(1, 1000, 0, 999, "is larger than 999 bytes when unpacked");
    unpacked(1, 10000000, 0, 70000, "is larger than 70000 bytes when unpacked");
    unpacked(3, 100000, 0, 299999,
             "is larger than 299999 bytes when unpacked");
    unpacked(1, 100000, 5, 200000, "is damaged gzip: it is cut");
    unpacked(1, 100000, 100, 200000, "is damaged gzip: it is cut");
}


static void
put(const char *path, const char *text)
{
    FILE  *f = fopen(path, "w");

    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) {
        printf("Bail out! cannot write \"%s\"\n", path);
        exit(1);
    }
}


static void
files(void)
{
    char             path[64], url[80], fifo[64];
    tcf_body_t       body;
    tcf_validator_t  none = { "", "" }, known;

    snprintf(path, sizeof(path), "%s/a", dir);
    snprintf(fifo, sizeof(fifo), "%s/f", dir);
    snprintf(url, sizeof(url), "file:%s", path);

    is_int(tcf_body_read(&body, url, 10, NULL, &none, &err), -1, "no file");
    ok(strstr(err.text, "No such file") != NULL, "%s", err.text);

    is_int(tcf_body_read(&body, url, 10, "none", &none, &err), 0,
           "no file where there need not be one");
    ok(body.len == 4 && memcmp(body.data, "none", 4) == 0, "its stand-in");
    known = body.validator;
    tcf_body_free(&body);
    is_int(tcf_body_read(&body, url, 10, "none", &known, &err), 1,
           "still none");

    put(path, "0123456789");
    is_int(tcf_body_read(&body, url, 10, "none", &known, &err), 0,
           "there is one now");
    tcf_body_free(&body);
    is_int(tcf_body_read(&body, url, 10, NULL, &none, &err), 0, "a file");
    ok(body.len == 10 && memcmp(body.data, "0123456789", 10) == 0, "its text");
    is_str(body.from, path, "its name");
    known = body.validator;
    tcf_body_free(&body);

    is_int(tcf_body_read(&body, url, 10, NULL, &known, &err), 1, "not changed");
    ok(body.data == NULL, "nothing is read");

    is_int(tcf_body_read(&body, url, 9, NULL, &none, &err), -1, "too large");
    ok(strstr(err.text, "is larger than 9 bytes") != NULL, "%s", err.text);

    put(path, "0123456780");
    is_int(tcf_body_read(&body, url, 10, NULL, &known, &err), 0,
           "changed within a second, in place, at equal size");
    tcf_body_free(&body);

    mkfifo(fifo, 0600);
    snprintf(url, sizeof(url), "file:%s", fifo);
    is_int(tcf_body_read(&body, url, 10, NULL, &none, &err), -1, "a FIFO");
    ok(strstr(err.text, "is not a regular file") != NULL, "%s", err.text);

    unlink(path);
    unlink(fifo);
}


int
main(void)
{
    if (mkdtemp(dir) == NULL) {
        printf("Bail out! no temporary directory\n");
        return 1;
    }

    gzip();
    files();
    rmdir(dir);

    return done();
}
