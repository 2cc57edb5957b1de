/* Adds rows up, one thread a block of the partition, so that each sum of doubles has one order. */
#include <gmp.h>

#include "src/count/block_sums.h"
#include "src/rows/counts.h"

#include <string.h>

static void add_row(const pci_block_sums *sums, const pc_rows *rows, uint64_t row, uint64_t block)
{
    const uint32_t *block_of = sums->partition->block;
    uint64_t n = rows->n_columns, at = block * sums->partition->n_blocks;
    uint32_t n_limbs = sums->n_limbs;
    if (!n_limbs) {
        double *to = sums->values + at;
        for (uint64_t j = 0; j < n; j++)
            to[block_of[j]] += rows->values[row * n + j];
        return;
    }
    uint64_t *to = sums->limbs + at * n_limbs;
    const uint64_t *from = pci_rows_entry(rows, row * n);
    for (uint64_t j = 0; sums->modulus && j < n; j++) { /* two residues never pass a word */
        uint64_t *sum = &to[block_of[j]];
        *sum += from[j];
        *sum -= *sum >= sums->modulus ? sums->modulus : 0;
    }
    for (uint64_t j = 0; !sums->modulus && j < n; j++)
        mpn_add_n(to + (size_t)block_of[j] * n_limbs, to + (size_t)block_of[j] * n_limbs,
                  from + j * n_limbs, n_limbs);
}

static void add(pc_reduction *reduction, void *part, const pc_rows *rows, uint64_t first,
                uint64_t n)
{
    pci_block_sums *sums = (pci_block_sums *)reduction;
    const pc_partition *p = sums->partition;
    double n_words = (double)n * (double)rows->n_columns;
    int n_threads =
        pci_threads_for(reduction->context, n_words * (sums->n_limbs ? sums->n_limbs : 1));
    (void)part;
    sums->exponent = rows->exponent;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
    for (uint64_t b = 0; b < p->n_blocks; b++)
        for (uint64_t i = p->start[b]; i < p->start[b + 1]; i++) {
            uint64_t row = p->vertex[i] - rows->first_row; /* wraps when before the first */
            if (row >= first && row - first < n)
                add_row(sums, rows, row, b);
        }
}

static size_t n_words(const pci_block_sums *sums)
{
    return sums->n_rows * sums->partition->n_blocks * (sums->n_limbs ? sums->n_limbs : 1);
}

static void clear(pc_reduction *reduction)
{
    pci_block_sums *sums = (pci_block_sums *)reduction;
    memset(sums->limbs ? (void *)sums->limbs : (void *)sums->values, 0,
           n_words(sums) * sizeof(uint64_t));
}

static void free_sums(pc_reduction *reduction)
{
    pci_block_sums *sums = (pci_block_sums *)reduction;
    pci_free(reduction->context, sums->limbs);
    pci_free(reduction->context, sums->values);
}

/* There are no parts: threads have blocks of their own, and n_blocks^2 sums a thread are too
 * many. */
static const pci_reduction_ops BLOCK_SUMS = {.add = add, .clear = clear, .free = free_sums};

void pci_block_sums_of_columns(pci_block_sums *sums, const pc_rows *rows)
{
    double n = (double)rows->n_rows * (double)rows->n_columns;
    int n_threads = pci_threads_for(sums->base.context, n * (sums->n_limbs ? sums->n_limbs : 1));
    clear(&sums->base);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t row = 0; row < rows->n_rows; row++)
        add_row(sums, rows, row, row);
}

pc_status pci_block_sums_check(const pci_block_sums *sums)
{
    const pci_block_sums *twin = (const pci_block_sums *)sums->base.twin;
    const void *words = sums->limbs ? (const void *)sums->limbs : sums->values;
    if (!twin || (sums->exponent == twin->exponent &&
                  memcmp(words, twin->limbs ? (const void *)twin->limbs : twin->values,
                         n_words(sums) * sizeof(uint64_t)) == 0))
        return PC_OK;
    return pci_fail_check(sums->base.context, "a sum between blocks");
}

pc_status pci_block_sums_create(pc_context *context, const pc_partition *partition, uint64_t n_rows,
                                uint32_t n_limbs, uint64_t modulus, int n_copies,
                                pci_block_sums *sums)
{
    for (int c = 0; c < n_copies; c++) {
        sums[c] =
            (pci_block_sums){.base = {.ops = &BLOCK_SUMS, .context = context, .is_ordered = true},
                             .partition = partition,
                             .n_rows = n_rows,
                             .n_limbs = n_limbs,
                             .modulus = modulus};
        size_t n = n_words(&sums[c]);
        void *memory = pci_alloc_zero(context, n, sizeof(uint64_t));
        if (!memory)
            return pci_fail_memory(context, "sums between blocks", n * sizeof(uint64_t));
        if (n_limbs)
            sums[c].limbs = memory;
        else
            sums[c].values = memory;
        if (c > 0)
            sums->base.twin = &sums[c].base;
    }
    return PC_OK;
}
