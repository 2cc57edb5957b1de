/* What a run takes of a device's memory. */
#include "gpu/needs.h"

enum { STRIP_BYTES = 192 << 20, ACCUMULATORS = 3 /* of a product of wide residues */ };

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

static uint64_t largest_list_bytes(const pci_gpu_device *device, const pci_gpu_layout *layout,
                                   const pci_gpu_needs *needs, bool symmetric)
{
    uint32_t n_jobs = max_u32(needs->n_batch, ACCUMULATORS);
    pci_tile_shape shape =
        pci_gpu_shape(device->kernel, device->n_sms, layout->n_padded / PCI_TILE, n_jobs, false);
    uint64_t bytes = pci_tiles_capacity(&shape) * sizeof(uint32_t);
    shape = pci_gpu_shape(device->kernel, device->n_sms, layout->n_padded / PCI_TILE, n_jobs,
                          symmetric);
    uint64_t other = pci_tiles_capacity(&shape) * sizeof(uint32_t);
    return bytes > other ? bytes : other;
}

pci_gpu_needs pci_gpu_needs_of(const pci_gpu_device *device, const pci_gpu_layout *layout,
                               uint64_t n_arcs, bool symmetric, bool weighted, uint32_t n_most,
                               uint32_t n_batch)
{
    bool has_wide = n_most > PCI_N_NARROW;
    uint32_t n_planes = n_most ? pci_moduli_n_planes(n_most) : 1;
    if (!n_batch)
        n_batch = pci_gpu_batch(device->n_sms, layout->n_padded / PCI_TILE, symmetric);
    n_batch = min_u32(n_batch, min_u32(n_planes, PCI_N_NARROW));
    uint32_t n_work = max_u32(n_batch, has_wide ? 3 : 1);
    pci_gpu_needs needs = {
        .n_planes = n_planes,
        .n_batch = n_batch,
        .n_slots = n_planes + n_work * (symmetric ? 1 : 2),
        .raw_bytes = has_wide ? (uint64_t)ACCUMULATORS * pci_gpu_strip_tiles(layout) * PCI_TILE *
                                    layout->n_padded * sizeof(int32_t)
                              : 0,
        .graph_bytes = (layout->n + UINT64_C(1)) * sizeof(uint64_t) +
                       n_arcs * (sizeof(uint32_t) + (weighted ? sizeof(uint64_t) : 0)),
        .weights_bytes = weighted ? ACCUMULATORS * n_arcs : 0,
    };
    needs.arena_bytes = needs.n_slots * layout->plane_bytes;
    needs.tiles_bytes = largest_list_bytes(device, layout, &needs, symmetric);
    return needs;
}

uint64_t pci_gpu_needs_bytes(const pci_gpu_needs *needs)
{
    return needs->arena_bytes + needs->tiles_bytes + needs->raw_bytes + needs->graph_bytes +
           needs->weights_bytes;
}
