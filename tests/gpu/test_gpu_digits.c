/* Squares by digits: the kernel that makes digits and maps, and the product of digits of each kernel that has one, against
 * loops over the numbers themselves. Blocks of 128 x 128 numbers have high digits nowhere, in one entry or anywhere, so that
 * slices are skipped and are not. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/engine/product.h"
#include "src/residues/residues.h"
#include "tests/gpu/gpu_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

enum { MOST_LOW = 63 /* the greatest number whose high digit is zero */ };

typedef struct numbers {
    pci_gpu_layout layout;
    bool symmetric;
    int32_t *value; /* [n_padded][n_padded], 0 .. most; the padding is zero */
} numbers;

static int32_t random_number(random_source *random, int32_t most)
{
    uint64_t dice = random_below(random, 8);
    return dice ? (int32_t)random_below(random, (uint64_t)most + 1) : most;
}

/* Fills the block of rows i .. and columns j .. with low numbers, of which one or all may be larger. */
static void fill_block(numbers *of, random_source *random, uint32_t i, uint32_t j, int32_t most)
{
    uint32_t n = of->layout.n, n_rows = n - i < PCI_TILE ? n - i : PCI_TILE;
    uint32_t n_columns = n - j < PCI_TILE ? n - j : PCI_TILE;
    int32_t low = most < MOST_LOW ? most : MOST_LOW;
    uint64_t kind = random_below(random, 4);
    for (uint32_t r = 0; r < n_rows; r++)
        for (uint32_t c = 0; c < n_columns; c++)
            of->value[(i + r) * (size_t)of->layout.n_padded + j + c] =
                random_number(random, kind == 0 ? most : low);
    if (kind == 1)
        of->value[(i + random_below(random, n_rows)) * of->layout.n_padded + j +
                  random_below(random, n_columns)] = most;
}

/* Numbers whose square has entries of at most PCI_MAX_SUM. */
static numbers numbers_make(random_source *random, uint32_t n, bool symmetric)
{
    numbers of = {.layout = pci_gpu_layout_of(n), .symmetric = symmetric};
    size_t pitch = of.layout.n_padded;
    double most = fmin(PCI_MAX_DIRECT, floor(sqrt((double)PCI_MAX_SUM / n)));
    of.value = host_alloc(pitch * pitch * sizeof *of.value);
    memset(of.value, 0, pitch * pitch * sizeof *of.value);
    for (uint32_t i = 0; i < n; i += PCI_TILE)
        for (uint32_t j = 0; j < n; j += PCI_TILE)
            fill_block(&of, random, i, j, (int32_t)most);
    for (size_t i = 0; i < n && symmetric; i++)
        for (size_t j = 0; j < i; j++)
            of.value[i * pitch + j] = of.value[j * pitch + i];
    return of;
}

static void numbers_free(numbers *of)
{
    free(of->value);
}
#define release_numbers numbers_free

static int32_t number_at(const numbers *of, bool transposed, size_t i, size_t j)
{
    size_t pitch = of->layout.n_padded;
    return transposed ? of->value[j * pitch + i] : of->value[i * pitch + j];
}

/* Digits of their definition: digit 0 high, 1 low, 2 high + low. */
static int8_t digit_of(int32_t value, int digit)
{
    int32_t high = 0;
    while (value - 128 * high > MOST_LOW)
        high++;
    int32_t low = value - 128 * high;
    return (int8_t)(digit == 0 ? high : digit == 1 ? low : high + low);
}

static void put_digits(const numbers *of, bool transposed, int digit, int8_t *plane)
{
    size_t pitch = of->layout.n_padded;
    for (size_t i = 0; i < pitch; i++)
        for (size_t j = 0; j < pitch; j++)
            plane[i * pitch + j] = digit_of(number_at(of, transposed, i, j), digit);
}

static size_t map_words(const pci_gpu_layout *layout)
{
    return (size_t)layout->n_padded / PCI_TILE * pci_high_words(layout);
}

