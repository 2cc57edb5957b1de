/* Recurrences of answers: their terms come from vectors that are sent along the arcs, modulo primes. */
#include "src/recurrence/recurrence.h"

#include "src/plan/vectors_plan.h"
#include "src/run/run.h"

#include <string.h>

enum { N_ROUNDS = 2 };

/* ---- Terms ----------------------------------------------------------------------------------- */

typedef struct terms {
    const pci_recurrence_plan *plan;
    uint64_t prime;
    uint64_t *a; /* [n_terms] */
} terms;

/* The number, the one of the vertex that is meant, or the sum of those on the diagonal. */
static pc_status take_term(void *user, uint64_t length, const pc_rows *rows)
{
    const terms *t = user;
    pc_query_kind kind = t->plan->query.kind;
    bool is_vertex = kind == PC_QUERY_STARTS || kind == PC_QUERY_ENDS;
    for (uint64_t i = 0; i < rows->n_rows; i++)
        if (!is_vertex || rows->first_row + i == t->plan->vertex)
            t->a[length] = (t->a[length] + rows->limbs[i * rows->n_limbs]) % t->prime;
    return PC_OK;
}

/* The paths without an arc. */
static uint64_t first_term(const pci_recurrence_plan *plan)
{
    const pc_query *query = &plan->query;
    if (query->kind == PC_QUERY_TOTAL || query->kind == PC_QUERY_CLOSED)
        return plan->graph->n;
    return query->kind != PC_QUERY_PAIRS || *query->from == *query->to;
}

/* A pci_terms_fn; user is the pci_recurrence_plan. What fails here fails the check of the recurrence, so
 * nothing is computed twice. */
static pc_status find_terms(void *user, uint64_t prime, size_t n_terms, uint64_t *a)
{
    const pci_recurrence_plan *plan = user;
    terms t = {.plan = plan, .prime = prime, .a = a};
    pci_sink sink = {.context = plan->context, .deliver = take_term, .user = &t, .modulus = prime};
    const pc_count_options options = {.arithmetic = PC_MODULAR,
                                      .modulus = prime,
                                      .method = PC_METHOD_SWEEP,
                                      .n_certify_rounds = PC_CERTIFY_NONE};
    pc_query query = plan->query;
    pc_plan made;
    pc_plan_info info = {0};
    query.length = n_terms - 1;
    memset(a, 0, n_terms * sizeof *a);
    a[0] = first_term(plan) % prime;
    if (n_terms < 2 || !plan->graph->n)
        return PC_OK;
    pc_status status = pci_plan_make(plan->context, plan->graph, &query, &options, &made);
    if (status != PC_OK)
        return status;
    status = pci_source_vectors(&(pci_execution){
        .request = &made.request, .route = made.route[0], .plan = &info, .sink = &sink});
    pci_plan_end(&made);
    return status;
}

/* ---- The route ------------------------------------------------------------------------------- */

static pc_status take_number(void *user, uint64_t length, const pc_rows *rows)
{
    return pci_sink_take(user, length, rows);
}

pc_status pci_source_recurrence(const pci_execution *run)
{
    pci_recurrence_plan plan = run->route->recurrence;
    pc_recurrence *recurrence = NULL;
    double start = pci_now_seconds();
    pc_status status = pci_recurrence_find(&plan, find_terms, &plan, &recurrence);
    run->plan->seconds.sweep = pci_now_seconds() - start;
    if (status == PC_OK)
        status = pc_recurrence_term(recurrence, run->request->query.length, plan.modulus,
                                    take_number, run->sink);
    run->plan->seconds.product =
        pci_now_seconds() - start - run->plan->seconds.sweep - run->sink->seconds;
    pc_recurrence_free(recurrence);
    return status;
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Turns the question for a number into one whose answers have it among them. */
static pc_status check_question(pc_context *context, const pc_graph *graph, pc_query *query)
{
    bool is_vertex = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_TO;
    bool is_number = query->kind == PC_QUERY_TOTAL || query->kind == PC_QUERY_TRACE;
    if (!is_number && !((is_vertex || query->kind == PC_QUERY_PAIRS) && query->n_asked == 1))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a recurrence is of one number: a total, a trace, one pair, or the paths "
                        "from or to one vertex");
    if (query->paths == PC_PATHS_MARKOV)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "a recurrence is of integers, not of probabilities");
    bool has_from = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_PAIRS;
    bool has_to = query->kind == PC_QUERY_TO || query->kind == PC_QUERY_PAIRS;
    if ((has_from && (!query->from || *query->from >= graph->n)) ||
        (has_to && (!query->to || *query->to >= graph->n)))
        return pci_fail(context, PC_ERR_ARGUMENT, "a vertex is out of range");
    if (query->kind == PC_QUERY_TRACE)
        query->kind = PC_QUERY_CLOSED;
    if (is_vertex)
        query->kind = has_from ? PC_QUERY_STARTS : PC_QUERY_ENDS;
    return PC_OK;
}

pc_status pc_recurrence_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                               uint64_t modulus, pc_recurrence **recurrence)
{
    if (!context || !graph || !query || !recurrence)
        return pci_fail_null(context, "pc_recurrence_create: context, graph, query or recurrence");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    pc_query asked = *query;
    pci_recurrence_plan plan;
    *recurrence = NULL;
    if (modulus == 1 || modulus >> 63)
        return pci_fail(context, PC_ERR_ARGUMENT, "a modulus must be 0, or from 2 to 2^63-1");
    pc_status status = check_question(context, graph, &asked);
    if (status == PC_OK)
        status = pci_recurrence_plan_make(context, graph, &asked, modulus, N_ROUNDS, &plan);
    if (status == PC_OK)
        status = pci_query_check_memory(context, pci_memory_available(context),
                                        pci_recurrence_search_bytes(&plan));
    if (status == PC_OK)
        status = pci_recurrence_find(&plan, find_terms, &plan, recurrence);
    if (status == PC_OK && (status = pc_graph_check(context, graph))) {
        pc_recurrence_free(*recurrence);
        *recurrence = NULL;
    }
    return status;
}
