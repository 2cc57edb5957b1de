/* Prints a product as one JSON object. Numbers that may pass 2^53 are strings. */
#include "src/cli/chain_result.h"
#include "src/cli/json_head.h"
#include "src/cli/outputs.h"
#include "src/cli/json_text.h"

static json_t *label_array(const pc_labels *labels)
{
    json_t *array = json_array();
    for (uint64_t i = 0; i < pc_labels_count(labels); i++)
        json_array_append_new(array, cli_json_label(labels, i));
    return array;
}

static json_t *factor_array(const cli_chain_result *result)
{
    json_t *array = json_array();
    for (uint32_t f = 0; f < result->options->n_factors; f++) {
        const cli_factor *given = &result->options->factors[f];
        const pc_relation *factor = result->factors[f];
        pc_relation_info info;
        pc_relation_get_info(factor, &info);
        json_t *object = json_pack(
            "{s:o, s:b, s:I, s:I, s:I}", "path", cli_json_text(given->path), "transposed",
            given->is_transposed, "rows", (json_int_t)pc_labels_count(info.rows), "columns",
            (json_int_t)pc_labels_count(info.columns), "entries", (json_int_t)info.n_entries);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *pair_array(const cli_chain_result *result)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < result->values.n_pairs; i++) {
        const pc_pair *pair = &result->values.pairs[i];
        json_t *object =
            json_pack("{s:o, s:o, s:s}", "from", cli_json_label(result->info.rows, pair->from),
                      "to", cli_json_label(result->info.columns, pair->to),
                      result->options->pathsim ? "similarity" : "count", pair->count);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *options_object(const cli_chain_options *options)
{
    const cli_count_options *count = &options->count;
    return json_pack(
        "{s:b, s:b, s:b, s:i, s:o}", "multigraph", count->input.graph.multigraph, "weights",
        count->input.graph.weights, "allow_missing", options->chain.allow_missing, "certify_rounds",
        cli_json_rounds(options->chain.n_certify_rounds), "output", cli_json_outputs(count));
}

/* Only numbers of ways have sums; a sum of similarities has no meaning. */
static json_t *sums_object(const cli_chain_result *result)
{
    const pc_summary_values *values = &result->values;
    if (result->options->pathsim)
        return json_pack("{s:n, s:n, s:n}", "total", "largest_row_sum", "largest_row");
    json_t *most = values->n_nonzero > 0 ? cli_json_label(result->info.rows, values->largest_row)
                                         : json_null();
    return json_pack("{s:s, s:s, s:o}", "total", values->total, "largest_row_sum",
                     values->largest_row_sum, "largest_row", most);
}

static json_t *how_object(const cli_chain_result *result)
{
    const pc_chain_info *info = &result->info;
    return json_pack("{s:o, s:o, s:s, s:b, s:s, s:f, s:f, s:f, s:I, s:I}", "factors",
                     factor_array(result), "options", options_object(result->options), "measure",
                     result->options->pathsim ? "pathsim" : "ways", "square", info->square, "order",
                     info->order, "multiplications", info->n_multiplications, "left_to_right",
                     info->n_left_to_right, "bound_bits", info->bound_bits, "rows",
                     (json_int_t)info->n_rows, "columns", (json_int_t)info->n_columns);
}

static json_t *answer_object(const cli_chain_result *result)
{
    json_t *rest =
        json_pack("{s:I, s:o, s:{s:f, s:f}}", "nonzero_pairs", (json_int_t)result->values.n_nonzero,
                  "largest_pairs", pair_array(result), "seconds", "read", result->read_seconds,
                  "total", result->total_seconds);
    json_t *root = cli_json_behind(cli_json_begin("chain"), how_object(result));
    root = cli_json_behind(root, sums_object(result));
    return cli_json_behind(root, rest);
}

static json_t *matrix_array(const cli_table *table)
{
    json_t *matrix = json_array();
    for (uint64_t i = 0; i < table->n_rows; i++) {
        json_t *row = json_array();
        for (uint64_t j = 0; j < table->n_columns; j++)
            json_array_append_new(row, json_string(table->cells[i * table->n_columns + j]));
        json_array_append_new(matrix, row);
    }
    return matrix;
}

pc_status cli_chain_print_json(FILE *out, const cli_chain_result *result)
{
    json_t *root = answer_object(result);
    if (result->table != NULL) { /* a small product */
        json_object_set_new(root, "row_labels", label_array(result->info.rows));
        json_object_set_new(root, "column_labels", label_array(result->info.columns));
        json_object_set_new(root, "matrix", matrix_array(result->table));
    }
    return cli_json_print(out, root);
}
