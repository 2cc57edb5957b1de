/* Files of vertices (--from @FILE) and of pairs (--pairs FILE) for a query. */
#include "io/readers.h"
#include "src/cli/kinds.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

FUZZ(vertices)
{
    static const char text[] = "a b\nb \"c d\"\n1 2\n";
    fuzz_input rest = {data, size};
    bool in_pairs = fuzz_byte(&rest) & 1;
    pc_context *context = fuzz_context(1);
    pc_graph *graph = NULL;
    pci_input input = pci_input_from_text(context, "graph", text, sizeof text - 1);
    if (pci_graph_read_input(&input, PC_FORMAT_EDGE_LIST, NULL, &graph) != PC_OK)
        fuzz_fail("no graph: %s", pc_context_message(context));
    char name[80];
    snprintf(name, sizeof name, "%s%s", in_pairs ? "" : "@", fuzz_path(rest.at, rest.size));
    cli_named named = {name, NULL};
    const cli_query_options query = {
        .question = in_pairs ? CLI_ASK_PAIRS : CLI_ASK_FROM, .named = &named, .n_named = 1};
    cli_vertices found = {0};
    pc_status status = cli_vertices_find(context, graph, "graph", &query, &found);
    fuzz_check_status(context, status, status == PC_OK ? &found : NULL);
    for (size_t i = 0; i < found.n; i++)
        if (found.from[i] >= pc_graph_n_vertices(graph) ||
            found.to[i] >= pc_graph_n_vertices(graph) ||
            (!in_pairs && found.from[i] != found.to[i]))
            fuzz_fail("a vertex that is not there");
    cli_vertices_free(&found);
    pc_graph_free(graph);
    pc_context_free(context);
}
