/* Rows of a power that an engine makes: squared, checked and delivered block by block. Between
 * blocks of vertices only the last level differs: it is a reduced product. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include "src/count/square.h"

#include "src/count/block_sums.h"
#include "src/rows/counts.h"
#include "src/certify/certify.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Rows first .. first + n_rows - 1 of a matrix of the shape that info tells, held at limbs. */
static pc_rows rows_at(const pc_plan_info *info, uint64_t first, uint64_t n_rows,
                       const uint64_t *limbs)
{
    return (pc_rows){
        .first_row = first,
        .n_rows = n_rows,
        .n_columns = pci_plan_n_rows(info),
        .n_limbs = info->n_limbs,
        .limbs = limbs,
    };
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

/* Collects the rows that reductions want to see, a block at a time. */
static pc_status deliver_wanted(const pci_execution *run, pci_run *power, const uint8_t *is_wanted)
{
    pc_context *context = run->question->context;
    pc_plan_info *info = run->info;
    uint64_t n = pci_plan_n_rows(info), n_block = pci_plan_block_rows(info), n_rows = 0;
    size_t row_words = n * info->n_limbs, bytes = n_block * (row_words + 1) * sizeof(uint64_t);
    uint64_t *limbs = pci_alloc(context, bytes);
    if (!limbs)
        return pci_fail_memory(context, "a block of rows", bytes);
    uint64_t *number = limbs + n_block * row_words;
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < n && status == PC_OK; row++) {
        if (is_wanted[row])
            number[n_rows++] = row;
        if (n_rows < n_block && row + 1 < n)
            continue;
        double start = pci_now_seconds();
        status = run->plan->engine->collect_selected(power, n_rows, number, info->n_limbs, limbs);
        info->seconds.collect += pci_now_seconds() - start;
        for (uint64_t i = 0; i < n_rows && status == PC_OK; i++) {
            pc_rows one = rows_at(info, number[i], 1, limbs + i * row_words);
            status = pci_sink_take_wanted(run->sink, &one);
        }
        n_rows = 0;
    }
    pci_free(context, limbs);
    return status;
}

static pc_status deliver_aggregates(const pci_execution *run, pci_run *power,
                                    pci_aggregates aggregates)
{
    pc_context *context = run->question->context;
    pc_plan_info *info = run->info;
    uint64_t n = aggregates.n;
    pci_dot_vector *dots = NULL;
    uint8_t *is_wanted = pci_alloc_zero(context, n, sizeof *is_wanted);
    pc_status status =
        is_wanted ? PC_OK : pci_fail_memory(context, "a list of rows", n * sizeof *is_wanted);
    if (status == PC_OK && run->sink->certificate)
        status = pci_certificate_dots(run->sink->certificate, n, &dots, &aggregates.n_dots);
    aggregates.dots = dots;
    if (status == PC_OK)
        status = pci_aggregates_create(context, &aggregates);
    if (status == PC_OK)
        status = pci_progress(context, "collect", 0);
    double start = pci_now_seconds();
    if (status == PC_OK)
        status = run->plan->engine->aggregate(power, &aggregates);
    info->seconds.collect += pci_now_seconds() - start;
    if (status == PC_OK)
        status = pci_sink_take_aggregates(run->sink, &aggregates, is_wanted);
    if (status == PC_OK)
        status = deliver_wanted(run, power, is_wanted);
    pci_aggregates_free(context, &aggregates);
    pci_free(context, dots);
    pci_free(context, is_wanted);
    return status;
}

/* Both copies of the diagonal, in records that have nothing else. The factor P is certified when
 * the diagonals of the product have been taken from it. */
