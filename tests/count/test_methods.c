/* Each method, forced: whole matrices and queries against GMP, and what plans say of them. */
#include <gmp.h>

#include "src/plan/question.h"
#include "tests/support/asked.h"
#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fake.h"
#include "tests/support/methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the method can count so at all. */
static bool is_possible(const pc_count_options *options, uint64_t length)
{
    return options->method != PC_METHOD_HYBRID || (options->arithmetic == PC_EXACT && length >= 4);
}

/* ---- Whole matrices -------------------------------------------------------------------------- */

/* A whole matrix is the rows from all vertices. */
static asked all_rows(const powers *powers, const uint64_t *all, pc_count_options options)
{
    return (asked){
        .powers = powers,
        .options = options,
        .length = powers->length,
        .query = {
            .kind = PC_QUERY_FROM, .length = powers->length, .n_asked = powers->n, .from = all}};
}

static pc_status take_matrix(void *user, const pc_rows *rows)
{
    asked *a = user;
    return take_asked(a, a->query.length, rows);
}

static bool was_counted(pc_context *context, const asked *a, pc_status status)
{
    bool is_right = status == PC_OK && a->n_wrong == 0 && a->n_answers == (a->powers->n > 0);
    if (status != PC_OK)
        print_message(context);
    if (!is_right)
        printf("\n    method %d, arithmetic %d, n %d, length %d\n", (int)a->options.method,
               (int)a->options.arithmetic, (int)a->powers->n, (int)a->powers->length);
    CU_ASSERT_TRUE(is_right);
    return is_right;
}

/* Streamed, then kept. */
static bool check_matrix(pc_context *context, const pc_graph *graph, const powers *powers,
                         pc_count_options options)
{
    uint64_t all[64];
    for (uint64_t v = 0; v < powers->n; v++)
        all[v] = v;
    pc_plan_info plan;
    asked streamed = all_rows(powers, all, options), kept;
    OWNED(pc_counts) *counts = NULL;
    pc_status status = plan_matrix(context, graph, powers->length, &options, 0, &plan);
    streamed.relative_error = status == PC_OK ? plan.relative_error : 0;
    kept = streamed;
    status = stream_counts(context, graph, powers->length, &options, take_matrix, &streamed);
    if (!was_counted(context, &streamed, status))
        return false;
    status = pc_count(context, graph, powers->length, &options, &counts);
    if (status == PC_OK && powers->n) {
        pc_rows rows;
        pc_counts_rows(counts, &rows);
        take_matrix(&kept, &rows);
    }
    return was_counted(context, &kept, status);
}

/* Whether A^2 has an entry of 2^63 or more, by its proved limit. */
static bool is_too_heavy(pc_context *context, const pc_graph *graph)
{
    pc_plan_info plan;
    pc_status status = plan_matrix(context, graph, 2, NULL, 0, &plan);
    return status != PC_OK || plan.bound_bits >= 63;
}

static void check_all(const edge_set *edges, uint64_t length, int n_threads)
{
    static const pc_method methods[] = {PC_METHOD_DENSE, PC_METHOD_SWEEP, PC_METHOD_HYBRID};
    OWNED(powers) all = powers_of(edges, length);
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    bool is_heavy = is_too_heavy(context, graph);
    for (int m = 0; m < 3; m++)
        for (int a = 0; a < N_ARITHMETICS; a++) {
            pc_count_options options = options_of(methods[m], a);
            bool is_wide = options.arithmetic == PC_FLOAT && length > 6; /* may differ by 2^500 */
            if (!is_possible(&options, length) || is_wide ||
                (is_heavy && options.method == PC_METHOD_HYBRID))
                continue;
            if (length % 5 == 0)
                options.n_certify_rounds = PC_CERTIFY_NONE;
            check_matrix(context, graph, &all, options);
        }
}

TEST("whole matrices")
{
    random_source source = {51};
    for (int g = 0; g < 160; g++) {
        OWNED(edge_set) edges =
            edge_set_any_simple(&source, 1 + random_below(&source, g % 8 ? 8 : 40));
        check_all(&edges, random_below(&source, g % 8 ? 13 : 61), 1 + g % 3);
    }
}

