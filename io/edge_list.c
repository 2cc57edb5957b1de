/* Edge lists. The reading that was chosen from the first lines (readings.h) says which columns are taken; every line
 * must be as it says. The text is parsed once or more:
 *
 * First it is taken to be pairs of small integers, which are stored as they are. When an id is
 * large or a label is no integer, it is parsed again. Then each chunk numbers its labels by itself,
 * and the labels of the chunks are joined in the order of the text. Most lines of large files are two small integers with
 * one separator between them; eight bytes of these are looked at together. All passes share the chunks, the reading and
 * the numbering of labels, so they are one file. */
#include "io/readers.h"

#include "graphs/builder.h"
#include "io/chunks.h"
#include "io/text.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>

/* Ids below this, or below the bytes of the text, are small. */
enum { LEAST_ID_LIMIT = 1 << 20 };

/* Names the first byte in the text of each of these; NONE: there is none. */
typedef enum first_of {
    WITH_WEIGHT,
    WITHOUT_WEIGHT,
    TYPE_DIRECTED, /* by what a column of types says */
    TYPE_UNDIRECTED,
    FLAWED, /* a line that is wrong by itself */
    N_FIRST
} first_of;

/* A chunk, its edges, and what else its lines hold. */
typedef struct chunk_labels {
    const struct reader *reader;
    pci_chunk *chunk;
    pci_edge_part *part;
    uint32_t greatest_id;
    bool has_large_or_text; /* so ids will not do */
    pci_names names, texts;
    uint64_t first[N_FIRST]; /* of its lines */
} chunk_labels;

static const uint64_t NONE = UINT64_MAX;

typedef struct reader {
    const pci_input *input;
    pc_context *context;
    pci_head_comment stated;
    bool is_ours;        /* a head comment of pathcount states facts */
    pci_reading how;     /* without columns where each line is taken as it looks */
    pci_columns columns; /* those that are taken */
    bool take_weights;
    uint64_t first_vertex, n_vertices; /* these exist even when no edge names them */
    bool by_name;
    int n_passes;      /* through the text, at most 2: as it stands, by name */
    uint64_t id_limit; /* small ids are below this */
    pci_chunks chunks;
    chunk_labels *labels; /* [n_chunks] */
    pci_edges edges;
    pci_names texts;         /* of all edges */
    uint64_t n_edges;        /* of all readers, and so: */
    uint64_t first[N_FIRST]; /* when all lines were parsed */
} reader;

/* ---- Parsing a chunk ------------------------------------------------------------------------- */

/* An end of an edge as an id; false ends the chunk. */
static bool take_id(chunk_labels *c, const pci_line *line, size_t column, uint32_t *end)
{
    uint64_t id;
    pci_integer kind = pci_integer_parse(line->column[column], line->length[column], &id);
    if (kind != PCI_INTEGER || id >= c->reader->id_limit) {
        c->has_large_or_text = true;
        return false;
    }
    *end = (uint32_t)id;
    if (*end > c->greatest_id)
        c->greatest_id = *end;
    return true;
}

/* The text of a column as its number among names of the chunk; false ends the chunk. */
static bool take_text(chunk_labels *c, const pci_line *line, size_t column, pci_names *names,
                      uint32_t *number)
{
    const char *text = line->column[column];
    size_t length = line->length[column];
    pc_context *context = c->reader->context;
    char *unquoted = NULL;
    if (line->has_doubled_quotes[column]) { /* the text has each pair once */
        text = unquoted = pci_alloc(context, length);
        length = unquoted ? pci_line_unquote(line, column, unquoted) : 0;
    }
    c->chunk->status = text ? pci_names_add(context, names, text, length, number) : PC_ERR_MEMORY;
    if (unquoted)
        pci_free(context, unquoted);
    return c->chunk->status == PC_OK;
}

/* An end of an edge as the chunk's number of its name; false ends the chunk. */
static bool take_name(chunk_labels *c, const pci_line *line, size_t column, uint32_t *end)
{
    const char *text = line->column[column];
    size_t length = line->length[column];
    const pci_reading *how = &c->reader->how;
    if (length <= 4 && ((how->refuses_missing && pci_is_missing(text, length)) ||
                        (how->refuses_minus_one && pci_is_minus_one(text, length))))
        return pci_column_flaw(line, column, "", pci_missing_end, &c->chunk->flaw);
    return take_text(c, line, column, &c->names, end);
}

