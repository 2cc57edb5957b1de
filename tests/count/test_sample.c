/* Random walks: chi-squared against an enumeration of all walks, of small graphs of every kind; structures whose counts are
 * wide; threads and batches; refusals, and calls that end halfway. Seeds are fixed, and limits so wide that nothing here
 * depends on chance. */
#include "graphs/graph.h"
#include "src/series/sample.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <math.h>

enum { MOST_VERTICES = 5, MOST_WALKS = 3125 /* 5^5 */, MOST_LENGTH = 4, DRAWS = 4000 };

CASE_CONTEXT(context)

/* ---- Walks that were drawn ------------------------------------------------------------------- */

typedef struct drawn {
    uint64_t n, n_columns, room;
    uint32_t *vertices;
} drawn;

static void release_drawn(drawn *d)
{
    free(d->vertices);
}

static pc_status keep(void *user, uint64_t n_walks, const uint32_t *vertices)
{
    drawn *d = user;
    CU_ASSERT_FATAL(n_walks > 0 && d->n + n_walks <= d->room);
    memcpy(d->vertices + d->n * d->n_columns, vertices, n_walks * d->n_columns * sizeof *vertices);
    d->n += n_walks;
    return PC_OK;
}

static pc_status draw(pc_context *of, const pc_graph *graph, const pc_sample_options *options,
                      int n_leading, drawn *d)
{
    *d = (drawn){.n_columns = options->length + 1, .room = options->number};
    d->vertices = malloc((d->room * d->n_columns + 1) * sizeof *d->vertices);
    return n_leading ? pci_sample(of, graph, options, n_leading, keep, d)
                     : pc_sample(of, graph, options, keep, d);
}

/* ---- Enumeration ----------------------------------------------------------------------------- */

/* The number of times that each walk is there, by the number whose digits are its vertices. */
typedef struct enumeration {
    uint64_t n;
    double times[MOST_WALKS], total, a[MOST_VERTICES][MOST_VERTICES];
    const pc_sample_options *options;
} enumeration;

static void enumerate(enumeration *e, uint64_t at, uint64_t n_arcs, unsigned seen, uint64_t code,
                      double times)
{
    const pc_sample_options *o = e->options;
    if (times == 0 || (o->simple && seen >> at & 1))
        return;
    if (n_arcs == o->length) {
        bool ends = !o->to || *o->to == at;
        e->times[code] = ends ? times : 0;
        e->total += e->times[code];
        return;
    }
    for (uint64_t v = 0; v < e->n; v++)
        enumerate(e, v, n_arcs + 1, seen | 1U << at, code * e->n + v, times * e->a[at][v]);
}

static void enumerate_all(const edge_set *edges, const pc_sample_options *options, enumeration *e)
{
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    *e = (enumeration){.n = edges->n, .options = options};
    for (uint64_t i = 0; i < e->n * e->n; i++)
        e->a[i / e->n][i % e->n] = mpz_get_d(a.entry[i]);
    for (uint64_t v = 0; v < e->n; v++)
        if (!options->from || *options->from == v)
            enumerate(e, v, 0, 0, v, 1);
}

/* Asserts that walks which are not there did not come, and that the others came as often as they should: chi-squared is
 * at most six standard deviations above its mean. Rare walks are one class. */
static void check_spread(const enumeration *e, const drawn *d)
{
    static double came[MOST_WALKS];
    double chi = 0, rare = 0, rare_came = 0;
    int freedom = -1;
    memset(came, 0, sizeof came);
    for (uint64_t w = 0; w < d->n; w++) {
        uint64_t code = 0;
        for (uint64_t c = 0; c < d->n_columns; c++)
            code = code * e->n + d->vertices[w * d->n_columns + c];
        CU_ASSERT_FATAL(code < MOST_WALKS && e->times[code] > 0);
        came[code]++;
    }
    for (int i = 0; i < MOST_WALKS; i++) {
        double expected = (double)d->n * e->times[i] / e->total;
        bool is_rare = expected < 8;
        rare += is_rare ? expected : 0;
        rare_came += is_rare ? came[i] : 0;
        chi += is_rare ? 0 : (came[i] - expected) * (came[i] - expected) / expected;
        freedom += !is_rare;
    }
    chi += rare >= 8 ? (rare_came - rare) * (rare_came - rare) / rare : 0;
    freedom += rare >= 8;
    bool is_likely = chi <= freedom + 6 * sqrt(2.0 * freedom + 2) + 6 &&
                     fabs(rare_came - rare) <= 6 * sqrt(rare + 1);
    CU_ASSERT(is_likely);
}

