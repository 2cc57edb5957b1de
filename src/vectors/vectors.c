/* Blocks of vectors in three arithmetics, along three kinds of path. */
#include "src/vectors/vectors.h"

#include "src/vectors/doubles.h"
#include "src/cpu/modular.h"
#include "src/vectors/non_backtracking.h"

#include <string.h>

struct pci_vectors {
    pc_context *context;
    const pc_graph *graph;
    pc_arithmetic arithmetic;
    uint64_t modulus;
    pc_path_kind paths;
    uint32_t n_vectors, n_limbs;
    uint64_t length, n_steps; /* to take at most, and taken */
    int n_threads;
    const pci_sweep_ops *sweeps;
    pci_sweep *sweep;            /* integers or residues, of all paths; or NULL */
    pci_non_backtracking *walks; /* of paths that never turn back; or NULL */
    pci_markov markov;
    void **at; /* otherwise [n_vectors + 1]: vectors of words or doubles; the last one is spare */
    int64_t *exponent; /* [n_vectors] of doubles */
};

/* Residues in a single vector are narrower than their sums, in which a sweep has them, so processors send them as
 * they are. */
static bool are_swept(const pci_vectors_options *options)
{
    bool is_narrower = options->sweeps == &pci_sweep_cpu && options->n_vectors == 1;
    if (options->paths != PC_PATHS_ALL || options->count->arithmetic == PC_FLOAT)
        return false;
    return options->count->arithmetic == PC_EXACT || !is_narrower;
}

static bool are_non_backtracking(const pci_vectors_options *options)
{
    return options->paths == PC_PATHS_NON_BACKTRACKING;
}

static int threads_for(const pc_context *context, const pc_graph *graph,
                       const pci_vectors_options *options)
{
    double n_additions = (double)pci_graph_n_arcs(graph);
    if (are_swept(options) || are_non_backtracking(options))
        n_additions *= (double)options->n_vectors * options->n_limbs;
    return pci_threads_for(context, n_additions);
}

static pci_sweep_options sweep_options(const pci_vectors_options *options, int n_threads)
{
    return (pci_sweep_options){.n_vectors = options->n_vectors,
                               .length = options->length,
                               .bits = options->bits,
                               .modulus = options->count->modulus,
                               .n_threads = n_threads};
}

static pci_non_backtracking_options non_backtracking_options(const pci_vectors_options *options,
                                                             int n_threads)
{
    bool is_modular = options->count->arithmetic == PC_MODULAR;
    return (pci_non_backtracking_options){.n_vectors = options->n_vectors,
                                          .modulus = is_modular ? options->count->modulus : 0,
                                          .length = options->length,
                                          .bits = options->bits,
                                          .n_threads = n_threads};
}

double pci_vectors_bytes(pc_context *context, const pc_graph *graph,
                         const pci_vectors_options *options)
{
    int n_threads = threads_for(context, graph, options);
    pci_sweep_options sweep = sweep_options(options, n_threads);
    pci_non_backtracking_options walks = non_backtracking_options(options, n_threads);
    if (are_swept(options))
        return (double)options->sweeps->bytes(graph, &sweep);
    if (are_non_backtracking(options))
        return pci_non_backtracking_bytes(graph, &walks);
    double chain = options->paths == PC_PATHS_MARKOV ? pci_markov_bytes(graph, options->turned) : 0;
    return ((double)options->n_vectors + 1) * ((double)graph->n + 3) * sizeof(uint64_t) + chain;
}

/* made knows all but what it holds. */
static pc_status create_held(const pci_vectors_options *options, pci_vectors *made)
{
    pc_context *context = made->context;
    size_t n = made->graph->n, n_all = (size_t)made->n_vectors + 1;
    pci_sweep_options sweep = sweep_options(options, made->n_threads);
    pci_non_backtracking_options walks = non_backtracking_options(options, made->n_threads);
    if (are_swept(options))
        return made->sweeps->create(context, made->graph, &sweep, &made->sweep);
    if (are_non_backtracking(options))
        return pci_non_backtracking_create(context, made->graph, &walks, &made->walks);
    made->at = pci_alloc_zero(context, n_all, sizeof *made->at);
    made->exponent = pci_alloc_zero(context, n_all, sizeof *made->exponent);
    bool is_whole = made->at && made->exponent;
    for (size_t i = 0; i < n_all && is_whole; i++)
        is_whole = (made->at[i] = pci_alloc_zero(context, n, sizeof(uint64_t))) != NULL;
    if (!is_whole)
        return pci_fail_memory(context, "vectors", n_all * n * sizeof(uint64_t));
    return options->paths == PC_PATHS_MARKOV
               ? pci_markov_init(context, made->graph, options->turned, &made->markov)
               : PC_OK;
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
                          .paths = options->paths,
                          .n_vectors = options->n_vectors,
                          .n_limbs = options->n_limbs,
                          .length = options->length,
                          .sweeps = options->sweeps,
                          .n_threads = threads_for(context, graph, options)};
    pc_status status = create_held(options, made);
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
    pci_non_backtracking_free(vectors->walks);
    pci_markov_free(&vectors->markov);
    for (uint32_t i = 0; vectors->at && i <= vectors->n_vectors; i++)
        pci_free(context, vectors->at[i]);
    pci_free(context, vectors->at);
    pci_free(context, vectors->exponent);
    pci_free(context, vectors);
}

