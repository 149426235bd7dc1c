/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Property files: a logical line is read character by character, so that
 * continuations and escapes may stand anywhere in it.
 */

#include "tcr_properties.h"

#include "tcr_buf.h"
#include "tcr_utf8.h"

#define TEXT_MAX  (16u * 1024 * 1024)


typedef struct {
    tcr_properties_t  *props;
    tcr_arena_t       *arena;
    tcr_report_t      *report;
    const char        *file;
    const char        *p, *end;
    size_t             line;
    tcr_buf_t          name, value;
    bool               bad;       /* this logical line                       */
} reader_t;

/* A character of a logical line. */
typedef struct {
    uint32_t  code;
    bool      escaped;            /* separates nothing then                  */
} letter_t;


static bool
is_blank(uint32_t c)
{
    return c == ' ' || c == '\t' || c == '\f';
}


static bool
is_end(char c)
{
    return c == '\n' || c == '\r';
}


/* LF, CR or CR LF. */
static void
skip_end(reader_t *r)
{
    if (*r->p == '\r' && r->end - r->p > 1 && r->p[1] == '\n') {
        r->p++;
    }

    r->p++;
    r->line++;
}


static void
skip_blanks(reader_t *r)
{
    while (r->p < r->end && is_blank((unsigned char) *r->p)) {
        r->p++;
    }
}


static void
skip_line(reader_t *r)
{
    while (r->p < r->end && !is_end(*r->p)) {
        r->p++;
    }
}


static void
wrong(reader_t *r, const char *what)
{
    if (!r->bad) {
        tcr_report_add(r->report, TCR_REPORT_ERROR, "%s:%zu: %s", r->file,
                       r->line, what);
    }

    r->bad = true;
}


/* --- escapes --- */

/* The four hexadecimal digits behind "\u"; -1: they are none. */
static int
take_hex(reader_t *r, uint32_t *code)
{
    int   i, digit;
    char  c;

    *code = 0;

    for (i = 0; i < 4; i++) {
        c = r->p < r->end ? tcr_lower(*r->p) : '\0';
        digit = c >= '0' && c <= '9' ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

        if (digit < 0) {
            return -1;
        }

        *code = *code << 4 | (uint32_t) digit;
        r->p++;
    }

    return 0;
}


/* Characters above U+FFFF are written as two halves. */
static uint32_t
take_unicode(reader_t *r)
{
    uint32_t  high, low;

    if (take_hex(r, &high) != 0) {
        wrong(r, "expected four hexadecimal digits behind \"\\u\"");
        return '?';
    }

    if (high == 0) {
        wrong(r, "\"\\u0000\" cannot stand in a setting");
    }

    if (high < 0xd800 || high > 0xdfff) {
        return high;
    }

    if (high < 0xdc00 && r->end - r->p >= 6 && r->p[0] == '\\'
        && r->p[1] == 'u')
    {
        r->p += 2;

        if (take_hex(r, &low) == 0 && low >= 0xdc00 && low <= 0xdfff) {
            return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        }
    }

    wrong(r, "half a character behind \"\\u\"");
    return '?';
}


static uint32_t
take_escape(reader_t *r)
{
    char  c = *r->p++;

    switch (c) {
    case 't': return '\t';
    case 'n': return '\n';
    case 'r': return '\r';
    case 'f': return '\f';
    case 'u': return take_unicode(r);
    default:  return (unsigned char) c;
    }
}


/* --- logical lines --- */

/* False at the end of the logical line. */
static bool
take(reader_t *r, letter_t *letter)
{
    while (r->p < r->end && !is_end(*r->p)) {

        if (*r->p != '\\') {
            *letter = (letter_t) { (unsigned char) *r->p++, false };
            return true;
        }

        r->p++;

        if (r->p == r->end) {
            break;
        }

        if (!is_end(*r->p)) {
            *letter = (letter_t) { take_escape(r), true };
            return true;
        }

        skip_end(r);
        skip_blanks(r);
    }

    return false;
}


static void
add_letter(reader_t *r, tcr_buf_t *buf, uint32_t code)
{
    char  utf8[4];

    if (code == 0) {
        wrong(r, "a NUL byte");
        return;
    }

    tcr_buf_add(buf, utf8, tcr_utf8_put(utf8, code));
}


