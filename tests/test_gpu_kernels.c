/* The kernels of the CUDA engine, each alone: products against plain loops and against the plain
 * kernel, work on entries against arithmetic of GMP and of 128 bits on the host. What kernels must
 * not write is poisoned before and looked at after. With PATHCOUNT_TEST_SMALL=1 sizes are such that
 * compute-sanitizer, which slows kernels down a lot, takes minutes. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/suite.h"

#include "gpu/choose.h"
#include "gpu/entrywise.h"
#include "gpu/product.h"
#include "gpu/tables.h"
#include "tests/compare.h"
#include "tests/gpu_reduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0x55, GUARD_BYTES = 4096 /* after each block of device memory */ };

/* ---- The device ------------------------------------------------------------------------------ */

/* The case is over when error says that something went wrong. */
static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        printf("%s: %s ", what, cudaGetErrorString(error));
    CU_ASSERT_FATAL(error == cudaSuccess);
}

/* Skips the case where there is no GPU; else its compute capability and multiprocessors. */
static void need_gpu(int *major, int *minor, int *n_sms)
{
    int n_devices = 0;
    cudaError_t error = cudaGetDeviceCount(&n_devices);
    if (error != cudaSuccess)
        test_skip(cudaGetErrorString(error));
    if (n_devices == 0)
        test_skip("there is no CUDA device");
    must(cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, 0), "device");
    must(cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, 0), "device");
    must(cudaDeviceGetAttribute(n_sms, cudaDevAttrMultiProcessorCount, 0), "device");
}

static void need_any_gpu(void)
{
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
}

static bool is_small_run(void)
{
    const char *value = getenv("PATHCOUNT_TEST_SMALL");
    return value != NULL && strcmp(value, "") != 0 && strcmp(value, "0") != 0;
}

static void *host_alloc(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    CU_ASSERT_FATAL(memory != NULL);
    return memory;
}

/* Device memory with a poisoned guard behind it. */
typedef struct device_block {
    uint8_t *at;
    size_t bytes;
} device_block;

static device_block device_alloc(size_t bytes)
{
    device_block block = {NULL, bytes};
    must(cudaMalloc((void **)&block.at, bytes + GUARD_BYTES), "cudaMalloc");
    must(cudaMemset(block.at, POISON, bytes + GUARD_BYTES), "cudaMemset");
    return block;
}

static device_block device_copy_of(const void *host, size_t bytes)
{
    device_block block = device_alloc(bytes);
    if (bytes)
        must(cudaMemcpy(block.at, host, bytes, cudaMemcpyHostToDevice), "copying to the device");
    return block;
}

/* Waits for all kernels. */
static void device_read(const device_block *block, void *host)
{
    if (block->bytes)
        must(cudaMemcpy(host, block->at, block->bytes, cudaMemcpyDeviceToHost),
             "running or copying from the device");
}

/* Frees it; the guard must be as it was. */
static void device_free(device_block *block)
{
    uint8_t guard[GUARD_BYTES];
    unsigned n_wrong = 0;
    must(cudaMemcpy(guard, block->at + block->bytes, GUARD_BYTES, cudaMemcpyDeviceToHost),
         "reading a guard");
    for (unsigned i = 0; i < GUARD_BYTES; i++)
        n_wrong += guard[i] != POISON;
    CU_ASSERT(n_wrong == 0);
    must(cudaFree(block->at), "cudaFree");
}

/* ---- Moduli ---------------------------------------------------------------------------------- */

static uint32_t modulus_number(uint32_t index)
{
    static pci_moduli moduli;
    if (moduli.m[0] == 0)
        pci_moduli_fill(&moduli);
    return moduli.m[index];
}

static pci_reduction reduction_of(uint32_t m)
{
    pci_reduction reduction;
    CU_ASSERT_FATAL(pci_reduction_make(m, &reduction));
    return reduction;
}

static pci_gpu_modulus modulus_at(uint32_t index)
{
    uint32_t m = modulus_number(index);
    pci_gpu_modulus modulus = {.m = m, .wide = pci_modulus_is_wide(index)};
    if (!modulus.wide)
        modulus.reduction = reduction_of(m);
    return modulus;
}

static pci_gpu_modulus plain_modulus(void)
{
    return (pci_gpu_modulus){.reduction = reduction_of(256)};
}

/* Whether the int8 is value's residue modulo a narrow m (0: the value itself), centred. */
static bool is_narrow_residue(int residue, int64_t value, uint32_t m)
{
    if (m == 0)
        return residue == value;
    return (value - residue) % (int64_t)m == 0 && 2 * (uint32_t)abs(residue) <= m;
}

static bool is_wide_residue(int high, int low, int sum, int64_t value, uint32_t m)
{
    return (value - 128 * high - low) % (int64_t)m == 0 && sum == high + low && abs(high) <= 64 &&
           low >= -64 && low <= 63;
}

static int random_byte(random_source *random)
{
    return (int)random_below(random, 256) - 128;
}

/* ---- Products -------------------------------------------------------------------------------- */

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

static cudaError_t launch(pci_gpu_kernel kernel, const pci_product *product)
{
    static cudaError_t (*const kernels[PCI_N_GPU_KERNELS])(const pci_product *, cudaStream_t) = {
        [PCI_GPU_PLAIN] = pci_product_plain,
        [PCI_GPU_DP4A] = pci_product_dp4a,
        [PCI_GPU_MMA] = pci_product_mma,
        [PCI_GPU_WGMMA] = pci_product_wgmma,
    };
    return kernels[kernel](product, NULL);
}

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
    for (uint32_t job = 0; job < c->n_jobs; job++) {
        product.job[job] =
            (pci_product_job){job, right_of(o, job), job * c->n_outputs, c->n_outputs};
        for (uint32_t k = job * c->n_outputs; k < (job + 1) * c->n_outputs; k++)
            product.output[k] =
                (pci_product_output){first_output_plane(o) + k, reduction_of(output_modulus(k))};
    }
    return product;
}

