/* What igraph's process answers, from any bytes: its header, then its parts. The sizes of the parts are taken
 * from the input as far as there are bytes, so that many answers come near to right ones. */
#include "graphs/igraph_read.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 1000 };

static void take_part(fuzz_input *rest, pci_igraph_message *answer, int part, size_t n_bytes)
{
    n_bytes = n_bytes < rest->size ? n_bytes : rest->size;
    char *bytes = malloc(n_bytes + 1);
    if (!bytes)
        fuzz_fail("no memory for a part");
    memcpy(bytes, n_bytes > 0 ? (const char *)rest->at : "", n_bytes);
    bytes[n_bytes] = '\0';
    answer->part[part] = bytes;
    answer->header.n_bytes[part] = n_bytes;
    rest->at += n_bytes;
    rest->size -= n_bytes;
}

FUZZ(igraph_answer)
{
    fuzz_input rest = {data, size};
    static const uint64_t most[PCI_IGRAPH_PARTS] = {200, 4096, 2048, 4096};
    pci_igraph_message answer = {0};
    pc_context *context = fuzz_context(1);
    uint8_t choice = fuzz_byte(&rest);
    const pc_graph_options options = {.direction = (pc_direction)(choice % 3),
                                      .weights = choice >> 2 & 1,
                                      .multigraph = choice >> 3 & 1};
    pc_graph *graph = NULL;
    answer.header.direction = fuzz_byte(&rest);
    answer.header.n_vertices = fuzz_byte(&rest) | (uint64_t)fuzz_byte(&rest) << 8;
    uint8_t n_ends = fuzz_byte(&rest), n_weights = fuzz_byte(&rest);
    take_part(&rest, &answer, PCI_IGRAPH_TEXT, fuzz_byte(&rest));
    take_part(&rest, &answer, PCI_IGRAPH_NUMBERS, 8 * (size_t)n_ends + (choice >> 4 & 7));
    take_part(&rest, &answer, PCI_IGRAPH_WEIGHTS, 8 * (size_t)n_weights);
    take_part(&rest, &answer, PCI_IGRAPH_LABELS, rest.size);
    if (pci_igraph_message_fits(&answer.header, most)) {
        pc_status status = pci_igraph_take_answer(context, &answer, MOST_VERTICES, "fuzz",
                                                  choice >> 7 ? NULL : &options, &graph);
        fuzz_check_status(context, status, graph);
        if (graph)
            fuzz_check_graph(graph);
        if (graph && pc_graph_n_vertices(graph) != answer.header.n_vertices)
            fuzz_fail("another number of vertices");
    }
    pc_graph_free(graph);
    pci_igraph_message_free(&answer);
    pc_context_free(context);
}
