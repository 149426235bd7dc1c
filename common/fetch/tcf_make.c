/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One row an image: what it is made of, what else decides how it looks, when
 * time alone makes it another, and its compiler.
 *
 * The hash of all that stands in the image's header (source_sha256), so that
 * one look at the header tells whether there is anything to do.
 */

#include "tcf_make.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tcr_certs_format.h"
#include "tcr_compile_certs.h"
#include "tcr_compile_keys.h"
#include "tcr_compile_overlay.h"
#include "tcr_digest.h"
#include "tcr_version.h"

#define PROBLEMS_MAX  1000
#define PRINT_MAX     (64u * 1024 * 1024)
#define NOT_YET       3600        /* s: certificates that are not valid yet
                                     are looked at again                     */


typedef struct {
    tcf_judgement_t  *j;
    tcf_inputs_t     *inputs;
    tcf_made_t       *made;
    tcr_err_t        *err;
} make_t;

typedef struct {
    tcr_slot_e           slot;
    const tcf_source_e  *sources;
    bool               (*wanted)(const make_t *m);
    void               (*more)(const make_t *m, tcr_buf_t *buf);
    bool               (*is_stale)(const make_t *m);
    int                (*compile)(make_t *m, const tcr_build_origin_t *o);
} row_t;


bool
tcf_make_uses(const tcf_judgement_t *j, tcf_source_e source)
{
    return tcf_row_in_use(&tcf_rows[source], j->given[source], j->ops,
                          j->facts != NULL ? j->facts : j->old_facts);
}


static bool
uses(const make_t *m, tcf_source_e source)
{
    return tcf_make_uses(m->j, source) && tcf_input_has(m->inputs, source);
}


/*
 * The image that will be in force: made, or there already.  NULL: none, or it
 * is to be withdrawn.
 */
static const tcr_image_t *
image_of(const make_t *m, tcr_slot_e slot, tcr_image_t *room)
{
    const tcf_made_t  *made = &m->j->made[slot];

    if (made->build != NULL) {
        *room = (tcr_image_t) { made->data, made->size, made->data, false };
        return room;
    }

    return made->gone ? NULL : m->j->in_force[slot];
}


static int
finish(make_t *m, const tcr_build_origin_t *origin)
{
    if (tcr_build_finish(m->made->build, origin, &m->made->data,
                         &m->made->size, m->err) != 0)
    {
        tcr_build_destroy(m->made->build);
        m->made->build = NULL;
        return -1;
    }

    return 0;
}


/* --- certs --- */

static bool
certs_wanted(const make_t *m)
{
    return tcf_make_uses(m->j, TCF_CERTIFICATES);
}


/* What ended since it was made is not served any more. */
static bool
certs_are_stale(const make_t *m)
{
    uint32_t                      i;
    int64_t                       made;
    const tcr_image_t            *img = m->j->in_force[TCR_SLOT_CERTS];
    const tcr_img_certs_t        *root = tcr_image_root(img);
    const tcr_img_certificate_t  *all = tcr_image_vec(img,
                                                      &root->certificates);

    made = (int64_t) img->header->created;

    for (i = 0; i < root->certificates.n; i++) {

        if (all[i].not_after >= made && all[i].not_after < m->j->now) {
            return true;
        }
    }

    return root->refused.n != 0 && m->j->now - made > NOT_YET;
}


static int
compile_certs(make_t *m, const tcr_build_origin_t *origin)
{
    if (tcr_compile_certs(&m->inputs->certificates, &m->made->build, m->err)
        != 0)
    {
        m->made->build = NULL;
        return -1;
    }

    return finish(m, origin);
}


/* --- routing --- */

/*
 * Ids of services with a certificate, good or bad (spec/inputs.md §8.1), as
 * the certs image has them; NULL: nobody knows.
 */
static tcr_str_t *
certificate_ids(const make_t *m, size_t *n)
{
    uint32_t                      i;
    tcr_str_t                    *ids;
    tcr_image_t                   room;
    const tcr_image_t            *img = image_of(m, TCR_SLOT_CERTS, &room);
    const tcr_img_certs_t        *root;
    const tcr_img_refused_t      *refused;
    const tcr_img_certificate_t  *all;

    *n = 0;

    if (img == NULL) {
        return NULL;
    }

    root = tcr_image_root(img);
    all = tcr_image_vec(img, &root->certificates);
    refused = tcr_image_vec(img, &root->refused);
    ids = tcr_arena_calloc(m->j->arena, (size_t) root->certificates.n
                                        + root->refused.n + 1, sizeof(*ids));

    for (i = 0; ids != NULL && i < root->certificates.n; i++) {
        ids[(*n)++] = tcr_image_str(img, all[i].service);
    }

    for (i = 0; ids != NULL && i < root->refused.n; i++) {
        ids[(*n)++] = tcr_image_str(img, refused[i].service);
    }

    return ids;
}