static pc_status deliver_diagonal(const pci_execution *run, pci_run *power)
{
    pc_context *context = run->question->context;
    pc_plan_info *info = run->info;
    const pci_engine *engine = run->plan->engine;
    const pc_level *level = &info->levels[info->n_levels - 1];
    uint64_t n = info->n_vertices;
    uint32_t n_limbs = info->n_limbs;
    size_t bytes = n * (n_limbs * sizeof(uint64_t) + 1);
    uint64_t *limbs = pci_alloc_zero(context, bytes, 1);
    pci_aggregates aggregates = {.n = n, .n_limbs = n_limbs};
    double start = pci_now_seconds();
    pc_status status = limbs ? pci_aggregates_create(context, &aggregates)
                             : pci_fail_memory(context, "a diagonal", bytes);
    for (int c = 0; c < PCI_AGGREGATE_COPIES && status == PC_OK; c++) {
        memset(aggregates.record[c], 0, n * pci_record_words(n_limbs) * sizeof *limbs);
        status = engine->diagonal(power, level->is_step, level->n_moduli, n_limbs, limbs);
        for (uint64_t i = 0; i < n && status == PC_OK; i++)
            memcpy((uint64_t *)pci_record_diagonal(pci_record(&aggregates, c, i), n_limbs),
                   limbs + i * n_limbs, n_limbs * sizeof *limbs);
    }
    if (status == PC_OK) /* nobody wants rows */
        status = pci_sink_take_aggregates(run->sink, &aggregates, (uint8_t *)(limbs + n * n_limbs));
    double taken = pci_now_seconds();
    info->seconds.collect += taken - start;
    if (status == PC_OK && run->sink->certificate)
        status = pci_certificate_check_run(run->sink->certificate, engine, power, n,
                                           (uint32_t)(level[-1].bound_bits / 64) + 1);
    info->seconds.certify += pci_now_seconds() - taken;
    pci_aggregates_free(context, &aggregates);
    pci_free(context, limbs);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The rows, block by block or, of a square that the last level makes directly, all at once: made in
 * their place in the result, if there is one, and given to the sink. */
static pc_status deliver_rows(const pci_execution *run, const pci_engine *engine, pci_run *power)
{
    pc_context *context = run->question->context;
    pc_plan_info *info = run->info;
    bool is_direct = pci_plan_is_direct(info);
    uint64_t n = pci_plan_n_rows(info), n_block = is_direct ? n : pci_plan_block_rows(info);
    size_t row_words = n * info->n_limbs, bytes = n_block * row_words * sizeof(uint64_t);
    uint64_t *block = NULL;
    pc_status status = pci_sink_open(run->sink, info->n_limbs);
    if (status != PC_OK)
        return status;
    if (!run->sink->result && !(block = pci_alloc(context, bytes)))
        return pci_fail_memory(context, is_direct ? "all rows" : "a block of rows", bytes);
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_block) {
        uint64_t *place = block ? block : run->sink->result->limbs + first * row_words;
        pc_rows rows = rows_at(info, first, min_u64(n_block, n - first), place);
        if (!is_direct)
            status = pci_progress(context, "collect", (double)first / (double)n);
        double start = pci_now_seconds();
        if (status == PC_OK)
            status = is_direct ? engine->square_direct(power, place)
                               : engine->collect(power, first, rows.n_rows, info->n_limbs, place,
                                                 &rows.limbs);
        double seconds = pci_now_seconds() - start;
        *(is_direct ? &info->seconds.product : &info->seconds.collect) += seconds;
        if (is_direct)
            info->levels[info->n_levels - 1].seconds += seconds;
        if (status == PC_OK)
            status = pci_sink_take(run->sink, info->length, &rows);
    }
    pci_free(context, block);
    return status;
}

/* Passes on what an engine's run holds: a diagonal, rows or, where the engine can aggregate rows where
 * they are and nobody wants all of them, aggregates. */
