/* Powers by way of a quotient (graphs/partition.h): the power of each piece is planned and made as that of
 * a graph of its own, by any method, and the answer is made of the rows of classes (src/count/class_rows.c).
 * The few rows that a summary wants to see are those of their classes where an engine can still give these, or a query of
 * the whole graph. */
#include "src/count/square.h"
#include "src/count/sweep_plan.h"
#include "src/cpu/modular.h"

#include <math.h>
#include <string.h>

/* The choice of a plan. */
typedef struct choice {
    pci_quotient *quotient;
    pc_graph **
        between; /* [n_pieces] for an engine that knows classes; NULL: pieces are those of the quotient */
    pc_plan *plan[]; /* [n_pieces] */
} choice;

/* pci_deliver_made takes the rows of classes for the run of an engine. */
struct pci_run {
    pci_class_rows rows;
    const pci_execution *execution;
    uint8_t *is_wanted; /* [n_vertices] whose rows a summary wants to see; NULL: there is none */
    pci_certificate *certificate; /* of the rows of the last piece */
};

/* ---- Rows of vertices ------------------------------------------------------------------------ */

static pc_status collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *space, const uint64_t **limbs)
{
    uint64_t n = run->rows.quotient->n_vertices;
    int n_threads = pci_threads_for(run->rows.context, (double)n_rows * (double)n * n_limbs);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t i = 0; i < n_rows; i++)
        pci_class_rows_expand(&run->rows, first_row + i, space + i * n * n_limbs);
    *limbs = space;
    return PC_OK;
}

/* The part of an engine that pci_deliver_made calls. */
static const pci_engine expanding = {.name = "cpu", .collect = collect};

/* ---- Aggregates of vertices ------------------------------------------------------------------ */

enum { WANTED_BYTES = 128 << 20, MOST_WANTED = 64 };

/* Takes a row that a reduction wants to see, of the query of the whole graph. */
typedef struct wanted {
    const pci_class_rows *rows;
    pci_sink *sink;
    const uint64_t *from;
    uint64_t *room; /* [n_vertices][n_limbs] of zeros */
} wanted;

static pc_status take_wanted(void *user, uint64_t length, const pc_rows *rows)
{
    const wanted *w = user;
    uint32_t n_limbs = w->rows->n_limbs;
    uint32_t n_copied = rows->n_limbs < n_limbs ? rows->n_limbs : n_limbs;
    pc_status status = PC_OK;
    (void)length;
    for (uint64_t i = 0; i < rows->n_rows && status == PC_OK; i++) {
        pc_rows one = {.first_row = w->from[rows->first_row + i],
                       .n_rows = 1,
                       .n_columns = rows->n_columns,
                       .n_limbs = n_limbs,
                       .limbs = w->room};
        for (uint64_t j = 0; j < rows->n_columns; j++)
            memcpy(w->room + j * n_limbs, rows->limbs + (i * rows->n_columns + j) * rows->n_limbs,
                   n_copied * sizeof *w->room);
        status = pci_sink_take_wanted(w->sink, &one);
    }
    return status;
}

/* Rows that are counted together: so many, of no more bytes, or one. */
static uint64_t wanted_together(uint64_t n, uint32_t n_limbs)
{
    uint64_t n_rows = WANTED_BYTES / (n * n_limbs * sizeof(uint64_t)) + 1;
    return n_rows < MOST_WANTED ? n_rows : MOST_WANTED;
}

/* Makes the rows that are wanted of those of their classes. Each is made again after it was used, and those of classes are
 * certified last. */
