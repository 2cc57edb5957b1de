/* The reader of edge lists against a plain one, which is written here from the manual and shares no code with
 * it: both accept a text, and give the same labels and the same matrix, or both refuse it. The plain one
 * says of some texts that it does not know: those with quotes, with comments behind columns, with comments
 * that state facts, with a first line that may be a header, and with weights such as 1e3.
 *
 * The first byte chooses options and threads, the rest is the text. */
#include "io/read.h"
#include "tests/fuzz/fuzz.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 3, MOST_TEXT = 4096 };

typedef enum verdict { ACCEPTED, REFUSED, UNKNOWN } verdict;

typedef struct column {
    const char *at;
    size_t length;
} column;

typedef struct edge {
    size_t from, to; /* numbers of labels */
    uint64_t weight;
    bool has_weight;
} edge;

/* What was read. */
typedef struct list {
    const pc_graph_options *options;
    column label[2 * MOST_TEXT];
    size_t n_labels;
    edge edge[MOST_TEXT];
    size_t n_edges;
    size_t n_first_columns; /* of the first line of an edge */
} list;

/* ---- Columns --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_integer_text(column c)
{
    for (size_t i = 0; i < c.length; i++)
        if (!isdigit((unsigned char)c.at[i]))
            return false;
    return c.length > 0 && (c.length == 1 || c.at[0] != '0');
}

/* An integer of 0..2^64-1; false when it is larger. */
static bool fits(column c)
{
    static const char most[] = "18446744073709551615";
    size_t n = sizeof most - 1;
    return c.length < n || (c.length == n && memcmp(c.at, most, n) <= 0);
}

static uint64_t value_of(column c)
{
    uint64_t value = 0;
    for (size_t i = 0; i < c.length; i++)
        value = 10 * value + (uint64_t)(c.at[i] - '0');
    return value;
}

/* A tab separates, but one in blanks beside a comma does not; else a comma; else blanks. */
static char find_separator(const char *line, const char *end)
{
    char separator = ' ';
    for (const char *at = line; at < end; at++) {
        if (*at == ',' && separator == ' ')
            separator = ',';
        if (*at != '\t')
            continue;
        const char *before = at, *behind = at;
        while (before > line && is_blank(*before))
            before--;
        while (behind < end && is_blank(*behind))
            behind++;
        if (*before != ',' && (behind == end || *behind != ','))
            return '\t';
    }
    return separator;
}

static bool ends_column(const char *at, char separator)
{
    return separator == ' ' ? is_blank(*at) : *at == separator;
}

/* "1 2,3": a number with more words in the same column has no clear meaning. */
static bool is_unclear(column c)
{
    size_t n = 0;
    while (n < c.length && !is_blank(c.at[n]) && c.at[n] != ',')
        n++;
    return n < c.length && is_integer_text((column){c.at, n});
}

