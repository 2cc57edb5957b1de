/* P = P * P: lists of tiles, launches, and what becomes of the slots. The planes of a batch are squared in one launch.
 *
 * The right operand of a plane of a directed graph is its transpose. Each plane is transposed just
 * before it is squared. If both orientations were kept, they would take twice the memory, and
 * extensions and steps would be done twice or be followed by a transposition in any case. A
 * transposition reads and writes 2 n^2 bytes, and the product has 2 n^3 operations. With the
 * measured rates (3 TB/s, 1400 TOPS) the transposition takes 6% of the time at n = 8192 and 3% at
 * 16384.
 *
 * The accumulators of a product of wide residues are stored in memory, because three of them make
 * one residue. So it is done in strips of rows of at most 192 MiB. The accumulators of narrow
 * residues stay in registers. */
#include "gpu/engine/part.h"

#include <string.h>

/* ---- Launches -------------------------------------------------------------------------------- */

/* Puts the list of tiles of product->shape on the device, unless the last launch had the same
 * shape. */
static pc_status prepare_tiles(pci_gpu_part *part, pci_product *product)
{
    if (memcmp(&part->tiles_shape, &product->shape, sizeof product->shape) != 0) {
        size_t bytes = pci_tiles_capacity(&product->shape) * sizeof(uint32_t);
        uint32_t *entries = pci_alloc(part->context, bytes);
        if (!entries)
            return pci_fail_memory(part->context, "a list of tiles", bytes);
        part->n_entries = (uint32_t)pci_tiles_list(&product->shape, entries);
        part->tiles_shape = product->shape;
        cudaError_t error = cudaMemcpyAsync(part->tiles, entries, part->n_entries * sizeof *entries,
                                            cudaMemcpyHostToDevice, part->stream);
        pc_status status = pci_gpu_finish(part, error, "copying a list of tiles");
        pci_free(part->context, entries); /* it must outlive the copy */
        if (status != PC_OK)
            return status;
    }
    product->tiles = part->tiles;
    product->n_entries = part->n_entries;
    return PC_OK;
}

/* Rows first .. first + n - 1 of the result's tiles. */
static pc_status multiply_rows(pci_gpu_part *part, pci_product *product, uint32_t n_tiles,
                               uint32_t n_jobs, bool symmetric, uint32_t first, uint32_t n)
{
    uint32_t share = product->shape.share, n_shares = product->shape.n_shares;
    product->layout = part->layout;
    product->arena = part->arena;
    product->n_planes = part->needs.n_slots;
    product->shape =
        pci_gpu_shape(part->device.kernel, part->device.n_sms, n_tiles, n_jobs, symmetric);
    product->shape.first_row_tile = first;
    product->shape.n_row_tiles = n;
    product->shape.share = share;
    product->shape.n_shares = n_shares;
    pc_status status = prepare_tiles(part, product);
    return status == PC_OK
               ? pci_gpu_check(part->context,
                               pci_product_launch(part->device.kernel, product, part->stream),
                               "multiplying planes")
               : status;
}

pc_status pci_gpu_multiply(pci_gpu_part *part, pci_product *product, uint32_t n_tiles,
                           uint32_t n_jobs, bool symmetric)
{
    return multiply_rows(part, product, n_tiles, n_jobs, symmetric, 0, n_tiles);
}

/* Processes the accumulators of a strip of rows, which are in part->raw. */
typedef cudaError_t (*strip_fn)(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                const void *user);

/* Products without outputs, one strip of rows after the other: take processes each. */
static pc_status for_each_strip(pci_gpu_part *part, pci_product *product, uint32_t n_tiles,
                                uint32_t n_jobs, strip_fn take, const void *user)
{
    uint32_t n_strip = pci_gpu_strip_tiles(&part->layout);
    pc_status status = PC_OK;
    product->raw = part->raw;
    for (uint32_t first = 0; first < n_tiles && status == PC_OK; first += n_strip) {
        uint32_t n = n_tiles - first < n_strip ? n_tiles - first : n_strip;
        status = multiply_rows(part, product, n_tiles, n_jobs, false, first, n);
        if (status == PC_OK)
            status = pci_gpu_check(
                part->context, take(part, (uint64_t)first * PCI_TILE, (uint64_t)n * PCI_TILE, user),
                "reducing products");
    }
    return status;
}

typedef struct wide_result {
    uint32_t n_columns, m;
    int8_t *const *digit;
} wide_result;

