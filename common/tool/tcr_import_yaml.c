/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter.yaml: where the monitors are, how often they are asked; and the
 * credentials, in a file of their own.
 */

#include "tcr_import.h"

#define INTERVAL_MIN  50          /* ms, as tcrouter.yaml takes them         */
#define INTERVAL_MAX  (INT64_C(365) * 24 * 3600 * 1000)


/* Asked for as often as the property says. */
static const struct {
    const char  *property;
    const char  *key;
} always[] = {
    { "cache.config.json.refresh.period", "snapshot" },
    { "cache.health.json.refresh.period", "states" }
};

/* A parameter of the snapshot wins over the property, if there is one. */
static const struct {
    const char  *property;
    const char  *key, *second;
    const char  *parameter;
} unless[] = {
    { "cache.geolocation.database.refresh.period", "city", NULL,
      "geolocation.polling.interval" },
    { "cache.czmap.database.refresh.period", "coverage_zones", NULL,
      "coveragezone.polling.interval" },
    { "cache.dczmap.database.refresh.period", "deep_coverage_zones", NULL,
      "deepcoveragezone.polling.interval" },
    { "cache.regionalgeo.database.refresh.period", "regional_geoblocking",
      NULL, "regional_geoblock.polling.interval" },
    { "cache.anonymousip.database.refresh.period", "anonymous_policy",
      "anonymous_ip", "anonymousip.polling.interval" },
    { "cache.federations.database.refresh.period", "federations", NULL,
      "federationmapping.polling.interval" }
};


/* --- monitors --- */

/* As the reference splits them: not trimmed, empty ones at the end dropped. */
static void
write_hosts(tcr_import_t *im, tcr_buf_t *out, const tcr_import_value_t *hosts)
{
    size_t     n = 0;
    tcr_str_t  rest = hosts->value, host;

    tcr_buf_printf(out, "  hosts: [");

    while (rest.data != NULL) {
        host = tcr_str_trim(tcr_str_split(&rest, ';'));

        if (host.len == 0) {
            continue;
        }

        tcr_buf_printf(out, "%s", n++ != 0 ? ", " : "");
        tcr_buf_json_str(out, host);
    }

    tcr_buf_printf(out, "]\n");

    if (n == 0) {
        tcr_import_say(im, TCR_REPORT_ERROR, hosts->file, hosts->line,
                       "traffic_monitor.bootstrap.hosts", "names no host");
    }
}


static void
write_monitors(tcr_import_t *im, tcr_buf_t *out)
{
    tcr_import_value_t  hosts, local;

    hosts = tcr_import_take(im, "traffic_monitor.bootstrap.hosts", NULL);
    local = tcr_import_take(im, "traffic_monitor.bootstrap.local", "false");

    if (hosts.file == NULL) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "%s/"
                       "traffic_monitor.properties: expected "
                       "traffic_monitor.bootstrap.hosts, the Traffic Monitors "
                       "to begin with", im->conf);
        return;
    }

    tcr_buf_printf(out, "\ntraffic_monitor:\n");
    tcr_import_origin(im, out, "  ", &hosts, "traffic_monitor.bootstrap.hosts");
    write_hosts(im, out, &hosts);
    tcr_import_origin(im, out, "  ", &local, "traffic_monitor.bootstrap.local");
    tcr_buf_printf(out, "  local: %s\n",
                   tcr_str_ieq(tcr_str_trim(local.value), TCR_STR("true"))
                   ? "true" : "false");
}


/* --- Traffic Ops --- */

static void
write_credentials(tcr_import_t *im, tcr_str_t user, tcr_str_t password)
{
    tcr_buf_t  *out = &im->files[TCR_IMPORT_CREDENTIALS];

    tcr_buf_printf(out, "user: ");
    tcr_buf_json_str(out, user);
    tcr_buf_printf(out, "\npassword: ");
    tcr_buf_json_str(out, password);
    tcr_buf_char(out, '\n');
}


/* Certificates that the reference's package put into Java's trust store. */
static void
write_authorities(tcr_import_t *im, tcr_buf_t *out)
{
    size_t  i;

    for (i = 0; i < im->n_others; i++) {

        if (tcr_str_ends(im->others[i], TCR_STR(".crt"))) {
            tcr_buf_printf(out, "  # trusted by Java's trust store until now; "
                           "as PEM:\n  # ca_file: %s/", im->conf);
            tcr_import_plain(out, im->others[i]);
            tcr_buf_char(out, '\n');
        }
    }
}


