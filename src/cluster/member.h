/* What the processes of a cluster do together.
 *
 * The first process runs the program: it plans, and asks for products and sweeps of graphs that lie in parts. It
 * announces each operation as a command, and then every process, itself included, performs it on its own parts. The
 * others do nothing else (pci_member_serve). Only vectors of all vertices go to or come from the first process; lines
 * that a step needs travel between their owner and where they are needed. */
#ifndef PCI_CLUSTER_MEMBER_H
#define PCI_CLUSTER_MEMBER_H

#include "src/cluster/lines_file.h"
#include "src/cluster/power_share.h"
#include "src/cluster/read.h"
#include "src/cluster/read_text.h"
#include "src/cluster/slices.h"
#include "src/engine/sweep.h"

typedef enum pci_operation {
    PCI_DISTRIBUTE, /* the rows of a graph of n vertices, all of which the first process has */
    PCI_READ,       /* a serialized graph, each process its rows */
    PCI_READ_TEXT,  /* a text, each process a range of its lines */
    PCI_REVERSE,    /* graph `graph`, to graph `made` */
    PCI_CHECK,      /* the seals of the parts */
    PCI_DIGEST,     /* pci_part_digest */
    PCI_FREE_GRAPH,
    PCI_MULTIPLY,          /* y = A x of vectors of the first process */
    PCI_MULTIPLY_INTEGERS, /* ... of integers of words_in and words_out words */
    PCI_PREPARE_PAIRS,
    PCI_SLICES,       /* command.slices along graph; made: that of the vectors of a check */
    PCI_SWEEP_CREATE, /* of n_vectors and length, along a graph */
    PCI_SWEEP_CLEAR,
    PCI_SWEEP_ADD,  /* n starts */
    PCI_SWEEP_STEP, /* n of them */
    PCI_SWEEP_ROWS, /* vectors first .. first + n_vectors - 1, to the first process */
    PCI_SWEEP_KEEP, /* ... to vectors in parts, from number made on */
    PCI_SWEEP_SAVE, /* its lines, in a file ... */
    PCI_SWEEP_LOAD, /* ... and from it */
    PCI_SWEEP_FREE,
    PCI_COUNT, /* what each process counted, to the first one */
    PCI_POWER, /* of a graph, its moduli shared: command.power */
    PCI_END
} pci_operation;

/* Graphs and sweeps have numbers, which the first process chooses. */
typedef struct pci_command {
    uint32_t operation, graph, made, sweep;
    uint32_t product; /* pci_parts_product */
    uint32_t is_weighted;
    uint32_t first, n_vectors, n_limbs, adds;
    uint32_t n_shares; /* SWEEP_CREATE: see pci_sweep_options; then the graph becomes whole */
    uint32_t is_symmetric;
    uint32_t n_x_words, n_y_words;
    uint64_t n, length;
    uint64_t n_path; /* bytes of a path, its end included */
    uint32_t format; /* READ_TEXT, with options and seed */
    pc_graph_options options;
    pci_serialized head;
    bool takes_weights;
    uint64_t seed;
    uint64_t moduli[2]; /* MULTIPLY; SWEEP_CREATE: the first one, 0 for integers */
    pci_lines lines;    /* SWEEP_LOAD */
    bool syncs;         /* SWEEP_SAVE: to the disk */
    pci_power_command power;
    pci_slices_call slices;
} pci_command;

typedef struct pci_start {
    uint64_t vertex, value;
    uint64_t vector;
} pci_start;

/* What an operation reads and writes in the first process only. */
typedef struct pci_caller {
    const pc_graph *graph;     /* DISTRIBUTE */
    const pci_part_file *file; /* READ */
    pci_part_facts *facts;     /* ... filled in */
    bool *is_declined;         /* READ_TEXT: filled in, as pci_part_read_text does */
    pc_graph **made;
    const void *x; /* MULTIPLY */
    void *y;
    uint64_t *y_bits;              /* MULTIPLY_INTEGERS: of the largest entry, filled in */
    const double *bits;            /* SWEEP_CREATE: [length + 1]; NULL with a modulus */
    const pci_start *starts;       /* SWEEP_ADD: [n] */
    uint64_t *limbs;               /* SWEEP_ROWS: [n_vectors][n][n_limbs] */
    pc_process_count *counts;      /* COUNT: [n processes], filled in */
    uint64_t *digest;              /* DIGEST: [2], filled in */
    const char *path;              /* READ_TEXT, SWEEP_SAVE, SWEEP_LOAD */
    uint64_t *sum;                 /* SWEEP_SAVE: filled in */
    const pci_power_caller *power; /* POWER */
    const pci_slices_call *slices; /* SLICES */
} pci_caller;

enum { PCI_MOST_PARTS = 16, PCI_MOST_PART_SWEEPS = 16 };

typedef struct pci_part_sweep {
    pci_graph_part *part;
    pci_sweep *sweep;
    pc_graph
        *whole; /* where processes share the vectors of a sweep; NULL: they share its vertices */
    uint32_t n_vectors;  /* of this process */
    uint64_t n_vertices; /* the same, of the sweep */
} pci_part_sweep;

typedef struct pci_member {
    pci_processes all;
    pc_context *context; /* of the first process: that of the call */
    pci_graph_part *part[PCI_MOST_PARTS];
    pci_part_sweep sweep[PCI_MOST_PART_SWEEPS];
    pci_slices slices;
    pc_process_count count;
    uint64_t first_held_bytes; /* when the cluster began */
    pci_power_share *power;    /* in progress; NULL: none */
} pci_member;

/* all but the context. member must stay where it is. */
void pci_member_begin(MPI_Comm comm, pci_member *member);

/* Announces a command and performs it: the first process only. The statuses of the parts' functions, and a message. */
pc_status pci_member_call(pci_member *member, const pci_command *command, const pci_caller *caller);

/* Performs what is announced until the end is: all other processes. */
void pci_member_serve(pci_member *member);

#endif
