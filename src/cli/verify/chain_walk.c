/* Vectors of residues sent through relations. */
#include "src/cli/verify/chain_walk.h"

#include "src/cli/text.h"
#include "src/cli/verify/residues.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pc_status out_of_memory(pc_context *context)
{
    return pc_context_fail(context, PC_ERR_MEMORY, "no memory to match the relations");
}

static const pc_labels *rows_of(const cli_chain_walk *chain, uint32_t f)
{
    pc_relation_info info;
    pc_relation_get_info(chain->factors[f], &info);
    return chain->is_transposed[f] ? info.columns : info.rows;
}

static const pc_labels *columns_of(const cli_chain_walk *chain, uint32_t f)
{
    pc_relation_info info;
    pc_relation_get_info(chain->factors[f], &info);
    return chain->is_transposed[f] ? info.rows : info.columns;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

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

/* The labels in the order of their texts, to be freed by free_rows; NULL when there is no memory. */
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

/* For each label of one its place in other; UINT64_MAX: none. To be free()d; NULL: no memory. */
static uint64_t *match(const pc_labels *labels, const pc_labels *other, uint64_t *n_matched)
{
    uint64_t n = pc_labels_count(labels), n_other = pc_labels_count(other);
    uint64_t *place = malloc((n + 1) * sizeof *place);
    named_row *sorted = sort_labels(other);
    *n_matched = 0;
    for (uint64_t i = 0; place != NULL && sorted != NULL && i < n; i++) {
        named_row wanted = {cli_label_raw(labels, i), 0};
        const named_row *found = wanted.label != NULL
                                     ? bsearch(&wanted, sorted, n_other, sizeof *sorted, compare)
                                     : NULL;
        place[i] = found != NULL ? found->row : UINT64_MAX;
        *n_matched += found != NULL;
        bool has_no_memory = wanted.label == NULL;
        free(wanted.label);
        if (has_no_memory) {
            free(place);
            place = NULL;
        }
    }
    if (sorted == NULL) {
        free(place);
        place = NULL;
    }
    free_rows(sorted, n_other);
    return place;
}

static pc_status match_neighbours(pc_context *context, const cli_factor *factors,
                                  bool allow_missing, cli_chain_walk *chain)
{
    char sentence[640];
    for (uint32_t f = 0; f + 1 < chain->n_factors; f++) {
        const pc_labels *columns = columns_of(chain, f), *rows = rows_of(chain, f + 1);
        uint64_t n_matched;
        chain->row_of[f] = match(columns, rows, &n_matched);
        if (chain->row_of[f] == NULL)
            return out_of_memory(context);
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

static pc_status look_whether_square(pc_context *context, cli_chain_walk *chain)
{
    uint64_t n = pc_labels_count(chain->rows), n_matched;
    uint64_t *place = match(chain->rows, chain->columns, &n_matched);
    if (place == NULL)
        return out_of_memory(context);
    chain->is_square = n == pc_labels_count(chain->columns);
    for (uint64_t i = 0; i < n; i++)
        chain->is_square &= place[i] == i;
    free(place);
    return PC_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

pc_status cli_chain_walk_read(pc_context *context, const pc_graph_options *options,
                              uint32_t n_factors, const cli_factor *factors, bool allow_missing,
                              cli_chain_walk *chain)
{
    pc_status status = PC_OK;
    *chain = (cli_chain_walk){.n_factors = n_factors,
                              .factors = calloc(n_factors, sizeof(pc_relation *)),
                              .is_transposed = calloc(n_factors, sizeof(bool)),
                              .row_of = calloc(n_factors, sizeof(uint64_t *))};
    if (chain->factors == NULL || chain->is_transposed == NULL || chain->row_of == NULL)
        return out_of_memory(context);
    for (uint32_t f = 0; f < n_factors && status == PC_OK; f++) {
        chain->is_transposed[f] = factors[f].is_transposed;
        status = pc_relation_read(context, factors[f].path, options, &chain->factors[f]);
    }
    if (status != PC_OK)
        return status == PC_ERR_RANGE ? PC_ERR_DATA : status;
    chain->rows = rows_of(chain, 0);
    chain->columns = columns_of(chain, n_factors - 1);
    status = match_neighbours(context, factors, allow_missing, chain);
    return status == PC_OK ? look_whether_square(context, chain) : status;
}

void cli_chain_walk_free(cli_chain_walk *chain)
{
    for (uint32_t f = 0; f < chain->n_factors; f++) {
        if (chain->factors != NULL)
            pc_relation_free(chain->factors[f]);
        if (chain->row_of != NULL)
            free(chain->row_of[f]);
    }
    free(chain->factors);
    free(chain->is_transposed);
    free(chain->row_of);
    *chain = (cli_chain_walk){0};
}

/* ---- Walks ----------------------------------------------------------------------------------- */

/* y = F x, or F^T x. */
static void multiply(const cli_chain_walk *chain, uint32_t f, uint64_t modulus, const uint64_t *x,
                     uint64_t *y)
{
    pc_relation_info info;
    pc_arcs arcs;
    pc_relation_get_info(chain->factors[f], &info);
    pc_relation_arcs(chain->factors[f], &arcs);
    memset(y, 0, pc_labels_count(rows_of(chain, f)) * sizeof *y);
    for (uint64_t row = 0; row < pc_labels_count(info.rows); row++)
        for (uint64_t e = arcs.row_start[row]; e < arcs.row_start[row + 1]; e++) {
            uint64_t to = chain->is_transposed[f] ? arcs.column[e] : row;
            uint64_t from = chain->is_transposed[f] ? row : arcs.column[e];
            uint64_t weight = arcs.weight != NULL ? arcs.weight[e] % modulus : 1;
            y[to] = (uint64_t)((y[to] + (cli_sum)weight * x[from]) % modulus);
        }
}

/* The largest number of rows or columns of a factor. */
static uint64_t largest_side(const cli_chain_walk *chain)
{
    uint64_t most = 0;
    for (uint32_t f = 0; f < chain->n_factors; f++) {
        uint64_t n_rows = pc_labels_count(rows_of(chain, f));
        uint64_t n_columns = pc_labels_count(columns_of(chain, f));
        most = n_rows > most ? n_rows : most;
        most = n_columns > most ? n_columns : most;
    }
    return most;
}

/* Takes a vector at the columns of the last factor to the rows of the first; at and next change places. */
static void go_through(const cli_chain_walk *chain, uint64_t modulus, uint64_t **at,
                       uint64_t **next)
{
    for (uint32_t f = chain->n_factors; f-- > 0;) {
        multiply(chain, f, modulus, *at, *next);
        if (f > 0) {
            const uint64_t *row_of = chain->row_of[f - 1];
            for (uint64_t c = 0; c < pc_labels_count(columns_of(chain, f - 1)); c++)
                (*at)[c] = row_of[c] != UINT64_MAX ? (*next)[row_of[c]] : 0;
            continue;
        }
        uint64_t *other = *at;
        *at = *next;
        *next = other;
    }
}

bool cli_chain_walk_go(const cli_chain_walk *chain, uint64_t power, uint64_t modulus,
                       const uint64_t *x, uint64_t *y)
{
    uint64_t most = largest_side(chain);
    uint64_t *memory = malloc((2 * most + 1) * sizeof *memory), *at = memory, *next = memory + most;
    if (memory == NULL)
        return false;
    memcpy(at, x, pc_labels_count(chain->columns) * sizeof *at);
    for (uint64_t p = 0; p < power; p++)
        go_through(chain, modulus, &at, &next);
    memcpy(y, at, pc_labels_count(chain->rows) * sizeof *y);
    free(memory);
    return true;
}
