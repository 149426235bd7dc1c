/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The Test Anything Protocol for unit tests: ok(), is_str(), is_int() print
 * one line each and go on; main() ends with "return done();", which prints
 * the plan and is 1 when anything failed.  For one test program each, so
 * the state is static and nothing here is thread-safe.
 */

#ifndef TCR_TAP_H_INCLUDED
#define TCR_TAP_H_INCLUDED


#include <stdio.h>
#include <string.h>


static int  tap_n;
static int  tap_failed;


/* ok(condition, format, ...): the format names what must hold */

#define ok(cond, ...)                                                         \
    do {                                                                      \
        int  tap_ok_ = !!(cond);                                              \
                                                                              \
        printf("%sok %d - ", tap_ok_ ? "" : "not ", ++tap_n);                 \
        printf(__VA_ARGS__);                                                  \
        printf("\n");                                                         \
                                                                              \
        if (!tap_ok_) {                                                       \
            tap_failed++;                                                     \
            printf("#   at %s:%d: %s\n", __FILE__, __LINE__, #cond);          \
        }                                                                     \
                                                                              \
        fflush(stdout);                                                       \
    } while (0)


/* is_str(got, want, format, ...): equal strings, NULL equals NULL only */

#define is_str(got, want, ...)                                                \
    do {                                                                      \
        const char  *tap_got_ = (got);                                        \
        const char  *tap_want_ = (want);                                      \
                                                                              \
        int  tap_same_ = tap_got_ && tap_want_                                \
                         ? strcmp(tap_got_, tap_want_) == 0                   \
                         : tap_got_ == tap_want_;                             \
                                                                              \
        ok(tap_same_, __VA_ARGS__);                                           \
                                                                              \
        if (!tap_same_) {                                                     \
            printf("#   got:  \"%s\"\n#   want: \"%s\"\n",                    \
                   tap_got_ ? tap_got_ : "(null)",                            \
                   tap_want_ ? tap_want_ : "(null)");                         \
        }                                                                     \
    } while (0)


/* is_int(got, want, format, ...): equal integers of up to 64 bits */

#define is_int(got, want, ...)                                                \
    do {                                                                      \
        long long  tap_a_ = (long long) (got);                                \
        long long  tap_b_ = (long long) (want);                               \
                                                                              \
        ok(tap_a_ == tap_b_, __VA_ARGS__);                                    \
                                                                              \
        if (tap_a_ != tap_b_) {                                               \
            printf("#   got:  %lld\n#   want: %lld\n", tap_a_, tap_b_);       \
        }                                                                     \
    } while (0)


static inline int
done(void)
{
    printf("1..%d\n", tap_n);

    return tap_failed != 0;
}


#endif /* TCR_TAP_H_INCLUDED */
