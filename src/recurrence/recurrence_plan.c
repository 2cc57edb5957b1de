/* The answers of a graph with n vertices obey a recurrence of at most N = n lengths (Cayley and Hamilton). For paths
 * that never turn back, the state is the last arc. Or it is vectors of d lengths before (src/vectors/non_backtracking.h): their
 * generating function is 1 - z^2 times the inverse of a matrix of polynomials of degree d, which is I for z = 0. So it is
 * a quotient of polynomials, the lower one of degree d n at most, and the upper one, too, as d (n - 1) + 2 <= d n. Sums of
 * the lengths 1 to n divide the quotient by 1 - z: N is greater by 1. */
#include "src/recurrence/recurrence.h"

#include "graphs/partition.h"

#include "src/core/checksum.h"
#include "src/cpu/modular.h"
#include "src/residues/residues.h"
#include "src/vectors/non_backtracking.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_OPERATIONS 0x1p42

enum {
    PRIME_BITS = 60,   /* at least, of a prime that residues are taken modulo */
    N_PARTS = 3,       /* of a recurrence: coefficients, first terms, numerator */
    MOST_VECTORS = 64, /* that are sent at once */
    NEW_TERMS = 32,    /* more than twice N, about */
    LEAST_BOUNDED =
        1024 /* lengths that are bounded, at least: over so many a factor of n is nothing */
};

uint64_t pci_recurrence_dimension(const pc_graph *graph, pc_path_kind paths)
{
    uint64_t n = graph->n, n_arcs = pci_graph_n_arcs(graph);
    if (paths == PC_PATHS_ALL)
        return n > 0 ? n : 1;
    uint64_t of_vectors = (graph->symmetric ? 2 : 3) * n + 1;
    return n_arcs + 1 < of_vectors ? n_arcs + 1 : of_vectors;
}

double pci_recurrence_operations(const pc_graph *graph, const pc_query *query, uint64_t n_dimension,
                                 bool is_of_integers, double step_bits)
{
    bool has_diagonal = pci_kind_row(query->kind)->reads == PCI_READS_DIAGONAL;
    double n_vectors = has_diagonal ? (double)graph->n : 1;
    double pass = (double)pci_graph_n_arcs(graph) + (double)graph->n;
    double n_terms = 2 * (double)n_dimension;
    double n_primes = is_of_integers ? n_terms * step_bits / PRIME_BITS + 1 : 1;
    return n_primes * n_terms * (pass * n_vectors + n_terms);
}

/* Bits that a sum of the lengths up to that one may have more than a limit of each. */
static double sum_bits(const pci_recurrence_plan *plan, uint64_t length)
{
    return plan->adds_up ? pci_log2_up((double)length) : 0;
}

/* Limits of the answers of all lengths. A path of several lengths is one of each. The norm of a power is at most n times
 * its largest entry. */
static pc_status bound(pci_recurrence_plan *plan)
{
    uint64_t n_terms = 2 * plan->n_dimension;
    uint64_t last = n_terms < LEAST_BOUNDED ? LEAST_BOUNDED : n_terms;
    double n_bits = log2((double)plan->graph->n + 1), most = 0;
    double *bits = pci_alloc(plan->context, (last + 1) * sizeof *bits);
    if (!bits)
        return pci_fail_memory(plan->context, "limits of the counts", (last + 1) * sizeof *bits);
    pci_limits *limits = NULL;
    pc_status status;
    if (plan->query.paths != PC_PATHS_ALL)
        status = pci_bound_non_backtracking(plan->context, plan->graph, last, bits);
    else if (!(status = pci_limits_create(plan->context, plan->graph, NULL, last, PCI_MAX_BITS,
                                          &limits)) &&
             !(status = pci_limits_hold(limits, last)))
        memcpy(bits, pci_limits_bits(limits), (last + 1) * sizeof *bits);
    pci_limits_free(limits);
    for (uint64_t l = 0; l <= last && status == PC_OK; l++) {
        most = fmax(most, bits[l]);
        if (l == n_terms)
            plan->term_bits = most + 2 * n_bits + sum_bits(plan, n_terms);
    }
    if (status == PC_OK) {
        plan->length = last;
        plan->length_bits = bits[last] + n_bits;
        plan->extra_bits = most + 3 * n_bits;
    }
    pci_free(plan->context, bits);
    return status;
}