/* "{}", "{'weight': 3}" */
static bool is_attributes(const pci_line *line, size_t column)
{
    const char *text = line->column[column];
    return line->length[column] >= 2 && *text == '{' && memchr("}'\"", text[1], 3);
}

static void note_first(chunk_labels *c, first_of what, const pci_line *line)
{
    if (c->first[what] == NONE)
        c->first[what] = pci_chunk_offset(c->chunk, line->begin);
}

/* The third column, or its absence. Attributes are replaced by their weight. It is looked at only where weights are
 * taken. */
static bool take_weight(chunk_labels *c, pci_line *line, uint64_t *weight)
{
    char point[PCI_POINT_BYTES];
    const char **text = &line->column[PCI_WEIGHT];
    size_t *length = &line->length[PCI_WEIGHT];
    bool has_weight = line->n_columns == 3;
    if (has_weight && is_attributes(line, PCI_WEIGHT))
        has_weight = pci_attributes_weight(*text, *text + *length, text, length);
    note_first(c, has_weight ? WITH_WEIGHT : WITHOUT_WEIGHT, line);
    *weight = 1;
    if (!has_weight || !c->reader->take_weights)
        return true;
    if (c->reader->columns.separator == ';')
        *text = pci_with_point(*text, *length, point);
    if (pci_line_weight(c->reader->input, line, PCI_WEIGHT, true, weight, &c->chunk->flaw))
        return true;
    if (*text == point) /* it does not outlive this function */
        return pci_line_flaw(line, "the weight is not an integer", &c->chunk->flaw);
    return false;
}

/* Any line; false ends the chunk. */
static bool take_line(chunk_labels *c, const char *begin, const char *end)
{
    pci_line line;
    pci_edge edge;
    uint64_t weight;
    const pci_columns *columns = &c->reader->columns;
    if (!pci_line_split(columns, begin, end, &line, &c->chunk->flaw))
        return false;
    if (line.n_columns == 0)
        return true;
    if (line.n_columns == 1)
        return pci_column_flaw(
            &line, 0, "",
            "stands alone: an edge has two ends; --format adjlist reads lists of "
            "neighbours",
            &c->chunk->flaw);
    if (line.n_columns == 2 && is_attributes(&line, PCI_TO))
        return pci_line_flaw(&line,
                             "attributes in braces where the second end of an edge is expected: "
                             "--format adjlist reads adjacency lists of NetworkX",
                             &c->chunk->flaw);
    if (!columns->are_all && columns->at[PCI_TYPE] != PCI_NO_COLUMN) { /* as Gephi writes it */
        const char *type = line.column[PCI_TYPE];
        if (pci_is_word_any_case(type, line.length[PCI_TYPE], "directed"))
            note_first(c, TYPE_DIRECTED, &line);
        else if (pci_is_word_any_case(type, line.length[PCI_TYPE], "undirected"))
            note_first(c, TYPE_UNDIRECTED, &line);
    }
    bool (*take_end)(chunk_labels *, const pci_line *, size_t, uint32_t *) =
        c->reader->by_name ? take_name : take_id;
    if (!take_end(c, &line, PCI_FROM, &edge.from) || !take_end(c, &line, PCI_TO, &edge.to) ||
        !take_weight(c, &line, &weight) || !pci_chunk_has_room(c->chunk, c->part))
        return false;
    if (c->part->text && line.length[PCI_TEXT] == 0)
        return pci_line_flaw(&line, "the column is empty that is to have the text of the edge",
                             &c->chunk->flaw);
    if (c->part->text &&
        !take_text(c, &line, PCI_TEXT, &c->texts, &c->part->text[c->part->n_edges]))
        return false;
    if (c->part->weight)
        c->part->weight[c->part->n_edges] = weight;
    c->part->edge[c->part->n_edges++] = edge;
    return true;
}

/* ---- Plain lines ----------------------------------------------------------------------------- */

