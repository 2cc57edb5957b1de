/* AVX2: no 8-bit multiply-add that cannot saturate, so bytes are widened to 16 bits and vpmaddwd
 * adds pairs. Each int32 lane then holds half of a column's sum; halves are added at the end. The rows on
 * the left are widened once for all columns, a slice of the depth at a time. */
#include "src/cpu/kernel.h"

#include <immintrin.h>

enum {
    ROWS = 4,
    VECTORS = 2,
    COLUMNS = 4 * VECTORS, /* a column's 4 bytes fill 64 bits */
    SLICE = 512            /* of the depth: 4 KiB of widened rows */
};

/* Four entries of the depth of each row. */
typedef struct wide_rows {
    _Alignas(32) int64_t four[SLICE / 4][ROWS];
} wide_rows;

/* depth entries of each row, a slice at most. */
static inline void widen_left(size_t depth, const int8_t *left, size_t stride, wide_rows *rows)
{
    for (size_t k = 0; k < depth; k += 4) {
        int32_t four[ROWS];
        for (size_t i = 0; i < ROWS; i++)
            __builtin_memcpy(&four[i], left + i * stride + k, sizeof four[i]);
        __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)four));
        _mm256_store_si256((__m256i *)rows->four[k / 4], wide);
    }
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

static inline void part(size_t depth, const wide_rows *rows, const uint8_t *b, int32_t *sums)
{
    __m256i acc[ROWS][VECTORS];
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v++)
            acc[i][v] = _mm256_setzero_si256();
#pragma GCC unroll 1 /* unrolled, it would move accumulators between registers */
    for (size_t q = 0; q < depth / 4; q++, b += 4 * PCI_PANEL) {
        __m256i right[VECTORS];
        for (int v = 0; v < VECTORS; v++)
            right[v] = widen_right(b + 16 * v);
        for (int i = 0; i < ROWS; i++) {
            __m256i left = _mm256_set1_epi64x(rows->four[q][i]);
            for (int v = 0; v < VECTORS; v++)
                acc[i][v] = _mm256_add_epi32(acc[i][v], _mm256_madd_epi16(left, right[v]));
        }
    }
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v += 2)
            add_columns(acc[i][v], acc[i][v + 1], sums + i * PCI_PANEL + 4 * v);
}

static void multiply(const pci_factors *f, int32_t *sums)
{
    wide_rows rows;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < PCI_PANEL; j++)
            sums[i * PCI_PANEL + j] = f->start[i];
    for (size_t k = 0; k < f->depth; k += SLICE) {
        size_t slice = f->depth - k < SLICE ? f->depth - k : SLICE;
        widen_left(slice, f->left + k, f->left_stride, &rows);
        for (size_t j = 0; j < PCI_PANEL; j += COLUMNS)
            part(slice, &rows, f->right + k * PCI_PANEL + 4 * j, sums + j);
    }
}

static bool is_available(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const pci_kernel pci_kernel_avx2 = {
    .name = "avx2",
    .is_available = is_available,
    .n_rows = ROWS,
    .multiply = multiply,
    .rows = &pci_row_ops_avx2,
    .guess_ops_per_second = 127e9,
};