/* The map of high digits, entry by entry. */
static void put_map(const numbers *of, bool transposed, uint32_t *map)
{
    size_t pitch = of->layout.n_padded, n_words = pci_high_words(&of->layout);
    memset(map, 0, map_words(&of->layout) * sizeof *map);
    for (size_t i = 0; i < pitch; i++)
        for (size_t j = 0; j < pitch; j++)
            if (number_at(of, transposed, i, j) > MOST_LOW)
                map[i / PCI_TILE * n_words + j / PCI_TILE / 32] |= 1u << (j / PCI_TILE % 32);
}

/* ---- Making digits --------------------------------------------------------------------------- */

/* Any int8 that is congruent to value modulo m. */
static int8_t any_residue(random_source *random, int32_t value, int32_t m)
{
    int32_t residue = value % m, other = residue - m;
    bool both = residue <= 127 && other >= -128;
    return (int8_t)(residue > 127 || (both && random_below(random, 2)) ? other : residue);
}

static device_block residues_of(random_source *random, const numbers *of, int32_t m)
{
    size_t n_entries = of->layout.plane_bytes;
    OWNED(int8_t) *plane = host_alloc(n_entries);
    for (size_t e = 0; e < n_entries; e++)
        plane[e] = any_residue(random, of->value[e], m);
    device_block block = device_copy_of(plane, n_entries);
    return block;
}

static void check_map(const numbers *of, bool transposed, const device_block *block)
{
    OWNED(uint8_t) *map = host_alloc(block->bytes), *expected = host_alloc(block->bytes);
    put_map(of, transposed, (uint32_t *)(void *)expected);
    device_read(block, map);
    CU_ASSERT(memcmp(map, expected, block->bytes) == 0);
}

static void check_making(random_source *random, uint32_t n)
{
    OWNED(numbers) of = numbers_make(random, n, false);
    size_t plane_bytes = of.layout.plane_bytes, bytes = map_words(&of.layout) * sizeof(uint32_t);
    OWNED(device_block) mod_256 = residues_of(random, &of, 256);
    OWNED(device_block) mod_255 = residues_of(random, &of, 255);
    OWNED(device_block) planes = device_alloc(3 * plane_bytes);
    OWNED(device_block) left = device_alloc(bytes);
    OWNED(device_block) right = device_alloc(bytes);
    digit_pointers to = digits_at(&planes, plane_bytes, 0);
    must(pci_gpu_make_digits(&of.layout, (int8_t *)mod_256.at, (int8_t *)mod_255.at, to.digit,
                             (uint32_t *)(void *)left.at, (uint32_t *)(void *)right.at, NULL),
         "making digits");
    OWNED(int8_t) *made = host_alloc(planes.bytes), *expected = host_alloc(plane_bytes);
    device_read(&planes, made);
    for (int d = 0; d < 3; d++) {
        put_digits(&of, false, d, expected);
        CU_ASSERT(memcmp(made + d * plane_bytes, expected, plane_bytes) == 0);
    }
    check_map(&of, false, &left);
    check_map(&of, true, &right);
}

TEST("digits of residues, and maps of high digits")
{
    random_source random = {601};
    need_any_gpu();
    for (int s = 0; s < N_PLANE_SIZES; s++)
        check_making(&random, plane_sizes[s]);
    check_making(&random, 1 + (uint32_t)random_below(&random, 700));
    if (!is_small_run())
        check_making(&random, 4200); /* maps of two words a row */
}

/* ---- Products -------------------------------------------------------------------------------- */

typedef struct digit_case {
    pci_gpu_kernel kernel;
    uint32_t n, n_outputs;
    bool symmetric;
    uint32_t cluster_size, n_blocks; /* 0: as chosen for this device */
} digit_case;

enum { N_DIGITS = 3 };

/* The planes of both operands, a canary, the outputs and a canary. */
static uint32_t first_output(const numbers *of)
{
    return (of->symmetric ? N_DIGITS : 2 * N_DIGITS) + 1;
}

