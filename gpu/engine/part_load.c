/* P = A, or P = words. */
#include "gpu/engine/part.h"

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
    pc_status status = pci_gpu_check(part->context, error, "loading the graph");
    return status == PC_OK ? pci_gpu_wait(part, "loading the graph") : status;
}

/* Rows of words in blocks that fit the buffer, each block split into all planes. */
static pc_status split_blocks(pci_gpu_part *part, const uint64_t *words, uint32_t n_moduli)
{
    enum { BLOCK_BYTES = 64 << 20 };
    uint64_t n = part->graph->n, n_block = BLOCK_BYTES / (n * sizeof *words);
    uint64_t *block = NULL;
    n_block = n_block ? n_block : 1;
    cudaError_t error = cudaMalloc((void **)&block, n_block * n * sizeof *words);
    for (uint64_t first = 0; first < n && error == cudaSuccess; first += n_block) {
        uint64_t n_rows = n - first < n_block ? n - first : n_block;
        error = cudaMemcpyAsync(block, words + first * n, n_rows * n * sizeof *words,
                                cudaMemcpyHostToDevice, part->stream);
        for (uint32_t i = 0; i < n_moduli && error == cudaSuccess; i++) {
            int8_t *digit[3];
            pci_gpu_digits_of(part, i, digit);
            error = pci_gpu_split(&part->layout, block, first, n_rows,
                                  pci_gpu_modulus_of(part, n_moduli, i), digit, part->stream);
        }
    }
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(part->stream);
    cudaFree(block);
    return pci_gpu_check(part->context, error, "splitting words into residues");
}

pc_status pci_gpu_part_load_words(pci_gpu_part *part, const uint64_t *words, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES], n = pci_moduli_n_planes(n_moduli);
    pci_gpu_replace(part, 0, 0, NULL);
    for (uint32_t p = 0; p < n; p++)
        slots[p] = pci_gpu_slot_take(part);
    pci_gpu_replace(part, n_moduli, n, slots);
    return split_blocks(part, words, n_moduli);
}
