/* The kernels of the ladder, each with every block that it names, against the plain loops of
 * tests/bench/ladder.h. Integers so small that every sum is exact must come out the same. The padding of
 * operands is NaN, which would show in any sum; that of results must stay as it was. */
#ifdef PATHCOUNT_WITH_CUDA

#include "tests/support/fixture.h"
#include "gpu/ladder/ladder.h"
#include "tests/bench/ladder.h"
#include "tests/gpu/gpu_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Products -------------------------------------------------------------------------------- */

enum { PLAIN, REDUCED, N_KINDS };

typedef struct matrix {
    uint32_t rows, columns, stride;
    float *host; /* [rows][stride] */
} matrix;

typedef struct product {
    matrix a, b, c[N_KINDS]; /* c: what must come out */
    device_block device_a, device_b;
} product;

static size_t matrix_bytes(const matrix *m)
{
    return (size_t)m->rows * m->stride * sizeof *m->host;
}

static matrix matrix_make(random_source *random, uint32_t rows, uint32_t columns)
{
    uint32_t stride = (columns + 3) / 4 * 4 + 4 * (uint32_t)random_below(random, 3);
    matrix m = {rows, columns, stride, NULL};
    m.host = host_alloc(matrix_bytes(&m));
    return m;
}

/* Entries -8 to 8, NaN in the padding. */
static matrix matrix_random(random_source *random, uint32_t rows, uint32_t columns)
{
    matrix m = matrix_make(random, rows, columns);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < m.stride; j++)
            m.host[(size_t)i * m.stride + j] =
                j < columns ? (float)random_below(random, 17) - 8 : NAN;
    return m;
}

static matrix matrix_poisoned(random_source *random, uint32_t rows, uint32_t columns)
{
    matrix m = matrix_make(random, rows, columns);
    memset(m.host, POISON, matrix_bytes(&m));
    return m;
}

static void multiply_on_host(product *p, bool reduced)
{
    const ladder_loop *rung = NULL;
    for (size_t i = 0; rung == NULL && i < LADDER_N_LOOPS; i++)
        if (!ladder_loops[i].reduced == !reduced)
            rung = &ladder_loops[i];
    CU_ASSERT_FATAL(rung != NULL);
    matrix *c = &p->c[reduced ? REDUCED : PLAIN];
    float_product on_host = {.rows = p->a.rows,
                             .inner = p->a.columns,
                             .columns = p->b.columns,
                             .a = p->a.host,
                             .b = p->b.host,
                             .c = c->host,
                             .a_stride = p->a.stride,
                             .b_stride = p->b.stride,
                             .c_stride = c->stride};
    rung->multiply(&on_host, 1);
}

static product product_random(random_source *random, uint32_t rows, uint32_t inner,
                              uint32_t columns)
{
    product p = {.a = matrix_random(random, rows, inner),
                 .b = matrix_random(random, inner, columns)};
    p.c[PLAIN] = matrix_poisoned(random, rows, columns);
    p.c[REDUCED] = matrix_poisoned(random, (rows + 1) / 2, (columns + 1) / 2);
    p.device_a = device_copy_of(p.a.host, matrix_bytes(&p.a));
    p.device_b = device_copy_of(p.b.host, matrix_bytes(&p.b));
    multiply_on_host(&p, false);
    multiply_on_host(&p, true);
    return p;
}

/* Kernels must not have changed the operand. */
static void operand_free(matrix *m, device_block *device)
{
    float *after = host_alloc(matrix_bytes(m));
    device_read(device, after);
    CU_ASSERT(memcmp(after, m->host, matrix_bytes(m)) == 0);
    free(after);
    device_free(device);
    free(m->host);
}

