/* Random graphs. Random numbers depend on the seed and on the number of the object they are for (an edge, a part of the
 * pairs), never on the thread or the time. So the graph does not depend on the number of threads. */
#include "graphs/builder.h"
#include "src/core/checksum.h"

#include <inttypes.h>
#include <math.h>

enum {
    PART_EDGES = 1 << 16, /* one thread at a time draws so many */
    VERTICES_BETWEEN_LOOKS = 1024,
    PERMUTATION_ROUNDS = 6,
    MAX_SCALE = 31
};

/* Of any model whose edges are independent of one another, about; and of Gilbert's model. */
static const double DRAW_SECONDS = 50e-9, EDGE_SECONDS = 20e-9;

/* ---- Random numbers -------------------------------------------------------------------------- */

/* A random permutation of 0 .. n-1 that takes no memory. It permutes the numbers of as many bits as
 * n - 1 has, by rounds of steps that are each invertible: times an odd number, plus a number, upper
 * bits added to lower ones. A result that is not below n is permuted again until it is, less than
 * twice on average (Black, Rogaway, "Ciphers with arbitrary finite domains", 2002). */
typedef struct permutation {
    uint64_t n, mask;
    int shift;
    uint64_t factor[PERMUTATION_ROUNDS], addend[PERMUTATION_ROUNDS];
} permutation;

static permutation make_permutation(uint64_t n, pci_random random)
{
    int n_bits = n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
    permutation made = {
        .n = n, .mask = n_bits > 0 ? UINT64_MAX >> (64 - n_bits) : 0, .shift = (n_bits + 1) / 2};
    for (int round = 0; round < PERMUTATION_ROUNDS; round++) {
        made.factor[round] = pci_random_next(&random) | 1;
        made.addend[round] = pci_random_next(&random);
    }
    return made;
}

/* The image of a number, which is below n. */
static inline uint64_t permute(const permutation *p, uint64_t number)
{
    do
        for (int round = 0; round < PERMUTATION_ROUNDS; round++) {
            number *= p->factor[round];
            number = (number + p->addend[round]) & p->mask;
            number ^= number >> p->shift;
        }
    while (number >= p->n);
    return number;
}

/* ---- Edges of any model ---------------------------------------------------------------------- */

/* The graph that is being made. */
typedef struct task {
    pc_context *context;
    const pc_model *model;
    uint64_t n_vertices;
    const char *format;  /* for the info */
    permutation numbers; /* of the vertices, or of pairs of them */
    uint64_t limit[3]; /* R-MAT: a choice below limit[0] of 2^32 is the first quadrant, and so on */
    uint64_t n_pairs, part_pairs, n_parts; /* Gilbert */
    double log_absent; /* logarithm of the probability that a pair has no edge */
} task;

/* Edge number of a model, the same whenever it is asked for. */
typedef pci_edge (*draw_fn)(const task *t, uint64_t number);

/* The number of edges that may join different vertices: pairs, ordered when directed. */
static uint64_t count_pairs(const task *t)
{
    uint64_t n_ordered = t->n_vertices > 0 ? t->n_vertices * (t->n_vertices - 1) : 0;
    return t->model->directed ? n_ordered : n_ordered / 2;
}

/* Pair number pair of them. Without an order vertex 1 has a pair with vertex 0, vertex 2 has two pairs, and so on:
 * those of v begin at v (v - 1) / 2. A double cannot hold every number of a pair, so the root may be off by one. */
static pci_edge pair_at(const task *t, uint64_t pair)
{
    if (t->model->directed) {
        uint64_t from = pair / (t->n_vertices - 1), to = pair % (t->n_vertices - 1);
        return (pci_edge){(uint32_t)from, (uint32_t)(to + (to >= from))};
    }
    uint64_t v = (uint64_t)(sqrt(2.0 * (double)pair + 0.25) + 0.5);
    v -= v * (v - 1) / 2 > pair;
    v += v * (v + 1) / 2 <= pair;
    return (pci_edge){(uint32_t)(pair - v * (v - 1) / 2), (uint32_t)v};
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
    double edge_bytes = sizeof(pci_edge) + (t->model->directed ? 1 : 2) * sizeof(uint64_t);
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
                             .info = {.directed = t->model->directed, .format = t->format}};
    *edges = (pci_edges){0};
    return pci_graph_build(t->context, &draft, graph);
}

