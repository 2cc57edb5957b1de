/* graph6, sparse6 and digraph6, as a line alone and as a graph file: the first byte chooses, the rest is
 * the text. What is decoded must be in order; what is not must have a reason. */
#include "io/graph6.h"

#include "io/readers.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void check_rows(const pci_listed *graph)
{
    uint64_t n = graph->n_vertices;
    if (n > PCI_SMALL_VERTICES)
        fuzz_fail("a small graph has more than 64 vertices");
    for (uint64_t i = 0; i < n; i++) {
        if (n < PCI_SMALL_VERTICES && graph->row[i] >> n)
            fuzz_fail("a row has a vertex out of range");
        for (uint64_t j = 0; j < n && !graph->is_directed; j++)
            if ((graph->row[i] >> j & 1) != (graph->row[j] >> i & 1))
                fuzz_fail("an undirected graph is not symmetric");
    }
}

static void check_listed(const pci_listed *graph, size_t n_bytes)
{
    if (graph->is_small)
        check_rows(graph);
    else if (graph->n_edges > graph->capacity || graph->n_edges > 6 * n_bytes)
        fuzz_fail("there are more edges than room or bits");
    for (uint64_t e = 0; !graph->is_small && e < graph->n_edges; e++)
        if (graph->from[e] >= graph->n_vertices || graph->to[e] >= graph->n_vertices)
            fuzz_fail("an edge has a vertex out of range");
}

static void decode(pc_context *context, const char *text, size_t n_bytes, bool keep_repeats)
{
    pci_listed graph = {.context = context};
    const char *flaw = NULL;
    pc_status status = pci_graph6_decode(text, n_bytes, keep_repeats, &graph, &flaw);
    if (status == PC_OK)
        check_listed(&graph, n_bytes);
    else if (status != PC_ERR_DATA || !flaw)
        fuzz_fail("status %d without a flaw", (int)status);
    pci_listed_free(&graph);
}

static void read_file(pc_context *context, const char *text, size_t n_bytes)
{
    pci_input input = pci_input_from_text(context, "fuzz", text, n_bytes);
    pc_graph *graph = NULL;
    pc_status status = pci_graph_read_input(&input, PC_FORMAT_GRAPH6, NULL, &graph);
    fuzz_check_status(context, status, graph);
    pc_graph_free(graph);
}

FUZZ(graph6)
{
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    pc_context *context = fuzz_context(1);
    char *text = fuzz_text(&rest);
    if (choice & 2)
        read_file(context, text, rest.size);
    else
        decode(context, text, rest.size, choice & 1);
    pc_context_free(context);
    free(text);
}
