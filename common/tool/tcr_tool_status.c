/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter status: what the servers decide with at this moment, from the
 * images alone, and what the fetcher last wrote about its sources.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "tcr_clock.h"
#include "tcr_overlay_format.h"
#include "tcr_route.h"
#include "tcr_tool.h"
#include "tcr_tool_status.h"

#define STATE_DIR   "/var/lib/tcrouter"

/* Health that did not move for so long is called stale (spec/inputs.md §7:
   states are polled each second). */
#define STALE_MS    10000


static const char  help[] =
    "usage: tcrouter status [OPTIONS]\n\n"
    "  --images DIR        image directory (" TCR_TOOL_IMAGES ")\n"
    "  --state DIR         state directory of tcr-fetch (" STATE_DIR ")\n"
    "  --all               every problem and the last events, too\n\n"
    "Exit status: 0 in force and fresh, 1 not.\n";


static void
print_time(const char *what, int64_t ms, int64_t now)
{
    char       text[32];
    time_t     t = (time_t) (ms / 1000);
    struct tm  tm;

    if (ms == 0) {
        printf("%-12s never\n", what);
        return;
    }

    gmtime_r(&t, &tm);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
    printf("%-12s %s, %" PRId64 " s ago\n", what, text, (now - ms) / 1000);
}


static int
print_images(tcr_view_t *view)
{
    int64_t            now = tcr_now_ms();
    tcr_view_state_t   s;

    tcr_view_state(view, &s);

    printf("%-12s %" PRIu64 "\n", "generation", s.generation);
    print_time("snapshot", s.snapshot_date * 1000, now);
    print_time("published", s.published, now);
    print_time("states", s.states_time, now);
    print_time("poll", s.poll_time, now);

    if (now - s.poll_time > STALE_MS) {
        printf("%-12s the last answer of a monitor is older than %d s\n",
               "stale", STALE_MS / 1000);
        return TCR_TOOL_FAILED;
    }

    return TCR_TOOL_OK;
}


/* What has to stand at the parent of the CDN's zone when it is signed. */
static void
print_ds(tcr_view_t *view)
{
    uint32_t                  i;
    tcr_str_t                 domain;
    const tcr_image_t        *img = tcr_view_image(view, TCR_SLOT_OVERLAY);
    const tcr_image_t        *routing;
    const tcr_img_ds_t       *all;
    const tcr_img_overlay_t  *root;

    if (img == NULL) {
        return;
    }

    routing = tcr_view_image(view, TCR_SLOT_ROUTING);
    domain = tcr_view_str(view, ((const tcr_img_routing_t *)
                                 tcr_image_root(routing))->domain);
    root = tcr_image_root(img);
    all = tcr_image_vec(img, &root->ds);

    for (i = 0; i < root->ds.n; i++) {

        if (tcr_str_eq(tcr_image_str(img, all[i].owner), domain)) {
            printf("%-12s %.*s. IN DS %.*s\n", "at parent",
                   TCR_STR_ARG(domain),
                   TCR_STR_ARG(tcr_image_str(img, all[i].text)));
        }
    }
}


int
tcr_tool_status(int argc, char **argv)
{
    int          c, rc = TCR_TOOL_FAILED;
    bool         all = false;
    tcr_err_t    err = { "nothing has been published there yet" };
    tcr_view_t  *view;
    const char  *images = TCR_TOOL_IMAGES, *state = STATE_DIR;

    static const struct option  options[] = {
        { "images", required_argument, NULL, 'i' },
        { "state", required_argument, NULL, 's' },
        { "all", no_argument, NULL, 'a' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'i': images = optarg; break;
        case 's': state = optarg; break;
        case 'a': all = true; break;
        case 'h': fputs(help, stdout); return TCR_TOOL_OK;
        default: return TCR_TOOL_USAGE;
        }
    }

    view = tcr_view_create(images, 1);

    if (view == NULL || tcr_view_refresh(view, tcr_now_ms(), &err) < 0
        || !tcr_view_ready(view))
    {
        fprintf(stderr, "tcrouter status: \"%s\": %s\n", images, err.text);

    } else {
        rc = print_images(view);
        print_ds(view);
    }

    /* why there is nothing may be said there */
    tcr_tool_status_fetch(images, state, all);
    tcr_view_destroy(view);
    return rc;
}
