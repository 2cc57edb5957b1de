/* Counts of small graphs in machine words against GMP matrices: every question, widths up to
 * their borders. */
#include <gmp.h>

#include "src/streams/stream.h"
#include "tests/support/stream_columns.h"
#include "tests/support/fixture.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COUNTS = 512, POISON = 0x5a };

typedef struct rows_of_bits {
    uint64_t row[64];
} rows_of_bits;

static pci_small_graph of_rows(uint32_t n, const uint64_t *row, bool is_symmetric)
{
    pci_small_graph graph = {n, row, is_symmetric, 0};
    for (uint32_t i = 0; i < n; i++)
        graph.n_entries += (uint64_t)__builtin_popcountll(row[i]);
    return graph;
}

static pci_small_graph small_graph(const edge_set *edges, rows_of_bits *bits)
{
    *bits = (rows_of_bits){{0}};
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        bits->row[edges->from[e]] |= UINT64_C(1) << edges->to[e];
        if (!edges->directed)
            bits->row[edges->to[e]] |= UINT64_C(1) << edges->from[e];
    }
    return of_rows((uint32_t)edges->n, bits->row, !edges->directed);
}

/* Asserts the counts, that as many words are said to do as do, and that no word behind them is
 * written. Returns how many there are a count. */
static uint32_t check(const edge_set *edges, const pc_stream_query *query)
{
    uint64_t counts[MOST_COUNTS * PCI_SMALL_LIMBS + 1], poison;
    rows_of_bits bits;
    pci_small_graph graph = small_graph(edges, &bits);
    columns expected = columns_of(edges, query, 0);
    uint32_t n_limbs = pci_small_limbs(&graph, query);
    memset(counts, POISON, sizeof counts);
    memset(&poison, POISON, sizeof poison);
    if (n_limbs > 0) {
        CU_ASSERT(pci_small_count(&graph, query, n_limbs, counts));
        CU_ASSERT(columns_are(&expected, expected.n, n_limbs, counts));
        CU_ASSERT_EQUAL(counts[expected.n * n_limbs], poison);
    }
    columns_free(&expected);
    return n_limbs;
}

static edge_set any_edges(random_source *source, uint64_t n)
{
    static const unsigned per_thousand[] = {20, 100, 300, 500, 900, 1000};
    bool directed = random_below(source, 2); /* in an order that all compilers keep */
    unsigned density = per_thousand[random_below(source, 6)];
    return edge_set_density(source, n, density, directed);
}

static pc_stream_query any_query(random_source *source, uint64_t most_length)
{
    uint64_t what = random_below(source, 3), how = random_below(source, 3);
    return (pc_stream_query){.total = what != 1,
                             .closed = what != 0,
                             .length = random_below(source, most_length + 1),
                             .each = how == 1,
                             .up_to = how == 2};
}

TEST("random graphs")
{
    random_source source = {1};
    unsigned n_of[3] = {0};
    for (int g = 0; g < 4000; g++) {
        uint64_t n = random_below(&source, g % 20 ? 12 : 65);
        OWNED(edge_set) edges = any_edges(&source, n);
        pc_stream_query query = any_query(&source, g % 20 ? 40 : 12);
        n_of[check(&edges, &query)]++;
    }
    CU_ASSERT(n_of[0] > 20 && n_of[1] > 1000 && n_of[2] > 100);
}

TEST("large graphs, longer paths")
{
    random_source source = {2};
    for (uint64_t n = 60; n <= 64; n++) {
        OWNED(edge_set) edges = edge_set_density(&source, n, 15, n % 2);
        pc_stream_query query = {.total = 1, .closed = 1, .length = 70, .each = n % 4 < 2};
        check(&edges, &query);
    }
}

/* ---- Widths ---------------------------------------------------------------------------------- */

/* The matrix of ones has n^(length + 1) paths of a length: exact powers of two. */
TEST("borders of widths")
{
    static const uint32_t next_wider[] = {0, 2, 0};
    static const struct {
        uint64_t n, length;
        uint32_t n_limbs; /* that must do; of each length the proof may want one more */
    } cases[] = {{2, 30, 1},  {2, 31, 1},  {2, 62, 1},  {2, 63, 2},  {2, 64, 2},
                 {4, 30, 1},  {4, 31, 2},  {16, 14, 1}, {16, 15, 2}, {64, 9, 1},
                 {64, 10, 2}, {2, 126, 2}, {2, 127, 0}, {4, 62, 2},  {4, 63, 0},
                 {16, 30, 2}, {16, 31, 0}, {64, 20, 2}, {64, 21, 0}, {1, 4000, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int way = 0; way < 4; way++) {
            OWNED(edge_set) edges = edge_set_constant(cases[c].n, 1);
            pc_stream_query query = {
                .total = 1, .length = cases[c].length, .each = way >= 2 && cases[c].length < 500};
            edges.directed = way % 2;
            uint32_t n_limbs = check(&edges, &query);
            CU_ASSERT(n_limbs == cases[c].n_limbs ||
                      (query.each && n_limbs == next_wider[cases[c].n_limbs]));
        }
}

/* Closed paths alone may fit where all paths do not: trace of ones is n^length. */
TEST("closed paths fit alone")
{
    OWNED(edge_set) edges = edge_set_constant(16, 1);
    pc_stream_query query = {.closed = 1, .length = 31};
    CU_ASSERT_EQUAL(check(&edges, &query), 2);
    query.length = 15;
    CU_ASSERT_EQUAL(check(&edges, &query), 1);
}

/* Many paths on the way of which none is left in the end: they end where no arc goes on. */
TEST("dead ends")
{
    OWNED(edge_set) edges = edge_set_empty(64, true);
    for (uint64_t i = 0; i < 64; i++)
        for (uint64_t j = i + 1; j < 64; j++)
            edge_set_add(&edges, i, j, 1);
    for (uint64_t length = 55; length <= 64; length++)
        for (int each = 0; each < 2; each++) {
            pc_stream_query query = {.total = 1, .closed = 1, .length = length, .each = each};
            uint32_t n_limbs = check(&edges, &query);
            CU_ASSERT(n_limbs == 1 || each); /* all lengths together have 2^64 - 65 */
        }
}

TEST("paths too long to count")
{
    const uint64_t row[] = {2, 1};
    const pci_small_graph edge = of_rows(2, row, true), nothing = of_rows(0, row, true);
    pc_stream_query query = {.total = 1, .closed = 1, .length = 1000};
    CU_ASSERT_EQUAL(pci_small_limbs(&edge, &query), 1);
    for (query.length = 4097; query.length < UINT64_MAX / 99; query.length *= 99)
        CU_ASSERT(pci_small_limbs(&edge, &query) == 0 && pci_small_limbs(&nothing, &query) == 0);
}
