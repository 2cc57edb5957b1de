/* AVX2: no 8-bit multiply-add that cannot saturate, so bytes are widened to 16 bits and vpmaddwd
 * adds pairs. Each int32 lane then holds half of a column's sum; halves are added at the end. */
#include "src/cpu/kernel.h"

#include <immintrin.h>

enum { ROWS = 2, VECTORS = 4, COLUMNS = 4 * VECTORS /* a column's 4 bytes fill 64 bits */ };

static inline __m256i widen_left(const int8_t *a)
{
    int32_t four;
    __builtin_memcpy(&four, a, sizeof four);
    return _mm256_cvtepi8_epi16(_mm_set1_epi32(four));
}

static inline __m256i widen_right(const uint8_t *b)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)b));
}

/* Adds the two halves of 8 columns held in two vectors to c. */
static inline void add_columns(__m256i first, __m256i second, int32_t *c)
{
    __m256i mixed = _mm256_hadd_epi32(first, second); /* columns 0 1 4 5 | 2 3 6 7 */
    __m256i ordered = _mm256_permute4x64_epi64(mixed, _MM_SHUFFLE(3, 1, 2, 0));
    __m256i old = _mm256_loadu_si256((const __m256i *)c);
    _mm256_storeu_si256((__m256i *)c, _mm256_add_epi32(old, ordered));
}

static inline void part(size_t depth, const int8_t *a, const uint8_t *b, int32_t *c,
                        size_t c_stride)
{
    __m256i acc[ROWS][VECTORS];
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v++)
            acc[i][v] = _mm256_setzero_si256();
    for (size_t k = 0; k < depth; k += PCI_LINE_BYTES, a += PCI_ROW_GROUP * PCI_LINE_BYTES)
#pragma GCC unroll 1 /* unrolled, it would move accumulators between registers */
        for (size_t q = 0; q < PCI_LINE_BYTES; q += 4, b += 4 * PCI_PANEL) {
            __m256i left[ROWS];
            for (int i = 0; i < ROWS; i++)
                left[i] = widen_left(a + i * PCI_LINE_BYTES + q);
            for (int v = 0; v < VECTORS; v++) {
                __m256i right = widen_right(b + 16 * v);
                for (int i = 0; i < ROWS; i++)
                    acc[i][v] = _mm256_add_epi32(acc[i][v], _mm256_madd_epi16(left[i], right));
            }
        }
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v += 2)
            add_columns(acc[i][v], acc[i][v + 1], c + i * c_stride + 4 * v);
}

static void block(size_t depth, const int8_t *a, const uint8_t *b, int32_t *c, size_t c_stride)
{
    for (size_t i = 0; i < PCI_ROW_GROUP; i += ROWS)
        for (size_t j = 0; j < PCI_PANEL; j += COLUMNS)
            part(depth, a + i * PCI_LINE_BYTES, b + 4 * j, c + i * c_stride + j, c_stride);
}

static bool is_available(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const pci_kernel pci_kernel_avx2 = {
    .name = "avx2",
    .is_available = is_available,
    .enter = pci_kernel_no_state,
    .leave = pci_kernel_no_state,
    .block = block,
    .rows = &pci_row_ops_avx2,
    .guess_ops_per_second = 60e9,
};
