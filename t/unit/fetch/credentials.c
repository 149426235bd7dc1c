/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The file of name and password: how it has to look, and that no message ever
 * shows what stands in it.
 */

#include "tcf_credentials.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"


static char       dir[] = "/tmp/tcr-credentials-XXXXXX";
static char       path[64];
static tcr_err_t  err;


static void
put(const char *text, unsigned mode)
{
    FILE  *f = fopen(path, "w");

    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0
        || chmod(path, mode) != 0)
    {
        printf("Bail out! cannot write %s\n", path);
        exit(1);
    }
}


static void
good(const char *text, const char *want)
{
    char  *body;

    put(text, 0600);
    body = tcf_credentials_read(path, &err);
    is_str(body, want, "%s", want);
    free(body);
}


static void
bad(const char *text, unsigned mode, const char *why)
{
    char  *body;

    put(text, mode);
    body = tcf_credentials_read(path, &err);
    ok(body == NULL, "refused, mode %03o: %s", mode, why);
    ok(strstr(err.text, why) != NULL, "says why");
    ok(strstr(err.text, "hush") == NULL, "but not what");
    free(body);
}


static void
formats(void)
{
    good("user: router\npassword: hush\n", "{\"u\":\"router\",\"p\":\"hush\"}");
    good("password: 'a: \"b\" #'\nuser: x@y\n",
         "{\"u\":\"x@y\",\"p\":\"a: \\\"b\\\" #\"}");
    good("---\n# who\nuser: 007\npassword: no\n",
         "{\"u\":\"007\",\"p\":\"no\"}");
    good("user: r\npassword: \"p\\u00e4ss\"\n",
         "{\"u\":\"r\",\"p\":\"p\xc3\xa4ss\"}");

    bad("", 0600, "are not of the form");
    bad("hush\n", 0600, "are not of the form");
    bad("router:hush\n", 0600, "are not of the form");
    bad("user: router\n", 0600, "are not of the form");
    bad("user: router\npassword:\n", 0600, "are not of the form");
    bad("user: router\npassword: [hush]\n", 0600, "are not of the form");
    bad("user: router\npassword: hush\npassword: hush2\n", 0600,
        "are not of the form");
    bad("user: &a hush\npassword: *a\n", 0600, "are not of the form");
    bad("user: {hush\n", 0600, "are not of the form");
}


static void
access_rights(void)
{
    unsigned  mode;

    static const unsigned  modes[] = { 0644, 0640, 0604, 0610, 0602, 0666 };

    for (mode = 0; mode < sizeof(modes) / sizeof(modes[0]); mode++) {
        bad("user: router\npassword: hush\n", modes[mode], "expected 0600");
    }

    put("user: router\npassword: hush\n", 0400);
    is_int(tcf_credentials_check(path, &err), 0, "0400 will do");

    unlink(path);
    ok(tcf_credentials_check(path, &err) != 0
       && strstr(err.text, "cannot open") != NULL, "no file");
    mkdir(path, 0700);
    ok(tcf_credentials_check(path, &err) != 0
       && strstr(err.text, "not a regular file") != NULL, "a directory");
    rmdir(path);
    mkfifo(path, 0600);
    ok(tcf_credentials_check(path, &err) != 0
       && strstr(err.text, "not a regular file") != NULL, "a FIFO");
    unlink(path);
}


static void
sizes(void)
{
    char  *text = malloc(8192);

    memset(text, '#', 8191);
    text[8191] = '\0';
    bad(text, 0600, "are longer than");
    free(text);
}


int
main(void)
{
    if (mkdtemp(dir) == NULL) {
        printf("Bail out! no directory\n");
        return 1;
    }

    snprintf(path, sizeof(path), "%s/c", dir);
    formats();
    access_rights();
    sizes();
    unlink(path);
    rmdir(dir);
    return done();
}
