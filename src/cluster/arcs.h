/* Arcs of a graph travel to the processes that own their rows: of a graph that is read, and of one that is reversed. */
#ifndef PCI_CLUSTER_ARCS_H
#define PCI_CLUSTER_ARCS_H

#include "graphs/builder.h"
#include "src/cluster/part.h"

typedef struct pci_travel {
    const pci_processes *all;
    pc_context *context;
    uint64_t n;                      /* vertices of the whole graph */
    uint64_t *row_start;             /* [n + 1]: of all its rows */
    uint64_t *first;                 /* [n processes + 1]: the ranges that follow from these */
    uint64_t *n_sent, *n_taken, *at; /* [n processes] arcs; at: the place of the next one to send */
    MPI_Request *request;            /* [2 n processes] */
    enum { PCI_COUNT_ROWS, PCI_COUNT_OWNERS, PCI_PUT } pass; /* what becomes of an arc */
    pci_edges sent, taken;                                   /* one part each */
} pci_travel;

/* Is to be freed whatever the status. PC_ERR_MEMORY in all processes. */
pc_status pci_travel_create(const pci_processes *all, pc_context *context, uint64_t n,
                            pci_travel *travel);
void pci_travel_free(pci_travel *travel);

/* Takes an arc of the whole graph, and the type of what does so for each arc that this process has. */
void pci_travel_take(pci_travel *travel, uint32_t from, uint32_t to, uint64_t weight);
typedef void (*pci_arcs_fn)(const void *source, pci_travel *travel);

/* Finds the rows and their ranges, and copies the arcs into travel->sent. PC_ERR_MEMORY, PC_ERR_RANGE in all processes. */
pc_status pci_travel_begin(pci_travel *travel, pci_arcs_fn for_arcs, const void *source,
                           bool has_weights);

/* Fills travel->taken with the arcs of own rows, in the order of the processes that send them; frees travel->sent. */
void pci_travel_end(pci_travel *travel);

/* The own rows, whose arcs keep their order. Frees travel->taken. PC_ERR_MEMORY in all processes. */
pc_status pci_travel_rows(pci_travel *travel, pci_part_rows *rows);

/* The part of the graph with every arc reversed. PC_ERR_MEMORY, PC_ERR_RANGE in all processes. */
pc_status pci_part_reverse(const pci_graph_part *part, pc_context *context,
                           pci_graph_part **reverse);

/* The graph of all parts, which every process gets. PC_ERR_MEMORY in all processes. */
pc_status pci_part_gather(const pci_graph_part *part, pc_context *context, bool is_symmetric,
                          pc_graph **whole);

/* The bytes that each process then has more, of a graph as the first process holds it. */
uint64_t pci_gathered_bytes(const pc_graph *graph);

#endif
