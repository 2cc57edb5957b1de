/* Certificates: written after a count, and held against the graph and the result. The parts but the rounds
 * are made the same way for both, and compared as JSON. */
#include "src/cli/verify/certificate.h"

#include "tool.h"
#include "src/cli/files.h"
#include "src/cli/json.h"
#include "src/cli/kinds.h"
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

/* ---- The digest of a graph ------------------------------------------------------------------- */

static void hash_text(struct sha256_ctx *hash, const char *text, size_t length)
{
    sha256_update(hash, length, (const uint8_t *)text);
}

static bool add_label(struct sha256_ctx *hash, const pc_labels *labels, uint64_t index)
{
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
    char *label = cli_label_raw(labels, index);
    for (const char *c = label; c != NULL && *c != '\0'; c++) {
        const char *found = strchr(special, *c), escaped[] = {'\\', 0};
        if (found != NULL)
            hash_text(hash, escaped, 1);
        hash_text(hash, found != NULL ? &letters[found - special] : c, 1);
    }
    hash_text(hash, "\n", 1);
    bool is_added = label != NULL;
    free(label);
    return is_added;
}

/* Makes the digest of a graph; false when there is no memory. */
static bool digest_graph(const pc_graph *graph, char digest[CLI_DIGEST_SIZE])
{
    static const char title[] = "pathcount graph\n";
    uint8_t bytes[SHA256_DIGEST_SIZE];
    char line[LINE_BYTES];
    struct sha256_ctx hash;
    const pc_labels *labels = pc_graph_labels(graph);
    uint64_t n = pc_graph_n_vertices(graph);
    pc_arcs arcs;
    bool is_whole = true;
    sha256_init(&hash);
    hash_text(&hash, title, strlen(title));
    hash_text(&hash, line, (size_t)snprintf(line, sizeof line, "%" PRIu64 "\n", n));
    for (uint64_t v = 0; v < pc_labels_count(labels) && is_whole; v++)
        is_whole = add_label(&hash, labels, v);
    pc_graph_arcs(graph, &arcs);
    for (uint64_t v = 0; v < n && is_whole; v++)
        for (uint64_t e = arcs.row_start[v]; e < arcs.row_start[v + 1]; e++) {
            uint64_t weight = arcs.weight != NULL ? arcs.weight[e] : 1;
            hash_text(&hash, line,
                      (size_t)snprintf(line, sizeof line, "%" PRIu64 " %" PRIu32 " %" PRIu64 "\n",
                                       v, arcs.column[e], weight));
        }
    sha256_digest(&hash, sizeof bytes, bytes);
    base16_encode_update(digest, sizeof bytes, bytes);
    digest[CLI_DIGEST_SIZE - 1] = '\0';
    return is_whole;
}

/* ---- Heads ----------------------------------------------------------------------------------- */

static json_t *graph_object(const pc_graph *graph)
{
    char digest[CLI_DIGEST_SIZE];
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    return digest_graph(graph, digest)
               ? json_pack("{s:s, s:I, s:I}", "sha256", digest, "vertices",
                           (json_int_t)info.n_vertices, "arcs", (json_int_t)info.n_arcs)
               : NULL;
}

static json_t *policies_object(const cli_verify_question *q)
{
    const pc_graph_options *policies = &q->options->input.graph;
    pc_graph_info info;
    pc_graph_get_info(q->graph, &info);
    json_t *object = json_pack("{s:b, s:b, s:b, s:I}", "directed", info.directed, "multigraph",
                               policies->multigraph, "weights", policies->weights, "vertices",
                               (json_int_t)policies->n_vertices);
    if (policies->loops != PC_LOOPS_ONCE)
        json_object_set_new(object, "loops", json_string(cli_loop_words[policies->loops]));
    return object;
}

static json_t *vertices_array(const cli_verify_question *q)
{
    json_t *array = json_array();
    for (size_t i = 0; i < q->vertices.n; i++) {
        json_t *pair = json_pack("[o, o]", cli_json_label(q->labels, q->vertices.from[i]),
                                 cli_json_label(q->labels, q->vertices.to[i]));
        json_array_append_new(array, pair);
    }
    return array;
}

