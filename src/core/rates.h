/* Rates at which this machine does the parts of a count. Plans predict by them. Compiled in are those of
 * one machine; pc_calibrate measures them here, and a file keeps them. */
#ifndef PCI_RATES_H
#define PCI_RATES_H

#include <stdbool.h>
#include <stdint.h>

/* The rate for distant memory follows the rate for near memory. */
typedef enum pci_part {
    PCI_PART_PRODUCT,  /* int8 operations of products, two to a multiply-add */
    PCI_PART_PLANE,    /* entries of planes packed, reduced and stored around products */
    PCI_PART_BATCH,    /* products, however small */
    PCI_PART_EXTEND,   /* residues made of those that are there */
    PCI_PART_STEP,     /* bytes of planes added by sparse steps */
    PCI_PART_COLLECT,  /* residues times limbs that they make */
    PCI_PART_CERTIFY,  /* words of results, a round */
    PCI_PART_PASS,     /* arcs of a vector in a processor's cache: limits, certificates, sums */
    PCI_PART_PASS_FAR, /* ... and of one that does not */
    PCI_PART_SWEEP,    /* bytes of lines added by sweeps whose blocks stay in a processor's cache */
    PCI_PART_SWEEP_FAR, /* ... and by those whose blocks do not */
    PCI_PART_ROWS,      /* words of rows that sweeps make */
    PCI_N_PARTS
} pci_part;

typedef struct pci_rates {
    double per_second[PCI_N_PARTS]; /* of one thread */
    bool is_measured;               /* here; else compiled in */
} pci_rates;

/* Returns the rates that are compiled in for such a processor. */
pci_rates pci_rates_default(void);

/* Names in files and for people, units, and the rates that are compiled in: of a core with AVX-512, AMD's fourth Zen
 * generation, while a second one works beside it, of one with AMX, a virtual Xeon's, as 1 to 16 of them showed
 * (pci_cost_threads), and of one without, the third Zen generation. */
typedef struct pci_rate_row {
    const char *name, *unit;
    double with_avx512, with_amx, without_avx512;
} pci_rate_row;

extern const pci_rate_row pci_rate_rows[PCI_N_PARTS];

#endif
