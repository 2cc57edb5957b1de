/* Commands that the first process announces, and the data that it alone reads and fills in. */
#ifndef PCI_CLUSTER_COMMAND_H
#define PCI_CLUSTER_COMMAND_H

#include "io/serialized.h"
#include "src/cluster/lines_file.h"
#include "src/cluster/part.h"

/* in and out are those of pci_caller. Operations on a power are described in src/engine/engine.h. */
typedef enum pci_operation {
    PCI_DISTRIBUTE, /* in: pc_graph, whose rows go to their owners, in ranges `first` */
    PCI_READ,       /* a serialized graph, each process its rows; out: pci_part_facts */
    PCI_READ_TEXT,  /* a text, each process a range of its lines; out: pc_graph * without arcs */
    PCI_REVERSE,    /* graph `graph`, to graph `made` */
    PCI_CHECK,      /* the seals of the parts */
    PCI_DIGEST,     /* out: uint64_t[2], pci_part_digest */
    PCI_FREE_GRAPH,
    PCI_MULTIPLY,          /* out = A in, of vectors of the first process */
    PCI_MULTIPLY_INTEGERS, /* ... of integers of words_in and words_out words */
    PCI_PREPARE_PAIRS,
    PCI_SLICES,       /* in: command.slices along graph; made: that of the vectors of a check */
    PCI_SWEEP_CREATE, /* of n_vectors and length, along a graph; in: double[length + 1] or NULL */
    PCI_SWEEP_CLEAR,
    PCI_SWEEP_ADD,  /* in: pci_start[n] */
    PCI_SWEEP_STEP, /* n of them */
    PCI_SWEEP_ROWS, /* vectors first .. first + n_vectors - 1; out: [n_vectors][n][n_limbs] */
    PCI_SWEEP_KEEP, /* ... to vectors in parts, from number made on */
    PCI_SWEEP_SAVE, /* its lines, in a file; out: uint64_t, their sum */
    PCI_SWEEP_LOAD, /* ... and from it */
    PCI_SWEEP_FREE,
    PCI_COUNT,       /* out: pc_process_count[n processes] */
    PCI_POWER_BEGIN, /* the graph becomes whole in every process */
    PCI_POWER_END,
    PCI_POWER_LOAD,       /* this and the next five are for n_moduli, 0 for a plain plane */
    PCI_POWER_LOAD_WORDS, /* in: uint64_t[n][n] */
    PCI_POWER_EXTEND,
    PCI_POWER_SQUARE,
    PCI_POWER_STEP,
    PCI_POWER_REDUCE_MODULO, /* moduli[0] */
    PCI_POWER_TRIM,
    PCI_POWER_COLLECT,   /* n rows from first_row on, or selected ones (in); out: limbs */
    PCI_POWER_AGGREGATE, /* all rows; out: pci_aggregates, as the engine gets them */
    PCI_END
} pci_operation;

/* Graphs and sweeps have numbers, which the first process chooses. */
typedef struct pci_command {
    uint32_t operation, graph, made, sweep;
    uint32_t product; /* pci_parts_product */
    uint32_t first, n_vectors, n_limbs, n_moduli, n_dots;
    uint32_t n_shares; /* SWEEP_CREATE: see pci_sweep_options; then the graph becomes whole */
    uint32_t n_x_words, n_y_words;
    uint32_t format; /* READ_TEXT, with options */
    bool is_weighted, takes_weights, is_symmetric, adds, has_records;
    bool is_selected; /* POWER_COLLECT */
    bool syncs;       /* SWEEP_SAVE: to the disk */
    uint64_t n, length, first_row;
    uint64_t row_span, column_span; /* of cells of aggregates */
    uint64_t n_path;                /* bytes of the path, its end included */
    uint64_t seed;                  /* READ, READ_TEXT: of hashes of arcs, random */
    uint64_t moduli[2];             /* SWEEP_CREATE: the first one, 0 for integers */
    pc_graph_options options;
    pci_serialized head;
    pci_lines lines; /* SWEEP_LOAD */
    pci_slices_call slices;
} pci_command;

typedef struct pci_start {
    uint64_t vertex, value;
    uint64_t vector;
} pci_start;

/* In the other processes all of it is NULL. */
typedef struct pci_caller {
    const void *in;
    void *out;
    const char *path;      /* READ, READ_TEXT, SWEEP_SAVE, SWEEP_LOAD */
    const uint64_t *first; /* DISTRIBUTE, READ: [n processes + 1] */
    bool *is_declined;     /* READ_TEXT: one process must read it, filled in */
    uint64_t *bits;        /* MULTIPLY_INTEGERS: of the largest entry, filled in */
} pci_caller;

#endif
