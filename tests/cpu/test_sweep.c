/* Sweeps against vectors of GMP integers: every kernel, number of threads, width and shape of a
 * graph; and what becomes of a sweep when memory ends or it is cancelled. */
#include <gmp.h>

#include "tests/support/fixture.h"

#include "src/engine/sweep.h"
#include "tests/support/failing_allocator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RELEASE_BY_FREE(pci_sweep)

enum { MAX_STEPS = 60 };

/* ---- Blocks of vectors by the definition ----------------------------------------------------- */

typedef struct block {
    uint64_t n;
    uint32_t n_vectors;
    mpz_t *entry; /* [n][n_vectors] */
} block;

static block block_zero(uint64_t n, uint32_t n_vectors)
{
    block made = {n, n_vectors, calloc(n * n_vectors + 1, sizeof(mpz_t))};
    CU_ASSERT_PTR_NOT_NULL_FATAL(made.entry);
    for (uint64_t e = 0; e < n * n_vectors; e++)
        mpz_init(made.entry[e]);
    return made;
}

static void block_free(block *x)
{
    for (uint64_t e = 0; e < x->n * x->n_vectors; e++)
        mpz_clear(x->entry[e]);
    free(x->entry);
}
#define release_block block_free

/* x = A x */
static void block_step(const integer_matrix *a, block *x)
{
    block y = block_zero(x->n, x->n_vectors);
    for (uint64_t i = 0; i < a->n; i++)
        for (uint64_t j = 0; j < a->n; j++)
            for (uint32_t v = 0; mpz_sgn(a->entry[i * a->n + j]) && v < x->n_vectors; v++)
                mpz_addmul(y.entry[i * x->n_vectors + v], a->entry[i * a->n + j],
                           x->entry[j * x->n_vectors + v]);
    block_free(x);
    *x = y;
}

/* Bits of the largest entry, at least 1. */
static uint32_t block_bits(const block *x)
{
    size_t most = 1;
    for (uint64_t e = 0; e < x->n * x->n_vectors; e++) {
        size_t bits = mpz_sizeinbase(x->entry[e], 2);
        most = bits > most ? bits : most;
    }
    return (uint32_t)most;
}

/* Entries that the sweep has not as block has; read over what was there, or added to 2^64 - 1. */
static uint64_t n_wrong_read(pci_sweep *sweep, const block *expected, bool adds)
{
    uint32_t n_limbs = block_bits(expected) / 64 + 2;
    uint64_t n_wrong = 0, n_words = expected->n * expected->n_vectors * n_limbs;
    uint64_t *found = malloc(n_words * sizeof *found), there = UINT64_MAX;
    OWNED(mpz_t) entry, before;
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    mpz_inits(entry, before, NULL);
    mpz_import(before, adds, -1, sizeof there, 0, 0, &there);
    for (uint64_t w = 0; w < n_words; w++)
        found[w] = adds && w % n_limbs ? 0 : there;
    uint32_t n_first = expected->n_vectors / 3; /* in two parts */
    MUST(pci_sweep_rows(sweep, 0, n_first, n_limbs, adds, found));
    MUST(pci_sweep_rows(sweep, n_first, expected->n_vectors - n_first, n_limbs, adds,
                        found + n_first * expected->n * n_limbs));
    for (uint64_t e = 0; e < expected->n * expected->n_vectors; e++) {
        uint64_t vertex = e / expected->n_vectors, vector = e % expected->n_vectors;
        mpz_import(entry, n_limbs, -1, sizeof *found, 0, 0,
                   found + (vector * expected->n + vertex) * n_limbs);
        mpz_sub(entry, entry, before);
        n_wrong += mpz_cmp(entry, expected->entry[e]) != 0;
    }
    free(found);
    return n_wrong;
}

static uint64_t n_wrong_entries(pci_sweep *sweep, const block *expected)
{
    return n_wrong_read(sweep, expected, false) + n_wrong_read(sweep, expected, true);
}

/* ---- Sweeps beside them ---------------------------------------------------------------------- */

