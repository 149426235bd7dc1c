/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Escapes that stand for characters: \x41, \cA, \w, \p{Punct}...
 */

#include "tcr_regex_parse.h"


static const tcr_regex_range_t  digit[] = { { '0', '9' } };
static const tcr_regex_range_t  lower[] = { { 'a', 'z' } };
static const tcr_regex_range_t  upper[] = { { 'A', 'Z' } };
static const tcr_regex_range_t  alpha[] = { { 'A', 'Z' }, { 'a', 'z' } };
static const tcr_regex_range_t  space[] = { { 9, 13 }, { ' ', ' ' } };
static const tcr_regex_range_t  blank[] = { { 9, 9 }, { ' ', ' ' } };
static const tcr_regex_range_t  cntrl[] = { { 0, 31 }, { 127, 127 } };
static const tcr_regex_range_t  graph[] = { { 33, 126 } };
static const tcr_regex_range_t  print[] = { { 32, 126 } };
static const tcr_regex_range_t  ascii[] = { { 0, 127 } };

static const tcr_regex_range_t  alnum[] = {
    { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' }
};

static const tcr_regex_range_t  word[] = {
    { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' }
};

static const tcr_regex_range_t  xdigit[] = {
    { '0', '9' }, { 'A', 'F' }, { 'a', 'f' }
};

static const tcr_regex_range_t  punct[] = {
    { '!', '/' }, { ':', '@' }, { '[', '`' }, { '{', '~' }
};

static const tcr_regex_range_t  horizontal[] = {
    { 9, 9 }, { ' ', ' ' }, { 0xa0, 0xa0 }, { 0x1680, 0x1680 },
    { 0x180e, 0x180e }, { 0x2000, 0x200a }, { 0x202f, 0x202f },
    { 0x205f, 0x205f }, { 0x3000, 0x3000 }
};

static const tcr_regex_range_t  vertical[] = {
    { 10, 13 }, { 0x85, 0x85 }, { 0x2028, 0x2029 }
};


#define NAMED(name, table)  { name, TCR_REGEX_SET(table) }

/* java.util.regex.Pattern, "POSIX character classes (US-ASCII only)" */
static const struct {
    const char       *name;
    tcr_regex_set_t   set;
} named[] = {
    NAMED("ASCII", ascii),
    NAMED("Alnum", alnum),
    NAMED("Alpha", alpha),
    NAMED("Blank", blank),
    NAMED("Cntrl", cntrl),
    NAMED("Digit", digit),
    NAMED("Graph", graph),
    NAMED("Lower", lower),
    NAMED("Print", print),
    NAMED("Punct", punct),
    NAMED("Space", space),
    NAMED("Upper", upper),
    NAMED("XDigit", xdigit),
};

/*
 * Those of cased letters are missing, since releases of Java differ on them
 * when case does not matter; so are those of unassigned code points.
 */
static const char  categories[TCR_REGEX_CATEGORIES][3] = {
    "L", "Lm", "Lo", "M", "Mn", "Me", "Mc", "N", "Nd", "Nl", "No", "Z", "Zs",
    "Zl", "Zp", "Cc", "Cf", "Co", "P", "Pd", "Ps", "Pe", "Pc", "Po", "Pi",
    "Pf", "S", "Sm", "Sc", "Sk", "So"
};


static int
hex_value(uint32_t c)
{
    if (c >= '0' && c <= '9') {
        return (int) c - '0';
    }

    if (c >= 'a' && c <= 'f') {
        return (int) c - 'a' + 10;
    }

    if (c >= 'A' && c <= 'F') {
        return (int) c - 'A' + 10;
    }

    return -1;
}


/* Between min and max digits; -1 when there are fewer. */
static int
hex_digits(tcr_regex_parser_t *p, int min, int max, uint32_t *code)
{
    int  n, value;

    for (n = 0, *code = 0; n < max; n++) {
        value = hex_value(tcr_regex_peek(p));

        if (value < 0) {
            break;
        }

        tcr_regex_next(p);
        *code = *code << 4 | (uint32_t) value;
    }

    return n < min ? -1 : 0;
}


/* \xhh and \x{h...h} */
static int
hex_escape(tcr_regex_parser_t *p, uint32_t *code)
{
    if (!tcr_regex_accept(p, "{")) {
        return hex_digits(p, 2, 2, code);
    }

    if (hex_digits(p, 1, 6, code) != 0 || *code > TCR_REGEX_CODE_MAX) {
        return -1;
    }

    return tcr_regex_accept(p, "}") ? 0 : -1;
}


/* \uhhhh, or two of them that are a pair of surrogates */
static int
unicode_escape(tcr_regex_parser_t *p, uint32_t *code)
{
    uint32_t  low;

    if (hex_digits(p, 4, 4, code) != 0) {
        return -1;
    }

    if (*code < 0xd800 || *code > 0xdbff) {
        return 0;
    }

    if (!tcr_regex_accept(p, "\\u") || hex_digits(p, 4, 4, &low) != 0
        || low < 0xdc00 || low > 0xdfff)
    {
        return -1;
    }

    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return 0;
}


static bool
is_octal(uint32_t c)
{
    return c >= '0' && c <= '7';
}


/* \0n, \0nn, \0mnn with m up to 3 */
static int
octal_escape(tcr_regex_parser_t *p, uint32_t *code)
{
    int  n, digits;

    digits = tcr_regex_peek(p) <= '3' ? 3 : 2;

    for (n = 0, *code = 0; n < digits && is_octal(tcr_regex_peek(p)); n++) {
        *code = *code * 8 + (tcr_regex_next(p) - '0');
    }

    /* where blanks do not count, Java reads on behind them */
    if (n < digits && tcr_regex_blank_follows(p)) {
        return -1;
    }

    return n != 0 ? 0 : -1;
}


/* The name of \pX or \p{Name}. */
static int
property_name(tcr_regex_parser_t *p, tcr_str_t *name)
{
    size_t  begin = p->at;

    if (!tcr_regex_accept(p, "{")) {
        tcr_regex_next(p);
        *name = tcr_str_n(p->src.data + begin, p->at - begin);
        return 0;
    }

    begin = p->at;
    *name = tcr_str_n(p->src.data + begin, p->src.len - begin);
    name->len = tcr_str_find(*name, '}');
    p->at += name->len;

    return tcr_regex_accept(p, "}") ? 0 : -1;
}


static int
find_category(tcr_regex_parser_t *p, tcr_str_t name, tcr_regex_set_t *set)
{
    size_t  i;

    if (tcr_str_starts(name, TCR_STR("Is"))) {
        name.data += 2;
        name.len -= 2;
    }

    for (i = 0; i < TCR_REGEX_CATEGORIES; i++) {
        if (tcr_str_eq(name, tcr_str(categories[i]))) {
            break;
        }
    }

    if (i == TCR_REGEX_CATEGORIES
        || (p->categories[i].ranges == NULL
            && tcr_regex_category(p->arena, categories[i], &p->categories[i])
               != 0))
    {
        return -1;
    }

    *set = p->categories[i];
    return 0;
}


static int
property(tcr_regex_parser_t *p, size_t begin, tcr_regex_set_t *set)
{
    size_t     i;
    tcr_str_t  name;

    if (property_name(p, &name) != 0) {
        return tcr_regex_fail(p, begin, "property without \"}\"");
    }

    for (i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        if (tcr_str_eq(name, tcr_str(named[i].name))) {
            *set = named[i].set;
            return 0;
        }
    }

    if (find_category(p, name, set) == 0) {
        return 0;
    }

    return tcr_regex_fail(p, begin, "unsupported property \"%.*s\"",
                          TCR_STR_ARG(name));
}


/* Escapes of one character.  1 when c is none. */
static int
character(tcr_regex_parser_t *p, uint32_t c, uint32_t *code)
{
    switch (c) {

    case '0':
        return octal_escape(p, code);

    case 'x':
        return hex_escape(p, code);

    case 'u':
        return unicode_escape(p, code);

    case 'c':
        *code = tcr_regex_next(p) ^ 64;
        return *code < 0x80 ? 0 : -1;

    case 'a':
        *code = 7;
        return 0;

    case 'e':
        *code = 27;
        return 0;

    case 'f':
        *code = '\f';
        return 0;

    case 'n':
        *code = '\n';
        return 0;

    case 'r':
        *code = '\r';
        return 0;

    case 't':
        *code = '\t';
        return 0;
    }

    return 1;
}


/* Escapes of many characters but properties; no ranges for others. */
static tcr_regex_set_t
several(uint32_t c)
{
    switch (c) {
    case 'd':
        return TCR_REGEX_SET(digit);
    case 'h':
        return TCR_REGEX_SET(horizontal);
    case 's':
        return TCR_REGEX_SET(space);
    case 'v':
        return TCR_REGEX_SET(vertical);
    case 'w':
        return TCR_REGEX_SET(word);
    default:
        return (tcr_regex_set_t) { NULL, 0 };
    }
}


static bool
is_letter_or_digit(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')
           || (c >= 'a' && c <= 'z');
}


int
tcr_regex_escape(tcr_regex_parser_t *p, tcr_regex_item_t *item)
{
    int              rc;
    size_t           begin = p->at - 1;
    uint32_t         c = tcr_regex_next(p);
    tcr_regex_set_t  set;

    item->several = false;
    item->code = c;

    if (c == TCR_REGEX_END) {
        return tcr_regex_fail(p, begin, "nothing behind \"\\\"");
    }

    if (!is_letter_or_digit(c)) {
        return 0;
    }

    rc = character(p, c, &item->code);

    if (rc < 0 || (rc == 0 && item->code >= 0xd800 && item->code <= 0xdfff)) {
        return tcr_regex_fail(p, begin, "bad escape \"\\%c\"", (char) c);
    }

    if (rc == 0) {
        return 0;
    }

    if (c == 'p' || c == 'P') {
        if (property(p, begin, &set) != 0) {
            return -1;
        }

    } else {
        set = several(c | 0x20);
    }

    if (set.ranges == NULL) {
        return tcr_regex_fail(p, begin, "unsupported escape \"\\%c\"",
                              (char) c);
    }

    item->several = true;
    item->chars = tcr_regex_chars(p->arena, set);

    if (c <= 'Z') {
        item->chars = tcr_regex_chars_not(p->arena, item->chars);
    }

    return 0;
}
