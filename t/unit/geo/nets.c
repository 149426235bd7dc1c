/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Prefix tables against a list that is searched from end to end: random
 * tables that nest much, looked up at every border.
 */

#include "tap.h"
#include "tcr_nets.h"

#define PREFIXES  48
#define TABLES    150


typedef struct {
    tcr_cidr_t  cidr[PREFIXES];
    uint32_t    value[PREFIXES];
    size_t      n;
} list_t;


static uint64_t  seed = 42;


static uint64_t
draw(uint64_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;

    return seed % below;
}


static tcr_addr_t
step(tcr_addr_t addr, int by)
{
    uint64_t  lo;

    if (addr.family == 4) {
        addr.lo = (uint32_t) (addr.lo + (uint64_t) by);
        return addr;
    }

    lo = addr.lo + (uint64_t) by;
    addr.hi += by > 0 ? lo == 0 : -(uint64_t) (lo == UINT64_MAX);
    addr.lo = lo;

    return addr;
}


static tcr_addr_t
last_of(tcr_addr_t addr, uint32_t len)
{
    tcr_addr_t  ones, low;

    ones = addr.family == 4 ? (tcr_addr_t) { 0, UINT32_MAX, 4 }
                            : (tcr_addr_t) { UINT64_MAX, UINT64_MAX, 6 };
    low = tcr_addr_mask(ones, len);
    addr = tcr_addr_mask(addr, len);
    addr.hi |= ones.hi & ~low.hi;
    addr.lo |= ones.lo & ~low.lo;

    return addr;
}


static uint32_t
naive(const list_t *list, const tcr_addr_t *addr)
{
    size_t    i, best;

    best = list->n;

    for (i = 0; i < list->n; i++) {

        if (tcr_cidr_contains(&list->cidr[i], addr)
            && (best == list->n || list->cidr[i].len > list->cidr[best].len))
        {
            best = i;
        }
    }

    return best == list->n ? TCR_NETS_NONE : list->value[best];
}


/* Few bits vary, so that prefixes meet, nest and stand side by side. */
static tcr_addr_t
draw_addr(uint32_t family)
{
    if (family == 4) {
        return (tcr_addr_t) {
            0, (draw(8) == 0 ? UINT64_C(0xfffffff0) : 0xc0000200)
               | draw(256) >> draw(8), 4
        };
    }

    return (tcr_addr_t) {
        (draw(8) == 0 ? UINT64_MAX : UINT64_C(0x20010db800000000))
        | draw(4) << draw(32),
        draw(4) << draw(63) | (draw(8) == 0 ? UINT64_MAX : 0), 6
    };
}


static void
draw_list(list_t *list, uint32_t family)
{
    size_t  i;

    list->n = draw(PREFIXES + 1);

    for (i = 0; i < list->n; i++) {
        list->cidr[i].addr = draw_addr(family);
        list->cidr[i].len = (uint32_t) (family == 4 ? draw(33) : draw(129));
        list->value[i] = (uint32_t) draw(4);

        if (family == 4 && draw(4) != 0) {
            list->cidr[i].len = (uint32_t) (24 + draw(9));
        }
    }
}


/* Is there an address in the prefix that gets another value? */
static bool
varies(const list_t *list, tcr_addr_t addr, uint32_t len, uint32_t value)
{
    size_t      i;
    tcr_addr_t  at;
    tcr_cidr_t  around = { addr, len };

    at = tcr_addr_mask(addr, len);

    if (naive(list, &at) != value) {
        return true;
    }

    for (i = 0; i < list->n; i++) {
        at = tcr_addr_mask(list->cidr[i].addr, list->cidr[i].len);

        if (tcr_cidr_contains(&around, &at) && naive(list, &at) != value) {
            return true;
        }

        at = step(last_of(at, list->cidr[i].len), 1);

        if (tcr_cidr_contains(&around, &at) && naive(list, &at) != value) {
            return true;
        }
    }

    return false;
}


static bool
check(const list_t *list, const tcr_nets_t *nets, tcr_addr_t addr)
{
    char      text[TCR_ADDR_TEXT];
    uint32_t  value, want, scope;

    value = tcr_nets_find(nets, &addr, &scope);
    want = naive(list, &addr);

    if (value == want && !varies(list, addr, scope, value)
        && (scope == 0 || varies(list, addr, scope - 1, value)))
    {
        return true;
    }

    tcr_addr_format(&addr, text);
    printf("# %s: got %d, want %d, scope %u\n", text, (int) value, (int) want,
           (unsigned) scope);

    return false;
}


static bool
check_all(const list_t *list, const tcr_nets_t *nets, uint32_t family)
{
    bool        good;
    size_t      i;
    tcr_addr_t  first, last;

    good = true;

    for (i = 0; i < list->n; i++) {
        first = tcr_addr_mask(list->cidr[i].addr, list->cidr[i].len);
        last = last_of(first, list->cidr[i].len);

        good &= check(list, nets, first) && check(list, nets, last)
                && check(list, nets, step(first, -1))
                && check(list, nets, step(last, 1))
                && check(list, nets, draw_addr(family));
    }

    return good && check(list, nets, draw_addr(family));
}