typedef struct start {
    uint32_t n_adds, vector[400];
    uint64_t vertex[400], value[400];
} start;

static start random_start(random_source *random, uint64_t n, uint32_t n_vectors, bool large)
{
    start made = {.n_adds = 1 + (uint32_t)random_below(random, random_below(random, 2) ? 3 : 400)};
    for (uint32_t a = 0; a < made.n_adds; a++) {
        made.vector[a] = (uint32_t)random_below(random, n_vectors);
        made.vertex[a] = random_below(random, n);
        made.value[a] = large ? random_u64(random) : 1;
    }
    return made;
}

static block block_of(const start *from, uint64_t n, uint32_t n_vectors)
{
    block x = block_zero(n, n_vectors);
    OWNED(mpz_t) value;
    mpz_init(value);
    for (uint32_t a = 0; a < from->n_adds; a++) {
        mpz_t *entry = &x.entry[from->vertex[a] * n_vectors + from->vector[a]];
        mpz_import(value, 1, -1, sizeof(uint64_t), 0, 0, &from->value[a]);
        mpz_add(*entry, *entry, value);
    }
    return x;
}

/* Raises bits to what the steps from a start need, as tightly as can be said. */
static void raise_bits(const integer_matrix *a, const start *from, uint32_t n_vectors,
                       uint64_t length, double *bits)
{
    OWNED(block) x = block_of(from, a->n, n_vectors);
    for (uint64_t s = 0; s <= length; s++) {
        if (s > 0)
            block_step(a, &x);
        bits[s] = fmax(bits[s], block_bits(&x) - 0.5);
    }
}

static void check_steps(pci_sweep *sweep, const integer_matrix *a, const start *from,
                        uint32_t n_vectors, uint64_t length)
{
    OWNED(block) x = block_of(from, a->n, n_vectors);
    pci_sweep_clear(sweep);
    for (uint32_t i = 0; i < from->n_adds; i++)
        pci_sweep_add(sweep, from->vector[i], from->vertex[i], from->value[i]);
    CU_ASSERT(n_wrong_entries(sweep, &x) == 0);
    for (uint64_t s = 1; s <= length; s++) {
        block_step(a, &x);
        MUST(pci_sweep_step(sweep));
        if (s == length || s % 7 == 1)
            CU_ASSERT_FATAL(n_wrong_entries(sweep, &x) == 0);
    }
}

/* Two starts one after the other in the same sweep; limits that many bits above what is needed. */
static void check_starts(const edge_set *edges, const start starts[2], uint32_t n_vectors,
                         uint64_t length, int n_threads, double slack)
{
    double bits[MAX_STEPS + 1] = {0};
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    for (int i = 0; i < 2; i++)
        raise_bits(&a, &starts[i], n_vectors, length, bits);
    for (uint64_t s = 0; s <= length; s++)
        bits[s] += slack;
    pci_sweep_options options = {n_vectors, length, bits, 0, n_threads, 0, 0, false};
    OWNED(pci_sweep) *sweep = NULL;
    MUST(pci_sweep_create(context, graph, &options, &sweep));
    for (int i = 0; i < 2; i++)
        check_steps(sweep, &a, &starts[i], n_vectors, length);
}

