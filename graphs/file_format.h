/* The endings of file names that choose a format: pc_file_format_at, and words for messages. */
#ifndef PCI_FILE_FORMAT_H
#define PCI_FILE_FORMAT_H

#include "src/tool.h"

#include <stdbool.h>

enum { PCI_FILE_FORMAT_BYTES = 256 }; /* enough for a list of endings */

/* ".tsv, .csv or .mtx": the endings that graphs, or matrices, are written to. */
const char *pci_file_format_list(bool of_graphs, char text[PCI_FILE_FORMAT_BYTES]);

#endif
