/* SPDX-License-Identifier: Apache-2.0 */

/* Addresses: text both ways, prefixes, masks, sockets. */

#include <arpa/inet.h>
#include <netinet/in.h>

#include "tap.h"
#include "tcr_addr.h"


/* text, what the strict reader makes of it, what the loose one does */
static const struct {
    const char  *text;
    const char  *strict;
    const char  *loose;
} texts[] = {
    { "192.0.2.1", "192.0.2.1", "192.0.2.1" },
    { "0.0.0.0", "0.0.0.0", "0.0.0.0" },
    { "255.255.255.255", "255.255.255.255", "255.255.255.255" },
    { "192.0.2.256", NULL, NULL },
    { "192.0.2.1.5", NULL, NULL },
    { "192.0.2.", NULL, NULL },
    { ".192.0.2", NULL, NULL },
    { "192..0.2", NULL, NULL },
    { "192.0.2.-1", NULL, NULL },
    { "0xC0.0.2.1", NULL, NULL },
    { "192.0.2.1x", NULL, NULL },
    { "192.0.2", NULL, "192.0.0.2" },
    { "192.514", NULL, "192.0.2.2" },
    { "3221225985", NULL, "192.0.2.1" },
    { "4294967295", NULL, "255.255.255.255" },
    { "4294967296", NULL, NULL },
    { "1.16777215", NULL, "1.255.255.255" },
    { "1.16777216", NULL, NULL },
    { "1.2.65535", NULL, "1.2.255.255" },
    { "1.2.65536", NULL, NULL },
    { "010.002.000.005", NULL, "10.2.0.5" },
    { "0000192.0.2.1", NULL, "192.0.2.1" },
    { "0000000192.0.2.1", NULL, NULL },
    { "0300.0.2.1", NULL, NULL },
    { "10.2.0.5:80", NULL, NULL },
    { "192.0.2.1, 192.0.2.2", NULL, NULL },
    { "bogus", NULL, NULL },
    { "host.example.org", NULL, NULL },
    { "", NULL, "127.0.0.1" },
    { " ", NULL, "127.0.0.1" },
    { " 192.0.2.1 ", NULL, "192.0.2.1" },
    { "192.0.2.1/24", NULL, "192.0.2.1" },
    { "192.0.2.1/", NULL, "192.0.2.1" },
    { "/24", NULL, "127.0.0.1" },
    { "[192.0.2.1]", NULL, NULL },
    { "[]", NULL, NULL },
    { "::", "::", "::" },
    { "::1", "::1", "::1" },
    { "1::", "1::", "1::" },
    { "2001:db8::1", "2001:db8::1", "2001:db8::1" },
    { "2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1", "2001:db8::1:0:0:1" },
    { "2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6" },
    { "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1" },
    { "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0" },
    { "::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8" },
    { "1:2:3:4:5:6:7:8::", NULL, NULL },
    { "1:2:3:4::5:6:7:8", NULL, NULL },
    { "1:2:3:4:5:6:7:8:9", NULL, NULL },
    { "1:2:3:4:5:6:7", NULL, NULL },
    { "1:2:3:4:5:6:7:", NULL, NULL },
    { ":1:2:3:4:5:6:7", NULL, NULL },
    { ":1::2", NULL, NULL },
    { "1::2::3", NULL, NULL },
    { ":::", NULL, NULL },
    { "1:::2", NULL, NULL },
    { ":", NULL, NULL },
    { "1:", NULL, NULL },
    { "12345::", NULL, NULL },
    { "00001::", NULL, "1::" },
    { "g::", NULL, NULL },
    { "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1" },
    { "::ffff:c000:201", "192.0.2.1", "192.0.2.1" },
    { "::ffff:0192.0.2.1", NULL, "192.0.2.1" },
    { "::ffff:192.513", NULL, NULL },
    { "::192.0.2.1", "::c000:201", "::c000:201" },
    { "64:ff9b::192.0.2.33", "64:ff9b::c000:221", "64:ff9b::c000:221" },
    { "1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201",
      "1:2:3:4:5:6:c000:201" },
    { "1:2:3:4:5:6:7:192.0.2.1", NULL, NULL },
    { "1:192.0.2.1::", NULL, NULL },
    { "[2001:db8::1]", NULL, "2001:db8::1" },
    { "[2001:db8::1", NULL, NULL },
    { "2001:db8::1%eth0", NULL, "2001:db8::1" },
    { "[fe80::1%0]", NULL, "fe80::1" },
    { "fe80::1%", NULL, NULL },
    { "2001:db8::1/64", NULL, "2001:db8::1" },
};

