/* Vectors of a sweep as rows of integers, compiled once for each instruction set (PCI_ISA). A sweep has the entries of a
 * vertex together, rows those of a vector: 8 lanes at a time, vertex after vertex, so that 8 rows are written line by
 * line. With AVX-512, 8 lanes of 8 words are read as registers and transposed, so that each of 8 rows gets 8 words that
 * follow each other. */
#include "src/cpu/row_loops.h"

#include <string.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

enum { WORD_BITS = 64, LANE_GROUP = 8 /* lanes, and words, of a transposition */ };

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

/* n_low and n_limbs of the most frequent cases are known to the compiler. */
static void read_vectors(const pci_sweep_block *block, uint32_t first_vector, uint32_t n_vectors,
                         uint32_t n_limbs, bool adds, uint64_t first, uint64_t end, uint64_t *rows)
{
    uint32_t n_low = block->format.n_low;
    for (uint64_t v = 0; v < n_vectors; v += LANE_GROUP, rows += LANE_GROUP * block->n * n_limbs) {
        uint64_t n = n_vectors - v < LANE_GROUP ? n_vectors - v : LANE_GROUP;
        uint64_t lane = first_vector + v;
        if (n == LANE_GROUP && !adds && n_low == 0 && n_limbs == 1)
            read_lanes(block, lane, LANE_GROUP, 0, 1, false, first, end, rows);
        else if (n == LANE_GROUP && !adds && n_low == 1 && n_limbs == 2)
            read_lanes(block, lane, LANE_GROUP, 1, 2, false, first, end, rows);
        else
            read_lanes(block, lane, n, n_low, n_limbs, adds, first, end, rows);
    }
}

#if defined(__AVX512F__)

/* LANE_GROUP lanes of a limb from lane `first` on, as words. */
ALWAYS_INLINE __m512i load_lanes(const uint64_t *limb, uint32_t lane_bytes, uint64_t first)
{
    const uint8_t *at = (const uint8_t *)limb + first * lane_bytes;
    if (lane_bytes == 1)
        return _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)at));
    if (lane_bytes == 2)
        return _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)at));
    if (lane_bytes == 4)
        return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)at));
    return _mm512_loadu_si512(at);
}

/* Word number `word` of the entries in the lanes of a line. Shifts by 64 and more give zero. */
ALWAYS_INLINE __m512i load_word(const pci_sweep_block *block, const uint64_t *line, uint64_t lane,
                                uint64_t word, const uint32_t n_low)
{
    uint64_t begin = word * WORD_BITS, bits = block->limb_bits, first = n_low ? begin / bits : 0;
    __m512i sum = _mm512_setzero_si512();
    for (uint64_t l = first < n_low ? first : n_low; l <= n_low && l * bits < begin + WORD_BITS;
         l++) {
        uint32_t lane_bytes = l < n_low ? sizeof *line : block->format.top_bytes;
        __m512i part = load_lanes(line + l * block->n_lanes, lane_bytes, lane);
        uint64_t at = l * bits;
        part = at >= begin ? _mm512_sll_epi64(part, _mm_cvtsi64_si128((long long)(at - begin)))
                           : _mm512_srl_epi64(part, _mm_cvtsi64_si128((long long)(begin - at)));
        sum = _mm512_or_si512(sum, part);
    }
    return sum;
}

/* words[i] gets number i of each: pairs of rows, then quarters of a register twice. */
ALWAYS_INLINE void transpose(__m512i *words)
{
    __m512i pair[LANE_GROUP], half[LANE_GROUP];
    for (int i = 0; i < LANE_GROUP; i += 2) {
        pair[i] = _mm512_unpacklo_epi64(words[i], words[i + 1]);
        pair[i + 1] = _mm512_unpackhi_epi64(words[i], words[i + 1]);
    }
    for (int i = 0; i < LANE_GROUP; i += 4)
        for (int odd = 0; odd < 2; odd++) {
            half[i + odd] = _mm512_shuffle_i64x2(pair[i + odd], pair[i + 2 + odd], 0x88);
            half[i + 2 + odd] = _mm512_shuffle_i64x2(pair[i + odd], pair[i + 2 + odd], 0xdd);
        }
    for (int i = 0; i < LANE_GROUP / 2; i++) {
        words[i] = _mm512_shuffle_i64x2(half[i], half[i + LANE_GROUP / 2], 0x88);
        words[i + LANE_GROUP / 2] = _mm512_shuffle_i64x2(half[i], half[i + LANE_GROUP / 2], 0xdd);
    }
}

/* The entries in LANE_GROUP lanes from `lane` on. Words of a row are numbered through: word w of vertex i is number
 * i n_limbs + w. */
ALWAYS_INLINE void read_registers(const pci_sweep_block *block, uint64_t lane, const uint32_t n_low,
                                  const uint32_t n_limbs, uint64_t first, uint64_t end,
                                  uint64_t *rows)
{
    uint64_t vertex = first, row_words = block->n * n_limbs;
    uint32_t word = 0;
    for (uint64_t at = first * n_limbs; at < end * n_limbs; at += LANE_GROUP) {
        __m512i words[LANE_GROUP];
        uint64_t n = end * n_limbs - at < LANE_GROUP ? end * n_limbs - at : LANE_GROUP;
        for (uint64_t i = 0; i < LANE_GROUP; i++) {
            bool is_there = i < n && (!block->live || block->live[vertex]);
            const uint64_t *line = block->lines + (ptrdiff_t)vertex * block->stride;
            words[i] =
                is_there ? load_word(block, line, lane, word, n_low) : _mm512_setzero_si512();
            word = word + 1 == n_limbs ? 0 : word + 1;
            vertex += word == 0;
        }
        transpose(words);
        for (uint64_t v = 0; v < LANE_GROUP; v++)
            _mm512_mask_storeu_epi64(rows + v * row_words + at,
                                     (__mmask8)(0xff >> (LANE_GROUP - n)), words[v]);
    }
}

#endif

void PCI_JOIN(pci_sweep_read_, PCI_ISA)(const pci_sweep_block *block, uint32_t first_vector,
                                        uint32_t n_vectors, uint32_t n_limbs, bool adds,
                                        uint64_t first, uint64_t end, uint64_t *rows)
{
    uint32_t v = 0;
#if defined(__AVX512F__)
    uint32_t n_low = block->format.n_low;
    for (; !adds && v + LANE_GROUP <= n_vectors;
         v += LANE_GROUP, rows += LANE_GROUP * block->n * n_limbs) {
        if (n_low == 0 && n_limbs == 1)
            read_registers(block, first_vector + v, 0, 1, first, end, rows);
        else if (n_low == 1 && n_limbs == 2)
            read_registers(block, first_vector + v, 1, 2, first, end, rows);
        else
            read_registers(block, first_vector + v, n_low, n_limbs, first, end, rows);
    }
#endif
    if (v < n_vectors)
        read_vectors(block, first_vector + v, n_vectors - v, n_limbs, adds, first, end, rows);
}
