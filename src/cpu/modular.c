/* Sums of products modulo a number: added up in 192 bits, reduced once. */
#include "src/cpu/modular.h"

#include "src/core/number.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 u128;

/* A number in 192 bits: low + 2^64 high. */
typedef struct wide_sum {
    u128 low, high;
} wide_sum;

static inline void add_wide(wide_sum *sum, u128 addend)
{
    sum->low += (uint64_t)addend;
    sum->high += (uint64_t)(addend >> 64);
}

/* So many products of a word and a number below 2^61 fit in 128 bits, so one addition in eight needs 192.
 * The primes of certificates are below 2^61. */
enum { GROUP = 8 };

static size_t add_groups(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                         wide_sum *sum)
{
    size_t i = 0;
    for (; n - i >= GROUP; i += GROUP) {
        u128 group = 0;
        for (size_t k = i; k < i + GROUP; k++)
            group += (u128)a[k * stride] * b[k];
        add_wide(sum, group);
    }
    return i;
}

uint64_t pci_dot_mod(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                     uint64_t modulus)
{
    wide_sum sum = {0};
    size_t i = modulus <= UINT64_C(1) << 61 ? add_groups(n, a, stride, b, &sum) : 0;
    for (; i < n; i++)
        add_wide(&sum, (u128)a[i * stride] * b[i]);
    return pci_reduce_sum(sum.low, sum.high, modulus);
}

/* ---- Products with a graph ------------------------------------------------------------------- */

enum {
    PRIME_BITS = 61,
    FETCH_ARCS = 32,
    FETCH_COLUMNS = 512, /* ahead of the arcs: what a processor fetches by itself is late */
    MOST_ROWS_A_CHUNK = 256,
    CHUNKS_A_THREAD = 32,
    NEAR_BYTES = 1 << 18 /* that the nearer caches of a processor hold */
};

/* So many numbers below 2^61 add up in one word. Groups are added up in halves of a word, so that an addition has no carry. */
enum { ARC_GROUP = 8, HALF_BITS = 32 };

/* The entry of row i; modulus has 61 bits, weights are 1. Far entries of x are asked for ahead. */
static inline __attribute__((always_inline)) uint64_t row_plain(const pc_graph *graph, uint64_t i,
                                                                const uint64_t *x, uint64_t modulus,
                                                                double inverse, const bool fetches)
{
    const uint32_t *column = graph->column + graph->row_start[i];
    uint64_t n = graph->row_start[i + 1] - graph->row_start[i], a = 0, rest = 0;
    uint64_t n_readable = pci_graph_n_arcs(graph) - graph->row_start[i];
    uint64_t low = 0, high = 0;
    for (; a + ARC_GROUP <= n; a += ARC_GROUP) {
        uint64_t group = 0;
        for (int k = 0; k < ARC_GROUP; k++)
            group += x[column[a + k]];
        for (int k = 0; fetches && a + FETCH_ARCS + ARC_GROUP <= n_readable && k < ARC_GROUP; k++)
            __builtin_prefetch(x + column[a + FETCH_ARCS + k]);
        if (fetches)
            __builtin_prefetch(column + a + FETCH_COLUMNS);
        low += (uint32_t)group;
        high += group >> HALF_BITS;
    }
    for (; a < n; a++) {
        if (fetches && a + FETCH_ARCS < n_readable)
            __builtin_prefetch(x + column[a + FETCH_ARCS]);
        rest += x[column[a]];
    }
    return pci_reduce_few(low + (uint32_t)rest, high + (rest >> HALF_BITS), modulus, inverse);
}

static uint64_t row_dot_mod(const pc_graph *graph, uint64_t i, const uint64_t *x, uint64_t modulus)
{
    u128 low = 0, high = 0;
    for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++) {
        u128 product = (u128)x[graph->column[a]] * pci_graph_weight(graph, a);
        low += (uint64_t)product;
        high += (uint64_t)(product >> 64);
    }
    return pci_reduce_sum(low, high, modulus);
}

void pci_graph_multiply_mod(const pc_graph *graph, int n_threads, const uint64_t *x,
                            uint64_t modulus, uint64_t *y)
{
    if (graph->parts) {
        graph->parts->multiply(graph->parts, PCI_PARTS_MODULAR, &modulus, x, y);
        return;
    }
    bool is_plain = !graph->weight && modulus >> (PRIME_BITS - 1) == 1;
    bool is_far = graph->n * sizeof *x > NEAR_BYTES;
    double inverse = 0x1p32 / (double)modulus;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 256)
    for (uint64_t i = 0; i < graph->n; i++)
        y[i] = !is_plain ? row_dot_mod(graph, i, x, modulus)
               : is_far  ? row_plain(graph, i, x, modulus, inverse, true)
                         : row_plain(graph, i, x, modulus, inverse, false);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

