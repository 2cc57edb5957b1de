/* Aggregates word by word, with schoolbook carries. */
#include "tests/support/plain_aggregates.h"

#include <string.h>

static void add(uint64_t *sum, const uint64_t *count, uint32_t n_limbs)
{
    uint64_t carry = 0;
    for (uint32_t l = 0; l <= n_limbs; l++) {
        unsigned __int128 digit = (unsigned __int128)sum[l] + (l < n_limbs ? count[l] : 0) + carry;
        sum[l] = (uint64_t)digit;
        carry = (uint64_t)(digit >> 64);
    }
}

static bool is_larger(const uint64_t *a, const uint64_t *b, uint32_t n_limbs)
{
    for (uint32_t l = n_limbs; l-- > 0;)
        if (a[l] != b[l])
            return a[l] > b[l];
    return false;
}

void plain_record(const uint64_t *counts, const uint64_t *size, uint64_t n, uint32_t n_limbs,
                  uint64_t row, uint64_t *record)
{
    uint64_t *sum = record, *largest = record + n_limbs + 1, *diagonal = largest + n_limbs;
    memset(record, 0, pci_record_words(n_limbs) * sizeof *record);
    for (uint64_t j = 0; j < n; j++) {
        const uint64_t *count = counts + j * n_limbs;
        bool is_zero = true;
        for (uint32_t l = 0; l < n_limbs; l++)
            is_zero &= count[l] == 0;
        for (uint64_t t = 0; !is_zero && t < (size ? size[j] : 1); t++) {
            record[3 * (size_t)n_limbs + 1]++;
            add(sum, count, n_limbs);
        }
        if (is_larger(count, largest, n_limbs))
            memcpy(largest, count, n_limbs * sizeof *count);
    }
    memcpy(diagonal, counts + row * n_limbs, n_limbs * sizeof *counts);
}

/* The key, bit by bit. */
static uint64_t key_of(const uint64_t *count, uint32_t n_limbs)
{
    uint64_t n_bits = 64 * (uint64_t)n_limbs, key;
    while (n_bits > 0 && !(count[(n_bits - 1) / 64] >> (n_bits - 1) % 64 & 1))
        n_bits--;
    key = n_bits;
    for (uint64_t b = 1; b <= PCI_KEY_FRACTION_BITS; b++) {
        uint64_t at = n_bits - 1 - b;
        key = 2 * key + (n_bits > b ? count[at / 64] >> at % 64 & 1 : 0);
    }
    return key;
}

void plain_cells(const uint64_t *counts, uint64_t n, uint32_t n_limbs, uint64_t row, int copy,
                 pci_cells *cells)
{
    for (uint64_t j = 0; j < n; j++) {
        uint64_t key = key_of(counts + j * n_limbs, n_limbs);
        uint64_t *cell =
            cells->key[copy] + row / cells->row_span * cells->n_across + j / cells->column_span;
        *cell = key > *cell ? key : *cell;
        cells->tally[copy][key >> PCI_KEY_FRACTION_BITS]++;
    }
}

uint64_t plain_dot(const uint64_t *counts, uint64_t n, uint32_t n_limbs, const uint64_t *x,
                   uint64_t modulus)
{
    uint64_t dot = 0;
    for (uint64_t j = 0; j < n; j++) {
        uint64_t count = 0;
        for (uint32_t l = n_limbs; l-- > 0;)
            count =
                (uint64_t)(((unsigned __int128)count << 64 | counts[j * n_limbs + l]) % modulus);
        dot = (uint64_t)((dot + (unsigned __int128)count * x[j]) % modulus);
    }
    return dot;
}

/* sum += a b, modulo 2^(64 n_limbs) */
static void add_product(uint64_t *sum, const uint64_t *a, const uint64_t *b, uint32_t n_limbs)
{
    for (uint32_t i = 0; i < n_limbs; i++) {
        uint64_t carry = 0;
        for (uint32_t j = 0; i + j < n_limbs; j++) {
            unsigned __int128 digit = (unsigned __int128)a[i] * b[j] + sum[i + j] + carry;
            sum[i + j] = (uint64_t)digit;
            carry = (uint64_t)(digit >> 64);
        }
    }
}

/* other = A power */
static void step(const pc_graph *graph, const uint64_t *power, uint32_t n_limbs, uint64_t *other)
{
    uint64_t n = graph->n, weight[256] = {0};
    memset(other, 0, n * n * n_limbs * sizeof *other);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++) {
            weight[0] = graph->weight ? graph->weight[a] : 1;
            for (uint64_t j = 0; j < n; j++)
                add_product(other + (i * n + j) * n_limbs,
                            power + (graph->column[a] * n + j) * n_limbs, weight, n_limbs);
        }
}

void plain_diagonal(const pc_graph *graph, bool is_step, const uint64_t *power, uint32_t n_limbs,
                    uint64_t *other, uint64_t *diagonal)
{
    uint64_t n = graph->n;
    if (is_step)
        step(graph, power, n_limbs, other);
    else
        memcpy(other, power, n * n * n_limbs * sizeof *other);
    memset(diagonal, 0, n * n_limbs * sizeof *diagonal);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            add_product(diagonal + i * n_limbs, power + (i * n + j) * n_limbs,
                        other + (j * n + i) * n_limbs, n_limbs);
}
