/* Vectors of residues sent through relations. */
#include "src/cli/verify/product.h"

#include "src/cli/text.h"
#include "src/cli/verify/residues.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading --------------------------------------------------------------------------------- */

static const pc_labels *rows_of(const cli_product *product, uint32_t f)
{
    pc_relation_info info;
    pc_relation_get_info(product->factors[f], &info);
    return product->is_transposed[f] ? info.columns : info.rows;
}

static const pc_labels *columns_of(const cli_product *product, uint32_t f)
{
    pc_relation_info info;
    pc_relation_get_info(product->factors[f], &info);
    return product->is_transposed[f] ? info.rows : info.columns;
}

typedef struct named_row {
    char *label;
    uint64_t row;
} named_row;

static int compare(const void *a, const void *b)
{
    return strcmp(((const named_row *)a)->label, ((const named_row *)b)->label);
}

static void free_rows(named_row *rows, uint64_t n)
{
    for (uint64_t i = 0; rows != NULL && i < n; i++)
        free(rows[i].label);
    free(rows);
}

/* Returns the labels in the order of their texts, to be freed by free_rows; NULL: no memory. */
static named_row *sort_labels(const pc_labels *labels)
{
    uint64_t n = pc_labels_count(labels);
    named_row *rows = calloc(n + 1, sizeof *rows);
    for (uint64_t i = 0; rows != NULL && i < n; i++) {
        rows[i] = (named_row){cli_label_raw(labels, i), i};
        if (rows[i].label == NULL) {
            free_rows(rows, n);
            return NULL;
        }
    }
    if (rows != NULL)
        qsort(rows, n, sizeof *rows, compare);
    return rows;
}

/* Returns for each of the labels its place among the others, UINT64_MAX where it has none, and counts those that
 * have one. The caller free()s it; NULL: no memory. */
static uint64_t *match(const pc_labels *labels, const pc_labels *others, uint64_t *n_matched)
{
    uint64_t n = pc_labels_count(labels), n_others = pc_labels_count(others), o = 0;
    uint64_t *place = malloc((n + 1) * sizeof *place);
    named_row *rows = sort_labels(labels), *sorted = sort_labels(others);
    bool has_memory = place != NULL && rows != NULL && sorted != NULL;
    *n_matched = 0;
    for (uint64_t i = 0; has_memory && i < n; i++) {
        while (o < n_others && compare(&sorted[o], &rows[i]) < 0)
            o++;
        bool is_found = o < n_others && compare(&sorted[o], &rows[i]) == 0;
        place[rows[i].row] = is_found ? sorted[o].row : UINT64_MAX;
        *n_matched += is_found;
    }
    free_rows(rows, n);
    free_rows(sorted, n_others);
    if (!has_memory) {
        free(place);
        return NULL;
    }
    return place;
}

static pc_status match_neighbours(pc_context *context, const cli_factor *factors,
                                  bool allow_missing, cli_product *product)
{
    char sentence[640];
    for (uint32_t f = 0; f + 1 < product->n_factors; f++) {
        const pc_labels *columns = columns_of(product, f), *rows = rows_of(product, f + 1);
        uint64_t n_matched;
        product->row_of[f] = match(columns, rows, &n_matched);
        if (product->row_of[f] == NULL)
            return pc_context_fail(context, PC_ERR_MEMORY, "no memory to match the relations");
        if (allow_missing ||
            (n_matched == pc_labels_count(columns) && n_matched == pc_labels_count(rows)))
            continue;
        snprintf(sentence, sizeof sentence,
                 "the columns of %.200s have not the labels that the rows of %.200s have "
                 "(--allow-missing lets them)",
                 factors[f].name, factors[f + 1].name);
        return pc_context_fail(context, PC_ERR_DATA, sentence);
    }
    return PC_OK;
}

