/* Graphs from an igraph_t: one of the program, or a famous one of igraph. */
#include "graphs/igraph_edges.h"
#include "graphs/pathcount_igraph.h"

/* What the edges are taken from. */
typedef struct request {
    const char *famous; /* the name of a famous graph; NULL: igraph is given */
    const igraph_t *igraph;
    const char *label_attribute;
    const char *weight_attribute;
    bool takes_decimals;
    pc_direction stated;
    const char *format; /* for the info */
} request;

/* ---- An igraph_t ----------------------------------------------------------------------------- */

static pc_status take_labels(const pci_igraph_guard *guard, const request *wanted,
                             pci_igraph_edges *edges)
{
    const char *fault;
    pc_status status =
        pci_igraph_edges_label(guard, wanted->igraph, wanted->label_attribute, edges, &fault);
    if (status == PC_OK && fault)
        status = pci_igraph_fail(guard->context, PC_ERR_ARGUMENT,
                                 "the attribute %s cannot label the vertices: %s",
                                 wanted->label_attribute, fault);
    return status;
}

static pc_status take_given(const pci_igraph_guard *guard, const request *wanted,
                            pci_igraph_edges *edges)
{
    if ((wanted->label_attribute || wanted->weight_attribute) &&
        !pci_igraph_host_has_attributes(guard))
        return pc_context_fail(guard->context, PC_ERR_ARGUMENT,
                               "attributes can be read only where the program has called "
                               "igraph_set_attribute_table(&igraph_cattribute_table)");
    pc_status status = pci_igraph_edges_take(guard, wanted->igraph, edges);
    if (status == PC_OK && wanted->label_attribute)
        status = take_labels(guard, wanted, edges);
    if (status == PC_OK && wanted->weight_attribute)
        status = pci_igraph_edges_weigh(guard, wanted->igraph, wanted->weight_attribute,
                                        wanted->takes_decimals, "", edges);
    return status;
}

/* ---- Famous graphs --------------------------------------------------------------------------- */

/* Those of igraph 0.10. */
static const char known[] =
    "Bull, Chvatal, Coxeter, Cubical, Diamond, Dodecahedral, Folkman, Franklin, Frucht, Grotzsch, "
    "Heawood, Herschel, House, HouseX, Icosahedral, Krackhardt_Kite, Levi, McGee, Meredith, "
    "Noperfectmatching, Nonline, Octahedral, Petersen, Robertson, Smallestcyclicgroup, "
    "Tetrahedral, Thomassen, Tutte, Uniquely3colorable, Walther, Zachary";

static pc_status take_famous(const pci_igraph_guard *guard, const char *name,
                             pci_igraph_edges *edges)
{
    igraph_t igraph;
    if (igraph_famous(&igraph, name) != IGRAPH_SUCCESS) {
        if (guard->error != IGRAPH_EINVAL) /* which is said of unknown names */
            return pci_igraph_fail_call(guard);
        return pci_igraph_fail(guard->context, PC_ERR_ARGUMENT,
                               "no famous graph is called '%.40s': there are %s", name, known);
    }
    pc_status status = pci_igraph_edges_take(guard, &igraph, edges);
    igraph_destroy(&igraph);
    return status;
}

/* ---- Either ---------------------------------------------------------------------------------- */

static pc_status make_graph(pc_context *context, const request *wanted,
                            const pc_graph_options *options, pc_graph **graph)
{
    pci_igraph_guard guard;
    pci_igraph_edges edges;
    pci_igraph_enter(context, &guard);
    pc_status status = pci_igraph_edges_init(&guard, &edges);
    if (status == PC_OK)
        status = wanted->famous ? take_famous(&guard, wanted->famous, &edges)
                                : take_given(&guard, wanted, &edges);
    pci_igraph_leave(&guard);
    if (status == PC_OK)
        status = pci_igraph_edges_build(context, &edges, wanted->stated, false, wanted->format,
                                        options, graph);
    pci_igraph_edges_destroy(&edges);
    return status;
}

pc_status pc_graph_from_igraph(pc_context *context, const igraph_t *igraph,
                               const char *label_attribute, const char *weight_attribute,
                               const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !igraph || !graph)
        return pc_context_fail(context, PC_ERR_ARGUMENT, "igraph or graph is NULL");
    bool directed = igraph_is_directed(igraph);
    if (!directed && options && options->direction == PC_DIRECTED)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "an undirected igraph graph does not keep which end of an edge came "
                               "first: make it directed with igraph_to_directed()");
    const request wanted = {.igraph = igraph,
                            .label_attribute = label_attribute,
                            .weight_attribute = weight_attribute,
                            .takes_decimals = options && options->real_weights,
                            .stated = directed ? PC_DIRECTED : PC_UNDIRECTED,
                            .format = "igraph"};
    return make_graph(context, &wanted, options, graph);
}

pc_status pc_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    if (!context || !name || !graph)
        return pc_context_fail(context, PC_ERR_ARGUMENT, "name or graph is NULL");
    const request wanted = {.famous = name, .stated = PC_UNDIRECTED, .format = "famous graph"};
    return make_graph(context, &wanted, NULL, graph);
}
