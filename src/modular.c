/* Sums of products modulo a number: added up in 192 bits, reduced once. */
#include "src/modular.h"

typedef unsigned __int128 u128;

/* low + 2^64 high mod modulus */
static uint64_t reduce_sum(u128 low, u128 high, uint64_t modulus)
{
    u128 top = (high + (low >> 64)) % modulus;
    return (uint64_t)((top << 64 | (uint64_t)low) % modulus);
}

uint64_t pci_dot_mod(size_t n, const uint64_t *a, size_t stride, const uint64_t *b,
                     uint64_t modulus)
{
    u128 low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        u128 product = (u128)a[i * stride] * b[i];
        low += (uint64_t)product;
        high += (uint64_t)(product >> 64);
    }
    return reduce_sum(low, high, modulus);
}

static uint64_t row_dot_mod(const pc_graph *graph, uint64_t i, const uint64_t *x, uint64_t modulus)
{
    u128 low = 0, high = 0;
    for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++) {
        u128 product = (u128)x[graph->column[a]] * (graph->weight ? graph->weight[a] : 1);
        low += (uint64_t)product;
        high += (uint64_t)(product >> 64);
    }
    return reduce_sum(low, high, modulus);
}

void pci_graph_multiply_mod(const pc_graph *graph, int n_threads, const uint64_t *x,
                            uint64_t modulus, uint64_t *y)
{
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 256)
    for (uint64_t i = 0; i < graph->n; i++)
        y[i] = row_dot_mod(graph, i, x, modulus);
}
