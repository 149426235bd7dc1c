/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Words of both protocols: types, zone numbers, client addresses.
 */

#include "tcb_session.h"


static const struct {
    uint16_t   type;
    tcr_str_t  name;
} types[] = {
    { TCR_TYPE_A,     { "A", 1 } },
    { TCR_TYPE_ANY,   { "ANY", 3 } },
    { TCR_TYPE_NS,    { "NS", 2 } },
    { TCR_TYPE_SOA,   { "SOA", 3 } },
    { TCR_TYPE_AAAA,  { "AAAA", 4 } },
    { TCR_TYPE_CNAME, { "CNAME", 5 } },
    { TCR_TYPE_TXT,   { "TXT", 3 } },
    { TCR_TYPE_MX,    { "MX", 2 } },
    { TCR_TYPE_SRV,   { "SRV", 3 } },
    { TCR_TYPE_DS,    { "DS", 2 } },
    { TCR_TYPE_CAA,   { "CAA", 3 } },
};


/*
 * A type we have no name for is one we have no record of, whatever number it
 * has; TYPE1 to TYPE65535 are RFC 3597, 5.
 */
uint16_t
tcb_type(tcr_str_t name)
{
    size_t    i;
    uint64_t  n;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {

        if (tcr_str_eq(name, types[i].name)) {
            return types[i].type;
        }
    }

    if (name.len > 4 && tcr_str_starts(name, TCR_STR("TYPE"))
        && tcr_parse_uint(tcr_str_n(name.data + 4, name.len - 4), 1, 65535, &n)
           == 0)
    {
        return (uint16_t) n;
    }

    return 0;
}


tcr_str_t
tcb_type_name(uint16_t type, char buf[16])
{
    size_t     i;
    tcr_out_t  out;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {

        if (types[i].type == type) {
            return types[i].name;
        }
    }

    out = (tcr_out_t) { buf, buf + 16, false };
    tcr_out_str(&out, TCR_STR("TYPE"));
    tcr_out_uint(&out, type);
    return tcr_str_n(buf, (size_t) (out.pos - buf));
}


uint32_t
tcb_number(tcr_str_t text)
{
    uint64_t  n;

    if (tcr_parse_uint(text, 1, 0x7fffffff, &n) != 0) {
        return TCB_ZONE_NONE;
    }

    return (uint32_t) n;
}


tcr_addr_t
tcb_client(tcr_str_t text, uint32_t *len)
{
    uint64_t    n, bits, more;
    tcr_str_t   addr, none;
    tcr_addr_t  a;

    memset(&a, 0, sizeof(a));
    *len = 0;
    none = text;
    addr = tcr_str_split(&text, '/');
    addr = tcr_str_split(&addr, '%');

    if (tcr_str_eq(none, TCR_STR("0.0.0.0"))
        || tcr_str_eq(none, TCR_STR("0.0.0.0/0"))
        || tcr_addr_parse(addr, &a) != 0)
    {
        a.family = 0;
        return a;
    }

    bits = tcr_addr_bits(&a);

    /* "::ffff:192.0.2.1/128" is an IPv4 address by now, its length is not */
    more = bits == 32 && tcr_str_find(addr, ':') != addr.len ? 96 : 0;
    n = bits + more;

    if (text.data != NULL && tcr_parse_uint(text, more, bits + more, &n) != 0) {
        a.family = 0;
    }

    *len = (uint32_t) (n - more);
    return a;
}


void
tcb_clients(tcb_question_t *q, tcr_str_t resolver, tcr_str_t subnet)
{
    uint32_t  len;

    q->resolver = tcb_client(resolver, &len);
    q->subnet = tcb_client(subnet, &q->subnet_len);

    if (q->subnet.family != 0 && q->subnet.family == q->resolver.family
        && q->subnet_len == tcr_addr_bits(&q->subnet)
        && tcr_addr_cmp(&q->subnet, &q->resolver) == 0)
    {
        q->subnet.family = 0;
        q->subnet_len = 0;
    }
}


void
tcb_put_uint(tcr_buf_t *buf, uint64_t n)
{
    char       digits[24];
    tcr_out_t  out;

    out = (tcr_out_t) { digits, digits + sizeof(digits), false };
    tcr_out_uint(&out, n);
    tcr_buf_add(buf, digits, (size_t) (out.pos - digits));
}


void
tcb_put_name(tcr_buf_t *buf, tcr_str_t name)
{
    tcr_buf_str(buf, name);

    if (name.len == 0 || name.data[name.len - 1] != '.') {
        tcr_buf_char(buf, '.');
    }
}
