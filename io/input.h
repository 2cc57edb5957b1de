/* The text of an input file in one piece: regular files are mapped, streams and packed files (gz,
 * zst, xz, bz2) are read into memory. */
#ifndef PCI_INPUT_H
#define PCI_INPUT_H

#include "src/context.h"

typedef struct pci_input {
    pc_context *context;
    const char *name; /* for messages: the path, or "standard input" */
    const char *text; /* not NUL-terminated */
    size_t n_bytes;
    size_t mapped_bytes; /* 0: text is not a mapped file */
    char *memory;        /* what text was read into; NULL if there is none */
} pci_input;

/* Opens and reads path, "-" for standard input; path must outlive the input. PC_ERR_NO_INPUT,
 * PC_ERR_DATA for a damaged packed file, PC_ERR_MEMORY, PC_ERR_IO, PC_ERR_CANCELLED. A mapped file
 * must not be cut short by others while it is read. */
pc_status pci_input_open(pc_context *context, const char *path, pci_input *input);

/* Text that the caller keeps in memory. */
pci_input pci_input_from_text(pc_context *context, const char *name, const char *text,
                              size_t n_bytes);

void pci_input_close(pci_input *input);

/* PC_ERR_DATA with the message "name:line: " + sentence; line is the one that holds at. */
pc_status pci_input_fail(const pci_input *input, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
