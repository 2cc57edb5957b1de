/* P = S P P S^T or S P A P S^T: blocks of vertices are summed before planes are multiplied.
 *
 * The operands are L = S P and R = (Q S^T)^T = S Q^T, where Q is P or A P. For a symmetric graph R
 * is S Q, and the result is symmetric as well, as A and P commute. L and R have a row for each
 * block: only the first rows of their planes are used.
 *
 * The result lies in the corner of planes of the same pitch. So the arena, the tensor maps and the
 * kernels are those of squaring, and only the list of tiles is shorter. */
#include "gpu/engine/part.h"

/* ---- Operands -------------------------------------------------------------------------------- */

/* The reduction that is done, and where its result goes. */
typedef struct reduced {
    bool is_step;
    uint32_t n_moduli;
    uint32_t *slots; /* of the result: part->slot, or another list when P is plain */
} reduced;

/* The planes of one modulus; a plain P is the operand of all moduli. */
typedef struct operand {
    uint32_t slot[3], n_digits;
} operand;

static bool is_plain(const pci_gpu_part *part)
{
    return !part->n_moduli;
}

static operand operand_of(const pci_gpu_part *part, uint32_t index)
{
    operand p = {.n_digits = is_plain(part) ? 1 : pci_gpu_n_digits(part, index)};
    for (uint32_t d = 0; d < p.n_digits; d++)
        p.slot[d] = part->slot[(is_plain(part) ? 0 : pci_gpu_first_plane(part, index)) + d];
    return p;
}

/* Frees the slots of an operand; a plain P stays for the next modulus. */
static void release(pci_gpu_part *part, const operand *p)
{
    for (uint32_t d = 0; d < p->n_digits; d++)
        if (!is_plain(part) || p->slot[d] != part->slot[0])
            pci_gpu_slot_free(part, p->slot[d]);
}

/* Whether R is L: there is no step in between, and the graph is symmetric. */
static bool right_is_left(const pci_gpu_part *part, const reduced *r)
{
    return part->graph->symmetric && !r->is_step;
}

static pc_status step_operand(pci_gpu_part *part, const reduced *r, uint32_t index, operand *p)
{
    operand made = {.n_digits = pci_gpu_n_digits(part, index)};
    cudaError_t error = pci_gpu_step_modulus(part, r->n_moduli, index, made.slot);
    release(part, p);
    *p = made;
    return pci_gpu_check(part->context, error, "a sparse step");
}

static pc_status transpose_operand(pci_gpu_part *part, operand *p)
{
    operand made = {.n_digits = p->n_digits};
    cudaError_t error = cudaSuccess;
    for (uint32_t d = 0; d < p->n_digits && error == cudaSuccess; d++) {
        made.slot[d] = pci_gpu_slot_take(part);
        error = pci_gpu_transpose(&part->layout, pci_gpu_slot_plane(part, p->slot[d]),
                                  pci_gpu_slot_plane(part, made.slot[d]), part->stream);
    }
    release(part, p);
    *p = made;
    return pci_gpu_check(part->context, error, "transposing a plane");
}

/* Whether tiles of P are summed as they are. */
static bool sums_tiles(const pci_gpu_part *part, uint32_t index)
{
    return part->blocks.first_block && !pci_gpu_is_wide(part, index);
}

/* Whether columns are summed too, and not the rows of the transpose. */
static bool sums_columns(const pci_gpu_part *part, uint32_t index)
{
    return !part->graph->symmetric && sums_tiles(part, index);
}

/* Replaces P by the planes from which R is summed. */
static pc_status make_right_source(pci_gpu_part *part, const reduced *r, uint32_t index, operand *p)
{
    pc_status status = PC_OK;
    if (r->is_step)
        status = step_operand(part, r, index, p);
    if (status == PC_OK && !part->graph->symmetric && !sums_columns(part, index))
        status = transpose_operand(part, p);
    return status;
}

/* ---- Sums over blocks ------------------------------------------------------------------------ */

/* n moduli from number first on: all narrow, or a single one. */
typedef struct batch {
    uint32_t first, n;
} batch;

/* Lists the sums of planes `from`, with slots that are taken for the results. */
static void list_sums(pci_gpu_part *part, const reduced *r, batch of, const operand *from,
                      operand *to, pci_gpu_block_sum *sums)
{
    for (uint32_t j = 0; j < of.n; j++) {
        sums[j].modulus = pci_gpu_modulus_of(part, r->n_moduli, of.first + j);
        to[j].n_digits = pci_gpu_n_digits(part, of.first + j);
        pci_gpu_digits_take(part, r->n_moduli, of.first + j, to[j].slot, sums[j].to);
        for (uint32_t d = 0; d < 2; d++)
            sums[j].from[d] =
                d < from[j].n_digits ? pci_gpu_slot_plane(part, from[j].slot[d]) : NULL;
    }
}

/* The rows of a symmetric plane are summed as rows and columns, so that only half of the plane is
 * read. */
static pc_status sum_rows(pci_gpu_part *part, const reduced *r, batch of, const operand *from,
                          operand *to)
{
    pci_gpu_block_sum sums[PCI_MAX_JOBS];
    list_sums(part, r, of, from, to, sums);
    cudaError_t error =
        part->graph->symmetric && sums_tiles(part, of.first)
            ? pci_gpu_sum_both(&part->blocks, &part->layout, of.n, sums, sums, part->stream)
            : pci_gpu_sum_rows(&part->blocks, &part->layout, from[0].n_digits > 1, of.n, sums,
                               part->stream);
    return pci_gpu_check(part->context, error, "summing blocks");
}

