/* The tests that recognise formats. */
#include "io/recognise.h"

#include "io/text.h"
#include "src/core/letters.h"

#include <stdint.h>

enum { MOST_ROWS = 1024, MOST_NUMBERS = 64 };

/* ---- Lines and words ------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return pci_is_blank(c) || c == '\r';
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

/* The first line that is neither blank nor a comment; false when there is none. */
static bool first_line(const pci_head *head, const char **line, const char **end,
                       const char **where)
{
    const char *at = head->begin;
    bool found = pci_head_data_line(head, &at, line, end);
    *where = found ? *line : *where;
    return found;
}

/* Returns whether the text goes on with this word; then *at moves behind it and the blank space there. */
static bool take_word(const char **at, const char *end, const char *word)
{
    if (!pci_begins_with_any_case(*at, end, word))
        return false;
    *at += strlen(word);
    while (*at < end && (is_space(**at) || **at == '\n'))
        (*at)++;
    return true;
}

/* ---- Markup ---------------------------------------------------------------------------------- */

/* Moves *at behind a "<? >", a "<! >" or a comment, and the blank space there. */
static bool take_prologue(const char **at, const char *end)
{
    const char *closing = pci_begins_with(*at, end, "<!--") ? "-->" : ">";
    if (!pci_begins_with(*at, end, "<?") && !pci_begins_with(*at, end, "<!"))
        return false;
    while (*at < end && !pci_begins_with(*at, end, closing))
        (*at)++;
    return take_word(at, end, closing);
}

/* The first element of a text that begins with "<"; false when it is none. */
static bool find_element(const pci_head *head, const char **at, const char **where)
{
    const char *line_end;
    if (!first_line(head, at, &line_end, where) || **at != '<')
        return false;
    while (take_prologue(at, head->end))
        ;
    return true;
}

static bool is_element(const pci_head *head, const char *name, const char **where)
{
    const char *at;
    return find_element(head, &at, where) && pci_begins_with_any_case(at, head->end, name);
}

bool pci_is_graphml(const pci_head *head, const char **where)
{
    return is_element(head, "<graphml", where);
}

bool pci_is_gexf(const pci_head *head, const char **where)
{
    return is_element(head, "<gexf", where);
}

bool pci_is_html(const pci_head *head, const char **where)
{
    const char *line = NULL, *end = NULL;
    return is_element(head, "<html", where) || is_element(head, "<head", where) ||
           is_element(head, "<body", where) ||
           (first_line(head, &line, &end, where) &&
            pci_begins_with_any_case(line, end, "<!doctype html"));
}

bool pci_is_xml(const pci_head *head, const char **where)
{
    const char *line, *end;
    return first_line(head, &line, &end, where) &&
           (pci_begins_with(line, end, "<?") || pci_begins_with(line, end, "<!"));
}

/* "<a> <b> <c> ." or "_:a <b> ... ." */
bool pci_is_triples(const pci_head *head, const char **where)
{
    const char *line, *end;
    if (!first_line(head, &line, &end, where))
        return false;
    const char *second = next_word(word_end(line, end), end);
    return (*line == '<' || pci_begins_with(line, end, "_:")) && second < end && *second == '<' &&
           end[-1] == '.';
}

/* ---- Formats with words ---------------------------------------------------------------------- */

/* "graph [", behind lines such as Creator "igraph". */
bool pci_is_gml(const pci_head *head, const char **where)
{
    const char *at, *line_end;
    if (!first_line(head, &at, &line_end, where))
        return false;
    if (pci_begins_with_any_case(at, line_end, "creator \""))
        return true;
    while (pci_begins_with_any_case(at, head->end, "creator") ||
           pci_begins_with_any_case(at, head->end, "version")) {
        at = pci_line_end(at, head->end);
        take_word(&at, head->end, "");
    }
    return take_word(&at, head->end, "graph") && take_word(&at, head->end, "[");
}

/* "dl n = 5" */
bool pci_is_dl(const pci_head *head, const char **where)
{
    const char *at, *line_end, *end = head->end;
    return first_line(head, &at, &line_end, where) && take_word(&at, end, "dl") &&
           take_word(&at, end, "n") && take_word(&at, end, "=");
}

