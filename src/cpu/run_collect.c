/* Residues recombined: to more residues (base extension), to integers, to words modulo a number. */
#include "src/cpu/run.h"

#include <string.h>

pc_status pci_run_extend(pci_run *run, uint32_t n_moduli)
{
    uint32_t old = run->n_moduli, n_new = n_moduli - old;
    if (n_moduli <= old || !old)
        return PC_OK;
    pci_recombination how = {0};
    pc_status status =
        pci_recombination_create(run->context, run->moduli, old, PCI_TARGET_MODULI, n_new, &how);
    if (status == PC_OK)
        status = pci_run_new_planes(run, old, n_new, false, run->plane, &run->n_planes);
    if (status == PC_OK) {
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 16)
        for (size_t i = 0; i < run->layout.n; i++) {
            int8_t *in[PCI_N_MODULI], *out[PCI_N_MODULI];
            if (!pci_goes_on_at(run->context, "convert", i, run->layout.n, &status))
                continue;
            pci_run_rows(run, 0, old, i, in);
            pci_run_rows(run, old, n_new, i, out);
            run->kernel->rows->extend(&how, run->layout.depth, (const int8_t *const *)in, out,
                                      run->layout.digit_bytes);
        }
        run->n_moduli = n_moduli;
    }
    pci_recombination_free(run->context, &how);
    return pci_gone_on(run->context, status);
}

static void collect_plain(const pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                          uint64_t *limbs)
{
    size_t n = run->layout.n;
    memset(limbs, 0, n_rows * n * n_limbs * sizeof *limbs);
#pragma omp parallel for num_threads(run->n_threads) schedule(static)
    for (uint64_t i = 0; i < n_rows; i++) {
        const int8_t *row = run->plane[0] + (first_row + i) * run->layout.stride;
        for (size_t j = 0; j < n; j++)
            limbs[(i * n + j) * n_limbs] = (uint64_t)row[j];
    }
}

pc_status pci_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                          uint64_t *space, const uint64_t **limbs)
{
    size_t n = run->layout.n;
    *limbs = space;
    if (!run->n_moduli) {
        collect_plain(run, first_row, n_rows, n_limbs, space);
        return PC_OK;
    }
    if (run->collector_n_limbs != n_limbs) {
        pci_recombination_free(run->context, &run->collector);
        pc_status status = pci_recombination_create(run->context, run->moduli, run->n_moduli,
                                                    PCI_TARGET_LIMBS, n_limbs, &run->collector);
        if (status != PC_OK)
            return status;
        run->collector_n_limbs = n_limbs;
    }
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 4)
    for (uint64_t i = 0; i < n_rows; i++) {
        int8_t *in[PCI_N_MODULI];
        pci_run_rows(run, 0, run->n_moduli, first_row + i, in);
        run->kernel->rows->collect(&run->collector, n, (const int8_t *const *)in,
                                   run->layout.digit_bytes, n_limbs, space + i * n * n_limbs);
    }
    return PC_OK;
}

pc_status pci_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words)
{
    size_t n = run->layout.n;
    pci_recombination how = {0};
    pc_status status = pci_recombination_create(run->context, run->moduli, run->n_moduli,
                                                PCI_TARGET_MODULUS, modulus, &how);
    if (status != PC_OK)
        return status;
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 16)
    for (size_t i = 0; i < n; i++) {
        int8_t *in[PCI_N_MODULI];
        if (!pci_goes_on_at(run->context, "convert", i, n, &status))
            continue;
        pci_run_rows(run, 0, run->n_moduli, i, in);
        run->kernel->rows->collect_modular(&how, n, (const int8_t *const *)in,
                                           run->layout.digit_bytes, modulus, words + i * n);
    }
    pci_recombination_free(run->context, &how);
    return pci_gone_on(run->context, status);
}
