/* Walks the graphs of a stream along their arcs, modulo the same two primes. Bits of graph6 and its relatives are six in
 * each byte, the highest first, 63 added. */
#include "src/cli/verify/verify.h"

#include "tool.h"
#include "src/cli/process.h"
#include "src/cli/text.h"
#include "src/cli/verify/scan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_PRIMES = 2, MOST_STATED_VERTICES = 1 << 21 };

/* ---- A graph in a line ------------------------------------------------------------------------ */

/* The bits of a text that are left. */
typedef struct bits {
    const char *text;
    size_t at, end;
} bits;

static uint64_t take_bits(bits *b, unsigned n)
{
    uint64_t value = 0;
    for (; n > 0; n--, b->at++)
        value = value << 1 | ((unsigned)(b->text[b->at / 6] - 63) >> (5 - b->at % 6) & 1);
    return value;
}

static void add_edge(cli_graph6 *graph, uint64_t from, uint64_t to)
{
    graph->from[graph->n_edges] = from;
    graph->to[graph->n_edges++] = to;
}

/* Reads a bit for each entry: of graph6 the upper triangle column by column, of digraph6 the whole matrix row by row.
 * Less than six bits fill the last byte; they mean nothing. */
static bool read_dense(bits b, cli_graph6 *graph)
{
    uint64_t n = graph->n_vertices;
    bool is_whole = graph->is_directed;
    unsigned __int128 n_needed = (unsigned __int128)n * n;
    n_needed = is_whole ? n_needed : (n_needed - n) / 2;
    if (n_needed > b.end - b.at)
        return false;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < (is_whole ? n : i); j++)
            if (take_bits(&b, 1))
                add_edge(graph, i, j);
    return b.end - b.at < 6;
}

/* Reads pairs of a bit, which goes to the next vertex, and a number: a larger vertex to go on with, or the other
 * end of an edge. A vertex that the graph does not have ends it, and the rest means nothing. */
static void read_sparse6(bits b, cli_graph6 *graph)
{
    uint64_t n = graph->n_vertices, vertex = 0;
    unsigned width = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
    while (b.end - b.at > width) {
        vertex += take_bits(&b, 1);
        uint64_t other = take_bits(&b, width);
        if (vertex >= n || other >= n)
            break;
        if (other > vertex)
            vertex = other;
        else
            add_edge(graph, vertex, other);
    }
}

bool cli_graph6_read(const char *line, size_t n_bytes, uint64_t most_vertices, cli_graph6 *graph)
{
    static const char *const headers[] = {">>graph6<<", ">>sparse6<<", ">>digraph6<<"};
    static const unsigned width[] = {6, 18, 36}; /* of the size: after no '~', one and two */
    const char *end = line + n_bytes;
    int n_marks = 0;
    if (6 * n_bytes + 1 > graph->capacity) {
        graph->capacity = 6 * n_bytes + 1;
        graph->from = cli_need(realloc(graph->from, graph->capacity * sizeof *graph->from));
        graph->to = cli_need(realloc(graph->to, graph->capacity * sizeof *graph->to));
    }
    graph->n_edges = 0;
    for (size_t h = 0; h < 3; h++)
        if (n_bytes >= strlen(headers[h]) && memcmp(line, headers[h], strlen(headers[h])) == 0) {
            line += strlen(headers[h]);
            break;
        }
    char kind = line < end ? *line : '\0';
    graph->is_directed = kind == '&';
    line += kind == ':' || kind == '&';
    for (const char *c = line; c < end; c++)
        if (*c < 63 || *c > 126)
            return false;
    for (; n_marks < 2 && line < end && *line == '~'; line++)
        n_marks++;
    bits b = {.text = line, .end = 6 * (size_t)(end - line)};
    if (b.end < width[n_marks])
        return false;
    graph->n_vertices = take_bits(&b, width[n_marks]);
    if (graph->n_vertices > most_vertices)
        return false;
    if (kind != ':')
        return read_dense(b, graph);
    read_sparse6(b, graph);
    return true;
}

void cli_graph6_free(cli_graph6 *graph)
{
    free(graph->from);
    free(graph->to);
    *graph = (cli_graph6){0};
}

/* ---- Graphs of a stream ---------------------------------------------------------------------- */

enum { N_ANSWERS = 2 };

typedef struct stream_check {
    pc_context *context;
    const cli_count_options *options;
    cli_count_options asked[N_ANSWERS]; /* for all paths, and for those that end where they begin */
    const char *heads[N_ANSWERS];
    bool asks[N_ANSWERS];
    uint64_t n_lengths;
    const char *path; /* of the answers */
    bool is_modular;
    uint64_t modulus[N_PRIMES];
    uint64_t n_rounds; /* of them that are used; 1 of residues */
    const char *graphs_at, *graphs_end;
    uint64_t graph_line;
    cli_graph6 line;
    cli_verify_question place; /* has the context, for messages */
    cli_scan scan;             /* of the answers */
} stream_check;

