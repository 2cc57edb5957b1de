/* Operations on all parts of a run at once, one host thread a GPU; or, out of core, on one part
 * after the other.
 *
 * A run is out of core when the planes of all moduli do not fit in the memory of its GPU. The plan
 * divides the moduli into the fewest shares that fit. Operations are put off until rows are
 * collected. Then each share goes through all of them, and its planes wait in host memory. For each
 * block of rows the residues of all shares are copied to the GPU again to be recombined.
 *
 * A share alone cannot extend the base, so its first level of residues has all the moduli that any
 * level needs. That costs nothing when this level is the last but one (k = 8), and up to twice the
 * products for long powers. Every plane goes to the host and back once. The least that must fit is
 * one plane, its square and, for a directed graph or one with classes, its right operand.
 *
 * This is done on one GPU only, and only for exact counts within the narrow moduli. In other cases
 * the CPU counts under `auto`, and `cuda` fails with exit status 69. */
#define _GNU_SOURCE /* secure_getenv */
#include "gpu/engine/run.h"

#include "src/core/variables.h"

#include <pthread.h>
#include <stdlib.h>

typedef pc_status (*part_fn)(pci_gpu_part *part, uint32_t n_moduli);

struct pci_run {
    pc_context *context;
    const pc_graph *graph;
    const pc_partition *partition; /* NULL: reduce is not called */
    uint32_t n_most;               /* moduli that operations use at most */
    uint64_t block_rows;           /* of the blocks that are collected; 0 before the first */
    pci_gpu_parts parts;
    struct {
        bool is_used; /* parts.n is the number of shares, and part[0] the share that is in memory */
        bool is_done;
        int device;
        uint32_t n_batch;
        uint32_t n_operations; /* that were put off */
        struct {
            part_fn operate;
            uint32_t n_moduli;
        } operation[PC_MAX_LEVELS];
        int8_t *plane[PCI_N_NARROW]; /* of the power, on the host */
    } out_of_core;
};

/* The status of a part as that of the run, which gets the message of the part. */
static pc_status part_status(pci_run *run, const pci_gpu_part *part, pc_status status)
{
    return status == PC_OK ? PC_OK : pci_fail(run->context, status, "%s", part->context->message);
}

/* How many of the first n moduli part p has. */
static uint32_t share_of(const pci_run *run, uint32_t n, uint32_t p)
{
    uint32_t n_parts = run->parts.n;
    return n / n_parts + (p < n % n_parts);
}

/* ---- Out of core ----------------------------------------------------------------------------- */

/* Copies plane number i of share p to the host, in rows of the length of those of P. */
static pc_status keep_plane(pci_run *run, uint32_t p, uint32_t i)
{
    pci_gpu_part *part = run->parts.part[0];
    size_t pitch = pci_gpu_layout_of(run->parts.n_rows).n_padded;
    size_t bytes = run->parts.n_rows * pitch;
    int8_t **plane = &run->out_of_core.plane[p + i * run->parts.n];
    *plane = pci_alloc(run->context, bytes);
    if (!*plane)
        return pci_fail_memory(run->context, "a residue plane", bytes);
    return pci_gpu_check(run->context,
                         cudaMemcpy2D(*plane, pitch, pci_gpu_slot_plane(part, part->slot[i]),
                                      part->layout.n_padded, pitch, run->parts.n_rows,
                                      cudaMemcpyDeviceToHost),
                         "copying a plane to the host");
}

/* Runs all operations for share p, and copies its planes to the host. */
static pc_status run_share(pci_run *run, uint32_t p)
{
    pci_gpu_part **part = &run->parts.part[0];
    pci_gpu_part_end(*part); /* the share before */
    *part = NULL;
    pc_status status = pci_gpu_part_begin(run->context, run->graph, run->partition, &run->parts, p,
                                          run->out_of_core.device, share_of(run, run->n_most, p),
                                          run->out_of_core.n_batch, part);
    for (uint32_t o = 0; o < run->out_of_core.n_operations && status == PC_OK; o++) {
        status = pci_progress(run->context, "power", (double)p / run->parts.n);
        if (status != PC_OK)
            return status;
        status = run->out_of_core.operation[o].operate(
            *part, share_of(run, run->out_of_core.operation[o].n_moduli, p));
        if (status != PC_OK)
            return part_status(run, *part, status);
    }
    for (uint32_t i = 0; status == PC_OK && i < (*part)->n_moduli; i++)
        status = keep_plane(run, p, i);
    return status;
}

