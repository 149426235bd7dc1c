/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a fuzz target as a plain TAP program: one test per input, the inputs
 * being the files named on the command line or else all files of the
 * target's corpus, t/fuzz/corpus/NAME/, and of PROGRAM.seeds/, which the
 * Makefile makes.  A target shows a broken promise by
 * abort(), so a test that prints its line has passed.  libFuzzer brings its
 * own main() and does not link this file.
 */

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run_file(const char *path);
static int only_files(const struct dirent *entry);
static void run_dir(const char *dir);
static void run_corpus(const char *program);


static int  inputs;


/* A copy of exactly the input's size lets sanitizers see any overrun. */

static void
run_file(const char *path)
{
    FILE     *f;
    long      size;
    uint8_t  *data;

    f = fopen(path, "rb");

    if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
        printf("Bail out! cannot read \"%s\": %s\n", path, strerror(errno));
        exit(1);
    }

    rewind(f);
    data = malloc(size ? (size_t) size : 1);

    if (data == NULL || fread(data, 1, (size_t) size, f) != (size_t) size) {
        printf("Bail out! cannot read \"%s\"\n", path);
        exit(1);
    }

    fclose(f);
    LLVMFuzzerTestOneInput(data, (size_t) size);
    free(data);

    printf("ok %d - %s\n", ++inputs, path);
    fflush(stdout);
}


static int
only_files(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}


static void
run_dir(const char *dir)
{
    int              i, n;
    char             path[PATH_MAX];
    struct dirent  **entries;

    n = scandir(dir, &entries, only_files, alphasort);

    for (i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, entries[i]->d_name);
        run_file(path);
        free(entries[i]);
    }

    if (n >= 0) {
        free(entries);
    }
}


static void
run_corpus(const char *program)
{
    char         dir[PATH_MAX / 2];
    const char  *name = strrchr(program, '/');

    snprintf(dir, sizeof(dir), "t/fuzz/corpus/%s",
             name ? name + 1 : program);
    run_dir(dir);
    snprintf(dir, sizeof(dir), "%s.seeds", program);
    run_dir(dir);

    if (inputs == 0) {
        printf("not ok 1 - inputs in \"t/fuzz/corpus\" or \"%s\"\n", dir);
        inputs = 1;
    }
}


int
main(int argc, char **argv)
{
    int  i;

    for (i = 1; i < argc; i++) {
        run_file(argv[i]);
    }

    if (argc == 1) {
        run_corpus(argv[0]);
    }

    printf("1..%d\n", inputs);

    return 0;
}
