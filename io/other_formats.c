/* Recognising formats by first lines and names. A text that may be an edge list is not refused. */
#include "io/other_formats.h"

#include "io/text.h"
#include "src/core/letters.h"

#include <stdint.h>

enum { MOST_ROWS = 1024, MOST_NUMBERS = 64 };

#define NOT_READ ", which pathcount does not read: convert it to a line for each edge"

static const char HTML[] = "an HTML page and no graph: download the file itself";
static const char VNA[] = "VNA" NOT_READ;

/* What a file begins with, in any case of letters, behind comments and blank lines. */
static const struct {
    const char *begin;
    const char *igraph; /* the format's name in libpathcount_igraph; NULL: it is none of igraph */
    const char *what;   /* the rest of "this looks like ..."; NULL in a row of igraph */
} beginnings[] = {
    {"*vertices", "pajek", NULL},
    {"*network", "pajek", NULL},
    {"*arcs", "pajek", NULL},
    {"*edges", "pajek", NULL},
    {"*matrix", "pajek", NULL},
    {"<?xml", "graphml", NULL},
    {"<graphml", "graphml", NULL},
    {"creator \"", NULL, "GML: read it by --format gml"},
    {"<!doctype html", NULL, HTML},
    {"<html", NULL, HTML},
    {"<head", NULL, HTML},
    {"<body", NULL, HTML},
    {"<gexf", NULL, "GEXF, which pathcount does not read: save the graph as GraphML"},
    {"<?", NULL, "XML: GraphML is read by --format graphml, other kinds are not"},
    {"<!", NULL, "XML or HTML: GraphML is read by --format graphml, other kinds are not"},
    {"*node", NULL, VNA},
    {"*tie", NULL, VNA},
    {"nodedef>", NULL, "GDF" NOT_READ},
};
enum { N_BEGINNINGS = sizeof beginnings / sizeof *beginnings };

/* ---- Lines and words ------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return pci_is_blank(c) || c == '\r';
}

bool pci_head_line(const pci_head *head, const char **at, const char **begin, const char **end)
{
    if (!pci_next_line(at, head->end, begin, end))
        return false;
    while (*begin < *end && is_space(**begin))
        (*begin)++;
    while (*end > *begin && is_space((*end)[-1]))
        (*end)--;
    return true;
}

bool pci_head_data_line(const pci_head *head, const char **at, const char **begin, const char **end)
{
    while (pci_head_line(head, at, begin, end))
        if (*begin < *end && **begin != '#' && **begin != '%')
            return true;
    return false;
}

/* The end of the word that begins at `at`. */
static const char *word_end(const char *at, const char *end)
{
    while (at < end && !is_space(*at) && *at != ',')
        at++;
    return at;
}

static const char *next_word(const char *at, const char *end)
{
    while (at < end && (is_space(*at) || *at == ','))
        at++;
    return at;
}

/* A word of up to 9 digits as a number; -1 when it is none. */
static int64_t parse_number(const char *at, const char *end)
{
    int64_t number = 0;
    if (at == end || end - at > 9)
        return -1;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return -1;
        number = 10 * number + (*at - '0');
    }
    return number;
}

/* The numbers of a line; -1 when it has anything else, or more than fit. */
static int read_numbers(const char *at, const char *end, int64_t number[MOST_NUMBERS])
{
    int n = 0;
    for (at = next_word(at, end); at < end; at = next_word(at, end)) {
        const char *to = word_end(at, end);
        if (n == MOST_NUMBERS || (number[n] = parse_number(at, to)) < 0)
            return -1;
        n++;
        at = to;
    }
    return n;
}

/* ---- Formats of igraph ----------------------------------------------------------------------- */

static const char *format_of_name(const char *name)
{
    const pc_file_format *format = pc_file_format_of(name, NULL);
    return format && format->needs_igraph ? format->name : NULL;
}

/* Whether the text goes on with this word; then *at moves behind it and the blank space there. */
static bool take_word(const char **at, const char *end, const char *word)
{
    if (!pci_begins_with_any_case(*at, end, word))
        return false;
    *at += strlen(word);
    while (*at < end && (is_space(**at) || **at == '\n'))
        (*at)++;
    return true;
}

/* "graph [", behind lines such as Creator "igraph". */
static bool is_gml(const char *at, const char *end)
{
    while (pci_begins_with_any_case(at, end, "creator") ||
           pci_begins_with_any_case(at, end, "version")) {
        at = pci_line_end(at, end);
        take_word(&at, end, "");
    }
    return take_word(&at, end, "graph") && take_word(&at, end, "[");
}

/* "dl n = 5" */
static bool is_dl(const char *at, const char *end)
{
    return take_word(&at, end, "dl") && take_word(&at, end, "n") && take_word(&at, end, "=");
}

static const char *igraph_format_of(const pci_head *text)
{
    const char *at = text->begin, *line, *line_end;
    if (!pci_head_data_line(text, &at, &line, &line_end))
        return NULL;
    for (size_t i = 0; i < N_BEGINNINGS; i++)
        if (beginnings[i].igraph && pci_begins_with_any_case(line, line_end, beginnings[i].begin))
            return beginnings[i].igraph;
    return is_gml(line, text->end) ? "gml" : is_dl(line, text->end) ? "dl" : NULL;
}

