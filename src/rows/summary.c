/* The summary of a matrix of counts, gathered from its row blocks by several threads. */
#include "src/rows/counts.h"
#include "src/rows/means.h"
#include "src/core/number.h"
#include "src/rows/row_statistics.h"

#include <omp.h>

enum { OPERATIONS_AN_ENTRY = 2, N_SUMS = 3 };

struct pc_summary {
    pc_context *context;
    uint64_t n_rows, n_columns;
    bool same_labels; /* rows and columns are the same: there is a diagonal */
    bool symmetric;
    bool has_rows;
    pci_row_statistics statistics;
    pci_scaled total, closed, largest_row_sum; /* when the counts are doubles */
    char *text;                                /* strings of the last pc_summary_get */
};

pc_status pc_summary_create(pc_context *context, const pc_frame *frame, pc_summary **summary)
{
    if (!context || !frame || !frame->rows || !frame->columns || !summary)
        return pci_fail_null(context, "frame, its rows or columns, or summary");
    pc_summary *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "the summary", sizeof *made);
    made->context = context;
    made->n_rows = pc_labels_count(frame->rows);
    made->n_columns = pc_labels_count(frame->columns);
    made->same_labels = frame->rows == frame->columns;
    made->symmetric = frame->symmetric;
    if (pci_row_statistics_init(context, 1, &made->statistics) != PC_OK) {
        pci_free(context, made);
        return pci_fail_memory(context, "the summary", sizeof *made);
    }
    *summary = made;
    return PC_OK;
}

void pc_summary_free(pc_summary *summary)
{
    if (!summary)
        return;
    pci_row_statistics_free(summary->context, &summary->statistics);
    pci_free(summary->context, summary->text);
    pci_free(summary->context, summary);
}

/* Whether the rows belong to the matrix; the first of them tell how wide its counts are. */
static pc_status accept_rows(pc_summary *summary, const pc_rows *rows)
{
    uint64_t n = summary->n_rows;
    if (rows->n_columns != summary->n_columns || rows->first_row > n ||
        rows->n_rows > n - rows->first_row || pci_rows_are_means(rows))
        return pci_fail(summary->context, PC_ERR_ARGUMENT,
                        "rows of another matrix added to the summary");
    if (rows->n_limbs == summary->statistics.n_limbs)
        return PC_OK;
    if (summary->has_rows)
        return pci_fail(summary->context, PC_ERR_ARGUMENT,
                        "rows of counts of %u words added to a summary of counts of %u",
                        rows->n_limbs, summary->statistics.n_limbs);
    pci_row_statistics statistics;
    if (pci_row_statistics_init(summary->context, rows->n_limbs, &statistics) != PC_OK)
        return pci_fail_memory(summary->context, "the summary", rows->n_limbs * sizeof(uint64_t));
    pci_row_statistics_free(summary->context, &summary->statistics);
    summary->statistics = statistics;
    return PC_OK;
}

/* One statistics for each thread, each of its own rows; row_sums is used for doubles only. */
static void tally_rows(const pc_summary *summary, const pc_rows *rows,
                       pci_row_statistics *statistics, int n_threads, long double *row_sums)
{
    bool undirected = summary->symmetric;
#pragma omp parallel for schedule(static, 16) num_threads(n_threads)
    for (uint64_t row = 0; row < rows->n_rows; row++) {
        pci_row_statistics *mine = &statistics[omp_get_thread_num()];
        if (rows->n_limbs)
            pci_row_statistics_add_row(mine, rows, row, undirected);
        else
            row_sums[row] = pci_row_statistics_add_double_row(mine, rows, row, undirected);
    }
}

/* The sums of doubles, row after row, so that their rounding is the same for any threads. */
static void add_double_sums(pc_summary *summary, const pc_rows *rows, const long double *row_sums)
{
    for (uint64_t row = 0; row < rows->n_rows; row++) {
        uint64_t column = rows->first_row + row; /* of the diagonal */
        pci_scaled sum = {row_sums[row], rows->exponent};
        pci_scaled_add(&summary->total, sum.value, sum.exponent);
        if (column < rows->n_columns)
            pci_scaled_add(&summary->closed, rows->values[row * rows->n_columns + column],
                           rows->exponent);
        if (pci_scaled_exceeds(sum, summary->largest_row_sum))
            summary->largest_row_sum = sum;
    }
}

