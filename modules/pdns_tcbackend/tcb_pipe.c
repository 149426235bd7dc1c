/* SPDX-License-Identifier: Apache-2.0 */

/*
 * PowerDNS' pipe backend: fields between tabs, ABI 1 to 5 (its documentation,
 * "Pipe Backend", PipeBackend protocol).  Client subnets and scopes come with
 * ABI 3, zone names with 4, commands with 5.
 */

#include "tcb_session.h"

#include "tcr_version.h"


/* Fields of a request; what is missing is empty. */
#define TCB_FIELDS  9

static size_t
split(tcr_str_t line, tcr_str_t fields[TCB_FIELDS])
{
    size_t  i, n;

    for (n = 0; n < TCB_FIELDS && line.data != NULL; n++) {
        fields[n] = tcr_str_split(&line, '\t');
    }

    for (i = n; i < TCB_FIELDS; i++) {
        fields[i] = tcr_str_n("", 0);
    }

    return n;
}


/*
 * The row for "exists, with nothing".  PowerDNS takes several tabs for one, so
 * no field may be empty, and accepts no content in an empty non-terminal: here
 * it is a record of a type for private use (RFC 6895, 3.1) without data (RFC
 * 3597, 5).  Only a question for ANY or that very type shows it.
 */
#define TCB_PIPE_ENT  65534


/* Preference of MX and SRV is a field of its own. */
static void
put_row(tcb_session_t *s, tcr_str_t owner, const tcr_dns_record_t *row,
    uint32_t zone)
{
    char        type[16];
    size_t      blank;
    uint16_t    number;
    tcr_str_t   data;
    tcr_buf_t  *out;

    out = &s->out;
    data = row->data;
    number = row->type;

    if (number == TCB_TYPE_ENT) {
        number = TCB_PIPE_ENT;
        data = TCR_STR("\\# 0");
    }

    tcr_buf_str(out, TCR_STR("DATA\t"));

    if (s->abi >= 3) {
        tcb_put_uint(out, row->scope);
        tcr_buf_str(out, row->auth ? TCR_STR("\t1\t") : TCR_STR("\t0\t"));
    }

    tcr_buf_str(out, owner);
    tcr_buf_str(out, TCR_STR("\tIN\t"));
    tcr_buf_str(out, tcb_type_name(number, type));
    tcr_buf_char(out, '\t');
    tcb_put_uint(out, row->ttl);
    tcr_buf_char(out, '\t');
    tcb_put_uint(out, zone);
    tcr_buf_char(out, '\t');

    if (row->type == TCR_TYPE_MX || row->type == TCR_TYPE_SRV) {
        blank = tcr_str_find(data, ' ');
        tcr_buf_add(out, data.data, blank);
        tcr_buf_char(out, '\t');
        blank += blank != data.len;
        tcr_buf_add(out, data.data + blank, data.len - blank);

    } else {
        tcr_buf_str(out, data);
    }

    tcr_buf_char(out, '\n');
}


static int
answer_helo(tcb_session_t *s, tcr_str_t abi)
{
    uint64_t  n;

    if (s->abi != 0 || tcr_parse_uint(abi, 1, 5, &n) != 0) {
        tcr_buf_str(&s->out, TCR_STR("FAIL\n"));
        return 0;
    }

    s->abi = (unsigned) n;
    tcr_buf_printf(&s->out, "OK\ttcrouter " TCR_VERSION ", ABI %u%s\n", s->abi,
                   s->abi < 3 ? ", which knows no client subnets: use 3 or "
                   "more" : "");
    return 0;
}


static int
answer_question(tcb_session_t *s, const tcr_str_t *fields)
{
    size_t          i;
    tcb_rows_t      rows;
    tcb_question_t  q;

    memset(&q, 0, sizeof(q));
    q.name = fields[1];
    q.type = tcb_type(fields[3]);
    q.zone = tcb_number(fields[4]);
    tcb_clients(&q, fields[5], fields[7]);

    if (tcb_session_lookup(s, &q, &rows) != 0) {
        tcr_buf_str(&s->out, TCR_STR("FAIL\n"));
        return 0;
    }

    for (i = 0; i < rows.n; i++) {
        put_row(s, q.name, &rows.rows[i], rows.zone);
    }

    tcr_buf_str(&s->out, TCR_STR("END\n"));
    return 0;
}


static int
answer_list(tcb_session_t *s, const tcr_str_t *fields)
{
    tcr_str_t         owner;
    tcb_list_t        list;
    tcr_dns_record_t  row;

    if (tcb_list_begin(s->core,
                       s->abi >= 4 ? fields[2] : tcr_str_n(NULL, 0),
                       tcb_number(fields[1]), &list) != 0)
    {
        tcr_buf_str(&s->out, TCR_STR("END\n"));
        return 0;
    }

    while (tcb_list_next(&list, &owner, &row)) {
        put_row(s, owner, &row, list.number);
    }

    tcb_list_end(&list);
    tcr_buf_str(&s->out, TCR_STR("END\n"));
    return 0;
}


static int
answer_command(tcb_session_t *s, tcr_str_t line)
{
    (void) tcr_str_split(&line, '\t');

    tcb_command(s->core, line, &s->out);
    tcr_buf_str(&s->out, TCR_STR("\nEND\n"));
    return 0;
}


int
tcb_pipe_answer(tcb_session_t *s, tcr_str_t line)
{
    size_t     n;
    tcr_str_t  fields[TCB_FIELDS];

    n = split(line, fields);

    if (tcr_str_eq(fields[0], TCR_STR("HELO"))) {
        return answer_helo(s, fields[1]);
    }

    if (s->abi == 0) {
        return -1;                /* PowerDNS starts the program anew        */
    }

    if (tcr_str_eq(fields[0], TCR_STR("Q")) && n >= 6) {
        return answer_question(s, fields);
    }

    if (tcr_str_eq(fields[0], TCR_STR("AXFR")) && n >= 2) {
        return answer_list(s, fields);
    }

    if (tcr_str_eq(fields[0], TCR_STR("CMD")) && s->abi >= 5) {
        return answer_command(s, line);
    }

    tcr_buf_str(&s->out, TCR_STR("FAIL\n"));
    return 0;
}
