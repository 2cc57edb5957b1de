/* Limits of the entries of powers, from row sums. */
#include "src/bound.h"

#include "src/residues.h"

#include <inttypes.h>
#include <math.h>

/* Doubles hold integers exactly up to here. */
static const double EXACT = 0x1p53;
/* Vectors are scaled down when they pass this, far from overflow. */
static const double SCALE_ABOVE = 0x1p500;

enum { ASK_EVERY = 256 };

/* x * 2^exponent >= A^e 1, componentwise. */
typedef struct row_sums {
    double *x, *next;
    int64_t exponent;
    double largest; /* of x */
    bool settled;   /* A x = x exactly: nothing changes any more */
} row_sums;

static double log2_up(double value)
{
    double bits = log2(value);
    return bits + bits * 0x1p-50;
}

/* A sum of n_arcs rounded products, raised by more than rounding can have lowered it. Whole numbers
 * below 2^53 have not been rounded. */
static double raised(double sum, uint64_t n_arcs, bool whole)
{
    return whole && sum < EXACT ? sum : sum * (1 + (double)(n_arcs + 4) * 0x1p-52);
}

static double row_sum(const pc_graph *graph, const double *x, bool whole, uint64_t i)
{
    double sum = 0;
    uint64_t first = graph->row_start[i], end = graph->row_start[i + 1];
    for (uint64_t a = first; a < end; a++)
        sum += (graph->weight ? (double)graph->weight[a] : 1.0) * x[graph->column[a]];
    return raised(sum, end - first, whole);
}

/* Scaling lets nothing vanish: what would underflow is raised. */
static double scaled(double value, double factor)
{
    double result = value * factor;
    return value > 0 && result < 0x1p-900 ? 0x1p-900 : result;
}

static void multiply(const pc_graph *graph, int n_threads, row_sums *sums)
{
    double largest = 0;
    uint64_t n_changed = 0;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 512) \
    reduction(max : largest) reduction(+ : n_changed)
    for (uint64_t i = 0; i < graph->n; i++) {
        double sum = row_sum(graph, sums->x, sums->exponent == 0, i);
        n_changed += sum != sums->x[i];
        largest = sum > largest ? sum : largest;
        sums->next[i] = sum;
    }
    double *swap = sums->x;
    sums->x = sums->next;
    sums->next = swap;
    sums->largest = largest;
    sums->settled = n_changed == 0;
    if (largest > SCALE_ABOVE) {
        int shift = ilogb(largest);
        double factor = ldexp(1.0, -shift);
        for (uint64_t i = 0; i < graph->n; i++)
            sums->x[i] = scaled(sums->x[i], factor);
        sums->largest *= factor;
        sums->exponent += shift;
    }
}

/* log2 of x * 2^exponent, rounded up, also where both are large and cancel; below 0 when x is 0. */
static double log2_scaled(double x, int64_t exponent)
{
    if (x == 0)
        return -1;
    double bits = log2(x);
    return bits + (double)exponent + (fabs(bits) + (double)exponent) * 0x1p-50;
}

/* log2 of the largest row sum. */
static double log2_largest(const row_sums *sums)
{
    return log2_scaled(sums->largest, sums->exponent);
}

/* log2 of the most that the row sums of a block add up to. */
static double log2_largest_block(const row_sums *sums, const pc_partition *partition)
{
    double largest = 0;
    for (uint64_t b = 0; b < partition->n_blocks; b++) {
        double sum = 0;
        for (uint64_t i = partition->start[b]; i < partition->start[b + 1]; i++)
            sum += sums->x[partition->vertex[i]];
        sum = raised(sum, partition->size[b], sums->exponent == 0);
        largest = sum > largest ? sum : largest;
    }
    return log2_scaled(largest, sums->exponent);
}

static pc_status check_work(pc_context *context, const pc_graph *graph, uint64_t length)
{
    double pass = (double)pci_graph_n_arcs(graph) + (double)graph->n;
    if ((double)length * pass <= PCI_MAX_WORK)
        return PC_OK;
    return pci_fail(context, PC_ERR_RANGE,
                    "an exact count of length %" PRIu64 " would pass over the graph that many "
                    "times; count modulo a number (--mod M) or in floating point (--float) instead",
                    length);
}

static pc_status too_wide(pc_context *context, uint64_t length, double max_bits)
{
    return pci_fail(context, PC_ERR_RANGE,
                    "counts of length %" PRIu64 " may be wider than %.0f bits, the most that exact "
                    "counting reaches; count modulo a number (--mod M) or in floating point "
                    "(--float) instead",
                    length, max_bits);
}

