/* The summary of a matrix of counts: a reduction whose parts are row statistics. */
#include "src/rows/counts.h"
#include "src/core/number.h"
#include "src/rows/reduction.h"
#include "src/rows/row_statistics.h"

#include <string.h>

enum { OPERATIONS_A_WORD = 2, N_SUMS = 3 };

typedef struct summary {
    pc_reduction base;
    uint64_t n_rows, n_columns, n_pairs;
    bool same_labels; /* rows and columns are the same: there is a diagonal */
    bool symmetric;
    bool has_rows;
    uint32_t n_limbs;                          /* of the rows; 1 before they come */
    pci_scaled total, closed, largest_row_sum; /* when the counts are doubles */
    uint64_t largest_row;                      /* the first with that sum; UINT64_MAX: none yet */
    long double *row_sums; /* of the block that is added, when the counts are doubles */
    pc_pair *pairs;        /* of the last pc_summary_get, as the next one */
    char *text;
} summary;

/* ---- Adding ---------------------------------------------------------------------------------- */

/* Tells whether the rows belong to the matrix; the first of them tell how wide its counts are. */
static pc_status begin(pc_reduction *reduction, const pc_rows *rows)
{
    summary *s = (summary *)reduction;
    uint64_t n = s->n_rows;
    if (rows->n_columns != s->n_columns || rows->first_row > n ||
        rows->n_rows > n - rows->first_row || pci_rows_are_means(rows))
        return pci_fail(reduction->context, PC_ERR_ARGUMENT,
                        "rows of another matrix added to the summary");
    if (s->has_rows && rows->n_limbs != s->n_limbs)
        return pci_fail(reduction->context, PC_ERR_ARGUMENT,
                        "rows of counts of %u words added to a summary of counts of %u",
                        rows->n_limbs, s->n_limbs);
    if (rows->n_limbs != s->n_limbs)
        pci_reduction_free_parts(reduction); /* empty ones, of pc_summary_get */
    s->n_limbs = rows->n_limbs;
    s->has_rows = true;
    if (rows->n_limbs)
        return PC_OK;
    pci_free(reduction->context, s->row_sums);
    s->row_sums = pci_alloc(reduction->context, rows->n_rows * sizeof *s->row_sums);
    return s->row_sums ? PC_OK
                       : pci_fail_memory(reduction->context, "the summary",
                                         rows->n_rows * sizeof *s->row_sums);
}

static void *create_part(pc_reduction *reduction)
{
    const summary *s = (const summary *)reduction;
    pci_row_statistics *made = pci_alloc(reduction->context, sizeof *made);
    if (made && pci_row_statistics_init(reduction->context, s->n_limbs, s->n_pairs, made) == PC_OK)
        return made;
    pci_free(reduction->context, made);
    return NULL;
}

static void free_part(pc_reduction *reduction, void *part)
{
    pci_row_statistics_free(reduction->context, part);
    pci_free(reduction->context, part);
}

static void add(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    const summary *s = (const summary *)reduction;
    for (uint64_t row = first; row < first + n; row++)
        if (rows->n_limbs)
            pci_row_statistics_add_row(part, rows, row, s->symmetric);
        else
            s->row_sums[row] = pci_row_statistics_add_double_row(part, rows, row, s->symmetric);
}

