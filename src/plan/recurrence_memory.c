/* What a recurrence takes in memory. That depends on its length L, which is found modulo one prime beforehand, and on how
 * wide its coefficients become. Those of the product of x - r over the eigenvalues r of a part of A's spectrum are at most
 * the product of 1 + |r|, and the squares of all |r| add up to no more than those of A's entries do (Schur, 1909). */
#include "src/plan/recurrence_plan.h"

#include "src/core/scramble.h"
#include "src/cpu/modular.h"
#include "src/residues/field.h"
#include "src/residues/prime.h"

#include <math.h>

enum {
    N_PARTS = 3,         /* of a recurrence: coefficients, first terms, numerator */
    MOST_VECTORS = 64,   /* that are sent at once */
    NEW_TERMS = 32,      /* more than twice N, about */
    ASK_EVERY = 1 << 24, /* operations */
    SEED = 1
};

/* ---- Widths ---------------------------------------------------------------------------------- */

/* log2 of a limit of the coefficients. */
static double coefficient_bits(const pci_recurrence_plan *plan)
{
    const pc_graph *graph = plan->graph;
    double n = (double)plan->n_linear, squares = (double)pci_graph_n_arcs(graph);
    double bits = plan->term_bits * n / (2 * (double)plan->n_dimension) + n;
    for (uint64_t a = 0; graph->weight && a < pci_graph_n_arcs(graph); a++)
        squares += (double)graph->weight[a] * (double)graph->weight[a] - 1;
    return plan->query.paths == PC_PATHS_ALL && n > 0 ? fmin(bits, n * log2(1 + sqrt(squares / n)))
                                                      : bits;
}

void pci_recurrence_plan_set_words(pci_recurrence_plan *plan)
{
    enum { PRIME_BITS = 61, MORE_BITS = 4 };
    double bits = plan->term_bits + coefficient_bits(plan) + log2((double)plan->n_linear + 1);
    plan->n_words = plan->prime ? 1 : (uint64_t)ceil((bits + MORE_BITS) / PRIME_BITS) + 1;
}

/* ---- Lengths --------------------------------------------------------------------------------- */

typedef struct sequence {
    const pci_recurrence_plan *plan;
    uint64_t prime;
    uint64_t *x, *next, *y;    /* [n] */
    uint64_t *a, *c, *scratch; /* [2 N], [2 N + 1], [4 N + 2] */
} sequence;

static void set_all(uint64_t n, uint64_t *vector, uint64_t value)
{
    for (uint64_t v = 0; v < n; v++)
        vector[v] = value;
}

/* The terms are y^T A^i x. Closed paths and whole powers obey the minimal polynomial of A, which random vectors show. */
static void choose_vectors(sequence *s)
{
    const pc_query *query = &s->plan->query;
    uint64_t n = s->plan->graph->n;
    bool is_pair = query->kind == PC_QUERY_PAIRS, is_total = query->kind == PC_QUERY_TOTAL;
    set_all(n, s->x, !is_pair);
    set_all(n, s->y, !is_pair);
    if (is_pair)
        s->y[*query->from] = s->x[*query->to] = 1;
    for (uint64_t v = 0; v < n && !is_pair && !is_total; v++) {
        s->x[v] = pci_scramble(SEED + v * PCI_RANDOM_STEP) % s->prime;
        s->y[v] = pci_scramble(SEED + (n + v) * PCI_RANDOM_STEP) % s->prime;
    }
}

static pc_status find_terms(sequence *s, const pci_montgomery *m)
{
    const pci_recurrence_plan *plan = s->plan;
    uint64_t n = plan->graph->n, n_terms = 2 * plan->n_dimension;
    uint64_t step = pci_graph_n_arcs(plan->graph) + n, n_done = ASK_EVERY;
    int n_threads = pci_threads_for(plan->context, (double)step);
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n_terms && status == PC_OK; i++, n_done += step) {
        s->a[i] = pci_montgomery_of(m, pci_dot_mod(n, s->y, 1, s->x, s->prime));
        pci_graph_multiply_mod(plan->graph, n_threads, s->x, s->prime, s->next);
        uint64_t *swap = s->x;
        s->x = s->next;
        s->next = swap;
        if (n_done >= ASK_EVERY) {
            status = pci_progress(plan->context, "recurrence", 0);
            n_done = 0;
        }
    }
    return status;
}

pc_status pci_recurrence_plan_find_length(pci_recurrence_plan *plan)
{
    uint64_t n = plan->graph->n, n_terms = 2 * plan->n_dimension;
    size_t n_words = 3 * n + n_terms + 3 * (n_terms + 1);
    if (plan->query.paths != PC_PATHS_ALL || n == 0)
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

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Words that mpn_sqr and mpn_mul of GMP take for an operand's word, and mpz_get_str with its text and a copy of it for one
 * of the number, at most: measured, for numbers of 10^4 to 3 * 10^6 words. */
static const double SQUARE_WORDS = 5.5, MULTIPLY_WORDS = 6.8, TEXT_WORDS = 12.3;

double pci_recurrence_numbers_bytes(const pci_recurrence_plan *plan)
{
    return 8 * N_PARTS * (double)plan->n_linear * (double)plan->n_words;
}

double pci_recurrence_power_bytes(const pci_recurrence_plan *plan, double bits)
{
    return pci_recurrence_numbers_bytes(plan) +
           8 * (3 + SQUARE_WORDS) * (double)plan->n_linear * (bits / 64 + 2);
}

double pci_recurrence_term_bytes(const pci_recurrence_plan *plan, double bits)
{
    double n = (double)plan->n_linear, n_threads = fmin(n, pci_n_threads(plan->context));
    double half_words = bits / 128 + 2;
    double early_words = (plan->length_bits + plan->extra_bits) / 64 + 2;
    double adding = fmax(3 * n, n + (6 + MULTIPLY_WORDS) * n_threads);
    double text = 6 * n_threads + 2 * TEXT_WORDS;
    double sums = pci_recurrence_numbers_bytes(plan) + 8 * half_words * fmax(adding, text);
    return fmax(sums, pci_recurrence_power_bytes(plan, bits / 2)) + 8 * 2 * n * early_words;
}

double pci_recurrence_search_bytes(const pci_recurrence_plan *plan)
{
    double n = (double)plan->n_dimension, n_terms = 2 * n, n_vectors = fmin(n, MOST_VECTORS);
    double numbers = 2 * pci_recurrence_numbers_bytes(plan) + 8 * N_PARTS * (double)plan->n_linear;
    bool is_trace = plan->query.kind == PC_QUERY_CLOSED;
    double rows = is_trace ? (n_terms + 3 * n_vectors) * n : 5 * n;
    return numbers + 8 * (4 * (n_terms + NEW_TERMS) + rows);
}
