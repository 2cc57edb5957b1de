/* Serialized graphs of the GAP Benchmark Suite (github.com/sbeamer/gapbs, WriteSerializedGraph of
 * src/writer.h and ReadSerializedGraph of src/reader.h), native and little endian:
 *
 *     1 byte             1: directed, 0: undirected
 *     int64              m, the number of arcs; an undirected edge is two of them
 *     int64              n, the number of vertices
 *     int64[n + 1]       where the arcs of each vertex begin
 *     int32[m]           the vertices that they lead to
 *     or int32[2 m]      in a .wsg: each of them followed by its weight
 *
 * Of a directed graph the incoming arcs of each vertex follow in the same form, from the n + 1
 * numbers on.
 *
 * Rows in canonical form, as GAP and we write them, are read into the arrays of the graph;
 * others go through the builder. The reader compares what the file says twice: the two arcs of
 * an undirected edge one by one, because the counting relies on it; the outgoing and incoming
 * arcs of a directed graph, of which only the first are kept, by sums of hashes. */
#ifndef PCI_SERIALIZED_H
#define PCI_SERIALIZED_H

#include "io/input.h"
#include "io/output.h"

/* Reads a graph of an input whose text need not be loaded. The errors are those of
 * pc_graph_read. */
pc_status pci_serialized_read(const pci_input *input, const pc_graph_options *options,
                              pc_graph **graph);

/* Writes a graph as .wsg, or as .sg, which has no weights: ending says which. The errors are
 * those of pc_graph_write. */
pc_status pci_graph_write_serialized(pc_context *context, const pc_graph *graph, const char *path,
                                     const char *ending, pci_packing packing);

/* ---- Ranges of rows --------------------------------------------------------------------------
 *
 * These functions read any range of rows, of a plain file where it is (pread). They read only, so
 * several threads or processes may call them for inputs of their own. */

typedef struct pci_serialized {
    uint64_t n, n_arcs;
    bool is_directed, is_weighted;
} pci_serialized;

/* Reads the head of a plain file, or of one that was unpacked, and holds it against the length
 * of the file. The ending .sg or .wsg of its name says whether there are weights; without one
 * the length does. PC_ERR_DATA, PC_ERR_IO. */
pc_status pci_serialized_read_head(const pci_input *input, pci_serialized *head);

/* The two halves of the file of a directed graph; an undirected graph has the first only. */
typedef enum pci_arc_side { PCI_OUTGOING, PCI_INCOMING } pci_arc_side;

/* start[end - first + 1]: where the arcs of rows first .. end - 1 begin, and the last ones end,
 * as numbers of arcs of the whole file. They ascend and are at most n_arcs. PC_ERR_DATA,
 * PC_ERR_IO, PC_ERR_CANCELLED. */
pc_status pci_serialized_read_starts(const pci_input *input, const pci_serialized *head,
                                     pci_arc_side side, uint64_t first, uint64_t end,
                                     uint64_t *start);

/* The arcs of rows first .. end - 1, whose starts are given: column[start[end - first] -
 * start[0]] gets vertices below n, in the order of the file, and weight, which may be NULL
 * without weights, their weights. A negative weight is PC_ERR_DATA with takes_weights; without
 * it every weight but 0 becomes 1. PC_ERR_IO, PC_ERR_CANCELLED. */
pc_status pci_serialized_read_arcs(const pci_input *input, const pci_serialized *head,
                                   pci_arc_side side, uint64_t first, uint64_t end,
                                   const uint64_t *start, bool takes_weights, uint32_t *column,
                                   uint64_t *weight);

/* The sum of hashes of the arcs of rows first .. end - 1, the first of which is column[0]; start
 * as above. Both sides of a directed graph have the same sum, or the file is damaged. */
uint64_t pci_serialized_sum(const pc_context *context, uint64_t seed, pci_arc_side side,
                            uint64_t first, uint64_t end, const uint64_t *start,
                            const uint32_t *column, const uint64_t *weight);

/* PC_ERR_DATA: they have not. */
pc_status pci_serialized_fail_incoming(const pci_input *input);

#endif
