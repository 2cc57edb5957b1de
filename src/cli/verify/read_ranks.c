/* Results that rank counts: the summary of a matrix as JSON, and --top. What says how it was counted
 * (engine, times) is no part of a result. */
#include "src/cli/verify/ranking.h"
#include "src/cli/verify/scan.h"

#include "src/cli/json_text.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The list of the largest counts ---------------------------------------------------------- */

static bool is_label(cli_scan *scan, const json_t *text, uint64_t vertex)
{
    json_t *label = cli_json_label(scan->question->labels, vertex);
    scan->has_no_memory |= label == NULL;
    bool is_equal = label != NULL && json_equal(text, label) == 1;
    json_decref(label);
    return is_equal;
}

/* The row or column of that label, from one that is likely on. */
static bool find(cli_scan *scan, const json_t *text, uint64_t *found)
{
    for (*found = 0; *found < scan->question->n_rows; ++*found)
        if (is_label(scan, text, *found))
            return true;
    return false;
}

/* One listed pair; count_name is "count" or "paths". */
static bool take_pair(cli_scan *scan, cli_ranking *r, uint64_t l, const json_t *object,
                      const char *count_name)
{
    const json_t *count = json_object_get(object, count_name);
    return json_is_string(count) && json_object_size(object) == 3 &&
           find(scan, json_object_get(object, "from"), &r->listed_row[l]) &&
           find(scan, json_object_get(object, "to"), &r->listed_column[l]) &&
           cli_ranking_digits(r, json_string_value(count), json_string_length(count),
                              &r->listed[l * r->n_primes]);
}

/* Counts descend, and pairs of equal counts are different. */
static bool descends(const cli_ranking *r)
{
    for (uint64_t l = 1; l < r->n_listed; l++) {
        const uint64_t *count = &r->listed[l * r->n_primes];
        if (cli_ranking_compare(r, count - r->n_primes, count) < 0)
            return false;
        for (uint64_t other = l; other-- > 0;) {
            if (cli_ranking_compare(r, &r->listed[other * r->n_primes], count) != 0)
                break;
            if (r->listed_row[other] == r->listed_row[l] &&
                r->listed_column[other] == r->listed_column[l])
                return false;
        }
    }
    return true;
}

/* Fills the ranking, and holds the list against it: n_wanted pairs, or all there are. */
static pc_status check_list(const cli_scan *scan, cli_ranking *r, uint64_t n_wanted)
{
    uint64_t n_above = 0;
    if (!descends(r))
        return cli_scan_fail(scan, "the largest counts do not descend, or a pair comes twice");
    pc_status status = cli_ranking_fill(r);
    if (status != PC_OK)
        return status;
    for (uint64_t l = 0; l < r->n_listed; l++) {
        bool is_once = !r->question->is_symmetric || r->listed_row[l] <= r->listed_column[l];
        n_above += cli_ranking_compare(r, &r->listed[l * r->n_primes],
                                       &r->listed[(r->n_listed - 1) * r->n_primes]) > 0;
        if (!is_once)
            return cli_scan_fail(scan, "a pair is not in the order of its vertices");
    }
    if (r->n_found != r->n_listed)
        return cli_scan_fail(scan, "one of the largest counts is not that of this graph");
    if (r->n_listed != (r->n_ranked < n_wanted ? r->n_ranked : n_wanted) || n_above != r->n_greater)
        return cli_scan_fail(scan, "a pair with a larger count is missing from the largest");
    return PC_OK;
}

static pc_status take_list(cli_scan *scan, cli_ranking *r, const json_t *pairs,
                           const char *count_name)
{
    for (uint64_t l = 0; l < r->n_listed; l++)
        if (!take_pair(scan, r, l, json_array_get(pairs, l), count_name))
            return cli_scan_fail(scan,
                                 "one of the largest counts has no such vertices, or is none");
    return PC_OK;
}

/* ---- --top ----------------------------------------------------------------------------------- */

