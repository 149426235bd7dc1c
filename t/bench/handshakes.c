/* SPDX-License-Identifier: Apache-2.0 */

/*
 * TLS handshakes for a bench, one after another in each thread, each on a
 * connection of its own that is closed at once; names in turn.  Prints how
 * many there were, how many failed, and in how many seconds.
 *
 * usage: handshakes PORT NAMES-FILE SECONDS THREADS [SIGALGS]
 *
 * SECONDS 0: every name once.
 */

#include <arpa/inet.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "tcr_clock.h"

#define NAMES_MAX    200000
#define THREADS_MAX  64


static SSL_CTX            *ctx;
static struct sockaddr_in  server;
static char               *names[NAMES_MAX];
static size_t              n_names;
static int64_t             end;               /* 0 = every name once         */
static uint64_t            next, good, failed;


static void
die(const char *what)
{
    perror(what);
    exit(1);
}


static int
connect_to(void)
{
    int            fd = socket(AF_INET, SOCK_STREAM, 0);
    struct linger  linger = { 1, 0 };         /* no TIME_WAIT                */

    if (fd == -1) {
        die("socket");
    }

    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));

    if (connect(fd, (struct sockaddr *) &server, sizeof(server)) != 0) {
        die("connect");
    }

    return fd;
}


static bool
shake_hands(const char *name)
{
    int   fd = connect_to();
    bool  done;
    SSL  *ssl = SSL_new(ctx);

    SSL_set_fd(ssl, fd);
    SSL_set_tlsext_host_name(ssl, name);
    done = SSL_connect(ssl) == 1;
    SSL_free(ssl);
    close(fd);

    return done;
}


static void *
work(void *arg)
{
    uint64_t  at;

    (void) arg;

    for ( ;; ) {
        at = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);

        if (end != 0 ? tcr_ticks_ns() >= end : at >= n_names) {
            return NULL;
        }

        __atomic_fetch_add(shake_hands(names[at % n_names]) ? &good : &failed,
                           1, __ATOMIC_RELAXED);
    }
}


static void
read_names(const char *path)
{
    char  *line, *rest, *text;
    FILE  *f = fopen(path, "r");
    long   size = 0;

    if (f != NULL && fseek(f, 0, SEEK_END) == 0) {
        size = ftell(f);
    }

    if (size <= 0) {
        die(path);
    }

    rewind(f);
    text = malloc((size_t) size + 1);

    if (text == NULL || fread(text, 1, (size_t) size, f) != (size_t) size) {
        die(path);
    }

    text[size] = '\0';
    fclose(f);
    rest = text;

    while ((line = strsep(&rest, "\n")) != NULL && n_names < NAMES_MAX) {
        if (*line != '\0') {
            names[n_names++] = line;
        }
    }
}


int
main(int argc, char **argv)
{
    int        i, n;
    int64_t    start, seconds;
    pthread_t  threads[THREADS_MAX];

    if (argc != 5 && argc != 6) {
        fprintf(stderr, "usage: handshakes PORT NAMES-FILE SECONDS THREADS "
                        "[SIGALGS]\n");
        return 2;
    }

    server.sin_family = AF_INET;
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.sin_port = htons((uint16_t) strtoul(argv[1], NULL, 10));
    read_names(argv[2]);
    seconds = strtol(argv[3], NULL, 10);
    n = (int) strtol(argv[4], NULL, 10);
    n = n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : n;

    ctx = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_verify(ctx, SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);

    if (argc == 6 && SSL_CTX_set1_sigalgs_list(ctx, argv[5]) != 1) {
        die("signature algorithms");
    }

    start = tcr_ticks_ns();
    end = seconds != 0 ? start + seconds * 1000000000 : 0;

    for (i = 0; i < n; i++) {
        if (pthread_create(&threads[i], NULL, work, NULL) != 0) {
            die("thread");
        }
    }

    for (i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
    }

    printf("%" PRIu64 " %" PRIu64 " %.3f\n", good, failed,
           (double) (tcr_ticks_ns() - start) / 1e9);
    return 0;
}
