/* Sparse products of doubles with a common exponent. */
#include "src/vectors/doubles.h"

#include "src/core/number.h"

#include <math.h>

/* Entries are scaled down when one passes this: times any weight and degree they stay finite. */
static const double SCALE_ABOVE = 0x1p400;
/* ... and may then not fall below this; sums of earlier vectors not below the other. */
static const double SMALLEST = 0x1p-500, SMALLEST_SUM = 0x1p-900;

static pc_status fail_range(pc_context *context)
{
    return pci_fail(context, PC_ERR_RANGE,
                    "counts differ by more than 2^500, too much for doubles with one exponent; "
                    "count exactly, or modulo a number (--mod M)");
}

static double row_sum(const pc_graph *graph, const double *x, uint64_t i)
{
    double sum = 0;
    for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
        sum += (graph->weight ? (double)graph->weight[a] : 1.0) * x[graph->column[a]];
    return sum;
}

pc_status pci_doubles_step(pc_context *context, const pc_graph *graph, int n_threads,
                           const double *x, double *y, int64_t *exponent)
{
    double largest = 0, smallest = HUGE_VAL;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 512) reduction(max               \
                                                                                 : largest)        \
    reduction(min                                                                                  \
              : smallest)
    for (uint64_t i = 0; i < graph->n; i++) {
        double sum = row_sum(graph, x, i);
        largest = sum > largest ? sum : largest;
        smallest = sum > 0 && sum < smallest ? sum : smallest;
        y[i] = sum;
    }
    if (largest <= SCALE_ABOVE)
        return PC_OK;
    int shift = ilogb(largest);
    if (smallest < ldexp(SMALLEST, shift))
        return fail_range(context);
    double factor = ldexp(1.0, -shift);
    for (uint64_t i = 0; i < graph->n; i++)
        y[i] *= factor;
    *exponent += shift;
    return PC_OK;
}

pc_status pci_doubles_add(pc_context *context, uint64_t n, const double *x, int64_t exponent,
                          double *sum, int64_t *sum_exponent)
{
    double factor = pci_number_scale(1, *sum_exponent - exponent);
    for (uint64_t i = 0; i < n; i++) {
        double scaled = sum[i] * factor;
        if (sum[i] > 0 && scaled < SMALLEST_SUM)
            return fail_range(context);
        sum[i] = scaled + x[i];
    }
    *sum_exponent = exponent;
    return PC_OK;
}

/* ---- Markov chains -------------------------------------------------------------------------- */

enum { N_SUMS = 4 };

/* They are added up as integers, 2^32 weights below 2^64. */
void pci_chain_sums(const pc_graph *graph, double *sums)
{
    if (graph->parts) {
        graph->parts->multiply(graph->parts, PCI_PARTS_CHAIN_SUMS, NULL, sums, sums);
        return;
    }
    for (uint64_t i = 0; i < graph->n; i++) {
        unsigned __int128 sum = 0;
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
            sum += pci_graph_weight(graph, a);
        sums[i] = (double)sum;
    }
}

/* The same of the columns of a graph. */
static pc_status add_column_weights(const pc_graph *graph, pci_markov *markov)
{
    uint64_t n = graph->n;
    unsigned __int128 *sum = pci_alloc_zero(markov->context, n, sizeof *sum);
    if (!sum)
        return pci_fail_memory(markov->context, "sums of rows", n * sizeof *sum);
    for (uint64_t a = 0; a < pci_graph_n_arcs(graph); a++)
        sum[graph->column[a]] += pci_graph_weight(graph, a);
    for (uint64_t i = 0; i < n; i++)
        markov->leaving[i] = (double)sum[i];
    pci_free(markov->context, sum);
    return PC_OK;
}

static pc_status fill_leaving(const pc_graph *graph, pci_markov *markov)
{
    pc_graph *chain = NULL;
    if (markov->turned && !graph->symmetric && !graph->parts)
        return add_column_weights(graph, markov);
    pc_status status = markov->turned && !graph->symmetric
                           ? pci_graph_reverse(markov->context, graph, &chain)
                           : PC_OK;
    if (status == PC_OK)
        pci_chain_sums(chain ? chain : graph, markov->leaving);
    pc_graph_free(chain);
    return status;
}

double pci_markov_bytes(const pc_graph *graph, bool turned)
{
    return (double)graph->n * 8 * (turned ? 2 : 1);
}

pc_status pci_markov_init(pc_context *context, const pc_graph *graph, bool turned,
                          pci_markov *markov)
{
    *markov = (pci_markov){.context = context, .graph = graph, .turned = turned};
    markov->leaving = pci_alloc_zero(context, graph->n, sizeof *markov->leaving);
    if (turned)
        markov->share = pci_alloc_zero(context, graph->n, sizeof *markov->share);
    if (!markov->leaving || (turned && !markov->share))
        return pci_fail_memory(context, "sums of rows", graph->n * sizeof *markov->leaving);
    return fill_leaving(graph, markov);
}

void pci_markov_free(pci_markov *markov)
{
    if (!markov->context)
        return;
    pci_free(markov->context, markov->leaving);
    pci_free(markov->context, markov->share);
}

/* Adds term to *sum; what that rounds off is kept in *lost and taken into account next time
 * (Kahan). */
static inline void add(double term, double *sum, double *lost)
{
    double wanted = term - *lost, next = *sum + wanted;
    *lost = (next - *sum) - wanted;
    *sum = next;
}

static inline double entry_times(const pc_graph *graph, uint64_t a, const double *x)
{
    double value = x[graph->column[a]];
    return graph->weight ? (double)graph->weight[a] * value : value;
}

/* A row times x. An addition waits for the one before it, so there are a few sums side by side. */
static double row_dot(const pc_graph *graph, uint64_t i, const double *x)
{
    double sum[N_SUMS] = {0}, lost[N_SUMS] = {0};
    uint64_t a = graph->row_start[i], end = graph->row_start[i + 1];
    for (; end - a >= N_SUMS; a += N_SUMS)
        for (int s = 0; s < N_SUMS; s++)
            add(entry_times(graph, a + (uint64_t)s, x), &sum[s], &lost[s]);
    for (; a < end; a++)
        add(entry_times(graph, a, x), &sum[0], &lost[0]);
    for (int s = 1; s < N_SUMS; s++) {
        add(sum[s], &sum[0], &lost[0]);
        add(-lost[s], &sum[0], &lost[0]);
    }
    return sum[0] - lost[0];
}

void pci_chain_rows(const pc_graph *graph, int n_threads, const double *x, double *y)
{
    if (graph->parts) {
        graph->parts->multiply(graph->parts, PCI_PARTS_CHAIN, NULL, x, y);
        return;
    }
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 512)
    for (uint64_t i = 0; i < graph->n; i++)
        y[i] = row_dot(graph, i, x);
}

static bool stays(const pci_markov *markov, uint64_t i)
{
    return markov->leaving[i] == 0;
}

void pci_markov_step(const pci_markov *markov, int n_threads, const double *x, double *y)
{
    uint64_t n = markov->graph->n;
    const double *from = markov->turned ? markov->share : x;
    for (uint64_t i = 0; i < n && markov->turned; i++)
        markov->share[i] = stays(markov, i) ? 0 : x[i] / markov->leaving[i];
    pci_chain_rows(markov->graph, n_threads, from, y);
    for (uint64_t i = 0; i < n; i++) {
        if (!markov->turned && !stays(markov, i))
            y[i] /= markov->leaving[i];
        if (stays(markov, i))
            y[i] += x[i];
    }
}
