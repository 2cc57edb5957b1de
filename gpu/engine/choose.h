/* What a launch of products is: the layout of planes, the kernel, the shape, the list of tiles. All is decided on the host
 * from numbers alone, so that it can be tested where there is no GPU. */
#ifndef PCI_GPU_CHOOSE_H
#define PCI_GPU_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Planes in device memory ----------------------------------------------------------------- */

enum { PCI_TILE = 128 }; /* rows and columns are padded to this */

/* n x n residues, row-major int8; the padding rows and columns are zero and stay zero. */
typedef struct pci_gpu_layout {
    uint32_t n;
    uint32_t n_padded;    /* n rounded up to PCI_TILE: rows, and bytes from row to row */
    uint64_t plane_bytes; /* n_padded^2 */
} pci_gpu_layout;

static inline pci_gpu_layout pci_gpu_layout_of(uint64_t n)
{
    uint64_t n_padded = (n + PCI_TILE - 1) / PCI_TILE * PCI_TILE;
    return (pci_gpu_layout){(uint32_t)n, (uint32_t)n_padded, n_padded * n_padded};
}

/* ---- Lists of tiles -------------------------------------------------------------------------- */

/* The work list of a launch: tiles of the result in the order in which blocks take them.
 *
 * A tile is 128 rows x 256 columns, or 128 x 128 ("narrow") at the edge of the result. In the last rounds of a kernel
 * that can do so, full tiles are two narrow ones, and narrow ones two halves, where this makes the longest block
 * shorter. Block b of a
 * launch of n_blocks takes entries b, b + n_blocks, ...; PCI_TILE_IDLE is an entry without work.
 * The tiles of a symmetric result cover its upper triangle; those marked mirror are stored a second
 * time, transposed. The order goes through squares of 16 x 16 tiles of 128 (raster), so that blocks
 * that run at the same time share operands in the L2 cache. */
#define PCI_TILE_IDLE UINT32_MAX

#ifdef __CUDACC__
#define PCI_HOST_DEVICE __host__ __device__
#else
#define PCI_HOST_DEVICE
#endif

enum { PCI_MAX_JOBS = 64 }; /* of one launch */

/* An entry. row and column count PCI_TILE = 128 entries of the matrix. With clusters of two blocks
 * an entry is for both: rank 0 takes row, rank 1 takes row + 1. row is even; row + 1 may lie
 * outside the plane, and then that block stores nothing. */
typedef struct pci_tile {
    uint32_t row, column; /* 0 .. 1023 */
    uint32_t job;         /* 0 .. PCI_MAX_JOBS - 1 */
    bool narrow;          /* 128 columns only */
    bool mirror;
    uint32_t half; /* 0: the whole tile; 1, 2: only the first, second 64 columns of a narrow one */
} pci_tile;

static inline uint32_t pci_tile_pack(pci_tile tile)
{
    return tile.row | tile.column << 10 | tile.job << 20 | (uint32_t)tile.narrow << 26 |
           (uint32_t)tile.mirror << 27 | tile.half << 28;
}

PCI_HOST_DEVICE static inline pci_tile pci_tile_unpack(uint32_t entry)
{
    return (pci_tile){entry & 1023,           entry >> 10 & 1023,     entry >> 20 & 63,
                      (entry >> 26 & 1) != 0, (entry >> 27 & 1) != 0, entry >> 28 & 3};
}

/* The shape of the launch that a list is for. */
typedef struct pci_tile_shape {
    uint32_t n_tiles;        /* of 128 rows or columns of the result, which may have fewer than the
                              * operands: a reduced product is blocks x vertices x blocks */
    uint32_t first_row_tile; /* of a strip of the result; 0: the whole */
    uint32_t n_row_tiles;    /* its height; n_tiles: the whole */
    uint32_t n_jobs;
    bool symmetric;    /* upper triangle with mirror; the whole matrix only */
    bool narrow;       /* all tiles have 128 columns */
    bool may_split;    /* the kernel has halves of narrow tiles; not with narrow */
    uint32_t share;    /* of n_shares: the list has consecutive tiles, as many as the others have */
    uint32_t n_shares; /* 0 or 1: the list has all tiles */
    uint32_t cluster_size; /* 1 or 2: blocks that take an entry together */
    uint32_t n_blocks;     /* of the launch, counted in clusters: 1 or more */
} pci_tile_shape;

/* The number of entries of a list of this shape. */
size_t pci_tiles_capacity(const pci_tile_shape *shape);

/* Writes the list, whose length is a multiple of shape->n_blocks, and returns that length. Full
 * tiles go in raster order to the block with the least work, and after them narrow ones, which are
 * half the work. So all blocks end at about the same time. Where tiles are split, each block has as many full tiles as
 * the others. */
size_t pci_tiles_list(const pci_tile_shape *shape, uint32_t *entries);

/* ---- Kernels and shapes ---------------------------------------------------------------------- */

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

/* Whether it multiplies in half precision, so that its sums must be tried (gpu/engine/device.h). */
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