static pc_status deliver_power(const pci_execution *run, pci_run *power)
{
    const pci_sink *sink = run->sink;
    pci_aggregates wanted = {.n = pci_plan_n_rows(run->info), .n_limbs = run->info->n_limbs};
    if (pci_plan_is_diagonal(run->info))
        return deliver_diagonal(run, power);
    bool is_aggregated = !pci_plan_is_direct(run->info) && run->plan->engine->aggregate &&
                         !pci_sink_wants_rows(sink) &&
                         pci_reductions_can_take(sink->reductions, sink->n_reductions, &wanted);
    return is_aggregated ? deliver_aggregates(run, power, wanted)
                         : deliver_rows(run, run->plan->engine, power);
}

/* ---- Rows that a hybrid begins with ---------------------------------------------------------- */

static uint64_t hybrid_rows(const pci_plan *plan)
{
    return *(const uint64_t *)plan->choice;
}

pci_swept_options pci_hybrid_sweep(const pci_question *question, const pci_plan *plan,
                                   const pc_graph *along)
{
    return (pci_swept_options){.sweeps = pci_engine_sweeps(plan->engine),
                               .along = along,
                               .length = plan->info.sweep_length,
                               .bits = pci_limits_bits(question->limits),
                               .n_limbs = 1,
                               .most_starts = hybrid_rows(plan) ? hybrid_rows(plan) : along->n};
}

/* words[n][n], to be freed: the first level of a hybrid. */
static pc_status make_words(const pci_execution *run, uint64_t **words)
{
    pc_context *context = run->question->context;
    const pc_graph *graph = run->question->graph;
    pc_graph *reverse = NULL;
    pci_swept *swept = NULL;
    uint64_t n = graph->n, n_rows = hybrid_rows(run->plan);
    uint64_t *made = pci_alloc(context, n * n * sizeof *made);
    if (!made)
        return pci_fail_memory(context, "swept words", n * n * sizeof *made);
    pc_status status = graph->symmetric ? PC_OK : pci_graph_reverse(context, graph, &reverse);
    pci_swept_options options =
        pci_hybrid_sweep(run->question, run->plan, reverse ? reverse : graph);
    if (status == PC_OK)
        status = pci_swept_create(context, &options, &swept);
    double start = pci_now_seconds();
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_rows) {
        status = pci_progress(context, "rows", (double)first / (double)n);
        if (status == PC_OK)
            status =
                pci_swept_rows(swept, min_u64(n_rows, n - first), NULL, first, made + first * n);
    }
    double seconds = pci_now_seconds() - start;
    run->info->levels[0].seconds += seconds;
    run->info->seconds.sweep += seconds;
    pci_swept_free(swept);
    pc_graph_free(reverse);
    if (status == PC_OK)
        *words = made;
    else
        pci_free(context, made);
    return status;
}

/* ---- The certificate ------------------------------------------------------------------------- */

/* Gives the sink a certificate for rows of A^length, unless the options ask for none. */
static pc_status make_certificate(const pci_execution *run, pc_context *context, uint64_t length,
                                  uint64_t modulus)
{
    const pci_question *question = run->question;
    if (question->options.n_certify_rounds == 0)
        return PC_OK;
    if (run->sink->make_certificate)
        return run->sink->make_certificate(run->sink->user, context, &run->sink->certificate);
    pci_path_operator paths = {.context = context,
                               .graph = question->graph,
                               .partition = run->info->n_blocks ? question->query.partition : NULL,
                               .length = length,
                               .up_to = question->kind->is_matrix && question->query.up_to};
    pci_operator map = pci_path_operator_map(&paths);
    return pci_certificate_create(context, &map, modulus, question->options.n_certify_rounds,
                                  &run->sink->certificate);
}

static pc_status certify(const pci_execution *run, uint64_t length, uint64_t modulus)
{
    double start = pci_now_seconds();
    pc_status status = make_certificate(run, run->question->context, length, modulus);
    run->info->seconds.certify += pci_now_seconds() - start;
    return status;
}

