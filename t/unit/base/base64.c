/* SPDX-License-Identifier: Apache-2.0 */

/* Base64: the examples of RFC 4648 10, what is passed over, what is none. */

#include "tap.h"
#include "tcr_base64.h"


static const struct {
    const char  *text;
    const char  *plain;           /* NULL: refused                           */
    const char  *mime;
} rows[] = {
    { "", "", "" },
    { "Zg==", "f", "f" },
    { "Zm8=", "fo", "fo" },
    { "Zm9v", "foo", "foo" },
    { "Zm9vYg==", "foob", "foob" },
    { "Zm9vYmE=", "fooba", "fooba" },
    { "Zm9vYmFy", "foobar", "foobar" },
    { "+/+/", "\xfb\xff\xbf", "\xfb\xff\xbf" },
    { "Zm9v\nYmFy\r\n", NULL, "foobar" },
    { " Z-m_9.v", NULL, "foo" },
    { "Zm9vYg", NULL, "foob" },
    { "Zm9vYg=", NULL, "foob" },
    { "Zg==Zg==", NULL, "f" },
    { "Zh==", NULL, NULL },
    { "Zm9=", NULL, NULL },
    { "Z", NULL, NULL },
    { "Z===", NULL, NULL },
    { "====", NULL, "" },
    { "Zm9vY", NULL, NULL },
};


static void
row(const char *kind, const char *text, int rc, const uint8_t *out, size_t n,
    const char *want)
{
    ok(want == NULL ? rc == -1
       : rc == 0 && n == strlen(want) && memcmp(out, want, n) == 0,
       "%s: \"%s\"", kind, text);
}


int
main(void)
{
    int       rc;
    size_t    i, n;
    uint8_t   out[64];

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        n = 0;
        rc = tcr_base64_plain(tcr_str(rows[i].text), out, &n);
        row("plain", rows[i].text, rc, out, n, rows[i].plain);
        rc = tcr_base64_mime(tcr_str(rows[i].text), out, &n);
        row("mime", rows[i].text, rc, out, n, rows[i].mime);
        ok(n <= TCR_BASE64_SIZE(strlen(rows[i].text)), "within its bound");
    }

    return done();
}
