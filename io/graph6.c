/* graph6, sparse6 and digraph6: a line becomes rows of bits, or a list of edges when the graph
 * is too large for that. Characters carry six bits each; eight of them are joined at once to 48
 * bits in the order of the line, the first lowest, so that a column of the matrix is a mask and
 * a shift. */
#include "io/graph6.h"

#include "io/text.h"

#include <endian.h>

enum {
    CHARACTER_BITS = 6,
    WORD_CHARACTERS = 8,
    WORD_BITS = WORD_CHARACTERS * CHARACTER_BITS,
    LEAST_CHARACTER = 63,
    LARGEST_SHORT_SIZE = 62,
    LEAST_ROOM = 64,           /* edges */
    UNCHECKED_BYTES = 1 << 22, /* of edges: larger sizes are compared with the memory available */
    ROOMY_EDGES = 1 << 16      /* up to which twice the room is made */
};

static const char *const headers[] = {">>graph6<<", ">>sparse6<<", ">>digraph6<<"};

static const char NO_GRAPH[] = "no graph in this line: blank lines may stand at the end only";
static const char NOT_PRINTABLE[] =
    "a character other than '?' to '~': this is not graph6, sparse6 or digraph6";
static const char TOO_SHORT[] = "the line ends before its graph does";
static const char TOO_LONG[] = "the line goes on after its graph has ended";
static const char TOO_MANY_VERTICES[] = "a graph of more than 2^32-1 vertices";
static const char INCREMENTAL[] = "incremental sparse6 (a line that begins with ';') is not "
                                  "supported: nauty's copyg -s writes it anew";

/* ---- Memory ---------------------------------------------------------------------------------- */

void pci_listed_free(pci_listed *graph)
{
    pci_free(graph->context, graph->from);
    pci_free(graph->context, graph->to);
    graph->from = graph->to = NULL;
    graph->capacity = graph->n_edges = 0;
}

pc_status pci_listed_reserve(pci_listed *graph, uint64_t n_edges)
{
    graph->n_edges = 0;
    if (n_edges <= graph->capacity && graph->from)
        return PC_OK;
    uint64_t n_items = n_edges < ROOMY_EDGES ? 2 * n_edges + LEAST_ROOM : n_edges, bytes;
    pci_listed_free(graph);
    if (__builtin_mul_overflow(n_items, 2 * sizeof *graph->from, &bytes) ||
        (bytes > UNCHECKED_BYTES && bytes > pci_memory_available(graph->context)))
        return PC_ERR_MEMORY;
    graph->from = pci_alloc(graph->context, n_items * sizeof *graph->from);
    graph->to = pci_alloc(graph->context, n_items * sizeof *graph->to);
    if (!graph->from || !graph->to) {
        pci_listed_free(graph);
        return PC_ERR_MEMORY;
    }
    graph->capacity = n_items;
    return PC_OK;
}

/* Rows of the matrix that a small graph is read into. */
static unsigned rows_for(uint64_t n_vertices)
{
    return n_vertices <= 16 ? 16 : n_vertices <= 32 ? 32 : PCI_SMALL_VERTICES;
}

void pci_listed_clear_rows(pci_listed *graph)
{
    graph->is_small = true;
    graph->n_edges = 0;
    memset(graph->row, 0, rows_for(graph->n_vertices) * sizeof *graph->row);
}

static inline void append(pci_listed *graph, uint64_t from, uint64_t to)
{
    graph->from[graph->n_edges] = from;
    graph->to[graph->n_edges++] = to;
}

uint64_t pci_listed_count_entries(const pci_listed *graph)
{
    uint64_t n_entries = 0;
    for (uint64_t i = 0; i < graph->n_vertices; i++)
        n_entries += (uint64_t)__builtin_popcountll(graph->row[i]);
    return n_entries;
}

pc_status pci_listed_from_rows(pci_listed *graph)
{
    uint64_t n = graph->n_vertices;
    pc_status status = pci_listed_reserve(graph, pci_listed_count_entries(graph));
    if (status)
        return status;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t left = graph->row[i] & (graph->is_directed ? UINT64_MAX : UINT64_MAX >> (63 - i));
        for (; left; left &= left - 1)
            append(graph, i, (uint64_t)__builtin_ctzll(left));
    }
    return PC_OK;
}

/* ---- Characters ------------------------------------------------------------------------------ */

