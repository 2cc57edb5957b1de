/* P = S P P S^T or S P A P S^T, where blocks of vertices are summed before planes are multiplied; and the diagonal of
 * P P or of P A P.
 *
 * The operands of a reduced product are L = S P and R = (Q S^T)^T = S Q^T, where Q is P or A P. For a symmetric graph R
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

/* Frees the slots of an operand; a plain P stays for the next modulus. */
static void release(pci_gpu_part *part, const operand *p)
{
    for (uint32_t d = 0; d < p->n_digits; d++)
        if (part->n_moduli || p->slot[d] != part->slot[0])
            pci_gpu_slot_free(part, p->slot[d]);
}

/* Whether R is L: there is no step in between, and the graph is symmetric. */
static bool right_is_left(const pci_gpu_part *part, const reduced *r)
{
    return part->graph->symmetric && !r->is_step;
}

/* Whether tiles of P are summed as they are; for R columns then, and not the rows of the transpose. */
static bool sums_tiles(const pci_gpu_part *part, uint32_t index)
{
    return part->blocks.first_block && !pci_gpu_is_wide(part, index);
}

/* Replaces P by the planes from which R is summed. */
static pc_status make_right_source(pci_gpu_part *part, const reduced *r, uint32_t index, operand *p)
{
    cudaError_t error = cudaSuccess;
    if (r->is_step) {
        operand made = {.n_digits = pci_gpu_n_digits(part, index)};
        error = pci_gpu_step_modulus(part, r->n_moduli, index, made.slot);
        release(part, p);
        *p = made;
    }
    if (error != cudaSuccess || part->graph->symmetric || sums_tiles(part, index))
        return pci_gpu_check(part->context, error, "a sparse step");
    operand made = {.n_digits = p->n_digits};
    for (uint32_t d = 0; d < p->n_digits && error == cudaSuccess; d++) {
        made.slot[d] = pci_gpu_slot_take(part);
        error = pci_gpu_transpose(&part->layout, pci_gpu_slot_plane(part, p->slot[d]),
                                  pci_gpu_slot_plane(part, made.slot[d]), part->stream);
    }
    release(part, p);
    *p = made;
    return pci_gpu_check(part->context, error, "transposing a plane");
}

/* Lists the sums of planes `from` for n moduli from number first on, with slots that are taken for the results. */
static void list_sums(pci_gpu_part *part, const reduced *r, uint32_t first, uint32_t n,
                      const operand *from, operand *to, pci_gpu_block_sum *sums)
{
    for (uint32_t j = 0; j < n; j++) {
        sums[j].modulus = pci_gpu_modulus_of(part, r->n_moduli, first + j);
        to[j].n_digits = pci_gpu_n_digits(part, first + j);
        pci_gpu_digits_take(part, r->n_moduli, first + j, to[j].slot, sums[j].to);
        for (uint32_t d = 0; d < 2; d++)
            sums[j].from[d] =
                d < from[j].n_digits ? pci_gpu_slot_plane(part, from[j].slot[d]) : NULL;
    }
}

/* Sums rows of `from` over blocks, or columns, or both; the one that is not wanted is NULL. The rows of a symmetric plane
 * are summed as rows and columns, so that only half of the plane is read. */
static pc_status sum_blocks(pci_gpu_part *part, const reduced *r, uint32_t first, uint32_t n,
                            const operand *from, operand *rows, operand *columns)
{
    const pci_gpu_blocks *blocks = &part->blocks;
    pci_gpu_block_sum of_rows[PCI_MAX_JOBS], of_columns[PCI_MAX_JOBS];
    cudaError_t error;
    if (rows)
        list_sums(part, r, first, n, from, rows, of_rows);
    if (columns)
        list_sums(part, r, first, n, from, columns, of_columns);
    if (!rows)
        error = pci_gpu_sum_columns(blocks, &part->layout, n, of_columns, part->stream);
    else if (columns || (part->graph->symmetric && sums_tiles(part, first)))
        error = pci_gpu_sum_both(blocks, &part->layout, n, of_rows, columns ? of_columns : of_rows,
                                 part->stream);
    else
        error =
            pci_gpu_sum_rows(blocks, &part->layout, from[0].n_digits > 1, n, of_rows, part->stream);
    return pci_gpu_check(part->context, error, "summing blocks");
}

