/* P = A * P with the sparse A. This takes sums of rows of P and no matrix product.
 *
 * The code computes A P and not P A because the rows of P are contiguous in memory. The two are
 * equal, because P is a power of A. */
#include "src/cpu/run.h"

#include <omp.h>
#include <string.h>

/* Row i of A * P for one plane of P: a sum of the rows that row i of A names. */
static void step_row(const pci_run *run, const int8_t *plane, uint32_t n_digits,
                     const int8_t *weights, uint32_t n_outputs, const pci_output *outputs,
                     uint64_t i, int32_t *acc)
{
    const pc_graph *g = run->graph;
    const pci_row_ops *rows = run->kernel->rows;
    size_t n = run->layout.depth, first = g->row_start[i], n_arcs = g->row_start[i + 1] - first;
    uint32_t first_sum = weights ? 0 : pci_first_sum_of_one(n_digits);
    memset(acc, 0, first_sum * n * sizeof *acc);
    for (uint32_t s = first_sum; s < pci_digits_n_sums(n_digits); s++)
        rows->sum_rows(n, plane + pci_right_digit(n_digits, s) * run->layout.digit_bytes,
                       run->layout.stride, g->column + first,
                       weights ? weights + pci_left_digit(n_digits, s) * pci_graph_n_arcs(g) + first
                               : NULL,
                       n_arcs, acc + s * n);
    for (uint32_t o = 0; o < n_outputs; o++)
        pci_output_reduce(&outputs[o], rows, n, n_digits, acc, n,
                          outputs[o].plane + i * run->layout.stride, run->layout.digit_bytes);
}

pc_status pci_run_step_plane(pci_run *run, const int8_t *plane, uint32_t n_digits,
                             uint32_t n_outputs, const pci_output *outputs)
{
    const pc_graph *g = run->graph;
    size_t n_arcs = pci_graph_n_arcs(g), n_acc = pci_digits_n_sums(n_digits) * run->layout.depth;
    int8_t *weights = g->weight ? pci_alloc(run->context, n_digits * n_arcs) : NULL;
    int32_t *acc = pci_alloc(run->context, (size_t)run->n_threads * n_acc * sizeof *acc);
    pc_status status = PC_OK;
    if (!acc || (g->weight && !weights)) {
        status = pci_fail_memory(run->context, "a sparse step",
                                 n_digits * n_arcs + (size_t)run->n_threads * n_acc * sizeof *acc);
        goto done;
    }
    if (weights) {
        pci_output plain = {.modulus = 0};
        pci_run_split_weights(run, run->n_moduli ? &outputs[0] : &plain, 0, n_arcs, weights,
                              n_arcs);
    }
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 16)
    for (uint64_t i = 0; i < g->n; i++)
        if (pci_goes_on_at(run->context, "convert", i, g->n, &status))
            step_row(run, plane, n_digits, weights, n_outputs, outputs, i,
                     acc + (size_t)omp_get_thread_num() * n_acc);
    status = pci_gone_on(run->context, status);
done:
    pci_free(run->context, weights);
    pci_free(run->context, acc);
    return status;
}

static pc_status step_plain(pci_run *run, const int8_t *plane, uint32_t n_outputs,
                            const pci_output *outputs)
{
    return pci_run_step_plane(run, plane, 1, n_outputs, outputs);
}

pc_status pci_run_step(pci_run *run, uint32_t n_moduli)
{
    if (!run->n_moduli)
        return pci_run_replace_plain(run, n_moduli, step_plain);
    pc_status status = PC_OK;
    for (uint32_t p = 0; p < n_moduli && status == PC_OK; p++) {
        int8_t *result = NULL;
        status = pci_progress(run->context, "step", (double)p / n_moduli);
        if (status == PC_OK)
            status = pci_run_new_plane(run, pci_run_n_digits(run, p), &result);
        if (status != PC_OK)
            break;
        pci_output output = pci_run_output(run, n_moduli, p, result);
        status = pci_run_step_plane(run, run->plane[p], pci_run_n_digits(run, p), 1, &output);
        pci_run_drop_plane(run, pci_run_n_digits(run, p), run->plane[p]);
        run->plane[p] = result;
    }
    return status;
}
