/* Making a chain: neighbours are matched by label, the width is proved, the order chosen. */
#include "src/relations/chain.h"

#include "src/relations/chain_bound.h"
#include "src/plan/question.h"

#include <inttypes.h>
#include <math.h>

/* ---- Neighbours matched ---------------------------------------------------------------------- */

static pc_status fail_missing(pc_context *context, const char *side, const pci_labels *labels,
                              uint64_t i, uint32_t factor, const char *other_side, uint32_t other)
{
    char label[200];
    pc_labels_text(labels, i, label, sizeof label);
    return pci_fail(context, PC_ERR_DATA,
                    "%s '%s' of factor %" PRIu32 " is no %s of factor %" PRIu32
                    ": is a factor the wrong way round (^T)? --allow-missing lets such labels lead "
                    "nowhere",
                    side, label, factor, other_side, other);
}

/* Each column must have a partner, and each row of the next factor must be one. factor counts from
 * 1. */
static pc_status check_partners(pc_context *context, const pci_labels *columns,
                                const pci_labels *rows, const uint32_t *partner, uint32_t factor)
{
    unsigned char *is_partner = pci_alloc_zero(context, rows->n + 1, 1);
    if (!is_partner)
        return pci_fail_memory(context, "matching labels", rows->n + 1);
    pc_status status = PC_OK;
    for (uint64_t j = 0; j < columns->n && status == PC_OK; j++)
        if (partner[j] == PCI_NO_PARTNER)
            status = fail_missing(context, "column", columns, j, factor, "row", factor + 1);
        else
            is_partner[partner[j]] = 1;
    for (uint64_t i = 0; i < rows->n && status == PC_OK; i++)
        if (!is_partner[i])
            status = fail_missing(context, "row", rows, i, factor + 1, "column", factor);
    pci_free(context, is_partner);
    return status;
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

/* ---- The chain ------------------------------------------------------------------------------- */

static void describe(pc_chain *chain, const pc_relation *first, const pc_relation *last,
                     long double limit)
{
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
}

/* The relation that factor f is, read backwards where that is asked. A relation is turned once. */
static pc_status turn_factor(pc_chain *chain, const pc_relation *const *given,
                             const int *transposed, uint32_t f, const pc_relation **factor)
{
    *factor = given[f];
    if (!given[f])
        return pci_fail(chain->context, PC_ERR_ARGUMENT, "factor %" PRIu32 " is NULL", f + 1);
    if (!transposed || !transposed[f])
        return PC_OK;
    pc_status status = PC_OK;
    uint32_t same = 0;
    while (same < f && !(given[same] == given[f] && chain->turned[same]))
        same++;
    if (same == f)
        status = pci_relation_transpose(chain->context, given[f], &chain->turned[f]);
    *factor = chain->turned[same];
    return status;
}

static pc_status prepare(pc_chain *chain, const pc_relation *const *given, const int *transposed,
                         bool allow_missing, const pc_relation **factors)
{
    uint32_t n = chain->n_factors;
    long double limit;
    pc_status status = PC_OK;
    for (uint32_t f = 0; f < n && status == PC_OK; f++)
        status = turn_factor(chain, given, transposed, f, &factors[f]);
    for (uint32_t f = 0; f < n && status == PC_OK; f++)
        status = match_factor(chain, factors, f, allow_missing);
    if (status == PC_OK)
        status = pci_chain_limit(chain->context, n, chain->factors, &limit);
    if (status != PC_OK)
        return status;
    pci_chain_choose(n, chain->factors, &chain->order);
    describe(chain, factors[0], factors[n - 1], limit);
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
    const pc_relation *read[PCI_MAX_FACTORS];
    pc_chain *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "a chain", sizeof *made);
    made->context = context;
    made->n_factors = n_factors;
    made->n_certify_rounds = count.n_certify_rounds;
    made->factors = pci_alloc_zero(context, n_factors, sizeof *made->factors);
    made->turned = pci_alloc_zero(context, n_factors, sizeof *made->turned);
    status = made->factors && made->turned
                 ? prepare(made, factors, transposed, allow_missing, read)
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
