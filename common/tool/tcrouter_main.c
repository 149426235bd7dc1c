/* SPDX-License-Identifier: Apache-2.0 */

/* tcrouter: the operator's program.  Finds the command and runs it. */

#include <stdarg.h>
#include <stdio.h>

#include "tcr_harden.h"
#include "tcr_tool.h"
#include "tcr_version.h"


static const tcr_tool_command_t  commands[] = {
    { "where", "URL|NAME[/TYPE] --client IP",
      "where a client would be sent, and why", tcr_tool_where },
    { "check", "[--config FILE] [--inputs]",
      "checks the settings, and what they name", tcr_tool_check },
    { "status", "[--images DIR]",
      "what is in force and how old it is", tcr_tool_status },
    { "zones", "list|dump DIR",
      "lists the zones or writes them as master files", tcr_tool_zones },
    { "keys", "generate|roll|list|ds",
      "DNSSEC keys, and the DS at the parent", tcr_tool_keys },
    { "acme", "set|clear|list",
      "DNS challenges for certificates", tcr_tool_acme },
    { "certs", "[NAME]",
      "which certificates clients see, and which not", tcr_tool_certs },
    { "image", "verify|dump FILE|SLOT",
      "checks an image or prints it as JSON", tcr_tool_image },
    { "import-traffic-router", "DIR [--output DIR]",
      "the reference's settings as ours, nginx' and PowerDNS'",
      tcr_tool_import },
};


static void
complain(const char *command, const char *fmt, va_list ap)
{
    fprintf(stderr, "tcrouter %s: ", command);
    vfprintf(stderr, fmt, ap);
    fprintf(stderr, "\n");
}


int
tcr_tool_usage(const char *command, const char *fmt, ...)
{
    va_list  ap;

    va_start(ap, fmt);
    complain(command, fmt, ap);
    va_end(ap);

    return TCR_TOOL_USAGE;
}


int
tcr_tool_fail(const char *command, const char *fmt, ...)
{
    va_list  ap;

    va_start(ap, fmt);
    complain(command, fmt, ap);
    va_end(ap);

    return TCR_TOOL_FAILED;
}


static int
help(FILE *out)
{
    size_t  i;

    fprintf(out, "usage: tcrouter COMMAND [ARGUMENTS]\n\n");

    for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        fprintf(out, "  %-21s %-30s %s\n", commands[i].name,
                commands[i].arguments, commands[i].purpose);
    }

    fprintf(out, "\n`tcrouter COMMAND --help` tells the options of one.\n");
    return out == stdout ? TCR_TOOL_OK : TCR_TOOL_USAGE;
}


int
main(int argc, char **argv)
{
    size_t  i;

    tcr_harden();

    if (argc < 2) {
        return help(stderr);
    }

    if (strcmp(argv[1], "--help") == 0) {
        return help(stdout);
    }

    if (strcmp(argv[1], "--version") == 0) {
        printf("tcrouter %s\n", TCR_VERSION);
        return TCR_TOOL_OK;
    }

    for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }

    fprintf(stderr, "tcrouter: unknown command \"%s\"\n\n", argv[1]);
    return help(stderr);
}
