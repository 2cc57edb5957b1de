/* Turns the arcs of a graph in parts: each goes to the owner of its other end. */
#include "src/cluster/part.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_REDUCED = 1 << 30 /* numbers in one call of MPI */ };

/* An arc as it travels, without the weight where all are 1: the first ARC_BYTES. */
typedef struct arc {
    uint32_t row, column; /* of the reversed graph */
    uint64_t weight;
} arc;

enum { ARC_BYTES = offsetof(arc, weight) };

typedef struct turning {
    const pci_graph_part *part;
    pc_context *context;
    uint64_t *row_start; /* [n + 1] of all vertices of the reversed graph */
    uint64_t *first;     /* of its ranges */
    uint64_t *n_sent, *n_taken,
        *at; /* [n processes]: arcs; where the next one for a process goes */
    size_t arc_bytes;
    char *sent, *taken;
    pci_part_rows rows;
    MPI_Request *request; /* [2 n processes] */
} turning;

/* The degrees of the reversed graph, as starts of rows. */
static void add_degrees(const turning *t)
{
    const pci_graph_part *part = t->part;
    const pc_graph *graph = part->graph;
    uint64_t *row_start = t->row_start;
    uint64_t n = part->first[part->all.n], n_arcs = pci_graph_n_arcs(graph);
    for (uint64_t a = 0; a < n_arcs; a++)
        row_start[pci_part_vertex(part, graph->column[a]) + 1]++;
    for (uint64_t v = 0; v < n; v += MOST_REDUCED)
        MPI_Allreduce(MPI_IN_PLACE, row_start + 1 + v,
                      (int)(n - v < MOST_REDUCED ? n - v : MOST_REDUCED), MPI_UINT64_T, MPI_SUM,
                      part->all.comm);
    for (uint64_t v = 0; v < n; v++)
        row_start[v + 1] += row_start[v];
}

static int owner_of(const turning *t, uint64_t vertex)
{
    return pci_part_owner(t->first, t->part->all.n, vertex);
}

static void count_arcs(turning *t)
{
    const pc_graph *graph = t->part->graph;
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    for (uint64_t a = 0; a < n_arcs; a++)
        t->n_sent[owner_of(t, pci_part_vertex(t->part, graph->column[a]))]++;
    MPI_Alltoall(t->n_sent, 1, MPI_UINT64_T, t->n_taken, 1, MPI_UINT64_T, t->part->all.comm);
}

/* Memory for all that is to come. */
static pc_status allocate(turning *t)
{
    const pci_graph_part *part = t->part;
    pc_context *context = t->context;
    uint64_t n_taken = 0, n_own = t->first[part->all.rank + 1] - t->first[part->all.rank];
    bool is_weighted = part->graph->weight != NULL;
    for (int r = 0; r < part->all.n; r++) {
        n_taken += t->n_taken[r];
        if (t->n_sent[r] > INT32_MAX)
            return pci_fail(context, PC_ERR_RANGE,
                            "%" PRIu64 " arcs would go from one process to another, and at most %d "
                            "can: start more processes",
                            t->n_sent[r], INT32_MAX);
    }
    t->sent = pci_alloc(context, (pci_graph_n_arcs(part->graph) + 1) * t->arc_bytes);
    t->taken = pci_alloc(context, (n_taken + 1) * t->arc_bytes);
    t->rows.row_start = pci_alloc_zero(context, n_own + 1, sizeof *t->rows.row_start);
    t->rows.column = pci_alloc(context, (n_taken + 1) * sizeof *t->rows.column);
    t->rows.weight =
        is_weighted ? pci_alloc(context, (n_taken + 1) * sizeof *t->rows.weight) : NULL;
    if (t->sent && t->taken && t->rows.row_start && t->rows.column &&
        (t->rows.weight || !is_weighted))
        return PC_OK;
    return pci_fail_memory(context, "a part of the reversed graph", n_taken * (t->arc_bytes + 12));
}