/* Runs all shares, unless that is done. */
static pc_status run_shares(pci_run *run)
{
    pc_status status = PC_OK;
    for (uint32_t p = 0; p < run->parts.n && status == PC_OK && !run->out_of_core.is_done; p++)
        status = run_share(run, p);
    if (status == PC_OK && !run->out_of_core.is_done) {
        run->out_of_core.is_done = true;
        run->parts.on_host = run->out_of_core.plane;
        run->parts.n_on_host = run->n_most;
    }
    return status;
}

/* ---- All parts at once ----------------------------------------------------------------------- */

/* How many moduli all parts have when n_moduli are wanted: at least one each, as none means a plain
 * plane; out of core all, as shares cannot be extended. */
static uint32_t moduli_for(const pci_run *run, uint32_t n_moduli)
{
    if (!n_moduli || run->out_of_core.is_used)
        return n_moduli ? run->n_most : 0;
    return n_moduli > run->parts.n ? n_moduli : run->parts.n;
}

typedef pc_status (*task_fn)(pci_gpu_part *part, uint32_t p, void *user);

/* Does something with each of n_parts parts, one host thread each. */
static pc_status for_each_part(pci_run *run, uint32_t n_parts, task_fn task, void *user)
{
    pc_status status[PCI_MAX_DEVICES] = {PC_OK};
#pragma omp parallel for num_threads(n_parts) if (n_parts > 1) schedule(static, 1)
    for (uint32_t p = 0; p < n_parts; p++) {
        pci_gpu_part *part = run->parts.part[p];
        status[p] =
            pci_gpu_check(part->context, cudaSetDevice(part->device.index), "choosing the device");
        if (status[p] == PC_OK)
            status[p] = task(part, p, user);
    }
    for (uint32_t p = 0; p < n_parts; p++)
        if (status[p] != PC_OK)
            return part_status(run, run->parts.part[p], status[p]);
    return PC_OK;
}

/* An operation of a level. */
typedef struct level_task {
    const pci_run *run;
    part_fn operate;
    uint32_t n_moduli;
} level_task;

static pc_status do_level(pci_gpu_part *part, uint32_t p, void *user)
{
    const level_task *task = user;
    return task->operate(part, share_of(task->run, task->n_moduli, p));
}

/* At once, or put off. */
static pc_status run_level(pci_run *run, part_fn operate, uint32_t n_moduli)
{
    level_task task = {run, operate, moduli_for(run, n_moduli)};
    if (!run->out_of_core.is_used)
        return for_each_part(run, run->parts.n, do_level, &task);
    uint32_t o = run->out_of_core.n_operations++;
    run->out_of_core.operation[o].operate = operate;
    run->out_of_core.operation[o].n_moduli = task.n_moduli;
    return PC_OK;
}

/* ---- Begin and end --------------------------------------------------------------------------- */

/* The device of each part that a run of n_most moduli can have: each part needs a modulus. */
static pc_status choose_devices(pc_context *context, uint32_t n_most, uint32_t *n, int *index)
{
    int n_devices = 1;
    uint64_t n_on_each = 1;
    pc_status status = pci_gpu_devices_wanted(context, &n_devices, index);
    if (status == PC_OK)
        status = pci_variable_read(context, PCI_VARIABLE_CUDA_PARTS, &n_on_each);
    if (n_on_each > (uint64_t)(PCI_MAX_DEVICES / n_devices))
        n_on_each = 1;
    int n_parts = n_devices * (int)n_on_each;
    for (int p = n_devices; p < n_parts; p++)
        index[p] = index[p % n_devices];
    *n = !n_most ? 1 : n_most < (uint32_t)n_parts ? n_most : (uint32_t)n_parts;
    return status;
}

pc_status pci_gpu_place(pc_context *context, const pc_graph *graph, uint64_t n_blocks,
                        uint32_t n_most, bool may_be_out_of_core, pci_gpu_placement *placement)
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
    for (uint32_t p = 0; p < made.n_devices; p++) /* the first device has as many as any other */
        made.n_on_one += made.index[p] == made.index[0];
    made.available_bytes /= made.n_on_one;
    if (!pci_gpu_fit_into(made.available_bytes, &device, &work, made.n_devices, may_be_out_of_core,
                          &made.fit))
        return pci_fail(
            context, PC_ERR_MEMORY,
            "the GPU (%s) has %.0f MB of free memory, and this count needs %.0f MB there",
            device.name, (double)made.available_bytes / 1e6,
            (double)(made.fit.bytes + PCI_GPU_ROWS_BYTES) / 1e6);
    *placement = made;
    return PC_OK;
}

