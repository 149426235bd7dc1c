/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter.yaml: defaults, every kind of value, and the words for everything
 * that is wrong.
 */

#include "tcr_settings.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"


static char            dir[] = "/tmp/tcr-settings-XXXXXX";
static tcr_arena_t    *arena;
static tcr_report_t    report;
static tcr_settings_t  settings;


static void
put(const char *name, const char *text)
{
    FILE  *f;
    char   path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);

    if (text == NULL) {
        unlink(path);
        return;
    }

    f = fopen(path, "w");

    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) {
        printf("Bail out! cannot write %s\n", path);
        exit(1);
    }
}


static int
load(void)
{
    static char  path[128];

    snprintf(path, sizeof(path), "%s/t.yaml", dir);
    tcr_report_init(&report, arena, 0);
    return tcr_settings_load(&settings, arena, path, &report);
}


static int
load_text(const char *text)
{
    put("t.yaml", text);
    return load();
}


/* The problem of that number, from 1, without the directory's name. */
static const char *
problem(int n)
{
    const tcr_problem_t  *p;

    for (p = report.first; p != NULL && n > 1; n--) {
        p = p->next;
    }

    if (p == NULL) {
        return NULL;
    }

    return strncmp(p->text, dir, strlen(dir)) == 0 ? p->text + sizeof(dir)
                                                   : p->text;
}


static void
defaults(void)
{
    is_int(load_text("version: 1\nsnapshot: file:/a/b.json\n"), 0, "loaded");
    is_str(settings.snapshot.data, "file:/a/b.json", "snapshot");
    is_str(settings.images.data, "/run/tcrouter/images", "images");
    is_str(settings.state.data, "/var/lib/tcrouter", "state");
    ok(settings.router.data == NULL && settings.city.data == NULL, "absent");
    is_int(settings.intervals.snapshot, 60000, "snapshot every minute");
    is_int(settings.intervals.states, 1000, "states every second");
    is_int(settings.intervals.city, 0, "City as the snapshot says");
    is_int(settings.timeouts.connect, 10000, "10 s to connect");
    is_int(settings.timeouts.total, 60000, "60 s in all");
    is_int(settings.limits.snapshot, 512 << 20, "size of a snapshot");
    is_int(settings.max_shrink, 50, "half may go");
    is_int(settings.log_level, 6, "info");
    is_int(settings.dnssec.denial, 0, "NSEC");
    is_int(settings.dnssec.iterations, 0, "no iterations of NSEC3");
    ok(settings.dnssec.salt.data == NULL, "no salt");
    ok(!settings.local, "monitors of the snapshot are used");
}


static void
values(void)
{
    is_int(load_text("version: 1\n"
                     "router: router-a\n"
                     "images: /i\n"
                     "traffic_monitor:\n"
                     "  hosts: [tm1.example.net, 192.0.2.1:8080, "
                     "\"[2001:db8::1]:80\", https://tm2.example.net]\n"
                     "  local: yes\n"
                     "states: http://tm.example.net/publish/CrStates\n"
                     "city: file:///srv/City.mmdb\n"
                     "coverage_zones: file://localhost/srv/czf.json\n"
                     "certificates: file:/srv/sslkeys.json\n"
                     "intervals: {states: 250ms, city: 1d, snapshot: 5}\n"
                     "limits: {states: 64k}\n"
                     "max_shrink: 30\n"
                     "log_level: debug\n"), 0, "loaded");

    is_int(settings.monitors.n, 4, "four monitors");
    is_str(settings.monitors.items[2].data, "[2001:db8::1]:80", "an IPv6 one");
    is_str(settings.monitors.items[3].data, "https://tm2.example.net",
           "one with a scheme");
    ok(settings.local, "these only");
    is_str(settings.city.data, "file:/srv/City.mmdb", "file:///");
    is_str(settings.coverage_zones.data, "file:/srv/czf.json",
           "file://localhost/");
    is_int(settings.intervals.states, 250, "ms");
    is_int(settings.intervals.city, 86400000, "a day");
    is_int(settings.intervals.snapshot, 5000, "seconds without a unit");
    is_int(settings.limits.states, 65536, "KiB");
    is_int(settings.max_shrink, 30, "a percentage without its sign");
    is_int(settings.log_level, 7, "debug");
}


