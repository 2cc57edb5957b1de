/* Edges of an R-MAT graph before its vertices are numbered at random: for the generator and for
 * tests of their distribution. */
#ifndef PCI_GENERATE_RMAT_H
#define PCI_GENERATE_RMAT_H

#include "graphs/generate.h"

typedef struct pci_rmat {
    uint64_t seed;
    uint32_t scale;
    uint64_t limit[3]; /* a choice below limit[0] of 2^32 is the first quadrant, and so on */
} pci_rmat;

/* The edge of this number. Loops and repeated edges are among them. */
pci_edge pci_rmat_edge(const pci_rmat *rmat, uint64_t number);

/* PC_ERR_ARGUMENT when the options make no sense. */
pc_status pci_rmat_prepare(pc_context *context, const pc_rmat *options, uint64_t seed,
                           pci_rmat *rmat);

#endif
