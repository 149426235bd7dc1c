/* SPDX-License-Identifier: Apache-2.0 */

/*
 * For tests and fuzz targets: a conversation with PowerDNS, line by line, on a
 * CDN of one routed name, a wildcard and a CNAME; and whether each line has
 * exactly the answer that its protocol wants.
 */

#ifndef CONVERSATION_H_INCLUDED
#define CONVERSATION_H_INCLUDED

#include "tcb_session.h"
#include "testcdn.h"

#define CONVERSATION_ENTRY(name, type, value)                                 \
    "{\"name\":\"" name "\",\"type\":\"" type "\",\"value\":\"" value         \
    "\",\"ttl\":30}"

static const char  conversation_cdn[] =
    "{\"stats\":{\"date\":1,\"CDN_name\":\"c\",\"tm_host\":\"t\"},"
    "\"config\":{\"domain_name\":\"cdn.example.net\"},"
    "\"contentRouters\":{\"tr1\":{\"fqdn\":\"tr1.cdn.example.net\","
    "\"ip\":\"203.0.113.53\",\"status\":\"ONLINE\"}},\"monitors\":{},"
    "\"edgeLocations\":{\"cg-a\":{\"latitude\":1,\"longitude\":2}},"
    "\"contentServers\":{\"a1\":{\"cacheGroup\":\"cg-a\","
    "\"locationId\":\"cg-a\",\"fqdn\":\"a1.edge.example.net\","
    "\"hashId\":\"a1\",\"hashCount\":20,\"ip\":\"198.51.100.1\",\"port\":80,"
    "\"status\":\"REPORTED\",\"type\":\"EDGE\",\"deliveryServices\":"
    "{\"tv\":[\"a1.tv.cdn.example.net\"]}}},"
    "\"deliveryServices\":{\"tv\":{\"coverageZoneOnly\":\"true\","
    "\"routingName\":\"edge\",\"domains\":[\"tv.cdn.example.net\"],"
    "\"ip6RoutingEnabled\":\"true\",\"staticDnsEntries\":["
    CONVERSATION_ENTRY("*", "A", "192.0.2.1") ","
    CONVERSATION_ENTRY("alias", "CNAME", "edge.tv.cdn.example.net.") "],"
    "\"matchsets\":[{\"protocol\":\"DNS\",\"matchlist\":[{\"match-type\":"
    "\"HOST\",\"regex\":\".*\\\\.tv\\\\..*\"}]}]}}}";

static const char  conversation_zones[] =
    "{\"coverageZones\":{\"cg-a\":{\"network\":[\"192.0.2.0/24\"],"
    "\"network6\":[\"2001:db8::/32\"]}}}";


/* The remote backend: one line, a JSON object with a "result". */
static inline const char *
conversation_remote(tcr_str_t out)
{
    tcr_err_t        err;
    const char      *wrong = NULL;
    tcr_arena_t     *arena = tcr_arena_create(0);
    tcr_json_doc_t   doc;

    if (tcr_json_parse(&doc, arena, "answer", out, &err) != 0) {
        wrong = "an answer is no JSON";

    } else if (tcr_json_get(doc.root, "result") == NULL) {
        wrong = "an answer has no result";
    }

    tcr_arena_destroy(arena);
    return wrong;
}


/* The pipe backend: any number of DATA lines, then one that ends them. */
static inline const char *
conversation_pipe(tcr_str_t line, tcr_str_t out)
{
    tcr_str_t  one;
    bool       command = tcr_str_starts(line, TCR_STR("CMD"));

    while (out.data != NULL) {
        one = tcr_str_split(&out, '\n');

        if (out.data == NULL) {
            return tcr_str_eq(one, TCR_STR("END"))
                   || tcr_str_eq(one, TCR_STR("FAIL"))
                   || tcr_str_starts(one, TCR_STR("OK\t"))
                   ? NULL : "an answer does not end";
        }

        if (!command && !tcr_str_starts(one, TCR_STR("DATA\t"))) {
            return "an answer has a line that is none";
        }
    }

    return NULL;
}


/*
 * Has one line, without its end, answered; NULL or what is wrong with the
 * answer, which is left in *out (without its line end).  *over: the
 * conversation came to its end.
 */
static inline const char *
conversation_line(tcb_session_t *s, tcr_str_t line, tcr_str_t *out, bool *over)
{
    tcr_err_t  err;

    *over = false;
    *out = TCR_STR("");
    tcr_buf_reset(&s->out);
    memcpy(s->in, line.data, line.len);
    s->in[line.len] = '\n';
    s->in_len = line.len + 1;

    if (tcb_session_answer(s, &err) != 0) {
        *over = true;
        return s->out.len == 0 ? NULL : "the end has an answer";
    }

    if (s->in_len != 0) {
        return "a line is left";
    }

    if (s->out.len == 0 || s->out.data[s->out.len - 1] != '\n') {
        return "no answer, or one without a line end";
    }

    *out = tcr_str_n(s->out.data, s->out.len - 1);

    if (s->dialect == tcb_pipe_answer) {
        return conversation_pipe(line, *out);
    }

    return tcr_str_find(*out, '\n') != out->len ? "an answer has two lines"
           : conversation_remote(*out);
}


#endif /* CONVERSATION_H_INCLUDED */
