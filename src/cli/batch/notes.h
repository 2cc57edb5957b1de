/* What a worker prints on standard error, kept in a file without a name: it is still there when the
 * worker died. */
#ifndef CLI_BATCH_NOTES_H
#define CLI_BATCH_NOTES_H

#include <stddef.h>

/* A descriptor, -1 with errno. Writing always appends. */
int cli_notes_open(void);

/* The last message in it, without "pathcount: ", on one line, cut to size bytes with its NUL: the
 * last line that the command itself printed, or else the last line of whoever did; "" when there is
 * none. */
void cli_notes_last(int notes, char *text, size_t size);

#endif
