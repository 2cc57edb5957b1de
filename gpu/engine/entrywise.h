/* Work on planes entry by entry: everything that a run does on a device in O(n^2) or O(n * arcs).
 *
 * Each function puts its launches into stream and returns its error. Pointers are to
 * device memory unless said otherwise. Planes have the layout of gpu/engine/choose.h. A residue x
 * of a narrow modulus m is one int8, -128 <= x <= 128 wrapped, any representative. A residue of a
 * wide modulus is its digits high, low and high + low (src/residues/residues.h), each in a plane.
 * Rows are given as first_row and n_rows; pointers to rows point to the first entry of
 * first_row. */
#ifndef PCI_GPU_ENTRYWISE_H
#define PCI_GPU_ENTRYWISE_H

#include "gpu/engine/choose.h"
#include "gpu/engine/reduction.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PCI_MAX_NARROW = 49,     /* PCI_N_NARROW of src/residues/residues.h */
    PCI_MAX_LIMB_DIGITS = 12 /* 32-bit digits of a count of narrow moduli: 342 bits */
};

/* ---- The graph on a device: CSR as in graphs/graph.h ----------------------------------------- */

typedef struct pci_gpu_graph {
    uint64_t n, n_arcs;
    const uint64_t *row_start;
    const uint32_t *column;
    const uint64_t *weight; /* NULL: every entry is 1 */

    /* Of a graph with classes (graphs/graph.h); else NULL. */
    const uint64_t *step_weight; /* [n_arcs] of B S + L */
    const uint32_t *size;        /* [n] */
    const uint8_t *is_adjacent;  /* [n]; NULL: no class is */
} pci_gpu_graph;

/* A modulus as the kernels need it. m = 0: a plain plane, whose values are at most 127. */
typedef struct pci_gpu_modulus {
    uint32_t m;
    bool wide;               /* the digits lie plane_bytes apart in the order high, low, sum */
    pci_reduction reduction; /* of a narrow one; of a plain plane: modulo 256 */
} pci_gpu_modulus;

/* plane = A mod m: clears the plane, or three of them, and scatters the arcs. */
cudaError_t pci_gpu_load(const pci_gpu_graph *graph, const pci_gpu_layout *layout,
                         pci_gpu_modulus modulus, int8_t *const digit[3], cudaStream_t stream);

/* words[n_rows][n], below 2^63, to residues in rows first_row .. of the planes digit[]. */
cudaError_t pci_gpu_split(const pci_gpu_layout *layout, const uint64_t *words, uint64_t first_row,
                          uint64_t n_rows, pci_gpu_modulus modulus, int8_t *const digit[3],
                          cudaStream_t stream);

/* The same to n_moduli narrow moduli at once, at most PCI_MAX_NARROW: plane[i] has residues of moduli[i]. */
cudaError_t pci_gpu_split_narrow(const pci_gpu_layout *layout, const uint64_t *words,
                                 uint64_t first_row, uint64_t n_rows, uint32_t n_moduli,
                                 const pci_gpu_modulus *moduli, int8_t *const *plane,
                                 cudaStream_t stream);

/* Digits of the arcs' weights modulo m: digits[3][n_arcs], one row of it when narrow or plain. */
cudaError_t pci_gpu_split_weights(const pci_gpu_graph *graph, pci_gpu_modulus modulus,
                                  int8_t *digits, cudaStream_t stream);

/* ---- Before and after products --------------------------------------------------------------- */

/* Digits high, low and high + low of entries of at most 8191, from their residues modulo 256 and 255; and the maps of
 * the high digits of these planes and of their transposes, as gpu/engine/product.h has them. */
cudaError_t pci_gpu_make_digits(const pci_gpu_layout *layout, const int8_t *mod_256,
                                const int8_t *mod_255, int8_t *const digit[3], uint32_t *left,
                                uint32_t *right, cudaStream_t stream);

/* to = from transposed, padding included. */
cudaError_t pci_gpu_transpose(const pci_gpu_layout *layout, const int8_t *from, int8_t *to,
                              cudaStream_t stream);

/* Accumulators [3][n_rows][n_padded] of digit products (high high, low low, sum sum) to the digits
 * of (hh 2^14 + (ss - hh - ll) 2^7 + ll) mod m, in rows first_row .. of digit[], columns 0 ..
 * n_columns - 1, a multiple of 128. */
