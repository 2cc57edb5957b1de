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

static pc_status fail_too_large(const pc_chain *chain, uint64_t row, uint64_t column)
{
    char from[64], to[64];
    pc_labels_text(chain->info.rows, row, from, sizeof from);
    pc_labels_text(chain->info.columns, column, to, sizeof to);
    return pci_fail(chain->context, PC_ERR_RANGE,
                    "the product has an entry beyond 2^64-1, from %s to %s: it cannot be the "
                    "multiplicity of an arc",
                    from, to);
}

static pc_status make_room(collection *c, uint64_t n_more)
{
    pc_context *context = c->chain->context;
    uint64_t n = c->n_arcs + n_more;
    bool fits = n <= c->column_capacity || pci_memory_has(context, 2.0 * 12 * (double)n);
    uint32_t *column = NULL;
    uint64_t *weight = NULL;
    if (fits)
        column =
            pci_grow(context, c->graph->column, &c->column_capacity, c->n_arcs, n, sizeof *column);
    c->graph->column = column ? column : c->graph->column;
    if (column)
        weight =
            pci_grow(context, c->graph->weight, &c->weight_capacity, c->n_arcs, n, sizeof *weight);
    c->graph->weight = weight ? weight : c->graph->weight;
    return weight ? PC_OK : pci_fail_memory(context, "the graph of a product", 12 * n);
}

static pc_status take_entry(collection *c, const pc_rows *rows, uint64_t i, uint64_t j)
{
    const uint64_t *entry = rows->limbs + (i * rows->n_columns + j) * rows->n_limbs;
    pc_graph *graph = c->graph;
    pc_graph_info *info = &graph->info;
    uint64_t high = 0, row = rows->first_row + i;
    for (uint32_t l = 1; l < rows->n_limbs; l++)
        high |= entry[l];
    if (high)
        return fail_too_large(c->chain, row, j);
    if (entry[0] == 0)
        return PC_OK;
    graph->column[c->n_arcs] = (uint32_t)j;
    graph->weight[c->n_arcs++] = entry[0];
    info->n_loops += row == j;
    info->max_weight = entry[0] > info->max_weight ? entry[0] : info->max_weight;
    return PC_OK;
}

static pc_status take_rows(void *user, const pc_rows *rows)
{
    collection *c = user;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < rows->n_rows && status == PC_OK; i++) {
        c->graph->row_start[rows->first_row + i] = c->n_arcs;
        status = make_room(c, rows->n_columns);
        for (uint64_t j = 0; j < rows->n_columns && status == PC_OK; j++)
            status = take_entry(c, rows, i, j);
    }
    return status;
}

/* Tells whether the graph is its own transpose. */
static pc_status find_symmetry(pc_context *context, pc_graph *graph)
{
    pc_graph *reverse;
    pc_status status = pci_graph_reverse(context, graph, &reverse);
    if (status != PC_OK)
        return status;
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    graph->symmetric =
        memcmp(reverse->row_start, graph->row_start, graph->n * sizeof *graph->row_start) == 0 &&
        memcmp(reverse->column, graph->column, n_arcs * sizeof *graph->column) == 0 &&
        memcmp(reverse->weight, graph->weight, n_arcs * sizeof *graph->weight) == 0;
    pc_graph_free(reverse);
    return PC_OK;
}

static void describe(pc_context *context, pc_graph *graph, uint64_t n_arcs)
{
    pc_graph_info *info = &graph->info;
    info->n_vertices = graph->n;
    info->n_arcs = n_arcs;
    info->directed = !graph->symmetric;
    info->n_edges = graph->symmetric ? (n_arcs + info->n_loops) / 2 : n_arcs;
    info->format = "product";
    if (info->max_weight > 1)
        return;
    pci_free(context, graph->weight);
    graph->weight = NULL;
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
        status = find_symmetry(context, made);
    if (status == PC_OK) {
        describe(context, made, c.n_arcs);
        pci_graph_seal(context, made);
        *graph = made;
    } else {
        pc_graph_free(made);
    }
    return status;
}
