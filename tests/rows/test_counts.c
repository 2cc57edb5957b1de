/* The result handle and its readers, on counts made up by the test. */
#include "tests/support/random_counts.h"

#include "src/rows/counts.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/guarded_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 8192 };

/* Each reader of entry (i, j) against the integer that the test makes of its words. */
static void check_entry(const count_case *made, uint64_t i, uint64_t j)
{
    pc_rows rows = count_case_rows(made, 0, counts_n_rows(made->counts));
    uint64_t e = i * rows.n_columns + j, word = 99;
    char text[MOST_TEXT];
    size_t length = 0;
    double nearest = -1;
    OWNED(mpz_t) expected, value;
    mpz_inits(expected, value, NULL);
    entry_mpz(&rows, e, expected);
    OWNED(char) *expected_text = mpz_get_str(NULL, 10, expected);

    CU_ASSERT_EQUAL(counts_text(made->counts, i, j, text, sizeof text, &length), PC_OK);
    CU_ASSERT_STRING_EQUAL(text, expected_text);
    CU_ASSERT_EQUAL(length, strlen(expected_text));
    CU_ASSERT_EQUAL(pc_rows_text(&rows, e, text, sizeof text, NULL), PC_OK);
    CU_ASSERT_STRING_EQUAL(text, expected_text);
    CU_ASSERT_EQUAL(counts_double(made->counts, i, j, &nearest), PC_OK);
    CU_ASSERT_EQUAL(nearest, strtod(expected_text, NULL));
    CU_ASSERT_EQUAL(counts_mpz(made->counts, i, j, value), PC_OK);
    CU_ASSERT_EQUAL(mpz_cmp(value, expected), 0);
    bool fits = mpz_fits_ulong_p(expected);
    CU_ASSERT_EQUAL(pc_counts_u64(made->counts, i, j, &word), fits ? PC_OK : PC_ERR_RANGE);
    CU_ASSERT_EQUAL(word, fits ? mpz_get_ui(expected) : 99);
}

TEST("readers agree at 1 to 200 words")
{
    static const uint32_t widths[] = {1, 2, 3, 7, 24, 25, 60, 200};
    random_source source = {11};
    OWNED(pc_context) *context = new_context(0);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        OWNED(count_case) made = count_case_make(context, &source, 9, widths[w], true, ENTRIES_ANY);
        CU_ASSERT_EQUAL(counts_n_rows(made.counts), 9);
        CU_ASSERT_EQUAL(counts_n_columns(made.counts), 9);
        for (uint64_t i = 0; i < 9; i++)
            for (uint64_t j = 0; j < 9; j++)
                check_entry(&made, i, j);
    }
}

/* A buffer of any size: nothing is written past it, and the length needed is told. */
static void check_small_buffers(const pc_counts *counts, const char *expected)
{
    char text[MOST_TEXT];
    size_t length = 0, expected_length = strlen(expected);
    CU_ASSERT_EQUAL(counts_text(counts, 0, 0, NULL, 0, &length), PC_ERR_RANGE);
    CU_ASSERT_EQUAL(length, expected_length);
    for (size_t size = 1; size <= expected_length + 2; size++) {
        bool fits = size > expected_length;
        memset(text, '!', sizeof text);
        length = 0;
        CU_ASSERT_EQUAL(counts_text(counts, 0, 0, text, size, &length),
                        fits ? PC_OK : PC_ERR_RANGE);
        CU_ASSERT_EQUAL(length, expected_length);
        CU_ASSERT_EQUAL(text[size], '!');
        CU_ASSERT_EQUAL(strncmp(text, fits ? expected : "!", fits ? size : 1), 0);
    }
}

TEST("text in buffers of any size")
{
    static const uint32_t widths[] = {1, 2, 20, 60};
    OWNED(pc_context) *context = new_context(0);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        OWNED(pc_counts) *counts = NULL;
        uint32_t n_limbs = widths[w];
        MUST(pci_counts_create(context, 1, 1, n_limbs, &counts));
        memset(counts->limbs, 0xff, n_limbs * sizeof *counts->limbs);
        OWNED(mpz_t) value;
        mpz_init(value);
        mpz_setbit(value, 64 * n_limbs);
        mpz_sub_ui(value, value, 1);
        OWNED(char) *expected = mpz_get_str(NULL, 10, value);
        check_small_buffers(counts, expected);
    }
}

/* A program that gives GMP its own memory gets back all of it, with the size that it gave. */
static size_t n_live_of_gmp;

static void *give_to_gmp(size_t bytes)
{
    n_live_of_gmp++;
    return guarded_allocate(bytes);
}

static void take_from_gmp(void *memory, size_t bytes)
{
    CU_ASSERT_EQUAL(guarded_bytes(memory), bytes);
    n_live_of_gmp--;
    guarded_release(memory);
}

