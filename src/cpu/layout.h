/* The layout of a plane in the memory of the CPU engine. */
#ifndef PCI_CPU_LAYOUT_H
#define PCI_CPU_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum {
    PCI_LINE_BYTES = 64, /* rows begin on cache lines, products go 64 deep at a time */
    PCI_ROW_GROUP = 32 /* rows are padded to it: a multiple of the rows that any kernel computes */
};

/* n rows of residues, row-major; the padding rows and columns are zero and stay zero. */
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

#endif
