/* The plain modular products: no packing, no blocks, no tricks. */
#include "src/cpu/plain.h"

/* value mod m in the range that rounds to zero quotient: -m/2 .. m/2. */
static int8_t centred_residue(int32_t value, int32_t m)
{
    int32_t residue = value % m;
    if (2 * residue >= m)
        residue -= m;
    if (2 * residue < -m)
        residue += m;
    return (int8_t)residue;
}

void pci_plain_ijk(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m, int8_t *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int32_t sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * stride + k] * b[k * stride + j];
            c[i * stride + j] = centred_residue(sum, (int32_t)m);
        }
}

/* Row i of the product; residues are kept small after each addition, so no wide sums are needed. */
static void ikj_row(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m, size_t i,
                    int8_t *c)
{
    for (size_t j = 0; j < n; j++)
        c[i * stride + j] = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++)
            c[i * stride + j] = centred_residue(
                c[i * stride + j] + a[i * stride + k] * b[k * stride + j], (int32_t)m);
}

void pci_plain_ikj(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m, int8_t *c)
{
    for (size_t i = 0; i < n; i++)
        ikj_row(n, stride, a, b, m, i, c);
}

void pci_plain_ikj_parallel(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m,
                            int n_threads, int8_t *c)
{
#pragma omp parallel for num_threads(n_threads)
    for (size_t i = 0; i < n; i++)
        ikj_row(n, stride, a, b, m, i, c);
}
