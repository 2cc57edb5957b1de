/* The int8 kernels: the innermost product. Each kernel has a file of its own, and one is chosen at
 * run time.
 *
 * A kernel multiplies a few rows of the left operand by a packed panel of the right one, over the
 * whole depth, with the sums in registers:
 *   sums[i][j] = start[i] + sum over k < depth of left[i][k] * right[k][j], modulo 2^32
 *   left: int8, rows where they lie in a plane
 *   right: residue + 128 as unsigned bytes, [depth / 4][PCI_PANEL][4]. The instructions multiply
 *      signed by unsigned bytes; the start takes 128 * sum over k of left[i][k] off again
 *
 *   kernel      instruction                                rows  in registers
 *   amx         tdpbsud, 16 x 16 x 64 a tile                 32  2 x 2 tiles
 *   avx512vnni  vpdpbusd, 64 products                         8  8 rows x 32 columns
 *   avxvnni     vpdpbusd, 32 products                         4  4 x 16
 *   avx2        vpmaddwd on widened bytes, 16 products        4  4 x 8, for a slice of the depth
 *   portable    C                                             4  - */
#ifndef PCI_CPU_KERNEL_H
#define PCI_CPU_KERNEL_H

#include "src/cpu/row_ops.h"

enum {
    PCI_LINE_BYTES = 64, /* rows begin on cache lines, products go 64 deep at a time */
    PCI_ROW_GROUP = 32, /* rows are padded to it: a multiple of the rows that any kernel computes */
    PCI_MOST_KERNEL_ROWS = PCI_ROW_GROUP
};

/* A plane in the memory of the CPU engine: n rows of residues, row-major; the padding rows and columns are zero and stay zero. */
typedef struct pci_layout {
    size_t n;           /* rows, and columns of a plane */
    size_t depth;       /* columns rounded up to PCI_LINE_BYTES */
    size_t stride;      /* bytes from row to row: an odd number of lines, so that rows spread over
                           all cache sets */
    size_t n_rows;      /* n rounded up to PCI_ROW_GROUP */
    size_t digit_bytes; /* n_rows * stride: bytes from one digit of a wide residue to the next */
} pci_layout;

static inline size_t pci_round_up(size_t value, size_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static inline pci_layout pci_layout_of_rows(size_t n, size_t n_columns)
{
    size_t depth = pci_round_up(n_columns, PCI_LINE_BYTES);
    size_t stride = (depth / PCI_LINE_BYTES | 1) * PCI_LINE_BYTES;
    size_t n_rows = pci_round_up(n, PCI_ROW_GROUP);
    return (pci_layout){n, depth, stride, n_rows, n_rows * stride};
}

/* Returns the layout of a plane, n x n. */
static inline pci_layout pci_layout_of(size_t n)
{
    return pci_layout_of_rows(n, n);
}

/* The operands of one block of results. Rows begin on cache lines, and so do panels. */
typedef struct pci_factors {
    size_t depth; /* a multiple of PCI_LINE_BYTES */
    const int8_t *left;
    size_t left_stride; /* bytes from row to row */
    const uint8_t *right;
    const int32_t *start; /* of each row */
    const int8_t *next;   /* what will be read soon: a hint, never read */
} pci_factors;

/* A plane to write: the product modulo modulus; 0 means as it is, for entries of at most 127. */
typedef struct pci_output {
    uint32_t modulus;
    pci_class class; /* of the modulus */
    int8_t *plane;
} pci_output;

typedef struct pci_kernel {
    const char *name;
    bool (*is_available)(void); /* can this machine run it? */
    void (*enter)(
        void); /* a thread calls it before its first block; NULL: nothing is to be done ... */
    void (*leave)(void); /* ... and this after its last */
    size_t n_rows;       /* of a block: a divisor of PCI_ROW_GROUP */

    /* sums: [n_rows][PCI_PANEL], on a cache line. */
    void (*multiply)(const pci_factors *factors, int32_t *sums);

    /* n_rows rows of PCI_PANEL residues of the sums, centred, from byte `at` of each output's plane on;
     * all outputs are narrow, and none modulo 0. NULL: row operations make them of the sums. */
    void (*multiply_modulo)(const pci_factors *factors, uint32_t n_outputs,
                            const pci_output *outputs, size_t at, size_t stride);

    const pci_row_ops *rows;
    double guess_ops_per_second; /* of one thread in large products; predictions use it */
} pci_kernel;

extern const pci_kernel pci_kernel_portable;
extern const pci_kernel pci_kernel_avx2;
extern const pci_kernel pci_kernel_avxvnni;
extern const pci_kernel pci_kernel_avx512vnni;
extern const pci_kernel pci_kernel_amx;

/* The environment variable that forces a kernel by name. */
#define PCI_KERNEL_VARIABLE "PATHCOUNT_CPU"

/* The kernel forced by PCI_KERNEL_VARIABLE, or the fastest that this machine runs.
 * PC_ERR_ENGINE when the forced one does not exist or does not run here. */
pc_status pci_kernel_select(pc_context *context, const pci_kernel **kernel);

#endif
