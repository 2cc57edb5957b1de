/* Lengths added up by one power of a graph with copies: right, planned where it pays, and halfway. */
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/library_call.h"

#include "src/core/context.h"

CASE_CONTEXT(context)

/* Sweeps are taken for so slow that nothing else but a power may be chosen. */
static void slow_sweeps_down(void)
{
    for (pci_part p = PCI_PART_PASS; p < PCI_N_PARTS; p++)
        context->rates.per_second[p] = 1e3;
}

/* Questions of every kind; those of one number have a recurrence instead. */
static void check_graph(random_source *source, const edge_set *edges, const powers *all)
{
    static const uint64_t moduli[] = {0, 2, 1000000, 1000003, (UINT64_C(1) << 63) - 25};
    OWNED(pc_graph) *graph = new_graph(context, edges);
    vertices some;
    pick_vertices(source, edges->n, &some);
    for (int kind = PC_QUERY_FROM; kind <= PC_QUERY_MATRIX; kind++) {
        uint64_t modulus = moduli[random_below(source, sizeof moduli / sizeof *moduli)];
        bool has_list = kind <= PC_QUERY_PAIRS;
        bool is_number = kind == PC_QUERY_TOTAL || kind == PC_QUERY_TRACE;
        asked a = {.powers = all,
                   .query = {.kind = (pc_query_kind)kind,
                             .length = all->length,
                             .up_to = 1,
                             .n_asked = has_list ? 2 + random_below(source, 4) : 0,
                             .from = some.from,
                             .to = some.to},
                   .options = {.arithmetic = modulus ? PC_MODULAR : PC_EXACT,
                               .modulus = modulus,
                               .n_certify_rounds = random_below(source, 4) ? 0 : PC_CERTIFY_NONE}};
        check_query(context, graph, &a);
        if (!is_number && modulus && edges->directed == 0)
            CU_ASSERT_EQUAL(method_of(context, graph, &a.query, modulus), PC_METHOD_DENSE);
    }
}

TEST("of random graphs")
{
    random_source source = {31};
    for (int i = 0; i < 120; i++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 9));
        OWNED(powers) all = powers_of(&edges, 33 + random_below(&source, 40));
        slow_sweeps_down();
        MUST(pc_context_set_threads(context, 1 + i % 3));
        check_graph(&source, &edges, &all);
    }
}

/* Blocks of rows begin and end above, at and below the last row that counts. */
TEST("of more rows than a block has")
{
    random_source source = {32};
    OWNED(edge_set) edges = edge_set_density(&source, 150, 30, true);
    OWNED(powers) all = powers_of(&edges, 40);
    slow_sweeps_down();
    check_graph(&source, &edges, &all);
}

TEST("are planned where they pay")
{
    random_source source = {33};
    OWNED(edge_set) edges = edge_set_preferential(&source, 60, 3);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 20, .up_to = 1};
    CU_ASSERT_EQUAL(method_of(context, graph, &query, 1000003), PC_METHOD_SWEEP);
    query.length = UINT64_C(1) << 62; /* nothing else reaches so far */
    CU_ASSERT_EQUAL(method_of(context, graph, &query, 1000003), PC_METHOD_DENSE);
    query.kind = PC_QUERY_CLOSED;
    CU_ASSERT_EQUAL(method_of(context, graph, &query, 1000003), PC_METHOD_DENSE);
    pc_plan_info plan;
    CU_ASSERT_TRUE(is_refused(context, plan_query(context, graph, &query, NULL, &plan),
                              PC_ERR_RANGE, "pass over the graph that many times"));
    query.paths = PC_PATHS_NON_BACKTRACKING;
    const pc_count_options modular = {.arithmetic = PC_MODULAR, .modulus = 1000003};
    CU_ASSERT_TRUE(is_refused(context, plan_query(context, graph, &query, &modular, &plan),
                              PC_ERR_RANGE, "pass over the graph that many times"));
}

TEST("no memory, and being stopped")
{
    random_source source = {34};
    OWNED(edge_set) edges = edge_set_density(&source, 12, 900, true);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 4000, .up_to = 1};
    CU_ASSERT_EQUAL(method_of(context, graph, &query, 7), PC_METHOD_DENSE);
    check_halfway(&(library_call){.edges = &edges,
                                  .query = query,
                                  .options = {.arithmetic = PC_MODULAR, .modulus = 7}},
                  10, 2);
}
