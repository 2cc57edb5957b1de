/* The table of formats: how a file is recognised, whether it is read, and what to do when it is not.
 * A new format is a row; the first row that fits counts. */
#include "io/formats.h"

#include "graphs/file_format.h"
#include "io/graph6.h"
#include "io/head_comment.h"
#include "io/matrix_market.h"
#include "io/readings.h"
#include "io/recognise.h"
#include "io/text.h"

#include <stdio.h>

#define TO_EDGES ", which pathcount does not read: convert it to a line 'from to' for each edge"

typedef struct row {
    const char *title;
    const char *beginning; /* of the first line of data, in any case of letters; or NULL */
    bool (*is)(const pci_head *head, const char **where); /* or NULL */
    const char *option;                                   /* of --format, when it is read */
    pc_format format;    /* PC_FORMAT_AUTO: it is igraph's, or not read */
    bool is_sure;        /* it cannot be an edge list: it is read without being asked for */
    bool is_binary;      /* beginning and is are about the first bytes, not about a line */
    const char *advice;  /* behind the title, when it is not read */
    const char *endings; /* of names, for the case that the text does not tell; or NULL */
} row;

static const row rows[] = {
    {"a NumPy array", "\x93NUMPY", NULL, "npy", PC_FORMAT_NPY, .is_sure = true, .is_binary = true},
    {"an archive of NumPy arrays", NULL, pci_is_numpy_archive, "npz", PC_FORMAT_NPZ,
     .is_sure = true, .is_binary = true},
    {"a serialized graph of GAP", NULL, pci_is_serialized, "sg", PC_FORMAT_SERIALIZED,
     .is_sure = true, .is_binary = true},
    {"an Excel workbook", NULL, pci_is_excel, .is_binary = true, .endings = ".xlsx .xls",
     .advice = ": save the sheet of edges as CSV"},
    {"a zip archive", "PK\3\4", NULL, .is_binary = true, .endings = ".zip",
     .advice = ": unpack it and give the file in it"},
    {"a tar archive", NULL, pci_is_tar, .is_binary = true, .endings = ".tar .tgz",
     .advice = ": unpack it and give one of its files"},
    {"a 7z archive", "7z\xbc\xaf", NULL, .is_binary = true, .endings = ".7z",
     .advice = ": unpack it"},
    {"a rar archive", "Rar!", NULL, .is_binary = true, .endings = ".rar", .advice = ": unpack it"},
    {"a pickle of Python", NULL, pci_is_pickle, .is_binary = true,
     .endings = ".pickle .pkl .gpickle",
     .advice =
         ", which is a program more than a file: write the graph by nx.write_edgelist(G, path), "
         "or a sparse matrix by scipy.sparse.save_npz(path, A)"},
    {"HDF5 or a .mat of MATLAB 7.3", "\x89HDF", NULL, .is_binary = true, .endings = ".h5 .hdf5",
     .advice = ": write the matrix as Matrix Market, in Python by scipy.io.mmwrite(path, A)"},
    {"a .mat of MATLAB", "MATLAB 5.0 MAT", NULL, .is_binary = true, .endings = ".mat",
     .advice = ": write the matrix as Matrix Market, in Python by scipy.io.mmwrite(path, "
               "scipy.io.loadmat(file)[name])"},
    {"Parquet", "PAR1", NULL, .is_binary = true, .endings = ".parquet",
     .advice =
         ": write it as CSV, in Python by pandas.read_parquet(file).to_csv(path, index=False)"},
    {"Arrow or Feather", "ARROW1", NULL, .is_binary = true, .endings = ".arrow .feather",
     .advice =
         ": write it as CSV, in Python by pandas.read_feather(file).to_csv(path, index=False)"},
    {"an SQLite database", "SQLite format 3", NULL, .is_binary = true, .endings = ".sqlite .db",
     .advice = ": write the table of edges as CSV"},
    {"data of R", "RDX", NULL, .is_binary = true, .endings = ".rdata .rda .rds",
     .advice = ": write the edges by write.csv(edges, path, row.names=FALSE)"},
    {"a PDF document", "%PDF-", NULL, .is_binary = true, .endings = ".pdf",
     .advice = " and no graph"},
    {"a picture", "\x89PNG", NULL, .is_binary = true, .endings = ".png", .advice = " and no graph"},

    {"pajek", "*vertices", NULL, .option = "pajek"},
    {"pajek", "*network", NULL, .option = "pajek"},
    {"pajek", "*arcs", NULL, .option = "pajek"},
    {"pajek", "*edges", NULL, .option = "pajek"},
    {"pajek", "*matrix", NULL, .option = "pajek"},
    {"graphml", NULL, pci_is_graphml, .option = "graphml"},
    {"gml", NULL, pci_is_gml, .option = "gml"},
    {"dl", NULL, pci_is_dl, .option = "dl"},
    {"GEXF", NULL, pci_is_gexf, .is_sure = true, .endings = ".gexf",
     .advice = ", which pathcount does not read: save the graph as GraphML, in Python by "
               "networkx.write_graphml(networkx.read_gexf(file), path)"},
    {"an HTML page", NULL, pci_is_html, .is_sure = true, .endings = ".html .htm",
     .advice = " and no graph: download the file itself"},
    {"N-Triples or N-Quads", NULL, pci_is_triples, .is_sure = true, .endings = ".nt .nq",
     .advice = TO_EDGES},
    {"Turtle", "@prefix", NULL, .is_sure = true, .endings = ".ttl", .advice = TO_EDGES},
    {"XML", NULL, pci_is_xml, .is_sure = true, .endings = ".xml",
     .advice = ": GraphML is read by --format graphml, other kinds are not"},
    {"VNA", "*node", NULL, .is_sure = true, .endings = ".vna", .advice = TO_EDGES},
    {"VNA", "*tie", NULL, .is_sure = true, .advice = TO_EDGES},
    {"GDF", "nodedef>", NULL, .is_sure = true, .endings = ".gdf", .advice = TO_EDGES},
    {"LEDA", "leda.graph", NULL, .is_sure = true, .endings = ".leda .gw .lgr", .advice = TO_EDGES},
    {"DOT (Graphviz)", NULL, pci_is_dot, .is_sure = true, .endings = ".dot .gv",
     .advice = TO_EDGES},
    {"DIMACS", NULL, pci_is_dimacs, "dimacs", PC_FORMAT_DIMACS, .is_sure = true},
    {"a problem of DIMACS that is no graph", .endings = ".cnf .min",
     .advice = ": graphs of DIMACS begin by a line such as 'p edge VERTICES EDGES'"},
    {"JSON", NULL, pci_is_json, "json", PC_FORMAT_JSON, .is_sure = true},
    {"Newick (a tree in parentheses)", NULL, pci_is_newick, .endings = ".nwk .newick .tree",
     .advice = TO_EDGES},
    {"Mermaid", NULL, pci_is_mermaid, .is_sure = true, .endings = ".mmd", .advice = TO_EDGES},
    {"a printed sparse matrix", NULL, pci_is_printed_matrix, "tuples", PC_FORMAT_TUPLES,
     .is_sure = true},
    {"TGF (vertices, a line with #, edges)", NULL, pci_is_tgf, .endings = ".tgf",
     .advice = ", which pathcount does not read: keep the lines behind the #"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* ---- Finding the row ------------------------------------------------------------------------- */

static bool fits_bytes(const row *r, const pci_input *input, const char *begin, const char **where)
{
    pci_head bytes = {begin, input->text + input->n_bytes, input->is_whole};
    *where = begin;
    return r->beginning ? pci_begins_with(begin, bytes.end, r->beginning) : r->is(&bytes, where);
}

static bool fits_lines(const row *r, const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    if (!r->beginning)
        return r->is && r->is(head, where);
    if (!pci_head_data_line(head, &at, &line, &end))
        return false;
    *where = line;
    return pci_begins_with_any_case(line, end, r->beginning);
}

/* A head comment of pathcount says that the file is an edge list. */
static bool is_our_list(const pci_head *head)
{
    const char *at = head->begin, *line, *end;
    while (pci_head_line(head, &at, &line, &end) && (line == end || *line == '#' || *line == '%')) {
        pci_head_comment comment;
        bool is_good;
        if (line < end && pci_head_comment_parse(line + 1, end, &comment, &is_good))
            return true;
    }
    return false;
}

static const row *find_row(const pci_input *input, const char *begin, const char **where)
{
    pci_head head = pci_head_of(input, begin);
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].is_binary ? fits_bytes(&rows[i], input, begin, where)
                              : fits_lines(&rows[i], &head, where))
            return &rows[i];
    return NULL;
}