static void fill_sent(turning *t)
{
    const pci_graph_part *part = t->part;
    const pc_graph *graph = part->graph;
    uint64_t at = 0, begin = part->first[part->all.rank];
    for (int r = 0; r < part->all.n; at += t->n_sent[r++])
        t->at[r] = at;
    for (uint64_t v = 0; v < part->n_own; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            arc turned = {.row = (uint32_t)pci_part_vertex(part, graph->column[a]),
                          .column = (uint32_t)(begin + v),
                          .weight = graph->weight ? graph->weight[a] : 1};
            uint64_t place = t->at[owner_of(t, turned.row)]++;
            memcpy(t->sent + place * t->arc_bytes, &turned, t->arc_bytes);
        }
}

/* Arcs come in the order of the processes, and of each in the order of its vertices: columns ascend. */
static void make_rows(turning *t)
{
    const pci_processes *all = &t->part->all;
    const uint64_t *row_start = t->row_start;
    uint64_t begin = t->first[all->rank], n_own = t->first[all->rank + 1] - begin;
    uint64_t *next = t->rows.row_start;
    for (uint64_t v = 0; v < n_own;
         v++) /* a start moves to the end of its row, which is the next one's start */
        next[v + 1] = row_start[begin + v] - row_start[begin];
    uint64_t n_taken = row_start[begin + n_own] - row_start[begin];
    for (uint64_t i = 0; i < n_taken; i++) {
        arc taken = {.weight = 1};
        memcpy(&taken, t->taken + i * t->arc_bytes, t->arc_bytes);
        uint64_t place = next[taken.row - begin + 1]++;
        t->rows.column[place] = taken.column;
        if (t->rows.weight)
            t->rows.weight[place] = taken.weight;
    }
}

static pc_status turn(turning *t, pci_graph_part **reverse)
{
    const pci_graph_part *part = t->part;
    const pci_processes *all = &part->all;
    add_degrees(t);
    pci_part_ranges(part->first[all->n], t->row_start, all->n, t->first);
    count_arcs(t);
    pc_status status = pci_processes_agree(all, t->context, allocate(t));
    if (status != PC_OK)
        return status;
    fill_sent(t);
    pci_processes_exchange(all, t->arc_bytes, t->n_sent, t->sent, t->n_taken, t->taken, t->request);
    make_rows(t);
    pci_free(t->context, t->sent);
    pci_free(t->context, t->taken);
    t->sent = t->taken = NULL;
    return pci_part_create(all, t->context, t->first, &t->rows, reverse);
}

pc_status pci_part_reverse(const pci_graph_part *part, pc_context *context,
                           pci_graph_part **reverse)
{
    size_t n = (size_t)part->all.n;
    uint64_t n_vertices = part->first[part->all.n];
    turning t = {.part = part,
                 .context = context,
                 .arc_bytes = part->graph->weight ? sizeof(arc) : ARC_BYTES,
                 .row_start = pci_alloc_zero(context, n_vertices + 1, sizeof *t.row_start),
                 .first = pci_alloc_zero(context, n + 1, sizeof *t.first),
                 .n_sent = pci_alloc_zero(context, n, sizeof *t.n_sent),
                 .n_taken = pci_alloc_zero(context, n, sizeof *t.n_taken),
                 .at = pci_alloc_zero(context, n, sizeof *t.at),
                 .request = pci_alloc(context, 2 * n * sizeof *t.request)};
    bool has_memory = t.row_start && t.first && t.n_sent && t.n_taken && t.at && t.request;
    pc_status status =
        pci_processes_agree(&part->all, context,
                            has_memory ? PC_OK
                                       : pci_fail_memory(context, "a part of the reversed graph",
                                                         (n_vertices + 1) * 8));
    if (status == PC_OK)
        status = turn(&t, reverse);
    pci_free(context, t.row_start);
    pci_free(context, t.first);
    pci_free(context, t.n_sent);
    pci_free(context, t.n_taken);
    pci_free(context, t.at);
    pci_free(context, t.request);
    pci_free(context, t.sent);
    pci_free(context, t.taken);
    pci_part_rows_free(context, &t.rows);
    return status;
}
