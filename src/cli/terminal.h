/* What the terminal behind a stream can do. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* It is a terminal that understands control sequences (TERM is set and not "dumb"). */
bool cli_terminal_has_escapes(int fd);

/* ... and the user has not asked for no colours by NO_COLOR. */
bool cli_terminal_has_colours(int fd);

/* Texts of this locale are UTF-8. */
bool cli_terminal_is_utf8(void);

/* Columns of the terminal as it is now; otherwise, of what is none or does not say. */
unsigned cli_terminal_width(int fd, unsigned otherwise);

#endif
