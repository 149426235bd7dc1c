/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Addresses and prefixes as numbers: masks, order, sockets.
 */

#include <string.h>

#include <netinet/in.h>

#include "tcr_addr.h"


static uint64_t  load64(const uint8_t *p);
static uint64_t  keep_bits(uint64_t word, uint32_t n);


int
tcr_addr_from_sockaddr(const struct sockaddr *sa, tcr_addr_t *addr)
{
    struct sockaddr_in   sin;
    struct sockaddr_in6  sin6;

    if (sa->sa_family == AF_INET) {
        memcpy(&sin, sa, sizeof(sin));
        *addr = (tcr_addr_t) { 0, ntohl(sin.sin_addr.s_addr), 4 };
        return 0;
    }

    if (sa->sa_family == AF_INET6) {
        memcpy(&sin6, sa, sizeof(sin6));
        *addr = tcr_addr_v6(load64(sin6.sin6_addr.s6_addr),
                            load64(sin6.sin6_addr.s6_addr + 8));
        return 0;
    }

    return -1;
}


tcr_addr_t
tcr_addr_v6(uint64_t hi, uint64_t lo)
{
    if (tcr_addr_is_mapped(hi, lo)) {
        return (tcr_addr_t) { 0, lo & 0xffffffff, 4 };
    }

    return (tcr_addr_t) { hi, lo, 6 };
}


bool
tcr_addr_is_mapped(uint64_t hi, uint64_t lo)
{
    return hi == 0 && lo >> 32 == 0xffff;
}


tcr_addr_t
tcr_addr_mask(tcr_addr_t addr, uint32_t len)
{
    if (addr.family == 4) {
        addr.lo = keep_bits(addr.lo << 32, len) >> 32;
        return addr;
    }

    addr.hi = keep_bits(addr.hi, len);
    addr.lo = keep_bits(addr.lo, len > 64 ? len - 64 : 0);

    return addr;
}


int
tcr_addr_cmp(const tcr_addr_t *a, const tcr_addr_t *b)
{
    if (a->hi != b->hi) {
        return a->hi < b->hi ? -1 : 1;
    }

    if (a->lo != b->lo) {
        return a->lo < b->lo ? -1 : 1;
    }

    return 0;
}


bool
tcr_cidr_contains(const tcr_cidr_t *cidr, const tcr_addr_t *addr)
{
    tcr_addr_t  net, masked;

    if (addr->family != cidr->addr.family || addr->family == 0) {
        return false;
    }

    net = tcr_addr_mask(cidr->addr, cidr->len);
    masked = tcr_addr_mask(*addr, cidr->len);

    return tcr_addr_cmp(&net, &masked) == 0;
}


static uint64_t
load64(const uint8_t *p)
{
    size_t    i;
    uint64_t  word;

    word = 0;

    for (i = 0; i < 8; i++) {
        word = word << 8 | p[i];
    }

    return word;
}


/* A shift by 64 is undefined, hence the ends apart. */
static uint64_t
keep_bits(uint64_t word, uint32_t n)
{
    if (n == 0) {
        return 0;
    }

    return n >= 64 ? word : word & ~(UINT64_MAX >> n);
}
