/* Random graphs. Random numbers depend on the seed and on the number of the object they are for, so that the graph does
 * not depend on the number of threads. */
#include "graphs/generate.h"

#include <inttypes.h>
#include <math.h>

enum { OPERATIONS_A_DRAW = 50 }; /* about, of any model */

/* The graph that is being made. */
typedef struct task {
    pc_context *context;
    uint64_t n_vertices;
    bool directed;
    const char *format; /* for the info */
} task;

/* Edge number of a model, the same whenever it is asked for. */
typedef pci_edge (*draw_fn)(const void *model, uint64_t number);

pci_permutation pci_permutation_random(uint64_t n, pci_random random)
{
    int n_bits = n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
    pci_permutation made = {
        .n = n, .mask = n_bits > 0 ? UINT64_MAX >> (64 - n_bits) : 0, .shift = (n_bits + 1) / 2};
    for (int round = 0; round < PCI_PERMUTATION_ROUNDS; round++) {
        made.factor[round] = pci_random_next(&random) | 1;
        made.addend[round] = pci_random_next(&random);
    }
    return made;
}

uint64_t pci_pairs_count(uint64_t n_vertices, bool directed)
{
    uint64_t n_ordered = n_vertices > 0 ? n_vertices * (n_vertices - 1) : 0;
    return directed ? n_ordered : n_ordered / 2;
}

/* Vertex 1 has a pair with vertex 0, vertex 2 has two, and so on: the pairs of v begin at v (v - 1)
 * / 2. A double cannot hold every number of a pair, but the square root is at most one too large:
 * for the first pair of a v below 2^32 it gives v in spite of rounding. */
static pci_edge unordered_pair_at(uint64_t pair)
{
    uint64_t v = (uint64_t)(sqrt(2.0 * (double)pair + 0.25) + 0.5);
    v -= v * (v - 1) / 2 > pair;
    return (pci_edge){(uint32_t)(pair - v * (v - 1) / 2), (uint32_t)v};
}

pci_edge pci_pair_at(uint64_t n_vertices, bool directed, uint64_t pair)
{
    if (!directed)
        return unordered_pair_at(pair);
    uint64_t from = pair / (n_vertices - 1), to = pair % (n_vertices - 1);
    return (pci_edge){(uint32_t)from, (uint32_t)(to + (to >= from))};
}

/* Returns whether a graph of so many edges can be made, before anything is allocated: PC_ERR_ARGUMENT for too many
 * vertices, PC_ERR_MEMORY. */
static pc_status check_task(const task *t, double n_edges)
{
    pc_context *context = t->context;
    pc_status status = pci_check_n_vertices(context, t->n_vertices);
    if (status)
        return status;
    /* The builder holds the edges and a key for each arc at the same time, later keys and columns
     * of arcs. */
    double edge_bytes = sizeof(pci_edge) + (t->directed ? 1 : 2) * sizeof(uint64_t);
    double need_bytes = n_edges * edge_bytes + 8.0 * ((double)t->n_vertices + 1);
    uint64_t available = pci_memory_available(context);
    if (need_bytes <= (double)available)
        return PC_OK;
    return pci_fail(context, PC_ERR_MEMORY,
                    "to make a graph of %" PRIu64 " vertices from %.4g edges takes %.3g GB of "
                    "memory and there are %.3g GB: fewer edges, or a larger machine",
                    t->n_vertices, n_edges, need_bytes / 1e9, (double)available / 1e9);
}

/* The graph of the edges, which are taken over whatever the status. */
static pc_status build_graph(const task *t, pci_edges *edges, pc_graph **graph)
{
    pci_graph_draft draft = {.edges = *edges,
                             .labels = pci_labels_range(0, t->n_vertices),
                             .info = {.directed = t->directed, .format = t->format}};
    *edges = (pci_edges){0};
    return pci_graph_build(t->context, &draft, graph);
}

static void draw_part(pci_edge_part *part, uint64_t first, draw_fn draw, const void *model)
{
    uint64_t n_kept = 0;
    for (uint64_t e = 0; e < part->n_edges; e++) {
        pci_edge edge = draw(model, first + e);
        part->edge[n_kept] = edge;
        n_kept += edge.from != edge.to;
    }
    part->n_edges = n_kept;
}

/* The graph of n_edges edges that are independent of one another; loops are dropped. */
static pc_status draw_graph(const task *t, uint64_t n_edges, draw_fn draw, const void *model,
                            pc_graph **graph)
{
    pc_context *context = t->context;
    pci_edges edges;
    pc_status status = check_task(t, (double)n_edges);
    if (status == PC_OK)
        status =
            pci_edges_create_equal(context, n_edges / PCI_PART_EDGES + 1, n_edges, false, &edges);
    if (status)
        return status;
    int n_threads = pci_threads_for(context, OPERATIONS_A_DRAW * (double)n_edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t part = 0; part < edges.n_parts; part++)
        draw_part(&edges.parts[part], (uint64_t)(edges.parts[part].edge - edges.edge), draw, model);
    status = pci_progress(context, "generate", 0.5);
    if (status) {
        pci_edges_free(context, &edges);
        return status;
    }
    return build_graph(t, &edges, graph);
}

