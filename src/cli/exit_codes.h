/* The exit codes of the command, and functions that print why it ends. */
#ifndef CLI_EXIT_CODES_H
#define CLI_EXIT_CODES_H

#include "pathcount.h"

typedef enum cli_exit {
    CLI_DONE = 0,
    CLI_SOME_FAILED = 1, /* of many jobs */
    CLI_USAGE = 2,
    CLI_BAD_DATA = 65,
    CLI_NO_INPUT = 66,
    CLI_UNAVAILABLE = 69, /* engine, memory, width */
    CLI_INTERNAL = 70,    /* or a failed certificate */
    CLI_NO_CREATE = 73,
    CLI_IO = 74,
    CLI_SIGNAL = 128 /* plus the number of the signal: 130 for SIGINT */
} cli_exit;

/* Prints "pathcount: sentence" on stderr and returns code, for `return cli_fail(...)`. A sentence of
 * CLI_IO that begins with "standard output: " is left out when its reader has ended; then the code is
 * CLI_SIGNAL + SIGPIPE. */
int cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a lack of memory, before there is a context. */
int cli_fail_for_memory(void);

/* The same for a failed call on context: its message, or the name of the status without one. */
int cli_fail_status(const pc_context *context, pc_status status);

int cli_exit_of_status(pc_status status);

#endif
