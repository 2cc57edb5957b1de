/* The CPU engine: its table, the life of its runs, and the memory that a run takes.
 *
 * Planes are squared in small batches, and each operand is freed when its result is there. The
 * result is allocated when the power is finished. A 64-bit result takes about twice its own size. */
#include "src/cpu/run.h"

static pc_status describe(pc_context *context, pci_engine_info *info)
{
    const pci_kernel *kernel;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    *info = (pci_engine_info){
        .kernel = kernel->name,
        .device = "",
        .ops_per_second = kernel->guess_ops_per_second * pci_n_threads(context),
    };
    return PC_OK;
}

/* Planes of n_moduli (0: a plain one). */
static uint32_t planes_of(uint32_t n_moduli)
{
    return n_moduli ? pci_moduli_n_planes(n_moduli) : 1;
}

/* Planes of n_moduli that are worked on together. */
static uint32_t planes_at_once(const pci_layout *layout, uint32_t n_moduli)
{
    uint32_t least = n_moduli > PCI_N_NARROW ? 3 : 1, batch = pci_run_batch_planes(layout),
             n_planes = planes_of(n_moduli);
    return batch < least ? least : batch < n_planes ? batch : n_planes;
}

static uint64_t step_bytes(const pci_layout *layout, int n_threads)
{
    return PCI_MOST_SUMS * sizeof(int32_t) * layout->depth * (uint64_t)n_threads;
}

/* Tables of an extension to n_moduli, from half of them, which is the worst case; and in pairs. */
static uint64_t extension_bytes(uint32_t n_moduli)
{
    uint64_t half = (uint64_t)n_moduli / 2 + 1,
             paired = half < PCI_MAX_PAIRED ? half : PCI_MAX_PAIRED;
    return pci_weights_bytes((uint32_t)half / 2 + 1, (uint32_t)half + 1) +
           sizeof(int32_t) * (paired + 1) * (n_moduli + (uint64_t)PCI_PAIR_TILE);
}

/* The lists of planes, and what is between them in memory. */
static uint64_t list_bytes(uint32_t n_moduli)
{
    return n_moduli * (2 * sizeof(int8_t *) + PCI_LINE_BYTES);
}

/* Those of a conversion to integers. */
static uint64_t conversion_bytes(uint32_t n_moduli, uint32_t n_limbs)
{
    uint64_t n_pairs = n_moduli <= PCI_MAX_PAIRED ? n_moduli + 1 : 0;
    uint64_t tree = pci_crt_tree_bytes(n_moduli);
    return tree ? tree
                : pci_weights_bytes(2 * n_limbs, n_moduli + 1) +
                      sizeof(int32_t) * (4 * (uint64_t)n_limbs + 1) * n_pairs;
}

/* Most bytes held at once by a level that makes n_out moduli from n_in (0: a plain plane). */
static uint64_t level_bytes(pci_layout layout, uint32_t n_in, uint32_t n_out, bool is_step,
                            int n_threads)
{
    uint64_t n_planes = planes_of(n_in);          /* of P, which are replaced ... */
    uint64_t n_new = !n_in     ? planes_of(n_out) /* ... so many at a time */
                     : is_step ? pci_moduli_most_digits(n_in)
                               : planes_at_once(&layout, n_in);
    pci_product product = pci_plane_product(NULL, n_threads, false, &layout);
    uint64_t scratch = is_step ? step_bytes(&layout, n_threads)
                               : pci_workspace_bytes(&product, n_in ? (uint32_t)n_new : 1,
                                                     pci_moduli_most_digits(n_in));
    return (n_planes + n_new) * layout.digit_bytes + scratch + extension_bytes(n_out) +
           list_bytes(n_out);
}

/* The same of a reduced product: n_blocks^2 from n^2. */
static uint64_t reduced_bytes(pci_layout layout, pci_layout result, uint32_t n_in, uint32_t n_out,
                              bool is_step, int n_threads)
{
    uint64_t n_new = planes_at_once(&layout, n_out);
    uint64_t full = planes_of(n_in) + (is_step ? n_new : 0);
    uint64_t results = n_in ? n_new : planes_of(n_out); /* never more than P's planes so far */
    uint32_t most_digits = pci_moduli_most_digits(n_out);
    pci_product product = {.n_threads = n_threads,
                           .is_packed = true,
                           .left = pci_layout_of_rows(result.n, layout.n),
                           .result = &result};
    return full * layout.digit_bytes + results * result.digit_bytes +
           pci_workspace_bytes(&product, (uint32_t)n_new, most_digits) +
           pci_operand_sums_bytes(&layout, &result, false, (uint32_t)n_new, most_digits,
                                  n_threads) +
           (is_step ? step_bytes(&layout, n_threads) : 0) + extension_bytes(n_out) +
           list_bytes(n_out);
}

