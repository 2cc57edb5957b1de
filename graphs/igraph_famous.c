/* Graphs that have a name, from igraph. */
#include "graphs/igraph_edges.h"
#include "graphs/pathcount_igraph.h"

/* Those of igraph 0.10. */
static const char known[] =
    "Bull, Chvatal, Coxeter, Cubical, Diamond, Dodecahedral, Folkman, Franklin, Frucht, Grotzsch, "
    "Heawood, Herschel, House, HouseX, Icosahedral, Krackhardt_Kite, Levi, McGee, Meredith, "
    "Noperfectmatching, Nonline, Octahedral, Petersen, Robertson, Smallestcyclicgroup, "
    "Tetrahedral, Thomassen, Tutte, Uniquely3colorable, Walther, Zachary";

/* igraph says EINVAL for a name that it does not know. */
static pc_status fail_name(pc_context *context, const pci_igraph_guard *guard, const char *name)
{
    if (guard->error != IGRAPH_EINVAL) {
        return pci_igraph_edges_fail(context, guard);
    }
    return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                           "no famous graph is called '%.40s': there are %s", name, known);
}

static pc_status take_graph(pc_context *context, const pci_igraph_guard *guard, const char *name,
                            pci_igraph_edges *edges)
{
    igraph_t igraph;
    if (igraph_famous(&igraph, name) != IGRAPH_SUCCESS) {
        return fail_name(context, guard, name);
    }
    pc_status status = pci_igraph_edges_take(context, guard, &igraph, edges);
    igraph_destroy(&igraph);
    return status;
}

pc_status pc_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    if (context == NULL || name == NULL || graph == NULL) {
        return pc_context_fail(context, PC_ERR_ARGUMENT, "name or graph is NULL");
    }
    pci_igraph_guard guard;
    pci_igraph_edges edges;
    pci_igraph_enter(&guard);
    pc_status status = pci_igraph_edges_init(context, &guard, &edges);
    bool initialised = status == PC_OK;
    if (initialised) {
        status = take_graph(context, &guard, name, &edges);
    }
    pci_igraph_leave(&guard);
    if (status == PC_OK) {
        status = pci_igraph_edges_build(context, &edges, PC_UNDIRECTED, false, "famous graph", NULL,
                                        graph);
    }
    if (initialised) {
        pci_igraph_edges_destroy(&edges);
    }
    return status;
}
