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

/* n residues from accumulators acc[n_digits][stride] of int8 products or sums: of one digit, or of the
 * three of a wide residue. A digit of out is digit_bytes long. */
static inline void pci_output_reduce(const pci_output *output, const pci_row_ops *rows, size_t n,
                                     uint32_t n_digits, const int32_t *acc, size_t stride,
                                     int8_t *out, size_t digit_bytes)
{
    const int32_t *low = n_digits > 1 ? acc + stride : acc;
    if (output->wide)
        rows->reduce_wide(n, n_digits > 1 ? acc : NULL, low, low + stride, output->modulus, out,
                          digit_bytes);
    else
        rows->reduce(n, acc, output->modulus, out);
}

/* left * right, both of int8 digits, packed from planes of one shape; to square a plane is to have it
 * on both sides. n_digits is 1, or 3 for a wide residue (Karatsuba: products high * high, low * low
 * and sum * sum). Each output reduces the same accumulators. Outputs are other planes than the
 * operands. */
typedef struct pci_product_job {
    const int8_t *left, *right;
    uint32_t n_digits;
    uint32_t n_outputs;
    const pci_output *outputs;
} pci_product_job;

/* Room to work in, kept from call to call so that its pages are there. All zero at first. */
typedef struct pci_workspace {
    uint32_t n_digits;                /* it has room for so many digits of all jobs together */
    size_t n_groups;                  /* of 32 rows, and panels of 32 columns */
    size_t group_bytes;               /* depth * 32 */
    int8_t *left;                     /* [digit][group][depth / 64][32 rows][64] */
    uint8_t *right;                   /* [digit][panel][depth / 4][32 columns][4] */
    int32_t *row_sums;                /* [digit][group][32], of left */
    struct pci_task_scratch *scratch; /* [n_threads] */
} pci_workspace;

typedef struct pci_product pci_product;

/* Packs the operands of a job: its digits go to numbers digit, digit + 1 ... of the workspace, whose
 * row sums are zero before. All threads of a team call it and share the work, with no barrier at the
 * end. */
typedef void (*pci_pack_fn)(const pci_product *product, const pci_product_job *job, size_t digit,
                            const pci_workspace *work);

/* What the products of a call have in common. */
struct pci_product {
    const pci_kernel *kernel;
    int n_threads;
    bool symmetric; /* the results are: tiles below the diagonal are mirrored, not computed */
    size_t depth;   /* of the packed operands: a multiple of PCI_LINE_BYTES */
    const pci_layout *result;
    const char *stage; /* for the progress callback */
    pci_pack_fn pack;
    const void *user; /* for pack */
};

void pci_workspace_free(pc_context *context, pci_workspace *workspace);

/* Bytes of a workspace for jobs with n_digits digits in all. */
size_t pci_workspace_bytes(const pci_layout *result, size_t depth, uint32_t n_digits,
                           int n_threads);

/* The product of every job; workspace is always used with the same number of threads.
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_multiply(pc_context *context, const pci_product *product, uint32_t n_jobs,
                       const pci_product_job *jobs, pci_workspace *workspace);

/* The product of n x n planes: n x n too. */
pci_product pci_plane_product(const pci_kernel *kernel, int n_threads, bool symmetric,
                              const pci_layout *layout);

#endif
