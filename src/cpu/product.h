/* The modular product of planes: the loops around the kernels. */
#ifndef PCI_CPU_PRODUCT_H
#define PCI_CPU_PRODUCT_H

#include "src/cpu/kernel.h"

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

/* left * right; to square a plane is to have it on both sides. n_digits is 1, or 3 for a wide residue
 * (Karatsuba: products high * high, low * low and sum * sum). Each output reduces the same sums. Outputs
 * are other planes than the operands. */
typedef struct pci_product_job {
    const int8_t *left; /* rows in the product's layout of left operands */
    const void *right;  /* a plane; or where operands are packed, as the kernel reads them:
                           [digit][panel][depth / 4][PCI_PANEL][4], unsigned and biased */
    uint32_t n_digits;
    uint32_t n_outputs;
    const pci_output *outputs;
} pci_product_job;

/* Room to work in, kept from call to call so that its pages are there. All zero at first. */
typedef struct pci_workspace {
    uint8_t *packed; /* columns of a right operand for each thread */
    int32_t *starts; /* of the sums of each row: [digits of all jobs][n_rows] */
    size_t packed_bytes, starts_bytes;
} pci_workspace;

/* What the products of a call have in common. */
typedef struct pci_product {
    const pci_kernel *kernel;
    int n_threads;
    bool symmetric;           /* the results are: what is below the diagonal is mirrored */
    bool is_packed;           /* the right operands are */
    pci_layout left;          /* of left operands; its depth is the product's */
    const pci_layout *result; /* of results, and of right operands that are planes */
    const char *stage;        /* for the progress callback */
} pci_product;

void pci_workspace_free(pc_context *context, pci_workspace *workspace);

/* Bytes of a workspace for jobs with n_digits digits in all, most_digits in one of them. */
size_t pci_workspace_bytes(const pci_product *product, uint32_t n_digits, uint32_t most_digits);

/* The product of every job; workspace is always used with the same number of threads.
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_multiply(pc_context *context, const pci_product *product, uint32_t n_jobs,
                       const pci_product_job *jobs, pci_workspace *workspace);

/* The product of n x n planes: n x n too. */
pci_product pci_plane_product(const pci_kernel *kernel, int n_threads, bool symmetric,
                              const pci_layout *layout);

#endif
