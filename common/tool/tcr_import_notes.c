/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Settings without a counterpart: each is told where it would have stood,
 * with the reason.  Values of passwords are never repeated.
 */

#include "tcr_import.h"

#include <stdio.h>


static const char  names_are_fixed[] =
    "last good copies have names of their own in \"state\"";
static const char  microseconds[] =
    "an answer takes microseconds, there is nothing to break off";
static const char  containers[] =
    "of the container that the reference runs in";


static const struct {
    const char         *name;
    tcr_import_file_e   file;
    const char         *why;
} properties[] = {
    { "traffic_monitor.properties", TCR_IMPORT_YAML,
      "the monitors stand in tcrouter.yaml" },
    { "traffic_monitor.properties.reload.period", TCR_IMPORT_YAML,
      "changed settings are seen within ten seconds, on SIGHUP at once" },
    { "traffic_ops.username", TCR_IMPORT_YAML, "without a password" },
    { "traffic_ops.password", TCR_IMPORT_YAML, "was never set" },
    { "cache.config.json", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.health.json", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.geolocation.database", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.czmap.database", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.dczmap.database", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.regionalgeo.database", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.anonymousip.database", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.federations.database", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.steering.database", TCR_IMPORT_YAML, names_are_fixed },
    { "cache.letsencrypt.database", TCR_IMPORT_YAML, names_are_fixed },
    { "deploy.dir", TCR_IMPORT_YAML,
      "\"state\" and \"images\" say where things are kept" },
    { "dns.tcp.backlog", TCR_IMPORT_PDNS,
      "PowerDNS sets the length of that queue itself" },
    { "dns.queue-depth", TCR_IMPORT_PDNS,
      "questions wait in the kernel's buffer (net.core.rmem_max), what does "
      "not fit is dropped there" },
    { "dns.tcp.timeout.task", TCR_IMPORT_PDNS, microseconds },
    { "dns.udp.timeout.task", TCR_IMPORT_PDNS, microseconds },
    { "dns.zones.dir", TCR_IMPORT_PDNS,
      "`tcrouter zones dump DIR` writes the zones when somebody wants them" },
    { "dns.negative.caching.ttl", TCR_IMPORT_PDNS,
      "the reference does not read it any more; the parameter "
      "tld.soa.minimum is honoured" },
    { "https.signature.algorithm", TCR_IMPORT_NGINX,
      "self-signed certificates are signed with SHA-256" },
    { "https.certificate.location", TCR_IMPORT_NGINX,
      "what was in it is in default.pem and default.key" },
    { "https.password", TCR_IMPORT_NGINX, "default.key has none" }
};

/* attributes of server.xml; others are the container's */
static const struct {
    const char  *name;
    const char  *why;
} attributes[] = {
    { "maxThreads", "a worker of nginx serves all of its connections" },
    { "minSpareThreads", "a worker of nginx serves all of its connections" },
    { "executor", "a worker of nginx serves all of its connections" },
    { "maxPostSize", "bodies are thrown away; forms of up to 64 KiB are read "
      "for three parameters" },
    { "maxSwallowSize", "bodies are thrown away" },
    { "compression", "a redirect has no body worth packing" },
    { "sendReasonPhrase", "nginx always sends its own reason phrase" },
    { "server", "the header Server is nginx' server_tokens" },
    { "mbeanPath", "there is no JMX; `tcrouter status` and /crs/health" },
    { "readyAttribute", "nginx answers 503 until there is an image" },
    { "sslProtocol", "sslEnabledProtocols or protocols decide" },
    { "keyAlias", "the first key of the store was taken" },
    { "certificateKeyAlias", "the first key of the store was taken" },
    { "keystoreType", "was found out" },
    { "certificateKeystoreType", "was found out" },
    { "keystorePass", "default.key has none" },
    { "certificateKeystorePassword", "default.key has none" },
    { "truststoreFile", "see ssl_client_certificate" },
    { "truststorePass", "see ssl_client_certificate" },
    { "connectionUploadTimeout", "bodies are thrown away" },
    { "tcpNoDelay", "nginx sets it" }
};

static const struct {
    const char  *name;
    const char  *why;
} elements[] = {
    { "Server", "no port is kept for shutting down; signals, or systemctl" },
    { "Executor", "a worker of nginx serves all of its connections" },
    { "Valve", "filters and logs are nginx' own: allow, deny, access_log" }
};

static const struct {
    const char  *name;
    const char  *why;
} others[] = {
    { "log4j2.xml", "the log of tcr-fetch goes to syslog or the journal, "
      "\"log_level\" says how much of it" },
    { "log4j.properties", "as log4j2.xml" },
    { "logging.properties", "as log4j2.xml" },
    { "web.xml", "there is no container" },
    { "context.xml", "there is no container" },
    { "catalina.properties", "there is no container" },
    { "catalina.policy", "there is no container" }
};


static bool
is_secret(const char *name)
{
    size_t  i;

    for (i = 0; name[i] != '\0'; i++) {

        if (strncasecmp(name + i, "pass", 4) == 0
            || strncasecmp(name + i, "secret", 6) == 0)
        {
            return true;
        }
    }

    return false;
}


