/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What an operator can ask through PowerDNS: pdnsutil backend-cmd.
 */

#include "tcb_command.h"

#include <inttypes.h>

#include "tcr_clock.h"
#include "tcr_version.h"

#include "tcb_session.h"


static void
command_status(tcb_core_t *core, tcr_buf_t *out)
{
    tcr_view_t                *view;
    tcr_view_state_t           state;
    const tcr_img_dns_zone_t  *zones;

    view = tcb_core_view(core);
    tcr_view_state(view, &state);

    if (!tcr_view_ready(view)) {
        tcr_buf_printf(out, "no images yet, %" PRIu64 " refused",
                       state.refused);
        return;
    }

    tcr_buf_printf(out, "generation %" PRIu64 ", %zu zones, snapshot of %"
                   PRId64 ", published %" PRId64 " s ago, ",
                   state.generation, tcr_dns_zones(view, &zones),
                   state.snapshot_date,
                   (tcr_now_ms() - state.published) / 1000);

    if (state.states_time == 0) {
        tcr_buf_str(out, TCR_STR("no states yet"));

    } else {
        tcr_buf_printf(out, "states %" PRId64 " s old",
                       (tcr_now_ms() - state.states_time) / 1000);
    }

    tcr_buf_printf(out, ", %" PRIu64 " images refused, %" PRIu64 " log lines "
                   "dropped", state.refused, tcb_core_dropped(core));
}


/* --- where --- */

static uint16_t
read_type(tcr_str_t text)
{
    char    upper[16];
    size_t  i;

    if (text.len > sizeof(upper)) {
        return 0;
    }

    for (i = 0; i < text.len; i++) {
        upper[i] = text.data[i] >= 'a' && text.data[i] <= 'z'
                   ? (char) (text.data[i] - 'a' + 'A') : text.data[i];
    }

    return tcb_type(tcr_str_n(upper, text.len));
}


static void
put_reply(const tcr_dns_reply_t *reply, const tcr_trace_t *trace,
    tcr_buf_t *out)
{
    char                     type[16];
    size_t                   i;
    const tcr_dns_rr_t      *rr;
    const tcr_trace_step_t  *s;

    for (s = trace->first; s != NULL; s = s->next) {
        tcr_buf_printf(out, "  %-14s %s\n", s->step, s->text);
    }

    tcr_buf_printf(out, "%s  result %.*s, details %.*s",
                   reply->rcode == 0 ? "NOERROR"
                   : reply->rcode == 3 ? "NXDOMAIN" : "REFUSED",
                   TCR_STR_ARG(tcr_result_name(reply->last.result)),
                   TCR_STR_ARG(tcr_details_name(reply->last.details)));

    for (i = 0; i < reply->n_answer; i++) {
        rr = &reply->answer[i];
        tcr_buf_char(out, '\n');
        tcb_put_name(out, rr->owner);
        tcr_buf_printf(out, " %u IN %.*s %.*s", rr->record.ttl,
                       TCR_STR_ARG(tcb_type_name(rr->record.type, type)),
                       TCR_STR_ARG(rr->record.data));
    }
}


/* As `tcrouter where`, by the images that this server has; neither counted
   nor logged. */
static void
command_where(tcb_core_t *core, tcr_str_t args, tcr_buf_t *out)
{
    tcr_str_t           name, type, client = tcr_str_trim(args);
    tcr_view_t         *view = tcb_core_view(core);
    tcr_trace_t         trace = { .arena = tcb_core_arena(core) };
    tcr_dns_reply_t     reply;
    tcr_dns_question_t  q = {
        .type = TCR_TYPE_A, .mem = tcr_arena_mem(trace.arena), .trace = &trace
    };

    type = tcr_str_split(&client, ' ');
    name = tcr_str_split(&type, '/');
    q.name = name;

    if (type.data != NULL) {
        q.type = read_type(type);
    }

    client = tcr_str_trim(client);

    if (name.len == 0 || q.type == 0
        || tcr_addr_parse(client, &q.resolver) != 0)
    {
        tcr_buf_str(out, TCR_STR("expected where NAME[/TYPE] ADDRESS"));

    } else if (!tcr_view_ready(view)) {
        tcr_buf_str(out, TCR_STR("no images yet"));

    } else if (tcr_resolve_dns(view, &q, &reply) != 0) {
        tcr_buf_str(out, TCR_STR("no memory for the decision"));

    } else {
        put_reply(&reply, &trace, out);
    }
}


void
tcb_command(tcb_core_t *core, tcr_str_t query, tcr_buf_t *out)
{
    tcr_str_t  rest = tcr_str_trim(query), name;

    name = tcr_str_split(&rest, ' ');

    if (tcr_str_eq(name, TCR_STR("status"))) {
        command_status(core, out);

    } else if (tcr_str_eq(name, TCR_STR("version"))) {
        tcr_buf_str(out, TCR_STR("tcrouter " TCR_VERSION));

    } else if (tcr_str_eq(name, TCR_STR("where"))) {
        command_where(core, rest, out);

    } else {
        tcr_buf_str(out, TCR_STR("unknown command, known are: status, "
                                 "version, where NAME[/TYPE] ADDRESS"));
    }
}
