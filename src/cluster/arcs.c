/* Arcs find their owners: rows are counted by all processes, which gives the ranges, and then each arc is sent once. */
#include "src/cluster/arcs.h"

#include <inttypes.h>
#include <string.h>

/* ---- Travelling ------------------------------------------------------------------------------ */

pc_status pci_travel_create(const pci_processes *all, pc_context *context, uint64_t n,
                            pci_travel *travel)
{
    size_t n_processes = (size_t)all->n;
    pci_travel *t = travel;
    *t = (pci_travel){.all = all,
                      .context = context,
                      .n = n,
                      .row_start = pci_alloc_zero(context, n + 1, sizeof *t->row_start),
                      .first = pci_alloc_zero(context, 4 * n_processes + 1, sizeof *t->first),
                      .request = pci_alloc(context, 2 * n_processes * sizeof *t->request)};
    bool has_memory = t->row_start && t->first && t->request;
    if (has_memory) {
        t->n_sent = t->first + n_processes + 1;
        t->n_taken = t->n_sent + n_processes;
        t->at = t->n_taken + n_processes;
    }
    return pci_processes_agree_on_memory(all, context, has_memory, "a part of the graph",
                                         (n + 1) * sizeof *t->row_start);
}

void pci_travel_free(pci_travel *travel)
{
    pc_context *context = travel->context;
    pci_edges_free(context, &travel->sent);
    pci_edges_free(context, &travel->taken);
    pci_free(context, travel->row_start);
    pci_free(context, travel->first);
    pci_free(context, travel->request);
}

void pci_travel_take(pci_travel *t, uint32_t from, uint32_t to, uint64_t weight)
{
    if (t->pass == PCI_COUNT_ROWS) {
        t->row_start[from + 1]++;
        return;
    }
    int owner = pci_part_owner(t->first, t->all->n, from);
    if (t->pass == PCI_COUNT_OWNERS) {
        t->n_sent[owner]++;
        return;
    }
    uint64_t place = t->at[owner]++;
    t->sent.edge[place] = (pci_edge){from, to};
    if (t->sent.weight)
        t->sent.weight[place] = weight;
}

/* Makes room for the arcs that are sent, which are counted, and for those that come. */
static pc_status reserve(pci_travel *t, bool has_weights)
{
    uint64_t n_sent = 0, n_taken = 0;
    pc_status status = PC_OK;
    MPI_Alltoall(t->n_sent, 1, MPI_UINT64_T, t->n_taken, 1, MPI_UINT64_T, t->all->comm);
    for (int r = 0; r < t->all->n; r++) {
        t->at[r] = n_sent;
        n_sent += t->n_sent[r];
        n_taken += t->n_taken[r];
        if (t->n_sent[r] > INT32_MAX)
            status = pci_fail(t->context, PC_ERR_RANGE,
                              "%" PRIu64 " arcs would go from one process to another, and at most "
                              "%d can: start more processes",
                              t->n_sent[r], INT32_MAX);
    }
    if (status == PC_OK)
        status = pci_edges_create(t->context, 1, &n_sent, has_weights, &t->sent);
    if (status == PC_OK)
        status = pci_edges_create(t->context, 1, &n_taken, has_weights, &t->taken);
    return pci_processes_agree(t->all, t->context, status);
}

pc_status pci_travel_begin(pci_travel *t, pci_arcs_fn for_arcs, const void *source,
                           bool has_weights)
{
    memset(t->row_start, 0, (t->n + 1) * sizeof *t->row_start);
    memset(t->n_sent, 0, (size_t)t->all->n * sizeof *t->n_sent);
    t->pass = PCI_COUNT_ROWS;
    for_arcs(source, t);
    pci_processes_join(t->all, MPI_SUM, t->row_start + 1, t->n);
    for (uint64_t v = 0; v < t->n; v++)
        t->row_start[v + 1] += t->row_start[v];
    pci_part_ranges(t->n, t->row_start, t->all->n, t->first);
    t->pass = PCI_COUNT_OWNERS;
    for_arcs(source, t);
    pc_status status = reserve(t, has_weights);
    t->pass = PCI_PUT;
    if (status == PC_OK)
        for_arcs(source, t);
    return status;
}

void pci_travel_end(pci_travel *t)
{
    pci_processes_exchange(t->all, sizeof(pci_edge), t->n_sent, t->sent.edge, t->n_taken,
                           t->taken.edge, t->request);
    if (t->sent.weight)
        pci_processes_exchange(t->all, sizeof(uint64_t), t->n_sent, t->sent.weight, t->n_taken,
                               t->taken.weight, t->request);
    pci_edges_free(t->context, &t->sent);
}

