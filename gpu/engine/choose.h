/* The choice of the product kernel and of the shape of a launch. It is made on the host from
 * numbers alone, so that it can be tested where there is no GPU. */
#ifndef PCI_GPU_CHOOSE_H
#define PCI_GPU_CHOOSE_H

#include "gpu/engine/tiles.h"

typedef enum pci_gpu_kernel {
    PCI_GPU_PLAIN, /* one thread an entry: any GPU */
    PCI_GPU_DP4A,  /* compute capability 6.1 and later */
    PCI_GPU_F16,   /* mma.sync of halves: 8.0 and later */
    PCI_GPU_MMA,   /* mma.sync int8: 8.0 and later */
    PCI_GPU_WGMMA, /* wgmma int8 and TMA: 9.0 only (sm_90a code runs nowhere else) */
    PCI_N_GPU_KERNELS
} pci_gpu_kernel;

/* The environment variable that forces a kernel by name. */
#define PCI_GPU_KERNEL_VARIABLE "PATHCOUNT_CUDA_KERNEL"

/* "plain", "dp4a", "f16", "mma", "wgmma". */
const char *pci_gpu_kernel_name(pci_gpu_kernel kernel);

/* The kernel of that name into *kernel; false when there is none. */
bool pci_gpu_kernel_find(const char *name, pci_gpu_kernel *kernel);

/* Whether a GPU of compute capability major.minor has the instructions of the kernel. */
bool pci_gpu_kernel_runs(pci_gpu_kernel kernel, int major, int minor);

/* Whether it multiplies in half precision, so that its sums must be tried (gpu/engine/probe.h). */
bool pci_gpu_kernel_has_halves(pci_gpu_kernel kernel);

/* Whether it multiplies digits in one launch (gpu/engine/product.h). */
bool pci_gpu_kernel_has_digits(pci_gpu_kernel kernel);

/* The fastest kernel for a GPU of compute capability major.minor, as far as figures are published. */
pci_gpu_kernel pci_gpu_kernel_best(int major, int minor);

/* Whether they are: where not, `f16` may be faster than the best kernel, or slower. */
bool pci_gpu_kernel_is_known(int major, int minor);

/* An estimate for plans: int8 operations a second, two to a multiply-add, of a GPU with n_sms
 * multiprocessors. It is scaled from measurements on an H100 (tests/bench/RESULTS_GPU.md). */
double pci_gpu_kernel_rate(pci_gpu_kernel kernel, int n_sms);

/* The shape of a launch of n_jobs products of planes of n_tiles x n_tiles tiles. */
pci_tile_shape pci_gpu_shape(pci_gpu_kernel kernel, int n_sms, uint32_t n_tiles, uint32_t n_jobs,
                             bool symmetric);

/* Planes to square in one launch, 1 to PCI_MAX_JOBS. When the tiles are no multiple of the blocks,
 * some blocks are idle in the last round, half of them on average. So a launch has 32 rounds or
 * more where PCI_MAX_JOBS planes give that many. Idle blocks then cost less than 3%, on average
 * 1.6%. */
uint32_t pci_gpu_batch(int n_sms, uint32_t n_tiles, bool symmetric);

#endif