pc_status cli_product_read(pc_context *context, const pc_graph_options *options, uint32_t n_factors,
                           const cli_factor *factors, bool allow_missing, cli_product *product)
{
    pc_status status = PC_OK;
    *product = (cli_product){.n_factors = n_factors,
                             .factors = calloc(n_factors, sizeof(pc_relation *)),
                             .is_transposed = calloc(n_factors, sizeof(bool)),
                             .row_of = calloc(n_factors, sizeof(uint64_t *))};
    if (product->factors == NULL || product->is_transposed == NULL || product->row_of == NULL)
        return pc_context_fail(context, PC_ERR_MEMORY, "no memory to match the relations");
    for (uint32_t f = 0; f < n_factors && status == PC_OK; f++) {
        product->is_transposed[f] = factors[f].is_transposed;
        status = pc_relation_read(context, factors[f].path, options, &product->factors[f]);
    }
    if (status != PC_OK)
        return status == PC_ERR_RANGE ? PC_ERR_DATA : status;
    product->rows = rows_of(product, 0);
    product->columns = columns_of(product, n_factors - 1);
    return match_neighbours(context, factors, allow_missing, product);
}

void cli_product_free(cli_product *product)
{
    for (uint32_t f = 0; f < product->n_factors; f++) {
        if (product->factors != NULL)
            pc_relation_free(product->factors[f]);
        if (product->row_of != NULL)
            free(product->row_of[f]);
    }
    free(product->factors);
    free(product->is_transposed);
    free(product->row_of);
    *product = (cli_product){0};
}

/* ---- Products -------------------------------------------------------------------------------- */

/* y = F x, or F^T x. */
static void multiply(const cli_product *product, uint32_t f, uint64_t modulus, const uint64_t *x,
                     uint64_t *y)
{
    bool is_transposed = product->is_transposed[f];
    pc_relation_info info;
    pc_relation_get_info(product->factors[f], &info);
    const pc_arcs arcs = info.arcs;
    memset(y, 0, pc_labels_count(rows_of(product, f)) * sizeof *y);
    for (uint64_t row = 0; row < pc_labels_count(info.rows); row++)
        for (uint64_t e = arcs.row_start[row]; e < arcs.row_start[row + 1]; e++) {
            uint64_t to = is_transposed ? arcs.column[e] : row;
            uint64_t from = is_transposed ? row : arcs.column[e];
            uint64_t weight = arcs.weight != NULL ? arcs.weight[e] % modulus : 1;
            y[to] = (uint64_t)((y[to] + (cli_sum)weight * x[from]) % modulus);
        }
}

bool cli_product_times(const cli_product *product, uint64_t power, uint64_t modulus,
                       const uint64_t *x, uint64_t *y)
{
    uint64_t most = 0; /* rows or columns of a factor */
    for (uint32_t f = 0; f < product->n_factors; f++) {
        uint64_t n_rows = pc_labels_count(rows_of(product, f));
        uint64_t n_columns = pc_labels_count(columns_of(product, f));
        most = n_rows > most ? n_rows : most;
        most = n_columns > most ? n_columns : most;
    }
    uint64_t *memory = malloc((2 * most + 1) * sizeof *memory), *at = memory, *next = memory + most;
    if (memory == NULL)
        return false;
    memcpy(at, x, pc_labels_count(product->columns) * sizeof *at);
    for (uint64_t p = 0; p < power; p++) {
        for (uint32_t f = product->n_factors; f-- > 0;) {
            multiply(product, f, modulus, at, next);
            for (uint64_t c = 0; f > 0 && c < pc_labels_count(columns_of(product, f - 1)); c++) {
                uint64_t row = product->row_of[f - 1][c];
                at[c] = row != UINT64_MAX ? next[row] : 0;
            }
        }
        uint64_t *arrived = next;
        next = at;
        at = arrived;
    }
    memcpy(y, at, pc_labels_count(product->rows) * sizeof *y);
    free(memory);
    return true;
}
