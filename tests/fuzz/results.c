/* Results and certificates that `pathcount verify` reads. What it certifies must have the numbers of the
 * right result (answer.h), and the right result must be certified.
 *
 * The first byte chooses a question and a format, the second one what the others are: a text, or changes of the
 * right text, three bytes each. */
#include "tests/fuzz/answer.h"

#include "src/cli/load.h"
#include "src/cli/verify/scan.h"
#include "src/cli/verify/verify.h"
#include "tests/fuzz/fuzz.h"
#include "tool.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IS_CHANGED = 1, IS_SAMPLED = 2, MOST_WORDS = 24, NEAR_BITS = 30 };

/* ---- Questions ------------------------------------------------------------------------------- */

static const struct {
    const char *options;
    answer_form form;
} cases[] = {
    {"-k 4", ANSWER_TSV},
    {"-k 4", ANSWER_CSV},
    {"-k 4", ANSWER_MTX},
    {"-k 4", ANSWER_NPY},
    {"-k 4", ANSWER_MATRIX_JSON},
    {"-k 5", ANSWER_NPY},
    {"-k 4 --weights", ANSWER_TSV},
    {"-k 5 --undirected", ANSWER_MTX},
    {"-k 5 --undirected", ANSWER_TSV},
    {"-k 6 --mod 5", ANSWER_TSV},
    {"-k 6 --mod 5", ANSWER_MTX},
    {"-k 6 --mod 5", ANSWER_NPY},
    {"-k 6 --mod 5", ANSWER_CSV},
    {"-k 4 --float", ANSWER_TSV},
    {"-k 4 --float --undirected", ANSWER_MTX},
    {"-k 4 --float", ANSWER_NPY},
    {"-k 4 --markov", ANSWER_MATRIX_JSON},
    {"-k 4 --non-backtracking --undirected", ANSWER_CSV},
    {"-k 4 --blocks 2", ANSWER_TSV},
    {"-k 4 --blocks 2 --mean", ANSWER_CSV},
    {"-k 4 --blocks 2 --mean", ANSWER_NPY},
    {"-k 4 --total", ANSWER_LINES},
    {"-k 3 --total --each", ANSWER_LINES},
    {"-k 4 --trace --up-to", ANSWER_LINES},
    {"-k 4 --from B --from a\"b", ANSWER_LINES},
    {"-k 4 --to B --up-to", ANSWER_LINES},
    {"-k 4 --pair B B --pair a\"b B --mod 7", ANSWER_LINES},
    {"-k 3 --closed --each", ANSWER_LINES},
    {"-k 3 --sums", ANSWER_LINES},
    {"-k 4 --from B --float", ANSWER_LINES},
    {"-k 4 --sums --markov", ANSWER_LINES},
    {"-k 3 --sums --each", ANSWER_LINES},
    {"-k 3 --pair B B --each", ANSWER_LINES},
    {"-k 4 --from B --mod 3", ANSWER_LINES},
    {"-k 4 --sums --weights", ANSWER_LINES},
    {"-k 4 --closed --weights", ANSWER_LINES},
    {"-k 4", ANSWER_CERTIFICATE},
    {"-k 3 --sums --each --mod 5", ANSWER_CERTIFICATE},
    {"-k 4 --pair B B --pair a\"b B", ANSWER_CERTIFICATE},
    {"-k 5 --katz 0.25", ANSWER_LINES},
    {"-k 5 --subgraph-centrality --weights", ANSWER_LINES},
    {"-k 4 --pair B B", ANSWER_LINES},
    {"-k 4 --closed --float", ANSWER_LINES},
    {"-k 4 --up-to", ANSWER_TSV},
};

enum { N_CASES = sizeof cases / sizeof *cases };

/* A case, made before the first input is read. */
typedef struct made_case {
    answer_form form;
    cli_verify_options options;
    pc_context *context;
    pc_graph *graph;
    pc_partition *partition;
    cli_verify_question question;
    char *right; /* the right result */
    size_t n_right;
} made_case;

static void parse(const char *text, cli_verify_options *options)
{
    static char name[] = "pathcount verify", graph[] = "GRAPH", result[] = "RESULT";
    char *argv[MOST_WORDS] = {name, graph, result};
    int argc = 3;
    for (char *word = strtok(strdup(text), " "); word && argc < MOST_WORDS - 1;
         word = strtok(NULL, " "))
        argv[argc++] = word;
    *options = (cli_verify_options){.count = cli_coarsen_defaults};
    cli_parse_options(&cli_verify_command, argc, argv, options);
}

