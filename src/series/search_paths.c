/* Search path counts of a graph without cycles, and main paths.
 *
 * before(v) is the number of paths from where paths begin to v, after(v) of those from v to where
 * they end, each with the path of no arc where v is such a vertex. Two passes in topological order
 * make them, and arc u -> v has before(u) times after(v) times its multiplicity. The weights of the
 * arcs into a vertex and the paths that begin there must add up to before(v) after(v), and so must
 * the weights of the arcs out of it and the paths that end there. The first sums prove before(v),
 * one vertex after the other, and the others prove after(v). */
#include <gmp.h>

#include "pathcount_spc.h"

#include "src/core/checksum.h"
#include "src/core/number.h"
#include "src/count/methods.h"
#include "src/rows/counts.h"

#include <math.h>
#include <string.h>

enum { ASK_EVERY = 1 << 14 /* vertices */, BEGINS = 1, ENDS = 2, N_SCRATCH = 5 };

#define NO_ARC UINT64_MAX

typedef struct work {
    pc_context *context;
    const pc_graph *graph;
    pc_search_paths paths;
    pc_counts *weights, *total;
    uint32_t *order;          /* [n] */
    uint8_t *role;            /* [n]: BEGINS, ENDS */
    mp_size_t n_words;        /* of a number, which all hold */
    uint64_t *before, *after; /* [n][n_words]; of a main path after is the heaviest way on */
    uint64_t *into;           /* [n][n_words]: weights of the arcs to a vertex, added up */
    uint64_t *sum, *out;      /* [n_words] */
    uint64_t *product;        /* [2 n_words + 1] */
} work;

/* Finds the order and, unless it is set, the width, and clears all numbers. The caller ends w,
 * whatever the status. */
static pc_status begin(work *w)
{
    uint64_t longest, n = w->graph->n;
    pc_status status = pci_graph_need_arcs(w->context, w->graph);
    if (status == PC_OK)
        status = pci_graph_order(w->context, w->graph, &w->order, &longest);
    if (status == PC_OK && !w->order) /* the cycle is named */
        status = pc_graph_longest_path(w->context, w->graph, &longest);
    if (status != PC_OK || !w->order)
        return status != PC_OK ? status : pci_fail_check(w->context, "the graph");
    double *at = pci_alloc(w->context, (n + 1) * sizeof *at);
    if (at && !w->n_words) { /* there are as many paths of no arc as vertices */
        double bits = pci_all_paths_bits(w->graph, w->order, at);
        w->n_words = 1 + (mp_size_t)((2 + fmax(bits, log2((double)n + 1))) / 64);
    }
    pci_free(w->context, at);
    double words = (3.0 * (double)n + N_SCRATCH) * (double)w->n_words;
    double bytes = 8 * (words + (double)w->n_words * (double)pci_graph_n_arcs(w->graph));
    if (at && pci_memory_has(w->context, bytes))
        w->before = pci_alloc_zero(w->context, (size_t)words, sizeof *w->before);
    w->role = pci_alloc_zero(w->context, n + 1, sizeof *w->role);
    if (!w->before || !w->role)
        return pci_fail_memory(w->context, "numbers of paths", (size_t)bytes);
    uint64_t n_numbers = n * (uint64_t)w->n_words;
    w->after = w->before + n_numbers;
    w->into = w->after + n_numbers;
    w->sum = w->into + n_numbers;
    w->out = w->sum + w->n_words;
    w->product = w->out + w->n_words;
    return PC_OK;
}

static void end(work *w)
{
    pci_free(w->context, w->order);
    pci_free(w->context, w->role);
    pci_free(w->context, w->before);
}

/* ---- The passes ------------------------------------------------------------------------------ */

/* Makes before, or after by following the arcs backwards. A vertex that nothing has come to at its
 * turn is a source. */
static pc_status pass(work *w, bool is_backward)
{
    const pc_graph *graph = w->graph;
    uint64_t n = graph->n, *ways = is_backward ? w->after : w->before;
    size_t n_words = (size_t)w->n_words;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t v = w->order[is_backward ? n - 1 - i : i], *own = ways + v * n_words;
        uint64_t first = graph->row_start[v], last = graph->row_start[v + 1];
        if (i % ASK_EVERY == 0 && pci_progress(w->context, "sweep", (double)i / (double)n))
            return PC_ERR_CANCELLED;
        if (is_backward ? w->paths == PC_SPNP || first == last
                        : w->paths != PC_SPC || pci_number_trim(own, n_words) == 0) {
            w->role[v] |= is_backward ? ENDS : BEGINS;
            mpn_add_1(own, own, w->n_words, 1);
        }
        for (uint64_t a = first; a < last; a++) {
            uint64_t *other = ways + graph->column[a] * n_words;
            const uint64_t *from = is_backward ? other : own;
            pci_add_times(n_words, is_backward ? own : other, pci_number_trim(from, n_words), from,
                          pci_graph_weight(graph, a));
        }
    }
    return PC_OK;
}