void pci_vectors_clear(pci_vectors *vectors)
{
    vectors->n_steps = 0;
    if (vectors->sweep)
        vectors->sweeps->clear(vectors->sweep);
    else if (vectors->walks)
        pci_non_backtracking_clear(vectors->walks);
    else
        for (uint32_t i = 0; i < vectors->n_vectors; i++) {
            memset(vectors->at[i], 0, vectors->graph->n * sizeof(uint64_t)); /* 0.0 too */
            vectors->exponent[i] = 0;
        }
}

void pci_vectors_set(pci_vectors *vectors, uint32_t vector, uint64_t vertex)
{
    if (vectors->sweep)
        vectors->sweeps->add(vectors->sweep, vector, vertex, 1);
    else if (vectors->walks)
        pci_non_backtracking_set(vectors->walks, vector, vertex, 1);
    else if (vectors->arithmetic == PC_MODULAR)
        ((uint64_t *)vectors->at[vector])[vertex] = 1;
    else
        ((double *)vectors->at[vector])[vertex] = 1;
}

/* y = A x of one of the vectors. */
static pc_status step_plain(pci_vectors *vectors, uint32_t vector, const void *x, void *y)
{
    int n_threads = vectors->n_threads;
    if (vectors->arithmetic == PC_FLOAT && vectors->paths == PC_PATHS_ALL)
        return pci_doubles_step(vectors->context, vectors->graph, n_threads, x, y,
                                &vectors->exponent[vector]);
    if (vectors->arithmetic == PC_FLOAT)
        pci_markov_step(&vectors->markov, n_threads, x, y);
    else
        pci_graph_multiply_mod(vectors->graph, n_threads, x, vectors->modulus, y);
    return PC_OK;
}

pc_status pci_vectors_step(pci_vectors *vectors)
{
    if (vectors->sweep)
        return vectors->sweeps->step(vectors->sweep);
    double fraction = (double)vectors->n_steps / (double)vectors->length;
    pc_status status =
        pci_progress(vectors->context, "sweep", fraction); /* sweeps ask by themselves */
    vectors->n_steps++;
    if (vectors->walks && status == PC_OK)
        pci_non_backtracking_step(vectors->walks);
    if (vectors->walks)
        return status;
    void **spare = &vectors->at[vectors->n_vectors];
    for (uint32_t i = 0; i < vectors->n_vectors && status == PC_OK; i++) {
        void **at = &vectors->at[i], *before = *at;
        status = step_plain(vectors, i, before, *spare);
        *at = *spare;
        *spare = before;
    }
    return status;
}

/* Adds a vector to rows. Probabilities have no exponent, and one may be as small as it likes. */
static pc_status add_vector(const pci_vectors *vectors, uint32_t i, pci_vector_rows *rows)
{
    uint64_t n = vectors->graph->n;
    uint32_t n_limbs = vectors->n_limbs;
    uint64_t *sum = rows->limbs + i * n * n_limbs;
    double *values = rows->values + i * n;
    if (vectors->walks) {
        for (uint64_t v = 0; v < n; v++)
            pci_non_backtracking_add(vectors->walks, i, v, n_limbs, sum + v * n_limbs);
    } else if (vectors->arithmetic == PC_MODULAR) {
        const uint64_t *x = vectors->at[i];
        for (uint64_t v = 0; v < n; v++)
            sum[v] = (sum[v] + x[v]) % vectors->modulus; /* below 2^64: both are below 2^63 */
    } else if (vectors->paths == PC_PATHS_ALL) {
        return pci_doubles_add(vectors->context, n, vectors->at[i], vectors->exponent[i], values,
                               &rows->exponent[i]);
    } else {
        const double *x = vectors->at[i];
        for (uint64_t v = 0; v < n; v++)
            values[v] += x[v];
    }
    return PC_OK;
}

pc_status pci_vectors_read(const pci_vectors *vectors, uint32_t n_vectors, bool adds,
                           pci_vector_rows *rows)
{
    size_t n = (size_t)n_vectors * vectors->graph->n;
    pc_status status = PC_OK;
    if (vectors->sweep) {
        status = vectors->sweeps->rows(vectors->sweep, 0, n_vectors, vectors->n_limbs, adds,
                                       rows->limbs);
        /* Sums of two residues are below 2^64. */
        for (size_t i = 0; vectors->modulus && adds && status == PC_OK && i < n; i++)
            rows->limbs[i] -= rows->limbs[i] >= vectors->modulus ? vectors->modulus : 0;
        return status;
    }
    if (!adds && rows->limbs)
        memset(rows->limbs, 0, n * vectors->n_limbs * sizeof *rows->limbs);
    if (!adds && rows->values) {
        memset(rows->values, 0, n * sizeof *rows->values);
        memset(rows->exponent, 0, n_vectors * sizeof *rows->exponent);
    }
    for (uint32_t i = 0; i < n_vectors && status == PC_OK; i++)
        status = add_vector(vectors, i, rows);
    return status;
}
