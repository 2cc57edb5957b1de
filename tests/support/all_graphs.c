/* Reads what geng writes, a line of graph6 for each graph. */
#include "tests/support/all_graphs.h"

#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>

edge_set edge_set_of_graph6(const char *line)
{
    edge_set edges = edge_set_empty((uint64_t)(line[0] - 63), false);
    unsigned bit = 0;
    for (uint64_t v = 1; v < edges.n; v++)
        for (uint64_t u = 0; u < v; u++, bit++)
            if ((line[1 + bit / 6] - 63) >> (5 - bit % 6) & 1)
                edge_set_add(&edges, u, v, 1);
    return edges;
}

void for_all_graphs(uint64_t most, void (*check)(const edge_set *edges))
{
    static const int n_graphs[] = {0, 1, 2, 4, 11, 34, 156, 1044, 12346}; /* OEIS A000088 */
    if (system("command -v nauty-geng >/dev/null 2>&1"))
        test_skip("nauty-geng is not installed");
    for (uint64_t n = 1; n <= most && n <= 8; n++) {
        char command[64], line[64];
        int n_read = 0;
        snprintf(command, sizeof command, "nauty-geng -q %d", (int)n);
        FILE *graphs = popen(command, "r");
        CU_ASSERT_PTR_NOT_NULL_FATAL(graphs);
        for (; fgets(line, sizeof line, graphs); n_read++) {
            OWNED(edge_set) edges = edge_set_of_graph6(line);
            check(&edges);
        }
        CU_ASSERT_EQUAL(pclose(graphs), 0);
        CU_ASSERT_EQUAL(n_read, n_graphs[n]);
    }
}
