/* P = A, or P = words: entries to residues. */
#include "src/cpu/run.h"

#include <string.h>

void pci_run_split_weights(const pci_run *run, const pci_output *output, size_t first, size_t n,
                           int8_t *digits, size_t digit_bytes)
{
    const uint64_t *weight = run->graph->weight;
    if (weight && output->modulus) {
        run->kernel->rows->split(n, weight + first, output->modulus, output->class, digits,
                                 digit_bytes);
        return;
    }
    bool is_narrow = output->class == PCI_NARROW;
    for (size_t a = 0; a < n; a++) {
        digits[a] = (int8_t)(weight ? weight[first + a] : is_narrow);
        for (uint32_t d = 1; d < pci_class_n_digits(output->class); d++)
            digits[a + d * digit_bytes] = 1; /* 1 = 0 * 2^7 + 1 */
    }
}

static void load_row(const pci_run *run, const pci_output *output, uint64_t i)
{
    enum { MOST = 256 };
    const pc_graph *g = run->graph;
    int8_t digits[PCI_MOST_DIGITS][MOST];
    for (uint32_t d = 0; d < pci_class_n_digits(output->class); d++)
        memset(output->plane + d * run->layout.digit_bytes + i * run->layout.stride, 0, g->n);
    for (size_t first = g->row_start[i]; first < g->row_start[i + 1]; first += MOST) {
        size_t left = g->row_start[i + 1] - first, n = left < MOST ? left : MOST;
        pci_run_split_weights(run, output, first, n, digits[0], MOST);
        for (uint32_t d = 0; d < pci_class_n_digits(output->class); d++) {
            int8_t *row = output->plane + d * run->layout.digit_bytes + i * run->layout.stride;
            for (size_t a = 0; a < n; a++)
                row[g->column[first + a]] = digits[d][a];
        }
    }
}

pc_status pci_run_load(pci_run *run, uint32_t n_moduli)
{
    run->n_moduli = n_moduli;
    pc_status status =
        pci_run_new_planes(run, 0, n_moduli ? n_moduli : 1, !n_moduli, run->plane, &run->n_planes);
    for (uint32_t p = 0; p < run->n_planes && status == PC_OK; p++) {
        pci_output output = pci_run_output(run, n_moduli, p, run->plane[p]);
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 64)
        for (uint64_t i = 0; i < run->graph->n; i++)
            if (pci_goes_on_at(run->context, "convert", i, run->graph->n, &status))
                load_row(run, &output, i);
    }
    return pci_gone_on(run->context, status);
}

pc_status pci_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    pci_run_drop_planes(run);
    run->n_moduli = n_moduli;
    size_t n = run->graph->n;
    pc_status status = pci_run_new_planes(run, 0, n_moduli, false, run->plane, &run->n_planes);
    for (uint32_t p = 0; p < run->n_planes && status == PC_OK; p++) {
        pci_output output = pci_run_output(run, n_moduli, p, run->plane[p]);
#pragma omp parallel for num_threads(run->n_threads) schedule(static)
        for (size_t i = 0; i < n; i++)
            if (pci_goes_on_at(run->context, "convert", i, run->graph->n, &status))
                run->kernel->rows->split(n, words + i * n, output.modulus, output.class,
                                         output.plane + i * run->layout.stride,
                                         run->layout.digit_bytes);
    }
    return pci_gone_on(run->context, status);
}
