/* AVX-512 VNNI: vpdpbusd adds 4 products to each of 16 int32 lanes. A block of 8 rows x 32 columns
 * keeps 16 accumulators in flight, more than the instruction's latency needs, and per step of
 * k asks for only 2 vectors and 8 broadcasts. */
#include "src/cpu/kernel.h"

#include <immintrin.h>

enum { ROWS = 8, VECTORS = PCI_PANEL / 16 };

static inline __m512i broadcast4(const int8_t *a)
{
    int32_t four;
    __builtin_memcpy(&four, a, sizeof four);
    return _mm512_set1_epi32(four);
}

/* acc += right * left, four products a lane. In assembly because gcc 12, given the intrinsic,
 * copies every accumulator to another register and back in each step. */
static inline __m512i multiply_add(__m512i acc, __m512i right, __m512i left)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(right), "v"(left));
    return acc;
}

static inline void rows(size_t depth, const int8_t *a, const uint8_t *b, int32_t *c,
                        size_t c_stride)
{
    __m512i acc[ROWS][VECTORS];
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v++)
            acc[i][v] = _mm512_loadu_si512(c + i * c_stride + 16 * v);
    for (size_t k = 0; k < depth; k += PCI_LINE_BYTES, a += PCI_ROW_GROUP * PCI_LINE_BYTES)
        for (size_t q = 0; q < PCI_LINE_BYTES; q += 4, b += 4 * PCI_PANEL) {
            __m512i right0 = _mm512_loadu_si512(b), right1 = _mm512_loadu_si512(b + 64);
            for (int i = 0; i < ROWS; i++) {
                __m512i left = broadcast4(a + i * PCI_LINE_BYTES + q);
                acc[i][0] = multiply_add(acc[i][0], right0, left);
                acc[i][1] = multiply_add(acc[i][1], right1, left);
            }
        }
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v++)
            _mm512_storeu_si512(c + i * c_stride + 16 * v, acc[i][v]);
}

static void block(size_t depth, const int8_t *a, const uint8_t *b, int32_t *c, size_t c_stride)
{
    for (size_t i = 0; i < PCI_ROW_GROUP; i += ROWS)
        rows(depth, a + i * PCI_LINE_BYTES, b, c + i * c_stride, c_stride);
}

static bool is_available(void)
{
    return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

const pci_kernel pci_kernel_avx512vnni = {
    .name = "avx512vnni",
    .is_available = is_available,
    .enter = pci_kernel_no_state,
    .leave = pci_kernel_no_state,
    .block = block,
    .rows = &pci_row_ops_avx512,
    .guess_ops_per_second = 500e9,
};
