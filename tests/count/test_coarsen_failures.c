/* Counts between blocks: what is refused, what fails halfway, and engines that are another's or wrong
 * (tests/fakes/fake_engine.c in the place of CUDA's). */
#include "tests/support/fixture.h"

#include "tests/support/coarsen_question.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A graph with a partition ------------------------------------------------------------------ */

typedef struct fixture {
    edge_set edges;
    pc_context *context;
    pc_graph *graph;
    pc_partition *partition;
} fixture;

static fixture set_up(uint64_t n, unsigned per_thousand, uint64_t size)
{
    random_source source = {n + size};
    fixture f = {.edges = edge_set_density(&source, n, per_thousand, true)};
    f.context = new_context(2);
    f.graph = new_graph(f.context, &f.edges);
    MUST(pci_partition_consecutive(f.context, f.graph, size, &f.partition));
    return f;
}

static void tear_down(fixture *f)
{
    pc_partition_free(f->partition);
    pc_graph_free(f->graph);
    pc_context_free(f->context);
    edge_set_free(&f->edges);
}
#define release_fixture tear_down

/* Whole, in rows and as a plan it is refused so, with these words in the message, and nothing comes. */
static void check_refused(const fixture *f, uint64_t k, const pc_count_options *options,
                          pc_status expected, const char *word, const char *other)
{
    int n_calls = 0;
    pc_counts *counts = NULL;
    pc_plan_info plan = {.length = 12345};
    for (int way = 0; way < 3; way++) {
        pc_status status =
            way == 0 ? coarsen(f->context, f->graph, f->partition, k, options, &counts)
            : way == 1
                ? coarsen_rows(f->context, f->graph, f->partition, k, options, count_rows, &n_calls)
                : plan_blocks(f->context, f->graph, f->partition, k, options, 1, &plan);
        const char *message = pc_context_message(f->context);
        CU_ASSERT_EQUAL(status, expected);
        if (!strstr(message, word) || !strstr(message, other))
            print_message(f->context);
        CU_ASSERT_TRUE(strstr(message, word) != NULL && strstr(message, other) != NULL);
    }
    CU_ASSERT_TRUE(counts == NULL && n_calls == 0 && plan.length == 12345);
}

/* ---- Refused ----------------------------------------------------------------------------------- */

TEST("partition of another graph")
{
    OWNED(fixture) f = set_up(7, 300, 2), other = set_up(8, 300, 2);
    pc_graph *graph = f.graph;
    for (uint64_t k = 0; k < 4; k++) {
        f.graph = other.graph;
        check_refused(&f, k, NULL, PC_ERR_ARGUMENT, "7", "8");
        f.graph = graph;
    }
}

enum { N_WAYS = 6 };
static const pc_count_options ways[N_WAYS] = {
    {.method = PC_METHOD_DENSE},
    {.method = PC_METHOD_DENSE, .arithmetic = PC_MODULAR, .modulus = 1000003},
    {.method = PC_METHOD_DENSE, .arithmetic = PC_FLOAT},
    {.method = PC_METHOD_SWEEP},
    {.method = PC_METHOD_SWEEP, .arithmetic = PC_MODULAR, .modulus = 1000003},
    {.method = PC_METHOD_SWEEP, .arithmetic = PC_FLOAT}};