enum {
    MOST_DIGITS = 7,  /* of an id in a plain line */
    PLAIN_MARGIN = 32 /* bytes that a plain line has at most, and those read behind it */
};

/* Sets bit 7 of each byte of a word that is no digit. A word is eight bytes of text, the first byte
 * lowest, each after exclusive or with '0'. */
static inline uint64_t find_no_digits(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), tops = UINT64_C(0x8080808080808080);
    return (((word & low) + UINT64_C(0x7676767676767676)) | word) & tops;
}

static inline uint64_t load_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return le64toh(word) ^ UINT64_C(0x3030303030303030);
}

/* The number that the first n_digits (1..8) bytes of a word represent. They are shifted to the top, with zeros before
 * them. Then neighbours are joined to pairs, fours and eights (D. Lemire, "Quickly parsing eight digits", 2018). */
static inline uint32_t join_digits(uint64_t word, unsigned n_digits)
{
    word <<= 64 - 8 * n_digits;
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(word * 10000 + (word >> 32));
}

/* Reads a plain line: two ids of one to seven digits, without leading zeros, with one separator between them and a line
 * end behind. The ends of both are found in the first sixteen bytes together, so that the next line can begin early.
 * Returns the byte after the ids; NULL for any other line. */
static inline const char *scan_plain_line(const char *line, char separator, uint32_t *from,
                                          uint32_t *to)
{
    uint64_t first = load_word(line), ends = find_no_digits(first);
    uint64_t later_ends = find_no_digits(load_word(line + 8)), second_end = ends & (ends - 1);
    if (ends == 0 || (second_end | later_ends) == 0)
        return NULL;
    unsigned n_from = (unsigned)__builtin_ctzll(ends) / 8;
    unsigned end = second_end ? (unsigned)__builtin_ctzll(second_end) / 8
                              : 8 + (unsigned)__builtin_ctzll(later_ends) / 8;
    unsigned n_to = end - n_from - 1;
    const char *second = line + n_from + 1, mark = line[n_from];
    if (n_from == 0 || n_to - 1 >= MOST_DIGITS ||
        !(separator ? mark == separator : mark == ' ' || mark == '\t' || mark == ',') ||
        (*line == '0' && n_from > 1) || (*second == '0' && n_to > 1))
        return NULL;
    *from = join_digits(first, n_from);
    *to = join_digits(load_word(second), n_to);
    return line + end;
}

/* Takes plain lines of small ids. Returns the begin of the first line that is not taken: a line of another kind, one
 * near the end of the text, or one that has no room left. */
static const char *take_plain_lines(chunk_labels *c, const char *begin, const char *end)
{
    const uint64_t limit = c->reader->id_limit;
    const char separator = c->reader->columns.separator;
    pci_edge *edge = c->part->edge + c->part->n_edges,
             *edge_end = c->part->edge + c->chunk->n_lines;
    uint32_t greatest = c->greatest_id;
    for (; end - begin >= PLAIN_MARGIN && edge < edge_end; edge++) {
        uint32_t from, to;
        const char *at = scan_plain_line(begin, separator, &from, &to);
        if (!at)
            break;
        at += *at == '\r';
        uint32_t larger = from > to ? from : to;
        if (*at != '\n' || larger >= limit)
            break;
        *edge = (pci_edge){from, to};
        greatest = larger > greatest ? larger : greatest;
        begin = at + 1;
    }
    c->greatest_id = greatest;
    c->part->n_edges = (uint64_t)(edge - c->part->edge);
    return begin;
}

static bool parse_lines(void *user, pci_chunks *chunks, size_t i, const char *at, const char *end)
{
    reader *r = user;
    chunk_labels *c = &r->labels[i];
    bool plain = !r->by_name && !r->take_weights && r->columns.is_plain &&
                 (r->columns.are_all || r->columns.n_columns == 2);
    bool goes_on = true;
    c->reader = r;
    c->chunk = &chunks->chunk[i];
    c->part = &r->edges.parts[i];
    while (goes_on) {
        const char *line, *line_end;
        if (plain)
            at = take_plain_lines(c, at, end);
        if (!pci_next_line(&at, end, &line, &line_end))
            break;
        goes_on = take_line(c, line, line_end);
    }
    if (c->has_large_or_text || c->chunk->status)
        __atomic_store_n(&chunks->stop, true, __ATOMIC_RELAXED);
    return goes_on;
}

