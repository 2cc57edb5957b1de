/* Graphs in which every pair of vertices is joined with the same probability.
 *
 * A given number of edges (Erdos, Renyi, "On random graphs I", 1959): the pairs are numbered, and a
 * random permutation of these numbers says which come first. So no pair is drawn twice, and edges
 * can be drawn in any order.
 *
 * A given probability (Gilbert, "Random graphs", 1959): the number of pairs to skip until the next
 * edge is a geometric variable. It takes one logarithm instead of a draw for each pair (Batagelj,
 * Brandes, "Efficient generation of large random networks", 2005). The variable is memoryless, so
 * the pairs can be divided into parts that are independent. */
#include "graphs/generate.h"

#include <inttypes.h>
#include <math.h>

enum { OPERATIONS_AN_EDGE = 20 };

/* ---- A number of edges ----------------------------------------------------------------------- */

typedef struct uniform {
    uint64_t n_vertices;
    bool directed;
    pci_permutation order; /* of the pairs */
} uniform;

static pci_edge draw_edge(const void *model, uint64_t number)
{
    const uniform *u = model;
    return pci_pair_at(u->n_vertices, u->directed, pci_permutation_at(&u->order, number));
}

pc_status pc_generate_erdos_renyi(pc_context *context, uint64_t n_vertices, uint64_t n_edges,
                                  uint64_t seed, int directed, pc_graph **graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    pci_generation generation = {.context = context,
                                 .n_vertices = n_vertices,
                                 .directed = directed,
                                 .format = "Erdos-Renyi"};
    pc_status status = pci_generation_check(&generation, 0);
    if (status)
        return status;
    uint64_t n_pairs = pci_pairs_count(n_vertices, directed);
    if (n_edges > n_pairs)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "Erdos-Renyi: %" PRIu64 " edges are too many: %" PRIu64
                        " vertices have room for %" PRIu64 " %s",
                        n_edges, n_vertices, n_pairs, directed ? "arcs" : "edges");
    uniform model = {.n_vertices = n_vertices,
                     .directed = directed,
                     .order = pci_permutation_random(n_pairs, pci_random_sequence(seed, 0))};
    return pci_generation_draw(&generation, n_edges, draw_edge, &model, graph);
}

/* ---- A probability --------------------------------------------------------------------------- */

typedef struct gilbert {
    pci_generation generation;
    uint64_t seed;
    uint64_t n_pairs, part_pairs, n_parts;
    double log_absent; /* logarithm of the probability that a pair has no edge */
    double n_expected_edges;
} gilbert;

/* Counts the edges of a part of the pairs, and puts them into edge unless that is NULL. */
static uint64_t draw_part(const gilbert *g, uint64_t part, pci_edge *edge)
{
    pci_random random = pci_random_sequence(g->seed, part);
    uint64_t pair = part * g->part_pairs, n_edges = 0;
    uint64_t end = g->n_pairs - pair < g->part_pairs ? g->n_pairs : pair + g->part_pairs;
    for (; pair < end; pair++) {
        double skip = floor(log(pci_random_unit(&random)) / g->log_absent);
        if (skip >= (double)(end - pair))
            break;
        pair += (uint64_t)skip;
        if (pair >= end) /* the double above was rounded up */
            break;
        if (edge)
            edge[n_edges] = pci_pair_at(g->generation.n_vertices, g->generation.directed, pair);
        n_edges++;
    }
    return n_edges;
}

/* The edges are counted first and then made, since a sequence of random numbers can be repeated. */
static pc_status count_parts(const gilbert *g, int n_threads, uint64_t *n_edges_of)
{
    uint64_t n_edges = 0;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(+ : n_edges)
    for (uint64_t part = 0; part < g->n_parts; part++)
        n_edges += n_edges_of[part] = draw_part(g, part, NULL);
    return pci_generation_check(&g->generation, (double)n_edges);
}

static pc_status make_edges(const gilbert *g, pci_edges *edges)
{
    pc_context *context = g->generation.context;
    int n_threads = pci_threads_for(context, OPERATIONS_AN_EDGE * g->n_expected_edges);
    uint64_t *n_edges_of = pci_alloc(context, g->n_parts * sizeof *n_edges_of);
    if (!n_edges_of)
        return pci_fail_memory(context, "the edges", g->n_parts * sizeof *n_edges_of);
    pc_status status = count_parts(g, n_threads, n_edges_of);
    if (status == PC_OK)
        status = pci_progress(context, "generate", 0.3);
    if (status == PC_OK)
        status = pci_edges_create(context, g->n_parts, n_edges_of, false, edges);
    pci_free(context, n_edges_of);
    if (status)
        return status;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (uint64_t part = 0; part < g->n_parts; part++)
        draw_part(g, part, edges->parts[part].edge);
    return PC_OK;
}

pc_status pc_generate_gilbert(pc_context *context, uint64_t n_vertices, double probability,
                              uint64_t seed, int directed, pc_graph **graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    gilbert g = {.generation = {.context = context,
                                .n_vertices = n_vertices,
                                .directed = directed,
                                .format = "Erdos-Renyi"},
                 .seed = seed};
    if (!(probability >= 0 && probability <= 1))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "Erdos-Renyi: a probability is a number from 0 to 1, not %g", probability);
    pc_status status = pci_generation_check(&g.generation, 0);
    if (status)
        return status;
    g.n_pairs = probability > 0 ? pci_pairs_count(n_vertices, directed) : 0;
    g.n_expected_edges = probability * (double)g.n_pairs;
    g.log_absent = log1p(-probability);
    double part_pairs = PCI_PART_EDGES / probability;
    g.part_pairs = part_pairs < (double)g.n_pairs ? (uint64_t)part_pairs : g.n_pairs;
    g.n_parts = g.n_pairs > 0 ? (g.n_pairs - 1) / g.part_pairs + 1 : 1;
    pci_edges edges;
    if ((status = pci_generation_check(&g.generation, g.n_expected_edges)) ||
        (status = make_edges(&g, &edges)))
        return status;
    return pci_generation_build(&g.generation, &edges, graph);
}
