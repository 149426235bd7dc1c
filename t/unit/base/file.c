/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Mapping what should be mapped, refusing the rest, replacing as a whole.
 */

#include "tcr_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"


static char       dir[] = "/tmp/tcr-file-XXXXXX";
static int        dirfd_;
static tcr_err_t  err;


static const char *
in_dir(const char *name)
{
    static char  path[128];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    return path;
}


/* Entries of the directory, "." and ".." left out. */
static int
entries(void)
{
    int             n = 0;
    DIR            *d = opendir(dir);
    struct dirent  *entry;

    while (d != NULL && (entry = readdir(d)) != NULL) {
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..");
    }

    closedir(d);
    return n;
}


static void
replace_and_map(void)
{
    struct stat  st;
    tcr_file_t   file, old;

    umask(077);
    is_int(tcr_file_replace(dirfd_, "a", "first", 5, 0644, &err), 0, "written");
    is_int(tcr_file_map(&old, in_dir("a"), 5, &err), 0, "mapped");
    ok(tcr_str_eq(old.text, TCR_STR("first")), "its text");

    stat(in_dir("a"), &st);
    is_int(st.st_mode & 07777, 0644, "mode as asked, whatever the umask");

    is_int(tcr_file_replace(dirfd_, "a", "second!", 7, 0640, &err), 0,
           "replaced");
    ok(tcr_str_eq(old.text, TCR_STR("first")), "the old map stays as it was");
    tcr_file_unmap(&old);
    ok(old.map == NULL, "unmapped");
    tcr_file_unmap(&old);

    is_int(tcr_file_map(&file, in_dir("a"), 6, &err), -1, "too large");
    ok(strstr(err.text, "/a\" has 7 bytes, at most 6 are allowed") != NULL,
       "%s", err.text);

    is_int(tcr_file_replace(dirfd_, "empty", NULL, 0, 0600, &err), 0, "empty");
    is_int(tcr_file_map(&file, in_dir("empty"), 0, &err), 0, "maps");
    ok(file.text.data != NULL && file.text.len == 0, "with a text of length 0");
    tcr_file_unmap(&file);

    is_int(entries(), 2, "no temporary file is left");
}


static void
refusals(void)
{
    tcr_file_t  file;

    is_int(tcr_file_map(&file, in_dir("none"), 9, &err), -1, "no such file");
    ok(strstr(err.text, "cannot open") != NULL
       && strstr(err.text, "No such file") != NULL, "%s", err.text);

    is_int(tcr_file_map(&file, dir, 9, &err), -1, "a directory");
    ok(strstr(err.text, "is not a regular file") != NULL, "%s", err.text);

    mkfifo(in_dir("fifo"), 0600);
    is_int(tcr_file_map(&file, in_dir("fifo"), 9, &err), -1, "a FIFO");
    ok(strstr(err.text, "is not a regular file") != NULL, "%s", err.text);
    unlink(in_dir("fifo"));

    symlink("a", in_dir("link"));
    is_int(tcr_file_map(&file, in_dir("link"), 9, &err), 0, "a link is fine");
    tcr_file_unmap(&file);
    unlink(in_dir("link"));

    mkdir(in_dir("sub"), 0700);
    is_int(tcr_file_replace(dirfd_, "sub", "x", 1, 0600, &err), -1,
           "cannot replace a directory");
    ok(strstr(err.text, "cannot rename") != NULL, "%s", err.text);
    rmdir(in_dir("sub"));

    is_int(tcr_file_replace(dirfd_, "no/such", "x", 1, 0600, &err), -1,
           "no such directory");
    ok(strstr(err.text, "cannot create") != NULL, "%s", err.text);

    is_int(entries(), 2, "failures leave nothing behind");
}


int
main(void)
{
    if (mkdtemp(dir) == NULL
        || (dirfd_ = open(dir, O_RDONLY | O_DIRECTORY)) == -1)
    {
        printf("Bail out! no directory\n");
        return 1;
    }

    replace_and_map();
    refusals();

    unlink(in_dir("a"));
    unlink(in_dir("empty"));
    close(dirfd_);
    is_int(rmdir(dir), 0, "clean");
    return done();
}