/* Makes L and R for moduli that are all narrow, or a single one. The planes of P are free afterwards. */
static pc_status make_operands(pci_gpu_part *part, const reduced *r, uint32_t first, uint32_t n,
                               operand *left, operand *right)
{
    bool has_columns = !part->graph->symmetric && sums_tiles(part, first);
    operand from[PCI_MAX_JOBS] = {0};
    for (uint32_t j = 0; j < n; j++) {
        uint32_t plane = part->n_moduli ? pci_gpu_first_plane(part, first + j) : 0;
        from[j].n_digits = part->n_moduli ? pci_gpu_n_digits(part, first + j) : 1;
        for (uint32_t d = 0; d < from[j].n_digits; d++)
            from[j].slot[d] = part->slot[plane + d];
    }
    bool at_once = has_columns && !r->is_step;
    pc_status status = sum_blocks(part, r, first, n, from, left, at_once ? right : NULL);
    for (uint32_t j = 0; j < n && status == PC_OK && !at_once; j++) {
        right[j] = left[j];
        if (!right_is_left(part, r))
            status = make_right_source(part, r, first + j, &from[j]);
    }
    if (status == PC_OK && !at_once && !right_is_left(part, r))
        status = sum_blocks(part, r, first, n, from, has_columns ? NULL : right,
                            has_columns ? right : NULL);
    for (uint32_t j = 0; j < n && status == PC_OK; j++)
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
    pc_status status = make_operands(part, r, first, n, left, right);
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
    pc_status status = make_operands(part, r, index, 1, &left, &right);
    if (status != PC_OK)
        return status;
    pci_gpu_digits_take(part, r->n_moduli, index, &r->slots[pci_gpu_first_plane(part, index)],
                        digit);
    status = pci_gpu_multiply_wide(part, left.slot, right.slot, n_tiles(part),
                                   part->moduli.m[index], digit);
    free_operands(part, r, 1, &left, &right);
    return status;
}

static pc_status reduce(pci_gpu_part *part, bool is_step, uint32_t n_moduli)
{
    bool is_plain = !part->n_moduli;
    uint32_t slots[PCI_MAX_PLANES],
        n_narrow = n_moduli < part->n_narrow ? n_moduli : part->n_narrow;
    reduced r = {is_step, n_moduli, is_plain ? slots : part->slot};
    pc_status status = PC_OK;
    for (uint32_t first = 0, n; first < n_narrow && status == PC_OK; first += n) {
        uint32_t left = n_narrow - first;
        n = left < part->needs.n_batch ? left : part->needs.n_batch;
        status = reduce_batch(part, &r, first, n);
    }
    for (uint32_t i = part->n_narrow; i < n_moduli && status == PC_OK; i++)
        status = reduce_wide(part, &r, i);
    if (status != PC_OK)
        return status;
    if (is_plain)
        pci_gpu_replace(part, n_moduli, pci_gpu_first_plane(part, n_moduli), slots);
    return pci_gpu_finish(part, cudaSuccess, "a reduced product");
}

pc_status pci_gpu_part_reduce(pci_gpu_part *part, uint32_t n_moduli)
{
    return reduce(part, false, n_moduli);
}

pc_status pci_gpu_part_reduce_step(pci_gpu_part *part, uint32_t n_moduli)
{
    return reduce(part, true, n_moduli);
}

/* ---- Diagonals ------------------------------------------------------------------------------- */

/* Entry i of the diagonal is the product of row i of P with column i of the other factor, in O(n^2) for all, modulo each
 * modulus, and is recombined as a row of one matrix would be. The columns are the rows of the transposed factor, or of
 * the factor itself where the graph is undirected: A P is symmetric too, since powers of A commute. */

