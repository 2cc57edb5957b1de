/* The tuned modular squaring, each kernel, against the plain products. */
#include "tests/suite.h"

#include "src/cpu/plain.h"
#include "src/cpu/product.h"
#include "tests/compare.h"

#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 257, 300};
enum { N_SIZES = sizeof sizes / sizeof *sizes, WIDE_PRIME = 16381, PATTERN = 0x5b };

typedef struct operands {
    pc_context *context;
    pci_layout layout;
    int8_t *plane;  /* three digits */
    int8_t *result; /* three digits */
} operands;

static operands operands_open(size_t n, int n_threads)
{
    operands o = {.context = new_context(n_threads), .layout = pci_layout_of(n)};
    o.plane = pci_alloc_zero(o.context, 3, o.layout.digit_bytes);
    o.result = pci_alloc_zero(o.context, 3, o.layout.digit_bytes);
    CU_ASSERT_FATAL(o.plane != NULL && o.result != NULL);
    return o;
}

static void operands_close(operands *o)
{
    pci_free(o->context, o->plane);
    pci_free(o->context, o->result);
    pc_context_free(o->context);
}

/* Poison where results go; the padding must be as it was, zero. */
static void poison(operands *o)
{
    for (size_t d = 0; d < 3; d++)
        for (size_t i = 0; i < o->layout.n; i++)
            memset(o->result + d * o->layout.digit_bytes + i * o->layout.stride, PATTERN,
                   o->layout.n);
}

/* Full-range entries: from -limit to limit - 1, one matrix in four of the least one only. */
static void fill(operands *o, random_source *random, int limit, bool symmetric)
{
    size_t n = o->layout.n, stride = o->layout.stride;
    bool extreme = random_below(random, 4) == 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int value = extreme ? -limit : (int)random_below(random, 2 * (uint64_t)limit) - limit;
            o->plane[i * stride + j] =
                symmetric && j < i ? o->plane[j * stride + i] : (int8_t)value;
        }
}

static uint64_t n_in_padding(const operands *o)
{
    uint64_t n = 0;
    for (size_t i = 0; i < o->layout.n_rows; i++)
        for (size_t j = 0; j < o->layout.stride; j++)
            if (i >= o->layout.n || j >= o->layout.n)
                n += o->result[i * o->layout.stride + j] != 0;
    return n;
}

static uint64_t n_differing(const operands *o, const int8_t *expected, int m)
{
    uint64_t n = 0;
    for (size_t i = 0; i < o->layout.n; i++)
        for (size_t j = 0; j < o->layout.n; j++) {
            size_t at = i * o->layout.stride + j;
            n += (o->result[at] - expected[at]) % m != 0;
        }
    return n;
}

static pc_status square(operands *o, const pci_kernel *kernel, int n_threads, bool symmetric,
                        uint32_t n_digits, pci_output output)
{
    pci_square_settings settings = {kernel, n_threads, symmetric};
    pci_square_job job = {o->plane, n_digits, 1, &output};
    pci_workspace workspace = {0};
    poison(o);
    pc_status status = pci_square_planes(o->context, &o->layout, &settings, 1, &job, &workspace);
    pci_workspace_free(o->context, &workspace);
    return status;
}

static void check_narrow(const pci_kernel *kernel, size_t n, uint32_t m, int n_threads,
                         random_source *random)
{
    operands o = operands_open(n, n_threads);
    int8_t *expected = calloc(1, o.layout.digit_bytes);
    CU_ASSERT_FATAL(expected != NULL);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        pci_output output = {m, false, o.result};
        fill(&o, random, m / 2 < 128 ? (int)(m / 2) : 128, symmetric);
        pci_plain_ijk(n, o.layout.stride, o.plane, o.plane, m, expected);
        CU_ASSERT(square(&o, kernel, n_threads, symmetric, 1, output) == PC_OK);
        CU_ASSERT(n_differing(&o, expected, (int)m) == 0);
        CU_ASSERT(n_in_padding(&o) == 0);
    }
    free(expected);
    operands_close(&o);
}