static pc_status check_work(const pci_recurrence_plan *plan)
{
    double step_bits = plan->term_bits / (2 * (double)plan->n_dimension);
    double n = pci_recurrence_operations(plan->graph, &plan->query, plan->n_dimension, !plan->prime,
                                         step_bits);
    if (n <= MOST_OPERATIONS)
        return PC_OK;
    return pci_fail(plan->context, PC_ERR_RANGE,
                    "the recurrence of a graph with %" PRIu64 " vertices and %" PRIu64
                    " arcs takes about 2^%.0f operations, and 2^42 are the most; ask for less than "
                    "--trace, count modulo a prime (--mod), or take a smaller graph",
                    plan->graph->n, pci_graph_n_arcs(plan->graph), log2(n));
}

pc_status pci_recurrence_plan_make(pc_context *context, const pc_graph *graph,
                                   const pc_query *query, uint64_t modulus, int n_rounds,
                                   pci_recurrence_plan *plan)
{
    const pci_question_kind *kind = pci_kind_row(query->kind);
    bool is_vertex = kind->reads == PCI_READS_SUMS, has_pair = kind->reads == PCI_READS_ENTRIES;
    bool is_vector = !kind->is_matrix && kind->reads != PCI_READS_DIAGONAL;
    uint64_t n_more = query->up_to, n_cells = 0;
    pc_status status = PC_OK;
    *plan = (pci_recurrence_plan){.context = context,
                                  .graph = graph,
                                  .query = *query,
                                  .kind = kind,
                                  .adds_up = query->up_to,
                                  .modulus = modulus,
                                  .prime = modulus && pci_is_prime(modulus) ? modulus : 0,
                                  .n_rounds = n_rounds};
    if (is_vertex)
        plan->vertex = query->from ? *query->from : *query->to;
    plan->query.each = 1;
    plan->query.up_to = plan->query.keeps = 0;
    plan->query.partition = NULL;
    if (is_vertex) {
        plan->query.n_asked = 0;
        plan->query.from = plan->query.to = NULL;
    }
    /* A total, a sum of a row and an entry are read off the powers of A times a vector, which have the same entries within
     * each cell of an equitable partition: cells take the place of vertices. */
    plan->n_dimension = pci_recurrence_dimension(graph, query->paths) + n_more;
    if (is_vector && graph->symmetric && !graph->parts && query->paths == PC_PATHS_ALL)
        status = pci_equitable_cells(context, graph, has_pair ? *query->to : graph->n, &n_cells);
    if (status == PC_OK && n_cells > 0 && n_cells + n_more < plan->n_dimension)
        plan->n_dimension = n_cells + n_more;
    /* Where nothing is bounded yet, a graph that is far too large is refused at once. */
    plan->n_linear = plan->n_dimension;
    if (status == PC_OK)
        status = check_work(plan);
    if (status == PC_OK && !plan->prime)
        status = bound(plan);
    if (status != PC_OK)
        return status;
    pci_recurrence_plan_set_words(plan);
    return check_work(plan);
}

/* Coefficients are taken for no wider than half of the terms and a bit for each: it is a guess for memory. */
void pci_recurrence_plan_set_words(pci_recurrence_plan *plan)
{
    double n = (double)plan->n_linear;
    double bits = plan->term_bits * (1 + n / (2 * (double)plan->n_dimension)) + n + log2(n + 1);
    plan->n_words = plan->prime ? 1 : (uint64_t)ceil(bits / PRIME_BITS) + 1;
}

pc_status pci_polynomial_plan_make(pc_context *context, const pc_graph *graph, int n_rounds,
                                   pci_recurrence_plan *plan)
{
    const pc_query matrix = {.kind = PC_QUERY_MATRIX};
    pc_status status = pci_recurrence_plan_make(context, graph, &matrix, 0, n_rounds, plan);
    plan->term_bits += 2 * PCI_RANDOM_VECTOR_BITS;
    plan->extra_bits += 2 * PCI_RANDOM_VECTOR_BITS;
    return status;
}

uint32_t pci_recurrence_short_words(const pci_recurrence_plan *plan)
{
    return (uint32_t)(plan->term_bits / 64) + 1;
}