static bool is_direct(const edge_set *edges, uint64_t length)
{
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_plan_info plan;
    MUST(plan_matrix(context, graph, length, &squaring, 0, &plan));
    return plan.levels[plan.n_levels - 1].is_direct;
}

/* What is squared last has nearly the largest entries whose digits make integers, or some that are too large.
 * Limits are rounded up. */
TEST("squares that are integers at once")
{
    random_source source = {61};
    for (int kind = 0; kind < 4; kind++) {
        OWNED(edge_set) edges = edge_set_density(&source, 50, 600, kind / 2);
        for (uint64_t e = 0; e < edges.n_edges; e++)
            edges.weight[e] = PCI_MAX_DIRECT - 1 - (e % 3 ? 0 : random_below(&source, 300));
        edges.weight[1] += (uint64_t)kind % 2 * 2;
        CU_ASSERT_EQUAL(is_direct(&edges, 2), kind % 2 == 0);
        check_all(&edges, 2, 1 + kind % 3);
        CU_ASSERT(!is_direct(&edges, 3));
    }
    OWNED(edge_set) square = edge_set_constant(60, 11), fourth = edge_set_constant(17, 1);
    CU_ASSERT(is_direct(&square, 4) && is_direct(&fourth, 8)); /* of 7260, and of 4913 */
    check_all(&square, 4, 2);
    check_all(&fourth, 8, 2);
}

/* So little memory that fewer rows are swept at a time than would be best. */
TEST("batches of few rows")
{
    random_source source = {52};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 60, 100, directed);
        OWNED(powers) all = powers_of(&edges, 6);
        pc_count_options options = options_of(PC_METHOD_SWEEP, 0);
        OWNED(pc_context) *context = new_context(4);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_plan_info plan;
        uint64_t vertex[60];
        for (uint64_t v = 0; v < 60; v++)
            vertex[v] = v;
        asked rows = all_rows(&all, vertex, options);
        CU_ASSERT_EQUAL(plan_matrix(context, graph, 6, &options, 0, &plan), PC_OK);
        pc_context_set_memory_limit(context, plan.memory_bytes - 6000);
        pc_status status = stream_counts(context, graph, 6, &options, take_matrix, &rows);
        CU_ASSERT_TRUE(was_counted(context, &rows, status));
        pc_context_set_memory_limit(context, plan.memory_bytes / 50);
        CU_ASSERT_EQUAL(plan_matrix(context, graph, 6, &options, 0, &plan), PC_ERR_MEMORY);
    }
}