pc_status pci_deliver_made(const pci_execution *execution, const pci_engine *engine, pci_run *run)
{
    pc_plan_info info = *execution->info; /* whose levels are done */
    pci_execution delivery = *execution;
    delivery.info = &info;
    info.n_levels = 0;
    pc_status status = certify(&delivery, info.length, info.modulus);
    if (status == PC_OK)
        status = deliver_rows(&delivery, engine, run);
    execution->info->seconds = info.seconds;
    return status;
}

/* Makes the certificate of exact rows while a device makes them, or afterwards where the processors
 * make them. */
typedef struct certifier {
    const pci_execution *run;
    uint64_t length;
    pc_context own; /* has a message of its own, and tells nobody of its progress */
    pthread_t thread;
    bool is_beside;
    pc_status status;
} certifier;

static void *run_certifier(void *user)
{
    certifier *c = user;
    c->status = make_certificate(c->run, &c->own, c->length, 0);
    return NULL;
}

static void begin_certificate(certifier *c)
{
    const pci_question *question = c->run->question;
    if (c->run->info->n_devices == 0 || question->options.n_certify_rounds == 0)
        return;
    c->own = *question->context;
    c->own.progress = NULL;
    int n_threads = pci_n_threads(question->context); /* of which some wait for the devices */
    c->own.n_threads = n_threads > 1 ? n_threads / 2 : 1;
    c->is_beside = pthread_create(&c->thread, NULL, run_certifier, c) == 0;
}

/* Waits for the thread, and tells of progress meanwhile; it ends soon where status, or who is told,
 * asks to stop. */
static pc_status end_certificate(certifier *c, pc_status status)
{
    enum { ASK_EVERY_NS = 20000000, SECOND_NS = 1000000000 };
    pc_context *context = c->run->question->context;
    struct timespec until;
    bool has_ended = false;
    if (!c->is_beside)
        return status == PC_OK ? certify(c->run, c->length, 0) : status;
    double start = pci_now_seconds();
    while (!has_ended) {
        if (status != PC_OK)
            pc_context_set_cancelled(&c->own, 1);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += ASK_EVERY_NS;
        until.tv_sec += until.tv_nsec / SECOND_NS;
        until.tv_nsec %= SECOND_NS;
        has_ended = pthread_timedjoin_np(c->thread, NULL, &until) == 0;
        if (!has_ended && status == PC_OK)
            status = pci_progress(context, "certify", 0);
    }
    if (c->run->sink->certificate)
        pci_certificate_adopt(c->run->sink->certificate, context);
    c->run->info->seconds.certify += pci_now_seconds() - start;
    return status == PC_OK && c->status != PC_OK
               ? pci_fail(context, c->status, "%s", c->own.message)
               : status;
}

/* ---- Arithmetics ----------------------------------------------------------------------------- */

bool pci_keeps_power(const pci_question *question, const pci_plan *plan)
{
    const pc_graph *graph = question->graph;
    uint64_t n_arcs = graph->weight ? pci_graph_n_arcs(graph) : 0;
    uint64_t modulus = question->options.modulus;
    if (graph->parts && graph->info.max_weight >= modulus)
        return false;
    for (uint64_t a = 0; a < n_arcs; a++)
        if (graph->weight[a] >= modulus)
            return false;
    return plan->engine->reduce_modulo && plan->engine->aggregate && modulus > 1;
}

static pc_status count_exact(const pci_execution *run)
{
    const pci_question *question = run->question;
    const pci_engine *engine = run->plan->engine;
    pc_context *context = question->context;
    const pc_plan_info *info = run->info; /* the factor of a diagonal is certified */
    certifier beside = {.run = run,
                        .length = pci_plan_is_diagonal(info)
                                      ? info->levels[info->n_levels - 2].length
                                      : info->length};
    pci_run *power = NULL;
    uint64_t *words = NULL;
    pc_status status = PC_OK;
    if (run->info->method == PC_METHOD_HYBRID) /* before the engine takes memory */
        status = make_words(run, &words);
    if (status == PC_OK)
        begin_certificate(&beside);
    if (status == PC_OK)
        status = engine->begin(
            context, question->graph, run->info->n_blocks ? question->query.partition : NULL,
            pci_plan_is_direct(run->info) ? &pci_direct_moduli : question->moduli,
            pci_plan_n_most(run->info), &power);
    if (status == PC_OK)
        status = pci_power(context, engine, power, &words, run->info);
    status = end_certificate(&beside, status);
    if (status == PC_OK)
        status = deliver_power(run, power);
    pci_free(context, words);
    engine->end(power);
    return status;
}

