/* A part: its slots, the memory that it needs, its begin and end, and what is done with P but for products. */
#include "gpu/engine/part.h"

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
pci_gpu_modulus pci_gpu_modulus_of(const pci_gpu_part *part, uint32_t n_moduli, uint32_t index)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pci_reduction made[257];
    uint32_t m = n_moduli ? part->moduli.m[index] : 0;
    pci_gpu_modulus modulus = {.m = m, .wide = n_moduli && pci_gpu_is_wide(part, index)};
    if (modulus.wide)
        return modulus;
    uint32_t number = m ? m : 256; /* a plain entry is its own residue modulo 256 */
    pthread_mutex_lock(&mutex);
    if (!made[number].minus_m)
        pci_reduction_make(number, &made[number]);
    modulus.reduction = made[number];
    pthread_mutex_unlock(&mutex);
    return modulus;
}

int32_t pci_gpu_sign_of(const pci_gpu_part *part, pci_gpu_modulus modulus)
{
    return !part->is_odd ? 1 : part->number ? (int32_t)((part->number - 1) % modulus.m) : -1;
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

void pci_gpu_replace(pci_gpu_part *part, uint32_t n_moduli, uint32_t n, const uint32_t *slots)
{
    for (uint32_t p = 0; p < part->n_planes; p++)
        pci_gpu_slot_free(part, part->slot[p]);
    for (uint32_t p = 0; p < n; p++)
        part->slot[p] = slots[p];
    part->n_planes = n;
    part->n_moduli = n_moduli;
}

pc_status pci_gpu_finish(pci_gpu_part *part, cudaError_t error, const char *what)
{
    return pci_gpu_check(part->context,
                         error == cudaSuccess ? cudaStreamSynchronize(part->stream) : error, what);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

enum {
    STRIP_BYTES = 192 << 20,
    N_DIGITS = 3,
    MOST_SPLIT_ROUNDS = 4, /* that a list has beyond those of a longer one that is not split */
    ACCUMULATORS = 3       /* of a product of wide residues */
};

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

uint32_t pci_gpu_strip_tiles(const pci_gpu_layout *layout)
{
    uint64_t tile_row_bytes =
        (uint64_t)ACCUMULATORS * PCI_TILE * layout->n_padded * sizeof(int32_t);
    uint32_t n_tiles = layout->n_padded / PCI_TILE;
    return min_u32(n_tiles, max_u32(1, (uint32_t)(STRIP_BYTES / tile_row_bytes)));
}

/* Of the largest list. Products of wide residues are made in strips, the others as a whole. Lists with fewer jobs or rows
 * than those that are looked at may have tiles that are split. */
static uint64_t largest_list_bytes(const pci_gpu_device *device, const pci_gpu_workload *work,
                                   uint32_t n_batch)
{
    uint64_t most = 0;
    const uint32_t n_tiles[2] = {work->layout.n_padded / PCI_TILE,
                                 pci_gpu_layout_of(work->n_blocks).n_padded / PCI_TILE};
    for (int is_whole = 0; is_whole < 2; is_whole++)
        for (int is_reduced = 0; is_reduced < (work->n_blocks ? 2 : 1); is_reduced++) {
            pci_tile_shape shape =
                pci_gpu_shape(device->kernel, device->n_sms, n_tiles[is_reduced],
                              max_u32(n_batch, ACCUMULATORS), is_whole && work->symmetric);
            uint32_t n_more = shape.may_split ? MOST_SPLIT_ROUNDS * shape.n_blocks : 0;
            shape.may_split = false;
            uint64_t bytes = (pci_tiles_capacity(&shape) + n_more) * sizeof(uint32_t);
            most = bytes > most ? bytes : most;
        }
    return most;
}

pci_gpu_needs pci_gpu_needs_of(const pci_gpu_device *device, const pci_gpu_workload *work,
                               uint32_t n_batch)
{
    const pci_gpu_layout *layout = &work->layout;
    bool has_wide = work->n_most > work->n_narrow;
    uint32_t n_wide = has_wide ? work->n_most - work->n_narrow : 0;
    uint32_t n_planes = work->n_most ? work->n_most + 2 * n_wide : 1;
    if (!n_batch) /* slots for the operands of a product of digits are at least as many */
        n_batch = max_u32(
            N_DIGITS, pci_gpu_batch(device->n_sms, layout->n_padded / PCI_TILE, work->symmetric));
    n_batch = min_u32(n_batch, min_u32(n_planes, work->n_narrow));
    /* Beside P a launch needs planes for results, and right operands that are not the left one. A reduced product has
     * two operands that are not planes of P. Its results take slots of planes of P that are free by then. A plain P
     * stays. */
    uint32_t n_results = max_u32(n_batch, has_wide ? 3 : 1);
    bool has_rights = !work->symmetric || work->has_classes;
    pci_gpu_needs needs = {
        .n_planes = n_planes,
        .n_batch = n_batch,
        .n_slots =
            n_planes + (work->n_blocks ? 2 * n_results + 1 : n_results * (has_rights ? 2 : 1)),
        .raw_bytes = has_wide ? (uint64_t)ACCUMULATORS * pci_gpu_strip_tiles(layout) * PCI_TILE *
                                    layout->n_padded * sizeof(int32_t)
                              : 0,
        .graph_bytes = (layout->n + UINT64_C(1)) * 2 * sizeof(uint64_t) +
                       work->n_arcs * (sizeof(uint32_t) + (work->weighted ? sizeof(uint64_t) : 0) +
                                       (work->has_classes ? sizeof(uint64_t) : 0)),
        .weights_bytes = work->weighted ? ACCUMULATORS * work->n_arcs : 0,
        .blocks_bytes = work->n_blocks
                            ? (work->n_blocks + UINT64_C(1)) * sizeof(uint64_t) +
                                  layout->n * sizeof(uint32_t) +
                                  (layout->n_padded / PCI_TILE + UINT64_C(1)) * sizeof(uint32_t)
                            : 0,
    };
    needs.arena_bytes = needs.n_slots * layout->plane_bytes;
    needs.tiles_bytes = largest_list_bytes(device, work, n_batch);
    return needs;
}

bool pci_gpu_fit_into(uint64_t available_bytes, const pci_gpu_device *device,
                      const pci_gpu_workload *work, uint32_t n_devices, bool may_be_out_of_core,
                      pci_gpu_fit *fit)
{
    bool can_share = n_devices == 1 && may_be_out_of_core && work->n_most <= PCI_N_NARROW;
    uint32_t most_shares = can_share ? max_u32(1, work->n_most) : n_devices;
    for (uint32_t n_shares = n_devices; n_shares <= most_shares; n_shares++) {
        pci_gpu_workload share = *work;
        share.n_most = (work->n_most + n_shares - 1) / n_shares;
        if (work->n_most > PCI_N_NARROW)
            share.n_narrow = PCI_N_NARROW / n_shares;
        pci_gpu_needs needs = pci_gpu_needs_of(device, &share, 0);
        for (;;) {
            *fit = (pci_gpu_fit){n_shares, needs.n_batch, pci_gpu_needs_bytes(&needs)};
            if (fit->bytes + PCI_GPU_ROWS_BYTES <= available_bytes)
                return true;
            if (needs.n_batch == 1)
                break;
            needs = pci_gpu_needs_of(device, &share, needs.n_batch / 2);
        }
    }
    return false;
}

uint64_t pci_gpu_needs_bytes(const pci_gpu_needs *needs)
{
    return needs->arena_bytes + needs->tiles_bytes + needs->raw_bytes + needs->graph_bytes +
           needs->weights_bytes + needs->blocks_bytes;
}

void pci_gpu_recombination_free(const pci_gpu_part *part, pci_gpu_recombination *r)
{
    pci_gpu_tables_free(part->context, &r->host);
    cudaFree(r->tables);
    cudaFree(r->table);
    *r = (pci_gpu_recombination){0};
}

pc_status pci_gpu_recombination_upload(const pci_gpu_part *part, pci_gpu_recombination *r)
{
    pc_status status =
        pci_gpu_upload(part->context, r->host.block, r->host.bytes, (void **)&r->tables);
    if (status == PC_OK)
        status = pci_gpu_check(part->context,
                               cudaMalloc((void **)&r->table, r->host.r * sizeof *r->table),
                               "memory for a table");
    r->crt = (pci_gpu_crt){r->host.r, pci_gpu_tables_fraction(r->tables)};
    r->weight = pci_gpu_tables_weight(&r->host, r->tables);
    r->modulus = pci_gpu_tables_modulus(&r->host, r->tables);
    return status;
}

/* Copies the partition, and makes first_block of pci_gpu_blocks where vertices lie in the order of their blocks. */
static pc_status upload_partition(pci_gpu_part *part)
{
    const pc_partition *partition = part->partition;
    pci_gpu_blocks *to = &part->blocks;
    uint32_t n_tiles = part->layout.n_padded / PCI_TILE, b = 0;
    bool is_in_order = true;
    if (!partition)
        return PC_OK;
    to->n_blocks = (uint32_t)partition->n_blocks;
    pc_status status =
        pci_gpu_upload(part->context, partition->start,
                       (partition->n_blocks + 1) * sizeof *partition->start, (void **)&to->start);
    if (status == PC_OK)
        status = pci_gpu_upload(part->context, partition->vertex,
                                partition->n * sizeof *partition->vertex, (void **)&to->vertex);
    for (uint64_t i = 0; i < partition->n; i++)
        is_in_order = is_in_order && partition->vertex[i] == i;
    if (status != PC_OK || !is_in_order)
        return status;
    uint32_t *first = pci_alloc(part->context, (n_tiles + 1) * sizeof *first);
    if (!first)
        return pci_fail_memory(part->context, "a list of blocks", (n_tiles + 1) * sizeof *first);
    for (uint32_t t = 0; t < n_tiles; t++) {
        while (b < partition->n_blocks && partition->start[b] < (uint64_t)t * PCI_TILE)
            b++;
        first[t] = b;
    }
    first[n_tiles] = pci_gpu_layout_of(partition->n_blocks).n_padded;
    status = pci_gpu_upload(part->context, first, (n_tiles + 1) * sizeof *first,
                            (void **)&to->first_block);
    pci_free(part->context, first);
    return status;
}

/* With too little memory for the arena fewer planes are squared at once. */
static pc_status allocate(pci_gpu_part *part, uint32_t n_most, uint32_t n_batch)
{
    pci_gpu_needs *needs = &part->needs;
    pci_gpu_workload work =
        pci_gpu_workload_of(part->graph, part->partition ? part->partition->n_blocks : 0, n_most);
    work.n_narrow = part->n_narrow;
    pc_status status = pci_gpu_check(
        part->context, cudaStreamCreateWithFlags(&part->stream, cudaStreamNonBlocking),
        "making a stream");
    while (status == PC_OK) {
        *needs = pci_gpu_needs_of(&part->device, &work, n_batch);
        cudaError_t error = pci_gpu_arena_get(part->device.index, needs->arena_bytes, &part->arena);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(part->arena, 0, needs->arena_bytes, part->stream);
        if (error == cudaErrorMemoryAllocation && needs->n_batch > 1) {
            cudaGetLastError();
            n_batch = needs->n_batch / 2;
            continue;
        }
        status = pci_gpu_check(part->context, error, "memory for residue planes");
        break;
    }
    if (status == PC_OK)
        status = pci_gpu_check(part->context, cudaMalloc((void **)&part->tiles, needs->tiles_bytes),
                               "memory for a list of tiles");
    if (status == PC_OK && needs->raw_bytes)
        status = pci_gpu_check(part->context, cudaMalloc((void **)&part->raw, needs->raw_bytes),
                               "memory for accumulators");
    if (status == PC_OK)
        status = pci_gpu_graph_upload(part->context, part->graph, &part->on_device);
    if (status == PC_OK && work.weighted)
        status = pci_gpu_check(part->context,
                               cudaMalloc((void **)&part->weights, needs->weights_bytes + 1),
                               "memory for weights");
    return status == PC_OK ? upload_partition(part) : status;
}

/* ---- Begin and end --------------------------------------------------------------------------- */

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
    for (uint32_t i = 0; p + i * parts->n < PCI_N_NOT_FULL; i++) {
        made->moduli.m[i] = parts->moduli->m[p + i * parts->n];
        made->n_narrow += !pci_modulus_is_wide(p + i * parts->n);
    }
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

void pci_gpu_part_end(pci_gpu_part *part)
{
    if (!part)
        return;
    /* Out of core one part after the other is the first one: no other GPU has parts then. */
    bool has_others = part->parts->n > 1 && part->parts->part[1];
    cudaSetDevice(part->device.index);
    cudaDeviceSynchronize();
    for (pci_gpu_buffer *b = part->collector.buffer; b < part->collector.buffer + PCI_GPU_BUFFERS;
         b++) {
        if (b->stream)
            cudaStreamDestroy(b->stream);
        cudaFree(b->device);
        cudaFreeHost(b->host);
        cudaFree(b->table);
        cudaFree(b->residues);
    }
    pci_gpu_recombination_free(part, &part->collector.base);
    cudaFree(part->raw);
    cudaFree(part->high);
    cudaFree(part->diagonal);
    cudaFree(part->tiles);
    pci_gpu_arena_give(part->device.index, part->needs.arena_bytes, has_others, part->arena);
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

/* ---- Loading --------------------------------------------------------------------------------- */

pc_status pci_gpu_part_load(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES], n = 0;
    cudaError_t error = cudaSuccess;
    pci_gpu_replace(part, 0, 0, NULL);
    for (uint32_t i = 0; i < (n_moduli ? n_moduli : 1) && error == cudaSuccess; i++) {
        pci_gpu_modulus modulus = pci_gpu_modulus_of(part, n_moduli, i);
        int8_t *digit[3];
        pci_gpu_digits_take(part, n_moduli, i, &slots[n], digit);
        n += modulus.wide ? 3 : 1;
        error = pci_gpu_load(&part->on_device, &part->layout, modulus, digit, part->stream);
    }
    pci_gpu_replace(part, n_moduli, n, slots);
    part->is_odd = true;
    return pci_gpu_finish(part, error, "loading the graph");
}

cudaError_t pci_gpu_split_rows(const pci_gpu_part *part, const uint64_t *words, uint64_t first_row,
                               uint64_t n_rows)
{
    pci_gpu_modulus narrow[PCI_N_NARROW];
    int8_t *plane[PCI_N_NARROW], *digit[3];
    uint32_t n_narrow = 0;
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; i < part->n_moduli && error == cudaSuccess; i++) {
        pci_gpu_modulus modulus = pci_gpu_modulus_of(part, part->n_moduli, i);
        pci_gpu_digits_of(part, i, digit);
        if (modulus.wide) {
            error = pci_gpu_split(&part->layout, words, first_row, n_rows, modulus, digit,
                                  part->stream);
        } else {
            narrow[n_narrow] = modulus;
            plane[n_narrow++] = digit[0];
        }
    }
    return error != cudaSuccess || n_narrow == 0
               ? error
               : pci_gpu_split_narrow(&part->layout, words, first_row, n_rows, n_narrow, narrow,
                                      plane, part->stream);
}

/* Copies the words block by block, and splits each block into all planes. */
pc_status pci_gpu_part_load_words(pci_gpu_part *part, const uint64_t *words, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES], n_planes = pci_gpu_first_plane(part, n_moduli);
    uint64_t n = part->graph->n, n_block = pci_gpu_words_rows(n), *block = NULL;
    pci_gpu_replace(part, 0, 0, NULL);
    for (uint32_t p = 0; p < n_planes; p++)
        slots[p] = pci_gpu_slot_take(part);
    pci_gpu_replace(part, n_moduli, n_planes, slots);
    cudaError_t error = cudaMalloc((void **)&block, n_block * n * sizeof *words);
    for (uint64_t first = 0; first < n && error == cudaSuccess; first += n_block) {
        uint64_t n_rows = n - first < n_block ? n - first : n_block;
        error = cudaMemcpyAsync(block, words + first * n, n_rows * n * sizeof *words,
                                cudaMemcpyHostToDevice, part->stream);
        if (error == cudaSuccess)
            error = pci_gpu_split_rows(part, block, first, n_rows);
    }
    pc_status status = pci_gpu_finish(part, error, "splitting words into residues");
    cudaFree(block);
    return status;
}

