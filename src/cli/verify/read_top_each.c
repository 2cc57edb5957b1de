/* What --top-each prints: of each row the largest counts, in an order that leaves no choice. So the lines that
 * must come are made from the graph, row by row, and compared. */
#define _GNU_SOURCE /* qsort_r */
#include "src/cli/verify/ranking.h"
#include "src/cli/verify/scan.h"

#include "src/cli/json_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct top_each {
    cli_scan *scan;
    cli_ranking ranking;
    const json_t *answers; /* NULL: lines of text */
    uint64_t n_read;       /* lines or answers */
    uint64_t *columns;     /* [n_columns] of a row, those with the largest counts first */
    const uint64_t *row;   /* [n_columns][n_primes] digits of its counts */
} top_each;

/* Larger counts come first, of equal ones those of the column that comes first. */
static int compare(const void *one, const void *other, void *user)
{
    const top_each *t = user;
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other, m = t->ranking.n_primes;
    int order = cli_ranking_compare(&t->ranking, &t->row[b * m], &t->row[a * m]);
    return order != 0 ? order : a < b ? -1 : 1;
}

static bool is_zero(const top_each *t, uint64_t column)
{
    for (uint64_t i = 0; i < t->ranking.n_primes; i++)
        if (t->row[column * t->ranking.n_primes + i] != 0)
            return false;
    return true;
}

/* Whether a text is the number of paths to a column. */
static bool is_count(top_each *t, uint64_t column, const char *text, size_t length)
{
    cli_ranking *r = &t->ranking;
    return cli_ranking_digits(r, text, length, r->scratch) &&
           cli_ranking_compare(r, r->scratch, &t->row[column * r->n_primes]) == 0;
}

/* A line FROM TO COUNT; NULL, or what is wrong with it. */
static const char *take_line(top_each *t, uint64_t row, uint64_t column)
{
    cli_scan *scan = t->scan;
    const pc_labels *labels = scan->question->labels;
    if (scan->at == scan->end)
        return "ends here, and lines are missing";
    if (!cli_scan_take_label(scan, CLI_LABEL_SHOWN, labels, row) ||
        !cli_scan_take_character(scan, '\t') ||
        !cli_scan_take_label(scan, CLI_LABEL_SHOWN, labels, column) ||
        !cli_scan_take_character(scan, '\t'))
        return "has other vertices here than those with the largest counts";
    const char *count = scan->at, *end = memchr(count, '\n', (size_t)(scan->end - count));
    if (end == NULL || !is_count(t, column, count, (size_t)(end - count)))
        return "has a count here that is not that of this graph";
    scan->at = end + 1;
    return NULL;
}

static bool has_label(top_each *t, const json_t *object, const char *name, uint64_t vertex)
{
    json_t *label = cli_json_label(t->scan->question->labels, vertex);
    t->scan->has_no_memory |= label == NULL;
    bool is_equal = label != NULL && json_equal(json_object_get(object, name), label) == 1;
    json_decref(label);
    return is_equal;
}

static const char *take_answer(top_each *t, uint64_t row, uint64_t column)
{
    const json_t *object = json_array_get(t->answers, t->n_read);
    const json_t *count = json_object_get(object, "paths");
    if (object == NULL)
        return "has too few answers";
    if (json_object_size(object) != 3 || !has_label(t, object, "from", row) ||
        !has_label(t, object, "to", column))
        return "has other vertices than those with the largest counts";
    return json_is_string(count) &&
                   is_count(t, column, json_string_value(count), json_string_length(count))
               ? NULL
               : "has a count that is not that of this graph";
}

static pc_status take_row(void *user, uint64_t row, uint64_t *digits)
{
    top_each *t = user;
    const cli_verify_question *q = t->scan->question;
    uint64_t n = 0, n_wanted = q->options->query.n_top;
    t->row = digits;
    for (uint64_t c = 0; c < q->n_columns; c++)
        if (!is_zero(t, c))
            t->columns[n++] = c;
    qsort_r(t->columns, n, sizeof *t->columns, compare, t);
    for (uint64_t l = 0; l < n && l < n_wanted; l++, t->n_read++) {
        const char *wrong = t->answers != NULL ? take_answer(t, row, t->columns[l])
                                               : take_line(t, row, t->columns[l]);
        if (wrong != NULL && t->answers != NULL)
            return cli_scan_fail(t->scan, "answer %" PRIu64 " %s", t->n_read, wrong);
        if (wrong != NULL)
            return cli_scan_fail(t->scan, "the result %s", wrong);
    }
    return PC_OK;
}

static pc_status check_rows(top_each *t)
{
    cli_scan *scan = t->scan;
    t->columns = malloc((scan->question->n_columns + 1) * sizeof *t->columns);
    if (t->columns == NULL)
        return pc_context_fail(scan->question->context, PC_ERR_MEMORY,
                               "no memory to rank the counts");
    pc_status status = cli_ranking_create(scan->question, 0, &t->ranking);
    if (status == PC_OK)
        status = cli_ranking_rows(&t->ranking, take_row, t);
    scan->n_counts = t->n_read;
    scan->n_rounds = t->ranking.n_primes;
    cli_ranking_free(&t->ranking);
    free(t->columns);
    return status;
}

pc_status cli_check_top_each(cli_scan *scan, const json_t *answers)
{
    top_each t = {.scan = scan, .answers = answers};
    if (!json_is_array(answers))
        return cli_scan_fail(scan, "\"answers\" is missing");
    pc_status status = check_rows(&t);
    return status == PC_OK && t.n_read != json_array_size(answers)
               ? cli_scan_fail(scan, "\"answers\" has more members than %" PRIu64, t.n_read)
               : status;
}

pc_status cli_read_top_each(cli_scan *scan)
{
    top_each t = {.scan = scan};
    if (!cli_scan_take(scan, "from\tto\tpaths\n"))
        return cli_scan_fail(scan, "the header is not that of such an answer");
    pc_status status = check_rows(&t);
    return status == PC_OK ? cli_scan_end(scan) : status;
}