/* ---- The whole text -------------------------------------------------------------------------- */

/* Finds what comes first of all chunks and all readers. Either all edges have a weight or none has, if weights are
 * taken; all types are the same, which is then stated. A flaw is reported by the reader that has it. */
static pc_status check_lines(reader *r)
{
    const pci_chunk *flawed = pci_chunks_first_flaw(&r->chunks);
    uint64_t *first = r->first;
    memset(first, 0xff, sizeof r->first); /* NONE */
    for (size_t i = 0; i < r->chunks.n_chunks; i++)
        for (int f = 0; f < N_FIRST; f++)
            if (r->labels[i].first[f] < first[f])
                first[f] = r->labels[i].first[f];
    if (flawed)
        first[FLAWED] = flawed->flaw_at;
    pci_input_join(r->input, PCI_JOIN_LEAST, first, N_FIRST);
    bool is_weighted = first[WITH_WEIGHT] < first[WITHOUT_WEIGHT];
    uint64_t odd = first[is_weighted ? WITHOUT_WEIGHT : WITH_WEIGHT];
    if (r->take_weights && odd < first[FLAWED])
        return pci_input_fail_at(r->input, odd, "%s",
                                 is_weighted ? "no weight here, but an edge before has one"
                                             : "a weight here, but an edge before has none");
    if (first[FLAWED] != NONE)
        return flawed && flawed->flaw_at == first[FLAWED] ? pci_chunks_report(&r->chunks) : PC_OK;
    uint64_t directed = first[TYPE_DIRECTED], undirected = first[TYPE_UNDIRECTED];
    if (directed != NONE && undirected != NONE)
        return pci_input_fail_at(r->input, directed > undirected ? directed : undirected,
                                 "this edge is %s by its type, and an edge before is not: "
                                 "--columns FROM,TO reads the file without its types",
                                 directed > undirected ? "directed" : "undirected");
    if (directed != NONE || undirected != NONE)
        r->stated.direction = directed != NONE ? PC_DIRECTED : PC_UNDIRECTED;
    return PC_OK;
}

static void free_reading(reader *r)
{
    for (size_t i = 0; r->labels && i < r->chunks.n_chunks; i++) {
        pci_names_free(r->context, &r->labels[i].names);
        pci_names_free(r->context, &r->labels[i].texts);
    }
    pci_names_free(r->context, &r->texts);
    pci_free(r->context, r->labels);
    r->labels = NULL;
    pci_edges_free(r->context, &r->edges);
    pci_chunks_free(&r->chunks);
}

/* Parses the chunks of this reader once. */
static pc_status parse_chunks(reader *r, uint64_t begin)
{
    pc_status status = pci_chunks_create(
        r->input, begin, r->by_name ? PCI_CHUNK_EACH_THREAD : PCI_MANY_CHUNKS, &r->chunks);
    if (status)
        return status;
    r->chunks.first_fraction = r->n_passes > 0 ? 0.125 * (1 + r->n_passes) : 0;
    r->chunks.last_fraction = 0.125 * (2 + r->n_passes++);
    r->labels = pci_alloc_zero(r->context, r->chunks.n_chunks, sizeof *r->labels);
    if (!r->labels)
        return pci_fail_memory(r->context, "reading", r->chunks.n_chunks * sizeof *r->labels);
    for (size_t i = 0; i < r->chunks.n_chunks; i++)
        memset(r->labels[i].first, 0xff, sizeof r->labels[i].first); /* NONE */
    status = pci_chunks_make_edges(&r->chunks, r->take_weights, &r->edges);
    if (status == PC_OK && r->input->text_column)
        status = pci_edges_add_texts(r->context, pci_chunks_n_lines(&r->chunks), &r->edges);
    return status ? status : pci_chunks_parse(&r->chunks, parse_lines, r);
}