/* ---- The sparse step ------------------------------------------------------------------------- */

/* Puts the digits of the weights modulo one modulus into part->weights, unless all weights are
 * 1. */
static cudaError_t split_weights(pci_gpu_part *part, pci_gpu_modulus modulus)
{
    pci_gpu_graph graph = part->on_device;
    if (graph.step_weight)
        graph.weight = graph.step_weight;
    return part->weights ? pci_gpu_split_weights(&graph, modulus, part->weights, part->stream)
                         : cudaSuccess;
}

cudaError_t pci_gpu_step_modulus(pci_gpu_part *part, uint32_t n_moduli, uint32_t index,
                                 uint32_t made[3])
{
    bool is_plain = !part->n_moduli;
    pci_gpu_step_output output = {.modulus = pci_gpu_modulus_of(part, n_moduli, index)};
    int8_t *in[3];
    pci_gpu_digits_of(part, is_plain ? 0 : index, in);
    pci_gpu_digits_take(part, n_moduli, index, made, output.digit);
    cudaError_t error =
        split_weights(part, is_plain ? pci_gpu_modulus_of(part, 0, 0) : output.modulus);
    if (error == cudaSuccess)
        error = pci_gpu_step(&part->on_device, &part->layout, in, !is_plain && output.modulus.wide,
                             part->weights, 1, &output, part->stream);
    if (error == cudaSuccess && part->on_device.is_adjacent)
        error = pci_gpu_add_adjacent_arcs(&part->on_device, &part->layout, output.modulus,
                                          pci_gpu_sign_of(part, output.modulus), output.digit,
                                          part->stream);
    return error;
}

