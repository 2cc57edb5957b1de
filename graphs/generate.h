/* Random numbers and pairs of vertices for the generators of random graphs. Random numbers depend on the seed and on the number
 * of the object they are for (an edge, a part of the pairs), never on the thread or the time. So
 * the graph does not depend on the number of threads.
 *
 * Edges without repetition are the first M numbers of a random permutation of all pairs. */
#ifndef PCI_GENERATE_H
#define PCI_GENERATE_H

#include "graphs/builder.h"
#include "src/core/checksum.h"

/* ---- Random numbers -------------------------------------------------------------------------- */

/* A sequence of random numbers (SplitMix64). */
typedef struct pci_random {
    uint64_t state;
} pci_random;

/* The sequence of random numbers with this number. The sequences of a seed are independent. */
static inline pci_random pci_random_sequence(uint64_t seed, uint64_t number)
{
    uint64_t key = pci_scramble(seed + PCI_RANDOM_STEP);
    return (pci_random){pci_scramble(key + number * PCI_RANDOM_STEP)};
}

static inline uint64_t pci_random_next(pci_random *random)
{
    return pci_scramble(random->state += PCI_RANDOM_STEP);
}

/* A number 0 .. limit - 1. Limits here are far below 2^64, so that the bias is negligible. */
static inline uint64_t pci_random_below(pci_random *random, uint64_t limit)
{
    return (uint64_t)((unsigned __int128)pci_random_next(random) * limit >> 64);
}

/* Above 0, up to 1. */
static inline double pci_random_unit(pci_random *random)
{
    return (double)((pci_random_next(random) >> 11) + 1) * 0x1p-53;
}

/* ---- Permutations ---------------------------------------------------------------------------- */

enum { PCI_PERMUTATION_ROUNDS = 6 };

/* A random permutation of 0 .. n-1 that takes no memory. It permutes the numbers of as many bits as
 * n - 1 has, by rounds of steps that are each invertible: times an odd number, plus a number, upper
 * bits added to lower ones. A result that is not below n is permuted again until it is, less than
 * twice on average (Black, Rogaway, "Ciphers with arbitrary finite domains", 2002). */
typedef struct pci_permutation {
    uint64_t n, mask;
    int shift;
    uint64_t factor[PCI_PERMUTATION_ROUNDS], addend[PCI_PERMUTATION_ROUNDS];
} pci_permutation;

pci_permutation pci_permutation_random(uint64_t n, pci_random random);

/* The image of a number, which is below n. */
static inline uint64_t pci_permutation_at(const pci_permutation *permutation, uint64_t number)
{
    do
        for (int round = 0; round < PCI_PERMUTATION_ROUNDS; round++) {
            number *= permutation->factor[round];
            number = (number + permutation->addend[round]) & permutation->mask;
            number ^= number >> permutation->shift;
        }
    while (number >= permutation->n);
    return number;
}

/* ---- Pairs of vertices ----------------------------------------------------------------------- */

/* The number of edges that may join different vertices: pairs, ordered when directed. */
uint64_t pci_pairs_count(uint64_t n_vertices, bool directed);

/* Pair number pair of them. */
pci_edge pci_pair_at(uint64_t n_vertices, bool directed, uint64_t pair);

enum { PCI_PART_EDGES = 1 << 16 }; /* one thread at a time draws so many */

/* ---- R-MAT, for tests of the distribution of its edges ---------------------------------------- */

/* A model whose vertices are not numbered at random yet. */
typedef struct pci_rmat {
    uint64_t seed;
    uint32_t scale;
    uint64_t limit[3]; /* a choice below limit[0] of 2^32 is the first quadrant, and so on */
} pci_rmat;

/* The edge of this number. Loops and repeated edges are among them. */
pci_edge pci_rmat_edge(const pci_rmat *rmat, uint64_t number);

/* PC_ERR_ARGUMENT when the options make no sense. */
pc_status pci_rmat_prepare(pc_context *context, const pc_rmat *options, uint64_t seed,
                           pci_rmat *rmat);

#endif
