/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Names of every kind through all doors: labels of any bytes, escapes, 255
 * bytes and more, empty labels.  Each question has exactly one answer, about
 * the name that was asked.
 */

#include "conversation.h"
#include "tap.h"
#include "tcb_embed.h"

#define ROUNDS    20000
#define NAME_BYTES  1300          /* above what a name can have in text      */


static uint64_t  state = 8;
static size_t    wrong;


/* Numbers 0 .. n - 1, the same in every run. */
static unsigned
draw(unsigned n)
{
    state = state * UINT64_C(6364136223846793005)
            + UINT64_C(1442695040888963407);
    return (unsigned) (state >> 33) % n;
}


static void
complain(const char *what, tcr_str_t line, tcr_str_t out)
{
    if (wrong++ < 10) {
        printf("# %s: \"%.*s\" has the answer \"%.*s\"\n", what,
               TCR_STR_ARG(line), TCR_STR_ARG(out));
    }
}


/* One byte of a label as PowerDNS writes it, or as it never would. */
static void
put_byte(tcr_buf_t *name)
{
    switch (draw(8)) {

    case 0:
        tcr_buf_printf(name, "\\%03u", draw(256));
        break;

    case 1:
        tcr_buf_char(name, '\\');
        tcr_buf_char(name, ".\\\"@$();0"[draw(9)]);
        break;

    case 2:
        tcr_buf_char(name, (char) draw(256));
        break;

    default:
        tcr_buf_char(name, "abcXYZ09-_*"[draw(11)]);
    }
}


static void
put_label(tcr_buf_t *name, unsigned len)
{
    while (len-- != 0) {
        put_byte(name);
    }
}


static const char *const  tails[] = {
    "edge.tv.cdn.example.net.", "tv.cdn.example.net.", "cdn.example.net.",
    "TV.CDN.Example.NET", "alias.tv.cdn.example.net.", "example.org.", ".", ""
};


/* Neither a line end nor a tab: those end a line or a field. */
static void
make_name(tcr_buf_t *name)
{
    size_t    i;
    unsigned  labels = draw(6), lens[] = { 1, 1 + draw(8), 63, 64, 0 };

    tcr_buf_reset(name);

    if (draw(20) == 0) {
        labels = 130;             /* 255 bytes and more                      */
    }

    while (labels-- != 0 && name->len < NAME_BYTES) {
        put_label(name, lens[draw(50) < 40 ? draw(2) : draw(5)]);
        tcr_buf_char(name, '.');
    }

    tcr_buf_str(name, tcr_str(tails[draw(8)]));

    for (i = 0; i < name->len; i++) {

        if (name->data[i] == '\n' || name->data[i] == '\t'
            || name->data[i] == '\r')
        {
            name->data[i] = ' ';
        }
    }
}


/* --- remote --- */

/* Rows are about the name that was asked, in its letters. */
static void
check_names(tcr_str_t line, tcr_str_t out, tcr_str_t name)
{
    tcr_err_t          err;
    tcr_arena_t       *arena = tcr_arena_create(0);
    tcr_json_doc_t     doc;
    const tcr_json_t  *row;

    if (tcr_json_parse(&doc, arena, "a", out, &err) == 0) {

        for (row = tcr_json_first(tcr_json_get(doc.root, "result"));
             row != NULL;
             row = row->next)
        {
            if (!tcr_str_eq(tcr_json_str(tcr_json_get(row, "qname"),
                                         TCR_STR("")), name))
            {
                complain("another name", line, out);
            }
        }
    }

    tcr_arena_destroy(arena);
}


#define LOOKUPS  2
#define METHODS  8

static const char *const  methods[METHODS] = {
    "lookup\",\"parameters\":{\"qtype\":\"ANY\",\"remote\":\"192.0.2.9\","
    "\"real-remote\":\"192.0.2.0/24\",\"zone-id\":-1,\"qname\":",
    "lookup\",\"parameters\":{\"qtype\":\"NS\",\"zone-id\":1,\"qname\":",
    "list\",\"parameters\":{\"domain_id\":1,\"zonename\":",
    "getDomainInfo\",\"parameters\":{\"name\":",
    "getDomainKeys\",\"parameters\":{\"name\":",
    "getDomainMetadata\",\"parameters\":{\"kind\":\"NSEC3PARAM\",\"name\":",
    "getBeforeAndAfterNamesAbsolute\",\"parameters\":{\"id\":1,\"qname\":",
    "directBackendCmd\",\"parameters\":{\"query\":"
};


