/* Sums of counts times random numbers, compiled once for each instruction set (PCI_ISA).
 *
 * The halves c0, c1 of a word and the digits x0, x1, x2 give sums at four places of 32 bits:
 * c0 x0, c0 x1 + c1 x0, c0 x2 + c1 x1, c1 x2. A register adds BLOCK_STEPS products, or twice as many, and is
 * then cut into halves that are added up apart. Plain C adds what is left over after whole registers. */
#include "src/cpu/row_loops.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef unsigned __int128 u128;

/* Products of a word and the low digits are below 2^123: so many of them fit. */
enum { GROUP = 16 };

static pci_digit_sum sum_plain(size_t n, const uint64_t *a, size_t stride, const pci_digits *x)
{
    pci_digit_sum sum = {0, 0};
    for (size_t at = 0; at < n; at += GROUP) {
        size_t end = n - at < GROUP ? n : at + GROUP;
        u128 group = 0;
        for (size_t i = at; i < end; i++) {
            group += (u128)a[i * stride] * x->low[i];
            sum.high += (u128)a[i * stride] * x->high[i];
        }
        sum.low += (uint64_t)group;
        sum.high += group >> 64;
    }
    return sum;
}

static void dot_plain(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                      const pci_digits *x, pci_digit_sum *sums)
{
    sums[0] = sum_plain(n, first, stride, x);
    sums[1] = sum_plain(n, second, stride, x);
}

#if defined(__AVX2__)

#if defined(__AVX512F__)
enum { LANES = 8 };

typedef uint64_t words __attribute__((vector_size(64)));
typedef words loose_words __attribute__((aligned(8), may_alias));

ALWAYS_INLINE words multiply(words a, words b)
{
    return (words)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

/* Words at first, first + stride, ... and those that follow each of them: counts of two words lie in two
 * registers. */
ALWAYS_INLINE void load_neighbours(const uint64_t *first, size_t stride, words *both)
{
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    if (stride == 2) {
        __m512i low = _mm512_loadu_si512(first), high = _mm512_loadu_si512(first + LANES);
        __m512i even = _mm512_add_epi64(lanes, lanes);
        __m512i odd = _mm512_add_epi64(even, _mm512_set1_epi64(1));
        both[0] = (words)_mm512_permutex2var_epi64(low, even, high);
        both[1] = (words)_mm512_permutex2var_epi64(low, odd, high);
    } else {
        __m512i places = _mm512_mullo_epi64(lanes, _mm512_set1_epi64((long long)stride));
        both[0] = (words)_mm512_i64gather_epi64(places, first, 8);
        both[1] = (words)_mm512_i64gather_epi64(places, first + 1, 8);
    }
}
#else
enum { LANES = 4 };

typedef uint64_t words __attribute__((vector_size(32)));
typedef words loose_words __attribute__((aligned(8), may_alias));

ALWAYS_INLINE words multiply(words a, words b)
{
    return (words)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

ALWAYS_INLINE __m256i load_two(const uint64_t *low, const uint64_t *high)
{
    __m128i first = _mm_loadu_si128((const __m128i *)low);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first),
                                   _mm_loadu_si128((const __m128i *)high), 1);
}

/* Words at first, first + stride, ... and those that follow each of them. */
ALWAYS_INLINE void load_neighbours(const uint64_t *first, size_t stride, words *both)
{
    __m256i even = load_two(first, first + 2 * stride);
    __m256i odd = load_two(first + stride, first + 3 * stride);
    both[0] = (words)_mm256_unpacklo_epi64(even, odd);
    both[1] = (words)_mm256_unpackhi_epi64(even, odd);
}
#endif

enum { N_PLACES = 4, BLOCK_STEPS = 16 };

/* For each of two sums. */
typedef struct place_sums {
    words low[2][N_PLACES], high[2][N_PLACES]; /* low + 2^32 high */
} place_sums;

