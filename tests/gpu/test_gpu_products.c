/* The kernels that multiply, each alone: against plain loops, or where those take too long against
 * the plain kernel. Operands, and what lies around the outputs, must be as before. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/engine/device.h"
#include "src/residues/residues.h"
#include "tests/gpu/gpu_device.h"
#include "tests/gpu/gpu_reduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Operands and the oracle ----------------------------------------------------------------- */

typedef struct product_case {
    pci_gpu_kernel kernel;
    uint32_t n, n_jobs, n_outputs; /* of each job; 0: raw accumulators */
    bool symmetric;
    uint32_t cluster_size, n_blocks;      /* 0: as chosen for this device */
    uint32_t first_row_tile, n_row_tiles; /* of raw ones; 0: the whole */
} product_case;

typedef struct operands {
    pci_gpu_layout layout;
    uint32_t n_jobs, n_planes; /* of operands: a job's right one is its left one or follows all */
    bool symmetric;
    int8_t *planes;       /* [n_planes] on the host */
    int32_t *accumulator; /* [n_jobs] planes: what products must be; padding too */
} operands;

/* Full-range entries, zero padding; one plane in five of -128 alone. */
static void fill_plane(random_source *random, const pci_gpu_layout *layout, bool symmetric,
                       int8_t *plane)
{
    bool extreme = random_below(random, 5) == 0;
    memset(plane, 0, layout->plane_bytes);
    for (size_t i = 0; i < layout->n; i++)
        for (size_t j = symmetric ? i : 0; j < layout->n; j++) {
            int8_t value = (int8_t)(extreme ? -128 : random_byte(random));
            plane[i * layout->n_padded + j] = value;
            if (symmetric)
                plane[j * layout->n_padded + i] = value;
        }
}

static operands operands_make(random_source *random, uint32_t n, uint32_t n_jobs, bool symmetric)
{
    operands o = {.layout = pci_gpu_layout_of(n),
                  .n_jobs = n_jobs,
                  .n_planes = symmetric ? n_jobs : 2 * n_jobs,
                  .symmetric = symmetric};
    o.planes = host_alloc(o.n_planes * o.layout.plane_bytes);
    o.accumulator = host_alloc(n_jobs * o.layout.plane_bytes * sizeof(int32_t));
    for (uint32_t p = 0; p < o.n_planes; p++)
        fill_plane(random, &o.layout, symmetric, o.planes + p * o.layout.plane_bytes);
    return o;
}

static void operands_free(operands *o)
{
    free(o->planes);
    free(o->accumulator);
}
#define release_operands operands_free

static uint32_t right_of(const operands *o, uint32_t job)
{
    return o->symmetric ? job : o->n_jobs + job;
}

/* The oracle: every accumulator by its definition. */
static void multiply_on_host(operands *o)
{
    size_t pitch = o->layout.n_padded;
    for (uint32_t job = 0; job < o->n_jobs; job++) {
        const int8_t *left = o->planes + job * o->layout.plane_bytes;
        const int8_t *right = o->planes + right_of(o, job) * o->layout.plane_bytes;
        int32_t *accumulator = o->accumulator + job * o->layout.plane_bytes;
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < pitch; i++)
            for (size_t c = 0; c < pitch; c++) {
                int32_t sum = 0;
                for (size_t k = 0; k < pitch; k++)
                    sum += left[i * pitch + k] * right[c * pitch + k];
                accumulator[i * pitch + c] = sum;
            }
    }
}

/* ---- Launching ------------------------------------------------------------------------------- */

/* The arena of a case: operands, then a canary, then the outputs, then a canary. */
static uint32_t first_output_plane(const operands *o)
{
    return o->n_planes + 1;
}

static uint32_t n_arena_planes(const operands *o, const product_case *c)
{
    return first_output_plane(o) + c->n_jobs * c->n_outputs + 1;
}

static uint32_t output_modulus(uint32_t output)
{
    return modulus_number(output % PCI_N_NARROW);
}

