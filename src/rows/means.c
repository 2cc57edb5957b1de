/* Means of counts: exact as text, rounded as doubles. */
#include <gmp.h>

#include "src/rows/counts.h"
#include "src/rows/means.h"
#include "src/core/number.h"

#include <string.h>

/* Sizes are numbers of vertices, so their product fits. */
static uint64_t divisor(const pc_rows *rows, uint64_t e)
{
    return rows->row_sizes[rows->first_row + e / rows->n_columns] *
           rows->column_sizes[e % rows->n_columns];
}

size_t pci_mean_text(const pc_rows *rows, uint64_t e, char *text)
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
