/* Counts between blocks: S A^k S^T entry for entry, where the oracle makes A^k by schoolbook products
 * and adds it up over blocks that it knows from the arrays or works out itself. */
#include "tests/support/fixture.h"

#include "tests/support/coarsen_question.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What comes out, once whole and once in row blocks ----------------------------------------- */

/* Rows as they came: every one once and in order, or is_wrong. */
typedef struct collected {
    uint64_t n_columns, n_rows;
    size_t row_bytes;
    char *bytes;
    bool is_wrong;
    uint64_t n_calls;
} collected;

static pc_status collect_rows(void *user, const pc_rows *rows)
{
    collected *c = user;
    c->n_calls++;
    c->row_bytes = rows->n_columns * 8 * (rows->n_limbs ? rows->n_limbs : 1);
    c->is_wrong |= rows->first_row != c->n_rows || rows->n_rows == 0 ||
                   rows->n_rows > c->n_columns - c->n_rows || rows->n_columns != c->n_columns ||
                   rows->row_sizes != NULL || rows->column_sizes != NULL;
    if (c->is_wrong)
        return PC_OK;
    c->bytes = realloc(c->bytes, (c->n_rows + rows->n_rows) * c->row_bytes);
    memcpy(c->bytes + c->n_rows * c->row_bytes,
           rows->limbs ? (const void *)rows->limbs : rows->values, rows->n_rows * c->row_bytes);
    c->n_rows += rows->n_rows;
    return PC_OK;
}

/* Whether the same rows come one block after the other as are in counts. */
static bool streams_the_same(pc_context *context, const pc_graph *graph,
                             const pc_partition *partition, uint64_t k,
                             const pc_count_options *options, const pc_counts *counts,
                             uint64_t *n_calls)
{
    pc_rows whole;
    pc_counts_rows(counts, &whole);
    collected c = {.n_columns = partition_info(partition).n_blocks};
    pc_status status = coarsen_rows(context, graph, partition, k, options, collect_rows, &c);
    bool same =
        status == PC_OK && !c.is_wrong && c.n_rows == whole.n_rows &&
        (c.n_rows == 0 || memcmp(c.bytes, whole.limbs ? (const void *)whole.limbs : whole.values,
                                 c.n_rows * c.row_bytes) == 0);
    if (!same)
        printf("\n    rows in blocks: status %d, %llu rows, in order %d\n", (int)status,
               (unsigned long long)c.n_rows, !c.is_wrong);
    *n_calls = c.n_calls;
    free(c.bytes);
    return same;
}

/* ---- Plans ------------------------------------------------------------------------------------- */

/* The levels go 1, ..., k/2 by squares and steps, then to k by a reduced product. */
static bool levels_are_right(const pc_plan_info *plan, uint64_t k)
{
    bool is_reduced = k > 1 && plan->arithmetic == PC_EXACT && plan->n_blocks > 0;
    uint64_t target = is_reduced ? k / 2 : k, length = k > 0;
    bool right = k ? plan->n_levels > 0 : plan->n_levels == 0;
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        const pc_level *level = &plan->levels[l];
        if (l + 1 == plan->n_levels && is_reduced) {
            right = right && level->is_reduced && length == target && level->length == k &&
                    (uint64_t)level->is_step == k % 2 && level->n_moduli > 0;
            return right;
        }
        if (l > 0)
            length = level->is_step ? length + 1 : 2 * length;
        right = right && !level->is_reduced && level->length == length;
    }
    return right && !is_reduced && length == target;
}

/* The proved limit holds for the largest entry, and the words of a count follow from it. */
static bool bound_is_right(const pc_plan_info *plan, const integer_matrix *expected)
{
    double largest_bits = 0;
    for (uint64_t e = 0; e < expected->n * expected->n; e++) {
        long exponent = 0;
        double mantissa = mpz_get_d_2exp(&exponent, expected->entry[e]);
        double bits = mantissa > 0 ? log2(mantissa) + (double)exponent : 0;
        largest_bits = bits > largest_bits ? bits : largest_bits;
    }
    return plan->bound_bits >= largest_bits * (1 - 1e-14) &&
           plan->n_limbs == (uint32_t)floor(plan->bound_bits / 64) + 1;
}

static const pc_count_options squaring = {.method = PC_METHOD_DENSE};

static bool plan_is_right(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                          const question *q)
{
    pc_plan_info last, made;
    if (plan_last(context, &last) != PC_OK ||
        plan_blocks(context, graph, partition, q->k, &squaring, 1, &made) != PC_OK)
        return false;
    return last.n_blocks == q->n_blocks && last.n_vertices == q->edges.n && last.length == q->k &&
           levels_are_right(&last, q->k) && bound_is_right(&last, &q->expected) &&
           made.n_blocks == last.n_blocks && made.bound_bits == last.bound_bits &&
           made.n_levels == last.n_levels && made.memory_bytes == last.memory_bytes &&
           strcmp(last.engine, "cpu") == 0 && made.seconds.total == 0 && last.seconds.total > 0;
}

