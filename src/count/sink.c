/* Passes rows on, or keeps them. */
#include <gmp.h>

#include "src/count/methods.h"

#include "src/rows/counts.h"
#include "src/core/number.h"
#include "src/engine/engine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

pc_status pci_sink_open(pci_sink *sink, uint32_t n_limbs)
{
    if (!sink->keeps || sink->result)
        return PC_OK;
    return pci_counts_create(sink->context, sink->n_kept, sink->n_kept, n_limbs, &sink->result);
}

/* Copies rows to their place in the result, unless they are there, by threads: to share the page
 * faults. Returns the rows as they are kept. */
static pc_rows keep(pci_sink *sink, const pc_rows *rows)
{
    pc_counts *result = sink->result;
    pc_rows kept = *rows;
    size_t at = rows->first_row * rows->n_columns;
    size_t row_words = rows->n_columns * (rows->values ? 1 : rows->n_limbs);
    const uint64_t *from = rows->limbs;
    uint64_t *to = result->limbs + at * rows->n_limbs;
    if (rows->values) {
        kept.values = result->values + at;
        from = (const uint64_t *)rows->values;
        to = (uint64_t *)(result->values + at);
    } else {
        kept.limbs = to;
    }
    int n_threads = pci_threads_for(sink->context, (double)rows->n_rows * (double)row_words);
#pragma omp parallel for num_threads(n_threads) schedule(static) if (from != to)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        if (from != to)
            memcpy(to + i * row_words, from + i * row_words, row_words * sizeof *to);
    result->exponent = rows->exponent;
    for (uint64_t i = 0; sink->exponents && i < rows->n_rows; i++)
        sink->exponents[rows->first_row + i] = rows->exponent;
    return kept;
}

bool pci_sink_wants_rows(const pci_sink *sink)
{
    return sink->keeps || sink->deliver;
}

static pc_status certify(pci_sink *sink, const pc_rows *rows)
{
    double start = pci_now_seconds();
    pc_status status = pci_check_reduced(sink->context, sink->modulus, rows);
    pc_rows certified = *rows;
    certified.first_row += sink->certified_row;
    if (status == PC_OK && sink->certificate && !sink->defers_check)
        status = pci_certificate_check(sink->certificate, &certified);
    if (status == PC_OK && sink->hashes)
        status = pci_row_hashes_check(sink->context, rows, sink->hashes);
    sink->certify_seconds += pci_now_seconds() - start;
    return status;
}

/* Passes on the rows that were not passed on before an earlier try failed. Rows come in the order
 * of lengths, and of a length in ascending order. */
static pc_status pass_on(pci_sink *sink, uint64_t length, const pc_rows *rows)
{
    uint64_t end = rows->first_row + rows->n_rows;
    bool is_old = sink->has_delivered && length <= sink->length;
    uint64_t n_out = !is_old ? 0 : length < sink->length ? end : sink->n_rows;
    uint64_t n_skipped = n_out > rows->first_row ? n_out - rows->first_row : 0;
    if (n_skipped >= rows->n_rows)
        return PC_OK;
    pc_rows left = *rows;
    size_t at = n_skipped * rows->n_columns;
    left.first_row += n_skipped;
    left.n_rows -= n_skipped;
    left.limbs = rows->values ? NULL : rows->limbs + at * rows->n_limbs;
    left.values = rows->values ? rows->values + at : NULL;
    sink->has_delivered = true;
    sink->length = length;
    sink->n_rows = end;
    return sink->deliver(sink->user, length, &left);
}

pc_status pci_sink_take(pci_sink *sink, uint64_t length, const pc_rows *rows)
{
    pc_rows taken = *rows;
    double start = pci_now_seconds();
    pc_status status = pci_sink_open(sink, rows->n_limbs);
    if (sink->result)
        taken = keep(sink, rows);
    else if (status == PC_OK)
        status = pci_reduce(sink->context, sink->reductions, sink->n_reductions, rows);
    sink->seconds += pci_now_seconds() - start;
    if (status == PC_OK)
        status = certify(sink, &taken);
    start = pci_now_seconds();
    if (status == PC_OK && !sink->result && sink->deliver)
        status = pass_on(sink, length, &taken);
    sink->seconds += pci_now_seconds() - start;
    return status;
}

