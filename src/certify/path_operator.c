/* Sparse matrix-vector products, one for each arc of a path. */
#include "src/certify/path_operator.h"

#include "src/cpu/modular.h"

#include <string.h>

enum { ASK_EVERY = 256 };

/* *at = A^length *at modulo prime; other is as long, and the two change places. */
static pc_status walk(const pci_path_operator *paths, uint64_t prime, uint64_t **at,
                      uint64_t **other)
{
    pc_status status = PC_OK;
    int n_threads = pci_threads_for(paths->context, (double)pci_graph_n_arcs(paths->graph));
    for (uint64_t e = 0; e < paths->length && status == PC_OK; e++) {
        if (e % ASK_EVERY == 0)
            status = pci_progress(paths->context, "certify", (double)e / (double)paths->length);
        pci_graph_multiply_mod(paths->graph, n_threads, *at, prime, *other);
        uint64_t *swap = *at;
        *at = *other;
        *other = swap;
    }
    return status;
}

/* to = S^T x: each vertex has the entry of its block. */
static void spread(const pci_path_operator *paths, const uint64_t *x, uint64_t *to)
{
    const pc_partition *partition = paths->partition;
    if (!partition) {
        memcpy(to, x, paths->graph->n * sizeof *to);
        return;
    }
    for (uint64_t v = 0; v < partition->n; v++)
        to[v] = x[partition->block[v]];
}

/* y = S from */
static void gather(const pci_path_operator *paths, const uint64_t *from, uint64_t prime,
                   uint64_t *y)
{
    const pc_partition *partition = paths->partition;
    if (!partition) {
        memcpy(y, from, paths->graph->n * sizeof *y);
        return;
    }
    memset(y, 0, partition->n_blocks * sizeof *y);
    for (uint64_t v = 0; v < partition->n; v++) {
        uint64_t *sum = &y[partition->block[v]];
        *sum = (*sum + from[v]) % prime;
    }
}

static pc_status apply(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    const pci_path_operator *paths = user;
    size_t bytes = 2 * paths->graph->n * sizeof(uint64_t);
    uint64_t *memory = pci_alloc(paths->context, bytes);
    if (!memory)
        return pci_fail_memory(paths->context, "a certificate", bytes);
    uint64_t *at = memory, *other = memory + paths->graph->n;
    spread(paths, x, at);
    pc_status status = walk(paths, prime, &at, &other);
    if (status == PC_OK)
        gather(paths, at, prime, y);
    pci_free(paths->context, memory);
    return status;
}

pci_operator pci_path_operator_map(const pci_path_operator *paths)
{
    uint64_t n = paths->partition ? paths->partition->n_blocks : paths->graph->n;
    return (pci_operator){.n_rows = n, .n_columns = n, .user = (void *)paths, .apply = apply};
}
