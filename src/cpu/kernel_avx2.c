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

/* Entries of rows that begin a line apart; depth is a multiple of a line, a slice at most. */
static inline void widen_left(size_t depth, const int8_t *a, wide_rows *rows)
{
    for (size_t k = 0; k < depth; k += PCI_LINE_BYTES, a += PCI_ROW_GROUP * PCI_LINE_BYTES)
        for (size_t q = 0; q < PCI_LINE_BYTES; q += 4) {
            int32_t four[ROWS];
            for (int i = 0; i < ROWS; i++)
                __builtin_memcpy(&four[i], a + i * PCI_LINE_BYTES + q, sizeof four[i]);
            __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)four));
            _mm256_store_si256((__m256i *)rows->four[(k + q) / 4], wide);
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

static inline void part(size_t depth, const wide_rows *a, const uint8_t *b, int32_t *c,
                        size_t c_stride)
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
            __m256i left = _mm256_set1_epi64x(a->four[q][i]);
            for (int v = 0; v < VECTORS; v++)
                acc[i][v] = _mm256_add_epi32(acc[i][v], _mm256_madd_epi16(left, right[v]));
        }
    }
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v += 2)
            add_columns(acc[i][v], acc[i][v + 1], c + i * c_stride + 4 * v);
}

static void block(size_t depth, const int8_t *a, const uint8_t *b, int32_t *c, size_t c_stride)
{
    wide_rows rows;
    for (size_t k = 0; k < depth; k += SLICE, a += SLICE * PCI_ROW_GROUP, b += SLICE * PCI_PANEL) {
        size_t slice = depth - k < SLICE ? depth - k : SLICE;
        for (size_t i = 0; i < PCI_ROW_GROUP; i += ROWS) {
            widen_left(slice, a + i * PCI_LINE_BYTES, &rows);
            for (size_t j = 0; j < PCI_PANEL; j += COLUMNS)
                part(slice, &rows, b + 4 * j, c + i * c_stride + j, c_stride);
        }
    }
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
