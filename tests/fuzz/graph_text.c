/* The readers of graphs: the first byte chooses format, options and threads, the rest is the text. */
#include "tests/fuzz/fuzz.h"

#include "io/read.h"

#include <stdlib.h>

FUZZ(graph_text)
{
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    const pc_graph_options options = {.direction = (pc_direction)(choice % 3),
                                      .weights = choice >> 2 & 1,
                                      .multigraph = choice >> 3 & 1,
                                      .n_vertices = choice >> 4 & 1 ? 3 : 0};
    pc_format format = choice >> 5 & 1 ? PC_FORMAT_MATRIX_MARKET : PC_FORMAT_AUTO;
    pc_context *context = fuzz_context(choice >> 6 & 1 ? 3 : 1);
    char *text = fuzz_text(&rest);
    pci_input input = pci_input_from_text(context, "fuzz", text, rest.size);
    pc_graph *graph = NULL;
    pc_status status = pci_graph_read_input(&input, format, &options, &graph);
    fuzz_check_status(context, status, graph);
    if (graph)
        fuzz_check_graph(graph);
    pc_graph_free(graph);
    pc_context_free(context);
    free(text);
}