cudaError_t pci_gpu_combine_wide(const pci_gpu_layout *layout, const int32_t *raw,
                                 uint64_t first_row, uint64_t n_rows, uint32_t n_columns,
                                 uint32_t m, int8_t *const digit[3], cudaStream_t stream);

/* Accumulators [n_rows][n_padded], non-negative, to residues modulo any modulus. */
cudaError_t pci_gpu_reduce_raw(const pci_gpu_layout *layout, const int32_t *raw, uint64_t first_row,
                               uint64_t n_rows, pci_gpu_modulus modulus, int8_t *const digit[3],
                               cudaStream_t stream);

/* ---- Sums over blocks of vertices ------------------------------------------------------------ */

/* A partition on a device, as in graphs/partition.h. */
typedef struct pci_gpu_blocks {
    uint32_t n_blocks;
    const uint64_t *start;  /* [n_blocks + 1] */
    const uint32_t *vertex; /* [n] */
    /* [tiles + 1], where vertices lie in the order of their blocks, else NULL: the first block that
     * begins in a tile of 128 vertices or after it; at last n_blocks rounded up to whole tiles. */
    const uint32_t *first_block;
} pci_gpu_blocks;

/* A sum over blocks modulo one number. `from` is P modulo the same number, or plain (the first
 * plane only); of a wide P the high and low digits are read. Rows n_blocks .. of `to`, up to whole
 * tiles, become zero; rows beyond that are not written. */
typedef struct pci_gpu_block_sum {
    const int8_t *from[2];
    pci_gpu_modulus modulus;
    int8_t *to[3];
} pci_gpu_block_sum;

/* S P: row b of `to` is the sum of the rows of `from` that belong to block b. */
cudaError_t pci_gpu_sum_rows(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout,
                             bool from_is_wide, uint32_t n_sums,
                             const pci_gpu_block_sum *sums /* on the host */, cudaStream_t stream);

/* S P^T: row b of `to` is the sum of the columns of `from` that belong to block b. Only where
 * first_block is given, and from narrow or plain planes to narrow ones. */
cudaError_t pci_gpu_sum_columns(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout,
                                uint32_t n_sums, const pci_gpu_block_sum *sums /* on the host */,
                                cudaStream_t stream);

/* S P to the targets of rows, and S P^T to those of columns, as by the two functions above; two
 * lists for the same planes and moduli. The same list twice: P is symmetric, and only half of it is
 * read. Same conditions as pci_gpu_sum_columns. */
cudaError_t pci_gpu_sum_both(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout,
                             uint32_t n_sums, const pci_gpu_block_sum *rows /* on the host */,
                             const pci_gpu_block_sum *columns, cudaStream_t stream);

/* ---- The sparse step ------------------------------------------------------------------------- */

/* One plane of A * P: row i is the sum of weight * P[column] over the arcs of row i. A plain P has
 * n_outputs outputs, residues of one sum modulo different numbers; another P has one. weights:
 * digits of pci_gpu_split_weights, NULL when every weight is 1. A narrow or plain P is in[0]; a
 * wide P is in[0..2] and has a wide output. A plain P may have wide outputs when weights are at
 * most 127. */
typedef struct pci_gpu_step_output {
    pci_gpu_modulus modulus;
    int8_t *digit[3];
} pci_gpu_step_output;

cudaError_t pci_gpu_step(const pci_gpu_graph *graph, const pci_gpu_layout *layout,
                         int8_t *const in[3], bool in_is_wide, const int8_t *weights,
                         uint32_t n_outputs, const pci_gpu_step_output *outputs /* on the host */,
                         cudaStream_t stream);

/* ---- Entries between classes (graphs/partition.h) -------------------------------------------- */

/* to = from S: column c times the size of class c. */
cudaError_t pci_gpu_scale_columns(const pci_gpu_graph *graph, const pci_gpu_layout *layout,
                                  pci_gpu_modulus modulus, int8_t *const from[3],
                                  int8_t *const to[3], cudaStream_t stream);

/* to += sign (N J + J N), where N is from, and J is 1 on the diagonal of adjacent classes and else 0. The sign is a
 * residue, no larger than the modulus. */
