/* Every question, kind of path and method on random labelled graphs, against GMP. The environment variable
 * PATHCOUNT_TEST_GRAPHS says how many graphs; 5,000 have been tried. */
#include <gmp.h>

#include "tests/support/asked.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_GRAPHS = 60,
    MOST_VERTICES = 40,
    MOST_LENGTH = 60,
    MOST_TURNING_ARCS = 90, /* walks are followed arc after arc */
    MOST_DENSE_LENGTH = 20, /* when each length is counted anew */
    LEAST_HYBRID_LENGTH = 4,
    LABEL_BYTES = 24
};

static int n_graphs(void)
{
    const char *text = getenv("PATHCOUNT_TEST_GRAPHS");
    return text ? atoi(text) : DEFAULT_GRAPHS;
}

/* Numbers the vertices anew, at random. */
static void shuffle(random_source *source, uint64_t n, uint64_t *place)
{
    for (uint64_t v = 0; v < n; v++)
        place[v] = v;
    for (uint64_t v = n; v > 1; v--) {
        uint64_t other = random_below(source, v), swap = place[v - 1];
        place[v - 1] = place[other];
        place[other] = swap;
    }
}

/* The graph of edges, given with its vertices in another order and labels that are numbers: so the
 * library puts them into the order of edges. */
static pc_graph *labelled_graph(pc_context *context, random_source *source, const edge_set *edges)
{
    uint64_t n = edges->n, place[MOST_VERTICES], *from, *to;
    char text[MOST_VERTICES][LABEL_BYTES];
    const char *labels[MOST_VERTICES];
    pc_graph *graph = NULL;
    from = malloc((2 * edges->n_edges + 1) * sizeof *from);
    to = from + edges->n_edges;
    shuffle(source, n, place);
    for (uint64_t v = 0; v < n; v++) {
        snprintf(text[place[v]], LABEL_BYTES, "%" PRIu64, 7 * v + 3);
        labels[v] = text[v];
    }
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        from[e] = place[edges->from[e]];
        to[e] = place[edges->to[e]];
    }
    pc_edges given = {.n_vertices = n,
                      .labels = labels,
                      .n_edges = edges->n_edges,
                      .from = from,
                      .to = to,
                      .weight = edges->weight,
                      .stated = edges->directed ? PC_DIRECTED : PC_UNDIRECTED};
    pc_graph_options options = {.multigraph = edges->multigraph};
    MUST(pc_graph_from_edges(context, &given, &options, &graph));
    free(from);
    return graph;
}

/* By label, as a user would. */
static void find_vertices(pc_context *context, const pc_graph *graph, uint64_t n,
                          uint64_t *vertices)
{
    char label[LABEL_BYTES];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t wanted = vertices[i];
        snprintf(label, sizeof label, "%" PRIu64, 7 * wanted + 3);
        MUST(pc_graph_find(context, graph, label, &vertices[i]));
        CU_ASSERT_EQUAL_FATAL(vertices[i], wanted);
    }
}

/* A hybrid begins with words below 2^63: whether a row of A^2 adds up to less. */
static bool fits_word(const powers *powers)
{
    OWNED(mpz_t) sum;
    bool fits = true;
    mpz_init(sum);
    for (uint64_t i = 0; i < powers->n && fits; i++) {
        mpz_set_ui(sum, 0);
        for (uint64_t j = 0; j < powers->n; j++)
            mpz_add(sum, sum, powers->power[2].entry[i * powers->n + j]);
        fits = mpz_sizeinbase(sum, 2) <= 62;
    }
    return fits;
}

static bool is_possible(const asked *a)
{
    bool many = a->query.each || a->query.up_to;
    if (a->options.method == PC_METHOD_HYBRID)
        return a->query.length >= LEAST_HYBRID_LENGTH && !many &&
               a->options.arithmetic == PC_EXACT && fits_word(a->powers);
    if (a->options.method == PC_METHOD_DENSE && many)
        return a->query.length <= MOST_DENSE_LENGTH;
    return true;
}

/* All kinds of question, for one length, for each, and added up. */
static void ask_all(pc_context *context, const pc_graph *graph, const asked *base,
                    const vertices *v)
{
    for (int q = 0; q < 3 * N_QUERY_KINDS; q++) {
        asked a = *base;
        a.query.kind = (pc_query_kind)(q / 3);
        a.query.n_asked = 5;
        a.query.from = v->from;
        a.query.to = v->to;
        a.query.each = q % 3 == 1;
        a.query.up_to = q % 3 == 2;
        if (is_possible(&a))
            check_query(context, graph, &a);
    }
}

static void all_methods(random_source *source, pc_context *context, const edge_set *edges,
                        const vertices *v, uint64_t length)
{
    OWNED(pc_graph) *graph = labelled_graph(context, source, edges);
    OWNED(powers) all = powers_of(edges, length);
    asked base = {.powers = &all, .query.length = length};
    for (int m = PC_METHOD_AUTO; m <= PC_METHOD_HYBRID; m++) {
        base.options.method = (pc_method)m;
        ask_all(context, graph, &base, v);
    }
    base.options = (pc_count_options){.arithmetic = PC_MODULAR, .modulus = 1000000007};
    ask_all(context, graph, &base, v);
}

static void not_turning(random_source *source, pc_context *context, const edge_set *edges,
                        const vertices *v, uint64_t length)
{
    OWNED(pc_graph) *graph = labelled_graph(context, source, edges);
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    if (info.max_weight <= 1 && info.n_arcs <= MOST_TURNING_ARCS) {
        OWNED(walk_matrices) walks = walks_by_arcs(edges, length);
        asked base = {.walks = &walks,
                      .query = {.paths = PC_PATHS_NON_BACKTRACKING, .length = length}};
        ask_all(context, graph, &base, v);
    }
}

TEST("every question")
{
    random_source source = {31};
    for (int g = 0; g < n_graphs(); g++) {
        uint64_t n = 1 + random_below(&source, MOST_VERTICES);
        uint64_t length = random_below(&source, MOST_LENGTH + 1);
        bool sparse = g % 2;
        OWNED(edge_set) edges = sparse
                                    ? edge_set_density(&source, n, (unsigned)(2000 / n), g % 4 == 1)
                                    : edge_set_any_simple(&source, n);
        OWNED(pc_context) *context = new_context(1 + g % 3);
        vertices v;
        pick_vertices(&source, n, &v);
        pc_graph *graph = labelled_graph(context, &source, &edges);
        find_vertices(context, graph, 5, v.from);
        find_vertices(context, graph, 5, v.to);
        pc_graph_free(graph);
        all_methods(&source, context, &edges, &v, length);
        if (sparse)
            not_turning(&source, context, &edges, &v, length);
    }
}
