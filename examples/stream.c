/* Row blocks passed to a callback: the number of all paths of a length, without ever holding the
 * matrix of counts. The sum is a GMP integer, since it may be wider than any count.
 *
 *     cc stream.c $(pkg-config --cflags --libs pathcount) -lgmp -o stream
 *     ./stream graphs/lesmis.txt 25
 */
#include <gmp.h>
#include <pathcount.h>

#include <stdio.h>
#include <stdlib.h>

/* Adds every count of the block to the total, an mpz_t. */
static pc_status add_rows(void *total, uint64_t length, const pc_rows *rows)
{
    (void)length;
    mpz_t count;
    mpz_init(count);
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        /* n_limbs words, least significant first */
        mpz_import(count, rows->n_limbs, -1, sizeof(uint64_t), 0, 0,
                   rows->limbs + e * rows->n_limbs);
        mpz_add(total, total, count);
    }
    mpz_clear(count);
    return PC_OK; /* anything else would stop the count */
}

int main(int argc, char **argv)
{
    pc_context *context = NULL;
    pc_graph *graph = NULL;
    mpz_t total;

    if (argc != 3) {
        fprintf(stderr, "usage: stream GRAPH LENGTH\n");
        return 2;
    }
    if (pc_context_create(&context) != PC_OK) {
        fprintf(stderr, "stream: out of memory\n");
        return 1;
    }
    mpz_init(total);
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = strtoull(argv[2], NULL, 10)};
    int failed = pc_graph_read(context, argv[1], PC_FORMAT_AUTO, NULL, &graph) ||
                 pc_query_run(context, graph, &query, NULL, add_rows, total);
    if (failed)
        fprintf(stderr, "stream: %s\n", pc_context_message(context));
    else
        gmp_printf("%Zd\n", total);

    mpz_clear(total);
    pc_graph_free(graph);
    pc_context_free(context);
    return failed;
}
