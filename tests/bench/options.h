/* Arguments of options that the programs share. A wrong argument ends the program with a message. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <argp.h>
#include <stddef.h>

long parse_number(const char *text, long least, long most, struct argp_state *state);

/* The parts of a list with commas, at most `most` of them, none empty; list is changed. Returns how many. */
size_t parse_list(char *list, size_t most, const char **parts, struct argp_state *state);

#endif
