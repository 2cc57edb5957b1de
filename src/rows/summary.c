/* The summary of a matrix of counts: exact sums, nonzero entries, the largest pairs. It is a reduction whose parts are
 * statistics of some rows, which can be merged in any order.
 *
 * One look at a part of a row gives its sum, and tells whether there are counts above the least of the largest pairs so
 * far. Those are rare, and only then the counts are compared one by one. */
#include <gmp.h>

#include "src/rows/counts.h"
#include "src/core/number.h"
#include "src/rows/largest.h"
#include "src/rows/reduction.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    OPERATIONS_A_WORD = 2,
    N_SUMS = 3,
    KEY_LIMBS_OF_DOUBLE = 2, /* exponent above mantissa: ordered as the numbers are */
    BLOCK_COLUMNS = 512      /* that are looked at together */
};

/* A sum of doubles that may lie beyond their range: value * 2^exponent. */
typedef struct scaled {
    long double value;
    int64_t exponent;
} scaled;

/* The part of a thread. */
typedef struct statistics {
    uint32_t n_limbs;     /* words a count; 0: doubles */
    uint32_t n_sum_limbs; /* words a sum: 64 bits more hold the sum of 2^64 counts */
    uint64_t n_nonzero;
    uint64_t next_row; /* no row from this one on was added */
    uint64_t
        largest_row; /* the first of those with the largest sum; UINT64_MAX: no row was added */
    pci_largest pairs;
    uint64_t *total; /* [n_sum_limbs], as the next two; the sums of counts that are integers */
    uint64_t *closed;
    uint64_t *largest_row_sum;
    uint64_t *row_sum;         /* [n_sum_limbs], scratch */
    unsigned __int128 carry[]; /* [n_limbs], scratch: sums of the words at each place */
} statistics;

typedef struct summary {
    pc_reduction base;
    uint64_t n_rows, n_columns, n_pairs;
    bool same_labels; /* rows and columns are the same: there is a diagonal */
    bool symmetric;
    bool has_rows;
    uint32_t n_limbs;                      /* of the rows; 1 before they come */
    scaled total, closed, largest_row_sum; /* when the counts are doubles */
    uint64_t largest_row;                  /* the first with that sum; UINT64_MAX: none yet */
    long double *row_sums; /* of the block that is added, when the counts are doubles */
    pc_pair *pairs;        /* of the last pc_summary_get, as the next one */
    char *text;
} summary;

/* ---- Sums of doubles ------------------------------------------------------------------------- */

/* value * 2^(from - to) */
static long double rescale(long double value, int64_t from, int64_t to)
{
    const int64_t limit = 40000; /* past it every long double is 0 or infinity */
    __int128 shift = (__int128)from - to;
    return ldexpl(value, (int)(shift > limit ? limit : shift < -limit ? -limit : shift));
}

static void add_scaled(scaled *sum, long double value, int64_t exponent)
{
    if (value == 0)
        return;
    if (sum->value == 0 || exponent > sum->exponent) {
        sum->value = rescale(sum->value, sum->exponent, exponent);
        sum->exponent = exponent;
    }
    sum->value += rescale(value, exponent, sum->exponent);
}

static bool exceeds(scaled a, scaled b)
{
    if (a.value == 0 || b.value == 0)
        return a.value > b.value;
    return rescale(a.value, a.exponent, b.exponent) > b.value;
}

static size_t scaled_text(scaled sum, char *text)
{
    int exponent;
    double mantissa = (double)frexpl(sum.value, &exponent);
    uint64_t whole_exponent = (uint64_t)sum.exponent + (uint64_t)(int64_t)exponent;
    return pci_number_double_text(mantissa, (int64_t)whole_exponent, text);
}

/* ---- Integers -------------------------------------------------------------------------------- */

/* Offers counts of columns first .. end - 1 to the pairs. One that equals the least of the pairs can only
 * be taken in when a later row was added before this one. */
