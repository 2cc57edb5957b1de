/* The product on mma.sync in half precision, for GPUs of compute capability 8.0 and later whose int8 instructions
 * are slow (B300: a thirtieth of those of B200). gpu/engine/mma_tile.cuh brings the operands, which stay bytes in
 * memory and in shared memory.
 *
 * Why it is exact. A residue of -128..127 is a number of half precision. A product is at most 2^14 in size,
 * and the sum of 256 products at most 2^22. The sums are FP32 and begin at 1.5 * 2^23, so they stay between 2^23
 * and 2^24, where the numbers of FP32 are the integers. After 256 terms a sum, whose bits are those of
 * 1.5 * 2^23 plus the integer, goes to int32, and the next one begins. What is assumed of the tensor cores: that a
 * sum of integers, all partial sums of which are below 2^24 in size, has no rounding. NVIDIA documents no order or
 * width of these sums, so gpu/engine/probe.c tries it on the GPU at hand.
 *
 * Half precision and not BF16: both have the same rate on every GPU since 8.0, and making halves of bytes takes five
 * instructions for four bytes, BF16 eight, since 1024 + u is exact for u = 0..255 in the one and not in the other. */
#include "gpu/engine/mma_tile.cuh"

namespace
{

enum {
    RIGHT_ROWS = PCI_TILE, /* twice the accumulators leave room for half a tile */
    STAGE_BYTES = stage_bytes<RIGHT_ROWS>,
    MOST_TERMS = 256,
    START_BITS = 0x4B400000 /* those of START */
};

constexpr float START = 12582912.0f; /* 1.5 * 2^23 */

/* Four bytes, signed, as two pairs of halves: the bytes 0 and 1, then 2 and 3. */
struct halves {
    uint32_t low, high;
};

__device__ __forceinline__ uint32_t subtract_halves(uint32_t a, uint32_t b)
{
    uint32_t difference;
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
    return difference;
}

__device__ __forceinline__ halves halves_of(uint32_t bytes)
{
    const uint32_t exponent = 0x64646464;       /* 0x6400 | u is 1024 + u */
    const uint32_t offset = 0x64806480;         /* 1024 + 128 */
    const uint32_t biased = bytes ^ 0x80808080; /* each plus 128 */
    return {subtract_halves(__byte_perm(biased, exponent, 0x4140), offset),
            subtract_halves(__byte_perm(biased, exponent, 0x4342), offset)};
}

template <int COLUMNS> struct f16_sums {
    int32_t total[PCI_BLOCK_ROWS][COLUMNS] = {};
    float part[PCI_BLOCK_ROWS][COLUMNS];

    __device__ __forceinline__ f16_sums()
    {
        begin();
    }

    __device__ __forceinline__ void begin()
    {
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i++) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                part[i][j] = START;
            }
        }
    }

    /* Each half of 16 bytes of a fragment is one product of 16 terms. Its order of terms is the same on the left
     * and on the right, and is of no importance. */
    __device__ __forceinline__ void multiply(const fragments<COLUMNS> &from)
    {
        halves right[COLUMNS / 4][4];
#pragma unroll
        for (int j = 0; j < COLUMNS / 4; j++) {
#pragma unroll
            for (int w = 0; w < 4; w++) {
                right[j][w] = halves_of(from.right[j][w]);
            }
        }
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i += 2) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const halves upper = halves_of(from.left[i / 2][2 * half]);
                const halves lower = halves_of(from.left[i / 2][2 * half + 1]);
#pragma unroll
                for (int j = 0; j < COLUMNS; j += 2) {
                    const halves &column = right[j / 4][(j & 2) + half];

                    pci_multiply_add_halves(part[i][j], part[i][j + 1], part[i + 1][j],
                                            part[i + 1][j + 1], upper.low, lower.low, upper.high,
                                            lower.high, column.low, column.high);
                }
            }
        }
    }

    __device__ __forceinline__ void end_stage(uint32_t depth, uint32_t n_terms)
    {
        if (depth % MOST_TERMS != 0 && depth != n_terms) {
            return;
        }
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i++) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                total[i][j] += __float_as_int(part[i][j]) - START_BITS;
            }
        }
        begin();
    }
};

} // namespace

extern "C" cudaError_t pci_product_f16(const pci_product *product, cudaStream_t stream)
{
    int bytes = 0;
    cudaError_t error = most_shared_bytes(&bytes);

    if (error != cudaSuccess) {
        return error;
    }
    return bytes >= 5 * STAGE_BYTES ? launch_tiles<f16_sums, RIGHT_ROWS, 5>(product, stream)
                                    : launch_tiles<f16_sums, RIGHT_ROWS, 3>(product, stream);
}
