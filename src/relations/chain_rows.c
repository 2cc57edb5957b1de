/* The rows of the product of a chain. All products but the last one are sparse. The last one is
 * dense, in blocks, and each block is certified before it is delivered. */
#include "src/certify/certify.h"
#include "src/relations/chain.h"
#include "src/relations/sparse_product.h"

#include <inttypes.h>

enum { BLOCK_BYTES = 8 << 20, OPERATIONS_A_SIMILARITY = 4 };

/* ---- The two last operands ------------------------------------------------------------------- */

/* Factors i..j multiplied. */
static pc_status multiply_part(const pc_chain *chain, uint32_t i, uint32_t j, pci_sparse *product)
{
    if (i == j) {
        *product = pci_sparse_borrow(&chain->factors[i]);
        return PC_OK;
    }
    pc_context *context = chain->context;
    uint32_t split = chain->order.split[i][j];
    pci_sparse left = {0}, right = {0};
    long double limit;
    pc_status status;
    if ((status = multiply_part(chain, i, split, &left)) ||
        (status = multiply_part(chain, split + 1, j, &right)) ||
        (status = pci_chain_limit(context, j - i + 1, chain->factors + i, &limit)))
        goto done;
    status = pci_sparse_product(context, &left, &right, pci_limit_limbs(limit), product);
done:
    pci_sparse_free(context, &left);
    pci_sparse_free(context, &right);
    return status;
}

/* Makes left and right, once. A single relation is multiplied by ones on the diagonal. */
static pc_status make_ready(pc_chain *chain)
{
    uint32_t last = chain->n_factors - 1, split = chain->order.split[0][last];
    pci_sparse left = {0}, right = {0};
    if (chain->is_ready)
        return PC_OK;
    pc_status status = last == 0
                           ? pci_sparse_identity(chain->context, chain->factors[0].n_rows, &left)
                           : multiply_part(chain, 0, split, &left);
    if (status == PC_OK)
        status = multiply_part(chain, last == 0 ? 0 : split + 1, last, &right);
    if (status != PC_OK) {
        pci_sparse_free(chain->context, &left);
        return status;
    }
    chain->left = left;
    chain->right = right;
    chain->is_ready = true;
    return PC_OK;
}

/* ---- Certificate ----------------------------------------------------------------------------- */

/* y = F1 (F2 (... x)) */
static pc_status apply_chain(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    const pc_chain *chain = user;
    uint64_t n_most = 0;
    for (uint32_t f = 0; f < chain->n_factors; f++)
        n_most = chain->factors[f].n_rows > n_most ? chain->factors[f].n_rows : n_most;
    size_t bytes = 2 * n_most * sizeof(uint64_t);
    uint64_t *memory = pci_alloc(chain->context, bytes), *to = memory;
    if (!memory)
        return pci_fail_memory(chain->context, "a certificate", bytes);
    for (uint32_t f = chain->n_factors; f-- > 0;) {
        const pci_sparse *factor = &chain->factors[f];
        int n_threads = pci_threads_for(chain->context, (double)pci_sparse_n_entries(factor));
        uint64_t *result = f == 0 ? y : to;
        pci_sparse_multiply_mod(factor, n_threads, x, prime, result);
        to = result == memory ? memory + n_most : memory;
        x = result;
    }
    pci_free(chain->context, memory);
    return PC_OK;
}

static pc_status make_certificate(pc_chain *chain, pci_certificate **certificate)
{
    pci_operator map = {.n_rows = chain->info.n_rows,
                        .n_columns = chain->info.n_columns,
                        .user = chain,
                        .apply = apply_chain};
    *certificate = NULL;
    if (chain->n_certify_rounds == 0)
        return PC_OK;
    return pci_certificate_create(chain->context, &map, 0, chain->n_certify_rounds, certificate);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static uint64_t rows_of_block(const pc_chain *chain)
{
    uint64_t row_bytes = chain->info.n_columns * chain->info.n_limbs * sizeof(uint64_t);
    uint64_t n = row_bytes > 0 ? BLOCK_BYTES / row_bytes : chain->info.n_rows;
    return n == 0 ? 1 : n < chain->info.n_rows ? n : chain->info.n_rows;
}

static pc_status pass_blocks(pc_chain *chain, pci_certificate *certificate, uint64_t n_block,
                             uint64_t *block, pc_rows_fn deliver, void *user)
{
    const pc_chain_info *info = &chain->info;
    pc_status status = PC_OK;
    double work = pci_sparse_n_multiplications(&chain->left, &chain->right) +
                  (double)info->n_rows * (double)info->n_columns;
    double n_operations = work * info->n_limbs * (double)n_block / ((double)info->n_rows + 1);
    int n_threads = pci_threads_for(chain->context, n_operations);
    for (uint64_t first = 0; first < info->n_rows && status == PC_OK; first += n_block) {
        uint64_t n_left = info->n_rows - first, n_rows = n_left < n_block ? n_left : n_block;
        pc_rows rows = {.first_row = first,
                        .n_rows = n_rows,
                        .n_columns = info->n_columns,
                        .n_limbs = info->n_limbs,
                        .limbs = block};
        status = pci_progress(chain->context, "collect", (double)first / (double)info->n_rows);
        if (status != PC_OK)
            break;
        for (int t = 0; t == 0 || (t == 1 && status == PC_ERR_CERTIFY); t++) { /* again, once */
            pci_sparse_product_rows(&chain->left, &chain->right, first, n_rows, info->n_limbs,
                                    n_threads, block);
            status = certificate ? pci_certificate_check(certificate, &rows) : PC_OK;
        }
        if (status == PC_OK)
            status = deliver(user, &rows);
    }
    return status;
}

static pc_status pass_counts(pc_chain *chain, pc_rows_fn deliver, void *user)
{
    pc_context *context = chain->context;
    pci_certificate *certificate = NULL;
    uint64_t n_block = rows_of_block(chain), *block = NULL;
    pc_status status;
    if ((status = make_ready(chain)) || (status = make_certificate(chain, &certificate)))
        goto done;
    size_t bytes = n_block * chain->info.n_columns * chain->info.n_limbs * sizeof *block;
    if (pci_memory_has(context, (double)bytes))
        block = pci_alloc(context, bytes);
    status = block ? pass_blocks(chain, certificate, n_block, block, deliver, user)
                   : pci_fail_memory(context, "a block of rows", bytes);
done:
    pci_certificate_free(certificate);
    pci_free(context, block);
    return status;
}

/* ---- PathSim --------------------------------------------------------------------------------- */

/* Rows on their way from integers to similarities. */
typedef struct similarity {
    pc_chain *chain;
    long double *diagonal; /* [n_rows] */
    double *values;        /* a block */
    pc_rows_fn deliver;
    void *user;
} similarity;

/* Rounded. The range of long doubles exceeds that of every product. */
static long double to_real(const uint64_t *limbs, uint32_t n_limbs)
{
    long double value = 0;
    for (uint32_t l = n_limbs; l-- > 0;)
        value = value * 0x1p64L + (long double)limbs[l];
    return value;
}

/* Checks the diagonal, which was computed before the rows that a certificate covers. */
static pc_status check_diagonal(const similarity *s, const pc_rows *rows)
{
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        uint64_t row = rows->first_row + i, at = i * rows->n_columns + row;
        if (to_real(rows->limbs + at * rows->n_limbs, rows->n_limbs) != s->diagonal[row])
            return pci_fail_check(s->chain->context, "the diagonal of the product at row %" PRIu64,
                                  row);
    }
    return PC_OK;
}

