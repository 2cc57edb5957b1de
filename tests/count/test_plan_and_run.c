/* What a plan says is what runs: every kind of question, of every kind of path, in every arithmetic,
 * by every method. And a request is bounded once: a sparse product for each length, however many
 * routes were weighed and however many lengths are answered. */
#include "src/core/context.h"
#include "tests/support/fixture.h"
#include "tests/support/methods.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH = 11, N_KINDS = PC_QUERY_MATRIX + 1, N_PATHS = PC_PATHS_MARKOV + 1, N_METHODS = 4 };

/* What a plan and what ran must have in common. */
static bool are_the_same(const pc_plan_info *plan, const pc_plan_info *run)
{
    bool is_same = plan->method == run->method && plan->sweep_length == run->sweep_length &&
                   plan->n_vectors == run->n_vectors && strcmp(plan->engine, run->engine) == 0 &&
                   strcmp(plan->kernel, run->kernel) == 0 &&
                   strcmp(plan->engine_reason, run->engine_reason) == 0 &&
                   plan->bound_bits == run->bound_bits && plan->n_limbs == run->n_limbs &&
                   plan->memory_bytes == run->memory_bytes && plan->n_levels == run->n_levels &&
                   plan->predicted_seconds == run->predicted_seconds;
    for (uint32_t l = 0; l < plan->n_levels && is_same; l++)
        is_same = plan->levels[l].length == run->levels[l].length &&
                  plan->levels[l].n_moduli == run->levels[l].n_moduli &&
                  plan->levels[l].is_swept == run->levels[l].is_swept;
    return is_same && run->seconds.total > 0;
}

/* An answer is no wider than the plan said. */
static pc_status check_width(void *user, uint64_t length, const pc_rows *rows)
{
    const pc_plan_info *plan = user;
    (void)length;
    CU_ASSERT_TRUE(rows->n_limbs <= plan->n_limbs);
    return PC_OK;
}

/* Plans and runs one question. Returns false when it is refused, which both must do alike. */
static bool check(pc_context *context, const pc_graph *graph, const pc_query *query,
                  const pc_count_options *options)
{
    pc_plan_info plan, ran;
    pc_status planned = plan_query(context, graph, query, options, &plan);
    uint64_t n_before = context->n_bound_passes;
    pc_status status = pc_query_run(context, graph, query, options, check_width, &plan);
    CU_ASSERT_TRUE(context->n_bound_passes - n_before <= query->length);
    CU_ASSERT_EQUAL(planned, status);
    if (status != PC_OK)
        return false;
    MUST(plan_last(context, &ran));
    if (!are_the_same(&plan, &ran))
        printf("\n    kind %d, paths %d, arithmetic %d, method %d, each %d, up to %d\n",
               (int)query->kind, (int)query->paths, (int)options->arithmetic, (int)options->method,
               query->each, query->up_to);
    CU_ASSERT_TRUE(are_the_same(&plan, &ran));
    return true;
}

/* One kind of question in all arithmetics, by all methods, for one length and for many. */
static int check_kind(pc_context *context, const pc_graph *graph, pc_query query)
{
    int n_answered = 0;
    for (int i = 0; i < 3 * N_ARITHMETICS * N_METHODS; i++) {
        pc_count_options options = options_of((pc_method)(i / 3 % N_METHODS), i / 3 / N_METHODS);
        query.each = i % 3 == 1;
        query.up_to = i % 3 == 2;
        n_answered += check(context, graph, &query, &options);
    }
    return n_answered;
}

static void check_graph(const edge_set *edges)
{
    static const uint64_t from[] = {0, 3, 3}, to[] = {2, 3, 0};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    for (int i = 0; i < 2 * N_KINDS * N_PATHS; i++) {
        pc_query query = {.kind = (pc_query_kind)(i / 2 % N_KINDS),
                          .paths = (pc_path_kind)(i / 2 / N_KINDS),
                          .length = LENGTH,
                          .n_asked = i % 2 ? 3 : 1,
                          .from = from,
                          .to = to};
        CU_ASSERT_TRUE(check_kind(context, graph, query) > 0);
    }
}

/* Undirected graphs are answered by halves, too; dense ones by squaring. */
TEST("every question")
{
    static const int per_mille[] = {80, 900};
    for (int i = 0; i < 4; i++) {
        random_source source = {40};
        OWNED(edge_set) edges = edge_set_density(&source, 40, per_mille[i / 2], i % 2);
        check_graph(&edges);
    }
}

/* Halves are what a plan tells of, where they are what answers. */
TEST("halves are told")
{
    static const uint64_t vertex = 1;
    random_source source = {41};
    OWNED(edge_set) edges = edge_set_density(&source, 60, 100, false);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_query query = {
        .kind = PC_QUERY_PAIRS, .length = 40, .n_asked = 1, .from = &vertex, .to = &vertex};
    pc_plan_info plan;
    MUST(plan_query(context, graph, &query, NULL, &plan));
    CU_ASSERT_EQUAL(plan.sweep_length, 20);
    CU_ASSERT_EQUAL(plan.n_vectors, 1);
}

/* The matrix of each length, read off: one bound for all. */
TEST("each length squared")
{
    random_source source = {42};
    OWNED(edge_set) edges = edge_set_density(&source, 50, 300, true);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = 30, .each = 1};
    pc_count_options options = {.method = PC_METHOD_DENSE};
    pc_plan_info plan = {.n_limbs = 100};
    CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, &options, check_width, &plan), PC_OK);
    CU_ASSERT_EQUAL(context->n_bound_passes, 30);
}

/* A plan says whether the answer is kept: it is used as it was made. */
TEST("kept or passed on")
{
    random_source source = {91};
    OWNED(edge_set) edges = edge_set_density(&source, 9, 200, true);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int keeps = 0; keeps < 2; keeps++) {
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = 3, .keeps = keeps};
        pc_counts *counts = NULL;
        pc_plan *plan = NULL;
        int n_calls = 0;
        MUST(pc_plan_create(context, graph, &query, NULL, &plan));
        if (keeps)
            CU_ASSERT(is_refused(context, pc_plan_run(plan, NULL, 0, count_answers, &n_calls),
                                 PC_ERR_ARGUMENT, "pc_plan_collect"));
        CU_ASSERT_PTR_NULL(counts);
        CU_ASSERT_EQUAL(n_calls, 0);
        MUST(keeps ? pc_plan_collect(plan, &counts)
                   : pc_plan_run(plan, NULL, 0, count_answers, &n_calls));
        CU_ASSERT_EQUAL(n_calls > 0, !keeps);
        pc_counts_free(counts);
        pc_plan_free(plan);
    }
    pc_plan *plan = NULL;
    pc_query total = {.kind = PC_QUERY_TOTAL, .length = 3, .keeps = 1};
    CU_ASSERT(is_refused(context, pc_plan_create(context, graph, &total, NULL, &plan),
                         PC_ERR_ARGUMENT, "only a whole matrix"));
    OWNED(pc_partition) *blocks = NULL;
    MUST(pci_partition_consecutive(context, graph, 3, &blocks));
    pc_query between = {.kind = PC_QUERY_MATRIX,
                        .paths = PC_PATHS_NON_BACKTRACKING,
                        .length = 3,
                        .partition = blocks};
    CU_ASSERT(is_refused(context, pc_plan_create(context, graph, &between, NULL, &plan),
                         PC_ERR_ARGUMENT, "between blocks"));
    CU_ASSERT_PTR_NULL(plan);
}