/* Lets every device read and write the others' memory. CUDA keeps that for the process, and calls it an error to ask
 * again. */
static pc_status join_devices(pc_context *context, uint32_t n, const int *index)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool is_joined[PCI_MAX_DEVICES][PCI_MAX_DEVICES];
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t q = 0; q < n; q++) {
            int can_read = 0;
            if (index[p] == index[q])
                continue;
            cudaDeviceCanAccessPeer(&can_read, index[p], index[q]);
            if (!can_read)
                return pci_fail(context, PC_ERR_ENGINE,
                                "GPU %d cannot read the memory of GPU %d: name one of them",
                                index[p], index[q]);
            pthread_mutex_lock(&mutex);
            if (!is_joined[index[p]][index[q]]) {
                cudaSetDevice(index[p]);
                if (cudaDeviceEnablePeerAccess(index[q], 0) != cudaSuccess)
                    cudaGetLastError(); /* the program had enabled it */
                is_joined[index[p]][index[q]] = true;
            }
            pthread_mutex_unlock(&mutex);
        }
    return PC_OK;
}

pc_status pci_gpu_run_begin(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, const pci_moduli *moduli,
                            uint32_t n_most, pci_run **run)
{
    pci_gpu_placement place;
    pci_run *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a run", sizeof *made);
    made->context = context;
    made->graph = graph;
    made->partition = partition;
    made->n_most = n_most;
    made->parts.moduli = moduli;
    made->parts.n_rows = graph->n;
    pc_status status =
        pci_gpu_place(context, graph, partition ? partition->n_blocks : 0, n_most, true, &place);
    if (status == PC_OK) {
        made->parts.n = place.fit.n_shares;
        made->out_of_core.is_used = place.fit.n_shares > place.n_devices;
        made->out_of_core.device = place.index[0];
        made->out_of_core.n_batch = place.fit.n_batch;
    }
    if (status == PC_OK && !made->out_of_core.is_used)
        status = join_devices(context, made->parts.n, place.index);
    for (uint32_t p = 0; p < made->parts.n && status == PC_OK && !made->out_of_core.is_used; p++)
        status =
            pci_gpu_part_begin(context, graph, partition, &made->parts, p, place.index[p],
                               share_of(made, n_most, p), place.fit.n_batch, &made->parts.part[p]);
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
    for (uint32_t i = 0; i < PCI_N_NARROW; i++)
        pci_free(run->context, run->out_of_core.plane[i]);
    pci_free(run->context, run);
}

