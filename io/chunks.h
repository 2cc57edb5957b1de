/* Lines of columns: a text is cut at line ends into chunks that threads parse at once. The text is
 * read twice, to count the lines and to parse them, each time block by block. The first flaw in the
 * text is reported, whatever the number of threads. */
#ifndef PCI_CHUNKS_H
#define PCI_CHUNKS_H

#include "graphs/builder.h"
#include "io/line.h"

enum { PCI_QUOTED_BYTES = 48 }; /* of a flaw's column: more than a message quotes */

/* Whole lines of the text. */
typedef struct pci_chunk {
    uint64_t begin, end; /* bytes of the input */
    uint64_t n_lines;
    uint64_t n_entries; /* counted by the parser, where the format promises a number */
    const char *block;  /* the lines that are parsed; only while parsing */
    uint64_t block_at;  /* where in the input they begin */
    pci_flaw flaw;      /* the first one found, where parsing ended */
    uint64_t flaw_at;   /* the byte of the input where it is; flaw.at is of no use afterwards */
    char quoted[PCI_QUOTED_BYTES]; /* what flaw.column is */
    pc_status status; /* PC_ERR_MEMORY, PC_ERR_IO, PC_ERR_DATA (the file changed): parsing ended */
    int error;        /* errno of PC_ERR_IO */
} pci_chunk;

typedef struct pci_chunks {
    const pci_input *input;
    pci_chunk *chunk;
    size_t n_chunks;
    int n_threads;
    size_t n_done;
    double first_fraction, last_fraction; /* of the progress that this parsing is */
    bool stop;                            /* set, by any thread, when parsing may end early */
    pc_status status;                     /* PC_ERR_CANCELLED: parsing ended early */
} pci_chunks;

typedef enum pci_chunking {
    PCI_CHUNK_EACH_THREAD = 1, /* for parsers that have to join what each chunk finds */
    PCI_MANY_CHUNKS = 8        /* for each thread: all end at about the same time */
} pci_chunking;

/* Cuts the text from the byte at begin on into chunks of about equal size, and counts their lines;
 * a short text is one chunk. Each of several readers has chunks of its range of the lines. */
pc_status pci_chunks_create(const pci_input *input, uint64_t begin, pci_chunking chunking,
                            pci_chunks *chunks);
void pci_chunks_free(pci_chunks *chunks);

uint64_t pci_chunks_n_lines(const pci_chunks *chunks);

/* Room for an edge for each line of each chunk: part i is for chunk i, and empty. */
pc_status pci_chunks_make_edges(const pci_chunks *chunks, bool with_weights, pci_edges *edges);

/* Parses the next whole lines of a chunk, from begin to end. Several threads call it at once. False
 * ends the chunk: it has a flaw, or its status says why. */
typedef bool (*pci_parse_fn)(void *user, pci_chunks *chunks, size_t i, const char *begin,
                             const char *end);

/* Parses all chunks. PC_ERR_CANCELLED, PC_ERR_MEMORY, PC_ERR_IO, or PC_ERR_DATA when the file has
 * changed since it was opened; flaws are left in the chunks. */
pc_status pci_chunks_parse(pci_chunks *chunks, pci_parse_fn parse, void *user);

/* Returns true when one more edge has room in the part of a chunk. There is no room when the chunk has more lines than
 * were counted. Then the file has changed meanwhile, and the status of the chunk says so. */
static inline bool pci_chunk_has_room(pci_chunk *chunk, const pci_edge_part *part)
{
    if (part->n_edges < chunk->n_lines)
        return true;
    chunk->status = PC_ERR_DATA;
    return false;
}

/* The byte of the input at which a place in the block that is being parsed is. */
static inline uint64_t pci_chunk_offset(const pci_chunk *chunk, const char *at)
{
    return chunk->block_at + (uint64_t)(at - chunk->block);
}

/* The chunk whose flaw comes first in the text; NULL when there is none. */
const pci_chunk *pci_chunks_first_flaw(const pci_chunks *chunks);

/* PC_ERR_DATA with a message about that flaw, PC_OK when there is none. */
pc_status pci_chunks_report(const pci_chunks *chunks);

#endif
