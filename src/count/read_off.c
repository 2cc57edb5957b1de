/* Queries read off the whole matrix of each length: a reduction of its rows. */
#include <gmp.h>

#include "src/count/methods.h"
#include "src/count/square.h"
#include "src/count/sweep_plan.h"
#include "src/rows/counts.h"
#include "src/vectors/doubles.h"

#include <string.h>

/* Entries of the answer belong to one row of the matrix each, so that threads may write them at
 * once. Sums over all rows, which are integers, are gathered in parts instead: arrays like limbs.
 * All of it is read twice (the twin of base), and delivered when both readings are the same. */
typedef struct reading {
    pc_reduction base;
    const pci_execution *run;
    const pc_query *query;
    const pci_question_kind *kind;
    uint32_t n_limbs; /* words of an answer; 0: doubles */
    uint64_t n_rows, n_columns;
    uint64_t *first,
        *asked;      /* FROM, PAIRS: row v is asked for by asked[first[v] .. first[v + 1]] */
    uint64_t *limbs; /* the answer: [n_rows][n_columns][n_limbs], or ... */
    double *values;  /* ... [n_rows][n_columns], in units of 2^exponent */
    int64_t exponent;
    double *sum; /* doubles added up: of the lengths so far, in units of its own */
    int64_t sum_exponent;
} reading;

/* ---- Plans ----------------------------------------------------------------------------------- */

pc_status pci_plan_reading(const pci_question *question, uint32_t n_plans, pci_plan **plans)
{
    pci_shape shape = pci_question_shape(question);
    double bits;
    uint32_t n_limbs = question->options.arithmetic == PC_MODULAR;
    pc_status status = PC_OK;
    if (question->options.arithmetic == PC_EXACT) {
        status = pci_vectors_answer_bits(question, pci_kind_is_of_all(question->kind), &bits);
        n_limbs = (uint32_t)(bits / 64) + 1;
    }
    /* The answer beside the matrix, and the index of what is asked for. */
    double n_words = n_limbs ? n_limbs : question->query.up_to ? 2 : 1;
    double n_index =
        question->kind->has_from ? (double)question->graph->n + 1 + (double)shape.n_rows : 0;
    double answer_bytes = 8 * pci_question_n_copies(question) *
                          ((double)shape.n_rows * (double)shape.n_columns * n_words + n_index);
    for (uint32_t i = 0; i < n_plans && status == PC_OK; i++) {
        pci_plan *plan = plans[i];
        double needed = answer_bytes + (double)plan->info.memory_bytes;
        plan->n_read_limbs = n_limbs;
        plan->info.memory_bytes = pci_bytes(needed);
        double n_matrices = plan->method->adds_up ? 1 : pci_guess_n_matrices(question);
        plan->info.predicted_seconds *= n_matrices;
        plan->seconds *= n_matrices;
        pci_plan_check_memory(question, plan);
    }
    return status;
}

/* ---- Reading rows ---------------------------------------------------------------------------- */

/* Adds words, modulo the modulus if there is one: then the sum is below 2^63, and at most two words are
 * added, as sums of residues have. */
static void add_words(const reading *r, uint64_t *sum, const uint64_t *words, uint32_t n_words)
{
    unsigned __int128 wide = words[0];
    if (r->run->question->options.arithmetic != PC_MODULAR) {
        mpn_add(sum, sum, r->n_limbs, words, n_words);
        return;
    }
    if (n_words > 1)
        wide |= (unsigned __int128)words[1] << 64;
    *sum = (uint64_t)((wide + *sum) % r->run->question->options.modulus);
}

/* Adds an entry of the rows to entry `to` of the answer, or of a part of it. */
static void add(const reading *r, uint64_t *answer, uint64_t to, const pc_rows *rows, uint64_t from)
{
    if (rows->values)
        r->values[to] += rows->values[from];
    else
        add_words(r, answer + to * r->n_limbs, pci_rows_entry(rows, from), rows->n_limbs);
}

