/* Whole matrices of any kind of path: planned, and counted row by row. */
#include "src/cli/matrix.h"

static pc_query query_of(const cli_count_options *options)
{
    return (pc_query){
        .kind = PC_QUERY_MATRIX, .paths = options->query.paths, .length = options->length};
}

pc_status cli_matrix_plan(pc_context *context, const pc_graph *graph,
                          const cli_count_options *options, pc_plan *plan)
{
    pc_query query = query_of(options);
    return pc_plan_query(context, graph, &query, &options->count, plan);
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
    pc_query query = query_of(options);
    return pc_query_run(context, graph, &query, &options->count, pass_on, &(receiver){take, user});
}