/* ---- R-MAT -------------------------------------------------------------------------------------- */

/* The recursive matrix of Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph
 * mining", 2004: an edge finds its place in the adjacency matrix by choosing one of four quadrants,
 * then one of four within that, and so on, always with the same probabilities. Those that Graph500
 * uses are the default. */

enum { MAX_SCALE = 31 };
#define MAX_EDGE_FACTOR (UINT64_C(1) << 32)

static const double graph500[] = {0.57, 0.19, 0.19};
static const double rounding = 1e-9; /* sums of probabilities may be off by */

pci_edge pci_rmat_edge(const pci_rmat *rmat, uint64_t number)
{
    pci_random random = pci_random_sequence(rmat->seed, number);
    uint64_t choices = 0;
    pci_edge edge = {0, 0};
    for (uint32_t level = 0; level < rmat->scale; level++) {
        choices = level % 2 ? choices >> 32 : pci_random_next(&random);
        uint32_t choice = (uint32_t)choices;
        uint32_t quadrant =
            (choice >= rmat->limit[0]) + (choice >= rmat->limit[1]) + (choice >= rmat->limit[2]);
        edge.from = edge.from << 1 | quadrant >> 1;
        edge.to = edge.to << 1 | (quadrant & 1);
    }
    return edge;
}

static pc_status take_probabilities(pc_context *context, const pc_rmat *options, pci_rmat *rmat)
{
    const double *given = (const double[]){options->a, options->b, options->c};
    if (options->a == 0 && options->b == 0 && options->c == 0)
        given = graph500;
    double sum = 0;
    for (int quadrant = 0; quadrant < 3; quadrant++) {
        sum += given[quadrant];
        if (!(given[quadrant] >= 0) || !(sum <= 1 + rounding))
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "R-MAT: quadrants with probabilities %g, %g, %g and the rest make no "
                            "sense: none may be negative, and the three add up to 1 at most",
                            given[0], given[1], given[2]);
        rmat->limit[quadrant] = (uint64_t)((sum < 1 ? sum : 1) * 0x1p32);
    }
    return PC_OK;
}

pc_status pci_rmat_prepare(pc_context *context, const pc_rmat *options, uint64_t seed,
                           pci_rmat *rmat)
{
    if (options->scale > MAX_SCALE || options->edge_factor > MAX_EDGE_FACTOR)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "R-MAT: scale %" PRIu32 " with edge factor %" PRIu64
                        " is too large: they may be %d and 2^32",
                        options->scale, options->edge_factor, MAX_SCALE);
    *rmat = (pci_rmat){.seed = seed, .scale = options->scale};
    return take_probabilities(context, options, rmat);
}

typedef struct numbered_rmat {
    pci_rmat rmat;
    pci_permutation numbers; /* of vertices */
} numbered_rmat;

static pci_edge draw_rmat_edge(const void *model, uint64_t number)
{
    const numbered_rmat *numbered = model;
    pci_edge edge = pci_rmat_edge(&numbered->rmat, number);
    return (pci_edge){(uint32_t)pci_permutation_at(&numbered->numbers, edge.from),
                      (uint32_t)pci_permutation_at(&numbered->numbers, edge.to)};
}

pc_status pc_generate_rmat(pc_context *context, const pc_rmat *options, uint64_t seed, int directed,
                           pc_graph **graph)
{
    if (!context || !options || !graph)
        return pci_fail_null(context, "rmat or graph");
    numbered_rmat model;
    pc_status status = pci_rmat_prepare(context, options, seed, &model.rmat);
    if (status)
        return status;
    task t = {.context = context,
              .n_vertices = UINT64_C(1) << options->scale,
              .directed = directed,
              .format = "R-MAT"};
    model.numbers = pci_permutation_random(t.n_vertices, pci_random_sequence(seed, UINT64_MAX));
    return draw_graph(&t, options->edge_factor << options->scale, draw_rmat_edge, &model, graph);
}

/* ---- Equal probabilities ------------------------------------------------------------------------ */

/* Graphs in which every pair of vertices is joined with the same probability.
 *
 * A given number of edges (Erdos, Renyi, "On random graphs I", 1959): the pairs are numbered, and a
 * random permutation of these numbers says which come first. So no pair is drawn twice, and edges
 * can be drawn in any order.
 *
 * A given probability (Gilbert, "Random graphs", 1959): the number of pairs to skip until the next
 * edge is a geometric variable. It takes one logarithm instead of a draw for each pair (Batagelj,
 * Brandes, "Efficient generation of large random networks", 2005). The variable is memoryless, so
 * the pairs can be divided into parts that are independent. */