static int
by_text(const void *one, const void *two)
{
    int               rc;
    const tcr_str_t  *a = one, *b = two;

    rc = memcmp(a->data, b->data, a->len < b->len ? a->len : b->len);

    return rc != 0 ? rc : (a->len > b->len) - (a->len < b->len);
}


/* Policy and database of anonymous addresses are of no use alone. */
static bool
anonymous_on(const make_t *m)
{
    return tcf_make_uses(m->j, TCF_ANONYMOUS_IP)
           && uses(m, TCF_ANONYMOUS_POLICY);
}


static bool
policy_fallback(const make_t *m)
{
    const tcf_judged_t  *judged = &m->j->judged[TCF_REGIONAL];

    return judged->verdict == TCF_REFUSED
           || (judged->verdict == TCF_NOT_JUDGED && m->j->policy_refused);
}


static bool
routing_wanted(const make_t *m)
{
    (void) m;
    return true;
}


static void
routing_more(const make_t *m, tcr_buf_t *buf)
{
    size_t      i, n;
    tcr_str_t  *ids = certificate_ids(m, &n);

    tcr_buf_printf(buf, "%s %d %d %d %d %" PRIu32 " %s\n", m->j->router,
                   policy_fallback(m), anonymous_on(m), ids != NULL,
                   (int) m->j->denial, m->j->iterations, m->j->salt);

    if (ids != NULL) {
        qsort(ids, n, sizeof(*ids), by_text);
    }

    for (i = 0; i < n; i++) {

        if (i == 0 || !tcr_str_eq(ids[i], ids[i - 1])) {
            tcr_buf_str(buf, ids[i]);
            tcr_buf_char(buf, '\n');
        }
    }
}


static int
compile_routing(make_t *m, const tcr_build_origin_t *origin)
{
    tcr_compile_input_t  in;
    tcf_inputs_t        *inputs = m->inputs;
    tcf_made_t          *health = &m->j->made[TCR_SLOT_HEALTH];

    memset(&in, 0, sizeof(in));
    in.crconfig = &inputs->crconfig;
    in.coverage = uses(m, TCF_COVERAGE) ? &inputs->coverage : NULL;
    in.deep = uses(m, TCF_DEEP) ? &inputs->deep : NULL;
    in.router = m->j->router;
    in.certificates = certificate_ids(m, &in.n_certificates);
    in.know_certificates = in.certificates != NULL;
    in.regional = uses(m, TCF_REGIONAL) ? &inputs->regional : NULL;
    in.regional_fallback = policy_fallback(m);
    in.anonymous = anonymous_on(m) ? &inputs->policy : NULL;
    in.chains = m->j->denial == TCR_DENIAL_NSEC3;
    in.nsec3.iterations = m->j->iterations;
    in.nsec3.salt = tcr_str(m->j->salt);
    in.previous = m->j->in_force[TCR_SLOT_ROUTING];
    in.origin = *origin;

    if (tcr_compile_routing(&in, &m->made->build, &health->build,
                            &m->made->report, m->err)
        != 0)
    {
        m->made->build = NULL;
        health->build = NULL;
        return -1;
    }

    if (finish(m, origin) != 0) {
        return -1;
    }

    return tcr_build_finish(health->build, origin, &health->data,
                            &health->size, m->err);
}


/* --- keys --- */

static bool
keys_wanted(const make_t *m)
{
    return m->j->facts->dnssec && tcf_make_uses(m->j, TCF_KEYS);
}


static void
keys_more(const make_t *m, tcr_buf_t *buf)
{
    tcr_buf_printf(buf, "%d %" PRIu32 " %d\n", m->j->facts->allow_expired,
                   m->j->facts->ttl_dnskey, (int) m->j->denial);
}


