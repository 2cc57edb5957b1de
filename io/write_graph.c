/* Writing a graph as text, row by row: an edge list with labels, Matrix Market, or one of three
 * formats of other programs that list vertices with labels and edges with weights (GraphML, GML,
 * Pajek). Each edge is written once: an undirected graph has only its lower triangle written.
 *
 * The head comment of an edge list and of Matrix Market states what the reader has to know. The
 * reader of an edge list knows the vertices 0 .. n-1 by their stated number. It knows others
 * only by the lines that name them, and numbers those without integer labels in the order of
 * appearance. So a vertex that would be missing or come too late is named by the line of its
 * loop: "v v 0" when it has none, which is no arc. */
#define _GNU_SOURCE /* stpcpy */
#include "graphs/graph.h"
#include "io/sample.h"
#include "io/line.h"
#include "io/serialized.h"
#include "io/writer.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 512, MOST_ESCAPE = 6, ROWS_BETWEEN_LOOKS = 4096 };

/* The words around labels and numbers in a format of text. Edge lists have labels where others
 * have numbers. */
typedef struct style {
    const char *ending;  /* NULL: any other */
    const char *edge[4]; /* before one vertex, the other, the weight, and the end of the line */
    uint64_t first;      /* number of the first vertex */
    /* A format of other programs; NULL in others. */
    const char *vertex[3];    /* before its number, its label, and the end of the line */
    const char *head[2];      /* around the word for the direction */
    const char *direction[2]; /* undirected, directed */
    const char *edges[2];     /* between vertices and edges, of either direction */
    const char *end;
    bool has_size; /* the number of vertices ends the head */
    bool has_entities;
} style;

static const style styles[] = {
    {.ending = ".graphml",
     .edge = {"<edge source=\"n", "\" target=\"n", "\"><data key=\"weight\">", "</data></edge>\n"},
     .vertex = {"<node id=\"n", "\"><data key=\"name\">", "</data></node>\n"},
     .head = {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
              "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
              "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n"
              "<graph edgedefault=\"",
              "\">\n"},
     .direction = {"undirected", "directed"},
     .edges = {"", ""},
     .end = "</graph>\n</graphml>\n",
     .has_entities = true},
    {.ending = ".gml",
     .edge = {"  edge [ source ", " target ", " weight ", " ]\n"},
     .vertex = {"  node [ id ", " label \"", "\" ]\n"},
     .head = {"graph [\n  directed ", "\n"},
     .direction = {"0", "1"},
     .edges = {"", ""},
     .end = "]\n",
     .has_entities = true},
    {.ending = ".net",
     .edge = {"", " ", " ", "\n"},
     .first = 1,
     .vertex = {"", " \"", "\"\n"},
     .head = {"*Vertices ", ""},
     .direction = {"", ""},
     .edges = {"*Edges\n", "*Arcs\n"},
     .end = "",
     .has_size = true},
    {.ending = ".mtx", .edge = {"", " ", " ", "\n"}, .first = 1},
    {.ending = ".tsv", .edge = {"", "\t", "\t", "\n"}},
    {.ending = ".csv", .edge = {"", ",", ",", "\n"}},
    {.edge = {"", " ", " ", "\n"}},
};

/* Tells how the lines so far name a vertex: not, in an edge, or by its loop. */
enum { UNNAMED = 0, NAMED, LOOP_WRITTEN };

typedef struct writing {
    pc_context *context;
    const pc_graph *graph;
    const style *style;
    bool is_list, is_mtx;
    bool in_order;        /* vertices of a list have to appear in their order */
    bool is_numbered;     /* labels are 0 .. n-1 */
    uint64_t n_named;     /* if in_order: as many vertices, from the first on, are named */
    unsigned char *state; /* [n] UNNAMED, NAMED or LOOP_WRITTEN */
    size_t label_room;    /* for the longest, with a final NUL */
    char *label, *line;   /* the label of a vertex; the line that is being made */
    pci_file file;
} writing;

/* ---- Labels ---------------------------------------------------------------------------------- */

static pc_status refuse_label(const writing *w, uint64_t vertex, const char *fault)
{
    char label[84];
    pc_labels_text(&w->graph->labels, vertex, label, sizeof label);
    return pci_fail(w->context, PC_ERR_DATA,
                    "an edge list cannot be written: the label '%s' %s; write .mtx, where "
                    "labels are comments",
                    label, fault);
}

/* Text labels of an edge list are read back in order of appearance, unless all are integers. */
static pc_status check_list_labels(writing *w)
{
    const pci_labels *labels = &w->graph->labels;
    uint64_t before = 0, value, n_integers = 0, n_falling = 0;
    w->is_numbered = labels->n == 0 || (labels->kind == PCI_LABELS_RANGE && labels->first == 0);
    if (w->is_numbered || labels->kind != PCI_LABELS_TEXT)
        return PC_OK;
    for (uint64_t v = 0; v < labels->n; v++) {
        size_t length;
        const char *text = pci_names_text(&labels->names, v, &length);
        pci_integer kind = pci_integer_parse(text, length, &value);
        if (length == 0)
            return refuse_label(w, v, "is empty");
        if (memchr(text, '\n', length) || memchr(text, '\r', length) || memchr(text, 0, length))
            return refuse_label(w, v, "has a line end or NUL byte");
        if (kind == PCI_INTEGER_TOO_BIG)
            return refuse_label(w, v, "is an integer beyond 2^64-1");
        if (kind == PCI_NOT_INTEGER)
            continue;
        n_falling += n_integers > 0 && value < before;
        n_integers++;
        before = value;
    }
    if (n_integers == labels->n && n_falling > 0)
        return refuse_label(w, 0, "and all others are integers, not in their order");
    w->in_order = n_integers < labels->n;
    return PC_OK;
}

