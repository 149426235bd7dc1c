/* SPDX-License-Identifier: Apache-2.0 */

/* XML trees: expat's events become elements of one arena. */

#include "tcr_xml.h"

#include <expat.h>
#include <limits.h>


typedef struct {
    XML_Parser     parser;
    tcr_arena_t   *arena;
    tcr_report_t  *report;
    const char    *file;
    tcr_xml_t     *root, *open;
    size_t         depth, elements;
    bool           failed;
} reader_t;


static void
fail(reader_t *r, const char *what)
{
    if (!r->failed) {
        tcr_report_add(r->report, TCR_REPORT_ERROR, "%s:%zu:%zu: %s", r->file,
                       (size_t) XML_GetCurrentLineNumber(r->parser),
                       (size_t) XML_GetCurrentColumnNumber(r->parser) + 1,
                       what);
    }

    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}


static void
append(tcr_xml_t *parent, tcr_xml_t *element)
{
    element->parent = parent;

    if (parent->last != NULL) {
        parent->last->next = element;

    } else {
        parent->first = element;
    }

    parent->last = element;
}


static int
add_attrs(reader_t *r, tcr_xml_t *element, const XML_Char **attrs)
{
    tcr_xml_attr_t  *attr, **link = &element->attrs;

    for ( /* void */ ; attrs[0] != NULL; attrs += 2) {
        attr = tcr_arena_calloc(r->arena, 1, sizeof(*attr));

        if (attr == NULL) {
            return -1;
        }

        attr->name = tcr_arena_strdup(r->arena, tcr_str(attrs[0]));
        attr->value = tcr_arena_strdup(r->arena, tcr_str(attrs[1]));

        if (attr->name.data == NULL || attr->value.data == NULL) {
            return -1;
        }

        *link = attr;
        link = &attr->next;
    }

    return 0;
}


static void
on_start(void *data, const XML_Char *name, const XML_Char **attrs)
{
    reader_t   *r = data;
    tcr_xml_t  *element;

    if (r->failed) {
        return;
    }

    if (r->depth == TCR_XML_DEPTH || r->elements == TCR_XML_ELEMENTS) {
        fail(r, r->depth == TCR_XML_DEPTH ? "elements are nested too deep"
                : "too many elements");
        return;
    }

    element = tcr_arena_calloc(r->arena, 1, sizeof(*element));

    if (element == NULL || add_attrs(r, element, attrs) != 0
        || (element->name = tcr_arena_strdup(r->arena, tcr_str(name))).data
           == NULL)
    {
        fail(r, "out of memory");
        return;
    }

    element->line = XML_GetCurrentLineNumber(r->parser);

    if (r->open != NULL) {
        append(r->open, element);

    } else {
        r->root = element;
    }

    r->open = element;
    r->depth++;
    r->elements++;
}


static void
on_end(void *data, const XML_Char *name)
{
    reader_t  *r = data;

    (void) name;

    /* the end of an element that was refused is told, too */
    if (!r->failed) {
        r->open = r->open->parent;
        r->depth--;
    }
}


/* Entities can be made to grow without limit, or to name other files. */
static void
on_entity(void *data, const XML_Char *name, int is_parameter,
    const XML_Char *value, int len, const XML_Char *base,
    const XML_Char *system, const XML_Char *public,
    const XML_Char *notation)
{
    (void) name;
    (void) is_parameter;
    (void) value;
    (void) len;
    (void) base;
    (void) system;
    (void) public;
    (void) notation;
    fail(data, "declares an entity: write out what it stands for");
}


int
tcr_xml_parse(tcr_xml_t **root, tcr_arena_t *arena, const char *file,
    tcr_str_t text, tcr_report_t *report)
{
    reader_t  r = { .arena = arena, .report = report, .file = file };

    *root = NULL;
    r.parser = XML_ParserCreate(NULL);

    if (r.parser == NULL) {
        tcr_report_add(report, TCR_REPORT_ERROR, "%s: out of memory", file);
        return -1;
    }

    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetEntityDeclHandler(r.parser, on_entity);

    if (text.len > INT_MAX) {
        fail(&r, "is too long");

    } else if (XML_Parse(r.parser, text.data, (int) text.len, 1)
               != XML_STATUS_OK)
    {
        fail(&r, XML_ErrorString(XML_GetErrorCode(r.parser)));
    }

    XML_ParserFree(r.parser);
    *root = r.failed ? NULL : r.root;

    return r.failed ? -1 : 0;
}


tcr_xml_attr_t *
tcr_xml_attr(const tcr_xml_t *element, const char *name)
{
    tcr_xml_attr_t  *attr;

    for (attr = element->attrs; attr != NULL; attr = attr->next) {

        if (tcr_str_eq(attr->name, tcr_str(name))) {
            return attr;
        }
    }

    return NULL;
}


tcr_xml_t *
tcr_xml_next(const tcr_xml_t *element, const tcr_xml_t *top)
{
    if (element->first != NULL) {
        return element->first;
    }

    while (element != top && element->next == NULL) {
        element = element->parent;
    }

    return element != top ? element->next : NULL;
}