/* Launches it with its tile list and waits; the arena and raw are ready. */
static void run_product(pci_gpu_kernel kernel, pci_product *product)
{
    size_t capacity = pci_tiles_capacity(&product->shape);
    uint32_t *entries = host_alloc(capacity * sizeof *entries);
    product->n_entries = (uint32_t)pci_tiles_list(&product->shape, entries);
    device_block tiles = device_copy_of(entries, product->n_entries * sizeof *entries);
    product->tiles = (const uint32_t *)tiles.at;
    must(launch(kernel, product), "launching a product");
    must(cudaDeviceSynchronize(), "running a product");
    device_free(&tiles);
    free(entries);
}

static device_block arena_make(const operands *o, uint32_t n_planes)
{
    device_block arena = device_alloc(n_planes * o->layout.plane_bytes);
    must(cudaMemcpy(arena.at, o->planes, o->n_planes * o->layout.plane_bytes,
                    cudaMemcpyHostToDevice),
         "copying operands");
    return arena;
}

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
    device_block arena = arena_make(o, product.n_planes);
    product.arena = (int8_t *)arena.at;
    run_product(c->kernel, &product);

    int8_t *after = host_alloc(arena.bytes);
    device_read(&arena, after);
    uint64_t n_wrong = memcmp(after, o->planes, o->n_planes * plane_bytes) != 0;
    n_wrong += n_not_poison(after + o->n_planes * plane_bytes, plane_bytes);
    n_wrong += n_not_poison(after + (product.n_planes - 1) * plane_bytes, plane_bytes);
    for (uint32_t k = 0; k < c->n_jobs * c->n_outputs; k++)
        n_wrong += n_wrong_in_output(o->accumulator + k / c->n_outputs * plane_bytes,
                                     after + (first_output_plane(o) + k) * plane_bytes, plane_bytes,
                                     output_modulus(k));
    report_case(c, n_wrong);
    free(after);
    device_free(&arena);
}

/* Accumulators themselves, of all rows or of a strip, into raw on the host. */
static void run_raw(const product_case *c, const operands *o, int32_t *raw)
{
    pci_product product = product_make(c, o);
    device_block arena = arena_make(o, product.n_planes);
    device_block sums = device_alloc((size_t)c->n_jobs * product.shape.n_row_tiles * PCI_TILE *
                                     o->layout.n_padded * sizeof(int32_t));
    product.arena = (int8_t *)arena.at;
    product.raw = (int32_t *)sums.at;
    run_product(c->kernel, &product);
    device_read(&sums, raw);

    int8_t *after = host_alloc(arena.bytes);
    size_t n_operand_bytes = o->n_planes * o->layout.plane_bytes;
    device_read(&arena, after);
    CU_ASSERT(memcmp(after, o->planes, n_operand_bytes) == 0);
    CU_ASSERT(n_not_poison(after + n_operand_bytes, arena.bytes - n_operand_bytes) == 0);
    free(after);
    device_free(&arena);
    device_free(&sums);
}

static void check_raw(const product_case *c, const operands *o)
{
    uint32_t n_row_tiles = c->n_row_tiles ? c->n_row_tiles : o->layout.n_padded / PCI_TILE;
    size_t n_strip = (size_t)n_row_tiles * PCI_TILE * o->layout.n_padded;
    size_t first = (size_t)c->first_row_tile * PCI_TILE * o->layout.n_padded;
    int32_t *raw = host_alloc(c->n_jobs * n_strip * sizeof *raw);
    run_raw(c, o, raw);
    uint64_t n_wrong = 0;
    for (uint32_t job = 0; job < c->n_jobs; job++)
        n_wrong += memcmp(raw + job * n_strip, o->accumulator + job * o->layout.plane_bytes + first,
                          n_strip * sizeof *raw) != 0;
    report_case(c, n_wrong);
    free(raw);
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
    operands o = operands_of(random, c);
    if (c->n_outputs)
        check_planes(c, &o);
    else
        check_raw(c, &o);
    operands_free(&o);
}

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
    if (!is_small_run() && kernel == PCI_GPU_WGMMA) /* so large that blocks go in pairs */
        check_product(&random, &(product_case){kernel, 8100, 1, 1, true, 0, 0, 0, 0});
}

/* Blocks in pairs, at sizes for which the choice would not be such. */
static void test_paired_products(void)
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

static void test_reduction_of_all(void)
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

/* ---- Planes, entry by entry ------------------------------------------------------------------ */

static const uint32_t plane_sizes[] = {1, 127, 128, 129, 257};
enum { N_PLANE_SIZES = sizeof plane_sizes / sizeof *plane_sizes };

/* One plane on the device, or three digits: poison where entries are, zeros in the padding. */
static device_block planes_to_fill(const pci_gpu_layout *layout, uint64_t n_rows, uint32_t n_planes)
{
    size_t rows_bytes = n_rows * layout->n_padded;
    uint8_t *host = host_alloc(n_planes * rows_bytes);
    memset(host, 0, n_planes * rows_bytes);
    for (uint32_t p = 0; p < n_planes; p++)
        for (uint64_t i = 0; i < n_rows && i < layout->n; i++)
            memset(host + p * rows_bytes + i * layout->n_padded, POISON, layout->n);
    device_block block = device_copy_of(host, n_planes * rows_bytes);
    free(host);
    return block;
}

typedef struct digit_pointers {
    int8_t *digit[3];
} digit_pointers;

/* Digits one after the other, from plane number `first` of the block on. */
static digit_pointers digits_at(const device_block *block, size_t plane_bytes, size_t first)
{
    digit_pointers p;
    for (size_t d = 0; d < 3; d++)
        p.digit[d] = (int8_t *)block->at + (first + d) * plane_bytes;
    return p;
}

/* Planes (1, or 3 when wide) against values[n_rows][n] modulo the modulus; padding must be zero. */
static uint64_t n_wrong_residues(const pci_gpu_layout *layout, uint64_t n_rows,
                                 pci_gpu_modulus modulus, const int8_t *planes,
                                 const int64_t *values)
{
    uint64_t n_wrong = 0, rows_bytes = n_rows * layout->n_padded;
    for (uint64_t i = 0; i < n_rows; i++)
        for (uint64_t j = 0; j < layout->n_padded; j++) {
            const int8_t *at = planes + i * layout->n_padded + j;
            int64_t value = i < layout->n && j < layout->n ? values[i * layout->n + j] : 0;
            n_wrong += modulus.wide ? !is_wide_residue(at[0], at[rows_bytes], at[2 * rows_bytes],
                                                       value, modulus.m)
                                    : !is_narrow_residue(at[0], value, modulus.m);
        }
    return n_wrong;
}