static void offer_large(statistics *part, const uint64_t *counts, uint64_t from, uint64_t first,
                        uint64_t end)
{
    pci_largest *pairs = &part->pairs;
    uint32_t n_limbs = part->n_limbs;
    bool is_later = from >= part->next_row;
    const uint64_t *least = pci_largest_floor(pairs);
    for (uint64_t to = first; to < end; to++) {
        const uint64_t *count = counts + to * n_limbs;
        if (is_later ? pci_count_exceeds(count, least, n_limbs)
                     : !pci_count_exceeds(least, count, n_limbs)) {
            pci_largest_offer(pairs, count, from, to);
            least = pci_largest_floor(pairs);
        }
    }
}

static void note_row(statistics *part, uint64_t row)
{
    if (row >= part->next_row)
        part->next_row = row + 1;
}

/* Notes the sum of a row when it is the largest so far. Rows come in any order: of equal sums that of the
 * first row counts. */
static void raise_to(statistics *part, const uint64_t *sum, uint64_t row)
{
    int order = mpn_cmp(sum, part->largest_row_sum, part->n_sum_limbs);
    if (order < 0 || (order == 0 && row >= part->largest_row))
        return;
    mpn_copyi(part->largest_row_sum, sum, part->n_sum_limbs);
    part->largest_row = row;
}

/* Adds row number row of a block of integers. */
static void add_row(statistics *part, const pc_rows *rows, uint64_t row, bool undirected)
{
    uint64_t n = rows->n_columns, from = rows->first_row + row, first = undirected ? from : 0;
    uint32_t n_limbs = part->n_limbs;
    const uint64_t *counts = pci_rows_entry(rows, row * n);
    uint64_t n_zero = 0;
    unsigned __int128 carry = 0;
    bool is_later = from >= part->next_row;
    memset(part->carry, 0, n_limbs * sizeof *part->carry);
    for (uint64_t at = 0; at < n; at += BLOCK_COLUMNS) {
        uint64_t end = n - at < BLOCK_COLUMNS ? n : at + BLOCK_COLUMNS;
        bool is_large = pci_row_scan(end - at, n_limbs, counts + at * n_limbs,
                                     pci_largest_floor(&part->pairs), part->carry, &n_zero);
        if (is_large || !is_later)
            offer_large(part, counts, from, at < first ? first : at, end);
    }
    part->n_nonzero += n - n_zero;
    note_row(part, from);
    for (uint32_t l = 0; l < n_limbs; l++, carry >>= 64) {
        carry += part->carry[l];
        part->row_sum[l] = (uint64_t)carry;
    }
    part->row_sum[n_limbs] = (uint64_t)carry;
    mpn_add_n(part->total, part->total, part->row_sum, part->n_sum_limbs);
    raise_to(part, part->row_sum, from);
    if (from < n)
        mpn_add(part->closed, part->closed, part->n_sum_limbs, counts + from * n_limbs, n_limbs);
}

/* ---- Doubles --------------------------------------------------------------------------------- */

/* The exponent that makes key[0] * 2^exponent the number again. */
static int64_t key_exponent(const uint64_t *key)
{
    return (int64_t)(key[1] - (UINT64_C(1) << 63) - DBL_MANT_DIG);
}

/* The least of the pairs in units of 2^exponent; 0 where doubles grow coarse. */
static double floor_value(const pci_largest *pairs, int64_t exponent)
{
    const uint64_t *key = pci_largest_floor(pairs);
    if (key[0] == 0)
        return 0;
    int64_t shift;
    if (__builtin_sub_overflow(key_exponent(key), exponent, &shift))
        shift = exponent < 0 ? INT64_MAX : INT64_MIN;
    double value = pci_number_scale((double)key[0], shift);
    return value < DBL_MIN ? 0 : value;
}

/* The same for doubles, but for the sums, whose order must not depend on threads: it returns the sum of the row, in
 * units of 2^rows->exponent. */
