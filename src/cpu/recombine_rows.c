/* Recombination: residues to further residues and to integers, compiled once for each instruction set (PCI_ISA). Extension
 * and collection have two ways each, and tests compare the two: pairs of 16-bit parts, for which vector types are used,
 * and words for any base. */
#include "src/cpu/row_loops.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* ---- Recombination by pairs: bases of up to PCI_MAX_PAIRED moduli ---------------------------- */

#if defined(__AVX512BW__)
typedef __m512i lanes;
static inline lanes multiply_add(lanes sum, lanes pairs, int32_t weights)
{
    return _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi32(weights)));
}
#elif defined(__AVX2__)
typedef __m256i lanes;
static inline lanes multiply_add(lanes sum, lanes pairs, int32_t weights)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi32(weights)));
}
#else
typedef struct lanes {
    int32_t lane[4];
} lanes;
static inline lanes multiply_add(lanes sum, lanes pairs, int32_t weights)
{
    for (int l = 0; l < 4; l++)
        sum.lane[l] +=
            (int16_t)pairs.lane[l] * (int16_t)weights + (pairs.lane[l] >> 16) * (weights >> 16);
    return sum;
}
#endif

enum { LANES = sizeof(lanes) / sizeof(int32_t) };

/* The parts of one chunk, paired: see pci_pair_weights. */
typedef struct weighed {
    int32_t pair[PCI_MAX_PAIRS][PCI_CHUNK] __attribute__((aligned(64)));
    uint32_t n_parts;
} weighed;

static inline void add_part(weighed *y, const int32_t *part)
{
    int32_t *pair = y->pair[y->n_parts / 2];
    bool second = y->n_parts % 2;
    for (size_t e = 0; e < PCI_CHUNK; e++)
        pair[e] = second ? pair[e] | part[e] << 16 : part[e];
    y->n_parts++;
}

/* y_i = x * scale mod m for |x * scale| < 128 m, which is added to make the dividend v positive:
 * all exact floats. The quotient is v / m rounded down, as the nearest integer to (v + 1/2) / m - 1/2,
 * which is never near a half. */
static inline int32_t scaled_residue(int8_t x, float scale, float m, float inverse)
{
    float v = (float)x * scale + 128 * m;
    float quotient = (v * inverse + (0.5f * inverse - 0.5f) + PCI_ROUND_FLOAT) - PCI_ROUND_FLOAT;
    return (int32_t)(v - quotient * m);
}

static inline void scale_narrow(const pci_crt *crt, uint32_t i, const int8_t *x, int32_t *y)
{
    float m = crt->m[i], inverse = 1.0f / m, scale = (float)pci_centred(crt->scale[i], crt->m[i]);
    for (size_t e = 0; e < PCI_CHUNK; e++)
        y[e] = scaled_residue(x[e], scale, m, inverse);
}

static inline void scale_wide(const int8_t *high, const int8_t *low, int32_t scale, int32_t m,
                              int32_t *y)
{
    double inverse = 1.0 / m;
    for (size_t e = 0; e < PCI_CHUNK; e++) {
        int32_t v = (high[e] * (1 << PCI_WIDE_RADIX_BITS) + low[e] + m) * scale;
        y[e] = v - (int32_t)((v + 0.5) * inverse) * m;
    }
}

static inline void add_wide_parts(weighed *w, const int32_t *y)
{
    int32_t part[PCI_CHUNK];
    for (size_t e = 0; e < PCI_CHUNK; e++)
        part[e] = y[e] >> PCI_WIDE_RADIX_BITS;
    add_part(w, part);
    for (size_t e = 0; e < PCI_CHUNK; e++)
        part[e] = y[e] & ((1 << PCI_WIDE_RADIX_BITS) - 1);
    add_part(w, part);
}

