/* The begin and end of a part, its memory and its slots. */
#include "gpu/engine/part.h"

#include "gpu/engine/arena.h"

#include <pthread.h>

/* ---- Slots ----------------------------------------------------------------------------------- */

uint32_t pci_gpu_slot_take(pci_gpu_part *part)
{
    uint32_t s = 0;
    while (part->slot_is_taken[s])
        s++;
    part->slot_is_taken[s] = true;
    return s;
}

void pci_gpu_slot_free(pci_gpu_part *part, uint32_t slot)
{
    part->slot_is_taken[slot] = false;
}

int8_t *pci_gpu_slot_plane(const pci_gpu_part *part, uint32_t slot)
{
    return part->arena + slot * part->layout.plane_bytes;
}

/* ---- Moduli and their planes ----------------------------------------------------------------- */

/* Finding the constants of a reduction takes a millisecond, so they are kept for the process. */
static pci_reduction reduction_of(uint32_t m)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pci_reduction made[257];
    pthread_mutex_lock(&mutex);
    if (!made[m].minus_m)
        pci_reduction_make(m, &made[m]);
    pci_reduction reduction = made[m];
    pthread_mutex_unlock(&mutex);
    return reduction;
}

pci_gpu_modulus pci_gpu_modulus_of(const pci_gpu_part *part, uint32_t n_moduli, uint32_t index)
{
    uint32_t m = n_moduli ? part->moduli.m[index] : 0;
    pci_gpu_modulus modulus = {.m = m, .wide = n_moduli && pci_gpu_is_wide(part, index)};
    if (!modulus.wide) /* a plain entry is its own residue modulo 256 */
        modulus.reduction = reduction_of(m ? m : 256);
    return modulus;
}

void pci_gpu_digits_take(pci_gpu_part *part, uint32_t n_moduli, uint32_t index, uint32_t slot[3],
                         int8_t *digit[3])
{
    uint32_t n_digits = n_moduli ? pci_gpu_n_digits(part, index) : 1;
    for (uint32_t d = 0; d < 3; d++) {
        if (d < n_digits)
            slot[d] = pci_gpu_slot_take(part);
        digit[d] = d < n_digits ? pci_gpu_slot_plane(part, slot[d]) : NULL;
    }
}

void pci_gpu_digits_of(const pci_gpu_part *part, uint32_t index, int8_t *digit[3])
{
    uint32_t n_digits = part->n_moduli ? pci_gpu_n_digits(part, index) : 1;
    uint32_t first = part->n_moduli ? pci_gpu_first_plane(part, index) : 0;
    for (uint32_t d = 0; d < 3; d++)
        digit[d] = d < n_digits ? pci_gpu_slot_plane(part, part->slot[first + d]) : NULL;
}

uint32_t pci_gpu_n_all_moduli(const pci_gpu_part *part)
{
    uint32_t n = 0;
    if (part->parts->on_host)
        return part->parts->n_on_host;
    for (uint32_t p = 0; p < part->parts->n; p++)
        n += part->parts->part[p]->n_moduli;
    return n;
}

cudaError_t pci_gpu_residues_in(const int8_t *(*digits)[3], uint32_t n_moduli,
                                const int8_t *narrow[PCI_N_NARROW], pci_gpu_pointers *table,
                                cudaStream_t stream, pci_gpu_residues *residues)
{
    if (n_moduli <= PCI_N_NARROW) {
        for (uint32_t i = 0; i < n_moduli; i++)
            narrow[i] = digits[i][0];
        *residues = (pci_gpu_residues){.narrow = narrow};
        return cudaSuccess;
    }
    *residues = (pci_gpu_residues){.any = (const int8_t *const *)table};
    return cudaMemcpyAsync(table, digits, n_moduli * sizeof *digits, cudaMemcpyHostToDevice,
                           stream);
}

