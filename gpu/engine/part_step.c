/* P = A * P with the sparse A. */
#include "gpu/engine/part.h"

/* Digits of the weights modulo one modulus into part->weights; nothing to do when all are 1. */
static cudaError_t split_weights(pci_gpu_part *part, pci_gpu_modulus modulus)
{
    return part->weights
               ? pci_gpu_split_weights(&part->on_device, modulus, part->weights, part->stream)
               : cudaSuccess;
}

/* One sum of a plain P gives all outputs. */
static cudaError_t step_plain(pci_gpu_part *part, uint32_t n_moduli, uint32_t *slots, uint32_t *n)
{
    static const pci_gpu_step_output none;
    pci_gpu_step_output outputs[PCI_N_MODULI];
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

/* One modulus; its operands' slots are free for the next. */
static cudaError_t step_residues(pci_gpu_part *part, uint32_t index)
{
    uint32_t made[3], first = pci_gpu_first_plane(index);
    cudaError_t error = pci_gpu_step_modulus(part, part->n_moduli, index, made);
    for (uint32_t d = 0; d < pci_modulus_n_digits(index); d++) {
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