/* a line of a file that is right without it, and what is said of it */
static const struct {
    const char  *line;
    const char  *problem;
} bad[] = {
    { "snapshots: x", "t.yaml:3:1: snapshots: unknown key, did you mean "
      "\"snapshot\"" },
    { "trafic-monitor: x", "t.yaml:3:1: trafic-monitor: unknown key, did you "
      "mean \"traffic_monitor\"" },
    { "zzz: x", "t.yaml:3:1: zzz: unknown key" },
    { "traffic_monitor: {host: [a]}",
      "t.yaml:3:18: traffic_monitor: \"hosts\" is missing" },
    { "traffic_monitor: {hosts: a}", "t.yaml:3:26: traffic_monitor.hosts: is "
      "one value, expected a list of HOST[:PORT]" },
    { "traffic_monitor: {hosts: []}", "t.yaml:3:26: traffic_monitor.hosts: is "
      "empty, expected a list of HOST[:PORT]" },
    { "traffic_monitor: {hosts: [a, 'b c']}", "t.yaml:3:30: "
      "traffic_monitor.hosts[1]: is \"b c\", expected HOST or HOST:PORT" },
    { "traffic_monitor: {hosts: ['a:0']}", "t.yaml:3:27: "
      "traffic_monitor.hosts[0]: is \"a:0\", expected HOST or HOST:PORT" },
    { "traffic_monitor: {hosts: ['[::1']}", "t.yaml:3:27: "
      "traffic_monitor.hosts[0]: is \"[::1\", expected HOST or HOST:PORT" },
    { "traffic_monitor: {hosts: [a], local: maybe}", "t.yaml:3:38: "
      "traffic_monitor.local: is \"maybe\", expected true or false" },
    { "intervals: 3", "t.yaml:3:12: intervals: is one value, expected keys "
      "with values" },
    { "intervals: {states: 1 s}", "t.yaml:3:21: intervals.states: is \"1 s\", "
      "expected a time such as 500ms, 10s, 5m, 3h or 2d" },
    { "intervals: {states: 5ms}", "t.yaml:3:21: intervals.states: is \"5ms\", "
      "expected 50ms to 365d" },
    { "intervals: {states: 010}", "t.yaml:3:21: intervals.states: is \"010\", "
      "expected a time such as 500ms, 10s, 5m, 3h or 2d" },
    { "intervals: {states: 99999999999999999d}", "t.yaml:3:21: "
      "intervals.states: is \"99999999999999999d\", expected 50ms to 365d" },
    { "intervals: {statse: 1s}", "t.yaml:3:13: intervals.statse: unknown key, "
      "did you mean \"states\"" },
    { "limits: {databases: 9g}", "t.yaml:3:21: limits.databases: is \"9g\", "
      "expected 1k to 4g" },
    { "max_shrink: 101%", "t.yaml:3:13: max_shrink: is \"101%\", expected 0% "
      "to 100%" },
    { "images: run", "t.yaml:3:9: images: is \"run\", expected an absolute "
      "path" },
    { "images:", "t.yaml:3:8: images: is empty, expected a path" },
    { "images: \"/a\\0b\"", "t.yaml:3:9: images: is \"/a" },
    { "city: ftp://a/b", "t.yaml:3:7: city: is \"ftp://a/b\", expected "
      "\"file:/PATH\", \"http://...\" or \"https://...\"" },
    { "city: file:b", "t.yaml:3:7: city: is \"file:b\", expected "
      "\"file:/PATH\", \"http://...\" or \"https://...\"" },
    { "city: file://host/b", "t.yaml:3:7: city: is \"file://host/b\", "
      "expected \"file:/PATH\", \"http://...\" or \"https://...\"" },
    { "ds_known: http://a/b", "t.yaml:3:11: ds_known: is "
      "\"http://a/b\", expected \"file:/PATH\"" },
    { "traffic_ops: {url: 'https://a/b'}", "t.yaml:3:20: traffic_ops.url: is "
      "\"https://a/b\", expected \"https://HOST[:PORT]\"" },
    { "traffic_ops: {credentials: a}", "t.yaml:3:28: "
      "traffic_ops.credentials: is \"a\", expected an absolute path" },
    { "log_level: warnings", "t.yaml:3:12: log_level: is \"warnings\", did "
      "you mean \"warning\"" },
    { "log_level: loud", "t.yaml:3:12: log_level: is \"loud\", expected one "
      "of error, warning, notice, info, debug" },
    { "dnssec: {denial: none}", "t.yaml:3:18: dnssec.denial: is \"none\", "
      "expected one of nsec, nsec3-narrow, nsec3" },
    { "dnssec: {iterations: 51}", "t.yaml:3:22: dnssec.iterations: is \"51\", "
      "expected 0 to 50" },
    { "dnssec: {salt: abc}", "t.yaml:3:16: dnssec.salt: is \"abc\", expected "
      "an even number of up to 32 hexadecimal digits" },
    { "router: [a]", "t.yaml:3:9: router: is a list, expected a text" },
};


