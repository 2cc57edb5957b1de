/* Totals of all lengths in one query: a vector goes through the graph once. Exactly if that reaches
 * so far, else in doubles, which a picture cannot tell apart. */
#include "src/cli/look/growth.h"

#include <math.h>
#include <stdlib.h>

/* log2 of the first count of the rows, from its two leading words. */
static double log2_of_count(const pc_rows *rows)
{
    uint32_t n = rows->n_limbs;
    if (n == 0)
        return log2(rows->values[0]) + (double)rows->exponent; /* -INFINITY of 0 */
    while (n > 1 && rows->limbs[n - 1] == 0)
        n--;
    double below = n > 1 ? (double)rows->limbs[n - 2] * 0x1p-64 : 0;
    return log2((double)rows->limbs[n - 1] + below) + 64.0 * (n - 1);
}

static pc_status take_total(void *user, uint64_t length, const pc_rows *rows)
{
    cli_growth *growth = user;
    if (rows->n_rows == 0 || length == 0 || length > growth->n)
        return PC_OK;
    growth->log2[length - 1] = log2_of_count(rows);
    return PC_OK;
}

pc_status cli_growth_find(pc_context *context, const pc_graph *graph, pc_path_kind paths,
                          uint64_t length, cli_growth *growth)
{
    *growth = (cli_growth){0};
    if (length > CLI_GROWTH_LENGTHS)
        return pc_context_fail(context, PC_ERR_RANGE, "too many lengths to draw them all");
    double *log2 = malloc((length + 1) * sizeof *log2);
    if (log2 == NULL)
        return pc_context_fail(context, PC_ERR_MEMORY, "no memory for the totals of all lengths");
    for (uint64_t i = 0; i < length; i++)
        log2[i] = -INFINITY;
    *growth = (cli_growth){.n = length, .log2 = log2};
    if (length == 0)
        return PC_OK;
    pc_query query = {.kind = PC_QUERY_TOTAL, .paths = paths, .length = length, .each = 1};
    pc_count_options options = {0};
    pc_status status = pc_query_run(context, graph, &query, &options, take_total, growth);
    if (status == PC_ERR_RANGE && paths == PC_PATHS_ALL) {
        options.arithmetic = PC_FLOAT;
        status = pc_query_run(context, graph, &query, &options, take_total, growth);
    }
    if (status != PC_OK)
        cli_growth_free(growth);
    return status;
}

void cli_growth_free(cli_growth *growth)
{
    free(growth->log2);
    *growth = (cli_growth){0};
}
