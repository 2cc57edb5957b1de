/* P = P * P: planes are squared in batches, each operand dropped when its square is there. */
#include "src/cpu/run.h"

static pci_square_settings settings_of(const pci_run *run)
{
    return (pci_square_settings){run->kernel, run->n_threads, run->graph->symmetric};
}

/* One product gives all planes of the result. */
static pc_status square_plain(pci_run *run, const int8_t *plane, uint32_t n_outputs,
                              const pci_output *outputs)
{
    pci_square_settings settings = settings_of(run);
    pci_square_job job = {plane, 1, n_outputs, outputs};
    return pci_square_planes(run->context, &run->layout, &settings, 1, &job, &run->workspace);
}

/* Squares planes first .. first + n - 1 and lets go of the operands. */
static pc_status square_batch(pci_run *run, uint32_t first, uint32_t n)
{
    int8_t *results[PCI_N_MODULI];
    pci_output outputs[PCI_N_MODULI];
    pci_square_job jobs[PCI_N_MODULI];
    pci_square_settings settings = settings_of(run);
    uint32_t n_made = 0;
    pc_status status = pci_run_new_planes(run, first, n, false, results, &n_made);
    for (uint32_t j = 0; j < n_made; j++) {
        uint32_t p = first + j;
        outputs[j] = pci_run_output(run, run->n_moduli, p, results[p]);
        jobs[j] = (pci_square_job){run->plane[p], pci_run_n_digits(run, p), 1, &outputs[j]};
    }
    if (status == PC_OK)
        status = pci_square_planes(run->context, &run->layout, &settings, n, jobs, &run->workspace);
    for (uint32_t p = first; p < first + n_made; p++) {
        int8_t *unwanted = status == PC_OK ? run->plane[p] : results[p];
        if (status == PC_OK)
            run->plane[p] = results[p];
        pci_run_drop_plane(run, pci_run_n_digits(run, p), unwanted);
    }
    return status;
}

/* How many moduli from first on have their planes squared together: one or more. */
static uint32_t batch_from(const pci_run *run, uint32_t first, uint32_t n_moduli)
{
    uint32_t n = 0, n_planes = 0, most = pci_run_batch_planes(&run->layout);
    do
        n_planes += pci_run_n_digits(run, first + n++);
    while (first + n < n_moduli && n_planes + pci_run_n_digits(run, first + n) <= most);
    return n;
}

pc_status pci_run_square(pci_run *run, uint32_t n_moduli)
{
    if (!run->n_moduli)
        return pci_run_replace_plain(run, n_moduli, square_plain);
    pc_status status = PC_OK;
    for (uint32_t first = 0, n; first < n_moduli && status == PC_OK; first += n) {
        n = batch_from(run, first, n_moduli);
        status = square_batch(run, first, n);
    }
    return status;
}