/* Draws from a graph and checks the walks, or the refusal where there are none. Returns whether walks came. */
static bool check_draws(const edge_set *edges, const pc_sample_options *options, int n_leading)
{
    static enumeration e;
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(drawn) d = {0};
    enumerate_all(edges, options, &e);
    if (e.total == 0 && options->simple && options->length < e.n && options->from != options->to)
        return false; /* it takes a second to find that out */
    pc_status status = draw(context, graph, options, n_leading, &d);
    if (e.total == 0) {
        CU_ASSERT(is_refused(context, status, PC_ERR_DATA, "there is no "));
        return false;
    }
    CU_ASSERT_FATAL(succeeds(context, status));
    CU_ASSERT_EQUAL(d.n, options->number);
    check_spread(&e, &d);
    return true;
}

TEST("walks of random graphs, with any ends, come as often as they should")
{
    static const int leading[] = {0, 64, 1, 3, 9};
    random_source source = {41};
    uint64_t came = 0;
    for (int i = 0; i < 400; i++) {
        OWNED(edge_set) edges =
            edge_set_any_simple(&source, 1 + random_below(&source, MOST_VERTICES));
        uint64_t from = random_below(&source, edges.n), to = random_below(&source, edges.n);
        pc_sample_options options = {.length = random_below(&source, MOST_LENGTH + 1),
                                     .number = DRAWS,
                                     .from = random_below(&source, 2) ? &from : NULL,
                                     .to = random_below(&source, 2) ? &to : NULL,
                                     .simple = random_below(&source, 4) == 0,
                                     .seed = random_u64(&source)};
        if (options.from && from == to)
            options.to = options.to ? options.from : NULL;
        came += check_draws(&edges, &options, leading[random_below(&source, 5)]);
    }
    CU_ASSERT(came > 150);
}

TEST("counts that pass 64, 128 and 256 bits")
{
    for (unsigned bits = 10; bits <= 63; bits += 1) {
        OWNED(edge_set) edges = edge_set_constant(3, (UINT64_C(1) << bits) + bits * 12345);
        check_draws(&edges, &(pc_sample_options){.length = 4, .number = DRAWS, .seed = bits}, 0);
    }
}

TEST("long walks whose counts have 400 bits are spread evenly at every place")
{
    enum { N = 4, LENGTH = 200, NUMBER = 4000 };
    OWNED(edge_set) edges = edge_set_constant(N, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    const pc_sample_options options = {.length = LENGTH, .number = NUMBER, .seed = 5};
    OWNED(drawn) d = {0};
    MUST(draw(context, graph, &options, 0, &d));
    for (uint64_t c = 0; c < LENGTH; c++) {
        double came[N * N] = {0}, chi = 0;
        for (uint64_t w = 0; w < NUMBER; w++) {
            const uint32_t *at = d.vertices + w * d.n_columns + c;
            came[at[0] * N + at[1]]++;
        }
        for (int i = 0; i < N * N; i++)
            chi += pow(came[i] - NUMBER / 16.0, 2) / (NUMBER / 16.0);
        CU_ASSERT(chi < 15 + 6 * sqrt(30));
    }
}

/* ---- The same walks -------------------------------------------------------------------------- */

TEST("threads and batches change no walk, and another seed does")
{
    random_source source = {7};
    OWNED(edge_set) edges = edge_set_preferential(&source, 300, 4);
    OWNED(pc_context) *one = new_context(1), *two = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int simple = 0; simple < 2; simple++) {
        pc_sample_options options = {.length = 8, .number = 50000, .simple = simple, .seed = 3};
        OWNED(drawn) d = {0}, same = {0}, few = {0}, other = {0};
        MUST(draw(one, graph, &options, 0, &d));
        MUST(draw(two, graph, &options, 0, &same));
        options.number = 100;
        MUST(draw(two, graph, &options, 0, &few));
        options.seed = 4;
        MUST(draw(two, graph, &options, 0, &other));
        size_t n_bytes = d.n_columns * sizeof *d.vertices;
        CU_ASSERT(memcmp(d.vertices, same.vertices, 50000 * n_bytes) == 0);
        CU_ASSERT(memcmp(d.vertices, few.vertices, 100 * n_bytes) == 0);
        CU_ASSERT(memcmp(d.vertices, other.vertices, 100 * n_bytes) != 0);
        for (uint64_t w = 1; w < 50000 - 4; w++) /* no batch is one before it */
            CU_ASSERT_FATAL(memcmp(d.vertices, d.vertices + w * d.n_columns, 4 * n_bytes) != 0);
        for (uint64_t i = 0; i < 50000 * 8; i++) {
            const uint32_t *at = d.vertices + i / 8 * 9 + i % 8;
            CU_ASSERT_FATAL(pci_graph_find_arc(graph, at[0], at[1]) < pci_graph_n_arcs(graph));
        }
    }
}

