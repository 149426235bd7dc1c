/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Transfers on a multi handle.
 */

#include "tcf_http.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_clock.h"
#include "tcr_version.h"

#define REDIRECTS_MAX  3
#define IDLE_SECONDS   30         /* without a byte, then it is given up     */


typedef struct transfer_s  transfer_t;

struct transfer_s {
    transfer_t         *next;
    CURL               *easy;
    struct curl_slist  *headers;
    tcf_ticket_t        ticket;
    char               *url;
    char               *data;
    size_t              len;
    size_t              size;
    uint64_t            too_big;
    bool                excess;
    bool                conditional;
    int64_t             started;
    char                error[CURL_ERROR_SIZE];
};

struct tcf_http_s {
    CURLM       *multi;
    transfer_t  *first;
};


tcf_http_t *
tcf_http_create(tcr_err_t *err)
{
    tcf_http_t  *http;

    http = calloc(1, sizeof(*http));

    if (http == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(http);
        tcr_err_set(err, "cannot start libcurl");
        return NULL;
    }

    http->multi = curl_multi_init();

    if (http->multi == NULL) {
        free(http);
        curl_global_cleanup();
        tcr_err_set(err, "no memory for transfers");
        return NULL;
    }

    return http;
}


static void
free_transfer(tcf_http_t *http, transfer_t *t)
{
    transfer_t  **link;

    for (link = &http->first; *link != NULL; link = &(*link)->next) {

        if (*link == t) {
            *link = t->next;
            break;
        }
    }

    if (t->easy != NULL) {
        curl_multi_remove_handle(http->multi, t->easy);
        curl_easy_cleanup(t->easy);
    }

    curl_slist_free_all(t->headers);
    free(t->url);
    free(t->data);
    free(t);
}


void
tcf_http_destroy(tcf_http_t *http)
{
    if (http == NULL) {
        return;
    }

    while (http->first != NULL) {
        free_transfer(http, http->first);
    }

    curl_multi_cleanup(http->multi);
    curl_global_cleanup();
    free(http);
}


/* The limit counts here: a length that the server claims proves nothing. */
static size_t
on_data(char *data, size_t size, size_t n, void *ctx)
{
    char        *more;
    size_t       len = size * n, want;
    transfer_t  *t = ctx;

    if (t->len > t->too_big || len > t->too_big - t->len) {
        t->excess = true;
        return 0;
    }

    if (len > t->size - t->len) {
        want = t->size > (SIZE_MAX - len) / 2 ? SIZE_MAX : t->size * 2 + len;
        more = realloc(t->data, want);

        if (more == NULL) {
            return 0;
        }

        t->data = more;
        t->size = want;
    }

    memcpy(t->data + t->len, data, len);
    t->len += len;
    return len;
}


static int
add_header(transfer_t *t, const char *name, const char *value)
{
    char                line[TCF_NAME_MAX + 32];
    struct curl_slist  *more;

    if (value[0] == '\0') {
        return 0;
    }

    snprintf(line, sizeof(line), "%s: %s", name, value);
    more = curl_slist_append(t->headers, line);

    if (more == NULL) {
        return -1;
    }

    t->headers = more;
    t->conditional = true;
    return 0;
}


static int
set_up(transfer_t *t, const tcf_request_t *rq)
{
    CURL        *e = t->easy;
    CURLcode     rc = CURLE_OK;
    const char  *onward = strncmp(rq->url, "https:", 6) == 0 ? "https"
                                                             : "http,https";

    if (rq->known != NULL
        && (add_header(t, "If-None-Match", rq->known->etag) != 0
            || add_header(t, "If-Modified-Since", rq->known->modified) != 0))
    {
        return -1;
    }

    /* the first of these that fails is the reason for all */
    rc |= curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    rc |= curl_easy_setopt(e, CURLOPT_URL, t->url);
    rc |= curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    rc |= curl_easy_setopt(e, CURLOPT_REDIR_PROTOCOLS_STR, onward);
    rc |= curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 1L);
    rc |= curl_easy_setopt(e, CURLOPT_MAXREDIRS, (long) REDIRECTS_MAX);
    rc |= curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS,
                           (long) rq->connect_ms);
    rc |= curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long) rq->total_ms);
    rc |= curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L);
    rc |= curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long) IDLE_SECONDS);
    rc |= curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "gzip");
    rc |= curl_easy_setopt(e, CURLOPT_USERAGENT, "tcr-fetch/" TCR_VERSION);
    rc |= curl_easy_setopt(e, CURLOPT_HTTPHEADER, t->headers);
    rc |= curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_data);
    rc |= curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
    rc |= curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->error);
    rc |= curl_easy_setopt(e, CURLOPT_PRIVATE, t);

    return rc == CURLE_OK ? 0 : -1;
}


