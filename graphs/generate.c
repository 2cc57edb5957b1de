/* What the generators share: permutations, pairs of vertices, memory, and from edges to the
 * graph. */
#include "graphs/generate.h"

#include <inttypes.h>
#include <math.h>

enum { OPERATIONS_A_DRAW = 50 }; /* about, of any model */

pci_permutation pci_permutation_random(uint64_t n, pci_random random)
{
    int n_bits = n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
    pci_permutation made = {
        .n = n, .mask = n_bits > 0 ? UINT64_MAX >> (64 - n_bits) : 0, .shift = (n_bits + 1) / 2};
    for (int round = 0; round < PCI_PERMUTATION_ROUNDS; round++) {
        made.factor[round] = pci_random_next(&random) | 1;
        made.addend[round] = pci_random_next(&random);
    }
    return made;
}

uint64_t pci_pairs_count(uint64_t n_vertices, bool directed)
{
    uint64_t n_ordered = n_vertices > 0 ? n_vertices * (n_vertices - 1) : 0;
    return directed ? n_ordered : n_ordered / 2;
}

/* Vertex 1 has a pair with vertex 0, vertex 2 has two, and so on: the pairs of v begin at v (v - 1)
 * / 2. A double cannot hold every number of a pair, but the square root is at most one too large:
 * for the first pair of a v below 2^32 it gives v in spite of rounding. */
static pci_edge unordered_pair_at(uint64_t pair)
{
    uint64_t v = (uint64_t)(sqrt(2.0 * (double)pair + 0.25) + 0.5);
    v -= v * (v - 1) / 2 > pair;
    return (pci_edge){(uint32_t)(pair - v * (v - 1) / 2), (uint32_t)v};
}

pci_edge pci_pair_at(uint64_t n_vertices, bool directed, uint64_t pair)
{
    if (!directed)
        return unordered_pair_at(pair);
    uint64_t from = pair / (n_vertices - 1), to = pair % (n_vertices - 1);
    return (pci_edge){(uint32_t)from, (uint32_t)(to + (to >= from))};
}

pc_status pci_generation_check(const pci_generation *generation, double n_edges)
{
    pc_context *context = generation->context;
    pc_status status = pci_check_n_vertices(context, generation->n_vertices);
    if (status)
        return status;
    /* The builder holds the edges and a key for each arc at the same time, later keys and columns
     * of arcs. */
    double edge_bytes = sizeof(pci_edge) + (generation->directed ? 1 : 2) * sizeof(uint64_t);
    double need_bytes = n_edges * edge_bytes + 8.0 * ((double)generation->n_vertices + 1);
    uint64_t available = pci_memory_available(context);
    if (need_bytes <= (double)available)
        return PC_OK;
    return pci_fail(context, PC_ERR_MEMORY,
                    "to make a graph of %" PRIu64 " vertices from %.4g edges takes %.3g GB of "
                    "memory and there are %.3g GB: fewer edges, or a larger machine",
                    generation->n_vertices, n_edges, need_bytes / 1e9, (double)available / 1e9);
}

pc_status pci_generation_build(const pci_generation *generation, pci_edges *edges, pc_graph **graph)
{
    pci_graph_draft draft = {
        .edges = *edges,
        .labels = pci_labels_range(0, generation->n_vertices),
        .info = {.directed = generation->directed, .format = generation->format}};
    *edges = (pci_edges){0};
    return pci_graph_build(generation->context, &draft, graph);
}

static void draw_part(pci_edge_part *part, uint64_t first, pci_draw_fn draw, const void *model)
{
    uint64_t n_kept = 0;
    for (uint64_t e = 0; e < part->n_edges; e++) {
        pci_edge edge = draw(model, first + e);
        part->edge[n_kept] = edge;
        n_kept += edge.from != edge.to;
    }
    part->n_edges = n_kept;
}

pc_status pci_generation_draw(const pci_generation *generation, uint64_t n_edges, pci_draw_fn draw,
                              const void *model, pc_graph **graph)
{
    pc_context *context = generation->context;
    pci_edges edges;
    pc_status status = pci_generation_check(generation, (double)n_edges);
    if (status == PC_OK)
        status =
            pci_edges_create_equal(context, n_edges / PCI_PART_EDGES + 1, n_edges, false, &edges);
    if (status)
        return status;
    int n_threads = pci_threads_for(context, OPERATIONS_A_DRAW * (double)n_edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t part = 0; part < edges.n_parts; part++)
        draw_part(&edges.parts[part], (uint64_t)(edges.parts[part].edge - edges.edge), draw, model);
    status = pci_progress(context, "generate", 0.5);
    if (status) {
        pci_edges_free(context, &edges);
        return status;
    }
    return pci_generation_build(generation, &edges, graph);
}
