/* Rows by sweeps, block after block. */
#include "src/swept_rows.h"

#include "src/context.h"

struct pci_swept {
    pc_context *context;
    pci_swept_options options;
    uint32_t n_block;
    pci_sweep *sweep;
};

static uint32_t block_of(const pci_swept_options *options)
{
    return (uint32_t)(options->most_starts < PCI_SWEEP_VECTORS ? options->most_starts
                                                               : PCI_SWEEP_VECTORS);
}

static pci_sweep_options sweep_options(pc_context *context, const pci_swept_options *options)
{
    return (pci_sweep_options){.n_vectors = block_of(options),
                               .length = options->length,
                               .bits = options->bits,
                               .n_threads = pci_n_threads(context)};
}

uint64_t pci_swept_batch(pc_context *context, const pci_swept_options *options, uint64_t n_starts)
{
    uint64_t most = (uint64_t)pci_n_threads(context) * block_of(options);
    return n_starts < most ? n_starts : most;
}

uint64_t pci_swept_bytes(pc_context *context, const pci_swept_options *options)
{
    pci_sweep_options sweep = sweep_options(context, options);
    return options->sweeps->bytes(options->along, &sweep);
}

pc_status pci_swept_create(pc_context *context, const pci_swept_options *options, pci_swept **swept)
{
    pci_swept *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "sweeps", sizeof *made);
    *made = (pci_swept){.context = context, .options = *options, .n_block = block_of(options)};
    pci_sweep_options sweep = sweep_options(context, options);
    pc_status status = options->sweeps->create(context, options->along, &sweep, &made->sweep);
    if (status == PC_OK)
        *swept = made;
    else
        pci_swept_free(made);
    return status;
}

void pci_swept_free(pci_swept *swept)
{
    if (!swept)
        return;
    if (swept->sweep)
        swept->options.sweeps->free(swept->sweep);
    pci_free(swept->context, swept);
}

static pc_status block_rows(pci_swept *swept, uint32_t n_vectors, const uint64_t *starts,
                            uint64_t first, uint64_t *limbs)
{
    const pci_sweep_ops *sweeps = swept->options.sweeps;
    sweeps->clear(swept->sweep);
    for (uint32_t v = 0; v < n_vectors; v++)
        sweeps->add(swept->sweep, v, starts ? starts[v] : first + v, 1);
    pc_status status = PC_OK;
    for (uint64_t l = 0; l < swept->options.length && status == PC_OK; l++)
        status = sweeps->step(swept->sweep);
    return status == PC_OK
               ? sweeps->rows(swept->sweep, n_vectors, swept->options.n_limbs, false, limbs)
               : status;
}

pc_status pci_swept_rows(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                         uint64_t first, uint64_t *limbs)
{
    uint64_t n_block = swept->n_block, row = swept->options.along->n * swept->options.n_limbs;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n_starts && status == PC_OK; i += n_block) {
        uint64_t n = n_starts - i < n_block ? n_starts - i : n_block;
        status =
            block_rows(swept, (uint32_t)n, starts ? starts + i : NULL, first + i, limbs + i * row);
    }
    return status;
}