/* Rows first_row .. of whole planes hold the residues of values[n_rows][n], and all other rows are
 * as before. */
static uint64_t n_wrong_in_strip(const pci_gpu_layout *layout, uint64_t first_row, uint64_t n_rows,
                                 pci_gpu_modulus modulus, const device_block *planes,
                                 const int8_t *before, const int64_t *values)
{
    size_t begin = first_row * layout->n_padded, bytes = n_rows * layout->n_padded;
    uint32_t n_digits = modulus.wide ? 3 : 1;
    int8_t *after = host_alloc(planes->bytes), *rows = host_alloc(n_digits * bytes);
    device_read(planes, after);
    for (uint32_t d = 0; d < n_digits; d++) {
        size_t at = d * layout->plane_bytes + begin;
        memcpy(rows + d * bytes, after + at, bytes);
        memcpy(after + at, before + at, bytes);
    }
    uint64_t n_wrong = memcmp(before, after, planes->bytes) != 0;
    n_wrong += n_wrong_residues(layout, n_rows, modulus, rows, values);
    free(after);
    free(rows);
    return n_wrong;
}

static void test_transpose(void)
{
    random_source random = {601};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES + 1; s++) {
        pci_gpu_layout layout = pci_gpu_layout_of(s < N_PLANE_SIZES ? plane_sizes[s] : 700);
        int8_t *host = host_alloc(layout.plane_bytes), *after = host_alloc(layout.plane_bytes);
        for (size_t i = 0; i < layout.plane_bytes; i++)
            host[i] = (int8_t)random_byte(&random);
        device_block from = device_copy_of(host, layout.plane_bytes);
        device_block to = device_alloc(layout.plane_bytes);
        must(pci_gpu_transpose(&layout, (int8_t *)from.at, (int8_t *)to.at, NULL), "transposing");
        device_read(&to, after);
        uint64_t n_wrong = 0;
        for (size_t i = 0; i < layout.n_padded; i++)
            for (size_t j = 0; j < layout.n_padded; j++)
                n_wrong += after[j * layout.n_padded + i] != host[i * layout.n_padded + j];
        CU_ASSERT(n_wrong == 0);
        device_free(&from);
        device_free(&to);
        free(host);
        free(after);
    }
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

enum weights { NO_WEIGHTS, SMALL_WEIGHTS /* up to 127 */, ANY_WEIGHTS };

typedef struct test_graph {
    uint64_t n, n_arcs;
    uint64_t *row_start, *weight; /* weight: 1 each when there are none */
    uint32_t *column;
    device_block starts, columns, weights;
    pci_gpu_graph device; /* what kernels are given */
} test_graph;

static uint64_t random_weight(random_source *random, enum weights kind)
{
    if (kind == NO_WEIGHTS)
        return 1;
    if (kind == SMALL_WEIGHTS)
        return 1 + random_below(random, 127);
    return random_below(random, 4) ? random_u64(random) | 1 : UINT64_MAX;
}

/* One row in eight is empty, one is full. */
static test_graph graph_make(random_source *random, uint32_t n, enum weights kind)
{
    test_graph g = {.n = n};
    g.row_start = host_alloc((n + 1) * sizeof *g.row_start);
    g.column = host_alloc((size_t)n * n * sizeof *g.column);
    g.weight = host_alloc((size_t)n * n * sizeof *g.weight);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t dice = random_below(random, 8), density = dice == 0 ? 0 : dice == 1 ? 100 : 7;
        g.row_start[i] = g.n_arcs;
        for (uint32_t j = 0; j < n; j++)
            if (random_below(random, 100) < density) {
                g.column[g.n_arcs] = j;
                g.weight[g.n_arcs++] = random_weight(random, kind);
            }
    }
    g.row_start[n] = g.n_arcs;
    g.starts = device_copy_of(g.row_start, (n + 1) * sizeof *g.row_start);
    g.columns = device_copy_of(g.column, g.n_arcs * sizeof *g.column);
    g.weights = device_copy_of(g.weight, g.n_arcs * sizeof *g.weight);
    g.device =
        (pci_gpu_graph){n, g.n_arcs, (const uint64_t *)g.starts.at, (const uint32_t *)g.columns.at,
                        kind == NO_WEIGHTS ? NULL : (const uint64_t *)g.weights.at};
    return g;
}

static void graph_free(test_graph *g)
{
    free(g->row_start);
    free(g->column);
    free(g->weight);
    device_free(&g->starts);
    device_free(&g->columns);
    device_free(&g->weights);
}

/* Small enough for a signed word, and congruent. */
static int64_t reduced(uint64_t value, uint32_t m)
{
    return m ? (int64_t)(value % m) : (int64_t)value;
}

/* Moduli by kind: 0 plain, 1.. narrow, then wide. */
static pci_gpu_modulus some_modulus(unsigned kind)
{
    static const uint32_t index[] = {0, 1, 25, PCI_N_NARROW - 1, PCI_N_NARROW, PCI_N_MODULI - 1};
    return kind == 0 ? plain_modulus() : modulus_at(index[kind - 1]);
}

enum { N_MODULUS_KINDS = 7 };

static void check_load(const test_graph *g, pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(g->n);
    uint32_t n_digits = modulus.wide ? 3 : 1;
    device_block planes = device_alloc(n_digits * layout.plane_bytes); /* poison all over */
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_load(&g->device, &layout, modulus, p.digit, NULL), "loading");

    int8_t *after = host_alloc(planes.bytes);
    int64_t *values = calloc(g->n * g->n, sizeof *values);
    CU_ASSERT_FATAL(values != NULL);
    for (uint64_t i = 0; i < g->n; i++)
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
            values[i * g->n + g->column[a]] = reduced(g->weight[a], modulus.m);
    device_read(&planes, after);
    CU_ASSERT(n_wrong_residues(&layout, layout.n_padded, modulus, after, values) == 0);
    device_free(&planes);
    free(after);
    free(values);
}

