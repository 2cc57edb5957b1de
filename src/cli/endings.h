/* Libraries that end the program when they get no memory. */
#ifndef CLI_ENDINGS_H
#define CLI_ENDINGS_H

/* From now on such an ending has a message and the exit status of a lack of memory. */
void cli_endings_install(void);

/* Tells that main has ended: its exit status stands. */
void cli_endings_done(void);

#endif
