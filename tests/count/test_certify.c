/* The certificate: true rows pass, wrong ones do not. */
#include "tests/support/fixture.h"

#include "src/certify/certify.h"
#include "src/cpu/row_ops.h"
#include "src/plan/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2 };

static void check_power(random_source *random, uint64_t n, uint64_t length)
{
    edge_set edges = edge_set_any(random, n);
    pc_context *context = new_context(2);
    pc_graph *graph;
    if (edge_set_load(context, &edges, &graph) != PC_OK) { /* multiplicities beyond a word */
        pc_context_free(context);
        edge_set_free(&edges);
        return;
    }
    pc_counts *counts = new_counts(context, graph, length);
    pci_certificate *certificate;
    pc_rows rows;
    pc_counts_rows(counts, &rows);
    pci_path_operator paths = {.context = context, .graph = graph, .length = length};
    pci_operator map = pci_path_operator_map(&paths);
    MUST(pci_certificate_create(context, &map, 0, ROUNDS, &certificate));
    CU_ASSERT(pci_certificate_check(certificate, &rows) == PC_OK);
    for (int trial = 0; trial < 8; trial++) { /* any one bit of any one word */
        size_t n_words = n * n * rows.n_limbs, at = random_below(random, n_words);
        OWNED(uint64_t) *words = malloc(n_words * sizeof *words);
        CU_ASSERT_FATAL(words != NULL);
        memcpy(words, rows.limbs, n_words * sizeof *words);
        words[at] ^= UINT64_C(1) << random_below(random, 64);
        pc_rows wrong = rows;
        wrong.limbs = words;
        CU_ASSERT(pci_certificate_check(certificate, &wrong) == PC_ERR_CERTIFY);
    }
    pci_certificate_free(certificate);
    pc_counts_free(counts);
    pc_graph_free(graph);
    pc_context_free(context);
    edge_set_free(&edges);
}

TEST("true powers pass, any flipped bit is found")
{
    random_source random = {.state = 41};
    for (int g = 0; g < 60; g++)
        check_power(&random, 1 + random_below(&random, 20), random_below(&random, 30));
}

/* Residues between blocks, or between vertices when each is a block. */
static void check_residues(random_source *random, uint64_t n, uint64_t block_size, uint64_t modulus)
{
    OWNED(edge_set) edges = edge_set_density(random, n, 300, true);
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_partition) *blocks = NULL;
    OWNED(pc_counts) *counts = NULL;
    MUST(pci_partition_consecutive(context, graph, block_size, &blocks));
    const pc_count_options options = {
        .method = PC_METHOD_DENSE, .arithmetic = PC_MODULAR, .modulus = modulus};
    MUST(coarsen(context, graph, blocks, 9, &options, &counts));
    pci_path_operator paths = {
        .context = context, .graph = graph, .partition = blocks, .length = 9};
    pci_operator map = pci_path_operator_map(&paths);
    pci_certificate *certificate = NULL;
    pc_rows rows;
    pc_counts_rows(counts, &rows);
    uint64_t n_words = rows.n_rows * rows.n_columns;
    MUST(pci_certificate_create(context, &map, modulus, 1, &certificate));
    CU_ASSERT(pci_certificate_check(certificate, &rows) == PC_OK);
    for (int trial = 0; trial < 8; trial++) {
        OWNED(uint64_t) *words = malloc(n_words * sizeof *words);
        CU_ASSERT_FATAL(words != NULL);
        memcpy(words, rows.limbs, n_words * sizeof *words);
        uint64_t *word = &words[random_below(random, n_words)];
        *word = (*word + 1 + random_below(random, modulus - 1)) % modulus;
        pc_rows wrong = rows;
        wrong.limbs = words;
        CU_ASSERT(pci_certificate_check(certificate, &wrong) == PC_ERR_CERTIFY);
    }
    pci_certificate_free(certificate);
}

TEST("true residues pass, any other residue is found")
{
    static const uint64_t moduli[] = {2, 6, 1000003, (UINT64_C(1) << 63) - 25};
    random_source random = {.state = 43};
    for (int g = 0; g < 40; g++)
        check_residues(&random, 1 + random_below(&random, 20), 1 + g % 3, moduli[g % 4]);
}

TEST("random words differ and keep their limit")
{
    uint64_t first[64], second[64];
    OWNED(pc_context) *context = new_context(1);
    CU_ASSERT(pci_random_words(context, 64, 1000, first) == PC_OK);
    CU_ASSERT(pci_random_words(context, 64, 1000, second) == PC_OK);
    CU_ASSERT(memcmp(first, second, sizeof first) != 0);
    for (int i = 0; i < 64; i++)
        CU_ASSERT(first[i] < 1000);
}