/* ---- Random graphs and partitions -------------------------------------------------------------- */

static void print_question(const question *q, const pc_context *context, const char *what)
{
    printf("\n    seed %llu: n %llu, %s, length %llu, %s, %llu blocks: %s; %s\n",
           (unsigned long long)q->seed, (unsigned long long)q->edges.n,
           q->edges.directed ? "directed" : "undirected", (unsigned long long)q->k,
           shape_names[q->shape], (unsigned long long)q->n_blocks, what,
           pc_context_message(context));
}

/* With every vertex on its own the result is that of pc_count, to the byte. */
static bool is_plain_count(pc_context *context, const pc_graph *graph, uint64_t k,
                           const pc_counts *coarse)
{
    OWNED(pc_counts) *counts = NULL;
    pc_rows a, b;
    if (pc_count(context, graph, k, NULL, &counts) != PC_OK)
        return false;
    pc_counts_rows(counts, &a);
    pc_counts_rows(coarse, &b);
    bool same = a.n_limbs == b.n_limbs && a.n_rows == b.n_rows &&
                memcmp(a.limbs, b.limbs, a.n_rows * a.n_columns * a.n_limbs * 8) == 0;
    return same;
}

/* One vector a block, sent through the graph, gives the same counts, whole and in rows. */
static const char *flaw_of_sweeps(pc_context *context, const pc_graph *graph,
                                  const pc_partition *partition, const question *q)
{
    static const pc_count_options sweeping = {.method = PC_METHOD_SWEEP};
    OWNED(pc_counts) *counts = NULL;
    const char *flaw = NULL;
    pc_plan_info last;
    uint64_t n_calls;
    if (coarsen(context, graph, partition, q->k, &sweeping, &counts) != PC_OK)
        return "sweeps failed";
    if (n_wrong_counts(counts, &q->expected) != 0)
        flaw = "wrong counts by sweeps";
    else if (plan_last(context, &last) != PC_OK ||
             (q->edges.n > 0 && last.method != PC_METHOD_SWEEP) ||
             !bound_is_right(&last, &q->expected))
        flaw = "wrong plan of sweeps";
    else if (!streams_the_same(context, graph, partition, q->k, &sweeping, counts, &n_calls))
        flaw = "wrong rows by sweeps";
    return flaw;
}

static const char *flaw_of(pc_context *context, const pc_graph *graph,
                           const pc_partition *partition, const question *q)
{
    OWNED(pc_counts) *counts = NULL;
    const char *flaw = NULL;
    uint64_t n_calls;
    if (coarsen(context, graph, partition, q->k, &squaring, &counts) != PC_OK)
        return "failed";
    if (n_wrong_counts(counts, &q->expected) != 0)
        flaw = "wrong counts";
    else if (!plan_is_right(context, graph, partition, q))
        flaw = "wrong plan";
    else if (!streams_the_same(context, graph, partition, q->k, NULL, counts, &n_calls))
        flaw = "wrong rows";
    else if (q->shape == CONSECUTIVE && q->size == 1 && q->edges.n > 0 &&
             !is_plain_count(context, graph, q->k, counts))
        flaw = "not the bytes of pc_count";
    return flaw ? flaw : flaw_of_sweeps(context, graph, partition, q);
}

/* Whether the library answers right; says so when not. */
static bool answers(pc_context *context, const question *q)
{
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_partition) *partition = NULL;
    const char *flaw = NULL;
    pc_status status = edge_set_load(context, &q->edges, &graph);
    if (!q->fits) /* multiplicities that add to 2^64 or more are refused */
        flaw = status == PC_ERR_RANGE ? NULL : "not refused";
    else if (status != PC_OK || question_partition(context, graph, q, &partition) != PC_OK)
        flaw = "no graph or partition";
    else if (!blocks_are_as_asked(partition, q))
        flaw = "wrong blocks";
    else
        flaw = flaw_of(context, graph, partition, q);
    if (flaw)
        print_question(q, context, flaw);
    return flaw == NULL;
}

