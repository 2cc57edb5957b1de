/* Communities that igraph finds in a process of its own, as a partition. */
#define _GNU_SOURCE /* secure_getenv */
#include "io/igraph/guard.h"
#include "io/igraph/message.h"
#include "io/igraph/pathcount_igraph.h"
#include "src/core/variables.h"
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_ITERATIONS = 10,
    BYTES_AN_EDGE = 160,  /* of the vectors here, and of what igraph makes of them */
    BYTES_A_VERTEX = 200, /* the same, and labels of the communities */
    LEAST_BYTES = 64 << 20,
    BASES = 10,              /* of CPU time: see PATHCOUNT_IGRAPH_SECONDS */
    EDGES_A_BASE = 10000000, /* and another for so many edges, in each iteration */
    LABEL_BYTES = 20         /* of a number below 2^32 and a NUL */
};

typedef struct search {
    pc_context *context;
    const pc_graph *graph;
    uint64_t n; /* vertices */
    bool directed;
    pc_arcs arcs;
    pci_igraph_task task;
    uint64_t *block; /* [n] the community of each vertex */
    uint64_t n_blocks;
} search;

/* ---- Before igraph --------------------------------------------------------------------------- */

static pc_status check_arguments(pc_context *context, const char *method, double resolution,
                                 int n_iterations)
{
    if (strcmp(method, "leiden") != 0 && strcmp(method, "multilevel") != 0)
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "no method for communities is called '%.40s': it is leiden or "
                               "multilevel",
                               method);
    if (!(resolution >= 0) || isinf(resolution))
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "a resolution of %g makes no sense: 1 is modularity, more gives "
                               "smaller communities",
                               resolution);
    if (n_iterations < 0)
        return pci_igraph_fail(context, PC_ERR_ARGUMENT,
                               "%d iterations make no sense: give 1 or more, 0 for %d",
                               n_iterations, DEFAULT_ITERATIONS);
    return PC_OK;
}

/* Tells if an arc becomes an edge: each edge of an undirected graph does once, every arc of a
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
            s->task.n_edges += is_edge(s, row, arcs->column[a]);
    double need =
        (double)BYTES_AN_EDGE * (double)s->task.n_edges + (double)BYTES_A_VERTEX * (double)s->n;
    double available = (double)pc_context_memory_available(s->context);
    if (need <= available)
        return PC_OK;
    return pci_igraph_fail(s->context, PC_ERR_MEMORY,
                           "communities of this graph need about %.3g GB of memory, and there are "
                           "%.3g GB",
                           need / 1e9, available / 1e9);
}

/* ---- The process of igraph ------------------------------------------------------------------- */

/* Ends, from, to, from, to ..., and weights. */
static void list_edges(const search *s, uint64_t *ends, double *weights)
{
    const pc_arcs *arcs = &s->arcs;
    uint64_t e = 0;
    for (uint64_t row = 0; row < s->n; row++) {
        for (uint64_t a = arcs->row_start[row]; a < arcs->row_start[row + 1]; a++) {
            if (is_edge(s, row, arcs->column[a])) {
                ends[2 * e] = row;
                ends[2 * e + 1] = arcs->column[a];
                weights[e++] = arcs->weight ? (double)arcs->weight[a] : 1;
            }
        }
    }
}

static pc_status find_communities(search *s)
{
    uint64_t n_edges = s->task.n_edges, base_seconds;
    uint64_t available = pc_context_memory_available(s->context);
    uint64_t least = LEAST_BYTES + BYTES_AN_EDGE * n_edges + BYTES_A_VERTEX * s->n;
    pc_status status = pci_variable_read(s->context, PCI_VARIABLE_IGRAPH_SECONDS, &base_seconds);
    if (status != PC_OK)
        return status;
    double seconds =
        (double)base_seconds * (BASES + (double)n_edges * s->task.n_iterations / EDGES_A_BASE);
    s->task.memory_bytes = available > least ? available : least;
    s->task.cpu_seconds = seconds < INT32_MAX ? (uint32_t)seconds : INT32_MAX;
    uint64_t *ends = malloc(2 * n_edges * sizeof *ends);
    double *weights = malloc(n_edges * sizeof *weights);
    if (ends && weights) {
        list_edges(s, ends, weights);
        status = pci_igraph_ask(s->context, &s->task, ends, weights, base_seconds, s->block);
    } else {
        status = pc_context_fail(s->context, PC_ERR_MEMORY, "out of memory for communities");
    }
    free(ends);
    free(weights);
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
    method = method ? method : "leiden";
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    search s = {.context = context,
                .graph = graph,
                .n = pc_graph_n_vertices(graph),
                .directed = info.directed,
                .task = {.build = PCI_IGRAPH_BUILD,
                         .is_leiden = strcmp(method, "leiden") == 0,
                         .n_iterations = n_iterations ? (uint32_t)n_iterations : DEFAULT_ITERATIONS,
                         .n_vertices = pc_graph_n_vertices(graph),
                         .seed = seed,
                         .resolution = resolution}};
    pc_graph_arcs(graph, &s.arcs);
    if (!s.arcs.column)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "the graph lies in parts in several processes, and communities need "
                               "all of its arcs: find them in one process");
    pc_status status = check_arguments(context, method, resolution, n_iterations);
    if (status == PC_OK)
        status = count_edges(&s);
    if (status != PC_OK)
        return status;
    s.block = malloc((s.n + 1) * sizeof *s.block);
    if (!s.block)
        return pc_context_fail(context, PC_ERR_MEMORY, "out of memory for communities");
    for (uint64_t v = 0; v < s.n; v++)
        s.block[v] = v; /* without edges each vertex is a community, which igraph need not find */
    if (s.task.n_edges > 0)
        status = find_communities(&s);
    if (status == PC_OK)
        status = make_partition(&s, partition);
    free(s.block);
    return status;
}
