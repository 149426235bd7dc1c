/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What DNSSEC keys do at each moment of their lives (spec/dns.md §8.2): one
 * row a moment, one word a key: P published, S signs, "-" neither.
 */

#include "tap.h"
#include "tcr_keys.h"

#define KSK  TCR_DNSKEY_KSK
#define ZSK  TCR_DNSKEY_ZSK
#define DAY  86400


static tcr_img_key_t
key(uint32_t flags, int64_t effective, int64_t expiration, int64_t known)
{
    return (tcr_img_key_t) {
        .flags = flags, .inception = effective, .effective = effective,
        .expiration = expiration, .ds_known = known
    };
}


static const char *
roles(const tcr_zone_keys_t *zone, int64_t now)
{
    size_t       i;
    uint8_t      all[8];
    static char  text[64];

    text[0] = '\0';
    (void) tcr_keys_roles(zone, now, all);

    for (i = 0; i < zone->n; i++) {
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s%s%s",
                 i ? " " : "", all[i] & TCR_ROLE_PUBLISHED ? "P" : "",
                 all[i] & TCR_ROLE_SIGNS ? "S" : "", all[i] == 0 ? "-" : "");
    }

    return text;
}


/*
 * A KSK for a year and a chain of three ZSKs as Traffic Ops makes them: each
 * is made and published ahead and takes over when the one before expires.
 */
static void
roll_over(void)
{
    tcr_img_key_t    k[] = {
        key(KSK, 0, 365 * DAY, 0), key(ZSK, 0, 30 * DAY, 0),
        key(ZSK, 30 * DAY - 600, 60 * DAY, 0),
        key(ZSK, 60 * DAY - 600, 90 * DAY, 0)
    };
    tcr_zone_keys_t  zone = { k, 3, true, DAY };

    is_str(roles(&zone, 0), "- - -", "effective is not yet usable");
    is_str(roles(&zone, 1), "PS PS P", "a second later it is");
    is_str(roles(&zone, 30 * DAY - 599), "PS PS P", "the oldest goes on");
    is_str(roles(&zone, 30 * DAY), "PS PS P", "at its last second, too");
    is_str(roles(&zone, 30 * DAY + 1), "PS P PS", "the next takes over");

    zone.n = 4;
    is_str(roles(&zone, 60 * DAY), "PS P PS P", "two rolls in a row");
    is_str(roles(&zone, 60 * DAY + 1), "PS P P PS", "the second one");
    is_str(roles(&zone, 90 * DAY + 1), "PS P P PS",
           "all expired: the last to become effective");
    is_str(roles(&zone, 400 * DAY), "PS P P PS",
           "an expired KSK goes on as well");

    zone.allow_expired = false;
    is_str(roles(&zone, 30 * DAY + 1), "PS P PS P",
           "without expired ones: kept for the longest TTL");
    is_str(roles(&zone, 31 * DAY - 1), "PS P PS P", "... until its last");
    is_str(roles(&zone, 31 * DAY), "PS - PS P", "... and then gone");
    is_str(roles(&zone, 90 * DAY), "PS - - PS", "the last one's last second");
    is_str(roles(&zone, 90 * DAY + 1), "- - - -",
           "no usable ZSK: nothing is signed");
}


/* The order of the list only decides between equals. */
static void
order(void)
{
    tcr_img_key_t    k[] = {
        key(ZSK, 200, 1000, 0), key(ZSK, 100, 1000, 0),
        key(ZSK, 100, 2000, 0), key(KSK, 0, 5000, 0)
    };
    tcr_zone_keys_t  zone = { k, 4, true, 60 };

    is_str(roles(&zone, 150), "P PS P PS", "the oldest that is effective");
    is_str(roles(&zone, 500), "P PS P PS", "of equals the first");
    is_str(roles(&zone, 1500), "P P PS PS", "expired ones give way");
    is_str(roles(&zone, 3000), "PS P P PS",
           "all expired: the latest effective date");

    k[0].expiration = 50;
    is_str(roles(&zone, 201), "P PS P PS",
           "an expired one does not displace a living one");
}


static void
one_kind(void)
{
    tcr_img_key_t    k[] = { key(KSK, 0, 100, 0), key(ZSK, 500, 1000, 0) };
    tcr_zone_keys_t  zone = { k, 1, true, 60 };

    is_str(roles(&zone, 50), "-", "no ZSK: unsigned");
    zone.n = 2;
    is_str(roles(&zone, 50), "- -", "none effective: unsigned");
    is_str(roles(&zone, 501), "PS PS", "signed when it is");
    zone.n = 0;
    is_str(roles(&zone, 501), "", "no keys at all");
}


/* A new KSK is published at once and waits until its DS is known. */
static void
parent(void)
{
    tcr_img_key_t    k[] = {
        key(KSK, 0, 100, 10), key(KSK, 90, 200, 0), key(ZSK, 0, 1000, 0)
    };
    tcr_zone_keys_t  zone = { k, 3, true, 60 };

    is_str(roles(&zone, 50), "PS P PS", "published ahead");
    is_str(roles(&zone, 150), "PS P PS", "its time has come, its DS has not");

    k[1].ds_known = 92;
    is_str(roles(&zone, 95), "PS P PS", "DS is known: still the oldest");
    is_str(roles(&zone, 150), "P PS PS", "... until that one expires");

    k[1].ds_known = 170;
    is_str(roles(&zone, 170), "PS P PS", "caches may not have the new DS yet");
    is_str(roles(&zone, 171), "P PS PS", "... now they can");
    is_int(tcr_keys_next(&zone, 150), 171, "... which is a change");

    k[0].ds_known = k[1].ds_known = 0;
    is_str(roles(&zone, 150), "P PS PS", "nobody looked: by time alone");
}


static void
next(void)
{
    tcr_img_key_t    k[] = { key(KSK, 100, 1000, 0), key(ZSK, 50, 500, 0) };
    tcr_zone_keys_t  zone = { k, 2, true, 60 };

    is_int(tcr_keys_next(&zone, 0), 51, "next: the first effective date");
    is_int(tcr_keys_next(&zone, 51), 101, "next: the second");
    is_int(tcr_keys_next(&zone, 101), 501, "next: the first expiration");
    is_int(tcr_keys_next(&zone, 1001), INT64_MAX, "next: nothing more");
    zone.allow_expired = false;
    is_int(tcr_keys_next(&zone, 501), 560, "next: not published any more");
    is_int(tcr_keys_next(&zone, 1001), 1060, "next: the last one goes");
}


int
main(void)
{
    roll_over();
    order();
    one_kind();
    parent();
    next();

    return done();
}
