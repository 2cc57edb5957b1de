/* Edges with a text each: a graph whose arcs have texts. A type of its own keeps it from those who count an arc once for
 * each column. */
#ifndef PCI_LABELLED_H
#define PCI_LABELLED_H

#include "graphs/builder.h"
#include "pathcount_labelled.h"

struct pc_labelled_edges {
    pc_graph graph;
};

/* PC_ERR_ARGUMENT: weights that may have decimals are for graphs alone. */
static inline pc_status pci_fail_labelled_decimals(pc_context *context)
{
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "edges with texts have integers as weights: none with decimals");
}

/* The labelled edges of a draft with texts, as pci_graph_build. */
static inline pc_status pci_labelled_build(pc_context *context, pci_graph_draft *draft,
                                           pc_labelled_edges **labelled)
{
    return pci_graph_build(context, draft, (pc_graph **)labelled);
}

#endif