double pci_recurrence_term_bits(const pci_recurrence_plan *plan, uint64_t length)
{
    return floor((double)length / (double)plan->length) * plan->length_bits + plan->extra_bits +
           sum_bits(plan, length);
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
    double early_words = pci_recurrence_term_bits(plan, plan->length) / 64 + 2;
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

/* ---- The length, found modulo one prime --------------------------------------------------------- */

enum {
    ASK_EVERY = 1 << 24, /* operations */
    SEED = 1
};

/* The terms a[2 N] are y^T P x, where P counts the paths of i arcs between all vertices. Closed paths and whole matrices obey
 * the recurrence of all entries, which random vectors show. words has room for three vectors. */
static pc_status find_length_terms(const pci_recurrence_plan *plan, const pci_montgomery *m,
                                   uint64_t *words, uint64_t *a)
{
    const pc_graph *graph = plan->graph;
    const pc_query *query = &plan->query;
    bool is_pair = plan->kind->reads == PCI_READS_ENTRIES;
    bool is_random = !is_pair && plan->kind->reads != PCI_READS_TOTAL;
    uint64_t n = graph->n, *x = words, *next = words + n, *y = words + 2 * n, prime = m->p;
    uint64_t n_operations = pci_graph_n_arcs(graph) + n, n_done = ASK_EVERY;
    int n_threads = pci_threads_for(plan->context, (double)n_operations);
    pci_non_backtracking *walks = NULL; /* of paths that never turn back, of which x is a copy */
    pci_non_backtracking_options options = {
        .n_vectors = 1, .modulus = prime, .n_threads = n_threads};
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < n; v++) {
        x[v] = is_random ? pci_scramble(SEED + v * PCI_RANDOM_STEP) % prime : !is_pair;
        y[v] = is_random ? pci_scramble(SEED + (n + v) * PCI_RANDOM_STEP) % prime : !is_pair;
    }
    if (is_pair)
        y[*query->from] = x[*query->to] = 1;
    if (query->paths != PC_PATHS_ALL)
        status = pci_non_backtracking_create(plan->context, graph, &options, &walks);
    for (uint64_t v = 0; status == PC_OK && walks && v < n; v++)
        pci_non_backtracking_set(walks, 0, v, x[v]);
    for (uint64_t i = 0; i < 2 * plan->n_dimension && status == PC_OK;
         i++, n_done += n_operations) {
        a[i] = pci_montgomery_of(m, pci_dot_mod(n, y, 1, x, prime));
        if (plan->adds_up)
            a[i] = i > 0 ? pci_montgomery_add(m, a[i], a[i - 1]) : 0;
        if (walks) {
            pci_non_backtracking_step(walks);
            for (uint64_t v = 0; v < n; v++)
                x[v] = pci_non_backtracking_residue(walks, 0, v);
        } else {
            pci_graph_multiply_mod(graph, n_threads, x, prime, next);
            uint64_t *swap = x;
            x = next;
            next = swap;
        }
        if (n_done >= ASK_EVERY) {
            status = pci_progress(plan->context, "recurrence", 0);
            n_done = 0;
        }
    }
    pci_non_backtracking_free(walks);
    return status;
}

pc_status pci_recurrence_plan_find_length(pci_recurrence_plan *plan)
{
    uint64_t n = plan->graph->n, n_terms = 2 * plan->n_dimension;
    size_t n_words = 3 * n + n_terms + 3 * (n_terms + 1);
    if (n == 0)
        return PC_OK;
    uint64_t *words = pci_alloc(plan->context, n_words * sizeof *words), *a = words + 3 * n;
    if (!words)
        return pci_fail_memory(plan->context, "the length of a recurrence",
                               n_words * sizeof *words);
    pci_montgomery m =
        pci_montgomery_modulo(plan->prime ? plan->prime : pci_prime_below(UINT64_C(1) << 61));
    pc_status status = find_length_terms(plan, &m, words, a);
    if (status == PC_OK)
        plan->n_linear = pci_shortest_recurrence(&m, n_terms, a, a + n_terms, a + 2 * n_terms + 1);
    pci_recurrence_plan_set_words(plan);
    pci_free(plan->context, words);
    return status;
}