static void make(made_case *made, size_t index)
{
    cli_count_options *count = &made->options.count;
    made->form = cases[index].form;
    parse(cases[index].options, &made->options);
    made->context = fuzz_context(1);
    count->running.n_threads = 1;
    made->graph = answer_graph(made->context, &count->input.graph);
    if (count->blocks.spec &&
        cli_make_blocks(made->context, made->graph, &count->blocks, &made->partition) != PC_OK)
        fuzz_fail("no blocks: %s", pc_context_message(made->context));
    if (cli_verify_question_make(made->context, count, made->graph, made->partition,
                                 &made->question) != PC_OK)
        fuzz_fail("no question: %s", pc_context_message(made->context));
}

/* ---- Numbers that are certified -------------------------------------------------------------- */

/* Goes on to the next word, which ends before *end; false when there is none. */
static bool next_word(const char **at, const char *limit, const char **end)
{
    static const char between[] = " \t\n,\"\\[]{}:";
    while (*at < limit && memchr(between, **at, sizeof between - 1))
        ++*at;
    *end = *at;
    while (*end < limit && !memchr(between, **end, sizeof between - 1))
        ++*end;
    return *at < limit;
}

/* "12", "1.2e+01" or "7/4"; false when it is none. */
static bool value_of(const char *word, size_t length, long double *value)
{
    char text[64], *end;
    if (length == 0 || length >= sizeof text || strspn(word, "0123456789") == 0)
        return false;
    memcpy(text, word, length);
    text[length] = '\0';
    *value = strtold(text, &end);
    if (*end == '/')
        *value /= strtold(end + 1, &end);
    return *end == '\0';
}

static bool is_near(long double a, long double b)
{
    return fabsl(a - b) <= ldexpl(fmaxl(fabsl(a), fabsl(b)), -NEAR_BITS) + ldexpl(1, -500);
}

/* Whether two texts have the same words; numbers that are rounded, and fractions, are compared as such. */
static bool are_same_words(const made_case *made, const char *a, size_t n_a, const char *b,
                           size_t n_b)
{
    bool by_value = answer_has_doubles(&made->question) || made->options.count.blocks.mean;
    const char *limit_a = a + n_a, *limit_b = b + n_b, *end_a, *end_b;
    for (;; a = end_a, b = end_b) {
        long double x, y;
        bool has_a = next_word(&a, limit_a, &end_a), has_b = next_word(&b, limit_b, &end_b);
        if (!has_a || !has_b)
            return has_a == has_b;
        size_t n = (size_t)(end_a - a);
        if (n == (size_t)(end_b - b) && memcmp(a, b, n) == 0)
            continue;
        if (!by_value || !value_of(a, n, &x) || !value_of(b, (size_t)(end_b - b), &y) ||
            !is_near(x, y))
            return false;
    }
}

/* Goes on to the next word that is a number. */
static bool next_value(const char **at, const char *limit, long double *value)
{
    const char *end;
    for (; next_word(at, limit, &end); *at = end)
        if (value_of(*at, (size_t)(end - *at), value)) {
            *at = end;
            return true;
        }
    return false;
}

/* Whether two texts have the same numbers in the same order, whatever stands between them: tables of several
 * formats. No label is a number. */
static bool are_same_values(const char *a, size_t n_a, const char *b, size_t n_b)
{
    const char *limit_a = a + n_a, *limit_b = b + n_b;
    long double x = 0, y = 0;
    for (;;) {
        bool has_a = next_value(&a, limit_a, &x), has_b = next_value(&b, limit_b, &y);
        if (!has_a || !has_b || !is_near(x, y))
            return !has_a && !has_b;
    }
}

/* The kind of file that a text seems to be, by its first byte: tables begin with a separator or a letter. */
static char kind_of(const char *text, size_t n_bytes)
{
    while (n_bytes > 0 && (*text == ' ' || *text == '\n'))
        text++, n_bytes--;
    return n_bytes > 0 && memchr("%{[\x93,\t", *text, 6) ? *text : 't';
}