pc_status pci_refuse_igraph_formats(const pci_input *input, const char *begin)
{
    pci_head text = {begin, input->text + input->n_bytes, true};
    const char *of_text = igraph_format_of(&text);
    const char *format = of_text ? of_text : format_of_name(input->name);
    if (!format)
        return PC_OK;
    return pci_input_fail(input, begin,
                          "%s says that this is %s, which libpathcount_igraph reads: call "
                          "pc_graph_read_igraph (--format %s), or say that it is an edge list "
                          "(--format edges)",
                          of_text ? "the text" : "the name", format, format);
}

/* ---- By the first line ----------------------------------------------------------------------- */

/* "graph {", "strict digraph G {" */
static bool is_dot(const char *line, const char *end)
{
    static const char *const words[] = {"strict", "graph", "digraph"};
    size_t length = (size_t)(word_end(line, end) - line);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (length == strlen(words[w]) && pci_equal_any_case(line, words[w], length))
            return end[-1] == '{';
    return false;
}

/* "[[", "[{", "[0, 1": lists; "[1]" alone may be a label. */
static bool begins_list(const char *line, const char *end)
{
    const char *next = next_word(line + 1, end);
    const char *to = word_end(next, end);
    return next == end || *next == '[' || *next == '{' || *next == '"' ||
           (to < end && *to == ',' && parse_number(next, to) >= 0 && end[-1] == ']');
}

static const char *find_by_first_line(const char *line, const char *end)
{
    for (size_t i = 0; i < N_BEGINNINGS; i++)
        if (beginnings[i].what && pci_begins_with_any_case(line, end, beginnings[i].begin))
            return beginnings[i].what;
    const char *inner = next_word(line + 1, end);
    if ((*line == '{' && (inner == end || *inner == '"')) ||
        (*line == '[' && begins_list(line, end)))
        return "JSON" NOT_READ;
    if (*line == '(' && end[-1] == ';')
        return "Newick (a tree in parentheses)" NOT_READ;
    if (*line == '(' && end[-1] == ')' && memchr(line, ',', (size_t)(end - line)))
        return "pairs as Python prints them: write a line 'from to' for each edge";
    return is_dot(line, end) ? "DOT (Graphviz)" NOT_READ : NULL;
}

/* ---- Lists of neighbours --------------------------------------------------------------------- */

/* NetworkX begins an adjacency list with comments: the command, the time and the name. In a
 * multiline one "vertex degree" stands before as many lines "neighbour {...}". */
static bool is_networkx(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    while (pci_head_line(head, &at, &line, &end)) {
        *where = line;
        if (line < end && *line != '#')
            break;
        if (pci_begins_with_any_case(line, end, "# GMT "))
            return true;
    }
    at = head->begin;
    for (bool first = true; pci_head_data_line(head, &at, &line, &end); first = false) {
        const char *second = next_word(word_end(line, end), end);
        *where = line;
        if (first && parse_number(second, end) < 0)
            return false;
        if (second < end && *second == '{')
            return true;
    }
    return false;
}

/* The lines behind the first one of a METIS file. */
typedef struct rows {
    const char *begin[MOST_ROWS + 1], *end[MOST_ROWS + 1]; /* from 1 on */
    int64_t n;
    int64_t n_numbers;
    bool are_all; /* there are no more in the file */
} rows;

static bool row_has(const rows *all, int64_t row, int64_t wanted)
{
    int64_t number[MOST_NUMBERS];
    int n = read_numbers(all->begin[row], all->end[row], number);
    for (int i = 0; i < n; i++)
        if (number[i] == wanted)
            return true;
    return false;
}

/* Whether the neighbours of a row are vertices other than itself, and each of them has the row as a
 * neighbour. */
static bool is_row_of_neighbours(const rows *all, int64_t row, int64_t n_vertices)
{
    int64_t number[MOST_NUMBERS];
    int n = read_numbers(all->begin[row], all->end[row], number);
    for (int i = 0; i < n; i++)
        if (number[i] < 1 || number[i] > n_vertices || number[i] == row ||
            (number[i] <= all->n && !row_has(all, number[i], row)))
            return false;
    return true;
}

/* Reads the rows of METIS: the lines behind the first one, blank ones too. */
static bool read_rows(const pci_head *head, const char *at, int64_t n_vertices, rows *all)
{
    const char *line, *end;
    int64_t number[MOST_NUMBERS];
    all->n = all->n_numbers = 0;
    while (all->n < MOST_ROWS && pci_head_line(head, &at, &line, &end)) {
        int n = read_numbers(line, end, number);
        if (line < end && (*line == '%' || *line == '#'))
            continue;
        if (n < 0 || (all->n == n_vertices && n > 0))
            return false;
        if (all->n == n_vertices)
            continue;
        all->n++;
        all->begin[all->n] = line;
        all->end[all->n] = end;
        all->n_numbers += n;
    }
    all->are_all = head->is_whole && at == head->end;
    return true;
}

