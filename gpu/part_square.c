/* P = P * P: the planes of a batch in one launch. */
#include "gpu/part.h"

#include <string.h>

/* ---- Launching ------------------------------------------------------------------------------- */

static cudaError_t launch(const pci_gpu_part *part, const pci_product *product)
{
    switch (part->device.kernel) {
    case PCI_GPU_WGMMA:
        return pci_product_wgmma(product, part->stream);
    case PCI_GPU_MMA:
        return pci_product_mma(product, part->stream);
    case PCI_GPU_DP4A:
        return pci_product_dp4a(product, part->stream);
    default:
        return pci_product_plain(product, part->stream);
    }
}

/* The tile list of product->shape on the device: that of the last launch when the shape is the
 * same. */
static pc_status prepare_tiles(pci_gpu_part *part, pci_product *product)
{
    if (memcmp(&part->tiles_shape, &product->shape, sizeof product->shape) != 0) {
        size_t bytes = pci_tiles_capacity(&product->shape) * sizeof(uint32_t);
        uint32_t *entries = pci_alloc(part->context, bytes);
        if (!entries)
            return pci_fail_memory(part->context, "a list of tiles", bytes);
        part->n_entries = (uint32_t)pci_tiles_list(&product->shape, entries);
        part->tiles_shape = product->shape;
        cudaError_t error = cudaMemcpyAsync(part->tiles, entries, part->n_entries * sizeof *entries,
                                            cudaMemcpyHostToDevice, part->stream);
        if (error == cudaSuccess) /* entries must outlive the copy */
            error = cudaStreamSynchronize(part->stream);
        pci_free(part->context, entries);
        if (error != cudaSuccess)
            return pci_gpu_check(part->context, error, "copying a list of tiles");
    }
    product->tiles = part->tiles;
    product->n_entries = part->n_entries;
    return PC_OK;
}

static pc_status multiply(pci_gpu_part *part, pci_product *product, uint32_t n_jobs, bool symmetric,
                          uint32_t first_row_tile, uint32_t n_row_tiles)
{
    product->layout = part->layout;
    product->arena = part->arena;
    product->n_planes = part->needs.n_slots;
    product->shape = pci_gpu_shape(part->device.kernel, part->device.n_sms,
                                   part->layout.n_padded / PCI_TILE, n_jobs, symmetric);
    if (!symmetric) {
        product->shape.first_row_tile = first_row_tile;
        product->shape.n_row_tiles = n_row_tiles;
    }
    pc_status status = prepare_tiles(part, product);
    return status == PC_OK ? pci_gpu_check(part->context, launch(part, product), "squaring planes")
                           : status;
}

static uint32_t n_tiles(const pci_gpu_part *part)
{
    return part->layout.n_padded / PCI_TILE;
}

/* The right operand that belongs to a left one: itself, or its transpose in a slot of its own. */
static pc_status take_right(pci_gpu_part *part, uint32_t left, uint32_t *right)
{
    *right = left;
    if (part->graph->symmetric)
        return PC_OK;
    *right = pci_gpu_slot_take(part);
    return pci_gpu_check(part->context,
                         pci_gpu_transpose(&part->layout, pci_gpu_slot_plane(part, left),
                                           pci_gpu_slot_plane(part, *right), part->stream),
                         "transposing a plane");
}

static void free_right(pci_gpu_part *part, uint32_t left, uint32_t right)
{
    if (right != left)
        pci_gpu_slot_free(part, right);
}

/* ---- Narrow residues ------------------------------------------------------------------------- */

/* Squares planes first .. first + n - 1, whose slots are free afterwards. */
static pc_status square_batch(pci_gpu_part *part, uint32_t first, uint32_t n)
{
    pci_product product = {0};
    pc_status status = PC_OK;
    for (uint32_t j = 0; j < n && status == PC_OK; j++) {
        pci_product_job *job = &product.job[j];
        *job = (pci_product_job){part->slot[first + j], 0, j, 1};
        status = take_right(part, job->left, &job->right);
        product.output[j] = (pci_product_output){
            pci_gpu_slot_take(part), pci_gpu_modulus_of(part, part->n_moduli, first + j).reduction};
    }
    if (status == PC_OK)
        status = multiply(part, &product, n, part->graph->symmetric, 0, n_tiles(part));
    for (uint32_t j = 0; j < n && status == PC_OK; j++) {
        free_right(part, product.job[j].left, product.job[j].right);
        pci_gpu_slot_free(part, product.job[j].left);
        part->slot[first + j] = product.output[j].plane;
    }
    return status;
}

/* ---- A plain plane --------------------------------------------------------------------------- */

/* One product, every plane of the result from its accumulators. */
static pc_status square_plain(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t n = n_moduli ? n_moduli : 1, slots[PCI_MAX_JOBS];
    pci_product product = {.job[0] = {part->slot[0], 0, 0, n}};
    for (uint32_t i = 0; i < n; i++) {
        slots[i] = pci_gpu_slot_take(part);
        product.output[i] =
            (pci_product_output){slots[i], pci_gpu_modulus_of(part, n_moduli, i).reduction};
    }
    pc_status status = take_right(part, product.job[0].left, &product.job[0].right);
    if (status == PC_OK)
        status = multiply(part, &product, 1, part->graph->symmetric, 0, n_tiles(part));
    free_right(part, product.job[0].left, product.job[0].right);
    pci_gpu_replace(part, n_moduli, n, slots);
    return status;
}

