/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Arenas: memory that is given back all at once; and tcr_mem_t, the way a
 * request lends its host server's pool to the engine.
 */

#ifndef TCR_ARENA_H_INCLUDED
#define TCR_ARENA_H_INCLUDED

#include <stdarg.h>

#include "tcr_str.h"


typedef struct tcr_arena_s  tcr_arena_t;


/* NULL when out of memory.  chunk = bytes per block, 0 for 64 KiB. */
tcr_arena_t *tcr_arena_create(size_t chunk);

/* Gives back everything; arena may be NULL. */
void tcr_arena_destroy(tcr_arena_t *arena);

/* Overwrites everything first: for arenas that held secrets. */
void tcr_arena_destroy_wiped(tcr_arena_t *arena);

/* Forgets every allocation, keeps one block for the next round. */
void tcr_arena_reset(tcr_arena_t *arena);

/*
 * Memory aligned for any object, NULL when out of memory (or when n * size
 * would wrap).  The second form is zeroed.
 */
void *tcr_arena_alloc(tcr_arena_t *arena, size_t size);
void *tcr_arena_calloc(tcr_arena_t *arena, size_t n, size_t size);

/* Copy with a NUL behind it; data == NULL when out of memory. */
tcr_str_t tcr_arena_strdup(tcr_arena_t *arena, tcr_str_t s);

/* NUL-terminated; NULL when out of memory. */
char *tcr_arena_printf(tcr_arena_t *arena, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
char *tcr_arena_vprintf(tcr_arena_t *arena, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* Bytes held, for peak-memory figures. */
size_t tcr_arena_size(const tcr_arena_t *arena);


/*
 * Where a decision puts the strings it builds: nginx lends the request's
 * pool, the backend and the tools an arena that they reset per question.
 * alloc returns NULL when there is none left; nothing is freed one by one.
 */
typedef struct {
    void  *(*alloc)(void *ctx, size_t size);
    void   *ctx;
} tcr_mem_t;


static inline void *
tcr_mem_alloc(const tcr_mem_t *mem, size_t size)
{
    return mem->alloc(mem->ctx, size);
}


tcr_mem_t tcr_arena_mem(tcr_arena_t *arena);


#endif /* TCR_ARENA_H_INCLUDED */
