/* Total paths over length. */
#ifndef CLI_LOOK_GROWTH_H
#define CLI_LOOK_GROWTH_H

#include "pathcount.h"

enum { CLI_GROWTH_LENGTHS = 1000000 }; /* at most */

typedef struct cli_growth {
    uint64_t n;   /* lengths 1..n */
    double *log2; /* [n] of the total of length i + 1; -INFINITY: there is no path */
} cli_growth;

/* PC_ERR_RANGE when there are too many lengths, PC_ERR_MEMORY; what pc_query_run returns. */
pc_status cli_growth_find(pc_context *context, const pc_graph *graph, pc_path_kind paths,
                          uint64_t length, cli_growth *growth);
void cli_growth_free(cli_growth *growth);

#endif