static pc_status expand_wanted(const pci_run *run)
{
    const pci_class_rows *rows = &run->rows;
    const pci_quotient *q = rows->quotient;
    pc_context *context = rows->context;
    uint64_t n = q->n_vertices,
             n_classes = q->piece_start[rows->last + 1] - q->piece_start[rows->last];
    size_t row_words = n * rows->n_limbs;
    uint64_t *room = pci_alloc(context, 2 * row_words * sizeof *room);
    pc_status status = room ? PC_OK : pci_fail_memory(context, "rows of a summary", row_words * 16);
    for (uint64_t v = 0; v < n && status == PC_OK; v++) {
        pc_rows one = {
            .first_row = v, .n_rows = 1, .n_columns = n, .n_limbs = rows->n_limbs, .limbs = room};
        if (!run->is_wanted[v])
            continue;
        pci_class_rows_expand(rows, v, room);
        status = pci_sink_take_wanted(run->execution->sink, &one);
        pci_class_rows_expand(rows, v, room + row_words);
        if (status == PC_OK && memcmp(room, room + row_words, row_words * sizeof *room) != 0)
            status = pci_fail_check(context, "a row of a class");
    }
    for (uint64_t c = 0; c < n_classes && run->certificate && status == PC_OK; c++) {
        pc_rows one = {.first_row = c,
                       .n_rows = 1,
                       .n_columns = n_classes,
                       .n_limbs = rows->n_limbs,
                       .limbs = rows->wanted + rows->place[c] * n_classes * rows->n_limbs};
        if (rows->place[c] != UINT32_MAX)
            status = pci_certificate_check(run->certificate, &one);
    }
    pci_free(context, room);
    return status;
}

/* Counts the rows that are wanted. */
static pc_status count_wanted(const pci_run *run)
{
    const pci_class_rows *rows = &run->rows;
    const pci_question *question = run->execution->question;
    const uint8_t *is_wanted = run->is_wanted;
    pc_context *context = rows->context;
    uint64_t n = rows->quotient->n_vertices, n_wanted = 0;
    pc_count_options options = question->options;
    options.method = PC_METHOD_AUTO;
    if (options.n_certify_rounds == 0)
        options.n_certify_rounds = PC_CERTIFY_NONE;
    uint64_t *from = pci_alloc_zero(context, n * (1 + (uint64_t)rows->n_limbs), sizeof *from);
    if (!from)
        return pci_fail_memory(context, "rows of a summary", n * sizeof *from);
    for (uint64_t v = 0; v < n; v++)
        if (is_wanted[v])
            from[n_wanted++] = v;
    uint64_t n_together = wanted_together(n, rows->n_limbs);
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n_wanted && status == PC_OK; i += n_together) {
        wanted w = {rows, run->execution->sink, from + i, from + n};
        pc_query query = {.kind = PC_QUERY_FROM,
                          .length = rows->length,
                          .up_to = rows->up_to,
                          .n_asked = n_wanted - i < n_together ? n_wanted - i : n_together,
                          .from = from + i};
        status = pc_query_run(context, question->graph, &query, &options, take_wanted, &w);
    }
    pci_free(context, from);
    return status;
}

/* Gives each vertex the record of its class. */
static pc_status deliver_records(pci_run *run)
{
    const pci_class_rows *rows = &run->rows;
    pc_context *context = rows->context;
    uint64_t n = rows->quotient->n_vertices;
    pci_aggregates aggregates = {.n = n, .n_limbs = rows->n_limbs};
    run->is_wanted = pci_alloc_zero(context, n, sizeof *run->is_wanted);
    pc_status status = run->is_wanted ? pci_aggregates_create(context, &aggregates)
                                      : pci_fail_memory(context, "a list of rows", n);
    for (uint64_t v = 0; v < n && status == PC_OK; v++)
        for (int copy = 0; copy < PCI_AGGREGATE_COPIES; copy++)
            memcpy(pci_record(&aggregates, copy, v),
                   pci_class_rows_record(rows, copy, rows->quotient->class_of[v]),
                   rows->n_record * sizeof *rows->records);
    if (status == PC_OK)
        status = pci_sink_take_aggregates(run->execution->sink, &aggregates, run->is_wanted);
    pci_aggregates_free(context, &aggregates);
    return status;
}

