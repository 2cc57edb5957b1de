/* The modular product of planes: the loops around the kernels. */
#ifndef PCI_CPU_PRODUCT_H
#define PCI_CPU_PRODUCT_H

#include "graphs/partition.h"
#include "src/cpu/kernel.h"

enum { PCI_MOST_SUMS = 4 };

/* int8 products that residues of so many digits are multiplied by. Product s is of digit `left` of one and
 * digit `right` of the other: high * high, low * low and sum * sum of a wide residue (Karatsuba); high * high,
 * high * low, low * high and low * low of a full one. */
static inline uint32_t pci_digits_n_sums(uint32_t n_digits)
{
    return n_digits == 2 ? 4 : n_digits;
}

static inline uint32_t pci_left_digit(uint32_t n_digits, uint32_t s)
{
    return n_digits == 2 ? s / 2 : s;
}

static inline uint32_t pci_right_digit(uint32_t n_digits, uint32_t s)
{
    return n_digits == 2 ? s % 2 : s;
}

/* The first of these products that is not zero where the left factor is 1: its high digit is 0. */
static inline uint32_t pci_first_sum_of_one(uint32_t n_digits)
{
    return n_digits == 1 ? 0 : n_digits == 2 ? 2 : 1;
}

/* n residues from accumulators acc[][stride] of int8 products or sums of residues of n_digits digits, in the
 * order above. A digit of out is digit_bytes long. */
static inline void pci_output_reduce(const pci_output *output, const pci_row_ops *rows, size_t n,
                                     uint32_t n_digits, const int32_t *acc, size_t stride,
                                     int8_t *out, size_t digit_bytes)
{
    const int32_t *high = n_digits > 1 ? acc : NULL;
    stride = n_digits > 1 ? stride : 0;
    if (output->class == PCI_NARROW)
        rows->reduce(n, acc, output->modulus, out);
    else if (output->class == PCI_WIDE)
        rows->reduce_wide(n, high, acc + stride, acc + 2 * stride, output->modulus, out,
                          digit_bytes);
    else
        rows->reduce_full(n, high, acc + stride, acc + 2 * stride, acc + 3 * stride,
                          output->modulus, out, digit_bytes);
}

/* left * right; to square a plane is to have it on both sides. n_digits is 1, 3 for a wide residue, or
 * 2 for a full one. Each output reduces the same sums. Outputs are other planes than the operands. Instead
 * of outputs there may be words[n][n], for integers that are not negative: of 1 or 3 digits. */
typedef struct pci_product_job {
    const int8_t *left; /* rows in the product's layout of left operands */
    const void *right;  /* a plane; or where operands are packed, as the kernel reads them:
                           [digit][panel][depth / 4][PCI_PANEL][4], unsigned and biased */
    uint32_t n_digits;
    uint32_t n_outputs;
    const pci_output *outputs;
    uint64_t *words;
} pci_product_job;

/* Room to work in, kept from call to call so that its pages are there. All zero at first. */
typedef struct pci_workspace {
    uint8_t *packed; /* columns of a right operand for each thread */
    int32_t *starts; /* of the sums of each row: [digits of all jobs][n_rows] */
    size_t packed_bytes, starts_bytes;
} pci_workspace;

/* The facts that the products of a call have in common. */
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

/* ---- Operands of the reduced product, summed over blocks while they are packed (pack_sums.c) ---- */

/* The sums that are packed: the rows of left planes over the blocks, and the columns of right ones. */
typedef struct pci_operand_sums {
    const pc_partition *partition;
    const pci_row_ops *rows;
    const pci_layout *operand; /* of the planes that are summed */
    pci_layout left;           /* of summed rows */
    bool is_plain[2];          /* left, right: planes of one digit, whatever the job's modulus */
    bool mirrors;              /* the right operand is the transpose of the left one */
    size_t strip_bytes;        /* a thread's room for columns */
    int8_t *strips;            /* [threads][strip_bytes]; NULL if mirrors */
    size_t left_bytes;         /* of all summed rows */
    int8_t *summed;            /* rows, then packed columns: the digits of all jobs */
} pci_operand_sums;

/* Bytes for sums of n_digits digits in all, most_digits in one job. */
size_t pci_operand_sums_bytes(const pci_layout *operand, const pci_layout *result, bool mirrors,
                              uint32_t n_digits, uint32_t most_digits, int n_threads);

/* Fills in layouts and room of sums whose partition, rows, operand, is_plain and mirrors are set.
 * PC_ERR_MEMORY. */
pc_status pci_operand_sums_create(pc_context *context, uint32_t n_digits, uint32_t most_digits,
                                  int n_threads, pci_operand_sums *sums);

void pci_operand_sums_free(pc_context *context, pci_operand_sums *sums);

/* Sums the operands of jobs, planes, by the modulus of each job's only output; the jobs then have
 * the sums as operands, for a product whose left operands are laid out as sums->left, and is_packed. */
void pci_sum_operands(const pci_operand_sums *sums, int n_threads, uint32_t n_jobs,
                      pci_product_job *jobs);

#endif
