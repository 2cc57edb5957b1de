/* The tuned modular squaring, each kernel, against the plain products. */
#include "tests/support/fixture.h"

#include "src/cpu/product.h"

#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 257, 300};
enum { N_SIZES = sizeof sizes / sizeof *sizes, WIDE_PRIME = 16381, PATTERN = 0x5b };

typedef struct operands {
    pc_context *context;
    pci_layout layout;
    int8_t *plane;  /* three digits */
    int8_t *right;  /* one digit, another matrix */
    int8_t *result; /* three digits */
} operands;

static operands operands_open(size_t n, int n_threads)
{
    operands o = {.context = new_context(n_threads), .layout = pci_layout_of(n)};
    o.plane = pci_alloc_zero(o.context, 3, o.layout.digit_bytes);
    o.right = pci_alloc_zero(o.context, 1, o.layout.digit_bytes);
    o.result = pci_alloc_zero(o.context, 3, o.layout.digit_bytes);
    CU_ASSERT_FATAL(o.plane != NULL && o.right != NULL && o.result != NULL);
    return o;
}

static void operands_close(operands *o)
{
    pci_free(o->context, o->plane);
    pci_free(o->context, o->right);
    pci_free(o->context, o->result);
    pc_context_free(o->context);
}

/* c = a * b mod m, centred, by the definition. */
static void plain_product(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m,
                          int8_t *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int32_t sum = 0, modulus = (int32_t)m;
            for (size_t k = 0; k < n; k++)
                sum += a[i * stride + k] * b[k * stride + j];
            sum %= modulus;
            sum -= 2 * sum >= modulus ? modulus : 0;
            c[i * stride + j] = (int8_t)(sum + (2 * sum < -modulus ? modulus : 0));
        }
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

static pc_status multiply(operands *o, const int8_t *right, const pci_kernel *kernel, int n_threads,
                          bool symmetric, uint32_t n_digits, pci_output output)
{
    pci_product product = pci_plane_product(kernel, n_threads, symmetric, &o->layout);
    pci_product_job job = {o->plane, right, n_digits, 1, &output, NULL};
    pci_workspace workspace = {0};
    poison(o);
    pc_status status = pci_multiply(o->context, &product, 1, &job, &workspace);
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
        plain_product(n, o.layout.stride, o.plane, o.plane, m, expected);
        CU_ASSERT(multiply(&o, o.plane, kernel, n_threads, symmetric, 1, output) == PC_OK);
        CU_ASSERT(n_differing(&o, expected, (int)m) == 0);
        CU_ASSERT(n_in_padding(&o) == 0);
    }
    pci_output output = {m, false, o.result};
    memcpy(o.right, o.plane, o.layout.digit_bytes);
    fill(&o, random, m / 2 < 128 ? (int)(m / 2) : 128, false);
    plain_product(n, o.layout.stride, o.plane, o.right, m, expected);
    CU_ASSERT(multiply(&o, o.right, kernel, n_threads, false, 1, output) == PC_OK);
    CU_ASSERT(n_differing(&o, expected, (int)m) == 0);
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
        CU_ASSERT(multiply(&o, o.plane, kernel, n_threads, symmetric, 3, output) == PC_OK);
        CU_ASSERT(n_wrong_wide(&o) == 0);
        CU_ASSERT(n_in_padding(&o) == 0);
    }
    operands_close(&o);
}

static void fill_least(operands *o)
{
    for (size_t i = 0; i < o->layout.n; i++)
        for (int d = 0; d < 3; d++)
            memset(o->plane + (size_t)d * o->layout.digit_bytes + i * o->layout.stride,
                   d == 0   ? -64
                   : d == 1 ? -64
                            : -128,
                   o->layout.n);
}

static int64_t value_of(const operands *o, uint32_t n_digits, size_t e)
{
    return n_digits == 1 ? o->plane[e] : wide_value(o, o->plane, e);
}

