/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One line per message, to the sink that the program's surroundings suggest.
 */

#include "tcr_log.h"
#include "tcr_buf.h"
#include "tcr_clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#define TCR_LOG_LINE    2048
#define TCR_LOG_KEYS    64        /* failures whose repetition is noticed    */
#define TCR_LOG_PERIOD  60000     /* ms between two lines about one failure  */


/* A failure that was printed; hash 0 = none. */
typedef struct {
    uint64_t  hash;
    int64_t   printed;
    uint64_t  held;               /* times it was not printed since          */
} failure_t;

static struct {
    const char       *ident;
    tcr_log_sink_e    sink;
    tcr_log_level_e   level;
    failure_t         failures[TCR_LOG_KEYS];
    size_t            next;       /* place for a new failure                 */
} out = { .ident = "tcrouter", .sink = TCR_LOG_STDERR, .level = TCR_LOG_INFO };


/*
 * systemd names the stream it reads; a program behind cron inherits the name
 * but not the stream (systemd.exec(5), $JOURNAL_STREAM).
 */
static bool
journal_reads_stderr(void)
{
    char         mine[64];
    const char  *stream;
    struct stat  st;

    stream = getenv("JOURNAL_STREAM");

    if (stream == NULL || fstat(STDERR_FILENO, &st) != 0) {
        return false;
    }

    snprintf(mine, sizeof(mine), "%ju:%ju", (uintmax_t) st.st_dev,
             (uintmax_t) st.st_ino);

    return strcmp(stream, mine) == 0;
}


static tcr_log_sink_e
find_sink(void)
{
    if (isatty(STDERR_FILENO)) {
        return TCR_LOG_STDERR;
    }

    return journal_reads_stderr() ? TCR_LOG_JOURNAL : TCR_LOG_SYSLOG;
}


void
tcr_log_open(const char *ident, tcr_log_sink_e sink, tcr_log_level_e level)
{
    out.ident = ident;
    out.level = level;
    out.sink = sink == TCR_LOG_AUTO ? find_sink() : sink;
    memset(out.failures, 0, sizeof(out.failures));

    if (out.sink == TCR_LOG_SYSLOG) {
        openlog(ident, LOG_PID | LOG_NDELAY, LOG_DAEMON);
    }
}


static void
print(tcr_log_level_e level, const char *text)
{
    char       bytes[TCR_LOG_LINE + 1];
    ssize_t    n;
    tcr_out_t  line = { bytes, bytes + TCR_LOG_LINE, false };

    switch (out.sink) {

    case TCR_LOG_SYSLOG:
        tcr_out_plain(&line, text);
        syslog((int) level, "%.*s", (int) (line.pos - bytes), bytes);
        return;

    case TCR_LOG_JOURNAL:
        tcr_out_char(&line, '<');
        tcr_out_uint(&line, level);
        tcr_out_char(&line, '>');
        break;

    default:
        tcr_out_str(&line, tcr_str(out.ident));
        tcr_out_str(&line, TCR_STR(": "));
    }

    tcr_out_plain(&line, text);
    *line.pos++ = '\n';

    /* one write: lines of several processes must not mix */
    n = write(STDERR_FILENO, bytes, (size_t) (line.pos - bytes));
    (void) n;
}


void
tcr_log(tcr_log_level_e level, const char *fmt, ...)
{
    char     text[TCR_LOG_LINE];
    va_list  ap;

    if (level > out.level) {
        return;
    }

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    print(level, text);
}


/* The failure's place, or that of the one that has been known longest. */
static failure_t *
find_failure(uint64_t hash)
{
    size_t  i;

    for (i = 0; i < TCR_LOG_KEYS; i++) {
        if (out.failures[i].hash == hash) {
            return &out.failures[i];
        }
    }

    return &out.failures[out.next++ % TCR_LOG_KEYS];
}


/* Whether to print now; *held = how many were not since the last time. */
static bool
due(const char *name, uint64_t *held)
{
    int64_t     now = tcr_ticks_ms();
    uint64_t    hash = tcr_str_hash(tcr_str(name)) | 1;
    failure_t  *key;

    key = find_failure(hash);

    if (key->hash == hash && now - key->printed < TCR_LOG_PERIOD) {
        key->held++;
        return false;
    }

    *held = key->hash == hash ? key->held : 0;
    *key = (failure_t) { hash, now, 0 };
    return true;
}


void
tcr_log_limited(tcr_log_level_e level, const char *key, const char *fmt, ...)
{
    int       n;
    char      text[TCR_LOG_LINE];
    va_list   ap;
    uint64_t  held;

    if (level > out.level || !due(key, &held)) {
        return;
    }

    va_start(ap, fmt);
    n = vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);

    if (held != 0 && n >= 0 && (size_t) n < sizeof(text)) {
        snprintf(text + n, sizeof(text) - (size_t) n,
                 " (repeated %" PRIu64 " times)", held);
    }

    print(level, text);
}
