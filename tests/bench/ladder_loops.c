/* The loops that the documents begin with, in float32. */
#include "tests/bench/ladder.h"

/* A dot product for each entry; B is read down its columns, a cache line for each element. */
static void multiply_ijk(const float_product *p, int n_threads)
{
    (void)n_threads;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->columns; j++) {
            float sum = 0;
            for (size_t k = 0; k < p->inner; k++)
                sum += p->a[i * p->a_stride + k] * p->b[k * p->b_stride + j];
            p->c[i * p->c_stride + j] = sum;
        }
}

/* Row i of C as a sum of scaled rows of B: all three matrices are read along their rows. */
static void multiply_row(const float_product *p, size_t i)
{
    float *c = p->c + i * p->c_stride;
    for (size_t j = 0; j < p->columns; j++)
        c[j] = 0;
    for (size_t k = 0; k < p->inner; k++) {
        const float a = p->a[i * p->a_stride + k], *b = p->b + k * p->b_stride;
        for (size_t j = 0; j < p->columns; j++)
            c[j] += a * b[j];
    }
}

static void multiply_ikj(const float_product *p, int n_threads)
{
    (void)n_threads;
    for (size_t i = 0; i < p->rows; i++)
        multiply_row(p, i);
}

/* Each thread has as many consecutive rows; their number need not be a multiple of the threads. */
static void multiply_ikj_openmp(const float_product *p, int n_threads)
{
#pragma omp parallel for schedule(static) num_threads(n_threads)
    for (size_t i = 0; i < p->rows; i++)
        multiply_row(p, i);
}

/* Entry (i, j) of A B, 0 beyond its edge. */
static float entry(const float_product *p, size_t i, size_t j)
{
    float sum = 0;
    for (size_t k = 0; k < p->inner && i < p->rows && j < p->columns; k++)
        sum += p->a[i * p->a_stride + k] * p->b[k * p->b_stride + j];
    return sum;
}

/* The sum of a square of 2 x 2 entries of A B for each entry of C: four dot products. */
static void multiply_reduced(const float_product *p, int n_threads)
{
    (void)n_threads;
    for (size_t i = 0; i < p->rows; i += 2)
        for (size_t j = 0; j < p->columns; j += 2)
            p->c[i / 2 * p->c_stride + j / 2] =
                entry(p, i, j) + entry(p, i, j + 1) + entry(p, i + 1, j) + entry(p, i + 1, j + 1);
}

const ladder_loop ladder_loops[LADDER_N_LOOPS] = {
    {"ijk", "Li, Ranka, Sahni, Figure 1.5", 0, multiply_ijk},
    {"ikj", "Li, Ranka, Sahni, Figure 1.6", 0, multiply_ikj},
    {"ikj-openmp", "Li, Ranka, Sahni, Figure 1.8", 0, multiply_ikj_openmp},
    {"reduced-cpu", "Reduced Matrix Multiplication, Table 4.2, un-optimized code", 1,
     multiply_reduced},
};