/* ---- Sums of counts times random numbers ------------------------------------------------------ */

enum { MOST_ENTRIES = 3000, MOST_STRIDE = 5 };

/* sum over i < n of a[i * stride] x_i, by GMP. */
static void sum_by_gmp(size_t n, const uint64_t *a, size_t stride, const pci_digits *x, mpz_t sum)
{
    OWNED(mpz_t) factor;
    mpz_init(factor);
    mpz_set_ui(sum, 0);
    for (size_t i = 0; i < n; i++) {
        mpz_set_ui(factor, x->high[i]);
        mpz_mul_2exp(factor, factor, 64);
        mpz_add_ui(factor, factor, x->low[i]);
        mpz_addmul_ui(sum, factor, a[i * stride]);
    }
}

static bool is_sum(const pci_digit_sum *sum, const mpz_t expected)
{
    OWNED(mpz_t) low, high;
    mpz_inits(low, high, NULL);
    mpz_import(low, 2, -1, 8, 0, 0, &sum->low);
    mpz_import(high, 2, -1, 8, 0, 0, &sum->high);
    mpz_mul_2exp(high, high, 64);
    mpz_add(low, low, high);
    return mpz_cmp(low, expected) == 0;
}

/* One call: neighbouring words of counts of several words, or rows of counts of one word. */
static void check_dots(pci_dot_digits_fn dot, size_t n, const uint64_t *a, size_t stride,
                       const pci_digits *x)
{
    const uint64_t *second = stride == 1 ? a + n / 2 : a + 1;
    pci_digit_sum sums[2];
    OWNED(mpz_t) expected;
    mpz_init(expected);
    dot(n, a, second, stride, x, sums);
    sum_by_gmp(n, a, stride, x, expected);
    CU_ASSERT_TRUE(is_sum(&sums[0], expected));
    sum_by_gmp(n, second, stride, x, expected);
    CU_ASSERT_TRUE(is_sum(&sums[1], expected));
    dot(n, a, a, stride, x, sums);
    CU_ASSERT_TRUE(memcmp(&sums[0], &sums[1], sizeof sums[0]) == 0);
}

static void check_digits(pci_dot_digits_fn dot)
{
    random_source source = {12};
    uint64_t low[MOST_ENTRIES], high[MOST_ENTRIES];
    pci_digits x = {low, high};
    size_t n_words = (size_t)MOST_ENTRIES * MOST_STRIDE;
    OWNED(uint64_t) *a = malloc(n_words * sizeof *a);
    CU_ASSERT_FATAL(a != NULL);
    for (size_t trial = 0; trial < 200; trial++) {
        bool is_largest = trial < MOST_STRIDE;
        size_t stride = 1 + trial % MOST_STRIDE;
        size_t n = is_largest    ? MOST_ENTRIES * 2 / 3
                   : trial < 160 ? trial - MOST_STRIDE
                                 : random_below(&source, MOST_ENTRIES * 2 / 3);
        size_t n_short = trial % 2 ? random_below(&source, 2 * n_words) : 0; /* words first */
        for (size_t i = 0; i < n_words; i++)
            a[i] = is_largest ? UINT64_MAX : random_u64(&source) >> random_below(&source, 64);
        for (size_t i = 0; i < n_words && i < n_short && !is_largest; i++)
            a[i] &= UINT64_MAX >> 12;
        for (size_t i = 0; i < MOST_ENTRIES; i++) {
            low[i] = (is_largest ? UINT64_MAX : random_u64(&source)) & PCI_LOW_DIGITS;
            high[i] = (is_largest ? UINT64_MAX : random_u64(&source)) & PCI_HIGH_DIGIT;
        }
        check_dots(dot, n, a, stride, &x);
    }
}

TEST("sums of counts times random numbers, in each way")
{
    OWNED(pc_context) *context = new_context(1);
    check_digits(pci_row_ops_portable.dot_digits);
    for (int k = 0; kernel_names[k]; k++) {
        if (kernel_is_available(kernel_names[k])) {
            force_kernel(kernel_names[k]);
            check_digits(pci_dot_digits_choose(context));
        }
        force_kernel(NULL);
    }
}