/* A few bytes are never enough; twice what the plan says always is. */
TEST("memory limit")
{
    OWNED(fixture) f = set_up(200, 100, 3);
    for (int w = 0; w < N_WAYS; w++)
        for (uint64_t k = 0; k < 10; k += 1 + k) {
            pc_plan_info plan;
            OWNED(pc_counts) *counts = NULL;
            pc_context_set_memory_limit(f.context, 1000);
            check_refused(&f, k, &ways[w], PC_ERR_MEMORY, "of memory", "200 vertices");
            pc_context_set_memory_limit(f.context, 0);
            CU_ASSERT_EQUAL(plan_blocks(f.context, f.graph, f.partition, k, &ways[w], 1, &plan),
                            PC_OK);
            CU_ASSERT_TRUE(plan.memory_bytes <= plan.memory_available_bytes);
            pc_context_set_memory_limit(f.context, 2 * plan.memory_bytes);
            CU_ASSERT_EQUAL(coarsen(f.context, f.graph, f.partition, k, &ways[w], &counts), PC_OK);
            uint64_t limit = plan.memory_bytes - 1; /* fewer vectors at a time may fit */
            pc_context_set_memory_limit(f.context, limit);
            pc_status status = plan_blocks(f.context, f.graph, f.partition, k, &ways[w], 1, &plan);
            CU_ASSERT_TRUE(status == PC_ERR_MEMORY ||
                           (status == PC_OK && plan.memory_bytes <= limit));
        }
}

/* What is held at most stays within the forecast, which is not far off. */
TEST("memory as foretold")
{
    enum { ROOM = 128 << 10 };
    for (int w = 0; w < N_WAYS; w++)
        for (uint64_t k = 0; k <= 9; k += 1 + k / 3) {
            random_source source = {3};
            failing_allocator allocator = FAILING_ALLOCATOR;
            fixture f = {.edges = edge_set_density(&source, 600, 10, true),
                         .context = failing_context(&allocator, 2)};
            pc_counts *counts = NULL;
            pc_plan_info plan;
            f.graph = new_graph(f.context, &f.edges);
            MUST(pci_partition_consecutive(f.context, f.graph, 2 + k % 2, &f.partition));
            allocator.peak_bytes = allocator.live_bytes;
            MUST(coarsen(f.context, f.graph, f.partition, k, &ways[w], &counts));
            MUST(plan_last(f.context, &plan));
            if (allocator.peak_bytes > plan.memory_bytes + ROOM)
                printf("\n    way %d, length %llu: %llu bytes, foretold %llu\n", w,
                       (unsigned long long)k, (unsigned long long)allocator.peak_bytes,
                       (unsigned long long)plan.memory_bytes);
            CU_ASSERT_TRUE(allocator.peak_bytes <= plan.memory_bytes + ROOM);
            bool is_swept = ways[w].method == PC_METHOD_SWEEP; /* with the program, and blocks */
            CU_ASSERT_TRUE(k < 2 || is_swept || plan.memory_bytes <= 2 * allocator.peak_bytes);
            pc_counts_free(counts);
            tear_down(&f);
            CU_ASSERT_EQUAL(allocator.n_live, 0);
        }
}

/* ---- Stopped ----------------------------------------------------------------------------------- */

TEST("the receiver stops")
{
    OWNED(fixture) f = set_up(20, 300, 3);
    for (uint64_t k = 0; k < 5; k++) {
        int n_calls = 0;
        CU_ASSERT_EQUAL(coarsen_rows(f.context, f.graph, f.partition, k, NULL, stop_rows, &n_calls),
                        PC_ERR_IO);
        CU_ASSERT_EQUAL(n_calls, 1);
    }
}

/* ---- Another engine ---------------------------------------------------------------------------- */

/* Counts on a device; plan is that of the count. */
static pc_counts *counts_on(const fixture *f, const char *device, uint64_t k,
                            const pc_count_options *options, pc_plan_info *plan)
{
    pc_counts *counts = NULL;
    MUST(pc_context_set_device(f->context, device));
    pc_status status = coarsen(f->context, f->graph, f->partition, k, options, &counts);
    if (status != PC_OK)
        print_message(f->context);
    MUST(status);
    MUST(plan_last(f->context, plan));
    return counts;
}

static bool are_same(const pc_counts *a, const pc_counts *b)
{
    pc_rows x, y;
    pc_counts_rows(a, &x);
    pc_counts_rows(b, &y);
    return x.n_rows == y.n_rows && x.n_columns == y.n_columns && x.n_limbs == y.n_limbs &&
           memcmp(x.limbs, y.limbs, x.n_rows * x.n_columns * x.n_limbs * 8) == 0;
}

