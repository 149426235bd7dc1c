/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the JSON reader does with bytes rather than values.  Internal to it.
 */

#ifndef TCR_JSON_TEXT_H_INCLUDED
#define TCR_JSON_TEXT_H_INCLUDED

#include "tcr_json.h"


/*
 * First byte that may not stand in a JSON text and would pass yajl, with what
 * is wrong with it in *what; text.len when there is none.
 */
size_t tcr_json_bad_byte(tcr_str_t text, const char **what);

/* Where lines begin; NULL when out of memory. */
const tcr_json_lines_t *tcr_json_find_lines(tcr_arena_t *arena,
    tcr_str_t text);

/* Length of a string's raw text: up to the closing quote, if there is one. */
size_t tcr_json_raw_len(tcr_str_t text);

/* Unescaped copy of valid raw text; data == NULL when out of memory. */
tcr_str_t tcr_json_unescape(tcr_arena_t *arena, tcr_str_t raw);


#endif /* TCR_JSON_TEXT_H_INCLUDED */
