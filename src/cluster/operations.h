/* A cluster: the processes that hold graphs in parts, and what all of them do together.
 *
 * The first process runs the program: it plans, and asks for products and sweeps of graphs that lie in parts. It
 * announces each operation as a command (pci_cluster_call), and then every process, itself included, performs it on its own
 * parts. The others do nothing else. Only vectors of all vertices go to or come from the first process; lines that a step
 * needs travel between their owner and where they are needed. Each file has both sides of its operations: the functions
 * that the rest of the library calls, and those that every process performs. */
#ifndef PCI_OPERATIONS_H
#define PCI_OPERATIONS_H

#include "io/serialized.h"
#include "src/certify/step_check.h"
#include "src/cluster/part.h"
#include "src/engine/engine.h"

/* ---- Commands -------------------------------------------------------------------------------- */

/* Each operation reads some of these fields. Graphs, sweeps and vectors have numbers, which the first process chooses. */
typedef struct pci_command {
    uint32_t operation; /* its place in the list of all */
    uint32_t graph, made, sweep;
    uint32_t product; /* pci_parts_product, or work of the moduli of each process: */
    uint32_t first, n_vectors, n_limbs, n_moduli, n_dots;
    uint32_t n_shares; /* see pci_sweep_options; then the graph becomes whole */
    uint32_t format;   /* of a text, with options */
    bool is_weighted, takes_weights, is_symmetric, adds, has_records;
    bool is_selected; /* rows are; else those from first_row on */
    bool writes;      /* lines of a sweep; else they are read */
    bool syncs;       /* to the disk */
    uint64_t n, length, first_row;
    uint64_t row_span, column_span; /* of cells of aggregates */
    uint64_t n_path;                /* bytes of the path, its end included */
    uint64_t seed;                  /* of hashes of arcs, random */
    uint64_t step, line_bytes, sum; /* of lines of a sweep that were saved */
    uint64_t moduli[2];             /* of sweeps the first one, 0 for integers */
    pc_graph_options options;
    pci_serialized head;
    pci_slices_call slices;

    /* The first process alone reads these data and fills them in. They are NULL in the others. */
    const void *in;
    void *out;
    const char *path;
    const uint64_t *ranges; /* of vertices: [n processes + 1] */
} pci_command;

enum { PCI_POWER_LOAD, PCI_POWER_SQUARE, PCI_POWER_STEP };

/* ---- A process ------------------------------------------------------------------------------- */

enum { PCI_MOST_PARTS = 16, PCI_MOST_PART_SWEEPS = 16, PCI_CLUSTER_NAME_BYTES = 64 };

typedef struct pci_part_sweep {
    pci_graph_part *part;
    pci_sweep *sweep;
    pc_graph *whole;     /* processes share the vectors of a sweep; NULL: its vertices */
    uint32_t n_vectors;  /* of this process */
    uint64_t n_vertices; /* the same, of the sweep */
} pci_part_sweep;

/* Vectors that were made together: vector i of group g has number g + PCI_SLICES_STRIDE i. */
typedef struct pci_slices_group {
    pc_context *context;
    uint32_t n;
    pci_long_vector *vector; /* [n]; NULL: there is none */
} pci_slices_group;

typedef struct pci_power_share pci_power_share;
typedef struct pci_checkpoint pci_checkpoint;

/* Performs a command in all processes, which get the same status. */
typedef pc_status pci_operation(pc_cluster *cluster, const pci_command *command);

struct pc_cluster {
    pci_processes all;
    pc_context *context;              /* of the first process: that of the call */
    pci_operation *const *operations; /* [n_operations]: the same list in all processes */
    uint32_t n_operations;
    pci_graph_part *part[PCI_MOST_PARTS];
    pci_part_sweep sweep[PCI_MOST_PART_SWEEPS];
    pci_slices_group slices[PCI_SLICES_STRIDE];
    pci_step_check *check[PCI_SLICES_STRIDE];
    pci_power_share *power; /* in progress; NULL: none */
    pc_process_count count;
    uint64_t first_held_bytes; /* when the cluster began */

    /* The first process alone. */
    char name[PCI_CLUSTER_NAME_BYTES];
    pci_engine engine;
    pci_sweep_ops sweeps[2];    /* of the engine: as they are, and with a checkpoint */
    pci_checkpoint *checkpoint; /* NULL: nothing is saved */
};

/* A graph in parts as the first process has it. The rest of the library knows base only. */
typedef struct pci_cluster_graph {
    pci_parts base;
    pc_context *context; /* that it was allocated in */
    pc_cluster *cluster;
    uint32_t number;
} pci_cluster_graph;

static inline const pci_cluster_graph *pci_cluster_graph_of(const pc_graph *graph)
{
    return (const pci_cluster_graph *)graph->parts;
}

/* ---- What all files use (src/cluster/call.c) -------------------------------------------------- */

/* Announces an operation and performs it, with the memory and messages of a context: the first process only. */
pc_status pci_cluster_call(pc_cluster *cluster, pc_context *context, pci_operation *operation,
                           pci_command command);

/* The same about a graph. */
pc_status pci_cluster_call_on(const pci_parts *parts, pc_context *context, pci_operation *operation,
                              pci_command command);

/* The same about a sweep. */
pc_status pci_cluster_call_on_sweep(pci_sweep *sweep, pci_operation *operation,
                                    pci_command command);

