/* Makes and prints JSON. */
#include "src/cli/json.h"

#include "src/cli/kinds.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------- */

#define SIGNIFICANT_DIGITS 6 /* of times, bits and costs */

json_t *cli_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *ascii = cli_need(strdup(text));
    for (char *c = ascii; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(ascii);
    free(ascii);
    return string;
}

json_t *cli_json_error(double error)
{
    return isfinite(error) ? json_real(error * (1 + 1e-5)) : json_null();
}

json_t *cli_json_label(const pc_labels *labels, uint64_t index)
{
    char *text = cli_label_raw(labels, index);
    json_t *string = cli_json_text(text);
    free(text);
    return string;
}

json_t *cli_json_labels(const pc_labels *labels)
{
    json_t *array = json_array();
    for (uint64_t i = 0; i < pc_labels_count(labels); i++)
        json_array_append_new(array, cli_json_label(labels, i));
    return array;
}

/* The whole text is made before it is printed, because half of an object is no answer. A member
 * takes a line, so that a matrix does not take a line for each entry. */
void cli_json_print(json_t *root)
{
    char *text = NULL;
    const char *name, *before = "{\n";
    json_t *value;
    size_t n_bytes = 0;
    FILE *memory = cli_need(open_memstream(&text, &n_bytes));
    bool is_whole = true;
    json_object_foreach(cli_need(root), name, value)
    {
        fprintf(memory, "%s  \"%s\": ", before, name);
        is_whole &= json_dumpf(value, memory,
                               JSON_ENCODE_ANY | JSON_REAL_PRECISION(SIGNIFICANT_DIGITS)) == 0;
        before = ",\n";
    }
    fputs("\n}\n", memory);
    is_whole = fclose(memory) == 0 && is_whole; /* without memory there may be no text either */
    fputs(cli_need(is_whole ? text : NULL), stdout);
    free(text);
    json_decref(root);
}

/* ---- Members that all objects have ----------------------------------------------------------- */

json_t *cli_json_integer(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

int cli_json_rounds(int n_certify_rounds)
{
    return n_certify_rounds == PC_CERTIFY_NONE ? 0 : n_certify_rounds == 0 ? 2 : n_certify_rounds;
}

json_t *cli_json_outputs(const cli_count_options *options)
{
    json_t *paths = options->output.n > 1 ? json_array() : NULL;
    if (options->output.n < 2)
        return options->output.n == 1 ? cli_json_text(options->output.list[0].path) : json_null();
    for (size_t i = 0; i < options->output.n; i++)
        json_array_append_new(paths, cli_json_text(options->output.list[i].path));
    return paths;
}

json_t *cli_json_begin(const char *command)
{
    return json_pack("{s:i, s:s, s:s}", "schema", CLI_JSON_SCHEMA, "version", pc_version(),
                     "command", command);
}

json_t *cli_json_behind(json_t *head, json_t *rest)
{
    json_object_update(cli_need(head), cli_need(rest));
    json_decref(rest);
    return head;
}

json_t *cli_json_head(const char *command, const cli_count_options *options,
                      const pc_graph_info *info)
{
    const cli_query_options *query = &options->query;
    const pc_graph_options *input = &options->input.graph;
    bool is_modular = options->count.arithmetic == PC_MODULAR;
    /* Centralities are sums of doubles. */
    bool is_float = options->count.arithmetic == PC_FLOAT ||
                    cli_question_kind_of(query->question)->numbers == CLI_SERIES;
    json_t *graph =
        json_pack("{s:o, s:s, s:b, s:b, s:I, s:I, s:I, s:I, s:s, s:I, s:s, s:b}", "path",
                  cli_json_text(options->input.path), "format", info->format, "directed",
                  info->directed, "direction_overridden", info->direction_overridden, "vertices",
                  (json_int_t)info->n_vertices, "edges", (json_int_t)info->n_edges, "arcs",
                  (json_int_t)info->n_arcs, "loops", (json_int_t)info->n_loops, "loops_counted",
                  cli_loop_words[info->loops], "duplicates", (json_int_t)info->n_duplicates,
                  "max_weight", cli_weight_of(info).text, "weights_ignored", info->weights_ignored);
    json_t *how = json_pack(
        "{s:s, s:s, s:o, s:b, s:b, s:I, s:i, s:o}", "paths", cli_path_kind_of(query->paths)->name,
        "arithmetic",
        is_float     ? "float"
        : is_modular ? "modular"
                     : "exact",
        "modulus", is_modular ? cli_json_integer(options->count.modulus) : json_null(),
        "multigraph", input->multigraph, "weights", input->weights, "vertices",
        (json_int_t)input->n_vertices, "certify_rounds",
        cli_json_rounds(options->count.n_certify_rounds), "output", cli_json_outputs(options));
    if (query->match != NULL) {
        json_object_set_new(how, "match", cli_json_text(query->match));
        json_object_set_new(how, "label_column", cli_json_text(query->label_column));
    }
    bool is_in_time = options->time.column != NULL;
    bool has_length = query->paths != PC_PATHS_SHORTEST && !(is_in_time && options->any_length);
    if (is_in_time) {
        json_t *wait = options->time.wait != NULL ? cli_json_text(options->time.wait) : json_null();
        json_object_set_new(how, "paths", json_string("time-respecting"));
        json_object_set_new(how, "time_column", cli_json_text(options->time.column));
        json_object_set_new(how, "wait", wait);
    }
    json_t *counts =
        json_pack("{s:o, s:o, s:s, s:o, s:b, s:b}", "graph", graph, "options", how, "query",
                  query->question == CLI_ASK_MATRIX ? "matrix" : query->option + 2, "length",
                  has_length ? cli_json_integer(options->length) : json_null(), "each", query->each,
                  "up_to", query->up_to);
    return cli_json_behind(cli_json_begin(command), counts);
}

void cli_json_print_answers(const char *command, const cli_count_options *options,
                            const pc_graph *graph, json_t *members, json_t *lines)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    json_object_set_new(members, "answers", lines != NULL ? json_incref(lines) : json_array());
    cli_json_print(cli_json_behind(cli_json_head(command, options, &info), members));
}
