/* Streams and packed files (gz, zst, xz, bz2), block by block, and the libraries of packing. */
#ifndef PCI_UNPACK_H
#define PCI_UNPACK_H

#include "src/core/context.h"

/* Libraries that are opened when a file is packed. Loading libarchive, which brings libxml2 and ICU
 * along, would take as long as all the rest of a small count. */
#define PCI_LIBARCHIVE "libarchive.so.13"
#define PCI_LIBDEFLATE "libdeflate.so.0"
#define PCI_LIBZSTD    "libzstd.so.1"

/* Finds n functions of a library, which stays open. PC_ERR_ENGINE, PC_ERR_MEMORY. */
pc_status pci_library_find(pc_context *context, const char *file, size_t n,
                           const char *const *names, void **functions);

/* Returns true for a packed file, by the bytes that it begins with; PCI_MAGIC_BYTES of them are
 * enough. */
enum { PCI_MAGIC_BYTES = 6 };
bool pci_is_packed(const char *begin, size_t n_bytes);

/* Returns true when a file that begins with these bytes, fewer than PCI_MAGIC_BYTES, may yet be
 * packed. */
bool pci_may_be_packed(const char *begin, size_t n_bytes);

typedef struct pci_unpacker pci_unpacker;

/* Unpacks the rest of an open file, from which n_begin (at most PCI_MAGIC_BYTES) bytes were read
 * already; a file that is not packed passes as it is. name is for messages and must outlive
 * it. */
pc_status pci_unpacker_open(pc_context *context, const char *name, int file, const char *begin,
                            size_t n_begin, pci_unpacker **unpacker);
void pci_unpacker_close(pci_unpacker *unpacker);

/* The next block, which is valid until the next call; n_bytes 0 at the end. PC_ERR_DATA for a
 * damaged file, PC_ERR_MEMORY, PC_ERR_IO. */
pc_status pci_unpacker_next(pci_unpacker *unpacker, const char **block, size_t *n_bytes);

/* Called at the end; PC_ERR_DATA when the check sum of a gz file is wrong. The check sum is that
 * of the last member, which nearly always is the only one. Otherwise the member is looked for in
 * text, the last n_bytes that were unpacked, as far as they reach back. */
pc_status pci_unpacker_check(const pci_unpacker *unpacker, const char *text, size_t n_bytes);

/* Packed bytes read so far. */
uint64_t pci_unpacker_n_read(const pci_unpacker *unpacker);

/* Takes a member of a zip archive; the bytes are to be freed by pci_free, whatever the status,
 * and are NULL when there are none. */
typedef pc_status (*pci_member_fn)(void *user, const char *member, char *bytes, uint64_t n_bytes);

/* Unpacks the members of a zip archive whose names end so, and passes each to take. Returns the
 * first status of take that is not PC_OK, PC_ERR_DATA for a damaged archive, PC_ERR_MEMORY,
 * PC_ERR_CANCELLED, PC_ERR_ENGINE. */
pc_status pci_zip_read(pc_context *context, const char *name, const char *bytes, size_t n_bytes,
                       const char *ending, pci_member_fn take, void *user);

#endif
