/* The product on mma.sync int8, for GPUs of compute capability 8.0 and later: gpu/engine/mma_tile.cuh brings the
 * operands. */
#include "gpu/engine/mma_tile.cuh"

namespace
{

enum { STAGE_BYTES = 3 * LEFT_BYTES /* 256 rows of right */ };

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

template <int STAGES>
__global__ void __launch_bounds__(THREADS, 1)
    mma_kernel(const __grid_constant__ pci_product product)
{
#if __CUDA_ARCH__ >= 800
    extern __shared__ __align__(128) int8_t shared_stages[];
    ring<STAGES, STAGE_BYTES> stages;

    stages.start(product, pci_shared_address(shared_stages));
    for (uint32_t entry = pci_next_entry(product, blockIdx.x); entry < product.n_entries;
         entry = pci_next_entry(product, entry + gridDim.x)) {
        const pci_tile tile = pci_tile_at(product, entry);

        if (tile.narrow) {
            compute_tile<int8_sums, NARROW>(product, tile, stages);
        } else {
            compute_tile<int8_sums, WIDE>(product, tile, stages);
        }
    }
#endif
}

} // namespace

extern "C" cudaError_t pci_product_mma(const pci_product *product, cudaStream_t stream)
{
    int bytes = 0;
    cudaError_t error = most_shared_bytes(&bytes);

    if (error != cudaSuccess) {
        return error;
    }
    if (bytes >= 4 * STAGE_BYTES) {
        return launch_tiles((const void *)mma_kernel<4>, 4 * STAGE_BYTES, product, stream);
    }
    if (bytes >= 3 * STAGE_BYTES) {
        return launch_tiles((const void *)mma_kernel<3>, 3 * STAGE_BYTES, product, stream);
    }
    return launch_tiles((const void *)mma_kernel<2>, 2 * STAGE_BYTES, product, stream);
}
