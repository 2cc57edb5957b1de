/* Whole matrices: counted, or asked for row by row. */
#include "src/cli/matrix.h"

#include <stdlib.h>

/* A query from every vertex; *all is to be free()d. */
static pc_status make_query(pc_context *context, const pc_graph *graph,
                            const cli_count_options *options, uint64_t **all, pc_query *query)
{
    uint64_t n = pc_graph_n_vertices(graph);
    *all = malloc((n + 1) * sizeof **all);
    if (*all == NULL)
        return pc_context_fail(context, PC_ERR_MEMORY, "no memory to ask for all vertices");
    for (uint64_t v = 0; v < n; v++)
        (*all)[v] = v;
    *query = (pc_query){.kind = PC_QUERY_FROM,
                        .paths = options->query.paths,
                        .length = options->length,
                        .n_asked = n,
                        .from = *all};
    return PC_OK;
}

pc_status cli_matrix_plan(pc_context *context, const pc_graph *graph,
                          const cli_count_options *options, pc_plan *plan)
{
    uint64_t *all = NULL;
    pc_query query;
    if (options->query.paths == PC_PATHS_ALL)
        return pc_plan_make(context, graph, options->length, &options->count, 0, plan);
    pc_status status = make_query(context, graph, options, &all, &query);
    if (status == PC_OK)
        status = pc_plan_query(context, graph, &query, &options->count, plan);
    free(all);
    return status;
}

typedef struct receiver {
    pc_rows_fn take;
    void *user;
} receiver;

static pc_status pass_on(void *user, uint64_t length, const pc_rows *rows)
{
    const receiver *r = user;
    (void)length;
    return r->take(r->user, rows);
}

pc_status cli_matrix_rows(pc_context *context, const pc_graph *graph,
                          const cli_count_options *options, pc_rows_fn take, void *user)
{
    uint64_t *all = NULL;
    pc_query query;
    if (options->query.paths == PC_PATHS_ALL)
        return pc_count_rows(context, graph, options->length, &options->count, take, user);
    pc_status status = make_query(context, graph, options, &all, &query);
    if (status == PC_OK)
        status =
            pc_query_run(context, graph, &query, &options->count, pass_on, &(receiver){take, user});
    free(all);
    return status;
}
