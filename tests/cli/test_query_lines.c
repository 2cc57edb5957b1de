/* The lines that a query prints, against lines of printf and GMP. */
#define _GNU_SOURCE /* as answers.c */
#include "pathcount_io.h"

#include "tests/support/fixture.h"
#include "tests/support/random_graph.h"

#include <inttypes.h>
#include <stdio.h>

static pc_status text_of(const pc_rows *rows, uint64_t e, char *text, size_t size, size_t *length);
#define pc_rows_text text_of
#include "src/cli/answers.c"
#undef pc_rows_text
#include "src/cli/text.c"

CASE_CONTEXT(context)

/* Nothing here is printed as JSON. */
json_t *cli_json_text(const char *text)
{
    return json_string(text);
}

void *cli_need(void *memory)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    return memory;
}

static uint64_t wrong_entry = UINT64_MAX; /* whose text is wrong */

static pc_status text_of(const pc_rows *rows, uint64_t e, char *text, size_t size, size_t *length)
{
    pc_status status = pc_rows_text(rows, e, text, size, length);
    if (e == wrong_entry)
        text[0] = text[0] == '1' ? '2' : '1';
    return status;
}

/* ---- What is printed ------------------------------------------------------------------------- */

static void place_from_row(const void *user, uint64_t row, uint64_t column, uint64_t vertices[2])
{
    const uint64_t *from = user;
    vertices[0] = from[row];
    vertices[1] = column;
}

/* Standard output in memory; *text is to be free()d. */
static pc_status printed(cli_answers *answers, uint64_t length, const pc_rows *rows, char **text,
                         size_t *n)
{
    FILE *real = stdout;
    stdout = open_memstream(text, n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(stdout);
    pc_status status = cli_answers_take(answers, length, rows);
    fclose(stdout);
    stdout = real;
    return status;
}

/* ---- What must be ---------------------------------------------------------------------------- */

static const char *const names[] = {"a", "b c", "\001x\177", "\"q\"", "\xc3\xa9", "\033[1m", ""};
static const char *const shown[] = {"a", "b c", "\\x01x\\x7f", "\"q\"", "\xc3\xa9", "\\x1b[1m", ""};
enum { N_NAMES = 6 };

static void expect_label(FILE *out, bool is_named, uint64_t vertex)
{
    if (is_named)
        fputs(shown[vertex], out);
    else
        fprintf(out, "%" PRIu64, vertex);
}

static void expect_lines(FILE *out, const pc_rows *rows, const uint64_t *from, bool is_named,
                         uint64_t length)
{
    mpz_t count;
    mpz_init(count);
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        if (length > 0)
            fprintf(out, "%" PRIu64 "\t", length);
        expect_label(out, is_named, from[rows->first_row + e / rows->n_columns]);
        fputc('\t', out);
        expect_label(out, is_named, e % rows->n_columns);
        mpz_import(count, rows->n_limbs, -1, 8, 0, 0, rows->limbs + e * rows->n_limbs);
        gmp_fprintf(out, "\t%Zd\n", count);
    }
    mpz_clear(count);
}

/* Zero, small ones, and integers next to powers of two and of ten. */
static void random_count(random_source *source, uint64_t *limbs, uint32_t n_limbs)
{
    mpz_t count;
    mpz_init(count);
    memset(limbs, 0, n_limbs * sizeof *limbs);
    uint64_t kind = random_below(source, 4), most_bits = 64 * n_limbs - 1;
    if (kind == 1)
        mpz_ui_pow_ui(count, 10, random_below(source, most_bits * 3 / 10));
    else if (kind > 1)
        mpz_ui_pow_ui(count, 2, random_below(source, most_bits));
    mpz_add_ui(count, count, random_below(source, 3));
    if (kind == 3)
        mpz_sub_ui(count, count, mpz_sgn(count) > 0);
    mpz_export(limbs, NULL, -1, 8, 0, 0, count);
    mpz_clear(count);
}

