/* The table of formats: how a file is recognised, whether it is read, and what to do when it is not. A new format is a
 * row; the first row that fits counts. A text that may be an edge list is not taken for anything else. */
#include "io/readers.h"

#include "graphs/graph.h"
#include "io/graph6.h"
#include "io/text.h"

#include <stdio.h>

#define TO_EDGES ", which pathcount does not read: convert it to a line 'from to' for each edge"

/* The begin of a file, as tests look at it. */
typedef struct text {
    pci_head head;         /* the first lines */
    const char *bytes_end; /* of all that was read */
    const char *line,
        *end;         /* the first line that is neither blank nor a comment; empty: there is none */
    const char *body; /* the text behind the declarations of XML and the first lines of GML */
    const char *where; /* the line that told the format */
} text;

/* ---- Words ----------------------------------------------------------------------------------- */

/* Returns where the word ends that begins at `at`. */
static const char *word_end(const char *at, const char *end)
{
    while (at < end && !pci_is_space(*at) && *at != ',')
        at++;
    return at;
}

static const char *next_word(const char *at, const char *end)
{
    while (at < end && (pci_is_space(*at) || *at == ','))
        at++;
    return at;
}

static bool is_number(const char *at, const char *end)
{
    return at < end && pci_skip_digits(at, end) == end;
}

/* Returns whether a text goes on with one of some words, between which | stands: exactly so, or in any case of letters
 * and with any blank space, or none, where they have a blank. */
static bool begins(const char *begin, const char *end, const char *words, bool exactly)
{
    for (const char *word = words; word; word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL) {
        const char *at = begin, *c = word;
        for (; *c && *c != '|'; c++)
            if (*c == ' ' && !exactly)
                while (at < end && pci_is_space(*at))
                    at++;
            else if (at == end || (exactly ? *at++ : pci_lower(*at++)) != *c)
                break;
        if (!*c || *c == '|')
            return true;
    }
    return false;
}

/* ---- Tests of a text ------------------------------------------------------------------------- */

/* Moves *at behind a "<? >", a "<! >" or a comment of XML. */
static bool take_declaration(const char **at, const char *end)
{
    const char *closing = pci_begins_with(*at, end, "<!--") ? "-->" : ">";
    if (!pci_begins_with(*at, end, "<?") && !pci_begins_with(*at, end, "<!"))
        return false;
    while (*at < end && !pci_begins_with(*at, end, closing))
        (*at)++;
    *at += *at < end ? strlen(closing) : 0;
    return true;
}

static text look_at(const pci_input *input, const char *begin)
{
    text t = {.head = pci_head_of(input, begin), .bytes_end = input->text + input->n_bytes};
    const char *at = begin, *end = t.head.end;
    if (!pci_head_data_line(&t.head, &at, &t.line, &t.end))
        t.line = t.end = end;
    t.where = t.body = t.line;
    for (bool goes_on = true; goes_on;) {
        bool is_of_gml = begins(t.body, end, "creator|version", false);
        if (is_of_gml)
            t.body = pci_line_end(t.body, end);
        goes_on = is_of_gml || take_declaration(&t.body, end);
        while (t.body < end && pci_is_space(*t.body))
            t.body++;
    }
    return t;
}

static bool has_bytes(const text *t, size_t offset, const char *bytes, size_t n)
{
    return (size_t)(t->bytes_end - t->head.begin) >= offset + n &&
           memcmp(t->head.begin + offset, bytes, n) == 0;
}

/* Returns whether the bytes of a zip archive that were read have the name of a member. */
static bool has_member(const text *t, const char *name)
{
    enum { LOOKED_AT = 4096 };
    bool found = false;
    for (size_t i = 0; i < LOOKED_AT && !found && has_bytes(t, 0, "PK\3\4", 4); i++)
        found = has_bytes(t, i, name, strlen(name));
    return found;
}

static bool is_npz(text *t)
{
    return has_member(t, ".npy");
}

static bool is_workbook(text *t)
{
    return has_member(t, "xl/") || has_member(t, "[Content_Types].xml");
}

static bool is_tar(text *t)
{
    return has_bytes(t, 257, "ustar", 5);
}

/* Looks at the bytes of io/serialized.h: 0 or 1, a number of arcs below 2^56, one of vertices below 2^32 that is not 0,
 * and the first arc is number 0. No text has these NUL bytes, and zeros alone are no graph. */
