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
