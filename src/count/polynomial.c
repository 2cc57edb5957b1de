/* A whole power of A as a polynomial of A: with x^k = p(0) + p(1) x + ... + p(L-1) x^(L-1) modulo
 * the minimal polynomial of A, A^k = p(0) I + p(1) A + ... + p(L-1) A^(L-1), row by row. The powers
 * on the right have few words an entry, so a wide power costs many products of wide numbers by
 * narrow ones, where squaring multiplies wide numbers by wide ones.
 *
 * The minimal polynomial is that of the recurrence which the numbers y^T A^i x obey, for random
 * vectors x and y (Wiedemann, 1986). It is so with a probability close to 1, and the certificate of
 * the rows finds the rest. */
#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/count/methods.h"
#include "src/cpu/modular.h"
#include "src/recurrence/recurrence.h"

#include <math.h>
#include <string.h>

typedef struct polynomial_run {
    pc_context *context;
    const pc_graph *graph;
    const pci_recurrence_plan *plan;
    int n_threads;
    uint64_t *x, *y; /* [n], random */
    uint64_t *at[2]; /* [n]: A^i x modulo a prime */
    pc_recurrence *recurrence;
    size_t n_words, n_short; /* of an entry of A^k; of one of the first powers */
    uint64_t *power;         /* [L][n_words]: p, in two's complement */
    uint64_t *rows;          /* [n_threads][n][n_words] */
    uint64_t *shorts;        /* [n_threads][2][n][n_short]: a row of a power, and of the next one */
    uint64_t *wanted;        /* [n_wanted]: rows that are read, in ascending order */
    uint64_t n_wanted;
} polynomial_run;

/* ---- The polynomial -------------------------------------------------------------------------- */

/* A pci_terms_fn. */
static pc_status find_terms(void *user, uint64_t prime, size_t n_terms, uint64_t *a)
{
    polynomial_run *r = user;
    uint64_t n = r->graph->n;
    int n_threads = pci_threads_for(r->context, (double)pci_graph_n_arcs(r->graph));
    for (uint64_t v = 0; v < n; v++)
        r->at[0][v] = r->x[v] % prime;
    for (size_t i = 0; i < n_terms; i++) {
        uint64_t *now = r->at[i % 2];
        a[i] = pci_dot_mod(n, r->y, 1, now, prime);
        pci_graph_multiply_mod(r->graph, n_threads, now, prime, r->at[(i + 1) % 2]);
    }
    return pci_progress(r->context, "recurrence", 1);
}

