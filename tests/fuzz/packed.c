/* Packed files (gz, zst, xz, bz2) and plain ones, through a file: as a text, a graph or a relation, which the
 * first byte chooses. */
#include "pathcount_chain.h"
#include "tests/fuzz/fuzz.h"
#include "tool.h"

static pc_status read_each_byte(void *user, const char *text, size_t n_bytes)
{
    unsigned *sum = user;
    for (size_t i = 0; i < n_bytes; i++)
        *sum += (unsigned char)text[i];
    return PC_OK;
}

static void read_graph(pc_context *context, const char *path)
{
    pc_graph *graph = NULL;
    pc_status status = pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph);
    fuzz_check_status(context, status, graph);
    if (graph)
        fuzz_check_graph(graph);
    pc_graph_free(graph);
}

static void read_relation(pc_context *context, const char *path)
{
    pc_relation *relation = NULL;
    const pc_graph_options options = {.weights = 1, .multigraph = 1};
    pc_status status = pc_relation_read(context, path, &options, &relation);
    fuzz_check_status(context, status, relation);
    pc_relation_free(relation);
}

FUZZ(packed)
{
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    pc_context *context = fuzz_context(choice & 2 ? 3 : 1);
    const char *path = fuzz_path(rest.at, rest.size);
    unsigned sum = 0;
    if (choice & 4) {
        read_relation(context, path);
    } else if (choice & 1) {
        read_graph(context, path);
    } else {
        pc_status status = pc_text_read(context, path, read_each_byte, &sum);
        fuzz_check_status(context, status, status == PC_OK ? &sum : NULL);
    }
    pc_context_free(context);
}