/* high * 2^7 + low, from the digits at e. */
static int64_t wide_value(const operands *o, const int8_t *digits, size_t e)
{
    return 128 * digits[e] + digits[e + o->layout.digit_bytes];
}

static void fill_wide(operands *o, random_source *random, bool symmetric)
{
    size_t digit_bytes = o->layout.digit_bytes;
    for (size_t i = 0; i < o->layout.n; i++)
        for (size_t j = symmetric ? i : 0; j < o->layout.n; j++) {
            int value = (int)random_below(random, WIDE_PRIME) - WIDE_PRIME / 2;
            int high = (value + 64) >> 7, low = value - 128 * high;
            for (int mirrored = 0; mirrored <= symmetric; mirrored++) {
                size_t e = mirrored ? j * o->layout.stride + i : i * o->layout.stride + j;
                o->plane[e] = (int8_t)high;
                o->plane[e + digit_bytes] = (int8_t)low;
                o->plane[e + 2 * digit_bytes] = (int8_t)(high + low);
            }
        }
}

static uint64_t n_wrong_wide(const operands *o)
{
    uint64_t wrong = 0;
    size_t n = o->layout.n, stride = o->layout.stride;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int64_t sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += wide_value(o, o->plane, i * stride + k) *
                       wide_value(o, o->plane, k * stride + j);
            size_t e = i * stride + j, digit_bytes = o->layout.digit_bytes;
            wrong += (sum - wide_value(o, o->result, e)) % WIDE_PRIME != 0;
            wrong += o->result[e + 2 * digit_bytes] != o->result[e] + o->result[e + digit_bytes];
        }
    return wrong;
}

static void check_wide(const pci_kernel *kernel, size_t n, int n_threads, random_source *random)
{
    operands o = operands_open(n, n_threads);
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        pci_output output = {WIDE_PRIME, true, o.result};
        fill_wide(&o, random, symmetric);
        CU_ASSERT(square(&o, kernel, n_threads, symmetric, 3, output) == PC_OK);
        CU_ASSERT(n_wrong_wide(&o) == 0);
        CU_ASSERT(n_in_padding(&o) == 0);
    }
    operands_close(&o);
}

static void test_kernel(const char *name)
{
    const pci_kernel *kernel;
    random_source random = {.state = 21};
    pc_context *context = new_context(1);
    force_kernel(name);
    pc_status status = pci_kernel_select(context, &kernel);
    force_kernel(NULL);
    pc_context_free(context);
    if (status != PC_OK)
        test_skip("this machine or build does not have it");
    CU_ASSERT_STRING_EQUAL(kernel->name, name);
    for (size_t s = 0; s < N_SIZES; s++) {
        int n_threads = 1 << (s % 3);
        check_narrow(kernel, sizes[s], 256, n_threads, &random);
        check_narrow(kernel, sizes[s], 255, n_threads, &random);
        check_narrow(kernel, sizes[s], 37, n_threads, &random);
        check_wide(kernel, sizes[s], n_threads, &random);
    }
    check_narrow(kernel, 600, 251, 4, &random); /* more than one block of depth */
}

static void test_portable(void)
{
    test_kernel("portable");
}

static void test_avx2(void)
{
    test_kernel("avx2");
}

static void test_avxvnni(void)
{
    test_kernel("avxvnni");
}

static void test_avx512vnni(void)
{
    test_kernel("avx512vnni");
}

static void test_amx(void)
{
    test_kernel("amx");
}

