/* SPDX-License-Identifier: Apache-2.0 */

/* Matching tables (spec/routing.md §1.1, §1.2; rule match-order). */

#include "small.h"
#include "tcr_regex.h"

#define HOST(regex)    "{\"match-type\":\"HOST\",\"regex\":\"" regex "\"}"
#define PATH(regex)    "{\"match-type\":\"PATH\",\"regex\":\"" regex "\"}"
#define HEADER(regex)                                                         \
    "{\"match-type\":\"HEADER\",\"regex\":\"" regex "\","                     \
    "\"target\":\"User-Agent\"}"

/* a service of any domain with these matchlists */
#define MATCHED(id, name, domain, sets)                                       \
    "\"" id "\":{\"coverageZoneOnly\":\"false\",\"routingName\":\"" name      \
    "\",\"domains\":[\"" domain "\"],\"matchsets\":[" sets "]}"

#define SET(list)  "{\"protocol\":\"HTTP\",\"matchlist\":[" list "]}"


static const tcr_img_matcher_t *
matcher(const compiled_t *t, uint32_t set, uint32_t i)
{
    const tcr_img_matcher_t   *m;
    const tcr_img_matchset_t  *sets;

    sets = tcr_image_vec(&t->img, &t->root->matching.matchsets);
    m = tcr_image_vec(&t->img, &t->root->matching.matchers);
    return &m[sets[set].first + i];
}


/*
 * Id of the service of an exact name, with a "-" behind it where it would hide
 * a matcher; "-" when there is none.
 */
static const char *
exact(const compiled_t *t, const char *name)
{
    static char               out[64];
    const tcr_img_exact_t    *e;
    const tcr_img_service_t  *s;

    e = find_named(t, &t->root->matching.exact_map, &t->root->matching.exact,
                   sizeof(*e), name);

    if (e == NULL) {
        return "-";
    }

    s = tcr_image_vec(&t->img, &t->root->services);
    snprintf(out, sizeof(out), "%s%s", text_of(t, s[e->service].id),
             e->hides ? "-" : "");
    return out;
}


/* "label:set,set label:set …" and "odd:set,set" */
static const char *
lists(const compiled_t *t)
{
    size_t                      len = 0;
    uint32_t                    i, k;
    static char                 out[1024];
    const uint32_t             *sets, *odd;
    const tcr_img_label_set_t  *l;
    const tcr_img_matching_t   *m = &t->root->matching;

    l = tcr_image_vec(&t->img, &m->label_sets);
    sets = tcr_image_vec(&t->img, &m->label_matchsets);
    odd = tcr_image_vec(&t->img, &m->odd);

    for (i = 0; i < m->label_sets.n; i++) {
        len += (size_t) snprintf(out + len, sizeof(out) - len, "%s:",
                                 text_of(t, l[i].label));

        for (k = 0; k < l[i].n; k++) {
            len += (size_t) snprintf(out + len, sizeof(out) - len, "%u ",
                                     sets[l[i].first + k]);
        }
    }

    len += (size_t) snprintf(out + len, sizeof(out) - len, "odd:");

    for (i = 0; i < m->odd.n; i++) {
        len += (size_t) snprintf(out + len, sizeof(out) - len, " %u", odd[i]);
    }

    return out;
}


/* Does the text, a pattern of PCRE2, match the host? */
static bool
text_matches(const compiled_t *t, const char *host)
{
    bool          yes;
    tcr_err_t     err;
    tcr_regex_t  *re;

    re = tcr_regex_compile(str_of(t, matcher(t, 0, 0)->text),
                           TCR_REGEX_WHOLE | TCR_REGEX_CASELESS, &err);
    yes = re != NULL && tcr_regex_match(re, tcr_str(host));
    tcr_regex_free(re);
    return yes;
}


static void
shapes(void)
{
    size_t      i;
    parts_t     p = { 0 };
    compiled_t  t;

    static const struct {
        const char   *json;       /* pattern as written in JSON              */
        tcr_match_e   kind;
        const char   *text;       /* REGEX: a host that matches              */
        const char   *other;      /* REGEX: one that does not                */
    } table[] = {
        { ".*\\\\.vod\\\\..*", TCR_MATCH_HOST_LABELS, "vod", NULL },
        { ".*\\\\.VoD-1_x\\\\..*", TCR_MATCH_HOST_LABELS, "vod-1_x", NULL },
        { ".*\\\\.a\\\\.b\\\\..*", TCR_MATCH_HOST_LABELS, "a.b", NULL },
        { ".*\\\\.a\\\\-b\\\\..*", TCR_MATCH_HOST_LABELS, "a-b", NULL },
        { ".*\\\\.a.b\\\\..*", TCR_MATCH_HOST_REGEX, "axb.net", "a.net" },
        { ".*\\\\.a+\\\\..*", TCR_MATCH_HOST_REGEX, "x.aa.net", "aab.net" },
        { ".*\\\\.vod\\\\.example\\\\.net", TCR_MATCH_HOST_REGEX,
          "vod.example.net", "avod.example.net" },
        { "WWW\\\\.example\\\\.org", TCR_MATCH_HOST_LITERAL,
          "www.example.org", NULL },
        { "www\\\\.a\\\\-b\\\\.net", TCR_MATCH_HOST_LITERAL, "www.a-b.net",
          NULL },
        { "www.example.org", TCR_MATCH_HOST_REGEX, "wwwxexample.org",
          "ww.example.org" },
        { ".*", TCR_MATCH_HOST_REGEX, "anything", "two\nlines" },
        { "vod\\\\..*", TCR_MATCH_HOST_REGEX, "vod.net", "x.vod.net" }
    };

    for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char  services[512];

        snprintf(services, sizeof(services),
                 MATCHED("s", "www", "s.cdn.example.net", SET(HOST("%s"))),
                 table[i].json);
        p.services = services;
        compile_small(&t, &p, NULL);

        is_int(matcher(&t, 0, 0)->kind, table[i].kind, "kind of %s",
               table[i].json);

        if (table[i].other == NULL) {
            is_str(text_of(&t, matcher(&t, 0, 0)->text), table[i].text,
                   "text of %s", table[i].json);

        } else {
            ok(text_matches(&t, table[i].text), "%s matches", table[i].json);
            ok(!text_matches(&t, table[i].other), "%s does not match all",
               table[i].json);
        }

        compiled_free(&t);
    }
}


