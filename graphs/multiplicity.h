/* Multiplicities: decimal numbers, in any usual notation, whose value is an integer 0..2^64-1; and weights with
 * decimals, which become such integers when all of a graph are multiplied by the same power of ten. */
#ifndef PCI_MULTIPLICITY_H
#define PCI_MULTIPLICITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pci_multiplicity {
    PCI_MULTIPLICITY, /* value is set */
    PCI_NEGATIVE,
    PCI_FRACTIONAL,
    PCI_TOO_LARGE,
    PCI_TOO_SMALL, /* as a part of the largest weight */
    PCI_NO_NUMBER
} pci_multiplicity;

/* Reads text[0..length-1]: sign, digits, decimal point, exponent, each optional but the digits.
 * Exact: 3, 3.0, 30e-1 and 18446744073709551615.00 are integers, 0.5 is not. */
pci_multiplicity pci_multiplicity_parse(const char *text, size_t length, uint64_t *value);

/* Weights with decimals become integers, times 10^decimals. All weights are read twice. The first time
 * notes their decimals and sizes, and tells only 0 from other values; pci_scale_settle decides; the second
 * time rounds what has more decimals. Several threads may read. All zero to begin with. */
enum { PCI_MOST_DECIMALS = 19 };

typedef struct pci_scale {
    bool is_settled;
    uint32_t decimals;      /* 0..PCI_MOST_DECIMALS */
    uint64_t most_decimals; /* that a weight has */
    uint64_t largest;       /* integral part of a weight */
    uint64_t error_bits;    /* of a double: see pci_scale_error */
} pci_scale;

/* Weights that a rounding would change by more than this part are PCI_TOO_SMALL. */
#define PCI_MOST_WEIGHT_ERROR 1e-6

/* Reads as pci_multiplicity_parse does; but with a scale, NULL: none, weights may have decimals. */
pci_multiplicity pci_weight_parse(pci_scale *scale, const char *text, size_t length,
                                  uint64_t *value);

pci_multiplicity pci_weight_from_integer(pci_scale *scale, uint64_t number, uint64_t *value);

/* The same for a double, by the shortest decimal text that means it. */
pci_multiplicity pci_weight_from_double(pci_scale *scale, double number, uint64_t *value);

/* After the first time: whether a weight has decimals. Then chooses how many are kept: all, if the largest
 * weight allows. If weights are to be added up, 2^16 of them are to fit. */
bool pci_scale_settle(pci_scale *scale, bool are_added);

/* The largest part of itself by which a rounded weight differs from the one that was read. */
double pci_scale_error(const pci_scale *scale);

enum { PCI_WEIGHT_TEXT_BYTES = 24 };

/* value / 10^decimals as text, "0.25", with its NUL. */
void pci_weight_text(uint64_t value, uint32_t decimals, char text[PCI_WEIGHT_TEXT_BYTES]);

#endif
