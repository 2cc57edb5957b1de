/* One vector that becomes wider from length to length: A^l 1 for sums over all vertices, A^l times
 * the unit vector of a vertex for a row or a column of A^l. For an undirected graph <A^a 1, A^b 1>
 * is the total of length a + b, so half as many steps are enough, and they are narrower.
 *
 * A limit of the width is needed only to predict memory, because the vector finds its width while
 * it is computed. So a cheap limit is enough, unless it exceeds what is counted exactly, or the
 * memory. */
#include <gmp.h>

#include "src/certify/step_check.h"
#include "src/core/number.h"
#include "src/count/methods.h"
#include "src/engine/sweep.h"
#include "src/vectors/long_vector.h"

#include <math.h>
#include <string.h>

enum { MOST_GROWTH_BITS = 128 /* of a sum of 2^32 words or fewer */ };

/* A vector made ready: which graphs, how many steps, how wide. */
typedef struct vector_plan {
    const pci_question *question;
    const uint64_t *start; /* the vertex that the vector begins at; NULL: it begins as all ones */
    bool reversed;         /* the vector goes along reversed arcs, X A instead of A X */
    bool by_halves;        /* a total as <A^a 1, A^b 1>, of an undirected graph */
    bool has_rows;         /* vectors are answers, and must be as wide as the widest, or added up */
    uint64_t n_steps;
    uint64_t n_totals;    /* that are kept to be delivered as wide as the widest */
    uint32_t most_words;  /* of an entry of the vector, as the next two proved */
    uint32_t row_words;   /* of an entry of rows */
    uint32_t total_words; /* of a total */
    double answer_bits;   /* log2 of a proved limit of an answer */
    double bytes;         /* of memory that all of it takes, the graph not counted */
    int n_threads;        /* that look at all vertices */
} vector_plan;

/* ---- Widths ---------------------------------------------------------------------------------- */