TEST("random graphs and partitions")
{
    enum { N_GRAPHS = 2400, MAX_N = 12, MAX_K = 40 };
    pc_context *contexts[] = {new_context(1), new_context(2), new_context(4)};
    uint64_t n_wrong = 0;
    for (uint64_t g = 0; g < N_GRAPHS && n_wrong == 0; g++) {
        OWNED(question) q = question_make(g, MAX_N, MAX_K);
        n_wrong += !answers(contexts[g % 3], &q);
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
    for (int c = 0; c < 3; c++)
        pc_context_free(contexts[c]);
}

/* Blocks and vertices around the edges of tiles. */
TEST("larger graphs")
{
    static const uint64_t sizes[] = {127, 128, 129, 161};
    OWNED(pc_context) *context = new_context(4);
    for (uint64_t i = 0; i < 8; i++) {
        random_source source = {900 + i};
        OWNED(question) q = {
            .seed = i, .k = 2 + i % 4, .fits = true, .shape = (enum shape)(i % N_SHAPES)};
        q.edges = edge_set_density(&source, sizes[i % 4], 12, i % 2);
        question_choose_blocks(&q, &source);
        question_expect(&q);
        CU_ASSERT_TRUE(answers(context, &q));
    }
}

/* Wide counts of many blocks do not come in one piece. */
TEST("several row blocks")
{
    random_source source = {77};
    OWNED(edge_set) edges = edge_set_density(&source, 300, 100, true);
    OWNED(pc_context) *context = new_context(4);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_partition) *partition = NULL;
    OWNED(pc_counts) *counts = NULL;
    uint64_t n_calls = 0;
    MUST(pci_partition_consecutive(context, graph, 1, &partition));
    MUST(coarsen(context, graph, partition, 301, NULL, &counts));
    CU_ASSERT_TRUE(streams_the_same(context, graph, partition, 301, NULL, counts, &n_calls));
    CU_ASSERT_TRUE(n_calls > 1);
    CU_ASSERT_TRUE(is_plain_count(context, graph, 301, counts));
}

/* Where there is nothing to multiply, rows are made and summed up, here in more than one block: of
 * length 0 the sizes of the blocks, of length 1 their arcs. */
TEST("rows summed up")
{
    enum { N = 1300, N_BLOCKS = 7 };
    random_source source = {78};
    OWNED(edge_set) edges = edge_set_empty(N, true);
    uint64_t block[N], expected[2][N_BLOCKS * N_BLOCKS] = {{0}};
    for (uint64_t v = 0; v < N; v++) {
        block[v] = v < N_BLOCKS ? v : random_below(&source, N_BLOCKS);
        expected[0][block[v] * (N_BLOCKS + 1)]++;
    }
    for (uint64_t v = 0; v < N; v++)
        for (uint64_t step = 1; step < 4; step++) {
            uint64_t to = (v * step + 5 * step) % N;
            edge_set_add(&edges, v, to, 1);
        }
    edges.multigraph = true;
    for (uint64_t e = 0; e < edges.n_edges; e++)
        expected[1][block[edges.from[e]] * N_BLOCKS + block[edges.to[e]]]++;
    OWNED(pc_context) *context = new_context(3);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_partition) *partition = NULL;
    MUST(pc_partition_from_arrays(context, graph, N_BLOCKS, block, NULL, &partition));
    for (uint64_t k = 0; k < 2; k++) {
        OWNED(pc_counts) *counts = NULL;
        MUST(coarsen(context, graph, partition, k, NULL, &counts));
        CU_ASSERT_EQUAL(n_wrong_words(counts, expected[k], N_BLOCKS), 0);
    }
}

/* ---- Modulo a number --------------------------------------------------------------------------- */

static uint64_t any_modulus(random_source *source)
{
    static const uint64_t some[] = {
        2, 3, 4, UINT64_C(1) << 62, (UINT64_C(1) << 63) - 1, (UINT64_C(1) << 63) - 25, 1000000007};
    uint64_t pick = random_below(source, 10);
    return pick < 7 ? some[pick] : 2 + random_below(source, (UINT64_C(1) << 63) - 2);
}

/* The sums of A^k modulo, n_blocks square; free() it. */
static uint64_t *expected_modular(const question *q, uint64_t k, uint64_t modulus)
{
    OWNED(integer_matrix) a = oracle_adjacency(&q->edges);
    uint64_t n = q->edges.n, *power = oracle_power_modular(&a, k, modulus);
    uint64_t *sums = calloc(q->n_blocks * q->n_blocks + 1, sizeof *sums);
    for (uint64_t e = 0; e < n * n; e++) {
        uint64_t *sum = &sums[q->block[e / n] * q->n_blocks + q->block[e % n]];
        *sum = (uint64_t)(((unsigned __int128)*sum + power[e]) % modulus);
    }
    free(power);
    return sums;
}

