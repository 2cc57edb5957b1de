/* Queries that are refused, run out of memory or patience, or are stopped by their receiver. */
#include "tests/fixture.h"
#include "tests/failing_allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_KINDS = PC_QUERY_CLOSED + 1 };

/* ---- Refused --------------------------------------------------------------------------------- */

static pc_status never_called(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length, (void)rows;
    ++*(int *)user;
    return PC_OK;
}

static void refuse(const edge_set *edges, uint64_t memory_limit, const pc_query *query,
                   const pc_count_options *options, pc_status expected, const char *words)
{
    int n_calls = 0;
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_context_set_memory_limit(context, memory_limit);
    CU_ASSERT_EQUAL(pc_query_run(context, graph, query, options, never_called, &n_calls), expected);
    CU_ASSERT_EQUAL(n_calls, 0);
    if (!strstr(pc_context_message(context), words))
        printf("\n    %s\n", pc_context_message(context));
    CU_ASSERT(says(context, words));
}

TEST("refused")
{
    static const uint64_t good[] = {0, 2}, bad[] = {1, 3};
    const pc_status argument = PC_ERR_ARGUMENT;
    OWNED(edge_set) e = edge_set_constant(3, 1), heavy = edge_set_constant(3, UINT64_MAX);
    pc_query total = {.kind = PC_QUERY_TOTAL, .length = 2};
    pc_query from = {.kind = PC_QUERY_FROM, .length = 2, .n_asked = 2, .from = bad};
    pc_query to = {.kind = PC_QUERY_TO, .length = 2, .n_asked = 2, .to = bad};
    pc_query pairs = {.kind = PC_QUERY_PAIRS, .length = 2, .n_asked = 2, .from = good, .to = bad};
    pc_query without = {.kind = PC_QUERY_TO, .length = 2, .n_asked = 2, .from = good};
    pc_query both = {.kind = PC_QUERY_TOTAL, .length = 2, .each = 1, .up_to = 1};
    refuse(&e, 0, &from, NULL, argument, "from[1] is vertex 3");
    refuse(&e, 0, &to, NULL, argument, "to[1] is vertex 3");
    refuse(&e, 0, &pairs, NULL, argument, "to[1] is vertex 3");
    refuse(&e, 0, &without, NULL, argument, "'to'");
    refuse(&e, 0, &both, NULL, argument, "not both");
    refuse(&e, 0, &(pc_query){.kind = (pc_query_kind)8}, NULL, argument, "kind");
    refuse(&e, 0, &total, &(pc_count_options){.arithmetic = (pc_arithmetic)3}, argument, "arith");
    refuse(&e, 0, &total, &(pc_count_options){.n_certify_rounds = 65}, argument, "rounds");
    for (uint64_t m = 0; m < 4; m++)
        refuse(&e, 0, &total,
               &(pc_count_options){.arithmetic = PC_MODULAR,
                                   .modulus = m < 2 ? m : (UINT64_C(1) << 63) + m - 2},
               argument, "modulus");
    pc_query longest = {.kind = PC_QUERY_TOTAL, .length = UINT64_MAX};
    pc_count_options modular = {.arithmetic = PC_MODULAR, .modulus = 7, .method = PC_METHOD_SWEEP};
    refuse(&e, 0, &longest, NULL, PC_ERR_RANGE, "--mod");
    refuse(&e, 0, &longest, &modular, PC_ERR_RANGE, "squares");
    longest.length = 1000;
    refuse(&heavy, 0, &longest, NULL, PC_ERR_RANGE, "wider");
}

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

TEST("memory limit")
{
    random_source source = {7};
    OWNED(edge_set) edges = edge_set_density(&source, 500, 20, true);
    pc_query closed = {.kind = PC_QUERY_CLOSED, .length = 50, .each = 1};
    pc_query total = {.kind = PC_QUERY_TOTAL, .length = 5};
    refuse(&edges, 100 << 10, &closed, NULL, PC_ERR_MEMORY, "MB");
    refuse(&edges, 100, &total, NULL, PC_ERR_MEMORY, "MB");
}

/* What is held at most stays within the limit that was set, but for a little. */
TEST("memory as foretold")
{
    enum { LIMIT = 600 << 10, ROOM = 64 << 10 };
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int way = 0; way < 9; way++) {
            random_source source = {8};
            failing_allocator allocator;
            failing_allocator_init(&allocator);
            OWNED(pc_context) *context = failing_context(&allocator, 2);
            OWNED(edge_set) edges = edge_set_density(&source, 600, 10, true);
            uint64_t asked[70];
            int n_calls = 0;
            for (int i = 0; i < 70; i++)
                asked[i] = random_below(&source, 600);
            OWNED(pc_graph) *graph = new_graph(context, &edges);
            uint64_t before = allocator.peak_bytes = allocator.live_bytes;
            pc_context_set_memory_limit(context, LIMIT);
            pc_query query = {.kind = (pc_query_kind)kind,
                              .length = 9,
                              .n_asked = 70,
                              .from = asked,
                              .to = asked,
                              .each = way / 3 == 1,
                              .up_to = way / 3 == 2};
            pc_arithmetic arithmetic = (pc_arithmetic)(way % 3);
            pc_count_options options = {.arithmetic = arithmetic,
                                        .modulus = arithmetic == PC_MODULAR ? 7 : 0};
            pc_status status =
                pc_query_run(context, graph, &query, &options, never_called, &n_calls);
            CU_ASSERT_EQUAL(status, PC_OK);
            CU_ASSERT_TRUE(n_calls > 0);
            if (allocator.peak_bytes > before + LIMIT + ROOM)
                printf("\n    kind %d, way %d: %llu bytes\n", kind, way,
                       (unsigned long long)(allocator.peak_bytes - before));
            CU_ASSERT_TRUE(allocator.peak_bytes <= before + LIMIT + ROOM);
        }
}

