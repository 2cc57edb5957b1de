/* Lines of columns: a text is cut at line ends into chunks that threads parse at once. The first
 * flaw in the text is reported, whatever the number of threads. */
#ifndef PCI_LINES_H
#define PCI_LINES_H

#include "graphs/builder.h"
#include "io/input.h"

enum { PCI_MAX_COLUMNS = 3 };

/* What is wrong with a line. what NULL: nothing. */
typedef struct pci_flaw {
    const char *at;      /* in the line */
    const char *subject; /* what column should be: "weight", "index", or "" */
    const char *column;  /* the offending text, quoted in the message; NULL: none */
    size_t length;
    const char *what; /* the rest of the sentence */
} pci_flaw;

pc_status pci_flaw_report(const pci_input *input, const pci_flaw *flaw);

/* The columns of a line; none when it is blank or a comment. */
typedef struct pci_line {
    const char *begin;
    size_t n_columns;
    const char *column[PCI_MAX_COLUMNS];
    size_t length[PCI_MAX_COLUMNS];
} pci_line;

typedef enum pci_line_style {
    PCI_EDGE_LIST_LINES,    /* blanks or a comma separate; # and % start a comment line */
    PCI_MATRIX_MARKET_LINES /* blanks separate; % starts a comment line */
} pci_line_style;

/* Splits the line from begin up to its end, which is a '\n' or the end of the text. */
pci_flaw pci_line_split(const char *begin, const char *end, pci_line_style style, pci_line *line);

/* The flaw of a column. */
pci_flaw pci_line_flaw(const pci_line *line, size_t column, const char *subject, const char *what);

/* Reads a column as a multiplicity; without take it may be any number, of which only zero or not
 * zero is known: value is 0 or 1. */
pci_flaw pci_line_weight(const pci_line *line, size_t column, bool take, uint64_t *value);

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
