/* Lines of columns: a text is cut at line ends into chunks that threads parse at once. The first
 * flaw in the text is reported, whatever the number of threads. */
#ifndef PCI_LINES_H
#define PCI_LINES_H

#include "graphs/builder.h"
#include "io/line.h"

/* Whole lines of the text. */
typedef struct pci_chunk {
    const char *begin, *end;
    uint64_t n_lines;
    uint64_t n_entries; /* counted by the parser, where the format promises a number */
    pci_flaw flaw;      /* the first one found, where parsing ended */
    pc_status status;   /* PC_ERR_MEMORY: parsing ended for want of memory */
} pci_chunk;

typedef struct pci_chunks {
    const pci_input *input;
    pci_chunk *chunk;
    size_t n_chunks;
    int n_threads;
    size_t n_done;
    double first_fraction, last_fraction; /* of the progress that this parsing is */
    bool stop;                            /* set when no chunk need be parsed further */
    bool cancelled;
} pci_chunks;

typedef enum pci_chunking {
    PCI_MANY_CHUNKS,      /* several for each thread, so that none waits long for the others */
    PCI_CHUNK_EACH_THREAD /* for parsers that have to join what each chunk finds */
} pci_chunking;

/* Cuts the text from begin on into chunks of about equal size; a short text is one chunk. */
pc_status pci_chunks_create(const pci_input *input, const char *begin, pci_chunking chunking,
                            pci_chunks *chunks);
void pci_chunks_free(pci_chunks *chunks);

uint64_t pci_chunks_n_lines(const pci_chunks *chunks);

/* An edge for each line of each chunk: part i is for chunk i. */
pc_status pci_chunks_make_edges(const pci_chunks *chunks, bool with_weights, pci_edges *edges);

/* Parses one chunk; called by several threads at once. */
typedef void (*pci_parse_fn)(void *user, pci_chunks *chunks, size_t i);

/* Parses all chunks. PC_ERR_CANCELLED or PC_ERR_MEMORY; flaws are left in the chunks. */
pc_status pci_chunks_parse(pci_chunks *chunks, pci_parse_fn parse, void *user);

/* To be asked now and then while parsing: false when parsing is to end. */
bool pci_chunks_go_on(pci_chunks *chunks);

/* The flaw that comes first in the text; what is NULL when there is none. */
pci_flaw pci_chunks_first_flaw(const pci_chunks *chunks);

#endif
