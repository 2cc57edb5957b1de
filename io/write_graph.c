/* Writing a graph as an edge list with labels or as Matrix Market, row by row. The head comment
 * states what the reader has to know.
 *
 * The reader of an edge list knows the vertices 0 .. n-1 by their stated number. It knows others
 * only by the lines that name them, and numbers those without integer labels in the order of
 * appearance. So a vertex that would be missing or come too late is named by the line of its loop:
 * "v v 0" when it has none, which is no arc. */
#include "graphs/file_format.h"
#include "graphs/graph.h"
#include "io/line.h"
#include "io/packed_output.h"
#include "io/write_graph_marked.h"
#include "io/write_serialized.h"
#include "io/writer.h"
#include "io/head_comment.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 20, HEADER_BYTES = 300, EDGE_BYTES = 3 * PCI_U64_TEXT_BYTES + 4 };
enum { ROWS_BETWEEN_LOOKS = 4096, LABEL_COMMENT_BYTES = 8 + PCI_U64_TEXT_BYTES + 3 };

/* How much of a vertex the lines so far have. */
enum { UNNAMED = 0, NAMED, LOOP_WRITTEN };

typedef struct writing {
    pc_context *context;
    const pc_graph *graph;
    const char *path;
    pci_packing packing;
    char separator;     /* of columns */
    const char *ending; /* of its format */
    /* Writes a format of another file; NULL: it is none of these. */
    pc_status (*write_other)(pc_context *context, const pc_graph *graph, const char *path,
                             const char *ending, pci_packing packing);
    bool has_indices;     /* Matrix Market: 1-based indices in place of labels */
    bool in_order;        /* vertices have to appear in their order */
    bool is_numbered;     /* labels are 0 .. n-1 */
    uint64_t n_named;     /* if in_order: as many vertices, from the first on, are named */
    unsigned char *state; /* [n] UNNAMED, NAMED or LOOP_WRITTEN */
    size_t label_room;    /* for the longest, in quotes, with a final NUL */
    char *text;           /* the piece that is being filled */
    size_t n_bytes;
    pci_packed_output file;
} writing;

/* ---- The name of the file -------------------------------------------------------------------- */