/* All outputs are residues of one sum of a plain P. */
static cudaError_t step_plain(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES], n = 0, n_outputs = n_moduli ? n_moduli : 1;
    pci_gpu_step_output outputs[PCI_N_NOT_FULL];
    int8_t *in[3];
    pci_gpu_digits_of(part, 0, in);
    for (uint32_t i = 0; i < n_outputs; i++) {
        outputs[i] = (pci_gpu_step_output){.modulus = pci_gpu_modulus_of(part, n_moduli, i)};
        pci_gpu_digits_take(part, n_moduli, i, &slots[n], outputs[i].digit);
        n += outputs[i].modulus.wide ? 3 : 1;
    }
    cudaError_t error = split_weights(part, pci_gpu_modulus_of(part, 0, 0));
    if (error == cudaSuccess)
        error = pci_gpu_step(&part->on_device, &part->layout, in, false, part->weights, n_outputs,
                             outputs, part->stream);
    pci_gpu_replace(part, n_moduli, n, slots);
    return error;
}

/* The slots of the operands of a modulus are free for the next one. */
pc_status pci_gpu_part_step(pci_gpu_part *part, uint32_t n_moduli)
{
    bool is_plain = !part->n_moduli;
    cudaError_t error = is_plain ? step_plain(part, n_moduli) : cudaSuccess;
    for (uint32_t i = 0; i < n_moduli && !is_plain && error == cudaSuccess; i++) {
        uint32_t made[3], first = pci_gpu_first_plane(part, i);
        error = pci_gpu_step_modulus(part, part->n_moduli, i, made);
        for (uint32_t d = 0; d < pci_gpu_n_digits(part, i); d++) {
            pci_gpu_slot_free(part, part->slot[first + d]);
            part->slot[first + d] = made[d];
        }
    }
    part->is_odd = !part->is_odd;
    return pci_gpu_finish(part, error, "a sparse step");
}
