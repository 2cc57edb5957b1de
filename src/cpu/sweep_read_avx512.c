/* Vectors of a sweep as rows of integers, with AVX-512: 8 lanes of 8 words are read as registers and transposed, so that
 * each of 8 rows gets 8 words that follow each other. */
#include "src/cpu/sweep_rows.h"

#include <immintrin.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { WORD_BITS = 64, GROUP = 8 /* lanes, and words, of a transposition */ };

/* GROUP lanes of a limb from lane `first` on, as words. */
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
    __m512i pair[GROUP], half[GROUP];
    for (int i = 0; i < GROUP; i += 2) {
        pair[i] = _mm512_unpacklo_epi64(words[i], words[i + 1]);
        pair[i + 1] = _mm512_unpackhi_epi64(words[i], words[i + 1]);
    }
    for (int i = 0; i < GROUP; i += 4)
        for (int odd = 0; odd < 2; odd++) {
            half[i + odd] = _mm512_shuffle_i64x2(pair[i + odd], pair[i + 2 + odd], 0x88);
            half[i + 2 + odd] = _mm512_shuffle_i64x2(pair[i + odd], pair[i + 2 + odd], 0xdd);
        }
    for (int i = 0; i < GROUP / 2; i++) {
        words[i] = _mm512_shuffle_i64x2(half[i], half[i + GROUP / 2], 0x88);
        words[i + GROUP / 2] = _mm512_shuffle_i64x2(half[i], half[i + GROUP / 2], 0xdd);
    }
}

/* The entries in GROUP lanes from `lane` on. Words of a row are numbered through: word w of vertex i is number
 * i n_limbs + w. */
ALWAYS_INLINE void read_lanes(const pci_sweep_block *block, uint64_t lane, const uint32_t n_low,
                              const uint32_t n_limbs, uint64_t first, uint64_t end, uint64_t *rows)
{
    uint64_t vertex = first, row_words = block->n * n_limbs;
    uint32_t word = 0;
    for (uint64_t at = first * n_limbs; at < end * n_limbs; at += GROUP) {
        __m512i words[GROUP];
        uint64_t n = end * n_limbs - at < GROUP ? end * n_limbs - at : GROUP;
        for (uint64_t i = 0; i < GROUP; i++) {
            bool is_there = i < n && (!block->live || block->live[vertex]);
            const uint64_t *line = block->lines + (ptrdiff_t)vertex * block->stride;
            words[i] =
                is_there ? load_word(block, line, lane, word, n_low) : _mm512_setzero_si512();
            word = word + 1 == n_limbs ? 0 : word + 1;
            vertex += word == 0;
        }
        transpose(words);
        for (uint64_t v = 0; v < GROUP; v++)
            _mm512_mask_storeu_epi64(rows + v * row_words + at, (__mmask8)(0xff >> (GROUP - n)),
                                     words[v]);
    }
}

void pci_sweep_read_avx512(const pci_sweep_block *block, uint32_t first_vector, uint32_t n_vectors,
                           uint32_t n_limbs, bool adds, uint64_t first, uint64_t end,
                           uint64_t *rows)
{
    uint32_t n_low = block->format.n_low, v = 0;
    for (; !adds && v + GROUP <= n_vectors; v += GROUP, rows += GROUP * block->n * n_limbs) {
        /* The compiler specialises these cases, which are the most frequent ones. */
        if (n_low == 0 && n_limbs == 1)
            read_lanes(block, first_vector + v, 0, 1, first, end, rows);
        else if (n_low == 1 && n_limbs == 2)
            read_lanes(block, first_vector + v, 1, 2, first, end, rows);
        else
            read_lanes(block, first_vector + v, n_low, n_limbs, first, end, rows);
    }
    if (v < n_vectors)
        pci_sweep_read(block, first_vector + v, n_vectors - v, n_limbs, adds, first, end, rows);
}
