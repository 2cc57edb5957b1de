/* Communities that igraph finds: where there can be no doubt what they are, and otherwise by their
 * modularity, computed here. */
#include "tests/support/fixture.h"

#ifndef PATHCOUNT_WITH_IGRAPH

TEST("communities")
{
    test_skip("built without igraph");
}

#else

#include "io/igraph/pathcount_igraph.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/random_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"leiden", "multilevel"};
enum { N_METHODS = 2, CLUB_MEMBERS = 34 };

CASE_CONTEXT(context)

/* The communities of a graph made from edges; defaults otherwise. */
static pc_partition *find(const edge_set *edges, const char *method, uint64_t seed,
                          double resolution)
{
    OWNED(pc_graph) *graph = NULL;
    pc_partition *partition = NULL;
    MUST(edge_set_load(context, edges, &graph));
    MUST(pc_igraph_communities(context, graph, method, seed, resolution, 0, &partition));
    return partition;
}

/* Blocks are in the order of their first vertices, and labelled 1, 2, ... */
static void check_order(const pc_partition *partition, uint64_t n)
{
    uint64_t n_seen = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t block = partition_info(partition).block[v];
        CU_ASSERT_FATAL(block <= n_seen);
        n_seen += block == n_seen;
    }
    CU_ASSERT_EQUAL(n_seen, partition_info(partition).n_blocks);
    for (uint64_t b = 0; b < n_seen; b++) {
        char label[24], expected[24];
        pc_labels_text(partition_info(partition).labels, b, label, sizeof label);
        snprintf(expected, sizeof expected, "%" PRIu64, b + 1);
        CU_ASSERT_STRING_EQUAL(label, expected);
    }
}

static bool same_blocks(const pc_partition *a, const pc_partition *b, uint64_t n)
{
    bool same = partition_info(a).n_blocks == partition_info(b).n_blocks;
    for (uint64_t v = 0; v < n; v++) {
        same = same && partition_info(a).block[v] == partition_info(b).block[v];
    }
    return same;
}

/* The part of the weight that lies within blocks, less what chance would put there: from the edges
 * as they are, taken as undirected. */
static double modularity(const edge_set *edges, const pc_partition *partition)
{
    double within = 0, total = 0, expected = 0;
    OWNED(double) *degree = calloc(edges->n + 1, sizeof *degree);
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        uint64_t from = partition_info(partition).block[edges->from[e]];
        uint64_t to = partition_info(partition).block[edges->to[e]];
        double weight = (double)edges->weight[e];
        total += weight;
        within += from == to ? weight : 0;
        degree[from] += weight;
        degree[to] += weight;
    }
    for (uint64_t b = 0; b < edges->n; b++) {
        expected += degree[b] / (2 * total) * (degree[b] / (2 * total));
    }
    return within / total - expected;
}

/* ---- No doubt -------------------------------------------------------------------------------- */

/* Cliques of size vertices in a ring, joined by one edge each; v is in clique v % n_cliques. */
static edge_set ring_of_cliques(uint64_t n_cliques, uint64_t size, bool directed)
{
    edge_set edges = edge_set_empty(n_cliques * size, directed);
    for (uint64_t u = 0; u < edges.n; u++) {
        for (uint64_t v = u + n_cliques; v < edges.n; v += n_cliques) {
            edge_set_add(&edges, directed && (u + v) % 4 < 2 ? v : u,
                         directed && (u + v) % 4 < 2 ? u : v, 1);
        }
    }
    for (uint64_t c = 0; c + 1 < n_cliques || (c < n_cliques && n_cliques > 2); c++) {
        edge_set_add(&edges, c, (c + 1) % n_cliques, 1);
    }
    return edges;
}