static void check_sweep(const edge_set *edges, random_source *random, uint32_t n_vectors,
                        uint64_t length, int n_threads)
{
    start starts[2];
    for (int i = 0; i < 2; i++)
        starts[i] = random_start(random, edges->n, n_vectors, random_below(random, 2));
    double slack = (double)(random_below(random, 2) * random_below(random, 80));
    check_starts(edges, starts, n_vectors, length, n_threads, slack);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static const int thread_counts[] = {1, 2, 4};

/* Sizes that keep the definition quick. */
static void check_random(random_source *random, int trial)
{
    uint64_t n = 1 + random_below(random, trial % 4 ? 20 : 60);
    uint32_t n_vectors = 1 + (uint32_t)random_below(random, trial % 3 ? 5 : 40);
    uint64_t length = random_below(random, trial % 5 ? 12 : MAX_STEPS + 1);
    OWNED(edge_set) edges = edge_set_any_simple(random, n);
    check_sweep(&edges, random, n_vectors, length, thread_counts[trial % 3]);
}

TEST("random graphs, every kernel")
{
    random_source random = {.state = 211};
    for (int k = 0; kernel_names[k]; k++) {
        if (!kernel_is_available(kernel_names[k]))
            continue;
        force_kernel(kernel_names[k]);
        for (int trial = 0; trial < 150; trial++)
            check_random(&random, trial);
    }
}

/* A = w J: sums as wide as the headroom, for every weight on either side of a power of two. */
TEST("headroom for every weight")
{
    random_source random = {.state = 223};
    for (uint32_t bits = 0; bits < 64; bits += 3)
        for (uint64_t less = 0; less < 2; less++) {
            uint64_t n = 1 + bits % 9, weight = (UINT64_C(1) << bits) - less;
            OWNED(edge_set) edges = edge_set_constant(n, weight ? weight : 1);
            check_sweep(&edges, &random, 1 + bits % 11, 9, 1);
        }
    OWNED(edge_set) largest = edge_set_constant(5, UINT64_MAX);
    check_sweep(&largest, &random, 9, 8, 4);
}

/* ---- Residues -------------------------------------------------------------------------------- */

static const uint64_t moduli[] = {2,
                                  3,
                                  255,
                                  257,
                                  65521,
                                  UINT64_C(1) << 31,
                                  1000000007,
                                  (UINT64_C(1) << 32) + 15,
                                  (UINT64_C(1) << 47) - 115,
                                  (UINT64_C(1) << 61) - 1,
                                  (UINT64_C(1) << 62) - 57,
                                  (UINT64_C(1) << 63) - 1};

enum { N_MODULI = sizeof moduli / sizeof *moduli };

static void reduce_block(block *x, uint64_t modulus)
{
    for (uint64_t e = 0; e < x->n * x->n_vectors; e++)
        mpz_fdiv_r_ui(x->entry[e], x->entry[e], modulus);
}

/* Sums of what is added are below the modulus, and half of them just below it. */
static start residue_start(random_source *random, uint64_t n, uint32_t n_vectors, uint64_t modulus)
{
    bool is_large = random_below(random, 2);
    start made = random_start(random, n, n_vectors, false);
    made.n_adds = is_large ? (uint32_t)(n < 400 ? n : 400) : made.n_adds;
    for (uint32_t a = 0; a < made.n_adds; a++) {
        made.value[a] = is_large ? modulus - 1 : random_below(random, modulus) / made.n_adds;
        made.vertex[a] = is_large ? a : made.vertex[a];
        made.vector[a] = is_large ? 0 : made.vector[a];
    }
    return made;
}

static void check_residues(const edge_set *edges, random_source *random, uint64_t modulus,
                           uint32_t n_vectors, uint64_t length, int n_threads)
{
    start from = residue_start(random, edges->n, n_vectors, modulus);
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    OWNED(block) x = block_of(&from, a.n, n_vectors);
    pci_sweep_options options = {n_vectors, length, NULL, modulus, n_threads, 0, 0, false};
    OWNED(pci_sweep) *sweep = NULL;
    MUST(pci_sweep_create(context, graph, &options, &sweep));
    for (uint32_t i = 0; i < from.n_adds; i++)
        pci_sweep_add(sweep, from.vector[i], from.vertex[i], from.value[i]);
    for (uint64_t s = 1; s <= length; s++) {
        block_step(&a, &x);
        reduce_block(&x, modulus);
        MUST(pci_sweep_step(sweep));
        if (s == length || s % 7 == 1)
            CU_ASSERT_FATAL(n_wrong_entries(sweep, &x) == 0);
    }
}

TEST("residues of random graphs, every kernel and modulus")
{
    random_source random = {.state = 227};
    for (int k = 0; kernel_names[k]; k++) {
        if (!kernel_is_available(kernel_names[k]))
            continue;
        force_kernel(kernel_names[k]);
        for (int trial = 0; trial < 10 * N_MODULI; trial++) {
            OWNED(edge_set) edges = edge_set_any_simple(&random, 1 + random_below(&random, 30));
            check_residues(&edges, &random, moduli[trial % N_MODULI],
                           1 + (uint32_t)random_below(&random, trial % 3 ? 5 : 40),
                           1 + random_below(&random, 12), thread_counts[trial % 3]);
        }
    }
}

/* A = w J, on either side of the row sums from which residues are divided one by one. */
TEST("residues with weights of every size")
{
    random_source random = {.state = 229};
    for (uint32_t bits = 0; bits < 64; bits += 1 + bits % 4)
        for (int m = 0; m < N_MODULI; m++) {
            uint64_t n = 1 + bits % 9,
                     weight = (UINT64_C(1) << bits) + bits - random_below(&random, 2);
            OWNED(edge_set) edges = edge_set_constant(n, weight ? weight : 1);
            check_residues(&edges, &random, moduli[m], 1 + bits % 11, 3, 1);
        }
    OWNED(edge_set) largest = edge_set_constant(5, UINT64_MAX);
    for (int m = 0; m < N_MODULI; m++)
        check_residues(&largest, &random, moduli[m], 9, 4, 2);
}

/* ---- Widths ---------------------------------------------------------------------------------- */

/* Every vector the same at every vertex: the largest integer of so many bits. */
static start full_start(uint64_t n, uint32_t n_vectors, uint32_t bits)
{
    start made = {.n_adds = 0};
    for (uint32_t v = 0; v < n_vectors; v++)
        for (uint64_t i = 0; i < n; i++) {
            made.vector[made.n_adds] = v;
            made.vertex[made.n_adds] = i;
            made.value[made.n_adds++] = UINT64_MAX >> (64 - bits);
        }
    return made;
}

/* A = J: d times as much after each step, so that with limits as tight as can be each step ends just
 * below a power of two or just past it, and lines grow through every width at every lane. */
static void check_widths(const uint32_t *n_vectors, uint64_t degree)
{
    OWNED(edge_set) edges = edge_set_constant(degree, 1);
    for (int i = 0; n_vectors[i]; i++)
        for (uint32_t bits = 1; bits <= 64; bits += bits < 10 ? 1 : 9) {
            uint32_t n = n_vectors[i] * degree <= 400 ? n_vectors[i] : 400 / (uint32_t)degree;
            start starts[2] = {full_start(degree, n, bits), full_start(degree, n, 1)};
            check_starts(&edges, starts, n, 30 + bits % 30, 1, 0);
        }
}

TEST("every width of lanes and limbs")
{
    static const uint32_t few[] = {1, 2, 3, 9, 0}, many[] = {24, 56, 65, 127, 0};
    for (int k = 0; kernel_names[k]; k++) {
        if (!kernel_is_available(kernel_names[k]))
            continue;
        force_kernel(kernel_names[k]);
        check_widths(few, 3);
        check_widths(few, 17);
        check_widths(many, 2);
    }
}

/* Enough lines for several threads; one row names every vertex. */
TEST("large blocks on several threads")
{
    random_source random = {.state = 227};
    OWNED(edge_set) edges = edge_set_preferential(&random, 500, 3);
    for (uint64_t v = 0; v < edges.n; v++)
        edge_set_add(&edges, 7, v, 1);
    check_sweep(&edges, &random, 40, 5, 4);
    check_sweep(&edges, &random, 40, 18, 3);
}

/* A sweep of a ring of n vertices with all but one vector zero. */
static pc_status sweep_a_ring(pc_context *context, void *user)
{
    static const double bits[4] = {1, 70, 70, 140};
    uint64_t n = *(uint64_t *)user;
    OWNED(edge_set) edges = edge_set_empty(n, true);
    for (uint64_t v = 0; v < n; v++)
        edge_set_add(&edges, v, (v + 1) % n, 1);
    pci_sweep_options options = {3, 3, bits, 0, 2, 0, 0, false};
    OWNED(pc_graph) *graph = NULL, *reverse = NULL;
    OWNED(pci_sweep) *sweep = NULL;
    pc_status status = edge_set_load(context, &edges, &graph);
    if (status == PC_OK)
        status = pci_graph_reverse(context, graph, &reverse);
    if (status == PC_OK)
        status = pci_sweep_create(context, reverse, &options, &sweep);
    if (status == PC_OK) {
        pci_sweep_add(sweep, 0, 0, 1);
        status = pci_sweep_step(sweep);
    }
    return status;
}

TEST("any allocation may fail")
{
    uint64_t n = 20;
    CU_ASSERT(fail_each_allocation(sweep_a_ring, &n) > 8);
}

/* What a sweep says it will hold is what it holds, but for what aligning takes; and what cannot fit is
 * refused before it is asked for. */
TEST("bytes as promised")
{
    enum { N = 5000, ALIGNING = 8192 };
    double bits[3] = {1, 40, 100};
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 1);
    edge_set edges = edge_set_empty(N, true);
    edge_set_add(&edges, 0, 1, 1);
    pc_graph *graph = new_graph(context, &edges);
    for (uint32_t n_vectors = 1; n_vectors < 20; n_vectors++) {
        pci_sweep_options options = {n_vectors, 2, bits, 0, 1, 0, 0, false};
        OWNED(pci_sweep) *sweep = NULL;
        uint64_t before = allocator.live_bytes, promised = pci_sweep_bytes(graph, &options);
        MUST(pci_sweep_create(context, graph, &options, &sweep));
        uint64_t held = allocator.live_bytes - before;
        CU_ASSERT(held >= promised && held < promised + ALIGNING);
    }
    bits[1] = 1e9; /* and infinity */
    pci_sweep_options options = {UINT32_MAX, 2, bits, 0, 1, 0, 0, false};
    pci_sweep *sweep = NULL;
    uint64_t before = allocator.peak_bytes;
    CU_ASSERT(pci_sweep_bytes(graph, &options) == UINT64_MAX);
    CU_ASSERT(pci_sweep_create(context, graph, &options, &sweep) == PC_ERR_MEMORY);
    bits[1] = INFINITY;
    CU_ASSERT(pci_sweep_create(context, graph, &options, &sweep) == PC_ERR_MEMORY);
    CU_ASSERT(allocator.peak_bytes == before && sweep == NULL);
    pc_graph_free(graph);
    edge_set_free(&edges);
    CU_ASSERT(allocator.n_live == 0);
}

