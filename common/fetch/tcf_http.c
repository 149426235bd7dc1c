/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Transfers on a multi handle.
 */

#include "tcf_http.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tcr_buf.h"
#include "tcr_clock.h"
#include "tcr_version.h"
#include "tcr_wipe.h"

#define REDIRECTS_MAX  3
#define COOKIES_MAX    16384
#define RETRY_MAX      86400      /* s                                       */
#define IDLE_SECONDS   30         /* without a byte, then it is given up     */


typedef struct transfer_s  transfer_t;

struct transfer_s {
    transfer_t         *next;
    CURL               *easy;
    struct curl_slist  *headers;
    tcf_ticket_t        ticket;
    char               *url;
    char               *post;
    char               *data;
    size_t              len;
    size_t              size;
    uint64_t            too_big;
    bool                secret;   /* what comes is wiped                     */
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

    if (http == NULL || curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc,
                                             tcr_wipe_free, tcr_wipe_realloc,
                                             strdup, calloc) != CURLE_OK) {
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


/* Cookies are keys, and a log-in has a password. */
static void
wipe(transfer_t *t)
{
    struct curl_slist  *header;

    for (header = t->headers; header != NULL; header = header->next) {
        explicit_bzero(header->data, strlen(header->data));
    }

    if (t->post != NULL) {
        explicit_bzero(t->post, strlen(t->post));
        free(t->post);
    }

    if (t->secret && t->data != NULL) {
        explicit_bzero(t->data, t->len);
    }
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

    wipe(t);
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
        more = t->secret ? tcr_wipe_realloc(t->data, want)
                         : realloc(t->data, want);

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
    char               *line;
    struct curl_slist  *more;

    if (value == NULL || value[0] == '\0') {
        return 0;
    }

    if (asprintf(&line, "%s: %s", name, value) < 0) {
        return -1;
    }

    more = curl_slist_append(t->headers, line);
    explicit_bzero(line, strlen(line));
    free(line);

    if (more == NULL) {
        return -1;
    }

    t->headers = more;
    return 0;
}


static int
add_headers(transfer_t *t, const tcf_request_t *rq)
{
    const tcf_validator_t  *known = rq->known;

    if (known != NULL) {
        t->conditional = known->etag[0] != '\0' || known->modified[0] != '\0';

        if (add_header(t, "If-None-Match", known->etag) != 0
            || add_header(t, "If-Modified-Since", known->modified) != 0)
        {
            return -1;
        }
    }

    return add_header(t, "Cookie", rq->cookies) != 0
           || add_header(t, "Content-Type",
                         rq->post != NULL ? "application/json" : NULL) != 0
           ? -1 : 0;
}


/* Who the other end must prove to be. */
static CURLcode
set_trust(CURL *e, const tcf_request_t *rq)
{
    CURLcode  rc = CURLE_OK;

    if (rq->ca_file != NULL) {
        rc |= curl_easy_setopt(e, CURLOPT_CAINFO, rq->ca_file);
        rc |= curl_easy_setopt(e, CURLOPT_CAPATH, NULL);
    }

    if (rq->unverified) {
        rc |= curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L);
        rc |= curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L);
    }

    return rc;
}


static int
set_up(transfer_t *t, const tcf_request_t *rq)
{
    CURL        *e = t->easy;
    CURLcode     rc = set_trust(e, rq);
    const char  *onward = strncmp(rq->url, "https:", 6) == 0 ? "https"
                                                             : "http,https";

    if (add_headers(t, rq) != 0) {
        return -1;
    }

    if (rq->post != NULL) {
        t->post = strdup(rq->post);
        rc |= curl_easy_setopt(e, CURLOPT_POSTFIELDS, t->post);
    }

    /* the first of these that fails is the reason for all */
    rc |= curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    rc |= curl_easy_setopt(e, CURLOPT_URL, t->url);
    rc |= curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    rc |= curl_easy_setopt(e, CURLOPT_REDIR_PROTOCOLS_STR, onward);
    rc |= curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, rq->direct ? 0L : 1L);
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

    return rc == CURLE_OK && (rq->post == NULL || t->post != NULL) ? 0 : -1;
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
    t->secret = rq->direct;       /* from Traffic Ops, then                  */
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