/* "graph {", "strict digraph G {", perhaps behind comments as in C. */
bool pci_is_dot(const pci_head *head, const char **where)
{
    static const char *const words[] = {"strict", "graph", "digraph"};
    const char *at = head->begin, *line, *end;
    bool found;
    while ((found = pci_head_data_line(head, &at, &line, &end)) &&
           (pci_begins_with(line, end, "//") || pci_begins_with(line, end, "/*") || *line == '*'))
        ;
    if (!found)
        return false;
    *where = line;
    size_t length = (size_t)(word_end(line, end) - line);
    const char *next = pci_skip_blanks(at, head->end);
    bool opens = end[-1] == '{' || memchr(line, '{', (size_t)(end - line)) ||
                 (next < head->end && *next == '{');
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (pci_is_word_any_case(line, length, words[w]))
            return opens;
    return false;
}

/* "c comment" and then "p sp 4 5" */
bool pci_is_dimacs(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    bool found;
    while ((found = pci_head_line(head, &at, &line, &end)) &&
           (line == end || (*line == 'c' && (end - line == 1 || is_space(line[1])))))
        ;
    if (!found || *line != 'p')
        return false;
    *where = line;
    const char *kind = next_word(line + 1, end), *n = next_word(word_end(kind, end), end);
    const char *n_end = word_end(n, end), *m = next_word(n_end, end);
    return kind > line + 1 && kind < end && !(*kind >= '0' && *kind <= '9') &&
           parse_number(n, n_end) >= 0 && parse_number(m, word_end(m, end)) >= 0;
}

/* "[[", "[{", "[0, 1": lists; "[1]" alone may be a label. */
static bool begins_list(const char *line, const char *end)
{
    const char *next = next_word(line + 1, end);
    const char *to = word_end(next, end);
    if (next < end && *next == '[' && parse_number(next + 1, word_end(next + 1, end)) >= 0 &&
        word_end(next + 1, end) < end && *word_end(next + 1, end) == ' ')
        return false; /* "[[0 1", as NumPy prints a matrix */
    return next == end || *next == '[' || *next == '{' || *next == '"' ||
           (to < end && *to == ',' && parse_number(next, to) >= 0 && end[-1] == ']');
}

bool pci_is_json(const pci_head *head, const char **where)
{
    const char *line, *end;
    if (!first_line(head, &line, &end, where))
        return false;
    const char *inner = next_word(line + 1, end);
    return (*line == '{' && (inner == end || *inner == '"')) ||
           (*line == '[' && begins_list(line, end));
}

bool pci_is_newick(const pci_head *head, const char **where)
{
    const char *line, *end;
    return first_line(head, &line, &end, where) && *line == '(' && end[-1] == ';';
}

/* "<3x3 sparse matrix of type ...>", as SciPy prints it above the entries. */
bool pci_is_printed_matrix(const pci_head *head, const char **where)
{
    const char *line, *end;
    if (!first_line(head, &line, &end, where) || *line != '<')
        return false;
    for (const char *at = line; at < end; at++)
        if (pci_begins_with(at, end, "sparse matrix") || pci_begins_with(at, end, "sparse array"))
            return true;
    return false;
}

/* "graph TD" or "flowchart LR" */
bool pci_is_mermaid(const pci_head *head, const char **where)
{
    static const char *const ways[] = {"TD", "TB", "LR", "RL", "BT"};
    const char *line, *end;
    if (!first_line(head, &line, &end, where) ||
        (!pci_begins_with(line, end, "graph ") && !pci_begins_with(line, end, "flowchart ")))
        return false;
    const char *way = next_word(word_end(line, end), end);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (end - way == 2 && memcmp(way, ways[i], 2) == 0)
            return true;
    return false;
}

/* ---- Binary files ---------------------------------------------------------------------------- */

static bool has_at(const pci_head *head, size_t offset, const char *bytes, size_t n)
{
    size_t n_bytes = (size_t)(head->end - head->begin);
    return n_bytes >= offset + n && memcmp(head->begin + offset, bytes, n) == 0;
}

/* Returns whether a zip archive has a name with these characters among its first ones. */
static bool is_archive_with(const pci_head *head, const char *name, const char **where)
{
    *where = head->begin;
    if (!has_at(head, 0, "PK\3\4", 4))
        return false;
    for (const char *at = head->begin; at < head->end && at < head->begin + 4096; at++)
        if (pci_begins_with(at, head->end, name))
            return true;
    return false;
}

