/* Limits of the entries of powers, from row sums. */
#include "src/plan/limits.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Doubles hold integers exactly up to here. */
static const double EXACT = 0x1p53;
/* Vectors are scaled down when they pass this, far from overflow. */
static const double SCALE_ABOVE = 0x1p500;

enum { ASK_EVERY = 256, SHORT_LENGTH = 4096, ROWS_A_CHUNK = 512 };

/* x * 2^exponent >= A^e 1, componentwise. */
typedef struct row_sums {
    double *x, *next;
    int64_t exponent;
    double largest; /* of x */
    bool settled;   /* A x = x exactly: nothing changes any more */
} row_sums;

struct pci_limits {
    pc_context *context;
    const pc_graph *graph;
    const pc_partition *partition; /* whose blocks are counted between; NULL: none */
    uint64_t blocks_length;        /* ... at this length */
    double blocks_bits;            /* log2 of that limit, once that length is reached */
    double max_bits;
    double *bits; /* [n_room], of which n_known are known */
    uint64_t n_known, n_room;
    uint64_t first_wide; /* the first length whose limit passes max_bits; UINT64_MAX: none yet */
    uint64_t e;          /* the length that sums are of */
    row_sums sums;
};

static double log2_up(double value)
{
    double bits = log2(value);
    return bits + bits * 0x1p-50;
}

double pci_log2_up(double value)
{
    return value > 1 ? log2(value) * (1 + 0x1p-40) : 0;
}

double pci_step_bits(const pc_graph *graph)
{
    return pci_log2_up((double)pci_graph_largest_degree(graph)) +
           pci_log2_up((double)graph->info.max_weight);
}

/* A sum of n_arcs rounded products, raised by more than rounding can have lowered it. Whole numbers
 * below 2^53 have not been rounded. */
static double raised(double sum, uint64_t n_arcs, bool whole)
{
    return whole && sum < EXACT ? sum : sum * (1 + (double)(n_arcs + 4) * 0x1p-52);
}

/* Scaling lets nothing vanish: what would underflow is raised. */
static double scaled(double value, double factor)
{
    double result = value * factor;
    return value > 0 && result < 0x1p-900 ? 0x1p-900 : result;
}

static void bound_some_rows(const pc_graph *graph, bool whole, const double *x, uint64_t first,
                            uint64_t end, double *y)
{
    for (uint64_t i = first; i < end && i < graph->n; i++) {
        uint64_t begin = graph->row_start[i], stop = graph->row_start[i + 1];
        double sum = 0;
        for (uint64_t a = begin; a < stop; a++)
            sum += (graph->weight ? (double)graph->weight[a] : 1.0) * x[graph->column[a]];
        y[i] = raised(sum, stop - begin, whole);
    }
}

void pci_bound_rows(const pc_graph *graph, int n_threads, bool whole, const double *x, double *y)
{
    if (graph->parts) {
        graph->parts->multiply(graph->parts, whole ? PCI_PARTS_BOUND_WHOLE : PCI_PARTS_BOUND, NULL,
                               x, y);
        return;
    }
    if (n_threads == 1) {
        bound_some_rows(graph, whole, x, 0, graph->n, y);
        return;
    }
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
    for (uint64_t first = 0; first < graph->n; first += ROWS_A_CHUNK)
        bound_some_rows(graph, whole, x, first, first + ROWS_A_CHUNK, y);
}

/* Raises *largest to the largest of next in some rows, and sets *is_changed when one of them
 * differs from x. */
static void compare_some_rows(const row_sums *sums, uint64_t n, uint64_t first, uint64_t end,
                              double *largest, bool *is_changed)
{
    for (uint64_t i = first; i < end && i < n; i++) {
        *is_changed |= sums->next[i] != sums->x[i];
        *largest = sums->next[i] > *largest ? sums->next[i] : *largest;
    }
}

static void multiply(pc_context *context, const pc_graph *graph, int n_threads, row_sums *sums)
{
    double largest = 0;
    bool is_changed = false;
    uint64_t n = graph->n;
    context->n_bound_passes++;
    pci_bound_rows(graph, n_threads, sums->exponent == 0, sums->x, sums->next);
    if (n_threads == 1) {
        compare_some_rows(sums, n, 0, n, &largest, &is_changed);
    } else {
#pragma omp parallel for num_threads(n_threads) reduction(max : largest) reduction(|| : is_changed)
        for (uint64_t first = 0; first < n; first += ROWS_A_CHUNK)
            compare_some_rows(sums, n, first, first + ROWS_A_CHUNK, &largest, &is_changed);
    }
    double *swap = sums->x;
    sums->x = sums->next;
    sums->next = swap;
    sums->largest = largest;
    sums->settled = !is_changed;
    if (largest > SCALE_ABOVE) {
        int shift = ilogb(largest);
        double factor = ldexp(1.0, -shift);
        for (uint64_t i = 0; i < n; i++)
            sums->x[i] = scaled(sums->x[i], factor);
        sums->largest *= factor;
        sums->exponent += shift;
    }
}

