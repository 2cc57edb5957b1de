/* Adds rows up, one thread a block of rows. */
#include <gmp.h>

#include "src/run/coarse_sums.h"
#include "src/rows/counts.h"

pc_status pci_coarse_sums_create(pc_context *context, const pc_partition *partition,
                                 uint32_t n_limbs, uint64_t modulus, pci_coarse_sums *sums)
{
    size_t n = partition->n_blocks, words = n_limbs ? n_limbs : 1;
    void *memory = pci_alloc_zero(context, n * n, words * sizeof(uint64_t));
    if (!memory)
        return pci_fail_memory(context, "sums between blocks", n * n * words * sizeof(uint64_t));
    *sums = (pci_coarse_sums){
        .context = context, .partition = partition, .n_limbs = n_limbs, .modulus = modulus};
    if (n_limbs)
        sums->limbs = memory;
    else
        sums->values = memory;
    return PC_OK;
}

void pci_coarse_sums_free(pci_coarse_sums *sums)
{
    pci_free(sums->context, sums->limbs);
    pci_free(sums->context, sums->values);
    sums->limbs = NULL;
    sums->values = NULL;
}

static void add_words(const pci_coarse_sums *sums, const pc_rows *rows, uint64_t row, uint64_t *to)
{
    const uint32_t *block = sums->partition->block;
    const uint64_t *from = pci_rows_entry(rows, row * rows->n_columns);
    for (uint64_t j = 0; j < rows->n_columns; j++)
        mpn_add_n(to + (size_t)block[j] * sums->n_limbs, to + (size_t)block[j] * sums->n_limbs,
                  from + j * sums->n_limbs, sums->n_limbs);
}

/* Residues are below 2^63, so two of them never pass a word. */
static void add_residues(const pci_coarse_sums *sums, const pc_rows *rows, uint64_t row,
                         uint64_t *to)
{
    const uint64_t *from = pci_rows_entry(rows, row * rows->n_columns);
    for (uint64_t j = 0; j < rows->n_columns; j++) {
        uint64_t *sum = &to[sums->partition->block[j]];
        *sum += from[j];
        *sum -= *sum >= sums->modulus ? sums->modulus : 0;
    }
}

static void add_values(const pci_coarse_sums *sums, const pc_rows *rows, uint64_t row, double *to)
{
    for (uint64_t j = 0; j < rows->n_columns; j++)
        to[sums->partition->block[j]] += rows->values[row * rows->n_columns + j];
}

static void add_row(const pci_coarse_sums *sums, const pc_rows *rows, uint64_t row, uint64_t block)
{
    uint64_t at = block * sums->partition->n_blocks;
    if (!sums->n_limbs)
        add_values(sums, rows, row, sums->values + at);
    else if (sums->modulus)
        add_residues(sums, rows, row, sums->limbs + at);
    else
        add_words(sums, rows, row, sums->limbs + at * sums->n_limbs);
}

pc_status pci_coarse_sums_add(void *user, const pc_rows *rows)
{
    pci_coarse_sums *sums = user;
    const pc_partition *p = sums->partition;
    double n_words = (double)rows->n_rows * (double)rows->n_columns;
    int n_threads = pci_threads_for(sums->context, n_words * (sums->n_limbs ? sums->n_limbs : 1));
    sums->exponent = rows->exponent;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
    for (uint64_t b = 0; b < p->n_blocks; b++)
        for (uint64_t i = p->start[b]; i < p->start[b + 1]; i++) {
            uint64_t row = p->vertex[i] - rows->first_row; /* wraps when before the first */
            if (row < rows->n_rows)
                add_row(sums, rows, row, b);
        }
    return PC_OK;
}
