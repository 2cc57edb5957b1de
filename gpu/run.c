/* Operations on all parts of a run at once, one host thread a GPU. */
#include "gpu/run.h"

/* ---- Doing something to every part ------------------------------------------------------------- */

typedef pc_status (*part_fn)(pci_gpu_part *part, uint32_t n_moduli);

/* Moduli of the first n that part p has. */
static uint32_t share_of(const pci_run *run, uint32_t n, uint32_t p)
{
    uint32_t n_parts = run->parts.n;
    return n / n_parts + (p < n % n_parts);
}

/* The set that parts work on when n_moduli are wanted: no less than all, since they do not extend. */
static uint32_t moduli_for(const pci_run *run, uint32_t n_moduli)
{
    return run->parts.n > 1 && n_moduli ? run->n_most : n_moduli;
}

static pc_status first_failure(pci_run *run, const pc_status *status)
{
    for (uint32_t p = 0; p < run->parts.n; p++)
        if (status[p] != PC_OK)
            return pci_fail(run->context, status[p], "%s", run->parts.part[p]->context->message);
    return PC_OK;
}

static pc_status for_each_part(pci_run *run, part_fn operate, uint32_t n_moduli)
{
    pc_status status[PCI_MAX_DEVICES];
    int n_parts = (int)run->parts.n;
    n_moduli = moduli_for(run, n_moduli);
#pragma omp parallel for num_threads(n_parts) if (n_parts > 1) schedule(static, 1)
    for (int p = 0; p < n_parts; p++) {
        pci_gpu_part *part = run->parts.part[p];
        status[p] = pci_gpu_check(part->context, cudaSetDevice(part->device.index),
                                  "choosing the device");
        if (status[p] == PC_OK)
            status[p] = operate(part, share_of(run, n_moduli, (uint32_t)p));
    }
    return first_failure(run, status);
}

/* ---- Life -------------------------------------------------------------------------------------- */

pc_status pci_gpu_run_devices(pc_context *context, uint32_t n_most, uint32_t *n,
                              int index[PCI_MAX_DEVICES])
{
    int n_wanted = 0;
    pc_status status = pci_gpu_devices_wanted(context, &n_wanted, index);
    if (status != PC_OK)
        return status;
    /* every part needs a modulus; wide ones are not shared out */
    bool alone = !n_most || n_most > PCI_N_NARROW;
    *n = alone ? 1 : n_most < (uint32_t)n_wanted ? n_most : (uint32_t)n_wanted;
    return PC_OK;
}

/* Lets every device read the others' memory. */
static pc_status join_devices(pc_context *context, uint32_t n, const int *index)
{
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t q = 0; q < n; q++) {
            int can_read = p == q;
            if (p != q)
                cudaDeviceCanAccessPeer(&can_read, index[p], index[q]);
            if (!can_read)
                return pci_fail(context, PC_ERR_ENGINE,
                                "GPU %d cannot read the memory of GPU %d: name one of them",
                                index[p], index[q]);
            cudaSetDevice(index[p]);
            if (p != q && cudaDeviceEnablePeerAccess(index[q], 0) != cudaSuccess)
                cudaGetLastError(); /* it was enabled before */
        }
    return PC_OK;
}

pc_status pci_gpu_run_begin(pc_context *context, const pc_graph *graph, const pci_moduli *moduli,
                            uint32_t n_most, pci_run **run)
{
    int index[PCI_MAX_DEVICES];
    pci_run *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a run", sizeof *made);
    made->context = context;
    made->graph = graph;
    made->n_most = n_most;
    made->parts.moduli = moduli;
    pc_status status = pci_gpu_run_devices(context, n_most, &made->parts.n, index);
    if (status == PC_OK)
        status = join_devices(context, made->parts.n, index);
    for (uint32_t p = 0; p < made->parts.n && status == PC_OK; p++)
        status = pci_gpu_part_begin(context, graph, &made->parts, p, index[p],
                                    share_of(made, n_most, p), &made->parts.part[p]);
    if (status == PC_OK)
        *run = made;
    else
        pci_gpu_run_end(made);
    return status;
}