/* Asks for rows of classes where these are all that is wanted, and not too many. */
static pc_status want(pci_class_rows *rows, uint8_t *is_wanted)
{
    pci_run *run = (pci_run *)rows;
    const pci_quotient *q = rows->quotient;
    uint64_t start = q->piece_start[rows->last], n = q->piece_start[rows->last + 1] - start;
    uint64_t n_rows = 0, n_others = 0;
    pc_status status = deliver_records(run);
    for (uint64_t v = 0; v < q->n_vertices && status == PC_OK; v++) {
        uint64_t c = q->class_of[v] - start; /* large where it is in another piece */
        if (!run->is_wanted[v])
            continue;
        n_others += c >= n;
        n_rows += c < n && !is_wanted[c];
        if (c < n)
            is_wanted[c] = 1;
    }
    size_t words = n_rows * n * rows->n_limbs;
    if (status != PC_OK || n_rows == 0)
        return status;
    if (n_others || words * sizeof(uint64_t) > WANTED_BYTES) {
        memset(is_wanted, 0, n);
        return PC_OK;
    }
    rows->wanted = pci_alloc(rows->context, words * sizeof(uint64_t) + n * sizeof *rows->place);
    if (!rows->wanted)
        return pci_fail_memory(rows->context, "rows of a summary", words * sizeof(uint64_t));
    rows->place = (uint32_t *)(rows->wanted + words);
    for (uint64_t c = 0, place = 0; c < n; c++)
        rows->place[c] = is_wanted[c] ? (uint32_t)place++ : UINT32_MAX;
    return PC_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* The arguments of a certificate of a piece. */
typedef struct certified {
    const pci_class_rows *rows;
    const pc_graph *graph;
    uint32_t p;
    int n_rounds;
} certified;

/* Rows that are kept are certified when they are rows of vertices. */
static pc_status certify_piece(void *user, pc_context *context, pci_certificate **certificate)
{
    const certified *c = user;
    return c->rows->records && c->n_rounds
               ? pci_class_rows_certify(c->rows, context, c->graph, c->p, c->n_rounds, certificate)
               : PC_OK;
}

/* Makes the power of a piece, once: a second time there would be no certificate. That of rows which a device makes is
 * made meanwhile. */
static pc_status make_piece(pci_run *run, uint32_t p)
{
    const pci_execution *execution = run->execution;
    pci_class_rows *rows = &run->rows;
    pc_plan *plan = ((choice *)execution->plan->choice)->plan[p];
    const pci_question *question = execution->question;
    certified by = {rows, question->graph, p, question->options.n_certify_rounds};
    pc_reduction *reduction = NULL;
    pci_sink sink = {.context = rows->context,
                     .modulus = rows->modulus,
                     .make_certificate = certify_piece,
                     .reductions = &reduction,
                     .n_reductions = 1,
                     .user = &by};
    double start = pci_now_seconds();
    pc_status status = pci_class_rows_reduction(rows, p, &reduction);
    if (status == PC_OK && !rows->are_between)
        status = certify_piece(&by, rows->context, &sink.certificate);
    execution->info->seconds.certify += pci_now_seconds() - start;
    if (status == PC_OK)
        status = pci_run_plan(plan, plan->plan[0], &sink, &plan->info);
    pci_plan_add_seconds(&plan->info, execution->info);
    if (rows->wanted) {
        run->certificate = sink.certificate;
        sink.certificate = NULL;
    }
    pci_sink_end_certificate(&sink);
    pc_reduction_free(reduction);
    return status;
}

/* Makes the powers of all pieces, that of the largest one last: most rows that are wanted are of its vertices. */
static pc_status make_pieces(pci_run *run)
{
    const pci_quotient *q = run->rows.quotient;
    uint32_t last = 0;
    pc_status status = PC_OK;
    for (uint32_t p = 1; p < q->n_pieces; p++)
        if (q->piece[p]->n > q->piece[last]->n)
            last = p;
    run->rows.last = last;
    for (uint32_t p = 0; p < q->n_pieces && status == PC_OK; p++)
        if (p != last)
            status = make_piece(run, p);
    return status == PC_OK ? make_piece(run, last) : status;
}

/* Delivers what records and a few rows tell. */
static pc_status deliver_aggregates(pci_run *run)
{
    pc_status status = run->is_wanted ? PC_OK : deliver_records(run);
    if (status != PC_OK)
        return status;
    return run->rows.wanted ? expand_wanted(run) : count_wanted(run);
}

static pc_status run_quotient(const pci_execution *execution)
{
    const pci_question *question = execution->question;
    const pci_quotient *q = ((choice *)execution->plan->choice)->quotient;
    const pci_sink *sink = execution->sink;
    pc_context *context = question->context;
    pci_aggregates wanted = {.n = q->n_vertices, .n_limbs = execution->info->n_limbs};
    pci_run run = {{.context = context,
                    .quotient = q,
                    .length = question->query.length,
                    .modulus = question->options.modulus,
                    .up_to = question->query.up_to,
                    .n_limbs = execution->info->n_limbs,
                    .are_between = ((choice *)execution->plan->choice)->between != NULL,
                    .want = want},
                   .execution = execution};
    bool is_aggregated = !pci_sink_wants_rows(sink) &&
                         pci_reductions_can_take(sink->reductions, sink->n_reductions, &wanted) &&
                         !wanted.cells.row_span;
    pc_status status = pci_class_rows_create(is_aggregated, &run.rows);
    if (status == PC_OK)
        status = make_pieces(&run);
    if (status == PC_OK)
        status = is_aggregated ? deliver_aggregates(&run)
                               : pci_deliver_made(execution, &expanding, &run);
    if (status == PC_OK && question->options.n_certify_rounds)
        status = pci_quotient_check(context, q);
    pci_sink_end_certificate(execution->sink);
    pci_certificate_free(run.certificate);
    pci_free(context, run.is_wanted);
    pci_class_rows_free(&run.rows);
    return status;
}

/* ---- Planning -------------------------------------------------------------------------------- */

/* The part of all entries that a quotient may have, and what it must be predicted to save. With more entries, sweeps along
 * weights take what is saved, and to plan the pieces costs a tenth of the count. */
static const double MOST_SHARE = 0.6, MARGIN = 1.15;

static void release(void *memory)
{
    choice *chosen = memory;
    for (uint32_t p = 0; chosen->quotient && p < chosen->quotient->n_pieces; p++) {
        pc_plan_free(chosen->plan[p]);
        if (chosen->between)
            pc_graph_free(chosen->between[p]);
    }
    if (chosen->quotient)
        pci_free(chosen->quotient->context, chosen->between);
    pci_quotient_free(chosen->quotient);
}

pc_status pci_plan_other_power(const pci_question *question, const pc_graph *graph, bool up_to,
                               pc_method method, int n_rounds, pc_plan **plan)
{
    pc_context *context = question->context;
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = question->query.length, .up_to = up_to};
    pc_count_options options = question->options;
    pci_devices devices = context->devices;
    options.method = method;
    options.reduce = PC_REDUCE_NEVER;
    options.n_certify_rounds = n_rounds ? n_rounds : PC_CERTIFY_NONE;
    context->devices = (pci_devices){.kind = PCI_DEVICE_CPU};
    pc_status status = pc_plan_create(context, graph, &query, &options, plan);
    context->devices = devices;
    return status;
}

