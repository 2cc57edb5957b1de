/* The errors of doubles, entry by entry. No term is negative, so nothing cancels. A number is a sum of
 * products of entries of A, and each of these products is multiplied by (1 + d), |d| <= u = 2^-53, or
 * divided by it, once for each rounding on its way. When there are at most N roundings on any way, the
 * relative error is at most e^(N u') - 1, u' = u / (1 - u). So it suffices to count roundings:
 *
 * - A weight above 2^53 is rounded once. A product with a weight is another rounding, one with 1 none.
 * - The sum of m terms takes m - 1 additions, whatever their order: adding to 0 or adding 0 is exact.
 * - A square has the roundings of both factors, of the product, and of n - 1 additions.
 * - Scaling by a power of two is exact: nothing underflows, since entries differ by 2^500 at most.
 * - A step of a Markov chain, by compensated sums, is documented to round 8 times (src/vectors/doubles.h).
 *   The terms of second order there, fewer than 2^32 u^2 a sum, are part of SLACK.
 * - Where decimals of weights were rounded, an arc's weight and the sum of its row, by which it is divided, have
 *   their error; it is at most 10^-6, and its square part of SLACK. */

#include "src/count/methods.h"
#include "src/count/sweep_plan.h"

#include <math.h>

#define UNIT  0x1p-53
#define SLACK (1 + 0x1p-16)

static const double MARKOV_STEP = 8;

/* Roundings of sums in a summary, which are of long doubles: one is 2^-11 of one of doubles. */
static const double SUMMARY_ADDITION = 0x1p-11;

/* Roundings of a mean between blocks: two sizes to doubles, their product, the division. */
static const double MEAN = 4;

/* ---- What a graph is like -------------------------------------------------------------------- */

/* Returns the roundings of a weight as a double. */
static double weight_roundings(const pc_graph *graph)
{
    return graph->info.max_weight > UINT64_C(1) << 53;
}

/* Returns the roundings of the product of a weight and a value. */
static double product_roundings(const pc_graph *graph)
{
    return graph->info.max_weight > 1 ? 1 + weight_roundings(graph) : 0;
}

static double additions(double n_terms)
{
    return n_terms > 1 ? n_terms - 1 : 0;
}

static double step_roundings(const pc_graph *graph)
{
    return product_roundings(graph) + additions((double)pci_graph_largest_degree(graph));
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Returns the roundings of the additions of entries of a power, or of a vector, that make a number
 * of the answer. */
static double answer_roundings(const pci_question *question, bool is_matrix)
{
    const pc_query *query = &question->query;
    const pci_question_kind *kind = question->kind;
    double n = (double)question->graph->n, roundings = 0;
    if (kind->is_matrix) {
        double size = query->partition ? (double)query->partition->max_size : 1;
        roundings = additions(is_matrix ? size * size : size) + 2 * n * SUMMARY_ADDITION;
        roundings += query->partition ? MEAN : 0;
    } else if (kind->reads == PCI_READS_TOTAL) {
        roundings = additions(is_matrix ? n * n : n);
    } else if (kind->reads == PCI_READS_SUMS) {
        roundings = is_matrix ? additions(n) : 0;
    }
    return roundings +
           (kind->is_summed ? additions((double)pci_question_shape(question).n_rows) : 0) +
           (query->up_to ? additions((double)query->length) : 0);
}

static pc_status find_vector_roundings(const pci_question *question,
                                       const pci_vectors_plan *vectors, double *roundings)
{
    const pc_graph *graph = question->graph;
    double product = product_roundings(graph), length = (double)question->query.length;
    uint64_t longest = 0; /* column */
    if (question->query.paths == PC_PATHS_MARKOV || !vectors->reversed) {
        *roundings = length * (question->query.paths == PC_PATHS_MARKOV
                                   ? MARKOV_STEP + product + 2 * graph->info.weight_error / UNIT
                                   : step_roundings(graph));
        return PC_OK;
    }
    uint32_t *n_arcs = pci_alloc_zero(question->context, graph->n, sizeof *n_arcs);
    if (!n_arcs)
        return pci_fail_memory(question->context, "lengths of columns", graph->n * sizeof *n_arcs);
    for (uint64_t a = 0; a < pci_graph_n_arcs(graph); a++) {
        uint64_t n = ++n_arcs[graph->column[a]];
        longest = n > longest ? n : longest;
    }
    pci_free(question->context, n_arcs);
    *roundings = length * (product + additions((double)longest));
    return PC_OK;
}

/* An entry of a power of the plan's length L has w 2^m + n (2^m - 1) + s (L - 2^m) roundings: 2^m
 * is the largest power of two up to L; a weight, a square and a step have w, n and s. The number
 * grows with L, because a row has n arcs at most and so s <= n + w. So no shorter length that is
 * asked for has more. */
pc_status pci_relative_error(const pci_question *question, pci_plan *plan)
{
    const pc_graph *graph = question->graph;
    const pc_plan_info *info = &plan->info;
    bool is_matrix = plan->method->makes_matrix;
    double roundings = info->length ? weight_roundings(graph) : 0;
    pc_status status = PC_OK;
    plan->info.relative_error = 0;
    if (question->options.arithmetic != PC_FLOAT)
        return PC_OK;
    for (uint32_t l = 1; is_matrix && info->length && l < info->n_levels; l++)
        roundings = info->levels[l].is_step ? roundings + step_roundings(graph)
                                            : 2 * roundings + (double)graph->n;
    if (!is_matrix)
        status = find_vector_roundings(question, plan->choice, &roundings);
    roundings += answer_roundings(question, is_matrix);
    if (status == PC_OK)
        plan->info.relative_error = expm1(roundings * UNIT * SLACK) * SLACK;
    return status;
}