/* Integers that are not where they belong; the words around them must be as they were. */
static uint64_t n_wrong_integers(const operands *o, uint32_t n_digits, const uint64_t *words)
{
    size_t n = o->layout.n, stride = o->layout.stride;
    uint64_t wrong = (words[0] != PATTERN) + (words[1 + n * n] != PATTERN);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int64_t sum = 0;
            for (size_t k = 0; k < n; k++)
                sum +=
                    value_of(o, n_digits, i * stride + k) * value_of(o, n_digits, k * stride + j);
            wrong += words[1 + i * n + j] != (uint64_t)sum;
        }
    return wrong;
}

static void check_words(const pci_kernel *kernel, size_t n, int n_threads, random_source *random)
{
    operands o = operands_open(n, n_threads);
    uint64_t *words = malloc((n * n + 2) * sizeof *words);
    CU_ASSERT_FATAL(words != NULL);
    for (int kind = 0; kind < 6; kind++) {
        bool symmetric = kind % 2;
        uint32_t n_digits = kind < 2 ? 1 : 3;
        if (kind < 2)
            fill(&o, random, 128, symmetric);
        else if (kind < 4)
            fill_wide(&o, random, symmetric);
        else
            fill_least(&o);
        for (size_t e = 0; e < n * n + 2; e++)
            words[e] = PATTERN;
        pci_product product = pci_plane_product(kernel, n_threads, symmetric, &o.layout);
        pci_product_job job = {
            .left = o.plane, .right = o.plane, .n_digits = n_digits, .words = words + 1};
        pci_workspace workspace = {0};
        CU_ASSERT(pci_multiply(o.context, &product, 1, &job, &workspace) == PC_OK);
        pci_workspace_free(o.context, &workspace);
        CU_ASSERT(n_wrong_integers(&o, n_digits, words) == 0);
    }
    free(words);
    operands_close(&o);
}

/* A kernel's block alone, of the deepest product. Extremes: all of the left operand are the least residue,
 * and of the right one least and largest in turn, so that sums reach both ends of their range. */
enum { DEEPEST = PCI_MAX_DENSE_VERTICES + 1, MOST_ROWS = PCI_ROW_GROUP };

typedef struct block {
    pci_factors factors;
    int32_t start[MOST_ROWS];
    int8_t *left;                           /* [MOST_ROWS][DEEPEST] */
    uint8_t *right;                         /* [DEEPEST / 4][PCI_PANEL][4] */
    int64_t expected[MOST_ROWS][PCI_PANEL]; /* sums */
} block;

static int block_entry(random_source *random, bool extreme, size_t number)
{
    return !extreme ? (int)random_below(random, 256) - 128 : number % 2 ? 127 : -128;
}

static void fill_block(block *b, size_t n_rows, bool extreme, random_source *random)
{
    int64_t bias[MOST_ROWS] = {0};
    memset(b->expected, 0, sizeof b->expected);
    for (size_t k = 0; k < b->factors.depth; k++) {
        bool is_padding = k >= PCI_MAX_DENSE_VERTICES;
        int right[PCI_PANEL];
        for (size_t j = 0; j < PCI_PANEL; j++) {
            right[j] = is_padding ? 0 : block_entry(random, extreme, j);
            b->right[k / 4 * 4 * PCI_PANEL + 4 * j + k % 4] = (uint8_t)(right[j] + PCI_PACK_BIAS);
        }
        for (size_t i = 0; i < n_rows; i++) {
            int value = is_padding ? 0 : block_entry(random, extreme, 0);
            b->left[i * b->factors.left_stride + k] = (int8_t)value;
            bias[i] += PCI_PACK_BIAS * value;
            for (size_t j = 0; j < PCI_PANEL; j++)
                b->expected[i][j] += value * right[j];
        }
    }
    for (size_t i = 0; i < n_rows; i++)
        b->start[i] = (int32_t)(uint32_t)-bias[i];
}

