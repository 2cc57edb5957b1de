/* Checksums: evidence that memory has not changed. If one word differs, so does the checksum; else the
 * same checksum has a probability of 2^-64. */
#ifndef PCI_CHECKSUM_H
#define PCI_CHECKSUM_H

#include "src/core/context.h"

/* Of n_bytes, which seed is mixed with. */
uint64_t pci_checksum(const void *bytes, size_t n_bytes, uint64_t seed);

/* Another checksum, of large arrays: threads share the bytes. */
uint64_t pci_checksum_by_threads(const pc_context *context, const void *bytes, size_t n_bytes,
                                 uint64_t seed);

#endif