/* Signatures live as long as the longest TTL of their zone wants. */
static bool
keys_are_stale(const make_t *m)
{
    uint32_t                   i;
    tcr_image_t                room;
    const tcr_image_t         *img = m->j->in_force[TCR_SLOT_KEYS];
    const tcr_image_t         *routing = image_of(m, TCR_SLOT_ROUTING, &room);
    const tcr_img_keys_t      *root = tcr_image_root(img);
    const tcr_img_key_zone_t  *zones = tcr_image_vec(img, &root->zones);

    for (i = 0; i < root->zones.n; i++) {

        if (zones[i].max_ttl
            != tcr_compile_keys_ttl(routing,
                                    tcr_image_str(img, zones[i].origin)))
        {
            return true;
        }
    }

    return false;
}


static int
compile_keys(make_t *m, const tcr_build_origin_t *origin)
{
    tcr_image_t       room;
    tcr_keys_input_t  in;

    memset(&in, 0, sizeof(in));
    in.keys = &m->inputs->keys;
    in.allow_expired = m->j->facts->allow_expired;
    in.known = uses(m, TCF_DS_KNOWN) ? &m->inputs->ds_known : NULL;
    in.routing = image_of(m, TCR_SLOT_ROUTING, &room);
    in.denial = m->j->denial;
    in.origin = *origin;

    if (tcr_compile_keys(&in, &m->made->build, &m->made->report, m->err)
        != 0)
    {
        m->made->build = NULL;
        return -1;
    }

    return finish(m, origin);
}


/* --- overlay --- */

/* Is there a file, whatever it says? */
static bool
has_file(const make_t *m, tcf_source_e source)
{
    return uses(m, source) && m->inputs->in[source].size
                              != strlen(tcf_rows[source].absent);
}


static bool
overlay_wanted(const make_t *m)
{
    tcr_image_t  room;

    return tcf_make_uses(m->j, TCF_STEERING)
           || tcf_make_uses(m->j, TCF_FEDERATIONS)
           || tcf_make_uses(m->j, TCF_CHALLENGES)
           || has_file(m, TCF_ACME)
           || image_of(m, TCR_SLOT_KEYS, &room) != NULL;
}


static void
overlay_more(const make_t *m, tcr_buf_t *buf)
{
    tcr_image_t         room;
    const tcr_image_t  *keys = image_of(m, TCR_SLOT_KEYS, &room);

    /* challenges join the chains of the routing image */
    tcr_buf_printf(buf, "%d %" PRIu32 " %s\n",
                   m->j->denial == TCR_DENIAL_NSEC3, m->j->iterations,
                   m->j->salt);

    if (keys != NULL) {
        tcr_buf_printf(buf, "%zu %" PRIu32 " %" PRIu32 "\n", keys->size,
                       keys->header->crc, m->j->facts->ttl_ds);
    }
}


/* Keys come and go, and their DS with them. */
static bool
overlay_is_stale(const make_t *m)
{
    tcr_image_t         room;
    const tcr_image_t  *keys = image_of(m, TCR_SLOT_KEYS, &room);
    const tcr_image_t  *img = m->j->in_force[TCR_SLOT_OVERLAY];

    return keys != NULL
           && tcr_compile_keys_next(keys, (int64_t) img->header->created)
              <= m->j->now;
}


static int
compile_overlay(make_t *m, const tcr_build_origin_t *origin)
{
    tcr_image_t           room, routing;
    tcf_inputs_t         *inputs = m->inputs;
    tcr_overlay_input_t   in;

    memset(&in, 0, sizeof(in));
    in.steering = uses(m, TCF_STEERING) ? &inputs->steering : NULL;
    in.federations = uses(m, TCF_FEDERATIONS) ? &inputs->federations : NULL;
    in.challenges = uses(m, TCF_CHALLENGES) ? &inputs->challenges : NULL;
    in.acme = uses(m, TCF_ACME) ? &inputs->acme : NULL;
    in.routing = image_of(m, TCR_SLOT_ROUTING, &routing);
    in.ds.keys = image_of(m, TCR_SLOT_KEYS, &room);
    in.ds.previous = m->j->in_force[TCR_SLOT_OVERLAY];
    in.ds.ttl = m->j->facts->ttl_ds;
    in.ds.now = m->j->now;
    in.origin = *origin;

    if (tcr_compile_overlay(&in, &m->made->build, &m->made->report, m->err)
        != 0)
    {
        m->made->build = NULL;
        return -1;
    }

    return finish(m, origin);
}


/* --- rows --- */

static const tcf_source_e  certs_sources[] = {
    TCF_CERTIFICATES, TCF_SOURCES
};

static const tcf_source_e  routing_sources[] = {
    TCF_SNAPSHOT, TCF_COVERAGE, TCF_DEEP, TCF_REGIONAL, TCF_ANONYMOUS_POLICY,
    TCF_SOURCES
};

