/* Communities by igraph. */
#include "graphs/igraph_detect.h"

#include <string.h>

static const double leiden_randomness = 0.01; /* the default of those who published it */

/* The input of igraph. All of it is freed in the end, whether it was made or not. */
typedef struct input {
    igraph_vector_int_t ends; /* from, to, from, to ... */
    igraph_vector_t weights;
    igraph_vector_t strengths; /* of vertices: the sum of their weights */
    igraph_vector_int_t communities;
    igraph_t graph;
    bool has_graph;
} input;

static igraph_error_t init_input(input *in)
{
    igraph_error_t error;
    memset(in, 0, sizeof *in); /* destroying a vector of zeros does nothing */
    if ((error = igraph_vector_int_init(&in->ends, 0)) ||
        (error = igraph_vector_init(&in->weights, 0)) ||
        (error = igraph_vector_init(&in->strengths, 0)))
        return error;
    return igraph_vector_int_init(&in->communities, 0);
}

static void destroy_input(input *in)
{
    if (in->has_graph)
        igraph_destroy(&in->graph);
    igraph_vector_int_destroy(&in->communities);
    igraph_vector_destroy(&in->strengths);
    igraph_vector_destroy(&in->weights);
    igraph_vector_int_destroy(&in->ends);
}

static igraph_error_t fill_edges(const pci_igraph_message *task, input *in)
{
    const uint64_t *ends = task->part[PCI_IGRAPH_NUMBERS];
    const double *weights = task->part[PCI_IGRAPH_WEIGHTS];
    uint64_t n_edges = task->header.n_bytes[PCI_IGRAPH_WEIGHTS] / sizeof *weights;
    igraph_error_t error = igraph_vector_int_resize(&in->ends, 2 * (igraph_integer_t)n_edges);
    if (error == IGRAPH_SUCCESS)
        error = igraph_vector_resize(&in->weights, (igraph_integer_t)n_edges);
    if (error != IGRAPH_SUCCESS)
        return error;
    for (uint64_t i = 0; i < 2 * n_edges; i++)
        VECTOR(in->ends)[i] = (igraph_integer_t)ends[i];
    for (uint64_t e = 0; e < n_edges; e++)
        VECTOR(in->weights)[e] = weights[e];
    error = igraph_create(&in->graph, &in->ends, (igraph_integer_t)task->header.n_vertices,
                          IGRAPH_UNDIRECTED);
    in->has_graph = error == IGRAPH_SUCCESS;
    return error;
}

/* The function that igraph's Leiden optimises depends on node weights and resolution. It is
 * modularity when the weight of a vertex is its strength and the resolution is divided by the sum
 * of the strengths. */
static igraph_error_t run_leiden(const pci_igraph_message *task, input *in)
{
    igraph_error_t error = igraph_strength(&in->graph, &in->strengths, igraph_vss_all(), IGRAPH_ALL,
                                           IGRAPH_LOOPS, &in->weights);
    if (error != IGRAPH_SUCCESS)
        return error;
    igraph_integer_t n_communities;
    double resolution = task->header.resolution / igraph_vector_sum(&in->strengths), quality;
    return igraph_community_leiden(
        &in->graph, &in->weights, &in->strengths, resolution, leiden_randomness, false,
        (igraph_integer_t)task->header.n_iterations, &in->communities, &n_communities, &quality);
}

static igraph_error_t run(const pci_igraph_message *task, input *in)
{
    if (strcmp(task->part[PCI_IGRAPH_TEXT], "leiden") == 0)
        return run_leiden(task, in);
    return igraph_community_multilevel(&in->graph, &in->weights, task->header.resolution,
                                       &in->communities, NULL, NULL);
}

/* Uses a random number generator of this call, so that the result depends on the seed alone.
 * Afterwards the generator of the process is as before. */
static igraph_error_t run_seeded(const pci_igraph_message *task, input *in)
{
    igraph_rng_t *process = igraph_rng_default(), before, own;
    igraph_error_t error = igraph_rng_init(&own, &igraph_rngtype_pcg32);
    if (error != IGRAPH_SUCCESS)
        return error;
    error = igraph_rng_seed(&own, task->header.seed);
    if (error == IGRAPH_SUCCESS) {
        before = *process;
        *process = own;
        error = run(task, in);
        own = *process;
        *process = before;
    }
    igraph_rng_destroy(&own);
    return error;
}

pc_status pci_igraph_detect(pc_context *context, const pci_igraph_message *task, uint64_t *block)
{
    pci_igraph_guard guard;
    input in;
    pc_status status = PC_OK;
    pci_igraph_enter(context, &guard);
    if (init_input(&in) || fill_edges(task, &in) || run_seeded(task, &in))
        status = pci_igraph_fail_call(&guard);
    for (uint64_t v = 0; v < task->header.n_vertices && status == PC_OK; v++)
        block[v] = (uint64_t)VECTOR(in.communities)[v];
    destroy_input(&in);
    pci_igraph_leave(&guard);
    return status;
}