static void check_split_weights(const test_graph *g, pci_gpu_modulus modulus)
{
    uint32_t n_digits = modulus.wide ? 3 : 1;
    device_block digits = device_alloc(n_digits * g->n_arcs);
    int8_t *after = host_alloc(digits.bytes);
    uint64_t n_wrong = 0;
    if (g->n_arcs)
        must(pci_gpu_split_weights(&g->device, modulus, (int8_t *)digits.at, NULL), "splitting");
    device_read(&digits, after);
    for (uint64_t a = 0; a < g->n_arcs; a++) {
        int64_t value = reduced(g->weight[a], modulus.m);
        n_wrong += modulus.wide ? !is_wide_residue(after[a], after[g->n_arcs + a],
                                                   after[2 * g->n_arcs + a], value, modulus.m)
                                : !is_narrow_residue(after[a], value, modulus.m);
    }
    CU_ASSERT(n_wrong == 0);
    device_free(&digits);
    free(after);
}

static void test_load(void)
{
    random_source random = {701};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 0; kind < N_MODULUS_KINDS; kind++)
            for (unsigned w = NO_WEIGHTS; w <= ANY_WEIGHTS; w++) {
                if (kind == 0 && w == ANY_WEIGHTS)
                    continue; /* no plain plane */
                test_graph g = graph_make(&random, plane_sizes[s], w);
                check_load(&g, some_modulus(kind));
                check_split_weights(&g, some_modulus(kind));
                graph_free(&g);
            }
}

/* Rows of words into the middle of planes, whose other rows stay as they are. */
static void check_split(random_source *random, uint32_t n, pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    uint64_t first = n / 3, n_rows = n - first - n / 4, limit = modulus.m ? UINT64_C(1) << 63 : 128;
    uint64_t *words = host_alloc(n_rows * n * sizeof *words);
    int64_t *values = host_alloc(n_rows * n * sizeof *values);
    for (uint64_t k = 0; k < n_rows * n; k++) {
        words[k] = random_below(random, 10) ? random_below(random, limit) : limit - 1;
        values[k] = reduced(words[k], modulus.m);
    }
    uint32_t n_digits = modulus.wide ? 3 : 1;
    device_block from = device_copy_of(words, n_rows * n * sizeof *words);
    device_block planes = planes_to_fill(&layout, layout.n_padded, n_digits);
    int8_t *before = host_alloc(planes.bytes);
    device_read(&planes, before);
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_split(&layout, (const uint64_t *)from.at, first, n_rows, modulus, p.digit, NULL),
         "splitting");
    CU_ASSERT(n_wrong_in_strip(&layout, first, n_rows, modulus, &planes, before, values) == 0);
    device_free(&from);
    device_free(&planes);
    free(words);
    free(values);
    free(before);
}

static void test_split(void)
{
    random_source random = {801};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 0; kind < N_MODULUS_KINDS; kind++)
            check_split(&random, plane_sizes[s], some_modulus(kind));
}

/* ---- The sparse step ------------------------------------------------------------------------- */

/* P on the device, and what its entries stand for. */
typedef struct step_operand {
    device_block planes;
    int64_t *values; /* [n][n] */
} step_operand;

/* Entries up to 127 (plain), of int8 (narrow), or of centred digits (wide). */
static step_operand step_operand_make(random_source *random, const pci_gpu_layout *layout,
                                      pci_gpu_modulus modulus)
{
    size_t n_digits = modulus.wide ? 3 : 1, n = layout->n;
    int8_t *host = calloc(n_digits, layout->plane_bytes);
    step_operand p = {.values = host_alloc(n * n * sizeof *p.values)};
    CU_ASSERT_FATAL(host != NULL);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int8_t *at = host + i * layout->n_padded + j;
            int high = 0, low = modulus.m ? random_byte(random) : (int)random_below(random, 128);
            if (modulus.wide) {
                high = (int)random_below(random, 129) - 64;
                low = (int)random_below(random, 128) - 64;
                at[layout->plane_bytes] = (int8_t)low;
                at[2 * layout->plane_bytes] = (int8_t)(high + low);
            }
            at[0] = (int8_t)(modulus.wide ? high : low);
            p.values[i * n + j] = 128 * high + low;
        }
    p.planes = device_copy_of(host, n_digits * layout->plane_bytes);
    free(host);
    return p;
}

static void step_operand_free(step_operand *p)
{
    device_free(&p->planes);
    free(p->values);
}

/* A P modulo m on the host; of no modulus (0) the sums themselves. */
static int64_t *step_on_host(const test_graph *g, const int64_t *values, uint32_t m)
{
    int64_t *sums = calloc(g->n * g->n, sizeof *sums);
    CU_ASSERT_FATAL(sums != NULL);
    for (uint64_t i = 0; i < g->n; i++)
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
            for (uint64_t j = 0; j < g->n; j++) {
                int64_t *sum = &sums[i * g->n + j];
                *sum += reduced(g->weight[a], m) * values[g->column[a] * g->n + j];
                if (m)
                    *sum %= (int64_t)m;
            }
    return sums;
}

/* One step from P modulo `in` to the outputs, the digits of the weights modulo `in`. */
static void check_step(random_source *random, const test_graph *g, bool weighted,
                       pci_gpu_modulus in, uint32_t n_outputs, const pci_gpu_modulus *outputs)
{
    pci_gpu_layout layout = pci_gpu_layout_of(g->n);
    step_operand p = step_operand_make(random, &layout, in);
    device_block planes = planes_to_fill(&layout, layout.n_padded, 3 * n_outputs);
    device_block weights = device_alloc(3 * g->n_arcs);
    pci_gpu_step_output *out = host_alloc(n_outputs * sizeof *out);
    for (uint32_t o = 0; o < n_outputs; o++) {
        digit_pointers d = digits_at(&planes, layout.plane_bytes, 3 * o);
        out[o] = (pci_gpu_step_output){outputs[o], {d.digit[0], d.digit[1], d.digit[2]}};
    }
    if (weighted && g->n_arcs)
        must(pci_gpu_split_weights(&g->device, in, (int8_t *)weights.at, NULL), "splitting");
    digit_pointers from = digits_at(&p.planes, layout.plane_bytes, 0);
    must(pci_gpu_step(&g->device, &layout, from.digit, in.wide,
                      weighted ? (const int8_t *)weights.at : NULL, n_outputs, out, NULL),
         "stepping");

    int8_t *after = host_alloc(planes.bytes);
    device_read(&planes, after);
    for (uint32_t o = 0; o < n_outputs; o++) {
        int64_t *sums = step_on_host(g, p.values, in.m ? in.m : outputs[o].m);
        CU_ASSERT(n_wrong_residues(&layout, layout.n_padded, outputs[o],
                                   after + 3 * o * layout.plane_bytes, sums) == 0);
        free(sums);
    }
    step_operand_free(&p);
    device_free(&planes);
    device_free(&weights);
    free(after);
    free(out);
}

