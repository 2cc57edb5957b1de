/* Text from anywhere, made fit for a terminal: what could steer it becomes \xNN. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stddef.h>

enum { CLI_SHOWN_GROWTH = 4 }; /* bytes that one byte may become */

/* Writes text[n] to shown, which has room for CLI_SHOWN_GROWTH * n + 1 bytes. Tabs and ends of lines
 * stay. Returns the number of bytes written. */
size_t cli_show_text(const char *text, size_t n, char *shown);

/* How many bytes at the end of text[n] begin a UTF-8 character that is not whole. */
size_t cli_unfinished_bytes(const char *text, size_t n);

#endif