void pci_gpu_run_trim(pci_run *run)
{
    for (uint32_t p = 0; p < run->parts.n && !run->out_of_core.is_used; p++)
        pci_gpu_part_trim(run->parts.part[p]);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

pc_status pci_gpu_run_load(pci_run *run, uint32_t n_moduli)
{
    run->parts.n_rows = run->graph->n;
    return run_level(run, pci_gpu_part_load, n_moduli);
}

static pc_status do_shared(pci_gpu_part *part, uint32_t p, void *user)
{
    return pci_gpu_part_multiply_shared(part, p, user);
}

/* The square of a plain P, whose accumulators give the planes of all parts. */
static pc_status square_plain_together(pci_run *run, uint32_t n_moduli)
{
    pci_gpu_shared shared = {0};
    for (uint32_t p = 0; p < run->parts.n; p++)
        pci_gpu_shared_add(run->parts.part[p], share_of(run, n_moduli, p), 0, &shared);
    pc_status status = for_each_part(run, run->parts.n, do_shared, &shared);
    for (uint32_t p = 0; p < run->parts.n && status == PC_OK; p++) {
        pci_gpu_part *part = run->parts.part[p];
        uint32_t n = share_of(run, n_moduli, p);
        pci_gpu_replace(part, n, n ? n : 1, part->next);
    }
    return status;
}

/* The square of one plane, that of modulus number index of part p. */
static pc_status square_plane_together(pci_run *run, uint32_t p, uint32_t index)
{
    pci_gpu_part *owner = run->parts.part[p];
    pci_gpu_shared shared = {.owner = owner, .slot = owner->slot[index]};
    pci_gpu_shared_add(owner, index + 1, index, &shared);
    pc_status status = for_each_part(run, run->parts.n, do_shared, &shared);
    pci_gpu_slot_free(owner, owner->slot[index]);
    owner->slot[index] = owner->next[index];
    return status;
}

/* Each part squares as many planes as the others. What is left is squared together, if it is narrow and has no operand
 * that is scaled for it. */
pc_status pci_gpu_run_square(pci_run *run, uint32_t n_moduli)
{
    uint32_t n = moduli_for(run, n_moduli), n_left = n % run->parts.n;
    if (run->out_of_core.is_used || run->parts.n == 1 || n > PCI_N_NARROW ||
        run->graph->classes.size)
        return run_level(run, pci_gpu_part_square, n_moduli);
    if (!run->parts.part[0]->n_moduli)
        return square_plain_together(run, n);
    pc_status status = run_level(run, pci_gpu_part_square, n - n_left);
    for (uint32_t p = 0; p < n_left && status == PC_OK; p++)
        status = square_plane_together(run, p, n / run->parts.n);
    return status;
}

/* Of several parts none has both residues; without memory, or out of core, planes are squared one by one. */
pc_status pci_gpu_run_square_digits(pci_run *run, uint32_t n_moduli)
{
    bool is_alone = run->parts.n == 1 && !run->out_of_core.is_used;
    if (is_alone && pci_gpu_part_can_square_digits(run->parts.part[0], n_moduli))
        return run_level(run, pci_gpu_part_square_digits, n_moduli);
    pc_status status = pci_gpu_run_extend(run, n_moduli);
    return status == PC_OK ? pci_gpu_run_square(run, n_moduli) : status;
}

pc_status pci_gpu_run_step(pci_run *run, uint32_t n_moduli)
{
    return run_level(run, pci_gpu_part_step, n_moduli);
}

pc_status pci_gpu_run_reduce(pci_run *run, bool is_step, uint32_t n_moduli)
{
    run->parts.n_rows = run->partition->n_blocks;
    return run_level(run, is_step ? pci_gpu_part_reduce_step : pci_gpu_part_reduce, n_moduli);
}

pc_status pci_gpu_run_extend(pci_run *run, uint32_t n_moduli)
{
    if (run->out_of_core.is_used || !run->parts.part[0]->n_moduli)
        return PC_OK;
    run->parts.n_old = pci_gpu_n_all_moduli(run->parts.part[0]);
    return run_level(run, pci_gpu_part_extend, n_moduli);
}

/* ---- Words modulo a number ------------------------------------------------------------------- */

pc_status pci_gpu_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    if (run->out_of_core.is_used)
        return pci_fail(run->context, PC_ERR_MEMORY, "no GPU memory for all residues at once");
    n_moduli = moduli_for(run, n_moduli);
    for (uint32_t p = 0; p < run->parts.n; p++) {
        pci_gpu_part *part = run->parts.part[p];
        pc_status status =
            pci_gpu_check(part->context, cudaSetDevice(part->device.index), "choosing the device");
        if (status == PC_OK)
            status = pci_gpu_part_load_words(part, words, share_of(run, n_moduli, p));
        if (status != PC_OK)
            return part_status(run, part, status);
    }
    return PC_OK;
}

typedef struct words_task {
    uint64_t modulus;
    pci_gpu_words words[PCI_MAX_DEVICES];
    uint64_t first_row, n_rows;
    bool is_made; /* the words of all parts: now they are split */
} words_task;

static pc_status do_words(pci_gpu_part *part, uint32_t p, void *user)
{
    words_task *task = user;
    if (task->n_rows == 0)
        return pci_gpu_words_begin(part, task->modulus, &task->words[p]);
    return (task->is_made ? pci_gpu_words_split : pci_gpu_words_make)(
        part, &task->words[p], task->first_row, task->n_rows);
}

pc_status pci_gpu_run_reduce_modulo(pci_run *run, uint64_t modulus)
{
    uint32_t n_parts = run->parts.n;
    uint64_t n = run->parts.n_rows;
    words_task task = {.modulus = modulus};
    if (run->out_of_core.is_used)
        return pci_fail(run->context, PC_ERR_MEMORY, "no GPU memory for all residues at once");
    pc_status status = for_each_part(run, n_parts, do_words, &task);
    uint64_t n_block = task.words[0].n_block;
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_block) {
        task.first_row = first;
        task.n_rows = n - first < n_block ? n - first : n_block;
        for (int is_made = 0; is_made < 2 && status == PC_OK; is_made++) {
            task.is_made = is_made;
            status = for_each_part(run, n_parts, do_words, &task);
        }
    }
    for (uint32_t p = 0; p < n_parts; p++) {
        pci_gpu_words_end(run->parts.part[p], &task.words[p]);
        run->parts.part[p]->number = modulus;
    }
    return status;
}

