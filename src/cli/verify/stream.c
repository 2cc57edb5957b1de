/* Walks the graphs of a stream along their arcs, modulo the same two primes. Bits of graph6 and its relatives are six in
 * each byte, the highest first, 63 added. */
#include "src/cli/verify/stream.h"

#include "tool.h"
#include "src/cli/text.h"
#include "src/cli/verify/scan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_PRIMES = 2, MOST_STATED_VERTICES = 1 << 21 };

/* ---- A graph in a line ------------------------------------------------------------------------ */

typedef struct bits {
    const char *at, *end;
    unsigned n_taken; /* bits of the byte at `at` */
} bits;

static size_t n_bits_left(const bits *b)
{
    return 6 * (size_t)(b->end - b->at) - b->n_taken;
}

static uint64_t take_bits(bits *b, unsigned n)
{
    uint64_t value = 0;
    for (; n > 0; n--) {
        value = value << 1 | ((unsigned)(*b->at - 63) >> (5 - b->n_taken) & 1);
        b->n_taken = (b->n_taken + 1) % 6;
        b->at += b->n_taken == 0;
    }
    return value;
}

/* Takes the number of vertices: one byte, or '~' and three, or '~~' and six. */
static bool take_size(bits *b, uint64_t *n)
{
    static const unsigned width[] = {6, 18, 36};
    int n_marks = 0;
    while (n_marks < 2 && b->at < b->end && *b->at == '~') {
        b->at++;
        n_marks++;
    }
    if (n_bits_left(b) < width[n_marks])
        return false;
    *n = take_bits(b, width[n_marks]);
    return true;
}

static void add_edge(cli_graph6 *graph, uint64_t from, uint64_t to)
{
    graph->from[graph->n_edges] = from;
    graph->to[graph->n_edges++] = to;
}

/* Reads a bit for each entry: of graph6 the upper triangle column by column, of digraph6 the whole matrix row by row.
 * Less than six bits fill the last byte; they mean nothing. */
static bool read_dense(bits *b, cli_graph6 *graph)
{
    uint64_t n = graph->n_vertices;
    bool is_whole = graph->is_directed;
    unsigned __int128 n_needed = (unsigned __int128)n * n;
    n_needed = is_whole ? n_needed : (n_needed - n) / 2;
    if (n_needed > n_bits_left(b))
        return false;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < (is_whole ? n : i); j++)
            if (take_bits(b, 1))
                add_edge(graph, i, j);
    return n_bits_left(b) < 6;
}

/* Reads pairs of a bit, which goes to the next vertex, and a number: a larger vertex to go on with, or the other
 * end of an edge. A vertex that the graph does not have ends it, and the rest means nothing. */
static bool read_sparse6(bits *b, cli_graph6 *graph)
{
    uint64_t n = graph->n_vertices, vertex = 0;
    unsigned width = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
    while (n_bits_left(b) > width) {
        vertex += take_bits(b, 1);
        uint64_t other = take_bits(b, width);
        if (vertex >= n || other >= n)
            break;
        if (other > vertex)
            vertex = other;
        else
            add_edge(graph, vertex, other);
    }
    return true;
}

pc_status cli_graph6_read(const char *line, size_t n_bytes, uint64_t most_vertices,
                          cli_graph6 *graph)
{
    static const char *const headers[] = {">>graph6<<", ">>sparse6<<", ">>digraph6<<"};
    bits b = {.at = line, .end = line + n_bytes};
    for (size_t h = 0; h < 3; h++)
        if (n_bytes >= strlen(headers[h]) && memcmp(line, headers[h], strlen(headers[h])) == 0)
            b.at = line + strlen(headers[h]);
    char kind = b.at < b.end ? *b.at : '\0';
    b.at += kind == ':' || kind == '&';
    for (const char *c = b.at; c < b.end; c++)
        if (*c < 63 || *c > 126)
            return PC_ERR_DATA;
    if (6 * n_bytes + 1 > graph->capacity) {
        cli_graph6_free(graph);
        graph->capacity = 6 * n_bytes + 1;
        graph->from = malloc(graph->capacity * sizeof *graph->from);
        graph->to = malloc(graph->capacity * sizeof *graph->to);
        if (graph->from == NULL || graph->to == NULL)
            return PC_ERR_MEMORY;
    }
    graph->n_edges = 0;
    graph->is_directed = kind == '&';
    if (!take_size(&b, &graph->n_vertices) || graph->n_vertices > most_vertices)
        return PC_ERR_DATA;
    bool is_graph = kind == ':' ? read_sparse6(&b, graph) : read_dense(&b, graph);
    return is_graph ? PC_OK : PC_ERR_DATA;
}

void cli_graph6_free(cli_graph6 *graph)
{
    free(graph->from);
    free(graph->to);
    *graph = (cli_graph6){0};
}

/* ---- Streams --------------------------------------------------------------------------------- */

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

/* ---- Graphs of a stream ---------------------------------------------------------------------------------- */

/* Goes to the next line that is not blank; false at the end. */
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
        if ((!is_first && !cli_scan_take(&s->scan, "\t")) || !cli_scan_take(&s->scan, text))
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
    return is_taken && cli_scan_take(&s->scan, "\n")
               ? PC_OK
               : cli_scan_fail(&s->scan, "the header is not that of such answers");
}

static pc_status take_counts(stream_check *s, const cli_images *images, bool is_first)
{
    for (uint64_t l = 0; l < n_lengths(s); l++, is_first = false) {
        if (!is_first && !cli_scan_take(&s->scan, "\t"))
            return cli_scan_fail(&s->scan, "a count is missing");
        const char *text = s->scan.at;
        while (s->scan.at < s->scan.end && *s->scan.at != '\t' && *s->scan.at != '\n')
            s->scan.at++;
        for (uint64_t r = 0; r < s->n_rounds; r++)
            if (!cli_decimal_is(text, (size_t)(s->scan.at - text), is_modular(s), s->modulus[r],
                                images->rounds[r].y[l].residue))
                return cli_scan_fail(&s->scan,
                                     "a count is not the number of paths of graph %" PRIu64,
                                     s->graph_line);
        s->scan.n_counts++;
    }
    return PC_OK;
}

/* Takes the line of a graph. */
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
            status = cli_images_allocate(&question, s->n_rounds, &images);
        for (uint64_t r = 0; r < images.n_rounds; r++)
            images.rounds[r].modulus = s->modulus[r];
        if (status == PC_OK)
            status = cli_images_fill(&question, &images);
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

pc_status cli_verify_stream(pc_context *context, const cli_count_options *options, const char *path,
                            cli_verified *verified)
{
    stream_check s = {.context = context, .options = options, .path = path};
    s.place.context = context;
    s.n_rounds = is_modular(&s) ? 1 : N_PRIMES;
    s.asks[0] = options->query.question == CLI_ASK_TOTAL;
    s.asks[1] = !s.asks[0] || options->query.beside_option != NULL;
    for (int a = 0; a < 2; a++) {
        s.asked[a] = *options;
        s.asked[a].query.question = a == 0 ? CLI_ASK_TOTAL : CLI_ASK_TRACE;
        s.asked[a].running.n_threads = 1; /* graphs are small */
    }
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
