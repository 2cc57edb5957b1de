/* Rows of powers made by sweeps, against the oracle: a sweep for each thread or one for all, any starts;
 * memory, and being told to stop. */
#include <gmp.h>

#include "tests/support/fixture.h"

#include "src/cpu/swept_rows.h"
#include "tests/support/failing_allocator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RELEASE_BY_FREE(pci_swept)

enum { MAX_STEPS = 40 };

/* ---- By the definition ----------------------------------------------------------------------- */

/* log2 limits of the entries of A^0, A^1, ..., and A^length itself. */
static integer_matrix power_and_bits(const edge_set *edges, uint64_t length, double *bits)
{
    integer_matrix a = oracle_adjacency(edges), power = oracle_power(&a, 0);
    for (uint64_t l = 0; l <= length; l++) {
        if (l > 0) {
            integer_matrix next = oracle_product(&power, &a);
            integer_matrix_free(&power);
            power = next;
        }
        size_t most = 1;
        for (uint64_t e = 0; e < a.n * a.n; e++)
            most =
                mpz_sizeinbase(power.entry[e], 2) > most ? mpz_sizeinbase(power.entry[e], 2) : most;
        bits[l] = (double)most - 0.5;
    }
    integer_matrix_free(&a);
    return power;
}

/* Rows of limbs that are not those of starts, or of first, first + 1, ... */
static uint64_t n_wrong_rows(const integer_matrix *power, uint64_t n_starts, const uint64_t *starts,
                             uint64_t first, uint32_t n_limbs, const uint64_t *limbs)
{
    uint64_t n_wrong = 0;
    OWNED(mpz_t) entry;
    mpz_init(entry);
    for (uint64_t e = 0; e < n_starts * power->n; e++) {
        uint64_t row = starts ? starts[e / power->n] : first + e / power->n;
        mpz_import(entry, n_limbs, -1, sizeof *limbs, 0, 0, limbs + e * n_limbs);
        n_wrong += mpz_cmp(entry, power->entry[row * power->n + e % power->n]) != 0;
    }
    return n_wrong;
}

/* ---- Rows beside it -------------------------------------------------------------------------- */

typedef struct question {
    const pci_sweep_ops *sweeps;
    int n_threads;
    uint64_t n, length;
    const double *bits;
    uint64_t most_starts, n_calls; /* rows are asked for in so many calls */
    const integer_matrix *power;
    const edge_set *edges;
    random_source *random;
} question;

static void check_call(const question *q, pci_swept *swept, uint32_t n_limbs)
{
    uint64_t n_starts = random_below(q->random, q->most_starts + 1);
    uint64_t first = n_starts < q->n ? random_below(q->random, q->n - n_starts) : 0;
    OWNED(uint64_t) *starts = malloc((n_starts + 1) * sizeof *starts);
    size_t n_words = n_starts * q->n * n_limbs;
    OWNED(uint64_t) *limbs = malloc((n_words + 1) * sizeof *limbs);
    CU_ASSERT_FATAL(starts && limbs);
    for (uint64_t i = 0; i < n_starts; i++)
        starts[i] = random_below(q->random, q->n);
    memset(limbs, 0xa5, (n_words + 1) * sizeof *limbs);
    MUST(pci_swept_rows(swept, n_starts, starts, 0, limbs));
    CU_ASSERT(n_wrong_rows(q->power, n_starts, starts, 0, n_limbs, limbs) == 0);
    if (n_starts <= q->n) {
        MUST(pci_swept_rows(swept, n_starts, NULL, first, limbs));
        CU_ASSERT(n_wrong_rows(q->power, n_starts, NULL, first, n_limbs, limbs) == 0);
    }
    CU_ASSERT(limbs[n_words] == UINT64_C(0xa5a5a5a5a5a5a5a5));
}

static void check_rows(const question *q)
{
    OWNED(pc_context) *context = new_context(q->n_threads);
    OWNED(pc_graph) *graph = new_graph(context, q->edges), *reverse = NULL;
    MUST(pci_graph_reverse(context, graph, &reverse));
    uint32_t n_limbs =
        (uint32_t)(q->bits[q->length] / 64) + 1 + (uint32_t)random_below(q->random, 2);
    pci_swept_options options = {q->sweeps, reverse,        q->length, q->bits, 0,
                                 n_limbs,   q->most_starts, false,     false};
    for (uint64_t n = 0; n < 3; n++)
        CU_ASSERT(pci_swept_batch(context, &options, n) ==
                  (n < q->most_starts ? n : q->most_starts));
    uint64_t batch = pci_swept_batch(context, &options, UINT64_MAX);
    CU_ASSERT(batch >= (q->most_starts < 8 ? q->most_starts : 8) && batch <= q->most_starts);
    OWNED(pci_swept) *swept = NULL;
    MUST(pci_swept_create(context, &options, &swept));
    for (uint64_t c = 0; c < q->n_calls; c++)
        check_call(q, swept, n_limbs);
}