static pci_product product_make(const product_case *c, const operands *o)
{
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
    pci_product product = {.layout = o->layout, .n_planes = n_arena_planes(o, c)};
    product.shape =
        pci_gpu_shape(c->kernel, n_sms, o->layout.n_padded / PCI_TILE, c->n_jobs, o->symmetric);
    if (c->cluster_size)
        product.shape.cluster_size = c->cluster_size;
    if (c->n_blocks)
        product.shape.n_blocks = c->n_blocks;
    if (c->n_row_tiles) {
        product.shape.first_row_tile = c->first_row_tile;
        product.shape.n_row_tiles = c->n_row_tiles;
    }
    for (uint32_t job = 0; job < c->n_jobs; job++)
        product.job[job] =
            (pci_product_job){job, right_of(o, job), job * c->n_outputs, c->n_outputs};
    return product;
}

/* The arena is there. */
static void place_outputs(const product_case *c, const operands *o, int8_t *arena,
                          pci_product *product)
{
    product->arena = arena;
    for (uint32_t k = 0; k < c->n_jobs * c->n_outputs; k++)
        product->output[k] =
            (pci_product_output){arena + (first_output_plane(o) + k) * o->layout.plane_bytes,
                                 reduction_of(output_modulus(k))};
}

/* Launches one share with its tile list and waits; the arena and raw are ready. */
static void run_share(pci_gpu_kernel kernel, pci_product *product)
{
    size_t capacity = pci_tiles_capacity(&product->shape);
    OWNED(uint32_t) *entries = host_alloc(capacity * sizeof *entries);
    product->n_entries = (uint32_t)pci_tiles_list(&product->shape, entries);
    OWNED(device_block) tiles = device_copy_of(entries, product->n_entries * sizeof *entries);
    product->tiles = (const uint32_t *)tiles.at;
    must(pci_product_launch(kernel, product, NULL), "launching a product");
    must(cudaDeviceSynchronize(), "running a product");
}

/* Launches all shares: one to three, by the size of the planes. */
static void run_product(pci_gpu_kernel kernel, pci_product *product)
{
    product->shape.n_shares = 1 + product->layout.n % 3;
    for (uint32_t share = 0; share < product->shape.n_shares; share++) {
        product->shape.share = share;
        run_share(kernel, product);
    }
}

