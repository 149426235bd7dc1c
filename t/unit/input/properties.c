/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Property files: what java.util.Properties makes of them, and positions.
 */

#include "tcr_properties.h"

#include "tap.h"


static tcr_arena_t       *arena;
static tcr_report_t       report;
static tcr_properties_t   props;


static void
parse(const char *text)
{
    props = (tcr_properties_t) { NULL, NULL };
    tcr_report_init(&report, arena, 0);
    tcr_properties_parse(&props, arena, "f.properties", tcr_str(text),
                         &report);
}


static void
parse_plain(const char *text)
{
    props = (tcr_properties_t) { NULL, NULL };
    tcr_report_init(&report, arena, 0);
    tcr_properties_parse_plain(&props, arena, "h.properties", tcr_str(text),
                               &report);
}


/* "(none)" tells an absent one from an empty one */
static const char *
value(const char *name)
{
    const tcr_property_t  *p = tcr_properties_find(&props, name);

    return p != NULL ? p->value.data : "(none)";
}


static const char *
problem(void)
{
    return report.first != NULL ? report.first->text : NULL;
}


static void
separators(void)
{
    parse("a=1\nb:2\nc 3\n  d \t=\f 4\ne\nf=\ng = = x\nh:=y\ni   :z \n");
    is_str(value("a"), "1", "=");
    is_str(value("b"), "2", ":");
    is_str(value("c"), "3", "a blank");
    is_str(value("d"), "4", "blanks around");
    is_str(value("e"), "", "a name alone");
    is_str(value("f"), "", "no value");
    is_str(value("g"), "= x", "the second separator belongs to the value");
    is_str(value("h"), "=y", "of the other kind, too");
    is_str(value("i"), "z ", "blanks at the end are kept");
    ok(report.first == NULL, "nothing is wrong");
}


static void
comments(void)
{
    parse("# a=1\n  ! b=2\n\n \t \n#c=3\\\nd=4\r\ne=5\rf=6");
    is_str(value("a"), "(none)", "#");
    is_str(value("b"), "(none)", "! behind blanks");
    is_str(value("d"), "4", "a comment is not continued");
    is_str(value("e"), "5", "CR LF");
    is_str(value("f"), "6", "CR, and the end of the text");
    is_int(tcr_properties_find(&props, "f")->line, 8, "all are lines");
}


static void
continuations(void)
{
    parse("a=one,\\\n   two,\\\r\n\tthree\nb=x\\\\\nc=\\\n# no comment\n"
          "d\\\n  e=1\nf=end\\");
    is_str(value("a"), "one,two,three", "blanks of the next line go");
    is_str(value("b"), "x\\", "two backslashes are one and no continuation");
    is_str(value("c"), "# no comment", "a continuation is no comment");
    is_str(value("de"), "1", "in a name");
    is_str(value("f"), "end", "at the end of the text");
    is_int(tcr_properties_find(&props, "b")->line, 4, "lines are counted");
    is_int(tcr_properties_find(&props, "c")->line, 5, "from the first one");
}


static void
escapes(void)
{
    parse("a\\=\\:\\ b=1\nt=\\t\\n\\r\\f\nu=\\u00e5\\u20AC\nx=\\x\\#\\!\n"
          "s=\\ud83d\\ude00\nl=\xe5\xdf\np=\\  q");
    is_str(value("a=: b"), "1", "separators in a name");
    is_str(value("t"), "\t\n\r\f", "control characters");
    is_str(value("u"), "\xc3\xa5\xe2\x82\xac", "\\u");
    is_str(value("x"), "x#!", "anything else is itself");
    is_str(value("s"), "\xf0\x9f\x98\x80", "two halves of one character");
    is_str(value("l"), "\xc3\xa5\xc3\x9f", "bytes are Latin-1");
    is_str(value("p"), "  q", "an escaped blank begins the value");
}


static void
refused(void)
{
    parse("a=1\nb=\\u12x4\nc=3\n");
    is_str(problem(), "f.properties:2: expected four hexadecimal digits "
           "behind \"\\u\"", "no hexadecimal digits");
    is_str(value("b"), "(none)", "left out");
    is_str(value("c"), "3", "the next one is read");

    parse("a=\\ud83dx\n");
    is_str(problem(), "f.properties:1: half a character behind \"\\u\"",
           "half a character");
    parse("a=\\u0000\n");
    ok(problem() != NULL, "NUL");
    is_str(value("a"), "(none)", "is left out");

    parse("a=1\na=2\n");
    is_str(value("a"), "2", "the last one wins");
}


static void
plain(void)
{
    parse_plain("# comment\n\nhttps.a = b \r\nc=d=e\nf\ng=\\u0041\n");
    is_str(value("https.a"), "b", "blanks around go");
    is_str(value("c"), "d", "up to a second =");
    is_str(value("g"), "\\u0041", "no escapes");
    is_str(problem(), "h.properties:4: what stands behind a second \"=\" does "
           "not count", "which is said");
    is_str(report.last->text, "h.properties:5: expected NAME=VALUE",
           "a line without");
}


int
main(void)
{
    arena = tcr_arena_create(0);
    separators();
    comments();
    continuations();
    escapes();
    refused();
    plain();
    tcr_arena_destroy(arena);

    return done();
}