static bool is_serialized(text *t)
{
    return (has_bytes(t, 0, "\0", 1) || has_bytes(t, 0, "\1", 1)) && has_bytes(t, 8, "\0", 1) &&
           !has_bytes(t, 9, "\0\0\0\0", 4) && has_bytes(t, 13, "\0\0\0\0\0\0\0\0\0\0\0", 12);
}

/* "<a> <b> <c> ." or "_:a <b> ... ." */
static bool is_triples(text *t)
{
    const char *second = next_word(word_end(t->line, t->end), t->end);
    return (*t->line == '<' || pci_begins_with(t->line, t->end, "_:")) && second < t->end &&
           *second == '<' && t->end[-1] == '.';
}

/* "graph {", "strict digraph G {", perhaps behind comments as in C. */
static bool is_dot(text *t)
{
    static const char *const words[] = {"strict", "graph", "digraph"};
    const char *at = t->head.begin, *line, *end;
    bool found;
    while ((found = pci_head_data_line(&t->head, &at, &line, &end)) &&
           (pci_begins_with(line, end, "//") || pci_begins_with(line, end, "/*") || *line == '*'))
        ;
    if (!found)
        return false;
    t->where = line;
    const char *next = pci_skip_blanks(at, t->head.end);
    bool opens = memchr(line, '{', (size_t)(end - line)) || (next < t->head.end && *next == '{');
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (pci_is_word_any_case(line, (size_t)(word_end(line, end) - line), words[w]))
            return opens;
    return false;
}

/* "c comment" and then "p sp 4 5" */
static bool is_dimacs(text *t)
{
    const char *at = t->head.begin, *line, *end;
    bool found;
    while ((found = pci_head_line(&t->head, &at, &line, &end)) &&
           (line == end || (*line == 'c' && (end - line == 1 || pci_is_space(line[1])))))
        ;
    if (!found || *line != 'p')
        return false;
    t->where = line;
    const char *kind = next_word(line + 1, end), *n = next_word(word_end(kind, end), end);
    const char *n_end = word_end(n, end), *m = next_word(n_end, end);
    return kind > line + 1 && kind < end && !(*kind >= '0' && *kind <= '9') &&
           is_number(n, n_end) && is_number(m, word_end(m, end));
}

/* An object that has a name first; "[[", "[{", "[0, 1": lists. "[1]" alone may be a label, and "[[0 1" is a matrix as
 * NumPy prints it. */
static bool is_json(text *t)
{
    const char *inner = next_word(t->line + 1, t->end), *to = word_end(inner, t->end);
    const char *second = inner < t->end ? word_end(inner + 1, t->end) : inner;
    if (*t->line == '{')
        return inner == t->end || *inner == '"';
    if (*t->line != '[' || (to > inner && *inner == '[' && is_number(inner + 1, second) &&
                            second < t->end && *second == ' '))
        return false;
    return inner == t->end || memchr("[{\"", *inner, 3) ||
           (to < t->end && *to == ',' && is_number(inner, to) && t->end[-1] == ']');
}

static bool is_newick(text *t)
{
    return *t->line == '(' && t->end[-1] == ';';
}

/* "graph TD" or "flowchart LR" */
static bool is_mermaid(text *t)
{
    static const char ways[][3] = {"TD", "TB", "LR", "RL", "BT"};
    const char *way = next_word(word_end(t->line, t->end), t->end);
    bool found = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        found = found || (t->end - way == 2 && memcmp(way, ways[i], 2) == 0);
    return found && (pci_begins_with(t->line, t->end, "graph ") ||
                     pci_begins_with(t->line, t->end, "flowchart "));
}

/* "<3x3 sparse matrix of type ...>", as SciPy prints it above the entries. */
static bool is_printed_matrix(text *t)
{
    bool found = false;
    for (const char *at = t->line; at < t->end && !found; at++)
        found = pci_begins_with(at, t->end, "sparse matrix") ||
                pci_begins_with(at, t->end, "sparse array");
    return found && *t->line == '<';
}

/* Returns which of the first n lines, blank ones not counted, begins with the word at `word`; -1 when none does. */
static int find_vertex(const text *t, int n, const char *word, const char *line_end)
{
    const char *at = t->head.begin, *line, *end;
    size_t length = (size_t)(word_end(word, line_end) - word);
    for (int i = 0; i < n && length > 0 && pci_head_line(&t->head, &at, &line, &end);) {
        if ((size_t)(word_end(line, end) - line) == length && memcmp(line, word, length) == 0)
            return i;
        i += line < end;
    }
    return -1;
}

/* Lines of vertices, each once, a line "#", and lines of two such vertices. A text in which a line before the # joins
 * two of them may be an edge list. */
