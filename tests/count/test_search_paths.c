/* Search path counts and main paths, held against each path walked, and with faults in memory. */
#include "pathcount_spc.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tool.h"

CASE_CONTEXT(context)

enum { MOST_VERTICES = 8, MOST_ARCS = 28, N_KINDS = 3 };

/* Arcs in the order of the library, the paths along each, and the best path so far. */
typedef struct walked {
    uint64_t n, n_arcs, from[MOST_ARCS], to[MOST_ARCS], weight[MOST_ARCS], times[MOST_ARCS], all;
    uint64_t stack[MOST_VERTICES], best[MOST_VERTICES], n_best, best_sum;
} walked;

static walked arcs_of(const pc_graph *graph)
{
    walked w = {.n = pc_graph_n_vertices(graph)};
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    for (uint64_t v = 0; v < w.n; v++)
        for (uint64_t a = arcs.row_start[v]; a < arcs.row_start[v + 1]; a++, w.n_arcs++) {
            w.from[a] = v;
            w.to[a] = arcs.column[a];
            w.weight[a] = arcs.weight ? arcs.weight[a] : 1;
        }
    return w;
}

static bool is_named(const uint64_t *vertices, uint64_t n, uint64_t v)
{
    for (uint64_t i = 0; i < n; i++)
        if (vertices[i] == v)
            return true;
    return false;
}

/* Walks on from v along parallel paths, as many as times; or compares the sum of the weights found before. */
static void walk(walked *w, uint64_t v, uint64_t depth, uint64_t times, pc_search_paths kind,
                 bool compares)
{
    uint64_t sum = 0;
    if (depth > 0 && (kind == PC_SPNP || !is_named(w->from, w->n_arcs, v))) {
        w->all += compares ? 0 : times;
        for (uint64_t i = 0; i < depth; i++) {
            sum += w->times[w->stack[i]];
            w->times[w->stack[i]] += compares ? 0 : times;
        }
    }
    if (compares && sum > w->best_sum) {
        w->best_sum = sum;
        w->n_best = depth;
        memcpy(w->best, w->stack, depth * sizeof *w->stack);
    }
    for (uint64_t a = 0; a < w->n_arcs; a++)
        if (w->from[a] == v) {
            w->stack[depth] = a;
            walk(w, w->to[a], depth + 1, times * w->weight[a], kind, compares);
        }
}

static void walk_all(walked *w, pc_search_paths kind, bool compares)
{
    for (uint64_t v = 0; v < w->n; v++)
        if (kind != PC_SPC || !is_named(w->to, w->n_arcs, v))
            walk(w, v, 0, 1, kind, compares);
}

/* The path of a local search, by its definition. */
static void go_locally(walked *w)
{
    uint64_t next, at = w->n;
    for (w->n_best = 0;; at = w->to[next]) {
        next = w->n_arcs;
        for (uint64_t a = 0; a < w->n_arcs; a++)
            if ((at == w->n ? !is_named(w->to, w->n_arcs, w->from[a]) : w->from[a] == at) &&
                (next == w->n_arcs || w->times[a] > w->times[next]))
                next = a;
        if (next == w->n_arcs)
            return;
        w->best[w->n_best++] = next;
    }
}

static bool is_number(const pc_counts *counts, uint64_t row, uint64_t expected)
{
    uint64_t number;
    return pc_counts_u64(counts, row, 0, &number) == PC_OK && number == expected;
}

static void check_main_path(const pc_graph *graph, walked *w, const pc_counts *weights,
                            bool is_local)
{
    OWNED(pc_counts) *path = NULL;
    uint64_t arc[MOST_VERTICES];
    MUST(pc_main_path(context, graph, weights, is_local, arc, &path));
    if (is_local)
        go_locally(w);
    else
        walk_all(w, PC_SPC, true);
    CU_ASSERT_EQUAL(counts_n_rows(path), w->n_best);
    CU_ASSERT_EQUAL(memcmp(arc, w->best, w->n_best * sizeof *arc), 0);
    for (uint64_t i = 0; i < w->n_best; i++)
        CU_ASSERT(is_number(path, i, w->times[arc[i]]));
}

/* Arcs from lower to higher places of an order, some of them given twice. */
static edge_set any_acyclic(random_source *source)
{
    uint64_t n = random_below(source, MOST_VERTICES + 1), chance = random_below(source, 100);
    uint64_t step = 2 * random_below(source, 4) + 1; /* v * step mod 8 is a permutation */
    edge_set edges = edge_set_empty(MOST_VERTICES, true);
    edges.multigraph = true;
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t w = v + 1; w < n; w++)
            for (bool is = random_below(source, 100) < chance; is; is = !random_below(source, 4))
                edge_set_add(&edges, v * step % 8, w * step % 8, 1 + random_below(source, 3));
    return edges;
}

