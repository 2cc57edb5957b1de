/* Matrix Market: the banner, comments, the size line, then one line for each entry. */
#include "io/readers.h"

#include "io/chunks.h"
#include "io/collect.h"
#include "io/sample.h"
#include "io/output.h"
#include "graphs/multiplicity.h"
#include "io/text.h"
#include "src/core/number.h"

#include <inttypes.h>

static const char BANNER[] = "%%MatrixMarket";
static const char HALF_BANNER[] = "%MatrixMarket"; /* as a format of printf leaves it */

static const pci_columns entry_columns = {.separator = ' ', .are_all = true, .is_plain = true};

typedef struct reader {
    const pci_input *input;
    pc_context *context;
    const pc_graph_options *options;
    pci_window window;    /* on the lines before the entries */
    const char *at;       /* the next line, in the block of the window */
    uint64_t line_at;     /* the byte of the input where the last line began */
    uint64_t first_entry; /* the same of the line after the size line */
    bool take_weights;
    bool has_values; /* a third column */
    bool symmetric;
    bool is_array;  /* every entry has a line, column by column */
    bool any_shape; /* rows and columns are not the same vertices */
    uint64_t n_rows, n_columns, n_entries;
    uint32_t base; /* vertex of index 1 */
    bool is_ours;  /* it has our head comment */
    pci_label_comments comments;
    /* The places of the first entries below and above the diagonal of a symmetric file. */
    uint64_t first_below, first_above;
    pci_chunks chunks;
    pci_edges edges;
} reader;

/* ---- Before the entries ---------------------------------------------------------------------- */

bool pci_matrix_market_begins(const char *text, size_t n_bytes)
{
    return pci_begins_with_any_case(text, text + n_bytes, BANNER) ||
           pci_begins_with_any_case(text, text + n_bytes, HALF_BANNER);
}

/* The next line, without its '\n'. False at the end of the text, and when it cannot be read
 * further. */
static bool next_line(reader *r, const char **begin, const char **end)
{
    if (r->at == r->window.end) {
        pci_window_lines(&r->window);
        r->at = r->window.begin;
    }
    if (!pci_next_line(&r->at, r->window.end, begin, end))
        return false;
    r->line_at = r->window.offset + (uint64_t)(*begin - r->window.begin);
    return true;
}

/* The text has ended too early, or it cannot be read. */
static pc_status fail_end(const reader *r, const char *sentence)
{
    if (r->window.status)
        return pci_input_fail_read(r->input, r->window.status, r->window.error);
    return pci_input_fail_at(r->input, r->input->n_all, "%s", sentence);
}

/* "%%MatrixMarket matrix coordinate|array pattern|integer|real general|symmetric" */
static pc_status parse_banner(reader *r)
{
    enum { BANNER_WORDS = 5, MOST_CHOICES = 6 };
    static const struct {
        const char *words[MOST_CHOICES]; /* those that are read come first */
        int n_read;
        const char *refused; /* why the others are not */
    } banner[BANNER_WORDS] = {
        {{NULL}, 0, ""},
        {{"matrix"}, 1, ""},
        {{"coordinate", "array"}, 2, ""},
        {{"pattern", "integer", "real", "double", "unsigned-integer", "complex"},
         5,
         "counts of paths need integer entries"},
        {{"general", "symmetric", "skew-symmetric", "hermitian"},
         2,
         "an adjacency matrix is general or symmetric"},
    };
    const char *at = "", *end = at;
    pci_column words[BANNER_WORDS];
    int n_words = 0, found[BANNER_WORDS] = {0};
    if (!next_line(r, &at, &end) && r->window.status)
        return pci_input_fail_read(r->input, r->window.status, r->window.error);
    pci_column_cursor cursor = pci_columns_of(at, end, ' ');
    while (n_words < BANNER_WORDS && pci_column_next(&cursor, &words[n_words]))
        n_words++;
    if (n_words == 0 || !pci_matrix_market_begins(words[0].text, (size_t)(end - words[0].text)))
        return pci_input_fail_at(r->input, r->line_at,
                                 "no banner: a Matrix Market file begins with %s", BANNER);
    bool is_half = words[0].text[1] != '%';
    if (n_words < BANNER_WORDS || words[0].length != sizeof BANNER - 1 - is_half)
        return pci_input_fail_at(r->input, r->line_at,
                                 "the banner is not '%s matrix coordinate "
                                 "pattern|integer|real general|symmetric'",
                                 BANNER);
    for (int i = 1; i < BANNER_WORDS; i++) {
        int *n = &found[i];
        while (*n < MOST_CHOICES && banner[i].words[*n] &&
               !pci_is_word_any_case(words[i].text, words[i].length, banner[i].words[*n]))
            ++*n;
        if (*n >= banner[i].n_read)
            return pci_input_fail_at(
                r->input, r->line_at, "'%.*s' in the banner: %s",
                words[i].length < 40 ? (int)words[i].length : 40, words[i].text,
                *n == MOST_CHOICES || !banner[i].words[*n] ? "not a word of Matrix Market"
                                                           : banner[i].refused);
    }
    r->has_values = found[3] > 0;
    r->is_array = found[2] == 1;
    r->symmetric = found[4] == 1;
    return !r->is_array || r->has_values
               ? PC_OK
               : pci_input_fail_at(r->input, r->line_at,
                                   "a pattern in an array: only entries of a "
                                   "coordinate file can have no value");
}