static long double add_double_row(statistics *part, const pc_rows *rows, uint64_t row,
                                  bool undirected)
{
    uint64_t from = rows->first_row + row;
    const double *values = rows->values + row * rows->n_columns;
    long double sum = 0;
    for (uint64_t to = 0; to < rows->n_columns; to++) {
        sum += values[to];
        part->n_nonzero += values[to] != 0;
    }
    bool is_later = from >= part->next_row;
    double least = floor_value(&part->pairs, rows->exponent);
    for (uint64_t to = undirected ? from : 0; to < rows->n_columns; to++) {
        if (values[to] > least || (!is_later && least > 0 && values[to] == least)) {
            int own;
            uint64_t mantissa = (uint64_t)ldexp(frexp(values[to], &own), DBL_MANT_DIG);
            uint64_t exponent = (uint64_t)rows->exponent + (uint64_t)(int64_t)own;
            uint64_t key[KEY_LIMBS_OF_DOUBLE] = {mantissa, exponent + (UINT64_C(1) << 63)};
            pci_largest_offer(&part->pairs, key, from, to);
            least = floor_value(&part->pairs, rows->exponent);
        }
    }
    note_row(part, from);
    return sum;
}

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
    uint32_t n_limbs = s->n_limbs, n_key_limbs = n_limbs ? n_limbs : KEY_LIMBS_OF_DOUBLE;
    size_t n_sum = (size_t)n_limbs + 1, n_words = 2 * (size_t)n_limbs + 4 * n_sum;
    statistics *made =
        pci_alloc_zero(reduction->context, 1, sizeof *made + n_words * sizeof(uint64_t));
    if (!made)
        return NULL;
    uint64_t *sums = (uint64_t *)(made->carry + n_limbs);
    *made = (statistics){.n_limbs = n_limbs,
                         .n_sum_limbs = (uint32_t)n_sum,
                         .largest_row = UINT64_MAX,
                         .total = sums,
                         .closed = sums + n_sum,
                         .largest_row_sum = sums + 2 * n_sum,
                         .row_sum = sums + 3 * n_sum};
    if (pci_largest_init(reduction->context, n_key_limbs, s->n_pairs, &made->pairs) == PC_OK)
        return made;
    pci_free(reduction->context, made);
    return NULL;
}

static void free_part(pc_reduction *reduction, void *part)
{
    pci_largest_free(reduction->context, &((statistics *)part)->pairs);
    pci_free(reduction->context, part);
}

static void add(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    const summary *s = (const summary *)reduction;
    for (uint64_t row = first; row < first + n; row++)
        if (rows->n_limbs)
            add_row(part, rows, row, s->symmetric);
        else
            s->row_sums[row] = add_double_row(part, rows, row, s->symmetric);
}

