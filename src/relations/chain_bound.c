/* Limits of the entries of products, from vectors of long doubles. Their exponents suffice for 64
 * factors, and they hold whole numbers up to 2^LDBL_MANT_DIG exactly. */
#include "src/relations/chain_bound.h"

#include <float.h>
#include <math.h>

/* Raises a sum of n_terms rounded products by more than rounding can have lowered it: at most n + 2
 * roundings, each by a factor of 1 - LDBL_EPSILON / 2 or more. All terms are whole, so sums below
 * 2^LDBL_MANT_DIG have not been rounded. Every larger long double is whole, too. */
static long double raised(long double sum, uint64_t n_terms)
{
    if (sum < ldexpl(1, LDBL_MANT_DIG))
        return sum;
    return sum * (1 + (long double)(n_terms + 4) * LDBL_EPSILON);
}

static uint64_t entry_of(const pci_sparse *matrix, uint64_t e)
{
    return matrix->limbs ? matrix->limbs[e] : 1;
}

static void find_largest(const pci_sparse *matrix, long double *largest)
{
    for (uint64_t i = 0; i < matrix->n_rows; i++) {
        uint64_t most = 0;
        for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++)
            most = entry_of(matrix, e) > most ? entry_of(matrix, e) : most;
        largest[i] = raised((long double)most, 0);
    }
}

static void multiply(const pci_sparse *matrix, int n_threads, const long double *x, long double *y)
{
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 512)
    for (uint64_t i = 0; i < matrix->n_rows; i++) {
        long double sum = 0;
        uint64_t first = matrix->row_start[i], end = matrix->row_start[i + 1];
        for (uint64_t e = first; e < end; e++)
            sum += (long double)entry_of(matrix, e) * x[matrix->column[e]];
        y[i] = raised(sum, end - first);
    }
}

pc_status pci_chain_limit(pc_context *context, uint32_t n, const pci_sparse *factors,
                          long double *limit)
{
    uint64_t n_most = 0;
    for (uint32_t f = 0; f < n; f++)
        n_most = factors[f].n_rows > n_most ? factors[f].n_rows : n_most;
    size_t bytes = 2 * n_most * sizeof(long double);
    long double *memory = pci_alloc(context, bytes), largest = 0;
    if (!memory)
        return pci_fail_memory(context, "row sums", bytes);
    long double *x = memory, *y = memory + n_most;
    find_largest(&factors[n - 1], x);
    for (uint32_t f = n - 1; f-- > 0;) {
        int n_threads = pci_threads_for(context, (double)pci_sparse_n_entries(&factors[f]));
        multiply(&factors[f], n_threads, x, y);
        long double *swap = x;
        x = y;
        y = swap;
    }
    for (uint64_t i = 0; i < factors[0].n_rows; i++)
        largest = x[i] > largest ? x[i] : largest;
    pci_free(context, memory);
    if (!isfinite(largest))
        return pci_fail(context, PC_ERR_RANGE,
                        "entries of this product may be wider than %d bits: fewer relations",
                        LDBL_MAX_EXP);
    *limit = largest;
    return PC_OK;
}

uint32_t pci_limit_limbs(long double limit)
{
    int n_bits;
    frexpl(limit, &n_bits); /* limit < 2^n_bits */
    return n_bits > 64 ? (uint32_t)(n_bits + 63) / 64 : 1;
}
