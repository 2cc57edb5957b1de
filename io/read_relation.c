/* Reading a relation: as a directed graph first, whose vertices are then told apart into rows and
 * columns. A label may be both. */
#include "io/read.h"

#include "graphs/builder.h"
#include "graphs/relation.h"

#include <string.h>

/* Which vertices are rows and which columns, a byte each. */
typedef struct sides {
    unsigned char *is_row, *is_column;
} sides;

/* Rows and columns of an edge list are the ends of its lines, also of those of weight 0. */
static void mark_ends(const pci_edges *edges, sides *marks)
{
    for (size_t p = 0; p < edges->n_parts; p++)
        for (uint64_t e = 0; e < edges->parts[p].n_edges; e++) {
            marks->is_row[edges->parts[p].edge[e].from] = 1;
            marks->is_column[edges->parts[p].edge[e].to] = 1;
        }
}

static pc_status mark_sides(pc_context *context, const pci_graph_draft *draft,
                            const pci_shape *shape, sides *marks)
{
    uint64_t n = draft->labels.n;
    marks->is_row = pci_alloc_zero(context, n, 2);
    if (!marks->is_row)
        return pci_fail_memory(context, "a relation", 2 * n);
    marks->is_column = marks->is_row + n;
    memset(marks->is_row, 1, shape->n_rows);
    memset(marks->is_column, 1, shape->n_columns);
    if (shape->n_rows == 0 && shape->n_columns == 0)
        mark_ends(&draft->edges, marks);
    return PC_OK;
}

pc_status pc_relation_read(pc_context *context, const char *path, const pc_graph_options *options,
                           pc_relation **relation)
{
    if (!context || !path || !relation)
        return pci_fail_null(context, "path or relation");
    pci_input input;
    pci_graph_draft draft = {0};
    pci_shape shape;
    sides marks = {NULL, NULL};
    pc_graph *graph;
    pc_status status = pci_input_open(context, path, &input);
    if (status)
        return status;
    status = pci_relation_read_draft(&input, options, &shape, &draft);
    pci_input_close(&input);
    if (status == PC_OK && (status = mark_sides(context, &draft, &shape, &marks)))
        pci_draft_free(context, &draft);
    if (status == PC_OK)
        status = pci_graph_build(context, &draft, &graph);
    if (status == PC_OK)
        status = pci_relation_from_graph(context, graph, marks.is_row, marks.is_column, relation);
    pci_free(context, marks.is_row);
    return status;
}
