/* Making a chain: neighbours are matched by label, the width is proved, the order chosen. */
#include "src/relations/chain.h"

#include "src/plan/question.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- Neighbours matched ---------------------------------------------------------------------- */

/* Each column must have a partner, and each row of the next factor must be one. factor counts from
 * 1. */
static pc_status check_partners(pc_context *context, const pci_labels *columns,
                                const pci_labels *rows, const uint32_t *partner, uint32_t factor)
{
    unsigned char *is_partner = pci_alloc_zero(context, rows->n + 1, 1);
    uint64_t j = 0, i = 0;
    char label[200];
    if (!is_partner)
        return pci_fail_memory(context, "matching labels", rows->n + 1);
    for (; j < columns->n && partner[j] != PCI_NO_PARTNER; j++)
        is_partner[partner[j]] = 1;
    bool is_column = j < columns->n;
    while (!is_column && i < rows->n && is_partner[i])
        i++;
    pci_free(context, is_partner);
    if (!is_column && i == rows->n)
        return PC_OK;
    pc_labels_text(is_column ? columns : rows, is_column ? j : i, label, sizeof label);
    return pci_fail(context, PC_ERR_DATA,
                    "%s '%s' of factor %" PRIu32 " is no %s of factor %" PRIu32
                    ": is a factor the wrong way round (^T)? --allow-missing lets such labels lead "
                    "nowhere",
                    is_column ? "column" : "row", label, is_column ? factor : factor + 1,
                    is_column ? "row" : "column", is_column ? factor + 1 : factor);
}

/* Copies a matrix, with column j numbered partner[j]. Entries of columns without a partner are left
 * out. */
static pc_status renumber(pc_context *context, const pci_sparse *matrix, const uint32_t *partner,
                          uint64_t n_columns, pci_sparse *renumbered)
{
    uint64_t n_entries = 0, at = 0;
    for (uint64_t e = 0; e < pci_sparse_n_entries(matrix); e++)
        n_entries += partner[matrix->column[e]] != PCI_NO_PARTNER;
    pc_status status = pci_sparse_create(context, matrix->n_rows, n_columns, n_entries,
                                         matrix->limbs ? 1 : 0, renumbered);
    for (uint64_t i = 0; i < matrix->n_rows && status == PC_OK; i++) {
        renumbered->row_start[i] = at;
        for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++) {
            uint32_t column = partner[matrix->column[e]];
            if (column == PCI_NO_PARTNER)
                continue;
            renumbered->column[at] = column;
            if (matrix->limbs)
                renumbered->limbs[at] = matrix->limbs[e];
            at++;
        }
    }
    return status;
}

/* Factor number f of the chain, from 0, matched to the rows of the next one. */
static pc_status match_factor(pc_chain *chain, const pc_relation *const *factors, uint32_t f,
                              bool allow_missing)
{
    const pc_relation *factor = factors[f];
    if (f + 1 == chain->n_factors || pci_labels_equal(&factor->columns, &factors[f + 1]->rows)) {
        chain->factors[f] = pci_sparse_borrow(&factor->matrix);
        return PC_OK;
    }
    const pci_labels *rows = &factors[f + 1]->rows;
    size_t bytes = factor->columns.n * sizeof(uint32_t);
    uint32_t *partner = pci_alloc(chain->context, bytes);
    if (!partner)
        return pci_fail_memory(chain->context, "matching labels", bytes);
    pci_labels_match(&factor->columns, rows, partner);
    pc_status status = PC_OK;
    if (!allow_missing)
        status = check_partners(chain->context, &factor->columns, rows, partner, f + 1);
    if (status == PC_OK)
        status = renumber(chain->context, &factor->matrix, partner, rows->n, &chain->factors[f]);
    pci_free(chain->context, partner);
    return status;
}

/* ---- Width ----------------------------------------------------------------------------------- */

/* An upper limit for the entries of a product of relations, proved before it is multiplied.
 *
 * Let m be the vector of the largest entries of the rows of the last factor. No entry in row i of
 * F1 F2 ... Fn exceeds entry i of F1 (F2 (... m)): each is a sum over the same walks, with the
 * entry of the last step replaced by one that is not smaller.
 * Long doubles have exponents for 64 factors, and hold whole numbers up to 2^LDBL_MANT_DIG exactly. */

/* Raises a sum of n_terms rounded products by more than rounding can have lowered it: at most n + 2
 * roundings, each by a factor of 1 - LDBL_EPSILON / 2 or more. All terms are whole, so sums below
 * 2^LDBL_MANT_DIG have not been rounded. Every larger long double is whole, too. */
static long double raised(long double sum, uint64_t n_terms)
{
    if (sum < ldexpl(1, LDBL_MANT_DIG))
        return sum;
    return sum * (1 + (long double)(n_terms + 4) * LDBL_EPSILON);
}

static uint64_t entry_of(const pci_sparse *matrix, uint64_t e)
{
    return matrix->limbs ? matrix->limbs[e] : 1;
}

