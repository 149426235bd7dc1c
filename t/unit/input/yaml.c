/* SPDX-License-Identifier: Apache-2.0 */

/*
 * YAML trees: positions, paths, merging, and everything that is refused.
 */

#include "tcr_yaml.h"

#include <stdlib.h>

#include "tap.h"


static tcr_arena_t   *arena;
static tcr_report_t   report;


static tcr_yaml_t *
parse_as(const char *file, const char *text)
{
    tcr_yaml_t  *root;

    return tcr_yaml_parse(&root, arena, file, tcr_str(text), &report) == 0
           ? root : NULL;
}


static tcr_yaml_t *
parse(const char *text)
{
    tcr_report_init(&report, arena, 0);
    return parse_as("f.yaml", text);
}


static const char *
first_problem(void)
{
    return report.first != NULL ? report.first->text : NULL;
}


static void
tree(void)
{
    char               path[TCR_YAML_PATH];
    const tcr_yaml_t  *root, *node;

    root = parse("# comment\n"
                 "a: one\n"
                 "list:\n"
                 "  - x\n"
                 "  - {k: \"v\", e: }\n"
                 "n: ~\n"
                 "q: \"null\"\n");

    ok(root != NULL && root->type == TCR_YAML_MAPPING, "a mapping");
    is_int(root->n, 4, "of four members");
    ok(root->pos.line == 2 && root->pos.column == 1, "which begins at 2:1");

    node = tcr_yaml_get(root, "a");
    is_str(node->text.data, "one", "text of a scalar");
    ok(node->pos.line == 2 && node->pos.column == 4, "and its place");
    ok(node->key->pos.line == 2 && node->key->pos.column == 1,
       "and that of its name");

    node = tcr_yaml_get(root, "list");
    is_int(node->n, 2, "a list of two");
    tcr_yaml_path(node->first, path);
    is_str(path, "list[0]", "path of an element");

    node = tcr_yaml_get(node->last, "k");
    tcr_yaml_path(node, path);
    is_str(path, "list[1].k", "path of a member of an element");
    ok(node->pos.line == 5 && node->pos.column == 9, "at 5:9");
    ok(!node->plain, "it is quoted");

    ok(tcr_yaml_is_null(tcr_yaml_get(root, "n")), "~ is nothing");
    ok(!tcr_yaml_is_null(tcr_yaml_get(root, "q")), "\"null\" is text");
    ok(tcr_yaml_is_null(tcr_yaml_get(tcr_yaml_get(root, "list")->last, "e")),
       "no value is nothing");
    ok(tcr_yaml_get(root, "no") == NULL && tcr_yaml_get(NULL, "no") == NULL,
       "no such member");
    is_int(report.count[TCR_REPORT_ERROR], 0, "no errors");

    tcr_yaml_path(root, path);
    is_str(path, "", "the root has no path");

    root = parse("");
    ok(root != NULL && tcr_yaml_is_null(root), "an empty file is nothing");
    is_int(root->pos.line, 1, "in line 1");
}


static void
columns(void)
{
    const tcr_yaml_t  *node;

    node = tcr_yaml_get(parse("{\"\xc3\xa4\xc3\xa4\": 1, b: 2}"), "b");
    is_int(node->pos.column, 14, "columns count characters");
}


/* text, what the first problem must be, is a tree left */
static const struct {
    const char  *text;
    const char  *problem;
    bool         tree;
} bad[] = {
    { "a: 1\nb: 2\na: 3\n",
      "f.yaml:3:1: a: given twice, first at f.yaml:1:1", true },
    { "m:\n  x: {k: 1, k: 2}\n",
      "f.yaml:2:13: m.x.k: given twice, first at f.yaml:2:7", true },
    { "a: &x 1\n",
      "f.yaml:1:4: anchor \"x\" is not understood here, write the value "
      "itself", true },
    { "a: *x\n",
      "f.yaml:1:4: alias \"x\" is not understood here, write the value itself",
      true },
    { "a: !!int 3\n",
      "f.yaml:1:4: tag \"tag:yaml.org,2002:int\" is not understood here, "
      "write the value itself", true },
    { "? [a]\n: 1\n", "f.yaml:1:3: a key must be text", false },
    { "a: 1\n---\nb: 2\n",
      "f.yaml:2:1: a second document begins, expected one per file", true },
    { "a: [1, 2\n",
      "f.yaml:2:1: while parsing a flow sequence: did not find expected "
      "',' or ']'", false },
    { "a: 1\n\tb: 2\n",
      "f.yaml:2:1: while scanning a plain scalar: found a tab character that "
      "violates indentation", false },
    { "a: \xff\n", "f.yaml:1:4: invalid leading UTF-8 octet", false },
    { "a: 1\nbb: \x01\n", "f.yaml:2:5: control characters are not allowed",
      false },
};


static void
refused(void)
{
    size_t             i;
    const tcr_yaml_t  *root;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        root = parse(bad[i].text);
        is_str(first_problem(), bad[i].problem, "%s", bad[i].problem);
        is_int(root != NULL, bad[i].tree, "a tree is left or not");
        is_int(report.count[TCR_REPORT_ERROR], 1, "one error");
    }

    parse("a: *x\nb: &y 2\nc: 1\nc: 2\n");
    is_int(report.count[TCR_REPORT_ERROR], 3, "all errors of a file");
}


static void
depth(void)
{
    int   i;
    char  text[3 * TCR_YAML_DEPTH + 4] = "";

    for (i = 0; i < TCR_YAML_DEPTH; i++) {
        text[i] = '[';
        text[2 * TCR_YAML_DEPTH - 1 - i] = ']';
    }

    ok(parse(text) != NULL, "%d levels", TCR_YAML_DEPTH);

    memset(text, '[', TCR_YAML_DEPTH + 1);
    ok(parse(text) == NULL && strstr(first_problem(), "nested deeper than 64"),
       "one more");
}


static void
merge(void)
{
    tcr_yaml_t  *into, *from, *third;

    into = parse("s: 1\nm: {a: 1}\n");
    from = parse_as("g.yaml", "m: {b: 2}\nt: 3\n");
    is_int(tcr_yaml_merge(into, from, &report), 0, "merged");
    is_int(report.count[TCR_REPORT_ERROR], 0, "without errors");
    is_int(into->n, 3, "three members");
    is_int(tcr_yaml_get(into, "m")->n, 2, "the mapping has both");
    ok(tcr_yaml_get(tcr_yaml_get(into, "m"), "b") != NULL, "the new one too");

    third = parse_as("h.yaml", "m: {a: 9}\nt: 4\n");
    is_int(tcr_yaml_merge(into, third, &report), 0, "merged again");
    is_str(first_problem(), "h.yaml:1:5: m.a: given twice, first at "
           "f.yaml:2:5", "a member of a mapping given twice");
    is_str(report.last->text, "h.yaml:2:1: t: given twice, first at "
           "g.yaml:2:1", "a value given twice");
    is_int(report.count[TCR_REPORT_ERROR], 2, "no other error");
}


int
main(void)
{
    arena = tcr_arena_create(0);

    tree();
    columns();
    refused();
    depth();
    merge();

    tcr_arena_destroy(arena);
    return done();
}
