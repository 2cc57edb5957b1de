/* Paths that visit no vertex twice, and cycles: every question, by every method, against an enumeration and
 * against closed forms. PATHCOUNT_TEST_SIMPLE says how many random graphs; 3,000 have been tried.
 * PATHCOUNT_TEST_SIMPLE_VERTICES says how large the graphs are of which all are tried; 7 have been. */
#include "tests/support/asked.h"
#include "tests/support/fixture.h"
#include "tests/support/library_call.h"

#include <stdio.h>

CASE_CONTEXT(context)

enum { DEFAULT_GRAPHS = 150, DEFAULT_VERTICES = 6, MOST_FORMULA_LENGTH = 6 };

static uint64_t variable_or(const char *name, uint64_t number)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : number;
}

/* ---- Questions ------------------------------------------------------------------------------- */

typedef struct subject {
    pc_context *context;
    const pc_graph *graph;
    simple_walks walks;
    random_source *source;
} subject;

/* The answers to a kind of question. */
static const walk_matrices *answers_to(const subject *s, pc_path_kind paths, pc_query_kind kind)
{
    return paths == PC_PATHS_SIMPLE  ? &s->walks.paths
           : kind == PC_QUERY_CLOSED ? &s->walks.through
           : kind == PC_QUERY_TOTAL  ? &s->walks.all
                                     : &s->walks.cycles;
}

static pc_partition *any_partition(const subject *s)
{
    uint64_t n = s->graph->n, n_blocks = 1 + random_below(s->source, n);
    uint64_t block[MOST_SIMPLE_VERTICES];
    pc_partition *partition;
    for (uint64_t v = 0; v < n; v++)
        block[v] = v < n_blocks ? n_blocks - 1 - v : random_below(s->source, n_blocks);
    MUST(pc_partition_from_arrays(s->context, s->graph, n_blocks, block, NULL, &partition));
    return partition;
}

/* Options that can answer: every method, residues, and no certificate now and then. */
static pc_count_options any_options(random_source *source, uint64_t longest)
{
    static const pc_method methods[] = {PC_METHOD_AUTO, PC_METHOD_SEARCH, PC_METHOD_SETS,
                                        PC_METHOD_FORMULA};
    static const uint64_t moduli[] = {2, 97, 1000000007, (UINT64_C(1) << 63) - 25};
    pc_count_options options = {
        .method = methods[random_below(source, 3 + (longest <= MOST_FORMULA_LENGTH))]};
    if (random_below(source, 4) == 0) {
        options.arithmetic = PC_MODULAR;
        options.modulus = moduli[random_below(source, 4)];
    }
    if (random_below(source, 8) == 0)
        options.n_certify_rounds = PC_CERTIFY_NONE;
    return options;
}

/* Asks for one length, for each, or for all added up. */
static void ask(const subject *s, pc_path_kind paths, pc_query_kind kind, uint64_t length)
{
    uint64_t n = s->graph->n, way = random_below(s->source, 3);
    bool is_matrix = kind == PC_QUERY_MATRIX;
    bool has_blocks = is_matrix && n && paths == PC_PATHS_SIMPLE && way == 1;
    vertices asked_for;
    if (n)
        pick_vertices(s->source, n, &asked_for);
    OWNED(pc_partition) *blocks = has_blocks ? any_partition(s) : NULL;
    asked a = {.walks = answers_to(s, paths, kind),
               .query = {.kind = kind,
                         .paths = paths,
                         .length = length,
                         .n_asked = n ? random_below(s->source, 6) : 0,
                         .from = asked_for.from,
                         .to = asked_for.to,
                         .each = way == 1 && !is_matrix,
                         .up_to = way == 2,
                         .partition = blocks,
                         .keeps = is_matrix && random_below(s->source, 2)},
               .options = any_options(s->source, length - (paths == PC_PATHS_CYCLES && length))};
    check_query(s->context, s->graph, &a);
}

static void ask_all(const subject *s, uint64_t length)
{
    static const pc_query_kind of_paths[] = {PC_QUERY_MATRIX, PC_QUERY_MATRIX, PC_QUERY_FROM,
                                             PC_QUERY_TO,     PC_QUERY_PAIRS,  PC_QUERY_TOTAL,
                                             PC_QUERY_STARTS, PC_QUERY_ENDS};
    static const pc_query_kind of_cycles[] = {PC_QUERY_MATRIX, PC_QUERY_FROM,  PC_QUERY_TO,
                                              PC_QUERY_PAIRS,  PC_QUERY_TOTAL, PC_QUERY_CLOSED};
    for (int i = 0; i < 8; i++)
        ask(s, PC_PATHS_SIMPLE, of_paths[i], length);
    for (int i = 0; i < 6; i++)
        ask(s, PC_PATHS_CYCLES, of_cycles[i], length);
}

/* ---- Random graphs --------------------------------------------------------------------------- */

/* Directed or not, with loops, isolated vertices and parallel arcs; counts of paths of that length have fewer than
 * 128 bits. */
static edge_set any_graph(random_source *source, uint64_t *length)
{
    static const unsigned weight_bits[] = {0, 0, 2, 10};
    uint64_t n = random_below(source, MOST_SIMPLE_VERTICES + 1);
    edge_set edges = edge_set_empty(n, random_below(source, 2));
    uint64_t bits = weight_bits[random_below(source, 4)], share = 1 + random_below(source, 10);
    uint64_t n_joined = n - (n > 2 && random_below(source, 3) == 0);
    uint64_t loops = random_below(source, 2) * 3;
    edges.multigraph = bits > 0;
    for (uint64_t u = 0; u < n_joined; u++)
        for (uint64_t v = edges.directed ? 0 : u; v < n_joined; v++)
            for (int i = 0; i <= edges.multigraph; i++)
                if (random_below(source, 10) < (u == v ? loops : share))
                    edge_set_add(&edges, u, v, 1 + random_below(source, UINT64_C(1) << bits));
    *length = n <= 7 ? n + 1 : 7;
    return edges;
}

TEST("random graphs")
{
    random_source source = {40};
    uint64_t n_graphs = variable_or("PATHCOUNT_TEST_SIMPLE", DEFAULT_GRAPHS);
    for (uint64_t g = 0; g < n_graphs; g++) {
        uint64_t length;
        OWNED(edge_set) edges = any_graph(&source, &length);
        OWNED(pc_context) *on = new_context(1 + g % 2);
        OWNED(pc_graph) *graph = new_graph(on, &edges);
        OWNED(simple_walks) walks = simple_walks_of(&edges, length);
        const subject s = {on, graph, walks, &source};
        for (uint64_t l = 0; l <= length; l++)
            ask_all(&s, l);
    }
}
