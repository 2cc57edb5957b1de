/* Fuzz target for graph6, sparse6 and digraph6, as a line alone and as a graph file: the first byte
 * chooses, the rest is the text. What is decoded must be in order; what is not must have a reason. */
#include "io/graph6.h"

#include "io/read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rows(const pci_listed *graph)
{
    uint64_t n = graph->n_vertices;
    if (n > PCI_SMALL_VERTICES)
        abort();
    for (uint64_t i = 0; i < n; i++) {
        if (n < PCI_SMALL_VERTICES && graph->row[i] >> n)
            abort();
        for (uint64_t j = 0; j < n && !graph->is_directed; j++)
            if ((graph->row[i] >> j & 1) != (graph->row[j] >> i & 1))
                abort();
    }
}

static void check_listed(const pci_listed *graph, size_t n_bytes)
{
    if (graph->is_small)
        check_rows(graph);
    else if (graph->n_edges > graph->capacity || graph->n_edges > 6 * n_bytes)
        abort();
    for (uint64_t e = 0; !graph->is_small && e < graph->n_edges; e++)
        if (graph->from[e] >= graph->n_vertices || graph->to[e] >= graph->n_vertices)
            abort();
}

static void decode(pc_context *context, const char *text, size_t n_bytes, bool keep_repeats)
{
    pci_listed graph = {.context = context};
    const char *flaw = NULL;
    pc_status status = pci_graph6_decode(text, n_bytes, keep_repeats, &graph, &flaw);
    if (status == PC_OK)
        check_listed(&graph, n_bytes);
    else if (status != PC_ERR_DATA || !flaw)
        abort();
    pci_listed_free(&graph);
}

static void read_file(pc_context *context, const char *text, size_t n_bytes)
{
    pci_input input = pci_input_from_text(context, "fuzz", text, n_bytes);
    pc_graph *graph = NULL;
    pc_status status = pci_graph_read_input(&input, PC_FORMAT_GRAPH6, NULL, &graph);
    if (status != PC_OK && (graph || *pc_context_message(context) == 0))
        abort();
    pc_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pc_context *context;
    if (size == 0 || pc_context_create(&context) != PC_OK)
        return 0;
    pc_context_set_threads(context, 1);
    pc_context_set_memory_limit(context, 1 << 24);
    char *text = malloc(size - 1); /* its own block, so that a read beyond the end is seen */
    if (size > 1)
        memcpy(text, data + 1, size - 1);
    if (data[0] & 2)
        read_file(context, text, size - 1);
    else
        decode(context, text, size - 1, data[0] & 1);
    pc_context_free(context);
    free(text);
    return 0;
}
