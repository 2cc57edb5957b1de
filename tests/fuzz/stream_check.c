/* Reading a stream to its end. */
#include "tests/fuzz/stream_check.h"

#include "src/streams/stream.h"
#include "tests/fuzz/fuzz.h"

static void check_listed(const pci_listed *graph, size_t n_bytes)
{
    uint64_t n = graph->n_vertices;
    for (uint64_t i = 0; graph->is_small && i < n; i++)
        if (n > PCI_SMALL_VERTICES || (n < PCI_SMALL_VERTICES && graph->row[i] >> n))
            fuzz_fail("a row of a small graph has a vertex out of range");
    if (!graph->is_small && (graph->n_edges > graph->capacity || graph->n_edges > 6 * n_bytes))
        fuzz_fail("there are more edges than room or bits");
    for (uint64_t e = 0; !graph->is_small && e < graph->n_edges; e++)
        if (graph->from[e] >= n || graph->to[e] >= n)
            fuzz_fail("an edge has a vertex out of range");
}

static pc_status decode_chunk(pci_stream_source *source, size_t n_graphs, bool keep_repeats,
                              pci_listed *graph, size_t n_bytes)
{
    for (size_t i = 0; i < n_graphs; i++) {
        const char *flaw = NULL;
        pc_status status = source->kind->decode(source, i, keep_repeats, graph, &flaw);
        if (status == PC_ERR_DATA && flaw)
            return source->kind->fail(source, i, flaw);
        if (status == PC_ERR_MEMORY)
            return pc_context_fail(graph->context, status, "no memory for a graph");
        if (status != PC_OK)
            fuzz_fail("status %d without a flaw", (int)status);
        check_listed(graph, n_bytes);
    }
    return PC_OK;
}

void fuzz_check_stream(const char *path, bool keep_repeats, size_t n_bytes)
{
    pc_context *context = fuzz_context(1);
    pci_stream_source *source = NULL;
    pci_listed graph = {.context = context};
    size_t n_graphs = 1;
    pc_status status = pci_stream_open(context, path, 0, &source);
    fuzz_check_status(context, status, source);
    while (status == PC_OK && n_graphs > 0) {
        status = source->kind->next(source, &n_graphs);
        if (status == PC_OK)
            status = decode_chunk(source, n_graphs, keep_repeats, &graph, n_bytes);
    }
    fuzz_check_status(context, status, status == PC_OK ? &graph : NULL);
    pci_listed_free(&graph);
    if (source)
        source->kind->close(source);
    pc_context_free(context);
}
