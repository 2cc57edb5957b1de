/* Text from anywhere, such as labels and file names, made fit for a terminal: what could steer it is
 * printed as \xNN. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stdio.h>

enum { CLI_SHOWN_GROWTH = 4 }; /* bytes that one byte may become */

/* Writes text[n] to shown, which has room for CLI_SHOWN_GROWTH * n bytes; kept are control characters
 * that stay as they are. Returns the number of bytes written; there is no '\0' after them. */
size_t cli_show_text(const char *text, size_t n, const char *kept, char *shown);

/* How many bytes at the end of text[n] begin a UTF-8 character that is not whole. */
size_t cli_unfinished_bytes(const char *text, size_t n);

/* Prints text with every control character shown. */
void cli_print_shown(FILE *out, const char *text);

#endif