static bool is_tgf(text *t)
{
    enum { MOST_VERTICES = 1024 };
    const char *at = t->head.begin, *line, *end;
    int n = 0, i = 0;
    bool has_hash = false;
    while (!has_hash && n <= MOST_VERTICES && pci_head_line(&t->head, &at, &line, &end)) {
        has_hash = end - line == 1 && *line == '#';
        if (!has_hash && line < end && (*line == '#' || *line == '%'))
            return false;
        n += line < end && !has_hash;
    }
    t->where = at;
    for (at = t->head.begin; has_hash && pci_head_data_line(&t->head, &at, &line, &end); i++) {
        int from = find_vertex(t, n, line, end);
        int other = find_vertex(t, n, next_word(word_end(line, end), end), end);
        if (i < n ? from != i || (other >= 0 && other != i) : from < 0 || other < 0)
            return false;
    }
    return n > 0 && i > n;
}

/* ---- The table ------------------------------------------------------------------------------- */

/* Says what tells a format from an edge list. */
typedef enum certainty { BY_BYTES, BY_TEXT, BY_TEXT_OF_EDGES } certainty;

typedef struct row {
    const char *title;
    const char *beginnings; /* of the text, any of them: see begins; or NULL */
    const char *endings;    /* of names, for the case that the text does not tell; or NULL */
    const char *advice;     /* behind the title, when it is not read */
    certainty certainty;    /* BY_TEXT_OF_EDGES: it may be an edge list that looks like this */
    bool (*is)(text *t);    /* or this test holds; or NULL */
    pc_format format;       /* PC_FORMAT_AUTO: it is not read */
} row;

