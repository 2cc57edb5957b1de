/* Counts a graph of a stream: in rows of bits when it is small and its counts are narrow enough,
 * else as a graph of the library. */
#include "src/streams/stream.h"

#include "src/core/number.h"
#include "src/plan/question.h"

#include <math.h>
#include <string.h>

#define HEAVY_OPERATIONS 1e8

/* ---- Which way ------------------------------------------------------------------------------- */

static bool becomes_undirected(const pci_stream_counter *counter)
{
    return counter->graph.is_directed && counter->asked->direction == PC_UNDIRECTED;
}

bool pci_stream_is_heavy(const pci_stream_counter *counter)
{
    const pc_stream_query *query = &counter->asked->query;
    const pci_listed *graph = &counter->graph;
    double n_vectors = query->closed ? (double)graph->n_vertices : 1;
    double n_operations = (double)graph->n_edges + (double)graph->n_vertices;
    return !graph->is_small &&
           n_operations * n_vectors * fmin((double)query->length, 128) > HEAVY_OPERATIONS;
}

/* ---- Rows of bits ---------------------------------------------------------------------------- */

static bool is_symmetric(uint32_t n, const uint64_t *row)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t bits = row[i]; bits; bits &= bits - 1)
            if (!(row[__builtin_ctzll(bits)] >> i & 1))
                return false;
    return true;
}

/* The graph as its rows of bits, turned where the options want it: every arc in both directions, or of an edge the arc
 * that stands in the lower triangle. False when the rows have changed since they were read. */
static bool make_small(const pci_stream_counter *counter, uint64_t *turned, pci_small_graph *small)
{
    const pci_listed *graph = &counter->graph;
    pc_direction direction = counter->asked->direction;
    uint32_t n = (uint32_t)graph->n_vertices;
    *small = (pci_small_graph){
        .n_vertices = n, .row = graph->row, .is_symmetric = true, .n_entries = graph->n_entries};
    if (!graph->is_directed && direction != PC_DIRECTED)
        return true; /* the counts are checked by n_entries */
    memcpy(turned, graph->row, n * sizeof *turned);
    for (uint32_t i = 0; i < n; i++)
        if (!graph->is_directed)
            turned[i] &= UINT64_MAX >> (63 - i);
        else if (direction == PC_UNDIRECTED)
            for (uint64_t bits = graph->row[i]; bits; bits &= bits - 1)
                turned[__builtin_ctzll(bits)] |= UINT64_C(1) << i;
    small->row = turned;
    small->is_symmetric = becomes_undirected(counter) || is_symmetric(n, turned);
    if (pci_listed_count_entries(graph) != graph->n_entries)
        return false;
    small->n_entries = 0;
    for (uint32_t i = 0; i < n; i++)
        small->n_entries += (uint64_t)__builtin_popcountll(turned[i]);
    return true;
}

static void take_residues(const pci_stream_asked *asked, uint32_t n_limbs, const uint64_t *counts,
                          uint64_t *row)
{
    for (uint64_t c = 0; c < asked->n_columns; c++) {
        const uint64_t *count = counts + c * n_limbs;
        unsigned __int128 high = n_limbs > 1 ? count[1] : 0;
        row[c] = (uint64_t)((high << 64 | *count) % asked->options.modulus);
    }
}

/* Counts of as many words as they need. */
static pc_status keep(pci_stream_counter *counter, uint32_t n_limbs, const uint64_t *counts,
                      uint64_t *row, pci_wide_row *wide)
{
    uint64_t n_columns = counter->asked->n_columns;
    uint32_t n_needed = 1;
    for (uint64_t c = 0; c < n_columns; c++) {
        size_t n_words = pci_number_trim(counts + c * n_limbs, n_limbs);
        n_needed = n_words > n_needed ? (uint32_t)n_words : n_needed;
    }
    *wide = (pci_wide_row){.n_limbs = n_needed};
    uint64_t *to = row;
    if (n_needed > 1) {
        size_t n_bytes = n_columns * n_needed * sizeof *to;
        to = wide->words = pci_alloc(counter->context, n_bytes);
        if (!to)
            return pci_fail_memory(counter->context, "the counts of a graph", n_bytes);
    }
    for (uint64_t c = 0; c < n_columns; c++)
        memcpy(to + c * n_needed, counts + c * n_limbs, n_needed * sizeof *to);
    return PC_OK;
}

static pc_status certify(const pci_stream_counter *counter, bool holds)
{
    return holds || counter->asked->options.n_certify_rounds == 0
               ? PC_OK
               : pci_fail(counter->context, PC_ERR_CERTIFY,
                          "the counts of this graph failed their check: "
                          "this is a bug in pathcount or a fault of this machine");
}

/* False when the counts may be too wide for this way. Counts of one word go to the row at once. */
static bool count_rows(pci_stream_counter *counter, uint64_t *row, pci_wide_row *wide,
                       pc_status *status)
{
    const pci_stream_asked *asked = counter->asked;
    uint64_t turned[PCI_SMALL_VERTICES], on_stack[64];
    pci_small_graph small;
    bool is_unchanged = make_small(counter, turned, &small);
    uint32_t n_limbs = pci_small_limbs(&small, &asked->query);
    size_t n_words = asked->n_columns * n_limbs;
    if (n_limbs == 0)
        return false;
    uint64_t *counts = n_limbs == 1 ? row : on_stack;
    if (n_limbs > 1 && n_words > sizeof on_stack / sizeof *on_stack)
        counts = pci_alloc(counter->context, n_words * sizeof *counts);
    if (!counts) {
        *status =
            pci_fail_memory(counter->context, "the counts of a graph", n_words * sizeof *counts);
        return true;
    }
    bool holds = pci_small_count(&small, &asked->query, n_limbs, counts) && is_unchanged;
    *status = certify(counter, holds);
    if (asked->options.arithmetic == PC_MODULAR)
        take_residues(asked, n_limbs, counts, row);
    else if (n_limbs > 1 && *status == PC_OK)
        *status = keep(counter, n_limbs, counts, row, wide);
    if (counts != row && counts != on_stack)
        pci_free(counter->context, counts);
    return true;
}