/* Parses the text once, or twice where a label is no small integer. Several readers leave names to one. */
static pc_status parse_text(reader *r, uint64_t begin)
{
    for (;;) {
        uint64_t by_name = 0;
        pc_status status = pci_input_agree(r->input, parse_chunks(r, begin));
        if (status)
            return status;
        for (size_t i = 0; i < r->chunks.n_chunks; i++)
            by_name |= r->labels[i].has_large_or_text;
        pci_input_join(r->input, PCI_JOIN_BITS, &by_name, 1);
        if (!by_name)
            return pci_input_agree(r->input, check_lines(r));
        r->by_name = true;
        if (pci_input_declines(r->input))
            return PC_ERR_DATA;
        free_reading(r);
    }
}

/* Adds the names of a chunk to all names, frees them, and renumbers its edges, or their texts. PC_ERR_MEMORY. */
static pc_status join_names(pc_context *context, pci_names *names, pci_edge_part *part,
                            pci_names *all, bool are_texts)
{
    uint32_t *number_in_all = pci_alloc(context, (names->n + 1) * sizeof *number_in_all);
    pc_status status = number_in_all ? PC_OK : PC_ERR_MEMORY;
    for (uint64_t k = 0; k < names->n && status == PC_OK; k++) {
        size_t length;
        const char *text = pci_names_text(names, k, &length);
        status = pci_names_add(context, all, text, length, &number_in_all[k]);
    }
    for (uint64_t e = 0; e < part->n_edges && status == PC_OK && are_texts; e++)
        part->text[e] = number_in_all[part->text[e]];
    if (status == PC_OK) {
        pci_edges edges = {.parts = part, .n_parts = !are_texts};
        pci_edges_renumber(context, &edges, number_in_all);
        pci_names_free(context, names);
    } else {
        status = pci_fail_memory(context, "labels", all->n * sizeof *number_in_all);
    }
    pci_free(context, number_in_all);
    return status;
}

/* Notes the first label that is there as "1" and as "1.0": pandas writes integers so when some of a column are
 * missing. */
static void find_twins(const pci_names *all, char note[PCI_READING_NOTE_BYTES])
{
    for (uint64_t i = 0; i < all->n; i++) {
        size_t length, n = strlen(note);
        uint32_t number;
        uint64_t value;
        const char *text = pci_names_text(all, i, &length);
        if (length < 3 || length > 20 || memcmp(text + length - 2, ".0", 2) != 0 ||
            pci_integer_parse(text, length - 2, &value) != PCI_INTEGER ||
            !pci_names_find(all, text, length - 2, &number))
            continue;
        snprintf(note + n, PCI_READING_NOTE_BYTES - n,
                 "%slabels '%" PRIu64 "' and '%" PRIu64 ".0' are two vertices", n > 0 ? ", " : "",
                 value, value);
        return;
    }
}

static pc_status labels_from_names(reader *r, pci_labels *labels)
{
    pci_names all = r->labels[0].names; /* the first chunk's stay as they are */
    r->labels[0].names = (pci_names){0};
    uint32_t *vertex_of_name;
    pc_status status = PC_OK;
    for (size_t i = 1; i < r->chunks.n_chunks && status == PC_OK; i++)
        status = join_names(r->context, &r->labels[i].names, &r->edges.parts[i], &all, false);
    for (int e = 0; e < 2 && status == PC_OK; e++) { /* could be an edge in the first line */
        const char *name = r->input->text + r->how.name_at[e];
        size_t length = r->how.name_length[e];
        uint32_t number;
        if (length > 0 && pci_names_find(&all, name, length, &number))
            status = pci_input_fail(r->input, name,
                                    "'%.*s' is the name of a column, and a vertex in another line: "
                                    "is this a header (--header) or an edge (--no-header)?",
                                    length < 40 ? (int)length : 40, name);
    }
    if (status) {
        pci_names_free(r->context, &all);
        return status;
    }
    find_twins(&all, r->how.note);
    status = pci_labels_from_names(r->context, &all, r->n_vertices, labels, &vertex_of_name);
    if (status == PC_OK && vertex_of_name) {
        pci_edges_renumber(r->context, &r->edges, vertex_of_name);
        pci_free(r->context, vertex_of_name);
    }
    return status;
}

