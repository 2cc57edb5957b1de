/* AVX-512 VNNI: vpdpbusd adds 4 products to each of 16 int32 lanes. A block of 8 rows x 32 columns
 * keeps 16 accumulators in flight, more than the instruction's latency needs, and per step of
 * k asks for only 2 vectors and 8 broadcasts. The accumulators never leave registers: residues are
 * made of them there. */
#include "src/cpu/kernel.h"

#include <immintrin.h>
#include <string.h>

enum {
    ROWS = 8,
    VECTORS = PCI_PANEL / 16,
    STEPS = 4 /* of 4 entries of the depth, unrolled */
};

typedef struct accumulators {
    __m512i of[ROWS][VECTORS];
} accumulators;

/* acc += right * left, four products a lane. In assembly because gcc 12, given the intrinsic,
 * copies every accumulator to another register and back in each step. */
#define MULTIPLY_ADD(acc, right, left)                                                             \
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(right), "v"(left))

/* Four entries of row i < 4, beginning at number 4 * step, in all lanes. In assembly lest the compiler
 * keep a pointer for each row and run out of registers; where it does not unroll the steps, for a debugger or a
 * sanitizer, they are no constants. */
static inline __attribute__((always_inline)) __m512i broadcast4(const int8_t *rows, size_t stride,
                                                                size_t stride3, int i, int step)
{
    __m512i left;
    if (!__builtin_constant_p(step)) {
        int four;
        memcpy(&four, rows + (size_t)i * stride + 4 * step, sizeof four);
        return _mm512_set1_epi32(four);
    }
    if (i == 0)
        __asm__("vpbroadcastd %c2(%1), %0" : "=v"(left) : "r"(rows), "i"(4 * step));
    else if (i == 2)
        __asm__("vpbroadcastd %c2(%1,%3,2), %0"
                : "=v"(left)
                : "r"(rows), "i"(4 * step), "r"(stride));
    else
        __asm__("vpbroadcastd %c2(%1,%3), %0"
                : "=v"(left)
                : "r"(rows), "i"(4 * step), "r"(i == 1 ? stride : stride3));
    return left;
}

/* The loops over accumulators are unrolled by force: else gcc 12 keeps a copy of them in memory. */
static inline __attribute__((always_inline)) void add_products(const pci_factors *f,
                                                               accumulators *acc)
{
    size_t depth = f->depth, stride = f->left_stride;
    const int8_t *rows = f->left, *rows4 = rows + 4 * stride;
    const uint8_t *right = f->right;
    const char *next = (const char *)f->next;
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; i++)
        acc->of[i][0] = acc->of[i][1] = _mm512_set1_epi32(f->start[i]);
    for (size_t k = 0; k < depth; k += 4 * STEPS, rows += 4 * STEPS, rows4 += 4 * STEPS) {
#pragma GCC unroll 4
        for (int s = 0; s < STEPS; s++, right += 4 * PCI_PANEL) {
            __m512i right0 = _mm512_load_si512(right), right1 = _mm512_load_si512(right + 64);
#pragma GCC unroll 8
            for (int i = 0; i < ROWS; i++) {
                __m512i left = broadcast4(i < 4 ? rows : rows4, stride, 3 * stride, i % 4, s);
                MULTIPLY_ADD(acc->of[i][0], right0, left);
                MULTIPLY_ADD(acc->of[i][1], right1, left);
            }
        }
        _mm_prefetch(next, _MM_HINT_T1);
        next += PCI_LINE_BYTES;
    }
}

static void multiply(const pci_factors *f, int32_t *sums)
{
    accumulators acc;
    add_products(f, &acc);
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; i++) {
        _mm512_store_si512(sums + i * PCI_PANEL, acc.of[i][0]);
        _mm512_store_si512(sums + i * PCI_PANEL + 16, acc.of[i][1]);
    }
}

typedef struct modulus {
    __m512i weights, m; /* 2^16 mod m, centred, beside 1; m */
    __m512 inverse;
} modulus;

static inline modulus modulus_of(uint32_t m)
{
    int rest = (int)(65536 % m), weight = 2 * rest > (int)m ? rest - (int)m : rest;
    return (modulus){_mm512_set1_epi32(weight * 65536 | 1), _mm512_set1_epi32((int)m),
                     _mm512_set1_ps(1.0f / (float)m)};
}

/* Once its bit 15 is turned, a sum is high 2^16 + low + 2^15 with a signed low half. So
 * v = high weight + low + 2^15, congruent to it, is one dot product, and |v| <= 2^22 + 2^16 is exact as
 * a float. In v / m + 1.5 2^23 the low bits are the nearest quotient q. A residue v - q m fits a byte,
 * so 16 bits of each term are enough. */
static inline __m128i residues(__m512i sums, const modulus *modulus)
{
    const __m512i bit15 = _mm512_set1_epi32(1 << 15);
    __m512i v = _mm512_dpwssd_epi32(bit15, _mm512_xor_si512(sums, bit15), modulus->weights);
    __m512 q = _mm512_fmadd_ps(_mm512_cvtepi32_ps(v), modulus->inverse, _mm512_set1_ps(0x1.8p23f));
    v = _mm512_sub_epi16(v, _mm512_mullo_epi16(_mm512_castps_si512(q), modulus->m));
    return _mm512_cvtepi32_epi8(v);
}

static void multiply_modulo(const pci_factors *f, uint32_t n_outputs, const pci_output *outputs,
                            size_t at, size_t stride)
{
    accumulators acc;
    add_products(f, &acc);
    for (uint32_t o = 0; o < n_outputs; o++) {
        modulus modulus = modulus_of(outputs[o].modulus);
        int8_t *out = outputs[o].plane + at;
#pragma GCC unroll 8
        for (int i = 0; i < ROWS; i++, out += stride) {
            _mm_store_si128((__m128i *)out, residues(acc.of[i][0], &modulus));
            _mm_store_si128((__m128i *)(out + 16), residues(acc.of[i][1], &modulus));
        }
    }
}

static bool is_available(void)
{
    return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

const pci_kernel pci_kernel_avx512vnni = {
    .name = "avx512vnni",
    .is_available = is_available,
    .n_rows = ROWS,
    .multiply = multiply,
    .multiply_modulo = multiply_modulo,
    .rows = &pci_row_ops_avx512,
    .guess_ops_per_second = 465e9,
};
