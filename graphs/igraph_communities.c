/* Communities that igraph finds, as a partition. */
#include "graphs/igraph_edges.h"
#include "graphs/pathcount_igraph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_ITERATIONS = 10,
    BYTES_AN_EDGE = 160,  /* of the vectors here, and of what igraph makes of them */
    BYTES_A_VERTEX = 200, /* the same, and labels of the communities */
    LABEL_BYTES = 20      /* of a number below 2^32 and a NUL */
};

static const double leiden_randomness = 0.01; /* the default of those who published it */

typedef struct search {
    pc_context *context;
    const pc_graph *graph;
    uint64_t n; /* vertices */
    bool directed;
    pc_arcs arcs;
    bool is_leiden;
    uint64_t seed;
    double resolution;
    int n_iterations;
    uint64_t n_edges;
    uint64_t *block; /* [n] the community of each vertex */
    uint64_t n_blocks;
} search;

/* The input of igraph. All of it is freed in the end, whether it was made or not. */
typedef struct input {
    igraph_vector_int_t ends; /* from, to, from, to ... */
    igraph_vector_t weights;
    igraph_vector_t strengths; /* of vertices: the sum of their weights */
    igraph_vector_int_t communities;
    igraph_t graph;
    bool has_graph;
} input;

/* ---- Before igraph --------------------------------------------------------------------------- */

static pc_status take_method(search *s, const char *method)
{
    s->is_leiden = !method || strcmp(method, "leiden") == 0;
    if (!s->is_leiden && strcmp(method, "multilevel") != 0) {
        return pci_igraph_fail(s->context, PC_ERR_ARGUMENT,
                               "no method for communities is called '%.40s': it is leiden or "
                               "multilevel",
                               method);
    }
    if (!(s->resolution >= 0) || isinf(s->resolution)) {
        return pci_igraph_fail(s->context, PC_ERR_ARGUMENT,
                               "a resolution of %g makes no sense: 1 is modularity, more gives "
                               "smaller communities",
                               s->resolution);
    }
    if (s->n_iterations < 0) {
        return pci_igraph_fail(s->context, PC_ERR_ARGUMENT,
                               "%d iterations make no sense: give 1 or more, 0 for %d",
                               s->n_iterations, DEFAULT_ITERATIONS);
    }
    return PC_OK;
}

/* Whether an arc becomes an edge: each edge of an undirected graph does once, every arc of a
 * directed one does. */
static bool is_edge(const search *s, uint64_t row, uint64_t column)
{
    return s->directed || column >= row;
}

static pc_status count_edges(search *s)
{
    const pc_arcs *arcs = &s->arcs;
    for (uint64_t row = 0; row < s->n; row++)
        for (uint64_t a = arcs->row_start[row]; a < arcs->row_start[row + 1]; a++)
            s->n_edges += is_edge(s, row, arcs->column[a]);
    double need =
        (double)BYTES_AN_EDGE * (double)s->n_edges + (double)BYTES_A_VERTEX * (double)s->n;
    double available = (double)pc_context_memory_available(s->context);
    if (need <= available)
        return PC_OK;
    return pci_igraph_fail(s->context, PC_ERR_MEMORY,
                           "communities of this graph need about %.3g GB of memory, and there are "
                           "%.3g GB",
                           need / 1e9, available / 1e9);
}

/* ---- igraph ---------------------------------------------------------------------------------- */

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

static igraph_error_t fill_edges(const search *s, input *in)
{
    const pc_arcs *arcs = &s->arcs;
    igraph_error_t error = igraph_vector_int_resize(&in->ends, 2 * (igraph_integer_t)s->n_edges);
    if (error == IGRAPH_SUCCESS)
        error = igraph_vector_resize(&in->weights, (igraph_integer_t)s->n_edges);
    if (error != IGRAPH_SUCCESS)
        return error;
    uint64_t e = 0;
    for (uint64_t row = 0; row < s->n; row++) {
        for (uint64_t a = arcs->row_start[row]; a < arcs->row_start[row + 1]; a++) {
            if (is_edge(s, row, arcs->column[a])) {
                VECTOR(in->ends)[2 * e] = (igraph_integer_t)row;
                VECTOR(in->ends)[2 * e + 1] = (igraph_integer_t)arcs->column[a];
                VECTOR(in->weights)[e++] = arcs->weight ? (double)arcs->weight[a] : 1;
            }
        }
    }
    error = igraph_create(&in->graph, &in->ends, (igraph_integer_t)s->n, IGRAPH_UNDIRECTED);
    in->has_graph = error == IGRAPH_SUCCESS;
    return error;
}

/* The function that igraph's Leiden optimises depends on node weights and resolution. It is
 * modularity when the weight of a vertex is its strength and the resolution is divided by the sum
 * of the strengths. */