static const struct {
    const char  *text;
    const char  *addr;            /* NULL: refused                           */
    uint32_t     len;
} prefixes[] = {
    { "192.0.2.0/24", "192.0.2.0", 24 },
    { "192.0.2.7/24", "192.0.2.7", 24 },
    { "192.0.2.1", "192.0.2.1", 32 },
    { "0.0.0.0/0", "0.0.0.0", 0 },
    { " 192.0.2.0 / 24 ", "192.0.2.0", 24 },
    { "192.0.2.0/33", NULL, 0 },
    { "192.0.2.0/-1", NULL, 0 },
    { "192.0.2.0/", NULL, 0 },
    { "192.0.2.0/24/8", NULL, 0 },
    { "192.0.2.0/abc", NULL, 0 },
    { "192.0.2.0/255.255.255.0", NULL, 0 },
    { "", NULL, 0 },
    { " ", NULL, 0 },
    { "/24", NULL, 0 },
    { "10.2/16", "10.0.0.2", 16 },
    { "2001:db8::/32", "2001:db8::", 32 },
    { "2001:db8::1", "2001:db8::1", 128 },
    { "::/0", "::", 0 },
    { "2001:db8::/129", NULL, 0 },
    { "2001:db8::/99999999999999999999", NULL, 0 },
    { "::ffff:192.0.2.0/120", "192.0.2.0", 24 },
    { "::ffff:0:0/96", "0.0.0.0", 0 },
    { "::ffff:192.0.2.0", "192.0.2.0", 32 },
    { "::ffff:192.0.2.0/24", "192.0.2.0", 24 },
    { "::ffff:192.0.2.0/64", NULL, 0 },
    { "garbage host", NULL, 0 },
};

