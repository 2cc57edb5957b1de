/* The product by its definition, one thread an entry. The other kernels are compared with it. */
#include "gpu/engine/store.cuh"

namespace
{

enum { SIDE = 16 }; /* of a block of threads */

/* Of digits: the product of the numbers themselves. */
__device__ int32_t multiply_digits(const pci_product &product, size_t row, size_t column)
{
    const size_t pitch = product.layout.n_padded;
    const int8_t *left_high = pci_plane(product, product.job[0].left) + row * pitch;
    const int8_t *right_high = pci_plane(product, product.job[0].right) + column * pitch;
    const int8_t *left_low = pci_plane(product, product.job[2].left) + row * pitch;
    const int8_t *right_low = pci_plane(product, product.job[2].right) + column * pitch;
    int32_t acc = 0;

    for (uint32_t k = 0; k < product.layout.n; k++) {
        acc += (128 * left_high[k] + left_low[k]) * (128 * right_high[k] + right_low[k]);
    }
    return acc;
}

__global__ void __launch_bounds__(SIDE *SIDE)
    plain_kernel(const __grid_constant__ pci_product product)
{
    const size_t pitch = product.layout.n_padded;
    const pci_product_job job = product.job[blockIdx.z];
    const size_t column = blockIdx.x * SIDE + threadIdx.x;
    const size_t row =
        (size_t)product.shape.first_row_tile * PCI_TILE + blockIdx.y * SIDE + threadIdx.y;
    const uint32_t n_shares = product.shape.n_shares;
    const int8_t *left = pci_plane(product, job.left) + row * pitch;
    const int8_t *right = pci_plane(product, job.right) + column * pitch;
    int32_t acc = 0;

    if (n_shares > 1 && row % n_shares != product.shape.share) {
        return; /* every n_shares-th row, as good as tiles */
    }
    if (product.high.left != nullptr) {
        acc = multiply_digits(product, row, column);
    } else {
        for (uint32_t k = 0; k < product.layout.n; k++) {
            acc += left[k] * right[k];
        }
    }
    if (product.raw != nullptr) {
        pci_raw(product, blockIdx.z)[row * pitch + column] = acc;
        return;
    }
    for (uint32_t o = 0; o < job.n_outputs; o++) {
        const pci_product_output &output = product.output[job.first_output + o];

        output.plane[row * pitch + column] = (int8_t)pci_reduce(acc, output.reduction);
    }
}

} // namespace

extern "C" cudaError_t pci_product_plain(const pci_product *product, cudaStream_t stream)
{
    const pci_tile_shape *shape = &product->shape;
    dim3 grid(shape->n_tiles * PCI_TILE / SIDE, shape->n_row_tiles * PCI_TILE / SIDE,
              shape->n_jobs);
    void *arguments[] = {const_cast<pci_product *>(product)};

    return cudaLaunchKernel(plain_kernel, grid, dim3(SIDE, SIDE), arguments, 0, stream);
}
