/* SPDX-License-Identifier: Apache-2.0 */

/* XML trees: elements, attributes, lines, and what is refused. */

#include "tcr_xml.h"

#include "tcr_buf.h"

#include "tap.h"


static tcr_arena_t   *arena;
static tcr_report_t   report;


static tcr_xml_t *
parse(tcr_str_t text)
{
    tcr_xml_t  *root;

    tcr_report_init(&report, arena, 0);
    return tcr_xml_parse(&root, arena, "s.xml", text, &report) == 0 ? root
           : NULL;
}


static const char *
problem(void)
{
    return report.first != NULL ? report.first->text : NULL;
}


static void
tree(void)
{
    tcr_xml_t  *root, *e;

    root = parse(TCR_STR("<?xml version='1.0'?>\n<!-- c -->\n<a x='1'\n"
                         "   y='&lt;&#229;'>\n<b/>text<c z=''>\n<d/></c>\n"
                         "<e/></a>"));
    ok(root != NULL && report.first == NULL, "a tree");

    if (root == NULL) {
        return;
    }

    is_str(root->name.data, "a", "its root");
    is_int(root->line, 3, "begins in line 3");
    is_str(tcr_xml_attr(root, "x")->value.data, "1", "an attribute");
    is_str(tcr_xml_attr(root, "y")->value.data, "<\xc3\xa5", "with references");
    ok(tcr_xml_attr(root, "z") == NULL, "that of another is not its own");

    e = tcr_xml_next(root, root);
    is_str(e->name.data, "b", "in document order: b");
    e = tcr_xml_next(e, root);
    is_str(e->name.data, "c", "then c");
    ok(tcr_xml_next(tcr_xml_next(e, e), e) == NULL, "which ends behind d");
    e = tcr_xml_next(tcr_xml_next(e, root), root);
    is_str(e->name.data, "e", "then e");
    is_int(e->line, 7, "in line 7");
    ok(tcr_xml_next(e, root) == NULL, "then nothing");
}


static void
refused(void)
{
    int        i;
    tcr_buf_t  deep;

    ok(parse(TCR_STR("<a>\n<b></a>")) == NULL, "not well-formed");
    ok(problem() != NULL && strncmp(problem(), "s.xml:2:", 8) == 0,
       "with the place");
    is_int(report.kept, 1, "one error");

    ok(parse(TCR_STR("<!DOCTYPE a [<!ENTITY x 'y'>]>\n<a>&x;</a>")) == NULL,
       "an entity");
    ok(problem() != NULL && strstr(problem(), "declares an entity") != NULL,
       "is named");
    ok(parse(TCR_STR("<!DOCTYPE a [<!ENTITY x SYSTEM '/etc/hostname'>]>"
                     "<a>&x;</a>")) == NULL, "a file");
    ok(parse(TCR_STR("")) == NULL, "nothing");

    tcr_buf_init(&deep, 1 << 20);

    for (i = 0; i <= TCR_XML_DEPTH; i++) {
        tcr_buf_printf(&deep, "<a>");
    }

    ok(parse(tcr_str_n(deep.data, deep.len)) == NULL
       && strstr(problem(), "too deep") != NULL, "too deep");
    tcr_buf_reset(&deep);
    tcr_buf_printf(&deep, "<a>");

    for (i = 0; i < TCR_XML_ELEMENTS; i++) {
        tcr_buf_printf(&deep, "<b/>");
    }

    ok(parse(tcr_str_n(deep.data, deep.len)) == NULL
       && strstr(problem(), "too many") != NULL, "too many");
    tcr_buf_free(&deep);
}


int
main(void)
{
    arena = tcr_arena_create(0);
    tree();
    refused();
    tcr_arena_destroy(arena);

    return done();
}
