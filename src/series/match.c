/* Walks whose labels match: the product of labelled edges with the automaton of a pattern.
 *
 * A vertex of the product is a vertex and the state that the labels on the way there lead to. It exists when a walk
 * from a vertex that is asked for leads there. The vertices that are asked for have copies, which are the ports of the
 * product. Arcs of the first steps leave the copy of the vertex where walks begin, and no arc leads there. Arcs of last
 * steps, into states that accept, also lead to the copy of the vertex where walks end, and no arc leaves it. So walks
 * of length 1 or more between ports are the walks that match, one for one. Parts that lead to no end are left out. */
#include "pathcount_match.h"

#include "graphs/builder.h"
#include "graphs/labels.h"
#include "graphs/sort.h"
#include "src/plan/question.h"

#include <string.h>

struct pc_match {
    pc_context *context;
    pc_graph *graph;
    pc_query query;
    uint64_t *from, *to; /* of the query */
};

static const uint64_t IS_ENTERED = UINT64_C(1) << 63;

typedef struct work {
    pc_context *context;
    const pc_graph *graph; /* of labelled edges */
    pci_question question; /* that is asked */
    pci_automaton automaton;
    uint64_t n;                      /* vertices of the labelled edges */
    bool merges_begins, merges_ends; /* all have one port */
    uint64_t first_begin, n_ports;   /* ports of ends come first */
    unsigned char *begins, *ends;    /* [n] those that are asked for */
    uint32_t *number; /* [n][n_states] of vertices of the product + 1; 0: not reached */
    /* [n_reached] vertex * n_states + state, and IS_ENTERED when an arc leads there */
    uint64_t *place;
    uint64_t place_capacity, n_reached, n_edges;
    pci_edges edges; /* between ports and, numbered behind them, vertices in the order of place */
} work;

/* ---- The query ------------------------------------------------------------------------------- */

/* Marks the vertices where walks begin and end, and makes the pairs of ports. The empty walk has no ports of its own: its
 * begin is its end, and it is one of a graph without arcs. */
static pc_status ask(work *w, pc_match *made)
{
    const pc_query *q = &w->question.query;
    const pci_question_kind *kind = w->question.kind;
    pci_shape shape = pci_question_shape(&w->question);
    uint64_t n = w->n, n_pairs;
    bool has_from = kind->has_from, has_to = kind->has_to;
    w->merges_begins =
        kind->reads == PCI_READS_TOTAL || (pci_kind_is_of_all(kind) && kind->reversed);
    w->merges_ends = pci_kind_is_of_all(kind) && !kind->reversed;
    w->first_begin = w->merges_ends ? 1 : n;
    w->n_ports = w->first_begin + (w->merges_begins ? 1 : n);
    made->query = *q;
    if (q->length == 0 && w->automaton.accepts[0]) {
        w->first_begin = 0;
        w->n_ports = n;
        if (w->merges_begins || w->merges_ends)
            return PC_OK;
    }
    if (__builtin_mul_overflow(shape.n_rows, shape.n_columns, &n_pairs) ||
        n_pairs > UINT64_MAX / 16)
        n_pairs = UINT64_MAX / 16;
    if (!pci_memory_has(w->context, 16.0 * (double)n_pairs))
        return pci_fail_memory(w->context, "the answers", 16 * n_pairs);
    made->from = pci_alloc(w->context, n_pairs * sizeof *made->from);
    made->to = pci_alloc(w->context, n_pairs * sizeof *made->to);
    w->begins = pci_alloc_zero(w->context, n + 1, 1);
    w->ends = pci_alloc_zero(w->context, n + 1, 1);
    if (!made->from || !made->to || !w->begins || !w->ends)
        return pci_fail_memory(w->context, "the answers", 16 * n_pairs);
    memset(w->begins, !has_from, n);
    memset(w->ends, !has_to, n);
    for (uint64_t i = 0; i < q->n_asked && has_from; i++)
        w->begins[q->from[i]] = 1;
    for (uint64_t i = 0; i < q->n_asked && has_to; i++)
        w->ends[q->to[i]] = 1;
    for (uint64_t i = 0; i < n_pairs; i++) {
        uint64_t row = i / shape.n_columns, v = kind->reads == PCI_READS_ROWS ? i % n : i;
        made->from[i] = w->first_begin + (w->merges_begins ? 0 : has_from ? q->from[row] : v);
        made->to[i] = w->merges_ends ? 0 : has_to ? q->to[row] : v;
    }
    made->query.kind = PC_QUERY_PAIRS;
    made->query.n_asked = n_pairs;
    made->query.from = made->from;
    made->query.to = made->to;
    return PC_OK;
}

/* ---- The product ----------------------------------------------------------------------------- */

