/* Libraries that are opened when a file is packed. Loading libarchive, which brings libxml2 and ICU
 * along, would take as long as all the rest of a small count. */
#ifndef PCI_LIBRARY_H
#define PCI_LIBRARY_H

#include "src/core/context.h"

#define PCI_LIBARCHIVE "libarchive.so.13"
#define PCI_LIBDEFLATE "libdeflate.so.0"
#define PCI_LIBZSTD    "libzstd.so.1"

/* Of a function in a list FUNCTIONS(F): its name, and a field of its type for its address. */
#define PCI_LIBRARY_NAME(function)  #function,
#define PCI_LIBRARY_FIELD(function) __typeof__(&function) function;

/* Finds n functions of a library, which stays open. PC_ERR_ENGINE, PC_ERR_MEMORY. */
pc_status pci_library_find(pc_context *context, const char *file, size_t n,
                           const char *const *names, void **functions);

#endif