/* Plans the entries between the classes of a piece on an engine that knows classes. They are entries of the power of the
 * whole graph, whose limits hold for them. */
static pc_status plan_between(const pci_question *question, const choice *chosen,
                              const pci_engine *engine, uint32_t p, pc_plan **plan)
{
    pc_context *context = question->context;
    pc_status status = pci_quotient_between(chosen->quotient, p, &chosen->between[p]);
    pc_plan *made = status == PC_OK ? pci_alloc_zero(context, 1, sizeof *made) : NULL;
    if (status != PC_OK)
        return status;
    if (!made)
        return pci_fail_memory(context, "a plan", sizeof *made);
    *plan = made;
    made->moduli = *question->moduli;
    made->question = *question;
    made->question.graph = chosen->between[p];
    made->question.moduli = &made->moduli;
    made->question.limits = NULL;
    made->question.dense = NULL;
    made->question.only_diagonal = false;
    made->question.query.keeps = false;
    pc_plan_info dense = *question->dense;
    dense.n_vertices += 2; /* of residues, N L^k and L^k N are added to N S N */
    if (dense.arithmetic == PC_MODULAR &&
        (status = pci_levels_make(&made->question, dense.length, &dense)))
        return status;
    dense.n_vertices = dense.n_classes = chosen->between[p]->n;
    dense.n_arcs = pci_graph_n_arcs(chosen->between[p]);
    if (!(made->plan[0] = pci_plan_create(question, &pci_by_squaring)))
        return pci_fail_memory(context, "a plan", sizeof *made->plan[0]);
    made->n_plans = 1;
    status = pci_square_plan(&made->question, &dense, 0, engine, made->plan[0]);
    made->plan[0]->info.n_threads = pci_n_threads(context);
    made->info = made->plan[0]->info;
    if (status == PC_OK && made->plan[0]->status != PC_OK)
        return pci_fail(context, made->plan[0]->status, "%s", made->plan[0]->why_not);
    if (status == PC_OK && dense.arithmetic == PC_MODULAR &&
        !pci_keeps_power(&made->question, made->plan[0]))
        return pci_fail(context, PC_ERR_ARGUMENT, "weights are not below the modulus");
    return status;
}