static pc_status join_ids(void *user, pc_status status, uint64_t *words, uint64_t n_words)
{
    const reader *r = user;
    status = pci_input_agree(r->input, status);
    if (status == PC_OK)
        pci_input_join(r->input, PCI_JOIN_BITS, words, n_words);
    return status;
}

static pc_status labels_from_ids(reader *r, pci_labels *labels)
{
    uint64_t below_none = NONE; /* NONE less the greatest id */
    if (r->n_vertices == 0 && r->n_edges == 0) {
        *labels = pci_labels_range(0, 0);
        return PC_OK;
    }
    for (size_t i = 0; i < r->chunks.n_chunks; i++)
        if (NONE - r->labels[i].greatest_id < below_none)
            below_none = NONE - r->labels[i].greatest_id;
    pci_input_join(r->input, PCI_JOIN_LEAST, &below_none, 1);
    const pci_ids_join join = {join_ids, r};
    return pci_edges_from_ids(r->context, &r->edges, (uint32_t)(NONE - below_none), r->first_vertex,
                              r->n_vertices, &join, labels);
}

/* Moves edges, labels and facts to the draft. */
static void fill_draft(reader *r, const pc_graph_options *options, bool is_relation,
                       pci_labels labels, pci_graph_draft *draft)
{
    bool third_column = r->first[WITH_WEIGHT] != NONE;
    pc_direction stated = r->stated.direction;
    *draft = (pci_graph_draft){
        .edges = r->edges,
        .labels = labels,
        .texts = r->texts,
        .multigraph = options && options->multigraph,
        .has_twice_loops = r->stated.loops_twice && third_column,
        .info = {.format = "edge list", .weights_ignored = third_column && !r->take_weights}};
    r->edges = (pci_edges){0};
    r->texts = (pci_names){0};
    if (!third_column)
        pci_edges_drop_weights(r->context, &draft->edges);
    snprintf(draft->note, sizeof draft->note, "%s", r->how.note);
    if (is_relation)
        draft->info.directed = !r->is_ours || stated != PC_UNDIRECTED;
    else
        pci_draft_set_direction(draft, stated, options);
    draft->may_be_mutual =
        !is_relation && !r->is_ours && stated == PC_DIRECTED && !r->how.is_of_arrows &&
        !(options && (options->direction || options->multigraph || options->weights));
}

/* Reads the comments before the first line of data, of which one may be ours. Takes over the reading that was chosen
 * from the first lines, and what is stated: facts that the file states are used as options are, and options may add
 * vertices to those stated. */
static pc_status begin_reading(reader *r, const char *begin, const pc_graph_options *options)
{
    const pci_input *input = r->input;
    const pci_reading *how = input->reading;
    pci_head head = pci_head_of(input, begin);
    bool is_good = true;
    const char *ours = pci_head_comment_find(&head, &r->stated, &is_good);
    r->is_ours = ours != NULL;
    r->columns = pci_any_columns;
    if (how)
        r->how = *how;
    if (!is_good)
        return pci_input_fail(input, ours,
                              "what the head comment of pathcount states cannot be read; it is "
                              "for example '# pathcount graph: directed, weights, 10 vertices'");
    if (r->stated.direction == PC_DIRECTION_OF_FORMAT)
        r->stated.direction = r->how.stated;
    if (how && (how->separator || *how->arrow)) {
        bool has_weight = how->at[PCI_WEIGHT] == PCI_WEIGHT;
        r->columns =
            (pci_columns){.separator = how->separator,
                          .arrow = *how->arrow ? r->how.arrow : NULL,
                          .is_plain = !how->is_asked && !*how->arrow && how->at[PCI_FROM] == 0 &&
                                      how->at[PCI_TO] == 1 && how->n_columns == 2u + has_weight &&
                                      how->at[PCI_TYPE] == PCI_NO_COLUMN,
                          .n_columns = how->is_asked ? 0 : how->n_columns};
        memcpy(r->columns.at, how->at, sizeof how->at);
    }
    if (r->n_vertices > 0)
        r->how.n_vertices = 0;
    uint64_t stated =
        r->how.n_vertices > r->stated.n_vertices ? r->how.n_vertices : r->stated.n_vertices;
    pc_status status = pci_input_check_stated(input, 0, stated, options);
    if (status)
        return status;
    if (stated > r->n_vertices)
        r->n_vertices = stated;
    if (r->how.n_vertices > 0)
        r->first_vertex = r->how.first_vertex;
    r->take_weights = r->take_weights || r->stated.weights;
    return pci_check_n_vertices(r->context, r->n_vertices);
}

