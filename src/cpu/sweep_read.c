/* Vectors of a sweep as rows of integers. A sweep has the entries of a vertex together, rows those
 * of a vector: 8 lanes at a time, vertex after vertex, so that 8 rows are written line by line. */
#include "src/cpu/sweep_rows.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { WORD_BITS = 64, LANE_GROUP = 8 };

/* Word number `word` of the entries in n lanes of a line. */
ALWAYS_INLINE void read_word(const pci_sweep_block *block, const uint64_t *line, uint64_t lane,
                             uint64_t n, uint64_t word, const uint32_t n_low, uint64_t *words)
{
    uint64_t begin = word * WORD_BITS, bits = block->limb_bits, part[LANE_GROUP];
    uint64_t limb = begin / bits < n_low ? begin / bits : n_low;
    memset(words, 0, n * sizeof *words);
    for (; limb <= n_low && limb * bits < begin + WORD_BITS; limb++) {
        uint64_t at = limb * bits;
        pci_sweep_get_lanes(line + limb * block->n_lanes,
                            limb < n_low ? sizeof *line : block->format.top_bytes, lane, n, part);
        for (uint64_t v = 0; v < n; v++)
            if (at >= begin)
                words[v] |= part[v] << (at - begin);
            else if (begin - at < WORD_BITS)
                words[v] |= part[v] >> (begin - at);
    }
}

/* The entries in n lanes from `lane` on, to rows from the first one on. */
ALWAYS_INLINE void read_lanes(const pci_sweep_block *block, uint64_t lane, uint64_t n,
                              const uint32_t n_low, const uint32_t n_limbs, const bool adds,
                              uint64_t first, uint64_t end, uint64_t *rows)
{
    size_t row_words = block->n * n_limbs;
    for (uint64_t i = first; i < end; i++) {
        uint64_t *place = rows + i * n_limbs, carry[LANE_GROUP] = {0};
        bool is_live = !block->live || block->live[i];
        for (uint32_t w = 0; w < n_limbs; w++, place++) {
            uint64_t words[LANE_GROUP] = {0};
            if (is_live)
                read_word(block, block->lines + (ptrdiff_t)i * block->stride, lane, n, w, n_low,
                          words);
            for (uint64_t v = 0; v < n; v++)
                if (adds) {
                    unsigned __int128 sum = (unsigned __int128)place[v * row_words] + words[v];
                    sum += carry[v];
                    place[v * row_words] = (uint64_t)sum;
                    carry[v] = (uint64_t)(sum >> WORD_BITS);
                } else {
                    place[v * row_words] = words[v];
                }
        }
    }
}

void pci_sweep_read(const pci_sweep_block *block, uint32_t first_vector, uint32_t n_vectors,
                    uint32_t n_limbs, bool adds, uint64_t first, uint64_t end, uint64_t *rows)
{
    uint32_t n_low = block->format.n_low;
    for (uint64_t v = 0; v < n_vectors; v += LANE_GROUP, rows += LANE_GROUP * block->n * n_limbs) {
        uint64_t n = n_vectors - v < LANE_GROUP ? n_vectors - v : LANE_GROUP;
        uint64_t lane = first_vector + v;
        /* The compiler specialises these cases, which are the most frequent ones. */
        if (n == LANE_GROUP && !adds && n_low == 0 && n_limbs == 1)
            read_lanes(block, lane, LANE_GROUP, 0, 1, false, first, end, rows);
        else if (n == LANE_GROUP && !adds && n_low == 1 && n_limbs == 2)
            read_lanes(block, lane, LANE_GROUP, 1, 2, false, first, end, rows);
        else
            read_lanes(block, lane, n, n_low, n_limbs, adds, first, end, rows);
    }
}