/* log2 of the largest row sum, or of the most that the row sums of a block add up to, rounded up;
 * below 0 of 0. */
static double log2_largest(const row_sums *sums, const pc_partition *partition)
{
    double largest = partition ? 0 : sums->largest;
    for (uint64_t b = 0; partition && b < partition->n_blocks; b++) {
        double sum = 0;
        for (uint64_t i = partition->start[b]; i < partition->start[b + 1]; i++)
            sum += sums->x[partition->vertex[i]];
        sum = raised(sum, partition->size[b], sums->exponent == 0);
        largest = sum > largest ? sum : largest;
    }
    if (largest == 0)
        return -1;
    double bits = log2(largest), exponent = (double)sums->exponent; /* may be large and cancel */
    return bits + exponent + (fabs(bits) + exponent) * 0x1p-50;
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
        multiply(context, graph, n_threads, sums);
        if (log2_largest(sums, NULL) >
            max_bits + 64) /* w * s_(e-1) may still be less, but not so much */
            return too_wide(context, final_length, max_bits);
    }
    if (*e < length) /* settled */
        *e = length;
    return PC_OK;
}

/* bits = log2 of the limit of A^length, to which sums are brought; blocks_bits is that between the
 * blocks of a partition, if there is one. */
static pc_status bound_length(pc_context *context, const pc_graph *graph,
                              const pc_partition *partition, double max_bits, uint64_t last,
                              uint64_t length, uint64_t *e, row_sums *sums, double *bits,
                              double *blocks_bits)
{
    double weight_bits = graph->info.max_weight ? log2_up((double)graph->info.max_weight) : 0;
    double size_bits = partition && partition->max_size ? log2_up((double)partition->max_size) : 0;
    double limit = length ? INFINITY : 0 /* the identity */, blocks_limit = INFINITY;
    pc_status status = PC_OK;
    if (length > *e) {
        status = advance(context, graph, max_bits, last, length - 1, e, sums);
        limit = log2_largest(sums, NULL) + weight_bits;
        if (partition)
            blocks_limit = log2_largest(sums, partition) + weight_bits + size_bits;
    }
    if (status == PC_OK)
        status = advance(context, graph, max_bits, last, length, e, sums);
    *bits = fmax(0, fmin(limit, log2_largest(sums, NULL)));
    if (partition)
        *blocks_bits = fmax(0, fmin(blocks_limit, log2_largest(sums, partition)));
    return status;
}

/* The row sums of A^0. The caller frees what sums hold, whatever the status. */
static pc_status begin_sums(pc_context *context, const pc_graph *graph, row_sums *sums)
{
    size_t bytes = graph->n * sizeof(double);
    *sums =
        (row_sums){.x = pci_alloc(context, bytes), .next = pci_alloc(context, bytes), .largest = 1};
    if (!sums->x || !sums->next)
        return pci_fail_memory(context, "row sums", 2 * bytes);
    for (uint64_t i = 0; i < graph->n; i++)
        sums->x[i] = 1;
    return PC_OK;
}

static void free_sums(pc_context *context, row_sums *sums)
{
    pci_free(context, sums->x);
    pci_free(context, sums->next);
    *sums = (row_sums){0};
}

pc_status pci_bound(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                    uint32_t n_lengths, const uint64_t *lengths, double max_bits, double *bits)
{
    row_sums sums = {0};
    uint64_t e = 0, last = lengths[n_lengths - 1];
    pc_status status = check_work(context, graph, last);
    if (status == PC_OK)
        status = begin_sums(context, graph, &sums);
    for (uint32_t l = 0; l < n_lengths && status == PC_OK; l++) {
        const pc_partition *blocks = l + 1 == n_lengths ? partition : NULL;
        double of_entries;
        status = bound_length(context, graph, blocks, max_bits, last, lengths[l], &e, &sums,
                              blocks ? &of_entries : &bits[l], &bits[l]);
        if (status == PC_OK && bits[l] > max_bits)
            status = too_wide(context, last, max_bits);
    }
    free_sums(context, &sums);
    return status;
}

/* ---- All lengths ----------------------------------------------------------------------------- */

pc_status pci_limits_create(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, uint64_t blocks_length, double max_bits,
                            pci_limits **limits)
{
    pci_limits *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "limits of all lengths", sizeof *made);
    *made = (pci_limits){.context = context,
                         .graph = graph,
                         .partition = partition,
                         .blocks_length = blocks_length,
                         .max_bits = max_bits,
                         .first_wide = UINT64_MAX};
    *limits = made;
    return PC_OK;
}

void pci_limits_free(pci_limits *limits)
{
    if (!limits)
        return;
    free_sums(limits->context, &limits->sums);
    pci_free(limits->context, limits->bits);
    pci_free(limits->context, limits);
}

