/* P = P * P: planes are squared in batches, each operand dropped when its square is there. */
#include "src/cpu/run.h"

static pc_status square_jobs(pci_run *run, uint32_t n_jobs, const pci_product_job *jobs)
{
    pci_product product =
        pci_plane_product(run->kernel, run->n_threads, run->graph->symmetric, &run->layout);
    return pci_multiply(run->context, &product, n_jobs, jobs, &run->workspace);
}

/* One product gives all planes of the result. */
static pc_status square_plain(pci_run *run, const int8_t *plane, uint32_t n_outputs,
                              const pci_output *outputs)
{
    pci_product_job job = {plane, plane, 1, n_outputs, outputs, NULL};
    return square_jobs(run, 1, &job);
}

/* Squares planes first .. first + n - 1 and lets go of the operands. */
static pc_status square_batch(pci_run *run, uint32_t first, uint32_t n)
{
    int8_t *results[PCI_MOST_BATCH];
    pci_output outputs[PCI_MOST_BATCH];
    pci_product_job jobs[PCI_MOST_BATCH];
    uint32_t n_made = 0;
    pc_status status = pci_run_new_planes(run, first, n, false, results, &n_made);
    for (uint32_t j = 0; j < n_made; j++) {
        uint32_t p = first + j;
        outputs[j] = pci_run_output(run, run->n_moduli, p, results[j]);
        jobs[j] = (pci_product_job){.left = run->plane[p],
                                    .right = run->plane[p],
                                    .n_digits = pci_run_n_digits(run, p),
                                    .n_outputs = 1,
                                    .outputs = &outputs[j]};
    }
    if (status == PC_OK)
        status = square_jobs(run, n, jobs);
    for (uint32_t j = 0; j < n_made; j++) {
        uint32_t p = first + j;
        int8_t *unwanted = status == PC_OK ? run->plane[p] : results[j];
        if (status == PC_OK)
            run->plane[p] = results[j];
        pci_run_drop_plane(run, pci_run_n_digits(run, p), unwanted);
    }
    return status;
}

pc_status pci_run_square(pci_run *run, uint32_t n_moduli)
{
    if (!run->n_moduli)
        return pci_run_replace_plain(run, n_moduli, square_plain);
    pc_status status = PC_OK;
    for (uint32_t first = 0, n; first < n_moduli && status == PC_OK; first += n) {
        n = pci_run_batch(run, first, n_moduli);
        status = square_batch(run, first, n);
    }
    return status;
}

pc_status pci_run_square_direct(pci_run *run, uint64_t *words)
{
    pci_product_job job = {.left = run->plane[0],
                           .right = run->plane[0],
                           .n_digits = pci_run_n_digits(run, 0),
                           .words = words};
    return square_jobs(run, 1, &job);
}