static device_block arena_make(const operands *o, uint32_t n_planes)
{
    device_block arena = device_alloc(n_planes * o->layout.plane_bytes);
    must(cudaMemcpy(arena.at, o->planes, o->n_planes * o->layout.plane_bytes,
                    cudaMemcpyHostToDevice),
         "copying operands");
    return arena;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static uint64_t n_wrong_in_output(const int32_t *accumulator, const int8_t *plane, size_t n_entries,
                                  uint32_t m)
{
    uint64_t n_wrong = 0;
    int32_t number = (int32_t)m;
#pragma omp parallel for schedule(static) reduction(+ : n_wrong)
    for (size_t i = 0; i < n_entries; i++)
        n_wrong += (accumulator[i] - plane[i]) % number != 0 || 2 * abs(plane[i]) > number;
    return n_wrong;
}

static uint64_t n_not_poison(const void *memory, size_t bytes)
{
    uint64_t n_wrong = 0;
    for (size_t i = 0; i < bytes; i++)
        n_wrong += ((const uint8_t *)memory)[i] != POISON;
    return n_wrong;
}

static void report_case(const product_case *c, uint64_t n_wrong)
{
    if (n_wrong)
        printf("[n %u, %u jobs, %u outputs, %s, cluster %u, blocks %u, rows %u+%u: %lu wrong] ",
               c->n, c->n_jobs, c->n_outputs, c->symmetric ? "symmetric" : "general",
               c->cluster_size, c->n_blocks, c->first_row_tile, c->n_row_tiles,
               (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
}

/* All the arena after a product: operands and canaries as before, outputs right. */
static void check_planes(const product_case *c, const operands *o)
{
    size_t plane_bytes = o->layout.plane_bytes;
    pci_product product = product_make(c, o);
    OWNED(device_block) arena = arena_make(o, product.n_planes);
    place_outputs(c, o, (int8_t *)arena.at, &product);
    run_product(c->kernel, &product);

    OWNED(int8_t) *after = host_alloc(arena.bytes);
    device_read(&arena, after);
    uint64_t n_wrong = memcmp(after, o->planes, o->n_planes * plane_bytes) != 0;
    n_wrong += n_not_poison(after + o->n_planes * plane_bytes, plane_bytes);
    n_wrong += n_not_poison(after + (product.n_planes - 1) * plane_bytes, plane_bytes);
    for (uint32_t k = 0; k < c->n_jobs * c->n_outputs; k++)
        n_wrong += n_wrong_in_output(o->accumulator + k / c->n_outputs * plane_bytes,
                                     after + (first_output_plane(o) + k) * plane_bytes, plane_bytes,
                                     output_modulus(k));
    report_case(c, n_wrong);
}

/* Accumulators themselves, of all rows or of a strip, into raw on the host. */
static void run_raw(const product_case *c, const operands *o, int32_t *raw)
{
    pci_product product = product_make(c, o);
    OWNED(device_block) arena = arena_make(o, product.n_planes);
    OWNED(device_block) sums = device_alloc((size_t)c->n_jobs * product.shape.n_row_tiles *
                                            PCI_TILE * o->layout.n_padded * sizeof(int32_t));
    product.arena = (int8_t *)arena.at;
    product.raw = (int32_t *)sums.at;
    run_product(c->kernel, &product);
    device_read(&sums, raw);

    OWNED(int8_t) *after = host_alloc(arena.bytes);
    size_t n_operand_bytes = o->n_planes * o->layout.plane_bytes;
    device_read(&arena, after);
    CU_ASSERT(memcmp(after, o->planes, n_operand_bytes) == 0);
    CU_ASSERT(n_not_poison(after + n_operand_bytes, arena.bytes - n_operand_bytes) == 0);
}

static void check_raw(const product_case *c, const operands *o)
{
    uint32_t n_row_tiles = c->n_row_tiles ? c->n_row_tiles : o->layout.n_padded / PCI_TILE;
    size_t n_strip = (size_t)n_row_tiles * PCI_TILE * o->layout.n_padded;
    size_t first = (size_t)c->first_row_tile * PCI_TILE * o->layout.n_padded;
    OWNED(int32_t) *raw = host_alloc(c->n_jobs * n_strip * sizeof *raw);
    run_raw(c, o, raw);
    uint64_t n_wrong = 0;
    for (uint32_t job = 0; job < c->n_jobs; job++)
        n_wrong += memcmp(raw + job * n_strip, o->accumulator + job * o->layout.plane_bytes + first,
                          n_strip * sizeof *raw) != 0;
    report_case(c, n_wrong);
}

/* Operands of the case, multiplied by the oracle, or beyond its reach by the plain kernel. */
static operands operands_of(random_source *random, const product_case *c)
{
    enum { MOST_OF_ORACLE = 300 };
    operands o = operands_make(random, c->n, c->n_jobs, c->symmetric);
    if (c->n <= MOST_OF_ORACLE) {
        multiply_on_host(&o);
    } else {
        product_case plain = {.kernel = PCI_GPU_PLAIN, .n = c->n, .n_jobs = c->n_jobs};
        run_raw(&plain, &o, o.accumulator);
    }
    return o;
}

static void check_product(random_source *random, const product_case *c)
{
    OWNED(operands) o = operands_of(random, c);
    if (c->n_outputs)
        check_planes(c, &o);
    else
        check_raw(c, &o);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Skips the case where the kernel does not run. */
static void need_kernel(pci_gpu_kernel kernel)
{
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
    if (!pci_gpu_kernel_runs(kernel, major, minor))
        test_skip("this GPU does not run the kernel");
}

static const uint32_t edge_sizes[] = {1, 127, 128, 129, 255, 256, 257, 300};
enum { N_EDGE_SIZES = sizeof edge_sizes / sizeof *edge_sizes };

/* Up to three tiles on a side. */
static void test_small_products(pci_gpu_kernel kernel)
{
    random_source random = {101 + (uint64_t)kernel};
    unsigned n_random = is_small_run() ? 2 : 24;
    need_kernel(kernel);
    for (unsigned i = 0; i < N_EDGE_SIZES + n_random; i++)
        for (unsigned symmetric = 0; symmetric < 2; symmetric++) {
            uint32_t n =
                i < N_EDGE_SIZES ? edge_sizes[i] : 1 + (uint32_t)random_below(&random, 300);
            uint32_t n_jobs = 1 + (uint32_t)random_below(&random, 3);
            uint32_t n_outputs = 1 + (uint32_t)random_below(&random, 4);
            check_product(&random,
                          &(product_case){kernel, n, n_jobs, n_outputs, symmetric, 0, 0, 0, 0});
        }
}

/* Many outputs of one accumulator, many jobs. */
static void test_many_planes(pci_gpu_kernel kernel)
{
    random_source random = {201 + (uint64_t)kernel};
    need_kernel(kernel);
    for (unsigned symmetric = 0; symmetric < 2; symmetric++) {
        check_product(&random,
                      &(product_case){kernel, 200, 1, PCI_N_NARROW, symmetric, 0, 0, 0, 0});
        check_product(&random,
                      &(product_case){kernel, 130, PCI_MAX_JOBS, 1, symmetric, 0, 0, 0, 0});
        check_product(&random, &(product_case){kernel, 257, 9, 7, symmetric, 0, 0, 0, 0});
    }
}

static void test_raw_products(pci_gpu_kernel kernel)
{
    random_source random = {301 + (uint64_t)kernel};
    need_kernel(kernel);
    for (unsigned i = 0; i < N_EDGE_SIZES; i++)
        check_product(&random,
                      &(product_case){kernel, edge_sizes[i], 1 + i % 3, 0, false, 0, 0, 0, 0});
    for (uint32_t first = 0; first < 3; first++)
        for (uint32_t n_rows = 1; first + n_rows <= 3; n_rows++)
            check_product(&random, &(product_case){kernel, 300, 3, 0, false, 0, 0, first, n_rows});
    if (!is_small_run() && kernel != PCI_GPU_PLAIN) {
        check_product(&random, &(product_case){kernel, 1153, 3, 0, false, 0, 0, 2, 5});
        check_product(&random, &(product_case){kernel, 1153, 1, 0, false, 0, 0, 0, 0});
    }
}

/* Against the plain kernel; blocks take several entries when there are few of them. */
static void test_large_products(pci_gpu_kernel kernel)
{
    static const uint32_t sizes[] = {1000, 1153, 2048};
    random_source random = {401 + (uint64_t)kernel};
    need_kernel(kernel);
    for (unsigned symmetric = 0; symmetric < 2; symmetric++) {
        check_product(&random, &(product_case){kernel, 500, 2, 1, symmetric, 0, 3, 0, 0});
        if (is_small_run())
            continue;
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            check_product(&random, &(product_case){kernel, sizes[i], 1, 1, symmetric, 0, 0, 0, 0});
            check_product(&random, &(product_case){kernel, sizes[i], 3, 2, symmetric, 0, 7, 0, 0});
        }
        check_product(&random, &(product_case){kernel, 2048, 9, 1, symmetric, 0, 0, 0, 0});
    }
    if (!is_small_run() && kernel == PCI_GPU_WGMMA) { /* blocks go in pairs, and then keep pace */
        check_product(&random, &(product_case){kernel, 8100, 1, 1, true, 0, 0, 0, 0});
        check_product(&random, &(product_case){kernel, 16500, 1, 1, true, 0, 0, 0, 0});
    }
}

/* Blocks in pairs, at sizes for which the choice would not be such. */
TEST("wgmma products in pairs of blocks")
{
    random_source random = {501};
    need_kernel(PCI_GPU_WGMMA);
    for (unsigned i = 0; i < N_EDGE_SIZES + 1; i++) {
        uint32_t n = i < N_EDGE_SIZES ? edge_sizes[i] : 600;
        for (uint32_t n_blocks = 1; n_blocks <= 5; n_blocks += 4)
            check_product(&random, &(product_case){PCI_GPU_WGMMA, n, 1 + i % 3, 1 + i % 2, true, 2,
                                                   n_blocks, 0, 0});
    }
    if (!is_small_run()) {
        check_product(&random, &(product_case){PCI_GPU_WGMMA, 1153, 3, 1, true, 2, 66, 0, 0});
        check_product(&random, &(product_case){PCI_GPU_WGMMA, 2048, 2, 2, true, 2, 50, 0, 0});
    }
}

TEST("reduction of every accumulator")
{
    need_any_gpu();
    for (uint32_t i = 0; i < (is_small_run() ? 2 : PCI_N_NARROW); i++) {
        uint32_t m = modulus_number(i);
        pci_reduction reduction = reduction_of(m);
        unsigned long long n_wrong = 1;
        must(test_gpu_reduction_count_wrong(m, &reduction, &n_wrong), "reducing");
        CU_ASSERT(n_wrong == 0);
    }
}

/* ---- The longest sums ------------------------------------------------------------------------ */

enum { N_LONG_ROWS = PCI_TILE };

/* Rows of -128, of 127, of both in turn, of both at random, and of any residues. */
static int8_t long_row_entry(random_source *random, uint32_t row, uint32_t k)
{
    uint32_t kind = row % 5;
    if (kind == 4)
        return (int8_t)random_byte(random);
    if (kind == 2)
        kind = k % 2;
    if (kind == 3)
        kind = (uint32_t)random_below(random, 2);
    return kind ? 127 : -128;
}

/* Each row with each as the kernel sums them up; raw has the first columns of the tile's rows. */
static void sum_long_rows(pci_gpu_kernel kernel, uint32_t n, const device_block *arena,
                          int32_t *raw)
{
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    OWNED(device_block) sums = device_alloc((size_t)N_LONG_ROWS * layout.n_padded * sizeof *raw);
    pci_product product = {.layout = layout,
                           .n_planes = 1,
                           .arena = (int8_t *)arena->at,
                           .raw = (int32_t *)sums.at,
                           .shape = pci_gpu_shape(kernel, n_sms, 1, 1, false)};
    run_share(kernel, &product);
    must(cudaMemcpy2D(raw, N_LONG_ROWS * sizeof *raw, sums.at, layout.n_padded * sizeof *raw,
                      N_LONG_ROWS * sizeof *raw, N_LONG_ROWS, cudaMemcpyDeviceToHost),
         "reading sums");
}

TEST("the longest sums")
{
    random_source random = {601};
    need_any_gpu();
    const uint32_t n = is_small_run() ? 2049 : 131071;
    size_t pitch = pci_gpu_layout_of(n).n_padded;
    OWNED(int8_t) *rows = host_alloc(N_LONG_ROWS * pitch);
    OWNED(int32_t) *expected = host_alloc(N_LONG_ROWS * N_LONG_ROWS * sizeof *expected);
    OWNED(int32_t) *raw = host_alloc(N_LONG_ROWS * N_LONG_ROWS * sizeof *raw);
    memset(rows, 0, N_LONG_ROWS * pitch);
    for (uint32_t row = 0; row < N_LONG_ROWS; row++)
        for (uint32_t k = 0; k < n; k++)
            rows[row * pitch + k] = long_row_entry(&random, row, k);
    OWNED(device_block) arena = device_copy_of(rows, N_LONG_ROWS * pitch);
    sum_long_rows(PCI_GPU_PLAIN, n, &arena, expected);
    CU_ASSERT_EQUAL(expected[0], (int32_t)n * (1 << 14));
    for (int k = PCI_GPU_PLAIN + 1; k < PCI_N_GPU_KERNELS; k++) {
        int major, minor, n_sms;
        need_gpu(&major, &minor, &n_sms);
        if (!pci_gpu_kernel_runs(k, major, minor))
            continue;
        sum_long_rows(k, n, &arena, raw);
        CU_ASSERT(memcmp(raw, expected, N_LONG_ROWS * N_LONG_ROWS * sizeof *raw) == 0);
    }
}

/* ---- What is tried on a GPU ------------------------------------------------------------------ */

/* A kernel, with one sum of one thread off by one. */
static cudaError_t launch_wrong(pci_product_fn launch, const pci_product *product,
                                cudaStream_t stream)
{
    size_t last = product->layout.plane_bytes - 1;
    int32_t sum = 0;
    cudaError_t error = launch(product, stream);
    if (error == cudaSuccess)
        error = cudaMemcpy(&sum, product->raw + last, sizeof sum, cudaMemcpyDeviceToHost);
    sum++;
    return error == cudaSuccess
               ? cudaMemcpy(product->raw + last, &sum, sizeof sum, cudaMemcpyHostToDevice)
               : error;
}

static cudaError_t launch_wrong_f16(const pci_product *product, cudaStream_t stream)
{
    return launch_wrong(pci_product_f16, product, stream);
}

static void test_sums(pci_gpu_kernel kernel, pci_product_fn launch, pci_product_fn wrong,
                      const char *message)
{
    OWNED(pc_context) *context = NULL;
    pci_gpu_device device;
    need_kernel(kernel);
    context = new_context(1);
    MUST(pci_gpu_device_open(context, 0, &device));
    MUST(pci_gpu_probe_sums(context, &device, kernel, launch));
    CU_ASSERT_EQUAL(pci_gpu_probe_sums(context, &device, kernel, wrong), PC_ERR_ENGINE);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), message));
}

