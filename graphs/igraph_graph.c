/* A graph from an igraph_t. */
#include "graphs/igraph_edges.h"
#include "graphs/pathcount_igraph.h"

typedef struct request {
    const igraph_t *igraph;
    const char *label_attribute;
    const char *weight_attribute;
} request;

static pc_status take_labels(pc_context *context, const pci_igraph_guard *guard,
                             const request *wanted, pci_igraph_edges *edges)
{
    const char *fault;
    pc_status status = pci_igraph_edges_label(context, guard, wanted->igraph,
                                              wanted->label_attribute, false, edges, &fault);
    if (status == PC_OK && fault != NULL) {
        status = pci_igraph_fail(context, PC_ERR_ARGUMENT,
                                 "the attribute %s cannot label the vertices: %s",
                                 wanted->label_attribute, fault);
    }
    return status;
}

static pc_status take_all(pc_context *context, const pci_igraph_guard *guard, const request *wanted,
                          pci_igraph_edges *edges)
{
    if ((wanted->label_attribute != NULL || wanted->weight_attribute != NULL) &&
        !pci_igraph_host_has_attributes(guard)) {
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "attributes can be read only where the program has called "
                               "igraph_set_attribute_table(&igraph_cattribute_table)");
    }
    pc_status status = pci_igraph_edges_take(context, guard, wanted->igraph, edges);
    if (status == PC_OK && wanted->label_attribute != NULL) {
        status = take_labels(context, guard, wanted, edges);
    }
    if (status == PC_OK && wanted->weight_attribute != NULL) {
        status = pci_igraph_edges_weigh(context, guard, wanted->igraph, wanted->weight_attribute,
                                        "", edges);
    }
    return status;
}

pc_status pc_graph_from_igraph(pc_context *context, const igraph_t *igraph,
                               const char *label_attribute, const char *weight_attribute,
                               const pc_graph_options *options, pc_graph **graph)
{
    if (context == NULL || igraph == NULL || graph == NULL) {
        return pc_context_fail(context, PC_ERR_ARGUMENT, "igraph or graph is NULL");
    }
    const request wanted = {igraph, label_attribute, weight_attribute};
    bool directed = igraph_is_directed(igraph);
    if (!directed && options != NULL && options->direction == PC_DIRECTED) {
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "an undirected igraph graph does not keep which end of an edge came "
                               "first: make it directed with igraph_to_directed()");
    }
    pci_igraph_guard guard;
    pci_igraph_edges edges;
    pci_igraph_enter(&guard);
    pc_status status = pci_igraph_edges_init(context, &guard, &edges);
    bool initialised = status == PC_OK;
    if (initialised) {
        status = take_all(context, &guard, &wanted, &edges);
    }
    pci_igraph_leave(&guard);
    if (status == PC_OK) {
        status = pci_igraph_edges_build(context, &edges, directed ? PC_DIRECTED : PC_UNDIRECTED,
                                        false, "igraph", options, graph);
    }
    if (initialised) {
        pci_igraph_edges_destroy(&edges);
    }
    return status;
}
