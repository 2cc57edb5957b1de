/* What the targets of streams share. */
#ifndef TESTS_FUZZ_STREAM_CHECK_H
#define TESTS_FUZZ_STREAM_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Reads all graphs of a stream, up to the first that is wrong, and fails unless each is in order. */
void fuzz_check_stream(const char *path, bool keep_repeats, size_t n_bytes);

#endif
