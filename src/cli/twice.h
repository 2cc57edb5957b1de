/* --twice: the command runs twice, in two processes, one after the other, and compares
 * everything that leaves it: the bytes of each file, read back from the disk before the file
 * gets its name, the bytes for standard output, and the exit code. Damage to the memory of one
 * process is found, wherever it strikes: also in names, labels, texts and buffers, which no
 * certificate of a count covers. */
#ifndef CLI_TWICE_H
#define CLI_TWICE_H

#include "src/pathcount.h"

#include <stdbool.h>
#include <stddef.h>

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