/* Whether a right result in another format than that of the case, which is certified too, has the same numbers,
 * where they stand in the same order. */
static bool is_right_elsewhere(const made_case *made, const char *text, size_t n_bytes)
{
    static const char tables[] = ",\tt";
    bool are_tables = strchr(tables, kind_of(text, n_bytes)) &&
                      strchr(tables, kind_of(made->right, made->n_right));
    return !are_tables || are_same_values(text, n_bytes, made->right, made->n_right);
}

/* The numbers at the end of a .npy file; a number may take several words. */
static bool are_same_numbers(const made_case *made, const char *text, size_t n_bytes)
{
    const cli_verify_question *q = &made->question;
    bool is_real = answer_has_doubles(q) || made->options.count.blocks.mean;
    size_t n = q->n_rows * q->n_columns;
    size_t header = 10 + (unsigned char)text[8] + 256u * (unsigned char)text[9];
    size_t n_words = (n_bytes - header) / 8 / n;
    for (size_t i = 0; i < n * n_words; i++) {
        uint64_t word, place = i / n_words;
        double value;
        memcpy(&word, text + header + 8 * i, sizeof word);
        memcpy(&value, &word, sizeof value);
        long double wanted =
            answer_number(q, q->options->length, place / q->n_columns, place % q->n_columns);
        if (i % n_words > 0 ? word != 0
            : is_real       ? !is_near(value, wanted)
                            : word != (uint64_t)wanted)
            return false;
    }
    return true;
}

/* ---- Certificates ---------------------------------------------------------------------------- */

/* Number index of the sequence of a seed, below limit, as certificate.c has it. */
static uint64_t draw(uint64_t seed, uint64_t index, uint64_t limit)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint64_t)((unsigned __int128)(z ^ z >> 31) * limit >> 64);
}

static uint64_t number_in(const json_t *object, const char *name)
{
    return strtoull(json_string_value(json_object_get(object, name)), NULL, 10);
}

/* Whether the image of a row is the row of the right answer times the vector. */
static bool is_image(const cli_verify_question *q, const json_t *round, uint64_t length_index,
                     uint64_t row)
{
    uint64_t modulus = number_in(round, "modulus"), seed = number_in(round, "seed");
    unsigned __int128 sum = 0;
    for (uint64_t c = 0; c < q->n_columns; c++) {
        uint64_t x = q->n_columns == 1 ? 1 : draw(seed, c, modulus);
        uint64_t entry = (uint64_t)answer_number(q, q->first_length + length_index, row, c);
        sum = (sum + (unsigned __int128)entry * x) % modulus;
    }
    const json_t *images = json_array_get(json_object_get(round, "images"), length_index);
    const char *text = json_string_value(json_array_get(images, row));
    return text && strtoull(text, NULL, 16) == (uint64_t)(sum % modulus);
}

static bool are_images(const made_case *made, const char *text, size_t n_bytes)
{
    const cli_verify_question *q = &made->question;
    json_t *root = json_loadb(text, n_bytes, 0, NULL), *round;
    size_t index;
    bool are_right = json_array_size(json_object_get(root, "rounds")) > 0;
    json_array_foreach(json_object_get(root, "rounds"), index,
                       round) for (uint64_t i = 0; i < q->n_lengths * q->n_rows; i++) are_right =
        are_right && is_image(q, round, i / q->n_rows, i % q->n_rows);
    json_decref(root);
    return are_right;
}

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct certified {
    const made_case *made;
    bool is_right;
} certified;

static pc_status compare(void *user, const char *text, size_t n_bytes)
{
    certified *c = user;
    const made_case *made = c->made;
    if (kind_of(text, n_bytes) != kind_of(made->right, made->n_right)) {
        c->is_right = is_right_elsewhere(made, text, n_bytes);
        return PC_OK;
    }
    switch (made->form) {
    case ANSWER_NPY:
        c->is_right = are_same_numbers(made, text, n_bytes);
        break;
    case ANSWER_CERTIFICATE:
        c->is_right = are_images(made, text, n_bytes);
        break;
    default:
        c->is_right = are_same_words(made, text, n_bytes, made->right, made->n_right);
    }
    return PC_OK;
}