int
tcf_http_start(tcf_http_t *http, const tcf_request_t *rq, tcr_err_t *err)
{
    transfer_t  *t;

    t = calloc(1, sizeof(*t));

    if (t == NULL) {
        return tcr_err_set(err, "no memory for a transfer");
    }

    t->next = http->first;
    http->first = t;
    t->ticket = rq->ticket;
    t->too_big = rq->too_big;
    t->started = tcr_ticks_ms();
    t->url = strdup(rq->url);
    t->easy = curl_easy_init();

    if (t->url == NULL || t->easy == NULL || set_up(t, rq) != 0
        || curl_multi_add_handle(http->multi, t->easy) != CURLM_OK)
    {
        free_transfer(http, t);
        return tcr_err_set(err, "cannot start a transfer");
    }

    return 0;
}


/* --- replies --- */

void
tcf_http_show(const char *url, char *shown, size_t size)
{
    size_t       scheme;
    const char  *start = strstr(url, "://"), *at, *slash;

    if (start != NULL) {
        start += 3;
        scheme = (size_t) (start - url);
        slash = start + strcspn(start, "/?#");
        at = memrchr(start, '@', (size_t) (slash - start));

        if (at != NULL) {
            snprintf(shown, size, "%.*s%s", (int) scheme, url, at + 1);
            return;
        }
    }

    snprintf(shown, size, "%s", url);
}


/* HOST[:PORT] of the URL */
static void
show_host(const char *url, char *host, size_t size)
{
    char  shown[TCF_NAME_MAX * 2], *start;

    tcf_http_show(url, shown, sizeof(shown));
    start = strstr(shown, "://");
    start = start != NULL ? start + 3 : shown;
    start[strcspn(start, "/?#")] = '\0';
    snprintf(host, size, "%.*s", (int) size - 1, start);
}


static void
copy_header(CURL *easy, const char *name, char *value, size_t size)
{
    struct curl_header  *header;

    value[0] = '\0';

    /* one that does not fit would never match again */
    if (curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &header)
        == CURLHE_OK && strlen(header->value) < size)
    {
        memcpy(value, header->value, strlen(header->value) + 1);
    }
}


/* Names the problem as the operator of the other end would. */
static void
fail(transfer_t *t, CURLcode rc, long status, tcf_reply_t *reply)
{
    char  shown[TCF_NAME_MAX];

    tcf_http_show(t->url, shown, sizeof(shown));

    if (t->excess) {
        tcr_err_set(&reply->error, "failed to GET %s: more than %" PRIu64
                    " bytes", shown, t->too_big);

    } else if (rc != CURLE_OK) {
        tcr_err_set(&reply->error, "failed to GET %s: %s", shown,
                    t->error[0] != '\0' ? t->error : curl_easy_strerror(rc));

    } else if (status != 200) {
        tcr_err_set(&reply->error, "failed to GET %s - returned status code "
                    "%ld", shown, status);

    } else {
        tcr_err_set(&reply->error, "failed to GET %s: the answer is empty",
                    shown);
    }
}


static void
finish(transfer_t *t, CURLcode rc, tcf_reply_t *reply)
{
    long  status = 0;

    memset(reply, 0, sizeof(*reply));
    reply->ticket = t->ticket;
    reply->ms = tcr_ticks_ms() - t->started;
    show_host(t->url, reply->body.from, sizeof(reply->body.from));
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);

    if (rc == CURLE_OK && status == 304 && t->conditional) {
        reply->ok = true;
        return;
    }

    if (rc == CURLE_OK && status == 200 && t->len != 0) {
        reply->ok = true;
        reply->body.data = t->data;
        reply->body.len = t->len;
        t->data = NULL;
        copy_header(t->easy, "ETag", reply->body.validator.etag,
                    sizeof(reply->body.validator.etag));
        copy_header(t->easy, "Last-Modified",
                    reply->body.validator.modified,
                    sizeof(reply->body.validator.modified));
        return;
    }

    fail(t, rc, status, reply);
}


void
tcf_http_run(tcf_http_t *http, tcf_http_done_pt done, void *ctx)
{
    int          running, left;
    CURLMsg     *msg;
    transfer_t  *t;
    tcf_reply_t  reply;

    curl_multi_perform(http->multi, &running);

    while ((msg = curl_multi_info_read(http->multi, &left)) != NULL) {

        if (msg->msg != CURLMSG_DONE) {
            continue;
        }

        curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &t);
        finish(t, msg->data.result, &reply);
        free_transfer(http, t);
        done(ctx, &reply);
        free(reply.body.data);
    }
}


void
tcf_http_wait(tcf_http_t *http, int fd, int64_t ms)
{
    struct curl_waitfd  also = { fd, CURL_WAIT_POLLIN, 0 };

    curl_multi_poll(http->multi, &also, 1, ms < INT_MAX ? (int) ms : INT_MAX,
                    NULL);
}


void
tcf_http_wake(tcf_http_t *http)
{
    curl_multi_wakeup(http->multi);
}