/* The graph of n_edges edges that are independent of one another; loops are dropped. */
static pc_status draw_graph(const task *t, uint64_t n_edges, draw_fn draw, pc_graph **graph)
{
    pci_edges edges;
    pc_status status = check_task(t, (double)n_edges);
    if (status == PC_OK)
        status =
            pci_edges_create_equal(t->context, n_edges / PART_EDGES + 1, n_edges, false, &edges);
    if (status)
        return status;
    int n_threads = pci_threads_worth(t->context, DRAW_SECONDS * (double)n_edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t p = 0; p < edges.n_parts; p++) {
        pci_edge_part *part = &edges.parts[p];
        uint64_t first = (uint64_t)(part->edge - edges.edge), n_kept = 0;
        for (uint64_t e = 0; e < part->n_edges; e++) {
            pci_edge edge = draw(t, first + e);
            part->edge[n_kept] = edge;
            n_kept += edge.from != edge.to;
        }
        part->n_edges = n_kept;
    }
    status = pci_progress(t->context, "generate", 0.5);
    if (status == PC_OK)
        return build_graph(t, &edges, graph);
    pci_edges_free(t->context, &edges);
    return status;
}

/* ---- R-MAT ----------------------------------------------------------------------------------- */

/* The recursive matrix of Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph
 * mining", 2004: an edge finds its place in the adjacency matrix by choosing one of four quadrants,
 * then one of four within that, and so on, always with the same probabilities. Those that Graph500
 * uses are the default. Vertices are numbered at random. */

static pci_edge draw_rmat_edge(const task *t, uint64_t number)
{
    pci_random random = pci_random_sequence(t->model->seed, number);
    uint64_t choices = 0, from = 0, to = 0;
    for (uint32_t level = 0; level < t->model->scale; level++) {
        choices = level % 2 ? choices >> 32 : pci_random_next(&random);
        uint32_t choice = (uint32_t)choices;
        uint32_t quadrant =
            (choice >= t->limit[0]) + (choice >= t->limit[1]) + (choice >= t->limit[2]);
        from = from << 1 | quadrant >> 1;
        to = to << 1 | (quadrant & 1);
    }
    return (pci_edge){(uint32_t)permute(&t->numbers, from), (uint32_t)permute(&t->numbers, to)};
}

static pc_status generate_rmat(task *t, pc_graph **graph)
{
    static const double graph500[] = {0.57, 0.19, 0.19};
    static const double rounding = 1e-9; /* sums of probabilities may be off by */
    const pc_model *m = t->model;
    if (m->scale > MAX_SCALE || m->edge_factor > UINT64_C(1) << 32)
        return pci_fail(t->context, PC_ERR_ARGUMENT,
                        "R-MAT: scale %" PRIu32 " with edge factor %" PRIu64
                        " is too large: they may be %d and 2^32",
                        m->scale, m->edge_factor, MAX_SCALE);
    bool is_default = m->a == 0 && m->b == 0 && m->c == 0;
    const double *given = is_default ? graph500 : (double[]){m->a, m->b, m->c};
    double sum = 0;
    for (int quadrant = 0; quadrant < 3; quadrant++) {
        sum += given[quadrant];
        if (!(given[quadrant] >= 0) || !(sum <= 1 + rounding))
            return pci_fail(t->context, PC_ERR_ARGUMENT,
                            "R-MAT: quadrants with probabilities %g, %g, %g and the rest make no "
                            "sense: none may be negative, and the three add up to 1 at most",
                            given[0], given[1], given[2]);
        t->limit[quadrant] = (uint64_t)((sum < 1 ? sum : 1) * 0x1p32);
    }
    t->n_vertices = UINT64_C(1) << m->scale;
    t->numbers = make_permutation(t->n_vertices, pci_random_sequence(m->seed, UINT64_MAX));
    return draw_graph(t, m->edge_factor << m->scale, draw_rmat_edge, graph);
}

