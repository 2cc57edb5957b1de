/* Streams and packed files (gz, zst, xz, bz2) into memory. */
#ifndef PCI_UNPACK_H
#define PCI_UNPACK_H

#include "io/input.h"

/* Whether a file that begins with these bytes is packed; PCI_MAGIC_BYTES of them are enough. */
enum { PCI_MAGIC_BYTES = 6 };
bool pci_is_packed(const char *begin, size_t n_bytes);

/* Reads all that follows in an open file, unpacks it when it is packed, and makes it the text of
 * the input. On failure the input is to be closed. */
pc_status pci_unpack(int file, pci_input *input);

#endif
