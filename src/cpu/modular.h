/* Arithmetic modulo a number of up to 63 bits, and sparse and dense matrix-vector products in
 * it. */
#ifndef PCI_MODULAR_H
#define PCI_MODULAR_H

#include "graphs/graph.h"
#include "src/core/context.h"

static inline uint64_t pci_multiply_mod(uint64_t a, uint64_t b, uint64_t modulus)
{
    return (uint64_t)((unsigned __int128)a * b % modulus);
}

/* low + 2^64 high mod modulus */
static inline uint64_t pci_reduce_sum(unsigned __int128 low, unsigned __int128 high,
                                      uint64_t modulus)
{
    unsigned __int128 top = (high + (low >> 64)) % modulus;
    return (uint64_t)((top << 64 | (uint64_t)low) % modulus);
}

/* low + 2^32 high < 2^93 modulo p, 2^60 <= p < 2^61, with 2^32 / p, in a few instructions: the quotient is below 2^33, so the
 * one in doubles is wrong by at most 1 either way, and what it leaves is in [-p, 2 p). */
static inline uint64_t pci_reduce_few(uint64_t low, uint64_t high, uint64_t p, double inverse)
{
    int64_t quotient = (int64_t)((double)(int64_t)(high + (low >> 32)) * inverse);
    uint64_t value = low + (high << 32) - (uint64_t)quotient * p;
    value += (int64_t)value < 0 ? p : 0;
    return value - (value >= p ? p : 0);
}

/* sum of a[i * stride] * b[i] mod modulus, n < 2^32; b is reduced, a is any words. */
uint64_t pci_dot_mod(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                     uint64_t modulus);

/* y = A x mod modulus; x is reduced. */
void pci_graph_multiply_mod(const pc_graph *graph, int n_threads, const uint64_t *x,
                            uint64_t modulus, uint64_t *y);

/* Two vectors side by side, [n][2], each with a prime of 61 bits of its own: what is read at random
 * is read once for both. */

/* The same sums, dot[0] and dot[1]; a is any words, b is below 2^61. */
void pci_dot_mod_pair(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                      const uint64_t *moduli, uint64_t *dot);

/* Room for these products of a graph in parts, before the first one. PC_ERR_MEMORY. */
static inline pc_status pci_graph_prepare_pairs(pc_context *context, const pc_graph *graph)
{
    return graph->parts ? graph->parts->prepare_pairs(graph->parts, context) : PC_OK;
}

/* y = A x, reduced; x is below 2^61. */
void pci_graph_multiply_mod_pair(const pc_graph *graph, int n_threads, const uint64_t *x,
                                 const uint64_t *moduli, uint64_t *y);

/* Only these rows of y, each once, of a graph that is not in parts; rows NULL: the first n_rows. */
void pci_graph_multiply_mod_pair_at(const pc_graph *graph, int n_threads, uint64_t n_rows,
                                    const uint32_t *rows, const uint64_t *x, const uint64_t *moduli,
                                    uint64_t *y);

/* One step of a single vector of integers over some rows of the graph: an entry of out is the sum of the entries of in
 * that the arcs of its row name. Entries are whole words. Sums are held in 128 bits a word and carried on once a row:
 * where arcs are read in no order, waiting for memory leaves time for the second addition. */
typedef struct pci_vector_pass {
    const pc_graph *graph;
    uint32_t n_in_words, n_out_words; /* of an entry; no fewer of out, which must hold each sum */
    const uint64_t *in;               /* [n][n_in_words] */
    uint64_t *out;                    /* [n][n_out_words] */
} pci_vector_pass;

/* Rows first .. end - 1 of out; returns the bits of the largest. */
uint64_t pci_graph_multiply_words(const pci_vector_pass *pass, uint64_t first, uint64_t end);

/* Rounds of a check modulo this number, at least as many as asked, that let an error pass with a
 * probability below 2^-80; 0 when none are asked for. */
int pci_modular_rounds(uint64_t modulus, int asked);

/* result = p * p, n x n, row-major. */
pc_status pci_square_doubles(pc_context *context, uint64_t n, const double *p, double *result);

#endif