/* Returns whether a name ends in one of the endings, which blanks separate. */
static bool has_ending(const char *name, size_t length, const char *endings)
{
    for (const char *at = endings; *at;) {
        size_t n = strcspn(at, " ");
        if (length >= n && pci_equal_any_case(name + length - n, at, n))
            return true;
        at += n;
        at += strspn(at, " ");
    }
    return false;
}

/* The format that is only named, and that the name of a file tells; NULL when it tells none. */
static const row *find_named(const char *name)
{
    size_t length;
    if (!name || pc_file_format_of(name, &length))
        return NULL;
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].endings && has_ending(name, length, rows[i].endings))
            return &rows[i];
    return NULL;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static const char as_edges[] = " (--format edges reads it as an edge list all the same)";

static pc_status refuse_igraph(const pci_input *input, const char *begin, const char *name,
                               bool of_text)
{
    return pci_input_fail(input, begin,
                          "%s says that this is %s, which libpathcount_igraph reads: call "
                          "pc_graph_read_igraph (--format %s), or say that it is an edge list "
                          "(--format edges)",
                          of_text ? "the text" : "the name", name, name);
}

static pc_status refuse(const pci_input *input, const row *found, const char *where,
                        pci_purpose purpose)
{
    bool is_graph = purpose == PCI_FOR_GRAPH, may_be_edges = !found->is_binary && !found->is_sure;
    if (found->option && found->format == PC_FORMAT_AUTO)
        return refuse_igraph(input, where, found->option, true);
    if (found->option && is_graph)
        return pci_input_fail(
            input, where,
            "this looks like %s: --format %s reads it (--format edges reads it as an "
            "edge list all the same)",
            found->title, found->option);
    if (found->option)
        return pci_input_fail(input, where,
                              "this looks like %s, which holds a graph: give a relation as an edge "
                              "list or in Matrix Market",
                              found->title);
    return pci_input_fail(input, where, "this looks like %s%s%s", found->title, found->advice,
                          is_graph && may_be_edges ? as_edges : "");
}

