/* Formats with a line for each edge or vertex: NCOL, LGL, SIF, lists of neighbours, METIS and DIMACS. */
#include "io/readers.h"
#include "io/readings.h"
#include "io/text.h"
#include "src/core/checksum.h"

#include <inttypes.h>

/* ---- NCOL and LGL ---------------------------------------------------------------------------- */

/* NCOL has "name name [weight]". LGL has "# name", where the name may stand close to the #, and then a line
 * "neighbour [weight]" for each neighbour. Neither has comments or quotes. */
static pc_status read_names(pci_collect *c, bool is_lgl)
{
    enum { MOST_WORDS = 4 };
    const size_t n_ends = is_lgl ? 1 : 2;
    bool has_heading = false;
    uint32_t from = 0, to;
    pc_status status = PC_OK;
    while (status == PC_OK && pci_collect_line(c, "", false)) {
        pci_word word[MOST_WORDS];
        const char *at = c->at;
        size_t n = 0;
        while (n < MOST_WORDS && pci_next_word(&at, c->line_end, ' ', &word[n]))
            n++;
        char first = *word[0].text;
        bool is_heading = is_lgl && first == '#', has_weight = n > n_ends;
        uint64_t weight;
        if ((first == '#' || first == '%') && !is_heading)
            return pci_collect_fail(c,
                                    "a line that starts with %c would be an edge, because %s has "
                                    "no comments: remove it, or read the file as an edge list if "
                                    "it is one",
                                    first, c->title);
        if (is_heading ? n > 2 || (n == 2 && word[0].length > 1) : n < n_ends || n > n_ends + 1)
            return pci_collect_fail(c, "a line of %s is %s, and this one has %zu%s words", c->title,
                                    is_lgl ? "# and a name, or a name and perhaps a weight"
                                           : "two names and perhaps a weight",
                                    n, n == MOST_WORDS ? " or more" : "");
        if (is_lgl && !is_heading && !has_heading)
            return pci_collect_fail(c, "a neighbour before the first line '# NAME'");
        if (is_heading || !is_lgl)
            status = pci_collect_vertex(
                c, word[is_heading ? n - 1 : 0].text + (is_heading && n == 1),
                word[is_heading ? n - 1 : 0].length - (is_heading && n == 1), &from);
        has_heading = true;
        if (is_heading || status)
            continue;
        status = pci_collect_vertex(c, word[n_ends - 1].text, word[n_ends - 1].length, &to);
        if (status == PC_OK && has_weight)
            status = pci_collect_weight(c, word[n_ends].text, word[n_ends].length, &weight);
        if (status == PC_OK)
            status = pci_collect_edge(c, from, to, has_weight ? &weight : NULL);
    }
    return status;
}

pc_status pci_ncol_read(pci_collect *c)
{
    return read_names(c, false);
}

pc_status pci_lgl_read(pci_collect *c)
{
    return read_names(c, true);
}

/* ---- Lists of neighbours ---------------------------------------------------------------------- */

/* The next column of the line as a vertex; *found is false at the end of the line. An empty column
 * at the end, as spreadsheets write it, is none. */
static pc_status next_vertex(pci_collect *c, uint32_t *vertex, bool *found)
{
    pci_column column;
    *found = false;
    while (!*found && pci_column_next(&c->words, &column))
        *found = column.length > 0;
    if (c->words.fault)
        return pci_collect_fail(c, "%s", c->words.fault);
    return *found ? pci_collect_vertex(c, column.text, column.length, vertex) : PC_OK;
}

/* Moves to the next line that is no comment; blanks before its first column do not count. */
static bool next_line(pci_collect *c)
{
    bool found = pci_collect_line(c, "#%", false);
    if (found)
        c->words.at = pci_skip_blanks(c->words.at, c->words.end);
    return found;
}

/* Takes the vertex before a colon or an arrow; its neighbours follow. */
static pc_status take_marked_vertex(pci_collect *c, const char *mark, uint32_t *vertex)
{
    const char *begin = c->words.at, *at = begin;
    while (at < c->line_end && !pci_begins_with(at, c->line_end, mark))
        at++;
    const char *end = pci_trim_end(begin, at);
    if (at == c->line_end || end == begin)
        return pci_input_fail(c->input, begin,
                              "a vertex and '%s' are expected here, as in the lines before", mark);
    c->words.at = pci_skip_blanks(at + strlen(mark), c->line_end);
    return pci_collect_vertex(c, begin, (size_t)(end - begin), vertex);
}

