/* The length L of a recurrence, found modulo one prime before it is planned: the recurrence of a large graph may be short, and
 * then takes little memory and time. */
#include "src/recurrence/recurrence.h"

#include "src/core/checksum.h"
#include "src/cpu/modular.h"
#include "src/residues/residues.h"
#include "src/vectors/non_backtracking.h"

enum {
    ASK_EVERY = 1 << 24, /* operations */
    SEED = 1
};

typedef struct sequence {
    const pci_recurrence_plan *plan;
    uint64_t prime;
    int n_threads;
    uint64_t *x, *next, *y; /* [n] */
    pci_non_backtracking
        *walks;                /* of paths that never turn back, of which x is a copy; else NULL */
    uint64_t *a, *c, *scratch; /* [2 N], [2 N + 1], [4 N + 2] */
} sequence;

static void set_all(uint64_t n, uint64_t *vector, uint64_t value)
{
    for (uint64_t v = 0; v < n; v++)
        vector[v] = value;
}

/* The terms are y^T P x, where P counts the paths of i arcs between all vertices. Closed paths and whole matrices obey
 * the recurrence of all entries, which random vectors show. */
static void choose_vectors(sequence *s)
{
    const pc_query *query = &s->plan->query;
    uint64_t n = s->plan->graph->n;
    bool is_pair = s->plan->kind->reads == PCI_READS_ENTRIES;
    bool is_total = s->plan->kind->reads == PCI_READS_TOTAL;
    set_all(n, s->x, !is_pair);
    set_all(n, s->y, !is_pair);
    if (is_pair)
        s->y[*query->from] = s->x[*query->to] = 1;
    for (uint64_t v = 0; v < n && !is_pair && !is_total; v++) {
        s->x[v] = pci_scramble(SEED + v * PCI_RANDOM_STEP) % s->prime;
        s->y[v] = pci_scramble(SEED + (n + v) * PCI_RANDOM_STEP) % s->prime;
    }
}

static pc_status begin_walks(sequence *s)
{
    const pc_graph *graph = s->plan->graph;
    pci_non_backtracking_options options = {
        .n_vectors = 1, .modulus = s->prime, .n_threads = s->n_threads};
    pc_status status = pci_non_backtracking_create(s->plan->context, graph, &options, &s->walks);
    for (uint64_t v = 0; status == PC_OK && v < graph->n; v++)
        pci_non_backtracking_set(s->walks, 0, v, s->x[v]);
    return status;
}

static void step(sequence *s)
{
    const pc_graph *graph = s->plan->graph;
    if (s->walks) {
        pci_non_backtracking_step(s->walks);
        for (uint64_t v = 0; v < graph->n; v++)
            s->x[v] = pci_non_backtracking_residue(s->walks, 0, v);
        return;
    }
    pci_graph_multiply_mod(graph, s->n_threads, s->x, s->prime, s->next);
    uint64_t *swap = s->x;
    s->x = s->next;
    s->next = swap;
}

static pc_status find_terms(sequence *s, const pci_montgomery *m)
{
    const pci_recurrence_plan *plan = s->plan;
    uint64_t n = plan->graph->n, n_terms = 2 * plan->n_dimension;
    uint64_t n_operations = pci_graph_n_arcs(plan->graph) + n, n_done = ASK_EVERY;
    s->n_threads = pci_threads_for(plan->context, (double)n_operations);
    pc_status status = plan->query.paths == PC_PATHS_ALL ? PC_OK : begin_walks(s);
    for (uint64_t i = 0; i < n_terms && status == PC_OK; i++, n_done += n_operations) {
        s->a[i] = pci_montgomery_of(m, pci_dot_mod(n, s->y, 1, s->x, s->prime));
        if (plan->adds_up)
            s->a[i] = i > 0 ? pci_montgomery_add(m, s->a[i], s->a[i - 1]) : 0;
        step(s);
        if (n_done >= ASK_EVERY) {
            status = pci_progress(plan->context, "recurrence", 0);
            n_done = 0;
        }
    }
    pci_non_backtracking_free(s->walks);
    return status;
}

pc_status pci_recurrence_plan_find_length(pci_recurrence_plan *plan)
{
    uint64_t n = plan->graph->n, n_terms = 2 * plan->n_dimension;
    size_t n_words = 3 * n + n_terms + 3 * (n_terms + 1);
    if (n == 0)
        return PC_OK;
    uint64_t *words = pci_alloc(plan->context, n_words * sizeof *words);
    if (!words)
        return pci_fail_memory(plan->context, "the length of a recurrence",
                               n_words * sizeof *words);
    sequence s = {.plan = plan,
                  .prime = plan->prime ? plan->prime : pci_prime_below(UINT64_C(1) << 61),
                  .x = words,
                  .next = words + n,
                  .y = words + 2 * n,
                  .a = words + 3 * n,
                  .c = words + 3 * n + n_terms,
                  .scratch = words + 3 * n + 2 * n_terms + 1};
    pci_montgomery m = pci_montgomery_modulo(s.prime);
    choose_vectors(&s);
    pc_status status = find_terms(&s, &m);
    if (status == PC_OK)
        plan->n_linear = pci_shortest_recurrence(&m, n_terms, s.a, s.c, s.scratch);
    pci_recurrence_plan_set_words(plan);
    pci_free(plan->context, words);
    return status;
}
