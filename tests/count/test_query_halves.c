/* Single entries by halves, of one length or all, against powers of GMP matrices; too little
 * memory, and being told to stop. */
#include <gmp.h>

#include "src/count/halves_plan.h"
#include "tests/support/asked.h"
#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PAIRS = 40 };

typedef struct halved {
    const powers *powers;
    const pc_query *query;
    uint64_t n_entries; /* of a length */
    uint64_t n_rows, n_wrong;
    double most_bits; /* of an answer */
} halved;

static double log2_of(const mpz_t value)
{
    long int exponent;
    double mantissa = mpz_get_d_2exp(&exponent, value);
    return log2(mantissa) + (double)exponent;
}

/* No entry of A^length is larger than the largest sum of a row to that power; here with a step more and n of them. */
static double most_bits_of(const powers *powers, uint64_t length)
{
    const integer_matrix *a = &powers->power[1];
    double most = 0;
    OWNED(mpz_t) sum;
    mpz_init(sum);
    for (uint64_t i = 0; i < a->n; i++) {
        mpz_set_ui(sum, 1);
        for (uint64_t j = 0; j < a->n; j++)
            mpz_add(sum, sum, a->entry[i * a->n + j]);
        most = fmax(most, log2_of(sum));
    }
    return (double)(length + 1) * most + log2((double)a->n * (double)(length + 1));
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    halved *a = user;
    const pc_query *query = a->query;
    OWNED(mpz_t) value;
    mpz_init(value);
    uint64_t expected = query->each ? a->n_rows / a->n_entries + 1 : query->length;
    CU_ASSERT_TRUE_FATAL(length == expected && rows->n_columns == 1 && rows->limbs);
    CU_ASSERT_TRUE_FATAL(rows->first_row == a->n_rows % a->n_entries);
    const integer_matrix *right = query->up_to ? &a->powers->sum : &a->powers->power[length];
    for (uint64_t i = 0; i < rows->n_rows; i++, a->n_rows++) {
        uint64_t at = rows->first_row + i;
        uint64_t u = query->kind == PC_QUERY_PAIRS ? query->from[at] : at;
        uint64_t v = query->kind == PC_QUERY_PAIRS ? query->to[at] : at;
        mpz_import(value, rows->n_limbs, -1, 8, 0, 0, rows->limbs + i * rows->n_limbs);
        a->n_wrong += mpz_cmp(value, right->entry[u * right->n + v]) != 0;
        a->most_bits = fmax(a->most_bits, mpz_sgn(value) ? log2_of(value) : 0);
    }
    return PC_OK;
}

/* Sets *is_halved to whether halves answered; asserts that an answer is right. */
static pc_status answer(pc_context *context, const pc_graph *graph, const powers *powers,
                        const pc_query *query, bool *is_halved)
{
    bool is_pairs = query->kind == PC_QUERY_PAIRS;
    uint64_t n_entries = is_pairs ? query->n_asked : powers->n;
    halved a = {.powers = powers, .query = query, .n_entries = n_entries};
    pc_count_options options = {.method = PC_METHOD_SWEEP};
    pc_plan_info info = {0};
    pc_status status = pc_query_run(context, graph, query, &options, take, &a);
    CU_ASSERT_EQUAL_FATAL(a.n_wrong, 0);
    if (status == PC_OK)
        CU_ASSERT_EQUAL(a.n_rows, n_entries * (query->each ? query->length : 1));
    if (status == PC_OK)
        status = plan_last(context, &info);
    *is_halved = info.sweep_length < query->length;
    if (status == PC_OK && *is_halved) {
        CU_ASSERT(a.most_bits <= info.bound_bits);
        CU_ASSERT(info.bound_bits <= most_bits_of(powers, query->length));
    }
    return status;
}

/* Whether halves answered, rightly. */
static bool check_halved(pc_context *context, const pc_graph *graph, const powers *powers,
                         const pc_query *query)
{
    bool is_halved;
    pc_status status = answer(context, graph, powers, query, &is_halved);
    if (status != PC_OK)
        print_message(context);
    MUST(status);
    return is_halved;
}

/* How many queries halves answered. */
typedef struct tally {
    int of_one_length, of_more;
} tally;

/* One length, every length, and lengths added up. */
static void check_ways(pc_context *context, const pc_graph *graph, const powers *powers,
                       pc_query query, tally *n_halved)
{
    n_halved->of_one_length += check_halved(context, graph, powers, &query);
    query.each = 1;
    n_halved->of_more += check_halved(context, graph, powers, &query);
    query.each = 0;
    query.up_to = 1;
    n_halved->of_more += check_halved(context, graph, powers, &query);
}

