/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Property files as Java reads them: "#" and "!" comments, "=", ":" or blanks
 * behind the name, a backslash at the end of a line continues it, escapes
 * \t \n \r \f \uXXXX, bytes are Latin-1 (java.util.Properties, "load").
 */

#ifndef TCR_PROPERTIES_H_INCLUDED
#define TCR_PROPERTIES_H_INCLUDED

#include "tcr_err.h"


typedef struct tcr_property_s  tcr_property_t;

/* In the order of the files; name and value are UTF-8 with a NUL behind. */
struct tcr_property_s {
    tcr_property_t  *next;
    tcr_str_t        name;
    tcr_str_t        value;
    const char      *file;
    size_t           line;        /* that it begins in                       */
    bool             used;        /* the reader's own mark, false at first   */
};

typedef struct {
    tcr_property_t  *first;
    tcr_property_t  *last;
} tcr_properties_t;


/*
 * Adds what stands in text to props; file is kept by pointer, the rest is
 * copied into the arena.  Lines that cannot be read are errors in the report,
 * "FILE:LINE: what", and left out.  -1 only when out of memory.
 */
int tcr_properties_parse(tcr_properties_t *props, tcr_arena_t *arena,
    const char *file, tcr_str_t text, tcr_report_t *report);

/*
 * The same for https.properties, which is read by other rules: "#" comments,
 * name=value up to a second "=", no escapes (spec/inputs.md §3).
 */
int tcr_properties_parse_plain(tcr_properties_t *props, tcr_arena_t *arena,
    const char *file, tcr_str_t text, tcr_report_t *report);

/* The last one of that name, which wins; NULL when there is none. */
tcr_property_t *tcr_properties_find(const tcr_properties_t *props,
    const char *name);


#endif /* TCR_PROPERTIES_H_INCLUDED */
