/* Vectors sent through the sparse graph in blocks, certified, and read as the question wants: rows,
 * a column, single entries, a sum. */
#include "src/rows/counts.h"
#include "src/certify/certify.h"
#include "src/core/number.h"
#include "src/count/block_sums.h"
#include "src/count/methods.h"
#include "src/count/sweep_plan.h"

#include <string.h>

/* Doubles that share an exponent must not fall below this. */
static const double SMALLEST = 0x1p-900;

typedef struct vectors_run {
    pc_context *context;
    const pci_vectors_plan *plan; /* with its graphs */
    const pc_query *query;
    pci_sink *sink;
    double certify_seconds;
    pci_certificate
        *certificate;      /* of vectors that the sink does not take as they are; NULL: none */
    pci_vectors *vectors;  /* or: */
    pci_swept *swept;      /* rows, where nothing is looked at on the way */
    pci_vector_rows rows;  /* of a block of vectors */
    pci_gathered picks;    /* entries of each answer, or the total of one */
    uint64_t *hashes;      /* [n_answers][n_block] of what is sent twice; NULL: nothing is */
    bool is_first_time;    /* ... now: only hashes are taken */
    pci_block_sums blocks; /* between blocks: of the columns of rows */
} vectors_run;

/* ---- Passing answers on ---------------------------------------------------------------------- */

/* The vectors of a block from vector i on, or their sums over blocks, as rows from first + i on.
 * Those of doubles, which have an exponent each, come one at a time. */
static pc_rows rows_of(const vectors_run *run, uint64_t first, uint64_t i, uint64_t n_rows)
{
    const pci_vectors_plan *plan = run->plan;
    const uint64_t *limbs = plan->blocks ? run->blocks.limbs : run->rows.limbs;
    const double *values = plan->blocks ? run->blocks.values : run->rows.values;
    uint64_t n_columns = plan->blocks ? plan->n_vectors : plan->along->n, at = i * n_columns;
    return (pc_rows){.first_row = first + i,
                     .n_rows = n_rows,
                     .n_columns = n_columns,
                     .n_limbs = plan->n_limbs,
                     .limbs = limbs ? limbs + at * plan->n_limbs : NULL,
                     .values = values ? values + at : NULL,
                     .exponent = run->rows.exponent ? run->rows.exponent[i] : 0};
}

/* The hashes of vectors that are sent twice; else NULL. */
static uint64_t *hashes_of(const vectors_run *run, uint64_t length)
{
    return run->hashes ? run->hashes + pci_vectors_answer_of(run->plan, length) * run->plan->n_block
                       : NULL;
}

/* Checks a block of vectors, when they have been used: by the certificate, or by the hashes. */
static pc_status check(vectors_run *run, uint64_t length, uint64_t first, uint32_t n_vectors)
{
    const pci_vectors_plan *plan = run->plan;
    const uint64_t *hashes = hashes_of(run, length);
    uint64_t first_row = pci_vectors_answer_of(plan, length) * plan->n_vectors + first;
    pc_rows rows = rows_of(run, first_row, 0, n_vectors);
    double start = pci_now_seconds();
    pc_status status = run->certificate ? pci_certificate_check(run->certificate, &rows) : PC_OK;
    for (uint32_t i = 0; hashes && i < n_vectors && status == PC_OK; i++) {
        rows = rows_of(run, first, i, 1);
        status = pci_row_hashes_check(run->context, &rows, &hashes[i]);
    }
    run->certify_seconds += pci_now_seconds() - start;
    return status;
}

/* ---- Reading vectors ------------------------------------------------------------------------- */

/* Delivers or keeps the answer for a length, which rows hold, of vectors first .. first + n_vectors
 * - 1. */