/* Room for limits of all lengths up to length. */
static pc_status make_room(pci_limits *limits, uint64_t length)
{
    pc_context *context = limits->context;
    double needed = 2 * sizeof(double) * ((double)length + 1 + (double)limits->graph->n);
    if (length < limits->n_room)
        return PC_OK;
    /* The little memory that short lengths need is part of the forecast of the plan. */
    double *bits =
        (length <= SHORT_LENGTH || pci_memory_has(context, needed)) && length < UINT32_MAX
            ? pci_alloc(context, (length + 1) * sizeof *bits)
            : NULL;
    if (!bits)
        return pci_fail(context, PC_ERR_MEMORY,
                        "limits of the counts of all lengths to %" PRIu64
                        " take %.1f MB, more than "
                        "there is or --memory-limit allows; take a shorter length, or count modulo "
                        "a number (--mod M)",
                        length, needed / 1e6);
    if (limits->n_known)
        memcpy(bits, limits->bits, limits->n_known * sizeof *bits);
    pci_free(context, limits->bits);
    limits->bits = bits;
    limits->n_room = length + 1;
    return PC_OK;
}

void pci_limits_rest(pci_limits *limits)
{
    free_sums(limits->context, &limits->sums);
    limits->e = 0;
}

pc_status pci_limits_reach(pci_limits *limits, uint64_t length)
{
    pc_context *context = limits->context;
    if (length < limits->n_known)
        return PC_OK;
    pc_status status = check_work(context, limits->graph, length);
    if (status == PC_OK)
        status = make_room(limits, length);
    if (status == PC_OK && !limits->sums.next)
        status = begin_sums(context, limits->graph, &limits->sums);
    for (uint64_t l = limits->n_known; l <= length && status == PC_OK; l++) {
        const pc_partition *blocks = l == limits->blocks_length ? limits->partition : NULL;
        status = bound_length(context, limits->graph, blocks, INFINITY, length, l, &limits->e,
                              &limits->sums, &limits->bits[l], &limits->blocks_bits);
        if (status == PC_OK && log2_largest(&limits->sums, NULL) > limits->max_bits + 64)
            status = too_wide(context, length, limits->max_bits);
        if (status != PC_OK)
            break;
        if (limits->bits[l] > limits->max_bits && l < limits->first_wide)
            limits->first_wide = l;
        limits->n_known = l + 1;
    }
    return status;
}

pc_status pci_limits_hold(pci_limits *limits, uint64_t length)
{
    pc_status status = pci_limits_reach(limits, length);
    if (status == PC_OK && limits->first_wide <= length)
        status = too_wide(limits->context, length, limits->max_bits);
    return status;
}

pc_status pci_limits_of(const pci_limits *limits, uint64_t length, double *bits)
{
    *bits = limits->bits[length];
    return *bits <= limits->max_bits ? PC_OK : too_wide(limits->context, length, limits->max_bits);
}

pc_status pci_limits_of_blocks(const pci_limits *limits, double *bits)
{
    *bits = limits->blocks_bits;
    return *bits <= limits->max_bits
               ? PC_OK
               : too_wide(limits->context, limits->blocks_length, limits->max_bits);
}

const double *pci_limits_bits(const pci_limits *limits)
{
    return limits->bits;
}

/* ---- Paths that never turn back -------------------------------------------------------------- */

/* With q(a) the number of those of l arcs that begin with arc a, from u to v, those of l + 1 arcs
 * are the sum of q over the arcs that leave v, less q of the arc from v to u where there is one.
 * The numbers are doubles that are rounded up: a sum is raised by more than rounding can have
 * lowered it, so what is left when one of its parts is taken off is no less than the sum of the
 * others. */
typedef struct arc_counts {
    const pc_graph *graph;
    double *q;      /* [n_arcs], times 2^exponent */
    double *sum;    /* [n]: of the arcs that leave a vertex, raised */
    double largest; /* sum */
    uint64_t *back; /* [n_arcs]: the arc back; the arc itself for a loop; n_arcs: there is none */
    double exponent;
} arc_counts;

/* Adds up the arcs that leave each vertex, and finds the largest sum. */
static void add_up_arcs(arc_counts *c)
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

/* One arc more. An arc and the one back are taken together, because each needs what the other
 * was. */
static void step_arcs(arc_counts *c)
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
    if (c->largest <= SCALE_ABOVE)
        return;
    int shift = ilogb(c->largest);
    double factor = ldexp(1, -shift);
    for (uint64_t a = 0; a < pci_graph_n_arcs(graph); a++)
        c->q[a] = scaled(c->q[a], factor);
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
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
            c.q[a] = 1;
            c.back[a] = pci_graph_find_arc(graph, graph->column[a], v);
        }
    bits[0] = 0;
    for (uint64_t l = 1; l <= length && status == PC_OK; l++) {
        if (l % ASK_EVERY == 0)
            status = pci_progress(context, "bound", (double)l / (double)length);
        add_up_arcs(&c);
        bits[l] = fmax(0, log2(c.largest) * (1 + 0x1p-50) + c.exponent);
        step_arcs(&c);
    }
    pci_free(context, q);
    return status;
}