cudaError_t pci_gpu_residues_of(const pci_gpu_part *part, uint32_t n_moduli,
                                pci_gpu_digits_fn digits_of, size_t offset,
                                const int8_t *narrow[PCI_N_NARROW], pci_gpu_pointers *table,
                                cudaStream_t stream, pci_gpu_residues *residues)
{
    const int8_t *digits[PCI_N_NOT_FULL][3];
    const pci_gpu_parts *parts = part->parts;
    for (uint32_t i = 0; i < n_moduli; i++) {
        int8_t *digit[3];
        digits_of(parts->part[i % parts->n], i / parts->n, digit);
        for (uint32_t d = 0; d < 3; d++)
            digits[i][d] = digit[d] ? digit[d] + offset : NULL;
    }
    return pci_gpu_residues_in(digits, n_moduli, narrow, table, stream, residues);
}

void pci_gpu_replace(pci_gpu_part *part, uint32_t n_moduli, uint32_t n, const uint32_t *slots)
{
    for (uint32_t p = 0; p < part->n_planes; p++)
        pci_gpu_slot_free(part, part->slot[p]);
    for (uint32_t p = 0; p < n; p++)
        part->slot[p] = slots[p];
    part->n_planes = n;
    part->n_moduli = n_moduli;
}

pc_status pci_gpu_wait(pci_gpu_part *part, const char *what)
{
    return pci_gpu_check(part->context, cudaStreamSynchronize(part->stream), what);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static bool is_in_order(const pc_partition *partition)
{
    for (uint64_t i = 0; i < partition->n; i++)
        if (partition->vertex[i] != i)
            return false;
    return true;
}

/* Makes first_block of pci_gpu_blocks where vertices lie in the order of their blocks. */
static pc_status upload_first_blocks(pci_gpu_part *part)
{
    const pc_partition *partition = part->partition;
    uint32_t n_tiles = part->layout.n_padded / PCI_TILE, b = 0;
    if (!is_in_order(partition))
        return PC_OK;
    uint32_t *first = pci_alloc(part->context, (n_tiles + 1) * sizeof *first);
    if (!first)
        return pci_fail_memory(part->context, "a list of blocks", (n_tiles + 1) * sizeof *first);
    for (uint32_t t = 0; t < n_tiles; t++) {
        while (b < partition->n_blocks && partition->start[b] < (uint64_t)t * PCI_TILE)
            b++;
        first[t] = b;
    }
    first[n_tiles] = pci_gpu_layout_of(partition->n_blocks).n_padded;
    pc_status status = pci_gpu_upload(part->context, first, (n_tiles + 1) * sizeof *first,
                                      (void **)&part->blocks.first_block);
    pci_free(part->context, first);
    return status;
}

static pc_status upload_partition(pci_gpu_part *part)
{
    const pc_partition *partition = part->partition;
    pci_gpu_blocks *to = &part->blocks;
    if (!partition)
        return PC_OK;
    to->n_blocks = (uint32_t)partition->n_blocks;
    pc_status status =
        pci_gpu_upload(part->context, partition->start,
                       (partition->n_blocks + 1) * sizeof *partition->start, (void **)&to->start);
    if (status == PC_OK)
        status = pci_gpu_upload(part->context, partition->vertex,
                                partition->n * sizeof *partition->vertex, (void **)&to->vertex);
    return status == PC_OK ? upload_first_blocks(part) : status;
}

static pci_gpu_workload workload_of(const pci_gpu_part *part, uint32_t n_most)
{
    pci_gpu_workload work =
        pci_gpu_workload_of(part->graph, part->partition ? part->partition->n_blocks : 0, n_most);
    work.n_narrow = part->n_narrow;
    return work;
}

/* Allocates the arena. With too little memory fewer planes are squared at once. */
static pc_status allocate_arena(pci_gpu_part *part, uint32_t n_most, uint32_t n_batch)
{
    pci_gpu_workload work = workload_of(part, n_most);
    for (;; n_batch = part->needs.n_batch / 2) {
        part->needs = pci_gpu_needs_of(&part->device, &work, n_batch);
        cudaError_t error =
            pci_gpu_arena_get(part->device.index, part->needs.arena_bytes, &part->arena);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(part->arena, 0, part->needs.arena_bytes, part->stream);
        if (error != cudaErrorMemoryAllocation || part->needs.n_batch == 1)
            return pci_gpu_check(part->context, error, "memory for residue planes");
        cudaGetLastError();
    }
}

static pc_status allocate(pci_gpu_part *part, uint32_t n_most, uint32_t n_batch)
{
    pc_status status = pci_gpu_check(
        part->context, cudaStreamCreateWithFlags(&part->stream, cudaStreamNonBlocking),
        "making a stream");
    if (status == PC_OK)
        status = allocate_arena(part, n_most, n_batch);
    if (status == PC_OK)
        status =
            pci_gpu_check(part->context, cudaMalloc((void **)&part->tiles, part->needs.tiles_bytes),
                          "memory for a list of tiles");
    if (status == PC_OK && part->needs.raw_bytes)
        status =
            pci_gpu_check(part->context, cudaMalloc((void **)&part->raw, part->needs.raw_bytes),
                          "memory for accumulators");
    if (status == PC_OK)
        status = pci_gpu_graph_upload(part->context, part->graph, &part->on_device);
    if (status == PC_OK && part->graph->weight)
        status = pci_gpu_check(part->context,
                               cudaMalloc((void **)&part->weights, part->needs.weights_bytes + 1),
                               "memory for weights");
    return status == PC_OK ? upload_partition(part) : status;
}

/* Every parts->n-th modulus of the list. */
static void take_share(pci_gpu_part *part, const pci_gpu_parts *parts, uint32_t p)
{
    for (uint32_t i = 0; p + i * parts->n < PCI_N_NOT_FULL; i++) {
        part->moduli.m[i] = parts->moduli->m[p + i * parts->n];
        part->n_narrow += !pci_modulus_is_wide(p + i * parts->n);
    }
}

pc_status pci_gpu_part_begin(pc_context *context, const pc_graph *graph,
                             const pc_partition *partition, const pci_gpu_parts *parts, uint32_t p,
                             int index, uint32_t n_most, uint32_t n_batch, pci_gpu_part **part)
{
    pci_gpu_part *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a run", sizeof *made);
    made->own = *context;
    made->context = &made->own;
    made->graph = graph;
    made->partition = partition;
    made->parts = parts;
    made->layout = pci_gpu_layout_of(graph->n);
    take_share(made, parts, p);
    pc_status status = pci_gpu_device_open(made->context, index, &made->device);
    if (status == PC_OK)
        status = allocate(made, n_most, n_batch);
    if (status == PC_OK) {
        *part = made;
        return PC_OK;
    }
    pci_fail(context, status, "%s", made->own.message);
    pci_gpu_part_end(made);
    return status;
}

static void free_buffer(pci_gpu_buffer *buffer)
{
    if (buffer->stream)
        cudaStreamDestroy(buffer->stream);
    cudaFree(buffer->device);
    cudaFreeHost(buffer->host);
    cudaFree(buffer->table);
    cudaFree(buffer->residues);
}

/* Whether other GPUs have parts too: out of core one part after the other is the first one. */
static bool has_others(const pci_gpu_part *part)
{
    return part->parts->n > 1 && part->parts->part[1];
}

void pci_gpu_part_end(pci_gpu_part *part)
{
    if (!part)
        return;
    cudaSetDevice(part->device.index);
    cudaDeviceSynchronize();
    for (int b = 0; b < PCI_GPU_BUFFERS; b++)
        free_buffer(&part->collector.buffer[b]);
    pci_gpu_tables_free(part->context, &part->collector.tables);
    cudaFree(part->collector.block);
    cudaFree(part->raw);
    cudaFree(part->high);
    cudaFree(part->diagonal);
    cudaFree(part->tiles);
    pci_gpu_arena_give(part->device.index, part->needs.arena_bytes, has_others(part), part->arena);
    cudaFree(part->weights);
    pci_gpu_graph_free(&part->on_device);
    cudaFree((void *)part->blocks.start);
    cudaFree((void *)part->blocks.vertex);
    cudaFree((void *)part->blocks.first_block);
    if (part->stream)
        cudaStreamDestroy(part->stream);
    cudaGetLastError();
    pci_free(part->context, part);
}

void pci_gpu_part_trim(pci_gpu_part *part)
{
    cudaFree(part->raw);
    part->raw = NULL;
}
