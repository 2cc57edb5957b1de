/* What most counting tests share: contexts and graphs that must come into being, forced CPU kernels,
 * and results held against the oracle entry for entry. */
#ifndef TESTS_COMPARE_H
#define TESTS_COMPARE_H

#include "tests/oracle.h"

/* A context of n_threads threads (0: all); the case is over when there is none. */
pc_context *new_context(int n_threads);

/* The graph of the edges; the case is over, with the message, when it cannot be made. */
pc_graph *new_graph(pc_context *context, const edge_set *edges);

/* A^k by squaring, otherwise with default options; the case is over, with the message, when it fails. */
pc_counts *new_counts(pc_context *context, const pc_graph *graph, uint64_t k);

/* Prints context's message under the running case. */
void print_message(const pc_context *context);

/* Entries of counts that are not those of expected, a different shape counting as one; prints the
 * first wrong one. */
uint64_t n_wrong_counts(const pc_counts *counts, const integer_matrix *expected);
/* The same against words (counts below 2^64). */
uint64_t n_wrong_words(const pc_counts *counts, const uint64_t *expected, uint64_t n);

/* Counts edges at length k on a new context of n_threads, asserts that every entry is the one
 * expected. */
void check_count(const edge_set *edges, uint64_t k, int n_threads, const integer_matrix *expected);

/* Asserts that counting edges at length k gives the oracle's A^k. */
void check_against_oracle(const edge_set *edges, uint64_t k);

/* Names of the CPU kernels that PATHCOUNT_CPU forces, NULL at the end. */
extern const char *const kernel_names[];

/* Forces a kernel for contexts and counts to come; NULL lets the library choose. */
void force_kernel(const char *kernel);

/* Whether this machine and this build run the kernel: forces it, counts a triangle and looks
 * which kernel did it. */
bool kernel_is_available(const char *kernel);

/* Whether a plan for counts of 64 bits on a cycle of n vertices fits: there are at most 2^63 paths of
 * length 64. */
bool cycle_fits(pc_context *context, uint64_t n);

#endif