static void test_step_of_residues(void)
{
    random_source random = {901};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 1; kind < N_MODULUS_KINDS; kind++)
            for (unsigned w = NO_WEIGHTS; w <= ANY_WEIGHTS; w += ANY_WEIGHTS) {
                test_graph g = graph_make(&random, plane_sizes[s], w);
                pci_gpu_modulus modulus = some_modulus(kind);
                check_step(&random, &g, w != NO_WEIGHTS, modulus, 1, &modulus);
                graph_free(&g);
            }
}

/* From a plain plane to planes of every kind at once. */
static void test_step_of_plain(void)
{
    enum { N_OUTPUTS = PCI_N_NARROW + 3 };
    random_source random = {951};
    pci_gpu_modulus outputs[N_OUTPUTS];
    need_any_gpu();
    for (uint32_t o = 0; o < N_OUTPUTS; o++)
        outputs[o] = modulus_at(o);
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned w = NO_WEIGHTS; w <= SMALL_WEIGHTS; w++) {
            test_graph g = graph_make(&random, plane_sizes[s], w);
            check_step(&random, &g, w != NO_WEIGHTS, plain_modulus(),
                       plane_sizes[s] > 130 ? 7 : N_OUTPUTS,
                       plane_sizes[s] > 130 ? outputs + PCI_N_NARROW - 4 : outputs);
            graph_free(&g);
        }
}

/* A plain plane that stays one: rows with one arc. */
static void test_step_stays_plain(void)
{
    random_source random = {971};
    pci_gpu_modulus plain;
    need_any_gpu();
    plain = plain_modulus();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++) {
        test_graph g = graph_make(&random, plane_sizes[s], NO_WEIGHTS);
        for (uint64_t i = 0; i <= g.n; i++)
            g.row_start[i] = i < g.n_arcs ? i : g.n_arcs;
        g.n_arcs = g.row_start[g.n];
        must(cudaMemcpy(g.starts.at, g.row_start, g.starts.bytes, cudaMemcpyHostToDevice), "copy");
        g.device.n_arcs = g.n_arcs;
        check_step(&random, &g, false, plain, 1, &plain);
        graph_free(&g);
    }
}

/* ---- Accumulators in memory ------------------------------------------------------------------ */

static int32_t random_sum(random_source *random, int64_t least, int64_t greatest)
{
    uint64_t dice = random_below(random, 8);
    if (dice < 2)
        return (int32_t)(dice ? least : greatest);
    return (int32_t)(least + (int64_t)random_below(random, (uint64_t)(greatest - least) + 1));
}

/* raw[n_sums][n_rows][n_padded] with zero padding. */
static int32_t *random_sums(random_source *random, const pci_gpu_layout *layout, uint64_t n_rows,
                            uint32_t n_sums, int64_t least, int64_t greatest)
{
    size_t n_entries = n_rows * layout->n_padded;
    int32_t *raw = calloc(n_sums * n_entries, sizeof *raw);
    CU_ASSERT_FATAL(raw != NULL);
    for (size_t k = 0; k < n_sums * n_entries; k++)
        if (k % layout->n_padded < layout->n)
            raw[k] = random_sum(random, least, greatest);
    return raw;
}

static void check_combine(random_source *random, uint32_t n, uint64_t first, uint64_t n_rows,
                          pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    size_t n_entries = n_rows * layout.n_padded;
    int32_t *raw = random_sums(random, &layout, n_rows, 3, -(1 << 29), 1 << 29);
    int64_t *values = host_alloc(n_rows * n * sizeof *values);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n; j++) {
            size_t at = i * layout.n_padded + j;
            int64_t hh = raw[at], ll = raw[n_entries + at], ss = raw[2 * n_entries + at];
            values[i * n + j] = hh * 16384 + (ss - hh - ll) * 128 + ll;
        }
    device_block from = device_copy_of(raw, 3 * n_entries * sizeof *raw);
    device_block planes = planes_to_fill(&layout, layout.n_padded, 3);
    int8_t *before = host_alloc(planes.bytes);
    device_read(&planes, before);
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_combine_wide(&layout, (const int32_t *)from.at, first, n_rows, modulus.m, p.digit,
                              NULL),
         "combining");
    CU_ASSERT(n_wrong_in_strip(&layout, first, n_rows, modulus, &planes, before, values) == 0);
    device_free(&from);
    device_free(&planes);
    free(raw);
    free(values);
    free(before);
}

static void check_reduce_raw(random_source *random, uint32_t n, uint64_t first, uint64_t n_rows,
                             pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    int32_t *raw = random_sums(random, &layout, n_rows, 1, 0,
                               modulus.m ? INT64_C(16384) * PCI_MAX_DENSE_VERTICES : 127);
    int64_t *values = host_alloc(n_rows * n * sizeof *values);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n; j++)
            values[i * n + j] = raw[i * layout.n_padded + j];
    device_block from = device_copy_of(raw, n_rows * layout.n_padded * sizeof *raw);
    device_block planes = planes_to_fill(&layout, layout.n_padded, modulus.wide ? 3 : 1);
    int8_t *before = host_alloc(planes.bytes);
    device_read(&planes, before);
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_reduce_raw(&layout, (const int32_t *)from.at, first, n_rows, modulus, p.digit,
                            NULL),
         "reducing");
    CU_ASSERT(n_wrong_in_strip(&layout, first, n_rows, modulus, &planes, before, values) == 0);
    device_free(&from);
    device_free(&planes);
    free(raw);
    free(values);
    free(before);
}

