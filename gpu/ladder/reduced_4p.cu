/* The reduced product with four products for each step.
 *
 * "Reduced Matrix Multiplication using CUDA", section 4.3.1, Figures 4.1 and 4.2. An entry of C is the
 * sum of a 2 x 2 square of A B. A thread reads two rows of A and two columns of B and adds the four dot
 * products: 4 p multiplications for inner size p. 1024 threads a block, one entry each.
 *
 * It is where the next two steps begin; over computing A B and adding squares afterwards it saves to
 * write A B, which is four times as large as C, and to read it again. */
#include "gpu/ladder/reduced.cuh"

namespace
{

enum { THREADS = 1024 };

__global__ void __launch_bounds__(THREADS)
    reduced_4p_kernel(const __grid_constant__ pci_ladder_product product)
{
    const pci_ladder_matrix &a = product.a, &b = product.b, &c = product.c;
    const size_t entry = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t row = entry / c.columns;
    const uint32_t i = 2 * (uint32_t)row, j = 2 * (uint32_t)(entry % c.columns);
    float sum = 0;

    if (row >= c.rows)
        return;
    for (uint32_t k = 0; k < a.columns; k++) {
        const float a0 = pci_ladder_element(a, i, k), a1 = pci_ladder_element(a, i + 1, k);
        const float b0 = pci_ladder_element(b, k, j), b1 = pci_ladder_element(b, k, j + 1);

        sum += a0 * b0 + a0 * b1 + a1 * b0 + a1 * b1;
    }
    pci_ladder_row(c, (uint32_t)row)[j / 2] = sum;
}

const void *function(pci_ladder_block)
{
    return (const void *)reduced_4p_kernel;
}

cudaError_t launch(const pci_ladder_product *product, pci_ladder_block block, cudaStream_t stream)
{
    return pci_reduced_start_naive(function(block), product, block, stream);
}

} // namespace

const pci_ladder_kernel pci_ladder_reduced_4p = {
    "reduced-4p",
    "Reduced Matrix Multiplication, section 4.3.1",
    "1 x 1 of C",
    true,
    {{THREADS, 1}}, /* Figure 4.1 */
    launch,
    function,
    0,
};