TEST("sums of halves are tried")
{
    test_sums(PCI_GPU_F16, pci_product_f16, launch_wrong_f16, "gives 8 of 2097152 sums wrong");
}

TEST("rates of kernels are tried")
{
    OWNED(pc_context) *context = NULL;
    pci_gpu_device device;
    need_kernel(PCI_GPU_F16);
    context = new_context(1);
    MUST(pci_gpu_device_open(context, 0, &device));
    for (pci_gpu_kernel kernel = PCI_GPU_DP4A; kernel <= device.kernel; kernel++) {
        double rate = 0;
        if (!pci_gpu_kernel_runs(kernel, device.major, device.minor))
            continue;
        MUST(pci_gpu_probe_rate(context, &device, kernel, &rate));
        printf("(%s %.0f) ", pci_gpu_kernel_name(kernel), rate / 1e12);
        CU_ASSERT(rate > 1e9 && rate < 1e17);
    }
}

/* One of each kind for each kernel. */
#define CASE(WORDS, OF_KERNEL, KERNEL)                                                             \
    TEST(WORDS)                                                                                    \
    {                                                                                              \
        OF_KERNEL(KERNEL);                                                                         \
    }

/* clang-format off */
CASE("plain products against the definition", test_small_products, PCI_GPU_PLAIN)
CASE("plain products, many planes",           test_many_planes,    PCI_GPU_PLAIN)
CASE("plain products, raw",                   test_raw_products,   PCI_GPU_PLAIN)
CASE("dp4a products against the definition",  test_small_products, PCI_GPU_DP4A)
CASE("dp4a products, many planes",            test_many_planes,    PCI_GPU_DP4A)
CASE("dp4a products, raw",                    test_raw_products,   PCI_GPU_DP4A)
CASE("dp4a products, large",                  test_large_products, PCI_GPU_DP4A)
CASE("f16 products against the definition",   test_small_products, PCI_GPU_F16)
CASE("f16 products, many planes",             test_many_planes,    PCI_GPU_F16)
CASE("f16 products, raw",                     test_raw_products,   PCI_GPU_F16)
CASE("f16 products, large",                   test_large_products, PCI_GPU_F16)
CASE("mma products against the definition",   test_small_products, PCI_GPU_MMA)
CASE("mma products, many planes",             test_many_planes,    PCI_GPU_MMA)
CASE("mma products, raw",                     test_raw_products,   PCI_GPU_MMA)
CASE("mma products, large",                   test_large_products, PCI_GPU_MMA)
CASE("wgmma products against the definition", test_small_products, PCI_GPU_WGMMA)
CASE("wgmma products, many planes",           test_many_planes,    PCI_GPU_WGMMA)
CASE("wgmma products, raw",                   test_raw_products,   PCI_GPU_WGMMA)
CASE("wgmma products, large",                 test_large_products, PCI_GPU_WGMMA)
/* clang-format on */

#endif
