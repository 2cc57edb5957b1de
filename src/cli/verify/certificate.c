/* A certificate beside a result: one JSON object that names the graph and the question, and has the residues that
 * the result must make of random vectors.
 *
 *     certificate  1, the version of this format
 *     version      of pathcount
 *     graph        sha256 (below), vertices, arcs
 *     policies     directed, multigraph, weights, vertices: how edges became the adjacency matrix; also loops,
 *                  "twice", where loops were asked to count twice
 *     question     query ("matrix", or the option that asks), paths, length, each, up_to, vertices (those
 *                  that are asked for: pairs [from, to] of labels), blocks (null; or of each vertex its
 *                  block, from 0), mean, arithmetic, modulus
 *     rows, columns   of the answer C for a length
 *     result       sha256 and bytes of the file; null where it was printed
 *     rounds       for each: modulus, seed (in decimal) and images, an array for each length of the residues
 *                  C x, a hexadecimal number for each row. x[j] is (S * modulus) >> 64, where S is number
 *                  j + 1 of SplitMix64 with that seed; of one column x is [1]. Doubles have no rounds.
 *
 * The digest of a graph is SHA-256, as 64 hexadecimal digits, of this text:
 *
 *     pathcount graph
 *     N                     the number of vertices
 *     LABEL                 a line for each vertex, in their order
 *     I J W                 a line for each nonzero entry of the adjacency matrix, row by row, columns
 *                           ascending: row and column from 0, and the multiplicity
 *
 * Each line ends with a line feed. Labels have tab, line feed, carriage return and backslash as \t, \n, \r
 * and \\, as in .tsv.
 *
 * The parts but the rounds are made the same way for writing and checking, and compared as JSON. */
#include "src/cli/verify/verify.h"

#include "tool.h"
#include "src/cli/files.h"
#include "src/cli/json.h"
#include "src/cli/kinds.h"
#include "src/cli/process.h"
#include "src/cli/text.h"
#include "src/cli/verify/images.h"
#include "src/cli/verify/residues.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMAT_VERSION = 1, WORD_BYTES = 24, LINE_BYTES = 80 };

static json_t *decimal(uint64_t number)
{
    char text[WORD_BYTES];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return json_string(text);
}

/* ---- Heads ----------------------------------------------------------------------------------- */

static void hash_text(struct sha256_ctx *hash, const char *text, size_t length)
{
    sha256_update(hash, length, (const uint8_t *)text);
}

static void digest_graph(const pc_graph *graph, char digest[CLI_DIGEST_SIZE])
{
    static const char title[] = "pathcount graph\n", special[] = "\t\n\r\\", letters[] = "tnr\\";
    uint8_t bytes[SHA256_DIGEST_SIZE];
    char line[LINE_BYTES];
    struct sha256_ctx hash;
    const pc_labels *labels = pc_graph_labels(graph);
    uint64_t n = pc_graph_n_vertices(graph);
    pc_arcs arcs;
    sha256_init(&hash);
    hash_text(&hash, title, strlen(title));
    hash_text(&hash, line, (size_t)snprintf(line, sizeof line, "%" PRIu64 "\n", n));
    for (uint64_t v = 0; v < pc_labels_count(labels); v++) {
        char *label = cli_label_raw(labels, v);
        for (const char *c = label; *c != '\0'; c++) {
            const char *found = strchr(special, *c);
            if (found != NULL)
                hash_text(&hash, "\\", 1);
            hash_text(&hash, found != NULL ? &letters[found - special] : c, 1);
        }
        hash_text(&hash, "\n", 1);
        free(label);
    }
    pc_graph_arcs(graph, &arcs);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t e = arcs.row_start[v]; e < arcs.row_start[v + 1]; e++) {
            uint64_t weight = arcs.weight != NULL ? arcs.weight[e] : 1;
            hash_text(&hash, line,
                      (size_t)snprintf(line, sizeof line, "%" PRIu64 " %" PRIu32 " %" PRIu64 "\n",
                                       v, arcs.column[e], weight));
        }
    sha256_digest(&hash, sizeof bytes, bytes);
    base16_encode_update(digest, sizeof bytes, bytes);
    digest[CLI_DIGEST_SIZE - 1] = '\0';
}