/* The number of all paths, by the vertices where they begin, or by those where they end. */
static void add_all(const work *w, uint8_t role, uint64_t *sum)
{
    const uint64_t *ways = role == BEGINS ? w->after : w->before;
    mpn_zero(sum, w->n_words);
    for (uint64_t v = 0; v < w->graph->n; v++)
        if (w->role[v] & role) {
            mpn_add_n(sum, sum, ways + v * (uint64_t)w->n_words, w->n_words);
            mpn_sub_1(sum, sum, w->n_words, w->role[v] == (BEGINS | ENDS)); /* that of no arc */
        }
}

/* product[n] = a b times; false when it does not fit. */
static bool multiply(const work *w, const uint64_t *a, const uint64_t *b, uint64_t times,
                     mp_size_t n, uint64_t *product)
{
    mp_size_t n_a = (mp_size_t)pci_number_trim(a, (size_t)w->n_words);
    mp_size_t n_b = (mp_size_t)pci_number_trim(b, (size_t)w->n_words);
    if (n_a < n_b)
        return multiply(w, b, a, times, n, product);
    if (n_b == 0)
        return false;
    mpn_mul(w->product, a, n_a, b, n_b);
    w->product[n_a + n_b] = mpn_mul_1(w->product, w->product, n_a + n_b, times);
    mp_size_t n_whole = (mp_size_t)pci_number_trim(w->product, (size_t)(n_a + n_b + 1));
    if (n_whole > n)
        return false;
    mpn_zero(product, n);
    mpn_copyi(product, w->product, n_whole);
    return true;
}

/* Makes the weights of the arcs out of a vertex whose arcs in have theirs; true when the sums at
 * the vertex agree. */
static bool weigh_from(const work *w, uint64_t v)
{
    const pc_graph *graph = w->graph;
    uint64_t width = (uint64_t)w->n_words, *into = w->into + v * width;
    const uint64_t *before = w->before + v * width, *after = w->after + v * width;
    mp_size_t n = w->weights->n_limbs;
    bool fits = true;
    mpn_zero(w->out, w->n_words);
    for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1] && fits; a++) {
        uint64_t *weight = w->weights->limbs + a * (uint64_t)n;
        uint64_t to = graph->column[a] * width;
        fits = multiply(w, before, w->after + to, pci_graph_weight(graph, a), n, weight);
        mpn_add(w->out, w->out, w->n_words, weight, n);
        mpn_add(w->into + to, w->into + to, w->n_words, weight, n);
    }
    if (w->role[v] & BEGINS)
        mpn_add_n(into, into, after, w->n_words);
    if (w->role[v] & ENDS)
        mpn_add_n(w->out, w->out, before, w->n_words);
    return fits && multiply(w, before, after, 1, w->n_words, w->sum) &&
           mpn_cmp(into, w->sum, w->n_words) == 0 && mpn_cmp(w->out, w->sum, w->n_words) == 0;
}

/* Makes the number of all paths and the weights, certified. */
static pc_status weigh(work *w)
{
    pc_status status = pass(w, false);
    if (status == PC_OK)
        status = pass(w, true);
    if (status != PC_OK)
        return status;
    add_all(w, BEGINS, w->sum);
    add_all(w, ENDS, w->out);
    bool agrees = mpn_cmp(w->sum, w->out, w->n_words) == 0;
    uint32_t n_limbs = (uint32_t)pci_number_trim(w->sum, (size_t)w->n_words);
    n_limbs += n_limbs == 0;
    status = pci_counts_create(w->context, 1, 1, n_limbs, &w->total);
    if (status == PC_OK)
        status = pci_counts_create(w->context, pci_graph_n_arcs(w->graph), 1, n_limbs, &w->weights);
    if (status == PC_OK)
        mpn_copyi(w->total->limbs, w->sum, n_limbs);
    for (uint64_t i = 0; i < w->graph->n && status == PC_OK; i++) {
        if (i % ASK_EVERY == 0)
            status = pci_progress(w->context, "certify", (double)i / (double)w->graph->n);
        agrees = agrees && weigh_from(w, w->order[i]);
    }
    if (status == PC_OK && !agrees)
        status = pci_fail_check(w->context, "the search path counts");
    return status == PC_OK ? pc_graph_check(w->context, w->graph) : status;
}

