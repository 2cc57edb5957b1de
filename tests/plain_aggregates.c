/* Aggregates word by word, with schoolbook carries. */
#include "tests/plain_aggregates.h"

#include <stdbool.h>
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

void plain_record(const uint64_t *counts, uint64_t n, uint32_t n_limbs, uint64_t row,
                  uint64_t *record)
{
    uint64_t *sum = record, *largest = record + n_limbs + 1, *diagonal = largest + n_limbs;
    memset(record, 0, pci_record_words(n_limbs) * sizeof *record);
    for (uint64_t j = 0; j < n; j++) {
        const uint64_t *count = counts + j * n_limbs;
        bool is_zero = true;
        for (uint32_t l = 0; l < n_limbs; l++)
            is_zero &= count[l] == 0;
        record[3 * (size_t)n_limbs + 1] += !is_zero;
        add(sum, count, n_limbs);
        if (is_larger(count, largest, n_limbs))
            memcpy(largest, count, n_limbs * sizeof *count);
    }
    memcpy(diagonal, counts + row * n_limbs, n_limbs * sizeof *counts);
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
