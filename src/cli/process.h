/* The process of the command: exit codes, signals, guarded streams, the stack, and two processes. */
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

/* Commands that fail also print the error as JSON on standard output. */
void cli_errors_as_json(void);

/* Tells that main has ended: its exit status stands. */
void cli_endings_done(int code);

/* Writes all bytes to an open file; false, with errno, when that fails. */
bool cli_write_all(int fd, const char *bytes, size_t n);

/* ---- Guarded streams ------------------------------------------------------------------------- */

/* Guards standard error, and standard output when it is a terminal: no text can control the
 * terminal through them. Code that does control the terminal writes to the stream below the
 * guard. False without memory. */
bool cli_guard_streams(void);

/* stderr without its guard. */
FILE *cli_stderr_below(void);

/* Terminals take commands from the characters below U+0020, from U+007F to U+009F, and from those
 * that turn the direction of writing. */
static inline bool cli_controls_terminal(uint32_t code)
{
    return (code < ' ' && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* The bytes of the UTF-8 character that first begins; 1 where none of several bytes begins. */
static inline size_t cli_character_bytes(char first)
{
    unsigned char c = (unsigned char)first;
    return c >= 0xc2 && c <= 0xdf ? 2 : c >= 0xe0 && c <= 0xef ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 1;
}

/* Reads the character that begins text[n], n > 0. Returns its bytes; 1 for a byte that is not of
 * valid UTF-8, and then the code is that byte. */
static inline size_t cli_decode(const char *text, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = cli_character_bytes(text[0]);
    unsigned char first = (unsigned char)text[0];
    uint32_t c = length > 1 ? first & (0x7fU >> length) : first;
    *code = first;
    for (size_t i = 1; i < length; i++) {
        if (i == n || (text[i] & 0xc0) != 0x80)
            return 1;
        c = c << 6 | (text[i] & 0x3f);
    }
    if (c < least[length])
        return 1; /* it has a shorter form */
    *code = c;
    return length;
}

/* ---- The stack ------------------------------------------------------------------------------- */

/* Gives this thread, and those that are made after it, the room on the stack that counting
 * takes. Prints why when the limits forbid it, and returns the exit code. Nothing large may be
 * on the stack before. */
int cli_stack_reserve(void);

/* ---- Two processes: --twice (twice.c) ---------------------------------------------------------- */

typedef int (*cli_run_fn)(void *user);

/* Calls run in a process made for it, whose files and output are withheld, then in another one.
 * Returns the code of run, or CLI_INTERNAL where the two differ; then nothing that differs has
 * left. Standard input is kept for the second process where reads_input. Changes that run makes
 * in memory are lost. */
int cli_run_twice(cli_run_fn run, void *user, bool reads_input);

/* True when cli_run_twice called run, and when this is the first process: no file got its
 * name there. */
bool cli_is_twice(void);
bool cli_is_first_of_two(void);

/* Has the files of the context compared. Does nothing without cli_run_twice. */
void cli_twice_attach(pc_context *context);

/* Measured values differ: those of the first process take the place of those of the second one. */
void cli_twice_measured(void *bytes, size_t n_bytes);

#endif