/* Passes on a matrix that is there whole: words or, when values is not NULL, doubles.
 * hashes[n_rows] of its rows, or NULL. */
static pc_status deliver_matrix(const pci_execution *run, const uint64_t *words,
                                const double *values, int64_t exponent, const uint64_t *hashes)
{
    const pc_plan_info *info = run->info;
    pc_context *context = run->question->context;
    uint64_t n = pci_plan_n_rows(info), n_block = pci_plan_block_rows(info);
    pc_status status = PC_OK;
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_block) {
        pc_rows rows = rows_at(info, first, min_u64(n_block, n - first),
                               words ? words + first * n * info->n_limbs : NULL);
        rows.values = values ? values + first * n : NULL;
        rows.exponent = exponent;
        run->sink->hashes = hashes ? hashes + first : NULL;
        status = pci_progress(context, "deliver", (double)first / (double)n);
        if (status == PC_OK)
            status = pci_sink_take(run->sink, info->length, &rows);
    }
    return status;
}

/* The power modulo M stays in the engine's run, or it is words on the host. */
static pc_status count_modular(const pci_execution *run)
{
    const pci_question *question = run->question;
    pc_context *context = question->context;
    const pci_engine *engine = run->plan->engine;
    size_t bytes = question->graph->n * question->graph->n * sizeof(uint64_t);
    bool stays = pci_keeps_power(question, run->plan);
    uint64_t *words = NULL;
    pci_run *power = NULL;
    pc_status status = certify(run, 1, run->info->modulus);
    /* Another one that the sink may have is of the result only. */
    bool is_of_levels = question->options.n_certify_rounds && !run->sink->make_certificate;
    pci_certificate *of_levels = is_of_levels ? run->sink->certificate : NULL;
    if (status == PC_OK)
        status = engine->begin(context, question->graph, NULL, question->moduli,
                               pci_plan_n_most(run->info), &power);
    if (status == PC_OK && !stays && !(words = pci_alloc(context, bytes)))
        status = pci_fail_memory(context, "the result", bytes);
    if (status == PC_OK)
        status =
            pci_power_modular(context, question->graph, engine, power, of_levels, run->info, words);
    if (status == PC_OK)
        status = stays ? deliver_power(run, power) : deliver_matrix(run, words, NULL, 0, NULL);
    pci_free(context, words);
    engine->end(power);
    return status;
}

/* The power in doubles, twice where it is checked: by hashes of the rows of the first time. */
static pc_status count_float(const pci_execution *run)
{
    pc_context *context = run->question->context;
    const pc_graph *graph = run->question->graph;
    uint64_t n = graph->n;
    size_t bytes = 2 * n * n * sizeof(double);
    int64_t exponent = 0;
    bool is_checked = run->question->options.n_certify_rounds > 0;
    uint64_t *hashes = is_checked ? pci_alloc(context, n * sizeof *hashes) : NULL;
    double *values = NULL, *matrices = pci_alloc(context, bytes);
    pc_status status = PC_OK;
    if (!matrices || (is_checked && !hashes))
        status = pci_fail_memory(context, "the result", bytes);
    double start = pci_now_seconds();
    if (status == PC_OK && is_checked) {
        pc_plan_info first = *run->info;
        status = pci_power_float(context, graph, &first, matrices, &values, &exponent);
        pc_rows rows = {.n_rows = n, .n_columns = n, .values = values, .exponent = exponent};
        if (status == PC_OK)
            pci_row_hashes(context, &rows, hashes);
    }
    run->info->seconds.certify += pci_now_seconds() - start;
    if (status == PC_OK)
        status = pci_power_float(context, graph, run->info, matrices, &values, &exponent);
    if (status == PC_OK)
        status = deliver_matrix(run, NULL, values, exponent, hashes);
    run->sink->hashes = NULL;
    pci_free(context, matrices);
    pci_free(context, hashes);
    return status;
}

