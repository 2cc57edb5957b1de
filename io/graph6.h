/* graph6, sparse6 and digraph6: a graph in a line of printable characters (McKay, formats.txt of
 * nauty). */
#ifndef PCI_GRAPH6_H
#define PCI_GRAPH6_H

#include "graphs/builder.h"
#include "io/input.h"

/* Vertices of a graph whose adjacency matrix is a word a row. */
enum { PCI_SMALL_VERTICES = 64 };

/* A graph as a line describes it. Its memory is used again for the next line. All zero but for the
 * context before the first. */
typedef struct pci_listed {
    pc_context *context;
    uint64_t n_vertices;
    bool is_directed; /* entries are arcs; else each stands for both directions */
    bool is_small;    /* at most PCI_SMALL_VERTICES vertices and no entry given twice: see row */
    uint64_t row[PCI_SMALL_VERTICES]; /* is_small: bit j of row[i] is entry (i, j), both ways when
                                         undirected; a loop is one bit. Rows from n_vertices to 16,
                                         32 or 64, whichever comes next, are 0 */

    /* The bits that are set of a small graph. Those of graph6 and digraph6 are counted in the line,
     * and not in the rows, so that a row that changes is noticed. */
    uint64_t n_entries;

    uint64_t n_edges, capacity; /* else: edges in the order given, repeated ones too */
    uint64_t *from, *to;
} pci_listed;

/* keep_repeats: an edge given twice matters (multigraph), so such a graph is not small. The line is
 * without its '\n'; it may have a header such as >>graph6<< before the graph, and '\r' behind.
 * Memory is in proportion to the line, not to the vertices. PC_ERR_DATA sets *flaw, in static
 * storage; no status sets a message. */
pc_status pci_graph6_decode(const char *line, size_t n_bytes, bool keep_repeats, pci_listed *graph,
                            const char **flaw);
void pci_listed_free(pci_listed *graph);

/* Makes room for so many edges; the edges that it held are lost. */
pc_status pci_listed_reserve(pci_listed *graph, uint64_t n_edges);

/* The rows of a small graph without edges. */
void pci_listed_clear_rows(pci_listed *graph);

/* The bits that are set in its rows. */
uint64_t pci_listed_count_entries(const pci_listed *graph);

/* Lists the edges of a small graph as those of a larger one: each once, from its larger vertex.
 * PC_ERR_MEMORY sets no message. */
pc_status pci_listed_from_rows(pci_listed *graph);

/* Returns true when a line has no graph: it is empty, or a header alone. */
bool pci_graph6_is_blank(const char *line, size_t n_bytes);

/* Returns true when a text begins with one of the headers. */
bool pci_graph6_begins(const char *text, size_t n_bytes);

/* The draft of the one graph that the text from begin on holds. */
pc_status pci_graph6_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft);

#endif
