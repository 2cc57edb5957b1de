/* Queries of great length, within a limit of memory, stopped by their receiver, and with wrong results. */
#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_KINDS = PC_QUERY_TRACE + 1 };

static pc_status take_residue(void *user, uint64_t length, const pc_rows *rows)
{
    CU_ASSERT_EQUAL(length, UINT64_MAX);
    *(uint64_t *)user = rows->limbs[0];
    return PC_OK;
}

/* Too many passes for sweeps: then the matrix is squared. A = J of 3 rows, so the total is 3^(k + 1), and
 * 3^(2^64) = 3^4 = 4 modulo 7, since 3^6 = 1 and 2^64 = 4 modulo 6. */
TEST("very long")
{
    uint64_t residue = 7;
    OWNED(edge_set) e = edge_set_constant(3, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &e);
    pc_query total = {.kind = PC_QUERY_TOTAL, .length = UINT64_MAX};
    pc_count_options modular = {.arithmetic = PC_MODULAR, .modulus = 7};
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &total, &modular, take_residue, &residue), PC_OK);
    CU_ASSERT_EQUAL(residue, 4);
}

/* What is held at most stays within the limit that was set, but for a little. */
static void check_held(pc_query query, const pc_count_options *options, bool directed)
{
    enum { N = 600, LIMIT = 600 << 10, ROOM = 64 << 10 };
    random_source source = {8};
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 2);
    OWNED(edge_set) edges = edge_set_density(&source, N, 10, directed);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    uint64_t asked[70], before = allocator.peak_bytes = allocator.live_bytes;
    int n_calls = 0;
    for (int i = 0; i < 70; i++)
        asked[i] = random_below(&source, N);
    query.n_asked = 70;
    query.from = query.to = asked;
    pc_context_set_memory_limit(context, LIMIT);
    pc_status status = pc_query_run(context, graph, &query, options, count_answers, &n_calls);
    CU_ASSERT_TRUE(status == PC_OK || (query.paths != PC_PATHS_ALL && status == PC_ERR_MEMORY));
    CU_ASSERT_EQUAL(n_calls > 0, status == PC_OK);
    if (allocator.peak_bytes > before + LIMIT + ROOM)
        printf("\n    kind %d, paths %d, arithmetic %d: %d bytes\n", (int)query.kind,
               (int)query.paths, (int)options->arithmetic, (int)(allocator.peak_bytes - before));
    CU_ASSERT_TRUE(allocator.peak_bytes <= before + LIMIT + ROOM);
}

TEST("memory as foretold")
{
    static const pc_count_options options[] = {
        {0}, {.arithmetic = PC_MODULAR, .modulus = 7}, {.arithmetic = PC_FLOAT}};
    for (int i = 0; i < 6 * 3 * N_KINDS; i++) {
        int sort = i % 6, way = i / 6 % 3; /* all paths, non-backtracking ones, chains of Markov */
        pc_query query = {.kind = (pc_query_kind)(i / 18),
                          .paths = sort < 3   ? PC_PATHS_ALL
                                   : sort < 5 ? PC_PATHS_NON_BACKTRACKING
                                              : PC_PATHS_MARKOV,
                          .length = sort < 3 ? 9 : 15,
                          .each = way == 1,
                          .up_to = way == 2};
        check_held(query, &options[sort % 3 == 2 ? 2 : sort % 3], sort < 3 || i % 4);
    }
}

TEST("the receiver stops")
{
    static const uint64_t from[] = {1, 4, 4}, to[] = {0, 0, 7};
    OWNED(edge_set) edges = edge_set_constant(20, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int i = 0; i < 3 * N_KINDS; i++) {
        int n_calls = 0;
        pc_query query = {.kind = (pc_query_kind)(i % N_KINDS),
                          .length = 5,
                          .n_asked = 3,
                          .from = from,
                          .to = to,
                          .each = i % 2,
                          .up_to = i % 4 == 0};
        pc_count_options options = {.arithmetic = (pc_arithmetic)(i / N_KINDS),
                                    .modulus = i / N_KINDS == PC_MODULAR ? 1000003 : 0};
        CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, &options, stop_answers, &n_calls),
                        PC_ERR_IO);
        CU_ASSERT_EQUAL(n_calls, 1);
    }
}
