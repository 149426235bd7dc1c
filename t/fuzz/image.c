/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Any bytes as an image: kind, size and checksum in the header are made right
 * first, so that all that lies behind them is reached.  Promise: what is
 * accepted can be dumped, and a reader that has it in force answers without
 * leaving its bytes.
 */

#include "conversation.h"
#include "image/fixture.h"
#include "tcb_hashed.h"
#include "tcr_certs.h"
#include "tcr_image_schema.h"
#include "tcr_image_verify.h"
#include "tcr_keys.h"
#include "tcr_route.h"

#define DUMP_MAX  (1u << 24)
#define NOW       1790000000


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char             dir[64];
static tcr_view_t      *view;
static tcr_publisher_t *pub;
static tcb_core_t      *core;

static const char *const  hosts[] = {
    "tr.vod.example.net", "edge.vod.example.net", "live.example.net",
    "live7.example.net", "vod.example.net", "example.net",
    "_acme-challenge.vod.example.net", "a.vod.example.net"
};

#define N_HOSTS  (sizeof(hosts) / sizeof(hosts[0]))

/* of PowerDNS, for each host */
static const char *const  methods[] = {
    "list\",\"parameters\":{\"domain_id\":1,\"zonename",
    "getDomainKeys\",\"parameters\":{\"name",
    "getDomainInfo\",\"parameters\":{\"name",
    "getAllDomainMetadata\",\"parameters\":{\"name",
    "getBeforeAndAfterNamesAbsolute\",\"parameters\":{\"id\":1,\"qname"
};

#define N_METHODS  (sizeof(methods) / sizeof(methods[0]))


static void
end(void)
{
    tcb_core_destroy(core);
    tcr_view_destroy(view);
    tcr_publisher_close(pub);
    fixture_remove_dir(dir);
}


/* All images of the fixture, so that each input replaces one. */
static void
start(void)
{
    size_t             i;
    tcr_err_t          err;
    tcr_build_t       *b[5];
    tcr_publication_t  items[5] = {
        { .slot = TCR_SLOT_ROUTING }, { .slot = TCR_SLOT_HEALTH },
        { .slot = TCR_SLOT_OVERLAY }, { .slot = TCR_SLOT_CERTS },
        { .slot = TCR_SLOT_KEYS }
    };

    pub = tcr_publisher_open(fixture_make_dir(dir), &err);
    atexit(end);
    b[0] = fixture_routing(1, &items[0].data, &items[0].size);
    b[1] = fixture_health(1, &items[1].data, &items[1].size);
    b[2] = fixture_overlay(&items[2].data, &items[2].size);
    b[3] = fixture_certs(&items[3].data, &items[3].size);
    b[4] = fixture_keys(&items[4].data, &items[4].size);
    view = tcr_view_create(dir, 1);
    core = tcb_core_create(dir, NULL, NULL, NULL);

    if (pub == NULL || view == NULL || core == NULL
        || tcr_publish(pub, items, 5, NULL, &err) != 0
        || tcr_view_refresh(view, 1, &err) != 1)
    {
        abort();
    }

    for (i = 0; i < 5; i++) {
        tcr_build_destroy(b[i]);
    }
}


static void
ask_http(tcr_arena_t *arena, const char *host, bool secure)
{
    char                 line[65536];
    tcr_log_times_t      times = { 0, 0 };
    tcr_http_decision_t  d;
    tcr_http_request_t   req = {
        .method = TCR_STR("GET"), .protocol = TCR_STR("HTTP/1.1"),
        .host = tcr_str(host), .path = TCR_STR("/vod/a.ts"),
        .query = TCR_STR("one=1&two=2"), .peer = TCR_STR("192.0.2.1"),
        .secure = secure, .mem = tcr_arena_mem(arena)
    };

    (void) tcr_route_http(view, &req, &d);
    tcr_log_http(tcr_view_image(view, TCR_SLOT_ROUTING), &req, &d, &times,
                 line, sizeof(line));
}


static void
ask_dns(tcr_arena_t *arena, const char *name, uint16_t type)
{
    tcr_dns_reply_t     reply;
    tcr_dns_question_t  q = {
        .name = tcr_str(name), .type = type, .mem = tcr_arena_mem(arena)
    };

    tcr_addr_parse(TCR_STR("192.0.2.1"), &q.resolver);
    (void) tcr_resolve_dns(view, &q, &reply);
}


/* What PowerDNS asks besides names. */
static void
ask_backend(void)
{
    bool            over;
    char            line[512];
    size_t          i, k;
    tcr_str_t       out;
    const char     *wrong;
    tcb_session_t  *s = tcb_session_create(core);

    for (i = 0; s != NULL && i < N_HOSTS; i++) {
        for (k = 0; k < N_METHODS; k++) {
            snprintf(line, sizeof(line), "{\"method\":\"%s\":\"%s.\"}}",
                     methods[k], hosts[i]);
            wrong = conversation_line(s, tcr_str(line), &out, &over);

            if (wrong != NULL || over) {
                fprintf(stderr, "%s: %s\n", line, wrong);
                abort();
            }
        }
    }

    tcb_session_destroy(s);
}


