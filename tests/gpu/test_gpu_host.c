/* What the CUDA engine decides and prepares on the host, in plain C: the choice of kernels, memory, constants and tables.
 * Needs no GPU. */
#define _GNU_SOURCE /* secure_getenv */
#include "tests/support/fixture.h"

#include "gpu/engine/choose.h"
#ifdef PATHCOUNT_WITH_CUDA
#include "gpu/engine/part.h"
#endif
#include "gpu/engine/reduction.h"
#include "gpu/engine/tables.h"
#include "src/core/variables.h"
#include "src/engine/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Choices --------------------------------------------------------------------------------- */

TEST("the best kernel for each compute capability")
{
    static const struct {
        int major, minor;
        pci_gpu_kernel best;
    } expected[] = {
        {5, 2, PCI_GPU_PLAIN}, {6, 0, PCI_GPU_PLAIN}, {6, 1, PCI_GPU_DP4A}, {7, 0, PCI_GPU_DP4A},
        {7, 5, PCI_GPU_DP4A},  {8, 0, PCI_GPU_MMA},   {8, 6, PCI_GPU_MMA},  {8, 9, PCI_GPU_MMA},
        {9, 0, PCI_GPU_WGMMA}, {10, 0, PCI_GPU_MMA},  {10, 3, PCI_GPU_F16}, {11, 0, PCI_GPU_MMA},
        {12, 0, PCI_GPU_MMA},  {12, 1, PCI_GPU_MMA},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        int major = expected[i].major, minor = expected[i].minor;
        CU_ASSERT(pci_gpu_kernel_best(major, minor) == expected[i].best);
        for (int k = 0; k < PCI_N_GPU_KERNELS; k++)
            CU_ASSERT(pci_gpu_kernel_runs(k, major, minor) ==
                      (k <= (int)expected[i].best || (k == PCI_GPU_MMA && major == 10)));
        CU_ASSERT_EQUAL(pci_gpu_kernel_is_known(major, minor), major != 11);
    }
    CU_ASSERT_FALSE(pci_gpu_kernel_is_known(10, 1));
}

TEST("names of kernels are found again")
{
    pci_gpu_kernel found;
    OWNED(pc_context) *context = new_context(1);
    for (int k = 0; k < PCI_N_GPU_KERNELS; k++) {
        set_variable("PATHCOUNT_CUDA_KERNEL", pci_gpu_kernel_name(k));
        CU_ASSERT(pci_variables_check(context) == PC_OK);
        CU_ASSERT_FATAL(pci_gpu_kernel_find(pci_gpu_kernel_name(k), &found));
        CU_ASSERT((int)found == k);
        CU_ASSERT(pci_gpu_kernel_rate(k, 132) > 0);
        CU_ASSERT(k == 0 || pci_gpu_kernel_rate(k, 60) > pci_gpu_kernel_rate(k - 1, 60));
    }
    set_variable("PATHCOUNT_CUDA_KERNEL", "WGMMA");
    CU_ASSERT(
        is_refused(context, pci_variables_check(context), PC_ERR_ARGUMENT, "must be plain, "));
    CU_ASSERT(!pci_gpu_kernel_find("", &found) && !pci_gpu_kernel_find("WGMMA", &found) &&
              !pci_gpu_kernel_find("mma ", &found));
}