/* Reads row v, whose entries begin at `at`. */
static void read_row(const reading *r, uint64_t *answer, uint64_t v, const pc_rows *rows,
                     uint64_t at)
{
    const pc_query *asked = r->query;
    uint64_t n = rows->n_columns;
    switch (r->kind->reads) {
    case PCI_READS_ROWS:
        for (uint64_t i = 0; r->kind->has_to && i < asked->n_asked; i++)
            add(r, answer, i * n + v, rows, at + asked->to[i]);
        for (uint64_t i = r->kind->has_from ? r->first[v] : 0;
             r->kind->has_from && i < r->first[v + 1]; i++)
            for (uint64_t j = 0; j < n; j++)
                add(r, answer, r->asked[i] * n + j, rows, at + j);
        break;
    case PCI_READS_ENTRIES:
        for (uint64_t i = r->first[v]; i < r->first[v + 1]; i++)
            add(r, answer, r->asked[i], rows, at + asked->to[r->asked[i]]);
        break;
    case PCI_READS_DIAGONAL:
        add(r, answer, v, rows, at + v);
        break;
    case PCI_READS_SUMS: /* of rows, or of columns */
        for (uint64_t j = 0; j < n; j++)
            add(r, answer, r->kind->reversed ? j : v, rows, at + j);
        break;
    case PCI_READS_TOTAL:
        for (uint64_t j = 0; j < n; j++)
            add(r, answer, 0, rows, at + j);
        break;
    }
}

static pc_status begin(pc_reduction *reduction, const pc_rows *rows)
{
    reading *r = (reading *)reduction;
    if (rows->n_limbs > r->n_limbs)
        return pci_fail(reduction->context, PC_ERR_INTERNAL, "rows are wider than their limit");
    r->exponent = rows->exponent;
    return PC_OK;
}

static void read_rows(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                      uint64_t n)
{
    const reading *r = (const reading *)reduction;
    for (uint64_t i = first; i < first + n; i++)
        read_row(r, part ? part : r->limbs, rows->first_row + i, rows, i * rows->n_columns);
}

static void *create_part(pc_reduction *reduction)
{
    const reading *r = (const reading *)reduction;
    return pci_alloc_zero(reduction->context, r->n_rows * r->n_columns,
                          r->n_limbs * sizeof *r->limbs);
}

static void merge(pc_reduction *reduction, void *into, void *from)
{
    const reading *r = (const reading *)reduction;
    uint64_t *sums = into, *others = from, n = r->n_rows * r->n_columns;
    for (uint64_t e = 0; e < n; e++)
        add_words(r, sums + e * r->n_limbs, others + e * r->n_limbs, r->n_limbs);
    memset(others, 0, n * r->n_limbs * sizeof *others);
}

static void clear(pc_reduction *reduction)
{
    reading *r = (reading *)reduction;
    uint64_t n = r->n_rows * r->n_columns;
    if (r->limbs)
        memset(r->limbs, 0, n * r->n_limbs * sizeof *r->limbs);
    if (r->values)
        memset(r->values, 0, n * sizeof *r->values);
}

