/* SPDX-License-Identifier: Apache-2.0 */

/* JSON as it is written, and numbers as text. */

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tap.h"
#include "tcr_jw.h"


static void
is_java(double d, const char *want)
{
    char  text[TCR_REAL_TEXT];

    ok(tcr_real_java(d, text) == strlen(text), "length of %s", want);
    is_str(text, want, "as Java shows it");
}


static void
is_real(double d, const char *want)
{
    char  text[TCR_REAL_TEXT];

    ok(tcr_real_text(d, text) == strlen(text), "length of %s", want);
    is_str(text, want, "shortest text");
}


static void
reads_back(void)
{
    int       i, bad = 0;
    char      text[TCR_REAL_TEXT];
    double    d;
    uint64_t  bits = 1;

    for (i = 0; i < 20000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407u;
        memcpy(&d, &bits, sizeof(d));

        if (isfinite(d)) {
            tcr_real_text(d, text);
            bad += strtod(text, NULL) != d;
            tcr_real_java(d, text);
            bad += strtod(text, NULL) != d;
        }
    }

    is_int(bad, 0, "every double reads back");
}


static void
document(void)
{
    tcr_buf_t  buf;
    tcr_jw_t   w;

    tcr_buf_init(&buf, 1 << 16);
    w = tcr_jw(&buf);

    tcr_jw_open(&w, NULL, '{');
    tcr_jw_str(&w, "text", TCR_STR("a\"b"));
    tcr_jw_str(&w, "absent", tcr_str(NULL));
    tcr_jw_open(&w, "empty", '[');
    tcr_jw_close(&w, ']');
    tcr_jw_open(&w, "list", '[');
    tcr_jw_int(&w, NULL, INT64_MIN);
    tcr_jw_uint(&w, NULL, UINT64_MAX);
    tcr_jw_bool(&w, NULL, true);
    tcr_jw_null(&w, NULL);
    tcr_jw_open(&w, NULL, '{');
    tcr_jw_close(&w, '}');
    tcr_jw_real(&w, NULL, 0.5);
    tcr_jw_close(&w, ']');
    tcr_jw_open_named(&w, TCR_STR("a\nb"), '{');
    tcr_jw_str_named(&w, TCR_STR("\\"), TCR_STR(""));
    tcr_jw_close(&w, '}');
    tcr_jw_bool(&w, "last", false);
    tcr_jw_close(&w, '}');
    tcr_buf_char(&buf, '\0');

    is_str(buf.data,
           "{\"text\":\"a\\\"b\",\"absent\":null,\"empty\":[],"
           "\"list\":[-9223372036854775808,18446744073709551615,true,null,{},"
           "0.5],\"a\\nb\":{\"\\\\\":\"\"},\"last\":false}", "document");
    tcr_buf_free(&buf);
}


int
main(void)
{
    document();

    is_real(0, "0");
    is_real(0.1, "0.1");
    is_real(3.3073211544382707e35, "3.3073211544382707e+35");
    is_real(DBL_MAX, "1.7976931348623157e+308");
    is_real(DBL_TRUE_MIN, "4.94065645841247e-324");
    is_real(INFINITY, "null");

    /* texts of a Java virtual machine */
    is_java(0, "0.0");
    is_java(-0.0, "-0.0");
    is_java(41, "41.0");
    is_java(-74.006, "-74.006");
    is_java(0.5, "0.5");
    is_java(0.001, "0.001");
    is_java(0.0001, "1.0E-4");
    is_java(120, "120.0");
    is_java(1234567.25, "1234567.25");
    is_java(1e7, "1.0E7");
    is_java(-1.5e-5, "-1.5E-5");
    is_java(0.0625, "0.0625");

    reads_back();
    return done();
}
