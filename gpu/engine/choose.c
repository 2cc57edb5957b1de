/* Kernel and shape of a launch from the figures of a GPU. */
#include "gpu/engine/choose.h"

#include <string.h>

enum {
    CLUSTER_MIN_TILES = 64, /* n > 8064: below that a shared right operand gains nothing */
    DP4A_BLOCKS_PER_SM = 2, /* by its registers; one block of another tile kernel fills an SM */
    MOST_PIECES = 4,        /* of a tile that is split */
    MIN_ROUNDS = 32,        /* see pci_gpu_batch */
    H100_SMS = 132
};

static const char *const names[PCI_N_GPU_KERNELS] = {
    [PCI_GPU_PLAIN] = "plain", [PCI_GPU_DP4A] = "dp4a",   [PCI_GPU_F16] = "f16",
    [PCI_GPU_MMA] = "mma",     [PCI_GPU_WGMMA] = "wgmma",
};

/* Of an H100; those of f16 and wgmma are what an H200, which has as many multiprocessors, sustains. */
static const double rates[PCI_N_GPU_KERNELS] = {
    [PCI_GPU_PLAIN] = 0.004e15, [PCI_GPU_DP4A] = 0.06e15, [PCI_GPU_F16] = 0.28e15,
    [PCI_GPU_MMA] = 0.7e15,     [PCI_GPU_WGMMA] = 1.4e15,
};

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

const char *pci_gpu_kernel_name(pci_gpu_kernel kernel)
{
    return names[kernel];
}

bool pci_gpu_kernel_find(const char *name, pci_gpu_kernel *kernel)
{
    for (int k = 0; k < PCI_N_GPU_KERNELS; k++)
        if (strcmp(names[k], name) == 0) {
            *kernel = (pci_gpu_kernel)k;
            return true;
        }
    return false;
}

bool pci_gpu_kernel_runs(pci_gpu_kernel kernel, int major, int minor)
{
    switch (kernel) {
    case PCI_GPU_PLAIN:
        return true;
    case PCI_GPU_DP4A:
        return major > 6 || (major == 6 && minor >= 1);
    case PCI_GPU_F16:
    case PCI_GPU_MMA:
        return major >= 8;
    case PCI_GPU_WGMMA:
        return major == 9 && minor == 0;
    default:
        return false;
    }
}

bool pci_gpu_kernel_has_halves(pci_gpu_kernel kernel)
{
    return kernel == PCI_GPU_F16;
}

bool pci_gpu_kernel_has_digits(pci_gpu_kernel kernel)
{
    return kernel == PCI_GPU_PLAIN || kernel == PCI_GPU_WGMMA;
}

/* NVIDIA's data sheets: B300 (10.3) has 0.15 dense int8 POPS, and 2.25 PFLOPS of halves. */
static bool has_slow_int8(int major, int minor)
{
    return major == 10 && minor == 3;
}

bool pci_gpu_kernel_is_known(int major, int minor)
{
    return major < 10 || (major == 10 && (minor == 0 || minor == 3)) || major == 12;
}

pci_gpu_kernel pci_gpu_kernel_best(int major, int minor)
{
    pci_gpu_kernel best = PCI_GPU_WGMMA; /* in ascending order of speed */
    if (has_slow_int8(major, minor))
        return PCI_GPU_F16;
    while (!pci_gpu_kernel_runs(best, major, minor))
        best--;
    return best;
}

double pci_gpu_kernel_rate(pci_gpu_kernel kernel, int n_sms)
{
    return rates[kernel] * n_sms / H100_SMS;
}

pci_tile_shape pci_gpu_shape(pci_gpu_kernel kernel, int n_sms, uint32_t n_tiles, uint32_t n_jobs,
                             bool symmetric)
{
    bool paired = kernel == PCI_GPU_WGMMA && symmetric && n_tiles >= CLUSTER_MIN_TILES;
    pci_tile_shape shape = {
        .n_tiles = n_tiles,
        .n_row_tiles = n_tiles,
        .n_jobs = n_jobs,
        .symmetric = symmetric,
        .narrow = kernel == PCI_GPU_F16,
        .may_split = kernel == PCI_GPU_WGMMA,
        .cluster_size = paired ? 2 : 1,
        .n_blocks = 1,
    };
    uint32_t n_entries = (uint32_t)pci_tiles_capacity(&shape); /* of one block: no entry is idle */
    uint32_t n_pieces = shape.may_split ? MOST_PIECES * n_entries : n_entries;
    uint32_t n_places = (uint32_t)n_sms / shape.cluster_size;
    if (kernel == PCI_GPU_DP4A)
        n_places *= DP4A_BLOCKS_PER_SM;
    shape.n_blocks = min_u32(n_places ? n_places : 1, n_pieces);
    return shape;
}

uint32_t pci_gpu_batch(int n_sms, uint32_t n_tiles, bool symmetric)
{
    uint64_t n_super = (n_tiles + 1) / 2;
    uint64_t n_full = symmetric ? n_super * n_super : 2 * n_super * n_super; /* a plane's tiles */
    uint64_t wanted = (uint64_t)MIN_ROUNDS * (uint64_t)n_sms;
    return min_u32(PCI_MAX_JOBS, (uint32_t)((wanted + n_full - 1) / n_full));
}
