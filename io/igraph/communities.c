/* Communities that igraph finds in a process of its own, as a partition. */
#define _GNU_SOURCE /* memfd_create */
#include "io/igraph/guard.h"
#include "io/igraph/message.h"
#include "io/igraph/pathcount_igraph.h"
#include "src/core/variables.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    DEFAULT_ITERATIONS = 10,
    BYTES_AN_EDGE = 160,  /* of the arrays here, and of what igraph makes of them */
    BYTES_A_VERTEX = 200, /* the same, and labels of the communities */
    LEAST_BYTES = 64 << 20,
    BASES = 10,              /* of CPU time: see PATHCOUNT_IGRAPH_SECONDS */
    EDGES_A_BASE = 10000000, /* and another for so many edges, in each iteration */
    LABEL_BYTES = 20         /* of a number below 2^32 and a NUL */
};

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

/* Fills in the limits and the edges, each edge of an undirected graph once, every arc of a directed one, and runs the
 * process of igraph. */
static pc_status find_communities(pc_context *context, const pc_graph *graph, pci_igraph_task *task,
                                  int file)
{
    uint64_t n = task->n_vertices, n_edges = task->n_edges, e = 0, base_seconds;
    uint64_t *ends = task->word;
    double *weights = (double *)(task->word + 2 * n_edges);
    pc_arcs arcs;
    pc_graph_info info;
    pc_status status = pci_variable_read(context, PCI_VARIABLE_IGRAPH_SECONDS, &base_seconds);
    if (status != PC_OK)
        return status;
    uint64_t available = pc_context_memory_available(context);
    uint64_t least = LEAST_BYTES + BYTES_AN_EDGE * n_edges + BYTES_A_VERTEX * n;
    double seconds =
        (double)base_seconds * (BASES + (double)n_edges * task->n_iterations / EDGES_A_BASE);
    task->memory_bytes = available > least ? available : least;
    task->cpu_seconds = seconds < INT32_MAX ? (uint32_t)seconds : INT32_MAX;
    pc_graph_arcs(graph, &arcs);
    pc_graph_get_info(graph, &info);
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++) {
            if (!info.directed && arcs.column[a] < row)
                continue;
            ends[2 * e] = row;
            ends[2 * e + 1] = arcs.column[a];
            weights[e++] = arcs.weight ? (double)arcs.weight[a] : 1;
        }
    return pci_igraph_run(context, task, file, base_seconds);
}

/* Numbers communities, which are below n, by their first vertices, and makes them a partition. */
static pc_status make_partition(pc_context *context, const pc_graph *graph, uint64_t n,
                                uint64_t *block, pc_partition **partition)
{
    uint64_t *number = malloc((n + 1) * sizeof *number), n_blocks = 0;
    char(*text)[LABEL_BYTES] = malloc((n + 1) * sizeof *text);
    const char **labels = malloc((n + 1) * sizeof *labels);
    pc_status status = PC_ERR_MEMORY;
    if (number && text && labels) {
        for (uint64_t c = 0; c < n; c++)
            number[c] = n;
        for (uint64_t v = 0; v < n; v++) {
            uint64_t *its = &number[block[v]];
            if (*its == n)
                *its = n_blocks++;
            block[v] = *its;
        }
        for (uint64_t b = 0; b < n_blocks; b++) {
            snprintf(text[b], sizeof text[b], "%" PRIu32, (uint32_t)b + 1);
            labels[b] = text[b];
        }
        status = pc_partition_from_arrays(context, graph, n_blocks, block, labels, partition);
    } else {
        pc_context_fail(context, status, "out of memory for communities");
    }
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
    pc_arcs arcs;
    pc_graph_get_info(graph, &info);
    pc_graph_arcs(graph, &arcs);
    if (!arcs.column)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "the graph lies in parts in several processes, and communities need "
                               "all of its arcs: find them in one process");
    pc_status status = check_arguments(context, method, resolution, n_iterations);
    if (status != PC_OK)
        return status;
    uint64_t n = info.n_vertices, n_edges = info.n_edges;
    double need = (double)BYTES_AN_EDGE * (double)n_edges + (double)BYTES_A_VERTEX * (double)n;
    double available = (double)pc_context_memory_available(context);
    if (need > available)
        return pci_igraph_fail(context, PC_ERR_MEMORY,
                               "communities of this graph need about %.3g GB of memory, and there "
                               "are %.3g GB",
                               need / 1e9, available / 1e9);
    size_t bytes = sizeof(pci_igraph_task) + (3 * n_edges + n) * sizeof(uint64_t);
    pci_igraph_task *task = MAP_FAILED;
    int file = memfd_create("pathcount igraph", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
        task = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (task == MAP_FAILED) {
        status = pci_igraph_fail(context, PC_ERR_MEMORY,
                                 "communities: out of memory for their edges: %s", strerror(errno));
        goto done;
    }
    *task = (pci_igraph_task){.build = PCI_IGRAPH_BUILD,
                              .is_leiden = strcmp(method, "leiden") == 0,
                              .n_iterations =
                                  n_iterations ? (uint32_t)n_iterations : DEFAULT_ITERATIONS,
                              .n_vertices = n,
                              .n_edges = n_edges,
                              .seed = seed,
                              .resolution = resolution};
    uint64_t *block = task->word + 3 * n_edges;
    for (uint64_t v = 0; v < n; v++)
        block[v] = v; /* without edges each vertex is a community, which igraph need not find */
    if (n_edges > 0)
        status = find_communities(context, graph, task, file);
    if (status == PC_OK)
        status = make_partition(context, graph, n, block, partition);
    munmap(task, bytes);
done:
    if (file >= 0)
        close(file);
    return status;
}
