/* SPDX-License-Identifier: Apache-2.0 */

/* Cookies read, kept and sent back. */

#include "tcf_cookies.h"

#include <curl/curl.h>
#include <stdlib.h>

#include "tcf_schedule.h"

#define COOKIE_MAX   4096         /* RFC 6265 §6.1                           */
#define MAX_AGE_MAX  (TCF_COOKIE_MS / 1000)


static void
drop(tcf_cookie_t *cookie)
{
    if (cookie->text != NULL) {
        explicit_bzero(cookie->text, strlen(cookie->text));
    }

    free(cookie->text);
    cookie->text = NULL;
}


static tcf_cookie_t *
find(tcf_cookies_t *cookies, tcr_str_t name)
{
    unsigned  i;

    for (i = 0; i < cookies->n; i++) {

        if (tcr_str_eq(tcr_str_n(cookies->list[i].text,
                                 cookies->list[i].name_len), name))
        {
            return &cookies->list[i];
        }
    }

    return NULL;
}


static void
forget(tcf_cookies_t *cookies, tcf_cookie_t *cookie)
{
    drop(cookie);
    *cookie = cookies->list[--cookies->n];
    cookies->list[cookies->n].text = NULL;
}


/* Nothing that could end the line that it is sent back in. */
static bool
is_plain(tcr_str_t pair)
{
    size_t  i;

    for (i = 0; i < pair.len; i++) {

        if ((unsigned char) pair.data[i] < 0x20 || pair.data[i] == 0x7f) {
            return false;
        }
    }

    return true;
}


/* Dates go to the end of time, years of 18 digits are read, too. */
static int64_t
date_ms(time_t at)
{
    return at < 0 ? 0 : at < INT64_MAX / 1000 ? (int64_t) at * 1000
                                              : INT64_MAX;
}


/* Attributes behind the pair; Max-Age wins over Expires (§5.3). */
static int64_t
read_until(tcr_str_t rest, int64_t now, int64_t wall)
{
    char       date[64];
    time_t     at;
    int64_t    until = TCF_NEVER;
    uint64_t   age;
    tcr_str_t  name, value;

    while (rest.len != 0) {
        value = tcr_str_trim(tcr_str_split(&rest, ';'));
        name = tcr_str_split(&value, '=');

        if (tcr_str_ieq(name, TCR_STR("max-age"))) {
            return tcr_parse_uint(value, 1, MAX_AGE_MAX, &age) == 0
                   ? now + (int64_t) age * 1000 : now;
        }

        if (tcr_str_ieq(name, TCR_STR("expires"))
            && value.data != NULL && value.len < sizeof(date))
        {
            memcpy(date, value.data, value.len);
            date[value.len] = '\0';
            at = curl_getdate(date, NULL);

            if (at != (time_t) -1) {
                until = tcf_due_from_wall(date_ms(at), now, wall,
                                          TCF_COOKIE_MS);
            }
        }
    }

    return until;
}


void
tcf_cookies_add(tcf_cookies_t *cookies, tcr_str_t pair, int64_t until,
    int64_t now)
{
    tcr_str_t      name, value = pair;
    tcf_cookie_t  *cookie;

    name = tcr_str_split(&value, '=');

    if (name.len == 0 || name.len == pair.len || pair.len > COOKIE_MAX
        || !is_plain(pair))
    {
        return;
    }

    cookie = find(cookies, name);

    if (cookie != NULL) {
        forget(cookies, cookie);
    }

    if (until <= now || cookies->n == TCF_COOKIES_MAX) {
        return;
    }

    cookie = &cookies->list[cookies->n];
    cookie->text = strndup(pair.data, pair.len);
    cookie->name_len = name.len;
    cookie->until = until;
    cookies->n += cookie->text != NULL;
}


static void
take(tcf_cookies_t *cookies, tcr_str_t line, int64_t now, int64_t wall)
{
    tcr_str_t  pair = tcr_str_trim(tcr_str_split(&line, ';'));

    tcf_cookies_add(cookies, pair, read_until(line, now, wall), now);
}


void
tcf_cookies_take(tcf_cookies_t *cookies, const char *lines, int64_t now,
    int64_t wall)
{
    tcr_str_t  rest = tcr_str(lines);

    while (rest.len != 0) {
        take(cookies, tcr_str_split(&rest, '\n'), now, wall);
    }
}


bool
tcf_cookies_fresh(const tcf_cookies_t *cookies, int64_t now)
{
    unsigned  i;

    for (i = 0; i < cookies->n; i++) {

        if (cookies->list[i].until <= now) {
            return false;
        }
    }

    return cookies->n != 0;
}


char *
tcf_cookies_header(const tcf_cookies_t *cookies)
{
    char      *header;
    size_t     size = 1;
    unsigned   i;

    for (i = 0; i < cookies->n; i++) {
        size += strlen(cookies->list[i].text) + 2;
    }

    header = malloc(size);

    if (header == NULL) {
        return NULL;
    }

    header[0] = '\0';
    size = 0;

    for (i = 0; i < cookies->n; i++) {

        if (i != 0) {
            memcpy(header + size, "; ", 2);
            size += 2;
        }

        memcpy(header + size, cookies->list[i].text,
               strlen(cookies->list[i].text) + 1);
        size += strlen(cookies->list[i].text);
    }

    return header;
}


void
tcf_cookies_forget(tcf_cookies_t *cookies)
{
    while (cookies->n != 0) {
        forget(cookies, &cookies->list[cookies->n - 1]);
    }
}