static uint64_t larger_size(const reader *r)
{
    return r->n_rows > r->n_columns ? r->n_rows : r->n_columns;
}

/* A file that we wrote states that its values are multiplicities, and has labels behind that. The banner
 * and the size line state the other facts. */
static pc_status take_comment(reader *r, const char *line, const char *end)
{
    pci_head_comment stated = {0};
    bool is_good;
    end -= end > line && end[-1] == '\r';
    if (line == end || *line != '%')
        return PC_OK;
    if (pci_head_comment_parse(line + 1, end, &stated, &is_good)) {
        r->take_weights = r->take_weights || stated.weights;
        r->is_ours = r->is_ours || is_good;
        return PC_OK;
    }
    return r->is_ours ? pci_label_comments_take(r->context, &r->comments, line, end) : PC_OK;
}

/* Reads comments, blank lines and the size line, and cuts the entries into chunks. */
static pc_status parse_size_line(reader *r)
{
    pci_line line = {0};
    uint64_t *const size[] = {&r->n_rows, &r->n_columns, &r->n_entries};
    size_t n_sizes = r->is_array ? 2 : 3;
    while (line.n_columns == 0) {
        const char *begin, *end;
        pci_flaw flaw;
        if (!next_line(r, &begin, &end))
            return fail_end(r, "the file ends before the size line");
        if (!pci_line_split(&entry_columns, begin, end, &line, &flaw))
            return pci_flaw_report_at(r->input, r->line_at, &flaw);
        pc_status taken = line.n_columns == 0 ? take_comment(r, begin, end) : PC_OK;
        if (taken)
            return taken;
    }
    for (size_t i = 0; i < n_sizes; i++) {
        pci_integer kind = line.n_columns == n_sizes
                               ? pci_integer_parse(line.column[i], line.length[i], size[i])
                               : PCI_NOT_INTEGER;
        if (kind != PCI_INTEGER)
            return pci_input_fail_at(
                r->input, r->line_at, "%s",
                kind == PCI_INTEGER_TOO_BIG ? "a number of the size line is beyond 2^64-1"
                : r->is_array               ? "the size line must be two integers: rows columns"
                              : "the size line must be three integers: rows columns entries");
    }
    r->first_entry = r->window.offset + (uint64_t)(r->at - r->window.begin);
    return pci_chunks_create(r->input, r->first_entry, PCI_MANY_CHUNKS, &r->chunks);
}

