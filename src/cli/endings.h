/* Endings of file names, in any case. */
#ifndef CLI_ENDINGS_H
#define CLI_ENDINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the first length characters of a name end with ending, ".gml". */
bool cli_ends_with(const char *name, size_t length, const char *ending);

/* The length of a name without ".gz", ".zst", ".xz" or ".bz2". */
size_t cli_length_unpacked(const char *name);

#endif