/* ---- Wide residues: accumulators of a strip of rows in memory, then reduced ------------------ */

typedef struct pci_strip {
    uint64_t first_row, n_rows;
} pci_strip;

/* Accumulators of n_jobs products for each strip, then what take makes of them. */
typedef pc_status (*strip_fn)(pci_gpu_part *part, pci_strip strip, void *user);

static pc_status for_each_strip(pci_gpu_part *part, pci_product *product, uint32_t n_jobs,
                                strip_fn take, void *user)
{
    uint32_t n_all = n_tiles(part), n_strip = pci_gpu_strip_tiles(&part->layout);
    pc_status status = PC_OK;
    product->raw = part->raw;
    for (uint32_t first = 0; first < n_all && status == PC_OK; first += n_strip) {
        uint32_t n = n_all - first < n_strip ? n_all - first : n_strip;
        status = multiply(part, product, n_jobs, false, first, n);
        if (status == PC_OK)
            status =
                take(part, (pci_strip){(uint64_t)first * PCI_TILE, (uint64_t)n * PCI_TILE}, user);
    }
    return status;
}

typedef struct wide_result {
    uint32_t m;
    int8_t *digit[3];
} wide_result;

static pc_status combine(pci_gpu_part *part, pci_strip strip, void *user)
{
    wide_result *result = user;
    return pci_gpu_check(part->context,
                         pci_gpu_combine_wide(&part->layout, part->raw, strip.first_row,
                                              strip.n_rows, result->m, result->digit, part->stream),
                         "combining digits");
}

/* high^2, low^2 and (high + low)^2. */
static pc_status square_wide(pci_gpu_part *part, uint32_t index)
{
    wide_result result = {.m = part->moduli.m[index]};
    uint32_t made[3], *slot = &part->slot[pci_gpu_first_plane(index)];
    pci_product product = {0};
    pc_status status = PC_OK;
    pci_gpu_digits_take(part, part->n_moduli, index, made, result.digit);
    for (uint32_t d = 0; d < 3 && status == PC_OK; d++) {
        product.job[d].left = slot[d];
        status = take_right(part, slot[d], &product.job[d].right);
    }
    if (status == PC_OK)
        status = for_each_strip(part, &product, 3, combine, &result);
    for (uint32_t d = 0; d < 3 && status == PC_OK; d++) {
        free_right(part, slot[d], product.job[d].right);
        pci_gpu_slot_free(part, slot[d]);
        slot[d] = made[d];
    }
    return status;
}

typedef struct plain_results {
    uint32_t n_moduli;
    const uint32_t *slots;
} plain_results;

static pc_status reduce_strip(pci_gpu_part *part, pci_strip strip, void *user)
{
    const plain_results *results = user;
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; i < results->n_moduli && error == cudaSuccess; i++) {
        int8_t *digit[3] = {NULL, NULL, NULL};
        for (uint32_t d = 0; d < pci_modulus_n_digits(i); d++)
            digit[d] = pci_gpu_slot_plane(part, results->slots[pci_gpu_first_plane(i) + d]);
        error =
            pci_gpu_reduce_raw(&part->layout, part->raw, strip.first_row, strip.n_rows,
                               pci_gpu_modulus_of(part, results->n_moduli, i), digit, part->stream);
    }
    return pci_gpu_check(part->context, error, "reducing products");
}

/* As square_plain, when some of the moduli are wide. */
static pc_status square_plain_to_wide(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES], n = pci_moduli_n_planes(n_moduli);
    plain_results results = {n_moduli, slots};
    pci_product product = {.job[0] = {.left = part->slot[0]}};
    for (uint32_t p = 0; p < n; p++)
        slots[p] = pci_gpu_slot_take(part);
    pc_status status = take_right(part, part->slot[0], &product.job[0].right);
    if (status == PC_OK)
        status = for_each_strip(part, &product, 1, reduce_strip, &results);
    free_right(part, product.job[0].left, product.job[0].right);
    pci_gpu_replace(part, n_moduli, n, slots);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

static pc_status square_residues(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t n_narrow = n_moduli < PCI_N_NARROW ? n_moduli : PCI_N_NARROW;
    pc_status status = PC_OK;
    for (uint32_t first = 0, n; first < n_narrow && status == PC_OK; first += n) {
        uint32_t left = n_narrow - first;
        n = left < part->needs.n_batch ? left : part->needs.n_batch;
        status = square_batch(part, first, n);
    }
    for (uint32_t i = PCI_N_NARROW; i < n_moduli && status == PC_OK; i++)
        status = square_wide(part, i);
    return status;
}

pc_status pci_gpu_part_square(pci_gpu_part *part, uint32_t n_moduli)
{
    pc_status status = part->n_moduli            ? square_residues(part, n_moduli)
                       : n_moduli > PCI_N_NARROW ? square_plain_to_wide(part, n_moduli)
                                                 : square_plain(part, n_moduli);
    return status == PC_OK ? pci_gpu_wait(part, "squaring planes") : status;
}
