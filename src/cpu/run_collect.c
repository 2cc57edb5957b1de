/* Residues recombined: to more residues (base extension), to integers, to words modulo a number. */
#include "src/cpu/run.h"

#include <string.h>

/* Columns before this one of row i are mirror images of later rows, by whole chunks. */
static size_t first_column(const pci_run *run, size_t i)
{
    return run->graph->symmetric ? i / PCI_CHUNK * PCI_CHUNK : 0;
}

/* The images in one digit of a plane. */
static void mirror_plane(const pci_run *run, int8_t *plane)
{
    size_t stride = run->layout.stride, n_rows = run->layout.n_rows;
    for (size_t i = 0; i < n_rows; i += PCI_TRANSPOSED) {
        size_t j = first_column(run, i) + PCI_CHUNK;
        if (j < n_rows)
            run->kernel->rows->transpose(n_rows - j, plane + i * stride + j, stride,
                                         plane + j * stride + i, stride);
    }
}

static void mirror_planes(const pci_run *run, uint32_t first, uint32_t end)
{
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 1)
    for (uint32_t p = first; p < end; p++)
        for (uint32_t d = 0; d < pci_modulus_n_digits(p); d++)
            mirror_plane(run, run->plane[p] + d * run->layout.digit_bytes);
}

/* Row i, from its first column on. */
static void extend_row(const pci_run *run, const pci_recombination *how, uint32_t n_new, size_t i)
{
    int8_t *in[PCI_N_MODULI], *out[PCI_N_MODULI];
    uint32_t old = run->n_moduli;
    size_t first = first_column(run, i);
    pci_run_rows(run, 0, old, i, first, in);
    pci_run_rows(run, old, n_new, i, first, out);
    run->kernel->rows->extend(how, run->layout.depth - first, (const int8_t *const *)in, out,
                              run->layout.digit_bytes);
}

pc_status pci_run_extend(pci_run *run, uint32_t n_moduli)
{
    uint32_t old = run->n_moduli, n_new = n_moduli - old;
    if (n_moduli <= old || !old)
        return PC_OK;
    pci_recombination how = {0};
    pc_status status =
        pci_recombination_create(run->context, run->moduli, old, PCI_TARGET_MODULI, n_new, &how);
    if (status == PC_OK)
        status = pci_run_new_planes(run, old, n_new, false, run->plane + old, &run->n_planes);
    if (status == PC_OK) {
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 8)
        for (size_t i = 0; i < run->layout.n; i++)
            if (pci_goes_on_at(run->context, "convert", i, run->layout.n, &status))
                extend_row(run, &how, n_new, i);
        if (run->graph->symmetric)
            mirror_planes(run, old, n_moduli);
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

/* Whether a block is collected by halves: all rows of a symmetric power, whose entries are so wide that they take
 * longer to make than to copy. */
static bool is_by_halves(const pci_run *run, uint64_t n_rows)
{
    return run->graph->symmetric && run->n_moduli > PCI_MAX_PAIRED && n_rows == run->layout.n;
}

/* What is below the diagonal, of all rows. */
static void mirror_limbs(const pci_run *run, uint32_t n_limbs, uint64_t *limbs)
{
    size_t n = run->layout.n;
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 4)
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < first_column(run, i); j++)
            memcpy(limbs + (i * n + j) * n_limbs, limbs + (j * n + i) * n_limbs,
                   n_limbs * sizeof *limbs);
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
    bool by_halves = is_by_halves(run, n_rows);
    pc_status status = PC_OK;
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 8)
    for (uint64_t i = 0; i < n_rows; i++) {
        int8_t *in[PCI_N_MODULI];
        size_t first = by_halves ? first_column(run, i) : 0;
        if (!pci_goes_on_at(run->context, "collect", first_row + i, n, &status))
            continue;
        pci_run_rows(run, 0, run->n_moduli, first_row + i, first, in);
        run->kernel->rows->collect(&run->collector, n - first, (const int8_t *const *)in,
                                   run->layout.digit_bytes, n_limbs,
                                   space + (i * n + first) * n_limbs);
    }
    if (by_halves)
        mirror_limbs(run, n_limbs, space);
    return pci_gone_on(run->context, status);
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
        pci_run_rows(run, 0, run->n_moduli, i, 0, in);
        run->kernel->rows->collect_modular(&how, n, (const int8_t *const *)in,
                                           run->layout.digit_bytes, modulus, words + i * n);
    }
    pci_recombination_free(run->context, &how);
    return pci_gone_on(run->context, status);
}
