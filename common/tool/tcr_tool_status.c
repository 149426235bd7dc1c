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
#include "tcr_file.h"
#include "tcr_json.h"
#include "tcr_overlay_format.h"
#include "tcr_route.h"
#include "tcr_tool.h"

#define STATUS_MAX  (1u << 20)
#define STATE_DIR   "/var/lib/tcrouter"

/* Health that did not move for so long is called stale (spec/inputs.md §7:
   states are polled each second). */
#define STALE_MS    10000


static const char  help[] =
    "usage: tcrouter status [OPTIONS]\n\n"
    "  --images DIR        image directory (" TCR_TOOL_IMAGES ")\n"
    "  --state DIR         state directory of tcr-fetch (" STATE_DIR ")\n";


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


/* status.json of the fetcher, a member a line; it may not be there. */
static void
print_sources(const char *state)
{
    char               path[4096];
    tcr_err_t          err;
    tcr_file_t         file;
    tcr_arena_t       *arena;
    tcr_json_doc_t     doc;
    const tcr_json_t  *source, *field;

    snprintf(path, sizeof(path), "%s/status.json", state);

    if (tcr_file_map(&file, path, STATUS_MAX, &err) != 0) {
        printf("%-12s not known: %s\n", "sources", err.text);
        return;
    }

    arena = tcr_arena_create(0);

    if (arena != NULL
        && tcr_json_parse(&doc, arena, path, file.text, &err) == 0)
    {
        for (source = tcr_json_first(tcr_json_get(doc.root, "sources"));
             source != NULL; source = source->next)
        {
            printf("source");

            for (field = tcr_json_first(source); field; field = field->next) {
                printf(" %.*s=%.*s", TCR_STR_ARG(tcr_json_name(field)),
                       TCR_STR_ARG(tcr_json_required_str(field)));
            }

            printf("\n");
        }
    }

    tcr_arena_destroy(arena);
    tcr_file_unmap(&file);
}


int
tcr_tool_status(int argc, char **argv)
{
    int          c, rc;
    tcr_err_t    err = { "nothing has been published there yet" };
    tcr_view_t  *view;
    const char  *images = TCR_TOOL_IMAGES, *state = STATE_DIR;

    static const struct option  options[] = {
        { "images", required_argument, NULL, 'i' },
        { "state", required_argument, NULL, 's' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'i': images = optarg; break;
        case 's': state = optarg; break;
        case 'h': fputs(help, stdout); return TCR_TOOL_OK;
        default: return TCR_TOOL_USAGE;
        }
    }

    view = tcr_view_create(images, 1);

    if (view == NULL || tcr_view_refresh(view, tcr_now_ms(), &err) < 0
        || !tcr_view_ready(view))
    {
        fprintf(stderr, "tcrouter status: \"%s\": %s\n", images, err.text);
        tcr_view_destroy(view);
        return TCR_TOOL_FAILED;
    }

    rc = print_images(view);
    print_ds(view);
    print_sources(state);
    tcr_view_destroy(view);
    return rc;
}
