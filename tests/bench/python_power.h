/* Powers that a Python process computes, which waits between runs: what peers have in common that are packages of
 * Python. Each has a script that is started as
 *   NAME_peer.py power ARCS N LENGTH THREADS RESULT
 * ARCS holds n_arcs words of 64 bits "from", then as many "to". It prints "ready VERSION". Then, for each line "run" it
 * computes and prints "done"; for "save WORDS" it writes the last result to RESULT, rows one after the other, each
 * entry WORDS words, and prints "saved". */
#ifndef BENCH_PYTHON_POWER_H
#define BENCH_PYTHON_POWER_H

#include "tests/bench/peer.h"

/* NULL when no Python has the package. description gets at most 63 characters. */
void *python_power_prepare(const peer_setup *setup, const char *package, const char *script,
                           char *description);
bool python_power_run(void *state);

/* All ones when the row cannot be had: no number, and no count. n_words: of an entry. */
void python_power_row(void *state, uint64_t row, uint32_t n_words, void *out);
void python_power_release(void *state);

#endif