/* Puts a label into a format of other programs, which are not all able to have every one. */
static pc_status put_label(writing *w, uint64_t vertex)
{
    size_t length = pc_labels_text(&w->graph->labels, vertex, w->label, w->label_room);
    const bool has_entities = w->style->has_entities;
    const char *fault = pci_format_json.escape(w->label, length, w->line) == SIZE_MAX /* room */
                            ? "is not UTF-8"
                            : NULL;
    char *next = w->line;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)w->label[i];
        const char *entity = !has_entities ? NULL
                             : c == '&'    ? "&amp;"
                             : c == '<'    ? "&lt;"
                             : c == '>'    ? "&gt;"
                             : c == '"'    ? "&quot;"
                                           : NULL;
        if (c < ' ' || c == 0x7f)
            fault = "has a control character";
        else if (c == '"' && !has_entities && !fault)
            fault = "has a double quote";
        if (entity)
            next = stpcpy(next, entity);
        else
            *next++ = (char)c;
    }
    if (fault)
        return pci_fail(w->context, PC_ERR_DATA,
                        "%s cannot be written: label number %" PRIu64 " %s; write .mtx, which has "
                        "indices in place of labels",
                        w->style->ending, vertex + 1, fault);
    pci_file_put(&w->file, w->line, (size_t)(next - w->line));
    return PC_OK;
}

/* ---- Lines of edges -------------------------------------------------------------------------- */

static char *write_vertex(const writing *w, uint64_t vertex, char *text)
{
    const pci_labels *labels = &w->graph->labels;
    size_t length;
    if (!w->is_list)
        return text + pci_number_u64_text(w->style->first + vertex, text);
    if (labels->kind != PCI_LABELS_TEXT)
        return text + pc_labels_text(labels, vertex, text, w->label_room);
    const char *label = pci_names_text(&labels->names, vertex, &length);
    return text + pci_line_quote(label, length, text);
}

static void put_line(writing *w, uint64_t from, uint64_t to, uint64_t weight)
{
    const char *const *around = w->style->edge;
    char *next = write_vertex(w, from, stpcpy(w->line, around[0]));
    next = write_vertex(w, to, stpcpy(next, around[1]));
    next = stpcpy(next, around[2]);
    next += pci_number_u64_text(weight, next);
    next = stpcpy(next, around[3]);
    pci_file_put(&w->file, w->line, (size_t)(next - w->line));
    pci_file_advance(&w->file);
}

/* Writes the line of a loop, with weight 0 when there is none. */
static void put_loop(writing *w, uint64_t vertex)
{
    uint64_t arc = pci_graph_find_arc(w->graph, vertex, vertex);
    w->state[vertex] = LOOP_WRITTEN;
    put_line(w, vertex, vertex,
             arc < pci_graph_n_arcs(w->graph) ? pci_graph_weight(w->graph, arc) : 0);
}

/* Before an edge of vertices that have to appear in their order, those that are missing are named: all below from, and
 * when some are missing between from and to, all below to. */
static void put_listed_edge(writing *w, uint64_t from, uint64_t to, uint64_t weight)
{
    if (w->in_order) {
        for (; w->n_named < from; w->n_named++)
            put_loop(w, w->n_named);
        if (to > w->n_named + (from == w->n_named))
            for (; w->n_named < to; w->n_named++)
                put_loop(w, w->n_named);
        uint64_t end = (from > to ? from : to) + 1;
        w->n_named = end > w->n_named ? end : w->n_named;
    }
    if (from == to && w->state[from] == LOOP_WRITTEN)
        return;
    if (from == to)
        w->state[from] = LOOP_WRITTEN;
    w->state[from] += w->state[from] == UNNAMED;
    w->state[to] += w->state[to] == UNNAMED;
    put_line(w, from, to, weight);
}

/* Writes a row. An edge list has the earlier vertex of an undirected edge first; so most
 * vertices are named in their order. */
static void put_row(writing *w, uint64_t row)
{
    const pc_graph *graph = w->graph;
    for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
        uint64_t column = graph->column[a], weight = pci_graph_weight(graph, a);
        if (graph->symmetric && column > row)
            break;
        if (!w->is_list)
            put_line(w, row, column, weight);
        else if (graph->symmetric)
            put_listed_edge(w, column, row, weight);
        else
            put_listed_edge(w, row, column, weight);
    }
}

/* ---- The whole graph ------------------------------------------------------------------------- */

