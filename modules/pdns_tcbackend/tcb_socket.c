/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Making and removing the listening socket.
 */

#include "tcb_socket.h"

#include <errno.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define TCB_BACKLOG  128


/* 0 when the place is free now. */
static int
clear_place(const struct sockaddr_un *sun, tcr_err_t *err)
{
    int          fd, rc;
    struct stat  st;

    if (lstat(sun->sun_path, &st) != 0) {
        return errno == ENOENT ? 0
               : tcr_err_set(err, "cannot look at \"%s\": %s", sun->sun_path,
                             strerror(errno));
    }

    if (!S_ISSOCK(st.st_mode)) {
        return tcr_err_set(err, "\"%s\" is there and is no socket",
                           sun->sun_path);
    }

    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd == -1) {
        return tcr_err_set(err, "cannot make a socket: %s", strerror(errno));
    }

    rc = connect(fd, (const struct sockaddr *) sun, sizeof(*sun));

    /* a full backlog says EAGAIN: somebody is there, and busy */
    if (rc == 0 || errno != ECONNREFUSED) {
        (void) tcr_err_set(err, "\"%s\" is in use by another process: %s",
                           sun->sun_path,
                           rc == 0 ? "it answers" : strerror(errno));
        close(fd);
        return -1;
    }

    close(fd);

    if (unlink(sun->sun_path) != 0) {
        return tcr_err_set(err, "cannot remove the old socket \"%s\": %s",
                           sun->sun_path, strerror(errno));
    }

    return 0;
}


static int
give_to_group(const char *path, const char *group, tcr_err_t *err)
{
    struct group  *gr;

    if (group == NULL) {
        return 0;
    }

    errno = 0;
    gr = getgrnam(group);

    if (gr == NULL) {
        return tcr_err_set(err, "no group \"%s\"%s%s", group,
                           errno != 0 ? ": " : "",
                           errno != 0 ? strerror(errno) : "");
    }

    if (chown(path, (uid_t) -1, gr->gr_gid) != 0) {
        return tcr_err_set(err, "cannot give \"%s\" to group \"%s\": %s", path,
                           group, strerror(errno));
    }

    return 0;
}


/* Mode first by umask: the socket is never open to everybody. */
static int
bind_and_listen(tcb_socket_t *sock, const struct sockaddr_un *sun,
    const char *group, tcr_err_t *err)
{
    int          rc;
    mode_t       old;
    struct stat  st;

    old = umask(0117);
    rc = bind(sock->fd, (const struct sockaddr *) sun, sizeof(*sun));
    umask(old);

    if (rc != 0 || lstat(sun->sun_path, &st) != 0) {
        return tcr_err_set(err, "cannot make \"%s\": %s", sun->sun_path,
                           strerror(errno));
    }

    sock->dev = st.st_dev;
    sock->ino = st.st_ino;

    if (give_to_group(sun->sun_path, group, err) != 0) {
        return -1;
    }

    if (listen(sock->fd, TCB_BACKLOG) != 0) {
        return tcr_err_set(err, "cannot listen on \"%s\": %s", sun->sun_path,
                           strerror(errno));
    }

    return 0;
}


int
tcb_socket_open(tcb_socket_t *sock, const char *path, const char *group,
    tcr_err_t *err)
{
    struct sockaddr_un  sun;

    memset(sock, 0, sizeof(*sock));
    memset(&sun, 0, sizeof(sun));
    sock->fd = -1;
    sock->path = path;
    sun.sun_family = AF_UNIX;

    if (strlen(path) >= sizeof(sun.sun_path)) {
        return tcr_err_set(err, "socket path \"%s\" has %zu bytes, at most %zu "
                           "are possible", path, strlen(path),
                           sizeof(sun.sun_path) - 1);
    }

    memcpy(sun.sun_path, path, strlen(path));

    if (clear_place(&sun, err) != 0) {
        return -1;
    }

    sock->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (sock->fd == -1) {
        return tcr_err_set(err, "cannot make a socket: %s", strerror(errno));
    }

    if (bind_and_listen(sock, &sun, group, err) != 0) {
        tcb_socket_close(sock);
        return -1;
    }

    return 0;
}


bool
tcb_socket_is_gone(const tcb_socket_t *sock)
{
    struct stat  st;

    return lstat(sock->path, &st) != 0 && errno == ENOENT;
}


void
tcb_socket_close(tcb_socket_t *sock)
{
    struct stat  st;

    if (sock->fd == -1) {
        return;
    }

    if (sock->ino != 0 && lstat(sock->path, &st) == 0
        && st.st_dev == sock->dev && st.st_ino == sock->ino)
    {
        (void) unlink(sock->path);
    }

    close(sock->fd);
    sock->fd = -1;
}
