/* The recursive matrix of Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph
 * mining", 2004: an edge finds its place in the adjacency matrix by choosing one of four quadrants,
 * then one of four within that, and so on, always with the same probabilities. Those that Graph500
 * uses are the default. */
#include "graphs/generate.h"

#include <inttypes.h>

enum { MAX_SCALE = 31 };
#define MAX_EDGE_FACTOR (UINT64_C(1) << 32)

static const double graph500[] = {0.57, 0.19, 0.19};
static const double rounding = 1e-9; /* sums of probabilities may be off by */

pci_edge pci_rmat_edge(const pci_rmat *rmat, uint64_t number)
{
    pci_random random = pci_random_sequence(rmat->seed, number);
    uint64_t choices = 0;
    pci_edge edge = {0, 0};
    for (uint32_t level = 0; level < rmat->scale; level++) {
        choices = level % 2 ? choices >> 32 : pci_random_next(&random);
        uint32_t choice = (uint32_t)choices;
        uint32_t quadrant =
            (choice >= rmat->limit[0]) + (choice >= rmat->limit[1]) + (choice >= rmat->limit[2]);
        edge.from = edge.from << 1 | quadrant >> 1;
        edge.to = edge.to << 1 | (quadrant & 1);
    }
    return edge;
}

static pc_status take_probabilities(pc_context *context, const pc_rmat *options, pci_rmat *rmat)
{
    const double *given = (const double[]){options->a, options->b, options->c};
    if (options->a == 0 && options->b == 0 && options->c == 0)
        given = graph500;
    double sum = 0;
    for (int quadrant = 0; quadrant < 3; quadrant++) {
        sum += given[quadrant];
        if (!(given[quadrant] >= 0) || !(sum <= 1 + rounding))
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "R-MAT: quadrants with probabilities %g, %g, %g and the rest make no "
                            "sense: none may be negative, and the three add up to 1 at most",
                            given[0], given[1], given[2]);
        rmat->limit[quadrant] = (uint64_t)((sum < 1 ? sum : 1) * 0x1p32);
    }
    return PC_OK;
}

pc_status pci_rmat_prepare(pc_context *context, const pc_rmat *options, uint64_t seed,
                           pci_rmat *rmat)
{
    if (options->scale > MAX_SCALE || options->edge_factor > MAX_EDGE_FACTOR)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "R-MAT: scale %" PRIu32 " with edge factor %" PRIu64
                        " is too large: they may be %d and 2^32",
                        options->scale, options->edge_factor, MAX_SCALE);
    *rmat = (pci_rmat){.seed = seed, .scale = options->scale};
    return take_probabilities(context, options, rmat);
}

typedef struct numbered_rmat {
    pci_rmat rmat;
    pci_permutation numbers; /* of vertices */
} numbered_rmat;

static pci_edge draw_edge(const void *model, uint64_t number)
{
    const numbered_rmat *numbered = model;
    pci_edge edge = pci_rmat_edge(&numbered->rmat, number);
    return (pci_edge){(uint32_t)pci_permutation_at(&numbered->numbers, edge.from),
                      (uint32_t)pci_permutation_at(&numbered->numbers, edge.to)};
}

pc_status pc_generate_rmat(pc_context *context, const pc_rmat *options, uint64_t seed, int directed,
                           pc_graph **graph)
{
    if (!context || !options || !graph)
        return pci_fail_null(context, "rmat or graph");
    numbered_rmat model;
    pc_status status = pci_rmat_prepare(context, options, seed, &model.rmat);
    if (status)
        return status;
    pci_generation generation = {.context = context,
                                 .n_vertices = UINT64_C(1) << options->scale,
                                 .directed = directed,
                                 .format = "R-MAT"};
    model.numbers =
        pci_permutation_random(generation.n_vertices, pci_random_sequence(seed, UINT64_MAX));
    return pci_generation_draw(&generation, options->edge_factor << options->scale, draw_edge,
                               &model, graph);
}
