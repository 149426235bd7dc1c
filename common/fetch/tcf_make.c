/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One row an image: what it is made of, what else decides how it looks, when
 * time alone makes it another, and its compiler.
 *
 * The hash of all that stands in the image's header (source_sha256), so that
 * one look at the header tells whether there is anything to do.
 */

#include "tcf_make_row.h"

#include "tcr_digest.h"
#include "tcr_version.h"

#define PROBLEMS_MAX  1000
#define PRINT_MAX     (64u * 1024 * 1024)


bool
tcf_make_uses(const tcf_judgement_t *j, tcf_source_e source)
{
    return tcf_row_in_use(&tcf_rows[source], j->given[source], j->ops,
                          j->facts != NULL ? j->facts : j->old_facts);
}


bool
tcf_make_has(const tcf_make_t *m, tcf_source_e source)
{
    return tcf_make_uses(m->j, source) && tcf_input_has(m->inputs, source);
}


const tcr_image_t *
tcf_make_image(const tcf_make_t *m, tcr_slot_e slot, tcr_image_t *room)
{
    const tcf_made_t  *made = &m->j->made[slot];

    if (made->build != NULL) {
        *room = (tcr_image_t) { made->data, made->size, made->data, false };
        return room;
    }

    return made->gone ? NULL : m->j->in_force[slot];
}


int
tcf_make_finish(tcf_make_t *m, const tcr_build_origin_t *origin)
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


/* Each is made behind those that it needs. */
static const tcf_make_row_t  *const rows[] = {
    &tcf_make_certs, &tcf_make_routing, &tcf_make_keys, &tcf_make_overlay
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

        if (rows[i]->slot == slot) {
            return rows[i]->sources;
        }
    }

    return NULL;
}


static int
fingerprint(const tcf_make_t *m, const tcf_make_row_t *row, uint8_t out[32])
{
    int                  rc = -1;
    tcr_buf_t            buf;
    const tcf_source_e  *s;

    tcr_buf_init(&buf, PRINT_MAX);
    tcr_buf_printf(&buf, "%s %d %s\n", TCR_VERSION, TCR_IMAGE_VERSION,
                   tcr_slot_name(row->slot));

    for (s = row->sources; *s != TCF_SOURCES; s++) {

        if (tcf_make_has(m, *s)) {
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
is_current(const tcf_make_t *m, const tcf_make_row_t *row,
    const uint8_t print[32])
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
take_made(tcf_make_t *m, const tcf_make_row_t *row, const uint8_t print[32])
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
came_from(const tcf_make_t *m, tcf_source_e source)
{
    const tcf_judged_t  *judged = &m->j->judged[source];

    return judged->verdict == TCF_TAKEN ? judged->from : m->j->from[source];
}


static void
fill_origin(const tcf_make_t *m, const tcf_make_row_t *row,
    const uint8_t print[32], tcr_build_origin_t *origin)
{
    const tcf_source_e  *s = row->sources;

    memset(origin, 0, sizeof(*origin));
    memcpy(origin->source_sha256, print, 32);
    origin->source = "";

    while (*s != TCF_SOURCES && !tcf_make_has(m, *s)) {
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
read_inputs(tcf_make_t *m, const tcf_make_row_t *row, bool *other)
{
    const tcf_source_e  *s;

    *other = false;

    for (s = row->sources; *s != TCF_SOURCES; s++) {

        if (tcf_make_has(m, *s)) {
            tcf_input_read(m->inputs, *s, m->j->store);
            *other = *other || m->inputs->in[*s].damaged.text[0] != '\0';
        }
    }
}


/* Is there anything that it could be made of? */
static bool
has_inputs(const tcf_make_t *m, const tcf_make_row_t *row)
{
    return row->slot == TCR_SLOT_OVERLAY || tcf_make_has(m, row->sources[0]);
}


static int
make(tcf_make_t *m, const tcf_make_row_t *row)
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
make_database(tcf_make_t *m, tcr_slot_e slot, tcf_source_e source)
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
    tcf_make_t  m = { j, inputs, NULL, err };

    for (i = 0; i < TCR_SLOT_COUNT; i++) {
        tcr_report_init(&j->made[i].report, j->arena, PROBLEMS_MAX);
    }

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {

        if (make(&m, rows[i]) == 0) {
            continue;
        }

        if (rows[i]->slot == TCR_SLOT_ROUTING || has_new(j, rows[i]->sources)) {
            *failed = rows[i]->slot;
            return -1;
        }

        /* the others need not wait for it */
        tcr_report_add(&m.made->report, TCR_REPORT_ERROR, "%s stays as it "
                       "was: %s", tcr_slot_name(rows[i]->slot), err->text);
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