static device_block arena_of(const numbers *of, uint32_t n_outputs)
{
    size_t plane_bytes = of->layout.plane_bytes;
    OWNED(int8_t) *host = host_alloc(2 * N_DIGITS * plane_bytes);
    device_block arena = device_alloc((first_output(of) + n_outputs + 1) * plane_bytes);
    for (int d = 0; d < N_DIGITS; d++) {
        put_digits(of, false, d, host + d * plane_bytes);
        put_digits(of, true, d, host + (N_DIGITS + d) * plane_bytes);
    }
    must(cudaMemcpy(arena.at, host, (first_output(of) - 1) * plane_bytes, cudaMemcpyHostToDevice),
         "copying digits");
    return arena;
}

static device_block map_of(const numbers *of, bool transposed)
{
    size_t bytes = map_words(&of->layout) * sizeof(uint32_t);
    OWNED(uint8_t) *map = host_alloc(bytes);
    put_map(of, transposed, (uint32_t *)(void *)map);
    device_block block = device_copy_of(map, bytes);
    return block;
}

static pci_product product_of(const digit_case *c, const numbers *of, const device_block *arena)
{
    static const uint32_t plane[N_DIGITS] = {0, 2, 1}; /* high, sum, low */
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
    pci_product product = {.layout = of->layout, .arena = (int8_t *)arena->at};
    product.n_planes = (uint32_t)(arena->bytes / of->layout.plane_bytes);
    product.shape =
        pci_gpu_shape(c->kernel, n_sms, of->layout.n_padded / PCI_TILE, 1, of->symmetric);
    if (c->cluster_size)
        product.shape.cluster_size = c->cluster_size;
    if (c->n_blocks)
        product.shape.n_blocks = c->n_blocks;
    for (int d = 0; d < N_DIGITS; d++)
        product.job[d] =
            (pci_product_job){.left = plane[d], .right = plane[d] + (of->symmetric ? 0 : N_DIGITS)};
    product.job[0].n_outputs = c->n_outputs;
    for (uint32_t o = 0; o < c->n_outputs; o++)
        product.output[o] =
            (pci_product_output){product.arena + (first_output(of) + o) * of->layout.plane_bytes,
                                 reduction_of(modulus_number(o))};
    return product;
}

static void run_product(const digit_case *c, const numbers *of, const device_block *arena)
{
    pci_product product = product_of(c, of, arena);
    size_t capacity = pci_tiles_capacity(&product.shape);
    OWNED(uint8_t) *entries = host_alloc(capacity * sizeof(uint32_t));
    product.n_entries = (uint32_t)pci_tiles_list(&product.shape, (uint32_t *)(void *)entries);
    OWNED(device_block) tiles = device_copy_of(entries, product.n_entries * sizeof(uint32_t));
    OWNED(device_block) left = map_of(of, false);
    OWNED(device_block) right = map_of(of, true);
    product.tiles = (const uint32_t *)(void *)tiles.at;
    product.high.left = (const uint32_t *)(void *)left.at;
    product.high.right = (const uint32_t *)(void *)right.at;
    must(pci_product_launch(c->kernel, &product, NULL), "launching a product of digits");
    must(cudaDeviceSynchronize(), "running a product of digits");
}

/* The square by its definition. */
static int64_t *square_on_host(const numbers *of)
{
    size_t pitch = of->layout.n_padded, n = of->layout.n;
    int64_t *square = host_alloc(pitch * pitch * sizeof *square);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < pitch; i++) {
        int64_t *row = square + i * pitch;
        memset(row, 0, pitch * sizeof *row);
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < pitch; j++)
                row[j] += (int64_t)of->value[i * pitch + k] * of->value[k * pitch + j];
    }
    return square;
}

static uint64_t n_wrong_outputs(const digit_case *c, const numbers *of, const int8_t *outputs)
{
    OWNED(int64_t) *square = square_on_host(of);
    size_t n_entries = of->layout.plane_bytes;
    uint64_t n_wrong = 0;
    for (uint32_t o = 0; o < c->n_outputs; o++)
        for (size_t e = 0; e < n_entries; e++)
            n_wrong += !is_narrow_residue(outputs[o * n_entries + e], square[e], modulus_number(o));
    return n_wrong;
}

