/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Last good copies: replaced as a whole, the one before kept, dry runs
 * without a trace; and the lock beside them.
 */

#include "tcf_store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tcf_lock.h"
#include "tcr_clock.h"
#include "tap.h"


static tcr_err_t  err;
static char       dir[] = "/tmp/tcf-store-XXXXXX";


static const char *
in_dir(const char *name)
{
    static char  path[128];

    snprintf(path, sizeof(path), "%s/state/%s", dir, name);
    return path;
}


/* The copy's text, or "-". */
static const char *
text(const tcf_store_t *store, const char *name, bool older)
{
    bool         missing;
    tcr_file_t   file;
    static char  copy[64];

    if (tcf_store_map(store, name, older, &file, &missing, &err) != 0) {
        return missing ? "-" : err.text;
    }

    snprintf(copy, sizeof(copy), "%.*s", TCR_STR_ARG(file.text));
    tcr_file_unmap(&file);
    return copy;
}


static void
put(const tcf_store_t *store, const char *name, const char *value,
    unsigned mode)
{
    is_int(tcf_store_put(store, name, value, strlen(value), mode, &err), 0,
           "%s becomes \"%s\"", name, value);
}


static void
copies(const char *path)
{
    struct stat  st;
    tcf_store_t  store;

    is_int(tcf_store_open(&store, path, &err), 0, "a directory is made");
    is_str(text(&store, "a.json", false), "-", "there is no copy");

    put(&store, "a.json", "one", 0600);
    is_str(text(&store, "a.json", false), "one", "a copy");
    is_str(text(&store, "a.json", true), "-", "no older one");
    stat(in_dir("a.json"), &st);
    is_int(st.st_mode & 0777, 0600, "its mode");

    put(&store, "a.json", "two", 0644);
    is_str(text(&store, "a.json", true), "one", "the one before");
    put(&store, "a.json", "three", 0644);
    is_str(text(&store, "a.json", true), "two", "is replaced too");

    ok(tcf_store_same(&store, "a.json", "three", 5), "the same bytes");
    ok(!tcf_store_same(&store, "a.json", "thre", 4), "fewer");
    ok(!tcf_store_same(&store, "a.json", "threa", 5), "others");
    ok(!tcf_store_same(&store, "b.json", "", 0), "no copy");

    put(&store, ".a.json.1.0", "left", 0644);
    put(&store, ".b.json.1.0", "not ours", 0644);
    tcf_store_clean(&store, "a.json");
    is_str(text(&store, ".a.json.1.0", false), "-", "what a killed one left");
    is_str(text(&store, ".b.json.1.0", false), "not ours", "goes, others stay");
    is_str(text(&store, "a.json", false), "three", "and so does the copy");

    unlink(in_dir(".b.json.1.0"));
    tcf_store_close(&store);
}


static void
dry(const char *path)
{
    char         own[64];
    tcf_store_t  store;

    is_int(tcf_store_open_dry(&store, path, &err), 0, "a dry run");
    snprintf(own, sizeof(own), "%s", store.path);
    is_str(text(&store, "a.json", false), "three", "sees the copies");
    put(&store, "a.json", "four", 0644);
    is_str(text(&store, "a.json", false), "four", "and its own");
    tcf_store_close(&store);
    is_int(access(own, F_OK), -1, "which are gone when it ends");

    is_int(tcf_store_open(&store, path, &err), 0, "the directory");
    is_str(text(&store, "a.json", false), "three", "is as it was");
    tcf_store_close(&store);
}


static void
locks(const char *path)
{
    int         fd = open(path, O_RDONLY | O_DIRECTORY);
    int64_t     start;
    tcf_lock_t  a, b, c;

    is_int(tcf_lock_open(&a, fd, &err) + tcf_lock_open(&b, fd, &err)
           + tcf_lock_open(&c, fd, &err), 0, "three open the lock");
    is_int(tcf_lock_try(&a), 1, "the first has it");
    is_int(tcf_lock_try(&b), 0, "the second has not");
    ok(!tcf_lock_wanted(&a), "nobody waits");

    start = tcr_ticks_ms();
    is_int(tcf_lock_wait(&b, 100, -1), 0, "waited in vain");
    ok(tcr_ticks_ms() - start >= 100, "as long as it should");
    ok(!tcf_lock_wanted(&a), "nobody waits any longer");

    tcf_lock_close(&a);
    is_int(tcf_lock_wait(&b, 1000, -1), 1, "the first leaves");
    is_int(tcf_lock_try(&c), 0, "the third has not");
    tcf_lock_close(&b);
    is_int(tcf_lock_try(&c), 1, "until the second leaves");
    tcf_lock_close(&c);
    close(fd);
}


int
main(void)
{
    char  path[64];

    if (mkdtemp(dir) == NULL) {
        printf("Bail out! no temporary directory\n");
        return 1;
    }

    snprintf(path, sizeof(path), "%s/state", dir);
    copies(path);
    dry(path);
    locks(path);

    unlink(in_dir("a.json"));
    unlink(in_dir("a.json.1"));
    unlink(in_dir("fetch.lock"));
    rmdir(path);
    rmdir(dir);

    return done();
}
