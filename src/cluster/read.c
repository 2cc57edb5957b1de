/* Each process reads the rows of its vertices. Whether the two arcs of an undirected edge, or the incoming and outgoing
 * arcs of a directed graph, are the same is found by sums of hashes over all processes. The hashes have a random seed, so
 * a file cannot be made to pass: a wrong one does with a probability of about 2^-64. */
#include "src/cluster/read.h"

#include "graphs/given_rows.h"
#include "src/cluster/same_file.h"

#include <inttypes.h>
#include <string.h>

typedef struct reading {
    const pci_processes *all;
    pc_context *context;
    const pci_part_file *file;
    pci_input input;
    uint64_t begin, end; /* own rows */
    pci_part_rows rows;
} reading;

static uint64_t n_own(const reading *r)
{
    return r->end - r->begin;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool is_same_head(const pci_serialized *a, const pci_serialized *b)
{
    return a->n == b->n && a->n_arcs == b->n_arcs && a->is_directed == b->is_directed &&
           a->is_weighted == b->is_weighted;
}

/* The rows of one side of own vertices. */
static pc_status read_side(const reading *r, pci_arc_side side, pci_part_rows *rows)
{
    pc_context *context = r->context;
    const pci_serialized *head = &r->file->head;
    rows->row_start = pci_alloc(context, (n_own(r) + 1) * sizeof *rows->row_start);
    if (!rows->row_start)
        return pci_fail_memory(context, "a part of the graph", (n_own(r) + 1) * 8);
    pc_status status =
        pci_serialized_read_starts(&r->input, head, side, r->begin, r->end, rows->row_start);
    if (status != PC_OK)
        return status;
    uint64_t n_arcs = rows->row_start[n_own(r)] - rows->row_start[0];
    rows->column = pci_alloc(context, (n_arcs + 1) * sizeof *rows->column);
    if (head->is_weighted)
        rows->weight = pci_alloc(context, (n_arcs + 1) * sizeof *rows->weight);
    if (!rows->column || (head->is_weighted && !rows->weight))
        return pci_fail_memory(context, "a part of the graph", n_arcs * 12);
    status = pci_serialized_read_arcs(&r->input, head, side, r->begin, r->end, rows->row_start,
                                      r->file->takes_weights, rows->column, rows->weight);
    for (uint64_t begin = rows->row_start[0], v = 0; v <= n_own(r); v++)
        rows->row_start[v] -= begin;
    return status;
}

static uint64_t sum_of(const reading *r, pci_arc_side side, const pci_part_rows *rows)
{
    return pci_serialized_sum(r->context, r->file->seed, side, r->begin, r->end, rows->row_start,
                              rows->column, rows->weight);
}

/* Outgoing rows stay. *difference is that of the sums of hashes of both directions, to be added up over all processes. Of an
 * undirected graph the same rows are taken for incoming ones. */
static pc_status read_rows(reading *r, uint64_t *difference)
{
    pci_serialized head;
    pci_part_rows incoming = {0};
    pc_status status = pci_serialized_read_head(&r->input, &head);
    if (status == PC_OK && !is_same_head(&head, &r->file->head))
        status =
            pci_fail(r->context, PC_ERR_DATA,
                     "%s: this process finds another file than the first one does", r->file->path);
    if (status == PC_OK)
        status = read_side(r, PCI_OUTGOING, &r->rows);
    if (status == PC_OK && head.is_directed)
        status = read_side(r, PCI_INCOMING, &incoming);
    if (status == PC_OK)
        *difference = sum_of(r, PCI_OUTGOING, &r->rows) -
                      sum_of(r, PCI_INCOMING, head.is_directed ? &incoming : &r->rows);
    pci_part_rows_free(r->context, &incoming);
    return status == PC_OK ? pci_input_check(&r->input) : status;
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static void look(const reading *r, pci_part_facts *facts)
{
    uint64_t bad_row;
    pci_given_rows own = {.first = r->begin,
                          .n = n_own(r),
                          .n_arcs = r->rows.row_start[n_own(r)],
                          .arcs = {r->rows.row_start, r->rows.column, r->rows.weight}};
    pci_given_rows_look(r->context, &own, &bad_row);
    *facts = (pci_part_facts){own.is_canonical, own.n_loops, own.max_weight};
}

/* Those of all processes. */
static pc_status join(const reading *r, uint64_t difference, pci_part_facts *facts)
{
    uint64_t sums[] = {difference, facts->n_loops, !facts->is_canonical};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, r->all->comm);
    MPI_Allreduce(MPI_IN_PLACE, &facts->max_weight, 1, MPI_UINT64_T, MPI_MAX, r->all->comm);
    facts->n_loops = sums[1];
    facts->is_canonical = sums[2] == 0;
    if (!sums[0])
        return PC_OK;
    if (r->file->head.is_directed)
        return pci_serialized_fail_incoming(&r->input);
    return pci_fail(r->context, PC_ERR_DATA,
                    "%s: the head says undirected, and an arc has no opposite one of the same "
                    "weight; pathcount names it",
                    r->file->path);
}

/* ---- The part -------------------------------------------------------------------------------- */

static pc_status make_part(reading *r, const pci_part_facts *facts, pci_graph_part **part)
{
    if (facts->max_weight <= 1) {
        pci_free(r->context, r->rows.weight);
        r->rows.weight = NULL;
    }
    return pci_part_create(r->all, r->context, r->file->first, &r->rows, part);
}

pc_status pci_part_read(const pci_processes *all, pc_context *context, const pci_part_file *file,
                        pci_part_facts *facts, pci_graph_part **part)
{
    reading r = {.all = all,
                 .context = context,
                 .file = file,
                 .begin = file->first[all->rank],
                 .end = file->first[all->rank + 1]};
    uint64_t difference = 0;
    *facts = (pci_part_facts){0};
    pc_status opened = pci_input_open(context, file->path, &r.input);
    pc_status status = pci_processes_agree(all, context, opened);
    if (status == PC_OK)
        status = pci_same_file(all, &r.input, file->seed);
    if (status == PC_OK)
        status = pci_processes_agree(all, context, read_rows(&r, &difference));
    if (status == PC_OK) {
        look(&r, facts);
        status = join(&r, difference, facts);
    }
    if (opened == PC_OK)
        pci_input_close(&r.input);
    if (status == PC_OK && facts->is_canonical)
        status = make_part(&r, facts, part);
    pci_part_rows_free(context, &r.rows);
    return status;
}