pc_status pci_gpu_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words)
{
    pci_gpu_part *part = run->parts.part[0];
    pc_status status = pci_gpu_part_collect_modular(part, modulus, words);
    return part_status(run, part, status);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Parts that recombine rows. Out of core this is the last share. */
static uint32_t n_collectors(const pci_run *run)
{
    return run->out_of_core.is_used ? 1 : run->parts.n;
}

/* While one block is read, every part prepares its next one: block b is that of part b mod n, in one or the other of its
 * buffers. The last block may be shorter. */
pc_status pci_gpu_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                              uint64_t *space, const uint64_t **limbs)
{
    (void)space; /* rows are lent from page-locked memory */
    uint64_t n = run->parts.n_rows, n_parts = n_collectors(run);
    if (first_row + n_rows < n || !run->block_rows)
        run->block_rows = n_rows;
    uint64_t n_block = run->block_rows, now = first_row / n_block;
    pc_status status = run->out_of_core.is_used ? run_shares(run) : PC_OK;
    for (uint64_t b = now; b <= now + n_parts && status == PC_OK; b++) {
        uint64_t first = first_row + (b - now) * n_block, n_here = n_rows;
        pci_gpu_part *part = run->parts.part[b % n_parts];
        if (b > now && first >= n)
            break;
        if (b > now)
            n_here = n - first < n_block ? n - first : n_block;
        status = part_status(
            run, part,
            pci_gpu_part_collect_start(part, first, n_here, n_limbs, (int)(b / n_parts % 2)));
    }
    if (status != PC_OK)
        return status;
    pci_gpu_part *part = run->parts.part[now % n_parts];
    return part_status(run, part,
                       pci_gpu_part_collect_finish(part, (int)(now / n_parts % 2), limbs));
}

pc_status pci_gpu_run_collect_device(pci_run *run, uint32_t n_limbs, uint64_t *limbs)
{
    pci_gpu_part *part = run->parts.part[0];
    if (run->out_of_core.is_used)
        return pci_fail(run->context, PC_ERR_MEMORY, "no GPU memory for all residues at once");
    pc_status status = pci_gpu_part_collect_device(part, n_limbs, limbs);
    return part_status(run, part, status);
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

typedef struct aggregate_task {
    pci_aggregates *aggregates;
    uint64_t n_parts;
} aggregate_task;

/* Each part has consecutive rows. */
static pc_status do_aggregate(pci_gpu_part *part, uint32_t p, void *user)
{
    const aggregate_task *task = user;
    uint64_t n = task->aggregates->n, first = n * p / task->n_parts;
    uint64_t end = n * (p + UINT64_C(1)) / task->n_parts;
    return pci_gpu_part_aggregate(part, first, end - first, task->aggregates);
}

pc_status pci_gpu_run_aggregate(pci_run *run, pci_aggregates *aggregates)
{
    aggregate_task task = {aggregates, n_collectors(run)};
    pc_status status = run->out_of_core.is_used ? run_shares(run) : PC_OK;
    return status == PC_OK ? for_each_part(run, n_collectors(run), do_aggregate, &task) : status;
}

pc_status pci_gpu_run_collect_selected(pci_run *run, uint64_t n_rows, const uint64_t *rows,
                                       uint32_t n_limbs, uint64_t *limbs)
{
    pci_gpu_part *part = run->parts.part[0];
    pc_status status = run->out_of_core.is_used ? run_shares(run) : PC_OK;
    if (status == PC_OK)
        status = part_status(run, part,
                             pci_gpu_part_collect_selected(part, n_rows, rows, n_limbs, limbs));
    return status;
}

/* ---- Diagonals ------------------------------------------------------------------------------- */

pc_status pci_gpu_run_diagonal(pci_run *run, bool is_step, uint32_t n_moduli, uint32_t n_limbs,
                               uint64_t *limbs)
{
    pci_gpu_part *part = run->parts.part[0];
    part_fn operate = is_step ? pci_gpu_part_diagonal_step : pci_gpu_part_diagonal;
    if (run->out_of_core.is_used)
        return pci_fail(run->context, PC_ERR_MEMORY, "no GPU memory for all residues at once");
    pc_status status = run_level(run, operate, n_moduli);
    return status == PC_OK ? part_status(run, part,
                                         pci_gpu_part_collect_diagonal(
                                             part, moduli_for(run, n_moduli), n_limbs, limbs))
                           : status;
}
