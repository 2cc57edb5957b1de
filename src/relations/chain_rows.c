/* The rows of the product of a chain. All products but the last one are sparse. The last one is
 * dense, in blocks, and each block is certified before it is delivered. */
#include "graphs/sort.h"
#include "src/certify/certify.h"
#include "src/relations/chain.h"

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

/* ---- Rows ------------------------------------------------------------------------------------ */

static uint64_t rows_of_block(const pc_chain *chain)
{
    uint64_t row_bytes = chain->info.n_columns * chain->info.n_limbs * sizeof(uint64_t);
    uint64_t n = row_bytes > 0 ? BLOCK_BYTES / row_bytes : chain->info.n_rows;
    return n == 0 ? 1 : n < chain->info.n_rows ? n : chain->info.n_rows;
}

static pc_status pass_counts(pc_chain *chain, pc_rows_fn deliver, void *user)
{
    pc_context *context = chain->context;
    const pc_chain_info *info = &chain->info;
    const pci_operator map = {
        .n_rows = info->n_rows, .n_columns = info->n_columns, .user = chain, .apply = apply_chain};
    pci_certificate *certificate = NULL;
    uint64_t n_block = rows_of_block(chain), *block = NULL;
    size_t bytes = n_block * info->n_columns * info->n_limbs * sizeof *block;
    pc_status status = make_ready(chain);
    if (status == PC_OK && chain->n_certify_rounds > 0)
        status = pci_certificate_create(context, &map, 0, chain->n_certify_rounds, &certificate);
    if (status != PC_OK)
        return status;
    if (pci_memory_has(context, (double)bytes))
        block = pci_alloc(context, bytes);
    if (!block)
        status = pci_fail_memory(context, "a block of rows", bytes);
    double work = pci_sparse_n_multiplications(&chain->left, &chain->right) +
                  (double)info->n_rows * (double)info->n_columns;
    double n_operations = work * info->n_limbs * (double)n_block / ((double)info->n_rows + 1);
    int n_threads = pci_threads_for(context, n_operations);
    for (uint64_t first = 0; first < info->n_rows && status == PC_OK; first += n_block) {
        uint64_t n_left = info->n_rows - first;
        pc_rows rows = {.first_row = first,
                        .n_rows = n_left < n_block ? n_left : n_block,
                        .n_columns = info->n_columns,
                        .n_limbs = info->n_limbs,
                        .limbs = block};
        status = pci_progress(context, "collect", (double)first / (double)info->n_rows);
        bool goes_on = status == PC_OK;
        for (int t = 0; goes_on && (t == 0 || (t == 1 && status == PC_ERR_CERTIFY)); t++) {
            pci_sparse_product_rows(&chain->left, &chain->right, first, rows.n_rows, info->n_limbs,
                                    n_threads, block); /* again, once */
            status = certificate ? pci_certificate_check(certificate, &rows) : PC_OK;
        }
        if (status == PC_OK)
            status = deliver(user, &rows);
    }
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

/* The diagonal was computed before the rows that a certificate covers, so it is compared. */
static pc_status deliver_similarities(void *user, const pc_rows *rows)
{
    similarity *s = user;
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        uint64_t row = rows->first_row + i, at = i * rows->n_columns + row;
        if (to_real(rows->limbs + at * rows->n_limbs, rows->n_limbs) != s->diagonal[row])
            return pci_fail_check(s->chain->context, "the diagonal of the product at row %" PRIu64,
                                  row);
    }
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

static pc_status pass_similarities(pc_chain *chain, pc_rows_fn deliver, void *user)
{
    pc_context *context = chain->context;
    const pc_chain_info *info = &chain->info;
    similarity s = {.chain = chain, .deliver = deliver, .user = user};
    if (!info->square)
        return pci_fail(
            context, PC_ERR_ARGUMENT,
            "similarities need a product whose columns are its rows, in the same order, "
            "such as F F^T");
    size_t bytes = info->n_rows * sizeof *s.diagonal + info->n_limbs * sizeof(uint64_t);
    size_t block_bytes = rows_of_block(chain) * info->n_columns * sizeof *s.values;
    pc_status status = make_ready(chain);
    if (status != PC_OK)
        return status;
    s.diagonal = pci_alloc(context, bytes);
    s.values = pci_alloc(context, block_bytes);
    if (s.diagonal && s.values) {
        uint64_t *sum = (uint64_t *)(void *)(s.diagonal + info->n_rows);
        for (uint64_t i = 0; i < info->n_rows; i++) {
            pci_sparse_diagonal_entry(&chain->left, &chain->right, i, info->n_limbs, sum);
            s.diagonal[i] = to_real(sum, info->n_limbs);
        }
        status = pass_counts(chain, deliver_similarities, &s);
    } else {
        status = pci_fail_memory(context, "similarities", bytes + block_bytes);
    }
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

/* ---- A square product as a graph, collected from its rows as they pass ------------------------- */

/* Arcs so far. */
typedef struct collection {
    pc_chain *chain;
    pc_graph *graph;
    uint64_t n_arcs;
    uint64_t column_capacity, weight_capacity;
} collection;

static pc_status make_room(collection *c, uint64_t n_more)
{
    pc_context *context = c->chain->context;
    pc_graph *graph = c->graph;
    uint64_t n = c->n_arcs + n_more, *weight = NULL;
    uint32_t *column = NULL;
    if (n <= c->column_capacity || pci_memory_has(context, 2.0 * 12 * (double)n))
        column =
            pci_grow(context, graph->column, &c->column_capacity, c->n_arcs, n, sizeof *column);
    graph->column = column ? column : graph->column;
    if (column)
        weight =
            pci_grow(context, graph->weight, &c->weight_capacity, c->n_arcs, n, sizeof *weight);
    graph->weight = weight ? weight : graph->weight;
    return weight ? PC_OK : pci_fail_memory(context, "the graph of a product", 12 * n);
}

/* Takes row `row` of the product. */
static pc_status take_row(collection *c, uint64_t row, const pc_rows *rows, const uint64_t *entry)
{
    pc_graph_info *info = &c->graph->info;
    pc_status status = make_room(c, rows->n_columns);
    if (status != PC_OK)
        return status;
    c->graph->row_start[row] = c->n_arcs;
    for (uint64_t j = 0; j < rows->n_columns; j++, entry += rows->n_limbs) {
        uint64_t high = 0;
        for (uint32_t l = 1; l < rows->n_limbs; l++)
            high |= entry[l];
        if (high) {
            char from[64], to[64];
            pc_labels_text(c->chain->info.rows, row, from, sizeof from);
            pc_labels_text(c->chain->info.columns, j, to, sizeof to);
            return pci_fail(c->chain->context, PC_ERR_RANGE,
                            "the product has an entry beyond 2^64-1, from %s to %s: it cannot be "
                            "the multiplicity of an arc",
                            from, to);
        }
        if (entry[0] == 0)
            continue;
        c->graph->column[c->n_arcs] = (uint32_t)j;
        c->graph->weight[c->n_arcs++] = entry[0];
        info->n_loops += row == j;
        info->max_weight = entry[0] > info->max_weight ? entry[0] : info->max_weight;
    }
    return PC_OK;
}

static pc_status take_rows(void *user, const pc_rows *rows)
{
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < rows->n_rows && status == PC_OK; i++)
        status = take_row(user, rows->first_row + i, rows,
                          rows->limbs + i * rows->n_columns * rows->n_limbs);
    return status;
}

pc_status pc_chain_graph(pc_chain *chain, pc_graph **graph)
{
    if (!chain || !graph)
        return pci_fail_null(chain ? chain->context : NULL, "graph");
    pc_context *context = chain->context;
    const uint64_t n = chain->info.n_rows;
    if (!chain->info.square)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "only a product whose columns are its rows, in the same order, is a graph, "
                        "such as F F^T");
    pc_graph *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the graph of a product", sizeof *made);
    made->context = context;
    made->n = n;
    made->row_start = pci_alloc_zero(context, n + 1, sizeof *made->row_start);
    collection c = {.chain = chain, .graph = made};
    pc_status status = made->row_start ? make_room(&c, 1)
                                       : pci_fail_memory(context, "the graph of a product", 8 * n);
    if (status == PC_OK)
        status = pc_chain_rows(chain, PC_CHAIN_COUNTS, take_rows, &c);
    if (status == PC_OK)
        status = pci_labels_select(context, chain->info.rows, NULL, &made->labels);
    if (status == PC_OK) {
        pc_graph_info *info = &made->info;
        made->row_start[n] = info->n_arcs = info->n_edges = c.n_arcs;
        info->n_vertices = n;
        info->directed = 1;
        info->format = "product";
        status = pci_graph_join_mutual(context, made, true);
    }
    if (status == PC_OK) {
        if (made->info.max_weight <= 1) {
            pci_free(context, made->weight);
            made->weight = NULL;
        }
        pci_graph_seal(context, made);
        *graph = made;
    } else {
        pc_graph_free(made);
    }
    return status;
}