enum { OPERATIONS_AN_EDGE = 20 };

typedef struct uniform {
    uint64_t n_vertices;
    bool directed;
    pci_permutation order; /* of the pairs */
} uniform;

static pci_edge draw_uniform_edge(const void *model, uint64_t number)
{
    const uniform *u = model;
    return pci_pair_at(u->n_vertices, u->directed, pci_permutation_at(&u->order, number));
}

pc_status pc_generate_erdos_renyi(pc_context *context, uint64_t n_vertices, uint64_t n_edges,
                                  uint64_t seed, int directed, pc_graph **graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    task t = {.context = context,
              .n_vertices = n_vertices,
              .directed = directed,
              .format = "Erdos-Renyi"};
    pc_status status = check_task(&t, 0);
    if (status)
        return status;
    uint64_t n_pairs = pci_pairs_count(n_vertices, directed);
    if (n_edges > n_pairs)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "Erdos-Renyi: %" PRIu64 " edges are too many: %" PRIu64
                        " vertices have room for %" PRIu64 " %s",
                        n_edges, n_vertices, n_pairs, directed ? "arcs" : "edges");
    uniform model = {.n_vertices = n_vertices,
                     .directed = directed,
                     .order = pci_permutation_random(n_pairs, pci_random_sequence(seed, 0))};
    return draw_graph(&t, n_edges, draw_uniform_edge, &model, graph);
}

typedef struct gilbert {
    task task;
    uint64_t seed;
    uint64_t n_pairs, part_pairs, n_parts;
    double log_absent; /* logarithm of the probability that a pair has no edge */
    double n_expected_edges;
} gilbert;

/* Counts the edges of a part of the pairs, and puts them into edge unless that is NULL. */
static uint64_t draw_gilbert_part(const gilbert *g, uint64_t part, pci_edge *edge)
{
    pci_random random = pci_random_sequence(g->seed, part);
    uint64_t pair = part * g->part_pairs, n_edges = 0;
    uint64_t end = g->n_pairs - pair < g->part_pairs ? g->n_pairs : pair + g->part_pairs;
    for (; pair < end; pair++) {
        double skip = floor(log(pci_random_unit(&random)) / g->log_absent);
        if (skip >= (double)(end - pair))
            break;
        pair += (uint64_t)skip;
        if (pair >= end) /* the double above was rounded up */
            break;
        if (edge)
            edge[n_edges] = pci_pair_at(g->task.n_vertices, g->task.directed, pair);
        n_edges++;
    }
    return n_edges;
}

/* The edges are counted first and then made, since a sequence of random numbers can be repeated. */
static pc_status count_parts(const gilbert *g, int n_threads, uint64_t *n_edges_of)
{
    uint64_t n_edges = 0;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(+ : n_edges)
    for (uint64_t part = 0; part < g->n_parts; part++)
        n_edges += n_edges_of[part] = draw_gilbert_part(g, part, NULL);
    return check_task(&g->task, (double)n_edges);
}

static pc_status make_edges(const gilbert *g, pci_edges *edges)
{
    pc_context *context = g->task.context;
    int n_threads = pci_threads_for(context, OPERATIONS_AN_EDGE * g->n_expected_edges);
    uint64_t *n_edges_of = pci_alloc(context, g->n_parts * sizeof *n_edges_of);
    if (!n_edges_of)
        return pci_fail_memory(context, "the edges", g->n_parts * sizeof *n_edges_of);
    pc_status status = count_parts(g, n_threads, n_edges_of);
    if (status == PC_OK)
        status = pci_progress(context, "generate", 0.3);
    if (status == PC_OK)
        status = pci_edges_create(context, g->n_parts, n_edges_of, false, edges);
    pci_free(context, n_edges_of);
    if (status)
        return status;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (uint64_t part = 0; part < g->n_parts; part++)
        draw_gilbert_part(g, part, edges->parts[part].edge);
    return PC_OK;
}

