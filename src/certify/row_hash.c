/* A product and an exclusive or for each word, in lanes, so that a word need not wait for the one before. */
#include "src/certify/row_hash.h"

#include "src/core/scramble.h"

#include <inttypes.h>

enum { N_LANES = 4 };

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * PCI_RANDOM_STEP;
}

/* An odd factor changes every bit above the lowest that differs; the scrambling brings those to all
 * bits of the hash. */
static uint64_t hash_words(size_t n, const uint64_t *words, uint64_t seed)
{
    uint64_t lane[N_LANES], hash = seed;
    size_t i = 0;
    for (int l = 0; l < N_LANES; l++)
        lane[l] = pci_scramble(seed + (uint64_t)l);
    for (; n - i >= N_LANES; i += N_LANES)
        for (int l = 0; l < N_LANES; l++)
            lane[l] = mix(lane[l], words[i + (size_t)l]);
    for (; i < n; i++)
        lane[0] = mix(lane[0], words[i]);
    for (int l = 0; l < N_LANES; l++)
        hash = pci_scramble(hash ^ lane[l]) + PCI_RANDOM_STEP;
    return hash;
}

uint64_t pci_row_hash(const pc_rows *rows, uint64_t row)
{
    size_t n = rows->n_columns;
    if (rows->values)
        return hash_words(n, (const uint64_t *)(rows->values + row * n),
                          pci_scramble((uint64_t)rows->exponent));
    return hash_words(n * rows->n_limbs, rows->limbs + row * n * rows->n_limbs, rows->n_limbs);
}

static int threads_for(pc_context *context, const pc_rows *rows)
{
    double n_words = (double)rows->n_rows * (double)rows->n_columns;
    return pci_threads_for(context, n_words * (rows->n_limbs ? rows->n_limbs : 1));
}

void pci_row_hashes(pc_context *context, const pc_rows *rows, uint64_t *hashes)
{
#pragma omp parallel for num_threads(threads_for(context, rows)) schedule(static)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        hashes[i] = pci_row_hash(rows, i);
}

pc_status pci_row_hashes_check(pc_context *context, const pc_rows *rows, const uint64_t *hashes)
{
    uint64_t wrong = UINT64_MAX;
#pragma omp parallel for num_threads(threads_for(context, rows)) schedule(static)                  \
    reduction(min                                                                                  \
              : wrong)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        if (pci_row_hash(rows, i) != hashes[i])
            wrong = i < wrong ? i : wrong;
    return wrong == UINT64_MAX
               ? PC_OK
               : pci_fail_check(context, "row %" PRIu64 " of the result, computed twice,",
                                rows->first_row + wrong);
}
