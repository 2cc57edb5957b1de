/* An exclusive or and a product for each word, in lanes, so that a word need not wait for the one before. */
#include "src/core/checksum.h"

#include <string.h>

enum { N_LANES = 4, LANE_BYTES = 8, GROUP_BYTES = N_LANES * LANE_BYTES, PART_BYTES = 1 << 20 };

static const double BYTE_SECONDS = 1e-10;

/* The factor is odd, so words that differ give different results. */
static inline uint64_t mix(uint64_t sum, uint64_t word)
{
    return (sum ^ word) * PCI_RANDOM_STEP;
}

static inline uint64_t word_at(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

uint64_t pci_checksum(const void *bytes, size_t n_bytes, uint64_t seed)
{
    const char *at = bytes;
    uint64_t lane[N_LANES] = {pci_scramble(seed), pci_scramble(seed + 1), pci_scramble(seed + 2),
                              pci_scramble(seed + 3)};
    uint64_t words[N_LANES], sum = seed ^ n_bytes;
    for (; n_bytes >= GROUP_BYTES; n_bytes -= GROUP_BYTES, at += GROUP_BYTES) {
#pragma GCC unroll 4 /* lanes are registers then: half the time */
        for (int l = 0; l < N_LANES; l++)
            lane[l] = mix(lane[l], word_at(at + l * LANE_BYTES));
    }
    memset(words, 0, sizeof words);
    if (n_bytes)
        memcpy(words, at, n_bytes);
    for (int l = 0; l < N_LANES; l++)
        sum = pci_scramble(sum ^ mix(lane[l], words[l])) + PCI_RANDOM_STEP;
    return sum;
}

uint64_t pci_checksum_by_threads(const pc_context *context, const void *bytes, size_t n_bytes,
                                 uint64_t seed)
{
    uint64_t n_parts = n_bytes / PART_BYTES + 1, sum = 0;
    int n_threads = pci_threads_worth(context, (double)n_bytes * BYTE_SECONDS);
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(+ : sum) if (n_threads > 1)
    for (uint64_t p = 0; p < n_parts; p++) {
        size_t n_left = n_bytes - p * PART_BYTES;
        sum += pci_checksum((const char *)bytes + p * PART_BYTES,
                            n_left < PART_BYTES ? n_left : PART_BYTES, seed + p);
    }
    return sum;
}