/* A line has a vertex, a mark or relation where the format has some, and its neighbours. */
static pc_status read_neighbours(pci_collect *c, const char *mark, bool has_relations)
{
    pc_status status = PC_OK;
    while (status == PC_OK && next_line(c)) {
        uint32_t vertex, neighbour;
        uint64_t n = 0;
        bool found = true;
        pci_column relation;
        status = *mark ? take_marked_vertex(c, mark, &vertex) : next_vertex(c, &vertex, &found);
        if (status || !found || (has_relations && !pci_column_next(&c->words, &relation)))
            continue;
        if (has_relations)
            c->relation = (pci_word){relation.text, relation.length};
        while ((status = next_vertex(c, &neighbour, &found)) == PC_OK && found &&
               (status = pci_collect_edge(c, vertex, neighbour, NULL)) == PC_OK)
            n++;
        if (status == PC_OK && has_relations && n == 0)
            status = pci_collect_fail(
                c, "a line of SIF is 'from relation to ...', or a vertex alone; --format "
                   "edges reads lines 'from to'");
    }
    return status;
}

/* "neighbour {'weight': 3}" */
static pc_status take_neighbour(pci_collect *c, uint32_t vertex)
{
    uint32_t neighbour;
    bool found;
    uint64_t weight;
    const char *text;
    size_t length;
    pc_status status = next_vertex(c, &neighbour, &found);
    if (status)
        return status;
    const char *attributes = pci_skip_blanks(c->words.at, c->line_end);
    if (attributes < c->line_end && *attributes != '{')
        return pci_collect_fail(
            c, "a neighbour, perhaps with attributes in braces, is expected here, as the "
               "line of the vertex before promises");
    bool has_weight = pci_attributes_weight(attributes, c->line_end, &text, &length);
    if (has_weight && (status = pci_collect_weight(c, text, length, &weight)))
        return status;
    return pci_collect_edge(c, vertex, neighbour, has_weight ? &weight : NULL);
}

/* "vertex degree" stands before as many lines of neighbours, as NetworkX writes it. */
static pc_status read_multiline(pci_collect *c)
{
    while (next_line(c)) {
        uint32_t vertex;
        bool found;
        uint64_t degree;
        pci_column column, more;
        const char *line = c->at;
        pc_status status = next_vertex(c, &vertex, &found);
        if (status)
            return status;
        if (!pci_column_next(&c->words, &column) || pci_column_next(&c->words, &more) ||
            pci_integer_parse(column.text, column.length, &degree) != PCI_INTEGER)
            return pci_collect_fail(c,
                                    "a vertex and the number of its neighbours are expected here");
        for (; degree > 0; degree--) {
            if (!next_line(c))
                return pci_input_fail(c->input, line,
                                      "the file ends before the neighbours of this vertex");
            if ((status = take_neighbour(c, vertex)))
                return status;
        }
    }
    return PC_OK;
}

pc_status pci_adjacency_list_read(pci_collect *c)
{
    const pci_reading *how = c->input->reading;
    c->next += how->n_passed_bytes;
    c->separator = how->separator;
    c->stated = how->stated;
    return how->kind == PCI_LISTS_LINES ? read_multiline(c) : read_neighbours(c, how->arrow, false);
}

/* "vertex", or "vertex relation neighbour ..."; tabs separate columns where the text has one. */
pc_status pci_sif_read(pci_collect *c)
{
    pci_head head = pci_head_of(c->input, c->next);
    c->separator = memchr(c->next, '\t', (size_t)(head.end - c->next)) ? '\t' : ' ';
    return read_neighbours(c, "", true);
}

/* ---- METIS and Chaco -------------------------------------------------------------------------- */

/* "vertices edges [format [weights of a vertex]]", then a line for each vertex with its neighbours, numbered from 1. A
 * digit of the format says what each line has besides: 1 a weight behind each neighbour, 10 weights of the vertex, 100
 * its size. Each edge is there twice, once in the line of each end. */
typedef struct metis {
    uint64_t n_edges, n_before; /* numbers before the neighbours */
    bool has_weights;
    uint64_t n_ends;  /* neighbours so far */
    uint64_t balance; /* of hashes: 0 when each edge is in the lines of both its ends */
} metis;

/* The next number of the line; *found is false at its end. A format may begin by zeros: "001". */
static pc_status next_number(pci_collect *c, uint64_t *number, bool *found)
{
    pci_column column;
    *found = pci_column_next(&c->words, &column);
    size_t n_zeros = 0;
    while (*found && n_zeros + 1 < column.length && column.text[n_zeros] == '0')
        n_zeros++;
    if (!*found ||
        pci_integer_parse(column.text + n_zeros, column.length - n_zeros, number) == PCI_INTEGER)
        return PC_OK;
    return pci_collect_fail(c, "'%.*s' is not an integer from 0 on",
                            column.length < 40 ? (int)column.length : 40, column.text);
}

