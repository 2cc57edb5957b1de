/* The modular product of planes: the loops around the kernels. */
#ifndef PCI_CPU_PRODUCT_H
#define PCI_CPU_PRODUCT_H

#include "src/cpu/kernel.h"

/* A plane to write: the product modulo modulus; 0 means as it is, for entries of at most 127. */
typedef struct pci_output {
    uint32_t modulus;
    bool wide;
    int8_t *plane;
} pci_output;

/* plane * plane of int8 digits, n x n. n_digits is 1, or 3 for a wide residue (Karatsuba: products
 * high * high, low * low and sum * sum). Each output reduces the same accumulators. Outputs are
 * other planes than the operand. */
typedef struct pci_square_job {
    const int8_t *plane;
    uint32_t n_digits;
    uint32_t n_outputs;
    const pci_output *outputs;
} pci_square_job;

typedef struct pci_square_settings {
    const pci_kernel *kernel;
    int n_threads;
    bool symmetric; /* the operand is: tiles below the diagonal are mirrored, not computed */
} pci_square_settings;

/* Room to work in, kept from call to call so that its pages are there. All zero at first. */
typedef struct pci_workspace {
    uint32_t n_digits;                /* it has room for so many digits of all jobs together */
    size_t n_groups;                  /* of 32 rows, and panels of 32 columns */
    size_t group_bytes;               /* depth * 32 */
    int8_t *left;                     /* [digit][group][depth / 64][32 rows][64] */
    uint8_t *right;                   /* [digit][panel][depth / 4][32 columns][4] */
    int32_t *row_sums;                /* [digit][group][32] */
    struct pci_task_scratch *scratch; /* [n_threads] */
} pci_workspace;

void pci_workspace_free(pc_context *context, pci_workspace *workspace);

/* Squares every job's plane; workspace is always used with the same layout and settings.
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_square_planes(pc_context *context, const pci_layout *layout,
                            const pci_square_settings *settings, uint32_t n_jobs,
                            const pci_square_job *jobs, pci_workspace *workspace);

/* Bytes of a workspace for jobs with n_digits digits in all. */
size_t pci_workspace_bytes(const pci_layout *layout, uint32_t n_digits, int n_threads);

#endif
