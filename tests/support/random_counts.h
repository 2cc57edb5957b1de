/* Matrices of counts made up at random, with a graph of the same vertices: for the tests of what is
 * done with counts. Entries are turned into GMP integers by arithmetic of the test's own. */
#ifndef TESTS_RANDOM_COUNTS_H
#define TESTS_RANDOM_COUNTS_H

#include <gmp.h>

#include "pathcount.h"
#include "pathcount_io.h"
#include "tests/support/random_graph.h"

typedef enum entry_kind {
    ENTRIES_ANY, /* of any number of bits up to the width, all bits set now and then */
    ENTRIES_FEW, /* 0 to 3: many zeros and many equal counts */
    ENTRIES_FULL /* all bits set */
} entry_kind;

typedef struct count_case {
    pc_context *context;
    pc_graph *graph; /* of n vertices, no edges */
    pc_counts *counts;
    pc_plan_info plan; /* as far as writers look at it */
} count_case;

/* n x n counts of n_limbs words (0: doubles, whole numbers below 2^53); symmetric when not
 * directed. The case that runs is over when there is no memory. */
count_case count_case_make(pc_context *context, random_source *source, uint64_t n, uint32_t n_limbs,
                           bool directed, entry_kind kind);
void count_case_free(count_case *made);
#define release_count_case count_case_free

/* A writer of the counts. */
pc_status count_case_open(const count_case *made, const char *path, pc_writer **writer);

/* Rows first .. first + n_rows - 1 of the counts. */
pc_rows count_case_rows(const count_case *made, uint64_t first, uint64_t n_rows);

/* An entry of counts that are integers, or doubles with exponent 0. */
void entry_mpz(const pc_rows *rows, uint64_t e, mpz_t value);

/* A directed graph of n vertices with these labels and no edges. */
pc_graph *labelled_graph(pc_context *context, const char *const *labels, uint64_t n);

#endif