static json_t *blocks_array(const cli_verify_question *q)
{
    if (q->partition == NULL)
        return json_null();
    json_t *array = json_array();
    for (uint64_t v = 0; v < q->blocks.n_vertices; v++)
        json_array_append_new(array, json_integer(q->blocks.block[v]));
    return array;
}

static json_t *question_object(const cli_verify_question *q)
{
    static const char *const arithmetics[] = {
        [PC_EXACT] = "exact", [PC_MODULAR] = "modular", [PC_FLOAT] = "float"};
    const cli_count_options *options = q->options;
    const cli_query_options *asked = &options->query;
    return json_pack("{s:s, s:s, s:o, s:b, s:b, s:o, s:o, s:b, s:s, s:o}", "query",
                     asked->question == CLI_ASK_MATRIX ? "matrix" : asked->option + 2, "paths",
                     cli_path_kind_of(asked->paths)->name, "length", decimal(options->length),
                     "each", asked->each, "up_to", asked->up_to, "vertices", vertices_array(q),
                     "blocks", blocks_array(q), "mean", options->blocks.mean, "arithmetic",
                     arithmetics[options->count.arithmetic], "modulus",
                     cli_verify_is_modular(q) ? decimal(options->count.modulus) : json_null());
}

/* null without a file; NULL, with errno, when the file cannot be read. */
static json_t *result_object(const char *path)
{
    char digest[CLI_DIGEST_SIZE];
    struct stat info;
    if (path == NULL)
        return json_null();
    if (stat(path, &info) != 0 || !cli_digest_file(path, digest, NULL))
        return NULL;
    return json_pack("{s:s, s:I}", "sha256", digest, "bytes", (json_int_t)info.st_size);
}

