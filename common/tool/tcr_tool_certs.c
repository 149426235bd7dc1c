/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter certs: which certificates clients see, and which they do not and
 * why.  Never a key.
 */

#include "tcr_tool_certs.h"

#include <getopt.h>
#include <stdio.h>

#include "tcr_clock.h"
#include "tcr_snapshot.h"
#include "tcr_tool.h"

#define OUTPUT_MAX  ((size_t) 1 << 30)
#define NAME_MAX    255


typedef struct {
    const char         *images;
    bool                json;
    char                buf[NAME_MAX + 1];
    tcr_str_t           name;     /* data NULL = all                         */
    const tcr_image_t  *routing;  /* NULL = none                             */
    tcr_tool_certs_t    show;
    uint32_t            first, n; /* certificates of the name, or all        */
} command_t;

static const char  help[] =
    "usage: tcrouter certs [NAME] [OPTIONS]\n\n"
    "  NAME                what a client that asks for this host name sees\n"
    "  --json              as JSON\n"
    "  --images DIR        image directory (" TCR_TOOL_IMAGES ")\n\n"
    "Without NAME all certificates, what was refused, and the services that\n"
    "want a certificate and have none.\n"
    "Exit status: 0; 1 when there is nothing for NAME that is valid now, or "
    "no\nimage; 2 for wrong arguments.\n";


static const tcr_img_certs_t *
root_of(const command_t *cmd)
{
    return tcr_image_root(cmd->show.img);
}


static const tcr_img_certificate_t *
certificate(const command_t *cmd, uint32_t i)
{
    const tcr_img_certificate_t  *c;

    c = tcr_image_vec(cmd->show.img, &root_of(cmd)->certificates);

    return &c[cmd->first + i];
}


/* Of a host: "*.DOMAIN" is for any one label. */
static bool
is_for(tcr_str_t host, tcr_str_t name)
{
    size_t  label = 0;

    if (tcr_str_eq(host, name)) {
        return true;
    }

    while (label < name.len && name.data[label] != '.') {
        label++;
    }

    return host.len > 1 && host.data[0] == '*' && label != 0
           && tcr_str_eq(tcr_str_n(host.data + 1, host.len - 1),
                         tcr_str_n(name.data + label, name.len - label));
}


static bool
next_refused(const command_t *cmd, uint32_t *i, tcr_img_refused_t *refused)
{
    tcr_str_t                 host;
    const tcr_img_certs_t    *root = root_of(cmd);
    const tcr_img_refused_t  *all;

    all = tcr_image_vec(cmd->show.img, &root->refused);

    for ( ; *i < root->refused.n; (*i)++) {
        host = tcr_image_str(cmd->show.img, all[*i].host);

        if (cmd->name.data == NULL
            || (host.data != NULL && is_for(host, cmd->name)))
        {
            *refused = all[(*i)++];
            return true;
        }
    }

    return false;
}


/* Services that a snapshot wants to serve over TLS, and that cannot be. */
static bool
next_missing(const command_t *cmd, uint32_t *i, tcr_str_t *id)
{
    const tcr_img_routing_t  *root;
    const tcr_img_service_t  *services;

    if (cmd->routing == NULL || cmd->name.data != NULL) {
        return false;
    }

    root = tcr_image_root(cmd->routing);
    services = tcr_image_vec(cmd->routing, &root->services);

    while (*i < root->services.n) {
        const tcr_img_service_t  *s = &services[(*i)++];

        if ((s->flags & (TCR_SERVICE_SSL_ENABLED | TCR_SERVICE_SSL_READY))
            == TCR_SERVICE_SSL_ENABLED)
        {
            *id = tcr_image_str(cmd->routing, s->id);
            return true;
        }
    }

    return false;
}


static void
show_text(command_t *cmd)
{
    uint32_t            i;
    tcr_str_t           id, host;
    tcr_buf_t          *buf = cmd->show.buf;
    tcr_img_refused_t   refused;
    const tcr_image_t  *img = cmd->show.img;

    for (i = 0; i < cmd->n; i++) {
        if (cmd->name.data != NULL) {
            tcr_tool_certs_text(&cmd->show, certificate(cmd, i));

        } else {
            tcr_tool_certs_line(&cmd->show, certificate(cmd, i));
        }
    }

    if (cmd->n == 0) {
        tcr_buf_printf(buf, "no certificate%s%.*s, clients see the server's "
                       "own\n", cmd->name.data != NULL ? " for " : "",
                       TCR_STR_ARG(cmd->name));
    }

    for (i = 0; next_refused(cmd, &i, &refused); /* void */) {
        host = tcr_image_str(img, refused.host);
        tcr_buf_printf(buf, "refused: %.*s of service %.*s: %.*s\n",
                       TCR_STR_ARG(host.data != NULL ? host : TCR_STR("-")),
                       TCR_STR_ARG(tcr_image_str(img, refused.service)),
                       TCR_STR_ARG(tcr_image_str(img, refused.why)));
    }

    for (i = 0; next_missing(cmd, &i, &id); /* void */) {
        tcr_buf_printf(buf, "missing: service %.*s wants a certificate\n",
                       TCR_STR_ARG(id));
    }
}


