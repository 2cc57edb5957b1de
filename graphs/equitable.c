/* Cells of an equitable partition, by colour refinement: two vertices keep the same colour as long as the sums of
 * weights to the vertices of each colour are the same. Colours are hashes, so the partition is checked when
 * nothing changes any more. */
#include "graphs/quotient.h"

#include "graphs/sort.h"
#include "src/core/checksum.h"

#include <string.h>

/* Refining takes so many arcs and vertices at most, a second or two. */
static const double MOST_WORK = 0x1p26;

typedef struct refining {
    const pc_graph *graph;
    uint64_t *colour; /* [n] */
    uint64_t *next;   /* [n] colours of the next round, sorted with: */
    uint64_t *vertex; /* [n] vertices in the order of their colours */
    uint64_t *spare;  /* [2 n] */
    uint32_t *cell;   /* [n] */
} refining;

/* Sorts vertices by colours, numbers the cells, and returns how many there are. */
static uint64_t number_cells(const refining *r)
{
    uint64_t n = r->graph->n, n_cells = 0;
    memcpy(r->next, r->colour, n * sizeof *r->next);
    for (uint64_t v = 0; v < n; v++)
        r->vertex[v] = v;
    pci_sort((pci_sort_items){r->next, r->vertex}, (pci_sort_items){r->spare, r->spare + n}, n,
             pci_differing_bits(r->next, n));
    for (uint64_t i = 0; i < n; i++) {
        n_cells += i == 0 || r->next[i] != r->next[i - 1];
        r->cell[r->vertex[i]] = (uint32_t)(n_cells - 1);
    }
    return n_cells;
}

static void recolour(const refining *r)
{
    const pc_graph *g = r->graph;
    for (uint64_t v = 0; v < g->n; v++) {
        uint64_t sum = 0;
        for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++)
            sum += pci_graph_weight(g, a) * pci_scramble(r->colour[g->column[a]] + PCI_RANDOM_STEP);
        r->next[v] = pci_scramble(r->colour[v] ^ sum);
    }
    memcpy(r->colour, r->next, g->n * sizeof *r->colour);
}

/* Adds the weights of a row to the sums of the cells that they lead to. */
static void add_row(const refining *r, uint64_t v, uint64_t factor, uint64_t *sum)
{
    const pc_graph *g = r->graph;
    for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++)
        sum[r->cell[g->column[a]]] += factor * pci_graph_weight(g, a);
}

static bool is_zero_along(const refining *r, uint64_t v, const uint64_t *sum)
{
    const pc_graph *g = r->graph;
    bool is_zero = true;
    for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++)
        is_zero &= sum[r->cell[g->column[a]]] == 0;
    return is_zero;
}

/* Tells whether the rows of a cell have the same sums over cells, modulo 2^64: the row of its first vertex is taken
 * off each other one, which must leave nothing. */
static bool is_equitable(const refining *r, uint64_t *sum)
{
    uint64_t n = r->graph->n, first = 0;
    memset(sum, 0, n * sizeof *sum);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = r->vertex[i];
        if (i == 0 || r->cell[v] != r->cell[r->vertex[i - 1]])
            first = v;
        add_row(r, v, 1, sum);
        add_row(r, first, UINT64_MAX, sum); /* -1 */
        if (!is_zero_along(r, v, sum) || !is_zero_along(r, first, sum))
            return false;
    }
    return true;
}

pc_status pci_equitable_cells(pc_context *context, const pc_graph *graph, uint64_t apart,
                              uint64_t *n_cells)
{
    uint64_t n = graph->n, n_before = 0, n_now = 0;
    double n_rounds = MOST_WORK / ((double)n + (double)pci_graph_n_arcs(graph) + 1);
    refining r = {.graph = graph};
    *n_cells = n;
    if (n == 0)
        return PC_OK;
    r.colour = pci_alloc_zero(context, n, 5 * sizeof *r.colour + sizeof *r.cell);
    if (!r.colour)
        return pci_fail_memory(context, "an equitable partition", n * 44);
    r.next = r.colour + n;
    r.vertex = r.colour + 2 * n;
    r.spare = r.colour + 3 * n;
    r.cell = (uint32_t *)(r.colour + 5 * n);
    if (apart < n)
        r.colour[apart] = 1;
    pc_status status = PC_OK;
    do {
        status = pci_progress(context, "recurrence", 0);
        n_before = n_now;
        n_now = number_cells(&r);
        if (n_now > n_before && n_now < n)
            recolour(&r);
    } while (status == PC_OK && n_now > n_before && n_now < n && n_rounds-- > 0);
    /* Sums modulo 2^64 of equal rows that are different are no proof. */
    bool may_wrap = pci_graph_largest_row_sum(graph) == UINT64_MAX;
    if (status == PC_OK && n_now == n_before && n_now < n && !may_wrap && is_equitable(&r, r.spare))
        *n_cells = n_now;
    pci_free(context, r.colour);
    return status;
}
