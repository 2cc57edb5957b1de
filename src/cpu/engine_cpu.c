/* The CPU engine: its table, its runs' life, and what they take. */
#include "src/cpu/doubles.h"
#include "src/cpu/run.h"

enum { OPERATIONS_AN_ENTRY = 4 /* of the cheapest work on a plane */ };

static pc_status describe(pc_context *context, const char **name, double *ops_per_second)
{
    const pci_kernel *kernel;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    *name = kernel->name;
    *ops_per_second = kernel->guess_ops_per_second * pci_n_threads(context);
    return PC_OK;
}

static uint64_t plane_bytes(uint64_t n)
{
    return pci_layout_of(n).digit_bytes;
}

static uint64_t level_bytes(uint64_t n, uint32_t n_in, uint32_t n_out, bool is_step, int n_threads)
{
    pci_layout layout = pci_layout_of(n);
    uint64_t n_planes = n_in ? pci_moduli_n_planes(n_in) : 1; /* of P, which are replaced ... */
    uint64_t n_new = n_in > PCI_N_NARROW ? 3 : 1;             /* ... so many at a time */
    if (!n_in)
        n_new = n_out ? pci_moduli_n_planes(n_out) : 1;
    else if (!is_step && n_new < pci_run_batch_planes(&layout))
        n_new = pci_run_batch_planes(&layout) < n_planes ? pci_run_batch_planes(&layout) : n_planes;
    uint64_t n_packed = n_in ? n_new : 1;
    uint64_t scratch = is_step ? 3 * sizeof(int32_t) * layout.depth * (uint64_t)n_threads
                               : pci_workspace_bytes(&layout, (uint32_t)n_packed, n_threads);
    uint64_t tables = 4 * sizeof(int32_t) * (uint64_t)n_out * n_out;
    return (n_planes + n_new) * layout.digit_bytes + scratch + tables;
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

static pc_status begin(pc_context *context, const pc_graph *graph, const pci_moduli *moduli,
                       pci_run **run)
{
    const pci_kernel *kernel;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    pci_run *made = pci_alloc_zero(context, 1, sizeof *made);
    int8_t **plane = pci_alloc_zero(context, PCI_N_MODULI, sizeof *plane);
    int8_t **spare = pci_alloc_zero(context, PCI_N_MODULI, sizeof *spare);
    if (!made || !plane || !spare) {
        pci_free(context, made);
        pci_free(context, plane);
        pci_free(context, spare);
        return pci_fail_memory(context, "a run", sizeof *made + 2 * PCI_N_MODULI * sizeof *plane);
    }
    *made = (pci_run){
        .context = context,
        .graph = graph,
        .moduli = moduli,
        .kernel = kernel,
        .n_threads =
            pci_threads_for(context, OPERATIONS_AN_ENTRY * (double)graph->n * (double)graph->n),
        .layout = pci_layout_of(graph->n),
        .plane = plane,
        .spare = spare,
    };
    *run = made;
    return PC_OK;
}

const pci_engine pci_engine_cpu = {
    .name = "cpu",
    .describe = describe,
    .plane_bytes = plane_bytes,
    .level_bytes = level_bytes,
    .begin = begin,
    .end = end,
    .load = pci_run_load,
    .load_words = pci_run_load_words,
    .extend = pci_run_extend,
    .square = pci_run_square,
    .step = pci_run_step,
    .trim = pci_run_trim,
    .collect = pci_run_collect,
    .collect_modular = pci_run_collect_modular,
    .square_doubles = pci_square_doubles,
};
