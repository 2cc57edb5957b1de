/* Reads a file and gives the verdict on it. */
#include "src/cli/verify/verify.h"

#include "tool.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"
#include "src/cli/verify/scan.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEAST_ROUNDS = 2, N_SAMPLED = 16, ALL_FROM_ROUNDS = 3 };

/* ---- Files ----------------------------------------------------------------------------------- */

typedef struct verify_job {
    cli_scan scan;
    cli_verified verified;
    bool has_labels_apart; /* it is an array */
} verify_job;

static pc_status take_result(void *user, const char *text, size_t n_bytes)
{
    verify_job *job = user;
    cli_scan *scan = &job->scan;
    const cli_verify_question *q = scan->question;
    const cli_count_options *options = q->options;
    int n_rounds = options->count.n_certify_rounds;
    cli_comparer comparer;
    scan->begin = scan->at = text;
    scan->end = text + n_bytes;
    if (q->kind->numbers == CLI_LARGEST) {
        cli_scan_refuse(scan, "a list of the largest counts");
        return scan->status;
    }
    job->has_labels_apart =
        cli_scan_begins(scan, "\x93NUMPY", 6) || cli_scan_begins(scan, "PK\3\4", 4);
    /* Doubles are held against long doubles, one by one. Means are fractions in some formats, and doubles in others. */
    bool is_rounded = job->has_labels_apart || cli_scan_begins(scan, "%%MatrixMarket ", 15);
    bool is_real = options->count.arithmetic == PC_FLOAT || cli_verify_is_series(q) ||
                   (options->blocks.mean && is_rounded);
    pc_status status = cli_comparer_make(
        q, is_real, n_rounds > LEAST_ROUNDS ? (uint64_t)n_rounds : LEAST_ROUNDS, &comparer);
    scan->comparer = &comparer;
    if (status == PC_OK)
        status = cli_read_result(scan);
    job->verified = (cli_verified){scan->n_counts, comparer.n_rounds};
    cli_comparer_free(&comparer);
    return status;
}

static pc_status take_label_file(void *user, const char *text, size_t n_bytes)
{
    cli_scan *scan = user;
    const cli_verify_question *q = scan->question;
    scan->begin = scan->at = text;
    scan->end = text + n_bytes;
    if (!cli_scan_take_labels(scan, CLI_LABEL_TSV, q->labels, "", "", "\n") ||
        (!q->is_square &&
         !cli_scan_take_labels(scan, CLI_LABEL_TSV, q->column_labels, "", "", "\n")))
        cli_scan_fail(scan, "this is not the label that must come here");
    else
        cli_scan_end(scan);
    return scan->status;
}

/* Checks the labels beside an array. Without their file they are the numbers of the rows, from 0. */
static pc_status check_label_file(const cli_verify_question *question, const char *path)
{
    char labels_path[PATH_MAX], sentence[PATH_MAX + 256];
    int length = snprintf(labels_path, sizeof labels_path, "%s%s", path, PC_LABELS_ENDING);
    cli_scan scan = {.question = question, .name = labels_path};
    bool is_path = length >= 0 && (size_t)length < sizeof labels_path;
    if (is_path && access(labels_path, F_OK) == 0)
        return pc_text_read(question->context, labels_path, take_label_file, &scan);
    if (cli_labels_count_from(question->labels, 0) &&
        cli_labels_count_from(question->column_labels, 0))
        return PC_OK;
    snprintf(sentence, sizeof sentence,
             "%.3000s%s: is missing, and %.300s has no labels of its own: without them nothing "
             "says which vertex a "
             "row is of",
             path, PC_LABELS_ENDING, cli_shown_path(path));
    return pc_context_fail(question->context, PC_ERR_DATA, sentence);
}

pc_status cli_verify_file(const cli_verify_question *question, const char *path, const char *name,
                          cli_verified *verified)
{
    verify_job job = {.scan = {.question = question, .name = cli_shown_path(name)}};
    pc_status status = pc_text_read(question->context, path, take_result, &job);
    if (status == PC_OK && job.has_labels_apart && strcmp(path, name) == 0)
        status = check_label_file(question, path);
    *verified = job.verified;
    return status;
}

/* ---- Reading back: what rows must be --------------------------------------------------------- */

struct cli_read_back {
    cli_verify_question question;
    const cli_output *output;
    bool takes_all;
    bool as_doubles; /* the file has doubles */
    bool *only;      /* [n_rows] rows that are read */
    cli_known_rows known;
};

/* Chooses the rows, and makes room for what they must be. False when the system gives no random numbers. */
static bool make_sample(cli_read_back *r)
{
    cli_known_rows *known = &r->known;
    uint64_t n = r->question.n_rows, seed;
    r->only = cli_need(calloc(n + 1, sizeof *r->only));
    known->place = cli_need(malloc((n + 1) * sizeof *known->place));
    if (!cli_random_word(&seed) || (!r->as_doubles && !cli_draw_prime(&known->modulus)))
        return false;
    for (uint64_t i = 0; i < N_SAMPLED + 2 && n > 0; i++) {
        bool takes_each = n <= N_SAMPLED + 2;
        uint64_t row = takes_each ? i % n : i == 0 ? 0 : i == 1 ? n - 1 : cli_draw(seed, i, n);
        r->only[row] = true;
    }
    for (uint64_t row = 0; row < n; row++)
        known->place[row] = r->only[row] ? known->n_places++ : UINT64_MAX;
    uint64_t n_numbers = known->n_places * r->question.n_lengths * r->question.n_columns;
    known->numbers = cli_need(calloc(n_numbers + 1, sizeof *known->numbers));
    return true;
}