/* Writes the head comment. Matrix Market also gets its first line, labels other than numbers
 * from 0 or 1 on as comments, and the sizes. */
static pc_status put_head_comment(writing *w)
{
    const pc_graph *graph = w->graph;
    const pci_labels *labels = &graph->labels;
    const pci_head_comment stated = {.direction = graph->symmetric ? PC_UNDIRECTED : PC_DIRECTED,
                                     .weights = true,
                                     .loops_twice =
                                         w->is_list && graph->info.loops == PC_LOOPS_TWICE,
                                     .has_n_vertices = w->is_numbered || w->is_mtx,
                                     .n_vertices = graph->n};
    char comment[PCI_HEAD_COMMENT_BYTES];
    pci_head_comment_text(&stated, comment);
    if (w->is_list)
        sprintf(w->line, "# %s\n", comment);
    else
        sprintf(w->line, "%%%%MatrixMarket matrix coordinate integer %s\n%% %s\n",
                graph->symmetric ? "symmetric" : "general", comment);
    pci_file_put_text(&w->file, w->line);
    if (w->is_list)
        return w->file.status;
    if (labels->kind != PCI_LABELS_RANGE || labels->first > 1)
        pci_labels_put(&w->file, labels, "% label");
    sprintf(w->line, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", graph->n, graph->n,
            graph->info.n_edges);
    pci_file_put_text(&w->file, w->line);
    return w->file.status;
}

/* Writes the head and the vertices in a format of other programs. */
static pc_status put_vertices(writing *w)
{
    const style *s = w->style;
    pci_file *file = &w->file;
    bool is_directed = !w->graph->symmetric;
    pci_file_put_text(file, s->head[0]);
    pci_file_put_text(file, s->direction[is_directed]);
    pci_file_put_text(file, s->head[1]);
    if (s->has_size) {
        pci_file_put_number(file, w->graph->n);
        pci_file_put(file, "\n", 1);
    }
    for (uint64_t v = 0; v < w->graph->n; v++) {
        pci_file_put_text(file, s->vertex[0]);
        pci_file_put_number(file, s->first + v);
        pci_file_put_text(file, s->vertex[1]);
        pc_status status = put_label(w, v);
        if (status || (status = pci_file_advance(file)))
            return status;
        pci_file_put_text(file, s->vertex[2]);
    }
    pci_file_put_text(file, s->edges[is_directed]);
    return file->status;
}

static pc_status put_rows(writing *w)
{
    const uint64_t n = w->graph->n;
    pc_status status = w->file.status;
    for (uint64_t row = 0; row < n && status == PC_OK; row++) {
        put_row(w, row);
        status = w->file.status;
        if (status == PC_OK && row % ROWS_BETWEEN_LOOKS == 0)
            status = pci_progress(w->context, "write", (double)row / (double)n);
    }
    for (uint64_t v = 0; v < n && status == PC_OK && w->is_list && !w->is_numbered; v++)
        if (w->state[v] == UNNAMED)
            put_loop(w, v);
    if (w->style->end)
        pci_file_put_text(&w->file, w->style->end);
    return status;
}

pc_status pc_graph_write(pc_context *context, const pc_graph *graph, const char *path)
{
    if (!context || !graph || !path)
        return pci_fail_null(context, "graph or path");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    char endings[PCI_FILE_FORMAT_BYTES];
    pci_packing packing;
    const pc_file_format *format = pci_written_format(path, &packing);
    if (!format || !format->writes_graphs)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "cannot tell the format of '%s': the name of a file for a graph must end "
                        "in %s, and then .gz or .zst if it is to be packed",
                        path, pci_file_format_list(true, endings));
    if (format->format == PC_FORMAT_SERIALIZED)
        return pci_graph_write_serialized(context, graph, path, format->ending, packing);
    writing w = {.context = context, .graph = graph, .style = styles};
    while (w.style->ending && strcmp(w.style->ending, format->ending) != 0)
        w.style++;
    w.is_mtx = format->format == PC_FORMAT_MATRIX_MARKET;
    w.is_list = format->format == PC_FORMAT_EDGE_LIST;
    pc_status status = w.is_list ? check_list_labels(&w) : PC_OK;
    w.label_room = pc_labels_longest(&graph->labels) + 1;
    size_t room = LINE_BYTES + MOST_ESCAPE * w.label_room;
    w.label = pci_alloc(context, w.label_room);
    w.line = pci_alloc(context, room);
    w.state = pci_alloc_zero(context, graph->n + 1, sizeof *w.state);
    if (status == PC_OK && (!w.label || !w.line || !w.state))
        status = pci_fail_memory(context, "writing", room + w.label_room + graph->n);
    if (status == PC_OK && (status = pci_file_open(context, path, packing, &w.file)) == PC_OK &&
        (status = w.style->end ? put_vertices(&w) : put_head_comment(&w)) == PC_OK &&
        (status = put_rows(&w)) == PC_OK)
        status = pci_file_commit(&w.file);
    pci_file_free(&w.file);
    pci_free(context, w.label);
    pci_free(context, w.line);
    pci_free(context, w.state);
    return status;
}