TEST("cliques in a ring")
{
    for (int m = 0; m < N_METHODS; m++) {
        for (uint64_t n_cliques = 2; n_cliques <= 6; n_cliques += 2) {
            for (uint64_t seed = 0; seed < 10; seed++) {
                OWNED(edge_set) edges = ring_of_cliques(n_cliques, 6, seed % 2);
                OWNED(pc_partition) *partition = find(&edges, methods[m], seed, 1);
                CU_ASSERT_EQUAL(partition_info(partition).n_blocks, n_cliques);
                for (uint64_t v = 0; v < edges.n; v++) {
                    CU_ASSERT_EQUAL(partition_info(partition).block[v], v % n_cliques);
                }
                check_order(partition, edges.n);
            }
        }
    }
}

/* A square whose communities are the two heavy sides, whichever these are: heavy by their multiplicities, or because
 * arcs both ways add. */
TEST("multiplicities are weights")
{
    for (int way = 0; way < 3 * N_METHODS; way++)
        for (uint64_t heavy = 0; heavy < 2; heavy++) {
            bool both_ways = way % 3 == 2, directed = way % 3 > 0;
            OWNED(edge_set) edges = edge_set_empty(4, directed);
            for (uint64_t v = 0; v < 4; v++) {
                bool is_heavy = v % 2 == heavy;
                edge_set_add(&edges, v, (v + 1) % 4,
                             is_heavy && !both_ways ? UINT64_C(1) << 40 : 2);
                if (both_ways && is_heavy)
                    edge_set_add(&edges, (v + 1) % 4, v, 2);
            }
            OWNED(pc_partition) *partition = find(&edges, methods[way / 3], 1, 1);
            CU_ASSERT_EQUAL(partition_info(partition).n_blocks, 2);
            CU_ASSERT_EQUAL(partition_info(partition).block[1] == 0, heavy == 0);
            CU_ASSERT_EQUAL(partition_info(partition).block[3] == 0, heavy == 1);
        }
}

TEST("vertices without edges")
{
    static const uint64_t expected[] = {0, 1, 1, 2, 1}; /* alone among others: 0 and 3 */
    for (int m = 0; m < N_METHODS; m++) {
        for (uint64_t n = 0; n < 5; n++)
            for (int loops = 0; loops < 2; loops++) {
                OWNED(edge_set) edges = edge_set_empty(n, loops);
                for (uint64_t v = 0; loops && v < n; v++)
                    edge_set_add(&edges, v, v, 1 + v);
                OWNED(pc_partition) *partition = find(&edges, methods[m], 3, 1);
                CU_ASSERT_EQUAL(partition_info(partition).n_blocks, n);
                check_order(partition, n);
            }
        OWNED(edge_set) edges = edge_set_empty(5, false);
        edge_set_add(&edges, 1, 2, 1);
        edge_set_add(&edges, 2, 4, 1);
        edge_set_add(&edges, 4, 1, 1);
        OWNED(pc_partition) *partition = find(&edges, methods[m], 3, 1);
        for (uint64_t v = 0; v < 5; v++)
            CU_ASSERT_EQUAL(partition_info(partition).block[v], expected[v]);
    }
}

/* ---- By modularity --------------------------------------------------------------------------- */

/* The friendships of Zachary's karate club. */
static edge_set karate_club(void)
{
    OWNED(pc_graph) *graph = NULL;
    pc_arcs arcs;
    edge_set edges = edge_set_empty(CLUB_MEMBERS, false);
    MUST(pc_igraph_famous(context, "Zachary", &graph));
    pc_graph_arcs(graph, &arcs);
    for (uint64_t v = 0; v < CLUB_MEMBERS; v++)
        for (uint64_t a = arcs.row_start[v]; a < arcs.row_start[v + 1]; a++)
            if (arcs.column[a] < v)
                edge_set_add(&edges, arcs.column[a], v, 1);
    return edges;
}

TEST("the karate club")
{
    OWNED(edge_set) edges = karate_club();
    CU_ASSERT_EQUAL_FATAL(edges.n_edges, 78);
    for (int m = 0; m < N_METHODS; m++) {
        double best = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            OWNED(pc_partition) *partition = find(&edges, methods[m], seed, 1);
            double q = modularity(&edges, partition);
            CU_ASSERT(q >= (m == 0 ? 0.40 : 0.38)); /* multilevel stops at lesser optima */
            best = q > best ? q : best;
            check_order(partition, edges.n);
        }
        CU_ASSERT(best >= 0.415 && best < 0.4198); /* the best there is: 0.41979 */
        OWNED(pc_partition) *coarse = find(&edges, methods[m], 1, 0.1);
        OWNED(pc_partition) *fine = find(&edges, methods[m], 1, 5);
        CU_ASSERT(partition_info(coarse).n_blocks < 3 && partition_info(fine).n_blocks > 8);
    }
}

