/* Each process parses a range of the lines (io/read.h). Its edges are arcs then, which go to processes by their rows,
 * so that about as many arcs are in each; these join what is given again (graphs/builder.h). Then the degrees are known,
 * and rows go to the processes that own them: the ranges are those that any other way of reading has. */
#include "src/cluster/read_text.h"

#include "io/read.h"
#include "io/serialized.h"
#include "src/cluster/same_file.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ITEMS = 1 << 30 /* in one call of MPI */ };

typedef struct reading {
    const pci_processes *all;
    pc_context *context;
    const pci_part_text *text;
    bool is_matrix, may_be_mutual;
    uint64_t *row_start;             /* [n + 1] of all vertices */
    uint64_t *first;                 /* [n processes + 1] */
    uint64_t *n_sent, *n_taken, *at; /* [n processes] */
    MPI_Request *request;            /* [2 n processes] */
    pci_edges sent, taken;           /* one part each */
} reading;

static pc_status agree(const reading *r, pc_status status)
{
    return pci_processes_agree(r->all, r->context, status);
}

/* ---- What readers join ----------------------------------------------------------------------- */

static pc_status agree_on_text(void *user, pc_status status)
{
    const reading *r = user;
    return pci_processes_agree_on_input(r->all, r->context, status);
}

static void join(void *user, pci_joining how, uint64_t *words, uint64_t n_words)
{
    const reading *r = user;
    MPI_Op op = how == PCI_JOIN_LEAST ? MPI_MIN : how == PCI_JOIN_SUM ? MPI_SUM : MPI_BOR;
    for (uint64_t w = 0; w < n_words; w += MOST_ITEMS)
        MPI_Allreduce(MPI_IN_PLACE, words + w,
                      (int)(n_words - w < MOST_ITEMS ? n_words - w : MOST_ITEMS), MPI_UINT64_T, op,
                      r->all->comm);
}

static pc_status read_lines(reading *r, bool *is_declined, pci_graph_draft *draft)
{
    const pci_part_text *text = r->text;
    pci_input input;
    pci_text_share share = {.number = (uint64_t)r->all->rank,
                            .n = (uint64_t)r->all->n,
                            .agree = agree_on_text,
                            .join = join,
                            .user = r};
    pc_status opened = pci_input_open(r->context, text->path, &input);
    pc_status status = agree(r, opened);
    if (status == PC_OK)
        status = pci_same_file(r->all, &input, text->seed);
    if (status == PC_OK) {
        input.share = &share;
        status = pci_graph_read_share(&input, text->format, &text->options, draft);
    }
    if (opened == PC_OK)
        pci_input_close(&input);
    *is_declined = share.is_declined;
    return status;
}

/* ---- Arcs to their rows ---------------------------------------------------------------------- */

/* The numbers of arcs in all rows, of all processes, become starts. */
static void add_up(reading *r, uint64_t n)
{
    join(r, PCI_JOIN_SUM, r->row_start + 1, n);
    for (uint64_t v = 0; v < n; v++)
        r->row_start[v + 1] += r->row_start[v];
}

static int owner_of(const reading *r, uint64_t vertex)
{
    return pci_part_owner(r->first, r->all->n, vertex);
}

static uint64_t sum_of(const reading *r, const uint64_t *n_arcs)
{
    uint64_t sum = 0;
    for (int p = 0; p < r->all->n; p++)
        sum += n_arcs[p];
    return sum;
}

/* Room for what is sent, which is counted, and for what comes. */
static pc_status reserve(reading *r, bool has_weights)
{
    MPI_Alltoall(r->n_sent, 1, MPI_UINT64_T, r->n_taken, 1, MPI_UINT64_T, r->all->comm);
    uint64_t n_sent = sum_of(r, r->n_sent), n_taken = sum_of(r, r->n_taken), at = 0;
    pc_status status = PC_OK;
    for (int p = 0; p < r->all->n; at += r->n_sent[p++]) {
        r->at[p] = at;
        if (r->n_sent[p] > INT32_MAX)
            status = pci_fail(r->context, PC_ERR_RANGE,
                              "%" PRIu64 " arcs would go from one process to another, and at most "
                              "%d can: start more processes",
                              r->n_sent[p], INT32_MAX);
    }
    if (status == PC_OK)
        status = pci_edges_create(r->context, 1, &n_sent, has_weights, &r->sent);
    if (status == PC_OK)
        status = pci_edges_create(r->context, 1, &n_taken, has_weights, &r->taken);
    return agree(r, status);
}

static void put(const reading *r, uint32_t from, uint32_t to, uint64_t weight)
{
    uint64_t place = r->at[owner_of(r, from)]++;
    r->sent.edge[place] = (pci_edge){from, to};
    if (r->sent.weight)
        r->sent.weight[place] = weight;
}

