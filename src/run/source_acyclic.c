/* A pass in topological order (src/plan/acyclic_plan.h): each vertex passes on what it has, and one for itself where paths
 * begin, along its arcs. Exact numbers are certified as one step; passes modulo a number are made twice, and compared. */
#include <gmp.h>

#include "src/certify/step_check.h"
#include "src/core/number.h"
#include "src/cpu/modular.h"
#include "src/run/run.h"

#include <string.h>

enum { ASK_EVERY = 1 << 14 /* vertices */ };

typedef struct pass {
    pc_context *context;
    const pci_acyclic_plan *plan;
    const pc_graph *graph; /* whose arcs are followed */
    pc_graph *reverse;     /* of those that are followed backwards; else NULL */
    uint32_t *order;       /* [n] */
    uint64_t modulus;      /* 0: exact */
    pci_long_vector sum;   /* of all lengths above 0 */
    pci_long_vector again; /* the same, of residues that are made twice; else no words */
    uint64_t *own;         /* [n_words]: what a vertex passes on */
    pci_step_check *check; /* NULL: unchecked */
    double certify_seconds;
} pass;

/* Adds one, or takes one off, where paths begin: at a vertex, or at each when start is NULL. */
static void add_starts(pass *p, const uint64_t *start, bool adds)
{
    mp_size_t n_words = (mp_size_t)p->plan->n_words;
    uint64_t first = start ? *start : 0, end = start ? first + 1 : p->graph->n;
    for (uint64_t v = first; v < end; v++) {
        uint64_t *at = p->sum.words + v * p->plan->n_words;
        if (adds)
            mpn_add_1(at, at, n_words, 1);
        else
            mpn_sub_1(at, at, n_words, 1);
    }
}

/* With x what is passed on, the sum must be what one step makes of it. */
static pc_status check(pass *p, const uint64_t *start)
{
    double now = pci_now_seconds();
    pc_status status = PC_OK;
    if (p->check) {
        add_starts(p, start, true);
        pci_step_check_start(p->check, &p->sum);
        add_starts(p, start, false);
        status = pci_step_check_step(p->check, &p->sum);
    }
    p->certify_seconds += pci_now_seconds() - now;
    return status;
}

/* Passes what vertex v has on to those behind its arcs. */
static void pass_on(pass *p, uint64_t v, bool begins)
{
    const pc_graph *graph = p->graph;
    size_t n_words = p->plan->n_words;
    mpn_add_1(p->own, p->sum.words + v * n_words, (mp_size_t)n_words, begins);
    size_t n_own = pci_number_trim(p->own, n_words);
    for (uint64_t a = graph->row_start[v]; n_own > 0 && a < graph->row_start[v + 1]; a++) {
        uint64_t *to = p->sum.words + graph->column[a] * n_words;
        uint64_t carry = graph->weight
                             ? mpn_addmul_1(to, p->own, (mp_size_t)n_own, graph->weight[a])
                             : mpn_add_n(to, to, p->own, (mp_size_t)n_own);
        if (n_own < n_words)
            mpn_add_1(to + n_own, to + n_own, (mp_size_t)(n_words - n_own), carry);
    }
}

/* The same modulo a number. */
static void pass_on_mod(const pass *p, uint64_t v, bool begins, uint64_t *sum)
{
    const pc_graph *graph = p->graph;
    uint64_t modulus = p->modulus, own = (sum[v] + begins) % modulus;
    for (uint64_t a = graph->row_start[v]; own > 0 && a < graph->row_start[v + 1]; a++) {
        uint64_t *to = sum + graph->column[a];
        uint64_t more = graph->weight ? pci_multiply_mod(own, graph->weight[a], modulus) : own;
        *to = *to >= modulus - more ? *to - (modulus - more) : *to + more;
    }
}

/* The sum of all paths from a vertex, or from all, to each. */
static pc_status fill(pass *p, const uint64_t *start, const pci_long_vector *sum)
{
    uint64_t n = p->graph->n;
    pc_status status = PC_OK;
    memset(sum->words, 0, n * p->plan->n_words * sizeof *sum->words);
    for (uint64_t i = 0; i < n && status == PC_OK; i++) {
        uint64_t v = p->order[p->plan->reversed ? n - 1 - i : i];
        if (i % ASK_EVERY == 0)
            status = pci_progress(p->context, "sweep", (double)i / (double)n);
        bool begins = !start || *start == v;
        if (p->modulus)
            pass_on_mod(p, v, begins, sum->words);
        else
            pass_on(p, v, begins);
    }
    return status;
}

