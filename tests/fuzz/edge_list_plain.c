/* The reader of edge lists against a plain one, which is written here from the manual and shares no code with
 * it: where both accept a text they give the same labels and the same matrix, and what the plain one refuses is refused.
 * The reader may ask which of several readings is meant. The plain one knows lists whose lines are alike: as many columns, the
 * same separator, labels of letters and digits. It says of all other texts that it does not know.
 *
 * The first byte chooses options and threads, the rest is the text. */
#include "io/readers.h"
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
} edge;

/* What was read. */
typedef struct list {
    const pc_graph_options *options;
    column label[2 * MOST_TEXT];
    size_t n_labels;
    edge edge[MOST_TEXT];
    size_t n_edges;
    size_t n_columns; /* of the first line of an edge, as its separator */
    char separator;
} list;

/* ---- Columns --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* An integer of 0..2^64-1, without zeros before it. Larger ones are words. */
static bool is_integer_text(column c)
{
    static const char most[] = "18446744073709551615";
    size_t n = sizeof most - 1;
    for (size_t i = 0; i < c.length; i++)
        if (!isdigit((unsigned char)c.at[i]))
            return false;
    return c.length > 0 && (c.length == 1 || c.at[0] != '0') &&
           (c.length < n || (c.length == n && memcmp(c.at, most, n) <= 0));
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

/* Splits a line without blanks at its ends. Returns the number of columns, 0 when the line is not plain. */
static size_t split(const char *at, const char *end, char separator, column found[MOST_COLUMNS])
{
    for (size_t n = 0;; n++) {
        const char *begin = at;
        while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
            at++;
        if (n == MOST_COLUMNS || at == begin)
            return 0;
        found[n] = (column){begin, (size_t)(at - begin)};
        if (at == end)
            return n + 1;
        size_t n_commas = 0, n_tabs = 0;
        for (; at < end && (is_blank(*at) || *at == ','); at++) {
            n_commas += *at == ',';
            n_tabs += *at == '\t';
        }
        if (n_commas != (separator == ',') || (n_tabs > 0) != (separator == '\t') || n_tabs > 1)
            return 0;
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

/* Weights from 10^8 on could be times. */
static verdict take_weight(const list *all, column weight, edge *taken)
{
    enum { MOST_DIGITS = 8 };
    if (!is_integer_text(weight) || weight.length > MOST_DIGITS)
        return UNKNOWN;
    taken->weight = all->options->weights ? value_of(weight) : 1;
    return ACCEPTED;
}

static verdict take_edge(list *all, const char *line, const char *at, const char *end)
{
    column columns[MOST_COLUMNS];
    edge taken = {.weight = 1};
    char separator = find_separator(at, end);
    size_t n = split(at, end, separator, columns);
    if (all->n_edges == 0) {
        all->n_columns = n;
        all->separator = separator;
        if (n == 1 || is_blank(*line))
            return UNKNOWN; /* a line of a size, or an empty first column */
    }
    if (n == 1 && all->n_edges > 0)
        return REFUSED;
    if (n < 2 || n != all->n_columns || separator != all->separator)
        return UNKNOWN;
    taken.from = find_label(all, columns[0]);
    taken.to = find_label(all, columns[1]);
    verdict of_weight = n == 3 ? take_weight(all, columns[2], &taken) : ACCEPTED;
    all->edge[all->n_edges++] = taken;
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
    bool lacks_weights = all->options->weights && all->n_columns == 2;
    return all->n_edges == 0 || lacks_weights ? REFUSED : found;
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
    bool asks = status == PC_ERR_DATA && strchr(pc_context_message(context), '?');
    if (of_plain == ACCEPTED && status != PC_OK && !asks)
        fuzz_fail("refused, and the plain reader accepts: %s", pc_context_message(context));
    if (of_plain == ACCEPTED && status == PC_OK)
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
                                      .multigraph = choice >> 2 & 1,
                                      .header = PC_HEADER_NONE};
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