void pci_gpu_run_end(pci_run *run)
{
    if (!run)
        return;
    for (uint32_t p = 0; p < run->parts.n; p++)
        pci_gpu_part_end(run->parts.part[p]);
    pci_free(run->context, run);
}

void pci_gpu_run_trim(pci_run *run)
{
    for (uint32_t p = 0; p < run->parts.n; p++)
        pci_gpu_part_trim(run->parts.part[p]);
}

/* ---- Levels ------------------------------------------------------------------------------------ */

pc_status pci_gpu_run_load(pci_run *run, uint32_t n_moduli)
{
    return for_each_part(run, pci_gpu_part_load, n_moduli);
}

pc_status pci_gpu_run_square(pci_run *run, uint32_t n_moduli)
{
    return for_each_part(run, pci_gpu_part_square, n_moduli);
}

pc_status pci_gpu_run_step(pci_run *run, uint32_t n_moduli)
{
    return for_each_part(run, pci_gpu_part_step, n_moduli);
}

pc_status pci_gpu_run_extend(pci_run *run, uint32_t n_moduli)
{
    return run->parts.n > 1 ? PC_OK : for_each_part(run, pci_gpu_part_extend, n_moduli);
}

/* ---- Words modulo a number --------------------------------------------------------------------- */

pc_status pci_gpu_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    for (uint32_t p = 0; p < run->parts.n; p++) {
        pci_gpu_part *part = run->parts.part[p];
        pc_status status = pci_gpu_part_load_words(part, words, share_of(run, n_moduli, p));
        if (status != PC_OK)
            return pci_fail(run->context, status, "%s", part->context->message);
    }
    return PC_OK;
}

pc_status pci_gpu_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words)
{
    pci_gpu_part *part = run->parts.part[0];
    pc_status status = pci_gpu_part_collect_modular(part, modulus, words);
    return status == PC_OK ? PC_OK : pci_fail(run->context, status, "%s", part->context->message);
}

/* ---- Rows -------------------------------------------------------------------------------------- */

/* Waits for block b, which its part has been told to fill. */
static pc_status finish_block(pci_run *run, uint64_t b, const uint64_t **limbs)
{
    pci_gpu_part *part = run->parts.part[b % run->parts.n];
    pc_status status = pci_gpu_part_collect_finish(part, (int)(b / run->parts.n % 2), limbs);
    return status == PC_OK ? PC_OK : pci_fail(run->context, status, "%s", part->context->message);
}

/* Tells part b mod n to fill the buffer that it did not fill last with n_rows rows. */
static pc_status start_block(pci_run *run, uint64_t b, uint64_t first_row, uint64_t n_rows,
                             uint32_t n_limbs)
{
    pci_gpu_part *part = run->parts.part[b % run->parts.n];
    pc_status status = pci_gpu_part_collect_start(part, first_row, n_rows, n_limbs,
                                                  (int)(b / run->parts.n % 2));
    return status == PC_OK ? PC_OK : pci_fail(run->context, status, "%s", part->context->message);
}

/* While one block is read, the next of every part are on their way. The last may be shorter. */
pc_status pci_gpu_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                              uint64_t *space, const uint64_t **limbs)
{
    (void)space; /* rows come into page-locked memory, and are lent from there */
    uint64_t n = run->graph->n;
    if (first_row + n_rows < n || !run->block_rows)
        run->block_rows = n_rows;
    uint64_t n_block = run->block_rows, now = first_row / n_block;
    pc_status status = start_block(run, now, first_row, n_rows, n_limbs);
    for (uint64_t b = now + 1; b <= now + run->parts.n && status == PC_OK; b++) {
        uint64_t first = first_row + (b - now) * n_block;
        if (first < n)
            status = start_block(run, b, first, n - first < n_block ? n - first : n_block, n_limbs);
    }
    return status == PC_OK ? finish_block(run, now, limbs) : status;
}

pc_status pci_gpu_run_collect_device(pci_run *run, uint32_t n_limbs, uint64_t *limbs)
{
    pci_gpu_part *part = run->parts.part[0];
    pc_status status =
        pci_gpu_part_collect_device(part, 0, run->graph->n, n_limbs, limbs);
    return status == PC_OK ? PC_OK : pci_fail(run->context, status, "%s", part->context->message);
}
