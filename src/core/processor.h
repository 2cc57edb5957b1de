/* What the processor is called. */
#ifndef PCI_PROCESSOR_H
#define PCI_PROCESSOR_H

#include <stddef.h>
#include <stdint.h>

enum { PCI_PROCESSOR_NAME_BYTES = 256 };

/* "model name" of the first processor; where that is not told, the kind of machine. */
void pci_processor_name(char *name, size_t size);

/* Bytes of the cache of level 2 or 3 that the first processor has or shares; 0 where that is not told. (Of
 * level 3 sysconf adds up what several groups of processors have.) */
uint64_t pci_processor_cache_bytes(int level);

#endif