/* A start moves to the end of its row, which is the start of the next one. */
pc_status pci_travel_rows(pci_travel *t, pci_part_rows *rows)
{
    const uint64_t *row_start = t->row_start;
    uint64_t begin = t->first[t->all->rank], n = t->first[t->all->rank + 1] - begin;
    uint64_t n_arcs = row_start[begin + n] - row_start[begin];
    *rows = (pci_part_rows){0};
    pc_status status = pci_processes_agree(
        t->all, t->context,
        pci_part_rows_create(t->context, n, n_arcs, t->taken.weight != NULL, rows));
    if (status == PC_OK) {
        uint64_t *next = rows->row_start;
        for (uint64_t v = 0; v < n; v++)
            next[v + 1] = row_start[begin + v] - row_start[begin];
        for (uint64_t a = 0; a < n_arcs; a++) {
            uint64_t place = next[t->taken.edge[a].from - begin + 1]++;
            rows->column[place] = t->taken.edge[a].to;
            if (rows->weight)
                rows->weight[place] = t->taken.weight[a];
        }
    }
    pci_edges_free(t->context, &t->taken);
    return status;
}

/* ---- The reversed graph ---------------------------------------------------------------------- */

/* Arcs come in the order of the processes, and of each in the order of its vertices: columns of reversed rows ascend. */
static void for_turned_arcs(const void *source, pci_travel *t)
{
    const pci_graph_part *part = source;
    const pc_graph *graph = part->graph;
    uint64_t begin = part->first[part->all.rank];
    for (uint64_t v = 0; v < part->n_own; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++)
            pci_travel_take(t, (uint32_t)pci_part_vertex(part, graph->column[a]),
                            (uint32_t)(begin + v), pci_graph_weight(graph, a));
}

pc_status pci_part_reverse(const pci_graph_part *part, pc_context *context,
                           pci_graph_part **reverse)
{
    const pci_processes *all = &part->all;
    pci_travel travel;
    pci_part_rows rows = {0};
    pc_status status = pci_travel_create(all, context, part->first[all->n], &travel);
    if (status == PC_OK)
        status = pci_travel_begin(&travel, for_turned_arcs, part, part->graph->weight != NULL);
    if (status == PC_OK) {
        pci_travel_end(&travel);
        status = pci_travel_rows(&travel, &rows);
    }
    if (status == PC_OK)
        status = pci_part_create(all, context, travel.first, &rows, reverse);
    pci_part_rows_free(context, &rows);
    pci_travel_free(&travel);
    return status;
}

/* ---- The graph as a whole -------------------------------------------------------------------- */

uint64_t pci_gathered_bytes(const pc_graph *graph)
{
    uint64_t arc_bytes = sizeof *graph->column + (graph->info.max_weight > 1 ? 8 : 0);
    return (graph->n + 1) * sizeof *graph->row_start + pci_graph_n_arcs(graph) * arc_bytes;
}

pc_status pci_part_gather(const pci_graph_part *part, pc_context *context, bool is_symmetric,
                          pc_graph **whole)
{
    const pci_processes *all = &part->all;
    const uint64_t *first = part->first;
    uint64_t n = first[all->n], n_own_arcs = pci_graph_n_arcs(part->graph);
    pci_part_rows rows = {0};
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    pc_status status =
        made ? pci_part_rows_create(context, n, part->n_arcs, part->graph->weight != NULL, &rows)
             : pci_fail_memory(context, "the graph", sizeof *made);
    status = pci_processes_agree(all, context, status);
    if (status != PC_OK) {
        pci_part_rows_free(context, &rows);
        pci_free(context, made);
        return status;
    }
    *made = (pc_graph){.context = context,
                       .n = n,
                       .symmetric = is_symmetric,
                       .labels = pci_labels_range(0, n),
                       .row_start = rows.row_start,
                       .column = rows.column,
                       .weight = rows.weight};
    memcpy(made->row_start + 1 + first[all->rank], part->graph->row_start + 1,
           part->n_own * sizeof *made->row_start);
    for (int r = 0; r < all->n; r++) {
        uint64_t before = made->row_start[first[r]];
        pci_processes_share(all, r, made->row_start + 1 + first[r],
                            (first[r + 1] - first[r]) * sizeof *made->row_start);
        for (uint64_t v = first[r]; v < first[r + 1]; v++)
            made->row_start[v + 1] += before;
    }
    uint64_t at = made->row_start[first[all->rank]];
    for (uint64_t a = 0; a < n_own_arcs; a++)
        made->column[at + a] = (uint32_t)pci_part_vertex(part, part->graph->column[a]);
    for (uint64_t a = 0; a < n_own_arcs && made->weight; a++)
        made->weight[at + a] = part->graph->weight[a];
    for (int r = 0; r < all->n; r++) {
        uint64_t from = made->row_start[first[r]], end = made->row_start[first[r + 1]];
        pci_processes_share(all, r, made->column + from, (end - from) * sizeof *made->column);
        if (made->weight)
            pci_processes_share(all, r, made->weight + from, (end - from) * sizeof *made->weight);
    }
    *whole = made;
    return PC_OK;
}
