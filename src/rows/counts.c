/* The result handle and its readers. Readers may run in several threads at once, so they leave the
 * context and its message alone: the status says it all. */
#include <gmp.h>

#include "src/rows/counts.h"
#include "src/core/number.h"

#include <math.h>
#include <string.h>

enum { LOCAL_TEXT_BYTES = 512 };

pc_status pci_counts_create(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                            uint32_t n_limbs, pc_counts **counts)
{
    size_t bytes;
    if (__builtin_mul_overflow(n_rows, n_columns, &bytes) ||
        __builtin_mul_overflow(bytes, sizeof(uint64_t) * (n_limbs ? n_limbs : 1), &bytes))
        return pci_fail_memory(context, "the counts", SIZE_MAX);
    pc_counts *made = pci_alloc_zero(context, 1, sizeof *made);
    void *entries = pci_alloc(context, bytes);
    if (!made || !entries) {
        pci_free(context, made);
        pci_free(context, entries);
        return pci_fail_memory(context, "the counts", bytes);
    }
    *made = (pc_counts){
        .context = context, .n_rows = n_rows, .n_columns = n_columns, .n_limbs = n_limbs};
    if (n_limbs)
        made->limbs = entries;
    else
        made->values = entries;
    *counts = made;
    return PC_OK;
}

void pc_counts_free(pc_counts *counts)
{
    if (!counts)
        return;
    pci_free(counts->context, counts->limbs);
    pci_free(counts->context, counts->values);
    pci_free(counts->context, counts);
}

void pc_counts_rows(const pc_counts *counts, pc_rows *rows)
{
    if (!rows)
        return;
    if (!counts)
        *rows = (pc_rows){0};
    else
        *rows = (pc_rows){.n_rows = counts->n_rows,
                          .n_columns = counts->n_columns,
                          .n_limbs = counts->n_limbs,
                          .limbs = counts->limbs,
                          .values = counts->values,
                          .exponent = counts->exponent};
}

/* The whole matrix and the place of (row, column) in it. */
static pc_status find_entry(const pc_counts *counts, uint64_t row, uint64_t column, pc_rows *rows,
                            uint64_t *e)
{
    if (!counts || row >= counts->n_rows || column >= counts->n_columns)
        return PC_ERR_ARGUMENT;
    pc_counts_rows(counts, rows);
    *e = row * counts->n_columns + column;
    return PC_OK;
}

pc_status pc_counts_u64(const pc_counts *counts, uint64_t row, uint64_t column, uint64_t *value)
{
    if (!value)
        return PC_ERR_ARGUMENT;
    pc_rows rows;
    uint64_t e;
    pc_status status = find_entry(counts, row, column, &rows, &e);
    if (status != PC_OK)
        return status;
    if (!rows.limbs || pci_number_trim(pci_rows_entry(&rows, e), rows.n_limbs) > 1)
        return PC_ERR_RANGE;
    *value = pci_rows_entry(&rows, e)[0];
    return PC_OK;
}

/* ---- Means: exact as text, rounded as doubles ------------------------------------------------- */

/* Sizes are numbers of vertices, so their product fits. */
static uint64_t divisor(const pc_rows *rows, uint64_t e)
{
    return rows->row_sizes[rows->first_row + e / rows->n_columns] *
           rows->column_sizes[e % rows->n_columns];
}

/* Writes the mean of entry e as a fraction in lowest terms ("7/4"), a whole number as such; doubles as doubles. Returns the
 * length, without the final NUL. */
static size_t mean_text(const pc_rows *rows, uint64_t e, char *text)
{
    if (!rows->limbs)
        return pci_number_double_text(rows->values[e] / (double)divisor(rows, e), rows->exponent,
                                      text);
    mpq_t mean;
    mpq_init(mean);
    mpz_import(mpq_numref(mean), rows->n_limbs, -1, sizeof(uint64_t), 0, 0,
               pci_rows_entry(rows, e));
    mpz_set_ui(mpq_denref(mean), divisor(rows, e));
    mpq_canonicalize(mean);
    mpq_get_str(text, 10, mean);
    mpq_clear(mean);
    return strlen(text);
}

/* Divided before it is scaled: a mean may fit where its count does not. */
double pci_mean_double(const pc_rows *rows, uint64_t e)
{
    double d = (double)divisor(rows, e);
    if (!rows->limbs)
        return pci_number_scale(rows->values[e] / d, rows->exponent);
    const uint64_t *count = pci_rows_entry(rows, e);
    mpz_t number;
    long exponent;
    mpz_roinit_n(number, count, (mp_size_t)pci_number_trim(count, rows->n_limbs));
    double leading = mpz_get_d_2exp(&exponent, number);
    return pci_number_scale(leading / d, exponent);
}

/* ---- Text ------------------------------------------------------------------------------------ */

size_t pci_rows_entry_text_bytes(uint32_t n_limbs, bool means)
{
    size_t bytes = n_limbs ? pci_number_text_bytes(n_limbs) : PCI_DOUBLE_TEXT_BYTES;
    return bytes + (means ? PCI_MEAN_TEXT_EXTRA_BYTES : 0);
}

size_t pci_rows_entry_text(const pc_rows *rows, uint64_t e, char *text)
{
    if (pci_rows_are_means(rows))
        return mean_text(rows, e, text);
    return rows->limbs ? pci_number_text(pci_rows_entry(rows, e), rows->n_limbs, text)
                       : pci_number_double_text(rows->values[e], rows->exponent, text);
}

pc_status pc_rows_text(const pc_rows *rows, uint64_t e, char *buffer, size_t size, size_t *length)
{
    if (!pci_rows_are_whole(rows) || (!buffer && size > 0) || e >= rows->n_rows * rows->n_columns)
        return PC_ERR_ARGUMENT;
    void *(*allocate)(size_t);
    void (*release)(void *, size_t);
    char local[LOCAL_TEXT_BYTES];
    size_t most = pci_rows_entry_text_bytes(rows->n_limbs, pci_rows_are_means(rows));
    bool is_wide =
        size <= most && most > LOCAL_TEXT_BYTES; /* then it is in memory of GMP's for a moment */
    mp_get_memory_functions(&allocate, NULL, &release);
    char *text = size > most ? buffer : is_wide ? allocate(most) : local;
    size_t n = pci_rows_entry_text(rows, e, text);
    if (length)
        *length = n;
    if (n < size) {
        if (text != buffer)
            memcpy(buffer, text, n);
        buffer[n] = '\0';
    }
    if (is_wide)
        release(text, most);
    return n < size ? PC_OK : PC_ERR_RANGE;
}
