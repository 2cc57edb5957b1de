/* P = P * P by digits: residues modulo 256 and 255 become digits, whose one product gives residues of all moduli that are
 * wanted. Where no high digits differ from zero it takes as long as the product of one plane. Powers of sparse
 * graphs are often so but for their diagonals: an entry of A^2 off the diagonal counts common neighbours. */
#include "gpu/engine/part.h"

enum { DIGITS = 3, HIGH = 0, LOW = 1, SUM = 2 /* as pci_gpu_make_digits has them */ };

static uint32_t n_operands(const pci_gpu_part *part)
{
    return part->graph->symmetric ? DIGITS : 2 * DIGITS;
}

bool pci_gpu_part_can_square_digits(const pci_gpu_part *part, uint32_t n_moduli)
{
    return pci_gpu_kernel_has_digits(part->device.kernel) && n_moduli <= part->n_narrow &&
           part->n_moduli >= PCI_N_DIGIT_MODULI && part->moduli.m[0] == 256 &&
           part->moduli.m[1] == 255 && part->n_planes + DIGITS <= part->needs.n_slots &&
           n_operands(part) + n_moduli <= part->needs.n_slots;
}

/* Both maps, in one block of memory that is kept. */
static pc_status need_maps(pci_gpu_part *part, size_t n_words)
{
    if (part->high)
        return PC_OK;
    return pci_gpu_check(part->context,
                         cudaMalloc((void **)&part->high, 2 * n_words * sizeof *part->high),
                         "memory for maps of digits");
}

/* P becomes its digits: three planes that are no residues. */
static pc_status make_digits(pci_gpu_part *part, size_t n_words)
{
    uint32_t slot[DIGITS];
    int8_t *digit[DIGITS];
    for (int d = 0; d < DIGITS; d++) {
        slot[d] = pci_gpu_slot_take(part);
        digit[d] = pci_gpu_slot_plane(part, slot[d]);
    }
    cudaError_t error = pci_gpu_make_digits(&part->layout, pci_gpu_slot_plane(part, part->slot[0]),
                                            pci_gpu_slot_plane(part, part->slot[1]), digit,
                                            part->high, part->high + n_words, part->stream);
    pci_gpu_replace(part, DIGITS, DIGITS, slot);
    return pci_gpu_check(part->context, error, "making digits");
}

/* The operands of the product, in the order that gpu/engine/product.h says. */
static pc_status take_operands(pci_gpu_part *part, pci_product_job job[DIGITS])
{
    static const int order[DIGITS] = {HIGH, SUM, LOW};
    pc_status status = PC_OK;
    for (int d = 0; d < DIGITS && status == PC_OK; d++) {
        job[d].left = part->slot[order[d]];
        status = pci_gpu_take_right(part, job[d].left, &job[d].right);
    }
    return status;
}

static pc_status multiply(pci_gpu_part *part, uint32_t n_moduli, size_t n_words)
{
    uint32_t made[PCI_N_NARROW];
    pci_product product = {.high = {part->high, part->high + n_words}};
    pc_status status = take_operands(part, product.job);
    product.job[0].n_outputs = n_moduli;
    for (uint32_t i = 0; i < n_moduli; i++) {
        made[i] = pci_gpu_slot_take(part);
        product.output[i] = (pci_product_output){pci_gpu_slot_plane(part, made[i]),
                                                 pci_gpu_modulus_of(part, n_moduli, i).reduction};
    }
    if (status == PC_OK)
        status = pci_gpu_multiply(part, &product, part->layout.n_padded / PCI_TILE, 1,
                                  part->graph->symmetric);
    for (int d = 0; d < DIGITS; d++)
        pci_gpu_free_right(part, product.job[d].left, product.job[d].right);
    pci_gpu_replace(part, n_moduli, n_moduli, made);
    return status;
}

pc_status pci_gpu_part_square_digits(pci_gpu_part *part, uint32_t n_moduli)
{
    size_t n_words = (size_t)pci_high_words(&part->layout) * (part->layout.n_padded / PCI_TILE);
    pc_status status = need_maps(part, n_words);
    if (status == PC_OK)
        status = make_digits(part, n_words);
    if (status == PC_OK)
        status = multiply(part, n_moduli, n_words);
    return status == PC_OK ? pci_gpu_wait(part, "squaring digits") : status;
}
