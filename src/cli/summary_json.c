/* The answer for programs: one JSON object. Numbers that may pass 2^53 are strings. */
#include "src/cli/answer.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SIGNIFICANT_DIGITS 6 /* of times and bits */

/* Each function gives NULL when out of memory, which json_pack passes on. */

static json_t *u64_text(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

/* Bytes that are no UTF-8 become '?': JSON has no way to say them. */
static json_t *text_or_replaced(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *ascii = strdup(text);
    for (char *c = ascii; c != NULL && *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = ascii != NULL ? json_string(ascii) : NULL;
    free(ascii);
    return string;
}

static json_t *label(const pc_graph *graph, uint64_t vertex)
{
    char *text = cli_label_raw(graph, vertex);
    json_t *string = text != NULL ? text_or_replaced(text) : NULL;
    free(text);
    return string;
}

static json_t *graph_object(const cli_answer *answer)
{
    const pc_graph_info *info = &answer->info;
    return json_pack("{s:o, s:s, s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:o, s:b}", "path",
                     text_or_replaced(answer->options->input.path), "format", info->format,
                     "directed", info->directed, "direction_overridden", info->direction_overridden,
                     "vertices", (json_int_t)info->n_vertices, "edges", (json_int_t)info->n_edges,
                     "arcs", (json_int_t)info->n_arcs, "loops", (json_int_t)info->n_loops,
                     "duplicates", (json_int_t)info->n_duplicates, "max_weight",
                     u64_text(info->max_weight), "weights_ignored", info->weights_ignored);
}

static const char *arithmetic_name(pc_arithmetic arithmetic)
{
    switch (arithmetic) {
    case PC_MODULAR:
        return "modular";
    case PC_FLOAT:
        return "float";
    case PC_EXACT:
        break;
    }
    return "exact";
}

static json_t *options_object(const cli_count_options *options)
{
    int rounds = options->count.n_certify_rounds;
    json_t *modulus =
        options->count.arithmetic == PC_MODULAR ? u64_text(options->count.modulus) : json_null();
    json_t *output =
        options->output_path != NULL ? text_or_replaced(options->output_path) : json_null();
    return json_pack("{s:s, s:o, s:b, s:b, s:I, s:i, s:o}", "arithmetic",
                     arithmetic_name(options->count.arithmetic), "modulus", modulus, "multigraph",
                     options->input.graph.multigraph, "weights", options->input.graph.weights,
                     "vertices", (json_int_t)options->input.graph.n_vertices, "certify_rounds",
                     rounds == PC_CERTIFY_NONE ? 0
                     : rounds == 0             ? 2
                                               : rounds,
                     "output", output);
}

static json_t *pair_object(const pc_graph *graph, uint64_t from, uint64_t to, const char *count)
{
    return json_pack("{s:o, s:o, s:s}", "from", label(graph, from), "to", label(graph, to), "count",
                     count);
}

static json_t *pairs_array(const cli_answer *answer)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < answer->values.n_pairs; i++) {
        const pc_pair *pair = &answer->values.pairs[i];
        json_t *object = pair_object(answer->graph, pair->from, pair->to, pair->count);
        if (json_array_append_new(array, object) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* What a count modulo M has: sums, reduced. The keys of the exact one are there, null. */
static json_t *modular_counts(const pc_summary_values *values, uint64_t modulus)
{
    return json_pack("{s:o, s:o, s:n, s:n, s:n, s:I, s:n}", "total_paths",
                     u64_text(cli_decimal_modulo(values->total, modulus)), "closed_paths",
                     u64_text(cli_decimal_modulo(values->closed, modulus)), "bits",
                     "largest_row_sum", "largest_count", "nonzero_pairs",
                     (json_int_t)values->n_nonzero, "largest_pairs");
}

static json_t *counts_object(const cli_answer *answer)
{
    const pc_summary_values *values = &answer->values;
    if (answer->plan.arithmetic == PC_MODULAR)
        return modular_counts(values, answer->plan.modulus);
    json_t *bits =
        answer->plan.arithmetic == PC_EXACT ? json_integer(values->largest_bits) : json_null();
    json_t *largest = values->n_pairs > 0 ? pair_object(answer->graph, values->largest_from,
                                                        values->largest_to, values->largest)
                                          : json_null();
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:I, s:o}", "total_paths", values->total,
                     "closed_paths", values->closed, "bits", bits, "largest_row_sum",
                     values->largest_row_sum, "largest_count", largest, "nonzero_pairs",
                     (json_int_t)values->n_nonzero, "largest_pairs", pairs_array(answer));
}

static json_t *running_object(const pc_plan *plan)
{
    json_t *bound = plan->arithmetic == PC_EXACT ? json_real(plan->bound_bits) : json_null();
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:o, s:I}", "engine", plan->engine, "kernel",
                     plan->kernel, "device", plan->device, "engine_reason",
                     text_or_replaced(plan->engine_reason), "threads", plan->n_threads,
                     "bound_bits", bound, "memory_bytes", (json_int_t)plan->memory_bytes);
}

