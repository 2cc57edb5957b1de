/* Reading a graph or a relation: the text, the choice of its format, the parser, the builder. */
#include "io/read.h"

#include "graphs/relation.h"
#include "io/edge_list.h"
#include "io/graph6.h"
#include "io/other_formats.h"
#include "io/text.h"

/* UTF-16 begins with a byte order mark, or has zero bytes between plain letters and digits. */
static bool is_utf16(const char *text, size_t n_bytes)
{
    return n_bytes >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0 ||
                            (text[0] == 0) != (text[1] == 0));
}

/* Whether the name has this extension, also before .gz and the like. */
static bool has_extension(const char *name, const char *extension)
{
    const char *slash = strrchr(name, '/');
    const char *at = strstr(slash ? slash : name, extension);
    size_t length = strlen(extension);
    return at && (at[length] == 0 || (at[length] == '.' && !strchr(at + length + 1, '.')));
}

static bool is_named_graph6(const char *name)
{
    return has_extension(name, ".g6") || has_extension(name, ".s6") || has_extension(name, ".d6");
}

/* Skips a byte order mark, and refuses what is no text at all. */
static pc_status find_begin(const pci_input *input, bool may_be_empty, const char **begin)
{
    const char *end = input->text + input->n_bytes;
    const char *text = pci_skip_byte_order_mark(input->text, end);
    if (is_utf16(input->text, input->n_bytes))
        return pci_input_fail(input, text, "this is UTF-16 text: save it as UTF-8");
    if (text == end && !may_be_empty)
        return pci_input_fail(input, text, "no edges: the file is empty");
    *begin = text;
    return PC_OK;
}

/* Replaces PC_FORMAT_AUTO by the format of the text. */
static pc_status choose_format(const pci_input *input, const char *begin, pc_format *format)
{
    size_t n_bytes = (size_t)(input->text + input->n_bytes - begin);
    if (*format != PC_FORMAT_AUTO)
        return PC_OK;
    if (pci_matrix_market_begins(begin, n_bytes) || has_extension(input->name, ".mtx"))
        *format = PC_FORMAT_MATRIX_MARKET;
    else if (pci_graph6_begins(begin, n_bytes) || is_named_graph6(input->name))
        *format = PC_FORMAT_GRAPH6;
    else
        *format = PC_FORMAT_EDGE_LIST;
    return *format == PC_FORMAT_EDGE_LIST ? pci_refuse_igraph_formats(input, begin) : PC_OK;
}

/* Loads what the parser of a format needs in memory. Lines are read from a plain file where it
 * is. */
static pc_status hold_text(pci_input *input, pc_format format, const char **begin)
{
    size_t offset = (size_t)(*begin - input->text);
    pc_status status = format == PC_FORMAT_GRAPH6 ? pci_input_load(input) : pci_input_unpack(input);
    *begin = input->text + offset;
    return status;
}

static pc_status parse(pci_input *input, const char *begin, pc_format format,
                       const pc_graph_options *options, pci_graph_draft *draft)
{
    bool is_asked = format == PC_FORMAT_EDGE_LIST;
    pc_status status = choose_format(input, begin, &format);
    if (status == PC_OK)
        status = hold_text(input, format, &begin);
    if (status)
        return status;
    switch (format) {
    case PC_FORMAT_MATRIX_MARKET:
        return pci_matrix_market_parse(input, begin, options, NULL, draft);
    case PC_FORMAT_GRAPH6:
        return pci_graph6_parse(input, begin, options, draft);
    default:
        return pci_edge_list_parse(input, begin, options,
                                   is_asked ? PCI_ASKED_GRAPH : PCI_GUESSED_GRAPH, NULL, draft);
    }
}

pc_status pci_graph_read_input(pci_input *input, pc_format format, const pc_graph_options *options,
                               pc_graph **graph)
{
    pci_graph_draft draft;
    const char *begin = input->text;
    pc_context *context = input->context;
    uint64_t n_vertices = options ? options->n_vertices : 0;
    pc_status status = pci_check_n_vertices(context, n_vertices);
    if (status == PC_OK)
        status = pci_check_directions(context, PC_DIRECTION_OF_FORMAT, options);
    if (status == PC_OK)
        status = find_begin(input, n_vertices > 0, &begin);
    if (status == PC_OK)
        status = parse(input, begin, format, options, &draft);
    pci_input_close(input); /* the builder needs the memory */
    return status ? status : pci_graph_build(context, &draft, graph);
}

