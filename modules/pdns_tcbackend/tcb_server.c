/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The event loop over a listening socket, its connections and our signals.
 */

#include "tcb_server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcr_clock.h"
#include "tcr_log.h"

#include "tcb_socket.h"

#define TCB_EVENTS     64
#define TCB_LOOK       500        /* ms between two looks at the socket      */
#define TCB_GOODBYE    2000       /* ms to send what waits at the end        */


typedef struct tcb_conn_s  tcb_conn_t;

struct tcb_conn_s {
    LIST_ENTRY(tcb_conn_s)   link;
    tcb_session_t           *session;
    int                      fd;
    uint32_t                 events;        /* that epoll watches            */
    bool                     closing;       /* once all is sent              */
};

typedef struct {
    tcb_core_t                      *core;
    tcb_log_t                       *log;
    tcb_socket_t                     sock;
    const char                      *group;
    int64_t                          look_at;   /* at the socket             */
    int                              epoll;
    int                              signals;
    bool                             stop;
    LIST_HEAD(tcb_conns, tcb_conn_s) conns;
} tcb_server_t;


static int
watch(tcb_server_t *server, int op, int fd, uint32_t events, void *data)
{
    struct epoll_event  ev;

    memset(&ev, 0, sizeof(ev));
    ev.events = events;
    ev.data.ptr = data;

    return epoll_ctl(server->epoll, op, fd, &ev);
}


static void
conn_close(tcb_conn_t *conn)
{
    LIST_REMOVE(conn, link);
    tcb_session_destroy(conn->session);
    close(conn->fd);
    free(conn);
}


static void
conn_open(tcb_server_t *server, int fd)
{
    tcb_conn_t  *conn;

    conn = calloc(1, sizeof(*conn));

    if (conn == NULL) {
        close(fd);
        return;
    }

    LIST_INSERT_HEAD(&server->conns, conn, link);
    conn->fd = fd;
    conn->events = EPOLLIN;
    conn->session = tcb_session_create(server->core);

    if (conn->session == NULL
        || watch(server, EPOLL_CTL_ADD, fd, conn->events, conn) != 0)
    {
        tcr_log_limited(TCR_LOG_ERR, "connection",
                        "no room for another connection: %s", strerror(errno));
        conn_close(conn);
    }
}


/* One call a wake-up each is enough: epoll reports what is left. */
static void
server_accept(tcb_server_t *server)
{
    int  fd;

    fd = accept4(server->sock.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd != -1) {
        conn_open(server, fd);
        return;
    }

    if (errno == EMFILE || errno == ENFILE) {
        tcr_log_limited(TCR_LOG_ERR, "accept",
                        "cannot accept a connection: %s", strerror(errno));

        /* the connection stays in the backlog and would wake us at once */
        usleep(10000);
    }
}


/* -1: close it */
static int
conn_send(tcb_server_t *server, tcb_conn_t *conn, tcr_err_t *err)
{
    int       rc;
    uint32_t  events;

    do {
        rc = tcb_session_write(conn->session, conn->fd);

        if (rc < 0) {
            err->text[0] = '\0';
            return -1;
        }

        if (rc == 1 && !server->stop
            && tcb_session_answer(conn->session, err) != 0)
        {
            return -1;
        }

    } while (rc == 1 && tcb_session_pending(conn->session) != 0);

    events = tcb_session_pending(conn->session) != 0 ? EPOLLOUT : 0;

    if (!conn->closing && tcb_session_pending(conn->session) < TCB_PENDING) {
        events |= EPOLLIN;
    }

    if (events != conn->events) {
        conn->events = events;
        return watch(server, EPOLL_CTL_MOD, conn->fd, events, conn);
    }

    return 0;
}


static void
conn_event(tcb_server_t *server, tcb_conn_t *conn, uint32_t events)
{
    int        rc;
    tcr_err_t  err;

    rc = 1;
    err.text[0] = '\0';

    if (!conn->closing && (events & ~(uint32_t) EPOLLOUT) != 0) {
        rc = tcb_session_read(conn->session, conn->fd, &err);
        conn->closing = rc <= 0;
    }

    /* after a fault as well: the answers before it are good */
    if (conn_send(server, conn, &err) != 0
        || (conn->closing && tcb_session_pending(conn->session) == 0)
        || (events & EPOLLERR) != 0)
    {
        if (err.text[0] != '\0') {
            tcr_log_limited(TCR_LOG_WARN, "conversation",
                            "connection closed: %s", err.text);
        }

        conn_close(conn);
    }
}


