/* Reading back what was written. */
#include "src/cli/verify/read_back.h"

#include "src/cli/terminal.h"
#include "src/cli/text.h"
#include "src/cli/verify/residues.h"
#include "src/cli/verify/verify.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { N_SAMPLED = 16, ALL_FROM_ROUNDS = 3, N_ROUNDS = 2 };

struct cli_read_back {
    cli_count_options
        options; /* with residues as integers: they are compared with what was counted */
    cli_verify_question question;
    cli_verify_question asked; /* that of the command, which the whole file answers */
    const cli_output *output;
    bool takes_all;
    bool is_lower;   /* the file has the lower triangle of a symmetric matrix */
    bool as_doubles; /* the file has doubles */
    bool *only;      /* [n_rows] rows that are read */
    uint64_t n_only;
    cli_images images; /* of integers, filled row by row */
    uint64_t *place;   /* of doubles: cli_known_rows */
    long double *values;
    int64_t *exponents;
    long double tolerance; /* of doubles */
};

/* ---- Creation -------------------------------------------------------------------------------- */

static void look_at_format(cli_read_back *r)
{
    pc_format format = r->output->format->format;
    bool is_mtx = format == PC_FORMAT_MATRIX_MARKET;
    bool is_npy = format == PC_FORMAT_NPY || format == PC_FORMAT_NPZ;
    r->is_lower = is_mtx && r->question.is_symmetric;
    r->tolerance =
        is_npy && !r->options.blocks.mean ? 0 : 0x1p-50L; /* at least sixteen digits; two units */
    r->as_doubles =
        r->options.count.arithmetic == PC_FLOAT || (r->options.blocks.mean && (is_mtx || is_npy));
}

/* Chooses the rows; false when the system gives no random numbers. */
static bool choose_rows(cli_read_back *r)
{
    uint64_t n = r->question.n_rows, seed;
    if (!cli_random_word(&seed))
        return false;
    for (uint64_t i = 0; i < N_SAMPLED + 2 && n > 0; i++) {
        bool takes_each = n <= N_SAMPLED + 2;
        uint64_t row = takes_each ? i % n : i == 0 ? 0 : i == 1 ? n - 1 : cli_draw(seed, i, n);
        r->n_only += !r->only[row];
        r->only[row] = true;
    }
    for (uint64_t row = 0, at = 0; row < n; row++)
        r->place[row] = r->only[row] ? at++ : UINT64_MAX;
    return true;
}

static bool make_rounds(cli_read_back *r)
{
    uint64_t n = r->question.n_columns;
    r->images.rounds = calloc(N_ROUNDS, sizeof *r->images.rounds);
    r->images.n_rounds = r->images.rounds != NULL ? N_ROUNDS : 0;
    for (uint64_t i = 0; i < r->images.n_rounds; i++) {
        cli_round *round = &r->images.rounds[i];
        round->x = malloc((n + 1) * sizeof *round->x);
        round->y = calloc(r->question.n_rows * r->question.n_lengths + 1, sizeof *round->y);
        if (round->x == NULL || round->y == NULL || !cli_draw_prime(&round->modulus) ||
            !cli_random_word(&round->seed))
            return false;
        for (uint64_t c = 0; c < n; c++)
            round->x[c] = cli_draw(round->seed, c, round->modulus);
    }
    return r->images.n_rounds > 0;
}

static bool make_sample(cli_read_back *r)
{
    uint64_t n_rows = r->question.n_rows;
    r->only = calloc(n_rows + 1, sizeof *r->only);
    r->place = malloc((n_rows + 1) * sizeof *r->place);
    if (r->only == NULL || r->place == NULL || !choose_rows(r))
        return false;
    if (!r->as_doubles)
        return make_rounds(r);
    uint64_t n_places = r->n_only * r->question.n_lengths;
    r->values = malloc((n_places * r->question.n_columns + 1) * sizeof *r->values);
    r->exponents = calloc(n_places + 1, sizeof *r->exponents);
    return r->values != NULL && r->exponents != NULL;
}

pc_status cli_read_back_create(pc_context *context, const cli_count_options *options,
                               const cli_output *output, const pc_graph *graph,
                               const pc_partition *partition, cli_read_back **read_back)
{
    int n_rounds = options->count.n_certify_rounds;
    *read_back = NULL;
    if (n_rounds == PC_CERTIFY_NONE)
        return PC_OK;
    cli_read_back *made = calloc(1, sizeof *made);
    if (made == NULL)
        return pc_context_fail(context, PC_ERR_MEMORY, "no memory to read the result back");
    made->options = *options;
    made->output = output;
    made->takes_all = n_rounds >= ALL_FROM_ROUNDS;
    pc_status status =
        cli_verify_question_make(context, &made->options, graph, partition, &made->question);
    if (status == PC_OK)
        status = cli_verify_question_make(context, options, graph, partition, &made->asked);
    look_at_format(made);
    if (options->count.arithmetic == PC_MODULAR)
        made->options.count.arithmetic = PC_EXACT;
    if (status == PC_OK && !output->is_packed && !make_sample(made))
        status = pc_context_fail(context, PC_ERR_MEMORY, "no memory to read the result back");
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
    cli_images_free(&read_back->images);
    cli_verify_question_free(&read_back->question);
    cli_verify_question_free(&read_back->asked);
    free(read_back->only);
    free(read_back->place);
    free(read_back->values);
    free(read_back->exponents);
    free(read_back);
}