/* Residues modulo every number, two outputs at a time; what lies beside them stays. */
static void check_residues(const pci_kernel *kernel, const block *b)
{
    enum { STRIDE = 2 * PCI_PANEL };
    int64_t wrong = 0;
    for (int m = 256; m > 1; m--) {
        _Alignas(PCI_LINE_BYTES) int8_t out[2][MOST_ROWS * STRIDE];
        pci_output outputs[2] = {{(uint32_t)m, false, out[0]},
                                 {257 - (uint32_t)m / 2, false, out[1]}};
        memset(out, PATTERN, sizeof out);
        kernel->multiply_modulo(&b->factors, 2, outputs, PCI_PANEL, STRIDE);
        for (size_t i = 0; i < kernel->n_rows; i++)
            for (size_t j = 0; j < PCI_PANEL; j++)
                for (int o = 0; o < 2; o++) {
                    int64_t modulus = outputs[o].modulus;
                    int64_t residue = out[o][i * STRIDE + PCI_PANEL + j];
                    wrong += (b->expected[i][j] - residue) % modulus != 0;
                    wrong += 2 * residue > modulus || 2 * residue < -modulus;
                    wrong += out[o][i * STRIDE + j] != PATTERN;
                }
    }
    CU_ASSERT(wrong == 0);
}

static void check_blocks(const pci_kernel *kernel, random_source *random)
{
    static const size_t depths[] = {64, 128, 576, 4096, DEEPEST};
    pc_context *context = new_context(1);
    block b = {.left = pci_alloc_zero(context, MOST_ROWS, DEEPEST + PCI_LINE_BYTES),
               .right = pci_alloc_zero(context, PCI_PANEL, DEEPEST)};
    CU_ASSERT_FATAL(b.left != NULL && b.right != NULL);
    if (kernel->enter)
        kernel->enter(); /* AMX has no tiles before */
    for (int kind = 0; kind < 10; kind++) {
        _Alignas(PCI_LINE_BYTES) int32_t sums[MOST_ROWS][PCI_PANEL];
        int wrong = 0;
        size_t depth = depths[kind / 2], stride = depth + PCI_LINE_BYTES;
        b.factors = (pci_factors){depth, b.left, stride, b.right, b.start, b.left};
        fill_block(&b, kernel->n_rows, kind % 2, random);
        kernel->multiply(&b.factors, sums[0]);
        for (size_t i = 0; i < kernel->n_rows; i++)
            for (size_t j = 0; j < PCI_PANEL; j++)
                wrong += sums[i][j] != b.expected[i][j];
        CU_ASSERT(wrong == 0);
        if (kernel->multiply_modulo)
            check_residues(kernel, &b);
    }
    if (kernel->leave)
        kernel->leave();
    pci_free(context, b.left);
    pci_free(context, b.right);
    pc_context_free(context);
}

/* One product of small entries gives residues modulo several numbers, of which first may be 0: the
 * entries themselves. */
static void check_outputs(const pci_kernel *kernel, uint32_t first)
{
    enum { N = 70 };
    random_source random = {.state = 22};
    operands o = operands_open(N, 2);
    int8_t *planes = pci_alloc_zero(o.context, 3, o.layout.digit_bytes);
    int8_t *expected = calloc(1, o.layout.digit_bytes);
    CU_ASSERT_FATAL(planes != NULL && expected != NULL);
    fill(&o, &random, 1, false); /* -1 and 0: sums up to 70 */
    pci_output outputs[3] = {{first, false, planes},
                             {199, false, planes + o.layout.digit_bytes},
                             {29, false, planes + 2 * o.layout.digit_bytes}};
    pci_product product = pci_plane_product(kernel, 2, false, &o.layout);
    pci_product_job job = {o.plane, o.plane, 1, 3, outputs, NULL};
    pci_workspace workspace = {0};
    CU_ASSERT(pci_multiply(o.context, &product, 1, &job, &workspace) == PC_OK);
    pci_workspace_free(o.context, &workspace);
    plain_product(N, o.layout.stride, o.plane, o.plane, 255, expected); /* exact: below 127 */
    for (int p = 0; p < 3; p++) {
        uint32_t m = outputs[p].modulus;
        memcpy(o.result, outputs[p].plane, o.layout.digit_bytes);
        CU_ASSERT(n_differing(&o, expected, m ? (int)m : 1 << 20) == 0);
        CU_ASSERT(n_in_padding(&o) == 0);
    }
    free(expected);
    pci_free(o.context, planes);
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
        check_words(kernel, sizes[s], n_threads, &random);
    }
    check_narrow(kernel, 600, 251, 4, &random);  /* more than one slice of depth */
    check_narrow(kernel, 600, 253, 32, &random); /* rows in parts */
    check_outputs(kernel, 0);
    check_outputs(kernel, 251);
    check_blocks(kernel, &random);
}