bool pci_is_numpy_archive(const pci_head *head, const char **where)
{
    return is_archive_with(head, ".npy", where);
}

bool pci_is_excel(const pci_head *head, const char **where)
{
    return has_at(head, 0, "\xd0\xcf\x11\xe0", 4) || is_archive_with(head, "xl/", where) ||
           is_archive_with(head, "[Content_Types].xml", where);
}

/* The bytes of io/serialized.h: 0 or 1, a number of arcs below 2^56, one of vertices below 2^32 that is not 0, and the first
 * arc is number 0. No text has these NUL bytes, and zeros alone are no graph. */
bool pci_is_serialized(const pci_head *head, const char **where)
{
    *where = head->begin;
    return (has_at(head, 0, "\0", 1) || has_at(head, 0, "\1", 1)) && has_at(head, 8, "\0", 1) &&
           !has_at(head, 9, "\0\0\0\0", 4) && has_at(head, 13, "\0\0\0\0\0\0\0\0\0\0\0", 12);
}

/* Protocols 2 to 5 begin with their number. */
bool pci_is_pickle(const pci_head *head, const char **where)
{
    *where = head->begin;
    return has_at(head, 0, "\x80", 1) && head->end - head->begin > 2 && head->begin[1] >= 2 &&
           head->begin[1] <= 5;
}

bool pci_is_tar(const pci_head *head, const char **where)
{
    *where = head->begin;
    return has_at(head, 257, "ustar", 5);
}

/* ---- METIS ----------------------------------------------------------------------------------- */

/* The lines behind the first one of a METIS file. */
typedef struct rows {
    const char *begin[MOST_ROWS + 1], *end[MOST_ROWS + 1]; /* from 1 on */
    int n_before, step; /* numbers before the first neighbour, and from one neighbour to the next */
    int64_t n;
    int64_t n_numbers;
    bool are_all; /* there are no more in the file */
} rows;

static bool row_has(const rows *all, int64_t row, int64_t wanted)
{
    int64_t number[MOST_NUMBERS];
    int n = read_numbers(all->begin[row], all->end[row], number);
    for (int i = all->n_before; i < n; i += all->step)
        if (number[i] == wanted)
            return true;
    return false;
}

/* Returns whether the neighbours of a row are vertices other than itself, and each of them has the row as a
 * neighbour. */
static bool is_row_of_neighbours(const rows *all, int64_t row, int64_t n_vertices)
{
    int64_t number[MOST_NUMBERS];
    int n = read_numbers(all->begin[row], all->end[row], number);
    if (n < all->n_before || (n - all->n_before) % all->step != 0)
        return false;
    for (int i = all->n_before; i < n; i += all->step)
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
        all->n_numbers += n > all->n_before ? (n - all->n_before) / all->step : 0;
    }
    all->are_all = head->is_whole && at == head->end;
    return true;
}

/* "vertices edges [format [weights of a vertex]]" */
bool pci_is_metis(const pci_head *head, const char **where)
{
    const char *at = head->begin, *line, *end;
    int64_t number[MOST_NUMBERS] = {0};
    rows all;
    int n = pci_head_data_line(head, &at, &line, &end) ? read_numbers(line, end, number) : 0;
    if (n < 2 || n > 4 || (n > 2 && number[2] > 111))
        return false;
    *where = line;
    int64_t format = n > 2 ? number[2] : 0, n_weights = n > 3 ? number[3] : 1;
    if (number[0] < 2 || number[1] < 1 || n_weights > MOST_NUMBERS || format % 10 > 1 ||
        format / 10 % 10 > 1)
        return false;
    all.n_before = (int)(format / 100 + (format / 10 % 10 > 0 ? n_weights : 0));
    all.step = 1 + (int)(format % 10);
    if (!read_rows(head, at, number[0], &all) ||
        (all.are_all && (all.n_numbers != 2 * number[1] || all.n != number[0])) || all.n < 2 ||
        all.n_numbers == 0)
        return false;
    for (int64_t row = 1; row <= all.n; row++)
        if (!is_row_of_neighbours(&all, row, number[0]))
            return false;
    return true;
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

/* Returns whether no line before the # joins two different ones of those vertices. */
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

bool pci_is_tgf(const pci_head *head, const char **where)
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