/* Closed ones and some pairs. */
static tally check_graph(const edge_set *edges, uint64_t length, int n_threads,
                         random_source *source)
{
    uint64_t n = edges->n, from[MOST_PAIRS], to[MOST_PAIRS], n_ends = 1 + random_below(source, n);
    OWNED(powers) powers = powers_of(edges, length);
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    for (int i = 0; i < MOST_PAIRS; i++) {
        from[i] = random_below(source, n_ends);
        to[i] = n - 1 - random_below(source, n_ends);
    }
    pc_query closed = {.kind = PC_QUERY_CLOSED, .length = length};
    pc_query pairs = {.kind = PC_QUERY_PAIRS,
                      .length = length,
                      .n_asked = random_below(source, MOST_PAIRS + 1),
                      .from = from,
                      .to = to};
    tally n_halved = {0};
    check_ways(context, graph, &powers, closed, &n_halved);
    check_ways(context, graph, &powers, pairs, &n_halved);
    pairs.n_asked = 1;
    check_ways(context, graph, &powers, pairs, &n_halved);
    return n_halved;
}

TEST("random graphs")
{
    random_source source = {1};
    tally n_halved = {0};
    for (int g = 0; g < 400; g++) {
        OWNED(edge_set) edges = edge_set_any(&source, 1 + random_below(&source, g % 10 ? 8 : 30));
        edges.directed = edges.multigraph = false;
        for (uint64_t e = 0; e < edges.n_edges; e++) /* not both ways with different weights */
            if (edges.weight[e] > 1)
                edges.weight[e] = UINT64_MAX - (edges.from[e] + edges.to[e]);
        tally of_graph =
            check_graph(&edges, 2 + random_below(&source, g % 5 ? 12 : 60), 1 + g % 4, &source);
        n_halved.of_one_length += of_graph.of_one_length;
        n_halved.of_more += of_graph.of_more;
    }
    CU_ASSERT_TRUE(n_halved.of_one_length > 400 && n_halved.of_more > 1200);
}

/* Single pairs always go by halves, closed ones of even length from 6 on, and of all lengths. */
TEST("when it is halved")
{
    for (uint64_t length = 2; length < 20; length++) {
        random_source source = {2};
        OWNED(edge_set) edges = edge_set_density(&source, 60, 80, false);
        int least = 1 + (length % 2 == 0 && length > 4);
        tally n_halved = check_graph(&edges, length, 2, &source);
        CU_ASSERT_TRUE(n_halved.of_one_length >= least && n_halved.of_more >= 4);
    }
}

/* Asks with ever less memory until there is too little; counts in n_of those whole and those
 * halved. */
static void starve(const edge_set *edges, const powers *powers, const pc_query *query, int n_of[2])
{
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_status status = PC_OK;
    n_of[false] = n_of[true] = 0;
    for (uint64_t bytes = 4 << 20; status == PC_OK && bytes > 0; bytes -= bytes / 8 + 1) {
        bool is_halved;
        pc_context_set_memory_limit(context, bytes);
        status = answer(context, graph, powers, query, &is_halved);
        if (status == PC_OK)
            n_of[is_halved]++;
    }
    CU_ASSERT_EQUAL(status, PC_ERR_MEMORY);
}

/* Of more lengths: fewer vectors at a time of closed paths, whole lengths of pairs. */
TEST("ever less memory")
{
    enum { N = 150, LENGTH = 41 };
    random_source source = {5};
    uint64_t from[MOST_PAIRS], to[MOST_PAIRS];
    for (uint64_t i = 0; i < MOST_PAIRS; i++) {
        from[i] = i;
        to[i] = N - 1 - i;
    }
    OWNED(edge_set) edges = edge_set_density(&source, N, 40, false);
    OWNED(powers) powers = powers_of(&edges, LENGTH);
    pc_query query = {.kind = PC_QUERY_CLOSED,
                      .length = LENGTH,
                      .each = 1,
                      .n_asked = MOST_PAIRS,
                      .from = from,
                      .to = to};
    int n_of[2];
    starve(&edges, &powers, &query, n_of);
    CU_ASSERT_TRUE(n_of[true] > 4);
    query.kind = PC_QUERY_PAIRS;
    starve(&edges, &powers, &query, n_of);
    CU_ASSERT_TRUE(n_of[true] > 4 && n_of[false] > 4);
    query.each = 0; /* one length: not halved when all vectors do not fit in memory */
    starve(&edges, &powers, &query, n_of);
    CU_ASSERT_TRUE(n_of[true] > 4 && n_of[false] > 4);
}

TEST("what has no halves")
{
    static const uint64_t vertex = 0;
    edge_set both[] = {edge_set_constant(2, 1), edge_set_constant(2, 1)};
    OWNED(pc_context) *context = new_context(1);
    both[0].directed = false;
    for (int directed = 0; directed < 2; directed++) {
        pc_graph *graph = new_graph(context, &both[directed]);
        pc_query query = {
            .kind = PC_QUERY_PAIRS, .length = 4, .n_asked = 1, .from = &vertex, .to = &vertex};
        pci_question question = {
            .context = context, .graph = graph, .query = query, .kind = pci_kind_row(query.kind)};
        CU_ASSERT_EQUAL(pci_question_has_halves(&question), !directed);
        question.options.arithmetic = PC_MODULAR;
        CU_ASSERT_FALSE(pci_question_has_halves(&question));
        question.options.arithmetic = PC_EXACT;
        question.query.length = 1;
        CU_ASSERT_FALSE(pci_question_has_halves(&question));
        question.query.length = 4;
        question.kind = pci_kind_row(PC_QUERY_FROM);
        CU_ASSERT_FALSE(pci_question_has_halves(&question));
        question.kind = pci_kind_row(PC_QUERY_CLOSED);
        question.query.paths = PC_PATHS_NON_BACKTRACKING;
        CU_ASSERT_FALSE(pci_question_has_halves(&question));
        pc_graph_free(graph);
        edge_set_free(&both[directed]);
    }
}

