/* Which format a file has, and the readers of formats. */
#ifndef PCI_READERS_H
#define PCI_READERS_H

#include "io/collect.h"
#include "io/readings.h"

/* ---- The choice of a format ---------------------------------------------------------------------- */

/* Replaces PC_FORMAT_AUTO by the format of the text from begin on, which holds a graph, or a relation as only edge
 * lists and Matrix Market do. Sets *reading for the formats that have readings (pci_has_readings); else it is all zero.
 * PC_ERR_DATA when the text, or the name of its file, is of a format that is not read here, or when it is not certain
 * how to read it; the message names what it may be and what to do. */
pc_status pci_format_choose(const pci_input *input, const char *begin, bool is_relation,
                            const pc_graph_options *options, pc_format *format,
                            pci_reading *reading);

/* Adds to the message, where the text does not tell the format but the name of its file does, how it is read as an
 * edge list. Returns the status of the reader that failed. */
pc_status pci_format_explain(const pci_input *input, const char *begin, pc_format format,
                             pc_status status);

/* ---- Formats whose text is in memory ------------------------------------------------------------- */

pci_collect_fn pci_adjacency_list_read, pci_sif_read, pci_ncol_read, pci_lgl_read, pci_metis_read;
pci_collect_fn pci_dimacs_read, pci_matrix_read, pci_tuples_read, pci_npy_read, pci_npz_read;
pci_collect_fn pci_json_read, pci_pajek_read, pci_dl_read, pci_gml_read, pci_graphml_read;

/* ---- Matrix Market (https://math.nist.gov/MatrixMarket/formats.html) ----------------------------- */

/* Whether the text begins as such a file does. */
bool pci_matrix_market_begins(const char *text, size_t n_bytes);

typedef struct pci_shape {
    uint64_t n_rows, n_columns;
} pci_shape;

/* Parses the text from begin on. When shape is NULL the matrix must be square. Otherwise it may
 * have any shape, which shape gets; row i and column i are then both vertex i of the draft. Outputs
 * are filled only on PC_OK; else PC_ERR_DATA, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_matrix_market_parse(const pci_input *input, const char *begin,
                                  const pc_graph_options *options, pci_shape *shape,
                                  pci_graph_draft *draft);

/* ---- Edge lists: a line an edge, "from to [weight]" ---------------------------------------------- */

/* Parses the text from begin on, as input->reading says, or without a reading line by line. shape is NULL but for a
 * relation. When the file states its vertices, or that it is undirected, all vertices are rows and columns, and shape
 * gets their number. Otherwise shape gets zeros, and rows and columns are those that occur. The draft is filled only on
 * PC_OK; else PC_ERR_DATA, PC_ERR_ARGUMENT (a number of vertices is asked for and labels are no integers),
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_edge_list_parse(const pci_input *input, const char *begin,
                              const pc_graph_options *options, pci_shape *shape,
                              pci_graph_draft *draft);

/* ---- Graphs from an input, whatever its format -------------------------------------------------- */

/* As pc_graph_read with the text already in hand; the input is closed whatever the status. */
pc_status pci_graph_read_input(pci_input *input, pc_format format, const pc_graph_options *options,
                               pc_graph **graph);

/* Builds the graph of a file, whose name stands before a message about an edge. */
pc_status pci_graph_build_of_file(pc_context *context, const char *name, pci_graph_draft *draft,
                                  pc_graph **graph);

/* The edges in the lines of this reader, of several (input->share), of an edge list or a Matrix Market file of
 * integers; vertices, labels and facts are those of the whole text. share->is_declined, with PC_ERR_DATA: one reader
 * must read it all, because labels are no integers or large ones, some edges have weight 0, or it is another file. */
pc_status pci_graph_read_share(pci_input *input, pc_format format, const pc_graph_options *options,
                               pci_graph_draft *draft);

#endif
