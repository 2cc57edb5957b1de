/* Recombination: residues to further residues and to integers, compiled once for each instruction set (PCI_ISA). Extension
 * and collection have two ways each, and tests compare the two: pairs of 16-bit parts (recombine_pairs.c), and here words
 * for any base. */
#include "src/cpu/row_loops.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* ---- Recombination of any base --------------------------------------------------------------- */

/* Words whose upper halves are 0 are multiplied. */
#if defined(__AVX512BW__)
typedef __m512i words;
static inline words load_shorts(const uint16_t *from)
{
    return _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)from));
}
static inline words add_product(words sum, words y, uint32_t weight)
{
    return _mm512_add_epi64(sum, _mm512_mul_epu32(y, _mm512_set1_epi32((int)weight)));
}
#elif defined(__AVX2__)
typedef __m256i words;
static inline words load_shorts(const uint16_t *from)
{
    return _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)from));
}
static inline words add_product(words sum, words y, uint32_t weight)
{
    return _mm256_add_epi64(sum, _mm256_mul_epu32(y, _mm256_set1_epi32((int)weight)));
}
#else
typedef struct words {
    uint64_t word[2];
} words;
static inline words load_shorts(const uint16_t *from)
{
    return (words){{from[0], from[1]}};
}
static inline words add_product(words sum, words y, uint32_t weight)
{
    sum.word[0] += y.word[0] * weight;
    sum.word[1] += y.word[1] * weight;
    return sum;
}
#endif

/* Entries in two registers; and in the chunks for which residues are weighed. */
enum { WORDS = 2 * sizeof(words) / sizeof(uint64_t), PLAIN_CHUNK = 16 };

/* y_i and q of one chunk: see src/residues/crt.h. */
typedef struct weighed_plain {
    uint16_t y[PCI_N_MODULI + 1][PLAIN_CHUNK];
} weighed_plain;

/* y = x * scale mod m for -m <= x < m: exact doubles below 2^33. */
static inline void scale_plain(const int8_t *x, const int8_t *low, int32_t radix, double scale,
                               double m, uint16_t *y)
{
    double inverse = 1.0 / m;
    for (size_t e = 0; e < PLAIN_CHUNK; e++) {
        double v = (x[e] * radix + (low ? low[e] : 0) + m) * scale;
        int32_t quotient = (int32_t)((v + 0.5) * inverse);
        y[e] = (uint16_t)(int32_t)(v - quotient * m);
    }
}

static void weigh_plain(const pci_crt *crt, const int8_t *const *in, size_t at, size_t digit_bytes,
                        weighed_plain *w)
{
    uint64_t total[PLAIN_CHUNK] = {0};
    for (uint32_t i = 0; i < crt->r; i++) {
        pci_class class = pci_modulus_class(i);
        const int8_t *x = in[i] + at;
        uint16_t *y = w->y[i];
        if (class == PCI_NARROW)
            scale_plain(x, NULL, 1, crt->scale[i], crt->m[i], y);
        else
            scale_plain(x, x + digit_bytes, 1 << pci_class_radix_bits(class), crt->scale[i],
                        crt->m[i], y);
        for (size_t e = 0; e < PLAIN_CHUNK; e++)
            total[e] += (uint64_t)y[e] * crt->fraction[i];
    }
    uint64_t room = UINT64_C(1) << (crt->fraction_bits - 2);
    for (size_t e = 0; e < PLAIN_CHUNK; e++)
        w->y[crt->r][e] = (uint16_t)((total[e] + room) >> crt->fraction_bits);
}

/* The columns of one tile: the sums of a tile and two registers of entries stay in registers. */
static void dot_tile(const uint16_t (*y)[PLAIN_CHUNK], uint32_t n_rows, const uint32_t *tile,
                     uint64_t (*result)[PLAIN_CHUNK])
{
    for (size_t e = 0; e < PLAIN_CHUNK; e += WORDS) {
        words sum[PCI_CRT_TILE][2];
        memset(sum, 0, sizeof sum);
        for (uint32_t i = 0; i < n_rows; i++) {
            words y0 = load_shorts(y[i] + e), y1 = load_shorts(y[i] + e + WORDS / 2);
#pragma GCC unroll 4
            for (int c = 0; c < PCI_CRT_TILE; c++) {
                sum[c][0] = add_product(sum[c][0], y0, tile[(size_t)i * PCI_CRT_TILE + c]);
                sum[c][1] = add_product(sum[c][1], y1, tile[(size_t)i * PCI_CRT_TILE + c]);
            }
        }
#pragma GCC unroll 4
        for (int c = 0; c < PCI_CRT_TILE; c++)
            memcpy(result[c] + e, sum[c], sizeof sum[c]);
    }
}

/* Residues modulo two moduli for each column. */
static void extend_plain(const pci_recombination *how, size_t first, size_t n,
                         const int8_t *const *in, int8_t *const *out, size_t digit_bytes)
{
    const pci_crt *crt = how->crt;
    const pci_weights *weights = &how->weights;
    weighed_plain w;
    for (size_t at = first; at < first + n; at += PLAIN_CHUNK) {
        weigh_plain(crt, in, at, digit_bytes, &w);
        for (uint32_t c = 0; c < weights->n_columns; c += PCI_CRT_TILE) {
            uint64_t value[PCI_CRT_TILE][PLAIN_CHUNK];
            dot_tile(w.y, weights->n_rows, pci_weights_tile(weights, c), value);
            for (uint32_t o = 2 * c; o < 2 * (c + PCI_CRT_TILE) && o < how->n_columns; o++)
                pci_split_words(PLAIN_CHUNK, value[o / 2 - c], crt->m[crt->r + o],
                                pci_modulus_class(crt->r + o), out[o] + at, digit_bytes);
        }
    }
}

