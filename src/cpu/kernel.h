/* The int8 kernels: the innermost product. Each kernel has a file of its own, and one is chosen at
 * run time.
 *
 * A kernel adds to a block of PCI_ROW_GROUP rows x PCI_PANEL columns (32 x 32)
 *   c[i][j] += sum over k < depth of a[i][k] * b[k][j]
 * from packed operands that are read in order, 2 KiB for every 64 of depth:
 *   a: int8, [depth / 64][32 rows][64]
 *   b: residue + 128 as unsigned bytes, [depth / 4][32 columns][4]. The instructions multiply signed
 *      by unsigned bytes; the caller subtracts 128 * sum_k a[i][k] in the start value of c
 *   c: int32, c_stride entries a row, wraps modulo 2^32
 * depth is a multiple of PCI_LINE_BYTES.
 *
 *   kernel      instruction                                block in registers
 *   amx         tdpbsud, 16 x 16 x 64 a tile               2 x 2 tiles
 *   avx512vnni  vpdpbusd, 64 products                      8 rows x 32 columns
 *   avxvnni     vpdpbusd, 32 products                      4 x 16
 *   avx2        vpmaddwd on widened bytes, 16 products     2 x 16
 *   portable    C */
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
    double guess_ops_per_second; /* of one thread; predictions use it */
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