static uint32_t words_for(double log2_limit)
{
    return (uint32_t)(log2_limit / 64) + 1;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static double bytes_for(const vector_plan *plan)
{
    const pc_graph *graph = plan->question->graph;
    int n_rounds = plan->question->options.n_certify_rounds;
    double n_arcs = (double)pci_graph_n_arcs(graph);
    bool is_directed_total = plan->question->kind->reads == PCI_READS_TOTAL && !plan->by_halves;
    uint64_t n = graph->parts ? graph->parts->first[1] : graph->n; /* entries in this process */
    double bytes = 2 * pci_long_vector_bytes(n, plan->most_words);
    bytes += n_rounds ? pci_step_check_bytes(n, n_rounds) : 0;
    bytes += plan->has_rows ? (double)n * plan->row_words * 8 : 0;
    bytes += is_directed_total ? pci_long_vector_bytes(n, 1) : 0;
    bytes += 2 * (double)plan->n_totals * plan->total_words * 8;    /* added up twice */
    bool is_column = plan->question->kind->reads == PCI_READS_SUMS; /* read part by part */
    uint64_t n_read = is_column ? n : graph->n;
    if (graph->parts) /* and the answer; the reversed arcs are counted no more than the graph */
        return bytes + (plan->n_totals ? 0 : (double)n_read * plan->row_words * 8);
    if (!graph->symmetric && (n_rounds || plan->reversed))
        bytes += n_arcs * (graph->weight ? 12 : 4) + 8.0 * (double)graph->n;
    return bytes;
}

static void set_widths(double bits, vector_plan *plan)
{
    const pc_query *query = &plan->question->query;
    double lengths_bits = query->up_to ? pci_log2_up((double)query->length) : 0;
    plan->most_words = words_for(bits);
    plan->row_words = words_for(bits + lengths_bits);
    plan->answer_bits = bits + lengths_bits;
    if (plan->question->kind->reads == PCI_READS_TOTAL)
        plan->answer_bits +=
            (plan->by_halves ? bits : 0) + pci_log2_up((double)plan->question->graph->n);
    plan->total_words = words_for(plan->answer_bits);
    plan->bytes = bytes_for(plan);
}

/* Finds the widths by the cheap limit or, where that is not enough, by the proved limits of all
 * lengths. */
static pc_status fit(vector_plan *plan)
{
    const pci_question *question = plan->question;
    double available = (double)question->available_bytes;
    double step_bits = pci_step_bits(question->graph);
    double bits = (double)plan->n_steps * step_bits;
    if (pci_kind_is_of_all(question->kind) &&
        question->kind->reversed) /* no more than start anywhere */
        bits += pci_log2_up((double)question->graph->n);
    bool is_bounded =
        (double)question->query.length * step_bits > PCI_MAX_BITS || (plan->has_rows && bits >= 64);
    if (!is_bounded) {
        set_widths(bits, plan);
        is_bounded = plan->bytes > available;
    }
    pc_status status =
        is_bounded ? pci_limits_hold(question->limits, question->query.length) : PC_OK;
    if (status == PC_OK && is_bounded) {
        const double *limits = pci_limits_bits(question->limits);
        double most = 0;
        for (uint64_t l = 0; l <= plan->n_steps; l++)
            most = fmax(most, limits[l]);
        most += plan->start ? 0 : pci_log2_up((double)question->graph->n);
        set_widths(fmin(bits, most), plan);
    }
    return status == PC_OK
               ? pci_query_check_memory(question->context, question->available_bytes, plan->bytes)
               : status;
}

/* ---- The plan -------------------------------------------------------------------------------- */

static pc_status plan_vector(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    pc_plan_info *info = &plan->info;
    const pc_query *query = &question->query;
    const pci_question_kind *kind = question->kind;
    bool is_total = kind->reads == PCI_READS_TOTAL;
    pc_status status = pci_plan_query(question, engine, plan);
    if (status != PC_OK || plan->status != PC_OK)
        return status;
    vector_plan *vector = pci_plan_choice(question, sizeof *vector, plan);
    if (!vector)
        return PC_ERR_MEMORY;
    *vector = (vector_plan){.question = question,
                            .start = kind->has_from ? query->from
                                     : kind->has_to ? query->to
                                                    : NULL,
                            .reversed = kind->reversed,
                            .by_halves = is_total && question->graph->symmetric,
                            .has_rows = !is_total && pci_question_has_lengths(question)};
    vector->n_steps = vector->by_halves ? query->length / 2 + query->length % 2 : query->length;
    vector->n_totals = !is_total ? 0 : query->each ? query->length : 1;
    vector->n_threads = pci_threads_for(question->context, 2.0 * (double)question->graph->n);
    status = fit(vector);
    bool is_too_large = vector->bytes > (double)question->available_bytes;
    info->sweep_length = vector->n_steps;
    info->n_limbs = vector->n_totals ? vector->total_words : vector->row_words;
    info->bound_bits = vector->answer_bits;
    pci_plan_note_bytes(question, vector->bytes, plan);
    return pci_plan_settle(question, status, is_too_large, plan);
}

/* ---- The run --------------------------------------------------------------------------------- */

typedef struct vector_run {
    pc_context *context;
    const vector_plan *plan;
    const pc_query *query;
    const pc_graph *graph;
    const pc_graph *along;   /* what the vector is sent through: the graph or its reverse */
    const pc_graph *against; /* the other one; NULL where nobody asks for it */
    pc_graph *reverse;       /* of a directed graph, when one of the two; else NULL */
    pci_sink *sink;
    uint64_t growth_bits;  /* that a step adds to entries at most */
    pci_long_vector at[2]; /* the vector of length l is in at[(l + 1) % 2] */
    pci_long_vector ones;  /* of a total, unless by halves */
    pci_step_check *check; /* NULL: unchecked */
    pci_long_vector rows;  /* of row_words */
    pci_gathered totals;
    uint64_t *product, *scratch;
    double certify_seconds;
} vector_run;

/* ---- Checks ---------------------------------------------------------------------------------- */

/* A vector that was checked must not have changed. */
static pc_status check_again(vector_run *run, const pci_long_vector *vector)
{
    double start = pci_now_seconds();
    pc_status status = run->check ? pci_step_check_same(run->check, vector) : PC_OK;
    run->certify_seconds += pci_now_seconds() - start;
    return status;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Sums are a column, an answer for each vertex: those of n vertices from the first one on. A row
 * has all vertices. */
static pc_status deliver_words(vector_run *run, uint64_t length, uint64_t first, uint64_t n,
                               uint32_t n_limbs, const uint64_t *limbs)
{
    bool is_row = run->plan->start != NULL;
    pc_rows rows = {.first_row = first,
                    .n_rows = is_row ? 1 : n,
                    .n_columns = is_row ? n : 1,
                    .n_limbs = n_limbs,
                    .limbs = limbs};
    return rows.n_rows ? pci_sink_take(run->sink, length, &rows) : PC_OK;
}

/* The entries of a vector in parts are read and checked process by process, and those of a column delivered then, so that
 * the entries of one process are here at a time. */
static pc_status deliver_vector(vector_run *run, uint64_t length, const pci_long_vector *vector)
{
    if (!vector->parts)
        return deliver_words(run, length, 0, vector->n, vector->n_words, vector->words);
    const uint64_t *first = vector->parts->first;
    bool is_row = run->plan->start != NULL;
    uint64_t most = is_row ? vector->n : 0;
    for (int r = 0; r < vector->parts->n_processes; r++)
        most = first[r + 1] - first[r] > most ? first[r + 1] - first[r] : most;
    size_t n_bytes = most * vector->n_words * sizeof(uint64_t);
    uint64_t *words = pci_alloc(run->context, n_bytes);
    pc_status status = words ? PC_OK : pci_fail_memory(run->context, "sums of paths", n_bytes);
    for (int r = 0; r < vector->parts->n_processes && status == PC_OK; r++) {
        uint64_t n = first[r + 1] - first[r];
        uint64_t *part = words + (is_row ? first[r] * vector->n_words : 0);
        pci_long_vector_read(vector, r, part);
        double start = pci_now_seconds();
        if (run->check)
            pci_step_check_copy(run->check, first[r], n, vector->n_words, part);
        run->certify_seconds += pci_now_seconds() - start;
        if (!is_row)
            status = deliver_words(run, length, first[r], n, vector->n_words, part);
    }
    if (status == PC_OK && is_row)
        status = deliver_words(run, length, 0, vector->n, vector->n_words, words);
    if (status == PC_OK && run->check)
        status = pci_step_check_copies(run->check, run->query->up_to);
    pci_free(run->context, words);
    return status;
}

static bool is_asked(const pc_query *query, uint64_t length)
{
    return query->each || query->up_to ? length > 0 && length <= query->length
                                       : length == query->length;
}

/* Adds <a, b> to the total that has the paths of this length. */
static pc_status take_total(vector_run *run, uint64_t length, const pci_long_vector *a,
                            const pci_long_vector *b)
{
    const vector_plan *plan = run->plan;
    const pc_query *query = run->query;
    if (!is_asked(query, length))
        return PC_OK;
    pc_status status = pci_long_vector_dot(a, b, plan->n_threads, run->scratch, run->product);
    if (status != PC_OK)
        return status;
    size_t n_words = pci_number_trim(run->product, (size_t)a->n_words + b->n_words + 1);
    n_words = n_words < plan->total_words ? n_words : plan->total_words; /* as is proved */
    for (int c = 0; c < run->totals.n_copies && n_words > 0; c++) {
        uint64_t *total = pci_gathered_at(&run->totals, c, query->each ? length - 1 : 0);
        mpn_add(total, total, plan->total_words, run->product, (mp_size_t)n_words);
    }
    if (!run->check)
        return PC_OK;
    double start = pci_now_seconds(); /* the product is checked, when it was used */
    status =
        pci_step_check_dot(run->check, a, b, (size_t)a->n_words + b->n_words + 1, run->product);
    if (status == PC_OK && a == &run->ones && pci_long_vector_count_others(a))
        status = pci_fail_check(run->context, "a total");
    run->certify_seconds += pci_now_seconds() - start;
    return status;
}

static pc_status take_rows(vector_run *run, uint64_t length, const pci_long_vector *vector)
{
    const vector_plan *plan = run->plan;
    const pc_query *query = run->query;
    bool is_last = length == query->length;
    if (!plan->has_rows)
        return is_last ? deliver_vector(run, length, vector) : PC_OK;
    if (length > 0)
        pci_long_vector_add_to(vector, query->up_to, &run->rows);
    pc_status status = PC_OK;
    if (query->each) {
        status = length ? check_again(run, &run->rows) : PC_OK;
        return length && status == PC_OK ? deliver_vector(run, length, &run->rows) : status;
    }
    double start = pci_now_seconds();
    if (run->check && length > 0)
        pci_step_check_add(run->check);
    if (run->check && is_last)
        status = pci_step_check_sum(run->check, &run->rows);
    run->certify_seconds += pci_now_seconds() - start;
    return status == PC_OK && is_last ? deliver_vector(run, length, &run->rows) : status;
}

/* Takes what can be answered with A^l 1 and the vector before it. Vectors are checked when totals
 * were made of them, and before rows are. */
static pc_status take(vector_run *run, uint64_t l, const pci_long_vector *vector,
                      const pci_long_vector *before)
{
    bool is_total = run->plan->question->kind->reads == PCI_READS_TOTAL;
    bool by_halves = run->plan->by_halves;
    pc_status status = PC_OK;
    if (is_total && !by_halves)
        status = take_total(run, l, &run->ones, vector);
    if (by_halves && l)
        status = take_total(run, 2 * l - 1, before, vector);
    if (by_halves && status == PC_OK)
        status = take_total(run, 2 * l, vector, vector);
    if (by_halves && l && status == PC_OK && is_asked(run->query, 2 * l - 1))
        status = check_again(run, before);
    double start = pci_now_seconds();
    if (run->check && status == PC_OK && l > 0)
        status = pci_step_check_step(run->check, vector);
    else if (run->check && status == PC_OK)
        pci_step_check_start(run->check, vector);
    run->certify_seconds += pci_now_seconds() - start;
    return status == PC_OK && !is_total ? take_rows(run, l, vector) : status;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static pc_status run_steps(vector_run *run)
{
    const vector_plan *plan = run->plan;
    const uint64_t *start = plan->start;
    double n_steps = (double)plan->n_steps;
    uint64_t largest = pci_graph_largest_row_sum(run->along);
    run->growth_bits = largest < UINT64_MAX ? pci_number_bits(&largest, 1) : MOST_GROWTH_BITS;
    pc_status status = pci_progress(run->context, "sweep", 0);
    for (uint64_t l = 0; l <= plan->n_steps && status == PC_OK; l++) {
        pci_long_vector *before = &run->at[l % 2], *vector = &run->at[(l + 1) % 2];
        if (l == 0) {
            pci_long_vector_fill(1, !start, start ? *start : PCI_NO_VERTEX, vector);
        } else if (l == 1 && run->graph->info.max_weight <= 1 && !start) {
            pci_long_vector_set_degrees(run->along, vector); /* all ones become the degrees */
        } else {
            pci_fractions progress = {(double)(l - 1) / n_steps, (double)l / n_steps};
            status = pci_long_vector_step(run->along, run->against, run->growth_bits, progress,
                                          before, vector);
        }
        if (status == PC_OK)
            status = take(run, l, vector, before);
    }
    return status;
}

/* ---- A query --------------------------------------------------------------------------------- */

static pc_status prepare(vector_run *run)
{
    const vector_plan *plan = run->plan;
    pc_context *context = run->context;
    uint64_t n = run->graph->n;
    pci_parts *parts = run->along->parts;
    size_t n_product = 2 * (size_t)plan->most_words + 1, n_threads = (size_t)plan->n_threads;
    pc_status status = PC_OK;
    for (int i = 0; i < 2 && status == PC_OK; i++)
        status = pci_long_vector_create(context, parts, n, plan->most_words, &run->at[i]);
    if (plan->has_rows && status == PC_OK)
        status = pci_long_vector_create(context, parts, n, plan->row_words, &run->rows);
    if (plan->has_rows && status == PC_OK)
        pci_long_vector_fill(plan->row_words, 0, PCI_NO_VERTEX, &run->rows);
    if (status != PC_OK || plan->n_totals == 0)
        return status;
    status = pci_gathered_create(plan->question, "a total", plan->n_totals, 1, plan->total_words,
                                 &run->totals);
    if (status != PC_OK)
        return status;
    run->product = pci_alloc(context, n_product * sizeof(uint64_t));
    run->scratch = pci_alloc(context, 2 * n_product * n_threads * sizeof(uint64_t));
    if (!run->product || !run->scratch)
        return pci_fail_memory(context, "totals", plan->n_totals * plan->total_words * 8);
    if (plan->by_halves)
        return PC_OK;
    status = pci_long_vector_create(context, parts, n, 1, &run->ones);
    if (status == PC_OK)
        pci_long_vector_fill(1, 1, PCI_NO_VERTEX, &run->ones);
    return status;
}

static pc_status run_vector(const pci_execution *execution)
{
    const pci_question *question = execution->question;
    pc_context *context = question->context;
    const pc_graph *graph = question->graph;
    const vector_plan *plan = execution->plan->choice;
    int n_rounds = question->options.n_certify_rounds;
    vector_run run = {.context = context,
                      .plan = plan,
                      .query = &question->query,
                      .graph = graph,
                      .along = graph,
                      .against = graph->symmetric ? graph : NULL,
                      .sink = execution->sink};
    run.at[0].context = run.at[1].context = context; /* to be freed */
    run.ones.context = run.rows.context = context;
    pc_status status = PC_OK;
    if (!graph->symmetric && (plan->reversed || n_rounds)) {
        status = pci_graph_reverse(context, graph, &run.reverse);
        run.along = plan->reversed ? run.reverse : graph;
        run.against = plan->reversed ? graph : run.reverse;
    }
    double start = pci_now_seconds();
    if (status == PC_OK && n_rounds) /* first: it needs more memory while it is made */
        status =
            pci_step_check_create(context, run.along->parts, run.against, 1, n_rounds, &run.check);
    run.certify_seconds = pci_now_seconds() - start;
    if (status == PC_OK)
        status = prepare(&run);
    if (status == PC_OK)
        status = run_steps(&run);
    if (status == PC_OK && plan->n_totals)
        status = pci_gathered_deliver(&run.totals, run.query->each ? 1 : run.query->length, true,
                                      run.sink);
    execution->info->seconds.certify = run.certify_seconds;
    pci_step_check_free(run.check);
    pci_long_vector_free(&run.at[0]);
    pci_long_vector_free(&run.at[1]);
    pci_long_vector_free(&run.ones);
    pci_long_vector_free(&run.rows);
    pci_gathered_free(&run.totals);
    pci_free(context, run.product);
    pci_free(context, run.scratch);
    pc_graph_free(run.reverse);
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

static int rank(const pci_question *question)
{
    return pci_is_by_one_vector(question) ? PCI_RANK_BEST : PCI_CANNOT;
}

const pci_method pci_by_vector = {.name = "a sweep of one vector",
                                  .told = PC_METHOD_SWEEP,
                                  .cpu_because = "a single vector is swept on the CPU",
                                  .only_sweeps = true,
                                  .rank = rank,
                                  .plan = plan_vector,
                                  .run = run_vector};
