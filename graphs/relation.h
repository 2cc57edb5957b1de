/* The relation: a sparse matrix of multiplicities, and the labels of its rows and columns. */
#ifndef PCI_RELATION_H
#define PCI_RELATION_H

#include "graphs/graph.h"
#include "pathcount_chain.h"

struct pc_relation {
    pc_context *context;
    pci_sparse matrix; /* words of one limb, none 0; columns ascend within a row */
    pci_labels rows, columns;
    char note[PCI_NOTE_BYTES]; /* of the info; "" for none */
    pc_relation_info info;     /* its note is set when somebody asks */
};

/* A relation from the arcs of a directed graph. Its rows are the vertices with is_row[vertex] not
 * 0, in their order, and its columns likewise. Each arc goes from a row to a column. The graph is
 * taken over, whatever the status. */
pc_status pci_relation_from_graph(pc_context *context, pc_graph *graph, const unsigned char *is_row,
                                  const unsigned char *is_column, pc_relation **relation);

/* Makes the same relation read backwards. */
pc_status pci_relation_transpose(pc_context *context, const pc_relation *relation,
                                 pc_relation **transposed);

#endif