/* Refuses a file without edges or vertices, and one without weights when options ask for them. */
static pc_status check_edges(reader *r, const pc_graph_options *options)
{
    r->n_edges = pci_edges_count(&r->edges);
    pci_input_join(r->input, PCI_JOIN_SUM, &r->n_edges, 1);
    if (r->n_edges == 0 && r->n_vertices == 0 && !r->stated.has_n_vertices)
        return pci_input_fail_at(r->input, r->input->n_all,
                                 "no edges: the file has only comments, blank lines or a header");
    if (!pci_draft_needs_weights(options) || r->stated.weights || r->first[WITH_WEIGHT] != NONE ||
        r->n_edges == 0)
        return PC_OK;
    return pci_input_fail_at(r->input, r->how.n_passed_bytes,
                             "weights are asked for (--weights), and %s",
                             r->how.n_columns > 2 ? "no column is known to have them: --columns "
                                                    "1,2,3 takes them from column 3"
                                                  : "the lines have two columns: leave it out");
}

pc_status pci_edge_list_parse(const pci_input *input, const char *begin,
                              const pc_graph_options *options, pci_shape *shape,
                              pci_graph_draft *draft)
{
    uint64_t n_asked = options ? options->n_vertices : 0;
    reader r = {.input = input,
                .context = input->context,
                .take_weights = options && options->weights,
                .n_vertices = n_asked};
    r.id_limit = input->n_all < LEAST_ID_LIMIT ? LEAST_ID_LIMIT : input->n_all;
    if (r.id_limit > UINT32_MAX)
        r.id_limit = UINT32_MAX;
    pci_labels labels = {0};
    pc_status status = pci_input_agree(input, begin_reading(&r, begin, options));
    if (status == PC_OK)
        status = parse_text(&r, (uint64_t)(begin - input->text) + r.how.n_passed_bytes);
    if (status == PC_OK)
        status = check_edges(&r, options);
    if (status == PC_OK)
        status = r.by_name ? labels_from_names(&r, &labels) : labels_from_ids(&r, &labels);
    for (size_t i = 0; i < r.chunks.n_chunks && status == PC_OK && input->text_column; i++)
        status = join_names(r.context, &r.labels[i].texts, &r.edges.parts[i], &r.texts, true);
    if (status)
        pci_labels_free(r.context, &labels);
    if (!r.by_name)
        status = pci_input_agree(input, status);
    if (status == PC_OK && r.how.n_vertices > 0 && labels.n != r.n_vertices) {
        pci_labels_free(r.context, &labels);
        status = pci_input_fail_at(input, r.how.n_passed_bytes > 0 ? r.how.n_passed_bytes - 1 : 0,
                                   "this line states %" PRIu64 " vertices, and others are in the "
                                   "file: --no-header reads it as an edge",
                                   r.how.n_vertices);
    }
    if (status == PC_ERR_ARGUMENT && n_asked == 0 &&
        (r.stated.has_n_vertices || r.how.n_vertices > 0))
        status = pci_input_fail(
            input, begin,
            "the %s states a number of vertices, which are integers, and a label is none",
            r.stated.has_n_vertices ? "head comment" : "line of sizes");
    bool are_rows_and_columns =
        r.is_ours && (r.stated.has_n_vertices || r.stated.direction == PC_UNDIRECTED);
    if (status == PC_OK && shape)
        *shape = are_rows_and_columns ? (pci_shape){labels.n, labels.n} : (pci_shape){0, 0};
    if (status == PC_OK)
        fill_draft(&r, options, shape, labels, draft);
    free_reading(&r);
    return status;
}