pc_status pc_summary_add(pc_summary *summary, const pc_rows *rows)
{
    if (!summary || !pci_rows_are_whole(rows))
        return pci_fail_null(summary ? summary->context : NULL, "rows or what they hold");
    pc_context *context = summary->context;
    double n_entries = (double)rows->n_rows * (double)rows->n_columns;
    int n_threads = pci_threads_for(context, OPERATIONS_AN_ENTRY * n_entries), n_made = 0;
    long double *row_sums = NULL;
    pci_row_statistics *statistics = NULL;
    pc_status status = accept_rows(summary, rows);
    if (status != PC_OK)
        return status;
    status = PC_ERR_MEMORY;
    statistics = pci_alloc_zero(context, (size_t)n_threads, sizeof *statistics);
    row_sums = pci_alloc_zero(context, rows->n_limbs ? 0 : rows->n_rows, sizeof *row_sums);
    if (!statistics || !row_sums)
        goto done;
    for (; n_made < n_threads; n_made++)
        if (pci_row_statistics_init(context, rows->n_limbs, &statistics[n_made]) != PC_OK)
            goto done;
    tally_rows(summary, rows, statistics, n_threads, row_sums);
    for (int t = 0; t < n_threads; t++)
        pci_row_statistics_merge(&summary->statistics, &statistics[t]);
    if (!rows->n_limbs)
        add_double_sums(summary, rows, row_sums);
    summary->has_rows = true;
    status = PC_OK;
done:
    while (n_made > 0)
        pci_row_statistics_free(context, &statistics[--n_made]);
    pci_free(context, statistics);
    pci_free(context, row_sums);
    return status == PC_OK
               ? status
               : pci_fail_memory(context, "the summary", (size_t)n_threads * sizeof *statistics);
}

/* The text of one sum, of integers or of doubles, with its final NUL. */
static const char *put_sum(const pci_row_statistics *statistics, const uint64_t *sum,
                           pci_scaled double_sum, char *text)
{
    size_t length = statistics->n_limbs ? pci_number_text(sum, statistics->n_sum_limbs, text)
                                        : pci_scaled_text(double_sum, text);
    text[length] = '\0';
    return text;
}

pc_status pc_summary_get(pc_summary *summary, pc_summary_values *values)
{
    if (!summary || !values)
        return pci_fail_null(summary ? summary->context : NULL, "values");
    const pci_row_statistics *statistics = &summary->statistics;
    const pci_pair_list *pairs = &statistics->pairs;
    size_t string_bytes =
        pci_rows_entry_text_bytes(statistics->n_limbs ? statistics->n_sum_limbs : 0, false) + 1;
    size_t bytes = (N_SUMS + PC_SUMMARY_PAIRS) * string_bytes;
    char *text = pci_alloc(summary->context, bytes);
    if (!text)
        return pci_fail_memory(summary->context, "the summary", bytes);
    pci_free(summary->context, summary->text);
    summary->text = text;
    *values = (pc_summary_values){
        .total = put_sum(statistics, statistics->total, summary->total, text),
        .closed = summary->same_labels ? put_sum(statistics, statistics->closed, summary->closed,
                                                 text + string_bytes)
                                       : "0",
        .largest_row_sum = put_sum(statistics, statistics->largest_row_sum,
                                   summary->largest_row_sum, text + 2 * string_bytes),
        .largest = "0",
        .n_nonzero = statistics->n_nonzero,
        .n_pairs = pairs->n_pairs,
    };
    text += N_SUMS * string_bytes;
    for (uint32_t i = 0; i < pairs->n_pairs; i++, text += string_bytes) {
        text[pci_row_statistics_pair_text(statistics, i, text)] = '\0';
        values->pairs[i] = (pc_pair){pairs->from[i], pairs->to[i], text};
    }
    if (pairs->n_pairs > 0) { /* row by row, the largest count is first met in the first pair */
        values->largest = values->pairs[0].count;
        values->largest_from = pairs->from[0];
        values->largest_to = pairs->to[0];
        if (statistics->n_limbs)
            values->largest_bits = (uint32_t)pci_number_bits(pairs->keys, statistics->n_limbs);
    }
    return PC_OK;
}
