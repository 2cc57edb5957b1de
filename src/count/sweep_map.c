/* The certificate of the vectors of a query: a random vector sent the other way round, along the
 * arcs turned, modulo a prime. One walk gives the right sides of all vectors at all lengths. */
#include "src/count/sweep_plan.h"

#include "src/cpu/modular.h"
#include "src/vectors/non_backtracking.h"

#include <string.h>

enum { N_FEW = 2 /* last steps, of which few entries may be wanted */ };

/* The entries of a step that the steps after it read, or the answer. */
typedef struct wanted {
    uint64_t n;
    const uint32_t *vertex; /* ascending; NULL: all */
} wanted;

/* The random vector on its way, or two side by side. */
typedef struct walk {
    const pci_vectors_plan *plan;
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

/* left: steps after this one. */
static void step(walk *w, uint64_t left)
{
    if (w->walks) {
        pci_non_backtracking_step(w->walks);
        for (uint64_t v = 0; v < w->plan->against->n; v++)
            w->z[v] = pci_non_backtracking_residue(w->walks, 0, v);
        return;
    }
    if (left < N_FEW && w->last[left].vertex)
        pci_graph_multiply_mod_pair_at(w->plan->against, w->n_threads, w->last[left].n,
                                       w->last[left].vertex, w->z, w->primes, w->other);
    else if (w->n_vectors == 2)
        pci_graph_multiply_mod_pair(w->plan->against, w->n_threads, w->z, w->primes, w->other);
    else
        pci_graph_multiply_mod(w->plan->against, w->n_threads, w->z, *w->primes, w->other);
    uint64_t *swap = w->z;
    w->z = w->other;
    w->other = swap;
}

/* Makes z, and what few vectors want: the answer wants their beginnings from the last step, and
 * the neighbours of these from the one before it, which saves a pass over the arcs and a part of
 * another. */
static pc_status begin(walk *w, const uint64_t *x)
{
    const pci_vectors_plan *plan = w->plan;
    pc_context *context = plan->question->context;
    const pc_graph *graph = plan->against;
    size_t n = graph->n, bytes = w->n_vectors * n * sizeof *w->z;
    pci_non_backtracking_options options = {
        .n_vectors = 1, .modulus = *w->primes, .n_threads = w->n_threads};
    pc_status status = PC_OK;
    w->z = pci_alloc(context, bytes);
    w->other = pci_alloc(context, bytes);
    if (!w->z || !w->other)
        return pci_fail_memory(context, "a certificate", 2 * bytes);
    memcpy(w->z, x, bytes);
    if (plan->question->query.paths == PC_PATHS_NON_BACKTRACKING)
        status = pci_non_backtracking_create(context, graph, &options, &w->walks);
    for (uint64_t v = 0; w->walks && status == PC_OK && v < n; v++)
        pci_non_backtracking_set(w->walks, 0, v, x[v]);
    if (w->n_vectors == 2 && status == PC_OK)
        status = pci_graph_prepare_pairs(context, graph);
    if (plan->from_all || graph->parts || w->n_vectors < 2 || status != PC_OK)
        return status;
    uint32_t *lists = pci_alloc_zero(context, n, PCI_WANTED_BYTES);
    if (!lists)
        return pci_fail_memory(context, "a certificate", n * PCI_WANTED_BYTES);
    uint8_t *is_wanted = (uint8_t *)(lists + N_FEW * n);
    w->lists = lists;
    for (uint64_t i = 0; i < plan->n_vectors; i++)
        is_wanted[pci_vectors_start(plan, i)] = 1;
    w->last[0] = list_marked(n, is_wanted, lists);
    for (uint64_t i = 0; i < w->last[0].n; i++) {
        uint64_t v = w->last[0].vertex[i];
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++)
            is_wanted[graph->column[a]] = 1;
    }
    w->last[1] = list_marked(n, is_wanted, lists + n);
    return PC_OK;
}

/* Adds <z, s> to y for each vector's beginning s, and each z. */
static void take(const walk *w, uint64_t length, uint64_t *y)
{
    const pci_vectors_plan *plan = w->plan;
    uint64_t answer = plan->question->query.up_to ? 0 : pci_vectors_answer_of(plan, length);
    uint64_t *at = y + answer * plan->n_vectors * w->n_vectors;
    for (uint64_t i = 0; i < plan->n_vectors; i++)
        for (size_t k = 0; k < w->n_vectors; k++, at++) {
            uint64_t first = plan->from_all ? 0 : pci_vectors_start(plan, i);
            uint64_t end = plan->from_all ? plan->along->n : first + 1;
            unsigned __int128 sum = *at;
            for (uint64_t v = first; v < end; v++)
                sum += w->z[v * w->n_vectors + k];
            *at = (uint64_t)(sum % w->primes[k]);
        }
}

/* Walks with one vector x, or with two side by side. */
static pc_status apply_to(const pci_vectors_plan *plan, size_t n_vectors, const uint64_t *primes,
                          const uint64_t *x, uint64_t *y)
{
    pc_context *context = plan->question->context;
    uint64_t length = plan->question->query.length;
    double n_operations = (double)n_vectors * (double)pci_graph_n_arcs(plan->against);
    walk w = {.plan = plan,
              .n_vectors = n_vectors,
              .primes = primes,
              .n_threads = pci_threads_for(context, n_operations)};
    pc_status status = begin(&w, x);
    memset(y, 0, pci_vectors_n_answers(plan) * plan->n_vectors * n_vectors * sizeof *y);
    for (uint64_t l = 0; l <= length && status == PC_OK; l++) {
        if (l > 0) {
            status = pci_progress(context, "certify", (double)l / (double)length);
            step(&w, length - l);
        }
        if (pci_vectors_take(plan, l))
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

pci_operator pci_vectors_map(const pci_vectors_plan *plan)
{
    bool turns = plan->question->query.paths != PC_PATHS_NON_BACKTRACKING;
    return (pci_operator){.n_rows = pci_vectors_n_answers(plan) * plan->n_vectors,
                          .n_columns = plan->along->n,
                          .user = (void *)plan,
                          .apply = apply,
                          .apply_pair = turns ? apply_pair : NULL};
}
