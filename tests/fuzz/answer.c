/* Right results of a small graph. */
#include "tests/fuzz/answer.h"

#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* In some format each character of these that is no letter needs quotes or an escape. */
static const char *const labels[ANSWER_VERTICES] = {"a\"b", "B", "c\t,d"};

enum { N_ARCS = 4 };
static const uint64_t arc_from[N_ARCS] = {0, 1, 1, 1}, arc_to[N_ARCS] = {1, 0, 1, 2},
                      arc_weight[N_ARCS] = {1, 2, 2, 3};

pc_graph *answer_graph(pc_context *context, const pc_graph_options *options)
{
    const pc_edges edges = {.n_vertices = ANSWER_VERTICES,
                            .labels = labels,
                            .n_edges = N_ARCS,
                            .from = arc_from,
                            .to = arc_to,
                            .weight = options->weights ? arc_weight : NULL,
                            .stated = PC_DIRECTED};
    pc_graph *graph = NULL;
    if (pc_graph_from_edges(context, &edges, options, &graph) != PC_OK)
        fuzz_fail("no graph: %s", pc_context_message(context));
    return graph;
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* The multiplicity of the step from one vertex to another; of a Markov chain its probability. */
static long double step(const cli_verify_question *q, uint64_t from, uint64_t to)
{
    const cli_count_options *options = q->options;
    bool is_undirected = options->input.graph.direction == PC_UNDIRECTED;
    long double weight = 0, all = 0;
    for (uint64_t v = 0; v < ANSWER_VERTICES; v++) {
        uint64_t entry = 0;
        for (int a = 0; a < N_ARCS; a++)
            if ((arc_from[a] == from && arc_to[a] == v) ||
                (is_undirected && arc_from[a] == v && arc_to[a] == from))
                entry = options->input.graph.weights ? arc_weight[a] : 1;
        weight = v == to ? entry : weight;
        all += entry;
    }
    if (options->query.paths != PC_PATHS_MARKOV)
        return weight;
    return all == 0 ? from == to : weight / all;
}

/* Adds up the paths from a vertex that take so many steps more. before is the vertex of the step before;
 * ANSWER_VERTICES at the beginning. */
static long double count(const cli_verify_question *q, uint64_t from, uint64_t to, uint64_t left,
                         uint64_t before)
{
    bool may_return = q->options->query.paths != PC_PATHS_NON_BACKTRACKING;
    long double sum = 0;
    if (left == 0)
        return from == to;
    for (uint64_t v = 0; v < ANSWER_VERTICES; v++)
        if (step(q, from, v) != 0 && (may_return || v != before))
            sum += step(q, from, v) * count(q, v, to, left - 1, from);
    return sum;
}

static long double paths(const cli_verify_question *q, uint64_t length, uint64_t from, uint64_t to)
{
    long double sum = 0;
    for (uint64_t l = q->options->query.up_to ? 1 : length; l <= length; l++)
        sum += count(q, from, to, l, ANSWER_VERTICES);
    return sum;
}

/* Adds up the paths between vertices that are chosen; ANSWER_VERTICES chooses all. */
static long double sum_of(const cli_verify_question *q, uint64_t length, uint64_t from, uint64_t to)
{
    long double sum = 0;
    for (uint64_t i = 0; i < ANSWER_VERTICES; i++)
        for (uint64_t j = 0; j < ANSWER_VERTICES; j++)
            if ((from == ANSWER_VERTICES || from == i) && (to == ANSWER_VERTICES || to == j))
                sum += paths(q, length, i, j);
    return sum;
}

static long double trace(const cli_verify_question *q, uint64_t length)
{
    long double sum = 0;
    for (uint64_t v = 0; v < ANSWER_VERTICES; v++)
        sum += paths(q, length, v, v);
    return sum;
}

static long double between_blocks(const cli_verify_question *q, uint64_t length, uint64_t row,
                                  uint64_t column)
{
    long double sum = 0;
    for (uint64_t i = 0; i < ANSWER_VERTICES; i++)
        for (uint64_t j = 0; j < ANSWER_VERTICES; j++)
            if (q->blocks.block[i] == row && q->blocks.block[j] == column)
                sum += paths(q, length, i, j);
    return sum;
}

/* Katz centrality of a vertex, or its subgraph centrality. */
static long double centrality(const cli_verify_question *q, uint64_t length, uint64_t vertex)
{
    bool is_katz = q->options->query.question == CLI_ASK_KATZ;
    long double sum = 0, factor = 1;
    for (uint64_t l = 0; l <= length; l++) {
        if (l > 0)
            factor *= is_katz ? q->options->query.beta : 1 / (long double)l;
        for (uint64_t v = 0; v < ANSWER_VERTICES; v++)
            if (is_katz ? l > 0 : v == vertex)
                sum += factor * count(q, v, vertex, l, ANSWER_VERTICES);
    }
    return sum;
}

static long double integer(const cli_verify_question *q, uint64_t length, uint64_t row,
                           uint64_t column)
{
    switch (q->options->query.question) {
    case CLI_ASK_FROM:
        return paths(q, length, q->vertices.from[row], column);
    case CLI_ASK_TO:
        return paths(q, length, column, q->vertices.to[row]);
    case CLI_ASK_PAIRS:
        return paths(q, length, q->vertices.from[row], q->vertices.to[row]);
    case CLI_ASK_TOTAL:
        return sum_of(q, length, ANSWER_VERTICES, ANSWER_VERTICES);
    case CLI_ASK_TRACE:
        return trace(q, length);
    case CLI_ASK_CLOSED:
        return paths(q, length, row, row);
    case CLI_ASK_KATZ:
    case CLI_ASK_SUBGRAPH:
        return centrality(q, length, row);
    case CLI_ASK_SUMS:
        return column == 0 ? sum_of(q, length, row, ANSWER_VERTICES)
                           : sum_of(q, length, ANSWER_VERTICES, row);
    default:
        return q->partition != NULL ? between_blocks(q, length, row, column)
                                    : paths(q, length, row, column);
    }
}

/* A count, modulo M where residues are asked for. */
static long double number(const cli_verify_question *q, long double count)
{
    return cli_verify_is_modular(q) ? fmodl(count, (long double)q->options->count.modulus) : count;
}

static uint64_t divisor(const cli_verify_question *q, uint64_t row, uint64_t column)
{
    return q->options->blocks.mean ? q->blocks.sizes[row] * q->blocks.sizes[column] : 1;
}

long double answer_number(const cli_verify_question *q, uint64_t length, uint64_t row,
                          uint64_t column)
{
    return number(q, integer(q, length, row, column)) / (long double)divisor(q, row, column);
}

bool answer_has_doubles(const cli_verify_question *question)
{
    return question->options->count.arithmetic == PC_FLOAT || cli_verify_is_series(question);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void put_label(const cli_verify_question *q, answer_form form, uint64_t index, FILE *out)
{
    char label[64];
    bool is_json = form == ANSWER_MATRIX_JSON;
    bool is_quoted = is_json || form == ANSWER_CSV;
    pc_labels_text(q->labels, index, label, sizeof label);
    fputs(is_quoted ? "\"" : "", out);
    for (const char *c = label; *c != '\0'; c++)
        if (*c == '"' && is_quoted)
            fputs(is_json ? "\\\"" : "\"\"", out);
        else if (*c == '\t' && form != ANSWER_CSV)
            fputs(is_json ? "\\u0009" : form == ANSWER_TSV ? "\\t" : "\\x09", out);
        else
            fputc(*c, out);
    fputs(is_quoted ? "\"" : "", out);
}

static void put_number(const cli_verify_question *q, bool as_double, uint64_t length, uint64_t row,
                       uint64_t column, FILE *out)
{
    uint64_t below = divisor(q, row, column);
    long double value = answer_number(q, length, row, column);
    if (as_double || answer_has_doubles(q))
        fprintf(out, value > 0 ? "%.16Le" : "%.0Lf", value); /* 0 stands alone */
    else if (below == 1)
        fprintf(out, "%.0Lf", value);
    else
        fprintf(out, "%.0Lf/%" PRIu64, value * (long double)below, below);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

static void write_table(const cli_verify_question *q, answer_form form, FILE *out)
{
    const char *separator = form == ANSWER_TSV ? "\t" : ",";
    for (uint64_t c = 0; c < q->n_columns; c++) {
        fputs(separator, out);
        put_label(q, form, c, out);
    }
    for (uint64_t row = 0; row < q->n_rows; row++) {
        fputc('\n', out);
        put_label(q, form, row, out);
        for (uint64_t c = 0; c < q->n_columns; c++) {
            fputs(separator, out);
            put_number(q, false, q->options->length, row, c, out);
        }
    }
    fputc('\n', out);
}

/* A comment for each label, unless they are the numbers of rows. */
static void write_label_comments(const cli_verify_question *q, FILE *out)
{
    bool are_numbers = true;
    for (uint64_t row = 0; row < q->n_rows; row++) {
        char label[64], number[24];
        pc_labels_text(q->labels, row, label, sizeof label);
        snprintf(number, sizeof number, "%" PRIu64, row + 1);
        are_numbers = are_numbers && strcmp(label, number) == 0;
    }
    for (uint64_t row = 0; row < q->n_rows && !are_numbers; row++) {
        fprintf(out, "%% label %" PRIu64 " ", row + 1);
        put_label(q, ANSWER_TSV, row, out);
        fputc('\n', out);
    }
}

static void write_mtx(const cli_verify_question *q, FILE *out)
{
    bool is_real = answer_has_doubles(q) || q->options->blocks.mean;
    uint64_t length = q->options->length, n_entries = 0;
    bool is_markov = q->options->query.paths == PC_PATHS_MARKOV;
    bool is_symmetric = q->options->input.graph.direction == PC_UNDIRECTED && !is_markov;
    fprintf(out, "%%%%MatrixMarket matrix coordinate %s %s\n%s", is_real ? "real" : "integer",
            is_symmetric ? "symmetric" : "general", is_real ? "" : "% pathcount graph: weights\n");
    const char *kind = is_markov ? "probabilities of paths"
                       : q->options->query.paths == PC_PATHS_NON_BACKTRACKING
                           ? "numbers of non-backtracking paths"
                           : "numbers of paths";
    const char *place = q->partition != NULL ? "block" : "vertex";
    fprintf(out, "%% %s%s of length %" PRIu64 " from %s i to %s j\n",
            q->options->blocks.mean ? "mean " : "", kind, length, place, place);
    write_label_comments(q, out);
    fprintf(out, "%" PRIu64 " %" PRIu64 " ", q->n_rows, q->n_columns);
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < q->n_rows; i++)
            for (uint64_t j = 0; j < (is_symmetric ? i + 1 : q->n_columns); j++) {
                if (answer_number(q, length, i, j) == 0)
                    continue;
                n_entries++;
                if (pass == 0)
                    continue;
                fprintf(out, "%" PRIu64 " %" PRIu64 " ", i + 1, j + 1);
                put_number(q, is_real, length, i, j, out);
                fputc('\n', out);
            }
        if (pass == 0)
            fprintf(out, "%20" PRIu64 "\n", n_entries);
    }
}

static void write_npy(const cli_verify_question *q, FILE *out)
{
    bool is_real = answer_has_doubles(q) || q->options->blocks.mean;
    char header[128];
    int n = snprintf(header, sizeof header,
                     "{'descr': '<%s', 'fortran_order': False, 'shape': (%" PRIu64 ", %" PRIu64
                     "), }\n",
                     is_real ? "f8" : "u8", q->n_rows, q->n_columns);
    fprintf(out, "\x93NUMPY%c%c%c%c%s", 1, 0, n, 0, header);
    for (uint64_t i = 0; i < q->n_rows * q->n_columns; i++) {
        long double value =
            answer_number(q, q->options->length, i / q->n_columns, i % q->n_columns);
        uint64_t word = (uint64_t)value;
        double rounded = (double)value;
        if (is_real)
            memcpy(&word, &rounded, sizeof word);
        for (int b = 0; b < 8; b++)
            fputc((int)(word >> 8 * b & 0xff), out);
    }
}

/* [["1", "2"], ["3", "4"]] with a text before each row. */
static void write_rows(const cli_verify_question *q, const char *before, FILE *out)
{
    for (uint64_t row = 0; row < q->n_rows; row++) {
        fprintf(out, "%s%s[", row > 0 ? "," : "", before);
        for (uint64_t c = 0; c < q->n_columns; c++) {
            fputs(c > 0 ? ", \"" : "\"", out);
            put_number(q, false, q->options->length, row, c, out);
            fputc('"', out);
        }
        fputc(']', out);
    }
}

static void write_labels(const cli_verify_question *q, FILE *out)
{
    for (uint64_t row = 0; row < q->n_rows; row++) {
        fputs(row > 0 ? ", " : "", out);
        put_label(q, ANSWER_MATRIX_JSON, row, out);
    }
}

static void write_matrix_json(const cli_verify_question *q, FILE *out)
{
    fputs("{\"labels\": [", out);
    write_labels(q, out);
    fputs("],\n\"rows\": [", out);
    write_rows(q, "\n", out);
    fputs("\n]}\n", out);
}

/* ---- Queries --------------------------------------------------------------------------------- */

/* The names of the columns: "" where there is none, then those of the counts. */
typedef struct columns {
    const char *first, *second, *counts[2];
} columns;

static columns columns_of(const cli_verify_question *q)
{
    const cli_query_options *asked = &q->options->query;
    bool is_total = asked->question == CLI_ASK_TOTAL || asked->question == CLI_ASK_TRACE;
    const char *name = asked->paths != PC_PATHS_MARKOV ? "paths"
                       : is_total || asked->up_to      ? "sum"
                                                       : "probability";
    if (asked->question == CLI_ASK_SUMS)
        return (columns){"vertex", "", {"starting", "ending"}};
    if (asked->question == CLI_ASK_CLOSED)
        return (columns){"vertex", "", {name}};
    if (cli_verify_is_series(q))
        return (columns){"vertex", "", {"centrality"}};
    return is_total ? (columns){"", "", {name}} : (columns){"from", "to", {name}};
}

/* The first and the second vertex of the line for a row and a column. */
static void vertices_of(const cli_verify_question *q, uint64_t row, uint64_t column,
                        uint64_t vertices[2])
{
    cli_question asked = q->options->query.question;
    vertices[0] = asked == CLI_ASK_TO                               ? column
                  : asked == CLI_ASK_FROM || asked == CLI_ASK_PAIRS ? q->vertices.from[row]
                                                                    : row;
    vertices[1] = asked == CLI_ASK_FROM   ? column
                  : asked == CLI_ASK_SUMS ? 0
                  : q->vertices.n > 0     ? q->vertices.to[row]
                                          : 0;
}

static void put_line(const cli_verify_question *q, uint64_t length, uint64_t row, uint64_t column,
                     FILE *out)
{
    const columns names = columns_of(q);
    uint64_t vertices[2];
    vertices_of(q, row, column, vertices);
    if (q->options->query.each)
        fprintf(out, "%" PRIu64 "\t", length);
    for (int v = 0; v < 2; v++)
        if (*(v == 0 ? names.first : names.second) != '\0') {
            put_label(q, ANSWER_LINES, vertices[v], out);
            fputc('\t', out);
        }
    put_number(q, false, length, row, column, out);
    if (names.counts[1] != NULL) {
        fputc('\t', out);
        put_number(q, false, length, row, 1, out);
    }
    fputc('\n', out);
}

static void write_lines(const cli_verify_question *q, FILE *out)
{
    bool each = q->options->query.each;
    uint64_t n = q->options->query.question == CLI_ASK_SUMS ? 1 : q->n_columns;
    for (uint64_t l = each ? 1 : q->options->length; l <= q->options->length; l++)
        for (uint64_t row = 0; row < q->n_rows; row++)
            for (uint64_t c = 0; c < n; c++)
                put_line(q, l, row, c, out);
}

static void write_query(const cli_verify_question *q, FILE *out)
{
    const columns names = columns_of(q);
    cli_question asked = q->options->query.question;
    bool is_bare = !q->options->query.each && q->n_rows == 1 &&
                   (asked == CLI_ASK_TOTAL || asked == CLI_ASK_TRACE || asked == CLI_ASK_PAIRS);
    if (is_bare) {
        put_number(q, false, q->options->length, 0, 0, out);
        fputc('\n', out);
        return;
    }
    fprintf(out, "%s%s%s%s%s%s%s%s\n", q->options->query.each ? "length\t" : "", names.first,
            *names.first ? "\t" : "", names.second, *names.second ? "\t" : "", names.counts[0],
            names.counts[1] ? "\t" : "", names.counts[1] ? names.counts[1] : "");
    write_lines(q, out);
}

void answer_write(const cli_verify_question *question, answer_form form, FILE *out)
{
    switch (form) {
    case ANSWER_MTX:
        write_mtx(question, out);
        break;
    case ANSWER_NPY:
        write_npy(question, out);
        break;
    case ANSWER_MATRIX_JSON:
        write_matrix_json(question, out);
        break;
    case ANSWER_LINES:
        write_query(question, out);
        break;
    default:
        write_table(question, form, out);
    }
}