/* ---- Graphs of the library ------------------------------------------------------------------- */

static pc_status make_graph(pci_stream_counter *counter, pc_graph **graph)
{
    pci_listed *listed = &counter->graph;
    pc_graph_options options = {.direction = counter->asked->direction,
                                .multigraph = counter->asked->multigraph,
                                .loops = counter->asked->loops};
    if (options.direction == PC_DIRECTION_OF_FORMAT)
        options.direction = listed->is_directed ? PC_DIRECTED : PC_UNDIRECTED;
    pc_status status = PC_OK;
    if (listed->is_small)
        status = certify(counter, pci_listed_count_entries(listed) == listed->n_entries);
    if (status == PC_OK && listed->is_small)
        status = pci_listed_from_rows(listed);
    const pc_edges edges = {.n_vertices = listed->n_vertices,
                            .n_edges = listed->n_edges,
                            .from = listed->from,
                            .to = listed->to};
    return status ? status : pc_graph_from_edges(counter->context, &edges, &options, graph);
}

/* The counts of all columns, as wide as the widest answer that has come. */
typedef struct answers {
    const pci_stream_counter *counter;
    uint64_t column;  /* of the first length of this query */
    uint32_t n_words; /* of a count */
    uint64_t *words;  /* [n_columns][n_words] */
} answers;

static pc_status widen(answers *a, uint32_t n_words)
{
    pc_context *context = a->counter->context;
    uint64_t n_columns = a->counter->asked->n_columns;
    uint64_t *words = pci_alloc_zero(context, n_columns, n_words * sizeof *words);
    if (!words)
        return pci_fail_memory(context, "the counts of a graph",
                               n_columns * n_words * sizeof *words);
    for (uint64_t c = 0; c < n_columns && a->words; c++)
        memcpy(words + c * n_words, a->words + c * a->n_words, a->n_words * sizeof *words);
    pci_free(context, a->words);
    a->words = words;
    a->n_words = n_words;
    return PC_OK;
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    answers *a = user;
    uint64_t column = a->column + (a->counter->asked->query.each ? length - 1 : 0);
    pc_status status = rows->n_limbs > a->n_words ? widen(a, rows->n_limbs) : PC_OK;
    if (status == PC_OK)
        memcpy(a->words + column * a->n_words, rows->limbs, rows->n_limbs * sizeof *a->words);
    return status;
}

static pc_status count_graph(pci_stream_counter *counter, const pc_graph *graph, uint64_t *row,
                             pci_wide_row *wide)
{
    const pci_stream_asked *asked = counter->asked;
    pc_query query = {.kind = PC_QUERY_TOTAL,
                      .paths = asked->query.paths,
                      .length = asked->query.length,
                      .each = asked->query.each,
                      .up_to = asked->query.up_to};
    answers a = {.counter = counter};
    pc_status status = widen(&a, 1);
    if (status == PC_OK && asked->query.total) {
        status = pc_query_run(counter->context, graph, &query, &asked->options, take, &a);
        a.column = asked->n_lengths;
    }
    query.kind = pci_kind_that_reads(PCI_READS_DIAGONAL, true);
    if (status == PC_OK && asked->query.closed)
        status = pc_query_run(counter->context, graph, &query, &asked->options, take, &a);
    if (status == PC_OK)
        status = keep(counter, a.n_words, a.words, row, wide);
    pci_free(counter->context, a.words);
    return status;
}

uint64_t pci_stream_digest(const pci_stream_asked *asked, const uint64_t *row,
                           const pci_wide_row *wide)
{
    const uint64_t *word = wide->words ? wide->words : row;
    uint64_t digest = 0;
    for (uint64_t w = 0; w < asked->n_columns * wide->n_limbs; w++)
        digest += word[w];
    return digest;
}

pc_status pci_stream_count(pci_stream_counter *counter, uint64_t *row, pci_wide_row *wide)
{
    const pci_stream_asked *asked = counter->asked;
    /* Rows of bits describe a graph without multiplicities: an arc and its reverse may make an edge of multiplicity 2, and
     * so may a loop. */
    bool has_rows = counter->graph.is_small && asked->query.paths == PC_PATHS_ALL &&
                    asked->loops == PC_LOOPS_ONCE &&
                    !(asked->multigraph && becomes_undirected(counter));
    pc_status status;
    *wide = (pci_wide_row){.n_limbs = 1};
    if (!has_rows || !count_rows(counter, row, wide, &status))
        return pci_stream_recount(counter, row, wide);
    if (status == PC_OK)
        wide->digest = pci_stream_digest(asked, row, wide);
    return status;
}

pc_status pci_stream_recount(pci_stream_counter *counter, uint64_t *row, pci_wide_row *wide)
{
    pc_graph *graph = NULL;
    *wide = (pci_wide_row){.n_limbs = 1};
    pc_status status = make_graph(counter, &graph);
    if (status == PC_OK)
        status = count_graph(counter, graph, row, wide);
    pc_graph_free(graph);
    if (status == PC_OK)
        wide->digest = pci_stream_digest(counter->asked, row, wide);
    return status;
}
