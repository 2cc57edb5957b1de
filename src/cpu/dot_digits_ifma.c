/* Sums of counts times random numbers with AVX-512 IFMA, which multiplies 52 bits and adds the lower or the upper half
 * of the product.
 *
 * A random number is y0 + 2^52 y1 with y1 < 2^39, and a word c0 + 2^52 c1 with c1 < 2^12. The instruction
 * ignores what is above 52 bits, so c0 and y0 are the words as they are. Sums stand at the places 1, 2^52 and 2^104.
 * Most words of counts are below 2^52, or all but the lowest one of a count are: while no word of a block has
 * a c1, the products with it are left out. */
#include "src/cpu/row_ops.h"

#include <immintrin.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
    LANES = 8,
    DIGIT_BITS = 52,
    N_PLACES = 3,
    BLOCK_STEPS = 64 /* at most 2^10: a step adds three numbers below 2^52 to a place */
};

/* The state of one of the two sums. */
typedef struct place_sums {
    unsigned __int128 at[N_PLACES];
    bool is_wide; /* a word had a c1 */
} place_sums;

typedef struct operands {
    const uint64_t *words;
    size_t stride;
    const uint64_t *low, *high; /* of the random numbers */
} operands;

/* Words number e, e + 1, ... of the operand. */
ALWAYS_INLINE __m512i load_words(const operands *from, size_t e)
{
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const uint64_t *at = from->words + e * from->stride;
    if (from->stride == 1)
        return _mm512_loadu_si512(at);
    if (from->stride == 2) /* the word after the last one may not exist */
        return _mm512_permutex2var_epi64(_mm512_loadu_si512(at), _mm512_add_epi64(lanes, lanes),
                                         _mm512_maskz_loadu_epi64(0x7f, at + LANES));
    __m512i places = _mm512_mullo_epi64(lanes, _mm512_set1_epi64((long long)from->stride));
    return _mm512_i64gather_epi64(places, at, 8);
}

ALWAYS_INLINE __m512i high_digit(const operands *from, size_t e)
{
    __m512i low = _mm512_loadu_si512(from->low + e), high = _mm512_loadu_si512(from->high + e);
    return _mm512_or_si512(_mm512_srli_epi64(low, DIGIT_BITS),
                           _mm512_slli_epi64(high, 64 - DIGIT_BITS));
}

ALWAYS_INLINE void add_place(__m512i sum, unsigned __int128 *to)
{
    uint64_t lanes[LANES];
    memcpy(lanes, &sum, sizeof lanes);
    for (int l = 0; l < LANES; l++)
        *to += lanes[l];
}

/* Adds n_steps <= BLOCK_STEPS registers from entry e on. Returns false, and adds nothing, when a word has a c1 and
 * is_wide is false. The products of a step go to sums of their own, so that none waits for another. */
ALWAYS_INLINE bool add_block(size_t n_steps, size_t e, const operands *from, bool is_wide,
                             place_sums *to)
{
    __m512i zero = _mm512_setzero_si512(), low00 = zero, high00 = zero, low01 = zero, high01 = zero;
    __m512i low10 = zero, high10 = zero, low11 = zero, all = zero;
    for (size_t end = e + n_steps * LANES; e < end; e += LANES) {
        __m512i c = load_words(from, e), y0 = _mm512_loadu_si512(from->low + e);
        __m512i y1 = high_digit(from, e), c1 = _mm512_srli_epi64(c, DIGIT_BITS);
        all = _mm512_or_si512(all, c);
        low00 = _mm512_madd52lo_epu64(low00, c, y0);
        high00 = _mm512_madd52hi_epu64(high00, c, y0);
        low01 = _mm512_madd52lo_epu64(low01, c, y1);
        high01 = _mm512_madd52hi_epu64(high01, c, y1);
        if (is_wide) {
            low10 = _mm512_madd52lo_epu64(low10, c1, y0);
            high10 = _mm512_madd52hi_epu64(high10, c1, y0);
            low11 = _mm512_madd52lo_epu64(low11, c1, y1);
        }
    }
    if (!is_wide && _mm512_reduce_or_epi64(all) >> DIGIT_BITS)
        return false;
    add_place(low00, &to->at[0]);
    add_place(_mm512_add_epi64(_mm512_add_epi64(high00, low01), low10), &to->at[1]);
    add_place(_mm512_add_epi64(_mm512_add_epi64(high01, high10), low11), &to->at[2]);
    return true;
}

ALWAYS_INLINE void add_any_block(size_t n_steps, size_t e, const operands *from, place_sums *to)
{
    if (!to->is_wide)
        to->is_wide = !add_block(n_steps, e, from, false, to);
    if (to->is_wide)
        add_block(n_steps, e, from, true, to);
}

/* Adds whole registers, both sums block by block: they share the random numbers, and words of a count lie side by
 * side. Returns the number of entries that were added. */
ALWAYS_INLINE size_t add_blocks(size_t n, const uint64_t *const words[2], size_t stride,
                                const pci_digits *x, place_sums to[2])
{
    size_t n_steps = n / LANES, s = 0;
    while (s < n_steps) {
        size_t n_now = n_steps - s < BLOCK_STEPS ? n_steps - s : BLOCK_STEPS;
        for (int k = 0; k < 2; k++)
            add_any_block(n_now, s * LANES, &(operands){words[k], stride, x->low, x->high}, &to[k]);
        s += n_now;
    }
    return n_steps * LANES;
}

/* Plain C adds what is left over after whole registers. */
void pci_dot_digits_ifma(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                         const pci_digits *x, pci_digit_sum *sums)
{
    const uint64_t *const words[2] = {first, second};
    place_sums to[2] = {0};
    size_t done = stride == 1   ? add_blocks(n, words, 1, x, to)
                  : stride == 2 ? add_blocks(n, words, 2, x, to)
                                : add_blocks(n, words, stride, x, to);
    pci_row_ops_portable.dot_digits(n - done, first + done * stride, second + done * stride, stride,
                                    &(pci_digits){x->low + done, x->high + done}, sums);
    const int carry_bits = 64 - DIGIT_BITS;
    for (int k = 0; k < 2; k++) {
        unsigned __int128 middle = to[k].at[1], below = middle & ((1u << carry_bits) - 1);
        sums[k].low += to[k].at[0] + (below << DIGIT_BITS);
        sums[k].high += (middle >> carry_bits) + (to[k].at[2] << (2 * DIGIT_BITS - 64));
    }
}