static pc_status fail_memory(const work *w, double bytes)
{
    return pci_fail(
        w->context, PC_ERR_MEMORY,
        "the product of the edges with the pattern needs %s; take a shorter pattern, or "
        "walks from fewer vertices",
        pci_memory_lack(w->context, bytes, (double)pci_memory_available(w->context)).text);
}

/* *number is that of a vertex of the product, which is added when it is new. */
static pc_status reach(work *w, uint64_t place, bool is_entered, uint64_t *number)
{
    if (w->number[place] == 0) {
        uint64_t n = w->n_reached, *grown = NULL;
        if (w->n_ports + n < PCI_MAX_GRAPH_VERTICES)
            grown = pci_grow(w->context, w->place, &w->place_capacity, n, n + 1, sizeof *grown);
        if (!grown)
            return fail_memory(w, 16 * (double)n);
        w->place = grown;
        grown[n] = place;
        w->number[place] = (uint32_t)++w->n_reached;
    }
    *number = w->number[place] - 1;
    w->place[*number] |= is_entered ? IS_ENTERED : 0;
    return PC_OK;
}

static void add_edge(work *w, uint64_t from, uint64_t to, uint64_t weight)
{
    if (w->edges.edge) {
        w->edges.edge[w->n_edges] = (pci_edge){(uint32_t)from, (uint32_t)to};
        w->edges.weight[w->n_edges] = weight;
    }
    w->n_edges++;
}

/* Adds the edges out of a vertex of the product; the first time, reaches their ends, and counts as many edges or more. */
static pc_status take_vertex(work *w, uint64_t i)
{
    const pci_automaton *a = &w->automaton;
    uint64_t place = w->place[i] & ~IS_ENTERED, to;
    uint64_t v = place / a->n_states, q = place % a->n_states;
    bool is_begin = q == 0 && w->begins[v], is_inner = !w->edges.edge || w->place[i] != place;
    for (uint64_t e = w->graph->row_start[v]; e < w->graph->row_start[v + 1]; e++) {
        uint64_t end = w->graph->column[e], weight = pci_graph_weight(w->graph, e);
        uint32_t next = a->next[q * a->n_classes + a->class_of[w->graph->text[e]]];
        if (next == PCI_NO_STATE)
            continue;
        pc_status status = reach(w, end * a->n_states + next, true, &to);
        if (status)
            return status;
        const uint64_t from[] = {w->n_ports + i, w->first_begin + (w->merges_begins ? 0 : v)};
        for (int f = !is_inner; f < 1 + is_begin; f++) {
            add_edge(w, from[f], w->n_ports + to, weight);
            if (a->accepts[next] && w->ends[end])
                add_edge(w, from[f], w->merges_ends ? 0 : end, weight);
        }
    }
    return PC_OK;
}

/* Finds the vertices of the product and its edges. */
static pc_status make_edges(work *w)
{
    uint64_t n_states = w->automaton.n_states, n_places = w->n * n_states, number;
    pc_status status = PC_OK;
    w->number = pci_memory_has(w->context, 4.0 * (double)n_places)
                    ? pci_alloc_zero(w->context, n_places + 1, sizeof *w->number)
                    : NULL;
    if (!w->number)
        return fail_memory(w, 4.0 * (double)n_places);
    for (uint64_t v = 0; v < w->n && status == PC_OK; v++)
        if (w->begins[v])
            status = reach(w, v * n_states, false, &number);
    for (uint64_t i = 0; i < w->n_reached && status == PC_OK; i++) {
        status = take_vertex(w, i);
        if (status == PC_OK && i % 65536 == 0)
            status = pci_progress(w->context, "plan", 0);
    }
    double bytes = (16 + 4 + 28) * (double)w->n_edges + 24 * (double)w->n_reached;
    if (status == PC_OK && !pci_memory_has(w->context, bytes))
        status = fail_memory(w, bytes);
    if (status == PC_OK)
        status = pci_edges_create_equal(w->context, 1, w->n_edges, true, &w->edges);
    w->n_edges = 0;
    for (uint64_t i = 0; i < w->n_reached && status == PC_OK; i++)
        status = take_vertex(w, i);
    if (status == PC_OK)
        w->edges.parts[0].n_edges = w->n_edges;
    return status;
}

