/* What the terminal behind a stream can do. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Whether fd is a terminal that understands control sequences: TERM is set and not "dumb". */
bool cli_terminal_has_escapes(int fd);

/* The same, and NO_COLOR is not set. */
bool cli_terminal_has_colours(int fd);

typedef enum cli_palette {
    CLI_NO_COLOURS,
    CLI_256_COLOURS, /* the cube of 6 x 6 x 6 from 16 on */
    CLI_ALL_COLOURS  /* 24 bits */
} cli_palette;

/* The colours to draw with: as COLORTERM (truecolor, 24bit) and TERM (...-256color, ...-direct) say, and
 * none where cli_terminal_has_colours says so. */
cli_palette cli_terminal_palette(int fd);

/* Whether text in the locale of the user is UTF-8. */
bool cli_terminal_is_utf8(void);

/* The columns that the terminal has now; otherwise when fd is no terminal or does not say. */
unsigned cli_terminal_width(int fd, unsigned otherwise);

/* Its lines; UINT_MAX when fd is no terminal or does not say. */
unsigned cli_terminal_height(int fd);

#endif