TEST("modulo a number")
{
    OWNED(pc_context) *context = new_context(2);
    for (uint64_t g = 0; g < 120; g++) {
        random_source source = {5000 + g};
        OWNED(question) q = question_make(g, 8, 1);
        uint64_t modulus = any_modulus(&source), n_calls;
        uint64_t k = g % 3 ? random_below(&source, UINT64_C(1000000000000000001)) : g / 3;
        pc_count_options options = {
            .arithmetic = PC_MODULAR, .modulus = modulus, .method = PC_METHOD_DENSE};
        pc_counts *counts = NULL;
        pc_plan_info plan;
        if (q.fits && q.edges.n > 0) {
            OWNED(pc_graph) *graph = new_graph(context, &q.edges);
            OWNED(pc_partition) *partition = NULL;
            OWNED(uint64_t) *expected = expected_modular(&q, k, modulus);
            MUST(question_partition(context, graph, &q, &partition));
            MUST(coarsen(context, graph, partition, k, &options, &counts));
            CU_ASSERT_EQUAL(n_wrong_words(counts, expected, q.n_blocks), 0);
            CU_ASSERT_TRUE(
                streams_the_same(context, graph, partition, k, &options, counts, &n_calls));
            CU_ASSERT_EQUAL(plan_last(context, &plan), PC_OK);
            CU_ASSERT_TRUE(levels_are_right(&plan, k) && plan.n_blocks == q.n_blocks &&
                           plan.modulus == modulus && plan.n_limbs == 1);
            pc_counts_free(counts);
            for (int again = 0; again < 2 && k < 100; again++) {
                options.method = again ? PC_METHOD_AUTO : PC_METHOD_SWEEP;
                MUST(coarsen(context, graph, partition, k, &options, &counts));
                CU_ASSERT_EQUAL(n_wrong_words(counts, expected, q.n_blocks), 0);
                pc_counts_free(counts);
            }
        }
    }
}

/* ---- Doubles ----------------------------------------------------------------------------------- */

/* The sum of the power's entries between two blocks, as a multiple of 2^base. */
static long double expected_sum(const question *q, const scaled *power, uint64_t from, uint64_t to,
                                int64_t base)
{
    long double sum = 0;
    uint64_t n = q->edges.n;
    for (uint64_t e = 0; e < n * n; e++)
        if (q->block[e / n] == from && q->block[e % n] == to && power[e].mantissa != 0)
            sum += ldexpl(power[e].mantissa, (int)(power[e].exponent - base));
    return sum;
}

static uint64_t n_wrong_doubles(const question *q, uint64_t k, const pc_counts *counts)
{
    OWNED(integer_matrix) a = oracle_adjacency(&q->edges);
    OWNED(scaled) *power = oracle_power_scaled(&a, k);
    int64_t base = 0;
    uint64_t n_wrong = 0, n = q->n_blocks;
    pc_rows rows;
    pc_counts_rows(counts, &rows);
    for (uint64_t e = 0; e < q->edges.n * q->edges.n; e++)
        base = power[e].exponent > base ? power[e].exponent : base;
    n_wrong += rows.n_limbs != 0 || rows.n_rows != n || rows.n_columns != n || !rows.values;
    for (uint64_t e = 0; e < n * n && n_wrong == 0; e++) {
        long double expected = expected_sum(q, power, e / n, e % n, base);
        long double got = ldexpl(rows.values[e], (int)(rows.exponent - base));
        n_wrong += !(fabsl(got - expected) <= 1e-9L * expected);
    }
    return n_wrong;
}

TEST("doubles")
{
    static const uint64_t lengths[] = {0, 1, 2, 3, 17, 64, 99};
    OWNED(pc_context) *context = new_context(2);
    pc_count_options options = {.arithmetic = PC_FLOAT};
    pc_count_options sweeping = {.arithmetic = PC_FLOAT, .method = PC_METHOD_SWEEP};
    for (uint64_t g = 0; g < 140; g++) {
        random_source source = {7000 + g};
        uint64_t n = 1 + random_below(&source, 10), k = lengths[g % 7], n_calls;
        OWNED(question) q = {.seed = g, .k = k, .fits = true, .shape = (enum shape)(g % N_SHAPES)};
        q.edges = edge_set_density(&source, n, 300, g % 2);
        question_choose_blocks(&q, &source);
        OWNED(pc_graph) *graph = new_graph(context, &q.edges);
        OWNED(pc_partition) *partition = NULL;
        OWNED(pc_counts) *counts = NULL;
        MUST(question_partition(context, graph, &q, &partition));
        MUST(coarsen(context, graph, partition, k, &options, &counts));
        CU_ASSERT_EQUAL(n_wrong_doubles(&q, k, counts), 0);
        CU_ASSERT_TRUE(streams_the_same(context, graph, partition, k, &options, counts, &n_calls));
        OWNED(pc_counts) *swept = NULL;
        MUST(coarsen(context, graph, partition, k, &sweeping, &swept));
        CU_ASSERT_EQUAL(n_wrong_doubles(&q, k, swept), 0);
    }
}
