/* A square product as a graph, collected from its rows as they pass. */
#include "graphs/sort.h"
#include "src/relations/chain.h"

#include <string.h>

/* Arcs so far. */
typedef struct collection {
    pc_chain *chain;
    pc_graph *graph;
    uint64_t n_arcs;
    uint64_t column_capacity, weight_capacity;
} collection;

static pc_status make_room(collection *c, uint64_t n_more)
{
    pc_context *context = c->chain->context;
    pc_graph *graph = c->graph;
    uint64_t n = c->n_arcs + n_more, *weight = NULL;
    uint32_t *column = NULL;
    if (n <= c->column_capacity || pci_memory_has(context, 2.0 * 12 * (double)n))
        column =
            pci_grow(context, graph->column, &c->column_capacity, c->n_arcs, n, sizeof *column);
    graph->column = column ? column : graph->column;
    if (column)
        weight =
            pci_grow(context, graph->weight, &c->weight_capacity, c->n_arcs, n, sizeof *weight);
    graph->weight = weight ? weight : graph->weight;
    return weight ? PC_OK : pci_fail_memory(context, "the graph of a product", 12 * n);
}

/* Takes row `row` of the product. */
static pc_status take_row(collection *c, uint64_t row, const pc_rows *rows, const uint64_t *entry)
{
    pc_graph_info *info = &c->graph->info;
    pc_status status = make_room(c, rows->n_columns);
    if (status != PC_OK)
        return status;
    c->graph->row_start[row] = c->n_arcs;
    for (uint64_t j = 0; j < rows->n_columns; j++, entry += rows->n_limbs) {
        uint64_t high = 0;
        for (uint32_t l = 1; l < rows->n_limbs; l++)
            high |= entry[l];
        if (high) {
            char from[64], to[64];
            pc_labels_text(c->chain->info.rows, row, from, sizeof from);
            pc_labels_text(c->chain->info.columns, j, to, sizeof to);
            return pci_fail(c->chain->context, PC_ERR_RANGE,
                            "the product has an entry beyond 2^64-1, from %s to %s: it cannot be "
                            "the multiplicity of an arc",
                            from, to);
        }
        if (entry[0] == 0)
            continue;
        c->graph->column[c->n_arcs] = (uint32_t)j;
        c->graph->weight[c->n_arcs++] = entry[0];
        info->n_loops += row == j;
        info->max_weight = entry[0] > info->max_weight ? entry[0] : info->max_weight;
    }
    return PC_OK;
}

static pc_status take_rows(void *user, const pc_rows *rows)
{
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < rows->n_rows && status == PC_OK; i++)
        status = take_row(user, rows->first_row + i, rows,
                          rows->limbs + i * rows->n_columns * rows->n_limbs);
    return status;
}

/* Fills in the facts of the graph whose rows are there, and whether it is its own transpose. */
static pc_status describe(pc_context *context, pc_graph *graph)
{
    pc_graph_info *info = &graph->info;
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    pc_graph *reverse;
    pc_status status = pci_graph_reverse(context, graph, &reverse);
    if (status != PC_OK)
        return status;
    graph->symmetric =
        memcmp(reverse->row_start, graph->row_start, graph->n * sizeof *graph->row_start) == 0 &&
        memcmp(reverse->column, graph->column, n_arcs * sizeof *graph->column) == 0 &&
        memcmp(reverse->weight, graph->weight, n_arcs * sizeof *graph->weight) == 0;
    pc_graph_free(reverse);
    info->n_vertices = graph->n;
    info->n_arcs = n_arcs;
    info->directed = !graph->symmetric;
    info->n_edges = graph->symmetric ? (n_arcs + info->n_loops) / 2 : n_arcs;
    info->format = "product";
    if (info->max_weight <= 1) {
        pci_free(context, graph->weight);
        graph->weight = NULL;
    }
    return PC_OK;
}

pc_status pc_chain_graph(pc_chain *chain, pc_graph **graph)
{
    if (!chain || !graph)
        return pci_fail_null(chain ? chain->context : NULL, "graph");
    pc_context *context = chain->context;
    const uint64_t n = chain->info.n_rows;
    if (!chain->info.square)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "only a product whose columns are its rows, in the same order, is a graph, "
                        "such as F F^T");
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the graph of a product", sizeof *made);
    made->context = context;
    made->n = n;
    made->row_start = pci_alloc_zero(context, n + 1, sizeof *made->row_start);
    collection c = {.chain = chain, .graph = made};
    pc_status status = made->row_start ? make_room(&c, 1)
                                       : pci_fail_memory(context, "the graph of a product", 8 * n);
    if (status == PC_OK)
        status = pc_chain_rows(chain, PC_CHAIN_COUNTS, take_rows, &c);
    if (status == PC_OK) {
        made->row_start[n] = c.n_arcs;
        status = pci_labels_select(context, chain->info.rows, NULL, &made->labels);
    }
    if (status == PC_OK)
        status = describe(context, made);
    if (status == PC_OK) {
        pci_graph_seal(context, made);
        *graph = made;
    } else {
        pc_graph_free(made);
    }
    return status;
}
