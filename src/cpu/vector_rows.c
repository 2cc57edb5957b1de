/* The loops of a step of a single vector. */
#include "src/cpu/vector_rows.h"

#include "src/core/number.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
    WORD_BITS = 64,
    BLOCK_WORDS = 4 /* of an entry that are summed at once */,
    FETCH_ARCS = 32,
    LINE_ARCS = 16,     /* that a cache line has */
    FETCH_COLUMNS = 512 /* ahead of the arcs: what a processor fetches by itself is late */
};

typedef unsigned __int128 u128;

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

ALWAYS_INLINE void fetch_ahead(const row_arcs *arcs, uint64_t a, const uint64_t *in, size_t stride)
{
    if (a + FETCH_ARCS < arcs->n_readable)
        __builtin_prefetch(in + arcs->column[a + FETCH_ARCS] * stride);
    if (a % LINE_ARCS == 0)
        __builtin_prefetch(arcs->column + a + FETCH_COLUMNS);
}

/* Modulo 2^64, which is right when the sum fits. */
ALWAYS_INLINE uint64_t sum_word(const row_arcs *arcs, const uint64_t *in, const bool weighted)
{
    uint64_t sum = 0;
    for (uint64_t a = 0; a < arcs->n; a++) {
        fetch_ahead(arcs, a, in, 1);
        sum += weighted ? in[arcs->column[a]] * arcs->weight[a] : in[arcs->column[a]];
    }
    return sum;
}

ALWAYS_INLINE uint64_t narrow_rows(const pci_vector_pass *pass, uint64_t first, uint64_t end,
                                   const bool weighted)
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
ALWAYS_INLINE u128 sum_words(const row_arcs *arcs, const uint64_t *in, size_t stride,
                             const int n_words, const bool weighted, u128 carry, uint64_t *out)
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

uint64_t pci_vector_rows(const pci_vector_pass *pass, uint64_t first, uint64_t end)
{
    if (pass->n_out_words > 1)
        return wide_rows(pass, first, end);
    return pass->graph->weight ? narrow_rows(pass, first, end, true)
                               : narrow_rows(pass, first, end, false);
}
