/* P = P * P: the planes of a batch in one launch.
 *
 * The right operand of a plane of a directed graph is its transpose. Each plane is transposed just
 * before it is squared. If both orientations were kept, they would take twice the memory, and
 * extensions and steps would be done twice or be followed by a transposition in any case. A
 * transposition reads and writes 2 n^2 bytes, and the product has 2 n^3 operations. With the
 * measured rates (3 TB/s, 1400 TOPS) the transposition takes 6% of the time at n = 8192 and 3% at
 * 16384. */
#include "gpu/engine/part.h"

#include <string.h>

static uint32_t n_tiles(const pci_gpu_part *part)
{
    return part->layout.n_padded / PCI_TILE;
}

pc_status pci_gpu_take_right(pci_gpu_part *part, uint32_t left, uint32_t *right)
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

void pci_gpu_free_right(pci_gpu_part *part, uint32_t left, uint32_t right)
{
    if (right != left)
        pci_gpu_slot_free(part, right);
}

/* The result for modulus number index of a set of n_moduli, in part->next. */
static pci_product_output output_of(const pci_gpu_part *part, uint32_t n_moduli, uint32_t index)
{
    return (pci_product_output){pci_gpu_slot_plane(part, part->next[index]),
                                pci_gpu_modulus_of(part, n_moduli, index).reduction};
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
        status = pci_gpu_take_right(part, job->left, &job->right);
        part->next[first + j] = pci_gpu_slot_take(part);
        product.output[j] = output_of(part, part->n_moduli, first + j);
    }
    if (status == PC_OK)
        status = pci_gpu_multiply(part, &product, n_tiles(part), n, part->graph->symmetric);
    for (uint32_t j = 0; j < n && status == PC_OK; j++) {
        pci_gpu_free_right(part, product.job[j].left, product.job[j].right);
        pci_gpu_slot_free(part, product.job[j].left);
        part->slot[first + j] = part->next[first + j];
    }
    return status;
}

/* ---- A plain plane --------------------------------------------------------------------------- */

/* One product, whose accumulators give every plane of the result. */
static pc_status square_plain(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t n = n_moduli ? n_moduli : 1;
    pci_product product = {.job[0] = {part->slot[0], 0, 0, n}};
    for (uint32_t i = 0; i < n; i++) {
        part->next[i] = pci_gpu_slot_take(part);
        product.output[i] = output_of(part, n_moduli, i);
    }
    pc_status status = pci_gpu_take_right(part, product.job[0].left, &product.job[0].right);
    if (status == PC_OK)
        status = pci_gpu_multiply(part, &product, n_tiles(part), 1, part->graph->symmetric);
    pci_gpu_free_right(part, product.job[0].left, product.job[0].right);
    pci_gpu_replace(part, n_moduli, n, part->next);
    return status;
}

/* ---- Wide residues --------------------------------------------------------------------------- */

static pc_status square_wide(pci_gpu_part *part, uint32_t index)
{
    uint32_t made[3], right[3], *slot = &part->slot[pci_gpu_first_plane(part, index)];
    int8_t *digit[3];
    pc_status status = PC_OK;
    pci_gpu_digits_take(part, part->n_moduli, index, made, digit);
    for (uint32_t d = 0; d < 3 && status == PC_OK; d++)
        status = pci_gpu_take_right(part, slot[d], &right[d]);
    if (status == PC_OK)
        status =
            pci_gpu_multiply_wide(part, slot, right, n_tiles(part), part->moduli.m[index], digit);
    for (uint32_t d = 0; d < 3 && status == PC_OK; d++) {
        pci_gpu_free_right(part, slot[d], right[d]);
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
        for (uint32_t d = 0; d < pci_gpu_n_digits(part, i); d++)
            digit[d] = pci_gpu_slot_plane(part, results->slots[pci_gpu_first_plane(part, i) + d]);
        error =
            pci_gpu_reduce_raw(&part->layout, part->raw, strip.first_row, strip.n_rows,
                               pci_gpu_modulus_of(part, results->n_moduli, i), digit, part->stream);
    }
    return pci_gpu_check(part->context, error, "reducing products");
}