void pci_dot_mod_pair(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                      const uint64_t *moduli, uint64_t *dot)
{
    wide_sum sum[2] = {{0}};
    for (size_t at = 0; at < n; at += GROUP) {
        size_t end = n - at < GROUP ? n : at + GROUP;
        u128 group[2] = {0};
        for (size_t i = at; i < end; i++)
            for (int k = 0; k < 2; k++)
                group[k] += (u128)a[i * stride] * b[2 * i + k];
        for (int k = 0; k < 2; k++)
            add_wide(&sum[k], group[k]);
    }
    for (int k = 0; k < 2; k++)
        dot[k] = pci_reduce_sum(sum[k].low, sum[k].high, moduli[k]);
}

/* Two numbers side by side, added up together. */
typedef uint64_t pair_words __attribute__((vector_size(16)));
typedef pair_words loose_pair __attribute__((aligned(8), may_alias));

static inline pair_words pair_at(const uint64_t *x, uint32_t vertex)
{
    return *(const loose_pair *)(x + 2 * (size_t)vertex);
}

static inline __attribute__((always_inline)) void
row_pair_plain(const pc_graph *graph, uint64_t i, const uint64_t *x, const uint64_t *moduli,
               const double *inverse, const bool fetches, uint64_t *y)
{
    const uint32_t *column = graph->column + graph->row_start[i];
    uint64_t n = graph->row_start[i + 1] - graph->row_start[i], a = 0;
    uint64_t n_readable = pci_graph_n_arcs(graph) - graph->row_start[i];
    pair_words rest = {0, 0}, low = {0, 0}, high = {0, 0};
    const pair_words low_half = {UINT32_MAX, UINT32_MAX};
    if (n == 0) { /* many vertices of some graphs */
        y[0] = y[1] = 0;
        return;
    }
    for (; a + ARC_GROUP <= n; a += ARC_GROUP) {
        pair_words group = {0, 0};
        for (int k = 0; k < ARC_GROUP; k++)
            group += pair_at(x, column[a + k]);
        for (int k = 0; fetches && a + FETCH_ARCS + ARC_GROUP <= n_readable && k < ARC_GROUP; k++)
            __builtin_prefetch(x + 2 * (size_t)column[a + FETCH_ARCS + k]);
        if (fetches)
            __builtin_prefetch(column + a + FETCH_COLUMNS);
        low += group & low_half;
        high += group >> HALF_BITS;
    }
    for (; a < n; a++) {
        if (fetches && a + FETCH_ARCS < n_readable)
            __builtin_prefetch(x + 2 * (size_t)column[a + FETCH_ARCS]);
        rest += pair_at(x, column[a]);
    }
    low += rest & low_half;
    high += rest >> HALF_BITS;
    for (int k = 0; k < 2; k++)
        y[k] = pci_reduce_few(low[k], high[k], moduli[k], inverse[k]);
}

static void row_pair_weighted(const pc_graph *graph, uint64_t i, const uint64_t *x,
                              const uint64_t *moduli, uint64_t *y)
{
    for (int k = 0; k < 2; k++) {
        u128 low = 0, high = 0;
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++) {
            u128 product = (u128)x[2 * (size_t)graph->column[a] + k] * graph->weight[a];
            low += (uint64_t)product;
            high += (uint64_t)(product >> 64);
        }
        y[k] = pci_reduce_sum(low, high, moduli[k]);
    }
}

/* Rows rows[first], ..., rows[end - 1], or first, ..., end - 1 where rows is NULL. */
static void multiply_pair_rows(const pc_graph *graph, uint64_t first, uint64_t end,
                               const uint32_t *rows, const uint64_t *x, const uint64_t *moduli,
                               const double *inverse, bool is_far, uint64_t *y)
{
    for (uint64_t r = first; r < end; r++) {
        uint64_t i = rows ? rows[r] : r;
        if (graph->weight)
            row_pair_weighted(graph, i, x, moduli, y + 2 * i);
        else if (is_far)
            row_pair_plain(graph, i, x, moduli, inverse, true, y + 2 * i);
        else
            row_pair_plain(graph, i, x, moduli, inverse, false, y + 2 * i);
    }
}