/* ---- Halfway --------------------------------------------------------------------------------- */

typedef struct job {
    const edge_set *edges;
    pc_query query;
    pc_count_options options;
} job;

static pc_status ask(pc_context *context, void *user)
{
    const job *j = user;
    OWNED(pc_graph) *graph = NULL;
    int n_calls = 0;
    pc_status status = edge_set_load(context, j->edges, &graph);
    if (status == PC_OK)
        status = pc_query_run(context, graph, &j->query, &j->options, never_called, &n_calls);
    if (status == PC_OK && n_calls == 0)
        status = PC_ERR_INTERNAL;
    return status;
}

static job some_job(const edge_set *edges, int i)
{
    static const uint64_t from[] = {1, 4, 4}, to[] = {0, 0, 7};
    return (job){.edges = edges,
                 .query = {.kind = (pc_query_kind)(i % N_KINDS),
                           .length = 5,
                           .n_asked = 3,
                           .from = from,
                           .to = to,
                           .each = i % 2,
                           .up_to = i % 4 == 0},
                 .options = {.arithmetic = (pc_arithmetic)(i / N_KINDS),
                             .modulus = i / N_KINDS == PC_MODULAR ? 1000003 : 0}};
}

TEST("memory fails")
{
    for (int i = 0; i < 3 * N_KINDS; i++) {
        random_source source = {60};
        OWNED(edge_set) edges = edge_set_density(&source, 20, 300, i % 3 != 0);
        job j = some_job(&edges, i);
        CU_ASSERT_TRUE(fail_each_allocation(ask, &j) > 5);
    }
}

/* Stopped at the first, the second ... time it asks: nothing is left behind. */
TEST("cancelled")
{
    for (int i = 0; i < 3 * N_KINDS; i++) {
        random_source source = {60};
        OWNED(edge_set) edges = edge_set_density(&source, 20, 300, i % 3 != 0);
        job j = some_job(&edges, i);
        CU_ASSERT_TRUE(cancel_at_each_question(ask, 2, &j) > 5);
    }
}

static pc_status refuse_rows(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length, (void)rows;
    return ++*(int *)user, PC_ERR_IO;
}

TEST("the receiver stops")
{
    OWNED(edge_set) edges = edge_set_constant(20, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int i = 0; i < 3 * N_KINDS; i++) {
        job j = some_job(&edges, i);
        int n_calls = 0;
        CU_ASSERT_EQUAL(pc_query_run(context, graph, &j.query, &j.options, refuse_rows, &n_calls),
                        PC_ERR_IO);
        CU_ASSERT_EQUAL(n_calls, 1);
    }
}

/* ---- Faults of the machine ------------------------------------------------------------------- */

enum { FAULT_N = 50, FAULT_BYTES = FAULT_N * 8 + 72 /* as pci_alloc asks for them */ };

/* Remembers the blocks that vectors of one-word entries take, first of all the one that they are read
 * into. */
typedef struct faulty {
    char *blocks[16];
    int n_blocks;
    bool is_done;
} faulty;

static void *faulty_allocate(void *user, size_t bytes)
{
    faulty *f = user;
    char *block = malloc(bytes);
    if (bytes == FAULT_BYTES && f->n_blocks < 16)
        f->blocks[f->n_blocks++] = block;
    return block;
}

static void faulty_release(void *user, void *memory)
{
    faulty *f = user;
    for (int i = 0; i < f->n_blocks; i++)
        if (f->blocks[i] == memory)
            f->blocks[i] = f->blocks[--f->n_blocks];
    free(memory);
}

/* Once, while vectors are on their way. */
static int turn_a_bit(void *user, const char *stage, double fraction)
{
    faulty *f = user;
    if (strcmp(stage, "sweep") == 0 && fraction > 0 && !f->is_done && f->n_blocks > 0) {
        f->blocks[0][FAULT_BYTES / 2 / 8 * 8] ^= 1;
        f->is_done = true;
    }
    return 0;
}

/* What a bit makes wrong in sums over lengths is withheld, unless nobody checks. */
TEST("wrong results are withheld")
{
    OWNED(edge_set) edges = edge_set_empty(FAULT_N, false);
    for (uint64_t v = 0; v < FAULT_N; v++)
        edge_set_add(&edges, v, (v + 1) % FAULT_N, 1);
    edge_set_add(&edges, 0, FAULT_N / 2, 1); /* or its arcs took a block of that size */
    for (int i = 0; i < 2 * N_KINDS; i++) {
        static const uint64_t vertex = 7;
        faulty f = {.n_blocks = 0};
        int n_calls = 0;
        OWNED(pc_context) *context = new_context(1);
        pc_context_set_allocator(context, (pc_allocator){faulty_allocate, faulty_release, &f});
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_context_set_progress(context, turn_a_bit, &f);
        pc_query query = {.kind = (pc_query_kind)(i % N_KINDS),
                          .length = 6,
                          .n_asked = 1,
                          .from = &vertex,
                          .to = &vertex,
                          .up_to = 1};
        if (query.kind == PC_QUERY_PAIRS || query.kind == PC_QUERY_CLOSED) /* take other blocks */
            query.kind = PC_QUERY_TO;
        pc_count_options options = {.n_certify_rounds = i < N_KINDS ? 0 : PC_CERTIFY_NONE};
        pc_status status = pc_query_run(context, graph, &query, &options, never_called, &n_calls);
        CU_ASSERT_TRUE(f.is_done);
        CU_ASSERT_EQUAL(status, i < N_KINDS ? PC_ERR_CERTIFY : PC_OK);
        CU_ASSERT_EQUAL(n_calls, status == PC_OK);
    }
}