static const tcf_source_e  keys_sources[] = {
    TCF_KEYS, TCF_DS_KNOWN, TCF_SOURCES
};

static const tcf_source_e  overlay_sources[] = {
    TCF_STEERING, TCF_FEDERATIONS, TCF_CHALLENGES, TCF_ACME, TCF_SOURCES
};

/* Each is made behind those that it needs. */
static const row_t  rows[] = {
    { TCR_SLOT_CERTS, certs_sources, certs_wanted, NULL, certs_are_stale,
      compile_certs },
    { TCR_SLOT_ROUTING, routing_sources, routing_wanted, routing_more, NULL,
      compile_routing },
    { TCR_SLOT_KEYS, keys_sources, keys_wanted, keys_more, keys_are_stale,
      compile_keys },
    { TCR_SLOT_OVERLAY, overlay_sources, overlay_wanted, overlay_more,
      overlay_is_stale, compile_overlay }
};

static const struct {
    tcr_slot_e    slot;
    tcf_source_e  source;
} databases[] = {
    { TCR_SLOT_CITY, TCF_CITY },
    { TCR_SLOT_ANONYMOUS, TCF_ANONYMOUS_IP }
};


const tcf_source_e *
tcf_make_sources(tcr_slot_e slot)
{
    size_t  i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {

        if (rows[i].slot == slot) {
            return rows[i].sources;
        }
    }

    return NULL;
}


/* --- images --- */

static int
fingerprint(const make_t *m, const row_t *row, uint8_t out[32])
{
    int                  rc = -1;
    tcr_buf_t            buf;
    const tcf_source_e  *s;

    tcr_buf_init(&buf, PRINT_MAX);
    tcr_buf_printf(&buf, "%s %d %s\n", TCR_VERSION, TCR_IMAGE_VERSION,
                   tcr_slot_name(row->slot));

    for (s = row->sources; *s != TCF_SOURCES; s++) {

        if (uses(m, *s)) {
            tcr_buf_printf(&buf, "%s ", tcf_rows[*s].name);
            tcr_buf_add(&buf, m->inputs->in[*s].sha256, 32);
        }
    }

    if (row->more != NULL) {
        row->more(m, &buf);
    }

    if (!buf.failed) {
        rc = tcr_sha256(buf.data, buf.len, out);
    }

    tcr_buf_free(&buf);

    return rc == 0 ? 0 : tcr_err_set(m->err, "no memory for a judgement");
}


static bool
is_current(const make_t *m, const row_t *row, const uint8_t print[32])
{
    const tcr_image_t  *img = m->j->in_force[row->slot];

    return img != NULL && !m->j->lost && !m->j->everything
           && memcmp(img->header->source_sha256, print, 32) == 0
           && (row->is_stale == NULL || !row->is_stale(m));
}


static void
move(tcf_judgement_t *j, tcr_slot_e slot)
{
    j->made[slot] = j->before->made[slot];
    memset(&j->before->made[slot], 0, sizeof(j->made[slot]));

    /* its texts go with the old arena */
    j->made[slot].tried = false;
    tcr_report_init(&j->made[slot].report, j->arena, PROBLEMS_MAX);
}


/* Made by the last judgement, and not published yet. */
static bool
take_made(make_t *m, const row_t *row, const uint8_t print[32])
{
    const tcr_img_header_t  *h;
    tcf_judgement_t         *before = m->j->before;

    if (before == NULL || before->made[row->slot].build == NULL) {
        return false;
    }

    h = before->made[row->slot].data;

    if (memcmp(h->source_sha256, print, 32) != 0) {
        return false;
    }

    move(m->j, row->slot);

    if (row->slot == TCR_SLOT_ROUTING) {
        move(m->j, TCR_SLOT_HEALTH);
    }

    return true;
}


static const char *
came_from(const make_t *m, tcf_source_e source)
{
    const tcf_judged_t  *judged = &m->j->judged[source];

    return judged->verdict == TCF_TAKEN ? judged->from : m->j->from[source];
}


static void
fill_origin(const make_t *m, const row_t *row, const uint8_t print[32],
    tcr_build_origin_t *origin)
{
    const tcf_source_e  *s = row->sources;

    memset(origin, 0, sizeof(*origin));
    memcpy(origin->source_sha256, print, 32);
    origin->source = "";

    while (*s != TCF_SOURCES && !uses(m, *s)) {
        s++;
    }

    if (*s != TCF_SOURCES) {
        origin->source = came_from(m, *s);
    }

    if (row->slot == TCR_SLOT_ROUTING) {
        origin->snapshot_date = (uint64_t) m->inputs->crconfig.date;
    }
}