static void product_free(product *p)
{
    operand_free(&p->a, &p->device_a);
    operand_free(&p->b, &p->device_b);
    for (int kind = 0; kind < N_KINDS; kind++)
        free(p->c[kind].host);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static uint32_t n_blocks_of(const pci_ladder_kernel *kernel)
{
    uint32_t n = 0;
    while (n < PCI_LADDER_BLOCKS && kernel->blocks[n].x != 0)
        n++;
    return n;
}

static pci_ladder_matrix on_device(const matrix *m, const device_block *device)
{
    return (pci_ladder_matrix){(float *)device->at, m->rows, m->columns, m->stride};
}

/* Entries by value, since 0 may be -0; the padding by its bits. */
static size_t n_wrong_entries(const matrix *expected, const float *got)
{
    size_t n_wrong = 0;
    if (memcmp(expected->host, got, matrix_bytes(expected)) == 0)
        return 0;
    for (uint32_t i = 0; i < expected->rows; i++)
        for (uint32_t j = 0; j < expected->stride; j++) {
            const float *want = expected->host + (size_t)i * expected->stride + j;
            const float *have = got + (want - expected->host);
            n_wrong +=
                j < expected->columns ? *want != *have : memcmp(want, have, sizeof *want) != 0;
        }
    return n_wrong;
}

static void print_launch(const product *p, const pci_ladder_kernel *kernel, pci_ladder_block block)
{
    printf("\n    %s, block (%u, %u), %u x %u x %u: ", kernel->name, block.x, block.y, p->a.rows,
           p->a.columns, p->b.columns);
}

/* Entries that the kernel gets wrong; the case is over when it cannot run. */
static size_t n_wrong_of(const product *p, const pci_ladder_kernel *kernel, pci_ladder_block block)
{
    const matrix *expected = &p->c[kernel->reduced ? REDUCED : PLAIN];
    OWNED(device_block) result = device_alloc(matrix_bytes(expected));
    pci_ladder_product of_device = {on_device(&p->a, &p->device_a), on_device(&p->b, &p->device_b),
                                    on_device(expected, &result)};
    cudaError_t error = pci_ladder_launch(kernel, &of_device, block, 0);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        print_launch(p, kernel, block);
    must(error, "launching or running");

    OWNED(float) *got = host_alloc(matrix_bytes(expected));
    device_read(&result, got);
    size_t n_wrong = n_wrong_entries(expected, got);
    return n_wrong;
}

/* Every kernel with every block. */
static void check_product(const product *p)
{
    for (size_t i = 0; i < pci_ladder_n_kernels; i++)
        for (uint32_t b = 0; b < n_blocks_of(pci_ladder[i]); b++) {
            pci_ladder_block block = pci_ladder[i]->blocks[b];
            size_t n_wrong = n_wrong_of(p, pci_ladder[i], block);
            if (n_wrong > 0) {
                print_launch(p, pci_ladder[i], block);
                printf("%zu entries are wrong ", n_wrong);
            }
            CU_ASSERT(n_wrong == 0);
        }
}

static void check_shape(random_source *random, uint32_t rows, uint32_t inner, uint32_t columns)
{
    product p = product_random(random, rows, inner, columns);
    check_product(&p);
    product_free(&p);
}

/* ---- Any sizes ------------------------------------------------------------------------------- */

TEST("the table of kernels")
{
    /* Li, Ranka, Sahni; Hochberg; Hong; Kindratenko; reduced */
    CU_ASSERT(pci_ladder_n_kernels == 8 + 2 + 3 + 6 + 5);
    for (size_t i = 0; i < pci_ladder_n_kernels; i++) {
        const pci_ladder_kernel *kernel = pci_ladder[i];
        for (size_t other = 0; other < i; other++)
            CU_ASSERT(strcmp(pci_ladder[other]->name, kernel->name) != 0);
        CU_ASSERT(strlen(kernel->source) > 0 && strlen(kernel->computes) > 0);
        CU_ASSERT(kernel->function != NULL && kernel->rows > 0 && kernel->columns > 0);
        CU_ASSERT(n_blocks_of(kernel) > 0);
        for (uint32_t b = 0; b < n_blocks_of(kernel); b++) {
            pci_ladder_block block = kernel->blocks[b];
            CU_ASSERT(block.y > 0 && block.x * block.y <= 1024);
            for (uint32_t other = 0; other < b; other++)
                CU_ASSERT(kernel->blocks[other].x != block.x || kernel->blocks[other].y != block.y);
        }
    }
}

TEST("every kernel and block, around the edges of tiles")
{
    static const uint32_t sides[] = {1,  2,  3,  4,  5,   15,  16,  17,  31,  32,
                                     33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
    static const uint32_t shapes[][3] = {{1, 300, 1},   {1, 1, 300},    {300, 1, 1},  {300, 1, 300},
                                         {1, 300, 7},   {300, 33, 2},   {2, 65, 300}, {16, 64, 128},
                                         {17, 63, 129}, {31, 127, 130}, {256, 3, 5},  {5, 3, 256}};
    need_any_gpu();
    random_source random = {20120};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (!is_small_run() || sides[i] <= 33)
            check_shape(&random, sides[i], sides[i], sides[i]);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape(&random, shapes[i][0], shapes[i][1], shapes[i][2]);
}

TEST("every kernel and block, random shapes")
{
    need_any_gpu();
    random_source random = {417};
    uint32_t limit = is_small_run() ? 70 : 300;
    for (int i = 0; i < (is_small_run() ? 5 : 40); i++) {
        uint32_t rows = 1 + (uint32_t)random_below(&random, limit);
        uint32_t inner = 1 + (uint32_t)random_below(&random, limit);
        check_shape(&random, rows, inner, 1 + (uint32_t)random_below(&random, limit));
    }
}

/* A grid is at most 65535 blocks high, and blocks of some kernels are one row high. */
TEST("every kernel and block, more rows than a grid has")
{
    need_any_gpu();
    if (is_small_run())
        test_skip("PATHCOUNT_TEST_SMALL");
    random_source random = {65535};
    check_shape(&random, 65535 * 2 + 7, 3, 5);
    check_shape(&random, 5, 3, 65535 * 2 + 7);
}

#endif