static const struct {
    const char  *text;
    uint32_t     len;
    const char  *masked;
} masks[] = {
    { "203.0.113.255", 24, "203.0.113.0" },
    { "203.0.113.255", 0, "0.0.0.0" },
    { "203.0.113.255", 32, "203.0.113.255" },
    { "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 0, "::" },
    { "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 33, "2001:db8:8000::" },
    { "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 64, "2001:db8:ffff:ffff::" },
    { "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 65,
      "2001:db8:ffff:ffff:8000::" },
    { "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 128,
      "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff" },
};


static const char *
show(int rc, const tcr_addr_t *addr)
{
    static char  text[TCR_ADDR_TEXT];

    if (rc != 0) {
        return NULL;
    }

    return tcr_addr_format(addr, text) == strlen(text) ? text : "bad length";
}


static void
test_texts(void)
{
    int         rc;
    size_t      i;
    tcr_addr_t  addr;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        rc = tcr_addr_parse(tcr_str(texts[i].text), &addr);
        is_str(show(rc, &addr), texts[i].strict, "strict \"%s\"",
               texts[i].text);

        rc = tcr_addr_parse_override(tcr_str(texts[i].text), &addr);
        is_str(show(rc, &addr), texts[i].loose, "loose \"%s\"",
               texts[i].text);
    }
}


static void
test_prefixes(void)
{
    int         rc;
    size_t      i;
    tcr_err_t   err;
    tcr_cidr_t  cidr;

    for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        cidr.len = 0;
        rc = tcr_cidr_parse(tcr_str(prefixes[i].text), &cidr, &err);
        is_str(show(rc, &cidr.addr), prefixes[i].addr, "prefix \"%s\"",
               prefixes[i].text);
        is_int(rc == 0 ? cidr.len : 0, prefixes[i].len,
               "length of \"%s\"", prefixes[i].text);
    }

    tcr_cidr_parse(TCR_STR("192.0.2.0/33"), &cidr, &err);
    is_str(err.text, "\"192.0.2.0/33\" has no valid prefix length, "
           "expected 0 to 32", "message of a bad length");

    tcr_cidr_parse(TCR_STR("::ffff:192.0.2.0/64"), &cidr, &err);
    is_str(err.text, "\"::ffff:192.0.2.0/64\" has no valid prefix length, "
           "expected 0 to 32 (as IPv4) or 96 to 128", "message, mapped");

    tcr_cidr_parse(TCR_STR("x"), &cidr, &err);
    is_str(err.text, "\"x\" is not a prefix, expected ADDRESS or "
           "ADDRESS/LENGTH", "message of no prefix");
}


static void
test_masks(void)
{
    size_t      i;
    tcr_addr_t  addr;

    for (i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
        tcr_addr_parse(tcr_str(masks[i].text), &addr);
        addr = tcr_addr_mask(addr, masks[i].len);
        is_str(show(0, &addr), masks[i].masked, "%s under a mask of %u",
               masks[i].text, (unsigned) masks[i].len);
    }
}


static bool
contains(const char *prefix, const char *text)
{
    tcr_addr_t  addr = { 0 };
    tcr_cidr_t  cidr = { 0 };

    tcr_cidr_parse(tcr_str(prefix), &cidr, NULL);
    tcr_addr_parse(tcr_str(text), &addr);

    return tcr_cidr_contains(&cidr, &addr);
}


static void
test_contains(void)
{
    ok(contains("192.0.2.7/24", "192.0.2.255"), "inside");
    ok(!contains("192.0.2.7/24", "192.0.3.0"), "outside");
    ok(contains("0.0.0.0/0", "203.0.113.1"), "all of IPv4");
    ok(!contains("::/0", "203.0.113.1"), "IPv4 is not inside ::/0");
    ok(!contains("0.0.0.0/0", "2001:db8::1"), "nor IPv6 inside 0.0.0.0/0");
    ok(contains("2001:db8::/65", "2001:db8::7fff:0:0:0"), "IPv6 inside");
    ok(!contains("2001:db8::/65", "2001:db8::8000:0:0:0"), "IPv6 outside");
    ok(!contains("0.0.0.0/0", "bogus"), "no address is nowhere");
}


static void
test_full(void)
{
    char        text[TCR_ADDR_TEXT];
    tcr_addr_t  addr;

    tcr_addr_parse(TCR_STR("2001:db8::10:0"), &addr);
    is_int(tcr_addr_format_full(&addr, text), strlen(text), "full length");
    is_str(text, "2001:db8:0:0:0:0:10:0", "full text");

    tcr_addr_parse(TCR_STR("192.0.2.1"), &addr);
    tcr_addr_format_full(&addr, text);
    is_str(text, "192.0.2.1", "full text of IPv4");

    addr.family = 0;
    is_int(tcr_addr_format(&addr, text), 0, "no address has an empty text");
    is_str(text, "", "ended by NUL");
}


static void
test_order(void)
{
    tcr_addr_t  a, b;

    tcr_addr_parse(TCR_STR("2001:db8::1"), &a);
    tcr_addr_parse(TCR_STR("2001:db8:0:1::"), &b);

    ok(tcr_addr_cmp(&a, &b) < 0, "upper half decides");
    ok(tcr_addr_cmp(&b, &a) > 0, "both ways");
    is_int(tcr_addr_cmp(&a, &a), 0, "equal");

    b = a;
    b.lo = UINT64_MAX;
    ok(tcr_addr_cmp(&a, &b) < 0, "lower half, unsigned");
}


static const char *
from_socket(int family, const char *text)
{
    int                  rc;
    tcr_addr_t           addr;
    struct sockaddr_in   sin = { .sin_family = AF_INET };
    struct sockaddr_in6  sin6 = { .sin6_family = AF_INET6 };

    if (family == AF_INET) {
        inet_pton(AF_INET, text, &sin.sin_addr);
        rc = tcr_addr_from_sockaddr((struct sockaddr *) &sin, &addr);

    } else {
        inet_pton(AF_INET6, text, &sin6.sin6_addr);
        rc = tcr_addr_from_sockaddr((struct sockaddr *) &sin6, &addr);
    }

    return show(rc, &addr);
}


static void
test_sockets(void)
{
    tcr_addr_t       addr;
    struct sockaddr  sa = { .sa_family = AF_UNIX };

    is_str(from_socket(AF_INET, "198.51.100.7"), "198.51.100.7", "IPv4");
    is_str(from_socket(AF_INET6, "2001:db8:1:2:3:4:5:6"),
           "2001:db8:1:2:3:4:5:6", "IPv6");
    is_str(from_socket(AF_INET6, "::ffff:198.51.100.7"), "198.51.100.7",
           "IPv4-mapped is IPv4");
    is_int(tcr_addr_from_sockaddr(&sa, &addr), -1, "unix socket");
}


int
main(void)
{
    test_texts();
    test_prefixes();
    test_masks();
    test_contains();
    test_full();
    test_order();
    test_sockets();

    return done();
}