static int rank(const pci_question *question)
{
    pc_reduce reduce = question->options.reduce;
    if (!question->makes_rows || question->graph->n == 1 || reduce == PC_REDUCE_NEVER ||
        question->options.method == PC_METHOD_RECURRENCE)
        return PCI_CANNOT;
    return reduce == PC_REDUCE_ALWAYS ? PCI_RANK_BEFORE : PCI_RANK_BEST;
}

/* Fills in the facts of the plan: levels are those of the piece that takes longest, time and memory those of all
 * pieces. whole has the width of the answer, and no levels, because rows are made of rows. */
static void tell(const pci_question *question, const choice *chosen, const pc_plan_info *whole,
                 pci_plan *plan)
{
    const pci_quotient *q = chosen->quotient;
    pc_context *context = question->context;
    const pc_plan_info *longest = &chosen->plan[0]->info;
    uint64_t n = q->n_vertices, kept = 0, most = 0;
    double pieces_seconds = 0, n_entries = 0, n_rounds = question->options.n_certify_rounds;
    for (uint32_t p = 0; p < q->n_pieces; p++) {
        const pc_plan_info *piece = &chosen->plan[p]->info;
        double size = (double)piece->n_vertices;
        longest = piece->predicted_seconds > longest->predicted_seconds ? piece : longest;
        pieces_seconds += piece->predicted_seconds;
        n_entries += size * size;
        kept += piece->n_vertices * piece->n_vertices * piece->n_limbs * sizeof(uint64_t);
        most = piece->memory_bytes > most ? piece->memory_bytes : most;
    }
    pc_plan_info *info = &plan->info;
    *info = *longest;
    info->n_vertices = n;
    info->n_arcs = whole->n_arcs;
    info->n_limbs = whole->n_limbs;
    info->bound_bits = whole->bound_bits;
    info->n_classes = q->n_classes;
    info->n_pieces = q->n_pieces;
    uint64_t row_bytes = n * whole->n_limbs * sizeof(uint64_t);
    uint64_t rows = question->query.keeps ? n * row_bytes : pci_plan_block_rows(whole) * row_bytes;
    uint64_t n_wanted = wanted_together(n, whole->n_limbs); /* with the lines of their sweeps */
    uint64_t wanted = (3 * n_wanted + 1) * row_bytes + n * sizeof(uint64_t);
    uint64_t making = n * 64 + pci_graph_n_arcs(question->graph) * 12; /* of classes */
    info->memory_bytes = most + kept + rows + wanted + making + pci_graph_bytes(question->graph) +
                         pci_aggregates_bytes(n, whole->n_limbs, 0) +
                         (uint64_t)pci_certificate_bytes((double)n, (double)n, n_rounds);
    info->memory_available_bytes = pci_question_available(question);
    pci_work work = {{0}};
    if (whole->modulus)
        n_rounds = pci_modular_rounds(whole->modulus, (int)n_rounds);
    pci_cost_passes(context, question->graph, (double)whole->length * (1 + n_rounds * q->n_pieces),
                    &work);
    if (!chosen->between) /* else a device adds the entries up */
        work.units[PCI_PART_CERTIFY] += n_entries * whole->n_limbs * (n_rounds + 4);
    if (question->query.keeps)
        work.units[PCI_PART_ROWS] += (double)n * (double)n * whole->n_limbs;
    info->predicted_seconds =
        pieces_seconds + pci_cost_seconds(context, &work) + 2 * pci_find_seconds(question->graph);
    plan->seconds =
        MARGIN * info->predicted_seconds + (chosen->between ? pci_cuda_start_seconds(context) : 0);
}