static bool
in_order(const tcr_nets_t *nets)
{
    size_t  i;

    if (nets->v4[0].start != 0 || nets->v6[0].hi != 0 || nets->v6[0].lo != 0) {
        return false;
    }

    for (i = 1; i < nets->n4; i++) {

        if (nets->v4[i].start <= nets->v4[i - 1].start
            || nets->v4[i].value == nets->v4[i - 1].value)
        {
            return false;
        }
    }

    for (i = 1; i < nets->n6; i++) {

        if (nets->v6[i].hi < nets->v6[i - 1].hi
            || (nets->v6[i].hi == nets->v6[i - 1].hi
                && nets->v6[i].lo <= nets->v6[i - 1].lo)
            || nets->v6[i].value == nets->v6[i - 1].value)
        {
            return false;
        }
    }

    return true;
}


static void
test_random(uint32_t family)
{
    size_t             i, good, ordered;
    list_t             list;
    tcr_nets_t         nets;
    tcr_nets_build_t  *b;

    good = 0;
    ordered = 0;

    for (i = 0; i < TABLES; i++) {
        draw_list(&list, family);
        b = tcr_nets_build_create();

        for (size_t k = 0; k < list.n; k++) {
            tcr_nets_build_add(b, &list.cidr[k], list.value[k]);
        }

        if (tcr_nets_build_finish(b, &nets) == 0) {
            ordered += in_order(&nets);
            good += check_all(&list, &nets, family);
        }

        tcr_nets_build_destroy(b);
    }

    is_int(ordered, TABLES, "IPv%u tables are in order and merged",
           (unsigned) family);
    is_int(good, TABLES, "IPv%u tables say what the lists say",
           (unsigned) family);
}


static void
add(tcr_nets_build_t *b, const char *prefix, uint32_t value)
{
    tcr_cidr_t  cidr;

    tcr_cidr_parse(tcr_str(prefix), &cidr, NULL);
    tcr_nets_build_add(b, &cidr, value);
}


static void
test_small(void)
{
    uint32_t           scope;
    tcr_addr_t         addr = { 0, 0xc0000201, 4 }, none = { 0, 0, 0 };
    tcr_nets_t         nets = { 0 };
    tcr_nets_build_t  *b;

    is_int(tcr_nets_find(&nets, &addr, &scope), TCR_NETS_NONE,
           "no table at all");

    b = tcr_nets_build_create();
    tcr_nets_build_finish(b, &nets);
    is_int(tcr_nets_find(&nets, &addr, &scope), TCR_NETS_NONE, "empty table");
    is_int(scope, 0, "is the same for everybody");
    is_int(nets.n4 + nets.n6, 2, "one interval a family");

    add(b, "192.0.2.0/25", 7);
    add(b, "192.0.2.128/25", 7);
    add(b, "192.0.2.77/25", 8);
    tcr_nets_build_finish(b, &nets);
    is_int(tcr_nets_find(&nets, &addr, &scope), 7, "first of equal prefixes");
    is_int(scope, 24, "two halves of one value are one");
    is_int(nets.n4, 3, "and one interval");
    is_int(tcr_nets_find(&nets, &addr, NULL), 7, "scope is optional");

    add(b, "0.0.0.0/0", 1);
    add(b, "::/0", 2);
    tcr_nets_build_finish(b, &nets);
    addr.lo = 0xffffffff;
    is_int(tcr_nets_find(&nets, &addr, &scope), 1, "the rest of IPv4");
    is_int(scope, 3, "from 224.0.0.0 on");
    addr = (tcr_addr_t) { UINT64_MAX, UINT64_MAX, 6 };
    is_int(tcr_nets_find(&nets, &addr, &scope), 2, "all of IPv6");
    is_int(scope, 0, "with scope 0");
    is_int(tcr_nets_find(&nets, &none, &scope), TCR_NETS_NONE, "no address");

    tcr_nets_build_destroy(b);
    tcr_nets_build_destroy(NULL);
}


/* The deepest nest there can be. */
static void
test_deep(void)
{
    size_t             good;
    uint32_t           len, scope;
    tcr_addr_t         addr;
    tcr_cidr_t         cidr = { { UINT64_MAX, UINT64_MAX, 6 }, 0 };
    tcr_nets_t         nets;
    tcr_nets_build_t  *b;

    b = tcr_nets_build_create();

    for (len = 0; len <= 128; len++) {
        cidr.len = len;
        tcr_nets_build_add(b, &cidr, len);
    }

    tcr_nets_build_finish(b, &nets);
    good = 0;

    for (len = 1; len <= 128; len++) {
        addr = tcr_addr_mask(cidr.addr, len - 1);
        good += tcr_nets_find(&nets, &addr, &scope) == len - 1
                && scope == len;
    }

    is_int(good, 128, "129 prefixes, each inside the one before");
    tcr_nets_build_destroy(b);
}


int
main(void)
{
    test_small();
    test_deep();
    test_random(4);
    test_random(6);

    return done();
}