/* Holds a list that was read with that status against the graph, and frees it. */
static pc_status check_top(cli_scan *scan, cli_ranking *ranking, pc_status status)
{
    if (status == PC_OK)
        status = check_list(scan, ranking, scan->question->options->query.n_top);
    scan->n_counts = ranking->n_listed;
    scan->n_rounds = ranking->n_primes;
    cli_ranking_free(ranking);
    return status;
}

pc_status cli_check_top(cli_scan *scan, const json_t *answers)
{
    cli_ranking ranking;
    pc_status status = cli_ranking_create(scan->question, json_array_size(answers), &ranking);
    if (status == PC_OK)
        status = take_list(scan, &ranking, answers, "paths");
    return check_top(scan, &ranking, status);
}

/* The vertex whose label as it is shown comes next, with a tab after it. */
static bool take_vertex(cli_scan *scan, uint64_t *vertex)
{
    const cli_verify_question *q = scan->question;
    const char *start = scan->at;
    for (*vertex = 0; *vertex < q->n_rows && !scan->has_no_memory; ++*vertex, scan->at = start)
        if (cli_scan_take_label(scan, CLI_LABEL_SHOWN, q->labels, *vertex) &&
            cli_scan_take_character(scan, '\t'))
            return true;
    return false;
}

/* One line: FROM TO COUNT. */
static bool take_line(cli_scan *scan, cli_ranking *r, uint64_t l)
{
    if (!take_vertex(scan, &r->listed_row[l]) || !take_vertex(scan, &r->listed_column[l]))
        return false;
    const char *count = scan->at, *end = memchr(count, '\n', (size_t)(scan->end - count));
    scan->at = end != NULL ? end + 1 : scan->end;
    return end != NULL &&
           cli_ranking_digits(r, count, (size_t)(end - count), &r->listed[l * r->n_primes]);
}

static uint64_t count_lines(const cli_scan *scan)
{
    uint64_t n_lines = 0;
    for (const char *at = scan->at; (at = memchr(at, '\n', (size_t)(scan->end - at))); at++)
        n_lines++;
    return n_lines;
}

pc_status cli_read_top(cli_scan *scan)
{
    cli_ranking ranking;
    if (!cli_scan_take(scan, "from\tto\tpaths\n"))
        return cli_scan_fail(scan, "the header is not that of such an answer");
    uint64_t n_lines = count_lines(scan);
    if (n_lines > scan->question->options->query.n_top)
        return cli_scan_fail(scan, "more lines than --top asks for");
    pc_status status = cli_ranking_create(scan->question, n_lines, &ranking);
    for (uint64_t l = 0; l < ranking.n_listed && status == PC_OK; l++)
        if (!take_line(scan, &ranking, l))
            status =
                cli_scan_fail(scan, "this is no line of two vertices of the graph and a count");
    if (status == PC_OK)
        status = cli_scan_end(scan);
    return check_top(scan, &ranking, status);
}

/* ---- The summary ----------------------------------------------------------------------------- */

static bool equals_text(const cli_ranking *r, const uint64_t *residues, const json_t *text)
{
    return json_is_string(text) &&
           cli_ranking_equals(r, residues, json_string_value(text), json_string_length(text));
}

static bool equals_digits(const cli_ranking *r, const uint64_t *wanted, const json_t *text)
{
    return json_is_string(text) &&
           cli_ranking_digits(r, json_string_value(text), json_string_length(text), r->scratch) &&
           cli_ranking_compare(r, r->scratch, wanted) == 0;
}

/* Whether the object is the label of the vertex, or null where no vertex has a path. */
static bool is_most_from(cli_scan *scan, const cli_ranking *r, const json_t *object)
{
    return r->n_nonzero == 0 ? json_is_null(object) : is_label(scan, object, r->most_from);
}

static bool is_largest(cli_scan *scan, const cli_ranking *r, const json_t *object)
{
    if (r->n_nonzero == 0)
        return json_is_null(object);
    return equals_digits(r, r->largest, json_object_get(object, "count")) &&
           is_label(scan, json_object_get(object, "from"), r->largest_row) &&
           is_label(scan, json_object_get(object, "to"), r->largest_column);
}

