/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The version, in one place: configure reads this line too.
 */

#ifndef TCR_VERSION_H_INCLUDED
#define TCR_VERSION_H_INCLUDED


#define TCR_VERSION  "0.1.0"


#endif /* TCR_VERSION_H_INCLUDED */
