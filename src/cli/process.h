/* The process of the command: exit codes, signals, guarded streams and the stack. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include "pathcount.h"

#include <stdbool.h>
#include <stdio.h>

/* ---- Exit codes ------------------------------------------------------------------------------ */

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

/* Prints "pathcount: sentence" on stderr and returns code, for `return cli_fail(...)`. A
 * sentence of CLI_IO that begins with "standard output: " is left out when its reader has ended;
 * then the code is CLI_SIGNAL + SIGPIPE. */
int cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a lack of memory, before there is a context. */
int cli_fail_for_memory(void);

/* Returns memory. The process ends with CLI_UNAVAILABLE where it is NULL, as it does when GMP or
 * jansson gets none. */
void *cli_need(void *memory);

/* The same for a failed call on context: its message, or the name of the status without one. */
int cli_fail_status(const pc_context *context, pc_status status);

int cli_exit_of_status(pc_status status);

/* ---- Signals --------------------------------------------------------------------------------- */

/* SIGINT, SIGTERM and SIGHUP end the process at once from here on, with exit code 128 + signal:
 * there is nothing to clean up yet. A signal that was ignored when the command started stays
 * ignored. */
void cli_signals_install(void);

/* Restores the default actions, for a worker process. SIGPIPE and SIGXFSZ stay ignored, because
 * they become errors of write(). */
void cli_signals_restore(void);

/* A signal only sets a flag from here on, because a temporary file may have to be removed first. */
void cli_signals_defer(void);

/* The signal that set the flag; 0: none. */
int cli_signals_pending(void);

/* ---- Libraries that end the process ---------------------------------------------------------- */

/* A library that ends the program without memory does so from now on with a message and
 * CLI_UNAVAILABLE. */
void cli_endings_install(void);

/* Tells that main has ended: its exit status stands. */
void cli_endings_done(void);

/* ---- Guarded streams ------------------------------------------------------------------------- */

/* Guards standard error, and standard output when it is a terminal: no text can control the
 * terminal through them. Code that does control the terminal writes to the stream below the
 * guard. False without memory. */
bool cli_guard_streams(void);

/* stdout or stderr without its guard; buffered lines of stdout are sent before. */
FILE *cli_guard_below(FILE *stream);

/* ---- The stack ------------------------------------------------------------------------------- */

/* Gives this thread, and those that are made after it, the room on the stack that counting
 * takes. Prints why when the limits forbid it, and returns the exit code. Nothing large may be
 * on the stack before. */
int cli_stack_reserve(void);

#endif