/* Splits a line without blanks at its ends. Returns the number of columns, 0 when it is to be refused. */
static size_t split(const char *at, const char *end, column found[MOST_COLUMNS], bool *has_gap)
{
    char separator = find_separator(at, end);
    size_t n = 0;
    *has_gap = false;
    for (;;) {
        const char *begin = at;
        while (at < end && !ends_column(at, separator))
            at++;
        const char *behind = at;
        while (behind > begin && is_blank(behind[-1]))
            behind--;
        if (n == MOST_COLUMNS || behind == begin)
            return 0;
        found[n] = (column){begin, (size_t)(behind - begin)};
        if (separator != ' ' && is_unclear(found[n]))
            return 0;
        n++;
        if (at == end)
            return n;
        size_t n_tabs = 0;
        for (at += separator == ','; at < end && is_blank(*at); at++)
            n_tabs += *at == '\t';
        *has_gap = *has_gap || (separator == '\t' && n_tabs > 1);
    }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static size_t find_label(list *all, column label)
{
    size_t i = 0;
    while (i < all->n_labels && (all->label[i].length != label.length ||
                                 memcmp(all->label[i].at, label.at, label.length) != 0))
        i++;
    if (i == all->n_labels)
        all->label[all->n_labels++] = label;
    return i;
}

static verdict take_weight(const list *all, column weight, edge *taken)
{
    bool has_digit = false, is_number = true;
    for (size_t i = 0; i < weight.length; i++) {
        has_digit = has_digit || isdigit((unsigned char)weight.at[i]);
        is_number = is_number && isdigit((unsigned char)weight.at[i]);
    }
    if (weight.length == 2 && memcmp(weight.at, "{}", 2) == 0)
        return ACCEPTED; /* NetworkX: no attributes */
    if (!has_digit)
        return REFUSED;
    if (!is_number || weight.length > 18)
        return UNKNOWN;
    taken->has_weight = true;
    taken->weight = value_of(weight);
    if (!all->options->weights)
        taken->weight = taken->weight > 0;
    return ACCEPTED;
}

/* Whether the first line of an edge may be taken for a header, or for the begin of a table. */
static bool may_be_header(const char *line, const column *columns, size_t n)
{
    bool has_number = false;
    if (is_blank(*line) || *columns[0].at == ',')
        return true;
    for (size_t c = 0; c < n; c++) {
        has_number = has_number || is_integer_text(columns[c]);
        for (size_t i = 0; i < columns[c].length; i++)
            if (isalpha((unsigned char)columns[c].at[i]) && !strchr("xyz", columns[c].at[i]))
                return true;
    }
    return !has_number;
}

static verdict take_edge(list *all, const char *line, const char *at, const char *end)
{
    column columns[MOST_COLUMNS];
    bool has_gap;
    edge taken = {.weight = 1};
    size_t n = split(at, end, columns, &has_gap);
    if (all->n_edges == 0) {
        all->n_first_columns = n;
        if (n == 0 || may_be_header(line, columns, n))
            return UNKNOWN;
    }
    if (n < 2 || (has_gap && n < all->n_first_columns))
        return REFUSED;
    for (size_t c = 0; c < 2; c++)
        if (is_integer_text(columns[c]) && !fits(columns[c]))
            return REFUSED;
    taken.from = find_label(all, columns[0]);
    taken.to = find_label(all, columns[1]);
    verdict of_weight = n == 3 ? take_weight(all, columns[2], &taken) : ACCEPTED;
    all->edge[all->n_edges++] = taken;
    if (of_weight == ACCEPTED && all->options->weights &&
        taken.has_weight != all->edge[0].has_weight)
        return REFUSED;
    return of_weight;
}

static verdict take_line(list *all, const char *line, const char *end)
{
    const char *at = line;
    if (end > at && end[-1] == '\r')
        end--;
    while (at < end && is_blank(*at))
        at++;
    while (end > at && is_blank(end[-1]))
        end--;
    if (at == end)
        return ACCEPTED;
    bool is_comment = *at == '#' || *at == '%';
    for (const char *c = at; c < end; c++) {
        bool is_word = is_comment && isalpha((unsigned char)*c); /* it may state something */
        if (*c == '\0' || *c == '\r' || *c == '"' || is_word ||
            (!is_comment && (*c == '#' || *c == '%')))
            return UNKNOWN;
    }
    return is_comment ? ACCEPTED : take_edge(all, line, at, end);
}

/* A refusal at a line counts only when no line is unknown, because that may change what the others mean. */
static verdict read_plain(list *all, const char *text, size_t n_bytes)
{
    const char *at = text, *end = text + n_bytes;
    verdict found = ACCEPTED;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        verdict of_line = take_line(all, at, line_end);
        if (of_line == UNKNOWN)
            return UNKNOWN;
        found = of_line == REFUSED ? REFUSED : found;
        at = line_end < end ? line_end + 1 : end;
    }
    return all->n_edges == 0 ? REFUSED : found;
}

/* ---- The matrix ------------------------------------------------------------------------------ */

/* Labels by number if all are integers, else as they came. */
static void order_labels(const list *all, size_t *place)
{
    bool are_integers = true;
    for (size_t i = 0; i < all->n_labels; i++)
        are_integers = are_integers && is_integer_text(all->label[i]);
    for (size_t i = 0; i < all->n_labels; i++) {
        place[i] = are_integers ? 0 : i;
        for (size_t j = 0; j < all->n_labels && are_integers; j++)
            place[i] += value_of(all->label[j]) < value_of(all->label[i]);
    }
}

/* Adds an entry; false when it was there with another weight, or the sum is too large. */
static bool add_entry(const list *all, uint64_t *entry, bool *is_given, uint64_t weight)
{
    if (!*is_given) {
        *is_given = true;
        *entry = weight;
        return true;
    }
    if (all->options->multigraph)
        return !__builtin_add_overflow(*entry, weight, entry);
    return *entry == weight;
}

