/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The part of tcrouter status that tcr-fetch wrote down in status.json: its
 * sources, who is asked, what was refused.
 */

#include "tcr_tool_status.h"

#include <inttypes.h>
#include <stdio.h>

#include "tcr_clock.h"
#include "tcr_file.h"
#include "tcr_json.h"

#define STATUS_MAX  (4u * 1024 * 1024)
#define TEXT_MAX    32
#define NAME_WIDTH  20
#define HASH_SHOWN  8


typedef struct {
    const tcr_json_t  *root;
    int64_t            now;
    bool               all;       /* every problem and event                 */
} page_t;


/* What others wrote must not move the cursor. */
static void
print_text(tcr_str_t text)
{
    size_t         i;
    unsigned char  c;

    for (i = 0; i < text.len; i++) {
        c = (unsigned char) text.data[i];

        if (c < 0x20 || c == 0x7f) {
            printf("\\x%02x", c);

        } else {
            putchar(c);
        }
    }
}


static void
print_name(tcr_str_t name)
{
    print_text(name);
    printf("%*s", name.len < NAME_WIDTH ? (int) (NAME_WIDTH - name.len) : 0,
           "");
}


static tcr_str_t
text_of(const tcr_json_t *object, const char *name)
{
    return tcr_json_str(tcr_json_get(object, name), TCR_STR(""));
}


static int64_t
number_of(const tcr_json_t *object, const char *name)
{
    return tcr_json_long(tcr_json_get(object, name), 0);
}


/* "45 s", "12 min", "3 h", "9 d" */
static void
show_span(int64_t ms, char *text, size_t size)
{
    size_t   i;
    int64_t  s = ms / 1000;

    static const struct {
        int64_t      least, unit;
        const char  *name;
    } units[] = {
        { 172800, 86400, "d" }, { 7200, 3600, "h" }, { 120, 60, "min" },
        { INT64_MIN, 1, "s" }
    };

    for (i = 0; s < units[i].least; i++) {
        continue;
    }

    snprintf(text, size, "%" PRId64 " %s", s / units[i].unit,
             units[i].name);
}


static void
show_size(int64_t bytes, char text[TEXT_MAX])
{
    if (bytes == 0) {
        snprintf(text, TEXT_MAX, "-");

    } else if (bytes < 10240) {
        snprintf(text, TEXT_MAX, "%" PRId64 " B", bytes);

    } else if (bytes < 10 * 1048576) {
        snprintf(text, TEXT_MAX, "%" PRId64 " KiB", bytes / 1024);

    } else {
        snprintf(text, TEXT_MAX, "%" PRId64 " MiB", bytes / 1048576);
    }
}


static void
show_due(const page_t *page, int64_t due, char text[TEXT_MAX])
{
    char  span[TEXT_MAX - 3];

    if (due == 0) {
        snprintf(text, TEXT_MAX, "-");

    } else if (due <= page->now) {
        snprintf(text, TEXT_MAX, "now");

    } else {
        show_span(due - page->now, span, sizeof(span));
        snprintf(text, TEXT_MAX, "in %s", span);
    }
}


/* --- sources --- */

static void
print_problems(const page_t *page, const tcr_json_t *object)
{
    int64_t            n = number_of(object, "problem_count"), shown = 0;
    const tcr_json_t  *text;

    if (n == 0) {
        return;
    }

    for (text = tcr_json_first(tcr_json_get(object, "problems"));
         text != NULL && (page->all || shown == 0); text = text->next)
    {
        printf("    ");
        print_text(tcr_json_str(text, TCR_STR("")));
        printf("\n");
        shown++;
    }

    if (n > shown) {
        printf("    %" PRId64 " more problems\n", n - shown);
    }
}


static void
print_error(const page_t *page, const tcr_json_t *source)
{
    char     span[TEXT_MAX];
    int64_t  last = number_of(source, "last_error");
    int64_t  n = number_of(source, "failures");

    if (last == 0) {
        return;
    }

    show_span(page->now - last, span, sizeof(span));

    if (n > 1) {
        printf("    failed %" PRId64 " times in a row, the last %s ago: ", n,
               span);

    } else {
        printf("    failed %s ago: ", span);
    }

    print_text(text_of(source, "error"));
    printf("\n");
}


static void
print_source(const page_t *page, const tcr_json_t *source)
{
    char       ok[TEXT_MAX] = "-", age[TEXT_MAX] = "-", size[TEXT_MAX];
    char       due[TEXT_MAX];
    int64_t    last = number_of(source, "last_ok");
    int64_t    since = number_of(source, "since");
    tcr_str_t  hash = text_of(source, "sha256");

    if (last != 0) {
        show_span(page->now - last, ok, sizeof(ok));
    }

    if (since != 0) {
        show_span(page->now - since, age, sizeof(age));
    }

    show_size(number_of(source, "size"), size);
    show_due(page, number_of(source, "next_due"), due);
    print_name(tcr_json_name(source));
    printf(" %8s %8s %9s %9s  ", ok, due, age, size);
    hash.len = hash.len < HASH_SHOWN ? hash.len : HASH_SHOWN;
    print_text(hash);
    printf("%*s", (int) (HASH_SHOWN - hash.len) + 2, "");
    print_text(text_of(source, "from"));
    printf("\n");
    print_error(page, source);
    print_problems(page, source);
}