/* The same into p->sum, checked. */
static pc_status run_pass(pass *p, const uint64_t *start)
{
    pc_status status = fill(p, start, &p->sum);
    if (status != PC_OK || !p->again.words)
        return status == PC_OK ? check(p, start) : status;
    double now = pci_now_seconds();
    status = fill(p, start, &p->again);
    if (status == PC_OK && memcmp(p->sum.words, p->again.words, p->graph->n * sizeof *p->sum.words))
        status = pci_fail_check(p->context, "a pass in topological order");
    p->certify_seconds += pci_now_seconds() - now;
    return status;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* The total of the vector, added up twice. */
static pc_status deliver_total(pass *p, const pci_execution *run)
{
    size_t n_words = p->plan->n_words;
    uint64_t *sums = pci_alloc_zero(p->context, 2, n_words * sizeof *sums);
    if (!sums)
        return pci_fail_memory(p->context, "a total", 2 * n_words * sizeof *sums);
    for (int i = 0; i < 2; i++)
        for (uint64_t v = 0; v < p->graph->n; v++)
            if (p->modulus)
                sums[i] = (sums[i] + p->sum.words[v]) % p->modulus;
            else
                mpn_add_n(sums + (size_t)i * n_words, sums + (size_t)i * n_words,
                          p->sum.words + v * n_words, (mp_size_t)n_words);
    uint32_t n_limbs = (uint32_t)pci_number_trim(sums, n_words);
    pc_rows rows = {
        .n_rows = 1, .n_columns = 1, .n_limbs = n_limbs > 0 ? n_limbs : 1, .limbs = sums};
    pc_status status = memcmp(sums, sums + n_words, n_words * sizeof *sums)
                           ? pci_fail_check(p->context, "a total")
                           : pci_sink_take(run->sink, run->request->query.length, &rows);
    pci_free(p->context, sums);
    return status;
}

static pc_status deliver(pass *p, const pci_execution *run, uint64_t i)
{
    const pc_query *query = &run->request->query;
    pc_query_kind kind = query->kind;
    uint64_t n = p->graph->n;
    bool is_column = kind == PC_QUERY_STARTS || kind == PC_QUERY_ENDS;
    bool is_pair = kind == PC_QUERY_PAIRS;
    pc_rows rows = {.first_row = i,
                    .n_rows = is_column ? n : 1,
                    .n_columns = is_column || is_pair ? 1 : n,
                    .n_limbs = p->plan->n_words,
                    .limbs = p->sum.words};
    if (kind == PC_QUERY_TOTAL)
        return deliver_total(p, run);
    if (is_pair)
        rows.limbs += query->to[i] * p->plan->n_words;
    return rows.n_rows ? pci_sink_take(run->sink, query->length, &rows) : PC_OK;
}

static pc_status answer_rows(pass *p, const pci_execution *run)
{
    pc_status status = pci_sink_open(p->context, run->plan, run->sink);
    for (uint64_t u = 0; u < p->graph->n && status == PC_OK; u++) {
        status = run_pass(p, &u);
        if (status == PC_OK)
            status = deliver(p, run, u);
    }
    return status;
}

/* Of pairs that begin at the same vertex the second one needs no pass. */
static pc_status answer(pass *p, const pci_execution *run)
{
    const pc_query *query = &run->request->query;
    const uint64_t *starts = query->kind == PC_QUERY_TO ? query->to : query->from;
    bool is_of_vertices =
        query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_TO || query->kind == PC_QUERY_PAIRS;
    pc_status status = PC_OK;
    if (query->kind == PC_QUERY_MATRIX)
        return answer_rows(p, run);
    if (!is_of_vertices) {
        status = run_pass(p, NULL);
        return status == PC_OK ? deliver(p, run, 0) : status;
    }
    for (uint64_t i = 0; i < query->n_asked && status == PC_OK; i++) {
        bool is_same = query->kind == PC_QUERY_PAIRS && i > 0 && starts[i] == starts[i - 1];
        if (!is_same)
            status = run_pass(p, &starts[i]);
        if (status == PC_OK)
            status = deliver(p, run, i);
    }
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status prepare(pass *p, const pci_request *request)
{
    const pci_acyclic_plan *plan = p->plan;
    uint64_t longest;
    int n_rounds = request->options.n_certify_rounds;
    pc_status status = pci_graph_order(p->context, p->graph, &p->order, &longest);
    if (status == PC_OK && !p->order)
        status = pci_fail_check(p->context, "the graph, which has a cycle now,");
    if (status == PC_OK && plan->reversed) {
        status = pci_graph_reverse(p->context, p->graph, &p->reverse);
        p->graph = p->reverse;
    }
    if (status == PC_OK)
        status =
            pci_long_vector_create(p->context, NULL, request->graph->n, plan->n_words, &p->sum);
    p->sum.n_words = plan->n_words;
    if (status == PC_OK && !(p->own = pci_alloc(p->context, plan->n_words * sizeof *p->own)))
        status = pci_fail_memory(p->context, "sums of paths", plan->n_words * sizeof *p->own);
    double now = pci_now_seconds();
    if (status == PC_OK && n_rounds && p->modulus)
        status = pci_long_vector_create(p->context, NULL, request->graph->n, 1, &p->again);
    if (status == PC_OK && n_rounds && !p->modulus)
        status = pci_step_check_create(p->context, NULL, p->graph, n_rounds, &p->check);
    p->certify_seconds = pci_now_seconds() - now;
    return status;
}

pc_status pci_source_acyclic(const pci_execution *run)
{
    const pci_request *request = run->request;
    pass p = {.context = request->context,
              .plan = &run->route->acyclic,
              .graph = request->graph,
              .modulus = request->options.modulus,
              .sum = {.context = request->context},
              .again = {.context = request->context}};
    pc_status status = prepare(&p, request);
    if (status == PC_OK)
        status = answer(&p, run);
    run->plan->seconds.certify = p.certify_seconds;
    pci_step_check_free(p.check);
    pci_long_vector_free(&p.sum);
    pci_long_vector_free(&p.again);
    pc_graph_free(p.reverse);
    pci_free(p.context, p.own);
    pci_free(p.context, p.order);
    return status;
}
