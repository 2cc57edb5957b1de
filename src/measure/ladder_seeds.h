/* What the documents measured with their own kernels, on their own machines. */
#ifndef PCI_LADDER_SEEDS_H
#define PCI_LADDER_SEEDS_H

#include <stdint.h>

typedef struct pci_ladder_seed {
    const char *device; /* "": it was not measured */
    double gflops;      /* 2 n^3 - n^2 operations a product, reduced ones too */
} pci_ladder_seed;

/* Of the n nearest by ratio that was measured. block_x 0: a kernel without blocks. */
pci_ladder_seed pci_ladder_seed_of(const char *kernel, uint32_t block_x, uint32_t block_y,
                                   uint32_t n);

#endif
