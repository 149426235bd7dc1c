/* SPDX-License-Identifier: Apache-2.0 */

/* What a program that holds secrets gives up when it starts. */

#include "tcr_harden.h"

#include <sys/prctl.h>
#include <sys/resource.h>


void
tcr_harden(void)
{
    /*
     * One byte is below every core, and is what keeps the kernel from handing
     * it to a program (core(5)); 0 would not.
     */
    struct rlimit  limit = { 1, 1 };

    setrlimit(RLIMIT_CORE, &limit);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

#if !defined(__SANITIZE_ADDRESS__)
    /* the leak checker of the sanitizer traces its own process */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