/* Reads what is needed; *other: a damaged copy gave way to the one before. */
static void
read_inputs(make_t *m, const row_t *row, bool *other)
{
    const tcf_source_e  *s;

    *other = false;

    for (s = row->sources; *s != TCF_SOURCES; s++) {

        if (uses(m, *s)) {
            tcf_input_read(m->inputs, *s, m->j->store);
            *other = *other || m->inputs->in[*s].damaged.text[0] != '\0';
        }
    }
}


/* Is there anything that it could be made of? */
static bool
has_inputs(const make_t *m, const row_t *row)
{
    return row->slot == TCR_SLOT_OVERLAY || uses(m, row->sources[0]);
}


static int
make(make_t *m, const row_t *row)
{
    bool                other;
    uint8_t             print[32];
    tcr_build_origin_t  origin;

    m->made = &m->j->made[row->slot];

    if (!row->wanted(m)) {
        m->made->gone = m->j->in_force[row->slot] != NULL && !m->j->lost;
        m->made->tried = true;
        return 0;
    }

    if (!has_inputs(m, row)) {
        return 0;
    }

    if (fingerprint(m, row, print) != 0) {
        return -1;
    }

    if (is_current(m, row, print) || take_made(m, row, print)) {
        return 0;
    }

    read_inputs(m, row, &other);

    if (other) {

        if (!has_inputs(m, row)) {
            return 0;
        }

        if (fingerprint(m, row, print) != 0) {
            return -1;
        }

        if (is_current(m, row, print)) {
            return 0;
        }
    }

    m->made->tried = true;
    fill_origin(m, row, print, &origin);
    return row->compile(m, &origin);
}


/* Only the bytes tell whether it is another. */
static void
make_database(make_t *m, tcr_slot_e slot, tcf_source_e source)
{
    tcf_input_t        *in = &m->inputs->in[source];
    const tcr_image_t  *img = m->j->lost ? NULL : m->j->in_force[slot];

    m->made = &m->j->made[slot];

    if (!tcf_make_uses(m->j, source)) {
        m->made->gone = img != NULL;
        return;
    }

    if (m->j->judged_before[slot] && in->origin != TCF_INPUT_FETCHED
        && !m->j->lost)
    {
        return;
    }

    if (!tcf_input_has(m->inputs, source)
        || tcf_input_read(m->inputs, source, m->j->store) != 0
        || (img != NULL && img->size == in->bytes.len
            && memcmp(img->base, in->bytes.data, img->size) == 0))
    {
        return;
    }

    tcf_store_path(m->j->store, tcf_rows[source].file,
                   in->origin == TCF_INPUT_OLDER, m->made->path,
                   sizeof(m->made->path));
}


static bool
has_new(const tcf_judgement_t *j, const tcf_source_e *sources)
{
    for ( /* void */ ; *sources != TCF_SOURCES; sources++) {

        if (j->bodies[*sources].data != NULL) {
            return true;
        }
    }

    return false;
}


int
tcf_make_all(tcf_judgement_t *j, tcf_inputs_t *inputs, tcr_slot_e *failed,
    tcr_err_t *err)
{
    size_t  i;
    make_t  m = { j, inputs, NULL, err };

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        tcr_report_init(&j->made[i].report, j->arena, PROBLEMS_MAX);
    }

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {

        if (make(&m, &rows[i]) == 0) {
            continue;
        }

        if (rows[i].slot == TCR_SLOT_ROUTING || has_new(j, rows[i].sources)) {
            *failed = rows[i].slot;
            return -1;
        }

        /* the others need not wait for it */
        tcr_report_add(&m.made->report, TCR_REPORT_ERROR, "%s stays as it "
                       "was: %s", tcr_slot_name(rows[i].slot), err->text);
        m.made->tried = true;
    }

    for (i = 0; i < sizeof(databases) / sizeof(databases[0]); i++) {
        make_database(&m, databases[i].slot, databases[i].source);
    }

    return 0;
}


void
tcf_make_drop(tcf_judgement_t *j)
{
    size_t  i;

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        tcr_build_destroy(j->made[i].build);
        memset(&j->made[i], 0, sizeof(j->made[i]));
    }
}