TEST("each path walked")
{
    random_source source = {31};
    for (int i = 0; i < 2000; i++) {
        OWNED(edge_set) edges = any_acyclic(&source);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        for (int kind = 0; kind < N_KINDS; kind++) {
            OWNED(pc_counts) *weights = NULL, *total = NULL;
            walked w = arcs_of(graph);
            walk_all(&w, (pc_search_paths)kind, false);
            MUST(pc_search_path_counts(context, graph, (pc_search_paths)kind, &weights, &total));
            CU_ASSERT(counts_n_rows(weights) == w.n_arcs && is_number(total, 0, w.all));
            for (uint64_t a = 0; a < w.n_arcs; a++)
                CU_ASSERT(is_number(weights, a, w.times[a]));
            check_main_path(graph, &w, weights, false);
            check_main_path(graph, &w, weights, true);
        }
    }
}

TEST("refused")
{
    OWNED(pc_counts) *weights = NULL, *total = NULL, *square = NULL, *path = NULL;
    OWNED(edge_set) arc = edge_set_empty(2, true);
    edge_set_add(&arc, 0, 1, 1);
    OWNED(pc_graph) *graph = new_graph(context, &arc);
    uint64_t numbers[2];
    CU_ASSERT(is_refused(context, pc_search_path_counts(context, graph, 3, &weights, &total),
                         PC_ERR_ARGUMENT, "PC_SPC, PC_SPLC or PC_SPNP"));
    MUST(pc_count(context, graph, 2, NULL, &square));
    CU_ASSERT(is_refused(context, pc_main_path(context, graph, square, 0, numbers, &path),
                         PC_ERR_ARGUMENT, "one for each arc"));
    pc_context_set_memory_limit(context, 50);
    CU_ASSERT_EQUAL(pc_search_path_counts(context, graph, PC_SPC, &weights, &total), PC_ERR_MEMORY);
}

static pc_status find_both(pc_context *on, void *user)
{
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_counts) *weights = NULL, *total = NULL, *path = NULL;
    uint64_t arc[MOST_VERTICES];
    pc_status status = edge_set_load(on, user, &graph);
    if (status == PC_OK)
        status = pc_search_path_counts(on, graph, PC_SPLC, &weights, &total);
    CU_ASSERT_EQUAL(status == PC_OK, weights != NULL && total != NULL);
    if (status == PC_OK)
        status = pc_main_path(on, graph, weights, PC_MAIN_PATH_GLOBAL, arc, &path);
    CU_ASSERT_EQUAL(status == PC_OK, path != NULL);
    return status;
}

TEST("no memory, and being stopped")
{
    random_source source = {32};
    OWNED(edge_set) edges = any_acyclic(&source);
    CU_ASSERT(fail_each_allocation(find_both, &edges) > 16);
    CU_ASSERT(cancel_at_each_question(find_both, 1, &edges) > 3);
}

/* The largest block of a context, which has the numbers of paths, gets a wrong bit before the weights are made. */
typedef struct faulty {
    char *block;
    size_t bytes, bit;
} faulty;

static void *give(void *user, size_t bytes)
{
    faulty *f = user;
    char *block = malloc(bytes);
    if (bytes > f->bytes)
        *f = (faulty){block, bytes, f->bit};
    return block;
}

static void take_back(void *user, void *block)
{
    (void)user;
    free(block);
}

static int turn_bit(void *user, const char *stage, double fraction)
{
    faulty *f = user;
    uintptr_t numbers = ((uintptr_t)f->block + sizeof(void *) + 63) & -(uintptr_t)64;
    size_t bit = f->bit % (8 * (f->bytes - sizeof(void *) - 63) / 125 * 120); /* no scratch */
    if (strcmp(stage, "certify") == 0 && fraction == 0)
        *(char *)(numbers + bit / 8) ^= (char)(1 << bit % 8);
    return 0;
}

TEST("no wrong bit passes")
{
    random_source source = {33};
    OWNED(edge_set) edges = edge_set_empty(40, true);
    for (uint64_t v = 0; v < 40; v++)
        for (uint64_t w = v + 1; w < 40 && w < v + 3; w++)
            edge_set_add(&edges, v, w, 1 + random_below(&source, 3));
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int i = 0; i < 2000; i++) {
        OWNED(pc_context) *on = NULL;
        pc_counts *weights = NULL, *total = NULL;
        faulty f = {.bit = random_u64(&source)};
        MUST(pc_context_create(&on));
        pc_context_set_allocator(on, (pc_allocator){give, take_back, &f});
        pc_context_set_progress(on, turn_bit, &f);
        CU_ASSERT_EQUAL(pc_search_path_counts(on, graph, i % N_KINDS, &weights, &total),
                        PC_ERR_CERTIFY);
    }
}
