/* The ladder's rungs on the processor: products of float32 as the documents this project comes from
 * begin with them, plain loops. They are what the kernels of gpu/ladder/ are tested against, and
 * where a reader starts; counting does not use them.
 *
 * Row-major; A rows x inner, B inner x columns; strides in floats, at least the columns of each. C is
 * overwritten. */
#ifndef PCI_CPU_LADDER_H
#define PCI_CPU_LADDER_H

#include <stddef.h>

typedef struct pci_float_product {
    size_t rows, inner, columns;
    const float *a, *b;
    float *c;
    size_t a_stride, b_stride, c_stride;
} pci_float_product;

typedef struct pci_cpu_rung {
    const char *name;   /* "ijk", "ikj", "ikj-openmp", "reduced-cpu" */
    const char *source; /* "Li, Ranka, Sahni, Figure 1.5" */
    int reduced;        /* C is ceil(rows / 2) x ceil(columns / 2) */
    void (*multiply)(const pci_float_product *product,
                     int n_threads); /* n_threads: if it uses any */
} pci_cpu_rung;

extern const pci_cpu_rung pci_cpu_ladder[];
extern const size_t pci_cpu_ladder_n;

#endif