static pc_status deliver_similarities(void *user, const pc_rows *rows)
{
    similarity *s = user;
    pc_status status = check_diagonal(s, rows);
    if (status != PC_OK)
        return status;
    double n_entries = (double)rows->n_rows * (double)rows->n_columns;
    int n_threads = pci_threads_for(s->chain->context, OPERATIONS_A_SIMILARITY * n_entries);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (uint64_t j = 0; j < rows->n_columns; j++) {
            uint64_t at = i * rows->n_columns + j;
            long double ways = to_real(rows->limbs + at * rows->n_limbs, rows->n_limbs);
            long double both = s->diagonal[rows->first_row + i] + s->diagonal[j];
            s->values[at] = both > 0 ? (double)(2 * ways / both) : 0;
        }
    pc_rows similarities = *rows;
    similarities.n_limbs = 0;
    similarities.limbs = NULL;
    similarities.values = s->values;
    return s->deliver(s->user, &similarities);
}

static pc_status find_diagonal(similarity *s)
{
    const pc_chain *chain = s->chain;
    uint32_t n_limbs = chain->info.n_limbs;
    uint64_t *sum = pci_alloc(chain->context, n_limbs * sizeof *sum);
    if (!sum)
        return pci_fail_memory(chain->context, "similarities", n_limbs * sizeof *sum);
    for (uint64_t i = 0; i < chain->info.n_rows; i++) {
        pci_sparse_diagonal_entry(&chain->left, &chain->right, i, n_limbs, sum);
        s->diagonal[i] = to_real(sum, n_limbs);
    }
    pci_free(chain->context, sum);
    return PC_OK;
}

static pc_status pass_similarities(pc_chain *chain, pc_rows_fn deliver, void *user)
{
    pc_context *context = chain->context;
    similarity s = {.chain = chain, .deliver = deliver, .user = user};
    if (!chain->info.square)
        return pci_fail(
            context, PC_ERR_ARGUMENT,
            "similarities need a product whose columns are its rows, in the same order, "
            "such as F F^T");
    size_t diagonal_bytes = chain->info.n_rows * sizeof *s.diagonal;
    size_t block_bytes = rows_of_block(chain) * chain->info.n_columns * sizeof *s.values;
    pc_status status = make_ready(chain);
    if (status != PC_OK)
        return status;
    s.diagonal = pci_alloc(context, diagonal_bytes);
    s.values = pci_alloc(context, block_bytes);
    if (s.diagonal && s.values)
        status = find_diagonal(&s);
    else
        status = pci_fail_memory(context, "similarities", diagonal_bytes + block_bytes);
    if (status == PC_OK)
        status = pass_counts(chain, deliver_similarities, &s);
    pci_free(context, s.diagonal);
    pci_free(context, s.values);
    return status;
}

pc_status pc_chain_rows(pc_chain *chain, pc_chain_measure measure, pc_rows_fn deliver, void *user)
{
    if (!chain || !deliver)
        return pci_fail_null(chain ? chain->context : NULL, "deliver");
    switch (measure) {
    case PC_CHAIN_COUNTS:
        return pass_counts(chain, deliver, user);
    case PC_CHAIN_PATHSIM:
        return pass_similarities(chain, deliver, user);
    }
    return pci_fail(chain->context, PC_ERR_ARGUMENT, "measure %d of a chain: there is none",
                    (int)measure);
}
