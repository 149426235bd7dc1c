/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Digests against the reference's recorded hash values and the published
 * test values of SHA-256 (FIPS 180-4) and CRC-32C (RFC 3720 §B.4).
 */

/* for its table, which a processor with the instruction does not use */
#include "tcr_crc32c.c"

#include "tcr_file.h"
#include "tcr_json.h"

#include <inttypes.h>
#include <openssl/evp.h>

#include "tap.h"


static tcr_md5_t  *md5;


static uint64_t
bits_of(double value)
{
    uint64_t  bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}


static uint64_t
parse_hex(tcr_str_t s)
{
    size_t    i;
    char      c;
    uint64_t  n = 0;

    for (i = 2; i < s.len; i++) {
        c = tcr_lower(s.data[i]);
        n = n << 4 | (uint64_t) (c <= '9' ? c - '0' : c - 'a' + 10);
    }

    return n;
}


/* 1 for a line that is a hash and right, 0 for one that is something else */
static int
check_line(tcr_arena_t *arena, tcr_str_t line)
{
    uint64_t           got, want;
    tcr_str_t          input;
    tcr_json_doc_t     doc;
    const tcr_json_t  *node;

    if (tcr_json_parse(&doc, arena, "hash.jsonl", line, NULL) != 0) {
        ok(0, "JSON: %.*s", TCR_STR_ARG(line));
        return 0;
    }

    if (!tcr_str_eq(tcr_json_required_str(tcr_json_get(doc.root, "kind")),
                    TCR_STR("md5hash")))
    {
        return 0;
    }

    node = tcr_json_get(doc.root, "input");

    if (tcr_json_is(node, TCR_JSON_NULL)) {
        return 0;
    }

    input = tcr_json_str(node, TCR_STR(""));
    want = parse_hex(tcr_json_str(tcr_json_get(doc.root, "bits"),
                                  TCR_STR("0x0")));
    got = bits_of(tcr_md5_point(md5, input));

    ok(got == want, "0x%016" PRIx64 " is the place of \"%.*s\"", want,
       (int) (input.len < 40 ? input.len : 40), input.data);

    return 1;
}


static void
recorded(void)
{
    int           n = 0;
    tcr_err_t     err;
    tcr_str_t     rest, line;
    tcr_file_t    file;
    tcr_arena_t  *arena;

    arena = tcr_arena_create(0);

    if (arena == NULL
        || tcr_file_map(&file, "t/data/unit/hash.jsonl", 1 << 20, &err) != 0)
    {
        ok(0, "recorded hash values: %s", err.text);
        return;
    }

    rest = file.text;

    while (rest.data != NULL) {
        line = tcr_str_split(&rest, '\n');

        if (line.len != 0) {
            n += check_line(arena, line);
        }
    }

    ok(n > 150, "%d recorded values", n);
    tcr_file_unmap(&file);
    tcr_arena_destroy(arena);
}


static double
place(uint64_t hi, uint64_t lo)
{
    return (double) ((unsigned __int128) hi << 64 | lo);
}


/* Padding differs with the length: as the library pads it. */
static void
lengths(void)
{
    char      text[200];
    size_t    i, n, wrong = 0;
    uint8_t   out[16];
    uint64_t  half[2];

    for (n = 0; n < sizeof(text); n++) {
        text[n] = (char) ('a' + n % 26);
        EVP_Digest(text, n, out, NULL, EVP_md5(), NULL);

        for (i = 0, half[0] = 0, half[1] = 0; i < sizeof(out); i++) {
            half[i / 8] = half[i / 8] << 8 | out[i];
        }

        wrong += tcr_md5_point(md5, tcr_str_n(text, n))
                 != place(half[0], half[1]);
    }

    ok(wrong == 0, "MD5 of every length: %zu wrong", wrong);
}


static void
hex(const uint8_t *bytes, size_t n, char *out)
{
    size_t             i;
    static const char  digits[] = "0123456789abcdef";

    for (i = 0; i < n; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }

    out[2 * n] = '\0';
}


static void
published(void)
{
    char     text[65];
    uint8_t  out[32];

    ok(tcr_md5_point(md5, tcr_str_n(NULL, 0))
       == place(0xd41d8cd98f00b204, 0xe9800998ecf8427e),
       "MD5 of nothing (RFC 1321)");
    ok(tcr_md5_point(md5, TCR_STR("abc"))
       == place(0x900150983cd24fb0, 0xd6963f7d28e17f72), "MD5 of a text");

    is_int(tcr_sha256("abc", 3, out), 0, "SHA-256 is there");
    hex(out, 32, text);
    is_str(text, "ba7816bf8f01cfea414140de5dae2223"
                 "b00361a396177a9cb410ff61f20015ad", "SHA-256");
}


/* The polynomial bit by bit, to compare with. */
static uint32_t
slow_crc(const uint8_t *p, size_t len)
{
    int       bit;
    size_t    i;
    uint32_t  crc = UINT32_MAX;

    for (i = 0; i < len; i++) {
        crc ^= p[i];

        for (bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
        }
    }

    return ~crc;
}


static void
crc(void)
{
    size_t   i, wrong = 0, cut = 0, by_table = 0;
    uint8_t  data[300];

    memset(data, 0, sizeof(data));
    is_int(tcr_crc32c(0, data, 32), 0x8a9136aa, "CRC of 32 zeros");

    memset(data, 0xff, 32);
    is_int(tcr_crc32c(0, data, 32), 0x62a8ab43, "CRC of 32 ones");

    for (i = 0; i < sizeof(data); i++) {
        data[i] = (uint8_t) (i * i * 31 + i);
    }

    for (i = 0; i < sizeof(data); i++) {
        wrong += tcr_crc32c(0, data + i, sizeof(data) - i)
                 != slow_crc(data + i, sizeof(data) - i);
        by_table += ~with_table(UINT32_MAX, data, i) != slow_crc(data, i);
        cut += tcr_crc32c(tcr_crc32c(0, data, i), data + i, sizeof(data) - i)
               != slow_crc(data, sizeof(data));
    }

    is_int(wrong, 0, "CRC of every length and alignment");
    is_int(by_table, 0, "CRC by table");
    is_int(cut, 0, "CRC in two parts");
    is_int(tcr_crc32c(0, NULL, 0), 0, "CRC of nothing");
}


int
main(void)
{
    md5 = tcr_md5_create();

    if (md5 == NULL) {
        printf("Bail out! no MD5\n");
        return 1;
    }

    recorded();
    published();
    lengths();
    crc();
    tcr_md5_destroy(md5);
    return done();
}