static inline uint64_t each_byte(unsigned value)
{
    return UINT64_C(0x0101010101010101) * value;
}

/* Returns true when a byte of the word is not 63..126. */
static inline bool has_strange(uint64_t word)
{
    return ((word | (word + each_byte(1)) | ~(word + each_byte(128 - LEAST_CHARACTER))) &
            each_byte(128)) != 0;
}

/* The next eight characters, the first lowest. Characters behind the end have bits that are
 * all 0. */
static inline uint64_t load_characters(const char *at, const char *end)
{
    uint64_t word = each_byte(LEAST_CHARACTER);
    size_t n_left = (size_t)(end - at);
    if (n_left >= WORD_CHARACTERS)
        memcpy(&word, at, WORD_CHARACTERS);
    else
        memcpy(&word, at, n_left);
    return le64toh(word);
}

/* The 48 bits of eight characters. The bits of each are reversed, since its highest bit comes first
 * in the line. */
static inline uint64_t join_characters(uint64_t word)
{
    word -= each_byte(LEAST_CHARACTER);
    word = (word >> 1 & each_byte(0x55)) | (word & each_byte(0x55)) << 1;
    word = (word >> 2 & each_byte(0x33)) | (word & each_byte(0x33)) << 2;
    word = (word >> 4 & each_byte(0x0f)) | (word & each_byte(0x0f)) << 4;
    word >>= 2;
    word = (word & UINT64_C(0x003f003f003f003f)) | (word & UINT64_C(0x3f003f003f003f00)) >> 2;
    word = (word & UINT64_C(0x00000fff00000fff)) | (word & UINT64_C(0x0fff00000fff0000)) >> 4;
    return (word & UINT64_C(0xffffff)) | (word & UINT64_C(0x00ffffff00000000)) >> 8;
}

static bool is_printable(const char *at, const char *end)
{
    bool strange = false;
    for (; at < end; at += WORD_CHARACTERS) {
        strange = strange || has_strange(load_characters(at, end));
        if (end - at < WORD_CHARACTERS)
            break;
    }
    return !strange;
}

/* Counts the bits that are set among the first n_bits of a line. */
static uint64_t count_bits(const char *at, const char *end, uint64_t n_bits)
{
    uint64_t n_set = 0, n_left = n_bits;
    while (n_left > 0) {
        unsigned n_taken = n_left < WORD_BITS ? (unsigned)n_left : WORD_BITS;
        uint64_t word = join_characters(load_characters(at, end)) & UINT64_MAX >> (64 - n_taken);
        n_set += (uint64_t)__builtin_popcountll(word);
        n_left -= n_taken;
        at += n_left > 0 ? WORD_CHARACTERS : 0;
    }
    return n_set;
}

/* Bits in the order of the line. Those that were loaded and not used are the lowest of held. */
typedef struct bit_reader {
    const char *at, *end;
    unsigned __int128 held;
    unsigned n_held;
    bool is_strange; /* a character was not one of the format */
} bit_reader;

/* The next n_bits (1..64), the first lowest. */
static inline uint64_t take_bits(bit_reader *bits, unsigned n_bits)
{
    while (bits->n_held < n_bits) {
        uint64_t word = load_characters(bits->at, bits->end);
        bits->is_strange |= has_strange(word);
        bits->held |= (unsigned __int128)join_characters(word) << bits->n_held;
        bits->n_held += WORD_BITS;
        bits->at += bits->end - bits->at < WORD_CHARACTERS ? bits->end - bits->at : WORD_CHARACTERS;
    }
    uint64_t taken = (uint64_t)bits->held & UINT64_MAX >> (64 - n_bits);
    bits->held >>= n_bits;
    bits->n_held -= n_bits;
    return taken;
}

/* ---- graph6 and digraph6 --------------------------------------------------------------------- */

/* Adds the transpose to a matrix of n_rows (32 or 64) rows. The upper right and the lower left
 * quarter of each block are exchanged, then the same is done within the quarters. */
