/* Relations: made from graphs and arrays, transposed; accessors. */
#include "graphs/graph.h"

#include <inttypes.h>
#include <string.h>

static pc_relation *create(pc_context *context)
{
    pc_relation *made = pci_alloc_zero(context, 1, sizeof *made);
    if (made)
        made->context = context;
    return made;
}

void pc_relation_free(pc_relation *relation)
{
    if (!relation)
        return;
    pc_context *context = relation->context;
    pci_sparse_free(context, &relation->matrix);
    pci_labels_free(context, &relation->rows);
    pci_labels_free(context, &relation->columns);
    pci_free(context, relation);
}

/* Moves the arrays of the graph to the matrix, whose rows and columns are all vertices. */
static void take_arrays(pc_graph *graph, pc_relation *relation)
{
    relation->info = (pc_relation_info){.n_entries = pci_graph_n_arcs(graph),
                                        .n_duplicates = graph->info.n_duplicates,
                                        .max_weight = graph->info.max_weight,
                                        .weights_ignored = graph->info.weights_ignored,
                                        .duplicates_added = graph->info.duplicates_added,
                                        .format = graph->info.format};
    memcpy(relation->note, graph->note, sizeof relation->note);
    relation->matrix = pci_graph_matrix(graph);
    relation->matrix.is_borrowed = false;
    graph->row_start = NULL;
    graph->column = NULL;
    graph->weight = NULL;
}

pc_status pci_relation_from_graph(pc_context *context, pc_graph *graph, const unsigned char *is_row,
                                  const unsigned char *is_column, pc_relation **relation)
{
    size_t bytes = (graph->n + 1) * sizeof(uint32_t);
    uint32_t *number = pci_alloc(context, bytes);
    pc_relation *made = create(context);
    pc_status status;
    if (!number || !made) {
        status = pci_fail_memory(context, "a relation", bytes);
        goto done;
    }
    if ((status = pci_labels_select(context, &graph->labels, is_row, &made->rows)) ||
        (status = pci_labels_select(context, &graph->labels, is_column, &made->columns)))
        goto done;
    take_arrays(graph, made);
    pci_sparse *matrix = &made->matrix;
    uint64_t n_rows = 0, n_columns = 0;
    for (uint64_t v = 0; v < matrix->n_rows; v++) {
        if (is_row[v]) /* others have no entries */
            matrix->row_start[n_rows++] = matrix->row_start[v];
        number[v] = (uint32_t)n_columns;
        n_columns += is_column[v] != 0;
    }
    for (uint64_t e = 0, n = graph->info.n_arcs; e < n; e++)
        matrix->column[e] = number[matrix->column[e]];
    matrix->row_start[n_rows] = graph->info.n_arcs;
    matrix->n_rows = n_rows;
    matrix->n_columns = n_columns;
    *relation = made;
    made = NULL;
done:
    pc_relation_free(made);
    pci_free(context, number);
    pc_graph_free(graph);
    return status;
}

static pc_status check_entries(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                               uint64_t n_entries, const uint64_t *row, const uint64_t *column)
{
    if (n_rows > PCI_MAX_GRAPH_VERTICES || n_columns > PCI_MAX_GRAPH_VERTICES)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a relation of %" PRIu64 " rows and %" PRIu64 " columns: at most %" PRIu64
                        " of each are possible",
                        n_rows, n_columns, PCI_MAX_GRAPH_VERTICES);
    if (n_entries > 0 && (!row || !column))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "entries of a relation without an array of their rows and columns");
    for (uint64_t e = 0; e < n_entries; e++)
        if (row[e] >= n_rows || column[e] >= n_columns)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "entry %" PRIu64 " is at row %" PRIu64 " and column %" PRIu64
                            ", counted from 0, of a relation of %" PRIu64 " rows and %" PRIu64
                            " columns",
                            e, row[e], column[e], n_rows, n_columns);
    return PC_OK;
}

pc_status pc_relation_from_arrays(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                                  uint64_t n_entries, const uint64_t *row, const uint64_t *column,
                                  const uint64_t *weight, const char *const *row_labels,
                                  const char *const *column_labels, pc_relation **relation)
{
    if (!context || !relation)
        return pci_fail_null(context, "relation");
    const pc_graph_options adding = {.direction = PC_DIRECTED, .multigraph = 1};
    const pc_edges edges = {.n_vertices = n_rows > n_columns ? n_rows : n_columns,
                            .n_edges = n_entries,
                            .from = row,
                            .to = column,
                            .weight = weight};
    pc_relation *made = create(context);
    pc_graph *graph = NULL;
    pc_status status = made ? PC_OK : pci_fail_memory(context, "a relation", sizeof *made);
    if (status || (status = check_entries(context, n_rows, n_columns, n_entries, row, column)) ||
        (status = pci_labels_from_texts(context, "row", "rows", n_rows, row_labels, &made->rows)) ||
        (status = pci_labels_from_texts(context, "column", "columns", n_columns, column_labels,
                                        &made->columns)) ||
        (status = pc_graph_from_edges(context, &edges, &adding, &graph)))
        goto done;
    take_arrays(graph, made); /* rows beyond n_rows have no entries */
    made->matrix.n_rows = n_rows;
    made->matrix.n_columns = n_columns;
    *relation = made;
    made = NULL;
done:
    pc_graph_free(graph);
    pc_relation_free(made);
    return status;
}

pc_status pci_relation_transpose(pc_context *context, const pc_relation *relation,
                                 pc_relation **transposed)
{
    pc_relation *made = create(context);
    pc_status status;
    if (!made)
        return pci_fail_memory(context, "a relation", sizeof *made);
    if ((status = pci_labels_select(context, &relation->columns, NULL, &made->rows)) ||
        (status = pci_labels_select(context, &relation->rows, NULL, &made->columns)) ||
        (status = pci_sparse_transpose(context, &relation->matrix, &made->matrix)))
        pc_relation_free(made);
    else {
        made->info = relation->info;
        *transposed = made;
    }
    return status;
}

void pc_relation_get_info(const pc_relation *relation, pc_relation_info *info)
{
    if (!info)
        return;
    *info = relation ? relation->info : (pc_relation_info){.format = ""};
    info->note = relation && *relation->note ? relation->note : NULL;
    info->rows = relation ? &relation->rows : NULL;
    info->columns = relation ? &relation->columns : NULL;
    if (relation)
        info->arcs = (pc_arcs){.row_start = relation->matrix.row_start,
                               .column = relation->matrix.column,
                               .weight = relation->matrix.limbs};
}
