/* Counts of paths as a map: a vector x that is sent along the arcs, modulo a prime. One walk gives the right sides of
 * all rows, at all lengths. */
#include "src/certify/certify.h"

#include "src/cpu/modular.h"
#include "src/vectors/non_backtracking.h"

#include <string.h>

enum {
    N_FEW = 2,      /* last steps, of which few entries may be wanted */
    ASK_EVERY = 256 /* steps along arcs */
};

/* The entries of a step that the steps after it read, or the answer. */
typedef struct wanted {
    uint64_t n;
    const uint32_t *vertex; /* ascending; NULL: all */
} wanted;

/* A vector on its way, or two side by side. */
typedef struct walk {
    const pci_path_operator *paths;
    size_t n_vectors;
    const uint64_t *primes; /* [n_vectors] */
    int n_threads;
    uint64_t *z, *other; /* [n][n_vectors] */
    pci_non_backtracking
        *walks; /* of paths that never turn back, of one vector, of which z is a copy; else NULL */
    wanted last[N_FEW]; /* of the last step, and of the one before it */
    void *lists;        /* their memory */
} walk;

static wanted list_marked(uint64_t n, const uint8_t *is_marked, uint32_t *list)
{
    uint64_t n_listed = 0;
    for (uint64_t v = 0; v < n; v++)
        if (is_marked[v])
            list[n_listed++] = (uint32_t)v;
    return (wanted){n_listed, list};
}

/* Lists what few rows want: their own entries from the last step, and the neighbours of these from
 * the one before it, which saves a pass over the arcs and a part of another. */
static pc_status list_wanted(walk *w)
{
    const pci_path_operator *paths = w->paths;
    const pc_graph *graph = paths->graph;
    size_t n = graph->n;
    uint32_t *lists = pci_alloc_zero(paths->context, n, PCI_WANTED_BYTES);
    if (!lists)
        return pci_fail_memory(paths->context, "a certificate", n * PCI_WANTED_BYTES);
    uint8_t *is_wanted = (uint8_t *)(lists + N_FEW * n);
    w->lists = lists;
    for (uint64_t i = 0; i < paths->n_listed; i++)
        is_wanted[paths->listed[i]] = 1;
    w->last[0] = list_marked(n, is_wanted, lists);
    for (uint64_t i = 0; i < w->last[0].n; i++) {
        uint64_t v = w->last[0].vertex[i];
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++)
            is_wanted[graph->column[a]] = 1;
    }
    w->last[1] = list_marked(n, is_wanted, lists + n);
    return PC_OK;
}

/* Makes z of x; each vertex has the entries of its block. */
static pc_status begin(walk *w, const uint64_t *x)
{
    const pci_path_operator *paths = w->paths;
    const pc_graph *graph = paths->graph;
    size_t n = graph->n, bytes = w->n_vectors * n * sizeof *w->z;
    pci_non_backtracking_options options = {
        .n_vectors = 1, .modulus = *w->primes, .n_threads = w->n_threads};
    pc_status status = PC_OK;
    w->z = pci_alloc(paths->context, bytes);
    w->other = pci_alloc(paths->context, bytes);
    if (!w->z || !w->other)
        return pci_fail_memory(paths->context, "a certificate", 2 * bytes);
    if (!paths->partition)
        memcpy(w->z, x, bytes);
    for (uint64_t v = 0; v < n && paths->partition; v++)
        memcpy(w->z + v * w->n_vectors, x + paths->partition->block[v] * w->n_vectors,
               w->n_vectors * sizeof *x);
    if (paths->never_turns)
        status = pci_non_backtracking_create(paths->context, graph, &options, &w->walks);
    for (uint64_t v = 0; w->walks && v < n; v++)
        pci_non_backtracking_set(w->walks, 0, v, x[v]);
    if (w->n_vectors == 2 && status == PC_OK)
        status = pci_graph_prepare_pairs(paths->context, graph);
    bool are_few = paths->listed && w->n_vectors == 2 && !graph->parts;
    return status == PC_OK && are_few ? list_wanted(w) : status;
}

/* left: steps after this one. */
static void step(walk *w, uint64_t left)
{
    const pc_graph *graph = w->paths->graph;
    if (w->walks) {
        pci_non_backtracking_step(w->walks);
        for (uint64_t v = 0; v < graph->n; v++)
            w->z[v] = pci_non_backtracking_residue(w->walks, 0, v);
        return;
    }
    if (left < N_FEW && w->last[left].vertex)
        pci_graph_multiply_mod_pair_at(graph, w->n_threads, w->last[left].n, w->last[left].vertex,
                                       w->z, w->primes, w->other);
    else if (w->n_vectors == 2)
        pci_graph_multiply_mod_pair(graph, w->n_threads, w->z, w->primes, w->other);
    else
        pci_graph_multiply_mod(graph, w->n_threads, w->z, *w->primes, w->other);
    uint64_t *swap = w->z;
    w->z = w->other;
    w->other = swap;
}

/* The rows of a length. */
static uint64_t rows_of(const pci_path_operator *paths)
{
    return paths->partition   ? paths->partition->n_blocks
           : paths->adds_rows ? 1
           : paths->listed    ? paths->n_listed
                              : paths->graph->n;
}

/* Adds z to the rows of a length. */
static void take(const walk *w, uint64_t length, uint64_t *y)
{
    const pci_path_operator *paths = w->paths;
    uint64_t *at = y + (paths->each ? length - 1 : 0) * rows_of(paths) * w->n_vectors;
    uint64_t n = paths->listed ? paths->n_listed : paths->graph->n;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = paths->listed ? paths->listed[i] : i;
        uint64_t row = paths->partition ? paths->partition->block[v] : paths->adds_rows ? 0 : i;
        for (size_t k = 0; k < w->n_vectors; k++) { /* both are below 2^63 */
            uint64_t sum = at[row * w->n_vectors + k] + w->z[v * w->n_vectors + k];
            at[row * w->n_vectors + k] = sum >= w->primes[k] ? sum - w->primes[k] : sum;
        }
    }
}

static pc_status apply_to(const pci_path_operator *paths, size_t n_vectors, const uint64_t *primes,
                          const uint64_t *x, uint64_t *y)
{
    pc_context *context = paths->context;
    uint64_t length = paths->length;
    double n_operations = (double)n_vectors * (double)pci_graph_n_arcs(paths->graph);
    walk w = {.paths = paths,
              .n_vectors = n_vectors,
              .primes = primes,
              .n_threads = pci_threads_for(context, n_operations)};
    pc_status status = begin(&w, x);
    memset(y, 0, (paths->each ? length : 1) * rows_of(paths) * n_vectors * sizeof *y);
    for (uint64_t l = 0; l <= length && status == PC_OK; l++) {
        if (l % ASK_EVERY == 1)
            status = pci_progress(context, "certify", (double)(l - 1) / (double)length);
        if (l > 0 && status == PC_OK)
            step(&w, length - l);
        if (paths->each || paths->up_to ? l > 0 : l == length)
            take(&w, l, y);
    }
    pci_free(context, w.z);
    pci_free(context, w.other);
    pci_free(context, w.lists);
    pci_non_backtracking_free(w.walks);
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
    return (pci_operator){.n_rows = (paths->each ? paths->length : 1) * rows_of(paths),
                          .n_columns =
                              paths->partition ? paths->partition->n_blocks : paths->graph->n,
                          .user = (void *)paths,
                          .apply = apply,
                          .apply_pair = paths->never_turns ? NULL : apply_pair};
}
