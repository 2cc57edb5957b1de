/* Blocks of vectors in three arithmetics. */
#include "src/query_vectors.h"

#include "src/modular.h"
#include "src/query_doubles.h"

#include <string.h>

struct pci_vectors {
    pc_context *context;
    const pc_graph *graph;
    pc_arithmetic arithmetic;
    uint64_t modulus;
    uint32_t n_vectors, n_limbs;
    int n_threads;
    const pci_sweep_ops *sweeps;
    pci_sweep *sweep; /* exact */
    void **at; /* otherwise [n_vectors + 1]: vectors of words or doubles; the last one is spare */
    int64_t *exponent; /* [n_vectors] of doubles */
};

static int threads_for(const pc_context *context, const pc_graph *graph,
                       const pci_vectors_options *options)
{
    double n_additions = (double)pci_graph_n_arcs(graph);
    if (options->count->arithmetic == PC_EXACT)
        n_additions *= (double)options->n_vectors * options->n_limbs;
    return pci_threads_for(context, n_additions);
}

static pci_sweep_options sweep_options(const pci_vectors_options *options, int n_threads)
{
    return (pci_sweep_options){.n_vectors = options->n_vectors,
                               .length = options->length,
                               .bits = options->bits,
                               .n_threads = n_threads};
}

double pci_vectors_bytes(pc_context *context, const pc_graph *graph,
                         const pci_vectors_options *options)
{
    if (options->count->arithmetic != PC_EXACT)
        return ((double)options->n_vectors + 1) * ((double)graph->n + 3) * sizeof(uint64_t);
    int n_threads = threads_for(context, graph, options);
    pci_sweep_options sweep = sweep_options(options, n_threads);
    return (double)options->sweeps->bytes(graph, &sweep);
}

static pc_status create_exact(pci_vectors *vectors, const pci_vectors_options *options)
{
    pci_sweep_options sweep = sweep_options(options, vectors->n_threads);
    return vectors->sweeps->create(vectors->context, vectors->graph, &sweep, &vectors->sweep);
}

static pc_status create_plain(pci_vectors *vectors)
{
    pc_context *context = vectors->context;
    size_t n = vectors->graph->n, n_all = (size_t)vectors->n_vectors + 1;
    vectors->at = pci_alloc_zero(context, n_all, sizeof *vectors->at);
    vectors->exponent = pci_alloc_zero(context, n_all, sizeof *vectors->exponent);
    bool is_whole = vectors->at && vectors->exponent;
    for (size_t i = 0; i < n_all && is_whole; i++)
        is_whole = (vectors->at[i] = pci_alloc_zero(context, n, sizeof(uint64_t))) != NULL;
    return is_whole ? PC_OK : pci_fail_memory(context, "vectors", n_all * n * sizeof(uint64_t));
}

pc_status pci_vectors_create(pc_context *context, const pc_graph *graph,
                             const pci_vectors_options *options, pci_vectors **vectors)
{
    pci_vectors *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors", sizeof *made);
    *made = (pci_vectors){.context = context,
                          .graph = graph,
                          .arithmetic = options->count->arithmetic,
                          .modulus = options->count->modulus,
                          .n_vectors = options->n_vectors,
                          .n_limbs = options->n_limbs,
                          .sweeps = options->sweeps,
                          .n_threads = threads_for(context, graph, options)};
    pc_status status =
        made->arithmetic == PC_EXACT ? create_exact(made, options) : create_plain(made);
    if (status == PC_OK)
        *vectors = made;
    else
        pci_vectors_free(made);
    return status;
}

void pci_vectors_free(pci_vectors *vectors)
{
    if (!vectors)
        return;
    pc_context *context = vectors->context;
    if (vectors->sweep)
        vectors->sweeps->free(vectors->sweep);
    for (uint32_t i = 0; vectors->at && i <= vectors->n_vectors; i++)
        pci_free(context, vectors->at[i]);
    pci_free(context, vectors->at);
    pci_free(context, vectors->exponent);
    pci_free(context, vectors);
}

void pci_vectors_clear(pci_vectors *vectors)
{
    if (vectors->sweep) {
        vectors->sweeps->clear(vectors->sweep);
        return;
    }
    for (uint32_t i = 0; i < vectors->n_vectors; i++) {
        memset(vectors->at[i], 0, vectors->graph->n * sizeof(uint64_t)); /* 0.0 too */
        vectors->exponent[i] = 0;
    }
}

void pci_vectors_set(pci_vectors *vectors, uint32_t vector, uint64_t vertex)
{
    if (vectors->sweep)
        vectors->sweeps->add(vectors->sweep, vector, vertex, 1);
    else if (vectors->arithmetic == PC_MODULAR)
        ((uint64_t *)vectors->at[vector])[vertex] = 1;
    else
        ((double *)vectors->at[vector])[vertex] = 1;
}

pc_status pci_vectors_step(pci_vectors *vectors)
{
    if (vectors->sweep)
        return vectors->sweeps->step(vectors->sweep);
    pc_status status = PC_OK;
    void **spare = &vectors->at[vectors->n_vectors];
    for (uint32_t i = 0; i < vectors->n_vectors && status == PC_OK; i++) {
        void **at = &vectors->at[i], *before = *at;
        if (vectors->arithmetic == PC_MODULAR)
            pci_graph_multiply_mod(vectors->graph, vectors->n_threads, before, vectors->modulus,
                                   *spare);
        else
            status = pci_doubles_step(vectors->context, vectors->graph, vectors->n_threads, before,
                                      *spare, &vectors->exponent[i]);
        *at = *spare;
        *spare = before;
    }
    return status;
}

static void add_modular(const pci_vectors *vectors, uint32_t vector, uint64_t *sum)
{
    const uint64_t *x = vectors->at[vector];
    for (uint64_t v = 0; v < vectors->graph->n; v++)
        sum[v] = (sum[v] + x[v]) % vectors->modulus; /* below 2^64: both are below 2^63 */
}

pc_status pci_vectors_add_to(const pci_vectors *vectors, uint32_t n_vectors, pci_vector_rows *rows)
{
    uint64_t n = vectors->graph->n;
    pc_status status = PC_OK;
    if (vectors->sweep)
        return vectors->sweeps->rows(vectors->sweep, n_vectors, vectors->n_limbs, true,
                                     rows->limbs);
    for (uint32_t i = 0; i < n_vectors && status == PC_OK; i++)
        if (vectors->arithmetic == PC_MODULAR)
            add_modular(vectors, i, rows->limbs + i * n);
        else
            status = pci_doubles_add(vectors->context, n, vectors->at[i], vectors->exponent[i],
                                     rows->values + i * n, &rows->exponent[i]);
    return status;
}