/* Two moduli at once: pair = y_i | y_j << 16, and their share of what q is found from. */
static inline void weigh_pair(const pci_crt *crt, uint32_t i, const int8_t *xi, const int8_t *xj,
                              int32_t *pair, int32_t *total)
{
    float mi = crt->m[i], scale_i = (float)pci_centred(crt->scale[i], crt->m[i]);
    float mj = crt->m[i + 1], scale_j = (float)pci_centred(crt->scale[i + 1], crt->m[i + 1]);
    float inverse_i = 1.0f / mi, inverse_j = 1.0f / mj;
    int32_t fraction_i = (int32_t)crt->fraction[i], fraction_j = (int32_t)crt->fraction[i + 1];
    for (size_t e = 0; e < PCI_CHUNK; e++) {
        int32_t yi = scaled_residue(xi[e], scale_i, mi, inverse_i);
        int32_t yj = scaled_residue(xj[e], scale_j, mj, inverse_j);
        total[e] += yi * fraction_i + yj * fraction_j;
        pair[e] = yi | yj << 16;
    }
}

/* A base of narrow moduli only: 32-bit sums do for q. */
static void weigh_narrow(const pci_crt *crt, const int8_t *const *in, size_t at, weighed *w)
{
    int32_t total[PCI_CHUNK] = {0}, y[PCI_CHUNK];
    uint32_t n_even = crt->r & ~1u;
    for (uint32_t i = 0; i < n_even; i += 2)
        weigh_pair(crt, i, in[i] + at, in[i + 1] + at, w->pair[i / 2], total);
    w->n_parts = n_even;
    if (crt->r > n_even) {
        scale_narrow(crt, n_even, in[n_even] + at, y);
        for (size_t e = 0; e < PCI_CHUNK; e++)
            total[e] += y[e] * (int32_t)crt->fraction[n_even];
        add_part(w, y);
    }
    for (size_t e = 0; e < PCI_CHUNK; e++)
        y[e] = (total[e] + (1 << (PCI_NARROW_FRACTION_BITS - 2))) >> PCI_NARROW_FRACTION_BITS;
    add_part(w, y);
}

static void weigh_mixed(const pci_crt *crt, const int8_t *const *in, size_t at, size_t digit_bytes,
                        weighed *w)
{
    uint64_t total[PCI_CHUNK] = {0};
    int32_t y[PCI_CHUNK];
    for (uint32_t i = 0; i < crt->r; i++) {
        const int8_t *x = in[i] + at;
        if (pci_modulus_is_wide(i)) {
            scale_wide(x, x + digit_bytes, (int32_t)crt->scale[i], crt->m[i], y);
            add_wide_parts(w, y);
        } else {
            scale_narrow(crt, i, x, y);
            add_part(w, y);
        }
        for (size_t e = 0; e < PCI_CHUNK; e++)
            total[e] += (uint64_t)(uint32_t)y[e] * crt->fraction[i];
    }
    uint64_t room = UINT64_C(1) << (PCI_WIDE_FRACTION_BITS - 2);
    for (size_t e = 0; e < PCI_CHUNK; e++)
        y[e] = (int32_t)((total[e] + room) >> PCI_WIDE_FRACTION_BITS);
    add_part(w, y);
}

/* y_i and q of one chunk, in parts: see src/residues/crt.h. */
static void weigh(const pci_crt *crt, const int8_t *const *in, size_t at, size_t digit_bytes,
                  weighed *w)
{
    w->n_parts = 0;
    for (uint32_t i = 0; i < crt->r; i++) /* too many streams for the hardware to follow */
        __builtin_prefetch(in[i] + at + PCI_FETCH_AHEAD);
    if (crt->r <= PCI_N_NARROW)
        weigh_narrow(crt, in, at, w);
    else
        weigh_mixed(crt, in, at, digit_bytes, w);
}

static void dot(const weighed *w, const int32_t *weights, uint32_t n_pairs, int32_t *result)
{
    enum { N = PCI_CHUNK / LANES };
    lanes acc[N];
    memset(acc, 0, sizeof acc);
    for (uint32_t p = 0; p < n_pairs; p++)
        for (int v = 0; v < N; v++)
            acc[v] = multiply_add(acc[v], ((const lanes *)w->pair[p])[v], weights[p]);
    memcpy(result, acc, sizeof acc);
}