pc_status pc_graph_read(pc_context *context, const char *path, pc_format format,
                        const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !path || !graph)
        return pci_fail_null(context, "path or graph");
    if ((unsigned)format > PC_FORMAT_GRAPH6)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown format %d", (int)format);
    pci_input input;
    pc_status status = pci_input_open(context, path, &input);
    return status ? status : pci_graph_read_input(&input, format, options, graph);
}

/* ---- Relations ------------------------------------------------------------------------------- */

/* The draft of a graph whose arcs are the entries of the relation; rows and columns are its
 * vertices. shape gets the numbers of rows and columns of a Matrix Market file. For an edge list it
 * gets zeros when the rows and columns are those that occur. */
static pc_status read_relation(pci_input *input, const pc_graph_options *options, pci_shape *shape,
                               pci_graph_draft *draft)
{
    pc_graph_options taken = {.multigraph = options && options->multigraph,
                              .weights = options && options->weights,
                              .max_vertices = options ? options->max_vertices : 0,
                              .columns = options ? options->columns : NULL,
                              .separator = options ? options->separator : NULL,
                              .header = options ? options->header : PC_HEADER_FOUND};
    const char *begin = input->text;
    pc_format format = PC_FORMAT_AUTO;
    pc_status status = find_begin(input, false, &begin);
    if (status == PC_OK)
        status = choose_format(input, begin, &format);
    if (status == PC_OK)
        status = hold_text(input, format, &begin);
    if (status)
        return status;
    if (format == PC_FORMAT_MATRIX_MARKET)
        return pci_matrix_market_parse(input, begin, &taken, shape, draft);
    if (format == PC_FORMAT_GRAPH6)
        return pci_input_fail(input, begin,
                              "graph6 and its kin hold graphs: give a relation as an edge list or "
                              "in Matrix Market");
    return pci_edge_list_parse(input, begin, &taken, PCI_RELATION, shape, draft);
}

/* Finds which vertices are rows and which are columns; one may be both. In an edge list they are
 * the ends of lines, also of those of weight 0. */
static void find_rows_and_columns(const pci_graph_draft *draft, const pci_shape *shape,
                                  unsigned char *is_row, unsigned char *is_column)
{
    const pci_edges *edges = &draft->edges;
    memset(is_row, 1, shape->n_rows);
    memset(is_column, 1, shape->n_columns);
    if (shape->n_rows > 0 || shape->n_columns > 0)
        return;
    for (size_t p = 0; p < edges->n_parts; p++)
        for (uint64_t e = 0; e < edges->parts[p].n_edges; e++) {
            is_row[edges->parts[p].edge[e].from] = 1;
            is_column[edges->parts[p].edge[e].to] = 1;
        }
}

pc_status pc_relation_read(pc_context *context, const char *path, const pc_graph_options *options,
                           pc_relation **relation)
{
    if (!context || !path || !relation)
        return pci_fail_null(context, "path or relation");
    pci_input input;
    pci_graph_draft draft = {0};
    pci_shape shape;
    pc_graph *graph;
    pc_status status = pci_input_open(context, path, &input);
    if (status)
        return status;
    status = read_relation(&input, options, &shape, &draft);
    pci_input_close(&input);
    if (status)
        return status;
    uint64_t n = draft.labels.n;
    unsigned char *is_row = pci_alloc_zero(context, n, 2);
    if (!is_row) {
        pci_draft_free(context, &draft);
        return pci_fail_memory(context, "a relation", 2 * n);
    }
    unsigned char *is_column = is_row + n;
    find_rows_and_columns(&draft, &shape, is_row, is_column);
    status = pci_graph_build(context, &draft, &graph);
    if (status == PC_OK)
        status = pci_relation_from_graph(context, graph, is_row, is_column, relation);
    pci_free(context, is_row);
    return status;
}