static inline void add_transpose(uint64_t *row, unsigned n_rows)
{
    uint64_t turned[PCI_SMALL_VERTICES];
    memcpy(turned, row, n_rows * sizeof *row);
    uint64_t mask = (UINT64_C(1) << n_rows / 2) - 1;
    for (unsigned half = n_rows / 2; half > 0; half /= 2, mask ^= mask << half)
        for (unsigned block = 0; block < n_rows; block += 2 * half)
            for (unsigned i = block; i < block + half; i++) {
                uint64_t other = (turned[i] >> half ^ turned[i + half]) & mask;
                turned[i + half] ^= other;
                turned[i] ^= other << half;
            }
    for (unsigned i = 0; i < n_rows; i++)
        row[i] |= turned[i];
}

/* Exchanges what stands shift bits up in a, at the places of mask, with those places of b. */
static inline void exchange(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
    uint64_t other = (*a >> shift ^ *b) & mask;
    *b ^= other;
    *a ^= other << shift;
}

/* The same for 16 rows, as most graphs of a stream have no more: four rows of 16 bits go into a
 * word, and places are exchanged in all of them at once. */
static inline void add_transpose_of_16(uint64_t *row)
{
    uint64_t word[4];
    for (int w = 0; w < 4; w++)
        word[w] = row[4 * w] | row[4 * w + 1] << 16 | row[4 * w + 2] << 32 | row[4 * w + 3] << 48;
    exchange(&word[0], &word[2], 8, UINT64_C(0x00ff00ff00ff00ff));
    exchange(&word[1], &word[3], 8, UINT64_C(0x00ff00ff00ff00ff));
    exchange(&word[0], &word[1], 4, each_byte(0x0f));
    exchange(&word[2], &word[3], 4, each_byte(0x0f));
    for (int w = 0; w < 4; w++) {
        uint64_t turned = word[w];
        uint64_t other = (turned >> 2 ^ turned >> 32) & UINT64_C(0x33333333);
        turned ^= other << 2 ^ other << 32;
        other = (turned >> 1 ^ turned >> 16) & UINT64_C(0x0000555500005555);
        turned ^= other << 1 ^ other << 16;
        row[4 * w] |= turned & UINT16_MAX;
        row[4 * w + 1] |= turned >> 16 & UINT16_MAX;
        row[4 * w + 2] |= turned >> 32 & UINT16_MAX;
        row[4 * w + 3] |= turned >> 48;
    }
}

/* Column j of the upper triangle, (0, j) to (j - 1, j), is row j of the lower one. */
static bool read_small_matrix(bit_reader bits, pci_listed *graph)
{
    unsigned n = (unsigned)graph->n_vertices;
    pci_listed_clear_rows(graph);
    if (graph->is_directed) {
        for (unsigned i = 0; i < n; i++)
            graph->row[i] = take_bits(&bits, n);
        return !bits.is_strange;
    }
    for (unsigned j = 1; j < n; j++)
        graph->row[j] = take_bits(&bits, j);
    if (n <= 16)
        add_transpose_of_16(graph->row);
    else
        add_transpose(graph->row, rows_for(n));
    return !bits.is_strange;
}

/* Appends the edges of the next length bits of row `from`; the number of a set bit is the other
 * end. A column of the triangle gives its edges in the other direction, which are the same
 * edges. */
static void list_row(bit_reader *bits, pci_listed *graph, uint64_t from, uint64_t length)
{
    for (uint64_t first = 0; first < length; first += WORD_BITS) {
        unsigned n_bits = length - first < WORD_BITS ? (unsigned)(length - first) : WORD_BITS;
        for (uint64_t left = take_bits(bits, n_bits); left; left &= left - 1)
            append(graph, from, first + (unsigned)__builtin_ctzll(left));
    }
}

static pc_status decode_matrix(const char *at, const char *end, pci_listed *graph,
                               const char **flaw)
{
    bit_reader bits = {.at = at, .end = end};
    uint64_t n = graph->n_vertices;
    uint64_t n_bits = graph->is_directed ? n * n : n % 2 ? (n - 1) / 2 * n : n / 2 * (n - (n > 0));
    uint64_t n_characters = n_bits / CHARACTER_BITS + (n_bits % CHARACTER_BITS > 0);
    uint64_t n_given = (uint64_t)(end - at);
    *flaw = n_given < n_characters ? TOO_SHORT : n_given > n_characters ? TOO_LONG : NULL;
    if (*flaw)
        return PC_ERR_DATA;
    bool good;
    if (n <= PCI_SMALL_VERTICES) {
        good = read_small_matrix(bits, graph);
        graph->n_entries = (graph->is_directed ? 1 : 2) * count_bits(at, end, n_bits);
    } else if ((good = is_printable(at, end))) {
        pc_status status = pci_listed_reserve(graph, count_bits(at, end, n_bits));
        if (status)
            return status;
        for (uint64_t i = 0; i < n; i++)
            list_row(&bits, graph, i, graph->is_directed ? n : i);
    }
    *flaw = good ? NULL : NOT_PRINTABLE;
    return good ? PC_OK : PC_ERR_DATA;
}

