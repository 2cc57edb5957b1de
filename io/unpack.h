/* Streams and packed files (gz, zst, xz, bz2), block by block, and the libraries of packing. */
#ifndef PCI_UNPACK_H
#define PCI_UNPACK_H

#include "src/core/context.h"

/* Libraries that are opened when a file is packed. Loading libarchive, which brings libxml2 and ICU
 * along, would take as long as all the rest of a small count. */
#define PCI_LIBARCHIVE "libarchive.so.13"
#define PCI_LIBDEFLATE "libdeflate.so.0"
#define PCI_LIBZSTD    "libzstd.so.1"

/* For each function of a list FUNCTIONS(F): its name, and a field of its type for its address. */
#define PCI_LIBRARY_NAME(function)  #function,
#define PCI_LIBRARY_FIELD(function) __typeof__(&function) function;

/* Finds n functions of a library, which stays open. PC_ERR_ENGINE, PC_ERR_MEMORY. */
pc_status pci_library_find(pc_context *context, const char *file, size_t n,
                           const char *const *names, void **functions);

/* Whether a file that begins with these bytes is packed; PCI_MAGIC_BYTES of them are enough. */
enum { PCI_MAGIC_BYTES = 6 };
bool pci_is_packed(const char *begin, size_t n_bytes);

/* Whether a file that begins with these bytes, fewer than PCI_MAGIC_BYTES, may yet be packed. */
bool pci_may_be_packed(const char *begin, size_t n_bytes);

typedef struct pci_unpacker pci_unpacker;

/* Unpacks what follows in an open file, after n_begin (at most PCI_MAGIC_BYTES) bytes that were
 * read from it already; what is not packed passes as it is. name is for messages and must outlive
 * it. */
pc_status pci_unpacker_open(pc_context *context, const char *name, int file, const char *begin,
                            size_t n_begin, pci_unpacker **unpacker);
void pci_unpacker_close(pci_unpacker *unpacker);

/* The next block, which is valid until the next call; n_bytes 0 at the end. PC_ERR_DATA for a
 * damaged file, PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pci_unpacker_next(pci_unpacker *unpacker, const char **block, size_t *n_bytes);

/* At the end of a gz file: PC_ERR_DATA when its check sum is wrong. The check sum is that of the
 * last member, which nearly always is the only one. Otherwise the member is looked for in text, the
 * last n_bytes that were unpacked, as far as they reach back. */
pc_status pci_unpacker_check(const pci_unpacker *unpacker, const char *text, size_t n_bytes);

/* Packed bytes read so far. */
uint64_t pci_unpacker_n_read(const pci_unpacker *unpacker);

#endif