/* Like square_plain, for moduli of which some are wide. */
static pc_status square_plain_to_wide(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES], n = pci_gpu_first_plane(part, n_moduli);
    plain_results results = {n_moduli, slots};
    pci_product product = {.job[0] = {.left = part->slot[0]}};
    for (uint32_t p = 0; p < n; p++)
        slots[p] = pci_gpu_slot_take(part);
    pc_status status = pci_gpu_take_right(part, part->slot[0], &product.job[0].right);
    if (status == PC_OK)
        status = pci_gpu_for_each_strip(part, &product, n_tiles(part), 1, reduce_strip, &results);
    pci_gpu_free_right(part, product.job[0].left, product.job[0].right);
    pci_gpu_replace(part, n_moduli, n, slots);
    return status;
}

/* ---- All moduli ------------------------------------------------------------------------------ */

static pc_status square_residues(pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t n_narrow = n_moduli < part->n_narrow ? n_moduli : part->n_narrow;
    pc_status status = PC_OK;
    for (uint32_t first = 0, n; first < n_narrow && status == PC_OK; first += n) {
        uint32_t left = n_narrow - first;
        n = left < part->needs.n_batch ? left : part->needs.n_batch;
        status = square_batch(part, first, n);
    }
    for (uint32_t i = part->n_narrow; i < n_moduli && status == PC_OK; i++)
        status = square_wide(part, i);
    return status;
}

pc_status pci_gpu_part_square(pci_gpu_part *part, uint32_t n_moduli)
{
    pc_status status = part->n_moduli              ? square_residues(part, n_moduli)
                       : n_moduli > part->n_narrow ? square_plain_to_wide(part, n_moduli)
                                                   : square_plain(part, n_moduli);
    return status == PC_OK ? pci_gpu_wait(part, "squaring planes") : status;
}

/* ---- Tiles of one product, shared by all parts ----------------------------------------------- */

void pci_gpu_shared_add(pci_gpu_part *part, uint32_t n_moduli, uint32_t first,
                        pci_gpu_shared *shared)
{
    for (uint32_t i = first; i < (n_moduli ? n_moduli : 1); i++) {
        part->next[i] = pci_gpu_slot_take(part);
        shared->output[shared->n_outputs++] = output_of(part, n_moduli, i);
    }
}

/* The operand in the part's own arena: *is_copy if it was copied there. */
static pc_status take_left(pci_gpu_part *part, const pci_gpu_shared *shared, uint32_t *left,
                           bool *is_copy)
{
    *is_copy = shared->owner && shared->owner != part;
    *left = shared->owner ? shared->slot : part->slot[0];
    if (!*is_copy)
        return PC_OK;
    *left = pci_gpu_slot_take(part);
    return pci_gpu_check(part->context,
                         cudaMemcpyAsync(pci_gpu_slot_plane(part, *left),
                                         pci_gpu_slot_plane(shared->owner, shared->slot),
                                         part->layout.plane_bytes, cudaMemcpyDefault, part->stream),
                         "copying a plane of another GPU");
}

pc_status pci_gpu_part_multiply_shared(pci_gpu_part *part, uint32_t p, const pci_gpu_shared *shared)
{
    pci_product product = {.shape = {.share = p, .n_shares = part->parts->n}};
    uint32_t left, right;
    bool is_copy;
    memcpy(product.output, shared->output, sizeof product.output);
    pc_status status = take_left(part, shared, &left, &is_copy);
    if (status == PC_OK)
        status = pci_gpu_take_right(part, left, &right);
    if (status != PC_OK)
        return status;
    product.job[0] = (pci_product_job){left, right, 0, shared->n_outputs};
    status = pci_gpu_multiply(part, &product, n_tiles(part), 1, part->graph->symmetric);
    pci_gpu_free_right(part, left, right);
    if (is_copy)
        pci_gpu_slot_free(part, left);
    return status == PC_OK ? pci_gpu_wait(part, "squaring a plane") : status;
}
