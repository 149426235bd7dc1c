/* SPDX-License-Identifier: Apache-2.0 */

/*
 * XML as a tree of elements that know their lines: enough for server.xml.
 * Text between elements is not kept, a document type with entities is
 * refused, nothing outside of the text is ever read.
 */

#ifndef TCR_XML_H_INCLUDED
#define TCR_XML_H_INCLUDED

#include "tcr_err.h"

#define TCR_XML_DEPTH     64
#define TCR_XML_ELEMENTS  10000


typedef struct tcr_xml_s       tcr_xml_t;
typedef struct tcr_xml_attr_s  tcr_xml_attr_t;

/* In the order of the document; texts are UTF-8 with a NUL behind. */
struct tcr_xml_attr_s {
    tcr_xml_attr_t  *next;
    tcr_str_t        name;
    tcr_str_t        value;
    bool             used;        /* the reader's own mark, false at first   */
};

struct tcr_xml_s {
    tcr_xml_t       *next;
    tcr_xml_t       *parent;      /* NULL at the root                        */
    tcr_xml_t       *first, *last;
    tcr_xml_attr_t  *attrs;
    tcr_str_t        name;
    size_t           line;
};


/*
 * Parses text into the arena.  -1 with one error in the report,
 * "FILE:LINE:COL: what", or when out of memory.
 */
int tcr_xml_parse(tcr_xml_t **root, tcr_arena_t *arena, const char *file,
    tcr_str_t text, tcr_report_t *report);

/* NULL when there is none of that name. */
tcr_xml_attr_t *tcr_xml_attr(const tcr_xml_t *element, const char *name);

/* The element behind this one in document order, below top; NULL: none. */
tcr_xml_t *tcr_xml_next(const tcr_xml_t *element, const tcr_xml_t *top);


#endif /* TCR_XML_H_INCLUDED */