/* Tells whether the entries of the pieces are so few that they may pay. */
static bool may_pay(const pci_question *question, const pci_quotient *q)
{
    double n = (double)q->n_vertices, n_entries = 0;
    for (uint32_t p = 0; p < q->n_pieces; p++) {
        double size = (double)(q->piece_start[p + 1] - q->piece_start[p]);
        n_entries += size * size;
    }
    return question->options.reduce == PC_REDUCE_ALWAYS || n_entries <= MOST_SHARE * n * n;
}

/* Makes the quotient, and plans its pieces where they may pay. The choice is freed with the plan. */
static pc_status make_choice(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    pc_context *context = question->context;
    pci_quotient *quotient = NULL;
    pc_status status =
        pci_quotient_create(context, question->graph, question->options.modulus, &quotient);
    if (status == PC_OK && !may_pay(question, quotient))
        status = pci_fail(context, PC_ERR_RANGE, "no vertices are alike");
    choice *chosen = NULL;
    if (status == PC_OK &&
        !(chosen = pci_plan_choice(question,
                                   sizeof *chosen + quotient->n_pieces * sizeof(pc_plan *), plan)))
        status = PC_ERR_MEMORY;
    if (status != PC_OK) {
        pci_quotient_free(quotient);
        return status;
    }
    chosen->quotient = quotient;
    if (engine->has_classes &&
        !(chosen->between = pci_alloc_zero(context, quotient->n_pieces, sizeof(pc_graph *))))
        return pci_fail_memory(context, "graphs of classes", quotient->n_pieces);
    for (uint32_t p = 0; p < quotient->n_pieces && status == PC_OK; p++)
        status = chosen->between
                     ? plan_between(question, chosen, engine, p, &chosen->plan[p])
                     : pci_plan_other_power(question, quotient->piece[p], question->query.up_to,
                                            question->options.method, 0, &chosen->plan[p]);
    return status;
}

static pc_status plan_quotient(const pci_question *question, const pci_engine *engine,
                               pci_plan *plan)
{
    double n = (double)question->graph->n;
    bool can_be_there = question->graph->symmetric && question->options.method != PC_METHOD_SWEEP &&
                        pci_may_square(question);
    plan->engine = engine;
    if (!pci_plan_is_on_cpu(plan) && !(engine->has_classes && can_be_there)) {
        pci_plan_refuse(plan, PC_ERR_ARGUMENT,
                        "on a GPU classes are squared, and in undirected graphs only");
        return PC_OK;
    }
    pc_plan_info whole = *question->dense;
    pc_status status = make_choice(question, engine, plan);
    if (status == PC_OK && question->query.up_to && whole.arithmetic == PC_EXACT)
        status = pci_vectors_answer_bits(question, false, &whole.bound_bits);
    if (question->query.up_to)
        whole.n_limbs = (uint32_t)(whole.bound_bits / 64) + 1;
    whole.n_levels = 0;
    if (status != PC_OK)
        return pci_plan_settle_power(question, status, 8 * n * n, plan);
    tell(question, plan->choice, &whole, plan);
    pci_plan_check_memory(question, plan);
    return PC_OK;
}

const pci_method pci_by_quotient = {.name = "a quotient",
                                    .told = PC_METHOD_AUTO,
                                    .is_dropped = true,
                                    .is_silent = true,
                                    .makes_matrix = true,
                                    .rank = rank,
                                    .plan = plan_quotient,
                                    .run = run_quotient,
                                    .release = release};
