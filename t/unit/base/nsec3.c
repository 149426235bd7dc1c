/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hashed owner names against the published ones of RFC 5155, appendix A
 * (salt AABBCCDD, 12 iterations), and against those of ldns (none of both).
 */

#include "tcr_nsec3.h"

#include "tap.h"


typedef struct {
    const char  *name;
    const char  *text;
} hashed_t;


static const hashed_t  published[] = {
    { "example", "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom" },
    { "a.example", "35mthgpgcu1qg68fab165klnsnk3dpvl" },
    { "ai.example", "gjeqe526plbf1g8mklp59enfd789njgi" },
    { "ns1.example", "2t7b4g4vsa5smi47k61mv5bv1a22bojr" },
    { "ns2.example", "q04jkcevqvmu85r014c7dkba38o0ji5r" },
    { "w.example", "k8udemvp1j2f7eg6jebps17vp3n8i58h" },
    { "*.w.example", "r53bq7cc2uvmubfu5ocmm6pers9tk9en" },
    { "x.w.example", "b4um86eghhds6nea196smvmlo4ors995" },
    { "y.w.example", "ji6neoaepv8b5o6k4ev33abha8ht9fgc" },
    { "x.y.w.example", "2vptu5timamqttgl4luu9kg21e0aor3s" },
    { "xx.example", "t644ebqk9bibcna874givr6joj62mlhv" },
};

static const hashed_t  plain[] = {
    { "example.net", "93j57bnunnk7b6rcofljbhj4mkp5bpjh" },
    { "*.wild.example.net", "j1eg0qgaga7okddstdjk94eooicei9hm" },
};


static void
hashes(tcr_nsec3_params_t params, const hashed_t *all, size_t n)
{
    char          text[TCR_NSEC3_TEXT + 1];
    size_t        i;
    uint8_t       hash[TCR_NSEC3_HASH], back[TCR_NSEC3_HASH];
    tcr_nsec3_t  *h = tcr_nsec3_create(&params);

    for (i = 0; i < n; i++) {
        ok(tcr_nsec3_hash(h, tcr_str(all[i].name), hash) == 0, "hashed");
        tcr_nsec3_text(hash, text);
        is_str(text, all[i].text, "%s", all[i].name);
        ok(tcr_nsec3_parse(tcr_str(text), back) == 0
           && memcmp(hash, back, sizeof(hash)) == 0, "... and back");
    }

    tcr_nsec3_destroy(h);
}


static void
texts(void)
{
    uint8_t  a[TCR_NSEC3_HASH], b[TCR_NSEC3_HASH];

    ok(tcr_nsec3_parse(TCR_STR("0p9mhaveqvm6t7vbl5lop2u3t2rp3tom"), a) == 0
       && tcr_nsec3_parse(TCR_STR("0P9MHAVEQVM6T7VBL5LOP2U3T2RP3TOM"), b) == 0
       && memcmp(a, b, sizeof(a)) == 0, "in either case");
    ok(tcr_nsec3_parse(TCR_STR("0p9mhaveqvm6t7vbl5lop2u3t2rp3to"), a) != 0,
       "too short");
    ok(tcr_nsec3_parse(TCR_STR("0p9mhaveqvm6t7vbl5lop2u3t2rp3tomm"), a) != 0,
       "too long");
    ok(tcr_nsec3_parse(TCR_STR("0p9mhaveqvm6t7vbl5lop2u3t2rp3tow"), a) != 0,
       "no digit");
}


static void
salts(void)
{
    tcr_nsec3_params_t  params = { 0, TCR_STR("abc") };

    ok(tcr_nsec3_is_salt(TCR_STR("")) && tcr_nsec3_is_salt(TCR_STR("aAbB09"))
       && tcr_nsec3_is_salt(TCR_STR("00112233445566778899aabbccddeeff")),
       "salts");
    ok(!tcr_nsec3_is_salt(TCR_STR("abc")) && !tcr_nsec3_is_salt(TCR_STR("-"))
       && !tcr_nsec3_is_salt(TCR_STR("0g"))
       && !tcr_nsec3_is_salt(TCR_STR("00112233445566778899aabbccddeeff00")),
       "none");
    ok(tcr_nsec3_create(&params) == NULL, "no hashes with it");
}


int
main(void)
{
    hashes((tcr_nsec3_params_t) { 12, TCR_STR("AABBCCDD") }, published,
           sizeof(published) / sizeof(published[0]));
    hashes((tcr_nsec3_params_t) { 0, { NULL, 0 } }, plain,
           sizeof(plain) / sizeof(plain[0]));
    texts();
    salts();

    return done();
}
