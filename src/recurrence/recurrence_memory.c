/* The memory that a recurrence takes. It depends on its length L, which is found modulo one prime beforehand, and on how
 * wide its coefficients become. Those of the product of x - r over some eigenvalues r of a matrix are at most the product
 * of 1 + |r|, and the squares of all |r| add up to no more than those of the entries do (Schur, 1909). The matrix is A. For
 * paths that never turn back it is that of the recurrence of vectors (src/vectors/non_backtracking.h),
 *
 *     A   (I - D) / t   (S - A) / t^2
 *     t I      0             0
 *     0       t I            0
 *
 * which has the same eigenvalues for all t; without arcs of one way only, its last row and column are left out. */
#include "src/recurrence/recurrence_plan.h"

#include "src/core/checksum.h"
#include "src/cpu/modular.h"
#include "src/residues/field.h"
#include "src/residues/residues.h"
#include "src/vectors/non_backtracking.h"

#include <math.h>

enum {
    N_PARTS = 3,         /* of a recurrence: coefficients, first terms, numerator */
    MOST_VECTORS = 64,   /* that are sent at once */
    NEW_TERMS = 32,      /* more than twice N, about */
    ASK_EVERY = 1 << 24, /* operations */
    SEED = 1
};

/* ---- Widths ---------------------------------------------------------------------------------- */

/* The sum of the squares of the entries of A. */
static double squares_of_entries(const pc_graph *graph)
{
    double squares = (double)pci_graph_n_arcs(graph);
    for (uint64_t a = 0; graph->weight && a < pci_graph_n_arcs(graph); a++)
        squares += (double)graph->weight[a] * (double)graph->weight[a] - 1;
    return squares;
}

/* The same of the matrix of paths that never turn back, for one of the best t. */
static double squares_of_recurrence(const pc_graph *graph)
{
    double n_arcs = (double)pci_graph_n_arcs(graph), n_one_way = 0, squares = 0, least = INFINITY;
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t first = graph->row_start[i], end = graph->row_start[i + 1], n_back = end - first;
        for (uint64_t a = first; a < end && !graph->symmetric; a++)
            n_back -= pci_graph_find_arc(graph, graph->column[a], i) == pci_graph_n_arcs(graph);
        n_one_way += (double)(end - first - n_back);
        squares += ((double)n_back - 1) * ((double)n_back - 1);
    }
    for (double t = 1; t < 0x1p32; t *= 2) /* squared */
        least = fmin(least, n_arcs + squares / t + n_one_way / (t * t) +
                                (graph->symmetric ? 1 : 2) * t * (double)graph->n);
    return least;
}

/* log2 of a limit of the coefficients. */
static double coefficient_bits(const pci_recurrence_plan *plan)
{
    double n = (double)plan->n_linear;
    double squares = plan->query.paths == PC_PATHS_ALL ? squares_of_entries(plan->graph)
                                                       : squares_of_recurrence(plan->graph);
    double bits = plan->term_bits * n / (2 * (double)plan->n_dimension) + n;
    return n > 0 ? fmin(bits, n * log2(1 + sqrt(squares / n))) : bits;
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
    double rows = plan->kind->reads == PCI_READS_DIAGONAL ? (n_terms + 3 * n_vectors) * n : 5 * n;
    return numbers + 8 * (4 * (n_terms + NEW_TERMS) + rows);
}