static pc_status choose_format(writing *w)
{
    char endings[PCI_FILE_FORMAT_BYTES];
    const pc_file_format *format = pci_written_format(w->path, &w->packing);
    if (format && format->writes_graphs) {
        w->separator = strcmp(format->ending, ".tsv") == 0   ? '\t'
                       : strcmp(format->ending, ".csv") == 0 ? ','
                                                             : ' ';
        w->ending = format->ending;
        w->write_other = format->needs_igraph                     ? pci_graph_write_marked
                         : format->format == PC_FORMAT_SERIALIZED ? pci_graph_write_serialized
                                                                  : NULL;
        w->has_indices = format->format == PC_FORMAT_MATRIX_MARKET;
        return PC_OK;
    }
    return pci_fail(w->context, PC_ERR_ARGUMENT,
                    "cannot tell the format of '%s': the name of a file for a graph must end in "
                    "%s, and then .gz or .zst if it is to be packed",
                    w->path, pci_file_format_list(true, endings));
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* What makes a label impossible in an edge list; NULL: nothing. */
static const char *find_fault(const char *label, size_t length)
{
    uint64_t value;
    if (length == 0)
        return "is empty";
    for (size_t i = 0; i < length; i++)
        if (memchr("\n\r", label[i], 3)) /* and NUL */
            return "has a line end or NUL byte";
    if (pci_integer_parse(label, length, &value) == PCI_INTEGER_TOO_BIG)
        return "is an integer beyond 2^64-1";
    return NULL;
}

static pc_status refuse_label(const writing *w, uint64_t vertex, const char *fault)
{
    char label[84];
    pc_labels_text(&w->graph->labels, vertex, label, sizeof label);
    return pci_fail(w->context, PC_ERR_DATA,
                    "an edge list cannot be written: the label '%s' %s; write .mtx, where "
                    "labels are comments",
                    label, fault);
}

/* Text labels are read back in order of appearance, unless all are integers. */
static pc_status check_text_labels(writing *w)
{
    const pci_labels *labels = &w->graph->labels;
    uint64_t before = 0, value, n_integers = 0, n_falling = 0;
    for (uint64_t v = 0; v < labels->n; v++) {
        size_t length;
        const char *text = pci_names_text(&labels->names, v, &length);
        const char *fault = find_fault(text, length);
        if (fault)
            return refuse_label(w, v, fault);
        w->label_room = 2 * length + 2 >= w->label_room ? 2 * length + 3 : w->label_room;
        if (pci_integer_parse(text, length, &value) != PCI_INTEGER)
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

/* The room for the longest, with escapes. */
static pc_status measure_labels(writing *w)
{
    const pci_labels *labels = &w->graph->labels;
    char none[1];
    for (uint64_t v = 0; v < labels->n && labels->kind == PCI_LABELS_TEXT; v++) {
        size_t length = pc_labels_text(labels, v, none, sizeof none);
        w->label_room = 2 * length + 1 > w->label_room ? 2 * length + 1 : w->label_room;
    }
    return PC_OK;
}

static pc_status check_labels(writing *w)
{
    const pci_labels *labels = &w->graph->labels;
    w->label_room = PCI_U64_TEXT_BYTES + 1;
    w->is_numbered = labels->n == 0 || (labels->kind == PCI_LABELS_RANGE && labels->first == 0);
    if (w->has_indices)
        return measure_labels(w);
    if (w->is_numbered)
        return PC_OK;
    return labels->kind == PCI_LABELS_TEXT ? check_text_labels(w) : PC_OK;
}

/* ---- Pieces of text -------------------------------------------------------------------------- */

static pc_status flush(writing *w)
{
    size_t n_bytes = w->n_bytes;
    w->n_bytes = 0;
    pc_status status = pci_packed_output_write(&w->file, w->text, n_bytes);
    return status == PC_OK ? pci_packed_output_advance(&w->file) : status;
}

static void put_number(writing *w, uint64_t number)
{
    w->n_bytes += pci_number_u64_text(number, w->text + w->n_bytes);
}

static void put_vertex(writing *w, uint64_t vertex)
{
    const pci_labels *labels = &w->graph->labels;
    char *text = w->text + w->n_bytes;
    size_t length;
    if (w->has_indices) {
        put_number(w, vertex + 1);
    } else if (labels->kind == PCI_LABELS_TEXT) {
        const char *label = pci_names_text(&labels->names, vertex, &length);
        w->n_bytes += pci_line_quote(label, length, text);
    } else {
        w->n_bytes += pc_labels_text(labels, vertex, text, w->label_room);
    }
}

static pc_status put_line(writing *w, uint64_t from, uint64_t to, uint64_t multiplicity)
{
    put_vertex(w, from);
    w->text[w->n_bytes++] = w->separator;
    put_vertex(w, to);
    w->text[w->n_bytes++] = w->separator;
    put_number(w, multiplicity);
    w->text[w->n_bytes++] = '\n';
    return w->n_bytes < PIECE_BYTES ? PC_OK : flush(w);
}

/* ---- Lines of an edge list ------------------------------------------------------------------- */

static uint64_t multiplicity_of(const pc_graph *graph, uint64_t arc)
{
    return graph->weight ? graph->weight[arc] : 1;
}

/* The line of a loop, whether there is one or not. */
static pc_status put_loop(writing *w, uint64_t vertex)
{
    const pc_graph *graph = w->graph;
    uint64_t multiplicity = 0;
    for (uint64_t a = graph->row_start[vertex]; a < graph->row_start[vertex + 1]; a++)
        if (graph->column[a] == vertex)
            multiplicity = multiplicity_of(graph, a);
    w->state[vertex] = LOOP_WRITTEN;
    return put_line(w, vertex, vertex, multiplicity);
}

/* Names all vertices below end. */
static pc_status name_up_to(writing *w, uint64_t end)
{
    pc_status status = PC_OK;
    for (; w->n_named < end && status == PC_OK; w->n_named++)
        status = put_loop(w, w->n_named);
    return status;
}

/* Names the vertices that have to come before a line: all below from, and when some are missing
 * between from and to, all below to. */
static pc_status name_before(writing *w, uint64_t from, uint64_t to)
{
    pc_status status = name_up_to(w, from);
    if (status == PC_OK && to > w->n_named + (from == w->n_named))
        status = name_up_to(w, to);
    uint64_t end = (from > to ? from : to) + 1;
    w->n_named = end > w->n_named ? end : w->n_named;
    return status;
}

static void note_named(writing *w, uint64_t vertex, unsigned char state)
{
    if (w->state[vertex] < state)
        w->state[vertex] = state;
}

static pc_status put_edge(writing *w, uint64_t from, uint64_t to, uint64_t multiplicity)
{
    pc_status status = w->in_order ? name_before(w, from, to) : PC_OK;
    if (status)
        return status;
    if (from == to && w->state[from] == LOOP_WRITTEN)
        return PC_OK;
    note_named(w, from, from == to ? LOOP_WRITTEN : NAMED);
    note_named(w, to, NAMED);
    return put_line(w, from, to, multiplicity);
}

static pc_status put_unnamed(writing *w)
{
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < w->graph->n && status == PC_OK; v++)
        if (w->state[v] == UNNAMED)
            status = put_loop(w, v);
    return status;
}

/* ---- The whole graph ------------------------------------------------------------------------- */

/* Labels other than numbers from 0 or 1 on, in comments of Matrix Market. */
static pc_status put_label_comments(writing *w)
{
    const pci_labels *labels = &w->graph->labels;
    pc_status status = PC_OK;
    if (labels->kind == PCI_LABELS_RANGE && labels->first <= 1)
        return PC_OK;
    for (uint64_t v = 0; v < labels->n && status == PC_OK; v++) {
        char *text = w->text + w->n_bytes, *label = text + LABEL_COMMENT_BYTES + w->label_room;
        size_t length = pc_labels_text(labels, v, label, w->label_room);
        memcpy(text, "% label ", 8);
        size_t n = 8 + pci_number_u64_text(v + 1, text + 8);
        text[n++] = ' ';
        n += pci_escape_tsv(label, length, text + n);
        text[n++] = '\n';
        w->n_bytes += n;
        if (w->n_bytes >= PIECE_BYTES)
            status = flush(w);
    }
    return status;
}

static pc_status put_header(writing *w)
{
    const pc_graph *graph = w->graph;
    const pci_head_comment stated = {.direction = graph->symmetric ? PC_UNDIRECTED : PC_DIRECTED,
                                     .weights = true,
                                     .loops_twice =
                                         !w->has_indices && graph->info.loops == PC_LOOPS_TWICE,
                                     .has_n_vertices = w->is_numbered || w->has_indices,
                                     .n_vertices = graph->n};
    char comment[PCI_HEAD_COMMENT_BYTES];
    pci_head_comment_text(&stated, comment);
    if (w->has_indices)
        w->n_bytes += (size_t)snprintf(w->text, HEADER_BYTES,
                                       "%%%%MatrixMarket matrix coordinate integer %s\n%% %s\n",
                                       graph->symmetric ? "symmetric" : "general", comment);
    else
        w->n_bytes += (size_t)snprintf(w->text, HEADER_BYTES, "# %s\n", comment);
    pc_status status = w->has_indices ? put_label_comments(w) : PC_OK;
    if (status == PC_OK && w->has_indices)
        w->n_bytes += (size_t)snprintf(w->text + w->n_bytes, HEADER_BYTES,
                                       "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", graph->n, graph->n,
                                       graph->info.n_edges);
    return status;
}

/* Writes a row; of a symmetric matrix the lower triangle only. There most vertices are named by the
 * edge to an earlier vertex. */
static pc_status put_row(writing *w, uint64_t row)
{
    const pc_graph *graph = w->graph;
    pc_status status = PC_OK;
    for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1] && status == PC_OK;
         a++) {
        uint64_t column = graph->column[a], multiplicity = multiplicity_of(graph, a);
        if (graph->symmetric && column > row)
            break;
        if (w->has_indices)
            status = put_line(w, row, column, multiplicity);
        else if (graph->symmetric)
            status = put_edge(w, column, row, multiplicity);
        else
            status = put_edge(w, row, column, multiplicity);
    }
    return status;
}