static void
write_ops(tcr_import_t *im, tcr_buf_t *out)
{
    tcr_import_value_t  user, password;

    user = tcr_import_take(im, "traffic_ops.username", "admin");
    password = tcr_import_take(im, "traffic_ops.password", NULL);

    if (password.file == NULL
        || tcr_str_eq(password.value, TCR_STR("FIXME")))
    {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "%s/"
                       "traffic_ops.properties: no password: Traffic Ops "
                       "will not be asked", im->conf);
        tcr_buf_printf(out, "\n# There was no password: Traffic Ops is not "
                       "asked for certificates, keys,\n# federations and "
                       "steering.\n# traffic_ops: {credentials: %s/%s}\n",
                       im->output, tcr_import_name(TCR_IMPORT_CREDENTIALS));
        return;
    }

    write_credentials(im, user.value, password.value);
    tcr_buf_printf(out, "\ntraffic_ops:\n"
                   "  # %s:%zu: traffic_ops.username, traffic_ops.password\n"
                   "  credentials: ", tcr_import_shown(im, password.file),
                   password.line);
    tcr_buf_json_str(out, tcr_str(tcr_arena_printf(im->arena, "%s/%s",
                     im->output, tcr_import_name(TCR_IMPORT_CREDENTIALS))));
    tcr_buf_printf(out, "\n"
                   "  # The reference took any certificate of Traffic Ops. "
                   "Here it has to be of an\n"
                   "  # authority this machine trusts, or of ca_file.\n"
                   "  # With url name and password go to that host only, "
                   "whatever a snapshot says:\n"
                   "  # url: https://%s\n",
                   im->ops != NULL ? im->ops : "HOST");
    write_authorities(im, out);
}


/* --- intervals --- */

static void
write_interval(tcr_import_t *im, tcr_buf_t *out, size_t *n,
    const char *property, const char *prefix, const char *key)
{
    int64_t             ms;
    tcr_import_value_t  value = tcr_import_take(im, property, NULL);

    if (value.file == NULL) {
        return;
    }

    if ((*n)++ == 0) {
        tcr_buf_printf(out, "\nintervals:\n");
    }

    ms = tcr_import_number(im, property, INTERVAL_MIN, INTERVAL_MAX, 1000);
    tcr_import_origin(im, out, "  ", &value, property);
    tcr_buf_printf(out, "  %s%s: ", prefix, key);
    tcr_import_time(out, ms, true);
    tcr_buf_char(out, '\n');
}


static void
write_intervals(tcr_import_t *im, tcr_buf_t *out)
{
    size_t     i, n = 0, given = 0;
    tcr_buf_t  rest;

    for (i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
        write_interval(im, out, &n, always[i].property, "", always[i].key);
    }

    tcr_buf_init(&rest, 65536);
    n = 1;

    for (i = 0; i < sizeof(unless) / sizeof(unless[0]); i++) {
        given = n;
        write_interval(im, &rest, &n, unless[i].property, "# ",
                       unless[i].key);

        if (n == given) {
            continue;
        }

        if (unless[i].second != NULL) {
            write_interval(im, &rest, &n, unless[i].property, "# ",
                           unless[i].second);
        }

        tcr_buf_printf(&rest, "  # the snapshot's %s wins, as before\n",
                       unless[i].parameter);
    }

    if (n > 1) {
        tcr_buf_printf(out, "\n# An interval of the settings wins over the "
                       "snapshot's. These did not, so they\n# are comments: "
                       "they belong to intervals if a snapshot has none.\n");
        tcr_buf_str(out, tcr_str_n(rest.data, rest.len));
    }

    tcr_buf_free(&rest);
}


void
tcr_import_yaml(tcr_import_t *im)
{
    tcr_buf_t  *out = &im->files[TCR_IMPORT_YAML];

    tcr_buf_printf(out, "# Made by `tcrouter import-traffic-router` of "
                   "%s.\n# Every key: docs/fetch.md.\n\nversion: 1\n",
                   im->dir);

    if (im->router != NULL) {
        tcr_buf_printf(out, "\n# its name in the snapshot\nrouter: ");
        tcr_buf_json_str(out, tcr_str(im->router));
        tcr_buf_char(out, '\n');
    }

    write_monitors(im, out);
    write_ops(im, out);
    write_intervals(im, out);
}
