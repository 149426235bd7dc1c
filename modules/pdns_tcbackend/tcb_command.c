/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What an operator can ask through PowerDNS: pdnsutil backend-cmd.
 */

#include "tcb_command.h"

#include <inttypes.h>

#include "tcr_clock.h"
#include "tcr_version.h"


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


void
tcb_command(tcb_core_t *core, tcr_str_t query, tcr_buf_t *out)
{
    query = tcr_str_trim(query);

    if (tcr_str_eq(query, TCR_STR("status"))) {
        command_status(core, out);

    } else if (tcr_str_eq(query, TCR_STR("version"))) {
        tcr_buf_str(out, TCR_STR("tcrouter " TCR_VERSION));

    } else {
        tcr_buf_str(out, TCR_STR("unknown command, known are: status, "
                                 "version"));
    }
}
