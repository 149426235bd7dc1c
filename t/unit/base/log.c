/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What reaches stderr: prefixes, levels, rate limit, nothing forged.
 */

#include "tcr_log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"


static int  reader;


static const char *
printed(void)
{
    ssize_t      n;
    static char  text[4096];

    n = read(reader, text, sizeof(text) - 1);
    text[n > 0 ? n : 0] = '\0';
    return text;
}


static void
lines(void)
{
    char  big[3000];

    tcr_log_open("prog", TCR_LOG_STDERR, TCR_LOG_NOTICE);

    tcr_log(TCR_LOG_WARN, "cannot read \"%s\"", "x");
    is_str(printed(), "prog: cannot read \"x\"\n", "plain line");

    tcr_log(TCR_LOG_INFO, "not wanted");
    is_str(printed(), "", "a message above the level");

    tcr_log(TCR_LOG_ERR, "a\nprog: b\x1b[1m\x7f\xc3\xa9");
    is_str(printed(), "prog: a\\x0aprog: b\\x1b[1m\\x7f\xc3\xa9\n",
           "control characters");

    memset(big, 'x', sizeof(big) - 1);
    big[sizeof(big) - 1] = '\0';
    tcr_log(TCR_LOG_ERR, "%s", big);
    ok(strlen(printed()) <= 2049, "a long line is cut");

    tcr_log_open("prog", TCR_LOG_JOURNAL, TCR_LOG_NOTICE);
    tcr_log(TCR_LOG_WARN, "text");
    is_str(printed(), "<4>text\n", "line for the journal");
}


static void
limits(void)
{
    int   i;
    char  key[16];

    tcr_log_open("p", TCR_LOG_STDERR, TCR_LOG_NOTICE);

    tcr_log_limited(TCR_LOG_ERR, "a", "first");
    tcr_log_limited(TCR_LOG_ERR, "a", "second");
    tcr_log_limited(TCR_LOG_ERR, "b", "other");
    is_str(printed(), "p: first\np: other\n", "one line a failure");

    for (i = 0; i < 200; i++) {
        snprintf(key, sizeof(key), "key-%d", i);
        tcr_log_limited(TCR_LOG_ERR, key, "x");
        printed();
    }

    tcr_log_limited(TCR_LOG_ERR, "key-199", "x");
    is_str(printed(), "", "the newest key is remembered");

    tcr_log_limited(TCR_LOG_ERR, "a", "again");
    is_str(printed(), "p: again\n", "one long ago is forgotten");
}


/* $JOURNAL_STREAM counts only when stderr is that stream. */
static void
surroundings(void)
{
    char         stream[64];
    struct stat  st;

    fstat(STDERR_FILENO, &st);
    snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t) st.st_dev,
             (uintmax_t) st.st_ino);
    setenv("JOURNAL_STREAM", stream, 1);

    tcr_log_open("p", TCR_LOG_AUTO, TCR_LOG_NOTICE);
    tcr_log(TCR_LOG_NOTICE, "text");
    is_str(printed(), "<5>text\n", "the journal reads stderr");

    setenv("JOURNAL_STREAM", "1:1", 1);
    tcr_log_open("p", TCR_LOG_AUTO, TCR_LOG_NOTICE);
    tcr_log(TCR_LOG_NOTICE, "test of a log sink");
    is_str(printed(), "", "stderr is some other pipe");
}


int
main(void)
{
    int  ends[2];

    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) == -1
        || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
    {
        printf("Bail out! no pipe\n");
        return 1;
    }

    reader = ends[0];
    lines();
    limits();
    surroundings();
    return done();
}
