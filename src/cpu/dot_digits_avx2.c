/* Sums of counts times random numbers with AVX2. */
#include "src/cpu/dot_digits.h"

#include <immintrin.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

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

#include "src/cpu/dot_digits_body.h"

void pci_dot_digits_avx2(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                         const pci_digits *x, pci_digit_sum *sums)
{
    dot(n, first, second, stride, x, sums);
}
