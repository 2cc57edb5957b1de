/* A graph, a partition of it and a length, made from a seed; the blocks and the answer by means of the
 * tests' own. */
#ifndef TESTS_COARSEN_QUESTION_H
#define TESTS_COARSEN_QUESTION_H

#include "tests/support/oracle.h"

enum shape { ARRAYS, CONSECUTIVE, COMPONENTS, N_SHAPES };
extern const char *const shape_names[N_SHAPES];

typedef struct question {
    uint64_t seed;
    edge_set edges;
    uint64_t k;
    bool fits; /* every entry of A is below 2^64; else nothing is expected */
    enum shape shape;
    uint64_t size; /* of consecutive blocks */
    uint64_t n_blocks;
    uint64_t *block;         /* [n] */
    integer_matrix expected; /* S A^k S^T */
} question;

/* At most max_n vertices, 0 too; length up to max_k. */
question question_make(uint64_t seed, uint64_t max_n, uint64_t max_k);
void question_free(question *q);
#define release_question question_free

/* The blocks of a question that has its edges and shape; then the answer, when it has its length. */
void question_choose_blocks(question *q, random_source *source);
void question_expect(question *q);

/* The partition as the library makes it, and whether it is the one meant. */
pc_status question_partition(pc_context *context, const pc_graph *graph, const question *q,
                             pc_partition **partition);
bool blocks_are_as_asked(const pc_partition *partition, const question *q);

#endif
