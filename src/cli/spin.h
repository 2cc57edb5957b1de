/* How long idle threads keep a processor busy. */
#ifndef CLI_SPIN_H
#define CLI_SPIN_H

/* Starts the program again, once, with libgomp told to let waiting threads sleep soon; returns when
 * that is done, not wanted or not possible. To be called first in main. */
void cli_limit_spinning(char **argv);

#endif