/* ---- sparse6 --------------------------------------------------------------------------------- */

/* Steps of one bit and one vertex each. A set bit moves on to the next vertex. The vertex of the
 * step is a neighbour of the current one; when it is greater, it becomes the current one. */
typedef struct step_reader {
    const char *at, *end;
    uint64_t held; /* bits, the next one highest of n_held */
    unsigned n_held, vertex_bits;
    uint64_t n_vertices, current;
} step_reader;

/* The next edge, from >= to. False at the end of the line, and at a vertex that the graph does not
 * have: the rest is padding. */
static inline bool next_edge(step_reader *steps, uint64_t *from, uint64_t *to)
{
    const unsigned vertex_bits = steps->vertex_bits, step_bits = vertex_bits + 1;
    for (;;) {
        for (; steps->n_held < step_bits; steps->n_held += CHARACTER_BITS) {
            if (steps->at == steps->end)
                return false;
            uint64_t value = (uint64_t)(unsigned char)*steps->at++ - LEAST_CHARACTER;
            steps->held = steps->held << CHARACTER_BITS | value;
        }
        uint64_t step = steps->held >> (steps->n_held - step_bits);
        steps->n_held -= step_bits;
        steps->held &= (UINT64_C(1) << steps->n_held) - 1;
        uint64_t vertex = step & ((UINT64_C(1) << vertex_bits) - 1);
        steps->current += step >> vertex_bits;
        bool is_edge = vertex <= steps->current;
        steps->current = is_edge ? steps->current : vertex;
        if (steps->current >= steps->n_vertices)
            return false;
        *from = steps->current;
        *to = vertex;
        if (is_edge)
            return true;
    }
}

static pc_status decode_steps(const char *at, const char *end, bool keep_repeats, pci_listed *graph,
                              const char **flaw)
{
    uint64_t n = graph->n_vertices, from, to;
    step_reader steps = {.at = at, .end = end, .n_vertices = n};
    steps.vertex_bits = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
    if (!is_printable(at, end)) {
        *flaw = NOT_PRINTABLE;
        return PC_ERR_DATA;
    }
    step_reader small = steps;
    bool is_again = n > PCI_SMALL_VERTICES;
    if (!is_again)
        pci_listed_clear_rows(graph);
    while (!is_again && next_edge(&small, &from, &to)) {
        is_again = keep_repeats && graph->row[from] >> to & 1;
        graph->row[from] |= UINT64_C(1) << to;
        graph->row[to] |= UINT64_C(1) << from;
    }
    if (!is_again) {
        graph->n_entries = pci_listed_count_entries(graph);
        return PC_OK;
    }
    graph->is_small = false;
    uint64_t n_bits = CHARACTER_BITS * (uint64_t)(end - at);
    pc_status status = pci_listed_reserve(graph, n_bits / (steps.vertex_bits + 1));
    if (status)
        return status;
    while (next_edge(&steps, &from, &to))
        append(graph, from, to);
    return PC_OK;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static size_t header_bytes(const char *line, size_t n_bytes)
{
    if (n_bytes == 0 || *line != '>')
        return 0;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        size_t length = strlen(headers[i]);
        if (n_bytes >= length && memcmp(line, headers[i], length) == 0)
            return length;
    }
    return 0;
}

bool pci_graph6_begins(const char *text, size_t n_bytes)
{
    return header_bytes(text, n_bytes) > 0;
}

bool pci_graph6_is_blank(const char *line, size_t n_bytes)
{
    if (n_bytes > 0 && line[n_bytes - 1] == '\r')
        n_bytes--;
    return n_bytes == 0 || header_bytes(line, n_bytes) == n_bytes;
}

