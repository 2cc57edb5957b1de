/* Edges with a text each, as arcs in rows. */
#ifndef PCI_LABELLED_H
#define PCI_LABELLED_H

#include "graphs/builder.h"
#include "pathcount_labelled.h"

typedef struct pci_labelled_arc {
    uint32_t to, text; /* the number of a text */
    uint64_t weight;   /* its multiplicity, not 0 */
} pci_labelled_arc;

struct pc_labelled_edges {
    pc_context *context;
    pci_labels vertices;
    pci_names texts;       /* numbered by their first appearance */
    uint64_t *row_start;   /* [n + 1]: arcs of vertex v are row_start[v] .. row_start[v + 1] - 1 */
    pci_labelled_arc *arc; /* by `to`, then by text, without a pair twice */
    char note[PCI_NOTE_BYTES];
    pc_graph_info info;
};

/* PC_ERR_ARGUMENT: weights that may have decimals are for graphs alone. */
pc_status pci_fail_labelled_decimals(pc_context *context);

/* The labelled edges of a draft with texts, which is taken over and emptied whatever the status. Errors as of
 * pci_graph_build. */
pc_status pci_labelled_build(pc_context *context, pci_graph_draft *draft,
                             pc_labelled_edges **labelled);

#endif