/* Arcs come in the order of the processes that send them. */
static void exchange_items(const reading *r, size_t bytes, const void *sent, void *taken)
{
    pci_processes_exchange(r->all, bytes, r->n_sent, sent, r->n_taken, taken, r->request);
}

static void exchange(reading *r)
{
    exchange_items(r, sizeof(pci_edge), r->sent.edge, r->taken.edge);
    if (r->sent.weight)
        exchange_items(r, sizeof(uint64_t), r->sent.weight, r->taken.weight);
    pci_edges_free(r->context, &r->sent);
}

/* Calls for each arc of the edges: an undirected edge is one in both directions. */
typedef void (*arc_fn)(const reading *r, uint32_t from, uint32_t to, uint64_t weight);

static void for_arcs(const reading *r, const pci_graph_draft *draft, arc_fn take)
{
    for (size_t p = 0; p < draft->edges.n_parts; p++) {
        const pci_edge_part *part = &draft->edges.parts[p];
        for (uint64_t e = 0; e < part->n_edges; e++) {
            pci_edge edge = part->edge[e];
            uint64_t weight = part->weight ? part->weight[e] : 1;
            take(r, edge.from, edge.to, weight);
            if (!draft->info.directed && edge.from != edge.to)
                take(r, edge.to, edge.from, weight);
        }
    }
}

static void count_row(const reading *r, uint32_t from, uint32_t to, uint64_t weight)
{
    (void)to;
    (void)weight;
    r->row_start[from + 1]++;
}

static void count_owner(const reading *r, uint32_t from, uint32_t to, uint64_t weight)
{
    (void)to;
    (void)weight;
    r->n_sent[owner_of(r, from)]++;
}

/* The draft gets the arcs of neighbouring rows in place of the edges of a range of lines. */
static pc_status distribute(reading *r, pci_graph_draft *draft)
{
    uint64_t n = draft->labels.n, has_weights = draft->edges.weight != NULL;
    join(r, PCI_JOIN_BITS, &has_weights, 1);
    for_arcs(r, draft, count_row);
    add_up(r, n);
    pci_part_ranges(n, r->row_start, r->all->n, r->first);
    for_arcs(r, draft, count_owner);
    pc_status status = reserve(r, has_weights);
    if (status != PC_OK)
        return status;
    for_arcs(r, draft, put);
    pci_edges_free(r->context, &draft->edges);
    exchange(r);
    draft->edges = r->taken;
    draft->has_mirrors = true;
    r->taken = (pci_edges){0};
    return PC_OK;
}

/* ---- Rows to their owners -------------------------------------------------------------------- */

/* The facts of all processes; *is_weighted: some row has weights. */
static void join_facts(reading *r, pc_graph *graph, bool *is_weighted)
{
    pc_graph_info *info = &graph->info;
    uint64_t sums[] = {info->n_arcs, info->n_edges, info->n_loops, info->n_duplicates},
             not_weight = ~info->max_weight;
    join(r, PCI_JOIN_SUM, sums, 4);
    join(r, PCI_JOIN_LEAST, &not_weight, 1);
    info->n_arcs = sums[0];
    info->n_edges = sums[1];
    info->n_loops = sums[2];
    info->n_duplicates = sums[3];
    info->max_weight = ~not_weight;
    *is_weighted = info->max_weight > 1;
}

/* Every process has found the vertices and their labels by itself, from what all have joined. */
static pc_status compare_vertices(reading *r, const pc_graph *graph)
{
    uint64_t sum = graph->n + pci_labels_checksum(&graph->labels), sums[] = {sum, ~sum};
    join(r, PCI_JOIN_LEAST, sums, 2);
    return sums[0] == ~sums[1]
               ? PC_OK
               : pci_fail(r->context, PC_ERR_INTERNAL,
                          "%s: the processes have found different vertices", r->text->path);
}

static void count_degrees(reading *r, const pc_graph *graph)
{
    memset(r->row_start, 0, (graph->n + 1) * sizeof *r->row_start);
    memset(r->n_sent, 0, (size_t)r->all->n * sizeof *r->n_sent);
    for (uint64_t v = 0; v < graph->n; v++)
        r->row_start[v + 1] = graph->row_start[v + 1] - graph->row_start[v];
    add_up(r, graph->n);
    pci_part_ranges(graph->n, r->row_start, r->all->n, r->first);
    for (uint64_t v = 0; v < graph->n; v++)
        r->n_sent[owner_of(r, v)] += graph->row_start[v + 1] - graph->row_start[v];
}