void pci_graph_multiply_mod_pair_at(const pc_graph *graph, int n_threads, uint64_t n_rows,
                                    const uint32_t *rows, const uint64_t *x, const uint64_t *moduli,
                                    uint64_t *y)
{
    double inverse[] = {0x1p32 / (double)moduli[0], 0x1p32 / (double)moduli[1]};
    bool is_far = 2 * graph->n * sizeof *x > NEAR_BYTES;
    uint64_t n_chunk = n_rows / ((uint64_t)n_threads * CHUNKS_A_THREAD) + 1;
    n_chunk = n_chunk < MOST_ROWS_A_CHUNK ? n_chunk : MOST_ROWS_A_CHUNK;
    /* A region of one thread takes longer than a step in a small graph. */
    if (n_threads == 1)
        multiply_pair_rows(graph, 0, n_rows, rows, x, moduli, inverse, is_far, y);
    else
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
        for (uint64_t first = 0; first < n_rows; first += n_chunk)
            multiply_pair_rows(graph, first, first + n_chunk < n_rows ? first + n_chunk : n_rows,
                               rows, x, moduli, inverse, is_far, y);
}

void pci_graph_multiply_mod_pair(const pc_graph *graph, int n_threads, const uint64_t *x,
                                 const uint64_t *moduli, uint64_t *y)
{
    if (graph->parts)
        graph->parts->multiply(graph->parts, PCI_PARTS_MODULAR_PAIR, moduli, x, y);
    else
        pci_graph_multiply_mod_pair_at(graph, n_threads, graph->n, NULL, x, moduli, y);
}

/* ---- Integers of several words --------------------------------------------------------------- */

enum {
    WORD_BITS = 64,
    BLOCK_WORDS = 4 /* of an entry that are summed at once */,
    LINE_ARCS = 16 /* of a cache line */
};

/* Arcs of a row; columns may be read up to n_readable, which is where the next rows are. */
typedef struct row_arcs {
    const uint32_t *column;
    const uint64_t *weight; /* NULL: 1 each */
    uint64_t n, n_readable;
} row_arcs;

static inline row_arcs arcs_of(const pc_graph *graph, uint64_t i)
{
    uint64_t at = graph->row_start[i];
    return (row_arcs){graph->column + at, graph->weight ? graph->weight + at : NULL,
                      graph->row_start[i + 1] - at, pci_graph_n_arcs(graph) - at};
}

static inline __attribute__((always_inline)) void fetch_ahead(const row_arcs *arcs, uint64_t a,
                                                              const uint64_t *in, size_t stride)
{
    if (a + FETCH_ARCS < arcs->n_readable)
        __builtin_prefetch(in + arcs->column[a + FETCH_ARCS] * stride);
    if (a % LINE_ARCS == 0)
        __builtin_prefetch(arcs->column + a + FETCH_COLUMNS);
}

/* Modulo 2^64, which is right when the sum fits. */
static inline __attribute__((always_inline)) uint64_t
sum_word(const row_arcs *arcs, const uint64_t *in, const bool weighted)
{
    uint64_t sum = 0;
    for (uint64_t a = 0; a < arcs->n; a++) {
        fetch_ahead(arcs, a, in, 1);
        sum += weighted ? in[arcs->column[a]] * arcs->weight[a] : in[arcs->column[a]];
    }
    return sum;
}

static inline __attribute__((always_inline)) uint64_t
narrow_rows(const pci_vector_pass *pass, uint64_t first, uint64_t end, const bool weighted)
{
    uint64_t any = 0; /* has the highest bit of the largest entry */
    for (uint64_t i = first; i < end; i++) {
        row_arcs arcs = arcs_of(pass->graph, i);
        any |= pass->out[i] = sum_word(&arcs, pass->in, weighted);
    }
    return pci_number_bits(&any, 1);
}

/* Sums n_words words of each entry, adds carry to them, and returns what goes beyond: below 2^97
 * without weights, else below 2^98. A word's sum is low + 2^64 high. */
static inline __attribute__((always_inline)) u128 sum_words(const row_arcs *arcs,
                                                            const uint64_t *in, size_t stride,
                                                            const int n_words, const bool weighted,
                                                            u128 carry, uint64_t *out)
{
    u128 low[BLOCK_WORDS] = {0}, high[BLOCK_WORDS] = {0};
    for (uint64_t a = 0; a < arcs->n; a++) {
        const uint64_t *entry = in + arcs->column[a] * stride;
        fetch_ahead(arcs, a, in, stride);
        for (int w = 0; w < n_words; w++) {
            u128 product = weighted ? (u128)entry[w] * arcs->weight[a] : entry[w];
            low[w] += (uint64_t)product;
            if (weighted)
                high[w] += (uint64_t)(product >> WORD_BITS);
        }
    }
    for (int w = 0; w < n_words; w++) {
        low[w] += carry;
        out[w] = (uint64_t)low[w];
        carry = (low[w] >> WORD_BITS) + high[w];
    }
    return carry;
}

