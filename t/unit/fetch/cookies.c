/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Cookies: taken by name, renewed, ended, sent back; and what is none.
 */

#include "tcf_cookies.h"

#include <stdlib.h>

#include "tap.h"
#include "tcf_schedule.h"

#define NOW   INT64_C(1000000)
#define WALL  INT64_C(1445412480000)  /* Wed, 21 Oct 2015 07:28:00 GMT       */


static tcf_cookies_t  cookies;


static void
sent(const char *want, const char *name)
{
    char  *header = tcf_cookies_header(&cookies);

    is_str(header, want, "%s", name);
    free(header);
}


static void
take(const char *lines)
{
    tcf_cookies_take(&cookies, lines, NOW, WALL);
}


static void
by_name(void)
{
    take("mojolicious=abc; Path=/; HttpOnly\naccess_token=x=y==\n");
    sent("mojolicious=abc; access_token=x=y==", "two, without attributes");
    take("mojolicious=def; Max-Age=60\n");
    sent("access_token=x=y==; mojolicious=def", "the newer one of a name");
    take("Mojolicious=ghi\n");
    sent("access_token=x=y==; mojolicious=def; Mojolicious=ghi",
         "names have their case");
    tcf_cookies_forget(&cookies);
    sent("", "forgotten");
    ok(!tcf_cookies_fresh(&cookies, NOW), "none are not fresh");
}


static void
until(void)
{
    take("a=1; max-age=60\n");
    ok(tcf_cookies_fresh(&cookies, NOW + 59999), "fresh for its time");
    ok(!tcf_cookies_fresh(&cookies, NOW + 60000), "and not for longer");

    take("a=1; Expires=Wed, 21 Oct 2015 07:29:00 GMT\n");
    is_int(cookies.list[0].until, NOW + 60000, "a date");
    take("a=1; Expires=Wed, 21 Oct 2015 07:00:00 GMT; Max-Age=5\n");
    is_int(cookies.list[0].until, NOW + 5000, "Max-Age goes before it");
    take("a=1; Expires=someday\n");
    ok(cookies.list[0].until == TCF_NEVER, "a date that is none");

    take("a=; Max-Age=0\n");
    is_int(cookies.n, 0, "Max-Age 0 removes it");
    take("a=1\na=; Expires=Thu, 01 Jan 1970 00:00:00 GMT\n");
    is_int(cookies.n, 0, "a date of the past, too");
    take("a=1; Max-Age=-5\n");
    is_int(cookies.n, 0, "what is below 0");
    take("a=1; Max-Age=99999999999999999999\n");
    is_int(cookies.n, 0, "what is no number");
}


static void
wrong(void)
{
    size_t  i;

    static const char *const  lines[] = {
        "", "\n", ";", "=", "=x", "name", "name; Path=/", ";a=1", "  =b",
        "a=1\tb"
    };

    for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        take(lines[i]);
        is_int(cookies.n, 0, "no cookie: \"%s\"", lines[i]);
    }
}


static void
many(void)
{
    int   i;
    char  line[64], *large = malloc(8192);

    for (i = 0; i < 2 * TCF_COOKIES_MAX; i++) {
        snprintf(line, sizeof(line), "c%d=%d\n", i, i);
        take(line);
    }

    is_int(cookies.n, TCF_COOKIES_MAX, "no more than there is room for");
    take("c0=new\n");
    is_int(cookies.n, TCF_COOKIES_MAX, "one of these still changes");
    tcf_cookies_forget(&cookies);

    memset(large, 'x', 8191);
    large[1] = '=';
    large[8191] = '\0';
    take(large);
    is_int(cookies.n, 0, "a large one is none");
    free(large);
}


int
main(void)
{
    by_name();
    until();
    tcf_cookies_forget(&cookies);
    wrong();
    many();
    return done();
}