/* Brings sums from A^e 1 to A^length 1, or to where no further pass would change them. */
static pc_status advance(pc_context *context, const pc_graph *graph, double max_bits,
                         uint64_t final_length, uint64_t length, uint64_t *e, row_sums *sums)
{
    int n_threads = pci_threads_for(context, (double)pci_graph_n_arcs(graph));
    for (; *e < length && !sums->settled; (*e)++) {
        if (*e % ASK_EVERY == 0) {
            pc_status status = pci_progress(context, "bound", (double)*e / (double)final_length);
            if (status != PC_OK)
                return status;
        }
        multiply(graph, n_threads, sums);
        if (log2_largest(sums) > max_bits + 64) /* w * s_(e-1) may still be less, but not so much */
            return too_wide(context, final_length, max_bits);
    }
    if (*e < length) /* settled */
        *e = length;
    return PC_OK;
}

static double log2_sum(const row_sums *sums, const pc_partition *partition)
{
    return partition ? log2_largest_block(sums, partition) : log2_largest(sums);
}

/* What makes of a limit of s_(e-1) one of the entries of A^e, or of those between blocks. */
static double log2_factor(const pc_graph *graph, const pc_partition *partition)
{
    double bits = graph->info.max_weight ? log2_up((double)graph->info.max_weight) : 0;
    return partition && partition->max_size ? bits + log2_up((double)partition->max_size) : bits;
}

/* bits = log2 of the limit of A^length, to which sums are brought. */
static pc_status bound_length(pc_context *context, const pc_graph *graph,
                              const pc_partition *partition, double max_bits, uint64_t last,
                              uint64_t length, uint64_t *e, row_sums *sums, double *bits)
{
    double limit = !length && !partition ? 0 /* the identity */ : INFINITY;
    pc_status status = PC_OK;
    if (length > *e) {
        status = advance(context, graph, max_bits, last, length - 1, e, sums);
        limit = log2_sum(sums, partition) + log2_factor(graph, partition);
    }
    if (status == PC_OK)
        status = advance(context, graph, max_bits, last, length, e, sums);
    *bits = fmax(0, fmin(limit, log2_sum(sums, partition)));
    if (status == PC_OK && *bits > max_bits)
        status = too_wide(context, last, max_bits);
    return status;
}

pc_status pci_bound(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                    uint32_t n_lengths, const uint64_t *lengths, double max_bits, double *bits)
{
    size_t bytes = graph->n * sizeof(double);
    row_sums sums = {.x = pci_alloc(context, bytes), .next = pci_alloc(context, bytes)};
    uint64_t e = 0, last = lengths[n_lengths - 1];
    pc_status status = check_work(context, graph, last);
    if (status == PC_OK && (!sums.x || !sums.next))
        status = pci_fail_memory(context, "row sums", 2 * bytes);
    if (status != PC_OK)
        goto done;
    for (uint64_t i = 0; i < graph->n; i++)
        sums.x[i] = 1;
    sums.largest = 1;
    for (uint32_t l = 0; l < n_lengths && status == PC_OK; l++)
        status = bound_length(context, graph, l + 1 == n_lengths ? partition : NULL, max_bits, last,
                              lengths[l], &e, &sums, &bits[l]);
done:
    pci_free(context, sums.x);
    pci_free(context, sums.next);
    return status;
}

pc_status pci_bound_all(pc_context *context, const pc_graph *graph, uint64_t length, double **bits)
{
    double needed = 2 * sizeof(double) * ((double)length + 1 + (double)graph->n);
    if (needed > (double)pci_memory_available(context) || length >= UINT32_MAX)
        return pci_fail_memory(context, "limits of all lengths",
                               needed < 0x1p63 ? (size_t)needed : SIZE_MAX);
    pci_moduli moduli;
    pci_moduli_fill(&moduli);
    uint64_t *lengths = pci_alloc(context, (length + 1) * sizeof *lengths);
    double *made = pci_alloc(context, (length + 1) * sizeof *made);
    pc_status status = PC_OK;
    if (!lengths || !made)
        status = pci_fail_memory(context, "limits of all lengths", (size_t)needed);
    for (uint64_t l = 0; l <= length && status == PC_OK; l++)
        lengths[l] = l;
    if (status == PC_OK)
        status = pci_bound(context, graph, NULL, (uint32_t)length + 1, lengths,
                           pci_moduli_max_bits(&moduli), made);
    pci_free(context, lengths);
    if (status == PC_OK)
        *bits = made;
    else
        pci_free(context, made);
    return status;
}
