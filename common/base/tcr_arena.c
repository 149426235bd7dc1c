/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Arenas: a chain of blocks, filled from the front of the newest one.
 */

#include "tcr_arena.h"

#include <stdio.h>
#include <stdlib.h>

#define TCR_ARENA_CHUNK  ((size_t) 64 * 1024)
#define TCR_ARENA_ALIGN  _Alignof(max_align_t)


typedef struct block_s  block_t;

struct block_s {
    block_t  *next;
    size_t    size;               /* bytes of data                           */
    size_t    used;
    _Alignas(max_align_t) unsigned char  data[];
};

struct tcr_arena_s {
    block_t  *current;            /* the one being filled; older ones follow */
    size_t    chunk;
    size_t    held;
};


tcr_arena_t *
tcr_arena_create(size_t chunk)
{
    tcr_arena_t  *arena;

    arena = calloc(1, sizeof(*arena));

    if (arena == NULL) {
        return NULL;
    }

    arena->chunk = chunk != 0 ? chunk : TCR_ARENA_CHUNK;
    arena->held = sizeof(*arena);
    return arena;
}


static void
free_blocks(block_t *block)
{
    block_t  *next;

    for ( /* void */ ; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
}


void
tcr_arena_destroy(tcr_arena_t *arena)
{
    if (arena == NULL) {
        return;
    }

    free_blocks(arena->current);
    free(arena);
}


void
tcr_arena_destroy_wiped(tcr_arena_t *arena)
{
    block_t  *block;

    if (arena == NULL) {
        return;
    }

    for (block = arena->current; block != NULL; block = block->next) {
        explicit_bzero(block->data, block->used);
    }

    tcr_arena_destroy(arena);
}


void
tcr_arena_reset(tcr_arena_t *arena)
{
    block_t  *block = arena->current;

    if (block == NULL) {
        return;
    }

    /* one huge answer must not pin its memory for the arena's whole life */
    if (block->size > arena->chunk) {
        free_blocks(block);
        arena->current = NULL;
        arena->held = sizeof(*arena);
        return;
    }

    free_blocks(block->next);
    block->next = NULL;
    block->used = 0;
    arena->held = sizeof(*arena) + sizeof(*block) + block->size;
}


static block_t *
new_block(tcr_arena_t *arena, size_t size)
{
    block_t  *block;

    /* malloc() never gives more than PTRDIFF_MAX */
    if (size > PTRDIFF_MAX - sizeof(*block)) {
        return NULL;
    }

    block = malloc(sizeof(*block) + size);

    if (block == NULL) {
        return NULL;
    }

    block->size = size;
    block->used = 0;
    arena->held += sizeof(*block) + size;
    return block;
}


/* What the current block cannot hold: a block of its own, or a new current. */
static void *
alloc_slow(tcr_arena_t *arena, size_t size)
{
    block_t  *block;

    if (size > arena->chunk / 4) {
        block = new_block(arena, size);

        if (block == NULL) {
            return NULL;
        }

        block->used = size;

        /* behind the current block, whose free rest stays in use */
        if (arena->current != NULL) {
            block->next = arena->current->next;
            arena->current->next = block;

        } else {
            block->next = NULL;
            arena->current = block;
        }

        return block->data;
    }

    block = new_block(arena, arena->chunk);

    if (block == NULL) {
        return NULL;
    }

    block->next = arena->current;
    block->used = size;
    arena->current = block;
    return block->data;
}


void *
tcr_arena_alloc(tcr_arena_t *arena, size_t size)
{
    void     *p;
    block_t  *block = arena->current;

    if (size > SIZE_MAX - TCR_ARENA_ALIGN) {
        return NULL;
    }

    /* an empty object has an address of its own, too */
    size = size != 0 ? (size + TCR_ARENA_ALIGN - 1) & ~(TCR_ARENA_ALIGN - 1)
                     : TCR_ARENA_ALIGN;

    if (block == NULL || size > block->size - block->used) {
        return alloc_slow(arena, size);
    }

    p = block->data + block->used;
    block->used += size;
    return p;
}


void *
tcr_arena_calloc(tcr_arena_t *arena, size_t n, size_t size)
{
    void  *p;

    if (size != 0 && n > SIZE_MAX / size) {
        return NULL;
    }

    p = tcr_arena_alloc(arena, n * size);

    if (p != NULL) {
        memset(p, 0, n * size);
    }

    return p;
}


tcr_str_t
tcr_arena_strdup(tcr_arena_t *arena, tcr_str_t s)
{
    char  *p;

    if (s.len == SIZE_MAX) {
        return tcr_str_n(NULL, 0);
    }

    p = tcr_arena_alloc(arena, s.len + 1);

    if (p == NULL) {
        return tcr_str_n(NULL, 0);
    }

    if (s.len != 0) {
        memcpy(p, s.data, s.len);
    }

    p[s.len] = '\0';
    return tcr_str_n(p, s.len);
}


char *
tcr_arena_vprintf(tcr_arena_t *arena, const char *fmt, va_list ap)
{
    int      n;
    char    *p;
    va_list  again;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    p = n < 0 ? NULL : tcr_arena_alloc(arena, (size_t) n + 1);

    if (p != NULL) {
        vsnprintf(p, (size_t) n + 1, fmt, again);
    }

    va_end(again);
    return p;
}


char *
tcr_arena_printf(tcr_arena_t *arena, const char *fmt, ...)
{
    char    *p;
    va_list  ap;

    va_start(ap, fmt);
    p = tcr_arena_vprintf(arena, fmt, ap);
    va_end(ap);
    return p;
}


size_t
tcr_arena_size(const tcr_arena_t *arena)
{
    return arena->held;
}


static void *
mem_alloc(void *ctx, size_t size)
{
    return tcr_arena_alloc(ctx, size);
}


tcr_mem_t
tcr_arena_mem(tcr_arena_t *arena)
{
    return (tcr_mem_t) { mem_alloc, arena };
}
