/* The int8 kernels: the innermost product, one a file, chosen at run time.
 *
 * A kernel adds to a block of PCI_ROW_GROUP rows x PCI_PANEL columns (32 x 32)
 *   c[i][j] += sum over k < depth of a[i][k] * b[k][j]
 * from operands packed so that both are read straight on, 2 KiB for every 64 of depth:
 *   a: int8, [depth / 64][32 rows][64]
 *   b: residue + 128 as unsigned bytes, [depth / 4][32 columns][4]; the instructions multiply
 *      signed by unsigned, and the caller takes 128 * sum_k a[i][k] off
 *   c: int32, c_stride entries a row, wraps modulo 2^32
 * depth is a multiple of PCI_LINE_BYTES. */
#ifndef PCI_CPU_KERNEL_H
#define PCI_CPU_KERNEL_H

#include "src/cpu/layout.h"
#include "src/cpu/row_ops.h"

typedef void (*pci_block_fn)(size_t depth, const int8_t *a, const uint8_t *b, int32_t *c,
                             size_t c_stride);

typedef struct pci_kernel {
    const char *name;
    bool (*is_available)(void); /* can this machine run it? */
    void (*enter)(void);        /* a thread calls it before its first block ... */
    void (*leave)(void);        /* ... and this after its last */
    pci_block_fn block;
    const pci_row_ops *rows;
    double guess_ops_per_second; /* one thread, as in the README's table: for predictions */
} pci_kernel;

extern const pci_kernel pci_kernel_portable;
extern const pci_kernel pci_kernel_avx2;
extern const pci_kernel pci_kernel_avxvnni;
extern const pci_kernel pci_kernel_avx512vnni;
extern const pci_kernel pci_kernel_amx;

/* For kernels that need nothing before and after. */
void pci_kernel_no_state(void);

/* The environment variable that forces a kernel by name. */
#define PCI_KERNEL_VARIABLE "PATHCOUNT_CPU"

/* The kernel forced by PCI_KERNEL_VARIABLE, or the fastest that this machine runs.
 * PC_ERR_ENGINE when the forced one does not exist or does not run here. */
pc_status pci_kernel_select(pc_context *context, const pci_kernel **kernel);

#endif