pc_status pci_chain_limit(pc_context *context, uint32_t n, const pci_sparse *factors,
                          long double *limit)
{
    const pci_sparse *last = &factors[n - 1];
    uint64_t n_most = 0;
    for (uint32_t f = 0; f < n; f++)
        n_most = factors[f].n_rows > n_most ? factors[f].n_rows : n_most;
    size_t bytes = 2 * n_most * sizeof(long double);
    long double *memory = pci_alloc(context, bytes), largest = 0;
    if (!memory)
        return pci_fail_memory(context, "row sums", bytes);
    long double *x = memory, *y = memory + n_most;
    for (uint64_t i = 0; i < last->n_rows; i++) { /* the largest entry of each row */
        uint64_t most = 0;
        for (uint64_t e = last->row_start[i]; e < last->row_start[i + 1]; e++)
            most = entry_of(last, e) > most ? entry_of(last, e) : most;
        x[i] = raised((long double)most, 0);
    }
    for (uint32_t f = n - 1; f-- > 0;) {
        const pci_sparse *matrix = &factors[f];
        int n_threads = pci_threads_for(context, (double)pci_sparse_n_entries(matrix));
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 512)
        for (uint64_t i = 0; i < matrix->n_rows; i++) {
            long double sum = 0;
            uint64_t first = matrix->row_start[i], end = matrix->row_start[i + 1];
            for (uint64_t e = first; e < end; e++)
                sum += (long double)entry_of(matrix, e) * x[matrix->column[e]];
            y[i] = raised(sum, end - first);
        }
        long double *swap = x;
        x = y;
        y = swap;
    }
    for (uint64_t i = 0; i < factors[0].n_rows; i++)
        largest = x[i] > largest ? x[i] : largest;
    pci_free(context, memory);
    if (!isfinite(largest))
        return pci_fail(context, PC_ERR_RANGE,
                        "entries of this product may be wider than %d bits: fewer relations",
                        LDBL_MAX_EXP);
    *limit = largest;
    return PC_OK;
}

uint32_t pci_limit_limbs(long double limit)
{
    int n_bits;
    frexpl(limit, &n_bits); /* limit < 2^n_bits */
    return n_bits > 64 ? (uint32_t)(n_bits + 63) / 64 : 1;
}

/* ---- Order ---------------------------------------------------------------------------------- */

/* The order in which to multiply a chain: the brackets with the fewest expected multiplications, found by dynamic
 * programming over the sub-chains (S. S. Godbole, "On efficient computation of matrix chain products", IEEE Transactions on
 * Computers C-22, 1973).
 *
 * A product of sparse matrices L R takes one multiplication for each walk through both. If entries
 * were placed at random, matrices with l and r entries and k columns between them would have about
 * l r / k walks. They are not: vertices of high degree have it on both sides. So each boundary
 * between neighbours has a factor of its own, found by counting the walks through the two given
 * matrices. So many results at random places of an m x n matrix fill m n (1 - e^(-walks / (m n)))
 * of them. This is the expected number of entries of a product. For a longer product it is computed
 * as if it were multiplied from the left, so that the estimate does not depend on the order to be
 * chosen. */

/* Appends the brackets of factors i..j at text + length; returns the new length. */
static size_t write_part(const pci_chain_order *order, uint32_t i, uint32_t j, char *text,
                         size_t length)
{
    if (i == j)
        return length + (size_t)sprintf(text + length, "%" PRIu32, i + 1);
    text[length++] = '(';
    length = write_part(order, i, order->split[i][j], text, length);
    text[length++] = ' ';
    length = write_part(order, order->split[i][j] + 1u, j, text, length);
    text[length++] = ')';
    return length;
}

/* The order for factors[n], 1 <= n <= PCI_MAX_FACTORS, of which each has as many columns as the
 * next has rows. */
static void choose_order(uint32_t n, const pci_sparse *factors, pci_chain_order *order)
{
    /* Of the sub-chain i..j: expected entries, and multiplications in the best order. ways[i] is the number of walks for a
     * pair of entries at the boundary after factor i. */
    double n_entries[PCI_MAX_FACTORS][PCI_MAX_FACTORS], ways[PCI_MAX_FACTORS];
    double cost[PCI_MAX_FACTORS][PCI_MAX_FACTORS];
    *order = (pci_chain_order){0};
    for (uint32_t j = 0; j < n; j++) {
        n_entries[j][j] = (double)pci_sparse_n_entries(&factors[j]);
        cost[j][j] = 0;
        if (j == 0)
            continue;
        double pairs = n_entries[j - 1][j - 1] * n_entries[j][j];
        ways[j - 1] =
            pairs > 0 ? pci_sparse_n_multiplications(&factors[j - 1], &factors[j]) / pairs : 0;
        for (uint32_t i = 0; i < j; i++) {
            double places = (double)factors[i].n_rows * (double)factors[j].n_columns;
            double walks = n_entries[i][j - 1] * n_entries[j][j] * ways[j - 1];
            n_entries[i][j] = places > 0 ? -places * expm1(-walks / places) : 0;
            order->n_left_to_right += i == 0 ? walks : 0;
        }
        for (uint32_t i = j; i-- > 0;) {
            cost[i][j] = INFINITY;
            for (uint32_t s = i; s < j; s++) {
                double last = n_entries[i][s] * n_entries[s + 1][j] * ways[s];
                double all = cost[i][s] + cost[s + 1][j] + last;
                if (all < cost[i][j]) {
                    cost[i][j] = all;
                    order->split[i][j] = (uint8_t)s;
                }
            }
        }
    }
    order->n_multiplications = cost[0][n - 1];
    order->text[write_part(order, 0, n - 1, order->text, 0)] = 0;
}

