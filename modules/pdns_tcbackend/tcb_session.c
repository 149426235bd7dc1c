/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Bytes to lines, lines to answers, answers to bytes.
 */

#include "tcb_session.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>


tcb_session_t *
tcb_session_create(tcb_core_t *core)
{
    tcb_session_t  *s;

    s = calloc(1, sizeof(*s));

    if (s == NULL) {
        return NULL;
    }

    s->core = core;
    tcr_buf_init(&s->out, TCB_ANSWER);
    s->in = malloc(TCB_LINE);
    s->arena = tcr_arena_create(0);

    if (s->in == NULL || s->arena == NULL) {
        tcb_session_destroy(s);
        return NULL;
    }

    return s;
}


void
tcb_session_destroy(tcb_session_t *s)
{
    if (s == NULL) {
        return;
    }

    tcr_arena_destroy(s->arena);
    tcr_buf_free(&s->out);
    free(s->in);
    free(s);
}


/* The first line decides; anything else is no PowerDNS. */
static tcb_dialect_pt
recognise(tcr_str_t line)
{
    tcr_str_t  text;

    if (tcr_str_starts(line, TCR_STR("HELO\t"))) {
        return tcb_pipe_answer;
    }

    text = tcr_str_trim(line);

    return text.len != 0 && text.data[0] == '{' ? tcb_remote_answer : NULL;
}


static int
answer_line(tcb_session_t *s, tcr_str_t line, tcr_err_t *err)
{
    if (line.len != 0 && line.data[line.len - 1] == '\r') {
        line.len--;
    }

    if (s->dialect == NULL) {
        s->dialect = recognise(line);

        if (s->dialect == NULL) {
            return tcr_err_set(err, "first line is \"%.*s\", expected HELO of "
                               "the pipe backend or JSON of the remote backend",
                               (int) (line.len > 40 ? 40 : line.len),
                               line.data);
        }
    }

    tcr_arena_reset(s->arena);

    if (s->dialect(s, line) != 0) {
        return tcr_err_set(err, "the conversation cannot go on after \"%.*s\"",
                           (int) (line.len > 40 ? 40 : line.len), line.data);
    }

    if (s->out.failed) {
        return tcr_err_set(err, "no memory for an answer, or it has more than "
                           "%d bytes", TCB_ANSWER);
    }

    return 0;
}


int
tcb_session_answer(tcb_session_t *s, tcr_err_t *err)
{
    int     rc;
    char   *end;
    size_t  done, len;

    rc = 0;
    done = 0;

    while (rc == 0 && tcb_session_pending(s) < TCB_PENDING) {
        end = memchr(s->in + done, '\n', s->in_len - done);

        if (end == NULL) {
            break;
        }

        len = (size_t) (end - (s->in + done));
        rc = answer_line(s, tcr_str_n(s->in + done, len), err);
        done += len + 1;
    }

    s->in_len -= done;
    memmove(s->in, s->in + done, s->in_len);
    return rc;
}


int
tcb_session_read(tcb_session_t *s, int fd, tcr_err_t *err)
{
    ssize_t  n;

    if (s->in_len == TCB_LINE) {

        if (tcb_session_pending(s) >= TCB_PENDING) {
            return 1;
        }

        return tcr_err_set(err, "a request has no end in %d bytes", TCB_LINE);
    }

    do {
        n = read(fd, s->in + s->in_len, TCB_LINE - s->in_len);
    } while (n < 0 && errno == EINTR);

    if (n < 0) {

        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return 1;
        }

        return tcr_err_set(err, "cannot read a request: %s", strerror(errno));
    }

    if (n == 0) {
        return 0;
    }

    s->in_len += (size_t) n;

    if (tcb_session_answer(s, err) != 0) {
        return -1;
    }

    if (s->in_len == TCB_LINE && tcb_session_pending(s) < TCB_PENDING) {
        return tcr_err_set(err, "a request has no end in %d bytes", TCB_LINE);
    }

    return 1;
}


/* A reader that is always a little behind must not make the buffer grow. */
static void
forget_sent(tcb_session_t *s)
{
    if (s->sent > TCB_PENDING) {
        s->out.len -= s->sent;
        memmove(s->out.data, s->out.data + s->sent, s->out.len);
        s->sent = 0;
    }
}


int
tcb_session_write(tcb_session_t *s, int fd)
{
    ssize_t  n;

    while (tcb_session_pending(s) != 0) {
        n = write(fd, s->out.data + s->sent, tcb_session_pending(s));

        if (n >= 0) {
            s->sent += (size_t) n;

        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            forget_sent(s);
            return 0;

        } else if (errno != EINTR) {
            return -1;
        }
    }

    s->sent = 0;

    if (s->out.size > TCB_PENDING) {
        tcr_buf_free(&s->out);    /* one large list must not stay for ever   */

    } else {
        tcr_buf_reset(&s->out);
    }

    return 1;
}
