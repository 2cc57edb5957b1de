/* The first lines of an edge list: comments that state facts, headers, other formats. */
#include "io/edge_list.h"

#include "graphs/labels.h"
#include "io/line.h"
#include "io/multiplicity.h"
#include "io/other_formats.h"
#include "io/text.h"
#include "src/core/letters.h"

#include <ctype.h>

enum { HEAD_BYTES = 1 << 16, MOST_NAMES = 16, NAME_BYTES = 24 };

/* The first whole lines, at most HEAD_BYTES; none when the first one is longer. */
static pci_head find_head(const pci_input *input, const char *begin)
{
    const char *end = input->text + input->n_bytes;
    pci_head head = {begin, end, true};
    if (end - begin <= HEAD_BYTES)
        return head;
    head.is_whole = false;
    head.end = begin + HEAD_BYTES;
    while (head.end > begin && head.end[-1] != '\n')
        head.end--;
    return head;
}

/* ---- Comments that state facts --------------------------------------------------------------- */

/* KONECT begins a file by "% sym positive", "% asym unweighted" or "% bip weighted". */
static bool is_konect(const char *line, const char *end, const char *word)
{
    const char *word_end = line + strlen(word);
    return pci_begins_with(line, end, word) && word_end < end && *word_end == ' ';
}

/* A comment that states a direction, in the words of KONECT (first line only) and SNAP. */
static pc_direction stated_direction(const char *line, const char *end, bool is_first)
{
    if (is_first && is_konect(line, end, "% asym"))
        return PC_DIRECTED;
    if ((is_first && is_konect(line, end, "% sym")) ||
        pci_begins_with(line, end, "# Undirected graph"))
        return PC_UNDIRECTED;
    return pci_begins_with(line, end, "# Directed graph") ? PC_DIRECTED : PC_DIRECTION_OF_FORMAT;
}

static pc_status read_comments(const pci_input *input, const pci_head *head, pci_edge_list_use use,
                               pci_edge_list_head *found)
{
    const char *at = head->begin, *line, *end;
    for (bool first = true; pci_head_line(head, &at, &line, &end); first = false) {
        bool is_good = true;
        if (line == end)
            continue;
        if (*line != '#' && *line != '%')
            break;
        if (pci_head_comment_parse(line + 1, end, &found->stated, &is_good)) {
            found->has_head_comment = true;
            if (is_good)
                return PC_OK;
            return pci_input_fail(
                input, line,
                "what the head comment of pathcount states cannot be read; it is "
                "for example '# pathcount graph: directed, weights, 10 vertices'");
        }
        if (first && use == PCI_GUESSED_GRAPH && is_konect(line, end, "% bip"))
            return pci_input_fail(
                input, line,
                "the file says that it is bipartite: its two columns number "
                "different vertices; 'pathcount chain FILE FILE^T' keeps them apart, "
                "and --format edges takes equal numbers for the same vertex");
        if (found->stated.direction == PC_DIRECTION_OF_FORMAT)
            found->stated.direction = stated_direction(line, end, first);
    }
    return PC_OK;
}

/* ---- Names of columns ------------------------------------------------------------------------ */

/* Names of the two ends of an edge, in small letters and digits. */
static const char *const known_names[][2] = {
    {"source", "target"},
    {"sourceid", "targetid"},
    {"sourcenode", "targetnode"},
    {"source", "dest"},
    {"src", "dst"},
    {"src", "dest"},
    {"source", "destination"},
    {"origin", "destination"},
    {"from", "to"},
    {"fromid", "toid"},
    {"fromnode", "tonode"},
    {"fromnodeid", "tonodeid"},
    {"startid", "endid"},
    {"startnode", "endnode"},
    {"start", "end"},
    {"node1", "node2"},
    {"nodeid1", "nodeid2"},
    {"id1", "id2"},
    {"vertex1", "vertex2"},
    {"v1", "v2"},
    {"n1", "n2"},
    {"user1", "user2"},
    {"tail", "head"},
    {"u", "v"},
    {"i", "j"},
};
enum { N_KNOWN_NAMES = sizeof known_names / sizeof *known_names };

typedef struct names {
    char name[MOST_NAMES][NAME_BYTES]; /* small letters and digits */
    size_t n;
} names;