/* Drops what leads to no end, and numbers the vertices that are left; *n_vertices of them, with ports. */
static pc_status drop_dead(work *w, uint64_t *n_vertices)
{
    uint64_t n = w->n_ports + w->n_reached, n_edges = 0, n_stack = 0;
    pci_edge *edge = w->edges.edge;
    /* The edges into vertex v begin at start[v]. */
    uint64_t *start = pci_alloc_zero(w->context, n + 2, sizeof *start);
    uint32_t *from = pci_alloc(w->context, w->n_edges * sizeof *from);
    uint32_t *stack = pci_alloc(w->context, n * sizeof *stack);
    uint32_t *number = pci_alloc_zero(w->context, n + 1, sizeof *number); /* + 1; 0: dead */
    pc_status status = start && from && stack && number
                           ? PC_OK
                           : pci_fail_memory(w->context, "the product with the pattern", 16 * n);
    for (uint64_t e = 0; e < w->n_edges && status == PC_OK; e++)
        start[edge[e].to + UINT64_C(2)]++;
    for (uint64_t v = 0; v < n && status == PC_OK; v++)
        start[v + 2] += start[v + 1];
    for (uint64_t e = 0; e < w->n_edges && status == PC_OK; e++)
        from[start[edge[e].to + UINT64_C(1)]++] = edge[e].from;
    for (*n_vertices = 0; *n_vertices < w->n_ports && status == PC_OK; ++*n_vertices) {
        number[*n_vertices] = (uint32_t)*n_vertices + 1;
        stack[n_stack++] = (uint32_t)*n_vertices;
    }
    while (n_stack > 0) {
        uint64_t v = stack[--n_stack];
        for (uint64_t e = start[v]; e < start[v + 1]; e++)
            if (number[from[e]] == 0) {
                number[from[e]] = (uint32_t)++ * n_vertices;
                stack[n_stack++] = from[e];
            }
    }
    for (uint64_t e = 0; e < w->n_edges && status == PC_OK; e++) {
        if (number[edge[e].to] == 0)
            continue;
        edge[n_edges] = (pci_edge){number[edge[e].from] - 1, number[edge[e].to] - 1};
        w->edges.weight[n_edges++] = w->edges.weight[e];
    }
    w->edges.parts[0].n_edges = n_edges;
    pci_free(w->context, start);
    pci_free(w->context, from);
    pci_free(w->context, stack);
    pci_free(w->context, number);
    return status;
}

static pc_status make_graph(work *w, pc_match *made)
{
    uint64_t n_vertices = w->n_ports;
    pc_status status = pci_check_n_vertices(w->context, n_vertices);
    if (status == PC_OK && w->question.query.length > 0)
        status = make_edges(w);
    if (status == PC_OK && w->question.query.length > 0)
        status = drop_dead(w, &n_vertices);
    if (status)
        return status;
    pci_graph_draft draft = {.edges = w->edges,
                             .labels = pci_labels_range(0, n_vertices),
                             .multigraph = true,
                             .info = {.directed = 1, .format = "product"}};
    w->edges = (pci_edges){0};
    status = pci_graph_build(w->context, &draft, &made->graph);
    return status == PC_ERR_RANGE
               ? pci_fail(
                     w->context, status,
                     "the multiplicities of edges that match add up to more than 2^64-1: ask for "
                     "single vertices, or count with smaller weights")
               : status;
}

/* ---- The calls ------------------------------------------------------------------------------- */

pc_status pc_match_create(pc_context *context, const pc_labelled_edges *labelled,
                          const char *pattern, const pc_query *query, pc_match **match)
{
    if (!context || !labelled || !pattern || !query || !match)
        return pci_fail_null(context, "labelled, pattern, query or match");
    const pci_question_kind *kind = pci_kind_row(query->kind);
    if (!kind || kind->is_matrix || kind->is_summed || query->paths != PC_PATHS_ALL ||
        query->partition)
        return pci_fail(
            context, PC_ERR_ARGUMENT,
            "a pattern is for all walks, from or to vertices, between pairs, as sums, in all or "
            "closed: not for a matrix, and not for simple or other paths");
    pc_match *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the pattern", sizeof *made);
    made->context = context;
    work w = {.context = context, .graph = &labelled->graph, .n = labelled->graph.n};
    pc_status status = pci_question_make(context, w.graph, query, NULL, &w.question);
    if (status == PC_OK)
        status = pci_pattern_compile(context, pattern, &labelled->graph.texts.names, &w.automaton);
    if (status == PC_OK)
        status = ask(&w, made);
    if (status == PC_OK)
        status = make_graph(&w, made);
    if (status == PC_OK)
        status = pc_graph_check(context, w.graph);
    pci_automaton_free(context, &w.automaton);
    pci_free(context, w.begins);
    pci_free(context, w.ends);
    pci_free(context, w.number);
    pci_free(context, w.place);
    pci_edges_free(context, &w.edges);
    if (status)
        pc_match_free(made);
    else
        *match = made;
    return status;
}

void pc_match_free(pc_match *match)
{
    if (!match)
        return;
    pc_graph_free(match->graph);
    pci_free(match->context, match->from);
    pci_free(match->context, match->to);
    pci_free(match->context, match);
}

const pc_graph *pc_match_graph(const pc_match *match)
{
    return match ? match->graph : NULL;
}

const pc_query *pc_match_query(const pc_match *match)
{
    return match ? &match->query : NULL;
}