pc_status pc_generate_gilbert(pc_context *context, uint64_t n_vertices, double probability,
                              uint64_t seed, int directed, pc_graph **graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    gilbert g = {.task = {.context = context,
                          .n_vertices = n_vertices,
                          .directed = directed,
                          .format = "Erdos-Renyi"},
                 .seed = seed};
    if (!(probability >= 0 && probability <= 1))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "Erdos-Renyi: a probability is a number from 0 to 1, not %g", probability);
    pc_status status = check_task(&g.task, 0);
    if (status)
        return status;
    g.n_pairs = probability > 0 ? pci_pairs_count(n_vertices, directed) : 0;
    g.n_expected_edges = probability * (double)g.n_pairs;
    g.log_absent = log1p(-probability);
    double part_pairs = PCI_PART_EDGES / probability;
    g.part_pairs = part_pairs < (double)g.n_pairs ? (uint64_t)part_pairs : g.n_pairs;
    g.n_parts = g.n_pairs > 0 ? (g.n_pairs - 1) / g.part_pairs + 1 : 1;
    pci_edges edges;
    if ((status = check_task(&g.task, g.n_expected_edges)) || (status = make_edges(&g, &edges)))
        return status;
    return build_graph(&g.task, &edges, graph);
}

/* ---- Preferential attachment -------------------------------------------------------------------- */

/* Preferential attachment (Barabasi, Albert, "Emergence of scaling in random networks", 1999): each
 * new vertex joins a given number of older ones, with probabilities in proportion to their degrees.
 * A uniformly random end of all edges so far has this distribution (Batagelj, Brandes, "Efficient
 * generation of large random networks", 2005), and the list of ends is the list of edges. Each
 * choice depends on those before, so one thread does the work. */

enum { VERTICES_BETWEEN_LOOKS = 1024 };

typedef struct attachment {
    task task;
    uint64_t n_targets; /* of each new vertex; the first of these is vertex n_targets */
    pci_random random;
    pci_edge *edge;      /* edges of vertex n_targets + i are from i * n_targets on */
    uint32_t *chosen_by; /* [n_vertices] the newest vertex that has chosen this one; 0: none */
} attachment;

/* An older vertex that vertex has not chosen yet, by the ends of the first n_edges edges. */
static uint32_t choose(attachment *a, uint32_t vertex, uint64_t n_edges)
{
    for (;;) {
        uint64_t end = pci_random_below(&a->random, 2 * n_edges);
        pci_edge edge = a->edge[end / 2];
        uint32_t target = end % 2 ? edge.to : edge.from;
        if (a->chosen_by[target] == vertex)
            continue;
        a->chosen_by[target] = vertex;
        return target;
    }
}

/* The first new vertex joins all older ones, which have no edges yet and are as many as it
 * needs. */
static pc_status attach(attachment *a)
{
    uint64_t n_vertices = a->task.n_vertices, n_edges = 0;
    pc_status status = PC_OK;
    for (uint32_t v = (uint32_t)a->n_targets; v < n_vertices && status == PC_OK; v++) {
        uint64_t n_before = n_edges;
        for (uint32_t i = 0; i < a->n_targets; i++)
            a->edge[n_edges++] = (pci_edge){v, n_before > 0 ? choose(a, v, n_before) : i};
        if (v % VERTICES_BETWEEN_LOOKS == 0)
            status = pci_progress(a->task.context, "generate", (double)v / (double)n_vertices);
    }
    return status;
}

static pc_status check_arguments(pc_context *context, uint64_t n_vertices,
                                 uint64_t edges_per_vertex)
{
    if (edges_per_vertex > 0 && edges_per_vertex < n_vertices)
        return PC_OK;
    return pci_fail(
        context, PC_ERR_ARGUMENT,
        "Barabasi-Albert: %" PRIu64 " edges a vertex and %" PRIu64
        " vertices make no sense: 1 or more edges a vertex, and more vertices than that",
        edges_per_vertex, n_vertices);
}

pc_status pc_generate_barabasi_albert(pc_context *context, uint64_t n_vertices,
                                      uint64_t edges_per_vertex, uint64_t seed, int directed,
                                      pc_graph **graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    attachment a = {.task = {.context = context,
                             .n_vertices = n_vertices,
                             .directed = directed,
                             .format = "Barabasi-Albert"},
                    .n_targets = edges_per_vertex,
                    .random = pci_random_sequence(seed, 0)};
    pci_edges edges = {0};
    pc_status status = check_arguments(context, n_vertices, edges_per_vertex);
    if (status == PC_OK)
        status = check_task(&a.task, 0); /* now the product cannot overflow */
    if (status)
        return status;
    uint64_t n_edges = (n_vertices - edges_per_vertex) * edges_per_vertex;
    if ((status = check_task(&a.task, (double)n_edges)) ||
        (status = pci_edges_create(context, 1, &n_edges, false, &edges)))
        return status;
    a.edge = edges.edge;
    a.chosen_by = pci_alloc_zero(context, n_vertices, sizeof *a.chosen_by);
    if (a.chosen_by)
        status = attach(&a);
    else
        status = pci_fail_memory(context, "the vertices", n_vertices * sizeof *a.chosen_by);
    pci_free(context, a.chosen_by);
    if (status) {
        pci_edges_free(context, &edges);
        return status;
    }
    return build_graph(&a.task, &edges, graph);
}
