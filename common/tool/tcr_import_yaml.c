/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter.yaml: where the monitors are, how often they are asked; and the
 * credentials, in a file of their own.
 */

#include "tcr_import.h"

#define INTERVAL_MIN  50          /* ms, as tcrouter.yaml takes them         */
#define INTERVAL_MAX  (INT64_C(365) * 24 * 3600 * 1000)


/* A parameter of the snapshot, if it has it, wins over the property. */
typedef struct {
    const char  *property;
    const char  *key, *second;
    const char  *parameter;       /* NULL: there is none                     */
} interval_t;

static const interval_t  intervals[] = {
    { "cache.config.json.refresh.period", "snapshot", NULL, NULL },
    { "cache.health.json.refresh.period", "states", NULL, NULL },
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
        tcr_import_quoted(out, host);
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
    tcr_import_quoted(out, user);
    tcr_buf_printf(out, "\npassword: ");
    tcr_import_quoted(out, password);
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
    tcr_import_quoted(out, tcr_str(tcr_arena_printf(im->arena, "%s/%s",
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

/* Without a snapshot it cannot be said: most have these parameters. */
static bool
is_overruled(const tcr_import_t *im, const interval_t *row)
{
    return row->parameter != NULL
           && (im->parameters.first == NULL
               || tcr_properties_find(&im->parameters, row->parameter)
                  != NULL);
}


static void
write_key(tcr_buf_t *out, bool comment, const char *key, int64_t ms)
{
    tcr_buf_printf(out, "  %s%s: ", comment ? "# " : "", key);
    tcr_import_time(out, ms, true);
    tcr_buf_char(out, '\n');
}


static void
write_interval(tcr_import_t *im, tcr_buf_t *out, bool comment,
    const interval_t *row, const tcr_import_value_t *value)
{
    int64_t  ms = tcr_import_number(im, row->property, INTERVAL_MIN,
                                    INTERVAL_MAX, INTERVAL_MIN);

    tcr_import_origin(im, out, "  ", value, row->property);
    write_key(out, comment, row->key, ms);

    if (row->second != NULL) {
        write_key(out, comment, row->second, ms);
    }

    if (comment) {
        tcr_buf_printf(out, "  #   the snapshot's %s wins\n",
                       row->parameter);
    }
}


/* Those that count, or those that do not. */
static void
write_intervals(tcr_import_t *im, tcr_buf_t *out, bool comment,
    const char *head)
{
    size_t              i, n = 0;
    tcr_import_value_t  value;

    for (i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++) {
        value = tcr_import_take(im, intervals[i].property, NULL);

        if (value.file == NULL
            || is_overruled(im, &intervals[i]) != comment)
        {
            continue;
        }

        if (n++ == 0) {
            tcr_buf_printf(out, "%s", head);
        }

        write_interval(im, out, comment, &intervals[i], &value);
    }
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
        tcr_import_quoted(out, tcr_str(im->router));
        tcr_buf_char(out, '\n');
    }

    write_monitors(im, out);
    write_ops(im, out);
    write_intervals(im, out, false, "\nintervals:\n");
    write_intervals(im, out, true, "\n# What stands in intervals wins over "
                    "the snapshot's parameters. These did not:\n");
}
