/* Arguments of options. */
#include "tests/bench/options.h"

#include <stdlib.h>
#include <string.h>

long parse_number(const char *text, long least, long most, struct argp_state *state)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < least || value > most)
        argp_error(state, "'%s' is not a number from %ld to %ld", text, least, most);
    return value;
}

size_t parse_list(char *list, size_t most, const char **parts, struct argp_state *state)
{
    size_t n = 0;
    for (char *part = strsep(&list, ","); part != NULL; part = strsep(&list, ",")) {
        if (*part == '\0')
            argp_error(state, "a list has an empty name in it");
        if (n == most)
            argp_error(state, "a list has more than %zu names", most);
        parts[n++] = part;
    }
    return n;
}