static void test_accumulators(void)
{
    random_source random = {1001};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 0; kind < N_MODULUS_KINDS; kind++) {
            pci_gpu_modulus modulus = some_modulus(kind);
            uint32_t n = plane_sizes[s], first = n / 2;
            check_reduce_raw(&random, n, 0, n, modulus);
            check_reduce_raw(&random, n, first, n - first, modulus);
            if (modulus.wide) {
                check_combine(&random, n, 0, n, modulus);
                check_combine(&random, n, first, n - first, modulus);
            }
        }
}

/* ---- From residues back ---------------------------------------------------------------------- */

/* Rows of integers X < M / 2, and their residues modulo the first r moduli on the device. */
typedef struct integers {
    pc_context *context;
    pci_moduli moduli;
    uint32_t r;
    pci_gpu_layout layout;
    uint64_t n_rows;
    mpz_t *x;            /* [n_rows][n] */
    device_block planes; /* [r][3][n_rows][n_padded] */
    device_block any;    /* the table of their addresses */
    const int8_t *narrow[PCI_N_NARROW];
} integers;

static size_t n_integers(const integers *in)
{
    return in->n_rows * in->layout.n;
}

/* Any number below M / 2; often 0 and often the greatest. */
static void random_integers(integers *in, random_source *random)
{
    mpz_t limit;
    gmp_randstate_t state;
    mpz_init_set_ui(limit, 1);
    gmp_randinit_default(state);
    gmp_randseed_ui(state, random_u64(random));
    for (uint32_t i = 0; i < in->r; i++)
        mpz_mul_ui(limit, limit, in->moduli.m[i]);
    mpz_add_ui(limit, limit, 1);
    mpz_fdiv_q_2exp(limit, limit, 1); /* X < M / 2 when X < (M + 1) / 2 rounded down */
    in->x = host_alloc(n_integers(in) * sizeof *in->x);
    for (size_t k = 0; k < n_integers(in); k++) {
        uint64_t dice = random_below(random, 8);
        mpz_init(in->x[k]);
        if (dice > 1)
            mpz_urandomm(in->x[k], state, limit);
        else if (dice == 1)
            mpz_sub_ui(in->x[k], limit, 1);
    }
    gmp_randclear(state);
    mpz_clear(limit);
}

/* Any int8 congruent to residue, which is less than m. */
static int8_t any_representative(random_source *random, int residue, int m)
{
    int least = residue, n = 1;
    while (least > 127)
        least -= m;
    while (least - n * m >= -128)
        n++;
    return (int8_t)(least - m * (int)random_below(random, (uint64_t)n));
}

static void put_residue(random_source *random, const mpz_t x, uint32_t index, uint32_t m,
                        int8_t *at, size_t rows_bytes)
{
    int residue = (int)mpz_fdiv_ui(x, m);
    if (!pci_modulus_is_wide(index)) {
        at[0] = any_representative(random, residue, (int)m);
        return;
    }
    residue -= 2 * residue > (int)m ? (int)m : 0;
    int high = (residue + 64) >> PCI_WIDE_RADIX_BITS, low = residue - 128 * high;
    at[0] = (int8_t)high;
    at[rows_bytes] = (int8_t)low;
    at[2 * rows_bytes] = (int8_t)(high + low);
}

static integers integers_make(random_source *random, uint32_t r, uint32_t n, uint64_t n_rows)
{
    integers in = {
        .context = new_context(1), .r = r, .layout = pci_gpu_layout_of(n), .n_rows = n_rows};
    size_t rows_bytes = n_rows * in.layout.n_padded;
    int8_t *host = calloc(3 * r, rows_bytes);
    const int8_t **table = host_alloc(3 * r * sizeof *table);
    CU_ASSERT_FATAL(host != NULL);
    pci_moduli_fill(&in.moduli);
    random_integers(&in, random);
    for (uint32_t i = 0; i < r; i++)
        for (size_t k = 0; k < n_integers(&in); k++)
            put_residue(random, in.x[k], i, in.moduli.m[i],
                        host + 3 * i * rows_bytes + k / n * in.layout.n_padded + k % n, rows_bytes);
    in.planes = device_copy_of(host, 3 * r * rows_bytes);
    for (uint32_t k = 0; k < 3 * r; k++)
        table[k] = (const int8_t *)in.planes.at + k * rows_bytes;
    for (uint32_t i = 0; i < r && i < PCI_N_NARROW; i++)
        in.narrow[i] = table[3 * i];
    in.any = device_copy_of(table, 3 * r * sizeof *table);
    free(host);
    free(table);
    return in;
}

static void integers_free(integers *in)
{
    for (size_t k = 0; k < n_integers(in); k++)
        mpz_clear(in->x[k]);
    free(in->x);
    device_free(&in->planes);
    device_free(&in->any);
    pc_context_free(in->context);
}

/* As the engine gives them, or through the table alone. */
static pci_gpu_residues residues_of(const integers *in, bool by_table)
{
    bool narrow = in->r <= PCI_N_NARROW && !by_table;
    return (pci_gpu_residues){narrow ? in->narrow : NULL, (const int8_t *const *)in->any.at};
}

/* Digits of X, 32 bits each, that differ from those of words. */
static uint64_t n_wrong_words_of(const mpz_t x, const uint64_t *words, uint32_t n_words)
{
    uint64_t n_wrong = 0;
    for (uint32_t w = 0; w < n_words; w++) {
        uint64_t expected = w < mpz_size(x) ? mpz_getlimbn(x, w) : 0;
        n_wrong += words[w] != expected;
    }
    return n_wrong;
}