static void
remote(tcb_core_t *core)
{
    bool            over;
    size_t          i, rows = 0;
    unsigned        method;
    tcr_buf_t       line, name;
    tcr_str_t       text, out;
    const char     *what;
    tcb_session_t  *s = tcb_session_create(core);

    tcr_buf_init(&line, TCB_LINE);
    tcr_buf_init(&name, TCB_LINE);

    for (i = 0; s != NULL && i < ROUNDS; i++) {
        make_name(&name);
        text = tcr_str_n(name.data, name.len);
        tcr_buf_reset(&line);
        method = draw(METHODS);
        tcr_buf_printf(&line, "{\"method\":\"%s", methods[method]);
        tcr_buf_json_str(&line, text);
        tcr_buf_str(&line, TCR_STR("}}"));

        what = conversation_line(s, tcr_str_n(line.data, line.len), &out,
                                 &over);

        if (what != NULL || over) {
            complain(over ? "the end" : what, tcr_str_n(line.data, line.len),
                     out);
            break;
        }

        if (method < LOOKUPS
            && tcr_str_starts(out, TCR_STR("{\"result\":[")))
        {
            rows++;
            check_names(tcr_str_n(line.data, line.len), out, text);
        }
    }

    is_int(i, ROUNDS, "remote: questions that were answered");
    ok(rows > 100, "remote: %zu of them with rows", rows);
    tcr_buf_free(&line);
    tcr_buf_free(&name);
    tcb_session_destroy(s);
}


/* --- pipe --- */

static void
pipe_door(tcb_core_t *core)
{
    bool            over;
    size_t          i, rows = 0;
    tcr_buf_t       line, name;
    tcr_str_t       out;
    const char     *what;
    tcb_session_t  *s = tcb_session_create(core);

    tcr_buf_init(&line, TCB_LINE);
    tcr_buf_init(&name, TCB_LINE);
    is_str(conversation_line(s, TCR_STR("HELO\t5"), &out, &over), NULL,
           "pipe: begins");

    for (i = 0; s != NULL && i < ROUNDS; i++) {
        make_name(&name);
        tcr_buf_reset(&line);
        tcr_buf_str(&line, draw(10) == 0 ? TCR_STR("AXFR\t1\t")
                           : draw(10) == 0 ? TCR_STR("CMD\twhere ")
                           : TCR_STR("Q\t"));
        tcr_buf_add(&line, name.data, name.len);
        tcr_buf_str(&line, TCR_STR("\tIN\tANY\t-1\t192.0.2.9\t127.0.0.1\t"
                                   "192.0.2.0/24"));

        what = conversation_line(s, tcr_str_n(line.data, line.len), &out,
                                 &over);

        if (what != NULL || over) {
            complain(over ? "the end" : what, tcr_str_n(line.data, line.len),
                     out);
            break;
        }

        rows += tcr_str_starts(out, TCR_STR("DATA\t"));
    }

    is_int(i, ROUNDS, "pipe: questions that were answered");
    ok(rows > 100, "pipe: %zu of them with rows", rows);
    tcr_buf_free(&line);
    tcr_buf_free(&name);
    tcb_session_destroy(s);
}


/* --- native: names come as on the wire --- */

static size_t
make_wire(unsigned char *wire, size_t size)
{
    size_t    n = 0;
    unsigned  len, labels = draw(20) == 0 ? 127 : draw(6);

    static const unsigned char  tail[] =
        "\4edge\2tv\3cdn\7example\3net";

    while (labels-- != 0) {
        len = draw(20) == 0 ? 63 : draw(100) == 0 ? 64 + draw(192)
              : 1 + draw(9);

        if (n + 1 + len > size - sizeof(tail)) {
            break;
        }

        wire[n++] = (unsigned char) len;

        while (len-- != 0) {
            wire[n++] = (unsigned char) draw(256);
        }
    }

    if (draw(3) != 0) {
        memcpy(wire + n, tail, sizeof(tail));
        n += sizeof(tail);
    }

    /* sometimes cut */
    return draw(50) == 0 && n != 0 ? draw((unsigned) n) : n;
}


static void
never(const char *text)
{
    printf("# %s\n", text);
    wrong++;
}


static void
native(const char *images)
{
    char                   err[256];
    size_t                 i, rows = 0;
    tcb_embed_t           *e = tcb_embed_create(images, "", never, err,
                                                sizeof(err));
    unsigned char          wire[300];
    tcb_embed_row_t        row;
    tcb_embed_question_t   q;
    struct sockaddr        none = { .sa_family = AF_UNSPEC };

    for (i = 0; e != NULL && i < ROUNDS; i++) {
        memset(&q, 0, sizeof(q));
        q.name = (const char *) wire;
        q.name_len = make_wire(wire, sizeof(wire));
        q.type = draw(2) != 0 ? 255 : (uint16_t) draw(65536);
        q.client_type = (uint16_t) draw(260);
        q.is_question = 1;
        q.resolver = &none;

        if (tcb_embed_lookup(e, &q) != 0) {
            never("no images");
        }

        while (tcb_embed_next(e, &row)) {
            rows++;
        }
    }

    is_int(i, ROUNDS, "native: questions that were answered");
    ok(rows > 100, "native: %zu rows", rows);
    tcb_embed_destroy(e);
}


int
main(void)
{
    testcdn_t    cdn;
    tcb_core_t  *core;

    testcdn_open(&cdn, conversation_cdn, conversation_zones);
    core = tcb_core_create(cdn.dir, NULL, NULL, NULL);

    remote(core);
    pipe_door(core);
    native(cdn.dir);
    is_int(wrong, 0, "nothing was wrong with any of them");

    tcb_core_destroy(core);
    testcdn_close(&cdn);

    return done();
}