/* Adds the sums of doubles, row after row, so that their rounding is the same for any threads. */
static pc_status end(pc_reduction *reduction, const pc_rows *rows)
{
    summary *s = (summary *)reduction;
    for (uint64_t row = 0; !rows->n_limbs && row < rows->n_rows; row++) {
        uint64_t column = rows->first_row + row; /* of the diagonal */
        pci_scaled sum = {s->row_sums[row], rows->exponent};
        pci_scaled_add(&s->total, sum.value, sum.exponent);
        if (column < rows->n_columns)
            pci_scaled_add(&s->closed, rows->values[row * rows->n_columns + column],
                           rows->exponent);
        bool is_first = column < s->largest_row && !pci_scaled_exceeds(s->largest_row_sum, sum);
        if (is_first || pci_scaled_exceeds(sum, s->largest_row_sum)) {
            s->largest_row_sum = sum;
            s->largest_row = column;
        }
    }
    return PC_OK;
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

/* Any of the first n_pairs pairs lies in one of the first n_pairs rows, in the order of their largest
 * counts and then of their numbers: each of these rows has a pair that precedes those of later rows. Where
 * matrices are symmetric, two rows may have the same pair. */
static uint64_t n_rows_of_pairs(const summary *s)
{
    return s->symmetric ? 2 * s->n_pairs : s->n_pairs;
}

static bool can_take(const pc_reduction *reduction, pci_aggregates *asked)
{
    const summary *s = (const summary *)reduction;
    uint64_t n = asked->n;
    return n == s->n_rows && n == s->n_columns && pci_rows_are_few(n_rows_of_pairs(s), n);
}

static pc_status take(pc_reduction *reduction, void *part, const pci_aggregates *aggregates,
                      int copy, uint8_t *is_wanted)
{
    const summary *s = (const summary *)reduction;
    pci_largest rows;
    uint32_t n_limbs = aggregates->n_limbs;
    if (pci_largest_init(reduction->context, n_limbs, n_rows_of_pairs(s), &rows) != PC_OK)
        return pci_fail_memory(reduction->context, "the summary", n_limbs * sizeof(uint64_t));
    for (uint64_t row = 0; row < aggregates->n; row++) {
        const uint64_t *record = pci_record(aggregates, copy, row);
        pci_row_statistics_add_record(part, row, record);
        pci_largest_offer(&rows, pci_record_largest(record, n_limbs), row, 0);
    }
    for (uint64_t i = 0; i < rows.n; i++)
        is_wanted[pci_largest_get(&rows, i)[n_limbs]] = 1;
    pci_largest_free(reduction->context, &rows);
    return PC_OK;
}

static void add_wanted(pc_reduction *reduction, void *part, const pc_rows *rows)
{
    const summary *s = (const summary *)reduction;
    for (uint64_t row = 0; row < rows->n_rows; row++)
        pci_row_statistics_add_pairs(part, rows, row, s->symmetric);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void merge(pc_reduction *reduction, void *into, void *from)
{
    (void)reduction;
    pci_row_statistics_merge(into, from);
}

static void clear(pc_reduction *reduction)
{
    summary *s = (summary *)reduction;
    s->total = s->closed = s->largest_row_sum = (pci_scaled){0};
    s->largest_row = UINT64_MAX;
    s->has_rows = false;
}

static void free_summary(pc_reduction *reduction)
{
    summary *s = (summary *)reduction;
    pci_free(reduction->context, s->row_sums);
    pci_free(reduction->context, s->pairs);
    pci_free(reduction->context, s->text);
    pci_free(reduction->context, s);
}

static const pci_reduction_ops SUMMARY = {.begin = begin,
                                          .create_part = create_part,
                                          .free_part = free_part,
                                          .add = add,
                                          .end = end,
                                          .merge = merge,
                                          .can_take = can_take,
                                          .take = take,
                                          .add_wanted = add_wanted,
                                          .clear = clear,
                                          .free = free_summary};

static summary *create(pc_context *context, const pc_frame *frame, uint64_t n_pairs)
{
    summary *made = pci_alloc_zero(context, 1, sizeof *made);
    uint64_t n_rows = pc_labels_count(frame->rows), n_columns = pc_labels_count(frame->columns);
    uint64_t n_entries = n_rows * n_columns; /* both are below 2^32 */
    n_pairs = n_pairs < n_entries ? n_pairs : n_entries;
    if (made)
        *made = (summary){
            .base = {.ops = &SUMMARY, .context = context, .entry_operations = OPERATIONS_A_WORD},
            .n_rows = n_rows,
            .n_columns = n_columns,
            .n_pairs = n_pairs ? n_pairs : 1,
            .same_labels = frame->rows == frame->columns,
            .symmetric = frame->symmetric,
            .largest_row = UINT64_MAX,
            .n_limbs = 1};
    return made;
}

pc_status pc_summary_create(pc_context *context, const pc_frame *frame, uint64_t n_pairs,
                            pc_reduction **reduction)
{
    if (!context || !frame || !frame->rows || !frame->columns || !reduction)
        return pci_fail_null(context, "frame, its rows or columns, or reduction");
    summary *made = create(context, frame, n_pairs), *twin = create(context, frame, n_pairs);
    if (!made || !twin) {
        pci_free(context, made);
        pci_free(context, twin);
        return pci_fail_memory(context, "the summary", sizeof *made);
    }
    made->base.twin = &twin->base;
    *reduction = &made->base;
    return PC_OK;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* The text of one sum, of integers or of doubles, with its final NUL. */
static const char *put_sum(const pci_row_statistics *statistics, const uint64_t *sum,
                           pci_scaled double_sum, char *text)
{
    size_t length = statistics->n_limbs ? pci_number_text(sum, statistics->n_sum_limbs, text)
                                        : pci_scaled_text(double_sum, text);
    text[length] = '\0';
    return text;
}

/* Room for the texts of three sums and of all pairs, string_bytes each. */
static pc_status make_texts(summary *s, uint64_t n_pairs, size_t string_bytes)
{
    pc_context *context = s->base.context;
    size_t bytes = (N_SUMS + n_pairs) * string_bytes;
    char *text = pci_alloc(context, bytes);
    pc_pair *pairs = pci_alloc(context, (n_pairs + 1) * sizeof *pairs);
    if (!text || !pairs) {
        pci_free(context, text);
        pci_free(context, pairs);
        return pci_fail_memory(context, "the summary", bytes);
    }
    pci_free(context, s->text);
    pci_free(context, s->pairs);
    s->text = text;
    s->pairs = pairs;
    return PC_OK;
}

static void put_pairs(const summary *s, const pci_row_statistics *statistics, char *text,
                      size_t string_bytes)
{
    for (uint64_t i = 0; i < statistics->pairs.n; i++, text += string_bytes) {
        const uint64_t *key = pci_largest_get(&statistics->pairs, i);
        text[pci_row_statistics_pair_text(statistics, i, text)] = '\0';
        key += statistics->pairs.n_key_words;
        s->pairs[i] = (pc_pair){key[0], key[1], text};
    }
}

static pc_status read_values(summary *s, pc_summary_values *values)
{
    pci_row_statistics *statistics = pci_reduction_whole(&s->base);
    if (!statistics)
        return pci_fail_memory(s->base.context, "the summary", sizeof *statistics);
    uint64_t n_pairs = statistics->pairs.n;
    uint32_t n_sum_limbs = statistics->n_limbs ? statistics->n_sum_limbs : 0;
    size_t string_bytes = pci_rows_entry_text_bytes(n_sum_limbs, false) + 1;
    pc_status status = make_texts(s, n_pairs, string_bytes);
    if (status != PC_OK)
        return status;
    char *text = s->text;
    pci_largest_sort(&statistics->pairs);
    put_pairs(s, statistics, text + N_SUMS * string_bytes, string_bytes);
    *values = (pc_summary_values){
        .total = put_sum(statistics, statistics->total, s->total, text),
        .closed = s->same_labels
                      ? put_sum(statistics, statistics->closed, s->closed, text + string_bytes)
                      : "0",
        .largest_row_sum = put_sum(statistics, statistics->largest_row_sum, s->largest_row_sum,
                                   text + 2 * string_bytes),
        .largest_row = statistics->n_limbs ? statistics->largest_row : s->largest_row,
        .largest = "0",
        .n_nonzero = statistics->n_nonzero,
        .n_pairs = n_pairs,
        .pairs = s->pairs,
    };
    if (values->n_nonzero == 0)
        values->largest_row = 0;
    if (n_pairs > 0) { /* row by row, the largest count is first met in the first pair */
        values->largest = s->pairs[0].count;
        values->largest_from = s->pairs[0].from;
        values->largest_to = s->pairs[0].to;
        if (statistics->n_limbs)
            values->largest_bits = (uint32_t)pci_number_bits(pci_largest_get(&statistics->pairs, 0),
                                                             statistics->n_limbs);
    }
    return PC_OK;
}

static bool are_same(const pc_summary_values *a, const pc_summary_values *b)
{
    bool same = a->n_nonzero == b->n_nonzero && a->n_pairs == b->n_pairs &&
                a->largest_row == b->largest_row && a->largest_from == b->largest_from &&
                a->largest_to == b->largest_to && a->largest_bits == b->largest_bits &&
                strcmp(a->total, b->total) == 0 && strcmp(a->closed, b->closed) == 0 &&
                strcmp(a->largest, b->largest) == 0 &&
                strcmp(a->largest_row_sum, b->largest_row_sum) == 0;
    for (uint64_t i = 0; same && i < a->n_pairs; i++)
        same = a->pairs[i].from == b->pairs[i].from && a->pairs[i].to == b->pairs[i].to &&
               strcmp(a->pairs[i].count, b->pairs[i].count) == 0;
    return same;
}

pc_status pc_summary_get(pc_reduction *reduction, pc_summary_values *values)
{
    if (!reduction || !values || reduction->ops != &SUMMARY)
        return pci_fail_null(reduction ? reduction->context : NULL, "a summary, or values");
    pc_summary_values read = {0}, again = {0};
    pc_status status = read_values((summary *)reduction, &read);
    if (status == PC_OK && reduction->twin)
        status = read_values((summary *)reduction->twin, &again);
    if (status == PC_OK && reduction->twin && !are_same(&read, &again))
        status = pci_fail_check(reduction->context, "the summary");
    if (status == PC_OK)
        *values = read;
    return status;
}