/* What only exact counts have. Others have null there. */
static const char *check_exact(cli_scan *scan, const cli_ranking *r, const json_t *root)
{
    const json_t *bits = json_object_get(root, "bits");
    if (cli_verify_is_modular(r->question))
        return json_is_null(bits) && json_is_null(json_object_get(root, "largest_count")) &&
                       json_is_null(json_object_get(root, "largest_row_sum")) &&
                       json_is_null(json_object_get(root, "largest_row")) &&
                       json_is_null(json_object_get(root, "largest_pairs"))
                   ? NULL
                   : "largest_count";
    if (!json_is_integer(bits) ||
        !cli_ranking_has_bits(r, r->largest, (uint64_t)json_integer_value(bits)))
        return "bits";
    if (!equals_digits(r, r->largest_row_sum, json_object_get(root, "largest_row_sum")))
        return "largest_row_sum";
    if (!is_most_from(scan, r, json_object_get(root, "largest_row")))
        return "largest_row";
    return is_largest(scan, r, json_object_get(root, "largest_count")) ? NULL : "largest_count";
}

/* The name of the first member that is wrong; NULL: none is. */
static const char *check_members(cli_scan *scan, const cli_ranking *r, const json_t *root)
{
    const char *closed = r->question->partition != NULL ? "within_blocks" : "closed_paths";
    const json_t *length = json_object_get(root, "length");
    uint64_t n_nonzero = (uint64_t)json_integer_value(json_object_get(root, "nonzero_pairs"));
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, r->question->options->length);
    if (!json_is_string(length) || strcmp(json_string_value(length), text) != 0)
        return "length";
    if (!equals_text(r, r->total, json_object_get(root, "total_paths")))
        return "total_paths";
    if (!equals_text(r, r->closed, json_object_get(root, closed)))
        return closed;
    if (!json_is_integer(json_object_get(root, "nonzero_pairs")) || n_nonzero != r->n_nonzero)
        return "nonzero_pairs";
    return check_exact(scan, r, root);
}

/* "labels" and "matrix", of a small one. */
static pc_status check_matrix(cli_scan *scan, const json_t *root)
{
    const cli_verify_question *q = scan->question;
    const json_t *labels = json_object_get(root, "labels"), *rows = json_object_get(root, "matrix");
    if (labels == NULL && rows == NULL)
        return PC_OK;
    if (json_array_size(labels) != q->n_rows || json_array_size(rows) != q->n_rows)
        return cli_scan_fail(scan, "\"matrix\" has another size");
    for (uint64_t i = 0; i < q->n_rows; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *wrong =
            is_label(scan, json_array_get(labels, i), i) && json_array_size(row) == q->n_columns
                ? NULL
                : "has another label, or another size";
        for (uint64_t c = 0; c < q->n_columns && wrong == NULL; c++) {
            const json_t *count = json_array_get(row, c);
            wrong = json_is_string(count)
                        ? scan->checker->text(scan->checker, i, c, json_string_value(count),
                                              json_string_length(count))
                        : "is no text";
        }
        wrong = wrong != NULL ? wrong : scan->checker->row(scan->checker, i);
        if (wrong != NULL)
            return cli_scan_fail(scan, "row %" PRIu64 " of \"matrix\" %s", i, wrong);
        scan->n_counts += q->n_columns;
    }
    return PC_OK;
}

pc_status cli_check_summary(cli_scan *scan, const json_t *root)
{
    const json_t *pairs = json_object_get(root, "largest_pairs");
    cli_ranking ranking;
    pc_status status = cli_ranking_create(scan->question, json_array_size(pairs), &ranking);
    if (status == PC_OK)
        status = take_list(scan, &ranking, pairs, "count");
    if (status == PC_OK && cli_verify_is_modular(scan->question))
        status = cli_ranking_fill(&ranking);
    else if (status == PC_OK)
        status = check_list(scan, &ranking, PC_SUMMARY_PAIRS);
    const char *wrong = status == PC_OK ? check_members(scan, &ranking, root) : NULL;
    if (wrong != NULL)
        status = cli_scan_fail(scan, "\"%s\" is not that of this graph", wrong);
    scan->n_counts += ranking.n_listed + 3;
    cli_ranking_free(&ranking);
    return status == PC_OK ? check_matrix(scan, root) : status;
}