/* A row that is wrong in one entry, of one or several words, is named, also the last of an odd number. */
TEST("the wrong row is named")
{
    enum { N = 9 };
    random_source source = {14};
    for (uint32_t n_limbs = 1; n_limbs <= 5; n_limbs++)
        for (uint64_t wrong = 0; wrong < N; wrong++) {
            OWNED(edge_set) edges = edge_set_density(&source, N, 500, false);
            OWNED(pc_context) *context = new_context(1);
            OWNED(pc_graph) *graph = new_graph(context, &edges);
            pci_path_operator paths = {.context = context, .graph = graph, .length = 0};
            pci_operator map = pci_path_operator_map(&paths);
            pci_certificate *certificate = NULL;
            uint64_t words[N * N * 5] = {0};
            pc_rows rows = {.n_rows = N, .n_columns = N, .n_limbs = n_limbs, .limbs = words};
            for (uint64_t i = 0; i < N; i++)
                words[(i * N + i) * n_limbs] = 1;
            MUST(pci_certificate_create(context, &map, 0, 1 + (int)(wrong % 3), &certificate));
            CU_ASSERT(pci_certificate_check(certificate, &rows) == PC_OK);
            words[(wrong * N + random_below(&source, N)) * n_limbs + n_limbs - 1] ^= 1 << 9;
            char row[32];
            snprintf(row, sizeof row, "row %d ", (int)wrong);
            CU_ASSERT(is_refused(context, pci_certificate_check(certificate, &rows), PC_ERR_CERTIFY,
                                 row));
            pci_certificate_free(certificate);
        }
}

/* x and x + M pass the same dot products modulo M: only their size tells them apart. */
TEST("residues that are not reduced are found")
{
    enum { N = 300 };
    const uint64_t modulus = 1000003;
    OWNED(pc_context) *context = new_context(2);
    OWNED(uint64_t) *words = malloc((size_t)N * N * sizeof *words);
    CU_ASSERT_FATAL(words != NULL);
    for (size_t e = 0; e < (size_t)N * N; e++)
        words[e] = modulus - 1 - e % modulus;
    pc_rows rows = {.first_row = 7, .n_rows = N, .n_columns = N, .n_limbs = 1, .limbs = words};
    CU_ASSERT(pci_check_reduced(context, modulus, &rows) == PC_OK);
    for (size_t e = 0; e < (size_t)N * N; e += N * N / 10 - 1) {
        words[e] += modulus;
        CU_ASSERT(pci_check_reduced(context, modulus, &rows) == PC_ERR_CERTIFY);
        words[e] -= modulus;
    }
    words[(size_t)N * N - 1] = modulus;
    CU_ASSERT(is_refused(context, pci_check_reduced(context, modulus, &rows), PC_ERR_CERTIFY,
                         "row 306 "));
    CU_ASSERT(pci_check_reduced(context, 0, &rows) == PC_OK); /* counts that are no residues */
}

TEST("random primes are prime, of 61 bits, and differ")
{
    OWNED(pc_context) *context = NULL;
    MUST(pc_context_create(&context));
    uint64_t last = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t prime;
        mpz_t number;
        MUST(pci_random_prime(context, &prime));
        mpz_init_set_ui(number, prime);
        CU_ASSERT_TRUE(mpz_probab_prime_p(number, 40));
        mpz_clear(number);
        CU_ASSERT_EQUAL(prime >> 60, 1);
        CU_ASSERT_NOT_EQUAL(prime, last);
        last = prime;
    }
}

/* Rounds of a question: the probability that all primes divide a wrong count is below 2^-81. */
TEST("rounds for very wide counts")
{
    static const uint64_t lengths[] = {
        1, 1000, 100000, 149000, 200000, 1000000, UINT64_C(1) << 30, UINT64_MAX};
    static const int expected[] = {2, 2, 2, 2, 3, 3, 3, 64};
    OWNED(pc_context) *context = new_context(1);
    OWNED(edge_set) edges = edge_set_constant(17, 1); /* with loops: rows sum up to 17 */
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        pci_question question;
        pc_query query = {.kind = PC_QUERY_TOTAL, .length = lengths[i]};
        MUST(pci_question_make(context, graph, &query, NULL, &question));
        int n_rounds = question.options.n_certify_rounds;
        CU_ASSERT_EQUAL(n_rounds, expected[i]);
        double primes = (double)lengths[i] * log2(17) / 60;
        if (n_rounds < 64)
            CU_ASSERT(n_rounds * (log2(primes + 1) - 54) < -81);
        MUST(pci_question_make(context, graph, &query, &(pc_count_options){.n_certify_rounds = 1},
                               &question));
        CU_ASSERT_EQUAL(question.options.n_certify_rounds, 1); /* as asked for */
    }
}
