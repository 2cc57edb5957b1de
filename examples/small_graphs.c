/* A stream of small graphs: how many triangles each has. A triangle is six closed paths of length 3:
 * three places to start, two ways round.
 *
 *     cc small_graphs.c $(pkg-config --cflags --libs pathcount) -o small_graphs
 *     ./small_graphs streams/connected4.g6
 */
#include <pathcount_stream.h>

#include <inttypes.h>
#include <stdio.h>

/* A row is a graph. The counts of one block all have as many words as its widest; these have one. */
static pc_status print_rows(void *user, const pc_rows *rows)
{
    (void)user;
    for (uint64_t g = 0; g < rows->n_rows; g++)
        printf("%" PRIu64 "\n", rows->limbs[g * rows->n_limbs] / 6);
    return PC_OK;
}

int main(int argc, char **argv)
{
    pc_context *context = NULL;
    pc_stream_query query = {.closed = 1, .length = 3};

    if (argc != 2) {
        fprintf(stderr, "usage: small_graphs FILE.g6\n");
        return 2;
    }
    if (pc_context_create(&context) != PC_OK) {
        fprintf(stderr, "small_graphs: out of memory\n");
        return 1;
    }
    int failed = pc_stream_run(context, argv[1], NULL, &query, NULL, print_rows, NULL) != PC_OK;
    if (failed)
        fprintf(stderr, "small_graphs: %s\n", pc_context_message(context));
    pc_context_free(context);
    return failed;
}
