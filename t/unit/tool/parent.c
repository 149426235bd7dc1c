/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Answers about the parent's DS: what they say, and that no message, cut or
 * changed anywhere, does harm.
 */

#include <stdlib.h>

#include "tap.h"
#include "tcr_keys_parent.h"

#define ID    0x1234
#define ZONE  TCR_STR("cdn.example.net")


/*
 * cdn.example.net. 300 DS 1 13 2 AABB, its signature with original TTL 3600
 */
static const uint8_t  good[] = {
    0x12, 0x34, 0x81, 0xa0, 0, 1, 0, 2, 0, 0, 0, 0,
    3, 'c', 'd', 'N', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 3, 'n', 'e', 't',
    0, 0, 43, 0, 1,
    0xc0, 12, 0, 43, 0, 1, 0, 0, 1, 44, 0, 6, 0, 1, 13, 2, 0xaa, 0xbb,
    0xc0, 12, 0, 46, 0, 1, 0, 0, 1, 44, 0, 20,
    0, 43, 13, 3, 0, 0, 14, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xff
};

static tcr_arena_t   *arena;
static tcr_parent_t   out;


static int
read_message(const uint8_t *message, size_t n, tcr_str_t zone, tcr_err_t *err)
{
    return tcr_keys_parent_read(message, n, ID, zone, arena, &out, err);
}


static void
refused(size_t at, uint8_t byte, const char *why)
{
    uint8_t    copy[sizeof(good)];
    tcr_err_t  err;

    memcpy(copy, good, sizeof(copy));
    copy[at] = byte;
    ok(read_message(copy, sizeof(copy), ZONE, &err) == -1
       && strstr(err.text, why) != NULL, "%s: %s", why, err.text);
}


static void
hostile(void)
{
    size_t     i, n;
    uint8_t    copy[sizeof(good)];
    uint8_t   *cut;
    unsigned   k;
    tcr_err_t  err;

    for (n = 0; n < sizeof(good); n++) {
        cut = malloc(n + 1);      /* so that reading behind it is seen */
        memcpy(cut, good, n);

        if (read_message(cut, n, ZONE, &err) == 0) {
            ok(false, "cut to %zu bytes is refused", n);
        }

        free(cut);
    }

    for (i = 0; i < sizeof(good); i++) {

        for (k = 0; k < 256; k++) {
            memcpy(copy, good, sizeof(copy));
            copy[i] = (uint8_t) k;
            (void) read_message(copy, sizeof(copy), ZONE, &err);
            tcr_arena_reset(arena);
        }
    }

    ok(true, "cut and changed messages");
}


int
main(void)
{
    uint8_t    copy[sizeof(good)];
    tcr_err_t  err;

    arena = tcr_arena_create(0);

    is_int(read_message(good, sizeof(good), ZONE, &err), 0, "an answer");
    is_int(out.n, 1, "... with one DS");
    is_str(out.ds[0].data, "1 13 2 AABB", "... as text");
    is_int(out.ttl, 3600, "... the TTL is the parent's, not a cache's");
    ok(out.secure, "... validated");

    memcpy(copy, good, sizeof(copy));
    copy[3] = 0x83;
    copy[7] = 0;
    is_int(read_message(copy, sizeof(copy), ZONE, &err), 0, "NXDOMAIN is one");
    is_int(out.n, 0, "... with none");
    ok(!out.secure, "... not validated");

    refused(0, 0, "another question");
    refused(2, 0x01, "another question");
    refused(5, 2, "another question");
    refused(13, 'x', "another question");
    refused(2, 0x83, "truncated");
    refused(3, 0xa2, "rcode 2");
    refused(sizeof(good) - 21, 21, "malformed");
    hostile();

    tcr_arena_destroy(arena);
    return done();
}
