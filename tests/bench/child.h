/* Other programs, spoken to line by line. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct child {
    pid_t process;
    FILE *in, *out; /* its standard input and output */
} child;

/* Starts a program found on PATH; arguments end with NULL. */
bool child_start(child *c, const char *const *arguments);
bool child_write_line(child *c, const char *line);
/* The line without its end; false when there is none. */
bool child_read_line(child *c, char *line, size_t size);
/* Closes its input and waits; true when it ended well. */
bool child_end(child *c);

/* Runs a program to its end and takes the first line it prints. */
bool child_ask(const char *const *arguments, char *line, size_t size);

/* A python3 that has the package, or NULL. */
const char *child_python(const char *package);

/* The most memory that this program has had at once. Its own: what getrusage says of a child can
 * be what its parent had before exec. */
uint64_t own_peak_bytes(void);

#endif
