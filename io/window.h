/* A part of an input, read block after block. A plain file is read through a buffer that stays in the
 * cache of its thread; of text in memory the blocks are lent. Each thread has a window of its own. */
#ifndef PCI_WINDOW_H
#define PCI_WINDOW_H

#include "io/input.h"

typedef struct pci_window {
    const pci_input *input;
    const char *begin, *end; /* the current block */
    uint64_t offset;         /* of begin in the input */
    uint64_t next, to;       /* what is still to be read of the part */
    char *buffer;
    uint64_t capacity;
    pc_status status; /* why pci_window_lines or pci_window_bytes gave false; PC_OK: the end */
    int error;        /* errno of PC_ERR_IO */
} pci_window;

/* A window on nothing; closing it frees the buffer. */
pci_window pci_window_on(const pci_input *input);
void pci_window_close(pci_window *window);

/* The part from one byte up to another. */
void pci_window_move(pci_window *window, uint64_t from, uint64_t to);

/* The next block of whole lines; only the end of the part may lack its '\n'. A line that is longer
 * than the buffer makes it larger. False at the end and on failure. */
bool pci_window_lines(pci_window *window);

/* The next block of bytes, which ends anywhere. */
bool pci_window_bytes(pci_window *window);

/* The message for a status of a window; PC_ERR_MEMORY, PC_ERR_IO, or PC_ERR_DATA when the file has
 * become shorter. error is its errno. */
pc_status pci_window_fail(const pci_input *input, pc_status status, int error);

/* How many of the bytes are '\n'. */
uint64_t pci_count_line_ends(const char *begin, const char *end);

/* The same for all bytes of the input before offset, as far as they can be read. */
uint64_t pci_line_ends_before(const pci_input *input, uint64_t offset);

#endif