static const uint64_t arcs[] = {0};

static pc_graph *graph_of(uint64_t n, bool is_named)
{
    pc_graph *graph;
    pc_edges edges = {
        .n_vertices = n, .labels = is_named ? names : NULL, .n_edges = 1, .from = arcs, .to = arcs};
    MUST(pc_graph_from_edges(context, &edges, NULL, &graph));
    return graph;
}

static void check_lines(random_source *source, uint64_t n_columns, bool is_named, uint32_t n_limbs,
                        uint64_t length)
{
    OWNED(pc_graph) *graph = graph_of(n_columns, is_named);
    uint64_t from[5], n_rows = 3, n = n_rows * n_columns;
    OWNED(uint64_t) *limbs = malloc(n * n_limbs * sizeof *limbs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(limbs);
    for (uint64_t i = 0; i < 5; i++)
        from[i] = random_below(source, n_columns);
    for (uint64_t e = 0; e < n; e++)
        random_count(source, limbs + e * n_limbs, n_limbs);
    pc_rows rows = {.first_row = 2,
                    .n_rows = n_rows,
                    .n_columns = n_columns,
                    .n_limbs = n_limbs,
                    .limbs = limbs};
    OWNED(char) *expected = NULL;
    size_t n_expected;
    FILE *out = open_memstream(&expected, &n_expected);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs("x\n", out);
    expect_lines(out, &rows, from, is_named, length);
    fclose(out);
    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        cli_answers answers = {.context = context,
                               .labels = pc_graph_labels(graph),
                               .place = place_from_row,
                               .user = from,
                               .columns = {"x"},
                               .n_columns = 1,
                               .has_length = length > 0,
                               .check = cli_text_check_for(3)};
        OWNED(char) *text = NULL;
        size_t n_bytes;
        MUST(pc_context_set_threads(context, n_threads));
        CU_ASSERT_EQUAL(printed(&answers, length, &rows, &text, &n_bytes), PC_OK);
        CU_ASSERT(n_bytes == n_expected && memcmp(text, expected, n_bytes) == 0);
        CU_ASSERT_EQUAL(answers.n_texts, n);
        cli_answers_free(&answers);
    }
}

TEST("lines of random counts")
{
    random_source source = {1};
    for (uint32_t n_limbs = 1; n_limbs <= 30; n_limbs += n_limbs < 4 ? 1 : 13) {
        check_lines(&source, 1, false, n_limbs, 0);
        check_lines(&source, 5000, false, n_limbs, 0);
        check_lines(&source, 5000, false, n_limbs, 17);
        check_lines(&source, N_NAMES, true, n_limbs, 0);
    }
}

/* ---- A text that is wrong -------------------------------------------------------------------- */

TEST("a text that does not hold is not printed, nor is one after it")
{
    enum { N = 40000 };
    OWNED(pc_graph) *graph = graph_of(N, false);
    OWNED(uint64_t) *limbs = calloc(N, sizeof *limbs);
    const uint64_t from = 7;
    pc_rows rows = {.n_rows = 1, .n_columns = N, .n_limbs = 1, .limbs = limbs};
    for (int n_threads = 1; n_threads <= 3; n_threads++) {
        cli_answers answers = {.context = context,
                               .labels = pc_graph_labels(graph),
                               .place = place_from_row,
                               .user = &from,
                               .columns = {"x"},
                               .n_columns = 1,
                               .check = cli_text_check_for(3)};
        OWNED(char) *text = NULL;
        size_t n_bytes;
        MUST(pc_context_set_threads(context, n_threads));
        wrong_entry = 30001;
        CU_ASSERT_EQUAL(printed(&answers, 0, &rows, &text, &n_bytes), PC_ERR_CERTIFY);
        wrong_entry = UINT64_MAX;
        CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), "the text '1' is not"));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "7\t20\t0\n"));
        CU_ASSERT_PTR_NULL(strstr(text, "\t30001\t"));
        cli_answers_free(&answers);
    }
}