/* Performs the commands that are announced, up to one without an operation: all other processes. */
void pci_cluster_serve(pc_cluster *cluster);

static inline bool pci_is_first(const pc_cluster *cluster)
{
    return cluster->all.rank == 0;
}

static inline pc_status pci_cluster_agree(const pc_cluster *cluster, pc_status status)
{
    return pci_processes_agree(&cluster->all, cluster->context, status);
}

/* Bytes that the program holds, where the C library tells. Noted after each step. */
uint64_t pci_held_bytes(void);
void pci_note_memory(pc_cluster *cluster);

/* Vectors of the first process: entries of own vertices go to each, or come from it. */
void pci_scatter(const pc_cluster *cluster, const uint64_t *first, size_t entry_bytes,
                 const void *all, void *own);
void pci_gather(const pc_cluster *cluster, const uint64_t *first, size_t entry_bytes,
                const void *own, void *all);

/* ---- Graphs (src/cluster/graphs.c) ------------------------------------------------------------- */

/* An operation makes a part of graph number command.graph, which is chosen here, in each process. *graph, which is there
 * when it is done, gets them in place of its rows, or stays as it is when no parts are made. */
pc_status pci_cluster_make(pc_context *context, pc_cluster *cluster, pci_operation *operation,
                           pci_command command, pc_graph **graph);

/* The ranges of a whole graph, or of one that has its row_start only, to be freed. NULL: no memory, with a message. */
uint64_t *pci_cluster_ranges(pc_context *context, const pc_cluster *cluster, const pc_graph *graph);

/* ---- Engine ---------------------------------------------------------------------------------- */

/* The sweeps of all processes (src/cluster/sweep.c). */
extern const pci_sweep_ops pci_cluster_sweeps;

enum { PCI_STARTS_AT_ONCE = 1 << 14 };

typedef struct pci_start {
    uint64_t vertex, value;
    uint64_t vector;
} pci_start;

/* A sweep of all processes, in the first one. src/cpu/sweep.c and gpu/sweep define the same type for theirs. */
struct pci_sweep {
    pc_context *context;
    pc_cluster *cluster;
    uint32_t number;
    bool shares_vectors; /* the processes do: then steps are taken when rows are asked for */
    uint64_t at, wanted; /* steps that were taken, and that were asked for */
    pc_status status;    /* of starts that were sent */
    uint64_t n_starts;   /* not yet sent */
    pci_start starts[PCI_STARTS_AT_ONCE];

    /* A checkpoint has these parts of the key, each of two words. */
    uint64_t n, digest[2], limits[2], start_sums[2], key[2];
};

/* Sweeps are saved with a checkpoint (src/cluster/checkpoint.c). src/cluster/sweep.c tells when a sweep begins or gets a start,
 * when one more step is wanted, before and after each step, and before rows are read. A step *waits where a later state
 * is there. */
pc_status pci_checkpoint_begin(pci_sweep *sweep, const pc_graph *graph,
                               const pci_sweep_options *options);
void pci_checkpoint_add(pci_sweep *sweep, const pci_start *start);
pc_status pci_checkpoint_want(pci_sweep *sweep, bool *waits);
pc_status pci_checkpoint_load(pci_sweep *sweep);
pc_status pci_checkpoint_step(pci_sweep *sweep);
pc_status pci_checkpoint_read(pci_sweep *sweep);
void pci_checkpoint_free(pci_checkpoint *checkpoint); /* accepts NULL */

/* The engine of all clusters, which give it their name and their sweeps (src/cluster/engine.c). */
extern const pci_engine pci_cluster_engine;

/* Work on vectors in parts (src/cluster/vectors.c). */
pc_status pci_cluster_slices(pci_parts *base, pc_context *context, pci_slices_call *call);
static inline pci_long_vector *pci_slices_vector(const pc_cluster *cluster, uint32_t number)
{
    const pci_slices_group *group = &cluster->slices[number % PCI_SLICES_STRIDE];
    return group->vector ? &group->vector[number / PCI_SLICES_STRIDE]
                         : NULL; /* NULL: there is none */
}

/* ---- Operations, by file ---------------------------------------------------------------------- */

/* graphs.c: in (the graph) and ranges; seals; in and out; -; made */
pci_operation pci_op_distribute, pci_op_check, pci_op_multiply, pci_op_prepare_pairs,
    pci_op_reverse, pci_op_free_graph;

/* read.c: path, ranges and out (pci_part_facts); path and out (pci_text_result) */
pci_operation pci_op_read_serialized, pci_op_read_text;

/* vectors.c: in (the call of the first process, with its arrays) */
pci_operation pci_op_slices;

/* sweep.c: in (bits of limits); -; in (pci_start[n]); n of them; out (limbs); made; - */
pci_operation pci_op_sweep_create, pci_op_sweep_clear, pci_op_sweep_add, pci_op_sweep_step,
    pci_op_sweep_rows, pci_op_sweep_keep, pci_op_sweep_free;

/* checkpoint.c: out (uint64_t[2]); path and, of lines that are written, out (their sum) */
pci_operation pci_op_digest, pci_op_sweep_lines;

/* power.c: operations on planes as src/engine/engine.h has them */
pci_operation pci_op_power_begin, pci_op_power_end, pci_op_power_level, pci_op_power_load_words,
    pci_op_power_extend, pci_op_power_reduce_modulo, pci_op_power_trim, pci_op_power_collect,
    pci_op_power_aggregate;

#endif