static pc_status read_metis_head(pci_collect *c, metis *m)
{
    enum { MOST_VERTEX_WEIGHTS = 1000 };
    uint64_t number[4] = {0, 0, 0, 1};
    size_t n = 0;
    pci_column more;
    if (!pci_collect_line(c, "#%", false))
        return pci_input_fail_at(c->input, c->input->n_all,
                                 "no vertices: the file has only comments and blank lines");
    for (bool found = true; found && n < 4; n += found) {
        pc_status status = next_number(c, &number[n], &found);
        if (status)
            return status;
    }
    uint64_t format = number[2];
    if (n < 2 || format > 111 || format % 10 > 1 || format / 10 % 10 > 1 ||
        number[3] > MOST_VERTEX_WEIGHTS || pci_column_next(&c->words, &more))
        return pci_collect_fail(
            c, "the first line of METIS is 'vertices edges [format [weights]]', where the "
               "format is up to three digits 0 or 1; --format edges reads edge lists");
    m->n_edges = number[1];
    m->has_weights = format % 10 == 1;
    m->n_before = format / 100 + (format / 10 % 10 == 1 ? number[3] : 0);
    return pci_collect_number(c, c->at, 1, number[0]);
}

static pc_status take_metis_line(pci_collect *c, metis *m, uint32_t vertex)
{
    uint64_t number, weight = 1;
    uint32_t neighbour;
    bool found = true;
    pc_status status;
    for (uint64_t i = 0; i < m->n_before; i++)
        if ((status = next_number(c, &number, &found)) || !found)
            return status ? status
                          : pci_collect_fail(c, "the line ends before the weights of its vertex");
    while ((status = next_number(c, &number, &found)) == PC_OK && found) {
        if (m->has_weights && (status = next_number(c, &weight, &found)))
            return status;
        if (!found)
            return pci_collect_fail(
                c, "a neighbour has no weight, which the format in the first line promises");
        if ((status = pci_collect_numbered(c, number, &neighbour)))
            return status;
        if (neighbour == vertex)
            return pci_collect_fail(c, "a vertex is its own neighbour: METIS has no loops");
        m->n_ends++;
        uint64_t low = vertex < neighbour ? vertex : neighbour;
        uint64_t hash = pci_scramble(pci_scramble(low << 32 | (vertex ^ neighbour ^ low)) + weight);
        m->balance += vertex == low ? hash : -hash;
        uint64_t taken = pci_collect_takes_weights(c) ? weight : 1; /* 0 is an edge else, too */
        if (vertex == low &&
            (status = pci_collect_edge(c, vertex, neighbour, m->has_weights ? &taken : NULL)))
            return status;
    }
    return status;
}

pc_status pci_metis_read(pci_collect *c)
{
    metis m = {0};
    c->stated = PC_UNDIRECTED;
    pc_status status = read_metis_head(c, &m);
    if (status)
        return status;
    const char *head = c->at;
    uint64_t n = c->n_vertices, vertex = 0;
    for (; vertex < n && pci_collect_line(c, "#%", true); vertex++)
        if ((status = take_metis_line(c, &m, (uint32_t)vertex)))
            return status;
    if (vertex < n && m.n_ends != 2 * m.n_edges) /* else those at the end have no neighbours */
        return pci_input_fail(c->input, head,
                              "%" PRIu64 " vertices promised, and there are lines for %" PRIu64, n,
                              vertex);
    if (pci_collect_line(c, "#%", false))
        return pci_collect_fail(c, "more lines than vertices: the first line states their number");
    if (m.n_ends != 2 * m.n_edges)
        return pci_input_fail(c->input, head,
                              "%" PRIu64 " edges promised, each in two lines, and the lines have "
                              "%" PRIu64 " neighbours",
                              m.n_edges, m.n_ends);
    if (m.balance != 0)
        return pci_input_fail(
            c->input, head,
            "not every edge is in the lines of both its ends with the same weight: "
            "METIS has undirected graphs; --format adjlist reads lines 'vertex "
            "neighbour ...'");
    return PC_OK;
}

/* ---- DIMACS ----------------------------------------------------------------------------------- */

/* Lines begin by a letter. c is a comment, "p KIND vertices edges" comes first, "a from to weight" is an arc, "e u v"
 * an edge; n, d, v and x say other things about vertices. In the files of the PACE challenge, of kind tw and the like,
 * an edge is "u v" alone. */
