/* What --json prints: the answer to a query. Members about how it was counted (engine, times) are no part
 * of the result. */
#include "src/cli/verify/places.h"
#include "src/cli/verify/scan.h"
#include "src/cli/verify/text_check.h"

#include "src/cli/json.h"
#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A member that must have a value; value is taken over. */
static pc_status expect(const cli_scan *scan, const json_t *object, const char *name, json_t *value)
{
    bool is_equal = value != NULL && json_equal(json_object_get(object, name), value) == 1;
    json_decref(value);
    return is_equal ? PC_OK : cli_scan_fail(scan, "\"%s\" is not what was asked for", name);
}

static json_t *number_text(uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return json_string(text);
}

/* BETA of --katz, which is text; null for subgraph centrality. */
static pc_status check_series(const cli_scan *scan, const json_t *root)
{
    const cli_query_options *asked = &scan->question->options->query;
    const json_t *beta = json_object_get(root, "beta");
    bool is_equal =
        asked->question == CLI_ASK_KATZ
            ? json_is_string(beta) && (double)cli_real(json_string_value(beta), NULL) == asked->beta
            : json_is_null(beta);
    return is_equal ? PC_OK : cli_scan_fail(scan, "\"beta\" is not what was asked for");
}

/* Which paths were counted, and how. */
static pc_status check_paths(const cli_scan *scan, const json_t *root)
{
    const json_t *how = json_object_get(root, "options");
    const cli_count_options *options = scan->question->options;
    const cli_query_options *asked = &options->query;
    pc_arithmetic arithmetic = options->count.arithmetic;
    const char *name = arithmetic == PC_MODULAR ? "modular"
                       : arithmetic == PC_FLOAT ? "float"
                                                : "exact";
    pc_status status =
        expect(scan, how, "paths", json_string(cli_path_kind_of(asked->paths)->name));
    if (status == PC_OK)
        status = expect(scan, root, "each", json_boolean(asked->each));
    if (status == PC_OK)
        status = expect(scan, root, "up_to", json_boolean(asked->up_to));
    if (status == PC_OK)
        status = expect(scan, how, "arithmetic", json_string(name));
    return status == PC_OK ? expect(scan, how, "modulus",
                                    arithmetic == PC_MODULAR ? number_text(options->count.modulus)
                                                             : json_null())
                           : status;
}

/* What was asked, as members of an object. */
static pc_status check_query(const cli_scan *scan, const json_t *root)
{
    const cli_verify_question *q = scan->question;
    pc_status status = expect(scan, json_object_get(root, "graph"), "vertices",
                              json_integer((json_int_t)pc_graph_n_vertices(q->graph)));
    if (status == PC_OK)
        status = expect(scan, root, "query", json_string(q->options->query.option + 2));
    if (status == PC_OK)
        status = expect(scan, root, "length", number_text(q->options->length));
    if (status != PC_OK)
        return status;
    return cli_verify_is_series(q) ? check_series(scan, root) : check_paths(scan, root);
}

/* ---- Answers --------------------------------------------------------------------------------- */

static json_t *wanted_key(const cli_verify_question *q, size_t c, uint64_t length, uint64_t line)
{
    uint64_t vertices[2];
    cli_places_vertices(q, line, vertices);
    if (q->options->query.each && c == 0)
        return number_text(length);
    return cli_json_label(q->labels, vertices[c - q->options->query.each]);
}

/* One object of "answers". */
static pc_status check_line(cli_scan *scan, const json_t *object, uint64_t length, uint64_t line)
{
    const cli_verify_question *q = scan->question;
    const char *columns[CLI_PLACE_COLUMNS];
    size_t n_columns, n_keys = cli_places_columns(q, columns, &n_columns);
    uint64_t first = line * cli_places_n_counts(q);
    pc_status status = PC_OK;
    if (json_object_size(object) != n_columns)
        return cli_scan_fail(scan, "answer %" PRIu64 " has not the members that it must have",
                             line);
    for (size_t c = 0; c < n_keys && status == PC_OK; c++)
        status = expect(scan, object, columns[c], wanted_key(q, c, length, line));
    for (size_t c = n_keys; c < n_columns && status == PC_OK; c++, first++, scan->n_counts++) {
        const json_t *count = json_object_get(object, columns[c]);
        const char *wrong =
            json_is_string(count)
                ? scan->checker->text(scan->checker, first / q->n_columns, first % q->n_columns,
                                      json_string_value(count), json_string_length(count))
                : "is missing";
        if (wrong != NULL)
            status = cli_scan_fail(scan, "\"%s\" of answer %" PRIu64 " (length %" PRIu64 ") %s",
                                   columns[c], line, length, wrong);
    }
    return status == PC_OK && first % q->n_columns == 0
               ? cli_scan_end_row(scan, first / q->n_columns - 1)
               : status;
}

static pc_status check_answers(cli_scan *scan, const json_t *answers)
{
    const cli_verify_question *q = scan->question;
    uint64_t n_lines = cli_places_n_lines(q), n_answers = json_array_size(answers);
    pc_status status = PC_OK;
    if (!json_is_array(answers) || n_answers != n_lines * q->n_lengths)
        return cli_scan_fail(scan, "\"answers\" has %" PRIu64 " members, and not %" PRIu64,
                             n_answers, n_lines * q->n_lengths);
    for (uint64_t i = 0; i < n_answers && status == PC_OK; i++) {
        if (i % n_lines == 0)
            scan->checker->begin(scan->checker, i / n_lines);
        status = check_line(scan, json_array_get(answers, i), q->first_length + i / n_lines,
                            i % n_lines);
    }
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

pc_status cli_read_printed_json(cli_scan *scan)
{
    json_error_t error;
    json_t *root =
        json_loadb(scan->begin, (size_t)(scan->end - scan->begin), JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        return cli_scan_fail(scan, "this is no JSON: %.200s (line %d)", error.text, error.line);
    pc_status status = check_query(scan, root);
    if (status == PC_OK)
        status = check_answers(scan, json_object_get(root, "answers"));
    json_decref(root);
    return status;
}
