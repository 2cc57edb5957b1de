/* Operations on all parts of a run at once, one host thread a GPU. */
#include "gpu/engine/run.h"

/* ---- Doing something to every part ----------------------------------------------------------- */

typedef pc_status (*part_fn)(pci_gpu_part *part, uint32_t n_moduli);

/* The set that parts work on when n_moduli are wanted: one each at least, as none means a plain
 * plane; and all, when they take turns and so cannot extend. */
static uint32_t moduli_for(const pci_run *run, uint32_t n_moduli)
{
    if (!n_moduli || run->turns.taken)
        return n_moduli ? run->n_most : 0;
    return n_moduli > run->parts.n ? n_moduli : run->parts.n;
}

static pc_status first_failure(pci_run *run, const pc_status *status)
{
    for (uint32_t p = 0; p < run->parts.n; p++)
        if (status[p] != PC_OK)
            return pci_gpu_part_status(run, run->parts.part[p], status[p]);
    return PC_OK;
}

static pc_status for_each_part(pci_run *run, part_fn operate, uint32_t n_moduli)
{
    pc_status status[PCI_MAX_DEVICES];
    int n_parts = (int)run->parts.n;
    n_moduli = moduli_for(run, n_moduli);
    if (run->turns.taken)
        return pci_gpu_turns_note(run, operate, n_moduli);
#pragma omp parallel for num_threads(n_parts) if (n_parts > 1) schedule(static, 1)
    for (int p = 0; p < n_parts; p++) {
        pci_gpu_part *part = run->parts.part[p];
        status[p] =
            pci_gpu_check(part->context, cudaSetDevice(part->device.index), "choosing the device");
        if (status[p] == PC_OK)
            status[p] = operate(part, pci_gpu_share(run, n_moduli, (uint32_t)p));
    }
    return first_failure(run, status);
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* Devices of those that context names that a run of n_most moduli can use: every one needs a
 * modulus, and wide ones are not shared out. */
static pc_status choose_devices(pc_context *context, uint32_t n_most, uint32_t *n, int *index)
{
    int n_wanted = 0;
    pc_status status = pci_gpu_devices_wanted(context, &n_wanted, index);
    bool alone = !n_most || n_most > PCI_N_NARROW;
    *n = alone ? 1 : n_most < (uint32_t)n_wanted ? n_most : (uint32_t)n_wanted;
    return status;
}

pc_status pci_gpu_place(pc_context *context, const pc_graph *graph, uint64_t n_blocks,
                        uint32_t n_most, bool may_take_turns, pci_gpu_placement *placement)
{
    pci_gpu_device device;
    pci_gpu_placement made = {.available_bytes = UINT64_MAX};
    pci_gpu_workload work = pci_gpu_workload_of(graph, n_blocks, n_most);
    pc_status status = choose_devices(context, n_most, &made.n_devices, made.index);
    for (uint32_t d = 0; d < made.n_devices && status == PC_OK; d++) {
        uint64_t available = 0;
        status = pci_gpu_device_open(context, made.index[d], &device);
        if (status == PC_OK)
            status = pci_gpu_memory_available(context, &available);
        if (available < made.available_bytes)
            made.available_bytes = available;
    }
    if (status != PC_OK)
        return status;
    if (!pci_gpu_fit_into(made.available_bytes, &device, &work, made.n_devices, may_take_turns,
                          &made.fit))
        return pci_fail(
            context, PC_ERR_MEMORY,
            "the GPU (%s) has %.0f MB of free memory, and this count needs %.0f MB there",
            device.name, (double)made.available_bytes / 1e6, (double)made.fit.bytes / 1e6);
    *placement = made;
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

static pc_status begin_parts(pci_run *run, const pci_gpu_placement *placement)
{
    run->parts.n = placement->fit.n_shares;
    run->turns.taken = placement->fit.n_shares > placement->n_devices;
    run->turns.device = placement->index[0];
    run->turns.n_batch = placement->fit.n_batch;
    if (run->turns.taken)
        return PC_OK;
    pc_status status = join_devices(run->context, run->parts.n, placement->index);
    for (uint32_t p = 0; p < run->parts.n && status == PC_OK; p++)
        status = pci_gpu_part_begin(run->context, run->graph, run->partition, &run->parts, p,
                                    placement->index[p], pci_gpu_share(run, run->n_most, p),
                                    placement->fit.n_batch, &run->parts.part[p]);
    return status;
}

pc_status pci_gpu_run_begin(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, const pci_moduli *moduli,
                            uint32_t n_most, pci_run **run)
{
    pci_gpu_placement placement;
    pci_run *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a run", sizeof *made);
    made->context = context;
    made->graph = graph;
    made->partition = partition;
    made->n_most = n_most;
    made->parts.moduli = moduli;
    made->parts.n_rows = graph->n;
    pc_status status = pci_gpu_place(context, graph, partition ? partition->n_blocks : 0, n_most,
                                     true, &placement);
    if (status == PC_OK)
        status = begin_parts(made, &placement);
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
    pci_gpu_turns_end(run);
    pci_free(run->context, run);
}

void pci_gpu_run_trim(pci_run *run)
{
    for (uint32_t p = 0; p < run->parts.n && !run->turns.taken; p++)
        pci_gpu_part_trim(run->parts.part[p]);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

pc_status pci_gpu_run_load(pci_run *run, uint32_t n_moduli)
{
    run->parts.n_rows = run->graph->n;
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

pc_status pci_gpu_run_reduce(pci_run *run, bool is_step, uint32_t n_moduli)
{
    run->parts.n_rows = run->partition->n_blocks;
    return for_each_part(run, is_step ? pci_gpu_part_reduce_step : pci_gpu_part_reduce, n_moduli);
}

pc_status pci_gpu_run_extend(pci_run *run, uint32_t n_moduli)
{
    pc_status status[PCI_MAX_DEVICES];
    int n_parts = (int)run->parts.n;
    if (run->turns.taken || !run->parts.part[0]->n_moduli)
        return PC_OK;
    uint32_t n_old = pci_gpu_n_all_moduli(run->parts.part[0]);
    n_moduli = moduli_for(run, n_moduli);
#pragma omp parallel for num_threads(n_parts) if (n_parts > 1) schedule(static, 1)
    for (int p = 0; p < n_parts; p++) {
        pci_gpu_part *part = run->parts.part[p];
        status[p] =
            pci_gpu_check(part->context, cudaSetDevice(part->device.index), "choosing the device");
        if (status[p] == PC_OK)
            status[p] = pci_gpu_part_extend(part, n_old, pci_gpu_share(run, n_moduli, (uint32_t)p));
    }
    return first_failure(run, status);
}

/* ---- Words modulo a number ------------------------------------------------------------------- */

pc_status pci_gpu_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    if (run->turns.taken)
        return pci_fail(run->context, PC_ERR_MEMORY, "no GPU memory for all residues at once");
    n_moduli = moduli_for(run, n_moduli);
    for (uint32_t p = 0; p < run->parts.n; p++) {
        pci_gpu_part *part = run->parts.part[p];
        pc_status status =
            pci_gpu_check(part->context, cudaSetDevice(part->device.index), "choosing the device");
        if (status == PC_OK)
            status = pci_gpu_part_load_words(part, words, pci_gpu_share(run, n_moduli, p));
        if (status != PC_OK)
            return pci_gpu_part_status(run, part, status);
    }
    return PC_OK;
}

pc_status pci_gpu_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words)
{
    pci_gpu_part *part = run->parts.part[0];
    pc_status status = pci_gpu_part_collect_modular(part, modulus, words);
    return pci_gpu_part_status(run, part, status);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Parts that recombine rows; of those that took turns the last one is left. */
static uint32_t n_collectors(const pci_run *run)
{
    return run->turns.taken ? 1 : run->parts.n;
}

/* Waits for block b, which its part has been told to fill. */
static pc_status finish_block(pci_run *run, uint64_t b, const uint64_t **limbs)
{
    uint32_t n = n_collectors(run);
    pci_gpu_part *part = run->parts.part[b % n];
    pc_status status = pci_gpu_part_collect_finish(part, (int)(b / n % 2), limbs);
    return pci_gpu_part_status(run, part, status);
}

/* Tells part b mod n to fill the buffer that it did not fill last with n_rows rows. */
static pc_status start_block(pci_run *run, uint64_t b, uint64_t first_row, uint64_t n_rows,
                             uint32_t n_limbs)
{
    uint32_t n = n_collectors(run);
    pci_gpu_part *part = run->parts.part[b % n];
    pc_status status =
        pci_gpu_part_collect_start(part, first_row, n_rows, n_limbs, (int)(b / n % 2));
    return pci_gpu_part_status(run, part, status);
}

/* While one block is read, the next of every part are on their way. The last may be shorter. */
pc_status pci_gpu_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                              uint64_t *space, const uint64_t **limbs)
{
    (void)space; /* rows come into page-locked memory, and are lent from there */
    uint64_t n = run->parts.n_rows;
    if (first_row + n_rows < n || !run->block_rows)
        run->block_rows = n_rows;
    uint64_t n_block = run->block_rows, now = first_row / n_block;
    pc_status status = run->turns.taken ? pci_gpu_turns_take(run) : PC_OK;
    if (status == PC_OK)
        status = start_block(run, now, first_row, n_rows, n_limbs);
    for (uint64_t b = now + 1; b <= now + n_collectors(run) && status == PC_OK; b++) {
        uint64_t first = first_row + (b - now) * n_block;
        if (first < n)
            status = start_block(run, b, first, n - first < n_block ? n - first : n_block, n_limbs);
    }
    return status == PC_OK ? finish_block(run, now, limbs) : status;
}

pc_status pci_gpu_run_collect_device(pci_run *run, uint32_t n_limbs, uint64_t *limbs)
{
    pci_gpu_part *part = run->parts.part[0];
    if (run->turns.taken)
        return pci_fail(run->context, PC_ERR_MEMORY, "no GPU memory for all residues at once");
    pc_status status = pci_gpu_part_collect_device(part, 0, run->parts.n_rows, n_limbs, limbs);
    return pci_gpu_part_status(run, part, status);
}