/* The adjacency matrix [n][n]; false when the edges contradict each other. */
static bool fill_matrix(const list *all, const size_t *place, uint64_t *matrix)
{
    size_t n = all->n_labels;
    bool *is_given = calloc(n * n + 1, sizeof *is_given), is_good = is_given != NULL;
    if (!is_given)
        fuzz_fail("no memory");
    for (size_t e = 0; e < all->n_edges && is_good; e++) {
        const edge *its = &all->edge[e];
        size_t u = place[its->from], v = place[its->to];
        if (its->weight == 0 && !all->options->weights)
            continue;
        is_good = add_entry(all, &matrix[u * n + v], &is_given[u * n + v], its->weight);
        if (is_good && u != v && all->options->direction != PC_DIRECTED)
            is_good = add_entry(all, &matrix[v * n + u], &is_given[v * n + u], its->weight);
    }
    free(is_given);
    return is_good;
}

static void compare(const list *all, const size_t *place, const uint64_t *matrix,
                    const pc_graph *graph)
{
    size_t n = all->n_labels;
    uint64_t n_entries = 0;
    pc_arcs arcs;
    if (pc_graph_n_vertices(graph) != n)
        fuzz_fail("%" PRIu64 " vertices, and %zu labels", pc_graph_n_vertices(graph), n);
    for (size_t i = 0; i < n; i++) {
        char label[MOST_TEXT + 1];
        size_t length = pc_labels_text(pc_graph_labels(graph), place[i], label, sizeof label);
        if (length != all->label[i].length || memcmp(label, all->label[i].at, length) != 0)
            fuzz_fail("label %zu is '%s'", place[i], label);
    }
    for (size_t i = 0; i < n * n; i++)
        n_entries += matrix[i] > 0;
    pc_graph_arcs(graph, &arcs);
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++)
            if (matrix[row * n + arcs.column[a]] != (arcs.weight ? arcs.weight[a] : 1))
                fuzz_fail("entry %" PRIu64 ", %" PRIu32, row, arcs.column[a]);
    if (arcs.row_start[n] != n_entries)
        fuzz_fail("%" PRIu64 " arcs, and %" PRIu64 " entries", arcs.row_start[n], n_entries);
}

/* ---- Both ------------------------------------------------------------------------------------ */

static void check(const list *all, verdict of_plain, const pc_context *context, pc_status status,
                  const pc_graph *graph)
{
    size_t n = all->n_labels, *place = calloc(n + 1, sizeof *place);
    uint64_t *matrix = calloc(n * n + 1, sizeof *matrix);
    if (!place || !matrix)
        fuzz_fail("no memory");
    order_labels(all, place);
    if (of_plain == ACCEPTED && !fill_matrix(all, place, matrix))
        of_plain = REFUSED;
    if (of_plain == REFUSED && status == PC_OK)
        fuzz_fail("accepted, and the plain reader refuses");
    if (of_plain == ACCEPTED && status != PC_OK)
        fuzz_fail("refused, and the plain reader accepts: %s", pc_context_message(context));
    if (of_plain == ACCEPTED)
        compare(all, place, matrix, graph);
    free(matrix);
    free(place);
}

FUZZ(edge_list_plain)
{
    static list all;
    fuzz_input rest = {data, size};
    uint8_t choice = fuzz_byte(&rest);
    const pc_graph_options options = {.direction = choice & 1 ? PC_DIRECTED : PC_UNDIRECTED,
                                      .weights = choice >> 1 & 1,
                                      .multigraph = choice >> 2 & 1};
    if (rest.size > MOST_TEXT / 8) /* the plain reader takes the square of it */
        return;
    char *text = fuzz_text(&rest);
    all.options = &options;
    all.n_labels = all.n_edges = 0;
    verdict of_plain =
        rest.size > 2 && (memcmp(text, "\xef\xbb\xbf", 3) == 0 || (unsigned char)text[0] >= 0xfe)
            ? UNKNOWN
            : read_plain(&all, text, rest.size);
    pc_context *context = fuzz_context(choice & 8 ? 3 : 1);
    pci_input input = pci_input_from_text(context, "fuzz", text, rest.size);
    pc_graph *graph = NULL;
    pc_status status = pci_graph_read_input(&input, PC_FORMAT_EDGE_LIST, &options, &graph);
    fuzz_check_status(context, status, graph);
    if (of_plain != UNKNOWN)
        check(&all, of_plain, context, status, graph);
    pc_graph_free(graph);
    pc_context_free(context);
    free(text);
}
