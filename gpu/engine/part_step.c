/* P = A, P = words, and P = A P with the sparse A. */
#include "gpu/engine/part.h"

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
    pc_status status = pci_gpu_check(part->context, error, "loading the graph");
    return status == PC_OK ? pci_gpu_wait(part, "loading the graph") : status;
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
static pc_status split_blocks(pci_gpu_part *part, const uint64_t *words)
{
    uint64_t n = part->graph->n, n_block = pci_gpu_words_rows(n), *block = NULL;
    cudaError_t error = cudaMalloc((void **)&block, n_block * n * sizeof *words);
    for (uint64_t first = 0; first < n && error == cudaSuccess; first += n_block) {
        uint64_t n_rows = n - first < n_block ? n - first : n_block;
        error = cudaMemcpyAsync(block, words + first * n, n_rows * n * sizeof *words,
                                cudaMemcpyHostToDevice, part->stream);
        if (error == cudaSuccess)
            error = pci_gpu_split_rows(part, block, first, n_rows);
    }
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(part->stream);
    cudaFree(block);
    return pci_gpu_check(part->context, error, "splitting words into residues");
}

pc_status pci_gpu_part_load_words(pci_gpu_part *part, const uint64_t *words, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES], n = pci_gpu_first_plane(part, n_moduli);
    pci_gpu_replace(part, 0, 0, NULL);
    for (uint32_t p = 0; p < n; p++)
        slots[p] = pci_gpu_slot_take(part);
    pci_gpu_replace(part, n_moduli, n, slots);
    return split_blocks(part, words);
}

/* ---- The sparse step ------------------------------------------------------------------------- */

/* Puts the digits of the weights modulo one modulus into part->weights, unless all weights are
 * 1. */
static cudaError_t split_weights(pci_gpu_part *part, pci_gpu_modulus modulus)
{
    return part->weights
               ? pci_gpu_split_weights(&part->on_device, modulus, part->weights, part->stream)
               : cudaSuccess;
}

/* All outputs are residues of one sum of a plain P. */
static cudaError_t step_plain(pci_gpu_part *part, uint32_t n_moduli, uint32_t *slots, uint32_t *n)
{
    static const pci_gpu_step_output none;
    pci_gpu_step_output outputs[PCI_N_NOT_FULL];
    uint32_t n_outputs = n_moduli ? n_moduli : 1;
    int8_t *in[3];
    pci_gpu_digits_of(part, 0, in);
    for (uint32_t i = 0; i < n_outputs; i++) {
        outputs[i] = none;
        outputs[i].modulus = pci_gpu_modulus_of(part, n_moduli, i);
        pci_gpu_digits_take(part, n_moduli, i, &slots[*n], outputs[i].digit);
        *n += outputs[i].modulus.wide ? 3 : 1;
    }
    cudaError_t error = split_weights(part, pci_gpu_modulus_of(part, 0, 0));
    if (error == cudaSuccess)
        error = pci_gpu_step(&part->on_device, &part->layout, in, false, part->weights, n_outputs,
                             outputs, part->stream);
    return error;
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
    return error;
}

/* Steps one modulus. The slots of its operands are free for the next one. */
static cudaError_t step_residues(pci_gpu_part *part, uint32_t index)
{
    uint32_t made[3], first = pci_gpu_first_plane(part, index);
    cudaError_t error = pci_gpu_step_modulus(part, part->n_moduli, index, made);
    for (uint32_t d = 0; d < pci_gpu_n_digits(part, index); d++) {
        pci_gpu_slot_free(part, part->slot[first + d]);
        part->slot[first + d] = made[d];
    }
    return error;
}

pc_status pci_gpu_part_step(pci_gpu_part *part, uint32_t n_moduli)
{
    cudaError_t error = cudaSuccess;
    if (!part->n_moduli) {
        uint32_t slots[PCI_MAX_PLANES], n = 0;
        error = step_plain(part, n_moduli, slots, &n);
        pci_gpu_replace(part, n_moduli, n, slots);
    } else {
        for (uint32_t i = 0; i < n_moduli && error == cudaSuccess; i++)
            error = step_residues(part, i);
    }
    pc_status status = pci_gpu_check(part->context, error, "a sparse step");
    return status == PC_OK ? pci_gpu_wait(part, "a sparse step") : status;
}
