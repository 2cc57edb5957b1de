/* Where every figure is kept: section, name, key. It becomes the JSON file and feeds the goals. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "tests/bench/bench.h"

void report_set(const char *section, const char *name, const char *key, double value);
void report_set_text(const char *section, const char *name, const char *key, const char *text);
void report_set_times(const char *section, const char *name, const bench_times *times);

/* NaN when it was not measured. */
double report_get(const char *section, const char *name, const char *key);

/* Ends the program when the file cannot be written. */
void report_save(const char *path);

/* Prints what machine this is and what was built, and keeps it. */
void machine_describe(const bench_options *options);

/* Prints each goal, what was measured, and whether it is met. */
void goals_print(void);

/* A result was not what it should be: says so, and the program will end with status 1. */
void report_failure(const char *section, const char *name, const char *what);
bool report_has_failure(void);

/* A line on stderr, for who waits. */
void report_progress(const char *section, const char *name);

#endif