/* Rows of doubles with exponents of their own: one for all when they are kept, if that can be. */
TEST("doubles far apart")
{
    for (uint64_t step = 12; step <= 40; step += 28) {
        OWNED(edge_set) edges = edge_set_empty(2, true);
        edge_set_add(&edges, 0, 0, 1);
        edge_set_add(&edges, 1, 1, UINT64_C(1) << step);
        OWNED(powers) all = powers_of(&edges, 40);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_count_options options = options_of(PC_METHOD_SWEEP, 3);
        static const uint64_t both[] = {0, 1};
        asked rows = all_rows(&all, both, options);
        pc_counts *counts = NULL;
        CU_ASSERT_TRUE(was_counted(
            context, &rows, stream_counts(context, graph, 40, &options, take_matrix, &rows)));
        if (step == 12)
            check_matrix(context, graph, &all, options);
        else
            CU_ASSERT_EQUAL(pc_count(context, graph, 40, &options, &counts), PC_ERR_RANGE);
    }
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static pc_plan_info plan_of(const edge_set *edges, uint64_t length, pc_method method)
{
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_count_options options = {.method = method};
    pc_plan_info plan;
    pc_status status = plan_matrix(context, graph, length, &options, 0, &plan);
    if (status != PC_OK)
        print_message(context);
    MUST(status);
    return plan;
}

/* Three vertices, all arcs: entries of A^p are 3^(p - 1), below 2^63 up to p = 40. */
TEST("where hybrids begin")
{
    static const uint64_t begins[][2] = {{4, 2},    {5, 2},    {6, 3},    {7, 3},   {8, 4},
                                         {15, 7},   {40, 20},  {81, 40},  {82, 20}, {100, 25},
                                         {160, 40}, {163, 40}, {164, 20}, {255, 31}};
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        pc_plan_info plan = plan_of(&edges, begins[i][0], PC_METHOD_HYBRID);
        CU_ASSERT_EQUAL(plan.method, PC_METHOD_HYBRID);
        CU_ASSERT_EQUAL(plan.sweep_length, begins[i][1]);
        CU_ASSERT_EQUAL(plan.levels[0].length, begins[i][1]);
        CU_ASSERT_TRUE(plan.levels[0].is_swept && !plan.levels[0].is_step);
        CU_ASSERT_TRUE(plan.levels[0].n_moduli > 0);
        CU_ASSERT_EQUAL(plan.levels[plan.n_levels - 1].length, begins[i][0]);
        for (uint32_t l = 1; l < plan.n_levels; l++)
            CU_ASSERT_TRUE(!plan.levels[l].is_swept &&
                           plan.levels[l].n_moduli >= plan.levels[l - 1].n_moduli);
    }
    pc_plan_info sweep = plan_of(&edges, 9, PC_METHOD_SWEEP),
                 dense = plan_of(&edges, 9, PC_METHOD_DENSE);
    CU_ASSERT_TRUE(sweep.method == PC_METHOD_SWEEP && sweep.sweep_length == 9);
    CU_ASSERT_TRUE(sweep.n_levels == 1 && sweep.levels[0].is_swept);
    CU_ASSERT_TRUE(dense.method == PC_METHOD_DENSE && dense.sweep_length == 0);
    CU_ASSERT_EQUAL(sweep.n_limbs, dense.n_limbs);
    CU_ASSERT_EQUAL(sweep.bound_bits, dense.bound_bits);
}

/* Asks for rows of all, or for three. */
static pc_status run_streamed(pc_context *context, const pc_graph *graph, bool asks,
                              const pc_count_options *options, pc_plan_info *plan)
{
    static const uint64_t some[] = {3, 1, 2};
    pc_query query = {.kind = PC_QUERY_TO, .length = 6, .n_asked = 3, .to = some, .each = 1};
    pc_status status = asks ? plan_query(context, graph, &query, options, plan)
                            : plan_matrix(context, graph, 6, options, 0, plan);
    if (status != PC_OK)
        return status;
    return asks ? pc_query_run(context, graph, &query, options, count_answers, NULL)
                : stream_counts(context, graph, 6, options, count_rows, NULL);
}

/* What is held at most is what the plan says, when rows are streamed. */
static void check_memory(pc_method method, bool asks, bool directed)
{
    random_source source = {53};
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 2);
    OWNED(edge_set) edges = edge_set_density(&source, 2000, 4, directed);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_count_options options = {.method = method};
    pc_plan_info plan;
    uint64_t before = allocator.peak_bytes = allocator.live_bytes;
    CU_ASSERT_EQUAL(run_streamed(context, graph, asks, &options, &plan), PC_OK);
    double graph_bytes = 8.0 * 2001 + 4.0 * (double)plan.n_arcs;
    double held = (double)(allocator.peak_bytes - before) + graph_bytes;
    double foretold = (double)plan.memory_bytes;
    if (method == PC_METHOD_SWEEP)
        foretold -= PCI_PROGRAM_BYTES + 2 * PCI_WRITING_BYTES;
    bool is_right = held <= foretold + (64 << 10) && held >= 0.9 * foretold;
    if (!is_right)
        printf("\n    method %d: held %.0f, foretold %.0f\n", (int)method, held, foretold);
    CU_ASSERT_TRUE(is_right);
}

TEST("memory as foretold")
{
    for (int directed = 0; directed < 2; directed++) {
        check_memory(PC_METHOD_SWEEP, false, directed);
        check_memory(PC_METHOD_HYBRID, false, directed);
        check_memory(PC_METHOD_HYBRID, true, directed);
    }
}

/* ---- Queries --------------------------------------------------------------------------------- */