static u128 sum_block(const row_arcs *arcs, const uint64_t *in, size_t stride, size_t n_words,
                      u128 carry, uint64_t *out)
{
    switch (n_words) {
#define CASE_OF(N)                                                                                 \
    case N:                                                                                        \
        return arcs->weight ? sum_words(arcs, in, stride, N, true, carry, out)                     \
                            : sum_words(arcs, in, stride, N, false, carry, out);
        CASE_OF(1)
        CASE_OF(2)
        CASE_OF(3)
    default:
        CASE_OF(BLOCK_WORDS)
#undef CASE_OF
    }
}

static uint64_t wide_rows(const pci_vector_pass *pass, uint64_t first, uint64_t end)
{
    uint64_t most_bits = 0;
    size_t n_in = pass->n_in_words, n_out = pass->n_out_words;
    for (uint64_t i = first; i < end; i++) {
        row_arcs arcs = arcs_of(pass->graph, i);
        uint64_t *out = pass->out + i * n_out;
        u128 carry = 0;
        for (size_t w = 0; w < n_in; w += BLOCK_WORDS) {
            size_t n_words = n_in - w < BLOCK_WORDS ? n_in - w : BLOCK_WORDS;
            carry = sum_block(&arcs, pass->in + w, n_in, n_words, carry, out + w);
        }
        for (size_t w = n_in; w < n_out; w++, carry >>= WORD_BITS)
            out[w] = (uint64_t)carry;
        uint64_t bits = pci_number_bits(out, n_out);
        most_bits = bits > most_bits ? bits : most_bits;
    }
    return most_bits;
}

uint64_t pci_graph_multiply_words(const pci_vector_pass *pass, uint64_t first, uint64_t end)
{
    if (pass->n_out_words > 1)
        return wide_rows(pass, first, end);
    return pass->graph->weight ? narrow_rows(pass, first, end, true)
                               : narrow_rows(pass, first, end, false);
}

/* ---- Rounds of a check ----------------------------------------------------------------------- */

enum { CERTIFY_BITS = 80, TRIAL_LIMIT = 1 << 16 };

int pci_modular_rounds(uint64_t modulus, int asked)
{
    if (asked == 0)
        return 0;
    uint64_t q = 2; /* the least factor, or the limit */
    while (q < TRIAL_LIMIT && modulus % q != 0)
        q++;
    int needed = (int)ceil(CERTIFY_BITS / log2((double)q));
    return needed > asked ? needed : asked;
}

/* ---- Doubles -------------------------------------------------------------------------------- */

/* The multicore ikj product of doubles (Li, Ranka and Sahni, "GPU Matrix Multiplication", Figures
 * 1.6 and 1.8), over blocks: one of p's columns and depth stays in cache while all rows pass. */

enum { BLOCK_COLUMNS = 512, BLOCK_DEPTH = 64, BLOCK_ROWS = 64 };

static uint64_t block_end(uint64_t start, uint64_t size, uint64_t n)
{
    return n - start < size ? n : start + size;
}

/* result[i][j0..j1) += p[i][k0..k1) * p[k0..k1)[j0..j1) */
static void add_row_block(uint64_t n, const double *p, uint64_t i, uint64_t k0, uint64_t k1,
                          uint64_t j0, uint64_t j1, double *result)
{
    for (uint64_t k = k0; k < k1; k++) {
        double factor = p[i * n + k];
        for (uint64_t j = j0; j < j1; j++)
            result[i * n + j] += factor * p[k * n + j];
    }
}

typedef struct squaring {
    pc_context *context;
    uint64_t n;
    const double *p;
    double *result;
    pc_status status; /* of the progress callback */
} squaring;

/* The callback is asked once a block: rows of large matrices take minutes. */
static void square_rows(squaring *s, uint64_t i0)
{
    uint64_t n = s->n, i1 = block_end(i0, BLOCK_ROWS, n);
    memset(s->result + i0 * n, 0, (i1 - i0) * n * sizeof *s->result);
    for (uint64_t j = 0; j < n; j += BLOCK_COLUMNS) {
        double rows_done = (double)i0 + (double)(i1 - i0) * (double)j / (double)n;
        for (uint64_t k = 0; k < n; k += BLOCK_DEPTH) {
            if (!pci_goes_on(s->context, "square", rows_done / (double)n, &s->status))
                return;
            for (uint64_t i = i0; i < i1; i++)
                add_row_block(n, s->p, i, k, block_end(k, BLOCK_DEPTH, n), j,
                              block_end(j, BLOCK_COLUMNS, n), s->result);
        }
    }
}

pc_status pci_square_doubles(pc_context *context, uint64_t n, const double *p, double *result)
{
    squaring s = {context, n, p, result, PC_OK};
    int n_threads = pci_threads_for(context, (double)n * (double)n * (double)n);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (uint64_t i = 0; i < n; i += BLOCK_ROWS)
        square_rows(&s, i);
    return pci_gone_on(context, s.status);
}
