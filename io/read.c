/* Reading a graph or a relation: the text, the choice of its format, the parser, the builder. */

#include "graphs/builder.h"
#include "graphs/graph.h"
#include "io/readers.h"
#include "io/graph6.h"
#include "io/serialized.h"
#include "io/text.h"

#include <stdio.h>

/* Skips a byte order mark, and refuses what is no text at all. UTF-16 begins with a byte order mark, or each other byte
 * of the first ones is zero. */
static pc_status find_begin(pci_input *input, bool may_be_empty, const char **begin)
{
    enum { LOOKED_AT = 64 };
    pc_status status = pci_input_begin_lines(input);
    if (status)
        return status;
    const char *at = input->text, *end = at + input->n_bytes;
    size_t n = input->n_bytes < LOOKED_AT ? input->n_bytes / 2 * 2 : LOOKED_AT, n_zero[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        n_zero[i % 2] += at[i] == 0;
    *begin = pci_skip_byte_order_mark(at, end);
    if (pci_begins_with(at, end, "\xff\xfe") || pci_begins_with(at, end, "\xfe\xff") ||
        (n >= 4 && n_zero[0] + n_zero[1] == n / 2 && (n_zero[0] == 0 || n_zero[1] == 0)))
        return pci_input_fail(input, *begin, "this is UTF-16 text: save it as UTF-8");
    if (*begin == end && !may_be_empty)
        return pci_input_fail(input, *begin, "no edges: the file is empty");
    return PC_OK;
}

/* The formats whose readers need the whole text in memory. */
static const struct {
    pci_collect_fn *read; /* NULL: it makes the draft itself */
    const char *title;
    bool is_binary;
} whole[] = {
    [PC_FORMAT_GRAPH6] = {NULL, "graph6", false},
    [PC_FORMAT_ADJACENCY_LIST] = {pci_adjacency_list_read, "adjacency list", false},
    [PC_FORMAT_METIS] = {pci_metis_read, "METIS", false},
    [PC_FORMAT_DIMACS] = {pci_dimacs_read, "DIMACS", false},
    [PC_FORMAT_SIF] = {pci_sif_read, "SIF", false},
    [PC_FORMAT_JSON] = {pci_json_read, "JSON", false},
    [PC_FORMAT_MATRIX] = {pci_matrix_read, "adjacency matrix", false},
    [PC_FORMAT_NPY] = {pci_npy_read, "NumPy array", true},
    [PC_FORMAT_NPZ] = {pci_npz_read, "SciPy matrix", true},
    [PC_FORMAT_MULTILINE_ADJACENCY_LIST] = {pci_adjacency_list_read, "adjacency list", false},
    [PC_FORMAT_TUPLES] = {pci_tuples_read, "pairs in brackets", false},
    [PC_FORMAT_GRAPHML] = {pci_graphml_read, "GraphML", false},
    [PC_FORMAT_GML] = {pci_gml_read, "GML", false},
    [PC_FORMAT_PAJEK] = {pci_pajek_read, "Pajek", false},
    [PC_FORMAT_LGL] = {pci_lgl_read, "LGL", false},
    [PC_FORMAT_NCOL] = {pci_ncol_read, "NCOL", false},
    [PC_FORMAT_DL] = {pci_dl_read, "DL", false},
};

static bool is_whole(pc_format format)
{
    return format < sizeof whole / sizeof *whole && whole[format].title;
}

/* Loads what the parser of a format needs in memory. Lines are read from a plain file where it is. */
static pc_status hold_text(pci_input *input, pc_format format, const char **begin)
{
    size_t offset = (size_t)(*begin - input->text);
    input->any_bytes =
        format == PC_FORMAT_SERIALIZED || (is_whole(format) && whole[format].is_binary);
    pc_status status = is_whole(format) ? pci_input_load(input) : pci_input_unpack(input);
    *begin = input->text + offset;
    return status;
}

static pc_status check_columns(const pci_input *input, const char *begin, pc_format format,
                               const pc_graph_options *options)
{
    const char *text = input->text_column;
    bool is_relation = text && (strcmp(text, "relation") == 0 || strcmp(text, "2") == 0 ||
                                strcmp(text, "interaction") == 0);
    bool has_relations = format == PC_FORMAT_SIF || format == PC_FORMAT_PAJEK;
    if (has_relations && text && !is_relation)
        return pci_input_fail(input, begin, "edges of %s have the text 'relation' and no '%.40s'",
                              whole[format].title, text);
    if (format != PC_FORMAT_EDGE_LIST && format != PC_FORMAT_GRAPHML && !has_relations && text)
        return pci_input_fail(
            input, begin,
            "edges with a text each are read from edge lists, SIF, Pajek and GraphML, "
            "and this file is none (--format edges reads it as an edge list)");
    if (format == PC_FORMAT_EDGE_LIST || !pci_asks_columns(options))
        return PC_OK;
    return pci_input_fail(
        input, begin,
        "--columns, --separator, --header and --no-header are for edge lists, and "
        "this file is none (--format edges reads it as one)");
}

/* Calls the parser of a format, which may be called again. */
static pc_status parse_once(const pci_input *input, const char *begin, pc_format format,
                            const pc_graph_options *options, pci_graph_draft *draft)
{
    if (format == PC_FORMAT_GRAPH6)
        return pci_graph6_parse(input, begin, options, draft);
    if (is_whole(format)) {
        pci_collect c = {
            .input = input, .options = options, .title = whole[format].title, .next = begin};
        const char *nul = memchr(begin, 0, input->n_bytes - (size_t)(begin - input->text));
        if (nul && !whole[format].is_binary)
            return pci_input_fail(input, nul, "a NUL byte: this is not a text file");
        return pci_collect_end(&c, whole[format].read(&c), draft);
    }
    if (format == PC_FORMAT_MATRIX_MARKET)
        return pci_matrix_market_parse(input, begin, options, NULL, draft);
    return pci_edge_list_parse(input, begin, options, NULL, draft);
}

/* Finds where a text begins and its format, and holds the format against the options. Only the first bytes are looked
 * at, so that several readers find the same. */
static pc_status begin_reading(pci_input *input, bool is_relation, const pc_graph_options *options,
                               pc_format *format, const char **begin, pci_reading *reading)
{
    uint64_t n_vertices = options ? options->n_vertices : 0;
    pc_status status = pci_check_n_vertices(input->context, n_vertices);
    if (status == PC_OK)
        status = pci_check_directions(input->context, PC_DIRECTION_OF_FORMAT, options);
    if (status == PC_OK)
        status = find_begin(input, n_vertices > 0, begin);
    if (status == PC_OK)
        status = pci_format_choose(input, *begin, is_relation, options, format, reading);
    if (status == PC_OK)
        status = check_columns(input, *begin, *format, options);
    input->reading = reading;
    bool is_matrix = *format == PC_FORMAT_MATRIX_MARKET || *format == PC_FORMAT_MATRIX ||
                     *format == PC_FORMAT_NPY || *format == PC_FORMAT_NPZ ||
                     *format == PC_FORMAT_SERIALIZED;
    if (status || !is_matrix || !options || options->loops == PC_LOOPS_ONCE)
        return status;
    return pci_fail(
        input->context, PC_ERR_ARGUMENT,
        "%s: --loops twice is for edges, and this file has the entries of the adjacency "
        "matrix, which count as they are: leave --loops out",
        input->name);
}

/* Fills a draft, or makes the graph where its rows are in the file; *graph is NULL at first. */
static pc_status parse(pci_input *input, pc_format format, const pc_graph_options *options,
                       pci_graph_draft *draft, pc_graph **graph)
{
    pci_scale scale = {0};
    bool is_free = format == PC_FORMAT_AUTO;
    pci_reading reading;
    const char *begin;
    pc_status status = begin_reading(input, false, options, &format, &begin, &reading);
    if (status == PC_OK)
        status = hold_text(input, format, &begin);
    if (status)
        return status;
    if (format == PC_FORMAT_SERIALIZED)
        return pci_serialized_read(input, options, graph);
    input->scale = options && options->real_weights ? &scale : NULL;
    status = parse_once(input, begin, format, options, draft);
    if (status == PC_OK && pci_scale_settle(&scale, options && options->multigraph)) {
        pci_draft_free(input->context, draft);
        status = parse_once(input, begin, format, options, draft);
    }
    if (status == PC_OK)
        pci_draft_set_scale(draft, &scale);
    return status && is_free ? pci_format_explain(input, begin, format, status) : status;
}

/* Puts the name of a file before a message about an edge. Returns the status. */
static pc_status name_file(pc_context *context, const char *name, pc_status status)
{
    char message[PCI_MESSAGE_SIZE];
    if (status != PC_ERR_DATA && status != PC_ERR_RANGE)
        return status;
    snprintf(message, sizeof message, "%s", pc_context_message(context));
    return pci_fail(context, status, "%s: %s", name, message);
}

pc_status pci_graph_build_of_file(pc_context *context, const char *name, pci_graph_draft *draft,
                                  pc_graph **graph)
{
    return name_file(context, name, pci_graph_build(context, draft, graph));
}

pc_status pci_graph_read_input(pci_input *input, pc_format format, const pc_graph_options *options,
                               pc_graph **graph)
{
    pci_graph_draft draft;
    pc_graph *made = NULL;
    pc_status status = parse(input, format, options, &draft, &made);
    pci_input_close(input); /* the builder needs the memory */
    if (status == PC_OK && !made)
        return pci_graph_build_of_file(input->context, input->name, &draft, graph);
    if (status == PC_OK)
        *graph = made;
    return status;
}

pc_status pci_graph_read_share(pci_input *input, pc_format format, const pc_graph_options *options,
                               pci_graph_draft *draft)
{
    const char *begin;
    bool is_free = format == PC_FORMAT_AUTO;
    pci_reading reading;
    pc_status status =
        pci_input_agree(input, begin_reading(input, false, options, &format, &begin, &reading));
    if (status == PC_OK && ((format != PC_FORMAT_EDGE_LIST && format != PC_FORMAT_MATRIX_MARKET) ||
                            input->unpacker || (options && options->real_weights))) {
        input->share->is_declined = true;
        status = PC_ERR_DATA;
    } else if (status == PC_OK) {
        status = parse_once(input, begin, format, options, draft);
        if (status && is_free && !input->share->is_declined)
            status = pci_format_explain(input, begin, format, status);
    }
    input->reading = NULL;
    return status;
}

static pc_status open_graph(pc_context *context, const char *path, pc_format format,
                            pci_input *input)
{
    if ((unsigned)format > PC_FORMAT_DL)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown format %d", (int)format);
    return pci_input_open(context, path, input);
}

pc_status pc_graph_read(pc_context *context, const char *path, pc_format format,
                        const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !path || !graph)
        return pci_fail_null(context, "path or graph");
    pci_input input;
    pc_status status = open_graph(context, path, format, &input);
    return status ? status : pci_graph_read_input(&input, format, options, graph);
}