static json_t *seconds_object(const cli_answer *answer)
{
    const pc_plan *plan = &answer->plan;
    return json_pack("{s:{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}}", "seconds",
                     "read", answer->read_seconds, "start", plan->seconds.start, "bound",
                     plan->seconds.bound, "load", plan->seconds.load, "extend",
                     plan->seconds.extend, "product", plan->seconds.product, "step",
                     plan->seconds.step, "collect", plan->seconds.collect, "certify",
                     plan->seconds.certify, "deliver", plan->seconds.deliver, "count",
                     plan->seconds.total, "total", answer->total_seconds);
}

static json_t *matrix_row(const cli_table *table, uint64_t row)
{
    json_t *array = json_array();
    for (uint64_t column = 0; column < table->n; column++)
        if (json_array_append_new(array, json_string(table->cells[row * table->n + column])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* {"labels": [...], "matrix": [[...]]}; empty without a table. */
static json_t *matrix_object(const cli_answer *answer)
{
    const cli_table *table = answer->table;
    if (table == NULL)
        return json_object();
    json_t *labels = json_array();
    json_t *matrix = json_array();
    for (uint64_t row = 0; row < table->n; row++)
        if (json_array_append_new(labels, label(answer->graph, row)) != 0 ||
            json_array_append_new(matrix, matrix_row(table, row)) != 0) {
            json_decref(labels);
            json_decref(matrix);
            return NULL;
        }
    return json_pack("{s:o, s:o}", "labels", labels, "matrix", matrix);
}

/* Moves the members of part, which may be NULL, to the end of root. */
static bool take_members(json_t *root, json_t *part)
{
    bool is_done = part != NULL && json_object_update(root, part) == 0;
    json_decref(part);
    return is_done;
}

static json_t *answer_object(const cli_answer *answer)
{
    json_t *root = json_pack("{s:s, s:o, s:o, s:o}", "version", pc_version(), "graph",
                             graph_object(answer), "options", options_object(answer->options),
                             "length", u64_text(answer->plan.length));
    if (take_members(root, counts_object(answer)) &&
        take_members(root, running_object(&answer->plan)) &&
        take_members(root, seconds_object(answer)) && take_members(root, matrix_object(answer)))
        return root;
    json_decref(root);
    return NULL;
}

/* One member a line, so that a matrix does not take a line for each count. */
static bool write_members(FILE *out, json_t *root)
{
    const char *name;
    json_t *value;
    const char *before = "{\n";
    json_object_foreach(root, name, value)
    {
        fprintf(out, "%s  \"%s\": ", before, name);
        if (json_dumpf(value, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(SIGNIFICANT_DIGITS)) != 0)
            return false;
        before = ",\n";
    }
    return fputs("\n}\n", out) >= 0;
}

/* The text is made whole before it is printed: half of an object is no answer. */
pc_status cli_print_json(FILE *out, const cli_answer *answer)
{
    char *text = NULL;
    size_t n_bytes = 0;
    json_t *root = answer_object(answer);
    FILE *memory = root != NULL ? open_memstream(&text, &n_bytes) : NULL;
    bool is_written = memory != NULL && write_members(memory, root);
    bool is_whole = memory != NULL && fclose(memory) == 0 && is_written;
    if (is_whole)
        fputs(text, out);
    free(text);
    json_decref(root);
    return is_whole ? PC_OK : PC_ERR_MEMORY;
}