static bool is_metis(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    int64_t number[MOST_NUMBERS];
    rows all;
    if (!pci_head_data_line(head, &at, &line, &end) || read_numbers(line, end, number) != 2)
        return false;
    *where = line;
    if (number[0] < 2 || number[1] < 1 || !read_rows(head, at, number[0], &all) ||
        (all.are_all && all.n_numbers != 2 * number[1]) || all.n < 2 || all.n_numbers == 0)
        return false;
    for (int64_t row = 1; row <= all.n; row++)
        if (!is_row_of_neighbours(&all, row, number[0]))
            return false;
    return true;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Whether the whole file is a square of numbers. Two columns are the ends of edges. Three are the
 * ends of edges with a weight, unless all are 0 and 1, or they are symmetric with zeros on the
 * diagonal. */
static bool is_matrix(const pci_head *head, const char **where)
{
    static const int least_side = 3;
    const char *at = head->begin, *line, *end;
    int64_t entry[4][MOST_NUMBERS] = {{0}};
    int side = 0, n = 0;
    bool zero_one = true;
    while (pci_head_data_line(head, &at, &line, &end)) {
        int64_t number[MOST_NUMBERS];
        int n_numbers = read_numbers(line, end, number);
        side = n == 0 ? n_numbers : side;
        *where = n == 0 ? line : *where;
        if (n_numbers != side || side < least_side || n == side)
            return false;
        for (int i = 0; i < side; i++)
            zero_one = zero_one && number[i] <= 1;
        if (n < 4)
            memcpy(entry[n], number, (size_t)side * sizeof *number);
        n++;
    }
    if (n != side || n == 0 || !head->is_whole)
        return n > 1 && side > 3 && zero_one;
    bool symmetric = entry[0][0] == 0 && entry[1][1] == 0 && entry[2][2] == 0 &&
                     entry[0][1] == entry[1][0] && entry[0][2] == entry[2][0] &&
                     entry[1][2] == entry[2][1];
    return side > 3 || zero_one || symmetric;
}

/* ---- TGF ------------------------------------------------------------------------------------- */

typedef struct words {
    const char *begin[MOST_ROWS], *end[MOST_ROWS];
    int n;
} words;

static int find_word(const words *all, const char *begin, const char *end)
{
    for (int i = 0; i < all->n; i++)
        if (all->end[i] - all->begin[i] == end - begin &&
            memcmp(all->begin[i], begin, (size_t)(end - begin)) == 0)
            return i;
    return -1;
}

static bool is_hash(const char *line, const char *end)
{
    return end - line == 1 && *line == '#';
}

/* Reads lines of vertices, each once, up to a line "#", and moves *at behind it. */
static bool read_vertices(const pci_head *head, const char **at, words *all)
{
    const char *line, *end;
    all->n = 0;
    while (pci_head_line(head, at, &line, &end) && !is_hash(line, end)) {
        if (line == end)
            continue;
        const char *to = word_end(line, end);
        if (*line == '#' || *line == '%' || all->n == MOST_ROWS || find_word(all, line, to) >= 0)
            return false;
        all->begin[all->n] = line;
        all->end[all->n++] = to;
    }
    return all->n > 0 && is_hash(line, end);
}

/* Whether no line before the # joins two different ones of those vertices. */
static bool are_labels(const pci_head *head, const words *all)
{
    const char *at = head->begin, *line, *end;
    for (int i = 0; i < all->n && pci_head_data_line(head, &at, &line, &end); i++) {
        const char *second = next_word(word_end(line, end), end);
        int found = find_word(all, second, word_end(second, end));
        if (second < end && found >= 0 && found != i)
            return false;
    }
    return true;
}

static bool is_tgf(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    words all;
    int n_edges = 0;
    if (!memchr(head->begin, '#', (size_t)(head->end - head->begin)) ||
        !read_vertices(head, &at, &all) || !are_labels(head, &all))
        return false;
    *where = at;
    for (; pci_head_data_line(head, &at, &line, &end); n_edges++) {
        const char *to = word_end(line, end), *second = next_word(to, end);
        if (find_word(&all, line, to) < 0 || find_word(&all, second, word_end(second, end)) < 0)
            return false;
    }
    return n_edges > 0;
}

/* ---- All of them ----------------------------------------------------------------------------- */

const char *pci_other_format_find(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    if (pci_head_data_line(head, &at, &line, &end)) {
        const char *found = find_by_first_line(line, end);
        *where = line;
        if (found)
            return found;
    }
    if (is_networkx(head, where))
        return "an adjacency list of NetworkX, which pathcount does not read: write the graph by "
               "write_edgelist(G, path, data=False)";
    if (is_tgf(head, where))
        return "TGF (vertices, a line with #, edges), which pathcount does not read: keep the "
               "lines behind the #";
    if (is_metis(head, where))
        return "METIS (the numbers of vertices and edges, then a line of neighbours for each "
               "vertex)" NOT_READ;
    return is_matrix(head, where) ? "an adjacency matrix, which is not read as text: convert it to "
                                    "a line for each edge"
                                  : NULL;
}