static pc_status answer(vectors_run *run, uint64_t length, uint64_t first, uint32_t n_vectors)
{
    const pci_vectors_plan *plan = run->plan;
    pci_reads reads = plan->question->kind->reads;
    uint64_t n = plan->along->n, which = pci_vectors_answer_of(plan, length);
    uint64_t *hashes = hashes_of(run, length);
    uint32_t n_rows = plan->n_limbs ? n_vectors : 1;
    pc_status status = PC_OK;
    if (plan->blocks) {
        pc_rows vectors = {.n_rows = n_vectors,
                           .n_columns = n,
                           .n_limbs = plan->n_limbs,
                           .limbs = run->rows.limbs,
                           .values = run->rows.values};
        pci_block_sums_of_columns(&run->blocks, &vectors);
    }
    for (uint32_t i = 0; run->is_first_time && i < n_vectors; i++) {
        pc_rows row = rows_of(run, first, i, 1);
        hashes[i] = pci_row_hash(&row, 0);
    }
    if (run->is_first_time)
        return PC_OK;
    if (reads == PCI_READS_ROWS) { /* the sink checks them */
        run->sink->certified_row = which * plan->n_vectors;
        for (uint32_t i = 0; i < n_vectors && status == PC_OK; i += n_rows) {
            pc_rows rows = rows_of(run, first, i, n_rows);
            run->sink->hashes = hashes ? hashes + i : NULL;
            status = pci_sink_take(run->sink, length, &rows);
        }
        run->sink->hashes = NULL;
        return status;
    }
    pc_rows column = rows_of(run, 0, 0, 1);
    column.n_rows = n;
    column.n_columns = 1;
    if (reads == PCI_READS_TOTAL)
        pci_gathered_add_rows(&run->picks, &column);
    bool of_pairs = reads == PCI_READS_ENTRIES; /* else pick p is of vector p */
    uint64_t end = of_pairs ? run->picks.n : first + n_vectors;
    for (int c = 0; pci_kind_has_entries(plan->question->kind) && c < run->picks.n_copies; c++)
        for (uint64_t p = of_pairs ? 0 : first; p < end; p++) {
            uint64_t vector = of_pairs ? plan->vector_of[plan->begin[p]] : p;
            if (vector < first || vector - first >= n_vectors)
                continue;
            pc_rows row = rows_of(run, 0, vector - first, 1);
            pci_gathered_add(&run->picks, c, which * run->picks.n + p, &row,
                             of_pairs ? plan->read[p] : p);
        }
    status = check(run, length, first, n_vectors);
    if (status == PC_OK && reads == PCI_READS_TOTAL)
        return pci_gathered_deliver(&run->picks, length, false, run->sink);
    return status == PC_OK && reads == PCI_READS_SUMS && n
               ? pci_sink_take(run->sink, length, &column)
               : status;
}

/* ---- Sending them ---------------------------------------------------------------------------- */

static void begin(vectors_run *run, uint64_t first, uint32_t n_vectors)
{
    const pci_vectors_plan *plan = run->plan;
    const pc_partition *blocks = plan->blocks;
    pci_vector_rows *rows = &run->rows;
    size_t n_entries = (size_t)plan->n_block * plan->along->n;
    pci_vectors_clear(run->vectors);
    if (run->query->up_to && rows->limbs)
        memset(rows->limbs, 0, n_entries * plan->n_limbs * sizeof *rows->limbs);
    if (run->query->up_to && rows->values) {
        memset(rows->values, 0, n_entries * sizeof *rows->values);
        memset(rows->exponent, 0, plan->n_block * sizeof *rows->exponent);
    }
    if (plan->from_all)
        for (uint64_t v = 0; v < plan->along->n; v++)
            pci_vectors_set(run->vectors, 0, v);
    else if (blocks)
        for (uint64_t i = blocks->start[first]; i < blocks->start[first + n_vectors]; i++)
            pci_vectors_set(run->vectors, (uint32_t)(blocks->block[blocks->vertex[i]] - first),
                            blocks->vertex[i]);
    else
        for (uint32_t i = 0; i < n_vectors; i++)
            pci_vectors_set(run->vectors, i, pci_vectors_start(plan, first + i));
}

