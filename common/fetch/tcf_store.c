/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Copies by name, mapped and replaced.
 */

#include "tcf_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_MAX  (UINT64_C(8) << 30)   /* sizes were checked on the way in  */
#define NAME_SIZE  64


/* Who may write here decides which keys and which snapshot serve. */
static int
open_dir(tcf_store_t *store, tcr_err_t *err)
{
    struct stat  st = { .st_mode = 0 };

    store->dirfd = open(store->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (store->dirfd == -1) {
        return tcr_err_set(err, "cannot open the state directory \"%s\": %s",
                           store->path, strerror(errno));
    }

    if (fstat(store->dirfd, &st) != 0 || (st.st_mode & S_IWOTH) != 0) {
        close(store->dirfd);
        store->dirfd = -1;
        return tcr_err_set(err, "state directory \"%s\" has mode %04o, others "
                           "must not be able to write to it", store->path,
                           (unsigned) st.st_mode & 07777);
    }

    return 0;
}


int
tcf_store_open(tcf_store_t *store, const char *path, tcr_err_t *err)
{
    memset(store, 0, sizeof(*store));
    store->path = path;
    store->dirfd = -1;

    if (mkdir(path, 0755) != 0 && errno != EEXIST) {
        return tcr_err_set(err, "cannot make the state directory \"%s\": %s",
                           path, strerror(errno));
    }

    return open_dir(store, err);
}


int
tcf_store_open_dry(tcf_store_t *store, const char *path, tcr_err_t *err)
{
    memset(store, 0, sizeof(*store));
    store->dirfd = -1;
    store->lower = path;
    snprintf(store->own, sizeof(store->own), "/tmp/tcr-fetch-XXXXXX");

    if (mkdtemp(store->own) == NULL) {
        store->own[0] = '\0';
        return tcr_err_set(err, "cannot make a temporary directory: %s",
                           strerror(errno));
    }

    store->path = store->own;
    return open_dir(store, err);
}


static void
remove_own(const tcf_store_t *store)
{
    DIR            *dir;
    struct dirent  *entry;

    dir = opendir(store->own);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        unlinkat(store->dirfd, entry->d_name, 0);
    }

    if (dir != NULL) {
        closedir(dir);
    }

    rmdir(store->own);
}


void
tcf_store_close(tcf_store_t *store)
{
    if (store->dirfd == -1) {
        return;
    }

    if (store->own[0] != '\0') {
        remove_own(store);
    }

    close(store->dirfd);
    store->dirfd = -1;
}


void
tcf_store_clean(const tcf_store_t *store, const char *name)
{
    char            temp[NAME_SIZE];
    DIR            *dir;
    struct dirent  *entry;

    snprintf(temp, sizeof(temp), ".%s.", name);
    dir = opendir(store->path);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {

        if (strncmp(entry->d_name, temp, strlen(temp)) == 0) {
            unlinkat(store->dirfd, entry->d_name, 0);
        }
    }

    if (dir != NULL) {
        closedir(dir);
    }
}


void
tcf_store_path(const tcf_store_t *store, const char *name, bool older,
    char *path, size_t size)
{
    const char  *suffix = older ? TCF_OLDER : "";

    snprintf(path, size, "%s/%s%s", store->path, name, suffix);

    if (store->lower != NULL && access(path, F_OK) != 0) {
        snprintf(path, size, "%s/%s%s", store->lower, name, suffix);
    }
}


bool
tcf_store_is_own(const tcf_store_t *store, const char *path)
{
    return store->own[0] != '\0'
           && strncmp(path, store->own, strlen(store->own)) == 0;
}


int
tcf_store_map(const tcf_store_t *store, const char *name, bool older,
    tcr_file_t *file, bool *missing, tcr_err_t *err)
{
    char  path[PATH_MAX];

    tcf_store_path(store, name, older, path, sizeof(path));
    *missing = access(path, F_OK) != 0 && errno == ENOENT;

    return tcr_file_map(file, path, COPY_MAX, err);
}


bool
tcf_store_same(const tcf_store_t *store, const char *name, const void *data,
    size_t len)
{
    bool        same, missing;
    tcr_file_t  file;

    if (tcf_store_map(store, name, false, &file, &missing, NULL) != 0) {
        return false;
    }

    same = file.text.len == len && memcmp(file.text.data, data, len) == 0;
    tcr_file_unmap(&file);

    return same;
}


/*
 * A second name for what is about to be replaced; there is a copy of the
 * first name all the time.
 */
static void
keep_older(const tcf_store_t *store, const char *name)
{
    char  link[NAME_SIZE], older[NAME_SIZE];

    snprintf(link, sizeof(link), ".%s.link", name);
    snprintf(older, sizeof(older), "%s" TCF_OLDER, name);
    unlinkat(store->dirfd, link, 0);

    if (linkat(store->dirfd, name, store->dirfd, link, 0) == 0) {
        renameat(store->dirfd, link, store->dirfd, older);

        /* both were names of one file already */
        unlinkat(store->dirfd, link, 0);
    }
}


int
tcf_store_put(const tcf_store_t *store, const char *name, const void *data,
    size_t len, unsigned mode, tcr_err_t *err)
{
    keep_older(store, name);

    return tcr_file_replace(store->dirfd, name, data, len, mode, err);
}