cudaError_t pci_gpu_add_adjacent(const pci_gpu_graph *graph, const pci_gpu_layout *layout,
                                 pci_gpu_modulus modulus, int32_t sign, int8_t *const from[3],
                                 int8_t *const to[3], cudaStream_t stream);

/* to += sign B J. */
cudaError_t pci_gpu_add_adjacent_arcs(const pci_gpu_graph *graph, const pci_gpu_layout *layout,
                                      pci_gpu_modulus modulus, int32_t sign, int8_t *const to[3],
                                      cudaStream_t stream);

/* ---- The diagonal of a product --------------------------------------------------------------- */

/* Entry i < n of digit[] becomes the product of row i of left[] with row i of right[], modulo `to`: planes of
 * the modulus `from`, which is `to`, or plain ones. */
cudaError_t pci_gpu_multiply_planes(const pci_gpu_layout *layout, int8_t *const left[3],
                                    int8_t *const right[3], pci_gpu_modulus from,
                                    pci_gpu_modulus to, int8_t *const digit[3],
                                    cudaStream_t stream);

/* ---- From residues back: src/residues/crt.h says why this is exact --------------------------- */

/* X = sum x_i W_i - q M for residues x_i (any representative) with W_i = M_i (M_i^-1 mod m_i),
 * which is below M. With f_i = floor(2^32 W_i / M) and T = sum x_i f_i, q = (T + 2^30) >> 32: T
 * differs from 2^32 X / M + 2^32 (integer) by less than 2^30, and X < M / 2. gpu/engine/tables.c
 * makes the tables, which lie in device memory. Digits have 32 bits, least significant first, and
 * are modulo 2^(32 n_digits). */
typedef struct pci_gpu_crt {
    uint32_t r;               /* moduli of the base */
    const uint32_t *fraction; /* [r]: f_i */
} pci_gpu_crt;

/* The planes of the residues. For a narrow base (r <= 49) a list of planes on the host. For any
 * base a list of digits on the device: [r][3] pointers, of which a narrow modulus uses the
 * first. */
typedef struct pci_gpu_residues {
    const int8_t *const *narrow; /* host [r]; NULL when r > 49 */
    const int8_t *const *any;    /* device [r][3] */
    const uint32_t *rows;        /* device [n_rows]: the rows to read; NULL: the first ones */
} pci_gpu_residues;

/* Rows to integers: limbs[n_rows][n][n_digits / 2], words of 64 bits; n_digits is even. weight is
 * [r][n_digits], the digits of W_i; modulus is [n_digits], the digits of M. The pointers of
 * residues point to the first row. */
cudaError_t pci_gpu_collect(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                            const uint32_t *weight, const uint32_t *modulus, uint32_t n_digits,
                            pci_gpu_residues residues, uint64_t n_rows, uint64_t *limbs,
                            cudaStream_t stream);

/* Rows to integers modulo a number below 2^63: weight is [r] of W_i mod number, modulus = M mod
 * number. words[n_rows][n]. */
cudaError_t pci_gpu_collect_modular(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                    const uint64_t *weight, uint64_t modulus, uint64_t number,
                                    pci_gpu_residues residues, uint64_t n_rows, uint64_t *words,
                                    cudaStream_t stream);

/* Rows of a plain plane to integers: limbs[n_rows][n][n_limbs]. */
cudaError_t pci_gpu_collect_plain(const pci_gpu_layout *layout, const int8_t *rows, uint64_t n_rows,
                                  uint32_t n_limbs, uint64_t *limbs, cudaStream_t stream);

/* ---- Aggregates of rows ---------------------------------------------------------------------- */

/* Rows first_row .. of an n x n matrix of integers: limbs[n_rows][n][n_limbs]; n_limbs <= 256. */
typedef struct pci_gpu_rows {
    const uint64_t *limbs;
    uint64_t first_row, n_rows;
    uint32_t n, n_limbs;
    const uint32_t *size; /* [n] how often a column counts, NULL: once; only records know it */
} pci_gpu_rows;

/* Copies of records, [n_rows][3 n_limbs + 2] each, as src/rows/aggregates.h has them. */
enum { PCI_RECORD_COPIES = 2 };
typedef struct pci_gpu_records {
    uint64_t *at[PCI_RECORD_COPIES];
} pci_gpu_records;

