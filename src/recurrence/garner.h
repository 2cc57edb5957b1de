/* Integers from their residues modulo more and more primes (Garner, 1959). */
#ifndef PCI_GARNER_H
#define PCI_GARNER_H

#include "src/core/context.h"
#include "src/residues/montgomery.h"

/* n_values integers modulo the product of the primes that were added. All zero, with the first three fields set, is
 * one without primes. */
typedef struct pci_garner {
    pc_context *context;
    size_t n_values;
    size_t first_room;    /* words of an integer that are expected, at least 1 */
    size_t n_words, room; /* of an integer: that are used, and that there is memory for */
    uint64_t *value;      /* [n_values][room]: at least 0 and below the product */
    uint64_t *product;    /* [room] of the primes */
} pci_garner;

void pci_garner_free(pci_garner *garner);

/* Adds a prime, which differs from those before, with the residue of each integer, as
 * montgomery.h represents it. PC_ERR_MEMORY: then nothing is changed. */
pc_status pci_garner_add(pci_garner *garner, const pci_montgomery *m, const uint64_t *residues);

/* The bits of the product: an integer whose magnitude has at least two bits fewer is what stands for it
 * when it is taken with the sign that makes it smaller. */
uint64_t pci_garner_bits(const pci_garner *garner);

/* The magnitude of integer i in magnitude[n_words], which may be its own memory; returns whether it is below 0. */
bool pci_garner_signed(const pci_garner *garner, size_t i, uint64_t *magnitude);

#endif