/* ---- What rows must be ----------------------------------------------------------------------- */

static uint64_t residue_of(const pc_rows *rows, uint64_t e, uint64_t modulus)
{
    const uint64_t *limbs = rows->limbs + e * rows->n_limbs;
    cli_sum value = 0;
    for (uint32_t l = rows->n_limbs; l-- > 0;)
        value = (value << 64 | limbs[l]) % modulus;
    return (uint64_t)value;
}

static void note_integers(cli_read_back *r, uint64_t length_index, const pc_rows *rows, uint64_t i,
                          uint64_t n_columns)
{
    for (uint64_t k = 0; k < r->images.n_rounds; k++) {
        const cli_round *round = &r->images.rounds[k];
        cli_sum sum = 0;
        for (uint64_t c = 0; c < n_columns; c++)
            sum = cli_sum_add(sum, residue_of(rows, i * rows->n_columns + c, round->modulus),
                              round->x[c], round->modulus);
        round->y[length_index * r->question.n_rows + rows->first_row + i] =
            (uint64_t)(sum % round->modulus);
    }
}

static long double value_of(const pc_rows *rows, uint64_t e)
{
    long double value = 0;
    if (rows->values != NULL)
        return rows->values[e];
    for (uint32_t l = rows->n_limbs; l-- > 0;)
        value = ldexpl(value, 64) + (long double)rows->limbs[e * rows->n_limbs + l];
    return value;
}

static void note_doubles(cli_read_back *r, uint64_t length_index, const pc_rows *rows, uint64_t i)
{
    uint64_t row = rows->first_row + i, n = rows->n_columns;
    uint64_t place = length_index * r->n_only + r->place[row];
    r->exponents[place] = rows->values != NULL ? rows->exponent : 0;
    for (uint64_t c = 0; c < n; c++) {
        long double value = value_of(rows, i * n + c);
        if (rows->row_sizes != NULL)
            value /= (long double)rows->row_sizes[row] * (long double)rows->column_sizes[c];
        r->values[place * n + c] = value;
    }
}

void cli_read_back_note(cli_read_back *read_back, uint64_t length_index, const pc_rows *rows)
{
    if (read_back == NULL || read_back->only == NULL)
        return;
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        uint64_t row = rows->first_row + i;
        if (!read_back->only[row])
            continue;
        if (read_back->as_doubles)
            note_doubles(read_back, length_index, rows, i);
        else
            note_integers(read_back, length_index, rows, i,
                          read_back->is_lower ? row + 1 : rows->n_columns);
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Makes what the reader found a fault of ours. What unpacks names the file as it was opened, by path. */
static pc_status blame(const cli_read_back *r, pc_status status, const char *path)
{
    pc_context *context = r->question.context;
    const char *found = pc_context_message(context), *name = "";
    char sentence[1536];
    if (status != PC_ERR_DATA)
        return status;
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

static pc_status check_sample(cli_read_back *r, const char *text, size_t n_bytes)
{
    const cli_known_rows known = {r->place, r->n_only, r->values, r->exponents, r->tolerance};
    cli_checker *checker;
    pc_status status = r->as_doubles ? cli_checker_of_doubles(&r->question, &known, &checker)
                                     : cli_checker_of_images(&r->question, &r->images, &checker);
    return status == PC_OK ? cli_verify_rows(&r->question, cli_shown_path(r->output->path), text,
                                             n_bytes, r->only, checker)
                           : status;
}

static pc_status read_sample(cli_read_back *r, int descriptor)
{
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
    pc_status status = check_sample(r, text, (size_t)info.st_size);
    munmap(text, (size_t)info.st_size);
    return status;
}

pc_status cli_read_back_check(cli_read_back *read_back, int descriptor)
{
    cli_read_back *r = read_back;
    char path[64];
    cli_verified verified;
    if (r == NULL)
        return PC_OK;
    double start_seconds = cli_now_seconds();
    pc_status status = r->output->is_packed ? PC_OK : read_sample(r, descriptor);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (status == PC_OK && r->takes_all)
        status = cli_verify_file(&r->asked, path, cli_shown_path(r->output->path), &verified);
    if (r->options.running.explain)
        fprintf(stderr, "reading back: %.3f s\n", cli_now_seconds() - start_seconds);
    return blame(r, status, path);
}