static void
print_sources(const page_t *page)
{
    const tcr_json_t  *source;

    printf("\n%-20s %8s %8s %9s %9s  %-8s  %s\n", "source", "answered", "due",
           "changed", "size", "hash", "from");

    for (source = tcr_json_first(tcr_json_get(page->root, "sources"));
         source != NULL; source = source->next)
    {
        if (tcr_json_bool(tcr_json_get(source, "in_use"), false)) {
            print_source(page, source);
        }
    }
}


/* --- images --- */

static void
print_images(const page_t *page)
{
    char               age[TEXT_MAX], size[TEXT_MAX];
    const tcr_json_t  *image;

    printf("\n%-20s %8s %18s %9s\n", "image", "number", "published", "size");

    for (image = tcr_json_first(tcr_json_get(page->root, "images"));
         image != NULL; image = image->next)
    {
        show_span(page->now - number_of(image, "published"), age, sizeof(age));
        show_size(number_of(image, "size"), size);
        print_name(tcr_json_name(image));
        printf(" %8" PRId64 " %14s ago %9s\n", number_of(image, "number"),
               age, size);
        print_problems(page, image);
    }
}


static void
print_gaps(const page_t *page)
{
    int64_t            n = 0;
    const tcr_json_t  *id, *gaps = tcr_json_get(page->root,
                                                "certificate_gaps");

    if (tcr_json_first(gaps) == NULL) {
        return;
    }

    printf("\nno certificate for");

    for (id = tcr_json_first(gaps); id != NULL; id = id->next) {

        if (n++ < 10 || page->all) {
            printf(" ");
            print_text(tcr_json_str(id, TCR_STR("")));
        }
    }

    n = number_of(page->root, "certificate_gap_count")
        - (page->all || n < 10 ? n : 10);

    if (n > 0) {
        printf(" and %" PRId64 " more", n);
    }

    printf("\n");
}


/* --- who is asked --- */

static void
print_monitors(const page_t *page)
{
    int                n = 0, over = 0;
    const tcr_json_t  *one;

    for (one = tcr_json_first(tcr_json_get(page->root, "monitors"));
         one != NULL; one = one->next)
    {
        n++;
        over += tcr_json_bool(tcr_json_get(one, "passed_over"), false);
    }

    if (n != 0) {
        printf("%-12s ", "monitor");
        print_text(text_of(page->root, "monitor"));
        printf(" answered last, %d of %d are passed over\n", over, n);
    }
}


static void
print_ops(const page_t *page)
{
    tcr_str_t          error;
    const tcr_json_t  *ops = tcr_json_get(page->root, "traffic_ops");
    tcr_str_t          origin = text_of(ops, "origin");

    if (origin.len == 0) {
        return;
    }

    error = text_of(ops, "error");
    printf("%-12s ", "traffic ops");
    print_text(origin);
    printf(", %s", tcr_json_bool(tcr_json_get(ops, "logged_in"), false)
                   ? "logged in" : "not logged in");

    if (error.len != 0) {
        printf(": ");
        print_text(error);
    }

    printf("\n");
}


static void
print_event(const page_t *page, const char *what, const tcr_json_t *event)
{
    char     span[TEXT_MAX];
    int64_t  time = number_of(event, "time");

    if (time == 0) {
        return;
    }

    show_span(page->now - time, span, sizeof(span));
    printf("%-12s %s ago: ", what, span);
    print_text(text_of(event, "text"));
    printf("\n");
}


static void
print_events(const page_t *page)
{
    const tcr_json_t  *event;

    if (!page->all) {
        return;
    }

    printf("\n");

    for (event = tcr_json_first(tcr_json_get(page->root, "events"));
         event != NULL; event = event->next)
    {
        print_event(page, "event", event);
    }
}


static void
print_page(const page_t *page)
{
    char     span[TEXT_MAX];
    int64_t  written = number_of(page->root, "written");

    show_span(page->now - written, span, sizeof(span));
    printf("%-12s wrote this %s ago\n", "tcr-fetch", span);
    print_monitors(page);
    print_ops(page);
    print_event(page, "rejection", tcr_json_get(page->root, "rejection"));
    print_sources(page);
    print_images(page);
    print_gaps(page);
    print_events(page);
}


void
tcr_tool_status_fetch(const char *images, const char *state, bool all)
{
    bool          found = true;
    char          path[4096];
    page_t        page = { NULL, tcr_now_ms(), all };
    tcr_err_t     err = { "no memory" };
    tcr_file_t    file;
    tcr_arena_t  *arena;
    tcr_json_doc_t  doc;

    /* it is beside the images while the state directory is full */
    snprintf(path, sizeof(path), "%s/status.json", images);

    if (tcr_file_map(&file, path, STATUS_MAX, NULL) != 0) {
        snprintf(path, sizeof(path), "%s/status.json", state);
        found = tcr_file_map(&file, path, STATUS_MAX, &err) == 0;
    }

    if (!found) {
        printf("%-12s not known: %s\n", "sources", err.text);
        return;
    }

    arena = tcr_arena_create(0);

    if (arena != NULL
        && tcr_json_parse(&doc, arena, path, file.text, &err) == 0)
    {
        page.root = doc.root;
        print_page(&page);

    } else {
        printf("%-12s not known: %s\n", "sources", err.text);
    }

    tcr_arena_destroy(arena);
    tcr_file_unmap(&file);
}
