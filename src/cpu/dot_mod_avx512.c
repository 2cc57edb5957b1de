/* Sums of products of 64-bit words modulo a number with AVX-512.
 *
 * There is no instruction for 64-bit products with all their bits. With a = a0 + 2^32 a1 and
 * b = b0 + 2^21 b1 + 2^42 b2, b < 2^63, the six products are below 2^53: 2048 of each are added in
 * eight words, and those to one word, without a carry. */
#include "src/cpu/modular.h"

#include <immintrin.h>

enum { LANES = 8, BLOCK_ENTRIES = 2048, N_PARTS = 6, B_BITS = 21 };

/* of a0 b0, a0 b1, a0 b2, a1 b0 ... */
static const int shift_of[N_PARTS] = {0, 21, 42, 32, 53, 74};

typedef struct parts {
    __m512i sum[N_PARTS];
} parts;

static inline __attribute__((always_inline)) void add(parts *p, __m512i a, __m512i b)
{
    const __m512i mask = _mm512_set1_epi64((1 << B_BITS) - 1);
    __m512i a_part[] = {a, _mm512_srli_epi64(a, 32)}; /* the lower halves are multiplied */
    __m512i b_part[] = {_mm512_and_si512(b, mask),
                        _mm512_and_si512(_mm512_srli_epi64(b, B_BITS), mask),
                        _mm512_srli_epi64(b, 2 * B_BITS)};
    for (int i = 0; i < N_PARTS; i++)
        p->sum[i] = _mm512_add_epi64(p->sum[i], _mm512_mul_epu32(a_part[i / 3], b_part[i % 3]));
}

/* part[i] += sum of the products over n <= BLOCK_ENTRIES. */
static void add_block(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                      unsigned __int128 *part)
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i places = _mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                              _mm512_set1_epi64((long long)stride));
    parts p = {{zero, zero, zero, zero, zero, zero}};
    size_t i = 0;
    for (; i + LANES <= n && stride == 1; i += LANES)
        add(&p, _mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i));
    for (; i + LANES <= n; i += LANES)
        add(&p, _mm512_i64gather_epi64(places, a + i * stride, 8), _mm512_loadu_si512(b + i));
    if (i < n) {
        __mmask8 there = (__mmask8)((1 << (n - i)) - 1);
        add(&p, _mm512_mask_i64gather_epi64(zero, there, places, a + i * stride, 8),
            _mm512_maskz_loadu_epi64(there, b + i));
    }
    for (int k = 0; k < N_PARTS; k++) {
        uint64_t lane[LANES];
        _mm512_storeu_si512(lane, p.sum[k]);
        for (int l = 0; l < LANES; l++)
            part[k] += lane[l];
    }
}

uint64_t pci_dot_mod_avx512(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                            uint64_t modulus)
{
    unsigned __int128 part[N_PARTS] = {0}, low = 0, high = 0;
    for (size_t at = 0; at < n; at += BLOCK_ENTRIES) {
        size_t n_block = n - at < BLOCK_ENTRIES ? n - at : BLOCK_ENTRIES;
        add_block(n_block, a + at * stride, stride, b + at, part);
    }
    for (int k = 0; k < N_PARTS; k++) {
        int shift = shift_of[k];
        low += shift < 64 ? (uint64_t)part[k] << shift : 0;
        high += shift < 64 ? part[k] >> (64 - shift) : part[k] << (shift - 64);
    }
    return pci_reduce_sum(low, high, modulus);
}