pc_status pc_labelled_edges_read(pc_context *context, const char *path, pc_format format,
                                 const pc_graph_options *options, const char *column,
                                 pc_labelled_edges **labelled)
{
    if (!context || !path || !column || !labelled)
        return pci_fail_null(context, "path, column or labelled");
    if (options && options->real_weights)
        return pci_fail_labelled_decimals(context);
    pci_input input;
    pci_graph_draft draft;
    pc_graph *none = NULL;
    pc_status status = open_graph(context, path, format, &input);
    if (status)
        return status;
    input.text_column = column;
    status = parse(&input, format, options, &draft, &none);
    pci_input_close(&input);
    return status ? status
                  : name_file(context, path, pci_labelled_build(context, &draft, labelled));
}

/* ---- Relations ------------------------------------------------------------------------------- */

/* The draft of a graph whose arcs are the entries of the relation; rows and columns are its
 * vertices. shape gets the numbers of rows and columns of a Matrix Market file. For an edge list it
 * gets zeros when the rows and columns are those that occur. */
static pc_status read_relation(pci_input *input, const pc_graph_options *options,
                               pci_reading *reading, pci_shape *shape, pci_graph_draft *draft)
{
    pc_graph_options taken = {.multigraph = options && options->multigraph,
                              .weights = options && options->weights ? PC_WEIGHTS_IF_ANY : 0,
                              .max_vertices = options ? options->max_vertices : 0,
                              .columns = options ? options->columns : NULL,
                              .separator = options ? options->separator : NULL,
                              .header = options ? options->header : PC_HEADER_FOUND};
    const char *begin;
    pc_format format = PC_FORMAT_AUTO;
    pc_status status = begin_reading(input, true, &taken, &format, &begin, reading);
    if (status == PC_OK)
        status = hold_text(input, format, &begin);
    if (status)
        return status;
    if (format == PC_FORMAT_MATRIX_MARKET)
        return pci_matrix_market_parse(input, begin, &taken, shape, draft);
    if (format == PC_FORMAT_GRAPH6)
        return pci_input_fail(
            input, begin,
            "graph6, sparse6 and digraph6 hold graphs: give a relation as an edge list or "
            "in Matrix Market");
    return pci_edge_list_parse(input, begin, &taken, shape, draft);
}

