/* Finds the vertices that a question names. */
#include "src/cli/kinds.h"

#include "src/cli/files.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include "tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct finder {
    pc_context *context;
    const pc_graph *graph;
    const char *graph_name;
    bool in_pairs;
    cli_vertices *vertices;
    const char *file; /* being read; NULL: the command line */
    uint64_t line;
} finder;

static pc_status fail(const finder *f, const char *before, const char *label, const char *after)
{
    char where[512] = "", sentence[2048];
    if (f->file != NULL)
        snprintf(where, sizeof where, "%.400s:%" PRIu64 ": ", cli_shown_path(f->file), f->line);
    snprintf(sentence, sizeof sentence, "%s%.400s%.400s%s", where, before, label, after);
    return pc_context_fail(f->context, PC_ERR_DATA, sentence);
}

/* Tells what to write instead of a label that no vertex has: a label that is near, or what
 * labels look like. */
static const char *advice(const finder *f, const char *label, char *text, size_t size)
{
    cli_suggestion meant = {.typed = label};
    const pc_labels *labels = pc_graph_labels(f->graph);
    uint64_t n = pc_labels_count(labels);
    char other[CLI_SUGGESTED_BYTES], first[80] = "", last[80] = "";
    for (uint64_t v = 0; v < n; v++)
        if (pc_labels_text(labels, v, other, sizeof other) < sizeof other)
            cli_suggest(&meant, other);
    if (n > 0) {
        pc_labels_text(labels, 0, first, sizeof first);
        pc_labels_text(labels, n - 1, last, sizeof last);
    }
    if (meant.word[0] != '\0')
        snprintf(text, size, "'%s", cli_suggestion_text(&meant));
    else
        snprintf(text, size, "': the first of its %" PRIu64 " is '%s', the last '%s'", n, first,
                 last);
    return text;
}

static pc_status find(const finder *f, const char *label, uint64_t *vertex)
{
    char before[512], after[512];
    if (pc_graph_find(f->context, f->graph, label, vertex) == PC_OK)
        return PC_OK;
    snprintf(before, sizeof before, "%.400s has no vertex '", f->graph_name);
    return fail(f, before, label, advice(f, label, after, sizeof after));
}

static pc_status add(const finder *f, const char *first, const char *second)
{
    cli_vertices *v = f->vertices;
    uint64_t from, to;
    pc_status status = find(f, first, &from);
    if (status == PC_OK)
        status = find(f, second, &to);
    if (status != PC_OK)
        return status;
    if (v->n == v->capacity) {
        v->capacity = v->capacity ? 2 * v->capacity : 16;
        v->from = cli_need(realloc(v->from, v->capacity * sizeof *v->from));
        v->to = cli_need(realloc(v->to, v->capacity * sizeof *v->to));
    }
    v->from[v->n] = from;
    v->to[v->n++] = to;
    return PC_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Cuts blanks off both ends of text, which it changes. */
static char *trim(char *text)
{
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

/* A pair is cut at the first tab, else at the first comma, else at blanks. */
static pc_status add_pair(const finder *f, char *line)
{
    char *cut = strchr(line, '\t');
    cut = cut != NULL ? cut : strchr(line, ',');
    cut = cut != NULL ? cut : strchr(line, ' ');
    if (cut == NULL)
        return fail(f, "'", line, "' stands alone: a line is two vertices");
    *cut = '\0';
    return add(f, trim(line), trim(cut + 1));
}

static pc_status take_text(void *user, const char *text, size_t n_bytes)
{
    finder *f = user;
    const char *end = text + n_bytes;
    pc_status status = PC_OK;
    for (f->line = 1; text < end && status == PC_OK; f->line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        if (memchr(text, '\0', (size_t)(stop - text)) != NULL)
            return fail(f, "", "", "a NUL byte: this is not a text file");
        char *copy = cli_need(strndup(text, (size_t)(stop - text))), *line = trim(copy);
        bool is_empty = line[0] == '\0' || line[0] == '#' || line[0] == '%';
        if (!is_empty)
            status = f->in_pairs ? add_pair(f, line) : add(f, line, line);
        free(copy);
        text = stop + 1;
    }
    return status;
}

static pc_status read_file(finder *f, const char *path)
{
    f->file = path;
    pc_status status = pc_text_read(f->context, path, take_text, f);
    f->file = NULL;
    return status;
}

/* A label that begins with @ is easily taken for a file. */
static pc_status read_named(finder *f, const cli_named *named, const char *path)
{
    uint64_t vertex;
    char sentence[1024];
    bool is_label = pc_graph_find(f->context, f->graph, named->text, &vertex) == PC_OK;
    pc_status status = read_file(f, path);
    if (status != PC_ERR_NO_INPUT || !is_label)
        return status;
    snprintf(sentence, sizeof sentence,
             "there is no file '%.400s' of vertices; the vertex '%.400s' is written @%.40s", path,
             named->text, named->text);
    return pc_context_fail(f->context, status, sentence);
}

/* ---- All of them ----------------------------------------------------------------------------- */

pc_status cli_vertices_find(pc_context *context, const pc_graph *graph, const char *graph_path,
                            const cli_query_options *query, cli_vertices *vertices)
{
    finder f = {.context = context,
                .graph = graph,
                .graph_name = cli_shown_path(graph_path),
                .in_pairs = cli_question_kind_of(query->question)->takes_pairs,
                .vertices = vertices};
    pc_status status = PC_OK;
    for (size_t i = 0; i < query->n_named && status == PC_OK; i++) {
        const cli_named *named = &query->named[i];
        if (named->second != NULL)
            status = add(&f, named->text, named->second);
        else if (f.in_pairs)
            status = read_file(&f, named->text);
        else if (cli_named_file(query, named) != NULL)
            status = read_named(&f, named, cli_named_file(query, named));
        else
            status = add(&f, cli_named_label(named), cli_named_label(named));
    }
    return status;
}

void cli_vertices_free(cli_vertices *vertices)
{
    free(vertices->from);
    free(vertices->to);
}

pc_query cli_query_of(const cli_query_options *asked, uint64_t length, const cli_vertices *vertices)
{
    return (pc_query){.kind = cli_question_kind_of(asked->question)->kind,
                      .paths = asked->paths,
                      .length = length,
                      .n_asked = vertices->n,
                      .from = vertices->from,
                      .to = vertices->to,
                      .each = asked->each,
                      .up_to = asked->up_to};
}