/* Neo4j writes "id:START_ID(Person)". */
static void add_name(names *all, const char *at, const char *end)
{
    if (all->n == MOST_NAMES)
        return;
    char *name = all->name[all->n++];
    size_t n = 0;
    for (; at < end && *at != '('; at++) {
        if (*at == ':' && at + 1 < end)
            n = 0;
        else if (pci_is_letter_or_digit(*at) && n < NAME_BYTES - 1)
            name[n++] = pci_lower(*at);
    }
    name[n] = 0;
}

/* Reads all columns of a line, empty ones too. The separator is found more simply than in other
 * lines, since names have neither tabs nor commas. */
static names read_names(const char *line, const char *line_begin, const char *end)
{
    names all = {.n = 0};
    size_t n_bytes = (size_t)(end - line);
    char separator = memchr(line, '\t', n_bytes) ? '\t' : memchr(line, ',', n_bytes) ? ',' : ' ';
    if (*line_begin == '\t') { /* the first column is empty */
        line = line_begin;
        separator = '\t';
    }
    while (line < end) {
        const char *column_end = memchr(line, separator, (size_t)(end - line));
        column_end = column_end ? column_end : end;
        if (separator != ' ' || column_end > line)
            add_name(&all, line, column_end);
        line = column_end + 1;
    }
    return all;
}

/* Finds the columns of a pair of known names; false when there is none. */
static bool find_known(const names *all, size_t *from, size_t *to)
{
    for (size_t k = 0; k < N_KNOWN_NAMES; k++) {
        *from = *to = all->n;
        for (size_t i = all->n; i > 0; i--) {
            *from = strcmp(all->name[i - 1], known_names[k][0]) == 0 ? i - 1 : *from;
            *to = strcmp(all->name[i - 1], known_names[k][1]) == 0 ? i - 1 : *to;
        }
        if (*from < all->n && *to < all->n)
            return true;
    }
    return false;
}

/* ---- Headers --------------------------------------------------------------------------------- */

static bool is_number(const pci_line *line, size_t column)
{
    uint64_t value;
    return pci_multiplicity_parse(line->column[column], line->length[column], &value) !=
           PCI_NO_NUMBER;
}

static bool is_integer(const pci_line *line, size_t column)
{
    uint64_t value;
    return pci_integer_parse(line->column[column], line->length[column], &value) != PCI_NOT_INTEGER;
}

static size_t stem_length(const pci_line *line, size_t column)
{
    size_t length = line->length[column];
    while (length > 0 && isdigit((unsigned char)line->column[column][length - 1]))
        length--;
    return length;
}

/* Whether two labels are equal but for a number at their end: when there is a vertex v3, v1 is also
 * one. */
static bool are_alike(const pci_line *a, size_t i, const pci_line *b, size_t j)
{
    size_t length = stem_length(a, i);
    return length > 0 && length == stem_length(b, j) &&
           (length < a->length[i]) == (length < b->length[j]) &&
           memcmp(a->column[i], b->column[j], length) == 0;
}

/* What the lines behind the first one show. */
typedef struct rows {
    size_t n_columns; /* of the first of them; 0: there is none, or it cannot be split */
    bool are_integers;
    bool has_names_again; /* a label of the first line, or one like it, is a label here */
} rows;

static rows read_rows(const pci_head *head, const char *at, const pci_line *first)
{
    rows found = {.are_integers = true};
    const char *begin, *end;
    for (bool is_first = true; pci_head_data_line(head, &at, &begin, &end); is_first = false) {
        pci_line line;
        pci_flaw flaw;
        if (!pci_line_split(begin, end, PCI_EDGE_LIST_LINES, &line, &flaw) || line.n_columns < 2)
            continue;
        found.n_columns = is_first ? line.n_columns : found.n_columns;
        for (size_t c = 0; c < 2; c++) {
            found.are_integers = found.are_integers && is_integer(&line, c);
            for (size_t f = 0; f < 2 && first->n_columns >= 2; f++)
                found.has_names_again = found.has_names_again || are_alike(first, f, &line, c);
        }
    }
    return found;
}

/* Whether the first line has no number and all labels behind it are integers. */
static bool is_text_over_integers(const pci_line *first, const rows *behind)
{
    if (first->n_columns < 2 || behind->n_columns == 0 || !behind->are_integers)
        return false;
    for (size_t c = 0; c < first->n_columns; c++)
        if (is_number(first, c) || is_integer(first, c))
            return false;
    return true;
}

