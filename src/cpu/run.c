/* The planes of a run: made, used again, dropped. */
#include "src/cpu/run.h"

#include <string.h>

enum {
    BATCH_BYTES = 4 << 20,   /* of planes multiplied together: small ones, to fill all threads */
    OPERATIONS_AN_ENTRY = 4, /* of the cheapest work on a plane */
    PAGE_BYTES = 4096,
    PAGE_OPERATIONS = 1000 /* that a page takes which nobody has used */
};

int pci_run_n_threads(const pc_context *context, uint64_t n)
{
    return pci_threads_for(context, OPERATIONS_AN_ENTRY * (double)n * (double)n);
}

uint32_t pci_run_n_digits(const pci_run *run, uint32_t index)
{
    return run->n_moduli ? pci_run_digits_of(run, index) : 1;
}

void pci_run_drop_plane(pci_run *run, uint32_t n_digits, int8_t *plane)
{
    if (plane && n_digits == 1 && run->n_spare < run->n_most)
        run->spare[run->n_spare++] = plane;
    else
        pci_free(run->context, plane);
}

void pci_run_drop_planes(pci_run *run)
{
    for (uint32_t i = 0; i < run->n_planes; i++)
        pci_run_drop_plane(run, pci_run_n_digits(run, i), run->plane[i]);
    run->n_planes = 0;
}

void pci_run_free_spare(pci_run *run)
{
    while (run->n_spare > 0)
        pci_free(run->context, run->spare[--run->n_spare]);
}

void pci_run_trim(pci_run *run)
{
    pci_run_free_spare(run);
    pci_workspace_free(run->context, &run->workspace);
}

/* The padding of a new plane is zero; its entries are not set. */
static void clear_padding(const pci_layout *layout, size_t i, int8_t *row)
{
    if (i < layout->n)
        memset(row + layout->n, 0, layout->stride - layout->n);
    else
        memset(row, 0, layout->stride);
}

pc_status pci_run_new_plane_of(pci_run *run, const pci_layout *layout, uint32_t n_digits,
                               int8_t **plane)
{
    size_t bytes = n_digits * layout->digit_bytes;
    int8_t *made = pci_alloc(run->context, bytes);
    if (!made)
        return pci_fail_memory(run->context, "a residue plane", bytes);
    size_t n_rows = n_digits * layout->n_rows;
    int n_threads = pci_threads_for(run->context, (double)bytes / PAGE_BYTES * PAGE_OPERATIONS);
    n_threads = n_threads < run->n_threads ? n_threads : run->n_threads;
#pragma omp parallel for num_threads(n_threads) schedule(static) /* shares the page faults */
    for (size_t i = 0; i < n_rows; i++)
        clear_padding(layout, i % layout->n_rows, made + i * layout->stride);
    *plane = made;
    return PC_OK;
}

pc_status pci_run_new_plane(pci_run *run, uint32_t n_digits, int8_t **plane)
{
    if (n_digits == 1 && run->n_spare > 0) {
        *plane = run->spare[--run->n_spare];
        return PC_OK;
    }
    pci_run_free_spare(run); /* narrow planes come first: they have been served */
    return pci_run_new_plane_of(run, &run->layout, n_digits, plane);
}

pc_status pci_run_new_planes(pci_run *run, uint32_t first, uint32_t n, bool plain, int8_t **planes,
                             uint32_t *n_made)
{
    pc_status status = PC_OK;
    for (uint32_t i = 0; i < n && status == PC_OK; i++) {
        status = pci_run_new_plane(run, plain ? 1 : pci_run_digits_of(run, first + i), &planes[i]);
        *n_made += status == PC_OK;
    }
    return status;
}

pci_output pci_run_output(const pci_run *run, uint32_t n_moduli, uint32_t index, int8_t *plane)
{
    if (!n_moduli)
        return (pci_output){.modulus = 0, .plane = plane};
    uint16_t m = run->moduli->m[index];
    return (pci_output){m, pci_number_class(m), plane};
}

pc_status pci_run_replace_plain(pci_run *run, uint32_t n_moduli, pci_plain_fn operate)
{
    uint32_t n_outputs = n_moduli ? n_moduli : 1, n_made = 0;
    int8_t *plane = run->plane[0];
    pci_output outputs[PCI_N_MODULI];
    pc_status status = pci_run_new_planes(run, 0, n_outputs, !n_moduli, run->plane, &n_made);
    run->n_planes = n_made;
    for (uint32_t p = 0; p < n_made; p++)
        outputs[p] = pci_run_output(run, n_moduli, p, run->plane[p]);
    if (status == PC_OK)
        status = operate(run, plane, n_outputs, outputs);
    run->n_moduli = n_moduli;
    pci_run_drop_plane(run, 1, plane);
    return status;
}

void pci_run_rows(const pci_run *run, uint32_t first, uint32_t n, size_t i, size_t j, int8_t **rows)
{
    for (uint32_t p = 0; p < n; p++)
        rows[p] = run->plane[first + p] + i * run->layout.stride + j;
}

uint32_t pci_run_batch_planes(const pci_layout *layout)
{
    size_t n = BATCH_BYTES / layout->digit_bytes;
    return !n ? 1 : n < PCI_MOST_BATCH ? (uint32_t)n : PCI_MOST_BATCH;
}

uint32_t pci_run_batch(const pci_run *run, uint32_t first, uint32_t n_moduli)
{
    uint32_t n = 0, n_planes = 0, most = pci_run_batch_planes(&run->layout);
    do
        n_planes += pci_run_digits_of(run, first + n++);
    while (first + n < n_moduli && n_planes + pci_run_digits_of(run, first + n) <= most);
    return n;
}