static cudaError_t combine(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                           const void *user)
{
    const wide_result *result = user;
    return pci_gpu_combine_wide(&part->layout, part->raw, first_row, n_rows, result->n_columns,
                                result->m, result->digit, part->stream);
}

/* high high, low low and (high + low) (high + low). */
pc_status pci_gpu_multiply_wide(pci_gpu_part *part, const uint32_t left[3], const uint32_t right[3],
                                uint32_t n_tiles, uint32_t m, int8_t *const digit[3])
{
    wide_result result = {n_tiles * PCI_TILE, m, digit};
    pci_product product = {0};
    for (uint32_t d = 0; d < 3; d++)
        product.job[d] = (pci_product_job){.left = left[d], .right = right[d]};
    return for_each_strip(part, &product, n_tiles, 3, combine, &result);
}

/* ---- Operands and results -------------------------------------------------------------------- */

static uint32_t n_tiles(const pci_gpu_part *part)
{
    return part->layout.n_padded / PCI_TILE;
}

/* The right operand of a square for the left one in a slot: the same plane, or its transpose in a slot of its own. */
static pc_status take_right(pci_gpu_part *part, uint32_t left, uint32_t *right)
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

/* The right operands of the digits of modulus number index. Those of graphs with classes are scaled by the sizes. */
static pc_status take_rights(pci_gpu_part *part, uint32_t index, const uint32_t *left,
                             uint32_t *right)
{
    uint32_t n_digits = pci_gpu_n_digits(part, index);
    int8_t *from[3], *to[3];
    pc_status status = PC_OK;
    for (uint32_t d = 0; d < n_digits && !part->on_device.size && status == PC_OK; d++)
        status = take_right(part, left[d], &right[d]);
    if (!part->on_device.size)
        return status;
    pci_gpu_digits_of(part, index, from);
    pci_gpu_digits_take(part, part->n_moduli, index, right, to);
    return pci_gpu_check(part->context,
                         pci_gpu_scale_columns(&part->on_device, &part->layout,
                                               pci_gpu_modulus_of(part, part->n_moduli, index),
                                               from, to, part->stream),
                         "scaling a plane");
}

/* Makes N S N, which is in the given slots, the square of N modulo number index, which is still in its own. */
static pc_status add_adjacent(pci_gpu_part *part, uint32_t index, const uint32_t *made)
{
    pci_gpu_modulus modulus = pci_gpu_modulus_of(part, part->n_moduli, index);
    int8_t *from[3], *to[3];
    if (!part->on_device.is_adjacent)
        return PC_OK;
    pci_gpu_digits_of(part, index, from);
    for (uint32_t d = 0; d < pci_gpu_n_digits(part, index); d++)
        to[d] = pci_gpu_slot_plane(part, made[d]);
    return pci_gpu_check(part->context,
                         pci_gpu_add_adjacent(&part->on_device, &part->layout, modulus,
                                              pci_gpu_sign_of(part, modulus), from, to,
                                              part->stream),
                         "adding a plane");
}

static void free_right(pci_gpu_part *part, uint32_t left, uint32_t right)
{
    if (right != left)
        pci_gpu_slot_free(part, right);
}

/* The result for modulus number index of a set of n_moduli, in a slot that it takes: part->next. */
static pci_product_output take_output(pci_gpu_part *part, uint32_t n_moduli, uint32_t index)
{
    part->next[index] = pci_gpu_slot_take(part);
    return (pci_product_output){pci_gpu_slot_plane(part, part->next[index]),
                                pci_gpu_modulus_of(part, n_moduli, index).reduction};
}

/* ---- Residues -------------------------------------------------------------------------------- */

/* Squares planes first .. first + n - 1, whose slots are free afterwards. */
static pc_status square_batch(pci_gpu_part *part, uint32_t first, uint32_t n)
{
    pci_product product = {0};
    pc_status status = PC_OK;
    for (uint32_t j = 0; j < n && status == PC_OK; j++) {
        pci_product_job *job = &product.job[j];
        *job = (pci_product_job){part->slot[first + j], 0, j, 1};
        status = take_rights(part, first + j, &job->left, &job->right);
        product.output[j] = take_output(part, part->n_moduli, first + j);
    }
    if (status == PC_OK)
        status = pci_gpu_multiply(part, &product, n_tiles(part), n, part->graph->symmetric);
    for (uint32_t j = 0; j < n && status == PC_OK; j++)
        status = add_adjacent(part, first + j, &part->next[first + j]);
    for (uint32_t j = 0; j < n && status == PC_OK; j++) {
        free_right(part, product.job[j].left, product.job[j].right);
        pci_gpu_slot_free(part, product.job[j].left);
        part->slot[first + j] = part->next[first + j];
    }
    return status;
}