pc_status pc_search_path_counts(pc_context *context, const pc_graph *graph, pc_search_paths paths,
                                pc_counts **weights, pc_counts **total)
{
    if (!context || !graph || !weights || !total)
        return pci_fail_null(context, "pc_search_path_counts: context, graph, weights or total");
    if (paths < PC_SPC || paths > PC_SPNP)
        return pci_fail(context, PC_ERR_ARGUMENT, "search paths are PC_SPC, PC_SPLC or PC_SPNP");
    work w = {.context = context, .graph = graph, .paths = paths};
    pc_status status = begin(&w);
    if (status == PC_OK)
        status = weigh(&w);
    if (status == PC_OK) {
        *weights = w.weights;
        *total = w.total;
    } else {
        pc_counts_free(w.weights);
        pc_counts_free(w.total);
    }
    end(&w);
    return status;
}

/* ---- Main paths ------------------------------------------------------------------------------ */

/* Returns the first arc out of a vertex with a heavier way than w->out, that of the given arc, or the given one. A way is
 * the weight of its arc and of the heaviest way from there, which is 0 in a local search. */
static uint64_t find_heavier(work *w, uint64_t v, uint64_t arc)
{
    const pc_graph *graph = w->graph;
    mp_size_t n = w->weights->n_limbs;
    for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++) {
        mpn_add(w->sum, w->after + graph->column[a] * (uint64_t)w->n_words, w->n_words,
                w->weights->limbs + a * (uint64_t)n, n);
        if (arc == NO_ARC || mpn_cmp(w->sum, w->out, w->n_words) > 0) {
            mpn_copyi(w->out, w->sum, w->n_words);
            arc = a;
        }
    }
    return arc;
}

/* Fills arc with the main path. */
static pc_status find_path(work *w, bool is_local, uint64_t *arc, uint64_t *n_arcs)
{
    uint64_t n = w->graph->n, next = NO_ARC;
    memset(w->after, 0, n * (uint64_t)w->n_words * sizeof *w->after);
    for (uint64_t i = n; i > 0 && !is_local; i--) {
        uint64_t v = w->order[i - 1];
        if (i % ASK_EVERY == 0 && pci_progress(w->context, "sweep", 1 - (double)i / (double)n))
            return PC_ERR_CANCELLED;
        if (find_heavier(w, v, NO_ARC) != NO_ARC)
            mpn_copyi(w->after + v * (uint64_t)w->n_words, w->out, w->n_words);
    }
    for (uint64_t v = 0; v < n; v++)
        if (!w->role[v]) /* no arc leads there */
            next = find_heavier(w, v, next);
    for (*n_arcs = 0; next != NO_ARC && *n_arcs < n; (*n_arcs)++) {
        arc[*n_arcs] = next;
        next = find_heavier(w, w->graph->column[next], NO_ARC);
    }
    return PC_OK;
}

pc_status pc_main_path(pc_context *context, const pc_graph *graph, const pc_counts *weights,
                       pc_main_path_search search, uint64_t *arc, pc_counts **path)
{
    if (!context || !graph || !weights || !arc || !path)
        return pci_fail_null(context, "pc_main_path: context, graph, weights, arc or path");
    pc_counts given = *weights;
    work w = {.context = context, .graph = graph, .weights = &given};
    w.n_words = (mp_size_t)weights->n_limbs + 1;
    uint64_t n = 0, checksum[2] = {0, 0};
    bool is_local = search == PC_MAIN_PATH_LOCAL;
    pc_status status = begin(&w);
    if (status == PC_OK &&
        (!given.limbs || given.n_columns != 1 || given.n_rows != pci_graph_n_arcs(graph) ||
         (search != PC_MAIN_PATH_GLOBAL && !is_local)))
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "a main path is global or local, of exact weights, one for each arc");
    for (uint64_t a = 0; a < given.n_rows && status == PC_OK; a++)
        w.role[graph->column[a]] = ENDS;
    for (int round = 0; round < 2 && status == PC_OK; round++) {
        status = find_path(&w, is_local, arc, &n);
        checksum[round] = pci_checksum(arc, n * sizeof *arc, n);
    }
    if (status == PC_OK && checksum[0] != checksum[1])
        status = pci_fail_check(context, "the main path");
    if (status == PC_OK)
        status = pc_graph_check(context, graph);
    if (status == PC_OK)
        status = pci_counts_create(context, n, 1, weights->n_limbs, path);
    for (uint64_t i = 0; i < n && status == PC_OK; i++)
        mpn_copyi((*path)->limbs + i * given.n_limbs, given.limbs + arc[i] * given.n_limbs,
                  given.n_limbs);
    end(&w);
    return status;
}