static void free_reading(pc_reduction *reduction)
{
    reading *r = (reading *)reduction;
    pci_free(reduction->context, r->first);
    pci_free(reduction->context, r->asked);
    pci_free(reduction->context, r->limbs);
    pci_free(reduction->context, r->values);
    pci_free(reduction->context, r->sum);
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

static bool can_take(const pc_reduction *reduction, pci_aggregates *asked)
{
    const reading *r = (const reading *)reduction;
    const pci_question_kind *kind = r->kind;
    return (pci_kind_is_of_all(kind) && !kind->reversed) || kind->reads == PCI_READS_DIAGONAL ||
           (kind->has_from && pci_rows_are_few(r->n_rows, asked->n));
}

static pc_status take(pc_reduction *reduction, void *part, const pci_aggregates *aggregates,
                      int copy, uint8_t *is_wanted)
{
    const reading *r = (const reading *)reduction;
    uint64_t *answer = part ? part : r->limbs;
    uint32_t n_limbs = aggregates->n_limbs; /* the limit has them all */
    bool is_modular = r->run->question->options.arithmetic == PC_MODULAR;
    uint32_t n_sum = is_modular || n_limbs + 1 < r->n_limbs ? n_limbs + 1 : r->n_limbs;
    for (uint64_t row = 0; row < aggregates->n; row++) {
        const uint64_t *record = pci_record(aggregates, copy, row);
        switch (r->kind->reads) {
        case PCI_READS_TOTAL:
            add_words(r, answer, record, n_sum);
            break;
        case PCI_READS_SUMS:
            add_words(r, answer + row * r->n_limbs, record, n_sum);
            break;
        case PCI_READS_DIAGONAL:
            add_words(r, answer + row * r->n_limbs, pci_record_diagonal(record, n_limbs), n_limbs);
            break;
        case PCI_READS_ROWS:
        case PCI_READS_ENTRIES:
            is_wanted[row] |= r->first[row + 1] > r->first[row];
        }
    }
    return PC_OK;
}

static void add_wanted(pc_reduction *reduction, void *part, const pc_rows *rows)
{
    read_rows(reduction, part, rows, 0, rows->n_rows);
}

static const pci_reduction_ops ENTRIES = {.begin = begin,
                                          .add = read_rows,
                                          .can_take = can_take,
                                          .take = take,
                                          .add_wanted = add_wanted,
                                          .clear = clear,
                                          .free = free_reading};

static const pci_reduction_ops SUMS = {.begin = begin,
                                       .create_part = create_part,
                                       .add = read_rows,
                                       .merge = merge,
                                       .can_take = can_take,
                                       .take = take,
                                       .add_wanted = add_wanted,
                                       .free = free_reading};

/* ---- Answers --------------------------------------------------------------------------------- */

/* The answer so far; its words are NULL when there is no memory for them. */
static pc_rows answer_of(reading *r)
{
    pc_rows rows = {.n_rows = r->n_rows,
                    .n_columns = r->n_columns,
                    .n_limbs = r->n_limbs,
                    .limbs = r->base.ops == &SUMS ? pci_reduction_whole(&r->base) : r->limbs,
                    .values = r->sum ? r->sum : r->values};
    if (rows.values)
        rows.exponent = r->sum ? r->sum_exponent : r->exponent;
    return rows;
}

static pc_status deliver(reading *r, uint64_t length)
{
    reading *twin = (reading *)r->base.twin;
    pc_rows rows = answer_of(r), again = twin ? answer_of(twin) : rows;
    size_t n = rows.n_rows * rows.n_columns;
    if (!rows.n_rows)
        return PC_OK;
    if ((!rows.limbs && !rows.values) || (!again.limbs && !again.values))
        return pci_fail_memory(r->base.context, "the answers", r->n_limbs * sizeof *r->limbs);
    if (rows.exponent != again.exponent ||
        (rows.values ? memcmp(rows.values, again.values, n * sizeof *rows.values)
                     : memcmp(rows.limbs, again.limbs, n * r->n_limbs * sizeof *rows.limbs)))
        return pci_fail_check(r->base.context, "what was read off the matrices");
    return pci_sink_take(r->run->sink, length, &rows);
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* The rows of the matrix of one length, read as they come; doubles are added to the sum of the
 * lengths. The exponent of zeros means nothing. For other values it is never much less than that of
 * a shorter length: entries of one matrix differ by 2^500 at most, and no count falls when its
 * paths become one arc longer. */
static pc_status count_length(reading *r, const pci_plan *plan, pc_plan_info *info)
{
    pc_reduction *reduction = &r->base;
    pci_sink rows = {.context = r->base.context,
                     .modulus = r->run->question->options.modulus,
                     .reductions = &reduction,
                     .n_reductions = 1};
    pci_execution run = {r->run->question, plan, info, &rows};
    pc_status status = plan->method->run(&run);
    pci_sink_add_seconds(&rows, info);
    if (!r->sum)
        return status;
    for (reading *at = r; at && status == PC_OK; at = (reading *)at->base.twin) {
        uint64_t n = at->n_rows * at->n_columns, n_zero = 0;
        while (n_zero < n && at->values[n_zero] == 0)
            n_zero++;
        if (n_zero < n)
            status = pci_doubles_add(r->base.context, n, at->values, at->exponent, at->sum,
                                     &at->sum_exponent);
    }
    pci_reduction_clear(&r->base);
    return status;
}

/* The matrix of a length below the last one. Its levels are made here; the plan describes the last
 * length. */
static pc_status count_shorter(reading *r, uint64_t length)
{
    pci_plan *plan = pci_plan_create(r->run->question, r->run->plan->method);
    if (!plan)
        return pci_fail_memory(r->base.context, "a plan", sizeof *plan);
    pc_status status = pci_square_plan_length(r->run->question, r->run->plan, length, plan);
    if (status == PC_OK && plan->status != PC_OK)
        status = pci_fail(r->base.context, plan->status, "%s", plan->why_not);
    if (status == PC_OK) {
        pc_plan_info part = plan->info;
        status = count_length(r, plan, &part);
        pci_plan_add_seconds(&part, r->run->info);
    }
    pci_plan_free(r->base.context, plan);
    return status;
}

/* ---- Ready for it ---------------------------------------------------------------------------- */

/* Makes room for the answer, and sorts the entries that were asked for by row. */
static pc_status make_room(reading *r)
{
    pc_context *context = r->base.context;
    uint64_t n = r->n_rows * r->n_columns, n_vertices = r->run->question->graph->n;
    const uint64_t *from = r->query->from; /* may be NULL where nothing is asked for */
    bool has_list = r->kind->has_from, has_room = true;
    if (has_list) {
        r->first = pci_alloc_zero(context, n_vertices + 1, sizeof *r->first);
        r->asked = pci_alloc(context, r->n_rows * sizeof *r->asked);
        has_room = r->first && r->asked;
    }
    if (r->base.ops == &ENTRIES && r->n_limbs)
        has_room &= !!(r->limbs = pci_alloc_zero(context, n, r->n_limbs * sizeof *r->limbs));
    if (!r->n_limbs)
        has_room &= !!(r->values = pci_alloc_zero(context, n, sizeof *r->values));
    if (!r->n_limbs && r->query->up_to)
        has_room &= !!(r->sum = pci_alloc_zero(context, n, sizeof *r->sum));
    if (!has_room)
        return pci_fail_memory(context, "the answers", n * sizeof *r->limbs);
    for (uint64_t i = 0; has_list && i < r->n_rows; i++)
        r->first[from[i] + 1]++;
    for (uint64_t v = 0; has_list && v < n_vertices; v++)
        r->first[v + 1] += r->first[v];
    for (uint64_t i = r->n_rows; has_list && i-- > 0;)
        r->asked[--r->first[from[i] + 1]] = i;
    if (has_list) { /* each has come to where its row begins */
        memmove(r->first, r->first + 1, n_vertices * sizeof *r->first);
        r->first[n_vertices] = r->n_rows;
    }
    return PC_OK;
}

/* Makes the matrix of each length, and delivers what was read off. */
pc_status pci_read_off(const pci_execution *run)
{
    const pc_query *query = &run->question->query;
    const pci_question_kind *kind = run->question->kind;
    bool is_sum = kind->reads == PCI_READS_TOTAL || /* or of columns */
                  (kind->reads == PCI_READS_SUMS && kind->reversed);
    uint32_t n_limbs = run->plan->n_read_limbs;
    pci_shape shape = pci_question_shape(run->question);
    reading r = {.base = {.ops = is_sum && n_limbs ? &SUMS : &ENTRIES,
                          .context = run->question->context,
                          .entry_operations = 1,
                          .is_ordered = is_sum && !n_limbs}, /* rounding depends on the order */
                 .run = run,
                 .query = query,
                 .kind = kind,
                 .n_limbs = n_limbs,
                 .n_rows = shape.n_rows,
                 .n_columns = shape.n_columns};
    reading twin = r;
    if (run->question->options.n_certify_rounds)
        r.base.twin = &twin.base;
    pc_status status = make_room(&r);
    if (status == PC_OK && r.base.twin)
        status = make_room(&twin);
    bool has_lengths = pci_question_has_lengths(run->question) && !run->plan->method->adds_up;
    uint64_t l = has_lengths ? 1 + run->sink->n_complete : query->length;
    for (; l <= query->length && status == PC_OK; l++) {
        if (query->each)
            pci_reduction_clear(&r.base);
        status = l == query->length ? count_length(&r, run->plan, run->info) : count_shorter(&r, l);
        if (status == PC_OK && query->each)
            status = deliver(&r, l);
        if (status == PC_OK && query->each)
            pci_sink_complete(run->sink, l);
        if (l == UINT64_MAX)
            break;
    }
    if (status == PC_OK && !query->each)
        status = deliver(&r, query->length);
    pc_reduction_free(&r.base);
    return status;
}