/* The number of vertices: one character, or three after a '~', or six after two. */
static const char *read_size(const char **at, const char *end, uint64_t *n)
{
    size_t n_marks = 0;
    while (n_marks < 2 && *at + n_marks < end && (*at)[n_marks] == '~')
        n_marks++;
    size_t n_characters = n_marks == 0 ? 1 : n_marks == 1 ? 3 : 6;
    const char *digit = *at + n_marks;
    if ((size_t)(end - digit) < n_characters)
        return is_printable(digit, end) ? TOO_SHORT : NOT_PRINTABLE;
    if (!is_printable(digit, digit + n_characters))
        return NOT_PRINTABLE;
    uint64_t value = 0;
    for (size_t i = 0; i < n_characters; i++)
        value = value << CHARACTER_BITS | ((uint64_t)(unsigned char)digit[i] - LEAST_CHARACTER);
    *n = value;
    *at = digit + n_characters;
    return value > PCI_MAX_GRAPH_VERTICES ? TOO_MANY_VERTICES : NULL;
}

pc_status pci_graph6_decode(const char *line, size_t n_bytes, bool keep_repeats, pci_listed *graph,
                            const char **flaw)
{
    const char *at = line + header_bytes(line, n_bytes), *end = line + n_bytes;
    if (end > at && end[-1] == '\r')
        end--;
    *flaw = at == end ? NO_GRAPH : *at == ';' ? INCREMENTAL : NULL;
    if (*flaw)
        return PC_ERR_DATA;
    bool is_sparse = *at == ':';
    graph->is_directed = *at == '&';
    graph->is_small = false;
    graph->n_edges = 0;
    at += is_sparse || graph->is_directed;
    if (end > at && *at - LEAST_CHARACTER >= 0 && *at - LEAST_CHARACTER <= LARGEST_SHORT_SIZE)
        graph->n_vertices = (uint64_t)(*at++ - LEAST_CHARACTER);
    else if ((*flaw = read_size(&at, end, &graph->n_vertices)))
        return PC_ERR_DATA;
    return is_sparse ? decode_steps(at, end, keep_repeats, graph, flaw)
                     : decode_matrix(at, end, graph, flaw);
}

pc_status pci_graph6_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft)
{
    pci_listed graph = {.context = input->context};
    pci_graph_draft made = {.multigraph = options && options->multigraph};
    uint64_t n_added = options ? options->n_vertices : 0;
    const char *end = input->text + input->n_bytes, *line_end = pci_line_end(begin, end), *line;
    const char *at = line_end < end ? line_end + 1 : end;
    const char *first = begin + header_bytes(begin, (size_t)(line_end - begin)), *flaw = NULL;
    made.info.format = first == line_end ? "graph6"
                       : *first == ':'   ? "sparse6"
                       : *first == '&'   ? "digraph6"
                                         : "graph6";
    /* Repeated edges are kept, for the builder to count. */
    pc_status status = pci_graph6_decode(begin, (size_t)(line_end - begin), true, &graph, &flaw);
    if (status == PC_OK && graph.is_small)
        status = pci_listed_from_rows(&graph);
    if (status == PC_ERR_DATA)
        status = pci_input_fail(input, begin, "%s", flaw);
    else if (status)
        status = pci_fail(input->context, status, "%s: no memory for its edges", input->name);
    if (status == PC_OK)
        status = pci_input_check_stated(input, (uint64_t)(begin - input->text), graph.n_vertices,
                                        options);
    if (status == PC_OK)
        status = pci_check_n_vertices(input->context, graph.n_vertices);
    while (status == PC_OK && pci_next_line(&at, end, &line, &line_end))
        if (!pci_graph6_is_blank(line, (size_t)(line_end - line)))
            status = pci_input_fail(
                input, line,
                "more than one graph: 'pathcount batch FILE --length K --total' counts "
                "each of them");
    if (status == PC_OK)
        status = pci_edges_create(input->context, 1, &graph.n_edges, false, &made.edges);
    if (status == PC_OK) {
        for (uint64_t e = 0; e < graph.n_edges; e++)
            made.edges.edge[e] = (pci_edge){(uint32_t)graph.from[e], (uint32_t)graph.to[e]};
        made.labels = pci_labels_range(0, graph.n_vertices > n_added ? graph.n_vertices : n_added);
        pci_draft_set_direction(&made, graph.is_directed ? PC_DIRECTED : PC_UNDIRECTED, options);
        *draft = made;
    }
    pci_listed_free(&graph);
    return status;
}
