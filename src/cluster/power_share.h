/* Powers whose moduli the processes share. Process r of P squares the planes of moduli r, r + P, r + 2 P ... of the
 * list, alone, with a run of the CPU engine; so it holds the graph whole. Every process has at least one modulus:
 * where a level needs fewer than P, it has P.
 *
 * What needs the residues of all moduli is done row by row: to extend the base, to reduce modulo a number, to make
 * integers, aggregates and dot products of them. Rows are divided among the processes, a block of them at a time. Each
 * process gets the residues of its rows from the others, and sends back what becomes residues again
 * (src/cluster/residue_rows.h). */
#ifndef PCI_CLUSTER_POWER_SHARE_H
#define PCI_CLUSTER_POWER_SHARE_H

#include "src/cluster/part.h"
#include "src/cpu/recombine.h"
#include "src/rows/aggregates.h"

typedef enum pci_power_operation {
    PCI_POWER_BEGIN, /* the graph becomes whole in every process */
    PCI_POWER_END,
    PCI_POWER_LOAD, /* this and the next five to n_moduli, 0 for a plain plane: src/engine/engine.h */
    PCI_POWER_LOAD_WORDS,
    PCI_POWER_EXTEND,
    PCI_POWER_SQUARE,
    PCI_POWER_STEP,
    PCI_POWER_REDUCE_MODULO, /* ... of the modulus */
    PCI_POWER_TRIM,
    PCI_POWER_COLLECT,  /* n_rows rows from first_row on, or selected ones, to the first process */
    PCI_POWER_AGGREGATE /* all rows */
} pci_power_operation;

typedef struct pci_power_command {
    uint32_t operation, n_moduli, n_limbs, n_dots;
    uint64_t first_row, n_rows, modulus;
    uint64_t row_span, column_span; /* of cells */
    bool is_symmetric;              /* BEGIN: the graph */
    bool is_selected;
    bool has_records;
} pci_power_command;

/* What an operation reads and writes in the first process only. */
typedef struct pci_power_caller {
    const uint64_t *words;      /* LOAD_WORDS: [n][n] */
    const uint64_t *rows;       /* COLLECT of selected rows: [n_rows] */
    uint64_t *limbs;            /* COLLECT: [n_rows][n][n_limbs] */
    pci_aggregates *aggregates; /* AGGREGATE: as the engine gets them */
} pci_power_caller;

struct pci_run;

typedef struct pci_power_share {
    pci_processes all;
    pc_context *context;
    pc_graph *graph;
    pci_moduli moduli, own; /* the list, and what this process has of it */
    struct pci_run *run;
    uint32_t n_moduli; /* of all processes; 0: a plain plane, which every process has */
    pci_recombination collector;
    uint32_t collector_limbs, collector_moduli; /* that it was made for; 0: none */
} pci_power_share;

/* Moduli of all processes where a level needs n of them. */
static inline uint32_t pci_power_n_moduli(uint32_t n, int n_processes)
{
    return n && n < (uint32_t)n_processes ? (uint32_t)n_processes : n;
}

/* How many of the first n moduli process r has. */
static inline uint32_t pci_power_n_own(uint32_t n, int r, int n_processes)
{
    return n > (uint32_t)r ? (n - (uint32_t)r - 1) / (uint32_t)n_processes + 1 : 0;
}

#endif
