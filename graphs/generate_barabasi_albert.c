/* Preferential attachment (Barabasi, Albert, "Emergence of scaling in random networks", 1999): each
 * new vertex joins a given number of older ones, with probabilities in proportion to their degrees.
 * A uniformly random end of all edges so far has this distribution (Batagelj, Brandes, "Efficient
 * generation of large random networks", 2005), and the list of ends is the list of edges. Each
 * choice depends on those before, so one thread does the work. */
#include "graphs/generate.h"

#include <inttypes.h>

enum { VERTICES_BETWEEN_LOOKS = 1024 };

typedef struct attachment {
    pci_generation generation;
    uint64_t n_targets; /* of each new vertex; the first of these is vertex n_targets */
    pci_random random;
    pci_edge *edge;      /* edges of vertex n_targets + i are from i * n_targets on */
    uint32_t *chosen_by; /* [n_vertices] the newest vertex that has chosen this one; 0: none */
} attachment;

/* An older vertex that vertex has not chosen yet, by the ends of the first n_edges edges. */
static uint32_t choose(attachment *a, uint32_t vertex, uint64_t n_edges)
{
    for (;;) {
        uint64_t end = pci_random_below(&a->random, 2 * n_edges);
        pci_edge edge = a->edge[end / 2];
        uint32_t target = end % 2 ? edge.to : edge.from;
        if (a->chosen_by[target] == vertex)
            continue;
        a->chosen_by[target] = vertex;
        return target;
    }
}

/* The first new vertex joins all older ones, which have no edges yet and are as many as it
 * needs. */
static pc_status attach(attachment *a)
{
    uint64_t n_vertices = a->generation.n_vertices, n_edges = 0;
    pc_status status = PC_OK;
    for (uint32_t v = (uint32_t)a->n_targets; v < n_vertices && status == PC_OK; v++) {
        uint64_t n_before = n_edges;
        for (uint32_t i = 0; i < a->n_targets; i++)
            a->edge[n_edges++] = (pci_edge){v, n_before > 0 ? choose(a, v, n_before) : i};
        if (v % VERTICES_BETWEEN_LOOKS == 0)
            status =
                pci_progress(a->generation.context, "generate", (double)v / (double)n_vertices);
    }
    return status;
}

static pc_status check_arguments(pc_context *context, uint64_t n_vertices,
                                 uint64_t edges_per_vertex)
{
    if (edges_per_vertex > 0 && edges_per_vertex < n_vertices)
        return PC_OK;
    return pci_fail(
        context, PC_ERR_ARGUMENT,
        "Barabasi-Albert: %" PRIu64 " edges a vertex and %" PRIu64
        " vertices make no sense: 1 or more edges a vertex, and more vertices than that",
        edges_per_vertex, n_vertices);
}

pc_status pc_generate_barabasi_albert(pc_context *context, uint64_t n_vertices,
                                      uint64_t edges_per_vertex, uint64_t seed, int directed,
                                      pc_graph **graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    attachment a = {.generation = {.context = context,
                                   .n_vertices = n_vertices,
                                   .directed = directed,
                                   .format = "Barabasi-Albert"},
                    .n_targets = edges_per_vertex,
                    .random = pci_random_sequence(seed, 0)};
    pci_edges edges = {0};
    pc_status status = check_arguments(context, n_vertices, edges_per_vertex);
    if (status == PC_OK)
        status = pci_generation_check(&a.generation, 0); /* now the product cannot overflow */
    if (status)
        return status;
    uint64_t n_edges = (n_vertices - edges_per_vertex) * edges_per_vertex;
    if ((status = pci_generation_check(&a.generation, (double)n_edges)) ||
        (status = pci_edges_create(context, 1, &n_edges, false, &edges)))
        return status;
    a.edge = edges.edge;
    a.chosen_by = pci_alloc_zero(context, n_vertices, sizeof *a.chosen_by);
    if (a.chosen_by)
        status = attach(&a);
    else
        status = pci_fail_memory(context, "the vertices", n_vertices * sizeof *a.chosen_by);
    pci_free(context, a.chosen_by);
    if (status) {
        pci_edges_free(context, &edges);
        return status;
    }
    return pci_generation_build(&a.generation, &edges, graph);
}