pc_status pc_relation_read(pc_context *context, const char *path, const pc_graph_options *options,
                           pc_relation **relation)
{
    if (!context || !path || !relation)
        return pci_fail_null(context, "path or relation");
    pci_input input;
    pci_graph_draft draft = {0};
    pci_reading reading;
    pci_shape shape;
    pc_graph *graph;
    pc_status status = pci_input_open(context, path, &input);
    if (status)
        return status;
    status = read_relation(&input, options, &reading, &shape, &draft);
    pci_input_close(&input);
    if (status)
        return status;
    uint64_t n = draft.labels.n;
    unsigned char *is_row = pci_alloc_zero(context, n, 2);
    if (!is_row) {
        pci_draft_free(context, &draft);
        return pci_fail_memory(context, "a relation", 2 * n);
    }
    unsigned char *is_column = is_row + n; /* a vertex may be both */
    memset(is_row, 1, shape.n_rows);
    memset(is_column, 1, shape.n_columns);
    for (size_t p = 0; p < draft.edges.n_parts && shape.n_rows + shape.n_columns == 0; p++) {
        const pci_edge_part *part = &draft.edges.parts[p]; /* ends of edges of weight 0, too */
        for (uint64_t e = 0; e < part->n_edges; e++) {
            is_row[part->edge[e].from] = 1;
            is_column[part->edge[e].to] = 1;
        }
    }
    status = pci_graph_build_of_file(context, path, &draft, &graph);
    if (status == PC_OK)
        status = pci_relation_from_graph(context, graph, is_row, is_column, relation);
    pci_free(context, is_row);
    return status;
}