static void
refused(void)
{
    char    text[256];
    size_t  i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        snprintf(text, sizeof(text), "version: 1\nsnapshot: file:/s\n%s\n",
                 bad[i].line);
        is_int(load_text(text), -1, "refused: %s", bad[i].line);
        ok(problem(1) != NULL && strncmp(problem(1), bad[i].problem,
                                         strlen(bad[i].problem)) == 0,
           "%s", problem(1) != NULL ? problem(1) : "nothing is said");
    }
}


static void
whole_files(void)
{
    is_int(load_text("snapshot: file:/s\nversion: 2\n"), -1, "other version");
    is_str(problem(1), "t.yaml:2:10: version: is \"2\", expected 1", "said");

    is_int(load_text("snapshot: file:/s\n"), -1, "no version");
    is_str(problem(1), "t.yaml:1:1: \"version: 1\" is missing", "said");

    is_int(load_text("version: 1\nrouter: a\n"), -1, "nothing to read");
    is_str(problem(1), "t.yaml:1:1: no source of a snapshot, expected "
           "\"traffic_monitor\", \"snapshot\" or \"cdn\"", "said");

    is_int(load_text(""), -1, "empty");
    is_str(problem(1), "t.yaml:1:1: is no mapping, expected \"version: 1\" "
           "and further keys", "said");

    is_int(load_text("version: 1\nsnapshto: file:/s\nstates: ftp://a\n"
                     "intervals: {city: x, state: 1}\nlimits: [\n"), -1,
           "syntax");
    is_int(report.count[TCR_REPORT_ERROR], 1, "only that is said");

    is_int(load_text("version: 1\nsnapshto: file:/s\nstates: ftp://a\n"
                     "intervals: {city: x, state: 1}\n"), -1, "many errors");
    is_int(report.count[TCR_REPORT_ERROR], 5, "all are said in one run");

    put("t.yaml", NULL);
    is_int(load(), -1, "no file");
    ok(strstr(problem(1), "No such file") != NULL, "%s", problem(1));
}


static void
more_files(void)
{
    char  path[128];

    snprintf(path, sizeof(path), "%s/conf.d", dir);
    mkdir(path, 0755);
    put("conf.d/b.yaml", "version: 1\nintervals: {city: 2d}\n");
    put("conf.d/a.yaml", "version: 1\nrouter: r\nintervals: {states: 2s}\n");
    put("conf.d/c.yaml~", "nonsense: [");
    put("conf.d/.d.yaml", "nonsense: [");

    is_int(load_text("intervals: {snapshot: 9s}\nsnapshot: file:/s\n"
                     "version: 1\n"), 0, "three files");
    is_str(settings.router.data, "r", "a value of the second");
    is_int(settings.intervals.snapshot, 9000, "a mapping of all");
    is_int(settings.intervals.states, 2000, "a mapping of all");
    is_int(settings.intervals.city, 172800000, "a mapping of all");

    put("conf.d/b.yaml", "version: 1\nrouter: q\nintervals: {states: 3s}\n");
    is_int(load(), -1, "things given twice");
    ok(strstr(problem(1), "conf.d/b.yaml:2:1: router: given twice, first at ")
       != NULL && strstr(problem(1), "conf.d/a.yaml:2:1") != NULL, "%s",
       problem(1));
    ok(strstr(problem(2), "conf.d/b.yaml:3:13: intervals.states: given twice")
       != NULL, "%s", problem(2));
    is_int(report.count[TCR_REPORT_ERROR], 2, "both");

    put("conf.d/b.yaml", "router: q\n");
    is_int(load(), -1, "a file without a version");
    ok(strstr(problem(1), "conf.d/b.yaml:1:1: \"version: 1\" is missing")
       != NULL, "%s", problem(1));

    put("conf.d/a.yaml", NULL);
    put("conf.d/b.yaml", NULL);
    put("conf.d/c.yaml~", NULL);
    put("conf.d/.d.yaml", NULL);
    rmdir(path);
}


int
main(void)
{
    arena = tcr_arena_create(0);

    if (mkdtemp(dir) == NULL) {
        printf("Bail out! no temporary directory\n");
        return 1;
    }

    defaults();
    values();
    refused();
    whole_files();
    more_files();

    put("t.yaml", NULL);
    rmdir(dir);
    tcr_arena_destroy(arena);
    return done();
}
