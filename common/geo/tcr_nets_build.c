/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From prefixes to disjoint intervals: sort, then one sweep with a stack of
 * the prefixes that are open at the place reached.
 *
 * Both families take the same way: an IPv4 prefix stands in the highest 32
 * of 128 bits until the intervals are copied out.
 */

#include <stdlib.h>

#include "tcr_nets.h"

#define STACK  129                /* nested prefixes of one family, 0 .. 128 */


typedef struct {
    uint64_t  hi;
    uint64_t  lo;
    uint32_t  len;
    uint32_t  value;
    size_t    order;              /* of adding: the first of equals stays    */
} net_t;

typedef struct {
    net_t   *net;
    size_t   n;
    size_t   size;
} list_t;

typedef struct {
    tcr_net6_t  *out;
    size_t       n;
    uint64_t     hi;              /* last address of the innermost open one  */
    uint64_t     lo;
    net_t       *open[STACK];
    size_t       depth;
} sweep_t;

struct tcr_nets_build_s {
    list_t       v4;
    list_t       v6;
    tcr_net4_t  *out4;
    tcr_net6_t  *out6;
};


static int  cmp_nets(const void *one, const void *two);
static tcr_net6_t  *sweep(list_t *list, size_t *n);
static void  push(sweep_t *s, net_t *net);
static void  pop(sweep_t *s);
static void  set_last(sweep_t *s);
static bool  ends_before(const sweep_t *s, const net_t *net);
static void  emit(sweep_t *s, uint64_t hi, uint64_t lo, uint32_t value);
static bool  same_prefix(const net_t *a, const net_t *b);
static tcr_net4_t  *narrow(const tcr_net6_t *wide, size_t n);


tcr_nets_build_t *
tcr_nets_build_create(void)
{
    return calloc(1, sizeof(tcr_nets_build_t));
}


void
tcr_nets_build_destroy(tcr_nets_build_t *b)
{
    if (b == NULL) {
        return;
    }

    free(b->v4.net);
    free(b->v6.net);
    free(b->out4);
    free(b->out6);
    free(b);
}


int
tcr_nets_build_add(tcr_nets_build_t *b, const tcr_cidr_t *cidr, uint32_t value)
{
    net_t       *net;
    size_t       size;
    list_t      *list;
    tcr_addr_t   addr;

    list = cidr->addr.family == 4 ? &b->v4 : &b->v6;

    if (list->n == list->size) {
        size = list->size == 0 ? 64 : list->size * 2;
        net = reallocarray(list->net, size, sizeof(net_t));

        if (net == NULL) {
            return -1;
        }

        list->net = net;
        list->size = size;
    }

    addr = tcr_addr_mask(cidr->addr, cidr->len);

    if (addr.family == 4) {
        addr = (tcr_addr_t) { addr.lo << 32, 0, 4 };
    }

    list->net[list->n] = (net_t) { addr.hi, addr.lo, cidr->len, value,
                                   list->n };
    list->n++;

    return 0;
}


int
tcr_nets_build_finish(tcr_nets_build_t *b, tcr_nets_t *out)
{
    size_t       n4, n6;
    tcr_net6_t  *wide;

    free(b->out4);
    free(b->out6);
    b->out4 = NULL;

    b->out6 = sweep(&b->v6, &n6);
    wide = sweep(&b->v4, &n4);

    if (wide != NULL) {
        b->out4 = narrow(wide, n4);
        free(wide);
    }

    if (b->out4 == NULL || b->out6 == NULL) {
        return -1;
    }

    *out = (tcr_nets_t) { b->out4, n4, b->out6, n6 };
    return 0;
}


/* A prefix stands in front of those inside it. */
static int
cmp_nets(const void *one, const void *two)
{
    const net_t  *a = one, *b = two;

    if (a->hi != b->hi) {
        return a->hi < b->hi ? -1 : 1;
    }

    if (a->lo != b->lo) {
        return a->lo < b->lo ? -1 : 1;
    }

    if (a->len != b->len) {
        return a->len < b->len ? -1 : 1;
    }

    return a->order < b->order ? -1 : 1;
}


/* Every prefix opens one interval and closes one: 2n + 1 are enough. */
static tcr_net6_t *
sweep(list_t *list, size_t *n)
{
    size_t   i;
    sweep_t  s;

    s.n = 0;
    s.depth = 0;
    s.out = reallocarray(NULL, list->n + 1, 2 * sizeof(tcr_net6_t));

    if (s.out == NULL) {
        return NULL;
    }

    if (list->n != 0) {
        qsort(list->net, list->n, sizeof(net_t), cmp_nets);
    }

    emit(&s, 0, 0, TCR_NETS_NONE);

    for (i = 0; i < list->n; i++) {

        if (i != 0 && same_prefix(&list->net[i], &list->net[i - 1])) {
            continue;
        }

        while (s.depth != 0 && ends_before(&s, &list->net[i])) {
            pop(&s);
        }

        push(&s, &list->net[i]);
    }

    while (s.depth != 0) {
        pop(&s);
    }

    *n = s.n;
    return s.out;
}


static void
push(sweep_t *s, net_t *net)
{
    s->open[s->depth++] = net;
    set_last(s);
    emit(s, net->hi, net->lo, net->value);
}


/* Behind the end of the innermost prefix the one around it goes on. */
static void
pop(sweep_t *s)
{
    uint64_t  hi, lo;

    lo = s->lo + 1;
    hi = s->hi + (lo == 0);

    s->depth--;

    if (hi != 0 || lo != 0) {
        emit(s, hi, lo, s->depth == 0 ? TCR_NETS_NONE
                                      : s->open[s->depth - 1]->value);
    }

    set_last(s);
}


static void
set_last(sweep_t *s)
{
    net_t  *net;

    if (s->depth == 0) {
        return;
    }

    net = s->open[s->depth - 1];

    s->hi = net->len >= 64 ? net->hi : net->hi | UINT64_MAX >> net->len;
    s->lo = net->len >= 128 ? net->lo
            : net->len <= 64 ? UINT64_MAX
            : net->lo | UINT64_MAX >> (net->len - 64);
}


static bool
ends_before(const sweep_t *s, const net_t *net)
{
    return s->hi < net->hi || (s->hi == net->hi && s->lo < net->lo);
}


/*
 * Starts an interval.  What began at the same place is covered by it whole,
 * and what goes on with the value of the interval before is no new one.
 */
static void
emit(sweep_t *s, uint64_t hi, uint64_t lo, uint32_t value)
{
    if (s->n != 0 && s->out[s->n - 1].hi == hi && s->out[s->n - 1].lo == lo) {
        s->n--;
    }

    if (s->n != 0 && s->out[s->n - 1].value == value) {
        return;
    }

    s->out[s->n++] = (tcr_net6_t) { hi, lo, value, 0 };
}


static bool
same_prefix(const net_t *a, const net_t *b)
{
    return a->hi == b->hi && a->lo == b->lo && a->len == b->len;
}


static tcr_net4_t *
narrow(const tcr_net6_t *wide, size_t n)
{
    size_t       i;
    tcr_net4_t  *out;

    out = reallocarray(NULL, n, sizeof(tcr_net4_t));

    if (out == NULL) {
        return NULL;
    }

    for (i = 0; i < n; i++) {
        out[i] = (tcr_net4_t) { (uint32_t) (wide[i].hi >> 32), wide[i].value };
    }

    return out;
}
