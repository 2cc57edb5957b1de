/* AVX-VNNI: vpdpbusd on 256-bit vectors. With 16 registers a part is 4 rows x 16 columns:
 * 8 accumulators, 2 vectors, 1 broadcast. */
#include "src/cpu/kernel.h"

#include <cpuid.h>
#include <immintrin.h>

enum { ROWS = 4, VECTORS = 2, COLUMNS = 8 * VECTORS };

static inline __m256i broadcast4(const int8_t *a)
{
    int32_t four;
    __builtin_memcpy(&four, a, sizeof four);
    return _mm256_set1_epi32(four);
}

/* acc += right * left, four products a lane. In assembly because gcc 12, given the intrinsic,
 * copies every accumulator to another register and back in each step. */
static inline __m256i multiply_add(__m256i acc, __m256i right, __m256i left)
{
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(acc) : "x"(right), "x"(left));
    return acc;
}

/* COLUMNS of the panel, from the one on at which right begins. */
static inline void part(const pci_factors *f, const uint8_t *right, int32_t *sums)
{
    __m256i acc[ROWS][VECTORS];
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v++)
            acc[i][v] = _mm256_set1_epi32(f->start[i]);
    for (size_t k = 0; k < f->depth; k += 4, right += 4 * PCI_PANEL) {
        __m256i right0 = _mm256_load_si256((const __m256i *)right);
        __m256i right1 = _mm256_load_si256((const __m256i *)(right + 32));
        for (size_t i = 0; i < ROWS; i++) {
            __m256i left = broadcast4(f->left + i * f->left_stride + k);
            acc[i][0] = multiply_add(acc[i][0], right0, left);
            acc[i][1] = multiply_add(acc[i][1], right1, left);
        }
    }
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < VECTORS; v++)
            _mm256_store_si256((__m256i *)(sums + i * PCI_PANEL + 8 * v), acc[i][v]);
}

static void multiply(const pci_factors *f, int32_t *sums)
{
    for (size_t j = 0; j < PCI_PANEL; j += COLUMNS)
        part(f, f->right + 4 * j, sums + j);
}

static bool is_available(void) /* gcc 12 cannot be asked for it by name */
{
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) &&
           (eax & 1u << 4);
}

const pci_kernel pci_kernel_avxvnni = {
    .name = "avxvnni",
    .is_available = is_available,
    .n_rows = ROWS,
    .multiply = multiply,
    .rows = &pci_row_ops_avx2,
    .guess_ops_per_second = 290e9,
};