static void check_collect(const integers *in, uint32_t n_digits, bool by_table)
{
    uint32_t n_words = n_digits / 2;
    pci_gpu_tables tables;
    CU_ASSERT_FATAL(pci_gpu_tables_digits(in->context, &in->moduli, in->r, n_digits, &tables) ==
                    PC_OK);
    device_block constants = device_copy_of(tables.block, tables.bytes);
    device_block limbs = device_alloc(n_integers(in) * n_words * sizeof(uint64_t));
    pci_gpu_crt crt = {in->r, pci_gpu_tables_fraction(constants.at)};
    must(pci_gpu_collect(&in->layout, &crt, pci_gpu_tables_weight(&tables, constants.at),
                         pci_gpu_tables_modulus(&tables, constants.at), n_digits,
                         residues_of(in, by_table), in->n_rows, (uint64_t *)limbs.at, NULL),
         "collecting");
    uint64_t *after = host_alloc(limbs.bytes), n_wrong = 0;
    device_read(&limbs, after);
    for (size_t k = 0; k < n_integers(in); k++)
        n_wrong += n_wrong_words_of(in->x[k], after + k * n_words, n_words);
    if (n_wrong)
        printf("[r %u, %u digits, n %u: %lu wrong] ", in->r, n_digits, in->layout.n,
               (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
    device_free(&constants);
    device_free(&limbs);
    pci_gpu_tables_free(in->context, &tables);
    free(after);
}

/* Bases by their number of moduli, each with a size and rows. */
static const struct {
    uint32_t r, n, n_rows;
} bases[] = {{1, 129, 2},  {2, 1, 1},    {5, 127, 3},  {9, 257, 3},  {10, 128, 2},
             {24, 129, 2}, {33, 127, 1}, {41, 257, 1}, {48, 130, 1}, {49, 129, 3},
             {50, 129, 2}, {52, 127, 1}, {130, 65, 2}, {921, 33, 1}};
enum { N_BASES = sizeof bases / sizeof *bases };

static void test_collect(void)
{
    random_source random = {1101};
    need_any_gpu();
    for (unsigned b = 0; b < N_BASES; b++) {
        integers in = integers_make(&random, bases[b].r, bases[b].n, bases[b].n_rows);
        pci_moduli moduli = in.moduli;
        mpz_t product;
        mpz_init_set_ui(product, 1);
        for (uint32_t i = 0; i < in.r; i++)
            mpz_mul_ui(product, product, moduli.m[i]);
        uint32_t whole = (uint32_t)(mpz_sizeinbase(product, 2) + 63) / 64 * 2;
        mpz_clear(product);
        for (uint32_t n_digits = 2; n_digits <= 14; n_digits += 2)
            check_collect(&in, n_digits, false);
        check_collect(&in, whole, false);
        check_collect(&in, whole, true);
        integers_free(&in);
    }
}

static void check_collect_modular(const integers *in, uint64_t number, bool by_table)
{
    pci_gpu_tables tables;
    CU_ASSERT_FATAL(pci_gpu_tables_modular(in->context, &in->moduli, in->r, number, &tables) ==
                    PC_OK);
    device_block constants = device_copy_of(tables.block, tables.bytes);
    device_block words = device_alloc(n_integers(in) * sizeof(uint64_t));
    pci_gpu_crt crt = {in->r, pci_gpu_tables_fraction(constants.at)};
    const uint64_t *modulus = pci_gpu_tables_modulus(&tables, tables.block); /* on the host */
    must(pci_gpu_collect_modular(&in->layout, &crt, pci_gpu_tables_weight(&tables, constants.at),
                                 *modulus, number, residues_of(in, by_table), in->n_rows,
                                 (uint64_t *)words.at, NULL),
         "collecting");
    uint64_t *after = host_alloc(words.bytes), n_wrong = 0;
    device_read(&words, after);
    for (size_t k = 0; k < n_integers(in); k++)
        n_wrong += after[k] != mpz_fdiv_ui(in->x[k], number);
    if (n_wrong)
        printf("[r %u, modulo %lu: %lu wrong] ", in->r, (unsigned long)number,
               (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
    device_free(&constants);
    device_free(&words);
    pci_gpu_tables_free(in->context, &tables);
    free(after);
}

static void test_collect_modular(void)
{
    static const uint64_t numbers[] = {1,
                                       2,
                                       97,
                                       1000000007,
                                       UINT64_C(1) << 32,
                                       (UINT64_C(1) << 61) - 1,
                                       (UINT64_C(1) << 62) + 1,
                                       (UINT64_C(1) << 63) - 1};
    random_source random = {1201};
    need_any_gpu();
    for (unsigned b = 0; b < N_BASES; b++) {
        integers in = integers_make(&random, bases[b].r, bases[b].n, bases[b].n_rows);
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++)
            for (unsigned by_table = 0; by_table < 2; by_table++)
                check_collect_modular(&in, numbers[k], by_table);
        integers_free(&in);
    }
}

static void test_collect_plain(void)
{
    random_source random = {1301};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (uint32_t n_limbs = 1; n_limbs <= 4; n_limbs++) {
            pci_gpu_layout layout = pci_gpu_layout_of(plane_sizes[s]);
            size_t n = layout.n, n_rows = (n + 1) / 2;
            int8_t *host = calloc(n_rows, layout.n_padded);
            CU_ASSERT_FATAL(host != NULL);
            for (size_t k = 0; k < n_rows * n; k++)
                host[k / n * layout.n_padded + k % n] = (int8_t)random_below(&random, 128);
            device_block rows = device_copy_of(host, n_rows * layout.n_padded);
            device_block limbs = device_alloc(n_rows * n * n_limbs * sizeof(uint64_t));
            must(pci_gpu_collect_plain(&layout, (const int8_t *)rows.at, n_rows, n_limbs,
                                       (uint64_t *)limbs.at, NULL),
                 "collecting");
            uint64_t *after = host_alloc(limbs.bytes), n_wrong = 0;
            device_read(&limbs, after);
            for (size_t k = 0; k < n_rows * n * n_limbs; k++) {
                size_t entry = k / n_limbs;
                int value = k % n_limbs ? 0 : host[entry / n * layout.n_padded + entry % n];
                n_wrong += after[k] != (uint64_t)value;
            }
            CU_ASSERT(n_wrong == 0);
            device_free(&rows);
            device_free(&limbs);
            free(host);
            free(after);
        }
}

/* From the first r moduli to the n_new next. */
static void check_extend(random_source *random, uint32_t r, uint32_t n_new, uint32_t n,
                         uint64_t n_rows)
{
    integers in = integers_make(random, r, n, n_rows);
    size_t rows_bytes = n_rows * in.layout.n_padded;
    pci_gpu_tables tables;
    CU_ASSERT_FATAL(pci_gpu_tables_extension(in.context, &in.moduli, r, n_new, &tables) == PC_OK);
    device_block constants = device_copy_of(tables.block, tables.bytes);
    device_block planes = planes_to_fill(&in.layout, n_rows, 3 * n_new);
    pci_gpu_extension *out = host_alloc(n_new * sizeof *out);
    for (uint32_t o = 0; o < n_new; o++) {
        digit_pointers d = digits_at(&planes, rows_bytes, 3 * o);
        out[o] = (pci_gpu_extension){modulus_at(r + o), {d.digit[0], d.digit[1], d.digit[2]}};
    }
    pci_gpu_crt crt = {r, pci_gpu_tables_fraction(constants.at)};
    must(pci_gpu_extend(&in.layout, &crt, pci_gpu_tables_weight(&tables, constants.at),
                        pci_gpu_tables_modulus(&tables, constants.at), residues_of(&in, false),
                        n_rows, n_new, out, NULL),
         "extending");

    int8_t *after = host_alloc(planes.bytes);
    int64_t *values = host_alloc(n_integers(&in) * sizeof *values);
    uint64_t n_wrong = 0;
    device_read(&planes, after);
    for (uint32_t o = 0; o < n_new; o++) {
        for (size_t k = 0; k < n_integers(&in); k++)
            values[k] = (int64_t)mpz_fdiv_ui(in.x[k], in.moduli.m[r + o]);
        n_wrong +=
            n_wrong_residues(&in.layout, n_rows, out[o].to, after + 3 * o * rows_bytes, values);
    }
    if (n_wrong)
        printf("[r %u, %u new, n %u: %lu wrong] ", r, n_new, n, (unsigned long)n_wrong);
    CU_ASSERT(n_wrong == 0);
    device_free(&constants);
    device_free(&planes);
    pci_gpu_tables_free(in.context, &tables);
    integers_free(&in);
    free(out);
    free(after);
    free(values);
}

static void test_extend_narrow(void)
{
    random_source random = {1401};
    need_any_gpu();
    for (uint32_t r = 1; r < PCI_N_NARROW; r += is_small_run() ? 7 : 1)
        check_extend(&random, r, PCI_N_NARROW - r, plane_sizes[r % N_PLANE_SIZES], 1);
    check_extend(&random, 9, 9, 257, 257);
    check_extend(&random, 4, 5, 129, 100);
}

static void test_extend_wide(void)
{
    static const uint32_t extensions[][2] = {{1, 50},  {9, 60},   {48, 20}, {49, 1},
                                             {49, 8},  {49, 17},  {50, 1},  {60, 9},
                                             {130, 3}, {200, 40}, {913, 8}};
    random_source random = {1501};
    need_any_gpu();
    for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        uint32_t r = extensions[i][0];
        check_extend(&random, r, extensions[i][1], r > 800 ? 20 : plane_sizes[i % N_PLANE_SIZES],
                     1);
    }
    check_extend(&random, 49, 11, 129, 5);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* A case is a function without arguments: one of each kind for each kernel. */
#define CASE(NAME, OF_KERNEL, KERNEL)                                                              \
    static void NAME(void)                                                                         \
    {                                                                                              \
        OF_KERNEL(KERNEL);                                                                         \
    }

/* clang-format off */
CASE(test_small_plain, test_small_products, PCI_GPU_PLAIN)
CASE(test_many_plain,  test_many_planes,    PCI_GPU_PLAIN)
CASE(test_raw_plain,   test_raw_products,   PCI_GPU_PLAIN)
CASE(test_small_dp4a,  test_small_products, PCI_GPU_DP4A)
CASE(test_many_dp4a,   test_many_planes,    PCI_GPU_DP4A)
CASE(test_raw_dp4a,    test_raw_products,   PCI_GPU_DP4A)
CASE(test_large_dp4a,  test_large_products, PCI_GPU_DP4A)
CASE(test_small_mma,   test_small_products, PCI_GPU_MMA)
CASE(test_many_mma,    test_many_planes,    PCI_GPU_MMA)
CASE(test_raw_mma,     test_raw_products,   PCI_GPU_MMA)
CASE(test_large_mma,   test_large_products, PCI_GPU_MMA)
CASE(test_small_wgmma, test_small_products, PCI_GPU_WGMMA)
CASE(test_many_wgmma,  test_many_planes,    PCI_GPU_WGMMA)
CASE(test_raw_wgmma,   test_raw_products,   PCI_GPU_WGMMA)
CASE(test_large_wgmma, test_large_products, PCI_GPU_WGMMA)
/* clang-format on */

static const test_case cases[] = {
    {"reduction of every accumulator", test_reduction_of_all},
    {"transposition", test_transpose},
    {"loading a graph", test_load},
    {"splitting words", test_split},
    {"sparse step of residues", test_step_of_residues},
    {"sparse step of a plain plane", test_step_of_plain},
    {"sparse step that stays plain", test_step_stays_plain},
    {"accumulators to residues", test_accumulators},
    {"collecting integers", test_collect},
    {"collecting modulo a number", test_collect_modular},
    {"collecting a plain plane", test_collect_plain},
    {"extension to narrow moduli", test_extend_narrow},
    {"extension to wide moduli", test_extend_wide},
    {"plain products against the definition", test_small_plain},
    {"plain products, many planes", test_many_plain},
    {"plain products, raw", test_raw_plain},
    {"dp4a products against the definition", test_small_dp4a},
    {"dp4a products, many planes", test_many_dp4a},
    {"dp4a products, raw", test_raw_dp4a},
    {"dp4a products, large", test_large_dp4a},
    {"mma products against the definition", test_small_mma},
    {"mma products, many planes", test_many_mma},
    {"mma products, raw", test_raw_mma},
    {"mma products, large", test_large_mma},
    {"wgmma products against the definition", test_small_wgmma},
    {"wgmma products, many planes", test_many_wgmma},
    {"wgmma products, raw", test_raw_wgmma},
    {"wgmma products, large", test_large_wgmma},
    {"wgmma products in pairs of blocks", test_paired_products},
    {NULL, NULL},
};

const test_suite test_gpu_kernels_suite = {"gpu_kernels", cases};
#endif
