/* What the terminal behind a stream can do. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Whether fd is a terminal that understands control sequences: TERM is set and not "dumb". */
bool cli_terminal_has_escapes(int fd);

/* The same, and NO_COLOR is not set. */
bool cli_terminal_has_colours(int fd);

/* Whether text in the locale of the user is UTF-8. */
bool cli_terminal_is_utf8(void);

/* The columns that the terminal has now; otherwise when fd is no terminal or does not say. */
unsigned cli_terminal_width(int fd, unsigned otherwise);

#endif