static void check_queries(const edge_set *edges, uint64_t length, random_source *source)
{
    static const pc_method methods[] = {PC_METHOD_DENSE, PC_METHOD_HYBRID};
    OWNED(powers) all = powers_of(edges, length);
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    bool is_heavy = is_too_heavy(context, graph);
    vertices v;
    if (edges->n)
        pick_vertices(source, edges->n, &v);
    for (int i = 0; i < N_QUERY_KINDS * 3 * 2 * N_ARITHMETICS; i++) {
        int way = i / N_QUERY_KINDS % 3, rest = i / N_QUERY_KINDS / 3;
        asked a = {.powers = &all,
                   .options = options_of(methods[rest % 2], rest / 2),
                   .query = {.kind = (pc_query_kind)(i % N_QUERY_KINDS),
                             .length = length,
                             .n_asked = edges->n ? random_below(source, MOST_ASKED) : 0,
                             .from = v.from,
                             .to = v.to,
                             .each = way == 1,
                             .up_to = way == 2}};
        if (is_possible(&a.options, length) && !(is_heavy && a.options.method == PC_METHOD_HYBRID))
            check_query(context, graph, &a);
    }
}

TEST("queries by the whole matrix")
{
    random_source source = {54};
    for (uint64_t length = 0; length < 7; length++) {
        edge_set edges = edge_set_any_simple(&source, 1 + random_below(&source, 12));
        check_queries(&edges, length, &source);
        edge_set_free(&edges);
    }
    for (int directed = 0; directed < 2; directed++) {
        edge_set edges = edge_set_density(&source, 40, 100, directed),
                 none = edge_set_empty(0, true);
        check_queries(&edges, 5 + (uint64_t)directed, &source);
        check_queries(&none, 4, &source);
        edge_set_free(&edges);
    }
}

/* Wide counts: one word at first, several in the end, and all answers have as many. */
static pc_status note_width(void *user, uint64_t length, const pc_rows *rows)
{
    uint32_t *n_limbs = user;
    CU_ASSERT_TRUE(length == 1 || rows->n_limbs == *n_limbs);
    *n_limbs = rows->n_limbs;
    return PC_OK;
}

TEST("answers of one width")
{
    OWNED(edge_set) edges = edge_set_constant(3, 1000);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_count_options options = {.method = PC_METHOD_DENSE};
    uint32_t n_limbs = 0;
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = 20, .each = 1};
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, &options, note_width, &n_limbs), PC_OK);
    CU_ASSERT_TRUE(n_limbs > 1);
}

/* Doubles of lengths that end: nothing is left of a path of arcs after some steps, and of zeros no
 * exponent. Nor does it grow when the heaviest arcs are gone. */
TEST("doubles that end")
{
    OWNED(edge_set) edges = edge_set_empty(9, true);
    for (uint64_t v = 0; v + 1 < 7; v++)
        edge_set_add(&edges, v, v + 1, UINT64_C(1) << 50);
    for (int loops = 0; loops < 2; loops++) {
        powers all = powers_of(&edges, 120);
        pc_context *context = new_context(1);
        pc_graph *graph = new_graph(context, &edges);
        for (int kind = 0; kind < N_QUERY_KINDS; kind++) {
            static const uint64_t some[] = {0, 3, 8};
            asked a = {.powers = &all,
                       .options = options_of(PC_METHOD_DENSE, 3),
                       .query = {.kind = (pc_query_kind)kind,
                                 .length = 120,
                                 .n_asked = 3,
                                 .from = some,
                                 .to = some,
                                 .up_to = 1}};
            check_query(context, graph, &a);
        }
        pc_graph_free(graph);
        pc_context_free(context);
        powers_free(&all);
        edge_set_add(&edges, 8, 8, 1);
    }
}