TEST("text leaves nothing in GMP's memory")
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_counts) *counts = NULL;
    MUST(pci_counts_create(context, 1, 1, 200, &counts));
    memset(counts->limbs, 0xff, 200 * sizeof *counts->limbs);
    void *(*allocate)(size_t);
    void *(*reallocate)(void *, size_t, size_t);
    void (*release)(void *, size_t);
    mp_get_memory_functions(&allocate, &reallocate, &release);
    char *text = malloc(MOST_TEXT);
    mp_set_memory_functions(give_to_gmp, NULL, take_from_gmp);
    for (size_t size = 0; size <= MOST_TEXT; size += MOST_TEXT / 4)
        counts_text(counts, 0, 0, size ? text : NULL, size, NULL);
    mp_set_memory_functions(allocate, reallocate, release);
    CU_ASSERT_EQUAL(n_live_of_gmp, 0);
    free(text);
}

TEST("doubles with an exponent")
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_counts) *counts = NULL;
    MUST(pci_counts_create(context, 1, 2, 0, &counts));
    CU_ASSERT_PTR_NULL(counts->limbs);
    CU_ASSERT_EQUAL(counts->exponent, 0);
    counts->values[0] = 3;
    counts->values[1] = 0;
    counts->exponent = 10;
    char text[64];
    uint64_t word = 7;
    double value;
    OWNED(mpz_t) number;
    mpz_init(number);
    CU_ASSERT_EQUAL(counts_double(counts, 0, 0, &value), PC_OK);
    CU_ASSERT_EQUAL(value, 3072);
    CU_ASSERT_EQUAL(pc_counts_u64(counts, 0, 0, &word), PC_ERR_RANGE);
    CU_ASSERT_EQUAL(word, 7);
    CU_ASSERT_EQUAL(counts_mpz(counts, 0, 0, number), PC_ERR_RANGE);
    CU_ASSERT_EQUAL(counts_text(counts, 0, 0, text, sizeof text, NULL), PC_OK);
    CU_ASSERT_STRING_EQUAL(text, "3072");
    counts->exponent = INT64_C(1) << 40;
    CU_ASSERT_EQUAL(counts_double(counts, 0, 0, &value), PC_OK);
    CU_ASSERT_TRUE(isinf(value));
    CU_ASSERT_EQUAL(counts_double(counts, 0, 1, &value), PC_OK);
    CU_ASSERT_EQUAL(value, 0);
}

TEST("places out of range")
{
    random_source source = {12};
    OWNED(pc_context) *context = new_context(0);
    OWNED(count_case) made = count_case_make(context, &source, 3, 1, true, ENTRIES_FULL);
    static const uint64_t places[][2] = {{3, 0}, {0, 3}, {UINT64_MAX, 1}, {1, UINT64_MAX}};
    char text[64];
    uint64_t word;
    double value;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        uint64_t i = places[p][0], j = places[p][1];
        CU_ASSERT_EQUAL(pc_counts_u64(made.counts, i, j, &word), PC_ERR_ARGUMENT);
        CU_ASSERT_EQUAL(counts_double(made.counts, i, j, &value), PC_ERR_ARGUMENT);
        CU_ASSERT_EQUAL(counts_text(made.counts, i, j, text, sizeof text, NULL), PC_ERR_ARGUMENT);
    }
    pc_rows rows = count_case_rows(&made, 1, 2);
    CU_ASSERT_EQUAL(rows.first_row, 1);
    CU_ASSERT_EQUAL(pc_rows_text(&rows, 5, text, sizeof text, NULL), PC_OK);
    CU_ASSERT_EQUAL(pc_rows_text(&rows, 6, text, sizeof text, NULL), PC_ERR_ARGUMENT);
}

TEST("sizes beyond memory, no rows")
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_counts) *counts = NULL;
    uint64_t half = UINT64_C(1) << 32;
    CU_ASSERT_EQUAL(pci_counts_create(context, half, half, 1, &counts), PC_ERR_MEMORY);
    CU_ASSERT_EQUAL(pci_counts_create(context, half, half / 8, 1, &counts), PC_ERR_MEMORY);
    CU_ASSERT_EQUAL(pci_counts_create(context, half, half / 16, 4, &counts), PC_ERR_MEMORY);
    CU_ASSERT_PTR_NULL(counts);
    CU_ASSERT_TRUE(strlen(pc_context_message(context)) > 0);
    CU_ASSERT_EQUAL(pci_counts_create(context, 0, 0, 1, &counts), PC_OK);
    CU_ASSERT_EQUAL(counts_n_rows(counts), 0);
    pc_counts_free(NULL);
}

static pc_status create_and_free(pc_context *context, void *user)
{
    (void)user;
    OWNED(pc_counts) *counts = NULL;
    pc_status status = pci_counts_create(context, 5, 5, 2, &counts);
    CU_ASSERT_EQUAL(status == PC_OK, counts != NULL);
    return status;
}

TEST("allocations that fail")
{
    CU_ASSERT_EQUAL(fail_each_allocation(create_and_free, NULL), 2);
}
