/* The diagonal of P P, or of P A P, in O(n^2): entry i is the product of row i of P with column i of the other
 * factor, modulo each modulus, and is recombined as a row of one matrix would be.
 *
 * The columns are the rows of the transposed factor, or of the factor itself where the graph is undirected:
 * A P is symmetric too, since powers of A commute. */
#include "gpu/engine/part.h"

/* The digits of modulus number index of the part's results. */
static void results_of(const pci_gpu_part *part, uint32_t index, int8_t *digit[3])
{
    uint32_t first = pci_gpu_first_plane(part, index);
    for (uint32_t d = 0; d < 3; d++)
        digit[d] = d < pci_gpu_n_digits(part, index)
                       ? part->diagonal + (first + d) * (size_t)part->layout.n_padded
                       : NULL;
}

static void free_slots(pci_gpu_part *part, uint32_t n, const uint32_t *slot)
{
    for (uint32_t d = 0; d < n; d++)
        pci_gpu_slot_free(part, slot[d]);
}

/* The rows whose products with those of P are wanted, in slots of their own; none: those of P. */
static cudaError_t make_right(pci_gpu_part *part, bool is_step, uint32_t index, uint32_t n_digits,
                              int8_t *right[3], uint32_t slot[3], uint32_t *n_slots)
{
    cudaError_t error = cudaSuccess;
    *n_slots = 0;
    if (is_step) {
        error = pci_gpu_step_modulus(part, part->n_moduli, index, slot);
        *n_slots = n_digits;
        for (uint32_t d = 0; d < n_digits; d++)
            right[d] = pci_gpu_slot_plane(part, slot[d]);
    }
    for (uint32_t d = 0; d < n_digits && !part->graph->symmetric && error == cudaSuccess; d++) {
        uint32_t turned = pci_gpu_slot_take(part);
        error = pci_gpu_transpose(&part->layout, right[d], pci_gpu_slot_plane(part, turned),
                                  part->stream);
        if (is_step)
            pci_gpu_slot_free(part, slot[d]);
        slot[d] = turned;
        right[d] = pci_gpu_slot_plane(part, turned);
        *n_slots = d + 1 > *n_slots ? d + 1 : *n_slots;
    }
    return error;
}

static cudaError_t multiply_modulus(pci_gpu_part *part, bool is_step, uint32_t n_moduli,
                                    uint32_t index)
{
    bool is_plain = !part->n_moduli;
    uint32_t own = is_plain ? 0 : index, n_slots, slot[3];
    uint32_t n_digits = is_plain ? 1 : pci_gpu_n_digits(part, index);
    int8_t *left[3], *right[3], *to[3];
    pci_gpu_digits_of(part, own, left);
    for (uint32_t d = 0; d < 3; d++)
        right[d] = left[d];
    results_of(part, index, to);
    cudaError_t error = make_right(part, is_step, index, n_digits, right, slot, &n_slots);
    if (error == cudaSuccess)
        error = pci_gpu_multiply_planes(
            &part->layout, left, right, pci_gpu_modulus_of(part, part->n_moduli, own),
            pci_gpu_modulus_of(part, n_moduli, index), to, part->stream);
    free_slots(part, n_slots, slot);
    return error;
}

static pc_status make_diagonal(pci_gpu_part *part, bool is_step, uint32_t n_moduli)
{
    size_t bytes = pci_gpu_first_plane(part, n_moduli) * (size_t)part->layout.n_padded;
    cudaFree(part->diagonal);
    part->diagonal = NULL;
    cudaError_t error = cudaMalloc((void **)&part->diagonal, bytes);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(part->diagonal, 0, bytes, part->stream);
    for (uint32_t i = 0; i < n_moduli && error == cudaSuccess; i++)
        error = multiply_modulus(part, is_step, n_moduli, i);
    pc_status status = pci_gpu_check(part->context, error, "a diagonal");
    return status == PC_OK ? pci_gpu_wait(part, "a diagonal") : status;
}

pc_status pci_gpu_part_diagonal(pci_gpu_part *part, uint32_t n_moduli)
{
    return make_diagonal(part, false, n_moduli);
}

pc_status pci_gpu_part_diagonal_step(pci_gpu_part *part, uint32_t n_moduli)
{
    return make_diagonal(part, true, n_moduli);
}

/* ---- Recombining ----------------------------------------------------------------------------- */

static cudaError_t recombine(const pci_gpu_part *part, uint32_t n_moduli, uint32_t n_limbs,
                             const pci_gpu_tables *tables, const pci_gpu_recombination *r,
                             uint64_t *limbs)
{
    const int8_t *narrow[PCI_N_NARROW];
    pci_gpu_residues residues;
    pci_gpu_crt crt = {n_moduli, pci_gpu_tables_fraction(r->tables)};
    uint64_t *made = NULL;
    size_t bytes = part->graph->n * n_limbs * sizeof *limbs;
    cudaError_t error = pci_gpu_residues_of(part, n_moduli, results_of, 0, narrow, r->table,
                                            part->stream, &residues);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&made, bytes);
    if (error == cudaSuccess)
        error = pci_gpu_collect(&part->layout, &crt, pci_gpu_tables_weight(tables, r->tables),
                                pci_gpu_tables_modulus(tables, r->tables), 2 * n_limbs, residues, 1,
                                made, part->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(part->stream);
    if (error == cudaSuccess)
        error = cudaMemcpy(limbs, made, bytes, cudaMemcpyDeviceToHost);
    cudaFree(made);
    return error;
}

pc_status pci_gpu_part_collect_diagonal(pci_gpu_part *part, uint32_t n_moduli, uint32_t n_limbs,
                                        uint64_t *limbs)
{
    pci_gpu_tables tables = {0};
    pci_gpu_recombination r = {0};
    pc_status status =
        pci_gpu_tables_digits(part->context, part->parts->moduli, n_moduli, 2 * n_limbs, &tables);
    if (status == PC_OK)
        status = pci_gpu_recombination_make(part, &tables, n_moduli, &r);
    if (status == PC_OK)
        status =
            pci_gpu_check(part->context, recombine(part, n_moduli, n_limbs, &tables, &r, limbs),
                          "collecting a diagonal");
    pci_gpu_recombination_free(&r);
    pci_gpu_tables_free(part->context, &tables);
    return status;
}
