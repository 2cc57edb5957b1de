/* An array of numbers in the .npy format of NumPy. */
#ifndef PCI_NPY_H
#define PCI_NPY_H

#include "graphs/multiplicity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PCI_NPY_DIMENSIONS = 3 };

typedef struct pci_npy {
    char kind;            /* of an entry: b, i, u, f, S or U */
    size_t n_entry_bytes; /* of S and U any number; else 1, 2, 4 or 8 */
    bool is_big_endian, is_fortran;
    size_t n_dimensions;
    uint64_t size[PCI_NPY_DIMENSIONS];
    uint64_t n_entries;
    const unsigned char *entry; /* all of them are within the bytes given */
} pci_npy;

/* Reads the header; the array borrows the bytes. Returns what is wrong, or NULL. */
const char *pci_npy_open(const void *bytes, size_t n_bytes, pci_npy *array);

/* Entry number i of an array of numbers as a weight of the scale (NULL: a multiplicity), or what it is
 * instead. */
pci_multiplicity pci_npy_entry(const pci_npy *array, uint64_t i, pci_scale *scale, uint64_t *value);

/* The bytes of a text of an array of kind S or U, without NULs at its end, cut to size. */
size_t pci_npy_text(const pci_npy *array, uint64_t i, char *text, size_t size);

#endif