/* The format that the name of the file tells; PC_FORMAT_AUTO when the readings of the text are to decide. */
static pc_status choose_by_name(const pci_input *input, const char *begin, pci_purpose purpose,
                                pc_format *format)
{
    const pc_file_format *named = pc_file_format_of(input->name, NULL);
    const row *unread = find_named(input->name);
    if (unread)
        return pci_input_fail(input, begin, "the name says that this is %s%s%s", unread->title,
                              unread->advice, purpose == PCI_FOR_GRAPH ? as_edges : "");
    if (named && named->needs_igraph)
        return refuse_igraph(input, begin, named->name, false);
    if (named && purpose == PCI_FOR_RELATION && named->format > PC_FORMAT_GRAPH6)
        return pci_input_fail(input, begin,
                              "the name says that this is a graph (%s): give a relation as an edge "
                              "list or in Matrix Market",
                              named->name);
    if (named && named->format != PC_FORMAT_EDGE_LIST)
        *format = named->format;
    return PC_OK;
}

/* Replaces PC_FORMAT_AUTO where a mark in the text or the name of the file tells the format. */
static pc_status choose_by_mark(const pci_input *input, const char *begin, pci_purpose purpose,
                                const pc_graph_options *options, pc_format *format)
{
    size_t n_bytes = (size_t)(input->text + input->n_bytes - begin);
    const pc_file_format *named = pc_file_format_of(input->name, NULL);
    const char *where = begin;
    pci_head head = pci_head_of(input, begin);
    if (pci_matrix_market_begins(begin, n_bytes))
        *format = PC_FORMAT_MATRIX_MARKET;
    else if (pci_graph6_begins(begin, n_bytes) || (named && named->format == PC_FORMAT_GRAPH6))
        *format = PC_FORMAT_GRAPH6;
    else if (is_our_list(&head))
        *format = PC_FORMAT_EDGE_LIST;
    if (*format != PC_FORMAT_AUTO)
        return PC_OK;
    const row *found = find_row(input, begin, &where);
    if (found && found->format != PC_FORMAT_AUTO && purpose == PCI_FOR_GRAPH)
        *format = found->format;
    else if (found)
        return refuse(input, found, where, purpose);
    else if (pci_asks_columns(options) && (!named || named->format == PC_FORMAT_EDGE_LIST))
        return PC_OK;
    return *format != PC_FORMAT_AUTO ? PC_OK : choose_by_name(input, begin, purpose, format);
}

pc_status pci_format_choose(const pci_input *input, const char *begin, pci_purpose purpose,
                            const pc_graph_options *options, pc_format *format,
                            pci_reading *reading)
{
    pc_status status = PC_OK;
    bool is_asked = *format != PC_FORMAT_AUTO, is_relation = purpose == PCI_FOR_RELATION;
    pci_head head = pci_head_of(input, begin);
    *reading = (pci_reading){0};
    if (*format == PC_FORMAT_AUTO)
        status = choose_by_mark(input, begin, purpose, options, format);
    if (status || !pci_has_readings(*format) ||
        (*format == PC_FORMAT_EDGE_LIST && is_our_list(&head) && !pci_asks_columns(options)))
        return status;
    if (*format == PC_FORMAT_TUPLES && find_row(input, begin, &(const char *){begin}))
        return PC_OK; /* a header says that a sparse matrix is printed */
    if (*format == PC_FORMAT_AUTO && is_relation)
        *format = PC_FORMAT_EDGE_LIST;
    status = pci_reading_choose(input, begin, *format, !is_asked, is_relation, options, reading);
    if (status == PC_OK)
        *format = pci_reading_format(reading);
    return status;
}

pc_status pci_format_explain(const pci_input *input, const char *begin, pc_format format,
                             pc_status status)
{
    size_t n_bytes = (size_t)(input->text + input->n_bytes - begin);
    const pc_file_format *named = pc_file_format_of(input->name, NULL);
    char message[PCI_MESSAGE_SIZE];
    const char *where;
    if (status != PC_ERR_DATA || !named || named->format != format ||
        format == PC_FORMAT_EDGE_LIST || pci_matrix_market_begins(begin, n_bytes) ||
        pci_graph6_begins(begin, n_bytes))
        return status;
    const row *found = find_row(input, begin, &where);
    if (found && found->format == format)
        return status;
    snprintf(message, sizeof message, "%s", pc_context_message(input->context));
    return pci_fail(input->context, status,
                    "%s (only the name says that it is %s: --format edges reads an edge list)",
                    message, named->name);
}
