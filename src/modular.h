/* Arithmetic modulo a number of up to 63 bits, and sparse and dense matrix-vector products in it. */
#ifndef PCI_MODULAR_H
#define PCI_MODULAR_H

#include "graphs/graph.h"

static inline uint64_t pci_multiply_mod(uint64_t a, uint64_t b, uint64_t modulus)
{
    return (uint64_t)((unsigned __int128)a * b % modulus);
}

/* sum of a[i * stride] * b[i] mod modulus, n < 2^32; b is reduced, a is any words. */
uint64_t pci_dot_mod(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                     uint64_t modulus);

/* y = A x mod modulus; x is reduced. */
void pci_graph_multiply_mod(const pc_graph *graph, int n_threads, const uint64_t *x,
                            uint64_t modulus, uint64_t *y);

#endif
