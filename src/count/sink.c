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

/* ---- Gathered numbers ------------------------------------------------------------------------- */

static size_t words_of(const pci_gathered *g)
{
    return g->n_limbs ? g->n_limbs : 1;
}

/* Numbers of a copy. */
static uint64_t numbers_of(const pci_gathered *g)
{
    return g->n_lengths * g->n;
}

pc_status pci_gathered_create(const pci_question *question, const char *name, uint64_t n_lengths,
                              uint64_t n, uint32_t n_limbs, pci_gathered *gathered)
{
    *gathered = (pci_gathered){.context = question->context,
                               .name = name,
                               .modulus = question->options.modulus,
                               .n_lengths = n_lengths,
                               .n = n,
                               .n_limbs = n_limbs,
                               .n_copies = pci_question_n_copies(question)};
    uint64_t n_all = numbers_of(gathered) * (uint64_t)gathered->n_copies;
    size_t n_words = words_of(gathered);
    gathered->words = pci_alloc_zero(question->context, n_all, n_words * sizeof(uint64_t));
    if (!n_limbs)
        gathered->exponent = pci_alloc_zero(question->context, n_all, sizeof(int64_t));
    return gathered->words && (n_limbs || gathered->exponent)
               ? PC_OK
               : pci_fail_memory(question->context, "the answers", n_all * n_words * 8);
}

void pci_gathered_free(pci_gathered *gathered)
{
    if (!gathered->context)
        return;
    pci_free(gathered->context, gathered->words);
    pci_free(gathered->context, gathered->exponent);
}

uint64_t *pci_gathered_at(const pci_gathered *gathered, int copy, uint64_t i)
{
    return gathered->words + ((uint64_t)copy * numbers_of(gathered) + i) * words_of(gathered);
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

void pci_gathered_add(pci_gathered *gathered, int copy, uint64_t i, const pc_rows *rows, uint64_t e)
{
    uint64_t *number = pci_gathered_at(gathered, copy, i);
    if (rows->values)
        add_double(rows->values[e], rows->exponent, (double *)number,
                   &gathered->exponent[(uint64_t)copy * numbers_of(gathered) + i]);
    else if (gathered->modulus)
        *number = (*number + rows->limbs[e]) % gathered->modulus;
    else
        mpn_add(number, number, gathered->n_limbs, pci_rows_entry(rows, e), rows->n_limbs);
}

void pci_gathered_add_rows(pci_gathered *gathered, const pc_rows *rows)
{
    for (int c = 0; c < gathered->n_copies; c++)
        for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++)
            pci_gathered_add(gathered, c, 0, rows, e);
}

/* Moves all numbers together, where none needs all of its words. Returns the words of a number. */
static size_t trim(pci_gathered *g, uint64_t n_all)
{
    size_t n_words = g->n_limbs, n_used = 1;
    for (uint64_t i = 0; i < n_all; i++) {
        size_t n = pci_number_trim(g->words + i * n_words, n_words);
        n_used = n > n_used ? n : n_used;
    }
    for (uint64_t i = 0; i < n_all && n_used < n_words; i++)
        memmove(g->words + i * n_used, g->words + i * n_words, n_used * sizeof *g->words);
    return n_used;
}

pc_status pci_gathered_deliver(pci_gathered *gathered, uint64_t length, bool is_trimmed,
                               pci_sink *sink)
{
    pci_gathered *g = gathered;
    uint64_t n = numbers_of(g), n_all = n * (uint64_t)g->n_copies, n_rows = g->exponent ? 1 : g->n;
    size_t n_words = is_trimmed ? trim(g, n_all) : words_of(g), bytes = n_words * sizeof *g->words;
    const uint64_t *other = g->words + (n_all - n) * n_words;
    const int64_t *exponent = g->exponent;
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n && g->n_copies > 1; i++)
        if (memcmp(g->words + i * n_words, other + i * n_words, bytes) != 0 ||
            (exponent && exponent[i] != exponent[n_all - n + i]))
            return pci_fail_check(g->context, "%s of length %" PRIu64, g->name, length + i / g->n);
    for (uint64_t i = 0; i < n && status == PC_OK; i += n_rows) {
        pc_rows rows = {.first_row = i % g->n,
                        .n_rows = n_rows, /* doubles have an exponent each */
                        .n_columns = 1,
                        .n_limbs = g->n_limbs ? (uint32_t)n_words : 0,
                        .limbs = g->n_limbs ? g->words + i * n_words : NULL,
                        .values = g->n_limbs ? NULL : (const double *)g->words + i,
                        .exponent = exponent ? exponent[i] : 0};
        status = pci_sink_take(sink, length + i / g->n, &rows);
    }
    memset(g->words, 0, n_all * words_of(g) * sizeof *g->words);
    if (g->exponent)
        memset(g->exponent, 0, n_all * sizeof *g->exponent);
    return status;
}