static void
note_property(tcr_import_t *im, const tcr_property_t *p, bool https)
{
    size_t              i;
    const char         *why = !https ? "the reference does not know it"
                              : "of a self-signed certificate, which was not "
                                "needed";
    tcr_import_file_e   file = https ? TCR_IMPORT_NGINX : TCR_IMPORT_YAML;
    tcr_import_value_t  value = {
        is_secret(p->name.data) ? TCR_STR("(not shown)") : p->value,
        p->file, p->line
    };

    for (i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {

        if (tcr_str_eq(p->name, tcr_str(properties[i].name))) {
            why = properties[i].why;
            file = properties[i].file;
        }
    }

    tcr_import_origin(im, &im->files[file], "", &value, p->name.data);
    tcr_buf_printf(&im->files[file], "#   %s\n", why);
    im->notes++;
}


static const char *
attribute_reason(tcr_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {

        if (tcr_str_eq(name, tcr_str(attributes[i].name))) {
            return attributes[i].why;
        }
    }

    return containers;
}


/* Attributes of a connector and of what stands inside of it. */
void
tcr_import_notes_xml(tcr_import_t *im, tcr_xml_t *top, const char *indent)
{
    tcr_xml_t       *e;
    tcr_buf_t       *out = &im->files[TCR_IMPORT_NGINX];
    tcr_xml_attr_t  *attr;

    for (e = top; e != NULL; e = tcr_xml_next(e, top)) {

        for (attr = e->attrs; attr != NULL; attr = attr->next) {

            if (attr->used) {
                continue;
            }

            attr->used = true;
            im->notes++;
            tcr_buf_printf(out, "%s# %s:%zu: %s %s=\"", indent,
                           tcr_import_shown(im, im->server_file), e->line,
                           e->name.data,
                           attr->name.data);
            tcr_import_plain(out, is_secret(attr->name.data)
                             ? TCR_STR("(not shown)") : attr->value);
            tcr_buf_printf(out, "\"\n%s#   %s\n", indent,
                           attribute_reason(attr->name));
        }
    }
}


/* What a connector stands in, in one line each. */
static void
note_element(tcr_import_t *im, const tcr_xml_t *e)
{
    size_t           i;
    tcr_buf_t       *out = &im->files[TCR_IMPORT_NGINX];
    const char      *why = containers;
    tcr_xml_attr_t  *attr;

    for (i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {

        if (tcr_str_eq(e->name, tcr_str(elements[i].name))) {
            why = elements[i].why;
        }
    }

    tcr_buf_printf(out, "# %s:%zu: %s",
                   tcr_import_shown(im, im->server_file), e->line,
                   e->name.data);

    for (attr = e->attrs; attr != NULL; attr = attr->next) {
        tcr_buf_printf(out, " %s=\"", attr->name.data);
        tcr_import_plain(out, is_secret(attr->name.data)
                         ? TCR_STR("(not shown)") : attr->value);
        tcr_buf_char(out, '"');
    }

    tcr_buf_printf(out, "\n#   %s\n", why);
    im->notes++;
}


static bool
is_inside(const tcr_xml_t *e, const char *name)
{
    while (e != NULL && !tcr_str_eq(e->name, tcr_str(name))) {
        e = e->parent;
    }

    return e != NULL;
}


static void
note_server(tcr_import_t *im)
{
    tcr_xml_t  *e;

    tcr_buf_printf(&im->files[TCR_IMPORT_NGINX],
                   "\n\n# Without a counterpart\n#\n");

    for (e = im->server; e != NULL; e = tcr_xml_next(e, im->server)) {

        if (e->attrs != NULL && !is_inside(e, "Connector")
            && !tcr_str_eq(e->name, TCR_STR("Service")))
        {
            note_element(im, e);
        }
    }
}


static void
note_others(tcr_import_t *im)
{
    size_t       i, k;
    tcr_buf_t   *out = &im->files[TCR_IMPORT_YAML];
    const char  *why;

    for (i = 0; i < im->n_others; i++) {
        why = "was not read";

        for (k = 0; k < sizeof(others) / sizeof(others[0]); k++) {

            if (tcr_str_eq(im->others[i], tcr_str(others[k].name))) {
                why = others[k].why;
            }
        }

        tcr_buf_printf(out, "# ");
        tcr_import_plain(out, im->others[i]);
        tcr_buf_printf(out, "\n#   %s\n", why);
        im->notes++;
    }
}


void
tcr_import_notes(tcr_import_t *im)
{
    tcr_property_t  *p;

    note_server(im);
    tcr_buf_printf(&im->files[TCR_IMPORT_YAML],
                   "\n\n# Without a counterpart\n#\n");
    tcr_buf_printf(&im->files[TCR_IMPORT_PDNS],
                   "\n\n# Without a counterpart\n#\n");

    for (p = im->local.first; p != NULL; p = p->next) {

        if (!p->used) {
            note_property(im, p, false);
        }
    }

    for (p = im->https.first; p != NULL; p = p->next) {

        if (!p->used) {
            note_property(im, p, true);
        }
    }

    note_others(im);
}