/* Only the first matcher of the first matchset, only where it is on. */
static void
superhack(void)
{
    compiled_t  t;
    parts_t     p = { .services =
        MATCHED("s", "www", "s.cdn.example.net",
                SET(HOST(".*\\\\.a\\\\..*") "," HOST(".*\\\\.b\\\\..*")) ","
                SET(HOST(".*\\\\.c\\\\..*"))) ","
        MATCHED("h", "www", "h.cdn.example.net",
                SET(HEADER("x") "," HOST(".*\\\\.d\\\\..*"))) };

    compile_small(&t, &p, NULL);
    is_int(matcher(&t, 0, 0)->flags, TCR_MATCHER_AT_START, "first of first");
    is_int(matcher(&t, 0, 1)->flags, 0, "second of first");
    is_int(matcher(&t, 1, 0)->flags, 0, "first of second");
    is_int(matcher(&t, 2, 1)->flags, 0, "behind a header matcher");
    compiled_free(&t);

    p.config = ",\"confighandler.regex.superhack.enabled\":\"false\"";
    compile_small(&t, &p, NULL);
    is_int(matcher(&t, 0, 0)->flags, 0, "switched off");
    compiled_free(&t);
}


static void
look_up(void)
{
    compiled_t  t;
    parts_t     p = { .services =
        MATCHED("a", "www", "a.cdn.example.net",
                SET(HOST(".*\\\\.x\\\\..*")) "," SET("") ","
                SET(HOST("y\\\\.example\\\\.org"))) ","
        MATCHED("b", "www", "b.cdn.example.net",
                SET(PATH("/v/.*")) ","
                SET(PATH("/w/.*") "," HOST(".*\\\\.x\\\\.z\\\\..*"))) ","
        MATCHED("c", "www", "c.cdn.example.net",
                SET(HOST(".*\\\\.z\\\\..*"))) };

    compile_small(&t, &p, NULL);
    is_int(t.root->matching.matchsets.n, 5, "an empty matchlist is left out");
    is_str(lists(&t), "x:0 3 z:4 odd: 1 2",
           "sets under their first label, the others odd");
    is_int(t.root->n_regexes, 2, "patterns that need PCRE2: paths only");
    compiled_free(&t);
}


static void
exact_names(void)
{
    compiled_t  t;
    parts_t     p = { .services =
        MATCHED("a", "www", "same.cdn.example.net",
                SET(HOST(".*\\\\.same\\\\..*"))) ","
        MATCHED("b", "WWW", "Same.cdn.example.net",
                SET(HOST(".*\\\\.same\\\\..*"))) ","
        MATCHED("c", "web", "pathy.cdn.example.net",
                SET(HOST(".*\\\\.pathy\\\\..*"))) ","
        MATCHED("d", "vid", "pathy.cdn.example.net",
                SET(HOST(".*\\\\.pathy\\\\..*") "," PATH("/v/.*"))) ","
        MATCHED("e", "www", "odd.example.org",
                SET(HOST("www\\\\.(odd|even)\\\\.example\\\\.org") ","
                    HEADER(".*"))) ","
        MATCHED("f", "www", "even.example.org",
                SET(HOST("www\\\\.even\\\\.example\\\\.org"))) };

    compile_small(&t, &p, NULL);
    is_str(exact(&t, "www.same.cdn.example.net"), "b",
           "of equal names the last service's");
    is_str(exact(&t, "_.same.cdn.example.net"), "b", "_ \".\" domain");
    is_str(exact(&t, "web.pathy.cdn.example.net"), "c-",
           "marked where a path matcher waits");
    is_str(exact(&t, "vid.pathy.cdn.example.net"), "d-",
           "and for the service with the path");
    is_str(exact(&t, "www.even.example.org"), "f-",
           "and where a header matcher waits, whatever the pattern's shape");
    is_str(exact(&t, "_.even.example.org"), "f",
           "but where its host does not match");
    compiled_free(&t);

    p.services = MATCHED("a", "www", "a.cdn.example.net",
                         SET(HOST(".*\\\\.a\\\\..*"))) ","
                 MATCHED("b", "www", "b.cdn.example.net", SET(PATH("/b.*")));
    compile_small(&t, &p, NULL);
    is_str(exact(&t, "www.a.cdn.example.net"), "a-",
           "a path matcher for every host marks every name");
    compiled_free(&t);
}


int
main(void)
{
    shapes();
    superhack();
    look_up();
    exact_names();
    return done();
}
