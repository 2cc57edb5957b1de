/* From a file to the verdict on it. The content says which of our formats it is. */
#include "src/cli/verify/verify.h"

#include "pathcount_io.h"
#include "src/cli/text.h"
#include "src/cli/verify/scan.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_ROUNDS = 2 };

static bool begins(const cli_scan *scan, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, text, length) == 0;
}

/* Fails for what nothing holds against the graph. */
static pc_status fail_kind(const cli_scan *scan, const char *kind)
{
    return cli_scan_fail(
        scan,
        "%s cannot be verified: matrices (-o FILE), vectors, pairs, totals, streams "
        "and the files of --certificate can",
        kind);
}

static pc_status read_matrix(cli_scan *scan)
{
    if (scan->question->options->query.each && !begins(scan, "\x93NUMPY"))
        return cli_scan_fail(scan,
                             "the matrices of --each are verified in one .npy file: verify this "
                             "file with its own --length, without --each");
    if (begins(scan, "%%MatrixMarket "))
        return cli_read_mtx(scan);
    if (begins(scan, "\x93NUMPY"))
        return cli_read_npy(scan);
    if (begins(scan, "PK\3\4"))
        return cli_read_npz(scan);
    if (begins(scan, "{\"labels\": ") || begins(scan, "{\"row_labels\": "))
        return cli_read_matrix_json(scan);
    if (begins(scan, "\t") || begins(scan, "\n"))
        return cli_read_table(scan, '\t');
    if (begins(scan, ","))
        return cli_read_table(scan, ',');
    if (begins(scan, "from\t"))
        return cli_read_pairs(scan);
    if (begins(scan, "from\\to"))
        return cli_read_shown_table(scan);
    if (begins(scan, "graph    ") || begins(scan, "product   ") || begins(scan, "{"))
        return fail_kind(scan, "a summary");
    return cli_scan_fail(scan, "this is no matrix in a format that pathcount writes");
}

static pc_status read_result(cli_scan *scan)
{
    if (scan->question->options->query.question == CLI_ASK_MATRIX)
        return read_matrix(scan);
    return begins(scan, "{")
               ? cli_scan_fail(scan, "an answer in JSON cannot be verified: ask for it "
                                     "without --json, of a batch without --as json")
               : cli_read_lines(scan);
}

static bool is_numpy(const cli_scan *scan)
{
    return begins(scan, "\x93NUMPY") || begins(scan, "PK\3\4");
}

/* Doubles, also those that means are written as, are judged one by one. */
static bool has_doubles(const cli_scan *scan)
{
    const cli_count_options *options = scan->question->options;
    bool is_rounded = begins(scan, "%%MatrixMarket ") || is_numpy(scan);
    return options->count.arithmetic == PC_FLOAT || cli_verify_is_series(scan->question) ||
           (options->blocks.mean && is_rounded);
}

static pc_status make_checker(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    int asked = q->options->count.n_certify_rounds;
    uint64_t n_rounds = asked > LEAST_ROUNDS ? (uint64_t)asked : LEAST_ROUNDS;
    return has_doubles(scan) ? cli_checker_of_doubles(q, NULL, &scan->checker)
                             : cli_checker_of_residues(q, n_rounds, &scan->checker);
}

static pc_status take_result(void *user, const char *text, size_t n_bytes)
{
    cli_scan *scan = user;
    scan->begin = scan->at = text;
    scan->end = text + n_bytes;
    cli_question asked = scan->question->options->query.question;
    if (asked == CLI_ASK_TOP || asked == CLI_ASK_TOP_EACH)
        return fail_kind(scan, "a list of the largest counts");
    pc_status status = scan->checker != NULL ? PC_OK : make_checker(scan);
    if (status != PC_OK)
        return status;
    scan->checker->begin(scan->checker, 0);
    scan->has_labels_apart = is_numpy(scan);
    status = read_result(scan);
    scan->n_rounds = scan->checker->n_rounds;
    scan->checker->free(scan->checker);
    scan->checker = NULL;
    return status;
}

/* ---- Labels in a file of their own ------------------------------------------------------------ */

static pc_status take_labels(cli_scan *scan, const pc_labels *labels)
{
    for (uint64_t i = 0; i < pc_labels_count(labels); i++)
        if (!cli_scan_take_label(scan, CLI_LABEL_TSV, labels, i) ||
            !cli_scan_take_character(scan, '\n'))
            return cli_scan_fail(scan, "this is not the label that must come here");
    return PC_OK;
}

static pc_status take_label_file(void *user, const char *text, size_t n_bytes)
{
    cli_scan *scan = user;
    const cli_verify_question *q = scan->question;
    scan->begin = scan->at = text;
    scan->end = text + n_bytes;
    pc_status status = take_labels(scan, q->labels);
    if (status == PC_OK && q->chain != NULL && !q->chain->is_square)
        status = take_labels(scan, q->column_labels);
    return status == PC_OK ? cli_scan_end(scan) : status;
}

/* Labels beside an array. Without their file they are the numbers of the rows, from 0. */
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
    cli_scan scan = {.question = question, .name = cli_shown_path(name)};
    pc_status status = pc_text_read(question->context, path, take_result, &scan);
    if (status == PC_OK && scan.has_labels_apart && strcmp(path, name) == 0)
        status = check_label_file(question, path);
    *verified = (cli_verified){.n_counts = scan.n_counts, .n_rounds = scan.n_rounds};
    return status;
}

pc_status cli_verify_rows(const cli_verify_question *question, const char *name, const char *text,
                          size_t n_bytes, const bool *only, cli_checker *checker)
{
    cli_scan scan = {.question = question, .name = name, .only = only, .checker = checker};
    return take_result(&scan, text, n_bytes);
}