/* ---- Equal probabilities --------------------------------------------------------------------- */

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

static pci_edge draw_uniform_edge(const task *t, uint64_t number)
{
    return pair_at(t, permute(&t->numbers, number));
}

static pc_status generate_erdos_renyi(task *t, pc_graph **graph)
{
    const pc_model *m = t->model;
    pc_status status = check_task(t, 0);
    if (status)
        return status;
    uint64_t n_pairs = count_pairs(t);
    if (m->n_edges > n_pairs)
        return pci_fail(t->context, PC_ERR_ARGUMENT,
                        "Erdos-Renyi: %" PRIu64 " edges are too many: %" PRIu64
                        " vertices have room for %" PRIu64 " %s",
                        m->n_edges, m->n_vertices, n_pairs, m->directed ? "arcs" : "edges");
    t->numbers = make_permutation(n_pairs, pci_random_sequence(m->seed, 0));
    return draw_graph(t, m->n_edges, draw_uniform_edge, graph);
}

/* Counts the edges of a part of the pairs, and puts them into edge unless that is NULL. */
static uint64_t draw_gilbert_part(const task *t, uint64_t part, pci_edge *edge)
{
    pci_random random = pci_random_sequence(t->model->seed, part);
    uint64_t pair = part * t->part_pairs, n_edges = 0;
    uint64_t end = t->n_pairs - pair < t->part_pairs ? t->n_pairs : pair + t->part_pairs;
    for (; pair < end; pair++) {
        double unit =
            (double)((pci_random_next(&random) >> 11) + 1) * 0x1p-53; /* above 0, up to 1 */
        double skip = floor(log(unit) / t->log_absent);
        if (skip >= (double)(end - pair))
            break;
        pair += (uint64_t)skip;
        if (pair >= end) /* the double above was rounded up */
            break;
        if (edge)
            edge[n_edges] = pair_at(t, pair);
        n_edges++;
    }
    return n_edges;
}

/* The edges are counted first and then made, since a sequence of random numbers can be repeated. */
static pc_status generate_gilbert(task *t, pc_graph **graph)
{
    const double probability = t->model->probability;
    pc_context *context = t->context;
    if (!(probability >= 0 && probability <= 1))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "Erdos-Renyi: a probability is a number from 0 to 1, not %g", probability);
    pc_status status = check_task(t, 0);
    if (status)
        return status;
    t->log_absent = log1p(-probability);
    t->n_pairs = probability > 0 ? count_pairs(t) : 0;
    double n_expected = probability * (double)t->n_pairs, part_pairs = PART_EDGES / probability;
    t->part_pairs = part_pairs < (double)t->n_pairs ? (uint64_t)part_pairs : t->n_pairs;
    t->n_parts = t->n_pairs > 0 ? (t->n_pairs - 1) / t->part_pairs + 1 : 1;
    if ((status = check_task(t, n_expected)))
        return status;
    pci_edges edges;
    int n_threads = pci_threads_worth(context, EDGE_SECONDS * n_expected);
    uint64_t *n_edges_of = pci_alloc(context, t->n_parts * sizeof *n_edges_of), n_edges = 0;
    if (!n_edges_of)
        return pci_fail_memory(context, "the edges", t->n_parts * sizeof *n_edges_of);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(+ : n_edges)
    for (uint64_t part = 0; part < t->n_parts; part++)
        n_edges += n_edges_of[part] = draw_gilbert_part(t, part, NULL);
    if ((status = check_task(t, (double)n_edges)) == PC_OK &&
        (status = pci_progress(context, "generate", 0.3)) == PC_OK)
        status = pci_edges_create(context, t->n_parts, n_edges_of, false, &edges);
    pci_free(context, n_edges_of);
    if (status)
        return status;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (uint64_t part = 0; part < t->n_parts; part++)
        draw_gilbert_part(t, part, edges.parts[part].edge);
    return build_graph(t, &edges, graph);
}

