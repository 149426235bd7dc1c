/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as Set-Cookie lines of Traffic Ops: what is kept is NAME=VALUE
 * without control bytes, at most so many, and can be sent back in one line.
 */

#include <stdint.h>
#include <stdlib.h>

#include "tcf_cookies.h"

#define NOW   INT64_C(1000000)
#define WALL  INT64_C(1790000000000)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
check(const tcf_cookie_t *cookie)
{
    const char  *p;

    if (cookie->until <= NOW || cookie->name_len == 0
        || cookie->text[cookie->name_len] != '=')
    {
        abort();
    }

    for (p = cookie->text; *p != '\0'; p++) {
        if ((unsigned char) *p < 0x20 || *p == 0x7f) {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char           *lines = strndup((const char *) data, size), *header;
    size_t          sum = 0;
    unsigned        i;
    tcf_cookies_t   cookies = { .n = 0 };

    if (lines == NULL) {
        return 0;
    }

    tcf_cookies_take(&cookies, lines, NOW, WALL);

    if (cookies.n > TCF_COOKIES_MAX
        || tcf_cookies_fresh(&cookies, NOW) != (cookies.n != 0))
    {
        abort();
    }

    for (i = 0; i < cookies.n; i++) {
        check(&cookies.list[i]);
        sum += strlen(cookies.list[i].text) + (i != 0 ? 2 : 0);
    }

    header = tcf_cookies_header(&cookies);

    if (header == NULL || strlen(header) != sum) {
        abort();
    }

    free(header);
    free(lines);
    tcf_cookies_forget(&cookies);
    return 0;
}
