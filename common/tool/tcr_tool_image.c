/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter image: the same checks the servers make, and the content of an
 * image as JSON.
 */

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tcr_snapshot.h"
#include "tcr_tool.h"


static const char  help[] =
    "usage: tcrouter image verify|dump FILE|SLOT [--images DIR]\n\n"
    "  FILE                an image file, for example routing.12\n"
    "  SLOT                routing, health, ...: the one in force\n"
    "  --images DIR        image directory (" TCR_TOOL_IMAGES ")\n";


/* "routing.12", "/some/where/routing.12" or "routing" */
static int
slot_of(const char *name)
{
    int          slot;
    size_t       len;
    const char  *base = strrchr(name, '/');

    base = base != NULL ? base + 1 : name;

    for (slot = 0; slot < TCR_SLOT_COUNT; slot++) {
        len = strlen(tcr_slot_name((tcr_slot_e) slot));

        if (strncmp(base, tcr_slot_name((tcr_slot_e) slot), len) == 0
            && (base[len] == '.' || base[len] == '\0'))
        {
            return slot;
        }
    }

    return -1;
}


static int
dump(const tcr_image_t *img)
{
    tcr_buf_t  buf;

    tcr_buf_init(&buf, (size_t) 4 << 30);
    tcr_image_dump(img, &buf);
    fwrite(buf.data, 1, buf.len, stdout);
    tcr_buf_free(&buf);

    return TCR_TOOL_OK;
}


static int
use(const tcr_image_t *img, const char *name, bool want_dump)
{
    if (want_dump) {
        return dump(img);
    }

    printf("%s: good, %zu bytes, format %u, source \"%.*s\"\n", name,
           img->size, img->header->version,
           (int) strnlen(img->header->source, sizeof(img->header->source)),
           img->header->source);
    return TCR_TOOL_OK;
}


static int
with_file(const char *path, tcr_slot_e slot, bool want_dump)
{
    int          rc;
    tcr_err_t    err;
    tcr_image_t  img;

    if (tcr_image_open(&img, AT_FDCWD, path, slot, &err) != 0) {
        return tcr_tool_fail("image", "%s", err.text);
    }

    rc = use(&img, path, want_dump);
    tcr_image_close(&img);
    return rc;
}


static int
with_slot(const char *dir, tcr_slot_e slot, bool want_dump)
{
    int              rc;
    tcr_err_t        err = { "nothing has been published there yet" };
    tcr_set_t       *set;
    tcr_snapshot_t  *snap;

    snap = tcr_snapshot_create(dir, 1u << slot | 1u << TCR_SLOT_ROUTING);

    if (snap == NULL || tcr_snapshot_refresh(snap, 0, &err) < 0
        || (set = tcr_snapshot_current(snap))->slots[slot] == NULL)
    {
        rc = tcr_tool_fail("image", "\"%s\": no %s image: %s", dir,
                           tcr_slot_name(slot), err.text);

    } else {
        rc = use(&set->slots[slot]->img, tcr_slot_name(slot), want_dump);
    }

    tcr_snapshot_destroy(snap);
    return rc;
}


int
tcr_tool_image(int argc, char **argv)
{
    int          c, slot;
    bool         want_dump;
    const char  *dir = TCR_TOOL_IMAGES, *name;

    static const struct option  options[] = {
        { "images", required_argument, NULL, 'i' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'i': dir = optarg; break;
        case 'h': fputs(help, stdout); return TCR_TOOL_OK;
        default: return TCR_TOOL_USAGE;
        }
    }

    if (optind + 2 != argc || (strcmp(argv[optind], "verify") != 0
                               && strcmp(argv[optind], "dump") != 0))
    {
        fputs(help, stderr);
        return TCR_TOOL_USAGE;
    }

    want_dump = strcmp(argv[optind], "dump") == 0;
    name = argv[optind + 1];
    slot = slot_of(name);

    if (slot < 0 || tcr_slot_is_raw((tcr_slot_e) slot)) {
        return tcr_tool_usage("image", "\"%s\" names no image of ours", name);
    }

    if (strcmp(name, tcr_slot_name((tcr_slot_e) slot)) == 0) {
        return with_slot(dir, (tcr_slot_e) slot, want_dump);
    }

    return with_file(name, (tcr_slot_e) slot, want_dump);
}
