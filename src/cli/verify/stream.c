/* Every graph of a stream is walked along its arcs, modulo the same two primes. */
#include "src/cli/verify/stream.h"

#include "pathcount_io.h"
#include "src/cli/text.h"
#include "src/cli/verify/graph6_line.h"
#include "src/cli/verify/residues.h"
#include "src/cli/verify/scan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_PRIMES = 2, MOST_STATED_VERTICES = 1 << 21 };

typedef struct stream_check {
    pc_context *context;
    const cli_count_options *options;
    cli_count_options asked[2]; /* for totals, and for closed paths */
    bool asks[2];
    const char *path; /* of the answers */
    uint64_t modulus[N_PRIMES];
    uint64_t n_rounds; /* of them that are used; 1 of residues */
    const char *graphs_at, *graphs_end;
    uint64_t graph_line;
    cli_graph6 line;
    cli_verify_question place; /* has the context, for messages */
    cli_scan scan;             /* of the answers */
} stream_check;

static bool is_modular(const stream_check *s)
{
    return s->options->count.arithmetic == PC_MODULAR;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* The next line that is not blank; false at the end. */
static bool next_line(stream_check *s, const char **line, size_t *n_bytes)
{
    while (s->graphs_at < s->graphs_end) {
        const char *end = memchr(s->graphs_at, '\n', (size_t)(s->graphs_end - s->graphs_at));
        end = end != NULL ? end : s->graphs_end;
        *line = s->graphs_at;
        for (*n_bytes = (size_t)(end - *line);
             *n_bytes > 0 && isspace((unsigned char)(*line)[*n_bytes - 1]);)
            --*n_bytes;
        s->graphs_at = end < s->graphs_end ? end + 1 : end;
        s->graph_line++;
        if (*n_bytes > 0)
            return true;
    }
    return false;
}

static pc_status make_graph(stream_check *s, const char *line, size_t n_bytes, pc_graph **graph)
{
    char sentence[512];
    uint64_t most = s->options->input.graph.max_vertices;
    pc_status status =
        cli_graph6_read(line, n_bytes, most > 0 ? most : MOST_STATED_VERTICES + n_bytes, &s->line);
    const pc_edges edges = {.n_vertices = s->line.n_vertices,
                            .n_edges = s->line.n_edges,
                            .from = s->line.from,
                            .to = s->line.to,
                            .stated = s->line.is_directed ? PC_DIRECTED : PC_UNDIRECTED};
    if (status == PC_OK)
        return pc_graph_from_edges(s->context, &edges, &s->options->input.graph, graph);
    snprintf(sentence, sizeof sentence, "%.400s:%" PRIu64 ": %s", s->options->input.path,
             s->graph_line,
             status == PC_ERR_DATA ? "this is no graph in graph6, sparse6 or digraph6"
                                   : "no memory for this graph");
    return pc_context_fail(s->context, status, sentence);
}

/* ---- Answers --------------------------------------------------------------------------------- */

static uint64_t n_lengths(const stream_check *s)
{
    return s->options->query.each ? s->options->length : 1;
}

static bool take_names(stream_check *s, const char *name, bool is_first)
{
    char text[48];
    for (uint64_t l = 1; l <= n_lengths(s); l++, is_first = false) {
        if (s->options->query.each)
            snprintf(text, sizeof text, "%s_%" PRIu64, name, l);
        else
            snprintf(text, sizeof text, "%s", name);
        if ((!is_first && !cli_scan_take_character(&s->scan, '\t')) ||
            !cli_scan_take(&s->scan, text))
            return false;
    }
    return true;
}

/* A single column has no name. */
static pc_status take_header(stream_check *s)
{
    static const char *const names[] = {"total", "closed"};
    bool is_taken = true;
    if (n_lengths(s) * ((uint64_t)s->asks[0] + s->asks[1]) == 1)
        return PC_OK;
    for (int a = 0; a < 2 && is_taken; a++)
        is_taken = !s->asks[a] || take_names(s, names[a], a == 0 || !s->asks[0]);
    return is_taken && cli_scan_take_character(&s->scan, '\n')
               ? PC_OK
               : cli_scan_fail(&s->scan, "the header is not that of such answers");
}

static bool is_count(const stream_check *s, const cli_images *images, uint64_t l, const char *text,
                     size_t length)
{
    for (uint64_t r = 0; r < s->n_rounds; r++) {
        uint64_t residue;
        bool is_number = is_modular(s) ? cli_decimal_word(text, length, &residue)
                                       : cli_decimal_residue(text, length, s->modulus[r], &residue);
        if (!is_number || residue != images->rounds[r].y[l])
            return false;
    }
    return true;
}

static pc_status take_counts(stream_check *s, const cli_images *images, bool is_first)
{
    for (uint64_t l = 0; l < n_lengths(s); l++, is_first = false) {
        if (!is_first && !cli_scan_take_character(&s->scan, '\t'))
            return cli_scan_fail(&s->scan, "a count is missing");
        const char *text = s->scan.at;
        while (s->scan.at < s->scan.end && *s->scan.at != '\t' && *s->scan.at != '\n')
            s->scan.at++;
        if (!is_count(s, images, l, text, (size_t)(s->scan.at - text)))
            return cli_scan_fail(&s->scan, "a count is not the number of paths of graph %" PRIu64,
                                 s->graph_line);
        s->scan.n_counts++;
    }
    return PC_OK;
}

static pc_status make_images(const stream_check *s, const cli_verify_question *question,
                             cli_images *images)
{
    images->rounds = calloc(s->n_rounds, sizeof *images->rounds);
    if (images->rounds == NULL)
        return pc_context_fail(s->context, PC_ERR_MEMORY, "no memory for a certificate");
    images->n_rounds = s->n_rounds;
    for (uint64_t r = 0; r < s->n_rounds; r++)
        images->rounds[r].modulus = s->modulus[r];
    return cli_images_fill(question, images);
}

/* The line of a graph. */
static pc_status take_answer(stream_check *s, const pc_graph *graph)
{
    pc_status status = s->scan.at < s->scan.end
                           ? PC_OK
                           : cli_scan_fail(&s->scan, "the result ends here, and lines are missing");
    for (int a = 0; a < 2 && status == PC_OK; a++) {
        cli_verify_question question;
        cli_images images = {0};
        if (!s->asks[a])
            continue;
        status = cli_verify_question_make(s->context, &s->asked[a], graph, NULL, &question);
        if (status == PC_OK)
            status = make_images(s, &question, &images);
        if (status == PC_OK)
            status = take_counts(s, &images, a == 0 || !s->asks[0]);
        cli_images_free(&images);
        cli_verify_question_free(&question);
    }
    return status == PC_OK ? cli_scan_end_line(&s->scan) : status;
}

/* ---- Both files ------------------------------------------------------------------------------ */

static pc_status take_answers(void *user, const char *text, size_t n_bytes)
{
    stream_check *s = user;
    const char *line;
    s->scan = (cli_scan){.question = &s->place,
                         .name = cli_shown_path(s->path),
                         .begin = text,
                         .at = text,
                         .end = text + n_bytes};
    pc_status status = take_header(s);
    while (status == PC_OK && next_line(s, &line, &n_bytes)) {
        pc_graph *graph = NULL;
        status = make_graph(s, line, n_bytes, &graph);
        if (status == PC_OK)
            status = take_answer(s, graph);
        pc_graph_free(graph);
    }
    return status == PC_OK ? cli_scan_end(&s->scan) : status;
}

static pc_status take_graphs(void *user, const char *text, size_t n_bytes)
{
    stream_check *s = user;
    s->graphs_at = text;
    s->graphs_end = text + n_bytes;
    return pc_text_read(s->context, s->path, take_answers, s);
}

/* What is asked of each graph: its total, and the trace. */
static void ask(stream_check *s)
{
    const cli_query_options *query = &s->options->query;
    static const cli_question questions[] = {CLI_ASK_TOTAL, CLI_ASK_TRACE};
    s->asks[0] = query->question == CLI_ASK_TOTAL;
    s->asks[1] = !s->asks[0] || query->beside_option != NULL;
    for (int a = 0; a < 2; a++) {
        s->asked[a] = *s->options;
        s->asked[a].query.question = questions[a];
        s->asked[a].running.n_threads = 1; /* graphs are small */
    }
}

pc_status cli_verify_stream(pc_context *context, const cli_count_options *options, const char *path,
                            cli_verified *verified)
{
    stream_check s = {.context = context, .options = options, .path = path};
    s.place.context = context;
    s.n_rounds = is_modular(&s) ? 1 : N_PRIMES;
    ask(&s);
    for (uint64_t r = 0; r < s.n_rounds; r++) {
        s.modulus[r] = options->count.modulus;
        if (!is_modular(&s) && !cli_draw_prime(&s.modulus[r]))
            return pc_context_fail(context, PC_ERR_INTERNAL, "the system gives no random numbers");
    }
    pc_status status = pc_text_read(context, options->input.path, take_graphs, &s);
    *verified = (cli_verified){.n_counts = s.scan.n_counts, .n_rounds = s.n_rounds};
    cli_graph6_free(&s.line);
    return status;
}