/* Too many vertices to square, one step too many to sweep, though limits are known at once. */
TEST("no way")
{
    enum { N_VERTICES = 262142, LENGTH = 262144 };
    const uint64_t from = 0, to = 1;
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = NULL;
    pc_plan_info plan;
    MUST(graph_from_arrays(context, N_VERTICES, 1, &from, &to, NULL, NULL, &graph));
    CU_ASSERT(is_refused(context, plan_matrix(context, graph, LENGTH, NULL, 0, &plan), PC_ERR_RANGE,
                         "262144"));
    const pc_count_options whole = {.reduce = PC_REDUCE_NEVER}; /* all vertices but two are twins */
    CU_ASSERT_EQUAL(plan_matrix(context, graph, LENGTH - 1, &whole, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_SWEEP);
}

/* ---- Between blocks -------------------------------------------------------------------------- */

TEST("between blocks")
{
    random_source source = {56};
    OWNED(pc_context) *context = new_context(2);
    for (uint64_t length = 4; length < 40; length += 5) {
        OWNED(edge_set) edges = edge_set_density(&source, 50, 100, length % 2);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(pc_partition) *partition = NULL;
        pc_counts *counts[2] = {NULL, NULL};
        pc_rows rows[2];
        pc_plan_info plan;
        MUST(pci_partition_consecutive(context, graph, 7, &partition));
        for (int m = 0; m < 2; m++) {
            pc_count_options options = {.method = m ? PC_METHOD_HYBRID : PC_METHOD_DENSE};
            MUST(coarsen(context, graph, partition, length, &options, &counts[m]));
            pc_counts_rows(counts[m], &rows[m]);
        }
        CU_ASSERT_EQUAL(plan_last(context, &plan), PC_OK);
        CU_ASSERT_EQUAL(plan.method, PC_METHOD_HYBRID);
        CU_ASSERT_EQUAL_FATAL(rows[0].n_limbs, rows[1].n_limbs);
        CU_ASSERT_TRUE(memcmp(rows[0].limbs, rows[1].limbs,
                              rows[0].n_rows * rows[0].n_columns * rows[0].n_limbs * 8) == 0);
        for (int m = 0; m < 2; m++)
            pc_counts_free(counts[m]);
    }
}

/* ---- Another engine -------------------------------------------------------------------------- */

TEST("another engine")
{
    use_fake("");
    random_source source = {59};
    for (int i = 0; i < 4; i++) {
        pc_method method = i / 2 ? PC_METHOD_HYBRID : PC_METHOD_SWEEP;
        OWNED(edge_set) edges = edge_set_density(&source, 40, 100, i % 2);
        OWNED(powers) all = powers_of(&edges, 13);
        OWNED(pc_context) *context = new_context(2);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_plan_info plan;
        MUST(pc_context_set_device(context, "cuda"));
        check_matrix(context, graph, &all, options_of(method, 0));
        CU_ASSERT_EQUAL(plan_last(context, &plan), PC_OK);
        CU_ASSERT_STRING_EQUAL(plan.engine, "cuda");
        CU_ASSERT_EQUAL(plan.method, method);
    }
}

/* Each operation of its runs and sweeps fails once: said so, and nothing is left behind. */
static int n_operations_of(const edge_set *edges, pc_method method)
{
    enum { MOST_OPERATIONS = 1000 };
    pc_status status = PC_ERR_ENGINE;
    int n = 0;
    for (; status == PC_ERR_ENGINE && n < MOST_OPERATIONS; n++) {
        char behaviour[32];
        failing_allocator allocator = FAILING_ALLOCATOR;
        snprintf(behaviour, sizeof behaviour, "engine:%d", n + 1);
        use_fake(behaviour);
        pc_context *context = failing_context(&allocator, 2);
        pc_graph *graph = new_graph(context, edges);
        pc_count_options options = {.method = method};
        MUST(pc_context_set_device(context, "cuda"));
        status = stream_counts(context, graph, 6, &options, count_rows, NULL);
        pc_graph_free(graph);
        pc_context_free(context);
        CU_ASSERT_EQUAL_FATAL(allocator.n_live, 0);
    }
    CU_ASSERT_EQUAL(status, PC_OK);
    return n - 1;
}

TEST("another engine gives up")
{
    random_source source = {60};
    OWNED(edge_set) edges = edge_set_density(&source, 30, 200, true);
    CU_ASSERT_TRUE(n_operations_of(&edges, PC_METHOD_SWEEP) > 5);
    CU_ASSERT_TRUE(n_operations_of(&edges, PC_METHOD_HYBRID) > 5);
}

/* Squaring is believed to be faster. Integers that do not fit leave it residues, and where those do not fit sweeps take its
 * place; nothing has failed. */
TEST("the way that fits")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = NULL;
    pc_plan_info plan;
    MUST(generate_erdos_renyi(context, 8192, 32768, 1, 0, &graph));
    MUST(pc_context_set_device(context, "cpu"));
    context->rates.per_second[PCI_PART_SWEEP] = context->rates.per_second[PCI_PART_SWEEP_FAR] = 1e5;
    CU_ASSERT_EQUAL(plan_matrix(context, graph, 8, NULL, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_DENSE);
    CU_ASSERT(plan.levels[plan.n_levels - 1].is_direct);
    pc_context_set_memory_limit(context, plan.memory_bytes - 1);
    CU_ASSERT_EQUAL(plan_matrix(context, graph, 8, NULL, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_DENSE);
    CU_ASSERT(!plan.levels[plan.n_levels - 1].is_direct);
    pc_context_set_memory_limit(context, plan.memory_bytes - 1);
    CU_ASSERT_EQUAL(plan_matrix(context, graph, 8, NULL, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_SWEEP);
    const pc_count_options modular = {.arithmetic = PC_MODULAR, .modulus = 1000003};
    pc_context_set_memory_limit(context, 0);
    CU_ASSERT_EQUAL(plan_matrix(context, graph, 8, &modular, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_DENSE); /* always, where it fits */
    pc_context_set_memory_limit(context, plan.memory_bytes - 1);
    CU_ASSERT_EQUAL(plan_matrix(context, graph, 8, &modular, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_SWEEP);
}

/* The same where a hybrid is believed to be the fastest: it comes last in the list of ways. */
TEST("the way that fits instead of a hybrid")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = NULL;
    pc_plan_info plan;
    MUST(generate_erdos_renyi(context, 8192, 16384, 1, 0, &graph));
    MUST(pc_context_set_device(context, "cpu"));
    context->rates.is_measured = true;
    context->rates.per_second[PCI_PART_PRODUCT] = 3e7;
    context->rates.per_second[PCI_PART_SWEEP] = context->rates.per_second[PCI_PART_SWEEP_FAR] = 3e5;
    CU_ASSERT_EQUAL(plan_matrix(context, graph, 9, NULL, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_HYBRID);
    pc_context_set_memory_limit(context,
                                plan.memory_bytes / 4); /* squaring alone takes less than half */
    CU_ASSERT_EQUAL(plan_matrix(context, graph, 9, NULL, 0, &plan), PC_OK);
    CU_ASSERT_EQUAL(plan.method, PC_METHOD_SWEEP);
}

/* ---- Too many vertices ----------------------------------------------------------------------- */

/* Of more vertices than squaring reaches rows are swept; they are not kept. */
static pc_status first_rows(void *user, const pc_rows *rows)
{
    uint64_t *n_right = user;
    for (uint64_t i = 0; i < rows->n_rows; i++) /* a cycle: two steps on */
        *n_right += rows->limbs[i * rows->n_columns + (rows->first_row + i + 2) % 131073] == 1;
    return *n_right == rows->n_rows ? PC_ERR_IO : PC_ERR_INTERNAL;
}

TEST("many vertices")
{
    enum { N = 131073 };
    uint64_t n_right = 0;
    OWNED(edge_set) edges = edge_set_empty(N, true);
    for (uint64_t v = 0; v < N; v++)
        edge_set_add(&edges, v, (v + 1) % N, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_context_set_memory_limit(context, 48 << 20);
    pc_counts *counts = NULL;
    pc_count_options dense = {.method = PC_METHOD_DENSE}, sweep = {.method = PC_METHOD_SWEEP};
    CU_ASSERT_EQUAL(stream_counts(context, graph, 2, NULL, first_rows, &n_right), PC_ERR_IO);
    CU_ASSERT_TRUE(n_right > 0);
    CU_ASSERT(is_refused(context, stream_counts(context, graph, 2, &dense, count_rows, NULL),
                         PC_ERR_RANGE, "--method sweep"));
    CU_ASSERT_EQUAL(pc_count(context, graph, 2, &sweep, &counts), PC_ERR_RANGE);
    CU_ASSERT_EQUAL(pc_count(context, graph, 2, NULL, &counts), PC_ERR_RANGE);
}
