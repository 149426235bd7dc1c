/* SPDX-License-Identifier: Apache-2.0 */

/*
 * tcrouter import-traffic-router: what its files share.
 *
 *     tcr_tool_import       command line, order of things, what is said
 *     tcr_import_read       the reference's files, as they are
 *     tcr_import_ask        one setting of them
 *     tcr_import_text       words for reports, comments and settings
 *     tcr_import_snapshot   ports and Traffic Ops by the last snapshot
 *     tcr_import_yaml       tcrouter.yaml and the credentials
 *     tcr_import_pdns       pdns.conf
 *     tcr_import_nginx      nginx.conf, one server a connector
 *     tcr_import_tls        protocols and ciphers of a connector
 *     tcr_import_store      default.pem and default.key out of a key store
 *     tcr_import_cert       the same made anew
 *     tcr_import_notes      what has no counterpart, and why
 *     tcr_import_write      the files, all or none
 */

#ifndef TCR_IMPORT_H_INCLUDED
#define TCR_IMPORT_H_INCLUDED

#include "tcr_buf.h"
#include "tcr_properties.h"
#include "tcr_xml.h"

#define TCR_IMPORT_DEPLOY  "/opt/traffic_router"


/* The files that are made; each has a room for notes at its end. */
typedef enum {
    TCR_IMPORT_YAML,
    TCR_IMPORT_NGINX,
    TCR_IMPORT_PDNS,
    TCR_IMPORT_CREDENTIALS,       /* from here on: only if there is one      */
    TCR_IMPORT_CERT,
    TCR_IMPORT_KEY,
    TCR_IMPORT_FILES
} tcr_import_file_e;

typedef struct {
    const char        *dir;       /* as it was given                         */
    const char        *conf;      /* DIR/conf, or DIR where there is none    */
    const char        *output;    /* absolute                                */
    const char        *logs;      /* directory of access logs                */
    const char        *router;    /* its name; NULL: this machine's          */
    bool               force;
    tcr_arena_t       *arena;
    tcr_report_t      *report;
    tcr_properties_t   local;     /* all but https.properties                */
    tcr_properties_t   https;
    tcr_properties_t   java;      /* -DNAME=VALUE of startup.properties      */
    tcr_xml_t         *server;    /* server.xml; NULL: there is none         */
    const char        *server_file;
    tcr_str_t         *others;    /* names of files that are not read        */
    size_t             n_others;
    unsigned           ports[2][2];   /* by API, then by TLS; 0 = not said   */
    tcr_properties_t   parameters;    /* of the snapshot, without values     */
    const char        *ops;       /* host of Traffic Ops, if it was said     */
    tcr_str_t          store;     /* key store a connector names             */
    tcr_str_t          store_password;
    tcr_buf_t          files[TCR_IMPORT_FILES];   /* the last three: wiped   */
    size_t             notes;
} tcr_import_t;


/* A setting that was written down: its line in the file it comes from. */
typedef struct {
    tcr_str_t    value;
    const char  *file;            /* NULL: the reference's default           */
    size_t       line;
} tcr_import_value_t;


/*
 * Reads DIR.  Problems are in the report; -1: nothing can be made of it.
 */
int tcr_import_read(tcr_import_t *im);

/* Fills these three from the snapshot that the reference kept, if it did. */
void tcr_import_snapshot(tcr_import_t *im);

/* Adds a copy of the property at the end of the list. */
void tcr_import_append(tcr_import_t *im, tcr_properties_t *list,
    tcr_property_t copy);

/* A path of the reference's as it is found below DIR; in the arena. */
const char *tcr_import_path(const tcr_import_t *im, tcr_str_t path);

/* May it stand in a configuration without quotes? */
bool tcr_import_is_path(const char *path);

/*
 * The property's value, marked as used; def where nobody gave it.
 */
tcr_import_value_t tcr_import_take(tcr_import_t *im, const char *name,
    const char *def);
tcr_import_value_t tcr_import_take_https(tcr_import_t *im, const char *name,
    const char *def);

/*
 * A whole number in min..max; what is none is an error in the report and def.
 */
int64_t tcr_import_number(tcr_import_t *im, const char *name, int64_t min,
    int64_t max, int64_t def);

/* The same of an attribute in server.xml; "${name}" in it is replaced. */
tcr_import_value_t tcr_import_take_attr(tcr_import_t *im, tcr_xml_t *element,
    const char *name, const char *def);
int64_t tcr_import_attr_number(tcr_import_t *im, tcr_xml_t *element,
    const char *name, int64_t min, int64_t max, int64_t def);

/* "FILE:LINE: NAME: " and the text, into the report. */
void tcr_import_say(tcr_import_t *im, tcr_severity_e severity,
    const char *file, size_t line, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/*
 * Milliseconds as "60s", "1500ms" or, where wide, "3h".
 */
void tcr_import_time(tcr_buf_t *buf, int64_t ms, bool wide);

/*
 * Text for a comment, and in quotes for YAML: what cannot stand there is
 * "\uHHHH", bytes that are no UTF-8 are "\xHH".
 */
void tcr_import_plain(tcr_buf_t *buf, tcr_str_t text);
void tcr_import_quoted(tcr_buf_t *buf, tcr_str_t text);

/* "# FILE:LINE: NAME = VALUE", where it stood, seen from DIR. */
void tcr_import_origin(const tcr_import_t *im, tcr_buf_t *buf,
    const char *indent, const tcr_import_value_t *value, const char *name);

/* A file's name in comments: without DIR in front. */
const char *tcr_import_shown(const tcr_import_t *im, const char *file);

/* Into im->files. */
void tcr_import_yaml(tcr_import_t *im);
void tcr_import_pdns(tcr_import_t *im);
void tcr_import_nginx(tcr_import_t *im);

/* ssl_protocols, ssl_ciphers and the key store of a connector. */
void tcr_import_tls(tcr_import_t *im, tcr_xml_t *connector);

/*
 * Certificate and key for names without one, of the key store that was named
 * if it can be read; -1: it cannot, said in the report.
 */
int tcr_import_store(tcr_import_t *im);

/* The same, self-signed; -1: OpenSSL would not, said in the report. */
int tcr_import_cert(tcr_import_t *im);

/* Properties and attributes that nobody took, behind all others. */
void tcr_import_notes(tcr_import_t *im);
void tcr_import_notes_xml(tcr_import_t *im, tcr_xml_t *top,
    const char *indent);

/* 0, or -1 with the reason in the report and nothing replaced. */
int tcr_import_write(tcr_import_t *im);
const char *tcr_import_name(tcr_import_file_e file);


#endif /* TCR_IMPORT_H_INCLUDED */
