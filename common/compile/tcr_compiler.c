/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What every step of the compiler uses: memory, lists, names of hosts.
 */

#include "tcr_compiler.h"

#include <stdio.h>
#include <stdlib.h>

#define TTL_MAX    0x7fffffff
#define LABEL_MAX  63             /* RFC 1035, 2.3.4                         */


int
tcr_compiler_no_memory(tcr_compiler_t *c)
{
    c->failed = true;
    return tcr_err_set(c->err, "out of memory while compiling the snapshot");
}


void *
tcr_compiler_alloc(tcr_compiler_t *c, size_t n, size_t size)
{
    void  *p = tcr_arena_calloc(c->arena, n, size);

    if (p == NULL) {
        tcr_compiler_no_memory(c);
    }

    return p;
}


tcr_str_t
tcr_compiler_printf(tcr_compiler_t *c, const char *fmt, ...)
{
    char    *p;
    va_list  ap;

    va_start(ap, fmt);
    p = tcr_arena_vprintf(c->arena, fmt, ap);
    va_end(ap);

    if (p == NULL) {
        tcr_compiler_no_memory(c);
    }

    return tcr_str(p);
}


tcr_img_vec_t
tcr_compiler_strings(tcr_compiler_t *c, const tcr_str_list_t *list)
{
    size_t          i;
    tcr_img_str_t  *refs;

    if (list->n == 0) {
        return (tcr_img_vec_t) { 0, 0 };
    }

    refs = tcr_compiler_alloc(c, list->n, sizeof(*refs));

    if (refs == NULL) {
        return (tcr_img_vec_t) { 0, 0 };
    }

    for (i = 0; i < list->n; i++) {
        refs[i] = tcr_build_str(c->b, list->items[i]);
    }

    return tcr_build_array(c->b, refs, list->n, sizeof(*refs),
                           _Alignof(tcr_img_str_t));
}


tcr_str_t
tcr_compiler_text(tcr_compiler_t *c, tcr_img_str_t ref)
{
    uint32_t     len;
    tcr_str_t    copy;
    const char  *p = tcr_build_at(c->b, ref);

    memcpy(&len, p, sizeof(len));
    copy = tcr_arena_strdup(c->arena, tcr_str_n(p + sizeof(len), len));

    if (copy.data == NULL) {
        tcr_compiler_no_memory(c);
    }

    return copy;
}


void *
tcr_list_add(tcr_list_t *list)
{
    void    *items;
    size_t   room;
    uint8_t *p;

    if (list->n == list->room) {
        room = list->room ? list->room * 2 : 64;

        if (room > SIZE_MAX / list->size) {
            return NULL;
        }

        items = realloc(list->items, room * list->size);

        if (items == NULL) {
            return NULL;
        }

        list->items = items;
        list->room = room;
    }

    p = (uint8_t *) list->items + list->n * list->size;
    list->n++;
    return memset(p, 0, list->size);
}


void
tcr_list_free(tcr_list_t *list)
{
    free(list->items);
    list->items = NULL;
    list->n = 0;
    list->room = 0;
}


tcr_str_t
tcr_first_label(tcr_str_t name)
{
    return tcr_str_n(name.data, tcr_str_find(name, '.'));
}


tcr_str_t
tcr_parent_name(tcr_str_t name)
{
    size_t  dot = tcr_str_find(name, '.');

    if (dot == name.len) {
        return tcr_str_n(NULL, 0);
    }

    return tcr_str_n(name.data + dot + 1, name.len - dot - 1);
}


bool
tcr_name_within(tcr_str_t name, tcr_str_t domain)
{
    if (domain.len == 0 || !tcr_str_ends(name, domain)) {
        return false;
    }

    return name.len == domain.len
           || name.data[name.len - domain.len - 1] == '.';
}


tcr_str_t
tcr_compiler_host(tcr_compiler_t *c, tcr_str_t id)
{
    char       ch, *out;
    size_t     i;
    tcr_str_t  rest, label;

    out = tcr_compiler_alloc(c, id.len + 1, 1);

    if (out == NULL || id.len == 0) {
        return tcr_str_n(NULL, 0);
    }

    for (i = 0; i < id.len; i++) {
        ch = tcr_lower(id.data[i]);

        if (!(ch >= 'a' && ch <= 'z') && !(ch >= '0' && ch <= '9')
            && ch != '-' && ch != '_' && ch != '.')
        {
            return tcr_str_n(NULL, 0);
        }

        out[i] = ch;
    }

    for (rest = tcr_str_n(out, id.len); rest.data != NULL; ) {
        label = tcr_str_split(&rest, '.');

        if (label.len == 0 || label.len > LABEL_MAX) {
            return tcr_str_n(NULL, 0);
        }
    }

    return tcr_str_n(out, id.len);
}


uint32_t
tcr_ttl_or(int64_t ttl, uint32_t def)
{
    if (ttl < 0) {
        return def;
    }

    return ttl > TTL_MAX ? TTL_MAX : (uint32_t) ttl;
}


uint32_t
tcr_clamp_u32(int64_t n)
{
    return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t) n;
}