/* Handles a plan whose planes are of pci_direct_moduli, so that each has three digits or is plain. */
static pci_forecast direct_forecast(pci_layout layout, const pc_plan_info *plan)
{
    pci_product product = pci_plane_product(NULL, plan->n_threads, false, &layout);
    uint64_t work = pci_workspace_bytes(&product, PCI_MOST_DIGITS, PCI_MOST_DIGITS) +
                    step_bytes(&layout, plan->n_threads) + list_bytes(1);
    uint64_t held = 0, most = 0;
    for (uint32_t l = 0; l + 1 < plan->n_levels; l++) {
        uint64_t made = layout.digit_bytes * (plan->levels[l].n_moduli ? PCI_MOST_DIGITS : 1);
        most = held + made > most ? held + made : most;
        held = made;
    }
    return (pci_forecast){.levels = most + work, .power = held + work};
}

static pc_status forecast(pc_context *context, const pc_graph *graph, const pc_plan_info *plan,
                          pci_forecast *forecast)
{
    (void)context;
    pci_layout layout = pci_layout_of(graph->n);
    const pc_level *last = &plan->levels[plan->n_levels - 1];
    pci_layout result = pci_layout_of(last->is_reduced ? plan->n_blocks : graph->n);
    *forecast = (pci_forecast){0};
    if (plan->arithmetic == PC_MODULAR) { /* words are split, squared and gone again */
        uint32_t r = last->n_moduli;
        forecast->levels = level_bytes(layout, r, r, false, plan->n_threads);
        return PC_OK;
    }
    if (last->is_direct) {
        *forecast = direct_forecast(layout, plan);
        return PC_OK;
    }
    for (const pc_level *level = plan->levels; level <= last; level++) {
        uint32_t n_in = level > plan->levels && level[-1].n_moduli ? level->n_moduli : 0;
        uint64_t bytes = level->is_reduced ? reduced_bytes(layout, result, n_in, level->n_moduli,
                                                           level->is_step, plan->n_threads)
                                           : level_bytes(layout, n_in, level->n_moduli,
                                                         level->is_step, plan->n_threads);
        forecast->levels = bytes > forecast->levels ? bytes : forecast->levels;
    }
    forecast->power = result.digit_bytes * planes_of(last->n_moduli) +
                      conversion_bytes(last->n_moduli, plan->n_limbs) + list_bytes(last->n_moduli);
    return PC_OK;
}

static void end(pci_run *run)
{
    if (!run)
        return;
    pci_run_drop_planes(run);
    pci_run_trim(run);
    pci_recombination_free(run->context, &run->collector);
    pci_free(run->context, run->plane);
    pci_free(run->context, run->spare);
    pci_free(run->context, run);
}

static pc_status begin(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       const pci_moduli *moduli, uint32_t n_most, pci_run **run)
{
    const pci_kernel *kernel;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    pci_run *made = pci_alloc_zero(context, 1, sizeof *made);
    n_most = n_most ? n_most : 1;
    int8_t **plane = pci_alloc_zero(context, n_most, sizeof *plane); /* which are made one by one */
    int8_t **spare = pci_alloc_zero(context, n_most, sizeof *spare);
    if (!made || !plane || !spare) {
        pci_free(context, made);
        pci_free(context, plane);
        pci_free(context, spare);
        return pci_fail_memory(context, "a run", sizeof *made + 2 * n_most * sizeof *plane);
    }
    *made = (pci_run){
        .context = context,
        .graph = graph,
        .partition = partition,
        .moduli = moduli,
        .kernel = kernel,
        .n_threads = pci_run_n_threads(context, graph->n),
        .layout = pci_layout_of(graph->n),
        .n_most = n_most,
        .plane = plane,
        .spare = spare,
    };
    *run = made;
    return PC_OK;
}

const pci_engine pci_engine_cpu = {
    .name = "cpu",
    .n_moduli = PCI_N_MODULI,
    .describe = describe,
    .forecast = forecast,
    .begin = begin,
    .end = end,
    .load = pci_run_load,
    .load_words = pci_run_load_words,
    .extend = pci_run_extend,
    .square = pci_run_square,
    .square_direct = pci_run_square_direct,
    .step = pci_run_step,
    .reduce = pci_run_reduce,
    .trim = pci_run_trim,
    .collect = pci_run_collect,
    .collect_modular = pci_run_collect_modular,
    .sweeps = &pci_sweep_cpu,
};
