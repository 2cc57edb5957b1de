/* Looks at counts: those of one or two words, which are the most frequent, with AVX2 where it is. */
#include "src/rows/row_scan.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* ---- Plain C --------------------------------------------------------------------------------- */

ALWAYS_INLINE bool scan(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                        unsigned __int128 *sums, uint64_t *n_zero)
{
    bool is_large = false;
    for (size_t e = 0; e < n; e++, counts += n_limbs) {
        uint64_t any = 0;
        for (uint32_t l = 0; l < n_limbs; l++) {
            sums[l] += counts[l];
            any |= counts[l];
        }
        *n_zero += any == 0;
        is_large |= pci_count_exceeds(counts, floor, n_limbs);
    }
    return is_large;
}

bool pci_row_scan_plain(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                        unsigned __int128 *sums, uint64_t *n_zero)
{
    switch (n_limbs) { /* the same code with the width known where it matters most */
    case 1:
        return scan(n, 1, counts, floor, sums, n_zero);
    case 2:
        return scan(n, 2, counts, floor, sums, n_zero);
    default:
        return scan(n, n_limbs, counts, floor, sums, n_zero);
    }
}

/* ---- AVX2 ------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))

enum { LANES = 4 };

typedef uint64_t words __attribute__((vector_size(32)));
typedef words loose_words __attribute__((aligned(8), may_alias));

/* All ones in a lane where the count, of two words in two lanes, has so in both; 0 in the lower one. */
ALWAYS_INLINE WITH_AVX2 words in_both(words lanes)
{
    return (words)_mm256_slli_si256((__m256i)lanes, 8) & lanes;
}

/* Registers of counts of one word, or of two. */
ALWAYS_INLINE WITH_AVX2 bool scan_registers(size_t n_registers, const uint32_t n_limbs,
                                            const uint64_t *counts, const uint64_t *floor,
                                            unsigned __int128 *sums, uint64_t *n_zero)
{
    words low = {0}, high = {0}, zeros = {0}, large = {0};
    words least = {floor[0], floor[n_limbs - 1], floor[0], floor[n_limbs - 1]};
    for (size_t r = 0; r < n_registers; r++) {
        words word = *(const loose_words *)(counts + r * LANES);
        words is_zero = (words)(word == 0), is_above = (words)(word > least);
        low += word & UINT32_MAX;
        high += word >> 32;
        if (n_limbs == 1) {
            zeros -= is_zero;
            large |= is_above;
        } else {
            zeros -= in_both(is_zero);
            words below = (words)_mm256_slli_si256((__m256i)is_above, 8);
            large |= is_above | (below & (words)(word == least));
        }
    }
    for (int l = 0; l < LANES; l++) {
        sums[l % n_limbs] += low[l] + ((unsigned __int128)high[l] << 32);
        *n_zero += zeros[l];
    }
    return (large[1] | large[3] | (n_limbs == 1 ? large[0] | large[2] : 0)) != 0;
}

static WITH_AVX2 bool scan_avx2(size_t n_registers, uint32_t n_limbs, const uint64_t *counts,
                                const uint64_t *floor, unsigned __int128 *sums, uint64_t *n_zero)
{
    return n_limbs == 1 ? scan_registers(n_registers, 1, counts, floor, sums, n_zero)
                        : scan_registers(n_registers, 2, counts, floor, sums, n_zero);
}
#endif

/* ---- Which one ------------------------------------------------------------------------------- */

bool pci_row_scan(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                  unsigned __int128 *sums, uint64_t *n_zero)
{
    size_t done = 0;
    bool is_large = false;
#if defined(__x86_64__)
    if (n_limbs <= 2 && __builtin_cpu_supports("avx2")) {
        size_t n_registers = n * n_limbs / LANES;
        is_large = scan_avx2(n_registers, n_limbs, counts, floor, sums, n_zero);
        done = n_registers * LANES / n_limbs;
    }
#endif
    return pci_row_scan_plain(n - done, n_limbs, counts + done * n_limbs, floor, sums, n_zero) ||
           is_large;
}