/* Whether it is certified; fails when it is and has other numbers. */
static bool certifies(const made_case *made, const char *text, size_t n_bytes)
{
    certified c = {.made = made};
    cli_verified verified;
    const char *path = fuzz_path(text, n_bytes);
    pc_status status = made->form == ANSWER_CERTIFICATE
                           ? cli_certificate_check(&made->question, "-", path)
                           : cli_verify_file(&made->question, path, "result", &verified);
    fuzz_check_status(made->context, status, status == PC_OK ? made : NULL);
    if (status == PC_OK && (pc_text_read(made->context, path, compare, &c) != PC_OK || !c.is_right))
        fuzz_fail("what is certified has other numbers than the right result:\n%.*s\n%s",
                  (int)n_bytes, text, made->right);
    return status == PC_OK;
}

/* Reads the first and the last row, as reading back does. */
static void read_sample(const made_case *made, const char *text, size_t n_bytes)
{
    const cli_verify_question *q = &made->question;
    const bool only[ANSWER_VERTICES] = {true, false, true};
    cli_comparer comparer;
    cli_scan scan = {.question = q,
                     .comparer = &comparer,
                     .only = only,
                     .name = "sample",
                     .begin = text,
                     .at = text,
                     .end = text + n_bytes};
    pc_status status = cli_comparer_make(q, answer_has_doubles(q), 2, &comparer);
    if (status == PC_OK)
        status = cli_read_result(&scan);
    cli_comparer_free(&comparer);
    fuzz_check_status(made->context, status, status == PC_OK ? made : NULL);
}

static void write_certificate(const made_case *made, FILE *out)
{
    char path[128], piece[4096];
    snprintf(path, sizeof path, "%s/certificate", fuzz_folder());
    if (cli_certificate_write(&made->question, NULL, path, 2) != PC_OK)
        fuzz_fail("no certificate: %s", pc_context_message(made->context));
    FILE *file = fopen(path, "r");
    for (size_t n; file && (n = fread(piece, 1, sizeof piece, file)) > 0;)
        fwrite(piece, 1, n, out);
    if (!file || fclose(file) != 0)
        fuzz_fail("%s cannot be read", path);
    fuzz_folder_remove();
}

/* Makes a case and its right result, which must be certified. */
static void make_right(made_case *made, size_t index)
{
    make(made, index);
    FILE *out = open_memstream(&made->right, &made->n_right);
    if (made->form == ANSWER_CERTIFICATE)
        write_certificate(made, out);
    else
        answer_write(&made->question, made->form, out);
    fclose(out);
    if (!certifies(made, made->right, made->n_right))
        fuzz_fail("the right result of %s is refused: %s\n%s", cases[index].options,
                  pc_context_message(made->context), made->right);
}

static const made_case *case_of(uint8_t choice)
{
    static made_case all[N_CASES];
    for (size_t i = 0; i < N_CASES && !all[N_CASES - 1].right; i++)
        make_right(&all[i], i);
    return &all[choice % N_CASES];
}

/* The right text with bytes replaced, inserted and left out. The caller frees it. */
static char *change(const made_case *made, fuzz_input *rest, size_t *n_bytes)
{
    char *text = malloc(made->n_right + rest->size + 1);
    if (!text)
        fuzz_fail("no memory for a changed result");
    memcpy(text, made->right, made->n_right);
    *n_bytes = made->n_right;
    while (rest->size > 0 && *n_bytes > 0) {
        uint8_t what = fuzz_byte(rest), place = fuzz_byte(rest), byte = fuzz_byte(rest);
        size_t at = (place + 256u * (what >> 2)) % *n_bytes;
        if (what % 4 == 0)
            memmove(text + at, text + at + 1, --*n_bytes - at);
        else if (what % 4 == 1)
            memmove(text + at + 1, text + at, (*n_bytes)++ - at);
        if (what % 4 != 0)
            text[at] = (char)byte;
    }
    return text;
}

FUZZ(results)
{
    fuzz_input rest = {data, size};
    const made_case *made = case_of(fuzz_byte(&rest));
    uint8_t mode = fuzz_byte(&rest);
    size_t n_bytes = rest.size;
    char *text = mode & IS_CHANGED ? change(made, &rest, &n_bytes) : fuzz_text(&rest);
    if (mode & IS_SAMPLED && made->form < ANSWER_LINES)
        read_sample(made, text, n_bytes);
    else
        certifies(made, text, n_bytes);
    free(text);
}
