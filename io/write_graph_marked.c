/* Graphs in three formats of other programs, each a list of vertices with labels and one of edges with weights:
 * GraphML, GML, and Pajek. */
#include "io/write_graph_marked.h"

#include "graphs/graph.h"
#include "io/packed_output.h"
#include "io/writer.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 20, LINE_BYTES = 256, MOST_ESCAPE = 6 };

typedef struct style {
    const char *ending;
    const char *head[2];   /* of an undirected graph, of a directed one */
    const char *vertex[3]; /* before its number, its label, and the end of the line */
    const char *edges[2];  /* between vertices and edges: undirected, directed */
    const char *edge[4];   /* before one vertex, the other, the weight, and the end of the line */
    const char *end;
    uint64_t first; /* number of the first vertex */
    bool has_size;  /* the number of vertices follows the head */
    bool has_entities;
} style;

static const style styles[] = {
    {".graphml",
     {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n"
      "<graph edgedefault=\"undirected\">\n",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/>\n"
      "<graph edgedefault=\"directed\">\n"},
     {"<node id=\"n", "\"><data key=\"name\">", "</data></node>\n"},
     {"", ""},
     {"<edge source=\"n", "\" target=\"n", "\"><data key=\"weight\">", "</data></edge>\n"},
     "</graph>\n</graphml>\n",
     .has_entities = true},
    {".gml",
     {"graph [\n  directed 0\n", "graph [\n  directed 1\n"},
     {"  node [ id ", " label \"", "\" ]\n"},
     {"", ""},
     {"  edge [ source ", " target ", " weight ", " ]\n"},
     "]\n",
     .has_entities = true},
    {".net",
     {"*Vertices ", "*Vertices "},
     {"", " \"", "\"\n"},
     {"*Edges\n", "*Arcs\n"},
     {"", " ", " ", "\n"},
     "",
     .first = 1,
     .has_size = true},
};
enum { N_STYLES = sizeof styles / sizeof *styles };

typedef struct writing {
    pc_context *context;
    const pc_graph *graph;
    const style *style;
    char *label, *text; /* the label of a vertex; the piece that is being filled */
    size_t label_room, n_bytes;
    pci_packed_output file;
} writing;

static void put(writing *w, const char *text)
{
    size_t n = strlen(text);
    memcpy(w->text + w->n_bytes, text, n);
    w->n_bytes += n;
}

static void put_number(writing *w, uint64_t number)
{
    w->n_bytes += pci_number_u64_text(number, w->text + w->n_bytes);
}

static const char *entity_of(char c)
{
    return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
}

/* What makes a label impossible; NULL: nothing. The text is room for a moment. */
static const char *find_fault(const writing *w, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)w->label[i] < ' ' || w->label[i] == 0x7f)
            return "has a control character";
    if (!w->style->has_entities && memchr(w->label, '"', length))
        return "has a double quote";
    return pci_format_json.escape(w->label, length, w->text + w->n_bytes) == SIZE_MAX
               ? "is not UTF-8"
               : NULL;
}

static pc_status put_label(writing *w, uint64_t vertex)
{
    size_t length = pc_labels_text(&w->graph->labels, vertex, w->label, w->label_room);
    const char *fault = find_fault(w, length);
    if (fault)
        return pci_fail(w->context, PC_ERR_DATA,
                        "%s cannot be written: label number %" PRIu64 " %s; write .mtx, which has "
                        "indices in place of labels",
                        w->style->ending, vertex + 1, fault);
    for (size_t i = 0; i < length; i++) {
        const char *entity = w->style->has_entities ? entity_of(w->label[i]) : NULL;
        if (entity)
            put(w, entity);
        else
            w->text[w->n_bytes++] = w->label[i];
    }
    return PC_OK;
}

/* Writes the piece when it is full. */
static pc_status advance(writing *w, size_t most)
{
    if (w->n_bytes < most)
        return PC_OK;
    pc_status status = pci_packed_output_write(&w->file, w->text, w->n_bytes);
    w->n_bytes = 0;
    return status == PC_OK ? pci_packed_output_advance(&w->file) : status;
}

static pc_status put_vertices(writing *w)
{
    const style *s = w->style;
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < w->graph->n && status == PC_OK; v++) {
        put(w, s->vertex[0]);
        put_number(w, s->first + v);
        put(w, s->vertex[1]);
        status = put_label(w, v);
        put(w, s->vertex[2]);
        if (status == PC_OK)
            status = advance(w, PIECE_BYTES);
    }
    return status;
}

/* Each edge once: of a symmetric graph those to earlier vertices. */
static pc_status put_edges(writing *w, uint64_t row)
{
    const pc_graph *graph = w->graph;
    const style *s = w->style;
    pc_status status = PC_OK;
    for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1] && status == PC_OK;
         a++) {
        uint64_t column = graph->column[a];
        if (graph->symmetric && column > row)
            break;
        put(w, s->edge[0]);
        put_number(w, s->first + row);
        put(w, s->edge[1]);
        put_number(w, s->first + column);
        put(w, s->edge[2]);
        put_number(w, graph->weight ? graph->weight[a] : 1);
        put(w, s->edge[3]);
        status = advance(w, PIECE_BYTES);
    }
    return status;
}

static pc_status put_graph(writing *w)
{
    bool is_directed = !w->graph->symmetric;
    put(w, w->style->head[is_directed]);
    if (w->style->has_size) {
        put_number(w, w->graph->n);
        put(w, "\n");
    }
    pc_status status = put_vertices(w);
    put(w, w->style->edges[is_directed]);
    for (uint64_t row = 0; row < w->graph->n && status == PC_OK; row++)
        status = put_edges(w, row);
    put(w, w->style->end);
    return status == PC_OK ? advance(w, 0) : status;
}

static pc_status allocate(writing *w)
{
    w->label_room = pc_labels_longest(&w->graph->labels) + 1;
    size_t room = PIECE_BYTES + 4 * LINE_BYTES + 2 * MOST_ESCAPE * w->label_room;
    w->label = pci_alloc(w->context, w->label_room);
    w->text = pci_alloc(w->context, room);
    return w->label && w->text ? PC_OK : pci_fail_memory(w->context, "writing", room);
}

pc_status pci_graph_write_marked(pc_context *context, const pc_graph *graph, const char *path,
                                 const char *ending, pci_packing packing)
{
    writing w = {.context = context, .graph = graph, .style = styles};
    while (w.style < styles + N_STYLES - 1 && strcmp(w.style->ending, ending) != 0)
        w.style++;
    pc_status status = allocate(&w);
    if (status == PC_OK)
        status = pci_packed_output_open(context, path, packing, &w.file);
    if (status == PC_OK)
        status = put_graph(&w);
    if (status == PC_OK)
        status = pci_packed_output_finish(&w.file);
    if (status == PC_OK) {
        status = pc_output_commit(w.file.output);
        w.file.output = NULL;
    }
    pci_packed_output_free(&w.file);
    pci_free(context, w.label);
    pci_free(context, w.text);
    return status;
}
