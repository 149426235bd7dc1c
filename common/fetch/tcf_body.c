/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Bodies: read from files, unpacked.
 */

#include "tcf_body.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tcr_wipe.h"

#define GROW_MIN   65536
#define GZIP_WBITS (16 + MAX_WBITS)


void
tcf_body_free(tcf_body_t *body)
{
    if (body->secret && body->data != NULL) {
        explicit_bzero(body->data, body->len);
    }

    free(body->data);
    memset(body, 0, sizeof(*body));
}


/* --- gzip --- */

/* Room behind what is there; too_big + 1 bytes at most, to see the excess. */
static int
grow(tcf_body_t *body, size_t *size, uint64_t too_big)
{
    char    *more = NULL;
    size_t   want = *size < GROW_MIN ? GROW_MIN : *size;

    if (body->len < *size) {
        return 0;
    }

    if (want > SIZE_MAX / 2) {
        return -1;
    }

    want *= 2;

    if (want > too_big) {
        want = too_big + 1;
    }

    if (want > *size) {
        more = body->secret ? tcr_wipe_realloc(body->data, want)
                            : realloc(body->data, want);
    }

    if (more == NULL) {
        return -1;
    }

    body->data = more;
    *size = want;
    return 0;
}


static int
inflate_all(z_stream *z, tcf_body_t *out, uint64_t too_big, tcr_err_t *err)
{
    int     rc = Z_OK;
    size_t  size = 0;

    while (rc != Z_STREAM_END) {

        if (grow(out, &size, too_big) != 0) {
            return tcr_err_set(err, "no memory to unpack it");
        }

        z->next_out = (Bytef *) out->data + out->len;
        z->avail_out = size - out->len > UINT_MAX
                       ? UINT_MAX : (uInt) (size - out->len);
        rc = inflate(z, Z_NO_FLUSH);
        out->len = (size_t) ((char *) z->next_out - out->data);

        if (out->len > too_big) {
            return tcr_err_set(err, "is larger than %" PRIu64 " bytes when "
                               "unpacked", too_big);
        }

        /* members of a gzip file follow each other (RFC 1952 §2.2) */
        if (rc == Z_STREAM_END && z->avail_in != 0) {
            rc = inflateReset(z);

        } else if (rc != Z_OK && rc != Z_STREAM_END) {
            return tcr_err_set(err, "is damaged gzip: %s",
                               z->msg != NULL ? z->msg : "it is cut");
        }
    }

    return 0;
}


int
tcf_body_gunzip(tcf_body_t *body, uint64_t too_big, tcr_err_t *err)
{
    int         rc;
    z_stream    z;
    tcf_body_t  out = { .secret = body->secret };

    /* ID1 and ID2 of RFC 1952 §2.3.1 */
    if (body->len < 2 || memcmp(body->data, "\x1f\x8b", 2) != 0) {
        return 0;
    }

    if (body->len > UINT_MAX) {
        return tcr_err_set(err, "is too large to be unpacked");
    }

    memset(&z, 0, sizeof(z));

    if (inflateInit2(&z, GZIP_WBITS) != Z_OK) {
        return tcr_err_set(err, "no memory to unpack it");
    }

    z.next_in = (Bytef *) body->data;
    z.avail_in = (uInt) body->len;
    rc = inflate_all(&z, &out, too_big, err);
    inflateEnd(&z);

    if (rc != 0) {
        tcf_body_free(&out);
        return -1;
    }

    if (body->secret) {
        explicit_bzero(body->data, body->len);
    }

    free(body->data);
    body->data = out.data;
    body->len = out.len;
    return 0;
}


/* --- files --- */

static int
read_all(int fd, tcf_body_t *body, uint64_t too_big, tcr_err_t *err)
{
    size_t   size = 0;
    ssize_t  n;

    for ( ;; ) {

        if (body->len > too_big) {
            return tcr_err_set(err, "\"%s\" is larger than %" PRIu64 " bytes",
                               body->from, too_big);
        }

        if (grow(body, &size, too_big) != 0) {
            return tcr_err_set(err, "no memory to read \"%s\"", body->from);
        }

        n = read(fd, body->data + body->len, size - body->len);

        if (n == 0) {
            return 0;
        }

        if (n > 0) {
            body->len += (size_t) n;

        } else if (errno != EINTR) {
            return tcr_err_set(err, "cannot read \"%s\": %s", body->from,
                               strerror(errno));
        }
    }
}


/* What tells a file from the one before: not its date alone. */
static void
describe(const struct stat *st, tcf_validator_t *v)
{
    snprintf(v->etag, sizeof(v->etag), "%ju-%ju-%jd.%09ld",
             (uintmax_t) st->st_ino, (uintmax_t) st->st_size,
             (intmax_t) st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}


static int
open_file(const char *path, struct stat *st, tcr_err_t *err)
{
    int  fd;

    /* not blocking: a FIFO must be refused, not waited for */
    errno = 0;                    /* it tells the caller why                 */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd == -1 || fstat(fd, st) != 0) {
        tcr_err_set(err, "cannot open \"%s\": %s", path, strerror(errno));

    } else if (!S_ISREG(st->st_mode)) {
        tcr_err_set(err, "\"%s\" is not a regular file", path);

    } else {
        return fd;
    }

    if (fd != -1) {
        close(fd);
    }

    return -1;
}


static int
take_absent(tcf_body_t *body, const char *text, const tcf_validator_t *known,
    tcr_err_t *err)
{
    snprintf(body->validator.etag, sizeof(body->validator.etag), "absent");

    if (strcmp(body->validator.etag, known->etag) == 0) {
        return 1;
    }

    body->data = strdup(text);
    body->len = strlen(text);

    return body->data != NULL ? 0
           : tcr_err_set(err, "no memory to read \"%s\"", body->from);
}


/*
 * Read, not mapped: who owns the file may cut it while it is looked at.
 */
int
tcf_body_read(tcf_body_t *body, const char *url, uint64_t too_big,
    const char *absent, const tcf_validator_t *known, tcr_err_t *err)
{
    int          fd, rc;
    const char  *path = url + sizeof("file:") - 1;
    struct stat  st;

    memset(body, 0, sizeof(*body));
    snprintf(body->from, sizeof(body->from), "%s", path);
    fd = open_file(path, &st, err);

    if (fd == -1) {
        return errno == ENOENT && absent != NULL
               ? take_absent(body, absent, known, err) : -1;
    }

    describe(&st, &body->validator);

    if (strcmp(body->validator.etag, known->etag) == 0) {
        close(fd);
        return 1;
    }

    rc = read_all(fd, body, too_big, err);
    close(fd);

    if (rc != 0) {
        tcf_body_free(body);
    }

    return rc;
}
