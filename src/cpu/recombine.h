/* Makes the tables that row operations recombine residues with. */
#ifndef PCI_CPU_RECOMBINE_H
#define PCI_CPU_RECOMBINE_H

#include "src/cpu/row_ops.h"

/* The results that are made of residues modulo the first r moduli. */
typedef enum pci_target {
    PCI_TARGET_MODULI, /* value: how many further moduli */
    PCI_TARGET_LIMBS,  /* value: words a count */
    PCI_TARGET_MODULUS /* value: the modulus */
} pci_target;

pc_status pci_recombination_create(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                   pci_target target, uint64_t value, pci_recombination *how);

void pci_recombination_free(pc_context *context, pci_recombination *how);

#endif