/* ---- Preferential attachment ----------------------------------------------------------------- */

/* Preferential attachment (Barabasi, Albert, "Emergence of scaling in random networks", 1999): each
 * new vertex joins a given number of older ones, with probabilities in proportion to their degrees.
 * A uniformly random end of all edges so far has this distribution (Batagelj, Brandes, "Efficient
 * generation of large random networks", 2005), and the list of ends is the list of edges. Each
 * choice depends on those before, so one thread does the work.
 *
 * The first new vertex joins all older ones, which have no edges yet and are as many as it needs. */
static pc_status attach(const task *t, pci_edge *edges)
{
    const uint64_t n_targets = t->model->edges_per_vertex;
    pci_random random = pci_random_sequence(t->model->seed, 0);
    /* [n_vertices]: the newest vertex that has chosen this one; 0: none */
    uint32_t *chosen_by = pci_alloc_zero(t->context, t->n_vertices, sizeof *chosen_by);
    if (!chosen_by)
        return pci_fail_memory(t->context, "the vertices", t->n_vertices * sizeof *chosen_by);
    pc_status status = PC_OK;
    uint64_t n_edges = 0;
    for (uint32_t v = (uint32_t)n_targets; v < t->n_vertices && status == PC_OK; v++) {
        uint64_t n_before = n_edges;
        for (uint32_t i = 0; i < n_targets; i++) {
            uint32_t target = i;
            while (n_before > 0) {
                uint64_t end =
                    (uint64_t)((unsigned __int128)pci_random_next(&random) * (2 * n_before) >> 64);
                target = end % 2 ? edges[end / 2].to : edges[end / 2].from;
                if (chosen_by[target] != v)
                    break;
            }
            chosen_by[target] = v;
            edges[n_edges++] = (pci_edge){v, target};
        }
        if (v % VERTICES_BETWEEN_LOOKS == 0)
            status = pci_progress(t->context, "generate", (double)v / (double)t->n_vertices);
    }
    pci_free(t->context, chosen_by);
    return status;
}

static pc_status generate_barabasi_albert(task *t, pc_graph **graph)
{
    const uint64_t n = t->n_vertices, each = t->model->edges_per_vertex;
    if (each == 0 || each >= n)
        return pci_fail(t->context, PC_ERR_ARGUMENT,
                        "Barabasi-Albert: %" PRIu64 " edges a vertex and %" PRIu64
                        " vertices make no sense: 1 or more edges a vertex, and more vertices than "
                        "that",
                        each, n);
    pci_edges edges = {0};
    pc_status status = check_task(t, 0); /* now the product cannot overflow */
    uint64_t n_edges = (n - each) * each;
    if (status || (status = check_task(t, (double)n_edges)) ||
        (status = pci_edges_create(t->context, 1, &n_edges, false, &edges)))
        return status;
    if ((status = attach(t, edges.edge)) == PC_OK)
        return build_graph(t, &edges, graph);
    pci_edges_free(t->context, &edges);
    return status;
}

static const struct model {
    const char *format;
    pc_status (*generate)(task *t, pc_graph **graph);
} models[] = {
    [PC_MODEL_RMAT] = {"R-MAT", generate_rmat},
    [PC_MODEL_ERDOS_RENYI] = {"Erdos-Renyi", generate_erdos_renyi},
    [PC_MODEL_GILBERT] = {"Erdos-Renyi", generate_gilbert},
    [PC_MODEL_BARABASI_ALBERT] = {"Barabasi-Albert", generate_barabasi_albert},
};

pc_status pc_generate(pc_context *context, const pc_model *model, pc_graph **graph)
{
    if (!context || !model || !graph)
        return pci_fail_null(context, "model or graph");
    if ((unsigned)model->kind >= sizeof models / sizeof *models)
        return pci_fail(context, PC_ERR_ARGUMENT, "model %d of a graph: there is none",
                        (int)model->kind);
    task t = {.context = context,
              .model = model,
              .n_vertices = model->n_vertices,
              .format = models[model->kind].format};
    return models[model->kind].generate(&t, graph);
}