pc_status pci_sink_take_aggregates(pci_sink *sink, const pci_aggregates *aggregates,
                                   uint8_t *is_wanted)
{
    double start = pci_now_seconds();
    pc_status status = pci_reduce_aggregates(sink->context, sink->reductions, sink->n_reductions,
                                             aggregates, is_wanted);
    double reduced = pci_now_seconds();
    sink->seconds += reduced - start;
    if (status == PC_OK)
        status = pci_check_reduced_records(sink->context, sink->modulus, aggregates);
    if (status == PC_OK && sink->certificate)
        status = pci_certificate_check_dots(sink->certificate, aggregates);
    sink->certify_seconds += pci_now_seconds() - reduced;
    return status;
}

pc_status pci_sink_take_wanted(pci_sink *sink, const pc_rows *row)
{
    double start = pci_now_seconds();
    pci_reduce_wanted(sink->reductions, sink->n_reductions, row);
    sink->seconds += pci_now_seconds() - start;
    return certify(sink, row);
}

void pci_sink_end_certificate(pci_sink *sink)
{
    pci_certificate_free(sink->certificate);
    sink->certificate = NULL;
    sink->certified_row = 0;
}

void pci_sink_add_seconds(const pci_sink *sink, pc_plan_info *info)
{
    info->seconds.deliver += sink->seconds;
    info->seconds.certify += sink->certify_seconds;
}

void pci_sink_complete(pci_sink *sink, uint64_t length)
{
    sink->n_complete = length;
    sink->has_delivered = false;
}

void pci_sink_reset(pci_sink *sink)
{
    pc_counts_free(sink->result);
    sink->result = NULL;
    for (uint32_t i = 0; i < sink->n_reductions; i++)
        pci_reduction_clear(sink->reductions[i]);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

pc_status pci_total_create(pc_context *context, const char *name, uint64_t modulus,
                           uint32_t n_limbs, pci_total *total)
{
    size_t n_words = (size_t)n_limbs + 1;
    *total = (pci_total){.context = context, .name = name, .modulus = modulus, .n_limbs = n_limbs};
    total->words[0] = pci_alloc_zero(context, 2 * n_words, sizeof *total->words[0]);
    if (!total->words[0])
        return pci_fail_memory(context, "a sum", 2 * n_words * sizeof *total->words[0]);
    total->words[1] = total->words[0] + n_words;
    return PC_OK;
}

void pci_total_free(pci_total *total)
{
    pci_free(total->context, total->words[0]);
}

/* Adds a double of any exponent: the sum keeps the larger of the two. */
static void add_double(double value, int64_t exponent, double *sum, int64_t *sum_exponent)
{
    int64_t apart = exponent - *sum_exponent, most = 4000;
    int shift = (int)(apart > most ? most : apart < -most ? -most : apart);
    if (shift > 0) {
        *sum = ldexp(*sum, -shift) + value;
        *sum_exponent = exponent;
    } else {
        *sum += shift ? ldexp(value, shift) : value;
    }
}

void pci_total_add(pci_total *total, const pc_rows *rows)
{
    uint64_t n = rows->n_rows * rows->n_columns;
    for (int i = 0; i < 2; i++)
        for (uint64_t e = 0; e < n; e++)
            if (rows->values)
                add_double(rows->values[e], rows->exponent, &total->value[i], &total->exponent[i]);
            else if (total->modulus)
                *total->words[i] = (*total->words[i] + rows->limbs[e]) % total->modulus;
            else
                mpn_add(total->words[i], total->words[i], total->n_limbs,
                        rows->limbs + e * rows->n_limbs, rows->n_limbs);
}

pc_status pci_total_deliver(pci_total *total, uint64_t length, bool is_trimmed, pci_sink *sink)
{
    size_t bytes = total->n_limbs * sizeof(uint64_t);
    if (memcmp(total->words[0], total->words[1], bytes) || total->value[0] != total->value[1] ||
        total->exponent[0] != total->exponent[1])
        return pci_fail_check(total->context, "%s of length %" PRIu64, total->name, length);
    pc_rows rows = {.n_rows = 1, .n_columns = 1, .n_limbs = total->n_limbs};
    if (total->n_limbs)
        rows.limbs = total->words[0];
    else
        rows.values = &total->value[0];
    rows.exponent = total->n_limbs ? 0 : total->exponent[0];
    if (is_trimmed) {
        size_t n_used = pci_number_trim(total->words[0], total->n_limbs);
        rows.n_limbs = n_used ? (uint32_t)n_used : 1;
    }
    pc_status status = pci_sink_take(sink, length, &rows);
    for (int i = 0; i < 2; i++) {
        memset(total->words[i], 0, bytes);
        total->value[i] = 0;
        total->exponent[i] = 0;
    }
    return status;
}
