/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Look-ups in prefix tables: a binary search, and the scope from the two
 * bounds of the interval found.
 *
 * A step of the search has no branch that could be mispredicted, and asks for
 * the memory of both steps that may come next: with 100,000 prefixes that
 * halves the time.
 */

#include "tcr_nets.h"


static uint32_t  find4(const tcr_nets_t *nets, uint32_t addr, uint32_t *scope);
static uint32_t  find6(const tcr_nets_t *nets, uint64_t hi, uint64_t lo,
    uint32_t *scope);
static inline void  prefetch(const void *one, const void *two);
static inline size_t  mask_of(bool condition);
static uint32_t  split4(uint32_t a, uint32_t b);
static uint32_t  split6(uint64_t hi, uint64_t lo, uint64_t hi2, uint64_t lo2);


uint32_t
tcr_nets_find(const tcr_nets_t *nets, const tcr_addr_t *addr, uint32_t *scope)
{
    uint32_t  value, length;

    length = 0;
    value = TCR_NETS_NONE;

    if (addr->family == 4 && nets->n4 != 0) {
        value = find4(nets, (uint32_t) addr->lo, &length);

    } else if (addr->family == 6 && nets->n6 != 0) {
        value = find6(nets, addr->hi, addr->lo, &length);
    }

    if (scope != NULL) {
        *scope = length;
    }

    return value;
}


static uint32_t
find4(const tcr_nets_t *nets, uint32_t addr, uint32_t *scope)
{
    size_t             n, half;
    uint32_t           before, behind;
    const tcr_net4_t  *net;

    net = nets->v4;

    for (n = nets->n4; n > 1; n -= half) {
        half = n / 2;
        prefetch(net + half / 2, net + half + half / 2);
        net += half & mask_of(net[half].start <= addr);
    }

    before = net == nets->v4 ? 0 : split4(addr, net->start - 1);
    behind = net + 1 == nets->v4 + nets->n4 ? 0
                                            : split4(addr, net[1].start);
    *scope = before > behind ? before : behind;

    return net->value;
}


static uint32_t
find6(const tcr_nets_t *nets, uint64_t hi, uint64_t lo, uint32_t *scope)
{
    size_t             n, half;
    uint32_t           before, behind;
    const tcr_net6_t  *net, *mid;

    net = nets->v6;

    for (n = nets->n6; n > 1; n -= half) {
        half = n / 2;
        mid = net + half;
        prefetch(net + half / 2, mid + half / 2);
        net += half & mask_of((mid->hi < hi)
                              | ((mid->hi == hi) & (mid->lo <= lo)));
    }

    before = net == nets->v6 ? 0
             : split6(hi, lo, net->hi - (net->lo == 0), net->lo - 1);
    behind = net + 1 == nets->v6 + nets->n6 ? 0
             : split6(hi, lo, net[1].hi, net[1].lo);
    *scope = before > behind ? before : behind;

    return net->value;
}


static inline void
prefetch(const void *one, const void *two)
{
    __builtin_prefetch(one);
    __builtin_prefetch(two);
}


/* All bits or none. */
static inline size_t
mask_of(bool condition)
{
    return -(size_t) condition;
}


/*
 * Length of the widest prefix around a that does not hold b.  The nearest
 * addresses outside an interval decide for all that lie behind them.  a and b
 * differ in a table that is in order; in any other the length is a full one.
 */
static uint32_t
split4(uint32_t a, uint32_t b)
{
    return a == b ? 32 : (uint32_t) __builtin_clz(a ^ b) + 1;
}


static uint32_t
split6(uint64_t hi, uint64_t lo, uint64_t hi2, uint64_t lo2)
{
    if (hi != hi2) {
        return (uint32_t) __builtin_clzll(hi ^ hi2) + 1;
    }

    return lo == lo2 ? 128 : (uint32_t) __builtin_clzll(lo ^ lo2) + 65;
}