pc_status cli_read_back_create(pc_context *context, const cli_count_options *options,
                               const cli_output *output, const pc_graph *graph,
                               const pc_partition *partition, cli_read_back **read_back)
{
    int n_rounds = options->count.n_certify_rounds;
    pc_format format = output->format->format;
    bool is_mtx = format == PC_FORMAT_MATRIX_MARKET;
    bool is_numpy = format == PC_FORMAT_NPY || format == PC_FORMAT_NPZ;
    *read_back = NULL;
    if (n_rounds == PC_CERTIFY_NONE)
        return PC_OK;
    cli_read_back *made = cli_need(calloc(1, sizeof *made));
    made->output = output;
    made->takes_all = n_rounds >= ALL_FROM_ROUNDS;
    /* Text has at least sixteen digits: two units of the last one. */
    made->known.tolerance = is_numpy && !options->blocks.mean ? 0 : 0x1p-50L;
    made->as_doubles =
        options->count.arithmetic == PC_FLOAT || (options->blocks.mean && (is_mtx || is_numpy));
    pc_status status =
        cli_verify_question_make(context, options, graph, partition, &made->question);
    if (status == PC_OK && !output->is_packed && !make_sample(made))
        status = pc_context_fail(context, PC_ERR_INTERNAL, "the system gives no random numbers");
    if (status == PC_OK)
        *read_back = made;
    else
        cli_read_back_free(made);
    return status;
}

void cli_read_back_free(cli_read_back *read_back)
{
    if (read_back == NULL)
        return;
    cli_verify_question_free(&read_back->question);
    free(read_back->only);
    free(read_back->known.place);
    free(read_back->known.numbers);
    free(read_back);
}

static void note_row(cli_read_back *r, uint64_t length_index, const pc_rows *rows, uint64_t i)
{
    const cli_known_rows *known = &r->known;
    uint64_t row = rows->first_row + i, n = rows->n_columns;
    cli_number *number = known->numbers + (length_index * known->n_places + known->place[row]) * n;
    for (uint64_t c = 0; c < n; c++, number++) {
        const uint64_t *limbs =
            rows->values == NULL ? rows->limbs + (i * n + c) * rows->n_limbs : NULL;
        if (known->modulus != 0) {
            number->residue = cli_words_residue(limbs, rows->n_limbs, known->modulus);
            continue;
        }
        long double value = limbs == NULL ? rows->values[i * n + c] : 0;
        for (uint32_t l = limbs == NULL ? 0 : rows->n_limbs; l-- > 0;)
            value = ldexpl(value, 64) + (long double)limbs[l];
        if (rows->row_sizes != NULL)
            value /= (long double)rows->row_sizes[row] * (long double)rows->column_sizes[c];
        *number = (cli_number){.value = value, .exponent = limbs == NULL ? rows->exponent : 0};
    }
}

void cli_read_back_note(cli_read_back *read_back, uint64_t length_index, const pc_rows *rows)
{
    if (read_back == NULL || read_back->only == NULL)
        return;
    for (uint64_t i = 0; i < rows->n_rows; i++)
        if (read_back->only[rows->first_row + i])
            note_row(read_back, length_index, rows, i);
}

/* ---- Reading back: the file ------------------------------------------------------------------ */

static pc_status read_sample(cli_read_back *r, int descriptor)
{
    cli_comparer comparer;
    cli_scan scan = {.question = &r->question,
                     .comparer = &comparer,
                     .only = r->only,
                     .name = cli_shown_path(r->output->path)};
    struct stat info;
    char *text = MAP_FAILED;
    if (fstat(descriptor, &info) == 0 && info.st_size > 0)
        text = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (text == MAP_FAILED) {
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%.300s: cannot be read back: %s",
                 cli_shown_path(r->output->path), strerror(errno));
        return pc_context_fail(r->question.context, PC_ERR_IO, sentence);
    }
    scan.begin = scan.at = text;
    scan.end = text + info.st_size;
    cli_comparer_make_known(&r->question, &r->known, &comparer);
    pc_status status = cli_read_result(&scan);
    cli_comparer_free(&comparer);
    munmap(text, (size_t)info.st_size);
    return status;
}

pc_status cli_read_back_check(cli_read_back *read_back, int descriptor)
{
    cli_read_back *r = read_back;
    char path[64], sentence[1536];
    cli_verified verified;
    if (r == NULL)
        return PC_OK;
    pc_context *context = r->question.context;
    double start_seconds = cli_now_seconds();
    pc_status status = r->output->is_packed ? PC_OK : read_sample(r, descriptor);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (status == PC_OK && r->takes_all)
        status = cli_verify_file(&r->question, path, cli_shown_path(r->output->path), &verified);
    if (r->question.options->running.explain)
        fprintf(stderr, "reading back: %.3f s\n", cli_now_seconds() - start_seconds);
    if (status != PC_ERR_DATA)
        return status;
    /* The fault is ours. The library names the file as it was opened, by path. */
    const char *found = pc_context_message(context), *name = "";
    if (strncmp(found, path, strlen(path)) == 0) {
        found += strlen(path);
        name = cli_shown_path(r->output->path);
    }
    snprintf(
        sentence, sizeof sentence,
        "%.300s%.700s: what was written and read back is not what was counted, so the file was "
        "dropped: this is a bug in pathcount or a fault of this machine",
        name, found);
    return pc_context_fail(context, PC_ERR_CERTIFY, sentence);
}