static pc_status put_graph(writing *w)
{
    pc_status status = put_header(w);
    for (uint64_t row = 0; row < w->graph->n && status == PC_OK; row++) {
        status = put_row(w, row);
        if (status == PC_OK && row % ROWS_BETWEEN_LOOKS == 0)
            status = pci_progress(w->context, "write", (double)row / (double)w->graph->n);
    }
    if (status == PC_OK && !w->has_indices && !w->is_numbered)
        status = put_unnamed(w);
    return status == PC_OK && w->n_bytes > 0 ? flush(w) : status;
}

static pc_status allocate(writing *w)
{
    size_t room = PIECE_BYTES + HEADER_BYTES + LABEL_COMMENT_BYTES + 2 * w->label_room + EDGE_BYTES;
    w->text = pci_alloc(w->context, room);
    w->state = pci_alloc_zero(w->context, w->graph->n + 1, sizeof *w->state);
    if (!w->text || !w->state)
        return pci_fail_memory(w->context, "writing", room + w->graph->n);
    return PC_OK;
}

pc_status pc_graph_write(pc_context *context, const pc_graph *graph, const char *path)
{
    if (!context || !graph || !path)
        return pci_fail_null(context, "graph or path");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    writing w = {.context = context, .graph = graph, .path = path};
    pc_status status;
    if ((status = choose_format(&w)) == PC_OK && w.write_other)
        return w.write_other(context, graph, path, w.ending, w.packing);
    if (status || (status = check_labels(&w)) || (status = allocate(&w)) ||
        (status = pci_packed_output_open(context, path, w.packing, &w.file)))
        goto done;
    status = put_graph(&w);
    if (status == PC_OK)
        status = pci_packed_output_finish(&w.file);
    if (status == PC_OK) {
        status = pc_output_commit(w.file.output);
        w.file.output = NULL;
    }
done:
    pci_packed_output_free(&w.file);
    pci_free(context, w.text);
    pci_free(context, w.state);
    return status;
}
