/* SPDX-License-Identifier: Apache-2.0 */

/* The access-log line of a DNS question (spec/outputs.md §1.2). */

#include "tcr_cdn.h"
#include "tcr_log_text.h"


static void
client_fields(tcr_out_t *out, const tcr_dns_question_t *q,
    const tcr_dns_answer_t *a)
{
    tcr_out_str(out, TCR_STR(" qtype=DNS chi="));

    if (!a->ecs_used) {
        tcr_log_addr(out, &q->resolver);
        tcr_out_str(out, TCR_STR(" rhi=-"));
        return;
    }

    tcr_log_addr(out, &a->client);
    tcr_out_str(out, TCR_STR(" rhi="));
    tcr_log_addr(out, &q->resolver);
}


static const char *
type_name(uint16_t type)
{
    static const struct {
        uint16_t     type;
        const char  *name;
    } names[] = {
        { 1, "A" }, { 2, "NS" }, { 5, "CNAME" }, { 6, "SOA" },
        { 10, "NULL" }, { 12, "PTR" }, { 13, "HINFO" }, { 15, "MX" },
        { 16, "TXT" }, { 17, "RP" }, { 24, "SIG" }, { 25, "KEY" },
        { 28, "AAAA" }, { 29, "LOC" }, { 33, "SRV" }, { 35, "NAPTR" },
        { 39, "DNAME" }, { 41, "OPT" }, { 43, "DS" }, { 44, "SSHFP" },
        { 46, "RRSIG" }, { 47, "NSEC" }, { 48, "DNSKEY" }, { 50, "NSEC3" },
        { 51, "NSEC3PARAM" }, { 52, "TLSA" }, { 99, "SPF" },
        { 249, "TKEY" }, { 250, "TSIG" }, { 251, "IXFR" }, { 252, "AXFR" },
        { 253, "MAILB" }, { 254, "MAILA" }, { 255, "ANY" },
    };

    size_t  i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].type == type) {
            return names[i].name;
        }
    }

    return NULL;
}


static void
question_fields(tcr_out_t *out, const tcr_log_dns_t *l)
{
    const char  *type = type_name(l->type);

    tcr_out_str(out, TCR_STR(" xn="));

    if (l->has_id) {
        tcr_out_uint(out, l->id);

    } else {
        tcr_out_char(out, '-');
    }

    tcr_out_str(out, TCR_STR(" fqdn="));
    tcr_log_escaped(out, l->name);

    if (l->name.len == 0 || l->name.data[l->name.len - 1] != '.') {
        tcr_out_char(out, '.');
    }

    tcr_out_str(out, TCR_STR(" type="));

    if (type != NULL) {
        tcr_out_str(out, tcr_str(type));

    } else if (l->type != 0) {
        tcr_out_str(out, TCR_STR("TYPE"));
        tcr_out_uint(out, l->type);

    } else {
        tcr_out_char(out, '-');
    }

    tcr_out_str(out, TCR_STR(" class=IN rcode="));
    tcr_out_str(out, l->rcode != NULL ? tcr_str(l->rcode) : TCR_STR("-"));
}


static void
decision_fields(tcr_out_t *out, const tcr_dns_answer_t *a)
{
    tcr_out_str(out, TCR_STR(" rtype="));
    tcr_out_str(out, tcr_result_name(a->result));
    tcr_out_str(out, TCR_STR(" rloc=\""));

    if (a->has_point) {
        tcr_log_degrees_dns(out, a->point.lat);
        tcr_out_char(out, ',');
        tcr_log_degrees_dns(out, a->point.lon);

    } else {
        tcr_out_char(out, '-');
    }

    tcr_out_str(out, TCR_STR("\" rdtl="));
    tcr_out_str(out, a->result != TCR_RESULT_NONE
                     ? tcr_details_name(a->details) : TCR_STR("-"));
}


/* Address data is printed as eight full groups, all else as it stands. */
static void
record_data(tcr_out_t *out, const tcr_dns_record_t *r)
{
    tcr_addr_t  addr;

    if (r->type == TCR_TYPE_AAAA && tcr_addr_parse(r->data, &addr) == 0) {
        tcr_log_addr(out, &addr);
        return;
    }

    tcr_log_escaped(out, r->data);
}


static void
answer_fields(tcr_out_t *out, const tcr_log_dns_t *l)
{
    size_t  i;

    tcr_out_str(out, TCR_STR(" rerr=\"-\" ttl=\""));

    for (i = 0; i < l->n_records; i++) {

        if (i != 0) {
            tcr_out_char(out, ' ');
        }

        tcr_out_uint(out, l->records[i].ttl);
    }

    tcr_out_str(out, l->n_records ? TCR_STR("\" ans=\"")
                                  : TCR_STR("-\" ans=\""));

    for (i = 0; i < l->n_records; i++) {

        if (i != 0) {
            tcr_out_char(out, ' ');
        }

        record_data(out, &l->records[i]);
    }

    tcr_out_str(out, l->n_records ? TCR_STR("\"") : TCR_STR("-\""));
}


size_t
tcr_log_dns(tcr_view_t *view, const tcr_dns_question_t *q,
    const tcr_dns_answer_t *a, const tcr_log_dns_t *l, char *buf, size_t size)
{
    tcr_out_t  out = { buf, buf + size, false };

    tcr_log_time(&out, l->times.arrival_ms);
    client_fields(&out, q, a);

    tcr_out_str(&out, TCR_STR(" ttms="));
    tcr_log_took(&out, l->times.took_us);

    question_fields(&out, l);
    decision_fields(&out, a);
    answer_fields(&out, l);

    tcr_out_str(&out, TCR_STR(" svc=\""));
    tcr_out_str(&out, a->service != NULL ? tcr_view_str(view, a->service->id)
                                         : TCR_STR("-"));
    tcr_out_char(&out, '"');

    return (size_t) (out.pos - buf);
}