/* A^0, a block of rows at a time. */
static pc_status count_identity(const pci_execution *run)
{
    const pc_plan_info *info = run->info;
    pc_context *context = run->question->context;
    uint64_t n = info->n_vertices, n_block = pci_plan_block_rows(info), one = 1;
    double one_double = 1;
    pc_status status = info->n_limbs ? certify(run, 0, info->modulus) : PC_OK;
    if (status != PC_OK)
        return status;
    uint64_t *block = pci_alloc_zero(context, n_block * n, sizeof *block);
    if (!block)
        return pci_fail_memory(context, "a block of rows", n_block * n * sizeof *block);
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_block) {
        pc_rows rows =
            rows_at(info, first, min_u64(n_block, n - first), info->n_limbs ? block : NULL);
        rows.n_columns = n;
        rows.values = info->n_limbs ? NULL : (double *)block;
        for (uint64_t i = 0; i < rows.n_rows; i++)
            memcpy(block + i * n + first + i, info->n_limbs ? (void *)&one : (void *)&one_double,
                   sizeof one);
        status = pci_sink_take(run->sink, info->length, &rows);
        for (uint64_t i = 0; i < rows.n_rows; i++)
            block[i * n + first + i] = 0;
    }
    pci_free(context, block);
    return status;
}

static pc_status make_power(const pci_execution *run)
{
    pc_arithmetic arithmetic = run->info->arithmetic;
    if (!run->info->n_vertices) /* a matrix without rows */
        return PC_OK;
    pc_status status = !run->info->length         ? count_identity(run)
                       : arithmetic == PC_EXACT   ? count_exact(run)
                       : arithmetic == PC_MODULAR ? count_modular(run)
                                                  : count_float(run);
    if (!run->sink->make_certificate) /* else rows that were kept may be certified yet */
        pci_sink_end_certificate(run->sink);
    return status;
}

/* ---- Between blocks -------------------------------------------------------------------------- */

static pc_status sum_blocks(const pci_execution *run)
{
    const pci_question *question = run->question;
    pc_plan_info *info = run->info;
    pci_block_sums sums[2];
    pc_reduction *reduction = &sums->base;
    uint64_t n_blocks = info->n_blocks;
    pci_sink summing = {.context = question->context,
                        .modulus = question->options.modulus,
                        .reductions = &reduction,
                        .n_reductions = 1};
    pci_execution of_vertices = *run;
    pc_status status =
        pci_block_sums_create(question->context, question->query.partition, n_blocks, info->n_limbs,
                              info->modulus, pci_question_n_copies(question), sums);
    of_vertices.sink = &summing;
    info->n_blocks = 0; /* rows are those of vertices for a while */
    if (status == PC_OK)
        status = make_power(&of_vertices);
    info->n_blocks = n_blocks;
    pci_sink_add_seconds(&summing, info);
    if (status == PC_OK)
        status = pci_block_sums_check(sums);
    if (status == PC_OK)
        status = deliver_matrix(run, sums->limbs, sums->values, sums->exponent, NULL);
    pc_reduction_free(reduction);
    return status;
}

pc_status pci_square_run(const pci_execution *run)
{
    return run->info->n_blocks && !pci_plan_is_reduced(run->info) ? sum_blocks(run)
                                                                  : make_power(run);
}
