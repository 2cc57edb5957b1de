/* Limits of the numbers of paths that never turn back. With q(a) the number of those of l arcs that begin with arc a,
 * from u to v, those of l + 1 arcs are the sum of q over the arcs that leave v, less q of the arc from v to u where there
 * is one. The numbers are doubles that are rounded up: a sum is raised by more than rounding can have lowered it, so what
 * is left when one of its parts is taken off is no less than the sum of the others. */
#include "src/plan/bound.h"

#include <math.h>

/* Numbers are scaled down when they pass this, far from overflow; what would underflow then is raised. */
static const double SCALE_ABOVE = 0x1p500, LEAST = 0x1p-900;

enum { ASK_EVERY = 256 };

typedef struct arc_counts {
    const pc_graph *graph;
    double *q;      /* [n_arcs], times 2^exponent */
    double *sum;    /* [n]: of the arcs that leave a vertex, raised */
    double largest; /* sum */
    uint64_t *back; /* [n_arcs]: the arc back; the arc itself for a loop; n_arcs: there is none */
    double exponent;
} arc_counts;

static void begin(arc_counts *c)
{
    const pc_graph *graph = c->graph;
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            c->q[a] = 1;
            c->back[a] = pci_graph_find_arc(graph, graph->column[a], v);
        }
}

static void add_up(arc_counts *c)
{
    const pc_graph *graph = c->graph;
    c->largest = 0;
    for (uint64_t v = 0; v < graph->n; v++) {
        uint64_t begin = graph->row_start[v], end = graph->row_start[v + 1];
        double sum = 0;
        for (uint64_t a = begin; a < end; a++)
            sum += c->q[a];
        c->sum[v] = sum * (1 + (double)(end - begin + 4) * 0x1p-52);
        c->largest = fmax(c->largest, c->sum[v]);
    }
}

/* One arc more. An arc and the one back are taken together, because each needs what the other was. */
static void step(arc_counts *c)
{
    const pc_graph *graph = c->graph;
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            uint64_t back = c->back[a];
            double there = c->sum[graph->column[a]], was = c->q[a];
            if (back == pci_graph_n_arcs(graph)) {
                c->q[a] = there;
            } else if (back >= a) {
                c->q[a] = (there - c->q[back]) * (1 + 0x1p-52);
                c->q[back] = (c->sum[v] - was) * (1 + 0x1p-52);
            }
        }
}

static void scale(arc_counts *c)
{
    int shift = ilogb(c->largest);
    double factor = ldexp(1, -shift);
    for (uint64_t a = 0; a < pci_graph_n_arcs(c->graph); a++)
        c->q[a] = c->q[a] > 0 ? fmax(c->q[a] * factor, LEAST) : 0;
    c->exponent += shift;
}

pc_status pci_bound_non_backtracking(pc_context *context, const pc_graph *graph, uint64_t length,
                                     double *bits)
{
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    size_t bytes = (2 * n_arcs + graph->n) * sizeof(double);
    double *q = pci_alloc(context, bytes);
    if (!q)
        return pci_fail_memory(context, "limits of the counts", bytes);
    arc_counts c = {
        .graph = graph, .q = q, .back = (uint64_t *)(q + n_arcs), .sum = q + 2 * n_arcs};
    pc_status status = PC_OK;
    begin(&c);
    bits[0] = 0;
    for (uint64_t l = 1; l <= length && status == PC_OK; l++) {
        if (l % ASK_EVERY == 0)
            status = pci_progress(context, "bound", (double)l / (double)length);
        add_up(&c);
        bits[l] = fmax(0, log2(c.largest) * (1 + 0x1p-50) + c.exponent);
        step(&c);
        if (c.largest > SCALE_ABOVE)
            scale(&c);
    }
    pci_free(context, q);
    return status;
}
