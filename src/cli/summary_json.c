/* The answer for programs: one JSON object. Numbers that may pass 2^53 are strings. */
#include "src/cli/result.h"
#include "src/cli/json_text.h"
#include "src/cli/path_kinds.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Each function gives NULL when out of memory, which json_pack passes on. */

static json_t *u64_text(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

static json_t *graph_object(const cli_result *result)
{
    const pc_graph_info *info = &result->info;
    return json_pack("{s:o, s:s, s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:o, s:b}", "path",
                     cli_json_text(result->options->input.path), "format", info->format, "directed",
                     info->directed, "direction_overridden", info->direction_overridden, "vertices",
                     (json_int_t)info->n_vertices, "edges", (json_int_t)info->n_edges, "arcs",
                     (json_int_t)info->n_arcs, "loops", (json_int_t)info->n_loops, "duplicates",
                     (json_int_t)info->n_duplicates, "max_weight", u64_text(info->max_weight),
                     "weights_ignored", info->weights_ignored);
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
    json_t *output = cli_json_outputs(options);
    return json_pack("{s:s, s:b, s:s, s:o, s:b, s:b, s:I, s:i, s:o}", "paths",
                     cli_path_kind_of(options->query.paths)->name, "up_to", options->query.up_to,
                     "arithmetic", arithmetic_name(options->count.arithmetic), "modulus", modulus,
                     "multigraph", options->input.graph.multigraph, "weights",
                     options->input.graph.weights, "vertices",
                     (json_int_t)options->input.graph.n_vertices, "certify_rounds",
                     rounds == PC_CERTIFY_NONE ? 0
                     : rounds == 0             ? 2
                                               : rounds,
                     "output", output);
}

static json_t *pair_object(const pc_labels *labels, uint64_t from, uint64_t to, const char *count)
{
    return json_pack("{s:o, s:o, s:s}", "from", cli_json_label(labels, from), "to",
                     cli_json_label(labels, to), "count", count);
}

static json_t *pairs_array(const cli_result *result)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < result->values.n_pairs; i++) {
        const pc_pair *pair = &result->values.pairs[i];
        json_t *object = pair_object(result->labels, pair->from, pair->to, pair->count);
        if (json_array_append_new(array, object) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static const char *diagonal_name(const cli_result *result)
{
    return result->partition != NULL ? "within_blocks" : "closed_paths";
}

/* What a count modulo M has: sums, reduced. The keys of the exact one are there, null. */
static json_t *modular_counts(const cli_result *result)
{
    const pc_summary_values *values = &result->values;
    uint64_t modulus = result->plan.modulus;
    return json_pack("{s:o, s:o, s:n, s:n, s:n, s:I, s:n}", "total_paths",
                     u64_text(cli_decimal_modulo(values->total, modulus)), diagonal_name(result),
                     u64_text(cli_decimal_modulo(values->closed, modulus)), "bits",
                     "largest_row_sum", "largest_count", "nonzero_pairs",
                     (json_int_t)values->n_nonzero, "largest_pairs");
}

static json_t *counts_object(const cli_result *result)
{
    const pc_summary_values *values = &result->values;
    if (result->plan.arithmetic == PC_MODULAR)
        return modular_counts(result);
    json_t *bits =
        result->plan.arithmetic == PC_EXACT ? json_integer(values->largest_bits) : json_null();
    json_t *largest = values->n_pairs > 0 ? pair_object(result->labels, values->largest_from,
                                                        values->largest_to, values->largest)
                                          : json_null();
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:I, s:o}", "total_paths", values->total,
                     diagonal_name(result), values->closed, "bits", bits, "largest_row_sum",
                     values->largest_row_sum, "largest_count", largest, "nonzero_pairs",
                     (json_int_t)values->n_nonzero, "largest_pairs", pairs_array(result));
}

static json_t *running_object(const pc_plan_info *plan)
{
    json_t *bound = plan->arithmetic == PC_EXACT ? json_real(plan->bound_bits) : json_null();
    json_t *error =
        plan->arithmetic == PC_FLOAT ? cli_json_error(plan->relative_error) : json_null();
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:o, s:o, s:I}", "engine", plan->engine, "kernel",
                     plan->kernel, "device", plan->device, "engine_reason",
                     cli_json_text(plan->engine_reason), "threads", plan->n_threads, "bound_bits",
                     bound, "relative_error", error, "memory_bytes",
                     (json_int_t)plan->memory_bytes);
}

static json_t *seconds_object(const cli_result *result)
{
    const pc_plan_info *plan = &result->plan;
    return json_pack("{s:{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}}", "seconds",
                     "read", result->read_seconds, "start", plan->seconds.start, "bound",
                     plan->seconds.bound, "load", plan->seconds.load, "extend",
                     plan->seconds.extend, "product", plan->seconds.product, "step",
                     plan->seconds.step, "collect", plan->seconds.collect, "certify",
                     plan->seconds.certify, "deliver", plan->seconds.deliver, "count",
                     plan->seconds.total, "total", result->total_seconds);
}

static json_t *matrix_row(const cli_table *table, uint64_t row)
{
    json_t *array = json_array();
    for (uint64_t column = 0; column < table->n_columns; column++)
        json_array_append_new(array, json_string(table->cells[row * table->n_columns + column]));
    return array;
}

/* {"labels": [...], "matrix": [[...]]}; empty without a table. */
static json_t *matrix_object(const cli_result *result)
{
    const cli_table *table = result->table;
    if (table == NULL)
        return json_object();
    json_t *labels = json_array();
    json_t *matrix = json_array();
    for (uint64_t row = 0; row < table->n_rows; row++) {
        json_array_append_new(labels, cli_json_label(result->labels, row));
        json_array_append_new(matrix, matrix_row(table, row));
    }
    return json_pack("{s:o, s:o}", "labels", labels, "matrix", matrix);
}

/* Moves the members of part, which is NULL where one of its texts is not UTF-8, to the end of root. */
static bool take_members(json_t *root, json_t *part)
{
    bool is_done = json_object_update(root, part) == 0;
    json_decref(part);
    return is_done;
}

/* {"blocks": {...}}; empty where counts are between vertices. */
static json_t *blocks_object(const cli_result *result)
{
    if (result->partition == NULL)
        return json_object();
    pc_partition_info info;
    pc_partition_get_info(result->partition, &info);
    uint64_t n = info.n_blocks;
    json_t *sizes = json_array();
    for (uint64_t b = 0; b < n; b++)
        json_array_append_new(sizes, json_integer((json_int_t)info.sizes[b]));
    return json_pack("{s:{s:o, s:I, s:o, s:b}}", "blocks", "spec",
                     cli_json_text(result->options->blocks.spec), "count", (json_int_t)n, "sizes",
                     sizes, "mean", result->options->blocks.mean);
}

static json_t *answer_object(const cli_result *result)
{
    json_t *root = json_pack("{s:s, s:o, s:o, s:o}", "version", pc_version(), "graph",
                             graph_object(result), "options", options_object(result->options),
                             "length", u64_text(result->plan.length));
    if (take_members(root, blocks_object(result)) && take_members(root, counts_object(result)) &&
        take_members(root, running_object(&result->plan)) &&
        take_members(root, seconds_object(result)) && take_members(root, matrix_object(result)))
        return root;
    json_decref(root);
    return NULL;
}

pc_status cli_print_json(FILE *out, const cli_result *result)
{
    return cli_json_print(out, answer_object(result));
}