/* Name, blanks, at most one separator, blanks, value. */
static void
read_property(reader_t *r)
{
    bool      separated = false, more;
    letter_t  c;

    while ((more = take(r, &c))) {

        if (!c.escaped && (c.code == '=' || c.code == ':'
                           || is_blank(c.code)))
        {
            break;
        }

        add_letter(r, &r->name, c.code);
    }

    while (more && !c.escaped
           && (is_blank(c.code)
               || (!separated && (c.code == '=' || c.code == ':'))))
    {
        separated |= !is_blank(c.code);
        more = take(r, &c);
    }

    while (more) {
        add_letter(r, &r->value, c.code);
        more = take(r, &c);
    }
}


static int
add_property(reader_t *r, tcr_str_t name, tcr_str_t value, size_t line)
{
    tcr_property_t  *property = tcr_arena_calloc(r->arena, 1,
                                                 sizeof(*property));

    if (property == NULL) {
        return -1;
    }

    property->name = tcr_arena_strdup(r->arena, name);
    property->value = tcr_arena_strdup(r->arena, value);
    property->file = r->file;
    property->line = line;

    if (property->name.data == NULL || property->value.data == NULL) {
        return -1;
    }

    if (r->props->last != NULL) {
        r->props->last->next = property;

    } else {
        r->props->first = property;
    }

    r->props->last = property;
    return 0;
}


static tcr_str_t
text_of(const tcr_buf_t *buf)
{
    return tcr_str_n(buf->len != 0 ? buf->data : "", buf->len);
}


static int
read_lines(reader_t *r)
{
    size_t  line;

    while (r->p < r->end) {
        skip_blanks(r);

        if (r->p == r->end) {
            break;
        }

        if (is_end(*r->p)) {
            skip_end(r);
            continue;
        }

        if (*r->p == '#' || *r->p == '!') {
            skip_line(r);
            continue;
        }

        tcr_buf_reset(&r->name);
        tcr_buf_reset(&r->value);
        r->bad = false;
        line = r->line;
        read_property(r);

        if (r->name.failed || r->value.failed
            || (!r->bad && add_property(r, text_of(&r->name),
                                        text_of(&r->value), line) != 0))
        {
            return -1;
        }
    }

    return 0;
}


int
tcr_properties_parse(tcr_properties_t *props, tcr_arena_t *arena,
    const char *file, tcr_str_t text, tcr_report_t *report)
{
    int       rc;
    reader_t  r = { .props = props, .arena = arena, .report = report,
                    .file = file, .p = text.data, .end = text.data + text.len,
                    .line = 1 };

    tcr_buf_init(&r.name, TEXT_MAX);
    tcr_buf_init(&r.value, TEXT_MAX);
    rc = read_lines(&r);
    tcr_buf_free(&r.name);
    tcr_buf_free(&r.value);

    return rc;
}


/* --- https.properties --- */

int
tcr_properties_parse_plain(tcr_properties_t *props, tcr_arena_t *arena,
    const char *file, tcr_str_t text, tcr_report_t *report)
{
    tcr_str_t  line, name;
    reader_t   r = { .props = props, .arena = arena, .report = report,
                     .file = file };

    while (text.data != NULL) {
        line = tcr_str_trim(tcr_str_split(&text, '\n'));
        r.line++;
        r.bad = false;

        if (line.len == 0 || line.data[0] == '#') {
            continue;
        }

        if (memchr(line.data, '\0', line.len) != NULL) {
            wrong(&r, "a NUL byte");
            continue;
        }

        name = tcr_str_trim(tcr_str_split(&line, '='));

        if (line.data == NULL) {
            wrong(&r, "expected NAME=VALUE");
            continue;
        }

        if (add_property(&r, name, tcr_str_trim(tcr_str_split(&line, '=')),
                         r.line) != 0)
        {
            return -1;
        }

        if (line.data != NULL) {
            tcr_report_add(report, TCR_REPORT_WARNING, "%s:%zu: what stands "
                           "behind a second \"=\" does not count", file,
                           r.line);
        }
    }

    return 0;
}


tcr_property_t *
tcr_properties_find(const tcr_properties_t *props, const char *name)
{
    tcr_property_t  *p, *found = NULL;

    for (p = props->first; p != NULL; p = p->next) {

        if (tcr_str_eq(p->name, tcr_str(name))) {
            found = p;
        }
    }

    return found;
}