/* A block of vectors, with the answers for lengths from least to most. */
static pc_status send_once(vectors_run *run, uint64_t first, uint64_t least, uint64_t most)
{
    const pci_vectors_plan *plan = run->plan;
    uint64_t left = plan->n_vectors - first;
    uint32_t n_vectors = (uint32_t)(left < plan->n_block ? left : plan->n_block);
    pc_status status = PC_OK;
    begin(run, first, n_vectors);
    for (uint64_t l = 0; l <= most && status == PC_OK; l++) {
        if (l == 0)
            status = pci_progress(run->context, "vectors", (double)first / (double)plan->n_vectors);
        else
            status = pci_vectors_step(run->vectors);
        bool is_answer = l >= least && (l > 0 || !run->query->each);
        if (status == PC_OK && pci_vectors_take(plan, l) && (is_answer || run->query->up_to))
            status = pci_vectors_read(run->vectors, n_vectors, run->query->up_to, &run->rows);
        if (status == PC_OK && is_answer)
            status = answer(run, l, first, n_vectors);
    }
    return status;
}

static pc_status send_block(vectors_run *run, uint64_t first, uint64_t least, uint64_t most)
{
    pc_status status = PC_OK;
    if (run->hashes) {
        double start = pci_now_seconds();
        run->is_first_time = true;
        status = send_once(run, first, least, most);
        run->is_first_time = false;
        run->certify_seconds += pci_now_seconds() - start;
    }
    return status == PC_OK ? send_once(run, first, least, most) : status;
}

/* Answers with a piece of the rows that are swept at once. */
typedef struct swept_block {
    vectors_run *run;
    uint64_t first;
} swept_block;

static pc_status take_piece(void *user, uint64_t at, uint64_t n_rows)
{
    const swept_block *block = user;
    return answer(block->run, block->run->query->length, block->first + at, (uint32_t)n_rows);
}

/* A block of rows of the power. */
static pc_status sweep_block(vectors_run *run, uint64_t first)
{
    const pci_vectors_plan *plan = run->plan;
    uint64_t left = plan->n_vectors - first, n = left < plan->n_block ? left : plan->n_block;
    const uint64_t *starts = plan->start ? plan->start + first : NULL;
    const char *stage = plan->question->kind->is_matrix ? "rows" : "vectors";
    pc_status status = pci_progress(run->context, stage, (double)first / (double)plan->n_vectors);
    if (status != PC_OK)
        return status;
    swept_block block = {run, first};
    if (!run->sink->result)
        return pci_swept_pieces(run->swept, n, starts, first, run->rows.limbs, take_piece, &block);
    /* Rows are made where they are kept. */
    run->rows.limbs = run->sink->result->limbs + first * plan->along->n * plan->n_limbs;
    status = pci_swept_rows(run->swept, n, starts, first, run->rows.limbs);
    return status == PC_OK ? take_piece(&block, 0, n) : status;
}

static pc_status send_blocks(vectors_run *run, uint64_t least, uint64_t most)
{
    pc_status status = PC_OK;
    for (uint64_t first = 0; first < run->plan->n_vectors && status == PC_OK;
         first += run->plan->n_block)
        status = run->swept ? sweep_block(run, first) : send_block(run, first, least, most);
    return status;
}

/* ---- Kept doubles: one exponent -------------------------------------------------------------- */

static pc_status share_exponent(pc_context *context, const int64_t *exponents, pc_counts *result)
{
    uint64_t n = result->n_rows, n_lost = 0;
    int n_threads = pci_threads_for(context, (double)n * (double)n);
    int64_t most = 0;
    for (uint64_t i = 0; i < n; i++)
        most = exponents[i] > most ? exponents[i] : most;
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(+ : n_lost)
    for (uint64_t i = 0; i < n; i++) {
        double factor = pci_number_scale(1, exponents[i] - most), *row = result->values + i * n;
        for (uint64_t j = 0; j < n; j++) {
            double scaled = row[j] * factor;
            n_lost += row[j] > 0 && scaled < SMALLEST;
            row[j] = scaled;
        }
    }
    result->exponent = most;
    if (!n_lost)
        return PC_OK;
    return pci_fail(context, PC_ERR_RANGE,
                    "counts differ by more than 2^500, too much for doubles with one exponent; "
                    "count exactly, or modulo a number (--mod M)");
}