/* Planes of a launch fall with their size, and the last of them still fills the rounds. */
TEST("batches fill their rounds")
{
    for (unsigned symmetric = 0; symmetric < 2; symmetric++) {
        uint32_t before = PCI_MAX_JOBS;
        for (uint32_t n_tiles = 1; n_tiles <= 1024; n_tiles++) {
            uint32_t batch = pci_gpu_batch(132, n_tiles, symmetric);
            pci_tile_shape shape = {.n_tiles = n_tiles,
                                    .n_row_tiles = n_tiles,
                                    .n_jobs = 1,
                                    .symmetric = symmetric,
                                    .cluster_size = 1,
                                    .n_blocks = 1};
            CU_ASSERT(batch >= 1 && batch <= before);
            CU_ASSERT(batch == PCI_MAX_JOBS || n_tiles % 2 == 1 ||
                      batch * pci_tiles_capacity(&shape) >= 32 * 132);
            before = batch;
        }
        CU_ASSERT(before == 1);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* A device collects as many rows as fit its blocks, of blocks of vertices too. */
TEST("rows that a device collects at a time")
{
    static const uint64_t sizes[] = {1, 2, 1000, 16384, 131071};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t n_limbs = 1; n_limbs <= 100; n_limbs += 33) {
            uint64_t n = sizes[s], row = n * n_limbs * 8, room = pci_device_block_bytes(n * row);
            pc_plan_info plain = {.n_vertices = n, .n_limbs = n_limbs};
            pc_plan_info blocks = {.n_vertices = 131071, .n_blocks = n, .n_limbs = n_limbs};
            uint64_t n_rows = pci_plan_device_rows(&plain);
            CU_ASSERT(pci_plan_n_rows(&plain) == n && pci_plan_n_rows(&blocks) == n);
            CU_ASSERT(n_rows >= 1 && n_rows <= n && (n_rows == 1 || n_rows * row <= room));
            CU_ASSERT(n_rows == n || (n_rows + 1) * row > room);
            CU_ASSERT(pci_plan_device_rows(&blocks) == n_rows);
        }
}

#ifdef PATHCOUNT_WITH_CUDA
/* The list of any strip, or of the whole, has room. */
static void check_room(const pci_gpu_device *device, const pci_gpu_needs *needs, uint32_t n_tiles,
                       uint32_t n_strip, const pci_gpu_workload *work)
{
    for (uint32_t n_jobs = 1; n_jobs <= needs->n_batch; n_jobs++) {
        pci_tile_shape shape =
            pci_gpu_shape(device->kernel, device->n_sms, n_tiles, n_jobs, work->symmetric);
        CU_ASSERT(pci_tiles_capacity(&shape) * sizeof(uint32_t) <= needs->tiles_bytes);
    }
    for (uint32_t first = 0; first < n_tiles && work->n_most > work->n_narrow; first += n_strip) {
        pci_tile_shape shape = pci_gpu_shape(device->kernel, device->n_sms, n_tiles, 3, false);
        shape.first_row_tile = first;
        shape.n_row_tiles = n_tiles - first < n_strip ? n_tiles - first : n_strip;
        CU_ASSERT(pci_tiles_capacity(&shape) * sizeof(uint32_t) <= needs->tiles_bytes);
    }
}

static void check_needs(const pci_gpu_device *device, pci_gpu_workload work)
{
    pci_gpu_workload whole = work;
    whole.n_blocks = 0;
    pci_gpu_needs needs = pci_gpu_needs_of(device, &work, 0);
    pci_gpu_needs without = pci_gpu_needs_of(device, &whole, 0);
    uint32_t n_work = needs.n_batch < 3 && work.n_most > work.n_narrow ? 3 : needs.n_batch;
    uint32_t n_strip = pci_gpu_strip_tiles(&work.layout);
    uint32_t n_wide = work.n_most > work.n_narrow ? work.n_most - work.n_narrow : 0;
    CU_ASSERT(needs.n_planes == work.n_most + 2 * n_wide);
    CU_ASSERT(without.n_slots == needs.n_planes + n_work * (work.symmetric ? 1 : 2));
    CU_ASSERT(without.blocks_bytes == 0);
    /* Both operands and the result, P's own plane still there when it is plain. */
    CU_ASSERT(needs.n_slots == 1 + (needs.n_planes - n_work) + 3 * n_work);
    CU_ASSERT(needs.blocks_bytes ==
              8 * (work.n_blocks + UINT64_C(1)) +
                  4 * (work.layout.n + work.layout.n_padded / PCI_TILE + UINT64_C(1)));
    CU_ASSERT(pci_gpu_needs_bytes(&needs) >=
              needs.n_slots * work.layout.plane_bytes + needs.tiles_bytes + needs.blocks_bytes);
    check_room(device, &needs, work.layout.n_padded / PCI_TILE, n_strip, &work);
    check_room(device, &needs, pci_gpu_layout_of(work.n_blocks).n_padded / PCI_TILE, n_strip,
               &work);
}

TEST("needs count what a reduced product takes")
{
    static const uint32_t sizes[] = {1, 128, 129, 1000, 8064, 8193, 20000};
    static const uint32_t moduli[] = {1, 9, PCI_N_NARROW, PCI_N_NARROW + 2};
    for (int k = 0; k < PCI_N_GPU_KERNELS; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t m = 0; m < sizeof moduli / sizeof *moduli; m++)
                for (uint32_t part = 1; part <= 3; part++)
                    for (int symmetric = 0; symmetric < 2; symmetric++) {
                        pci_gpu_device device = {.n_sms = 132, .kernel = (pci_gpu_kernel)k};
                        check_needs(&device,
                                    (pci_gpu_workload){.layout = pci_gpu_layout_of(sizes[s]),
                                                       .symmetric = symmetric,
                                                       .n_most = moduli[m],
                                                       .n_narrow = PCI_N_NARROW / part,
                                                       .n_blocks = (sizes[s] + part - 1) / part});
                    }
}
#endif

/* ---- Reduction ------------------------------------------------------------------------------- */

/* pci_reduce of gpu/engine/reduction.cuh, operation by operation. */
static uint32_t reduce_as_device(int32_t x, const pci_reduction *reduction)
{
    uint32_t bytes = (uint32_t)x + reduction->bias, sum = reduction->start;
    for (unsigned k = 0; k < 32; k += 8)
        sum += (bytes >> k & 255) * (uint32_t)(int32_t)(int8_t)(reduction->weights >> k);
    float value, quotient;
    memcpy(&value, &sum, sizeof value);
    quotient = fmaf(value, reduction->inverse, 12582912.0f);
    uint32_t bits;
    memcpy(&bits, &quotient, sizeof bits);
    return bits * (uint32_t)reduction->minus_m + sum;
}

/* Accumulators of n <= 131071 products of residues: each from -128 * 127 to 128 * 128. */
static const int64_t LEAST_SUM = INT64_C(-128) * 127 * PCI_MAX_DENSE_VERTICES;
static const int64_t GREATEST_SUM = INT64_C(128) * 128 * PCI_MAX_DENSE_VERTICES;

static unsigned is_reduced_wrongly(int64_t x, int32_t m, const pci_reduction *reduction)
{
    if (x < LEAST_SUM || x > GREATEST_SUM)
        return 0;
    int residue = (int8_t)reduce_as_device((int32_t)x, reduction);
    return (x - residue) % m != 0 || 2 * abs(residue) > m;
}

TEST("reduction is exact, as the device does it")
{
    random_source random = {11};
    for (int32_t m = 3; m <= 256; m++) {
        pci_reduction reduction;
        CU_ASSERT_FATAL(pci_reduction_make((uint32_t)m, &reduction));
        uint64_t n_wrong = (reduce_as_device(0, &reduction) & 255) != 0;
        for (int64_t d = 0; d < 10000; d++) {
            n_wrong += is_reduced_wrongly(LEAST_SUM + d, m, &reduction);
            n_wrong += is_reduced_wrongly(GREATEST_SUM - d, m, &reduction);
            n_wrong += is_reduced_wrongly((int32_t)random_u64(&random), m, &reduction);
        }
        CU_ASSERT(n_wrong == 0);
    }
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The first r moduli's product M and W_i, by the definition. */
typedef struct base {
    uint32_t r;
    pci_moduli moduli;
    mpz_t product;
    mpz_t *weight; /* [r] */
} base;

static base base_make(uint32_t r)
{
    base b = {.r = r, .weight = malloc(r * sizeof *b.weight)};
    CU_ASSERT_FATAL(b.weight != NULL);
    pci_moduli_fill(&b.moduli, PCI_ANY_BITS);
    mpz_init_set_ui(b.product, 1);
    for (uint32_t i = 0; i < r; i++)
        mpz_mul_ui(b.product, b.product, b.moduli.m[i]);
    OWNED(mpz_t) m;
    mpz_init(m);
    for (uint32_t i = 0; i < r; i++) {
        OWNED(mpz_t) cofactor;
        mpz_init(cofactor);
        mpz_init(b.weight[i]);
        mpz_set_ui(m, b.moduli.m[i]);
        mpz_divexact(cofactor, b.product, m);
        mpz_invert(b.weight[i], cofactor, m);
        mpz_mul(b.weight[i], b.weight[i], cofactor);
    }
    return b;
}

static void base_free(base *b)
{
    for (uint32_t i = 0; i < b->r; i++)
        mpz_clear(b->weight[i]);
    free(b->weight);
    mpz_clear(b->product);
}

static uint64_t n_wrong_fractions(const base *b, const uint32_t *fraction)
{
    uint64_t n_wrong = 0;
    OWNED(mpz_t) expected;
    mpz_init(expected);
    for (uint32_t i = 0; i < b->r; i++) {
        mpz_mul_2exp(expected, b->weight[i], 32);
        mpz_fdiv_q(expected, expected, b->product);
        n_wrong += mpz_cmp_ui(expected, fraction[i]) != 0;
    }
    return n_wrong;
}

static uint64_t n_wrong_digits(const mpz_t value, const uint32_t *digits, uint32_t n_digits)
{
    uint64_t n_wrong = 0;
    OWNED(mpz_t) rest;
    mpz_init_set(rest, value);
    for (uint32_t c = 0; c < n_digits; c++) {
        n_wrong += (uint32_t)mpz_get_ui(rest) != digits[c];
        mpz_fdiv_q_2exp(rest, rest, 32);
    }
    return n_wrong;
}

static const uint32_t base_sizes[] = {1, 2, 3, 8, 9, 10, 25, 48, 49, 50, 51, 130, PCI_N_NOT_FULL};
enum { N_BASE_SIZES = sizeof base_sizes / sizeof *base_sizes };

TEST("tables of digits")
{
    OWNED(pc_context) *context = new_context(1);
    for (unsigned i = 0; i < N_BASE_SIZES; i++) {
        base b = base_make(base_sizes[i]);
        for (uint32_t n_digits = 2; n_digits <= 14; n_digits += 2) {
            pci_gpu_tables t;
            CU_ASSERT_FATAL(pci_gpu_tables_digits(context, &b.moduli, b.r, n_digits, &t) == PC_OK);
            const uint32_t *weight = pci_gpu_tables_weight(&t, t.block);
            uint64_t n_wrong = n_wrong_fractions(&b, pci_gpu_tables_fraction(t.block));
            n_wrong += n_wrong_digits(b.product, pci_gpu_tables_modulus(&t, t.block), n_digits);
            for (uint32_t row = 0; row < b.r; row++)
                n_wrong += n_wrong_digits(b.weight[row], weight + row * n_digits, n_digits);
            CU_ASSERT(n_wrong == 0);
            pci_gpu_tables_free(context, &t);
        }
        base_free(&b);
    }
}

TEST("tables modulo a number")
{
    static const uint64_t numbers[] = {
        1, 2, 97, 1000000007, (UINT64_C(1) << 62) + 1, (UINT64_C(1) << 63) - 1};
    OWNED(pc_context) *context = new_context(1);
    for (unsigned i = 0; i < N_BASE_SIZES; i++) {
        base b = base_make(base_sizes[i]);
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            pci_gpu_tables t;
            CU_ASSERT_FATAL(pci_gpu_tables_modular(context, &b.moduli, b.r, numbers[k], &t) ==
                            PC_OK);
            const uint64_t *weight = pci_gpu_tables_weight(&t, t.block);
            const uint64_t *modulus = pci_gpu_tables_modulus(&t, t.block);
            uint64_t n_wrong = n_wrong_fractions(&b, pci_gpu_tables_fraction(t.block));
            n_wrong += *modulus != mpz_fdiv_ui(b.product, numbers[k]);
            for (uint32_t row = 0; row < b.r; row++)
                n_wrong += weight[row] != mpz_fdiv_ui(b.weight[row], numbers[k]);
            CU_ASSERT(n_wrong == 0);
            pci_gpu_tables_free(context, &t);
        }
        base_free(&b);
    }
}

/* Congruent to value, and of a narrow modulus an int8 in the centre. */
static bool is_weight(int32_t weight, const mpz_t value, uint32_t index, uint32_t m)
{
    int32_t expected = (int32_t)mpz_fdiv_ui(value, m);
    bool in_range = pci_modulus_is_wide(index) ? weight >= 0 && weight < (int32_t)m
                                               : 2 * abs(weight) <= (int32_t)m && weight < 128;
    return in_range && (weight - expected) % (int32_t)m == 0;
}

TEST("tables of base extension")
{
    static const uint32_t extensions[][2] = {{1, 1},  {1, 48}, {4, 5},   {9, 9},    {9, 40},
                                             {9, 60}, {49, 3}, {48, 20}, {60, 100}, {130, 791}};
    OWNED(pc_context) *context = new_context(1);
    for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        base b = base_make(extensions[i][0]);
        uint32_t n_new = extensions[i][1];
        pci_gpu_tables t;
        CU_ASSERT_FATAL(pci_gpu_tables_extension(context, &b.moduli, b.r, n_new, &t) == PC_OK);
        const int32_t *weight = pci_gpu_tables_weight(&t, t.block);
        const int32_t *modulus = pci_gpu_tables_modulus(&t, t.block);
        uint64_t n_wrong = n_wrong_fractions(&b, pci_gpu_tables_fraction(t.block));
        for (uint32_t j = 0; j < n_new; j++) {
            uint32_t m = b.moduli.m[b.r + j];
            n_wrong += !is_weight(modulus[j], b.product, b.r + j, m);
            for (uint32_t row = 0; row < b.r; row++)
                n_wrong += !is_weight(weight[j * b.r + row], b.weight[row], b.r + j, m);
        }
        CU_ASSERT(n_wrong == 0);
        pci_gpu_tables_free(context, &t);
        base_free(&b);
    }
}
