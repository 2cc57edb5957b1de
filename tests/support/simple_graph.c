/* Looks at the compressed rows of a graph, arc by arc. */
#include "tests/support/simple_graph.h"

#include "tests/support/fixture.h"

static bool has_arc(const pc_arcs *arcs, uint64_t row, uint32_t column)
{
    for (uint64_t a = arcs->row_start[row]; a < arcs->row_start[row + 1]; a++)
        if (arcs->column[a] == column)
            return true;
    return false;
}

void check_simple(const pc_graph *graph, bool directed)
{
    pc_graph_info info;
    pc_arcs arcs;
    bool simple = true;
    pc_graph_get_info(graph, &info);
    pc_graph_arcs(graph, &arcs);
    for (uint64_t row = 0; row < info.n_vertices; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++) {
            uint32_t column = arcs.column[a];
            simple = simple && column < info.n_vertices && column != row;
            simple = simple && (a == arcs.row_start[row] || column > arcs.column[a - 1]);
            simple = simple && (directed || has_arc(&arcs, column, (uint32_t)row));
        }
    CU_ASSERT(simple);
    CU_ASSERT_EQUAL(arcs.weight, NULL);
    CU_ASSERT_EQUAL(info.directed, (int)directed);
    CU_ASSERT_EQUAL(info.n_loops, 0);
    CU_ASSERT_EQUAL(info.n_arcs, arcs.row_start[info.n_vertices]);
    CU_ASSERT_EQUAL(info.n_arcs, (directed ? 1 : 2) * info.n_edges); /* the sum of all degrees */
}
