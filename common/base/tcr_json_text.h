/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the JSON reader does with bytes rather than values.  Internal to it.
 */

#ifndef TCR_JSON_TEXT_H_INCLUDED
#define TCR_JSON_TEXT_H_INCLUDED

#include "tcr_json.h"


/*
 * Checks the encoding and notes where lines begin.  The first byte that is
 * not UTF-8, text.len when all is well; *lines is NULL when out of memory.
 */
size_t tcr_json_scan(tcr_arena_t *arena, tcr_str_t text,
    const tcr_json_lines_t **lines);

/* Length of a string's raw text: up to the closing quote, if there is one. */
size_t tcr_json_raw_len(tcr_str_t text);

/* Unescaped copy of valid raw text; data == NULL when out of memory. */
tcr_str_t tcr_json_unescape(tcr_arena_t *arena, tcr_str_t raw);


#endif /* TCR_JSON_TEXT_H_INCLUDED */
