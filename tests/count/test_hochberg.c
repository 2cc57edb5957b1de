/* Robert Hochberg, "Matrix Multiplication with CUDA" (2012): the graph of Figure 1.5 and the tables
 * he prints for it, and the 5 x 5 matrix of his first exploration question. */
#include "tests/support/fixture.h"

enum { N = 10 };
/* Figure 1.5, each edge once. */
static const char *const edges_of_figure[] = {"AB", "AC", "BC", "BD", "BF", "CD", "CE", "DF", "EH",
                                              "FG", "FH", "FI", "GH", "GI", "GJ", "HJ", "IJ", NULL};

/* Figure 1.2. */
static const uint64_t length_3[N * N] = {
    2, 6, 6, 3, 1, 3,  1,  2,  1,  0, /* A */
    6, 6, 8, 7, 3, 9,  3,  3,  2,  3, /* B */
    6, 8, 4, 8, 5, 4,  3,  2,  2,  1, /* C */
    3, 7, 8, 4, 2, 8,  3,  3,  2,  3, /* D */
    1, 3, 5, 2, 0, 3,  2,  5,  3,  1, /* E */
    3, 9, 4, 8, 3, 6,  10, 11, 10, 4, /* F */
    1, 3, 3, 3, 2, 10, 8,  9,  8,  8, /* G */
    2, 3, 2, 3, 5, 11, 9,  4,  4,  9, /* H */
    1, 2, 2, 2, 3, 10, 8,  4,  4,  8, /* I */
    0, 3, 1, 3, 1, 4,  8,  9,  8,  4, /* J */
};

/* Figure 1.7. */
static const uint64_t length_4[N * N] = {
    12, 14, 12, 15, 8,  13, 6,  5,  4,  4,  /* A */
    14, 30, 22, 23, 11, 21, 17, 18, 15, 8,  /* B */
    12, 22, 27, 16, 6,  23, 9,  13, 8,  7,  /* C */
    15, 23, 16, 23, 11, 19, 16, 16, 14, 8,  /* D */
    8,  11, 6,  11, 10, 15, 12, 6,  6,  10, /* E */
    13, 21, 23, 19, 15, 48, 31, 23, 20, 31, /* F */
    6,  17, 9,  16, 12, 31, 35, 28, 26, 25, /* G */
    5,  18, 13, 16, 6,  23, 28, 34, 29, 17, /* H */
    4,  15, 8,  14, 6,  20, 26, 29, 26, 16, /* I */
    4,  8,  7,  8,  10, 31, 25, 17, 16, 25, /* J */
};

static const uint64_t question_matrix[5 * 5] = {
    9,  3,  6, 11, 1,  /* A */
    3,  15, 8, 7,  11, /* B */
    6,  8,  8, 8,  6,  /* C */
    11, 7,  8, 15, 3,  /* D */
    1,  11, 6, 3,  9,  /* E */
};

/* The matrix of a length, or NULL, and the count from one vertex to another. */
static void check(const edge_set *edges, uint64_t k, const uint64_t *expected, uint64_t from,
                  uint64_t to, uint64_t expected_count)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_counts) *counts = new_counts(context, graph, k);
    uint64_t count = 0;
    CU_ASSERT(!expected || n_wrong_words(counts, expected, edges->n) == 0);
    CU_ASSERT_EQUAL(pc_counts_u64(counts, from, to, &count), PC_OK);
    CU_ASSERT_EQUAL(count, expected_count);
}

/* "How many paths are there from C to J of length exactly four?" */
TEST("Figures 1.2 and 1.7, 7 paths of length 4 from C to J")
{
    OWNED(edge_set) edges = edge_set_empty(N, false);
    for (const char *const *edge = edges_of_figure; *edge != NULL; edge++)
        edge_set_add(&edges, (uint64_t)((*edge)[0] - 'A'), (uint64_t)((*edge)[1] - 'A'), 1);
    check(&edges, 3, length_3, 0, 1, 6);
    check(&edges, 4, length_4, 'C' - 'A', 'J' - 'A', 7);
}

/* His matrix as the weights of a graph of its own, loops included, squared; and the simple graph whose paths of
 * length 4 it counts. */
TEST("5 x 5 matrix squared, 208 from A to B")
{
    static const uint64_t pairs[6][2] = {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 3}, {3, 4}};
    OWNED(edge_set) weighted = edge_set_empty(5, false), simple = edge_set_empty(5, false);
    for (uint64_t i = 0; i < 5; i++)
        for (uint64_t j = i; j < 5; j++)
            edge_set_add(&weighted, i, j, question_matrix[i * 5 + j]);
    for (int e = 0; e < 6; e++)
        edge_set_add(&simple, pairs[e][0], pairs[e][1], 1);
    check(&weighted, 1, question_matrix, 0, 1, 3);
    check(&weighted, 2, NULL, 0, 1, 208);
    check(&simple, 4, question_matrix, 0, 1, 3);
    check(&simple, 8, NULL, 0, 1, 208);
}