/* ---- A question ------------------------------------------------------------------------------- */

/* Rows that are swept into a kept result need no memory of their own. */
static pc_status prepare(vectors_run *run)
{
    const pci_vectors_plan *plan = run->plan;
    uint64_t n = plan->along->n, n_answers = pci_vectors_n_answers(plan);
    bool in_place = pci_vectors_are_swept_rows(plan) && run->sink->keeps;
    uint64_t n_rows = in_place ? 0 : pci_vectors_n_held(plan, plan->along, plan->n_block);
    bool has_entries = pci_kind_has_entries(plan->question->kind);
    uint32_t n_limbs = plan->n_limbs;
    pc_status status = pci_gathered_create(
        plan->question, has_entries ? "an entry of the vectors" : "the total",
        has_entries ? n_answers : 1, has_entries ? pci_question_shape(plan->question).n_rows : 1,
        n_limbs, &run->picks);
    if (status != PC_OK)
        return status;
    if (n_rows && n_limbs) {
        run->rows.limbs = pci_alloc_zero(run->context, n * n_rows, n_limbs * sizeof(uint64_t));
    } else if (n_rows) {
        run->rows.values = pci_alloc_zero(run->context, n * n_rows, sizeof *run->rows.values);
        run->rows.exponent = pci_alloc_zero(run->context, n_rows, sizeof *run->rows.exponent);
    }
    if (n_rows && !run->rows.limbs && !(run->rows.values && run->rows.exponent))
        return pci_fail_memory(run->context, "the answers", n * n_rows * sizeof(uint64_t));
    if (pci_vectors_are_sent_twice(plan) &&
        !(run->hashes = pci_alloc(run->context, n_answers * plan->n_block * sizeof(uint64_t))))
        return pci_fail_memory(run->context, "hashes", n_answers * plan->n_block * 8);
    if (plan->blocks) {
        status = pci_block_sums_create(run->context, plan->blocks, plan->n_block, plan->n_limbs,
                                       plan->question->options.modulus, 1, &run->blocks);
        if (status != PC_OK)
            return status;
    }
    if (pci_vectors_are_swept_rows(plan)) {
        pci_swept_options swept = pci_vectors_swept_options(plan, plan->along, plan->n_block);
        return pci_swept_create(run->context, &swept, &run->swept);
    }
    pci_vectors_options options = pci_vectors_plan_options(plan, plan->n_block);
    return pci_vectors_create(run->context, plan->along, &options, &run->vectors);
}

/* Prepares the certificate. Rows that the sink takes as they are it checks itself. */
static pc_status certify(vectors_run *run)
{
    const pci_vectors_plan *plan = run->plan;
    const pci_question *question = plan->question;
    if (plan->n_rounds == 0)
        return PC_OK;
    double start = pci_now_seconds();
    pci_operator map = pci_vectors_map(plan);
    bool is_of_sink = pci_vectors_are_rows(plan);
    pc_status status =
        pci_certificate_create(run->context, &map, question->options.modulus, plan->n_rounds,
                               is_of_sink ? &run->sink->certificate : &run->certificate);
    run->certify_seconds += pci_now_seconds() - start;
    return status;
}