static bool is_poison(const int8_t *memory, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++)
        if (memory[b] != POISON)
            return false;
    return true;
}

/* Outputs are right; operands and canaries are as before. */
static void check_square(random_source *random, const digit_case *c)
{
    OWNED(numbers) of = numbers_make(random, c->n, c->symmetric);
    OWNED(device_block) arena = arena_of(&of, c->n_outputs);
    OWNED(int8_t) *before = host_alloc(arena.bytes), *after = host_alloc(arena.bytes);
    size_t plane_bytes = of.layout.plane_bytes, operand_bytes = first_output(&of) * plane_bytes;
    device_read(&arena, before);
    run_product(c, &of, &arena);
    device_read(&arena, after);
    CU_ASSERT(memcmp(before, after, operand_bytes) == 0);
    CU_ASSERT(is_poison(after + arena.bytes - plane_bytes, plane_bytes));
    uint64_t n_wrong = n_wrong_outputs(c, &of, after + operand_bytes);
    if (n_wrong)
        printf("[%s, n %u, %u outputs, %s, cluster %u, blocks %u: %lu wrong] ",
               pci_gpu_kernel_name(c->kernel), c->n, c->n_outputs,
               c->symmetric ? "symmetric" : "general", c->cluster_size, c->n_blocks,
               (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
}

static void need_kernel(pci_gpu_kernel kernel)
{
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
    if (!pci_gpu_kernel_runs(kernel, major, minor))
        test_skip("this GPU does not run the kernel");
}

static void check_sizes(pci_gpu_kernel kernel)
{
    static const uint32_t sizes[] = {1, 31, 127, 128, 129, 255, 256, 257, 300, 600};
    random_source random = {701 + (uint64_t)kernel};
    need_kernel(kernel);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes - (is_small_run() ? 1 : 0); i++)
        for (unsigned round = 0; round < (is_small_run() ? 1 : 4); round++)
            for (unsigned symmetric = 0; symmetric < 2; symmetric++)
                check_square(&random,
                             &(digit_case){kernel, sizes[i], 1 + (uint32_t)random_below(&random, 9),
                                           symmetric, 0, round});
}

TEST("plain products of digits")
{
    check_sizes(PCI_GPU_PLAIN);
}

TEST("wgmma products of digits")
{
    check_sizes(PCI_GPU_WGMMA);
}

TEST("wgmma products of digits in pairs of blocks")
{
    random_source random = {801};
    need_kernel(PCI_GPU_WGMMA);
    for (uint32_t n = 100; n < (is_small_run() ? 500 : 1300); n += 150)
        for (uint32_t n_blocks = 1; n_blocks <= 4; n_blocks += 3)
            check_square(&random, &(digit_case){PCI_GPU_WGMMA, n, 1 + n % 4, true, 2, n_blocks});
}

/* Maps of two words a row. */
TEST("wgmma products of digits, large")
{
    random_source random = {901};
    need_kernel(PCI_GPU_WGMMA);
    if (is_small_run())
        return;
    check_square(&random, &(digit_case){PCI_GPU_WGMMA, 2048, 2, false, 0, 0});
    check_square(&random, &(digit_case){PCI_GPU_WGMMA, 4200, 1, true, 0, 0});
    check_square(&random, &(digit_case){PCI_GPU_WGMMA, 4300, 1, true, 2, 0});
}

TEST("other kernels refuse digits")
{
    pci_product product = {.high = {(const uint32_t *)8, (const uint32_t *)8}};
    for (pci_gpu_kernel kernel = 0; kernel < PCI_N_GPU_KERNELS; kernel++)
        if (!pci_gpu_kernel_has_digits(kernel))
            CU_ASSERT(pci_product_launch(kernel, &product, NULL) == cudaErrorNotSupported);
}
#endif