static pc_status sum_columns(pci_gpu_part *part, const reduced *r, batch of, const operand *from,
                             operand *to)
{
    pci_gpu_block_sum sums[PCI_MAX_JOBS];
    list_sums(part, r, of, from, to, sums);
    return pci_gpu_check(
        part->context, pci_gpu_sum_columns(&part->blocks, &part->layout, of.n, sums, part->stream),
        "summing blocks");
}

static pc_status sum_both(pci_gpu_part *part, const reduced *r, batch of, const operand *from,
                          operand *left, operand *right)
{
    pci_gpu_block_sum rows[PCI_MAX_JOBS], columns[PCI_MAX_JOBS];
    list_sums(part, r, of, from, left, rows);
    list_sums(part, r, of, from, right, columns);
    return pci_gpu_check(
        part->context,
        pci_gpu_sum_both(&part->blocks, &part->layout, of.n, rows, columns, part->stream),
        "summing blocks");
}

/* Sums L, and then R from its source. */
static pc_status sum_one_after_other(pci_gpu_part *part, const reduced *r, batch of, operand *from,
                                     operand *left, operand *right)
{
    pc_status status = sum_rows(part, r, of, from, left);
    for (uint32_t j = 0; j < of.n && status == PC_OK; j++) {
        right[j] = left[j];
        if (!right_is_left(part, r))
            status = make_right_source(part, r, of.first + j, &from[j]);
    }
    if (status != PC_OK || right_is_left(part, r))
        return status;
    return sums_columns(part, of.first) ? sum_columns(part, r, of, from, right)
                                        : sum_rows(part, r, of, from, right);
}

/* Makes L and R. The planes of P are free afterwards. */
static pc_status make_operands(pci_gpu_part *part, const reduced *r, batch of, operand *left,
                               operand *right)
{
    operand from[PCI_MAX_JOBS] = {0};
    for (uint32_t j = 0; j < of.n; j++)
        from[j] = operand_of(part, of.first + j);
    pc_status status = sums_columns(part, of.first) && !r->is_step
                           ? sum_both(part, r, of, from, left, right)
                           : sum_one_after_other(part, r, of, from, left, right);
    for (uint32_t j = 0; j < of.n && status == PC_OK; j++)
        release(part, &from[j]);
    return status;
}

static void free_operands(pci_gpu_part *part, const reduced *r, uint32_t n, const operand *left,
                          const operand *right)
{
    for (uint32_t j = 0; j < n; j++) {
        release(part, &left[j]);
        if (!right_is_left(part, r))
            release(part, &right[j]);
    }
}

/* ---- Products -------------------------------------------------------------------------------- */

static uint32_t n_tiles(const pci_gpu_part *part)
{
    return pci_gpu_layout_of(part->blocks.n_blocks).n_padded / PCI_TILE;
}

static pc_status reduce_batch(pci_gpu_part *part, const reduced *r, uint32_t first, uint32_t n)
{
    operand left[PCI_MAX_JOBS], right[PCI_MAX_JOBS];
    pci_product product = {0};
    pc_status status = make_operands(part, r, (batch){first, n}, left, right);
    if (status != PC_OK)
        return status;
    for (uint32_t j = 0; j < n; j++) {
        product.job[j] = (pci_product_job){left[j].slot[0], right[j].slot[0], j, 1};
        r->slots[first + j] = pci_gpu_slot_take(part);
        product.output[j] =
            (pci_product_output){pci_gpu_slot_plane(part, r->slots[first + j]),
                                 pci_gpu_modulus_of(part, r->n_moduli, first + j).reduction};
    }
    status = pci_gpu_multiply(part, &product, n_tiles(part), n, part->graph->symmetric);
    free_operands(part, r, n, left, right);
    return status;
}

static pc_status reduce_wide(pci_gpu_part *part, const reduced *r, uint32_t index)
{
    operand left, right;
    int8_t *digit[3];
    pc_status status = make_operands(part, r, (batch){index, 1}, &left, &right);
    if (status != PC_OK)
        return status;
    pci_gpu_digits_take(part, r->n_moduli, index, &r->slots[pci_gpu_first_plane(part, index)],
                        digit);
    status = pci_gpu_multiply_wide(part, left.slot, right.slot, n_tiles(part),
                                   part->moduli.m[index], digit);
    free_operands(part, r, 1, &left, &right);
    return status;
}

static pc_status reduce_moduli(pci_gpu_part *part, const reduced *r)
{
    uint32_t n_narrow = r->n_moduli < part->n_narrow ? r->n_moduli : part->n_narrow;
    pc_status status = PC_OK;
    for (uint32_t first = 0, n; first < n_narrow && status == PC_OK; first += n) {
        uint32_t left = n_narrow - first;
        n = left < part->needs.n_batch ? left : part->needs.n_batch;
        status = reduce_batch(part, r, first, n);
    }
    for (uint32_t i = part->n_narrow; i < r->n_moduli && status == PC_OK; i++)
        status = reduce_wide(part, r, i);
    return status;
}

static pc_status reduce(pci_gpu_part *part, bool is_step, uint32_t n_moduli)
{
    uint32_t slots[PCI_MAX_PLANES];
    reduced r = {is_step, n_moduli, is_plain(part) ? slots : part->slot};
    pc_status status = reduce_moduli(part, &r);
    if (status != PC_OK)
        return status;
    if (is_plain(part))
        pci_gpu_replace(part, n_moduli, pci_gpu_first_plane(part, n_moduli), slots);
    return pci_gpu_wait(part, "a reduced product");
}

pc_status pci_gpu_part_reduce(pci_gpu_part *part, uint32_t n_moduli)
{
    return reduce(part, false, n_moduli);
}

pc_status pci_gpu_part_reduce_step(pci_gpu_part *part, uint32_t n_moduli)
{
    return reduce(part, true, n_moduli);
}