pc_status pci_send_vectors(const pci_execution *execution, const pci_vectors_plan *plan,
                           pci_sink *sink)
{
    vectors_run run = {.context = plan->question->context,
                       .plan = plan,
                       .query = &plan->question->query,
                       .sink = sink};
    uint64_t length = run.query->length;
    pc_status status = prepare(&run);
    if (status == PC_OK)
        status = certify(&run);
    if (status == PC_OK && plan->question->kind->is_matrix)
        status = pci_sink_open(sink, plan->n_limbs);
    /* Rows of every length that are too many to be held at once are made anew for each. */
    bool is_once = plan->n_block >= plan->n_vectors || pci_kind_has_entries(plan->question->kind);
    if (status == PC_OK && !run.query->each)
        status = send_blocks(&run, length, length);
    else if (status == PC_OK && is_once && length)
        status = send_blocks(&run, 1, length);
    else
        for (uint64_t l = 1; l <= length && status == PC_OK; l++)
            status = send_blocks(&run, l, l);
    if (status == PC_OK && pci_kind_has_entries(plan->question->kind))
        status = pci_gathered_deliver(&run.picks, run.query->each ? 1 : length, false, sink);
    if (sink->result && run.swept)
        run.rows.limbs = NULL; /* the result's */
    pci_certificate_free(run.certificate);
    pci_vectors_free(run.vectors);
    pci_swept_free(run.swept);
    pci_free(run.context, run.rows.limbs);
    pci_free(run.context, run.rows.values);
    pci_free(run.context, run.rows.exponent);
    pci_gathered_free(&run.picks);
    pci_free(run.context, run.hashes);
    if (run.blocks.base.ops)
        pc_reduction_free(&run.blocks.base);
    execution->info->seconds.certify += run.certify_seconds;
    return status;
}

static pc_status run_sweep(const pci_execution *run)
{
    pci_vectors_plan plan;
    pci_sink *sink = run->sink;
    pc_context *context = run->question->context;
    bool shares = sink->keeps && run->info->arithmetic == PC_FLOAT;
    if (shares && !(sink->exponents = pci_alloc_zero(context, run->question->graph->n, 8)))
        return pci_fail_memory(context, "exponents", run->question->graph->n * 8);
    pc_status status = pci_vectors_plan_begin(run->plan->choice, &plan);
    if (status == PC_OK)
        status = pci_send_vectors(run, &plan, sink);
    pci_sink_end_certificate(sink);
    if (status == PC_OK && shares)
        status = share_exponent(context, sink->exponents, sink->result);
    pci_vectors_plan_end(&plan);
    pci_free(context, sink->exponents);
    sink->exponents = NULL;
    return status;
}

/* ---- The method ------------------------------------------------------------------------------ */

/* Sweeps of integers and residues compete with squaring by time. Times of doubles are not predicted
 * in the same way; there, sweeping is for graphs that are too large to be squared, and for few
 * blocks: their vectors are surely cheaper than squaring, where an addition of a sweep is counted as
 * 32 multiplications of a product. */
static int rank_of_rows(const pci_question *question)
{
    const pc_plan_info *dense = question->dense;
    const pc_partition *partition = question->query.partition;
    double n = (double)question->graph->n, arcs = (double)pci_graph_n_arcs(question->graph);
    if (pci_too_many_passes(question->graph, question->query.length) || pci_is_for_device(question))
        return PCI_CANNOT;
    if ((dense->arithmetic != PC_FLOAT && dense->n_levels) || !pci_may_square(question))
        return PCI_RANK_BEST;
    bool are_few =
        partition &&
        32 * (double)partition->n_blocks * (double)question->query.length * (arcs + n) < n * n * n;
    return are_few ? PCI_RANK_BEFORE : PCI_RANK_NEXT;
}

static int rank(const pci_question *question)
{
    if (!pci_question_is_of_walks(question) || pci_is_by_one_vector(question))
        return PCI_CANNOT;
    if (question->kind->is_matrix)
        return rank_of_rows(question);
    return pci_question_has_halves(question) && !pci_question_is_saved(question) ? PCI_RANK_NEXT
                                                                                 : PCI_RANK_BEST;
}

static void release(void *choice)
{
    pci_vectors_plan_free(choice);
}

const pci_method pci_by_sweeps = {.name = "sweeps",
                                  .told = PC_METHOD_SWEEP,
                                  .only_sweeps = true,
                                  .rank = rank,
                                  .plan = pci_sweep_plan,
                                  .run = run_sweep,
                                  .release = release};