/* ---- Refusals, and ends halfway -------------------------------------------------------------- */

TEST("what cannot be drawn is refused")
{
    OWNED(edge_set) star = edge_set_empty(6, false), none = edge_set_empty(0, false);
    for (uint64_t v = 1; v < 6; v++)
        edge_set_add(&star, 0, v, 1);
    OWNED(pc_graph) *graph = new_graph(context, &star), *empty = new_graph(context, &none);
    static const uint64_t first = 0, second = 1, outside = 6;
    static const struct {
        pc_sample_options options;
        pc_status status;
        const char *words;
    } cases[] = {
        {{.length = 1, .number = 1, .from = &outside}, PC_ERR_ARGUMENT, "out of range"},
        {{.length = 2, .number = 1, .from = &first, .to = &second},
         PC_ERR_DATA,
         "no walk of length 2 with the ends"},
        {{.length = 3, .number = 1000000000, .simple = 1}, PC_ERR_DATA, "no path that visits"},
        {{.length = UINT64_MAX, .number = 1}, PC_ERR_MEMORY, "ask for a smaller length"},
    };
    pc_context_set_memory_limit(context, 1 << 26);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drawn d = {.n_columns = 1};
        pc_status status = pc_sample(context, graph, &cases[i].options, keep, &d);
        CU_ASSERT(is_refused(context, status, cases[i].status, cases[i].words));
    }
    CU_ASSERT(is_refused(context, pc_sample(context, empty, &cases[3].options, keep, NULL),
                         PC_ERR_DATA, "no walk"));
}

/* Changes the weight of an arc or, without weights, its end. */
static pc_status change_graph(void *user, uint64_t n_walks, const uint32_t *vertices)
{
    pc_graph *graph = user;
    (void)n_walks, (void)vertices;
    if (graph->weight)
        graph->weight[0]++;
    else
        graph->column[0] ^= 1;
    return PC_OK;
}

TEST("a graph that changes between two batches is noticed")
{
    static const char *const words[] = {[1] = "the graph", [5] = "a number of walks"};
    for (uint64_t weight = 1; weight <= 5; weight += 4) {
        OWNED(edge_set) edges = edge_set_constant(3, weight);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        const pc_sample_options options = {.length = 3, .number = 100000};
        CU_ASSERT(is_refused(context, pc_sample(context, graph, &options, change_graph, graph),
                             PC_ERR_CERTIFY, words[weight]));
    }
}

static pc_status load_and_draw(pc_context *of, void *user)
{
    OWNED(pc_graph) *graph = NULL;
    OWNED(drawn) d = {0};
    const pc_sample_options options = {.length = 3, .number = 5, .simple = 1};
    pc_status status = edge_set_load(of, user, &graph);
    return status == PC_OK ? draw(of, graph, &options, 0, &d) : status;
}

TEST("without memory, and cancelled, at each place")
{
    OWNED(edge_set) edges = edge_set_constant(4, UINT64_MAX);
    CU_ASSERT(fail_each_allocation(load_and_draw, &edges) >= 12);
    CU_ASSERT(cancel_at_each_question(load_and_draw, 2, &edges) >= 8);
}