/* ---- The chain ------------------------------------------------------------------------------- */

static pc_status prepare(pc_chain *chain, const pc_relation *const *given, const int *transposed,
                         bool allow_missing)
{
    const pc_relation **factors = chain->read;
    uint32_t n = chain->n_factors;
    long double limit;
    pc_status status = PC_OK;
    for (uint32_t f = 0, same; f < n && status == PC_OK; f++) {
        factors[f] = given[f];
        if (!given[f])
            return pci_fail(chain->context, PC_ERR_ARGUMENT, "factor %" PRIu32 " is NULL", f + 1);
        if (!transposed || !transposed[f])
            continue;
        for (same = 0; same < f && !(given[same] == given[f] && chain->turned[same]);)
            same++; /* a relation is turned once */
        if (same == f)
            status = pci_relation_transpose(chain->context, given[f], &chain->turned[f]);
        factors[f] = chain->turned[same];
    }
    for (uint32_t f = 0; f < n && status == PC_OK; f++)
        status = match_factor(chain, factors, f, allow_missing);
    if (status == PC_OK)
        status = pci_chain_limit(chain->context, n, chain->factors, &limit);
    if (status != PC_OK)
        return status;
    choose_order(n, chain->factors, &chain->order);
    const pc_relation *first = factors[0], *last = factors[n - 1];
    bool square = pci_labels_equal(&first->rows, &last->columns);
    double bits = limit > 1 ? (double)log2l(limit) : 0;
    chain->info = (pc_chain_info){.n_rows = first->rows.n,
                                  .n_columns = last->columns.n,
                                  .rows = &first->rows,
                                  .columns = square ? &first->rows : &last->columns,
                                  .square = square,
                                  .bound_bits = bits + bits * 0x1p-50,
                                  .n_limbs = pci_limit_limbs(limit),
                                  .order = chain->order.text,
                                  .n_multiplications = chain->order.n_multiplications,
                                  .n_left_to_right = chain->order.n_left_to_right};
    return PC_OK;
}

pc_status pc_chain_create(pc_context *context, uint32_t n_factors,
                          const pc_relation *const *factors, const int *transposed,
                          int allow_missing, int n_certify_rounds, pc_chain **chain)
{
    if (!context || !factors || !chain)
        return pci_fail_null(context, "factors or chain");
    if (n_factors == 0 || n_factors > PCI_MAX_FACTORS)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a chain of %" PRIu32 " relations: 1 to %d are possible", n_factors,
                        PCI_MAX_FACTORS);
    pc_count_options count = {.n_certify_rounds = n_certify_rounds};
    pc_status status = pci_options_complete(context, &count, &count);
    if (status != PC_OK)
        return status;
    pc_chain *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a chain", sizeof *made);
    made->context = context;
    made->n_factors = n_factors;
    made->n_certify_rounds = count.n_certify_rounds;
    made->factors = pci_alloc_zero(context, n_factors, sizeof *made->factors);
    made->turned = pci_alloc_zero(context, n_factors, sizeof *made->turned);
    status = made->factors && made->turned
                 ? prepare(made, factors, transposed, allow_missing)
                 : pci_fail_memory(context, "a chain", n_factors * sizeof *made->factors);
    if (status == PC_OK)
        *chain = made;
    else
        pc_chain_free(made);
    return status;
}

void pc_chain_free(pc_chain *chain)
{
    if (!chain)
        return;
    for (uint32_t f = 0; chain->factors && f < chain->n_factors; f++)
        pci_sparse_free(chain->context, &chain->factors[f]);
    pci_sparse_free(chain->context, &chain->left);
    pci_sparse_free(chain->context, &chain->right);
    for (uint32_t f = 0; chain->turned && f < chain->n_factors; f++)
        pc_relation_free(chain->turned[f]);
    pci_free(chain->context, chain->factors);
    pci_free(chain->context, chain->turned);
    pci_free(chain->context, chain);
}

void pc_chain_get_info(const pc_chain *chain, pc_chain_info *info)
{
    if (info)
        *info = chain ? chain->info : (pc_chain_info){0};
}