/* Arcs that came are in order: processes had neighbouring rows, one after the other. */
static pc_status make_rows(reading *r, pci_part_rows *rows)
{
    uint64_t begin = r->first[r->all->rank], n = r->first[r->all->rank + 1] - begin;
    uint64_t n_arcs = sum_of(r, r->n_taken);
    rows->row_start = pci_alloc(r->context, (n + 1) * sizeof *rows->row_start);
    rows->column = pci_alloc(r->context, (n_arcs + 1) * sizeof *rows->column);
    if (!rows->row_start || !rows->column)
        return pci_fail_memory(r->context, "a part of the graph", n_arcs * 4);
    for (uint64_t v = 0; v <= n; v++)
        rows->row_start[v] = r->row_start[begin + v] - r->row_start[begin];
    for (uint64_t a = 0; a < n_arcs; a++)
        rows->column[a] = r->taken.edge[a].to;
    rows->weight = r->taken.weight;
    r->taken.weight = NULL;
    return PC_OK;
}

/* Whether each arc of a directed graph has its opposite, of the same weight: sums of hashes over all processes tell, but
 * for a probability of about 2^-64. */
static bool is_mutual(reading *r, const pci_part_rows *rows)
{
    uint64_t begin = r->first[r->all->rank], end = r->first[r->all->rank + 1];
    uint64_t difference = pci_serialized_sum(r->context, r->text->seed, PCI_OUTGOING, begin, end,
                                             rows->row_start, rows->column, rows->weight) -
                          pci_serialized_sum(r->context, r->text->seed, PCI_INCOMING, begin, end,
                                             rows->row_start, rows->column, rows->weight);
    join(r, PCI_JOIN_SUM, &difference, 1);
    return difference == 0;
}

/* graph has the rows that this process joined; they go to their owners. */
static pc_status make_part(reading *r, pc_graph *graph, pci_graph_part **part)
{
    bool is_weighted;
    pci_part_rows rows = {0};
    join_facts(r, graph, &is_weighted);
    pc_status status = compare_vertices(r, graph);
    if (status != PC_OK)
        return status;
    count_degrees(r, graph);
    status = reserve(r, is_weighted);
    if (status != PC_OK)
        return status;
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++)
            put(r, (uint32_t)v, graph->column[a], graph->weight ? graph->weight[a] : 1);
    pci_free(r->context, graph->column);
    pci_free(r->context, graph->weight);
    graph->column = NULL;
    graph->weight = NULL;
    exchange(r);
    status = agree(r, make_rows(r, &rows));
    pci_edges_free(r->context, &r->taken);
    if (status == PC_OK && r->may_be_mutual && is_mutual(r, &rows))
        pci_graph_set_undirected(graph, r->is_matrix);
    if (status == PC_OK)
        status = pci_part_create(r->all, r->context, r->first, &rows, part);
    pci_part_rows_free(r->context, &rows);
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status allocate(reading *r, uint64_t n)
{
    size_t n_processes = (size_t)r->all->n;
    r->row_start = pci_alloc_zero(r->context, n + 1, sizeof *r->row_start);
    r->first = pci_alloc_zero(r->context, 4 * n_processes + 1, sizeof *r->first);
    r->request = pci_alloc(r->context, 2 * n_processes * sizeof *r->request);
    bool has_memory = r->row_start && r->first && r->request;
    if (has_memory) {
        r->n_sent = r->first + n_processes + 1;
        r->n_taken = r->n_sent + n_processes;
        r->at = r->n_taken + n_processes;
    }
    return agree(r, has_memory ? PC_OK
                               : pci_fail_memory(r->context, "a part of the graph", (n + 1) * 8));
}

/* Rows whose arcs are all here are joined by the builder of whole graphs; the other rows are empty. */
static pc_status build(reading *r, pci_graph_draft *draft, pc_graph **graph)
{
    r->is_matrix = draft->is_matrix;
    r->may_be_mutual = draft->may_be_mutual;
    draft->may_be_mutual = false;
    pc_status status = allocate(r, draft->labels.n);
    if (status == PC_OK)
        status = distribute(r, draft);
    if (status == PC_OK)
        return agree_on_text(r, pci_graph_build_of_file(r->context, r->text->path, draft, graph));
    pci_draft_free(r->context, draft);
    return status;
}

pc_status pci_part_read_text(const pci_processes *all, pc_context *context,
                             const pci_part_text *text, bool *is_declined, pc_graph **graph,
                             pci_graph_part **part)
{
    reading r = {.all = all, .context = context, .text = text};
    pci_graph_draft draft = {0};
    pc_graph *made = NULL;
    pc_status status = read_lines(&r, is_declined, &draft);
    if (status == PC_OK)
        status = build(&r, &draft, &made);
    if (status == PC_OK)
        status = make_part(&r, made, part);
    if (status == PC_OK)
        *graph = made;
    else
        pc_graph_free(made);
    pci_edges_free(context, &r.sent);
    pci_edges_free(context, &r.taken);
    pci_free(context, r.row_start);
    pci_free(context, r.first);
    pci_free(context, r.request);
    return status;
}
