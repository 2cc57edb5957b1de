/* Fuzz target for the readers: the first byte chooses format, options and threads, the rest is the
 * text. Whatever it is, the call must end with a graph that is in order or with a message. */
#include "io/read.h"

#include "graphs/graph.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_graph(const pc_graph *graph)
{
    char label[32];
    for (uint64_t row = 0; row < graph->n; row++)
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++)
            if (graph->column[a] >= graph->n || (graph->weight && graph->weight[a] == 0) ||
                (a > graph->row_start[row] && graph->column[a] <= graph->column[a - 1]))
                abort();
    if (graph->n > 0)
        graph_label(graph, graph->n - 1, label, sizeof label);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    uint8_t choice = data[0];
    const pc_graph_options options = {.direction = (pc_direction)(choice % 3),
                                      .weights = choice >> 2 & 1,
                                      .multigraph = choice >> 3 & 1,
                                      .n_vertices = choice >> 4 & 1 ? 3 : 0};
    pc_format format = choice >> 5 & 1 ? PC_FORMAT_MATRIX_MARKET : PC_FORMAT_AUTO;
    pc_context *context;
    if (pc_context_create(&context) != PC_OK)
        return 0;
    pc_context_set_threads(context, choice >> 6 & 1 ? 3 : 1);
    pc_context_set_memory_limit(context, 1 << 24);
    char *text = malloc(size - 1); /* its own block, so that a read beyond the end is seen */
    if (size > 1)
        memcpy(text, data + 1, size - 1);
    pci_input input = pci_input_from_text(context, "fuzz", text, size - 1);
    pc_graph *graph = NULL;
    pc_status status = pci_graph_read_input(&input, format, &options, &graph);
    if (status == PC_OK)
        check_graph(graph);
    else if (*pc_context_message(context) == 0 || graph)
        abort();
    pc_graph_free(graph);
    pc_context_free(context);
    free(text);
    return 0;
}