/* The digits of modulus number index of the part's results. */
static void results_of(const pci_gpu_part *part, uint32_t index, int8_t *digit[3])
{
    uint32_t first = pci_gpu_first_plane(part, index);
    for (uint32_t d = 0; d < 3; d++)
        digit[d] = d < pci_gpu_n_digits(part, index)
                       ? part->diagonal + (first + d) * (size_t)part->layout.n_padded
                       : NULL;
}

/* A digit of the other factor is P's, or lies in a slot of its own. */
static cudaError_t multiply_modulus(pci_gpu_part *part, bool is_step, uint32_t n_moduli,
                                    uint32_t index)
{
    bool is_plain = !part->n_moduli;
    uint32_t own = is_plain ? 0 : index, slot[3], n_taken = 0;
    uint32_t n_digits = is_plain ? 1 : pci_gpu_n_digits(part, index);
    int8_t *left[3], *right[3], *to[3];
    cudaError_t error = cudaSuccess;
    pci_gpu_digits_of(part, own, left);
    results_of(part, index, to);
    if (is_step) {
        error = pci_gpu_step_modulus(part, part->n_moduli, index, slot);
        n_taken = n_digits;
    }
    for (uint32_t d = 0; d < 3; d++)
        right[d] = is_step && d < n_digits ? pci_gpu_slot_plane(part, slot[d]) : left[d];
    for (uint32_t d = 0; d < n_digits && !part->graph->symmetric && error == cudaSuccess; d++) {
        uint32_t turned = pci_gpu_slot_take(part);
        error = pci_gpu_transpose(&part->layout, right[d], pci_gpu_slot_plane(part, turned),
                                  part->stream);
        if (is_step)
            pci_gpu_slot_free(part, slot[d]);
        slot[d] = turned;
        right[d] = pci_gpu_slot_plane(part, turned);
        n_taken = d + 1 > n_taken ? d + 1 : n_taken;
    }
    if (error == cudaSuccess)
        error = pci_gpu_multiply_planes(
            &part->layout, left, right, pci_gpu_modulus_of(part, part->n_moduli, own),
            pci_gpu_modulus_of(part, n_moduli, index), to, part->stream);
    for (uint32_t d = 0; d < n_taken; d++)
        pci_gpu_slot_free(part, slot[d]);
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
    return pci_gpu_finish(part, error, "a diagonal");
}

pc_status pci_gpu_part_diagonal(pci_gpu_part *part, uint32_t n_moduli)
{
    return make_diagonal(part, false, n_moduli);
}

pc_status pci_gpu_part_diagonal_step(pci_gpu_part *part, uint32_t n_moduli)
{
    return make_diagonal(part, true, n_moduli);
}

pc_status pci_gpu_part_collect_diagonal(pci_gpu_part *part, uint32_t n_moduli, uint32_t n_limbs,
                                        uint64_t *limbs)
{
    const int8_t *narrow[PCI_N_NARROW];
    pci_gpu_recombination r = {0};
    pci_gpu_residues residues;
    uint64_t *made = NULL;
    size_t bytes = part->graph->n * n_limbs * sizeof *limbs;
    cudaError_t error = cudaSuccess;
    pc_status status =
        pci_gpu_tables_digits(part->context, part->parts->moduli, n_moduli, 2 * n_limbs, &r.host);
    if (status == PC_OK)
        status = pci_gpu_recombination_upload(part, &r);
    if (status == PC_OK) {
        error = pci_gpu_residues_of(part, n_moduli, results_of, 0, narrow, r.table, part->stream,
                                    &residues);
        if (error == cudaSuccess)
            error = cudaMalloc((void **)&made, bytes);
        if (error == cudaSuccess)
            error = pci_gpu_collect(&part->layout, &r.crt, r.weight, r.modulus, 2 * n_limbs,
                                    residues, 1, made, part->stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(part->stream);
        if (error == cudaSuccess)
            error = cudaMemcpy(limbs, made, bytes, cudaMemcpyDeviceToHost);
        status = pci_gpu_check(part->context, error, "collecting a diagonal");
    }
    cudaFree(made);
    pci_gpu_recombination_free(part, &r);
    return status;
}