#define OF_KERNEL(NAME)                                                                            \
    TEST(NAME " kernel against the plain product")                                                 \
    {                                                                                              \
        test_kernel(NAME);                                                                         \
    }

/* clang-format off */
OF_KERNEL("portable")
OF_KERNEL("avx2")
OF_KERNEL("avxvnni")
OF_KERNEL("avx512vnni")
OF_KERNEL("amx")
/* clang-format on */

/* A workspace serves planes of one size after another. */
TEST("one workspace, several sizes")
{
    static const size_t n_planes[] = {129, 33, 200};
    random_source random = {.state = 27};
    OWNED(pc_context) *context = new_context(2);
    pci_workspace workspace = {0};
    for (int i = 0; i < 3; i++) {
        operands o = operands_open(n_planes[i], 2);
        pci_output output = {251, false, o.result};
        pci_product product = pci_plane_product(&pci_kernel_portable, 2, false, &o.layout);
        pci_product_job job = {o.plane, o.plane, 1, 1, &output, NULL};
        int8_t *expected = calloc(1, o.layout.digit_bytes);
        CU_ASSERT_FATAL(expected != NULL);
        fill(&o, &random, 125, false);
        plain_product(n_planes[i], o.layout.stride, o.plane, o.plane, 251, expected);
        CU_ASSERT(pci_multiply(context, &product, 1, &job, &workspace) == PC_OK);
        CU_ASSERT(n_differing(&o, expected, 251) == 0);
        free(expected);
        operands_close(&o);
    }
    pci_workspace_free(context, &workspace);
}

enum { N_ROW_SETS = 3 };

/* The row operations that this machine runs, NULL for the others. */
static void find_row_sets(const pci_row_ops *sets[N_ROW_SETS])
{
    memset(sets, 0, N_ROW_SETS * sizeof *sets);
    sets[0] = &pci_row_ops_portable;
#ifdef PCI_HAVE_AVX2
    sets[1] = __builtin_cpu_supports("avx2") ? &pci_row_ops_avx2 : NULL;
#endif
#ifdef PCI_HAVE_AVX512
    sets[2] = __builtin_cpu_supports("avx512vnni") ? &pci_row_ops_avx512 : NULL;
#endif
}

/* Every accumulator value that matters near the edges, and many in between, for every modulus. */
TEST("accumulators reduce to residues")
{
    enum { N = 4096 };
    random_source random = {.state = 24};
    pci_moduli moduli;
    const pci_row_ops *sets[N_ROW_SETS];
    find_row_sets(sets);
    static int32_t acc[N];
    static int8_t out[N];
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    for (uint32_t i = 0; i < PCI_N_NARROW; i++) {
        int64_t m = moduli.m[i];
        for (int64_t e = 0; e < N; e++) /* ends of the range, around zero, around halves of m */
            acc[e] = e < 1000   ? (int32_t)(INT32_MAX - e)
                     : e < 2000 ? (int32_t)(INT32_MIN + e - 1000)
                     : e < 3000 ? (int32_t)(e - 2500)
                     : e < 3500 ? (int32_t)((e - 3250) * 8000000 / m * m + m / 2 + e % 2)
                                : (int32_t)random_u64(&random);
        for (size_t s = 0; s < N_ROW_SETS; s++) {
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