typedef struct problem {
    const char *name;
    pc_direction direction;
    char letter; /* of a line of an edge; 0: it has none */
} problem;

static const problem problems[] = {
    {"sp", PC_DIRECTED, 'a'},      {"max", PC_DIRECTED, 'a'},   {"edge", PC_UNDIRECTED, 'e'},
    {"edges", PC_UNDIRECTED, 'e'}, {"col", PC_UNDIRECTED, 'e'}, {"tw", PC_UNDIRECTED, 0},
    {"td", PC_UNDIRECTED, 0},      {"ds", PC_UNDIRECTED, 0},    {"vc", PC_UNDIRECTED, 0},
};

static bool is_integer(const pci_column *column, uint64_t *value)
{
    return pci_integer_parse(column->text, column->length, value) == PCI_INTEGER;
}

/* "p sp 4 5" */
static pc_status take_problem(pci_collect *c, const pci_column *column, size_t n,
                              const problem **problem, uint64_t *n_promised)
{
    uint64_t n_vertices;
    if (*problem)
        return pci_collect_fail(c, "a second line p: a file has one graph");
    for (size_t i = 0; i < sizeof problems / sizeof *problems && n > 1; i++)
        if (pci_is_word_any_case(column[1].text, column[1].length, problems[i].name))
            *problem = &problems[i];
    if (!*problem)
        return pci_collect_fail(
            c, "this kind of problem of DIMACS is not read: sp, max, edge, col and tw are read, as "
               "in 'p edge VERTICES EDGES'");
    if (n != 4 || !is_integer(&column[2], &n_vertices) || !is_integer(&column[3], n_promised))
        return pci_collect_fail(c, "the line p is not 'p KIND VERTICES EDGES'");
    c->stated = (*problem)->direction;
    return pci_collect_number(c, c->at, 1, n_vertices);
}

/* Two ends, perhaps a weight behind. */
static pc_status take_edge(pci_collect *c, const pci_column *column, size_t n)
{
    uint64_t from, to, weight;
    uint32_t vertex[2];
    bool has_weight = n == 3;
    pc_status status;
    if (n < 2 || n > 3 || !is_integer(&column[0], &from) || !is_integer(&column[1], &to))
        return pci_collect_fail(c,
                                "an edge is two vertices and perhaps a weight, behind its letter");
    if ((status = pci_collect_numbered(c, from, &vertex[0])) ||
        (status = pci_collect_numbered(c, to, &vertex[1])) ||
        (has_weight && (status = pci_collect_weight(c, column[2].text, column[2].length, &weight))))
        return status;
    if (has_weight && !pci_collect_takes_weights(c))
        weight = 1; /* an edge of weight 0 is one where weights are not taken */
    return pci_collect_edge(c, vertex[0], vertex[1], has_weight ? &weight : NULL);
}

pc_status pci_dimacs_read(pci_collect *c)
{
    enum { MOST_COLUMNS = 5 };
    static const char no_problem[] = "no line 'p KIND VERTICES EDGES'";
    const problem *problem = NULL;
    const char *problem_at = NULL;
    uint64_t n_promised = 0;
    while (pci_collect_line(c, "", false)) {
        pci_column column[MOST_COLUMNS];
        size_t n = 0;
        while (n < MOST_COLUMNS && pci_column_next(&c->words, &column[n]))
            n++;
        char letter = n > 0 && column[0].length == 1 ? *column[0].text : 0;
        pc_status status = PC_OK;
        if (letter == 'p') {
            problem_at = c->at;
            status = take_problem(c, column, n, &problem, &n_promised);
        } else if (!problem && letter != 'c') {
            status = pci_collect_fail(c, "%s before this one, as DIMACS has it", no_problem);
        } else if (letter != 'c' && (!problem->letter || letter == problem->letter)) {
            size_t first = problem->letter != 0;
            status = take_edge(c, column + first, n - first);
        } else if (!letter || !memchr("cndvx", letter, 5)) {
            status = pci_collect_fail(
                c, "a line of no known kind: edges begin by e, arcs by a, comments by c");
        }
        if (status)
            return status;
    }
    if (!problem)
        return pci_input_fail_at(c->input, c->input->n_all, "%s, as DIMACS has it", no_problem);
    return c->n_edges == n_promised
               ? PC_OK
               : pci_input_fail(c->input, problem_at,
                                "%" PRIu64 " edges promised, and there are %" PRIu64
                                ": when the file is whole, correct this number",
                                n_promised, c->n_edges);
}
