/* The table of all kernels of the ladder, and their launch. */
#include "gpu/ladder/ladder.h"

enum { MAX_GRID_HEIGHT = 65535 };

/* clang-format off */
#define TWO(of, i)   &pci_ladder_##of[i], &pci_ladder_##of[i + 1]
#define THREE(of, i) TWO(of, i), &pci_ladder_##of[i + 2]

const pci_ladder_kernel *const pci_ladder[] = {
    THREE(li, 0), THREE(li, 3), TWO(li, 6),
    TWO(hochberg, 0),
    THREE(hong, 0),
    THREE(kindratenko, 0), THREE(kindratenko, 3),
    THREE(reduced, 0), TWO(reduced, 3),
};
/* clang-format on */

const size_t pci_ladder_n_kernels = sizeof pci_ladder / sizeof *pci_ladder;

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static cudaError_t launch(const pci_ladder_kernel *kernel, const pci_ladder_product *product,
                          pci_ladder_block block, uint64_t n_across, uint64_t n_down,
                          cudaStream_t stream)
{
    void *arguments[] = {(void *)product};
    if (n_across == 0 || n_down == 0)
        return cudaSuccess;
    return cudaLaunchKernel(kernel->function, (dim3){(unsigned)n_across, (unsigned)n_down, 1},
                            (dim3){block.x, block.y, 1}, arguments, 0, stream);
}

/* A grid is at most 65535 blocks high. A taller C takes several launches, each for a strip of rows
 * of A and of C. */
static cudaError_t launch_strips(const pci_ladder_kernel *kernel, const pci_ladder_product *product,
                                 pci_ladder_block block, cudaStream_t stream)
{
    const uint64_t tile_rows = kernel->rows * block.y, strip_rows = MAX_GRID_HEIGHT * tile_rows;
    const uint64_t n_across = divide_up(product->c.columns, kernel->columns * block.x);
    cudaError_t error = cudaSuccess;
    for (uint64_t first = 0; first < product->c.rows && error == cudaSuccess; first += strip_rows) {
        const uint64_t rest = product->c.rows - first;
        pci_ladder_product strip = *product;
        strip.a.element += first * strip.a.stride;
        strip.c.element += first * strip.c.stride;
        strip.a.rows = strip.c.rows = (uint32_t)(rest < strip_rows ? rest : strip_rows);
        error = launch(kernel, &strip, block, n_across, divide_up(strip.c.rows, tile_rows), stream);
    }
    return error;
}

cudaError_t pci_ladder_launch(const pci_ladder_kernel *kernel, const pci_ladder_product *product,
                              pci_ladder_block block, cudaStream_t stream)
{
    const uint64_t rows = product->c.rows, columns = product->c.columns;
    if (kernel->grid == PCI_LADDER_TILES)
        return launch_strips(kernel, product, block, stream);
    const uint64_t n_blocks = kernel->grid == PCI_LADDER_ENTRIES
                                  ? divide_up(rows * columns, block.x)
                                  : divide_up(rows, kernel->rows * block.y) *
                                        divide_up(columns, kernel->columns * block.x);
    return launch(kernel, product, block, n_blocks, 1, stream);
}
