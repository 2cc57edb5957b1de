/* What goes to a terminal cannot steer it, wherever the text comes from: standard error always, standard
 * output when it is a terminal. What is meant to steer it takes the stream below the guard. */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <stdbool.h>
#include <stdio.h>

/* Puts the guards in place; false when there is no memory for them. */
bool cli_guard_streams(void);

/* stdout or stderr without its guard; buffered lines of stdout are sent before. */
FILE *cli_guard_below(FILE *stream);

#endif