static const row rows[] = {
    {"a NumPy array", "\x93NUMPY", .format = PC_FORMAT_NPY},
    {"an archive of NumPy arrays", .is = is_npz, .format = PC_FORMAT_NPZ},
    {"a serialized graph of GAP", .is = is_serialized, .format = PC_FORMAT_SERIALIZED},
    {"an Excel workbook", "\xd0\xcf\x11\xe0", ".xlsx .xls", ": save the sheet of edges as CSV",
     BY_BYTES, .is = is_workbook},
    {"a zip archive", "PK\3\4", ".zip", .advice = ": unpack it and give the file in it"},
    {"a tar archive", NULL, ".tar .tgz", ": unpack it and give one of its files", BY_BYTES,
     .is = is_tar},
    {"a 7z archive", "7z\xbc\xaf", ".7z", .advice = ": unpack it"},
    {"a rar archive", "Rar!", ".rar", .advice = ": unpack it"},
    {"a pickle of Python", "\x80\2|\x80\3|\x80\4|\x80\5", ".pickle .pkl .gpickle",
     .advice =
         ", which is a program more than a file: write the graph by nx.write_edgelist(G, path), "
         "or a sparse matrix by scipy.sparse.save_npz(path, A)"},
    {"HDF5 or a .mat of MATLAB 7.3", "\x89HDF", ".h5 .hdf5",
     .advice = ": write the matrix as Matrix Market, in Python by scipy.io.mmwrite(path, A)"},
    {"a .mat of MATLAB", "MATLAB 5.0 MAT", ".mat",
     .advice = ": write the matrix as Matrix Market, in Python by scipy.io.mmwrite(path, "
               "scipy.io.loadmat(file)[name])"},
    {"Parquet", "PAR1", ".parquet",
     .advice =
         ": write it as CSV, in Python by pandas.read_parquet(file).to_csv(path, index=False)"},
    {"Arrow or Feather", "ARROW1", ".arrow .feather",
     .advice =
         ": write it as CSV, in Python by pandas.read_feather(file).to_csv(path, index=False)"},
    {"an SQLite database", "SQLite format 3", ".sqlite .db",
     .advice = ": write the table of edges as CSV"},
    {"data of R", "RDX", ".rdata .rda .rds",
     .advice = ": write the edges by write.csv(edges, path, row.names=FALSE)"},
    {"a PDF document", "%PDF-", ".pdf", .advice = " and no graph"},
    {"a picture", "\x89PNG", ".png", .advice = " and no graph"},

    {"Pajek", "*vertices|*network|*arcs|*edges|*matrix", .certainty = BY_TEXT,
     .format = PC_FORMAT_PAJEK},
    {"GraphML", "<graphml", .certainty = BY_TEXT, .format = PC_FORMAT_GRAPHML},
    {"GML", "graph [|creator \"", .certainty = BY_TEXT, .format = PC_FORMAT_GML},
    {"DL", "dl n =|dl nr =|dl nc =|dl nm =|dl format =", .certainty = BY_TEXT,
     .format = PC_FORMAT_DL},
    {"GEXF", "<gexf", ".gexf",
     ", which pathcount does not read: save the graph as GraphML, in Python by "
     "networkx.write_graphml(networkx.read_gexf(file), path)",
     .certainty = BY_TEXT},
    {"an HTML page", "<html|<head|<body|<!doctype html", ".html .htm",
     " and no graph: download the file itself", .certainty = BY_TEXT},
    {"N-Triples or N-Quads", NULL, ".nt .nq", TO_EDGES, BY_TEXT, .is = is_triples},
    {"Turtle", "@prefix", ".ttl", TO_EDGES, .certainty = BY_TEXT},
    {"XML", "<?|<!", ".xml", ": GraphML is read by --format graphml, other kinds are not",
     .certainty = BY_TEXT},
    {"VNA", "*node|*tie", ".vna", TO_EDGES, .certainty = BY_TEXT},
    {"GDF", "nodedef>", ".gdf", TO_EDGES, .certainty = BY_TEXT},
    {"LEDA", "leda.graph", ".leda .gw .lgr", TO_EDGES, .certainty = BY_TEXT},
    {"DOT (Graphviz)", NULL, ".dot .gv", TO_EDGES, BY_TEXT, .is = is_dot},
    {"DIMACS", .certainty = BY_TEXT, .is = is_dimacs, .format = PC_FORMAT_DIMACS},
    {"a problem of DIMACS that is no graph", NULL, ".cnf .min",
     ": graphs of DIMACS begin by a line such as 'p edge VERTICES EDGES'",
     .certainty = BY_TEXT_OF_EDGES},
    {"JSON", .certainty = BY_TEXT, .is = is_json, .format = PC_FORMAT_JSON},
    {"Newick (a tree in parentheses)", NULL, ".nwk .newick .tree", TO_EDGES, BY_TEXT_OF_EDGES,
     .is = is_newick},
    {"Mermaid", NULL, ".mmd", TO_EDGES, BY_TEXT, .is = is_mermaid},
    {"a printed sparse matrix", .certainty = BY_TEXT, .is = is_printed_matrix,
     .format = PC_FORMAT_TUPLES},
    {"TGF (vertices, a line with #, edges)", NULL, ".tgf",
     ", which pathcount does not read: keep the lines behind the #", BY_TEXT_OF_EDGES,
     .is = is_tgf},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* ---- Finding the row ------------------------------------------------------------------------- */

/* Returns the row of a text, whose line is then t->where; NULL when there is none. The first bytes are compared as they
 * are, words of a text in any case of letters, and behind declarations, too. */
static const row *find_row(text *t)
{
    for (const row *r = rows; r < rows + N_ROWS; r++) {
        bool by_bytes = r->certainty == BY_BYTES, found = false;
        t->where = by_bytes ? t->head.begin : t->line;
        if (r->beginnings)
            found = by_bytes ? begins(t->head.begin, t->bytes_end, r->beginnings, true)
                             : begins(t->line, t->end, r->beginnings, false) ||
                                   begins(t->body, t->head.end, r->beginnings, false);
        if (found || (r->is && (by_bytes || t->line < t->end) && r->is(t)))
            return r;
    }
    return NULL;
}

/* The format that is only named, and whose endings, which blanks separate, has the name of a file; NULL when there is
 * none. */
static const row *find_named(const char *name)
{
    size_t length, n;
    if (!name || pc_file_format_of(name, &length))
        return NULL;
    for (size_t i = 0; i < N_ROWS; i++)
        for (const char *at = rows[i].endings; at && *at; at += n + strspn(at + n, " ")) {
            n = strcspn(at, " ");
            if (length >= n && pci_equal_any_case(name + length - n, at, n))
                return &rows[i];
        }
    return NULL;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static const char as_edges[] = " (--format edges reads it as an edge list all the same)";

/* Names what the format of a text that is refused looks like, and what to do. */
static pc_status refuse(const pci_input *input, const row *found, const char *where,
                        bool is_relation)
{
    bool may_be_edges = !is_relation && found->certainty == BY_TEXT_OF_EDGES;
    if (found->format)
        return pci_input_fail(input, where,
                              "this looks like %s, which holds a graph: give a relation as an edge "
                              "list or in Matrix Market",
                              found->title);
    return pci_input_fail(input, where, "this looks like %s%s%s", found->title, found->advice,
                          may_be_edges ? as_edges : "");
}

static bool begins_as_others(const text *t)
{
    size_t n_bytes = (size_t)(t->bytes_end - t->head.begin);
    return pci_matrix_market_begins(t->head.begin, n_bytes) ||
           pci_graph6_begins(t->head.begin, n_bytes);
}

/* Replaces PC_FORMAT_AUTO where a mark in the text or the name of the file tells the format. It stays where the
 * readings of the text are to decide. */
static pc_status choose_by_mark(const pci_input *input, text *t, bool is_ours, bool is_relation,
                                const pc_graph_options *options, pc_format *format)
{
    const char *begin = t->head.begin;
    const pc_file_format *named = pc_file_format_of(input->name, NULL);
    const row *found = NULL;
    bool is_named = named && named->format != PC_FORMAT_EDGE_LIST;
    if (pci_matrix_market_begins(begin, (size_t)(t->bytes_end - begin)))
        *format = PC_FORMAT_MATRIX_MARKET;
    else if (begins_as_others(t) || (named && named->format == PC_FORMAT_GRAPH6))
        *format = PC_FORMAT_GRAPH6;
    else if (is_ours)
        *format = PC_FORMAT_EDGE_LIST;
    else if ((found = find_row(t)) && found->format != PC_FORMAT_AUTO && !is_relation)
        *format = found->format;
    else if (found)
        return refuse(input, found, t->where, is_relation);
    else if (pci_asks_columns(options) && !is_named)
        return PC_OK;
    else if ((found = find_named(input->name)))
        return pci_input_fail(input, begin, "the name says that this is %s%s%s", found->title,
                              found->advice, !is_relation ? as_edges : "");
    else if (named && is_relation && named->format > PC_FORMAT_GRAPH6)
        return pci_input_fail(input, begin,
                              "the name says that this is a graph (%s): give a relation as an edge "
                              "list or in Matrix Market",
                              named->name);
    else if (is_named)
        *format = named->format;
    return PC_OK;
}

pc_status pci_format_choose(const pci_input *input, const char *begin, bool is_relation,
                            const pc_graph_options *options, pc_format *format,
                            pci_reading *reading)
{
    pc_status status = PC_OK;
    text t = look_at(input, begin);
    bool is_asked = *format != PC_FORMAT_AUTO;
    pci_head_comment comment;
    bool is_good, may_be_ours = !is_asked || *format == PC_FORMAT_EDGE_LIST;
    bool is_ours = may_be_ours && pci_head_comment_find(&t.head, &comment, &is_good);
    *reading = (pci_reading){0};
    if (!is_asked)
        status = choose_by_mark(input, &t, is_ours, is_relation, options, format);
    if (status || !pci_has_readings(*format) || (is_ours && !pci_asks_columns(options)) ||
        (*format == PC_FORMAT_TUPLES &&
         find_row(&t))) /* a header says that a sparse matrix is printed */
        return status;
    if (*format == PC_FORMAT_AUTO && is_relation)
        *format = PC_FORMAT_EDGE_LIST;
    status = pci_reading_choose(input, begin, *format, !is_asked, is_relation, options, reading);
    if (status == PC_OK)
        *format = pci_readings[reading->kind].format;
    const char *at = begin, *line, *end;
    if (status || is_asked || is_relation || is_ours || *format != PC_FORMAT_EDGE_LIST ||
        !pci_head_line(&t.head, &at, &line, &end) || !pci_begins_with(line, end, "% bip "))
        return status;
    return pci_input_fail(input, line, /* as KONECT has it */
                          "the file says that it is bipartite: its two columns number different "
                          "vertices; 'pathcount chain FILE FILE^T' keeps them apart, and --format "
                          "edges takes equal numbers for the same vertex");
}

pc_status pci_format_explain(const pci_input *input, const char *begin, pc_format format,
                             pc_status status)
{
    text t = look_at(input, begin);
    const pc_file_format *named = pc_file_format_of(input->name, NULL);
    char message[PCI_MESSAGE_SIZE];
    if (status != PC_ERR_DATA || !named || named->format != format ||
        format == PC_FORMAT_EDGE_LIST || begins_as_others(&t))
        return status;
    const row *found = find_row(&t);
    if (found && found->format == format)
        return status;
    snprintf(message, sizeof message, "%s", pc_context_message(input->context));
    return pci_fail(input->context, status,
                    "%s (only the name says that it is %s: --format edges reads an edge list)",
                    message, named->name);
}
