/* The product on mma.sync int8, for GPUs of compute capability 8.0 and later: gpu/engine/mma_tile.cuh brings the
 * operands. */
#include "gpu/engine/mma_tile.cuh"

namespace
{

enum { RIGHT_ROWS = 2 * PCI_TILE, STAGE_BYTES = stage_bytes<RIGHT_ROWS> };

template <int COLUMNS> struct int8_sums {
    int32_t total[PCI_BLOCK_ROWS][COLUMNS] = {};

    __device__ __forceinline__ void multiply(const fragments<COLUMNS> &from)
    {
#pragma unroll
        for (int i = 0; i < PCI_BLOCK_ROWS; i += 2) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j += 2) {
                const uint32_t(&right)[4] = from.right[j / 4];

                pci_multiply_add(total[i][j], total[i][j + 1], total[i + 1][j], total[i + 1][j + 1],
                                 from.left[i / 2], right[j & 2], right[(j & 2) + 1]);
            }
        }
    }

    __device__ __forceinline__ void end_stage(uint32_t, uint32_t)
    {
    }
};

} // namespace

extern "C" cudaError_t pci_product_mma(const pci_product *product, cudaStream_t stream)
{
    int bytes = 0;
    cudaError_t error = most_shared_bytes(&bytes);

    if (error != cudaSuccess) {
        return error;
    }
    if (bytes >= 4 * STAGE_BYTES) {
        return launch_tiles<int8_sums, RIGHT_ROWS, 4>(product, stream);
    }
    if (bytes >= 3 * STAGE_BYTES) {
        return launch_tiles<int8_sums, RIGHT_ROWS, 3>(product, stream);
    }
    return launch_tiles<int8_sums, RIGHT_ROWS, 2>(product, stream);
}
