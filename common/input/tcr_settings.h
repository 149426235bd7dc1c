/* SPDX-License-Identifier: Apache-2.0 */

/*
 * /etc/tcrouter/tcrouter.yaml and the files of conf.d beside it: what the
 * fetcher has to know.  The keys are one table (tcr_settings.c).
 */

#ifndef TCR_SETTINGS_H_INCLUDED
#define TCR_SETTINGS_H_INCLUDED

#include "tcr_own.h"
#include "tcr_schema.h"

#define TCR_SETTINGS_FILE  "/etc/tcrouter/tcrouter.yaml"
#define TCR_SETTINGS_STATE "/var/lib/tcrouter"
#define TCR_SETTINGS_OWN   "settings:"


/* Absent strings were not given.  Times in ms, 0 = not given. */
typedef struct {
    tcr_str_t    router;          /* our key in contentRouters               */
    tcr_str_t    images;
    tcr_str_t    state;
    tcr_texts_t  monitors;        /* traffic_monitor.hosts                   */
    bool         local;           /* these monitors only, for ever           */
    tcr_str_t    monitor_ca;      /* traffic_monitor.ca_file: path           */
    tcr_str_t    snapshot;        /* URLs, "file:/PATH" among them; or
                                     TCR_SETTINGS_OWN and the path of these
                                     settings: cdn is the snapshot           */
    tcr_own_t    cdn;
    tcr_str_t    states;          /* likewise: nobody watches the caches     */
    tcr_str_t    coverage_zones;
    tcr_str_t    deep_coverage_zones;
    tcr_str_t    city;
    tcr_str_t    certificates;
    tcr_str_t    dnssec_keys;
    tcr_str_t    ds_known;        /* of tcrouter keys                        */
    tcr_str_t    federations;
    tcr_str_t    steering;
    tcr_str_t    challenges;
    tcr_str_t    acme;            /* of tcrouter acme                        */
    tcr_str_t    regional_geoblocking;
    tcr_str_t    anonymous_policy;
    tcr_str_t    anonymous_ip;    /* database                                */

    struct {
        tcr_str_t  url;           /* scheme://HOST[:PORT]; absent: the
                                     snapshot's host                         */
        tcr_str_t  credentials;   /* path; absent: nobody is logged in       */
        tcr_str_t  ca_file;       /* path; absent: the system's              */
        bool       verify;
        int64_t    timeout;
    } ops;

    struct {
        int64_t    denial;        /* tcr_denial_e                            */
        int64_t    iterations;    /* of NSEC3                                */
        tcr_str_t  salt;          /* likewise; absent: none                  */
    } dnssec;

    struct {
        tcr_str_t  tls, dns;      /* who may read certs, keys                */
    } groups;

    struct {
        int64_t  snapshot, states, coverage_zones, deep_coverage_zones, city,
                 certificates, dnssec_keys, ds_known, federations, steering,
                 challenges, acme, regional_geoblocking, anonymous_policy,
                 anonymous_ip;
    } intervals;

    struct {
        int64_t  connect, total, states;
    } timeouts;

    struct {
        int64_t  snapshot, states, coverage_zones, policies, databases,
                 certificates, traffic_ops;
    } limits;                     /* bytes                                   */

    int64_t      max_shrink;      /* percent of caches or services           */
    int64_t      log_level;       /* tcr_log_level_e                         */

    int64_t      changed;         /* the newest file: seconds since 1970     */
    const tcr_yaml_t   *root;     /* all files, without their version        */
    tcr_own_sections_t  sections; /* what cdn is made of: nodes of the tree  */
} tcr_settings_t;


/*
 * Reads path and, in the order of their names, the *.yaml in conf.d beside it.
 * -1 when the report has an error; all errors are in it then.  Strings are
 * in the arena, which must outlive the settings.  Not inside a request.
 */
int tcr_settings_load(tcr_settings_t *settings, tcr_arena_t *arena,
    const char *path, tcr_report_t *report);

/* In one text, but for "version: 1". */
void tcr_settings_write(const tcr_settings_t *settings, tcr_buf_t *buf);


#endif /* TCR_SETTINGS_H_INCLUDED */