TEST("same counts on a device")
{
    pc_count_options modular = {.arithmetic = PC_MODULAR, .modulus = 1000003};
    OWNED(fixture) f = set_up(192, 200, 1);
    pc_plan_info plan;
    use_fake("");
    for (uint64_t k = 0; k < 46; k += k < 9 ? 1 : 18)
        for (int way = 0; way < 2; way++) {
            const pc_count_options *options = way ? &modular : NULL;
            OWNED(pc_counts) *expected = counts_on(&f, "cpu", k, options, &plan);
            OWNED(pc_counts) *counts = counts_on(&f, "cuda", k, options, &plan);
            CU_ASSERT_STRING_EQUAL(plan.engine, k > 1 ? "cuda" : "cpu");
            CU_ASSERT_TRUE(are_same(counts, expected));
        }
    pc_counts_free(counts_on(&f, "cuda", 9, &(pc_count_options){.arithmetic = PC_FLOAT}, &plan));
    CU_ASSERT_STRING_EQUAL(plan.engine, "cpu");
}

/* Under "auto" a device that gives up at its first, second ... operation is replaced. */
TEST("a device gives up")
{
    enum { LENGTH = 61 };
    OWNED(fixture) f = set_up(192, 200, 2);
    pc_plan_info plan;
    bool is_over = false;
    int n_faults = 0;
    MUST(pc_context_set_threads(f.context, 1));
    OWNED(pc_counts) *expected = counts_on(&f, "cpu", LENGTH, &ways[0], &plan);
    make_processors_slow(f.context);
    for (; !is_over && n_faults < 100; n_faults++) {
        char behaviour[32];
        snprintf(behaviour, sizeof behaviour, "%s:%d", n_faults % 2 ? "memory" : "engine",
                 n_faults + 1);
        use_fake(behaviour);
        OWNED(pc_counts) *counts = counts_on(&f, "auto", LENGTH, &ways[0], &plan);
        CU_ASSERT_TRUE(are_same(counts, expected));
        is_over = strcmp(plan.engine, "cuda") == 0;
        if (!is_over)
            CU_ASSERT_PTR_NOT_NULL(strstr(plan.engine_reason, "CUDA failed: fake operation"));
    }
    CU_ASSERT_TRUE(is_over && n_faults > 10);
}

/* Wrong reduced products are withheld, and would have come through unchecked. */
TEST("wrong results are withheld")
{
    OWNED(fixture) f = set_up(40, 200, 3);
    pc_plan_info plan;
    use_fake("strayed");
    for (uint64_t k = 2; k < 60; k += 1 + k / 2) {
        OWNED(pc_counts) *expected = counts_on(&f, "cpu", k, NULL, &plan);
        MUST(pc_context_set_device(f.context, "cuda"));
        for (int rounds = 0; rounds < 2; rounds++) {
            pc_counts *counts = NULL;
            int n_calls = 0;
            pc_count_options options = {.n_certify_rounds = rounds};
            CU_ASSERT(is_refused(f.context,
                                 coarsen(f.context, f.graph, f.partition, k, &options, &counts),
                                 PC_ERR_CERTIFY, "failed its check"));
            CU_ASSERT_EQUAL(
                coarsen_rows(f.context, f.graph, f.partition, k, &options, count_rows, &n_calls),
                PC_ERR_CERTIFY);
            CU_ASSERT_TRUE(counts == NULL && n_calls == 0);
        }
        pc_count_options unchecked = {.n_certify_rounds = PC_CERTIFY_NONE};
        OWNED(pc_counts) *counts = counts_on(&f, "cuda", k, &unchecked, &plan);
        CU_ASSERT_FALSE(are_same(counts, expected));
    }
}