/* ---- Wrong vectors --------------------------------------------------------------------------- */

static int n_reads_until_wrong;

/* Turns a bit of what is read, once. */
static pc_status lie(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                     bool adds, uint64_t *limbs)
{
    pc_status status = pci_sweep_rows(sweep, first, n_vectors, n_limbs, adds, limbs);
    if (--n_reads_until_wrong == 0)
        limbs[n_limbs] ^= 4;
    return status;
}

/* Runs the plan by halves of an engine whose sweeps lie. */
static pc_status run_lying(pc_context *context, const pc_graph *graph, const pc_query *query,
                           const pc_count_options *options, int *n_calls, uint64_t *n_steps)
{
    pci_sweep_ops liar = pci_sweep_cpu;
    pci_engine engine = pci_engine_cpu;
    pci_moduli moduli;
    pci_question question;
    pci_sink sink = {.deliver = count_answers, .user = n_calls};
    liar.rows = lie;
    engine.sweeps = &liar;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    MUST(pci_question_make(context, graph, query, options, &question));
    question.moduli = &moduli;
    MUST(pci_limits_create(context, graph, NULL, query->length, 1e4, &question.limits));
    pci_plan *plan = pci_plan_create(&question, &pci_by_halves);
    MUST(pci_by_halves.plan(&question, &engine, plan));
    MUST(plan->status);
    pc_plan_info info = plan->info;
    pci_execution run = {&question, plan, &info, &sink};
    pc_status status = pci_by_halves.run(&run);
    *n_steps = info.sweep_length;
    pci_plan_free(context, plan);
    pci_limits_free(question.limits);
    return status;
}

/* Withheld, unless nobody checks. */
TEST("wrong vectors are withheld")
{
    enum { LENGTH = 9, N_STEPS = 5 };
    random_source source = {6};
    OWNED(edge_set) edges = edge_set_density(&source, 20, 300, false);
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int i = 1; i <= 2 * N_STEPS; i++) {
        int n_calls = 0;
        pc_query query = {.kind = PC_QUERY_CLOSED, .length = LENGTH, .up_to = 1};
        uint64_t n_steps = 0;
        bool is_checked = i <= N_STEPS;
        pc_count_options options = {.n_certify_rounds = is_checked ? 0 : PC_CERTIFY_NONE};
        n_reads_until_wrong = (i - 1) % N_STEPS + 1;
        pc_status status = run_lying(context, graph, &query, &options, &n_calls, &n_steps);
        CU_ASSERT_EQUAL(status, is_checked ? PC_ERR_CERTIFY : PC_OK);
        CU_ASSERT_EQUAL(n_calls, !is_checked);
        CU_ASSERT_EQUAL(n_steps, N_STEPS);
    }
}

/* ---- Halfway --------------------------------------------------------------------------------- */

typedef struct halfway_job {
    const edge_set *edges;
    pc_query query;
} halfway_job;

static pc_status ask(pc_context *context, void *user)
{
    const halfway_job *j = user;
    OWNED(pc_graph) *graph = NULL;
    int n_calls = 0;
    pc_plan_info info = {0};
    pc_count_options options = {.method = PC_METHOD_SWEEP};
    pc_status status = edge_set_load(context, j->edges, &graph);
    if (status == PC_OK)
        status = pc_query_run(context, graph, &j->query, &options, count_answers, &n_calls);
    if (status == PC_OK)
        CU_ASSERT_TRUE(n_calls == (j->query.each ? (int)j->query.length : 1) &&
                       plan_last(context, &info) == PC_OK && info.sweep_length < j->query.length);
    if (status != PC_OK)
        CU_ASSERT_EQUAL(n_calls, 0);
    return status;
}

TEST("memory fails, or it is cancelled")
{
    static const uint64_t from[] = {1, 4, 6}, to[] = {0, 3, 7};
    for (int i = 0; i < 8; i++) {
        random_source source = {4};
        OWNED(edge_set) edges = edge_set_density(&source, 20, 300, false);
        halfway_job j = {&edges,
                         {.kind = i % 2 ? PC_QUERY_PAIRS : PC_QUERY_CLOSED,
                          .length = 16 + (i / 2 % 2 ? 15 : 0),
                          .each = i > 3,
                          .n_asked = 3,
                          .from = from,
                          .to = to}};
        CU_ASSERT_TRUE(fail_each_allocation(ask, &j) > 10);
        CU_ASSERT_TRUE(cancel_at_each_question(ask, 2, &j) > 5);
    }
}