/* Neighbours in every chain of a hash before, among and behind the others. */
static void
ask_chains(tcr_arena_t *arena)
{
    size_t                     i, k, n;
    tcb_hashed_t               hashed;
    const tcr_img_dns_zone_t  *zones;

    static const char *const  hashes[] = {
        "00000000000000000000000000000000", "04g00000000000000000000000000000",
        "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv", "x"
    };

    n = tcr_dns_zones(view, &zones);

    for (i = 0; i < n; i++) {
        for (k = 0; k < sizeof(hashes) / sizeof(hashes[0]); k++) {
            (void) tcb_hashed_neighbours(view, &zones[i], tcr_str(hashes[k]),
                                         arena, &hashed);
        }
    }
}


static void
ask(void)
{
    size_t        i;
    tcr_arena_t  *arena = tcr_arena_create(0);

    ask_backend();
    ask_chains(arena);

    for (i = 0; i < N_HOSTS; i++) {
        ask_http(arena, hosts[i], false);
        ask_http(arena, hosts[i], true);
        ask_dns(arena, hosts[i], TCR_TYPE_ANY);
        ask_dns(arena, hosts[i], TCR_TYPE_TXT);
        ask_dns(arena, hosts[i], TCR_TYPE_DS);
    }

    tcr_arena_destroy(arena);
}


/* Puts it into force where it fits the images that are. */
static void
serve(void *data, size_t size, tcr_slot_e slot)
{
    tcr_err_t          err;
    tcr_build_t       *b = NULL;
    tcr_publication_t  items[2] = {
        { .slot = slot, .data = data, .size = size },
        { .slot = TCR_SLOT_HEALTH }
    };

    if (slot == TCR_SLOT_ROUTING) {
        b = fixture_health(1, &items[1].data, &items[1].size);
    }

    if (tcr_publish(pub, items, b != NULL ? 2 : 1, NULL, &err) == 0) {
        (void) tcr_view_refresh(view, 1, &err);
        ask();
    }

    tcr_build_destroy(b);
}


static void
find_certs(const tcr_image_t *img)
{
    size_t                  i;
    uint32_t                n, first;
    const tcr_img_certs_t  *root = tcr_image_root(img);

    for (i = 0; i < N_HOSTS; i++) {
        n = tcr_certs_find(img, tcr_str(hosts[i]), &first);

        if (n > root->certificates.n
            || (n != 0 && first > root->certificates.n - n))
        {
            abort();
        }
    }
}


static void
find_keys(const tcr_image_t *img)
{
    size_t                     i;
    uint8_t                   *roles;
    tcr_zone_keys_t            keys;
    const tcr_img_key_zone_t  *zone;

    for (i = 0; i < N_HOSTS; i++) {
        zone = tcr_keys_zone(img, tcr_str(hosts[i]));

        if (zone != NULL) {
            keys = tcr_keys_of(img, zone);
            roles = calloc(1, keys.n + 1);
            tcr_keys_roles(&keys, NOW, roles);
            (void) tcr_keys_next(&keys, NOW);
            free(roles);
        }
    }
}


static void
use(void *data, size_t size, tcr_slot_e slot)
{
    tcr_buf_t    buf;
    tcr_image_t  img = { data, size, data, false };

    tcr_buf_init(&buf, DUMP_MAX);
    tcr_image_dump(&img, &buf);
    tcr_buf_free(&buf);

    if (slot == TCR_SLOT_CERTS) {
        find_certs(&img);

    } else if (slot == TCR_SLOT_KEYS) {
        find_keys(&img);
    }

    serve(data, size, slot);
}


/* What t/unit/image/verify.c looks at; its slot stays, if it is one. */
static void
make_right(void *data, size_t size)
{
    tcr_img_header_t    *h = data;
    const tcr_schema_t  *schema = tcr_schema_root(h->slot);

    memcpy(h->magic, TCR_IMAGE_MAGIC, sizeof(h->magic));
    h->byte_order = TCR_IMAGE_BYTE_ORDER;
    h->version = TCR_IMAGE_VERSION;
    h->size = size;
    h->incompat = 0;
    h->root_size = schema != NULL ? schema->size : 0;
    h->source[sizeof(h->source) - 1] = '\0';
    tcr_image_seal(data, size);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void        *copy;
    tcr_err_t    err;
    tcr_slot_e   slot;

    if (view == NULL) {
        start();
    }

    if (size < sizeof(tcr_img_header_t)) {
        return 0;
    }

    copy = malloc(size);

    if (copy == NULL) {
        return 0;
    }

    memcpy(copy, data, size);
    make_right(copy, size);
    slot = ((tcr_img_header_t *) copy)->slot;

    if (tcr_image_verify(copy, size, slot, &err) == 0) {
        use(copy, size, slot);
    }

    free(copy);
    return 0;
}