static json_t *question_object(const cli_verify_question *q)
{
    static const char *const arithmetics[] = {
        [PC_EXACT] = "exact", [PC_MODULAR] = "modular", [PC_FLOAT] = "float"};
    const cli_count_options *options = q->options;
    const cli_query_options *asked = &options->query;
    json_t *vertices = json_array(), *blocks = q->partition != NULL ? json_array() : json_null();
    for (size_t i = 0; i < q->vertices.n; i++)
        json_array_append_new(vertices,
                              json_pack("[o, o]", cli_json_label(q->labels, q->vertices.from[i]),
                                        cli_json_label(q->labels, q->vertices.to[i])));
    for (uint64_t v = 0; v < q->blocks.n_vertices; v++)
        json_array_append_new(blocks, json_integer(q->blocks.block[v]));
    return json_pack("{s:s, s:s, s:o, s:b, s:b, s:o, s:o, s:b, s:s, s:o}", "query",
                     cli_verify_is_matrix(q) ? "matrix" : asked->option + 2, "paths",
                     cli_path_kind_of(asked->paths)->name, "length", decimal(options->length),
                     "each", asked->each, "up_to", asked->up_to, "vertices", vertices, "blocks",
                     blocks, "mean", options->blocks.mean, "arithmetic",
                     arithmetics[options->count.arithmetic], "modulus",
                     cli_verify_is_modular(q) ? decimal(options->count.modulus) : json_null());
}

/* All but version, result and rounds. */
static json_t *make_head(const cli_verify_question *q)
{
    const pc_graph_options *options = &q->options->input.graph;
    char digest[CLI_DIGEST_SIZE];
    pc_graph_info info;
    pc_graph_get_info(q->graph, &info);
    digest_graph(q->graph, digest);
    json_t *graph = json_pack("{s:s, s:I, s:I}", "sha256", digest, "vertices",
                              (json_int_t)info.n_vertices, "arcs", (json_int_t)info.n_arcs);
    json_t *policies = json_pack("{s:b, s:b, s:b, s:I}", "directed", info.directed, "multigraph",
                                 options->multigraph, "weights", options->weights, "vertices",
                                 (json_int_t)options->n_vertices);
    if (options->loops != PC_LOOPS_ONCE)
        json_object_set_new(policies, "loops", json_string(cli_loop_words[options->loops]));
    return json_pack("{s:i, s:o, s:o, s:o, s:I, s:I}", "certificate", FORMAT_VERSION, "graph",
                     graph, "policies", policies, "question", question_object(q), "rows",
                     (json_int_t)q->n_rows, "columns", (json_int_t)q->n_columns);
}

/* ---- Result and rounds ----------------------------------------------------------------------- */

/* Sets null without a file. PC_ERR_NO_INPUT when the file cannot be read. */
static pc_status make_result(const cli_verify_question *q, const char *path, json_t **result)
{
    char digest[CLI_DIGEST_SIZE], sentence[512];
    struct stat info;
    *result = json_null();
    if (path == NULL)
        return PC_OK;
    if (stat(path, &info) == 0 && cli_digest_file(path, digest, NULL)) {
        *result = json_pack("{s:s, s:I}", "sha256", digest, "bytes", (json_int_t)info.st_size);
        return PC_OK;
    }
    snprintf(sentence, sizeof sentence, "%.300s: cannot be read: %s", path, strerror(errno));
    return pc_context_fail(q->context, PC_ERR_NO_INPUT, sentence);
}

static json_t *rounds_array(const cli_verify_question *q, const cli_images *images)
{
    json_t *rounds = json_array();
    for (uint64_t r = 0; r < images->n_rounds; r++) {
        const cli_round *round = &images->rounds[r];
        json_t *lengths = json_array();
        for (uint64_t l = 0; l < q->n_lengths; l++) {
            json_t *image = json_array();
            for (uint64_t row = 0; row < q->n_rows; row++) {
                char text[WORD_BYTES];
                snprintf(text, sizeof text, "%" PRIx64, round->y[l * q->n_rows + row].residue);
                json_array_append_new(image, json_string(text));
            }
            json_array_append_new(lengths, image);
        }
        json_array_append_new(rounds,
                              json_pack("{s:o, s:o, s:o}", "modulus", decimal(round->modulus),
                                        "seed", decimal(round->seed), "images", lengths));
    }
    return rounds;
}

/* ---- Writing --------------------------------------------------------------------------------- */