static igraph_error_t run_leiden(const search *s, input *in)
{
    igraph_error_t error = igraph_strength(&in->graph, &in->strengths, igraph_vss_all(), IGRAPH_ALL,
                                           IGRAPH_LOOPS, &in->weights);
    if (error != IGRAPH_SUCCESS)
        return error;
    igraph_integer_t n_communities;
    double resolution = s->resolution / igraph_vector_sum(&in->strengths), quality;
    return igraph_community_leiden(&in->graph, &in->weights, &in->strengths, resolution,
                                   leiden_randomness, false,
                                   s->n_iterations ? s->n_iterations : DEFAULT_ITERATIONS,
                                   &in->communities, &n_communities, &quality);
}

static igraph_error_t run(const search *s, input *in)
{
    if (s->is_leiden)
        return run_leiden(s, in);
    return igraph_community_multilevel(&in->graph, &in->weights, s->resolution, &in->communities,
                                       NULL, NULL);
}

/* Uses a random number generator of this call, so that the result depends on the seed alone.
 * Afterwards the generator of the process is as before. */
static igraph_error_t run_seeded(const search *s, input *in)
{
    igraph_rng_t *process = igraph_rng_default(), before, own;
    igraph_error_t error = igraph_rng_init(&own, &igraph_rngtype_pcg32);
    if (error != IGRAPH_SUCCESS)
        return error;
    error = igraph_rng_seed(&own, s->seed);
    if (error == IGRAPH_SUCCESS) {
        before = *process;
        *process = own;
        error = run(s, in);
        own = *process;
        *process = before;
    }
    igraph_rng_destroy(&own);
    return error;
}

static pc_status find_communities(search *s)
{
    pci_igraph_guard guard;
    input in;
    pc_status status = PC_OK;
    pci_igraph_enter(s->context, &guard);
    if (init_input(&in) || fill_edges(s, &in) || run_seeded(s, &in))
        status = pci_igraph_fail_call(&guard);
    for (uint64_t v = 0; v < s->n && status == PC_OK; v++)
        s->block[v] = (uint64_t)VECTOR(in.communities)[v];
    destroy_input(&in);
    pci_igraph_leave(&guard);
    return status;
}

/* ---- The partition --------------------------------------------------------------------------- */

/* Numbers communities, which are below n, by their first vertices. */
static void renumber(search *s, uint64_t *number)
{
    uint64_t n = s->n;
    for (uint64_t c = 0; c < n; c++)
        number[c] = n;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t *its = &number[s->block[v]];
        if (*its == n)
            *its = s->n_blocks++;
        s->block[v] = *its;
    }
}

static pc_status make_partition(search *s, pc_partition **partition)
{
    uint64_t n = s->n;
    uint64_t *number = malloc((n + 1) * sizeof *number);
    char(*text)[LABEL_BYTES] = malloc((n + 1) * sizeof *text);
    const char **labels = malloc((n + 1) * sizeof *labels);
    pc_status status;
    if (!number || !text || !labels) {
        status = pc_context_fail(s->context, PC_ERR_MEMORY, "out of memory for communities");
        goto done;
    }
    renumber(s, number);
    for (uint64_t b = 0; b < s->n_blocks; b++) {
        snprintf(text[b], sizeof text[b], "%" PRIu32, (uint32_t)b + 1);
        labels[b] = text[b];
    }
    status =
        pc_partition_from_arrays(s->context, s->graph, s->n_blocks, s->block, labels, partition);
done:
    free(number);
    free(text);
    free(labels);
    return status;
}

pc_status pc_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                uint64_t seed, double resolution, int n_iterations,
                                pc_partition **partition)
{
    if (!context || !graph || !partition)
        return pc_context_fail(context, PC_ERR_ARGUMENT, "graph or partition is NULL");
    search s = {.context = context,
                .graph = graph,
                .n = pc_graph_n_vertices(graph),
                .seed = seed,
                .resolution = resolution,
                .n_iterations = n_iterations};
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    s.directed = info.directed;
    pc_graph_arcs(graph, &s.arcs);
    pc_status status = take_method(&s, method);
    if (status == PC_OK)
        status = count_edges(&s);
    if (status != PC_OK)
        return status;
    s.block = malloc((s.n + 1) * sizeof *s.block);
    if (!s.block)
        return pc_context_fail(context, PC_ERR_MEMORY, "out of memory for communities");
    for (uint64_t v = 0; v < s.n; v++)
        s.block[v] = v; /* without edges each vertex is a community, which igraph need not find */
    if (s.n_edges > 0)
        status = find_communities(&s);
    if (status == PC_OK)
        status = make_partition(&s, partition);
    free(s.block);
    return status;
}
