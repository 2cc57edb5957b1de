/* The readers of graphs: the first byte chooses format, options and threads, where its top bit is set the
 * second one another format, or the third one columns; the rest is the text. */
#include "tests/fuzz/fuzz.h"

#include "io/readers.h"

#include <stdlib.h>

/* Chooses one of all formats, or an edge list with some columns. */
static pc_format choose_more(fuzz_input *rest, pc_graph_options *options)
{
    static const char *const columns[] = {NULL, "1,2", "3,1,2", "from,to"};
    static const char *const separators[] = {NULL, ";", "tab", "space"};
    uint8_t choice = fuzz_byte(rest);
    if (choice % (PC_FORMAT_DL + 1) > PC_FORMAT_EDGE_LIST)
        return (pc_format)(choice % (PC_FORMAT_DL + 1));
    choice = fuzz_byte(rest);
    options->columns = columns[choice >> 4 & 3];
    options->separator = separators[choice >> 6];
    options->header = (pc_header)(choice % 3);
    return PC_FORMAT_EDGE_LIST;
}

FUZZ(graph_text)
{
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    pc_graph_options options = {.direction = (pc_direction)(choice % 3),
                                .weights = choice >> 2 & 1,
                                .real_weights = size & 1,
                                .multigraph = choice >> 3 & 1,
                                .n_vertices = choice >> 4 & 1 ? 3 : 0};
    pc_format format = choice >> 5 & 1 ? PC_FORMAT_MATRIX_MARKET : PC_FORMAT_AUTO;
    if (choice >> 7)
        format = choose_more(&rest, &options);
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
