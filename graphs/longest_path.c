/* The longest path of a graph without cycles, in topological order (Kahn, 1962): a vertex is done when all arcs
 * into it come from vertices that are done. What is never done lies on a cycle, or behind one. */
#include "graphs/graph.h"

#include <stdio.h>

enum { MOST_NAMED = 8, LABEL_BYTES = 48, CIRCLE_BYTES = (MOST_NAMED + 2) * (LABEL_BYTES + 8) };

typedef struct search {
    pc_context *context;
    const pc_graph *graph;
    uint32_t *n_into; /* [n]: arcs into a vertex from vertices that are not done */
    uint32_t *order;  /* [n]: vertices that are done or can be, in their order */
    uint64_t n_order;
    uint32_t *longest; /* [n]: arcs of the longest path that ends there */
} search;

static void count_arcs_into(search *s)
{
    const pc_graph *graph = s->graph;
    for (uint64_t a = 0; a < pci_graph_n_arcs(graph); a++)
        s->n_into[graph->column[a]]++;
    for (uint64_t v = 0; v < graph->n; v++)
        if (s->n_into[v] == 0)
            s->order[s->n_order++] = (uint32_t)v;
}

/* Follows the arcs of vertices that are done; returns the arcs of the longest path. */
static uint64_t follow(search *s)
{
    const pc_graph *graph = s->graph;
    uint64_t longest = 0;
    for (uint64_t i = 0; i < s->n_order; i++) {
        uint32_t v = s->order[i];
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            uint32_t to = graph->column[a];
            if (s->longest[to] <= s->longest[v])
                s->longest[to] = s->longest[v] + 1;
            if (--s->n_into[to] == 0)
                s->order[s->n_order++] = to;
        }
        longest = s->longest[v] > longest ? s->longest[v] : longest;
    }
    return longest;
}

/* Each vertex that is not done gets one before it that is not done either; then some are walked back
 * from any of them until one comes again. Returns a vertex of the cycle. */
static uint32_t find_cycle(search *s, uint32_t *before)
{
    const pc_graph *graph = s->graph;
    uint32_t any = 0;
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; s->n_into[v] > 0 && a < graph->row_start[v + 1]; a++)
            before[graph->column[a]] = any = (uint32_t)v;
    for (uint64_t steps = 0; steps < graph->n; steps++)
        any = before[any];
    return any;
}

/* "a -> b -> c -> a", the middle of a long one left out. before has the cycle the other way round. */
static void describe(const search *s, uint32_t on_cycle, const uint32_t *before, char *text)
{
    uint64_t n = 0;
    uint32_t forward[MOST_NAMED], v = on_cycle;
    do {
        v = before[v];
        n++;
    } while (v != on_cycle);
    /* The last of those that are walked back to come first. */
    uint64_t n_named = n < MOST_NAMED ? n : MOST_NAMED;
    for (uint64_t i = 0; i < n; i++, v = before[v])
        if (i + n_named >= n)
            forward[n - 1 - i] = v;
    size_t at = 0;
    for (uint64_t i = 0; i <= n_named; i++) {
        char label[LABEL_BYTES] = "";
        uint32_t named = i < n_named ? forward[i] : forward[0];
        pc_labels_text(pc_graph_labels(s->graph), named, label, sizeof label);
        bool is_cut = i == n_named && n_named < n;
        at += (size_t)snprintf(text + at, CIRCLE_BYTES - at, "%s%s%s", i > 0 ? " -> " : "",
                               is_cut ? "... -> " : "", *label ? label : "?");
    }
}

static pc_status fail_cycle(search *s)
{
    char circle[CIRCLE_BYTES];
    if (s->graph->symmetric)
        return pci_fail(s->context, PC_ERR_DATA,
                        "each edge of an undirected graph leads there and back, so paths of any "
                        "length have no end; read edges as arcs (--directed), or give a length");
    uint32_t *before = s->longest; /* which is not needed any more */
    describe(s, find_cycle(s, before), before, circle);
    return pci_fail(
        s->context, PC_ERR_DATA,
        "the arcs %s lead round in a circle, so paths of any length have no end; give a "
        "length",
        circle);
}

/* What s holds is to be freed whatever the status. */
static pc_status begin(search *s)
{
    size_t n = s->graph->n + 1;
    s->n_into = pci_alloc_zero(s->context, n, sizeof *s->n_into);
    s->order = pci_alloc_zero(s->context, n, sizeof *s->order);
    s->longest = pci_alloc_zero(s->context, n, sizeof *s->longest);
    if (!s->n_into || !s->order || !s->longest)
        return pci_fail_memory(s->context, "the order of vertices", n * 12);
    count_arcs_into(s);
    return PC_OK;
}

static void end(search *s)
{
    pci_free(s->context, s->n_into);
    pci_free(s->context, s->order);
    pci_free(s->context, s->longest);
}

pc_status pci_graph_order(pc_context *context, const pc_graph *graph, uint32_t **order,
                          uint64_t *longest)
{
    search s = {.context = context, .graph = graph};
    *order = NULL;
    pc_status status = graph->symmetric ? PC_OK : begin(&s);
    if (status == PC_OK && !graph->symmetric) {
        *longest = follow(&s);
        if (s.n_order == graph->n) {
            *order = s.order;
            s.order = NULL;
        }
    }
    end(&s);
    return status;
}

pc_status pc_graph_longest_path(pc_context *context, const pc_graph *graph, uint64_t *length)
{
    if (!context || !graph || !length)
        return pci_fail_null(context, "pc_graph_longest_path: context, graph or length");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    search s = {.context = context, .graph = graph};
    pc_status status = begin(&s);
    if (status == PC_OK) {
        *length = follow(&s);
        status = s.n_order < graph->n ? fail_cycle(&s) : PC_OK;
    }
    end(&s);
    return status;
}