static void
server_signal(tcb_server_t *server)
{
    struct signalfd_siginfo  info;

    if (read(server->signals, &info, sizeof(info)) != sizeof(info)) {
        return;
    }

    if (info.ssi_signo == SIGHUP) {
        tcb_log_reopen(server->log);
        return;
    }

    server->stop = true;
}


static int
server_open(tcb_server_t *server, const char *path, const char *group,
    tcr_err_t *err)
{
    sigset_t  set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);

    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);

    if (server->epoll == -1 || server->signals == -1) {
        return tcr_err_set(err, "cannot wait for events: %s", strerror(errno));
    }

    server->group = group;

    if (tcb_socket_open(&server->sock, path, group, err) != 0) {
        return -1;
    }

    if (watch(server, EPOLL_CTL_ADD, server->sock.fd, EPOLLIN, &server->sock)
        != 0
        || watch(server, EPOLL_CTL_ADD, server->signals, EPOLLIN,
                 &server->signals) != 0)
    {
        return tcr_err_set(err, "cannot wait for events: %s", strerror(errno));
    }

    return 0;
}


/*
 * A socket whose file is gone can be reached by nobody new; those who are
 * connected stay.
 */
static void
server_look(tcb_server_t *server)
{
    int64_t       now = tcr_ticks_ms();
    tcr_err_t     err;
    tcb_socket_t  fresh;

    if (now < server->look_at) {
        return;
    }

    server->look_at = now + TCB_LOOK;

    if (!tcb_socket_is_gone(&server->sock)) {
        return;
    }

    if (tcb_socket_open(&fresh, server->sock.path, server->group, &err) != 0) {
        tcr_log_limited(TCR_LOG_ERR, "socket", "the socket is gone: %s",
                        err.text);
        return;
    }

    if (watch(server, EPOLL_CTL_ADD, fresh.fd, EPOLLIN, &server->sock) != 0) {
        tcb_socket_close(&fresh);
        return;
    }

    close(server->sock.fd);
    server->sock = fresh;
    tcr_log(TCR_LOG_NOTICE, "\"%s\" was gone and is made anew",
            server->sock.path);
}


static int
server_wait(tcb_server_t *server, int timeout, tcr_err_t *err)
{
    int                 i, n;
    void               *data;
    struct epoll_event  events[TCB_EVENTS];

    n = epoll_wait(server->epoll, events, TCB_EVENTS, timeout);

    if (n < 0 && errno != EINTR) {
        return tcr_err_set(err, "cannot wait for events: %s", strerror(errno));
    }

    for (i = 0; i < n; i++) {
        data = events[i].data.ptr;

        if (data == &server->sock) {
            server_accept(server);

        } else if (data == &server->signals) {
            server_signal(server);

        } else {
            conn_event(server, data, events[i].events);
        }
    }

    return 0;
}


/* Nobody new, nothing new asked; what was answered is sent. */
static void
server_finish(tcb_server_t *server)
{
    int64_t      end;
    tcr_err_t    err;
    tcb_conn_t  *conn, *next;

    if (server->sock.fd != -1) {
        tcb_socket_close(&server->sock);
    }

    end = tcr_ticks_ms() + TCB_GOODBYE;

    for (conn = LIST_FIRST(&server->conns); conn != NULL; conn = next) {
        next = LIST_NEXT(conn, link);
        conn->closing = true;
        conn_event(server, conn, EPOLLOUT);
    }

    while (!LIST_EMPTY(&server->conns) && tcr_ticks_ms() < end
           && server_wait(server, 100, &err) == 0)
    {
        continue;
    }

    while (!LIST_EMPTY(&server->conns)) {
        conn_close(LIST_FIRST(&server->conns));
    }

    if (server->signals != -1) {
        close(server->signals);
    }

    if (server->epoll != -1) {
        close(server->epoll);
    }
}


int
tcb_serve_socket(tcb_core_t *core, tcb_log_t *log, const char *path,
    const char *group, tcr_err_t *err)
{
    int           rc;
    tcb_server_t  server;

    memset(&server, 0, sizeof(server));
    LIST_INIT(&server.conns);
    server.core = core;
    server.log = log;
    server.sock.fd = -1;
    server.epoll = -1;
    server.signals = -1;

    rc = server_open(&server, path, group, err);

    if (rc == 0) {
        tcr_log(TCR_LOG_NOTICE, "listening on \"%s\"", path);
    }

    while (rc == 0 && !server.stop) {
        rc = server_wait(&server, TCB_LOOK, err);
        server_look(&server);
    }

    server_finish(&server);
    return rc;
}