static const int thread_counts[] = {1, 2, 4};

static void check_random(random_source *random, int trial)
{
    double bits[MAX_STEPS + 1];
    uint64_t n = 1 + random_below(random, trial % 4 ? 12 : 70);
    uint64_t length = random_below(random, n > 12 ? 8 : MAX_STEPS + 1);
    OWNED(edge_set) edges = edge_set_any_simple(random, n);
    OWNED(integer_matrix) power = power_and_bits(&edges, length, bits);
    question q = {.sweeps = &pci_sweep_cpu,
                  .n_threads = thread_counts[trial % 3],
                  .n = n,
                  .length = length,
                  .bits = bits,
                  .most_starts = 1 + random_below(random, 3 * n),
                  .n_calls = 2,
                  .power = &power,
                  .edges = &edges,
                  .random = random};
    check_rows(&q);
}

TEST("random graphs, every kernel")
{
    random_source random = {.state = 307};
    for (int k = 0; kernel_names[k]; k++) {
        if (!kernel_is_available(kernel_names[k]))
            continue;
        force_kernel(kernel_names[k]);
        for (int trial = 0; trial < 60; trial++)
            check_random(&random, trial);
    }
}

/* Enough work for several threads with sweeps of their own, with vectors to spare and with too few. */
TEST("one sweep or one a thread")
{
    random_source random = {.state = 311};
    double bits[MAX_STEPS + 1];
    OWNED(edge_set) edges = edge_set_preferential(&random, 90, 5);
    OWNED(integer_matrix) power = power_and_bits(&edges, 20, bits);
    for (int threads = 1; threads <= 4; threads++)
        for (uint64_t most = 1; most <= 300; most = most * 3 + 1) {
            question q = {&pci_sweep_cpu, threads, 90, 20, bits, most, 3, &power, &edges, &random};
            check_rows(&q);
        }
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

typedef struct piece_taker {
    const uint64_t *whole, *piece; /* rows of all starts; of one piece */
    uint64_t row_words, most_rows, n_taken, n_pieces, fails_at;
    bool is_wrong;
} piece_taker;

static pc_status take_piece(void *user, uint64_t at, uint64_t n_rows)
{
    piece_taker *taker = user;
    taker->is_wrong |= at != taker->n_taken || n_rows > taker->most_rows || n_rows == 0;
    if (taker->is_wrong || ++taker->n_pieces == taker->fails_at)
        return PC_ERR_CERTIFY;
    taker->is_wrong |= memcmp(taker->whole + at * taker->row_words, taker->piece,
                              n_rows * taker->row_words * sizeof(uint64_t)) != 0;
    taker->n_taken += n_rows;
    return PC_OK;
}

/* Rows so long that a sweep is handed out in pieces: the same as all rows at once, nothing behind the
 * room of a piece is written, and who takes them may fail. */
TEST("long rows in pieces")
{
    enum { N = 90000, LENGTH = 3, N_STARTS = 43, N_LIMBS = 3 };
    random_source random = {.state = 331};
    double bits[LENGTH + 1] = {0, 20, 60, 130};
    OWNED(pc_context) *context = new_context(2);
    OWNED(edge_set) edges = edge_set_empty(N, false);
    for (uint64_t v = 1; v < N; v++)
        edge_set_add(&edges, v, random_below(&random, v), 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pci_swept_options options = {&pci_sweep_cpu, graph,    LENGTH, bits, 0,
                                 N_LIMBS,        N_STARTS, false,  false};
    OWNED(pci_swept) *swept = NULL;
    MUST(pci_swept_create(context, &options, &swept));
    size_t row_words = (size_t)N * N_LIMBS, n_room = pci_swept_piece(context, &options, N_STARTS);
    OWNED(uint64_t) *whole = malloc(N_STARTS * row_words * sizeof *whole);
    OWNED(uint64_t) *piece = malloc((n_room * row_words + 1) * sizeof *piece);
    CU_ASSERT_FATAL(whole && piece && n_room < 16 && n_room > 1);
    piece[n_room * row_words] = 77;
    MUST(pci_swept_rows(swept, N_STARTS, NULL, 5, whole));
    piece_taker taker = {
        .whole = whole, .piece = piece, .row_words = row_words, .most_rows = n_room};
    MUST(pci_swept_pieces(swept, N_STARTS, NULL, 5, piece, take_piece, &taker));
    CU_ASSERT(!taker.is_wrong && taker.n_taken == N_STARTS && taker.n_pieces > 4);
    CU_ASSERT(piece[n_room * row_words] == 77);
    taker = (piece_taker){
        .whole = whole, .piece = piece, .row_words = row_words, .most_rows = n_room, .fails_at = 2};
    CU_ASSERT(pci_swept_pieces(swept, N_STARTS, NULL, 5, piece, take_piece, &taker) ==
              PC_ERR_CERTIFY);
    CU_ASSERT(taker.n_pieces == 2 && !taker.is_wrong);
}

/* ---- Memory, and stopping -------------------------------------------------------------------- */

typedef struct ring {
    uint64_t n, length, n_starts;
} ring;

/* Reading the graph is not asked about: only the sweeps are. */
static pc_status rows_of_ring(pc_context *context, void *user)
{
    const ring *r = user;
    double bits[MAX_STEPS + 1];
    OWNED(edge_set) edges = edge_set_empty(r->n, true);
    for (uint64_t v = 0; v < r->n; v++)
        edge_set_add(&edges, v, (v + 1) % r->n, 1);
    for (uint64_t l = 0; l <= r->length; l++)
        bits[l] = 4 * (double)l; /* more than is needed: several limbs */
    OWNED(pc_graph) *graph = NULL;
    OWNED(pci_swept) *swept = NULL;
    uint64_t n_words = r->n_starts * r->n * 3, n_wrong = 0;
    OWNED(uint64_t) *limbs = malloc(n_words * sizeof *limbs);
    pc_progress_fn asked = context->progress;
    context->progress = NULL;
    pc_status status = edge_set_load(context, &edges, &graph);
    context->progress = asked;
    pci_swept_options options = {&pci_sweep_cpu, graph, r->length, bits, 0, 3,
                                 r->n_starts,    false, false};
    if (status == PC_OK)
        status = pci_swept_create(context, &options, &swept);
    if (status == PC_OK)
        status = pci_swept_rows(swept, r->n_starts, NULL, 0, limbs);
    for (uint64_t w = 0; status == PC_OK && w < n_words; w++) {
        uint64_t from = w / 3 / r->n, to = w / 3 % r->n; /* columns of A^length */
        n_wrong += limbs[w] != (w % 3 == 0 && (to + r->length) % r->n == from);
    }
    CU_ASSERT(n_wrong == 0);
    return status;
}

TEST("any allocation may fail")
{
    ring few = {20, 5, 4}, many = {200, 30, 200};
    uint64_t n_few = fail_each_allocation(rows_of_ring, &few);
    CU_ASSERT(n_few > 7);
    CU_ASSERT(fail_each_allocation(rows_of_ring, &many) >= n_few);
}

TEST("stopped at each question")
{
    ring few = {20, 5, 4}, many = {200, 30, 200};
    for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
        CU_ASSERT(cancel_at_each_question(rows_of_ring, n_threads, &few) > 1);
        CU_ASSERT(cancel_at_each_question(rows_of_ring, n_threads, &many) > 1);
    }
}

static void check_bytes(uint64_t n, uint64_t length, uint64_t most_starts, int n_threads)
{
    enum { ALIGNING = 128, BLOCKS = 7 }; /* memory asked for a sweep, at most */
    double bits[MAX_STEPS + 1];
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, n_threads);
    random_source random = {.state = 317 + n};
    OWNED(edge_set) edges = edge_set_preferential(&random, n, 8);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (uint64_t l = 0; l <= length; l++)
        bits[l] = 5.5 * (double)l;
    pci_swept_options options = {&pci_sweep_cpu, graph, length, bits, 0, 3,
                                 most_starts,    false, false};
    OWNED(pci_swept) *swept = NULL;
    uint64_t before = allocator.live_bytes, promised = pci_swept_bytes(context, &options);
    MUST(pci_swept_create(context, &options, &swept));
    uint64_t held = allocator.live_bytes - before;
    CU_ASSERT(held >= promised && held < promised + 4 * BLOCKS * ALIGNING);
    OWNED(uint64_t) *limbs = malloc(most_starts * n * 3 * sizeof *limbs);
    CU_ASSERT_FATAL(limbs != NULL);
    allocator.peak_bytes = 0;
    CU_ASSERT(pci_swept_rows(swept, most_starts, NULL, 0, limbs) == PC_OK);
    CU_ASSERT(allocator.peak_bytes <= before + held);
}

TEST("bytes as promised")
{
    check_bytes(1000, 9, 1, 4);
    check_bytes(1000, 9, 100, 1);
    check_bytes(1000, 9, 100, 4);
    check_bytes(1000, 30, 64, 2);
}

/* What no memory holds is refused, with limits that cannot be counted too. */
TEST("too large")
{
    double bits[2] = {1, INFINITY};
    OWNED(pc_context) *context = new_context(4);
    OWNED(edge_set) edges = edge_set_constant(5, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pci_swept_options options = {&pci_sweep_cpu, graph, 1, bits, 0, 1, 1000, false, false};
    pci_swept *swept = NULL;
    CU_ASSERT(pci_swept_bytes(context, &options) == UINT64_MAX);
    CU_ASSERT(pci_swept_create(context, &options, &swept) == PC_ERR_MEMORY && swept == NULL);
}
