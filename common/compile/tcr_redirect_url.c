/* SPDX-License-Identifier: Apache-2.0 */

/*
 * scheme://[user@]host[:port][/path][?query][#fragment], with the schemes that
 * java.net.URL knows by itself.
 */

#include "tcr_redirect_url.h"


static tcr_str_t
rest_from(tcr_str_t s, size_t i)
{
    return tcr_str_n(s.data + i, s.len - i);
}


/* Place of "://", or len. */
static size_t
find_scheme(tcr_str_t s)
{
    size_t  i;

    for (i = 0; i + 3 <= s.len; i++) {
        if (memcmp(s.data + i, "://", 3) == 0) {
            return i;
        }
    }

    return s.len;
}


bool
tcr_redirect_url_is_absolute(tcr_str_t text)
{
    return find_scheme(text) != text.len;
}


static bool
known_scheme(tcr_str_t scheme)
{
    return tcr_str_ieq(scheme, TCR_STR("http"))
           || tcr_str_ieq(scheme, TCR_STR("https"))
           || tcr_str_ieq(scheme, TCR_STR("ftp"))
           || tcr_str_ieq(scheme, TCR_STR("file"));
}


/* host[:port]; a port is digits or nothing. */
static int
parse_host(tcr_arena_t *arena, tcr_str_t s, tcr_str_t *host)
{
    char      *p;
    size_t     i, end;
    uint64_t   port;

    /* a colon inside "[v6]" belongs to the address */
    end = tcr_str_find(s, ']');
    end = end == s.len ? 0 : end + 1;
    end += tcr_str_find(rest_from(s, end), ':');

    if (end + 1 < s.len
        && tcr_parse_uint(rest_from(s, end + 1), 0, 65535, &port) != 0)
    {
        return -1;
    }

    p = tcr_arena_alloc(arena, end + 1);

    if (p == NULL) {
        return -1;
    }

    for (i = 0; i < end; i++) {
        p[i] = tcr_lower(s.data[i]);
    }

    /* requests have lost their final dot when they are matched */
    *host = tcr_str_n(p, end > 0 && p[end - 1] == '.' ? end - 1 : end);
    return 0;
}


int
tcr_redirect_url_parse(tcr_arena_t *arena, tcr_str_t text,
    tcr_redirect_url_t *url)
{
    size_t     i, at;
    tcr_str_t  authority;

    at = find_scheme(text);

    if (!known_scheme(tcr_str_n(text.data, at))) {
        return -1;
    }

    text = rest_from(text, at + 3);
    text.len = tcr_str_find(text, '#');

    for (i = 0; i < text.len; i++) {
        if (text.data[i] == '/' || text.data[i] == '?') {
            break;
        }
    }

    authority = tcr_str_n(text.data, i);
    url->target = rest_from(text, i);
    url->path = tcr_str_n(url->target.data, tcr_str_find(url->target, '?'));

    for (at = authority.len; at > 0; at--) {
        if (authority.data[at - 1] == '@') {
            authority = rest_from(authority, at);
            break;
        }
    }

    return parse_host(arena, authority, &url->host);
}