static pc_status check_sizes(const reader *r)
{
    uint64_t n_lines = pci_chunks_n_lines(&r->chunks);
    pci_input_join(r->input, PCI_JOIN_SUM, &n_lines, 1);
    if (r->n_rows != r->n_columns && (r->symmetric || !r->any_shape))
        return pci_input_fail_at(
            r->input, r->line_at, "%" PRIu64 " rows and %" PRIu64 " columns: %s matrix is square",
            r->n_rows, r->n_columns, r->any_shape ? "a symmetric" : "an adjacency");
    if (larger_size(r) > PCI_MAX_GRAPH_VERTICES)
        return pci_input_fail_at(
            r->input, r->line_at, "%" PRIu64 " %s: at most %" PRIu64 " are possible",
            larger_size(r), r->n_rows < r->n_columns ? "columns" : "rows", PCI_MAX_GRAPH_VERTICES);
    if (r->n_entries > n_lines)
        return pci_input_fail_at(r->input, r->line_at,
                                 "%" PRIu64 " entries promised, and %" PRIu64 " lines follow",
                                 r->n_entries, n_lines);
    return pci_input_check_stated(r->input, r->line_at, larger_size(r), r->options);
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* Reads a row or column index, from 1 on. False, and *flaw is set, when there is none; the
 * functions below do the same. */
static bool take_index(const reader *r, const pci_line *line, size_t column, uint32_t *vertex,
                       pci_flaw *flaw)
{
    uint64_t index, most = column == 0 ? r->n_rows : r->n_columns;
    pci_integer kind = pci_integer_parse(line->column[column], line->length[column], &index);
    if (kind == PCI_NOT_INTEGER)
        return pci_column_flaw(line, column, "index", "is not an integer from 1 on", flaw);
    if (kind == PCI_INTEGER_TOO_BIG || index > most)
        return pci_column_flaw(line, column, "index", "is beyond the size of the matrix", flaw);
    if (index == 0)
        return pci_column_flaw(line, column, "index", "is out of range: indices begin at 1", flaw);
    *vertex = (uint32_t)(index - 1) + r->base;
    return true;
}

/* Lowers *first to a place; several threads do so. */
static void note_first(uint64_t *first, uint64_t at)
{
    uint64_t now = __atomic_load_n(first, __ATOMIC_RELAXED);
    while (at < now &&
           !__atomic_compare_exchange_n(first, &now, at, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static bool parse_lines(void *user, pci_chunks *chunks, size_t i, const char *at, const char *end)
{
    reader *r = user;
    pci_chunk *chunk = &chunks->chunk[i];
    pci_edge_part *part = &r->edges.parts[i];
    const char *begin, *line_end;
    while (pci_next_line(&at, end, &begin, &line_end)) {
        pci_line line;
        pci_edge edge;
        uint64_t weight = 1;
        if (!pci_line_split(&entry_columns, begin, line_end, &line, &chunk->flaw))
            return false;
        if (line.n_columns == 0)
            continue;
        if (line.n_columns != (r->has_values ? 3 : 2))
            return pci_column_flaw(&line, 0, "entry",
                                   r->has_values ? "is not followed by a column and a value"
                                                 : "is not followed by a column alone",
                                   &chunk->flaw);
        if (!take_index(r, &line, 0, &edge.from, &chunk->flaw) ||
            !take_index(r, &line, 1, &edge.to, &chunk->flaw) ||
            (r->has_values &&
             !pci_line_weight(r->input, &line, 2, r->take_weights, &weight, &chunk->flaw)))
            return false;
        chunk->n_entries++;
        if (r->symmetric && edge.from != edge.to)
            note_first(edge.from > edge.to ? &r->first_below : &r->first_above,
                       pci_chunk_offset(chunk, begin));
        if (weight == 0)
            continue;
        if (!pci_chunk_has_room(chunk, part))
            return false;
        if (part->weight)
            part->weight[part->n_edges] = weight;
        part->edge[part->n_edges++] = edge;
    }
    return true;
}

/* Goes back to the first entry. */
static void rewind_entries(reader *r)
{
    pci_window_move(&r->window, r->first_entry, r->input->n_all);
    r->at = r->window.end;
}

/* A flaw of a line is the first one of all readers: the first reader that has one tells of it. A symmetric file has one
 * triangle; its entries may not be halves of two. */
static pc_status check_entries(reader *r)
{
    pc_status status = pci_input_agree(r->input, pci_chunks_report(&r->chunks));
    if (status)
        return status;
    uint64_t n_found = 0, n = 0, first[] = {r->first_below, r->first_above};
    for (size_t i = 0; i < r->chunks.n_chunks; i++)
        n_found += r->chunks.chunk[i].n_entries;
    pci_input_join(r->input, PCI_JOIN_SUM, &n_found, 1);
    if (n_found == r->n_entries) {
        pci_input_join(r->input, PCI_JOIN_LEAST, first, 2);
        bool is_below = first[0] > first[1];
        if (first[0] == UINT64_MAX || first[1] == UINT64_MAX)
            return PC_OK;
        return pci_input_fail_at(r->input, first[!is_below],
                                 "an entry %s the diagonal, and one before is %s it: a symmetric "
                                 "file has one triangle only",
                                 is_below ? "below" : "above", is_below ? "above" : "below");
    }
    const char *begin, *end;
    rewind_entries(r);
    while (n_found > r->n_entries && n <= r->n_entries && next_line(r, &begin, &end)) {
        pci_line line;
        pci_flaw flaw;
        pci_line_split(&entry_columns, begin, end, &line, &flaw);
        n += line.n_columns > 0;
    }
    return pci_input_fail_at(r->input, n_found > r->n_entries ? r->line_at : r->input->n_all,
                             "the size line promises %" PRIu64 " entries, and there are %" PRIu64,
                             r->n_entries, n_found);
}

/* The file has a label for each vertex of a graph whose number of vertices is not asked for. */
static bool has_labels(const reader *r)
{
    bool is_asked = r->options && r->options->n_vertices > 0;
    return !is_asked && !r->any_shape && !r->is_array && !r->comments.is_broken && r->n_rows > 0 &&
           r->comments.names.n == r->n_rows;
}

/* Vertices 1..n, or 0..n when a number of vertices is asked for. */
static pc_status choose_labels(reader *r, pci_labels *labels)
{
    uint64_t n = larger_size(r), n_vertices = r->options ? r->options->n_vertices : 0;
    if (n_vertices > 0) {
        r->base = 1;
        n = n_vertices > n ? n_vertices : n + 1;
    }
    *labels = pci_labels_range(1 - r->base, n);
    return pci_check_n_vertices(r->context, n);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* Takes the next value of an array, which is entry (i, j). */
static pc_status take_value(reader *r, pci_collect *collect, uint64_t i, uint64_t j)
{
    pci_line line = {0};
    const char *begin, *end;
    uint64_t weight;
    pci_flaw flaw;
    while (line.n_columns == 0) {
        if (!next_line(r, &begin, &end))
            return fail_end(r, "the file ends before the last entry of the array");
        if (!pci_line_split(&entry_columns, begin, end, &line, &flaw))
            return pci_flaw_report_at(r->input, r->line_at, &flaw);
    }
    if (line.n_columns != 1)
        return pci_input_fail_at(r->input, r->line_at,
                                 "more than one number: an array has a line for each entry");
    pci_multiplicity kind = pci_multiplicity_parse(line.column[0], line.length[0], &weight);
    collect->has_others = collect->has_others || kind != PCI_MULTIPLICITY || weight > 1;
    if (!pci_line_weight(r->input, &line, 0, r->take_weights, &weight, &flaw))
        return pci_flaw_report_at(r->input, r->line_at, &flaw);
    return weight == 0
               ? PC_OK
               : pci_collect_edge(collect, (uint32_t)i + r->base, (uint32_t)j + r->base, &weight);
}

/* All entries column by column, of a symmetric array from the diagonal on. */
static pc_status take_values(reader *r, pci_collect *collect)
{
    const char *begin, *end;
    rewind_entries(r);
    for (uint64_t j = 0; j < r->n_columns; j++)
        for (uint64_t i = r->symmetric ? j : 0; i < r->n_rows; i++) {
            pc_status status = take_value(r, collect, i, j);
            if (status)
                return status;
        }
    while (next_line(r, &begin, &end)) {
        begin = pci_skip_blanks(begin, end);
        if (begin < end && *begin != '%' && *begin != '\r')
            return pci_input_fail_at(r->input, r->line_at,
                                     "more entries than the size line states");
    }
    return r->window.status ? pci_input_fail_read(r->input, r->window.status, r->window.error)
                            : PC_OK;
}

static pc_status parse_array(reader *r, pci_graph_draft *draft)
{
    pci_labels labels;
    pc_graph_options options = {.weights = r->take_weights,
                                .direction = r->options ? r->options->direction : 0,
                                .multigraph = r->options && r->options->multigraph};
    pc_status status = choose_labels(r, &labels);
    pci_collect collect = {.input = r->input,
                           .options = &options,
                           .title = "Matrix Market",
                           .is_matrix = true,
                           .stated = r->symmetric ? PC_UNDIRECTED : PC_DIRECTED,
                           .is_numbered = true,
                           .n_vertices = labels.n,
                           .first = labels.first};
    return pci_collect_end(&collect, status ? status : take_values(r, &collect), draft);
}

/* The entries of a coordinate file. */
static pc_status parse_entries(reader *r, pci_graph_draft *draft)
{
    pci_labels labels;
    pc_status status;
    if (has_labels(r) && pci_input_declines(r->input))
        return PC_ERR_DATA;
    if ((status = choose_labels(r, &labels)) ||
        (status = pci_chunks_make_edges(&r->chunks, r->has_values && r->take_weights, &r->edges)))
        status = pci_input_agree(r->input, status);
    else
        status = pci_input_agree(r->input, pci_chunks_parse(&r->chunks, parse_lines, r));
    if (status == PC_OK)
        status = check_entries(r);
    if (status)
        return status;
    *draft = (pci_graph_draft){
        .edges = r->edges,
        .labels = labels,
        .multigraph = r->options && r->options->multigraph,
        .info = {.format = "Matrix Market", .weights_ignored = r->has_values && !r->take_weights}};
    r->edges = (pci_edges){0};
    pci_draft_set_direction(draft, r->symmetric ? PC_UNDIRECTED : PC_DIRECTED, r->options);
    /* Two entries that --undirected makes one edge are not added. */
    bool adds = r->take_weights && (r->symmetric || draft->info.directed);
    draft->multigraph = draft->multigraph || adds;
    if (!has_labels(r))
        return PC_OK;
    uint32_t *vertex_of_name;
    status =
        pci_labels_from_names(r->context, &r->comments.names, 0, &draft->labels, &vertex_of_name);
    if (status)
        pci_draft_free(r->context, draft);
    if (status == PC_OK && vertex_of_name) {
        pci_edges_renumber(r->context, &draft->edges, vertex_of_name);
        pci_free(r->context, vertex_of_name);
    }
    return status;
}

pc_status pci_matrix_market_parse(const pci_input *input, const char *begin,
                                  const pc_graph_options *options, pci_shape *shape,
                                  pci_graph_draft *draft)
{
    reader r = {.input = input,
                .context = input->context,
                .options = options,
                .window = pci_window_on(input),
                .line_at = (uint64_t)(begin - input->text),
                .any_shape = shape != NULL,
                .first_below = UINT64_MAX,
                .first_above = UINT64_MAX,
                .take_weights = options && options->weights};
    pci_window_move(&r.window, r.line_at, input->n_all);
    r.at = r.window.end;
    pc_status status = parse_banner(&r);
    if (status == PC_OK)
        status = parse_size_line(&r);
    status = pci_input_agree(input, status);
    if (status == PC_OK)
        status = check_sizes(&r);
    if (status == PC_OK && r.is_array && pci_input_declines(input))
        status = PC_ERR_DATA;
    if (status == PC_OK)
        status = r.is_array ? parse_array(&r, draft) : parse_entries(&r, draft);
    if (status == PC_OK && shape) {
        draft->may_be_mutual = false;
        *shape = (pci_shape){r.n_rows, r.n_columns};
    }
    pci_names_free(r.context, &r.comments.names);
    pci_edges_free(r.context, &r.edges);
    pci_chunks_free(&r.chunks);
    pci_window_close(&r.window);
    return status;
}