/* Words first[e], first[e + stride], ... of a register; stride 1, or second is first + 1. */
ALWAYS_INLINE void load_both(const uint64_t *first, const uint64_t *second, size_t stride,
                             words *both)
{
    if (stride == 1) {
        both[0] = *(const loose_words *)first;
        both[1] = *(const loose_words *)second;
    } else {
        load_neighbours(first, stride, both);
    }
}

/* Adds n_steps <= BLOCK_STEPS registers of each. */
ALWAYS_INLINE void add_block(size_t n_steps, const uint64_t *first, const uint64_t *second,
                             size_t stride, const uint64_t *low, const uint64_t *high,
                             place_sums *to)
{
    words sum[2][N_PLACES] = {0}, both[2];
    for (size_t s = 0; s < n_steps; s++) {
        size_t e = s * LANES;
        words x0 = *(const loose_words *)(low + e), x1 = x0 >> 32;
        words x2 = *(const loose_words *)(high + e);
        load_both(first + e * stride, second + e * stride, stride, both);
        for (int k = 0; k < 2; k++) {
            words c0 = both[k], c1 = c0 >> 32;
            sum[k][0] += multiply(c0, x0);
            sum[k][1] += multiply(c0, x1);
            sum[k][2] += multiply(c0, x2);
            sum[k][1] += multiply(c1, x0);
            sum[k][2] += multiply(c1, x1);
            sum[k][3] += multiply(c1, x2);
        }
    }
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < N_PLACES; p++) {
            to->low[k][p] += sum[k][p] & UINT32_MAX;
            to->high[k][p] += sum[k][p] >> 32;
        }
}

ALWAYS_INLINE unsigned __int128 add_lanes(const place_sums *from, int k, int place)
{
    unsigned __int128 low = 0, high = 0;
    for (int l = 0; l < LANES; l++) {
        low += from->low[k][place][l];
        high += from->high[k][place][l];
    }
    return low + (high << 32);
}

ALWAYS_INLINE size_t add_blocks(size_t n, const uint64_t *first, const uint64_t *second,
                                size_t stride, const pci_digits *x, place_sums *to)
{
    size_t n_steps = n / LANES, s = 0;
    for (; s + BLOCK_STEPS <= n_steps; s += BLOCK_STEPS) {
        size_t e = s * LANES;
        add_block(BLOCK_STEPS, first + e * stride, second + e * stride, stride, x->low + e,
                  x->high + e, to);
    }
    size_t e = s * LANES;
    add_block(n_steps - s, first + e * stride, second + e * stride, stride, x->low + e, x->high + e,
              to);
    return n_steps * LANES;
}

void PCI_JOIN(pci_dot_digits_, PCI_ISA)(size_t n, const uint64_t *first, const uint64_t *second,
                                        size_t stride, const pci_digits *x, pci_digit_sum *sums)
{
    place_sums to = {0};
    if (stride != 1 && second != first + 1) {
        dot_plain(n, first, second, stride, x, sums);
        return;
    }
    size_t done = stride == 1   ? add_blocks(n, first, second, 1, x, &to)
                  : stride == 2 ? add_blocks(n, first, second, 2, x, &to)
                                : add_blocks(n, first, second, stride, x, &to);
    pci_digits rest = {x->low + done, x->high + done};
    dot_plain(n - done, first + done * stride, second + done * stride, stride, &rest, sums);
    for (int k = 0; k < 2; k++) {
        sums[k].low += add_lanes(&to, k, 0) + (add_lanes(&to, k, 1) << 32);
        sums[k].high += add_lanes(&to, k, 2) + (add_lanes(&to, k, 3) << 32);
    }
}

#else

void PCI_JOIN(pci_dot_digits_, PCI_ISA)(size_t n, const uint64_t *first, const uint64_t *second,
                                        size_t stride, const pci_digits *x, pci_digit_sum *sums)
{
    dot_plain(n, first, second, stride, x, sums);
}

#endif