/* Integers of n_limbs words, stride words apart, of digits of 32 bits: carry along them, lowest first. */
static void sum_digits(const uint16_t (*y)[PLAIN_CHUNK], const pci_weights *weights,
                       size_t n_entries, uint32_t n_limbs, size_t stride, uint64_t *limbs)
{
    uint64_t carry[PLAIN_CHUNK] = {0};
    for (uint32_t c = 0; c < weights->n_columns; c += PCI_CRT_TILE) {
        uint64_t value[PCI_CRT_TILE][PLAIN_CHUNK];
        dot_tile(y, weights->n_rows, pci_weights_tile(weights, c), value);
        for (uint32_t limb = c / 2; limb < (c + PCI_CRT_TILE) / 2 && limb < n_limbs; limb++) {
            const uint64_t *low = value[2 * limb - c], *high = value[2 * limb + 1 - c];
            for (size_t e = 0; e < n_entries; e++) { /* below 2^62 with the carry */
                uint64_t first = low[e] + carry[e], second = high[e] + (first >> 32);
                carry[e] = second >> 32;
                limbs[e * stride + limb] = second << 32 | (uint32_t)first;
            }
        }
    }
}

static void sum_leaves(const weighed_plain *w, const pci_crt_tree *tree, size_t n_entries,
                       uint32_t n_limbs, uint64_t *limbs)
{
    uint64_t sums[PLAIN_CHUNK][PCI_LEAF_LIMBS];
    for (uint32_t l = 0; l < tree->n_leaves; l++)
        sum_digits(w->y + tree->first[l], &tree->weights[l], n_entries,
                   tree->limb[l + 1] - tree->limb[l], PCI_LEAF_LIMBS, sums[0] + tree->limb[l]);
    for (size_t e = 0; e < n_entries; e++)
        pci_crt_tree_join(tree, w->y[tree->first[tree->n_leaves]][e], sums[e], n_limbs,
                          limbs + e * n_limbs);
}

static void collect_plain(const pci_recombination *how, size_t first, size_t n,
                          const int8_t *const *in, size_t digit_bytes, uint32_t n_limbs,
                          uint64_t *limbs)
{
    weighed_plain w;
    for (size_t at = 0; at < n; at += PLAIN_CHUNK, limbs += PLAIN_CHUNK * (size_t)n_limbs) {
        size_t n_here = n - at < PLAIN_CHUNK ? n - at : PLAIN_CHUNK;
        weigh_plain(how->crt, in, first + at, digit_bytes, &w);
        if (how->tree.n_leaves)
            sum_leaves(&w, &how->tree, n_here, n_limbs, limbs);
        else
            sum_digits(w.y, &how->weights, n_here, n_limbs, n_limbs, limbs);
    }
}

void PCI_JOIN(pci_extend_, PCI_ISA)(const pci_recombination *how, pci_row_tile tile,
                                    const int8_t *const *in, int8_t *const *out, size_t digit_bytes)
{
    if (how->pairs.pair)
        PCI_JOIN(pci_extend_by_pairs_, PCI_ISA)(how, tile, in, out, digit_bytes);
    else
        for (size_t i = 0; i < tile.n_rows; i++)
            extend_plain(how, i * tile.stride, tile.n_columns, in, out, digit_bytes);
}

void PCI_JOIN(pci_collect_, PCI_ISA)(const pci_recombination *how, pci_row_tile tile,
                                     const int8_t *const *in, size_t digit_bytes, uint32_t n_limbs,
                                     uint64_t *limbs, size_t limbs_stride)
{
    if (how->pairs.pair)
        PCI_JOIN(pci_collect_by_pairs_, PCI_ISA)
    (how, tile, in, digit_bytes, n_limbs, limbs, limbs_stride);
    else for (size_t i = 0; i < tile.n_rows; i++) collect_plain(
        how, i * tile.stride, tile.n_columns, in, digit_bytes, n_limbs, limbs + i * limbs_stride);
}

/* ---- Words modulo a number of up to 63 bits -------------------------------------------------- */

void PCI_JOIN(pci_collect_modular_, PCI_ISA)(const pci_recombination *how, size_t n,
                                             const int8_t *const *in, size_t digit_bytes,
                                             uint64_t modulus, uint64_t *words)
{
    weighed_plain w;
    for (size_t at = 0; at < n; at += PLAIN_CHUNK) {
        size_t n_here = n - at < PLAIN_CHUNK ? n - at : PLAIN_CHUNK;
        uint64_t value[PCI_CRT_TILE][PLAIN_CHUNK];
        weigh_plain(how->crt, in, at, digit_bytes, &w);
        dot_tile(w.y, how->weights.n_rows, how->weights.weight, value);
        for (size_t e = 0; e < n_here; e++)
            words[at + e] =
                (uint64_t)((((unsigned __int128)value[1][e] << 32) + value[0][e]) % modulus);
    }
}
