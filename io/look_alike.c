/* Telling other formats by their first lines. What could as well be an edge list passes. */
#include "io/look_alike.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { MOST_ROWS = 1024, MOST_NUMBERS = 64 };

static const char METIS[] =
    "METIS (the numbers of vertices and edges, then a line of neighbours for "
    "each vertex), which pathcount does not read: convert it to a line for "
    "each edge";
static const char MATRIX[] =
    "an adjacency matrix, which is not read as text: convert it to a line for "
    "each edge";
static const char TGF[] =
    "TGF (vertices, a line with #, edges), which pathcount does not read: keep the "
    "lines behind the #";
static const char ADJACENCY[] =
    "an adjacency list of NetworkX, which pathcount does not read: write the "
    "graph by write_edgelist(G, path, data=False)";
static const char NEWICK[] =
    "Newick (a tree in parentheses), which pathcount does not read: convert it "
    "to a line for each edge";
static const char TUPLES[] = "pairs as Python prints them: write a line 'from to' for each edge";
static const char JSON[] =
    "JSON, which pathcount does not read: convert it to a line for each edge";

/* ---- Lines and words ------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool pci_head_line(const pci_head *head, const char **at, const char **begin, const char **end)
{
    if (*at >= head->end)
        return false;
    const char *from = *at, *line_end = memchr(from, '\n', (size_t)(head->end - from));
    const char *to = line_end ? line_end : head->end;
    *at = line_end ? line_end + 1 : head->end;
    while (from < to && is_space(*from))
        from++;
    while (to > from && is_space(to[-1]))
        to--;
    *begin = from;
    *end = to;
    return true;
}

bool pci_head_data_line(const pci_head *head, const char **at, const char **begin, const char **end)
{
    while (pci_head_line(head, at, begin, end))
        if (*begin < *end && **begin != '#' && **begin != '%')
            return true;
    return false;
}

static bool begins_with(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && strncasecmp(at, word, length) == 0;
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

/* ---- By the first line ----------------------------------------------------------------------- */

static const struct {
    const char *begin, *what;
} beginnings[] = {
    {"<!doctype html", "an HTML page and no graph: download the file itself"},
    {"<html", "an HTML page and no graph: download the file itself"},
    {"<head", "an HTML page and no graph: download the file itself"},
    {"<body", "an HTML page and no graph: download the file itself"},
    {"<graphml", "GraphML: read it by --format graphml"},
    {"<gexf", "GEXF, which pathcount does not read: save the graph as GraphML"},
    {"<?", "XML: GraphML is read by --format graphml, other kinds are not"},
    {"<!", "XML or HTML: GraphML is read by --format graphml, other kinds are not"},
    {"*vertices", "Pajek: read it by --format pajek"},
    {"*network", "Pajek: read it by --format pajek"},
    {"*node", "VNA, which pathcount does not read: convert it to a line for each edge"},
    {"*tie", "VNA, which pathcount does not read: convert it to a line for each edge"},
    {"nodedef>", "GDF, which pathcount does not read: convert it to a line for each edge"},
    {"dl n=", "DL: read it by --format dl"},
    {"dl n =", "DL: read it by --format dl"},
    {"creator \"", "GML: read it by --format gml"},
};

/* "graph {", "digraph G {", "graph [" */
static const char *find_braces(const char *line, const char *end)
{
    static const char *const words[] = {"strict", "graph", "digraph"};
    const char *first = word_end(line, end);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        if ((size_t)(first - line) != strlen(words[w]) || !begins_with(line, first, words[w]))
            continue;
        if (end[-1] == '{')
            return "DOT (Graphviz), which pathcount does not read: convert it to a line for each "
                   "edge";
        const char *second = next_word(first, end);
        if (w == 1 && second < end && *second == '[')
            return "GML: read it by --format gml";
    }
    return NULL;
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
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins_with(line, end, beginnings[i].begin))
            return beginnings[i].what;
    const char *inner = next_word(line + 1, end);
    if (*line == '{' && (inner == end || *inner == '"'))
        return JSON;
    if (*line == '[' && begins_list(line, end))
        return JSON;
    if (*line == '(' && end[-1] == ';')
        return NEWICK;
    if (*line == '(' && end[-1] == ')' && memchr(line, ',', (size_t)(end - line)))
        return TUPLES;
    return find_braces(line, end);
}

/* ---- Lists of neighbours --------------------------------------------------------------------- */

/* NetworkX begins them with comments of the command, the time and the name; a multiline one has
 * "vertex degree", then "neighbour {...}" as many times. */
static bool is_networkx(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    while (pci_head_line(head, &at, &line, &end)) {
        *where = line;
        if (line < end && *line != '#')
            break;
        if (begins_with(line, end, "# GMT "))
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

/* Whether the neighbours of a row are vertices, none is itself, and each one has it, too. */
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

/* Lines behind the first one, blank ones too, are the rows of METIS. */
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

/* A square of numbers in the whole file. Two columns are the ends of edges. Three are so too, with a
 * weight, unless they are all 0 and 1, or symmetric with zeros on the diagonal. */
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

/* Lines of vertices, each once, up to a line "#", which *at moves behind. */
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

/* Whether no line before the # joins two different vertices of those. */
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

const char *pci_look_alike_find(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    if (pci_head_data_line(head, &at, &line, &end)) {
        const char *found = find_by_first_line(line, end);
        *where = line;
        if (found)
            return found;
    }
    if (is_networkx(head, where))
        return ADJACENCY;
    if (is_tgf(head, where))
        return TGF;
    if (is_metis(head, where))
        return METIS;
    return is_matrix(head, where) ? MATRIX : NULL;
}
