/* Makes labelled edges of a draft. Arcs are put into rows, each row is sorted, and arcs that are equal but for their weight
 * are joined as the policies of graphs say. */
#include "graphs/labelled.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare_arcs(const void *one, const void *other)
{
    const pci_labelled_arc *a = one, *b = other;
    return a->to != b->to       ? (a->to > b->to) - (a->to < b->to)
           : a->text != b->text ? (a->text > b->text) - (a->text < b->text)
                                : (a->weight > b->weight) - (a->weight < b->weight);
}

static void add_arc(pc_labelled_edges *made, uint32_t from, pci_labelled_arc arc)
{
    made->arc[made->row_start[from + UINT64_C(1)]++] = arc;
}

/* Puts the arcs into rows. Entry v + 1 of row_start is first the number of arcs of v, then where the next one goes, and at
 * last where the row ends. */
static pc_status make_rows(pc_labelled_edges *made, const pci_graph_draft *draft)
{
    const pci_edges *edges = &draft->edges;
    uint64_t n = draft->labels.n, n_arcs = 0;
    bool mirrors = !draft->info.directed;
    uint64_t most = 2 * pci_edges_count(edges);
    double bytes = (double)most * sizeof *made->arc + 8.0 * ((double)n + 1);
    if (!pci_memory_has(made->context, bytes))
        return pci_fail_memory(made->context, "labelled edges", most * sizeof *made->arc);
    made->row_start = pci_alloc_zero(made->context, n + 1, sizeof *made->row_start);
    if (!made->row_start)
        return pci_fail_memory(made->context, "labelled edges", 8 * (n + 1));
    for (size_t p = 0; p < edges->n_parts; p++)
        for (uint64_t e = 0; e < edges->parts[p].n_edges; e++) {
            pci_edge edge = edges->parts[p].edge[e];
            made->row_start[edge.from + UINT64_C(1)]++;
            made->row_start[edge.to + UINT64_C(1)] += mirrors && edge.from != edge.to;
        }
    for (uint64_t v = 1; v <= n; v++) {
        uint64_t n_own = made->row_start[v];
        made->row_start[v] = n_arcs;
        n_arcs += n_own;
    }
    made->arc = pci_alloc(made->context, n_arcs * sizeof *made->arc);
    if (!made->arc)
        return pci_fail_memory(made->context, "labelled edges", n_arcs * sizeof *made->arc);
    for (size_t p = 0; p < edges->n_parts; p++) {
        const pci_edge_part *part = &edges->parts[p];
        for (uint64_t e = 0; e < part->n_edges; e++) {
            pci_edge edge = part->edge[e];
            uint64_t weight = part->weight ? part->weight[e] : 1;
            add_arc(made, edge.from, (pci_labelled_arc){edge.to, part->text[e], weight});
            if (mirrors && edge.from != edge.to)
                add_arc(made, edge.to, (pci_labelled_arc){edge.from, part->text[e], weight});
        }
    }
    return PC_OK;
}

static pc_status fail_edge(const pc_labelled_edges *made, const pci_graph_draft *draft,
                           uint64_t from, const pci_labelled_arc *arc, uint64_t other)
{
    char ends[2][64];
    size_t length;
    const char *text = pci_names_text(&draft->texts, arc->text, &length);
    pc_labels_text(&draft->labels, from, ends[0], sizeof ends[0]);
    pc_labels_text(&draft->labels, arc->to, ends[1], sizeof ends[1]);
    if (draft->multigraph || other == arc->weight)
        return pci_fail(made->context, PC_ERR_RANGE,
                        "the multiplicities of edge %s %s with '%.*s' add up to more than 2^64-1",
                        ends[0], ends[1], length < 40 ? (int)length : 40, text);
    return pci_fail(made->context, PC_ERR_DATA,
                    "edge %s %s with '%.*s' is given with weight %" PRIu64 " and again with weight "
                    "%" PRIu64 ": keep one of them, or let them add with --multigraph",
                    ends[0], ends[1], length < 40 ? (int)length : 40, text, arc->weight, other);
}

