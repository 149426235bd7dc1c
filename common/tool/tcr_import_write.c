/* SPDX-License-Identifier: Apache-2.0 */

/* The files of an import: none is written if one of them may not be. */

#include "tcr_import.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcr_file.h"


static const struct {
    const char  *name;
    unsigned     mode;
} kinds[] = {
    [TCR_IMPORT_YAML] = { "tcrouter.yaml", 0644 },
    [TCR_IMPORT_NGINX] = { "nginx.conf", 0644 },
    [TCR_IMPORT_PDNS] = { "pdns.conf", 0644 },
    [TCR_IMPORT_CREDENTIALS] = { "traffic_ops.yaml", 0600 },
    [TCR_IMPORT_CERT] = { "default.pem", 0644 },
    [TCR_IMPORT_KEY] = { "default.key", 0600 }
};


const char *
tcr_import_name(tcr_import_file_e file)
{
    return kinds[file].name;
}


static int
check_free(tcr_import_t *im, int dirfd)
{
    int          i, rc = 0;
    struct stat  st;

    for (i = 0; i < TCR_IMPORT_FILES; i++) {

        if (im->files[i].len == 0
            || fstatat(dirfd, kinds[i].name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        {
            continue;
        }

        if (!im->force) {
            tcr_report_add(im->report, TCR_REPORT_ERROR, "\"%s/%s\" is there "
                           "already: --force replaces it", im->output,
                           kinds[i].name);
            rc = -1;
        }
    }

    return rc;
}


/* The file itself, and no other that somebody gave its name meanwhile. */
static int
change_owner(int dirfd, const char *name, const struct passwd *user)
{
    int          fd, rc = -1;
    struct stat  st;

    fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

    if (fd == -1) {
        return -1;
    }

    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1
        && st.st_uid == geteuid())
    {
        rc = fchown(fd, user->pw_uid, user->pw_gid);
    }

    close(fd);
    return rc;
}


/* tcr-fetch runs as a user of its own and has to read them. */
static void
give_away(tcr_import_t *im, int dirfd)
{
    const char           *name = kinds[TCR_IMPORT_CREDENTIALS].name;
    const struct passwd  *user;

    if (im->files[TCR_IMPORT_CREDENTIALS].len == 0 || geteuid() != 0) {
        return;
    }

    user = getpwnam("tcrouter");

    if (user == NULL || change_owner(dirfd, name, user) != 0) {
        tcr_report_add(im->report, TCR_REPORT_WARNING, "\"%s/%s\": give it to "
                       "the user that runs tcr-fetch", im->output, name);
    }
}


int
tcr_import_write(tcr_import_t *im)
{
    int        i, dirfd, rc;
    tcr_err_t  err;

    if (mkdir(im->output, 0755) != 0 && errno != EEXIST) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "cannot make \"%s\": %s",
                       im->output, strerror(errno));
        return -1;
    }

    dirfd = open(im->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (dirfd == -1) {
        tcr_report_add(im->report, TCR_REPORT_ERROR, "cannot open \"%s\": %s",
                       im->output, strerror(errno));
        return -1;
    }

    rc = check_free(im, dirfd);

    for (i = 0; rc == 0 && i < TCR_IMPORT_FILES; i++) {

        if (im->files[i].len != 0
            && tcr_file_replace(dirfd, kinds[i].name, im->files[i].data,
                                im->files[i].len, kinds[i].mode, &err) != 0)
        {
            tcr_report_add(im->report, TCR_REPORT_ERROR, "%s: %s", im->output,
                           err.text);
            rc = -1;
        }
    }

    if (rc == 0) {
        give_away(im, dirfd);
    }

    close(dirfd);
    return rc;
}