pc_status cli_certificate_write(const cli_verify_question *question, const char *result_path,
                                const char *path, uint64_t n_rounds)
{
    cli_images images = {0};
    pc_output *output = NULL;
    json_t *result = NULL;
    bool has_rounds = question->options->count.arithmetic != PC_FLOAT;
    pc_status status = has_rounds ? cli_images_make(question, n_rounds, &images) : PC_OK;
    if (status == PC_OK)
        status = make_result(question, result_path, &result);
    if (status == PC_OK)
        status = pc_output_open(question->context, path, &output);
    if (status == PC_OK) {
        json_t *root = make_head(question);
        json_object_set_new(root, "version", json_string(pc_version()));
        json_object_set(root, "result", result);
        json_object_set_new(root, "rounds", rounds_array(question, &images));
        char *text = cli_need(json_dumps(cli_need(root), JSON_INDENT(0)));
        status = pc_output_write(output, text, strlen(text));
        if (status == PC_OK)
            status = pc_output_write(output, "\n", 1);
        free(text);
        json_decref(root);
    }
    json_decref(result);
    cli_images_free(&images);
    if (status == PC_OK)
        return pc_output_commit(output);
    pc_output_free(output);
    return status;
}

/* ---- Checking -------------------------------------------------------------------------------- */

typedef struct certificate_check {
    const cli_verify_question *question;
    const char *name, *result_path;
} certificate_check;

static pc_status fail(const certificate_check *check, const char *clause)
{
    char sentence[640];
    snprintf(sentence, sizeof sentence, "%.300s: %.300s", check->name, clause);
    return pc_context_fail(check->question->context, PC_ERR_DATA, sentence);
}

static bool take_decimal(const json_t *text, uint64_t *number)
{
    return json_is_string(text) &&
           cli_decimal_word(json_string_value(text), json_string_length(text), number);
}

static pc_status check_rounds(const certificate_check *check, const json_t *rounds)
{
    const cli_verify_question *q = check->question;
    cli_images images = {0};
    size_t n_rounds = json_array_size(rounds);
    bool is_enough =
        q->options->count.arithmetic == PC_FLOAT ? n_rounds == 0 : n_rounds >= cli_images_needed(q);
    if (!json_is_array(rounds) || !is_enough)
        return fail(check, "\"rounds\" is not as many as such a result takes");
    cli_images_allocate(n_rounds, &images);
    bool are_good = true;
    for (uint64_t r = 0; r < n_rounds; r++) {
        const json_t *object = json_array_get(rounds, r);
        cli_round *round = &images.rounds[r];
        /* A modulus that proves something: a prime of 61 bits, or that of residues. */
        are_good =
            are_good && take_decimal(json_object_get(object, "modulus"), &round->modulus) &&
            take_decimal(json_object_get(object, "seed"), &round->seed) &&
            (cli_verify_is_modular(q) ? round->modulus == q->options->count.modulus
                                      : round->modulus >> 60 == 1 && cli_is_prime(round->modulus));
    }
    pc_status status = are_good ? cli_images_fill(q, &images)
                                : fail(check, "a modulus or a seed of \"rounds\" is none");
    if (status == PC_OK) {
        json_t *wanted = rounds_array(q, &images);
        if (!json_equal(rounds, wanted))
            status = fail(check, "\"images\" are not those of this graph");
        json_decref(wanted);
    }
    cli_images_free(&images);
    return status;
}

/* Checks the head, then the result: a printed answer and a stream have no digest. */
static pc_status check_text(void *user, const char *text, size_t n_bytes)
{
    const certificate_check *check = user;
    json_t *root = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, NULL), *value, *result = NULL;
    json_t *head = make_head(check->question);
    const json_t *wanted = json_object_get(root, "result");
    const char *name;
    pc_status status = root != NULL ? PC_OK : fail(check, "this is no certificate: no JSON");
    json_object_foreach(head, name, value)
    {
        char clause[128];
        snprintf(clause, sizeof clause, "\"%s\" is not that of this graph and these options", name);
        if (status == PC_OK && !json_equal(json_object_get(root, name), value))
            status = fail(check, clause);
    }
    if (status == PC_OK && !json_is_null(wanted) && strcmp(check->result_path, "-") != 0) {
        status = make_result(check->question, check->result_path, &result);
        if (status == PC_OK && !json_equal(wanted, result))
            status = fail(check, "\"result\" has the digest of another file");
    }
    if (status == PC_OK)
        status = check_rounds(check, json_object_get(root, "rounds"));
    json_decref(result);
    json_decref(head);
    json_decref(root);
    return status;
}

pc_status cli_certificate_check(const cli_verify_question *question, const char *result_path,
                                const char *path)
{
    certificate_check check = {
        .question = question, .name = cli_shown_path(path), .result_path = result_path};
    return pc_text_read(question->context, path, check_text, &check);
}