static void keep_header(const char *line, const char *end, pci_edge_list_head *found)
{
    size_t length = (size_t)(end - line);
    size_t n = length < PCI_HEADER_BYTES - 4 ? length : PCI_HEADER_BYTES - 4;
    for (size_t i = 0; i < n; i++) /* control characters could confuse a terminal */
        found->header[i] = (unsigned char)line[i] < ' ' || line[i] == 0x7f ? ' ' : line[i];
    memcpy(found->header + n, n < length ? "..." : "", n < length ? 4 : 1);
}

/* A header must say what pathcount reads: from, to, and perhaps a weight. */
static const char *find_header_fault(const names *all, size_t from, size_t to, const rows *behind)
{
    if (all->n > 0 && *all->name[0] == 0 && from == 1 && to == 2)
        return "a first column without a name, that of row names: write the file without it "
               "(pandas: index=False, R: row.names=FALSE)";
    if (from != 0 || to != 1)
        return "the header names the ends of an edge, but not as the first two columns in this "
               "order: pathcount reads 'from to [weight]', so move these columns to the front";
    if (all->n > PCI_MAX_COLUMNS)
        return "the header names more than 3 columns: pathcount reads 'from to [weight]', so keep "
               "these";
    if (behind->n_columns > all->n)
        return "the header has fewer columns than the lines behind it, as R writes row names: "
               "write the file without them (row.names=FALSE)";
    return NULL;
}

/* A table has its labels in the first line behind an empty corner, and in the first column. */
static bool is_table(const pci_head *head, const char *at, const char *line, const names *first)
{
    const char *begin, *end, *next = at;
    if ((*line != '\t' && *line != ',') || !pci_head_data_line(head, &at, &begin, &end) ||
        (begin > next && *next == '\t') || *begin == ',')
        return false;
    return read_names(begin, begin, end).n == first->n;
}

static pc_status find_header(const pci_input *input, const pci_head *head,
                             pci_edge_list_head *found)
{
    const char *at = head->begin, *begin = at, *line = at, *end = at;
    size_t from, to;
    pci_line first;
    pci_flaw flaw;
    do
        begin = at;
    while (pci_head_line(head, &at, &line, &end) && (line == end || *line == '#' || *line == '%'));
    if (line == end || *line == '#' || *line == '%')
        return PC_OK;
    names all = read_names(line, begin, end);
    bool splits = pci_line_split(line, end, PCI_EDGE_LIST_LINES, &first, &flaw);
    rows behind = read_rows(head, at, &first);
    bool is_known = find_known(&all, &from, &to) && !behind.has_names_again;
    bool is_edge = is_known && behind.n_columns == 0 && all.name[from][1] == 0;
    if (!is_known && is_table(head, at, begin, &all))
        return pci_input_fail(input, line,
                              "this looks like a table with labels in its first line and column: "
                              "pathcount reads matrices as Matrix Market (.mtx)");
    found->n_columns = splits ? first.n_columns : 0;
    if (is_edge || (!is_known && (!splits || !is_text_over_integers(&first, &behind))))
        return PC_OK;
    if (!is_known)
        from = 0, to = 1;
    const char *fault = find_header_fault(&all, from, to, &behind);
    if (fault)
        return pci_input_fail(input, line, "%s", fault);
    keep_header(line, end, found);
    found->n_passed_bytes = (size_t)(at - head->begin);
    found->n_columns = behind.n_columns;
    return PC_OK;
}

pc_status pci_edge_list_head_read(const pci_input *input, const char *begin, pci_edge_list_use use,
                                  pci_edge_list_head *found)
{
    pci_edge_list_head made = {0};
    const char *where = begin;
    pci_head head = find_head(input, begin);
    pc_status status = read_comments(input, &head, use, &made);
    if (status == PC_OK && !made.has_head_comment && use != PCI_ASKED_GRAPH) {
        const char *what = pci_other_format_find(&head, &where);
        if (what)
            return pci_input_fail(input, where, "this looks like %s%s", what,
                                  use == PCI_GUESSED_GRAPH
                                      ? " (--format edges reads it as an edge list all the same)"
                                      : "");
    }
    if (status == PC_OK && !made.has_head_comment)
        status = find_header(input, &head, &made);
    if (status == PC_OK)
        *found = made;
    return status;
}