/* libcurl's own reading of the URL: it is what will be connected to. */
int
tcf_http_origin(const char *url, char *origin, size_t size)
{
    int     n, rc = -1;
    char   *scheme = NULL, *host = NULL, *port = NULL;
    CURLU  *u = curl_url();

    if (u != NULL
        && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK
        && curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
        && curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK
        && curl_url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT)
           == CURLUE_OK
        && strncmp(scheme, "http", 4) == 0)
    {
        n = snprintf(origin, size, "%s://%s:%s", scheme, host, port);
        rc = n > 0 && (size_t) n < size ? 0 : -1;
    }

    for (n = 0; rc == 0 && origin[n] != '\0'; n++) {
        origin[n] = tcr_lower(origin[n]);
    }

    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(u);
    return rc;
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
fail(transfer_t *t, CURLcode rc, tcf_reply_t *reply)
{
    long         status = reply->status;
    char         shown[TCF_NAME_MAX];
    const char  *method = t->post != NULL ? "POST" : "GET";

    tcf_http_show(t->url, shown, sizeof(shown));

    if (t->excess) {
        tcr_err_set(&reply->error, "failed to %s %s: more than %" PRIu64
                    " bytes", method, shown, t->too_big);

    } else if (rc != CURLE_OK) {
        tcr_err_set(&reply->error, "failed to %s %s: %s", method, shown,
                    t->error[0] != '\0' ? t->error : curl_easy_strerror(rc));

    } else if (status != 200) {
        tcr_err_set(&reply->error, "failed to %s %s - returned status code "
                    "%ld", method, shown, status);

    } else {
        tcr_err_set(&reply->error, "failed to %s %s: the answer is empty",
                    method, shown);
    }
}


/* All of them, a line each: a server may set several. */
static char *
copy_cookies(CURL *easy)
{
    char                *text;
    size_t               i, n = 1;
    tcr_buf_t            buf;
    struct curl_header  *header;

    tcr_buf_init(&buf, COOKIES_MAX);

    for (i = 0; i < n; i++) {

        if (curl_easy_header(easy, "Set-Cookie", i, CURLH_HEADER, -1, &header)
            != CURLHE_OK)
        {
            break;
        }

        n = header->amount;
        tcr_buf_str(&buf, tcr_str(header->value));
        tcr_buf_char(&buf, '\n');
    }

    text = buf.len != 0 && !buf.failed ? strndup(buf.data, buf.len) : NULL;

    if (buf.data != NULL) {
        explicit_bzero(buf.data, buf.len);
    }

    tcr_buf_free(&buf);
    return text;
}


static void
take_answer(transfer_t *t, tcf_reply_t *reply)
{
    curl_off_t  wait = 0;

    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &reply->status);
    curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &wait);

    if (wait > 0 && wait < RETRY_MAX) {
        reply->retry_ms = (int64_t) wait * 1000;
    }

    reply->cookies = copy_cookies(t->easy);
}


static void
finish(transfer_t *t, CURLcode rc, tcf_reply_t *reply)
{
    bool  good;

    memset(reply, 0, sizeof(*reply));
    reply->ticket = t->ticket;
    reply->ms = tcr_ticks_ms() - t->started;
    show_host(t->url, reply->body.from, sizeof(reply->body.from));
    take_answer(t, reply);
    good = rc == CURLE_OK && reply->status == 200;

    if ((rc == CURLE_OK && reply->status == 304 && t->conditional)
        || (good && t->post != NULL))
    {
        reply->ok = true;
        return;
    }

    if (good && t->len != 0) {
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

    fail(t, rc, reply);
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
        tcf_body_free(&reply.body);

        if (reply.cookies != NULL) {
            explicit_bzero(reply.cookies, strlen(reply.cookies));
            free(reply.cookies);
        }
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