static pc_status find_polynomial(polynomial_run *r, uint64_t length)
{
    pc_context *context = r->context;
    uint64_t n = r->graph->n;
    r->x = pci_alloc(context, 4 * n * sizeof *r->x);
    if (!r->x)
        return pci_fail_memory(context, "random vectors", 4 * n * sizeof *r->x);
    r->y = r->x + n;
    r->at[0] = r->y + n;
    r->at[1] = r->at[0] + n;
    pc_status status =
        pci_random_words(context, 2 * n, UINT64_C(1) << PCI_RANDOM_VECTOR_BITS, r->x);
    if (status == PC_OK)
        status = pci_recurrence_find(r->plan, find_terms, r, &r->recurrence);
    if (status == PC_OK && !r->recurrence->n_linear)
        status = pci_fail(context, PC_ERR_CERTIFY, "the random vectors of a recurrence are 0");
    if (status == PC_OK)
        status = pci_recurrence_power(r->recurrence, length, r->n_words, &r->power);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Row u of A^k. */
static void make_row(const polynomial_run *r, uint64_t u, uint64_t *shorts, uint64_t *row)
{
    const pc_graph *graph = r->graph;
    uint64_t n = graph->n, *now = shorts, *next = shorts + n * r->n_short;
    size_t n_words = r->n_words, n_short = r->n_short;
    memset(row, 0, n * n_words * sizeof *row);
    memset(now, 0, n * n_short * sizeof *now);
    now[u * n_short] = 1;
    for (size_t i = 0; i < r->recurrence->n_linear; i++) {
        memset(next, 0, n * n_short * sizeof *next); /* becomes the row times A */
        for (uint64_t v = 0; v < n; v++) {
            const uint64_t *factor = now + v * n_short;
            size_t n_own = pci_number_trim(factor, n_short);
            pci_add_multiple(row + v * n_words, r->power + i * n_words, n_words, false, factor,
                             n_own);
            for (uint64_t a = graph->row_start[v]; n_own > 0 && a < graph->row_start[v + 1]; a++) {
                uint64_t weight = pci_graph_weight(graph, a);
                pci_add_multiple(next + graph->column[a] * n_short, factor, n_short, false, &weight,
                                 1);
            }
        }
        uint64_t *swap = now;
        now = next;
        next = swap;
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Allocates, lists the rows that the query reads, each once, and makes their certificate. */
static pc_status prepare(polynomial_run *r, const pci_execution *run)
{
    const pci_question *question = run->question;
    const pc_query *query = &question->query;
    bool has_list = question->kind->has_from;
    uint64_t n = r->graph->n, n_threads = (uint64_t)r->n_threads;
    double start = pci_now_seconds();
    pc_status status = PC_OK;
    r->wanted = pci_alloc_zero(r->context, n, sizeof *r->wanted);
    r->rows = pci_alloc(r->context, n_threads * n * r->n_words * sizeof *r->rows);
    r->shorts = pci_alloc(r->context, n_threads * 2 * n * r->n_short * sizeof *r->shorts);
    if (!r->wanted || !r->rows || !r->shorts)
        return pci_fail_memory(r->context, "rows", n_threads * n * r->n_words * sizeof *r->rows);
    for (uint64_t i = 0; has_list && i < query->n_asked; i++)
        r->wanted[query->from[i]] = 1;
    for (uint64_t u = 0; u < n; u++)
        if (!has_list || r->wanted[u])
            r->wanted[r->n_wanted++] = u;
    if (question->options.n_certify_rounds) {
        pci_path_operator paths = {
            .context = r->context, .graph = r->graph, .length = query->length};
        pci_operator map = pci_path_operator_map(&paths);
        status = pci_certificate_create(r->context, &map, 0, question->options.n_certify_rounds,
                                        &run->sink->certificate);
    }
    run->info->seconds.certify += pci_now_seconds() - start;
    return status;
}

static pc_status run_polynomial(const pci_execution *run)
{
    const pci_question *question = run->question;
    polynomial_run r = {.context = question->context,
                        .graph = question->graph,
                        .plan = run->plan->choice,
                        .n_threads = pci_n_threads(question->context),
                        .n_words = run->plan->info.n_limbs,
                        .n_short = pci_recurrence_short_words(run->plan->choice)};
    uint64_t n = r.graph->n, n_most = (uint64_t)r.n_threads;
    if (!n)
        return PC_OK;
    double start = pci_now_seconds();
    pc_status status = find_polynomial(&r, question->query.length);
    run->info->seconds.sweep = pci_now_seconds() - start;
    if (status == PC_OK)
        status = prepare(&r, run);
    start = pci_now_seconds();
    for (uint64_t first = 0; first < r.n_wanted && status == PC_OK; first += n_most) {
        uint64_t left = r.n_wanted - first;
        int n_threads = (int)(left < n_most ? left : n_most); /* a row for each */
        status = pci_progress(r.context, "rows", (double)first / (double)r.n_wanted);
#pragma omp parallel for num_threads(n_threads) schedule(static, 1) if (n_threads > 1)
        for (int i = 0; i < (status == PC_OK ? n_threads : 0); i++)
            make_row(&r, r.wanted[first + (uint64_t)i], r.shorts + (size_t)i * 2 * n * r.n_short,
                     r.rows + (size_t)i * n * r.n_words);
        for (int i = 0; i < n_threads && status == PC_OK; i++) {
            pc_rows rows = {.first_row = r.wanted[first + (uint64_t)i],
                            .n_rows = 1,
                            .n_columns = n,
                            .n_limbs = (uint32_t)r.n_words,
                            .limbs = r.rows + (size_t)i * n * r.n_words};
            status = pci_sink_take(run->sink, question->query.length, &rows);
        }
    }
    run->info->seconds.product = pci_now_seconds() - start;
    pci_sink_end_certificate(run->sink);
    pc_recurrence_free(r.recurrence);
    pci_free(r.context, r.x);
    pci_free(r.context, r.power);
    pci_free(r.context, r.rows);
    pci_free(r.context, r.shorts);
    pci_free(r.context, r.wanted);
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

static pc_status plan_polynomial(const pci_question *question, const pci_engine *engine,
                                 pci_plan *plan)
{
    pci_recurrence_plan *recurrence = pci_plan_choice(question, sizeof *recurrence, plan);
    pc_plan_info *info = &plan->info;
    double n = (double)question->graph->n, n_threads = pci_n_threads(question->context);
    pci_work work = {{0}};
    if (!recurrence)
        return PC_ERR_MEMORY;
    *info = *question->dense;
    info->n_levels = 0;
    pc_status status = pci_plan_engine(question, engine, &work, plan);
    if (status == PC_OK)
        status = pci_polynomial_plan_make(question->context, question->graph,
                                          question->options.n_certify_rounds, recurrence);
    if (status == PC_OK)
        status = pci_recurrence_plan_find_length(recurrence);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    info->method = PC_METHOD_RECURRENCE;
    info->sweep_length = 2 * recurrence->n_dimension;
    plan->seconds = info->predicted_seconds = pci_guess_polynomial_seconds(question);
    double row_words = info->n_limbs + 2 * (double)pci_recurrence_short_words(recurrence);
    double finding = fmax(pci_recurrence_search_bytes(recurrence),
                          pci_recurrence_power_bytes(recurrence, info->bound_bits));
    double making = pci_recurrence_numbers_bytes(recurrence) +
                    8 * ((double)recurrence->n_linear * info->n_limbs + n_threads * n * row_words) +
                    8 * 5 * n + pci_certificate_bytes(n, n, question->options.n_certify_rounds) +
                    (question->query.keeps ? 8 * n * n * info->n_limbs : 0);
    pci_plan_memory_of_rows(question, fmax(finding, making), plan);
    return PC_OK;
}

/* Finding a polynomial takes time, so it is planned only where it may be the fastest. */
static int rank(const pci_question *question)
{
    if (!question->kind->is_matrix || !pci_question_is_of_power(question) ||
        pci_is_for_device(question) || question->graph->parts || question->makes_shorter)
        return PCI_CANNOT;
    if (question->options.method == PC_METHOD_RECURRENCE)
        return PCI_RANK_BEST;
    double seconds = pci_guess_polynomial_seconds(question);
    return isfinite(seconds) &&
                   (pci_is_too_wide(question) || seconds < 2 * pci_guess_matrix_seconds(question))
               ? PCI_RANK_BEST
               : PCI_CANNOT;
}

const pci_method pci_by_polynomial = {.name = "a polynomial",
                                      .told = PC_METHOD_RECURRENCE,
                                      .cpu_because = "a recurrence is found on the CPU",
                                      .makes_matrix = true,
                                      .rank = rank,
                                      .plan = plan_polynomial,
                                      .run = run_polynomial};
