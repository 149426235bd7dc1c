/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as a DNS question: type, resolver and client subnet in the first
 * bytes, then the name.  The complete answer has an rcode, as many records as
 * it says, scopes that fit, and a log line without control bytes.
 */

#include "recorded.h"

#define HEAD     12
#define LOG_MAX  65536


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint16_t  types[] = {
    TCR_TYPE_A, TCR_TYPE_AAAA, TCR_TYPE_ANY, TCR_TYPE_NS, TCR_TYPE_CNAME,
    TCR_TYPE_SOA, TCR_TYPE_TXT, TCR_TYPE_DS
};


static void
read_question(tcr_dns_question_t *q, const uint8_t *data, size_t size)
{
    q->type = types[data[0] % (sizeof(types) / sizeof(types[0]))];
    q->resolver = (tcr_addr_t) { .family = 4, .lo = (uint64_t) data[1] << 24
                                 | (uint32_t) data[2] << 16 | data[3] };

    if (data[4] % 3 == 1) {
        q->subnet = (tcr_addr_t) { .family = 4, .lo = (uint64_t) data[5] << 24
                                   | (uint32_t) data[6] << 16 };
        q->subnet_len = data[7] % 33;

    } else if (data[4] % 3 == 2) {
        q->subnet = (tcr_addr_t) { .family = 6, .hi = UINT64_C(0x20010db8)
                                   << 32 | (uint32_t) data[5] << 24
                                   | (uint32_t) data[6] << 16 };
        q->subnet_len = data[7] % 129;
    }

    q->name = tcr_str_n((const char *) data + HEAD, size - HEAD);
}


static void
check_log(tcr_view_t *view, const tcr_dns_question_t *q,
    const tcr_dns_reply_t *reply)
{
    char           line[LOG_MAX];
    size_t         i, len;
    tcr_log_dns_t  l = { .name = q->name, .type = q->type,
                         .records = reply->last.records,
                         .n_records = reply->last.n_records };

    len = tcr_log_dns(view, q, &reply->last, &l, line, sizeof(line));

    for (i = 0; i < len; i++) {
        if ((unsigned char) line[i] < 0x20 || line[i] == 0x7f) {
            abort();
        }
    }

    if (len > sizeof(line)) {
        abort();
    }
}


static void
check_records(const tcr_dns_rr_t *records, size_t n, uint32_t family)
{
    size_t  i;

    for (i = 0; i < n; i++) {

        if (records[i].owner.len == 0 || records[i].record.data.len == 0
            || records[i].record.ttl > INT32_MAX
            || records[i].record.scope > (family == 6 ? 128 : 32))
        {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t             family;
    tcr_view_t          *view = recorded_view();
    tcr_arena_t         *arena;
    tcr_dns_reply_t      reply;
    tcr_dns_question_t   q = { .type = 0 };

    if (size < HEAD) {
        return 0;
    }

    arena = tcr_arena_create(0);
    q.mem = tcr_arena_mem(arena);
    read_question(&q, data, size);

    if (tcr_resolve_dns(view, &q, &reply) != 0
        || (reply.rcode != 0 && reply.rcode != 3 && reply.rcode != 5)
        || (reply.rcode != 0 && reply.last.routed))
    {
        abort();
    }

    family = q.subnet.family != 0 ? q.subnet.family : q.resolver.family;
    check_records(reply.answer, reply.n_answer, family);
    check_records(reply.authority, reply.n_authority, family);
    check_log(view, &q, &reply);
    tcr_arena_destroy(arena);
    return 0;
}
