/* Recombination by pairs of 16-bit parts: bases of up to PCI_MAX_PAIRED moduli to further residues and to integers. Compiled
 * once for each instruction set (PCI_ISA).
 *
 * The parts are the digits of the residues x_i, which are bytes, and q (see pci_pair_weights). The result is a
 * product of two small matrices: for each column c
 *   sum_c = sum over parts of part * weight[c],
 * two products an instruction for each of 16 (8) entries. q comes first, of a column of its own. */
#include "src/cpu/row_loops.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* sum += low half of pairs * low half of weights + high half * high half, in each lane. */
#if defined(__AVX512VNNI__)
typedef __m512i lanes;
enum { VECTORS = 4 /* entries worked on at once, in vectors */ };
/* In assembly because gcc 12, given the intrinsic, copies every accumulator. */
static inline lanes multiply_add(lanes sum, lanes pairs, lanes weights)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(pairs), "v"(weights));
    return sum;
}
static inline lanes in_all_lanes(int32_t weights)
{
    return _mm512_set1_epi32(weights);
}
#elif defined(__AVX2__)
typedef __m256i lanes;
enum { VECTORS = 2 };
static inline lanes multiply_add(lanes sum, lanes pairs, lanes weights)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, weights));
}
static inline lanes in_all_lanes(int32_t weights)
{
    return _mm256_set1_epi32(weights);
}
#else
typedef struct lanes {
    int32_t lane[4];
} lanes;
enum { VECTORS = 2 };
static inline lanes multiply_add(lanes sum, lanes pairs, lanes weights)
{
    for (int l = 0; l < 4; l++)
        sum.lane[l] += (int16_t)pairs.lane[l] * (int16_t)weights.lane[l] +
                       (pairs.lane[l] >> 16) * (weights.lane[l] >> 16);
    return sum;
}
static inline lanes in_all_lanes(int32_t weights)
{
    return (lanes){{weights, weights, weights, weights}};
}
#endif

enum { LANES = sizeof(lanes) / sizeof(int32_t), BATCH_LIMBS = 8, FETCH_AHEAD = 4 * PCI_CHUNK };

typedef int32_t pair_row[PCI_CHUNK] __attribute__((aligned(64)));

/* The parts of one chunk in pairs, and where more of them come from: rows of bytes. */
typedef struct chunk {
    pair_row pair[PCI_MAX_PAIRS];
    uint32_t n_pairs, n_rows;
    const int8_t *row[2 * PCI_MAX_PAIRS];
} chunk;

/* sum[c] of n_columns columns; weights[n_pairs][n_columns]. Meanwhile memory is asked for a later chunk, that at byte
 * `later` of the rows if it is not 0: they are too many streams for the hardware to follow, and too many to ask for all
 * at once. */
static inline __attribute__((always_inline)) void
dot(const chunk *x, int n_columns, const int32_t *weights, size_t later, pair_row *sum)
{
    for (int e = 0; e < PCI_CHUNK; e += VECTORS * LANES) {
        lanes acc[PCI_PAIR_TILE][VECTORS];
#pragma GCC unroll 16
        for (int k = 0; k < n_columns * VECTORS; k++)
            acc[k / VECTORS][k % VECTORS] = in_all_lanes(0);
        for (uint32_t p = 0; p < x->n_pairs; p++) {
            lanes pair[VECTORS];
            memcpy(pair, x->pair[p] + e, sizeof pair);
            if (later && !e) {
                __builtin_prefetch(x->row[2 * p] + later);
                __builtin_prefetch(x->row[2 * p + 1] + later);
            }
#pragma GCC unroll 4
            for (int c = 0; c < n_columns; c++) {
                lanes weight = in_all_lanes(weights[p * (uint32_t)n_columns + (uint32_t)c]);
#pragma GCC unroll 4
                for (int v = 0; v < VECTORS; v++)
                    acc[c][v] = multiply_add(acc[c][v], pair[v], weight);
            }
        }
#pragma GCC unroll 16
        for (int k = 0; k < n_columns * VECTORS; k++)
            memcpy(sum[k / VECTORS] + e + k % VECTORS * LANES, &acc[k / VECTORS][k % VECTORS],
                   sizeof(lanes));
    }
}

/* The rows are the digits of the residues. */
static void list_rows(const pci_recombination *how, const int8_t *const *in, size_t digit_bytes,
                      chunk *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < how->crt->r; i++) {
        x->row[n++] = in[i];
        if (pci_modulus_is_wide(i))
            x->row[n++] = in[i] + digit_bytes;
    }
    x->n_rows = n;
    x->n_pairs = how->pairs.n_pairs;
    while (n < 2 * x->n_pairs) /* of q, or of nothing */
        x->row[n++] = in[0];
}

static inline void pair_up(const int8_t *first, const int8_t *second, int32_t *pair)
{
    for (size_t e = 0; e < PCI_CHUNK; e++)
        pair[e] = (int32_t)((uint32_t)(uint16_t)first[e] | (uint32_t)second[e] << 16);
}