/* Reads the graph of the next line that is not blank; *graph is NULL at the end. */
static pc_status next_graph(stream_check *s, pc_graph **graph)
{
    const pc_graph_options *options = &s->options->input.graph;
    const char *line = NULL;
    size_t n_bytes = 0;
    char sentence[512];
    *graph = NULL;
    while (n_bytes == 0 && s->graphs_at < s->graphs_end) {
        line = s->graphs_at;
        const char *end = memchr(line, '\n', (size_t)(s->graphs_end - line));
        end = end != NULL ? end : s->graphs_end;
        n_bytes = (size_t)(end - line);
        while (n_bytes > 0 && isspace((unsigned char)line[n_bytes - 1]))
            n_bytes--;
        s->graphs_at = end < s->graphs_end ? end + 1 : end;
        s->graph_line++;
    }
    if (n_bytes == 0)
        return PC_OK;
    uint64_t most =
        options->max_vertices > 0 ? options->max_vertices : MOST_STATED_VERTICES + n_bytes;
    if (!cli_graph6_read(line, n_bytes, most, &s->line)) {
        snprintf(sentence, sizeof sentence,
                 "%.400s:%" PRIu64 ": this is no graph in graph6, sparse6 or digraph6",
                 s->options->input.path, s->graph_line);
        return pc_context_fail(s->context, PC_ERR_DATA, sentence);
    }
    const pc_edges edges = {.n_vertices = s->line.n_vertices,
                            .n_edges = s->line.n_edges,
                            .from = s->line.from,
                            .to = s->line.to,
                            .stated = s->line.is_directed ? PC_DIRECTED : PC_UNDIRECTED};
    return pc_graph_from_edges(s->context, &edges, options, graph);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Takes the header; a single column has none. */
static bool take_header(stream_check *s)
{
    bool is_first = true, is_taken = true;
    char text[48];
    if (s->n_lengths * ((uint64_t)s->asks[0] + s->asks[1]) == 1)
        return true;
    for (int a = 0; a < N_ANSWERS; a++)
        for (uint64_t l = 1; l <= s->n_lengths && s->asks[a]; l++, is_first = false) {
            int n = snprintf(text, sizeof text, "%s%s", is_first ? "" : "\t", s->heads[a]);
            if (s->options->query.each)
                snprintf(text + n, sizeof text - (size_t)n, "_%" PRIu64, l);
            is_taken = is_taken && cli_scan_take(&s->scan, text);
        }
    return (is_taken && cli_scan_take(&s->scan, "\n")) ||
           cli_scan_fail(&s->scan, "the header is not that of such answers");
}

static bool take_counts(stream_check *s, const cli_images *images, bool is_first)
{
    cli_scan *scan = &s->scan;
    for (uint64_t l = 0; l < s->n_lengths; l++, is_first = false, scan->n_counts++) {
        if (!is_first && !cli_scan_take(scan, "\t"))
            return cli_scan_fail(scan, "a count is missing");
        const char *text = scan->at;
        while (scan->at < scan->end && *scan->at != '\t' && *scan->at != '\n')
            scan->at++;
        for (uint64_t r = 0; r < s->n_rounds; r++)
            if (!cli_decimal_is(text, (size_t)(scan->at - text), s->is_modular, s->modulus[r],
                                images->rounds[r].y[l].residue))
                return cli_scan_fail(scan, "a count is not the number of paths of graph %" PRIu64,
                                     s->graph_line);
    }
    return true;
}

/* Takes the line of a graph. */
static pc_status take_answer(stream_check *s, const pc_graph *graph)
{
    bool is_first = true;
    if (s->scan.at == s->scan.end)
        cli_scan_fail(&s->scan, "the result ends here, and lines are missing");
    for (int a = 0; a < N_ANSWERS && s->scan.status == PC_OK; a++) {
        cli_verify_question question;
        cli_images images;
        if (!s->asks[a])
            continue;
        pc_status status =
            cli_verify_question_make(s->context, &s->asked[a], graph, NULL, &question);
        cli_images_allocate(s->n_rounds, &images);
        for (uint64_t r = 0; r < images.n_rounds; r++)
            images.rounds[r].modulus = s->modulus[r];
        if (status == PC_OK)
            status = cli_images_fill(&question, &images);
        if (status == PC_OK)
            take_counts(s, &images, is_first);
        is_first = false;
        cli_images_free(&images);
        cli_verify_question_free(&question);
        if (status != PC_OK)
            return status;
    }
    if (s->scan.status == PC_OK)
        cli_scan_end_line(&s->scan);
    return s->scan.status;
}

/* ---- Both files ------------------------------------------------------------------------------ */

static pc_status take_answers(void *user, const char *text, size_t n_bytes)
{
    stream_check *s = user;
    pc_graph *graph = NULL;
    s->scan = (cli_scan){.question = &s->place,
                         .name = cli_shown_path(s->path),
                         .begin = text,
                         .at = text,
                         .end = text + n_bytes};
    take_header(s);
    pc_status status = s->scan.status;
    while (status == PC_OK && (status = next_graph(s, &graph)) == PC_OK && graph != NULL) {
        status = take_answer(s, graph);
        pc_graph_free(graph);
    }
    if (status == PC_OK) {
        cli_scan_end(&s->scan);
        status = s->scan.status;
    }
    return status;
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
    const cli_query_options *query = &options->query;
    stream_check s = {.context = context, .options = options, .path = path};
    s.place.context = context;
    s.n_lengths = query->each ? options->length : 1;
    s.is_modular = options->count.arithmetic == PC_MODULAR;
    s.n_rounds = s.is_modular ? 1 : N_PRIMES;
    s.asks[0] = !cli_question_kind_of(query->question)->returns;
    s.asks[1] = !s.asks[0] || query->beside_option != NULL;
    for (int a = 0; a < N_ANSWERS; a++) {
        s.asked[a] = *options;
        s.asked[a].query.question = cli_stream_question(a == 1, &s.heads[a]);
        s.asked[a].running.n_threads = 1; /* graphs are small */
    }
    for (uint64_t r = 0; r < s.n_rounds; r++) {
        s.modulus[r] = options->count.modulus;
        if (!s.is_modular && !cli_draw_prime(&s.modulus[r]))
            return pc_context_fail(context, PC_ERR_INTERNAL, "the system gives no random numbers");
    }
    pc_status status = pc_text_read(context, options->input.path, take_graphs, &s);
    *verified = (cli_verified){.n_counts = s.scan.n_counts, .n_rounds = s.n_rounds};
    cli_graph6_free(&s.line);
    return status;
}
