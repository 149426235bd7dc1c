/* SPDX-License-Identifier: Apache-2.0 */

/* Words for reports, comments and settings of an import. */

#include "tcr_import.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tcr_utf8.h"


void
tcr_import_say(tcr_import_t *im, tcr_severity_e severity, const char *file,
    size_t line, const char *name, const char *fmt, ...)
{
    char     text[1024];
    va_list  ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    tcr_report_add(im->report, severity, "%s:%zu: %s: %s", file, line, name,
                   text);
}


/* What YAML takes without an escape (YAML 1.1 5.1), and shows as one line. */
static bool
is_printable(uint32_t c)
{
    return (c >= 0x20 && c < 0x7f)
           || (c >= 0xa0 && c != 0x2028 && c != 0x2029 && c != 0xfeff
               && c != 0xfffe && c != 0xffff);
}


static void
put_text(tcr_buf_t *buf, tcr_str_t text, bool quoted)
{
    size_t    i, n;
    uint32_t  c;

    for (i = 0; i < text.len; i += n) {
        n = tcr_utf8_get(text.data + i, text.len - i, &c);

        if (n == 0) {
            n = 1;
            tcr_buf_printf(buf, "\\x%02x", (unsigned char) text.data[i]);

        } else if (!is_printable(c)) {
            tcr_buf_printf(buf, "\\u%04x", c);

        } else {
            tcr_buf_printf(buf, "%s", quoted && (c == '"' || c == '\\')
                           ? "\\" : "");
            tcr_buf_add(buf, text.data + i, n);
        }
    }
}


void
tcr_import_plain(tcr_buf_t *buf, tcr_str_t text)
{
    put_text(buf, text, false);
}


void
tcr_import_quoted(tcr_buf_t *buf, tcr_str_t text)
{
    tcr_buf_char(buf, '"');
    put_text(buf, text, true);
    tcr_buf_char(buf, '"');
}


const char *
tcr_import_shown(const tcr_import_t *im, const char *file)
{
    size_t  n = strlen(im->dir);

    return strncmp(file, im->dir, n) == 0 && file[n] == '/' ? file + n + 1
           : file;
}


void
tcr_import_origin(const tcr_import_t *im, tcr_buf_t *buf, const char *indent,
    const tcr_import_value_t *value, const char *name)
{
    if (value->file == NULL) {
        tcr_buf_printf(buf, "%s# %s, the reference's default\n", indent, name);
        return;
    }

    tcr_buf_printf(buf, "%s# %s:%zu: ", indent,
                   tcr_import_shown(im, value->file), value->line);
    tcr_import_plain(buf, tcr_str(name));
    tcr_buf_printf(buf, " = ");
    tcr_import_plain(buf, value->value);
    tcr_buf_char(buf, '\n');
}


void
tcr_import_time(tcr_buf_t *buf, int64_t ms, bool wide)
{
    if (wide && ms % 3600000 == 0 && ms != 0) {
        tcr_buf_printf(buf, "%" PRId64 "h", ms / 3600000);

    } else if (ms % 1000 == 0) {
        tcr_buf_printf(buf, "%" PRId64 "s", ms / 1000);

    } else {
        tcr_buf_printf(buf, "%" PRId64 "ms", ms);
    }
}


bool
tcr_import_is_path(const char *path)
{
    size_t  n = strspn(path, "abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+@%-");

    return path[0] == '/' && path[n] == '\0';
}