/* All but version, result and rounds. */
static json_t *make_head(const cli_verify_question *q)
{
    return json_pack("{s:i, s:o, s:o, s:o, s:I, s:I}", "certificate", FORMAT_VERSION, "graph",
                     graph_object(q->graph), "policies", policies_object(q), "question",
                     question_object(q), "rows", (json_int_t)q->n_rows, "columns",
                     (json_int_t)q->n_columns);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

static json_t *round_object(const cli_verify_question *q, const cli_round *round)
{
    json_t *images = json_array();
    for (uint64_t l = 0; l < q->n_lengths; l++) {
        json_t *image = json_array();
        for (uint64_t row = 0; row < q->n_rows; row++) {
            char text[WORD_BYTES];
            snprintf(text, sizeof text, "%" PRIx64, round->y[l * q->n_rows + row].residue);
            json_array_append_new(image, json_string(text));
        }
        json_array_append_new(images, image);
    }
    return json_pack("{s:o, s:o, s:o}", "modulus", decimal(round->modulus), "seed",
                     decimal(round->seed), "images", images);
}

static json_t *rounds_array(const cli_verify_question *q, const cli_images *images)
{
    json_t *rounds = json_array();
    for (uint64_t r = 0; r < images->n_rounds; r++)
        json_array_append_new(rounds, round_object(q, &images->rounds[r]));
    return rounds;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static pc_status out_of_memory(const cli_verify_question *q)
{
    return pc_context_fail(q->context, PC_ERR_MEMORY, "no memory for a certificate");
}

static pc_status write_text(const cli_verify_question *q, const char *path, const json_t *root)
{
    pc_output *output = NULL;
    char *text = root != NULL ? json_dumps(root, JSON_INDENT(0)) : NULL;
    if (text == NULL)
        return out_of_memory(q);
    pc_status status = pc_output_open(q->context, path, &output);
    if (status == PC_OK)
        status = pc_output_write(output, text, strlen(text));
    if (status == PC_OK)
        status = pc_output_write(output, "\n", 1);
    if (status == PC_OK)
        status = pc_output_commit(output);
    else
        pc_output_free(output);
    free(text);
    return status;
}

static pc_status fail_to_read(const cli_verify_question *q, const char *path)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%.300s: cannot be read: %s", path, strerror(errno));
    return pc_context_fail(q->context, PC_ERR_NO_INPUT, sentence);
}

pc_status cli_certificate_write(const cli_verify_question *question, const char *result_path,
                                const char *path, uint64_t n_rounds)
{
    cli_images images = {0};
    bool has_rounds = question->options->count.arithmetic != PC_FLOAT;
    pc_status status = has_rounds ? cli_images_make(question, n_rounds, &images) : PC_OK;
    json_t *result = result_object(result_path), *root = make_head(question);
    if (status == PC_OK && result == NULL)
        status = fail_to_read(question, result_path);
    if (status == PC_OK &&
        (root == NULL || json_object_set_new(root, "version", json_string(pc_version())) != 0 ||
         json_object_set(root, "result", result) != 0 ||
         json_object_set_new(root, "rounds", rounds_array(question, &images)) != 0))
        status = out_of_memory(question);
    if (status == PC_OK)
        status = write_text(question, path, root);
    json_decref(result);
    json_decref(root);
    cli_images_free(&images);
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

static pc_status check_head(const certificate_check *check, const json_t *root)
{
    json_t *head = make_head(check->question), *value;
    const char *name;
    pc_status status = head != NULL ? PC_OK : out_of_memory(check->question);
    json_object_foreach(head, name, value) if (status == PC_OK &&
                                               !json_equal(json_object_get(root, name), value))
    {
        char clause[128];
        snprintf(clause, sizeof clause, "\"%s\" is not that of this graph and these options", name);
        status = fail(check, clause);
    }
    json_decref(head);
    return status;
}

static pc_status check_result(const certificate_check *check, const json_t *wanted)
{
    if (json_is_null(wanted) || strcmp(check->result_path, "-") == 0)
        return PC_OK; /* a printed answer and a stream have no digest */
    json_t *result = result_object(check->result_path);
    if (result == NULL)
        return fail_to_read(check->question, check->result_path);
    bool is_equal = json_equal(wanted, result);
    json_decref(result);
    return is_equal ? PC_OK : fail(check, "\"result\" has the digest of another file");
}

static bool take_decimal(const json_t *text, uint64_t *number)
{
    return json_is_string(text) &&
           cli_decimal_word(json_string_value(text), json_string_length(text), number);
}

/* Modulus and seed of a round; a modulus that proves something: a prime of 61 bits, or that of residues. */
static bool take_round(const cli_verify_question *q, const json_t *object, cli_round *round)
{
    if (!take_decimal(json_object_get(object, "modulus"), &round->modulus) ||
        !take_decimal(json_object_get(object, "seed"), &round->seed))
        return false;
    if (cli_verify_is_modular(q))
        return round->modulus == q->options->count.modulus;
    return round->modulus >> 60 == 1 && cli_is_prime(round->modulus);
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
    pc_status status = cli_images_allocate(q, n_rounds, &images);
    for (uint64_t r = 0; r < images.n_rounds && status == PC_OK; r++)
        if (!take_round(q, json_array_get(rounds, r), &images.rounds[r]))
            status = fail(check, "a modulus or a seed of \"rounds\" is none");
    if (status == PC_OK)
        status = cli_images_fill(q, &images);
    json_t *wanted = status == PC_OK ? rounds_array(q, &images) : NULL;
    if (status == PC_OK && !json_equal(rounds, wanted))
        status = fail(check, "\"images\" are not those of this graph");
    json_decref(wanted);
    cli_images_free(&images);
    return status;
}

static pc_status take_text(void *user, const char *text, size_t n_bytes)
{
    const certificate_check *check = user;
    json_t *root = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, NULL);
    if (root == NULL)
        return fail(check, "this is no certificate: no JSON");
    pc_status status = check_head(check, root);
    if (status == PC_OK)
        status = check_result(check, json_object_get(root, "result"));
    if (status == PC_OK)
        status = check_rounds(check, json_object_get(root, "rounds"));
    json_decref(root);
    return status;
}

pc_status cli_certificate_check(const cli_verify_question *question, const char *result_path,
                                const char *path)
{
    certificate_check check = {
        .question = question, .name = cli_shown_path(path), .result_path = result_path};
    return pc_text_read(question->context, path, take_text, &check);
}