static void
add_member(command_t *cmd, const char *name, tcr_img_str_t ref)
{
    tcr_str_t  text = tcr_image_str(cmd->show.img, ref);

    tcr_buf_printf(cmd->show.buf, "\"%s\":", name);

    if (text.data == NULL) {
        tcr_buf_str(cmd->show.buf, TCR_STR("null"));

    } else {
        tcr_buf_json_str(cmd->show.buf, text);
    }
}


static void
show_json(command_t *cmd)
{
    uint32_t           i, k;
    tcr_str_t          id;
    tcr_buf_t         *buf = cmd->show.buf;
    tcr_img_refused_t  refused;

    tcr_buf_str(buf, TCR_STR("{\"certificates\":["));

    for (i = 0; i < cmd->n; i++) {
        tcr_buf_str(buf, i ? TCR_STR(",\n") : TCR_STR("\n"));
        tcr_tool_certs_json(&cmd->show, certificate(cmd, i));
    }

    tcr_buf_str(buf, TCR_STR("],\n\"refused\":["));

    for (i = 0, k = 0; next_refused(cmd, &i, &refused); k++) {
        tcr_buf_str(buf, k ? TCR_STR(",\n{") : TCR_STR("\n{"));
        add_member(cmd, "host", refused.host);
        tcr_buf_char(buf, ',');
        add_member(cmd, "service", refused.service);
        tcr_buf_char(buf, ',');
        add_member(cmd, "why", refused.why);
        tcr_buf_char(buf, '}');
    }

    tcr_buf_str(buf, TCR_STR("],\n\"missing\":["));

    for (i = 0, k = 0; next_missing(cmd, &i, &id); k++) {
        tcr_buf_str(buf, k ? TCR_STR(",") : TCR_STR(""));
        tcr_buf_json_str(buf, id);
    }

    tcr_buf_str(buf, TCR_STR("]}\n"));
}


static bool
is_good(const command_t *cmd)
{
    uint32_t  i;

    for (i = 0; i < cmd->n; i++) {
        if (cmd->show.now >= certificate(cmd, i)->not_before
            && cmd->show.now <= certificate(cmd, i)->not_after)
        {
            return true;
        }
    }

    return cmd->name.data == NULL;
}


static int
answer(command_t *cmd, const tcr_set_t *set)
{
    tcr_buf_t  buf;

    tcr_buf_init(&buf, OUTPUT_MAX);
    cmd->show = (tcr_tool_certs_t) {
        &set->slots[TCR_SLOT_CERTS]->img, tcr_now_ms() / 1000, &buf
    };
    cmd->routing = set->slots[TCR_SLOT_ROUTING] != NULL
                   ? &set->slots[TCR_SLOT_ROUTING]->img : NULL;
    cmd->n = cmd->name.data != NULL
             ? tcr_certs_find(cmd->show.img, cmd->name, &cmd->first)
             : root_of(cmd)->certificates.n;

    if (cmd->json) {
        show_json(cmd);

    } else {
        show_text(cmd);
    }

    fwrite(buf.data, 1, buf.len, stdout);
    tcr_buf_free(&buf);

    return is_good(cmd) ? TCR_TOOL_OK : TCR_TOOL_FAILED;
}


/* Lower case, without a final dot, as servers look names up. */
static int
take_name(command_t *cmd, const char *name)
{
    size_t  i, len = strlen(name);

    len -= len > 1 && name[len - 1] == '.';

    if (len == 0 || len > NAME_MAX) {
        return -1;
    }

    for (i = 0; i < len; i++) {
        cmd->buf[i] = tcr_lower(name[i]);
    }

    cmd->name = tcr_str_n(cmd->buf, len);
    return 0;
}


static int
run(command_t *cmd)
{
    int               rc = -1;
    tcr_err_t         err = { "out of memory" };
    tcr_snapshot_t   *snap;
    const tcr_set_t  *set = NULL;

    snap = tcr_snapshot_create(cmd->images, 1u << TCR_SLOT_CERTS
                                            | 1u << TCR_SLOT_ROUTING);

    if (snap != NULL) {
        rc = tcr_snapshot_refresh(snap, 0, &err);
        set = tcr_snapshot_current(snap);
    }

    if (set == NULL || set->slots[TCR_SLOT_CERTS] == NULL) {
        rc = tcr_tool_fail("certs", "\"%s\": %s", cmd->images,
                           rc < 0 ? err.text
                                  : "no certificates have been published");

    } else {
        rc = answer(cmd, set);
    }

    tcr_snapshot_destroy(snap);
    return rc;
}


int
tcr_tool_certs(int argc, char **argv)
{
    int        c;
    command_t  cmd = { .images = TCR_TOOL_IMAGES };

    static const struct option  options[] = {
        { "images", required_argument, NULL, 'i' },
        { "json", no_argument, NULL, 'j' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 }
    };

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'i': cmd.images = optarg; break;
        case 'j': cmd.json = true; break;
        case 'h': fputs(help, stdout); return TCR_TOOL_OK;
        default: return TCR_TOOL_USAGE;
        }
    }

    if (argc - optind > 1) {
        fputs(help, stderr);
        return TCR_TOOL_USAGE;
    }

    if (argc - optind == 1 && take_name(&cmd, argv[optind]) != 0) {
        return tcr_tool_usage("certs", "\"%s\" is no host name",
                              argv[optind]);
    }

    return run(&cmd);
}