/* ---- The seed -------------------------------------------------------------------------------- */

/* A graph without communities to speak of: what is found depends on chance. */
TEST("the seed decides")
{
    random_source source = {4};
    OWNED(edge_set) edges = edge_set_density(&source, 120, 60, false);
    for (int m = 0; m < N_METHODS; m++) {
        int n_others = 0;
        OWNED(pc_partition) *first = find(&edges, methods[m], 7, 1);
        for (uint64_t seed = 1; seed < 7; seed++) {
            RNG_UNIF01(); /* that the host draws numbers too makes no difference */
            OWNED(pc_partition) *again = find(&edges, methods[m], 7, 1);
            OWNED(pc_partition) *other = find(&edges, methods[m], seed << 40, 1);
            CU_ASSERT(same_blocks(first, again, edges.n));
            n_others += !same_blocks(first, other, edges.n);
        }
        CU_ASSERT(n_others > 0);
    }
}

/* The host's generator goes on as if nothing had been. */
TEST("the host's generator")
{
    double drawn[2][20];
    OWNED(edge_set) edges = karate_club();
    for (int turn = 0; turn < 2; turn++) {
        igraph_rng_seed(igraph_rng_default(), 99);
        for (int i = 0; i < 20; i++) {
            drawn[turn][i] = igraph_rng_get_unif01(igraph_rng_default());
            if (turn == 1) {
                pc_partition_free(find(&edges, methods[i % N_METHODS], (uint64_t)i, 1));
            }
        }
    }
    CU_ASSERT_EQUAL(memcmp(drawn[0], drawn[1], sizeof drawn[0]), 0);
}

/* ---- Refusals and failures ------------------------------------------------------------------- */

static void check_refused(const pc_graph *graph, const char *method, double resolution,
                          int n_iterations, const char *words)
{
    pc_partition *partition = NULL;
    CU_ASSERT(is_refused(
        context,
        pc_igraph_communities(context, graph, method, 1, resolution, n_iterations, &partition),
        PC_ERR_ARGUMENT, words));
    CU_ASSERT_PTR_NULL(partition);
}

TEST("refusals")
{
    OWNED(edge_set) edges = karate_club();
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_partition) *partition = find(&edges, "leiden", 5, 1), *by_default = NULL;
    pc_partition *none = NULL;
    MUST(edge_set_load(context, &edges, &graph));
    check_refused(graph, "louvain", 1, 0, "'louvain': it is leiden or multilevel");
    check_refused(graph, "leiden", -1, 0, "resolution");
    check_refused(graph, "leiden", (double)NAN, 0, "resolution");
    check_refused(graph, "multilevel", (double)INFINITY, 0, "resolution");
    check_refused(graph, "leiden", 1, -1, "iterations");
    MUST(pc_igraph_communities(context, graph, NULL, 5, 1, 10, &by_default));
    CU_ASSERT(same_blocks(partition, by_default, edges.n));
    pc_context_set_memory_limit(context, 1000);
    CU_ASSERT_EQUAL(pc_igraph_communities(context, graph, NULL, 5, 1, 10, &none), PC_ERR_MEMORY);
    CU_ASSERT_PTR_NULL(none);
}

static pc_status find_and_free(pc_context *of, void *user)
{
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_partition) *partition = NULL;
    pc_status status = edge_set_load(of, user, &graph);
    return status ? status : pc_igraph_communities(of, graph, "leiden", 1, 1, 0, &partition);
}

TEST("no memory")
{
    OWNED(edge_set) edges = karate_club();
    CU_ASSERT(fail_each_allocation(find_and_free, &edges) > 10);
}

#endif
