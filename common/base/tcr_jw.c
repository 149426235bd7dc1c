/* SPDX-License-Identifier: Apache-2.0 */

/* Writing JSON. */

#include "tcr_jw.h"

#include <inttypes.h>


/* What stands before a value: a comma, its name. */
static void
begin(tcr_jw_t *w, const char *name)
{
    if (w->more) {
        tcr_buf_char(w->buf, ',');
    }

    w->more = true;

    if (name != NULL) {
        tcr_buf_char(w->buf, '"');
        tcr_buf_str(w->buf, tcr_str(name));
        tcr_buf_str(w->buf, TCR_STR("\":"));
    }
}


static void
begin_named(tcr_jw_t *w, tcr_str_t name)
{
    begin(w, NULL);

    if (name.data != NULL) {
        tcr_buf_json_str(w->buf, name);
        tcr_buf_char(w->buf, ':');
    }
}


static void
put_str(tcr_jw_t *w, tcr_str_t s)
{
    if (s.data == NULL) {
        tcr_buf_str(w->buf, TCR_STR("null"));

    } else {
        tcr_buf_json_str(w->buf, s);
    }
}


static void
put_bracket(tcr_jw_t *w, char bracket)
{
    tcr_buf_char(w->buf, bracket);
    w->more = false;
}


void
tcr_jw_open(tcr_jw_t *w, const char *name, char bracket)
{
    begin(w, name);
    put_bracket(w, bracket);
}


void
tcr_jw_open_named(tcr_jw_t *w, tcr_str_t name, char bracket)
{
    begin_named(w, name);
    put_bracket(w, bracket);
}


void
tcr_jw_close(tcr_jw_t *w, char bracket)
{
    tcr_buf_char(w->buf, bracket);
    w->more = true;
}


void
tcr_jw_str(tcr_jw_t *w, const char *name, tcr_str_t s)
{
    begin(w, name);
    put_str(w, s);
}


void
tcr_jw_str_named(tcr_jw_t *w, tcr_str_t name, tcr_str_t s)
{
    begin_named(w, name);
    put_str(w, s);
}


void
tcr_jw_int(tcr_jw_t *w, const char *name, int64_t n)
{
    begin(w, name);
    tcr_buf_printf(w->buf, "%" PRId64, n);
}


void
tcr_jw_uint(tcr_jw_t *w, const char *name, uint64_t n)
{
    begin(w, name);
    tcr_buf_printf(w->buf, "%" PRIu64, n);
}


void
tcr_jw_bool(tcr_jw_t *w, const char *name, bool b)
{
    begin(w, name);
    tcr_buf_str(w->buf, b ? TCR_STR("true") : TCR_STR("false"));
}


void
tcr_jw_null(tcr_jw_t *w, const char *name)
{
    begin(w, name);
    tcr_buf_str(w->buf, TCR_STR("null"));
}


void
tcr_jw_real(tcr_jw_t *w, const char *name, double d)
{
    char  text[TCR_REAL_TEXT];

    begin(w, name);
    tcr_buf_add(w->buf, text, tcr_real_text(d, text));
}
