/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For the fuzz target of images: one image of each kind as the fixture of the
 * unit tests builds it, and those that a compiled snapshot becomes.  Made with
 * the build, so they are always of the layout that the reader knows.
 *
 * usage: seeds DIR
 */

#include <errno.h>

#include "conversation.h"
#include "image/fixture.h"


static const char  *out;


static void
put(const char *name, const void *data, size_t size)
{
    char   path[512];
    FILE  *f;

    snprintf(path, sizeof(path), "%s/%s", out, name);
    f = fopen(path, "we");

    if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        fprintf(stderr, "seeds: cannot write \"%s\": %s\n", path,
                strerror(errno));
        exit(1);
    }
}


static void
put_fixture(void)
{
    void         *data;
    size_t        size;
    tcr_build_t  *b;

    b = fixture_routing(1, &data, &size);
    put("routing", data, size);
    tcr_build_destroy(b);

    b = fixture_health(1, &data, &size);
    put("health", data, size);
    tcr_build_destroy(b);

    b = fixture_overlay(&data, &size);
    put("overlay", data, size);
    tcr_build_destroy(b);

    b = fixture_certs(&data, &size);
    put("certs", data, size);
    tcr_build_destroy(b);

    b = fixture_keys(&data, &size);
    put("keys", data, size);
    tcr_build_destroy(b);
}


static void
put_compiled(void)
{
    testcdn_t           cdn;
    const tcr_image_t  *img;

    testcdn_open(&cdn, conversation_cdn, conversation_zones);
    img = tcr_view_image(cdn.view, TCR_SLOT_ROUTING);
    put("compiled", img->base, img->size);
    testcdn_close(&cdn);
}


int
main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds DIR\n");
        return 2;
    }

    out = argv[1];

    if (mkdir(out, 0755) != 0 && errno != EEXIST) {
        fprintf(stderr, "seeds: cannot make \"%s\": %s\n", out,
                strerror(errno));
        return 1;
    }

    put_fixture();
    put_compiled();
    return 0;
}
