/* The tests of streams share these functions. */
#include "tests/support/stream_sample.h"

#include "tests/support/fixture.h"

#include "src/streams/stream.h"

#include <stdio.h>
#include <stdlib.h>

sample make_sample(uint64_t seed, size_t n_graphs, uint64_t most_vertices)
{
    random_source source = {seed};
    sample made = {.matrix = calloc(n_graphs + 1, sizeof(line_matrix)), .n = n_graphs};
    FILE *out = open_memstream(&made.text, &made.n_bytes);
    CU_ASSERT_FATAL(out != NULL && made.matrix != NULL);
    for (size_t g = 0; g < n_graphs; g++) {
        unsigned kind = (unsigned)random_below(&source, 3);
        made.matrix[g] = line_matrix_random(&source, random_below(&source, most_vertices + 1), 300,
                                            kind == 2, kind == 1);
        OWNED(char) *line =
            kind == 1 ? write_sparse6(&made.matrix[g]) : write_graph6(&made.matrix[g]);
        fprintf(out, "%s\n", line);
    }
    fclose(out);
    return made;
}

void free_sample(sample *made)
{
    for (size_t g = 0; g < made->n; g++)
        line_matrix_free(&made->matrix[g]);
    free(made->matrix);
    free(made->text);
}

pc_status read_stream(pc_context *context, const char *path, const sample *wanted, size_t *n_right)
{
    pci_stream_source *source = NULL;
    pci_listed graph = {.context = context};
    size_t n_graphs = 1, n_seen = 0;
    *n_right = 0;
    pc_status status = pci_stream_open(context, path, 0, &source);
    while (status == PC_OK && n_graphs > 0) {
        status = source->kind->next(source, &n_graphs);
        for (size_t i = 0; status == PC_OK && i < n_graphs; i++) {
            const char *flaw = NULL;
            status = source->kind->decode(source, i, true, &graph, &flaw);
            if (status == PC_ERR_DATA)
                status = source->kind->fail(source, i, flaw);
            else if (status)
                status = pc_context_fail(context, status, "decoding failed");
            else if (wanted && n_seen < wanted->n)
                *n_right += is_listed_as(&graph, &wanted->matrix[n_seen], true);
            n_seen += status == PC_OK;
        }
    }
    pci_listed_free(&graph);
    if (source)
        source->kind->close(source);
    if (!wanted)
        *n_right = n_seen;
    else
        CU_ASSERT(n_seen <= wanted->n);
    return status;
}

void check_stream(const char *path, const sample *wanted)
{
    OWNED(pc_context) *context = new_context(0);
    size_t n_right;
    pc_status status = read_stream(context, path, wanted, &n_right);
    if (status)
        printf("\n    %s\n", pc_context_message(context));
    CU_ASSERT_EQUAL(status, PC_OK);
    CU_ASSERT_EQUAL(n_right, wanted->n);
}

pc_status read_quietly(pc_context *context, void *user)
{
    size_t n_right;
    return read_stream(context, user, NULL, &n_right);
}