/* Adds the sums of doubles, row after row, so that their rounding is the same for any threads. */
static pc_status end(pc_reduction *reduction, const pc_rows *rows)
{
    summary *s = (summary *)reduction;
    for (uint64_t row = 0; !rows->n_limbs && row < rows->n_rows; row++) {
        uint64_t column = rows->first_row + row; /* of the diagonal */
        scaled sum = {s->row_sums[row], rows->exponent};
        add_scaled(&s->total, sum.value, sum.exponent);
        if (column < rows->n_columns)
            add_scaled(&s->closed, rows->values[row * rows->n_columns + column], rows->exponent);
        bool is_first = column < s->largest_row && !exceeds(s->largest_row_sum, sum);
        if (is_first || exceeds(sum, s->largest_row_sum)) {
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

static pc_status take(pc_reduction *reduction, void *of_thread, const pci_aggregates *aggregates,
                      int copy, uint8_t *is_wanted)
{
    const summary *s = (const summary *)reduction;
    statistics *part = of_thread;
    pci_largest rows;
    uint32_t n_limbs = aggregates->n_limbs;
    if (pci_largest_init(reduction->context, n_limbs, n_rows_of_pairs(s), &rows) != PC_OK)
        return pci_fail_memory(reduction->context, "the summary", n_limbs * sizeof(uint64_t));
    for (uint64_t row = 0; row < aggregates->n; row++) {
        const uint64_t *record = pci_record(aggregates, copy, row);
        part->n_nonzero += pci_record_n_nonzero(record, n_limbs);
        mpn_add_n(part->total, part->total, record, part->n_sum_limbs);
        mpn_add(part->closed, part->closed, part->n_sum_limbs, pci_record_diagonal(record, n_limbs),
                n_limbs);
        raise_to(part, record, row);
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
    for (uint64_t row = 0; row < rows->n_rows; row++) {
        uint64_t from = rows->first_row + row;
        offer_large(part, pci_rows_entry(rows, row * rows->n_columns), from,
                    s->symmetric ? from : 0, rows->n_columns);
        note_row(part, from);
    }
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static void merge(pc_reduction *reduction, void *into, void *from)
{
    statistics *sum = into, *part = from;
    (void)reduction;
    sum->n_nonzero += part->n_nonzero;
    mpn_add_n(sum->total, sum->total, part->total, sum->n_sum_limbs);
    mpn_add_n(sum->closed, sum->closed, part->closed, sum->n_sum_limbs);
    raise_to(sum, part->largest_row_sum, part->largest_row);
    pci_largest_merge(&sum->pairs, &part->pairs);
    sum->next_row = UINT64_MAX; /* pairs of any row may be there now */
    part->n_nonzero = part->next_row = 0;
    part->largest_row = UINT64_MAX;
    mpn_zero(part->total, 3 * (mp_size_t)part->n_sum_limbs);
}

static void clear(pc_reduction *reduction)
{
    summary *s = (summary *)reduction;
    s->total = s->closed = s->largest_row_sum = (scaled){0};
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
static const char *put_sum(const statistics *part, const uint64_t *sum, scaled double_sum,
                           char *text)
{
    size_t length = part->n_limbs ? pci_number_text(sum, part->n_sum_limbs, text)
                                  : scaled_text(double_sum, text);
    text[length] = '\0';
    return text;
}

static pc_status read_values(summary *s, pc_summary_values *values)
{
    pc_context *context = s->base.context;
    statistics *part = pci_reduction_whole(&s->base);
    if (!part)
        return pci_fail_memory(context, "the summary", sizeof *part);
    uint64_t n_pairs = part->pairs.n;
    uint32_t n_sum_limbs = part->n_limbs ? part->n_sum_limbs : 0;
    size_t string_bytes = pci_rows_entry_text_bytes(n_sum_limbs, false) + 1;
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
    pci_largest_sort(&part->pairs);
    for (uint64_t i = 0; i < n_pairs; i++) {
        const uint64_t *key = pci_largest_get(&part->pairs, i),
                       *ends = key + part->pairs.n_key_words;
        char *count = text + (N_SUMS + i) * string_bytes;
        size_t length = part->n_limbs
                            ? pci_number_text(key, part->n_limbs, count)
                            : pci_number_double_text((double)key[0], key_exponent(key), count);
        count[length] = '\0';
        pairs[i] = (pc_pair){ends[0], ends[1], count};
    }
    *values = (pc_summary_values){
        .total = put_sum(part, part->total, s->total, text),
        .closed =
            s->same_labels ? put_sum(part, part->closed, s->closed, text + string_bytes) : "0",
        .largest_row_sum =
            put_sum(part, part->largest_row_sum, s->largest_row_sum, text + 2 * string_bytes),
        .largest_row = part->n_limbs ? part->largest_row : s->largest_row,
        .largest = "0",
        .n_nonzero = part->n_nonzero,
        .n_pairs = n_pairs,
        .pairs = s->pairs,
    };
    if (values->n_nonzero == 0)
        values->largest_row = 0;
    if (n_pairs > 0) { /* row by row, the largest count is first met in the first pair */
        values->largest = s->pairs[0].count;
        values->largest_from = s->pairs[0].from;
        values->largest_to = s->pairs[0].to;
        if (part->n_limbs)
            values->largest_bits =
                (uint32_t)pci_number_bits(pci_largest_get(&part->pairs, 0), part->n_limbs);
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