static int stop_when_told(void *user, const char *stage, double fraction)
{
    CU_ASSERT(strcmp(stage, "sweep") == 0);
    CU_ASSERT(fraction >= 0 && fraction <= 1);
    return *(int *)user;
}

/* A step that was cancelled has not been taken. */
TEST("a cancelled step is not taken")
{
    int stops = 0;
    random_source random = {.state = 229};
    double bits[5] = {0};
    OWNED(pc_context) *context = new_context(2);
    OWNED(edge_set) edges = edge_set_density(&random, 30, 200, true);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(integer_matrix) a = oracle_adjacency(&edges);
    start from = random_start(&random, 30, 3, true);
    raise_bits(&a, &from, 3, 4, bits);
    pci_sweep_options options = {3, 4, bits, 0, 2, 0, 0, false};
    OWNED(pci_sweep) *sweep = NULL;
    pc_context_set_progress(context, stop_when_told, &stops);
    MUST(pci_sweep_create(context, graph, &options, &sweep));
    OWNED(block) x = block_of(&from, 30, 3);
    for (uint32_t i = 0; i < from.n_adds; i++)
        pci_sweep_add(sweep, from.vector[i], from.vertex[i], from.value[i]);
    for (int s = 0; s < 4; s++) {
        stops = 1;
        CU_ASSERT(pci_sweep_step(sweep) == PC_ERR_CANCELLED);
        CU_ASSERT(n_wrong_entries(sweep, &x) == 0);
        stops = 0;
        CU_ASSERT(pci_sweep_step(sweep) == PC_OK);
        block_step(&a, &x);
        CU_ASSERT(n_wrong_entries(sweep, &x) == 0);
    }
}
