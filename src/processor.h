/* What the processor is called. */
#ifndef PCI_PROCESSOR_H
#define PCI_PROCESSOR_H

#include <stddef.h>

enum { PCI_PROCESSOR_NAME_BYTES = 256 };

/* "model name" of the first processor; where that is not told, the kind of machine. */
void pci_processor_name(char *name, size_t size);

#endif
