/* Sparse matrix-vector products, one for each arc of a path. */
#include "src/certify/certify.h"

#include "src/cpu/modular.h"

#include <string.h>

enum { ASK_EVERY = 256 };

/* *at = A^length *at modulo each of the primes, for 1 or 2 vectors side by side; other is as long, and the
 * two change places. */
static pc_status walk(const pci_path_operator *paths, int n_vectors, const uint64_t *primes,
                      uint64_t **at, uint64_t **other)
{
    pc_status status = PC_OK;
    int n_threads =
        pci_threads_for(paths->context, n_vectors * (double)pci_graph_n_arcs(paths->graph));
    for (uint64_t e = 0; e < paths->length && status == PC_OK; e++) {
        if (e % ASK_EVERY == 0)
            status = pci_progress(paths->context, "certify", (double)e / (double)paths->length);
        if (n_vectors == 2)
            pci_graph_multiply_mod_pair(paths->graph, n_threads, *at, primes, *other);
        else
            pci_graph_multiply_mod(paths->graph, n_threads, *at, *primes, *other);
        uint64_t *swap = *at;
        *at = *other;
        *other = swap;
    }
    return status;
}

/* to = S^T x: each vertex has the entries of its block. */
static void spread(const pci_path_operator *paths, size_t n_vectors, const uint64_t *x,
                   uint64_t *to)
{
    const pc_partition *partition = paths->partition;
    if (!partition) {
        memcpy(to, x, n_vectors * paths->graph->n * sizeof *to);
        return;
    }
    for (uint64_t v = 0; v < partition->n; v++)
        memcpy(to + v * n_vectors, x + partition->block[v] * n_vectors, n_vectors * sizeof *to);
}

/* y = S from */
static void gather(const pci_path_operator *paths, size_t n_vectors, const uint64_t *primes,
                   const uint64_t *from, uint64_t *y)
{
    const pc_partition *partition = paths->partition;
    if (!partition) {
        memcpy(y, from, n_vectors * paths->graph->n * sizeof *y);
        return;
    }
    memset(y, 0, n_vectors * partition->n_blocks * sizeof *y);
    for (uint64_t v = 0; v < partition->n; v++)
        for (size_t k = 0; k < n_vectors; k++) {
            uint64_t *sum = &y[partition->block[v] * n_vectors + k];
            *sum = (*sum + from[v * n_vectors + k]) % primes[k];
        }
}

static pc_status apply_to(const pci_path_operator *paths, int n_vectors, const uint64_t *primes,
                          const uint64_t *x, uint64_t *y)
{
    size_t n_words = (size_t)n_vectors * paths->graph->n, bytes = 2 * n_words * sizeof(uint64_t);
    uint64_t *memory = pci_alloc(paths->context, bytes);
    if (!memory)
        return pci_fail_memory(paths->context, "a certificate", bytes);
    uint64_t *at = memory, *other = memory + n_words;
    spread(paths, (size_t)n_vectors, x, at);
    pc_status status =
        n_vectors == 2 ? pci_graph_prepare_pairs(paths->context, paths->graph) : PC_OK;
    if (status == PC_OK)
        status = walk(paths, n_vectors, primes, &at, &other);
    if (status == PC_OK)
        gather(paths, (size_t)n_vectors, primes, at, y);
    pci_free(paths->context, memory);
    return status;
}

static pc_status apply(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    return apply_to(user, 1, &prime, x, y);
}

static pc_status apply_pair(void *user, const uint64_t *primes, const uint64_t *x, uint64_t *y)
{
    return apply_to(user, 2, primes, x, y);
}

pci_operator pci_path_operator_map(const pci_path_operator *paths)
{
    uint64_t n = paths->partition ? paths->partition->n_blocks : paths->graph->n;
    return (pci_operator){.n_rows = n,
                          .n_columns = n,
                          .user = (void *)paths,
                          .apply = apply,
                          .apply_pair = apply_pair};
}
