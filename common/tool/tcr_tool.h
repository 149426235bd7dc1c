/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The commands of `tcrouter`: one file each, one row each in the table of
 * tcrouter_main.c.  A command prints its answer on stdout, its complaints on
 * stderr, and returns the exit code.
 */

#ifndef TCR_TOOL_H_INCLUDED
#define TCR_TOOL_H_INCLUDED

#include "tcr_err.h"

#define TCR_TOOL_OK       0
#define TCR_TOOL_FAILED   1       /* asked well, but the answer is bad       */
#define TCR_TOOL_USAGE    2
#define TCR_TOOL_IMAGES   "/run/tcrouter/images"


typedef struct {
    const char  *name;
    const char  *arguments;
    const char  *purpose;
    int        (*run)(int argc, char **argv);   /* argv[0] is the command    */
} tcr_tool_command_t;


int tcr_tool_where(int argc, char **argv);
int tcr_tool_check(int argc, char **argv);
int tcr_tool_image(int argc, char **argv);
int tcr_tool_certs(int argc, char **argv);
int tcr_tool_status(int argc, char **argv);
int tcr_tool_zones(int argc, char **argv);
int tcr_tool_import(int argc, char **argv);
int tcr_tool_keys(int argc, char **argv);
int tcr_tool_acme(int argc, char **argv);

/* "tcrouter COMMAND: text" on stderr; returns TCR_TOOL_USAGE. */
int tcr_tool_usage(const char *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, returns TCR_TOOL_FAILED. */
int tcr_tool_fail(const char *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));


#endif /* TCR_TOOL_H_INCLUDED */
