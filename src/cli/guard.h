/* Text from anywhere cannot control the terminal through these streams: standard error always,
 * standard output when it is a terminal. Code that does control the terminal writes to the stream
 * below the guard. */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <stdbool.h>
#include <stdio.h>

/* Puts the guards in place; false when there is no memory for them. */
bool cli_guard_streams(void);

/* stdout or stderr without its guard; buffered lines of stdout are sent before. */
FILE *cli_guard_below(FILE *stream);

#endif
