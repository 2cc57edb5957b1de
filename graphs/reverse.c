/* The graph with every arc turned round: its matrix is the transpose of A. */
#include "graphs/graph.h"
#include "graphs/sparse.h"

pc_status pci_graph_reverse(pc_context *context, const pc_graph *graph, pc_graph **reverse)
{
    pci_sparse turned, matrix = {.n_rows = graph->n,
                                 .n_columns = graph->n,
                                 .row_start = graph->row_start,
                                 .column = graph->column,
                                 .limbs = graph->weight,
                                 .n_limbs = 1,
                                 .is_borrowed = true};
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the reversed graph", sizeof *made);
    pc_status status = pci_sparse_transpose(context, &matrix, &turned);
    if (status != PC_OK) {
        pci_free(context, made);
        return status;
    }
    *made = (pc_graph){.context = context,
                       .n = graph->n,
                       .row_start = turned.row_start,
                       .column = turned.column,
                       .weight = turned.limbs,
                       .symmetric = graph->symmetric,
                       .labels = pci_labels_range(0, graph->n),
                       .info = graph->info};
    *reverse = made;
    return PC_OK;
}
