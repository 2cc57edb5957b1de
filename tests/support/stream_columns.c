/* Columns: sums of matrices, length by length. */
#include <gmp.h>

#include "tests/support/fixture.h"
#include "tests/support/stream_columns.h"

#include <stdlib.h>

static void add_entries(const integer_matrix *power, bool is_trace, mpz_t count)
{
    for (uint64_t i = 0; i < power->n; i++)
        for (uint64_t j = 0; j < power->n; j++)
            if (!is_trace || i == j)
                mpz_add(count, count, power->entry[i * power->n + j]);
}

static void add_walks(const walk_matrices *walks, uint64_t length, bool is_trace, mpz_t count)
{
    for (uint64_t i = 0; i < walks->n; i++)
        for (uint64_t j = 0; j < walks->n; j++)
            if (!is_trace || i == j)
                mpz_add(count, count, mpq_numref(*walk_entry(walks, length, i, j)));
}

columns columns_of(const edge_set *edges, const pc_stream_query *query, uint64_t modulus)
{
    uint64_t n_lengths = query->each ? query->length : 1;
    bool turns = query->paths == PC_PATHS_ALL;
    columns made = {.n = n_lengths * (uint64_t)(!!query->total + !!query->closed)};
    made.count = calloc(made.n + 1, sizeof *made.count);
    powers all = {0};
    walk_matrices walks = {0};
    if (turns)
        all = powers_of(edges, query->length);
    else
        walks = walks_by_arcs(edges, query->length);
    uint64_t at = 0;
    for (int part = 0; part < 2; part++)
        for (uint64_t l = 0; l < n_lengths && (part == 0 ? query->total : query->closed); l++) {
            uint64_t first = query->each ? l + 1 : query->up_to ? 1 : query->length;
            uint64_t last = query->each ? l + 1 : query->length;
            mpz_init(made.count[at]);
            for (uint64_t length = first; length <= last; length++)
                if (turns)
                    add_entries(&all.power[length], part == 1, made.count[at]);
                else
                    add_walks(&walks, length, part == 1, made.count[at]);
            if (modulus > 0)
                mpz_mod_ui(made.count[at], made.count[at], modulus);
            at++;
        }
    if (turns)
        powers_free(&all);
    else
        walk_matrices_free(&walks);
    return made;
}

void columns_free(columns *made)
{
    for (uint64_t c = 0; c < made->n; c++)
        mpz_clear(made->count[c]);
    free(made->count);
}

bool columns_are(const columns *expected, uint64_t n, uint32_t n_limbs, const uint64_t *counts)
{
    bool same = n == expected->n;
    OWNED(mpz_t) count;
    mpz_init(count);
    for (uint64_t c = 0; c < n && same; c++) {
        mpz_import(count, n_limbs, -1, 8, 0, 0, counts + c * n_limbs);
        same = mpz_cmp(count, expected->count[c]) == 0;
    }
    return same;
}

uint32_t columns_words(const columns *made)
{
    size_t n_words = 1;
    for (uint64_t c = 0; c < made->n; c++) {
        size_t n_bits = mpz_sizeinbase(made->count[c], 2);
        n_words = (n_bits + 63) / 64 > n_words ? (n_bits + 63) / 64 : n_words;
    }
    return (uint32_t)n_words;
}