/* One product of small entries gives residues modulo several numbers, and the entries themselves. */
static void test_outputs(void)
{
    random_source random = {.state = 22};
    operands o = operands_open(70, 2);
    int8_t *planes = pci_alloc_zero(o.context, 3, o.layout.digit_bytes);
    int8_t *expected = calloc(1, o.layout.digit_bytes);
    CU_ASSERT_FATAL(planes != NULL && expected != NULL);
    fill(&o, &random, 1, false); /* -1 and 0: sums up to 70 */
    pci_output outputs[3] = {{0, false, planes},
                             {199, false, planes + o.layout.digit_bytes},
                             {29, false, planes + 2 * o.layout.digit_bytes}};
    pci_square_settings settings = {&pci_kernel_portable, 2, false};
    pci_square_job job = {o.plane, 1, 3, outputs};
    pci_workspace workspace = {0};
    CU_ASSERT(pci_square_planes(o.context, &o.layout, &settings, 1, &job, &workspace) == PC_OK);
    pci_workspace_free(o.context, &workspace);
    pci_plain_ijk(70, o.layout.stride, o.plane, o.plane, 255, expected); /* exact: below 127 */
    for (int p = 0; p < 3; p++) {
        memcpy(o.result, outputs[p].plane, o.layout.digit_bytes);
        CU_ASSERT(n_differing(&o, expected, p ? (int)outputs[p].modulus : 1 << 20) == 0);
    }
    free(expected);
    pci_free(o.context, planes);
    operands_close(&o);
}

/* The three plain products agree with each other. */
static void test_plain_twins(void)
{
    random_source random = {.state = 23};
    for (size_t s = 0; s < N_SIZES; s++) {
        operands o = operands_open(sizes[s], 1);
        fill(&o, &random, 128, false);
        int8_t *expected = calloc(1, o.layout.digit_bytes);
        CU_ASSERT_FATAL(expected != NULL);
        pci_plain_ijk(sizes[s], o.layout.stride, o.plane, o.plane, 241, expected);
        pci_plain_ikj(sizes[s], o.layout.stride, o.plane, o.plane, 241, o.result);
        CU_ASSERT(n_differing(&o, expected, 1 << 20) == 0);
        poison(&o);
        pci_plain_ikj_parallel(sizes[s], o.layout.stride, o.plane, o.plane, 241, 4, o.result);
        CU_ASSERT(n_differing(&o, expected, 1 << 20) == 0);
        free(expected);
        operands_close(&o);
    }
}

/* Every accumulator value that matters near the edges, and many in between, for every modulus. */
static void test_reduction(void)
{
    enum { N = 4096 };
    random_source random = {.state = 24};
    pci_moduli moduli;
    const pci_row_ops *sets[] = {
        &pci_row_ops_portable,
#ifdef PCI_HAVE_AVX2
        __builtin_cpu_supports("avx2") ? &pci_row_ops_avx2 : NULL,
#endif
#ifdef PCI_HAVE_AVX512
        __builtin_cpu_supports("avx512bw") ? &pci_row_ops_avx512 : NULL,
#endif
    };
    static int32_t acc[N];
    static int8_t out[N];
    pci_moduli_fill(&moduli);
    for (uint32_t i = 0; i < PCI_N_NARROW; i++) {
        int64_t m = moduli.m[i];
        for (int64_t e = 0; e < N; e++) /* ends of the range, around zero, around halves of m */
            acc[e] = e < 1000   ? (int32_t)(INT32_MAX - e)
                     : e < 2000 ? (int32_t)(INT32_MIN + e - 1000)
                     : e < 3000 ? (int32_t)(e - 2500)
                     : e < 3500 ? (int32_t)((e - 3250) * 8000000 / m * m + m / 2 + e % 2)
                                : (int32_t)random_u64(&random);
        for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
            int wrong = 0;
            if (!sets[s])
                continue;
            sets[s]->reduce(N, acc, (uint32_t)m, out);
            for (int e = 0; e < N; e++)
                wrong += (acc[e] - (int64_t)out[e]) % m != 0 || out[e] > m / 2 + 1 ||
                         out[e] < -m / 2 - 1;
            CU_ASSERT(wrong == 0);
        }
    }
}

static const test_case cases[] = {
    {"plain products agree", test_plain_twins},
    {"accumulators reduce to residues", test_reduction},
    {"portable kernel against the plain product", test_portable},
    {"avx2 kernel against the plain product", test_avx2},
    {"avxvnni kernel against the plain product", test_avxvnni},
    {"avx512vnni kernel against the plain product", test_avx512vnni},
    {"amx kernel against the plain product", test_amx},
    {"one product, several outputs", test_outputs},
    {NULL, NULL},
};

const test_suite test_kernels_suite = {"kernels", cases};
