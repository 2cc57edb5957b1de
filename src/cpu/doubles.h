/* The product of matrices of doubles. */
#ifndef PCI_CPU_DOUBLES_H
#define PCI_CPU_DOUBLES_H

#include "src/core/context.h"

/* result = p * p, n x n, row-major. */
pc_status pci_square_doubles(pc_context *context, uint64_t n, const double *p, double *result);

#endif