static pc_status square_wide(pci_gpu_part *part, uint32_t index)
{
    uint32_t made[3], right[3], *slot = &part->slot[pci_gpu_first_plane(part, index)];
    int8_t *digit[3];
    pci_gpu_digits_take(part, part->n_moduli, index, made, digit);
    pc_status status = take_rights(part, index, slot, right);
    if (status == PC_OK)
        status =
            pci_gpu_multiply_wide(part, slot, right, n_tiles(part), part->moduli.m[index], digit);
    if (status == PC_OK)
        status = add_adjacent(part, index, made);
    for (uint32_t d = 0; d < 3 && status == PC_OK; d++) {
        free_right(part, slot[d], right[d]);
        pci_gpu_slot_free(part, slot[d]);
        slot[d] = made[d];
    }
    return status;
}

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

/* ---- A plain plane --------------------------------------------------------------------------- */

typedef struct plain_results {
    uint32_t n_moduli;
    const uint32_t *slots;
} plain_results;

static cudaError_t reduce_strip(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                const void *user)
{
    const plain_results *results = user;
    cudaError_t error = cudaSuccess;
    for (uint32_t i = 0; i < results->n_moduli && error == cudaSuccess; i++) {
        int8_t *digit[3] = {NULL, NULL, NULL};
        for (uint32_t d = 0; d < pci_gpu_n_digits(part, i); d++)
            digit[d] = pci_gpu_slot_plane(part, results->slots[pci_gpu_first_plane(part, i) + d]);
        error =
            pci_gpu_reduce_raw(&part->layout, part->raw, first_row, n_rows,
                               pci_gpu_modulus_of(part, results->n_moduli, i), digit, part->stream);
    }
    return error;
}

/* One product, whose accumulators give every plane of the result: from registers, or from memory where some moduli are
 * wide. */
static pc_status square_plain(pci_gpu_part *part, uint32_t n_moduli)
{
    bool has_wide = n_moduli > part->n_narrow;
    uint32_t slots[PCI_MAX_PLANES], n = n_moduli ? pci_gpu_first_plane(part, n_moduli) : 1;
    plain_results results = {n_moduli, slots};
    pci_product product = {.job[0] = {part->slot[0], 0, 0, has_wide ? 0 : n}};
    for (uint32_t p = 0; p < n; p++)
        if (has_wide) {
            slots[p] = pci_gpu_slot_take(part);
        } else {
            product.output[p] = take_output(part, n_moduli, p);
            slots[p] = part->next[p];
        }
    pc_status status = take_right(part, product.job[0].left, &product.job[0].right);
    if (status == PC_OK)
        status = has_wide
                     ? for_each_strip(part, &product, n_tiles(part), 1, reduce_strip, &results)
                     : pci_gpu_multiply(part, &product, n_tiles(part), 1, part->graph->symmetric);
    free_right(part, product.job[0].left, product.job[0].right);
    pci_gpu_replace(part, n_moduli, n, slots);
    return status;
}

pc_status pci_gpu_part_square(pci_gpu_part *part, uint32_t n_moduli)
{
    pc_status status =
        part->n_moduli ? square_residues(part, n_moduli) : square_plain(part, n_moduli);
    part->is_odd = false;
    return status == PC_OK ? pci_gpu_finish(part, cudaSuccess, "squaring planes") : status;
}

/* ---- Digits ---------------------------------------------------------------------------------- */

/* Residues modulo 256 and 255 become digits, whose one product gives residues of all moduli that are wanted. Where no
 * high digits differ from zero it takes as long as the product of one plane. Powers of sparse graphs are often so but
 * for their diagonals: an entry of A^2 off the diagonal counts common neighbours. */

enum { DIGITS = 3, HIGH = 0, LOW = 1, SUM = 2 /* as pci_gpu_make_digits has them */ };

bool pci_gpu_part_can_square_digits(const pci_gpu_part *part, uint32_t n_moduli)
{
    uint32_t n_operands = part->graph->symmetric ? DIGITS : 2 * DIGITS;
    return pci_gpu_kernel_has_digits(part->device.kernel) && n_moduli <= part->n_narrow &&
           part->n_moduli >= PCI_N_DIGIT_MODULI && part->moduli.m[0] == 256 &&
           part->moduli.m[1] == 255 && part->n_planes + DIGITS <= part->needs.n_slots &&
           n_operands + n_moduli <= part->needs.n_slots;
}

