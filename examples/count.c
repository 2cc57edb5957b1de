/* The smallest complete program: how many paths of a length lead from one vertex to another?
 *
 *     cc count.c $(pkg-config --cflags --libs pathcount) -o count
 *     ./count graphs/karate.txt 8 1 34
 */
#include <pathcount.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    pc_context *context = NULL;
    pc_graph *graph = NULL;
    pc_counts *counts = NULL;
    pc_rows matrix;
    uint64_t from, to;
    char text[4096]; /* the widest count has 3,312 digits */

    if (argc != 5) {
        fprintf(stderr, "usage: count GRAPH LENGTH FROM TO\n");
        return 2;
    }
    if (pc_context_create(&context) != PC_OK) {
        fprintf(stderr, "count: out of memory\n");
        return 1;
    }
    /* PC_OK is 0: the first call that fails ends the chain. NULL options are the defaults. */
    int failed = pc_graph_read(context, argv[1], PC_FORMAT_AUTO, NULL, &graph) ||
                 pc_graph_find(context, graph, argv[3], &from) ||
                 pc_graph_find(context, graph, argv[4], &to) ||
                 pc_count(context, graph, strtoull(argv[2], NULL, 10), NULL, &counts);
    if (!failed) {
        pc_counts_rows(counts, &matrix);
        failed = pc_rows_text(&matrix, from * matrix.n_columns + to, text, sizeof text, NULL);
    }
    if (failed)
        fprintf(stderr, "count: %s\n", pc_context_message(context));
    else
        puts(text);

    pc_counts_free(counts);
    pc_graph_free(graph);
    pc_context_free(context);
    return failed;
}