static void extend_by_pairs(const pci_recombination *how, size_t n, const int8_t *const *in,
                            int8_t *const *out, size_t digit_bytes)
{
    const pci_pair_weights *pairs = &how->pairs;
    weighed w;
    for (size_t at = 0; at < n; at += PCI_CHUNK) {
        weigh(how->crt, in, at, digit_bytes, &w);
        for (uint32_t c = 0; c < pairs->n_columns; c++) {
            int32_t value[PCI_CHUNK];
            dot(&w, pairs->pair + c * pairs->n_pairs, pairs->n_pairs, value);
            uint32_t index = how->crt->r + c, m = how->crt->m[index];
            if (pci_modulus_is_wide(index))
                pci_wide_residues(PCI_CHUNK, NULL, value, NULL, m, out[c] + at, digit_bytes);
            else
                pci_narrow_residues(PCI_CHUNK, value, m, out[c] + at);
        }
    }
}

/* Digits of 16 bits with signed sums: carry along them, lowest first. */
static void collect_by_pairs(const pci_recombination *how, size_t n, const int8_t *const *in,
                             size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs)
{
    const pci_pair_weights *pairs = &how->pairs;
    weighed w;
    for (size_t at = 0; at < n; at += PCI_CHUNK) {
        size_t n_here = n - at < PCI_CHUNK ? n - at : PCI_CHUNK;
        int32_t carry[PCI_CHUNK] = {0};
        weigh(how->crt, in, at, digit_bytes, &w);
        for (uint32_t limb = 0; limb < n_limbs; limb++) {
            uint64_t word[PCI_CHUNK] = {0};
            for (uint32_t d = 0; d < 4; d++) {
                int32_t value[PCI_CHUNK];
                dot(&w, pairs->pair + (4 * limb + d) * pairs->n_pairs, pairs->n_pairs, value);
                for (size_t e = 0; e < PCI_CHUNK; e++) {
                    int32_t total = value[e] + carry[e];
                    carry[e] = total >> 16;
                    word[e] |= (uint64_t)(uint32_t)(total & 0xffff) << 16 * d;
                }
            }
            for (size_t e = 0; e < n_here; e++)
                limbs[(at + e) * n_limbs + limb] = word[e];
        }
    }
}

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
static void extend_plain(const pci_recombination *how, size_t n, const int8_t *const *in,
                         int8_t *const *out, size_t digit_bytes)
{
    const pci_crt *crt = how->crt;
    const pci_weights *weights = &how->weights;
    weighed_plain w;
    for (size_t at = 0; at < n; at += PLAIN_CHUNK) {
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

static void collect_plain(const pci_recombination *how, size_t n, const int8_t *const *in,
                          size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs)
{
    weighed_plain w;
    for (size_t at = 0; at < n; at += PLAIN_CHUNK, limbs += PLAIN_CHUNK * (size_t)n_limbs) {
        size_t n_here = n - at < PLAIN_CHUNK ? n - at : PLAIN_CHUNK;
        weigh_plain(how->crt, in, at, digit_bytes, &w);
        if (how->tree.n_leaves)
            sum_leaves(&w, &how->tree, n_here, n_limbs, limbs);
        else
            sum_digits(w.y, &how->weights, n_here, n_limbs, n_limbs, limbs);
    }
}

void PCI_JOIN(pci_extend_, PCI_ISA)(const pci_recombination *how, size_t n, const int8_t *const *in,
                                    int8_t *const *out, size_t digit_bytes)
{
    if (how->pairs.pair)
        extend_by_pairs(how, n, in, out, digit_bytes);
    else
        extend_plain(how, n, in, out, digit_bytes);
}

void PCI_JOIN(pci_collect_, PCI_ISA)(const pci_recombination *how, size_t n,
                                     const int8_t *const *in, size_t digit_bytes, uint32_t n_limbs,
                                     uint64_t *limbs)
{
    if (how->pairs.pair)
        collect_by_pairs(how, n, in, digit_bytes, n_limbs, limbs);
    else
        collect_plain(how, n, in, digit_bytes, n_limbs, limbs);
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