/* P becomes its digits: three planes that are no residues. Both maps are in one block of memory that is kept. */
static pc_status make_digits(pci_gpu_part *part, size_t n_words)
{
    uint32_t slot[DIGITS];
    int8_t *digit[DIGITS];
    cudaError_t error = cudaSuccess;
    if (!part->high)
        error = cudaMalloc((void **)&part->high, 2 * n_words * sizeof *part->high);
    if (error != cudaSuccess)
        return pci_gpu_check(part->context, error, "memory for maps of digits");
    for (int d = 0; d < DIGITS; d++) {
        slot[d] = pci_gpu_slot_take(part);
        digit[d] = pci_gpu_slot_plane(part, slot[d]);
    }
    error = pci_gpu_make_digits(&part->layout, pci_gpu_slot_plane(part, part->slot[0]),
                                pci_gpu_slot_plane(part, part->slot[1]), digit, part->high,
                                part->high + n_words, part->stream);
    pci_gpu_replace(part, DIGITS, DIGITS, slot);
    return pci_gpu_check(part->context, error, "making digits");
}

pc_status pci_gpu_part_square_digits(pci_gpu_part *part, uint32_t n_moduli)
{
    static const int order[DIGITS] = {HIGH, SUM, LOW}; /* of operands: gpu/engine/product.h */
    size_t n_words = (size_t)pci_high_words(&part->layout) * n_tiles(part);
    pc_status status = make_digits(part, n_words);
    if (status != PC_OK)
        return status;
    pci_product product = {.high = {part->high, part->high + n_words}};
    for (int d = 0; d < DIGITS && status == PC_OK; d++) {
        product.job[d].left = part->slot[order[d]];
        status = take_right(part, product.job[d].left, &product.job[d].right);
    }
    product.job[0].n_outputs = n_moduli;
    for (uint32_t i = 0; i < n_moduli; i++)
        product.output[i] = take_output(part, n_moduli, i);
    if (status == PC_OK)
        status = pci_gpu_multiply(part, &product, n_tiles(part), 1, part->graph->symmetric);
    for (int d = 0; d < DIGITS; d++)
        free_right(part, product.job[d].left, product.job[d].right);
    pci_gpu_replace(part, n_moduli, n_moduli, part->next);
    return status == PC_OK ? pci_gpu_finish(part, cudaSuccess, "squaring digits") : status;
}

/* ---- Tiles of one product, shared by all parts ----------------------------------------------- */

void pci_gpu_shared_add(pci_gpu_part *part, uint32_t n_moduli, uint32_t first,
                        pci_gpu_shared *shared)
{
    for (uint32_t i = first; i < (n_moduli ? n_moduli : 1); i++)
        shared->output[shared->n_outputs++] = take_output(part, n_moduli, i);
}

/* The operand of another part is copied to the part's own arena. */
pc_status pci_gpu_part_multiply_shared(pci_gpu_part *part, uint32_t p, const pci_gpu_shared *shared)
{
    pci_product product = {.shape = {.share = p, .n_shares = part->parts->n}};
    bool is_copy = shared->owner && shared->owner != part;
    uint32_t right, left = is_copy         ? pci_gpu_slot_take(part)
                           : shared->owner ? shared->slot
                                           : part->slot[0];
    pc_status status = PC_OK;
    memcpy(product.output, shared->output, sizeof product.output);
    if (is_copy)
        status = pci_gpu_check(part->context,
                               cudaMemcpyAsync(pci_gpu_slot_plane(part, left),
                                               pci_gpu_slot_plane(shared->owner, shared->slot),
                                               part->layout.plane_bytes, cudaMemcpyDefault,
                                               part->stream),
                               "copying a plane of another GPU");
    if (status == PC_OK)
        status = take_right(part, left, &right);
    if (status != PC_OK)
        return status;
    product.job[0] = (pci_product_job){left, right, 0, shared->n_outputs};
    status = pci_gpu_multiply(part, &product, n_tiles(part), 1, part->graph->symmetric);
    free_right(part, left, right);
    if (is_copy)
        pci_gpu_slot_free(part, left);
    return status == PC_OK ? pci_gpu_finish(part, cudaSuccess, "squaring a plane") : status;
}
