/* Tables for the conversion from residues, in the form of gpu/engine/entrywise.h. They are made on
 * the host.
 *
 * W_i = M_i (M_i^-1 mod m_i) for the first r moduli m_i, with product M and M_i = M / m_i. These
 * weights apply to the residues themselves; those of src/residues/crt.h need each residue scaled
 * first. The quotient q is a sum of fixed-point fractions as on the CPU (src/residues/crt.h has the
 * proof): 18 bits of each fraction are enough for narrow moduli, 14 for the extension to more of
 * them. All tables of one kind are one block of memory, so that one copy brings them to a
 * device. */
#ifndef PCI_GPU_TABLES_H
#define PCI_GPU_TABLES_H

#include "src/core/context.h"
#include "src/residues/residues.h"

#include <stddef.h>

/* block + 0 holds fraction[r], block + weight_at the weights of the W_i, block + modulus_at those
 * of M, in the types and orders of gpu/engine/entrywise.h. Offsets are multiples of 64; gaps are
 * zero. */
typedef struct pci_gpu_tables {
    uint32_t r;
    size_t bytes, weight_at, modulus_at;
    uint8_t *block; /* on the host; pci_gpu_tables_free */
} pci_gpu_tables;

/* For pci_gpu_collect: 32-bit digits of the W_i, uint32 [r][n_digits], and of M, [n_digits]. */
pc_status pci_gpu_tables_digits(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                uint32_t n_digits, pci_gpu_tables *tables);

/* For pci_gpu_collect_modular: uint64 [r] and [1], modulo number (below 2^63). */
pc_status pci_gpu_tables_modular(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                 uint64_t number, pci_gpu_tables *tables);

/* For pci_gpu_extend to moduli r .. r + n_new - 1: int32 [n_new][r] and [n_new], modulo the new
 * modulus, centred (-m/2 < w <= m/2, and -128 for 256's 128) when that is narrow. */
pc_status pci_gpu_tables_extension(pc_context *context, const pci_moduli *moduli, uint32_t r,
                                   uint32_t n_new, pci_gpu_tables *tables);

void pci_gpu_tables_free(pc_context *context, pci_gpu_tables *tables); /* accepts an empty one */

/* The tables in a copy of the block that begins at base. */
static inline const uint32_t *pci_gpu_tables_fraction(const void *base)
{
    return (const uint32_t *)base;
}

static inline const void *pci_gpu_tables_weight(const pci_gpu_tables *tables, const void *base)
{
    return (const uint8_t *)base + tables->weight_at;
}

static inline const void *pci_gpu_tables_modulus(const pci_gpu_tables *tables, const void *base)
{
    return (const uint8_t *)base + tables->modulus_at;
}

#endif