/* The parts of the chunk at byte `at` of the rows. */
static void pair_parts(const pci_pair_weights *weights, size_t at, chunk *x)
{
    static const int8_t zeros[PCI_CHUNK];
    pair_row q;
    for (uint32_t p = 0; p < x->n_pairs; p++)
        pair_up(2 * p < x->n_rows ? x->row[2 * p] + at : zeros,
                2 * p + 1 < x->n_rows ? x->row[2 * p + 1] + at : zeros, x->pair[p]);
    dot(x, 1, weights->fraction, 0, &q);
    int shift = 16 * (x->n_rows % 2);
    int32_t *last = x->pair[x->n_pairs - 1];
    for (size_t e = 0; e < PCI_CHUNK; e++) {
        int32_t room = 1 << (PCI_PAIR_FRACTION_BITS - 2);
        uint32_t quotient = (uint16_t)((q[e] + room) >> PCI_PAIR_FRACTION_BITS);
        last[e] = (int32_t)((uint32_t)last[e] | quotient << shift);
    }
}

/* The chunk FETCH_AHEAD bytes after one, in its row or the next. */
static inline size_t later_chunk(const pci_row_tile *tile, size_t i, size_t j)
{
    j += FETCH_AHEAD;
    return j < tile->n_columns ? i * tile->stride + j
                               : (i + 1) * tile->stride + j - tile->n_columns;
}

/* A base with further narrow moduli is narrow, so sums are below 1.5 * 48 * 128 * 127 < 2^23. */
static inline void reduce_narrow(const int32_t *sum, uint32_t m, int8_t *out)
{
    float m_float = (float)m, inverse = 1.0f / m_float;
    for (size_t e = 0; e < PCI_CHUNK; e++)
        out[e] = pci_reduce_small(sum[e], m_float, inverse);
}

/* Works on one chunk. */
static void extend_chunk(const pci_recombination *how, size_t at, size_t later, chunk *x,
                         int8_t *const *out, size_t digit_bytes)
{
    const pci_pair_weights *weights = &how->pairs;
    pair_row sum[PCI_PAIR_TILE];
    pair_parts(weights, at, x);
    for (uint32_t c = 0; c < how->n_columns; c++) {
        if (c % PCI_PAIR_TILE == 0)
            dot(x, PCI_PAIR_TILE, weights->pair + c * x->n_pairs, c ? 0 : later, sum);
        const int32_t *value = sum[c % PCI_PAIR_TILE];
        uint32_t index = how->crt->r + c, m = how->crt->m[index];
        if (pci_modulus_is_wide(index))
            pci_wide_residues(PCI_CHUNK, NULL, value, NULL, m, out[c] + at, digit_bytes);
        else
            reduce_narrow(value, m, out[c] + at);
    }
}

void PCI_JOIN(pci_extend_by_pairs_, PCI_ISA)(const pci_recombination *how, pci_row_tile tile,
                                             const int8_t *const *in, int8_t *const *out,
                                             size_t digit_bytes)
{
    chunk x;
    list_rows(how, in, digit_bytes, &x);
    for (size_t i = 0; i < tile.n_rows; i++)
        for (size_t j = 0; j < tile.n_columns; j += PCI_CHUNK)
            extend_chunk(how, i * tile.stride + j, later_chunk(&tile, i, j), &x, out, digit_bytes);
}

/* Four digits of 16 bits from signed sums: carry along them, lowest first. */
static inline void make_words(const pair_row *sum, int32_t *carry, uint64_t *word)
{
    for (size_t e = 0; e < PCI_CHUNK; e++) {
        int32_t first = sum[0][e] + carry[e], second = sum[1][e] + (first >> 16);
        int32_t third = sum[2][e] + (second >> 16), fourth = sum[3][e] + (third >> 16);
        uint32_t low = (uint32_t)second << 16 | (uint16_t)first;
        uint32_t high = (uint32_t)fourth << 16 | (uint16_t)third;
        carry[e] = fourth >> 16;
        word[e] = (uint64_t)high << 32 | low;
    }
}

/* Works on n_here entries of one chunk. */
static void collect_chunk(const pci_recombination *how, size_t at, size_t n_here, size_t later,
                          chunk *x, uint32_t n_limbs, uint64_t *limbs)
{
    const pci_pair_weights *weights = &how->pairs;
    pair_row sum[PCI_PAIR_TILE], carry = {0};
    uint64_t word[BATCH_LIMBS][PCI_CHUNK];
    pair_parts(weights, at, x);
    for (uint32_t first = 0; first < n_limbs; first += BATCH_LIMBS) {
        uint32_t n_words = n_limbs - first < BATCH_LIMBS ? n_limbs - first : BATCH_LIMBS;
        for (uint32_t w = 0; w < n_words; w++) {
            uint32_t c = (first + w) * PCI_PAIR_TILE;
            dot(x, PCI_PAIR_TILE, weights->pair + c * x->n_pairs, c ? 0 : later, sum);
            make_words((const pair_row *)sum, carry, word[w]);
        }
        for (size_t e = 0; e < n_here; e++)
            for (uint32_t w = 0; w < n_words; w++)
                limbs[e * n_limbs + first + w] = word[w][e];
    }
}

void PCI_JOIN(pci_collect_by_pairs_,
              PCI_ISA)(const pci_recombination *how, pci_row_tile tile, const int8_t *const *in,
                       size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs, size_t limbs_stride)
{
    chunk x;
    list_rows(how, in, digit_bytes, &x);
    for (size_t i = 0; i < tile.n_rows; i++)
        for (size_t j = 0; j < tile.n_columns; j += PCI_CHUNK) {
            size_t n_here = tile.n_columns - j < PCI_CHUNK ? tile.n_columns - j : PCI_CHUNK;
            collect_chunk(how, i * tile.stride + j, n_here, later_chunk(&tile, i, j), &x, n_limbs,
                          limbs + i * limbs_stride + j * n_limbs);
        }
}
