/* The vectors that a sweep begins with: they wait on the host until the first step wants them. */
#include "gpu/sweep/sweep.h"

#include <stdlib.h>

pci_gpu_sweep_block pci_gpu_sweep_block_at(const pci_sweep *sweep, uint64_t step, void *words)
{
    return (pci_gpu_sweep_block){.n = sweep->n,
                                 .n_lanes = sweep->plan.n_lanes,
                                 .limb_bits = sweep->plan.limb_bits,
                                 .width = sweep->widths[step],
                                 .words = words};
}

static int compare_entries(const void *a, const void *b)
{
    const pci_gpu_sweep_value *x = a, *y = b;
    if (x->vertex != y->vertex)
        return x->vertex < y->vertex ? -1 : 1;
    return (x->vector > y->vector) - (x->vector < y->vector);
}

/* Values of an entry next to each other; mostly they were given so. */
static void sort_waiting(pci_sweep *sweep)
{
    pci_gpu_sweep_value *values = sweep->waiting;
    for (uint32_t v = 1; v < sweep->n_waiting; v++)
        if (compare_entries(&values[v - 1], &values[v]) > 0) {
            qsort(values, sweep->n_waiting, sizeof *values, compare_entries);
            return;
        }
}

static cudaError_t add_waiting(pci_sweep *sweep)
{
    pci_gpu_sweep_block block = pci_gpu_sweep_block_at(sweep, 0, sweep->now);
    size_t line_bytes = pci_gpu_sweep_line_bytes(&sweep->plan, block.width);
    cudaError_t error = cudaSuccess;
    if (!sweep->is_begun)
        error = cudaMemsetAsync(sweep->now, 0, sweep->n * line_bytes, sweep->stream);
    sort_waiting(sweep);
    if (error == cudaSuccess && sweep->n_waiting > 0)
        error =
            cudaMemcpyAsync(sweep->added, sweep->waiting, sweep->n_waiting * sizeof *sweep->waiting,
                            cudaMemcpyHostToDevice, sweep->stream);
    if (error == cudaSuccess)
        error = pci_gpu_sweep_add_values(&block, sweep->n_waiting, sweep->added, sweep->stream);
    return error == cudaSuccess ? cudaStreamSynchronize(sweep->stream) : error;
}

pc_status pci_gpu_sweep_ready(pci_sweep *sweep)
{
    cudaError_t error = cudaSetDevice(sweep->device.index);
    if (sweep->begun != PC_OK)
        return sweep->begun;
    if (error == cudaSuccess && (!sweep->is_begun || sweep->n_waiting > 0))
        error = add_waiting(sweep);
    sweep->is_begun = true;
    sweep->n_waiting = 0;
    sweep->begun = pci_gpu_check(sweep->context, error, "starting vectors");
    return sweep->begun;
}
