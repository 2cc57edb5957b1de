/* Multiplicities: decimal numbers, in any usual notation, whose value is an integer 0..2^64-1. */
#ifndef PCI_MULTIPLICITY_H
#define PCI_MULTIPLICITY_H

#include <stddef.h>
#include <stdint.h>

typedef enum pci_multiplicity {
    PCI_MULTIPLICITY, /* value is set */
    PCI_NEGATIVE,
    PCI_FRACTIONAL,
    PCI_TOO_LARGE,
    PCI_NO_NUMBER
} pci_multiplicity;

/* Reads text[0..length-1]: sign, digits, decimal point, exponent, each optional but the digits.
 * Exact: 3, 3.0, 30e-1 and 18446744073709551615.00 are integers, 0.5 is not. */
pci_multiplicity pci_multiplicity_parse(const char *text, size_t length, uint64_t *value);

#endif
