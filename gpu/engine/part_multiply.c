/* Products of planes: the choice of the kernel and the tiles, and strips of accumulators of wide
 * residues.
 *
 * The accumulators of a product of wide residues are stored in memory, because three of them make
 * one residue. So it is done in strips of rows of at most 192 MiB. The accumulators of narrow
 * residues stay in registers. */
#include "gpu/engine/part.h"

#include <string.h>

/* ---- Launching ------------------------------------------------------------------------------- */

/* Puts the list of tiles of product->shape on the device, unless the last launch had the same
 * shape. */
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

/* The rows of tiles of a result: all of them or a strip. */
typedef struct tile_rows {
    uint32_t first, n;
} tile_rows;

static pc_status multiply(pci_gpu_part *part, pci_product *product, uint32_t n_tiles,
                          uint32_t n_jobs, bool symmetric, tile_rows rows)
{
    uint32_t share = product->shape.share, n_shares = product->shape.n_shares;
    product->layout = part->layout;
    product->arena = part->arena;
    product->n_planes = part->needs.n_slots;
    product->shape =
        pci_gpu_shape(part->device.kernel, part->device.n_sms, n_tiles, n_jobs, symmetric);
    product->shape.first_row_tile = rows.first;
    product->shape.n_row_tiles = rows.n;
    product->shape.share = share;
    product->shape.n_shares = n_shares;
    pc_status status = prepare_tiles(part, product);
    return status == PC_OK
               ? pci_gpu_check(part->context,
                               pci_product_launch(part->device.kernel, product, part->stream),
                               "multiplying planes")
               : status;
}

pc_status pci_gpu_multiply(pci_gpu_part *part, pci_product *product, uint32_t n_tiles,
                           uint32_t n_jobs, bool symmetric)
{
    return multiply(part, product, n_tiles, n_jobs, symmetric, (tile_rows){0, n_tiles});
}

/* ---- Accumulators of a strip of rows in memory ----------------------------------------------- */

pc_status pci_gpu_for_each_strip(pci_gpu_part *part, pci_product *product, uint32_t n_tiles,
                                 uint32_t n_jobs, pci_strip_fn take, void *user)
{
    uint32_t n_strip = pci_gpu_strip_tiles(&part->layout);
    pc_status status = PC_OK;
    product->raw = part->raw;
    for (uint32_t first = 0; first < n_tiles && status == PC_OK; first += n_strip) {
        uint32_t n = n_tiles - first < n_strip ? n_tiles - first : n_strip;
        status = multiply(part, product, n_tiles, n_jobs, false, (tile_rows){first, n});
        if (status == PC_OK)
            status =
                take(part, (pci_strip){(uint64_t)first * PCI_TILE, (uint64_t)n * PCI_TILE}, user);
    }
    return status;
}

typedef struct wide_result {
    uint32_t n_columns;
    uint32_t m;
    int8_t *const *digit;
} wide_result;

static pc_status combine(pci_gpu_part *part, pci_strip strip, void *user)
{
    const wide_result *result = user;
    return pci_gpu_check(part->context,
                         pci_gpu_combine_wide(&part->layout, part->raw, strip.first_row,
                                              strip.n_rows, result->n_columns, result->m,
                                              result->digit, part->stream),
                         "combining digits");
}

/* high high, low low and (high + low) (high + low). */
pc_status pci_gpu_multiply_wide(pci_gpu_part *part, const uint32_t left[3], const uint32_t right[3],
                                uint32_t n_tiles, uint32_t m, int8_t *const digit[3])
{
    wide_result result = {n_tiles * PCI_TILE, m, digit};
    pci_product product = {0};
    for (uint32_t d = 0; d < 3; d++)
        product.job[d] = (pci_product_job){.left = left[d], .right = right[d]};
    return pci_gpu_for_each_strip(part, &product, n_tiles, 3, combine, &result);
}
