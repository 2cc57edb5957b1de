/* Recognises file names by their endings. */
#include "src/cli/endings.h"

#include <string.h>
#include <strings.h>

bool cli_ends_with(const char *name, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length >= n && strncasecmp(name + length - n, ending, n) == 0;
}

size_t cli_length_unpacked(const char *name)
{
    static const char *const packings[] = {".gz", ".zst", ".xz", ".bz2"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (cli_ends_with(name, length, packings[i]))
            return length - strlen(packings[i]);
    return length;
}