/* Computes each copy on its own. */
cudaError_t pci_gpu_aggregate(pci_gpu_rows rows, pci_gpu_records copies, cudaStream_t stream);

/* The grid of src/rows/aggregates.h: key[n_across] of each row of cells, tally[64 n_limbs + 1]. */
typedef struct pci_gpu_cells {
    uint64_t row_span, column_span;
    uint32_t n_across;
    uint64_t *key[PCI_RECORD_COPIES], *tally[PCI_RECORD_COPIES];
} pci_gpu_cells;

/* Adds the rows, of counts of at most PCI_MOST_DRAWN_LIMBS words, to each copy on its own. */
enum { PCI_MOST_DRAWN_LIMBS = 190 };
cudaError_t pci_gpu_draw(pci_gpu_rows rows, pci_gpu_cells cells, cudaStream_t stream);

/* Vectors x[n], whose words are below their moduli, which are below 2^63; results dot[n_rows]. */
enum { PCI_MOST_DOTS = 8 };
typedef struct pci_gpu_dots {
    uint64_t modulus[PCI_MOST_DOTS];
    const uint64_t *x[PCI_MOST_DOTS];
    uint64_t *dot[PCI_MOST_DOTS];
} pci_gpu_dots;

/* The rows times n_dots of the vectors, 1 to PCI_MOST_DOTS. */
cudaError_t pci_gpu_multiply_rows(pci_gpu_rows rows, uint32_t n_dots,
                                  const pci_gpu_dots *dots /* on the host */, cudaStream_t stream);

/* ---- More residues --------------------------------------------------------------------------- */

/* Base extension of n_rows rows to n_new further moduli. weight is [n_new][r]: W_i mod the new
 * modulus, centred when that is narrow. modulus is [n_new]: M mod the new modulus. out has the rows
 * of the new planes; a narrow modulus uses digit[0] only. */
typedef struct pci_gpu_extension {
    pci_gpu_modulus to;
    int8_t *digit[3];
} pci_gpu_extension;

cudaError_t pci_gpu_extend(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                           const int32_t *weight, const int32_t *modulus, pci_gpu_residues residues,
                           uint64_t n_rows, uint32_t n_new,
                           const pci_gpu_extension *out /* on the host */, cudaStream_t stream);

/* The same to those new moduli that are narrow. */
cudaError_t pci_gpu_extend_to_narrow(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                     const int32_t *weight, const int32_t *modulus,
                                     pci_gpu_residues residues, uint64_t n_rows, uint32_t n_new,
                                     const pci_gpu_extension *out /* on the host */,
                                     cudaStream_t stream);

/* ---- The same by mma.sync int8 --------------------------------------------------------------- */

/* Residues to integers, and to further residues: other ways to do what pci_gpu_collect and pci_gpu_extend do. A line is a
 * digit of a residue: one of a narrow modulus, two of a wide one. */
enum {
    PCI_COLLECT_MMA_LEAST = 16, /* moduli from which it is the faster way to integers */
    PCI_MOST_LINES = 256
};

static inline uint32_t pci_n_lines(uint32_t r)
{
    return r <= PCI_MAX_NARROW ? r : PCI_MAX_NARROW + 2 * (r - PCI_MAX_NARROW);
}

/* Whether the current device has the instructions, and the shared memory for the tables of n_digits; the base has
 * at most PCI_MOST_LINES lines. */
bool pci_gpu_can_collect_mma(uint32_t r, uint32_t n_digits);

/* As pci_gpu_collect, where the function above says so. */
cudaError_t pci_gpu_collect_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                const uint32_t *weight, const uint32_t *modulus, uint32_t n_digits,
                                pci_gpu_residues residues, uint64_t n_rows, uint64_t *limbs,
                                cudaStream_t stream);

/* Whether the current device has the instructions for a base of at most PCI_MOST_LINES lines. */
bool pci_gpu_can_extend_mma(uint32_t r);

/* As pci_gpu_extend, where the function above says so. */
cudaError_t pci_gpu_extend_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                               const int32_t *weight, const int32_t *modulus,
                               pci_gpu_residues residues, uint64_t n_rows, uint32_t n_new,
                               const pci_gpu_extension *out /* on the host */, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