/* Sorts the rows and joins equal arcs; those of weight 0 are none. */
static pc_status join_arcs(pc_labelled_edges *made, const pci_graph_draft *draft)
{
    uint64_t n = draft->labels.n, n_arcs = 0, begin = 0;
    pc_graph_info *info = &made->info;
    bool doubles = draft->loops == PC_LOOPS_TWICE && !draft->has_twice_loops;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t end = made->row_start[v + 1], next;
        if (end > begin) /* qsort takes no NULL */
            qsort(made->arc + begin, end - begin, sizeof *made->arc, compare_arcs);
        for (uint64_t a = begin; a < end; a = next) {
            pci_labelled_arc joined = made->arc[a];
            bool counts = info->directed || v <= joined.to, fits = true;
            for (next = a + 1; next < end && made->arc[next].to == joined.to &&
                               made->arc[next].text == joined.text;
                 next++) {
                uint64_t weight = made->arc[next].weight;
                info->n_duplicates += counts;
                if (draft->multigraph)
                    fits = fits && !__builtin_add_overflow(joined.weight, weight, &joined.weight);
                else if (weight != joined.weight)
                    return fail_edge(made, draft, v, &joined, weight);
            }
            if (doubles && joined.to == v)
                fits =
                    fits && !__builtin_add_overflow(joined.weight, joined.weight, &joined.weight);
            if (!fits)
                return fail_edge(made, draft, v, &joined, joined.weight);
            if (joined.weight == 0)
                continue;
            made->arc[n_arcs++] = joined;
            info->n_edges += counts;
            info->n_loops += joined.to == v;
            if (joined.weight > info->max_weight)
                info->max_weight = joined.weight;
        }
        begin = end;
        made->row_start[v + 1] = n_arcs;
    }
    info->n_arcs = n_arcs;
    return pci_progress(made->context, "read", 0.9);
}

pc_status pci_labelled_build(pc_context *context, pci_graph_draft *draft,
                             pc_labelled_edges **labelled)
{
    pc_status status = PC_OK;
    pc_labelled_edges *made = pci_alloc_zero(context, 1, sizeof *made);
    if (made)
        made->context = context;
    if (!made)
        status = pci_fail_memory(context, "labelled edges", sizeof *made);
    else if (draft->loops == PC_LOOPS_TWICE && draft->info.directed)
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "--loops twice is for undirected graphs, and this one is directed, where "
                          "a loop is one arc: leave --loops out");
    if (status == PC_OK) {
        made->info = draft->info;
        made->info.n_vertices = draft->labels.n;
        made->info.duplicates_added = draft->multigraph;
        if (draft->has_twice_loops && !draft->info.directed)
            draft->loops = PC_LOOPS_TWICE;
        made->info.loops = draft->loops;
        memcpy(made->note, draft->note, sizeof made->note);
        status = make_rows(made, draft);
    }
    if (status == PC_OK)
        status = join_arcs(made, draft);
    if (status == PC_OK) {
        made->vertices = draft->labels;
        made->texts = draft->texts;
        draft->labels = (pci_labels){0};
        draft->texts = (pci_names){0};
        *labelled = made;
    } else {
        pc_labelled_edges_free(made);
    }
    pci_draft_free(context, draft);
    return status;
}

pc_status pc_labelled_edges_graph(pc_context *context, const pc_labelled_edges *labelled,
                                  pc_graph **graph)
{
    if (!context || !labelled || !graph)
        return pci_fail_null(context, "labelled or graph");
    pci_graph_draft draft = {.multigraph = true, .has_mirrors = true, .info = labelled->info};
    uint64_t n_arcs = labelled->info.n_arcs;
    pc_graph *made = NULL;
    pc_status status = pci_labels_select(context, &labelled->vertices, NULL, &draft.labels);
    if (status == PC_OK)
        status = pci_edges_create_equal(context, 1, n_arcs, true, &draft.edges);
    for (uint64_t v = 0; v < labelled->vertices.n && status == PC_OK; v++)
        for (uint64_t a = labelled->row_start[v]; a < labelled->row_start[v + 1]; a++) {
            draft.edges.edge[a] = (pci_edge){(uint32_t)v, labelled->arc[a].to};
            draft.edges.weight[a] = labelled->arc[a].weight;
        }
    if (status == PC_OK)
        status = pci_graph_build(context, &draft, &made);
    else
        pci_draft_free(context, &draft);
    if (status)
        return status;
    uint64_t most = made->info.max_weight, n_entries = made->info.n_arcs;
    made->info = labelled->info;
    made->info.max_weight = most;
    made->info.n_arcs = n_entries;
    memcpy(made->note, labelled->note, sizeof made->note);
    pci_graph_seal(context, made);
    *graph = made;
    return PC_OK;
}

pc_status pci_fail_labelled_decimals(pc_context *context)
{
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "edges with texts have integers as weights: none with decimals");
}

void pc_labelled_edges_free(pc_labelled_edges *labelled)
{
    if (!labelled)
        return;
    pci_labels_free(labelled->context, &labelled->vertices);
    pci_names_free(labelled->context, &labelled->texts);
    pci_free(labelled->context, labelled->row_start);
    pci_free(labelled->context, labelled->arc);
    pci_free(labelled->context, labelled);
}

void pc_labelled_edges_get_info(const pc_labelled_edges *labelled, pc_graph_info *info)
{
    if (!info)
        return;
    *info = labelled ? labelled->info : (pc_graph_info){.format = ""};
    info->note = labelled && *labelled->note ? labelled->note : NULL;
}

const pc_labels *pc_labelled_edges_labels(const pc_labelled_edges *labelled)
{
    return labelled ? &labelled->vertices : NULL;
}
