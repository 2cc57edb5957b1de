/* Files of partitions, of a graph with integers or words as labels. */
#include "tests/fuzz/fuzz.h"

#include "io/readers.h"

static pc_graph *make_graph(pc_context *context, bool has_words)
{
    static const char words[] = "a b\nb \"c d\"\ne f\n", integers[] = "0 1\n1 2\n2 7\n";
    pc_graph *graph = NULL;
    pci_input input = pci_input_from_text(context, "graph", has_words ? words : integers,
                                          has_words ? sizeof words - 1 : sizeof integers - 1);
    if (pci_graph_read_input(&input, PC_FORMAT_EDGE_LIST, NULL, &graph) != PC_OK)
        fuzz_fail("no graph: %s", pc_context_message(context));
    return graph;
}

FUZZ(partition)
{
    fuzz_input rest = {data, size};
    pc_context *context = fuzz_context(1);
    pc_graph *graph = make_graph(context, fuzz_byte(&rest) & 1);
    pc_partition *partition = NULL;
    pc_partition_info info;
    pc_status status = pc_partition_read(context, graph, fuzz_path(rest.at, rest.size), &partition);
    fuzz_check_status(context, status, partition);
    if (partition) {
        uint64_t n = 0;
        pc_partition_get_info(partition, &info);
        for (uint64_t b = 0; b < info.n_blocks; b++)
            n += info.sizes[b];
        for (uint64_t v = 0; v < pc_graph_n_vertices(graph); v++)
            if (info.block[v] >= info.n_blocks)
                fuzz_fail("a vertex is in a block that is not there");
        if (n != pc_graph_n_vertices(graph))
            fuzz_fail("the sizes of blocks are not those of the graph");
    }
    pc_partition_free(partition);
    pc_graph_free(graph);
    pc_context_free(context);
}
