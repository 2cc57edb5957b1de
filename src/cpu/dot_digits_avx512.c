/* Sums of counts times random numbers with AVX-512. */
#include "src/cpu/dot_digits.h"

#include <immintrin.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

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

#include "src/cpu/dot_digits_body.h"

void pci_dot_digits_avx512(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                           const pci_digits *x, pci_digit_sum *sums)
{
    dot(n, first, second, stride, x, sums);
}
