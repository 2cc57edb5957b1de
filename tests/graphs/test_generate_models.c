/* Generated graphs have the sizes and are spread as their models say. Seeds are fixed, and limits five
 * standard deviations wide: nothing here depends on chance. */
#include "graphs/generate.h"
#include "tests/support/random_graph.h"
#include "tests/support/simple_graph.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TINY = 8 };

static const double sigmas = 5;
CASE_CONTEXT(context)

/* Whether so many of n trials are to be expected when each succeeds with probability p. */
static bool is_likely(double count, double n, double p)
{
    bool likely = fabs(count - n * p) <= sigmas * sqrt(n * p * (1 - p)) + 1e-9;
    if (!likely)
        printf("\n    %g of %g, with probability %g\n", count, n, p);
    return likely;
}

/* A small graph as one bit for each arc: bit from * n + to. */
static uint64_t arcs_as_bits(pc_graph *graph)
{
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    uint64_t n = pc_graph_n_vertices(graph), bits = 0;
    CU_ASSERT_FATAL(n <= TINY);
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++)
            bits |= UINT64_C(1) << (row * n + arcs.column[a]);
    pc_graph_free(graph);
    return bits;
}

/* ---- Random numbers, permutations, pairs ----------------------------------------------------- */

/* The numbers that are published for SplitMix64 with the seed 1234567. */
TEST("random numbers")
{
    static const uint64_t published[] = {6457827717110365317U, 3203168211198807973U,
                                         9817491932198370423U, 4593380528125082431U,
                                         16408922859458223821U};
    pci_random random = {1234567};
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(pci_random_next(&random), published[i]);
    enum { DRAWS = 30000 };
    unsigned below_seven[7] = {0}, below_half = 0;
    for (int i = 0; i < DRAWS; i++) {
        pci_random a = pci_random_sequence(5, (uint64_t)i); /* the first of each sequence */
        below_seven[pci_random_below(&a, 7)]++;
        double unit = pci_random_unit(&a);
        CU_ASSERT(unit > 0 && unit <= 1);
        below_half += unit < 0.5;
    }
    for (int i = 0; i < 7; i++)
        CU_ASSERT(is_likely(below_seven[i], DRAWS, 1.0 / 7));
    CU_ASSERT(is_likely(below_half, DRAWS, 0.5));
}

TEST("permutations")
{
    enum { LARGEST = 600, SEEDS = 24000 };
    static bool is_taken[LARGEST];
    for (uint64_t n = 1; n <= LARGEST; n++) {
        pci_permutation permutation = pci_permutation_random(n, pci_random_sequence(n, 1));
        memset(is_taken, 0, sizeof is_taken);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t at = pci_permutation_at(&permutation, i);
            CU_ASSERT_FATAL(at < n && !is_taken[at]);
            is_taken[at] = true;
        }
    }
    for (uint64_t n = 2; n <= 4; n++) { /* every permutation of few numbers is as likely */
        unsigned count[256] = {0}, n_kinds = 0, n_factorial = n == 2 ? 2 : n == 3 ? 6 : 24;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            pci_permutation p = pci_permutation_random(n, pci_random_sequence(seed, 2));
            unsigned image = 0;
            for (uint64_t i = 0; i < n; i++)
                image = image << 2 | (unsigned)pci_permutation_at(&p, i);
            count[image]++;
        }
        for (int image = 0; image < 256; image++)
            if (count[image] > 0) {
                CU_ASSERT(is_likely(count[image], SEEDS, 1.0 / n_factorial));
                n_kinds++;
            }
        CU_ASSERT_EQUAL(n_kinds, n_factorial);
    }
}

static void check_pair(uint64_t n, bool directed, uint64_t pair, uint64_t from, uint64_t to)
{
    pci_edge edge = pci_pair_at(n, directed, pair);
    bool same = edge.from == from && edge.to == to;
    if (!same)
        printf("\n    pair %" PRIu64 ": %" PRIu32 " %" PRIu32 "\n", pair, edge.from, edge.to);
    CU_ASSERT_FATAL(same);
}

TEST("pairs")
{
    for (uint64_t n = 0; n < 40; n++)
        for (int directed = 0; directed < 2; directed++) {
            bool is_taken[40][40] = {0};
            uint64_t n_pairs = pci_pairs_count(n, directed), expected = 0;
            for (uint64_t v = 1; v < n; v++)
                expected += directed ? 2 * v : v;
            CU_ASSERT_EQUAL_FATAL(n_pairs, expected);
            for (uint64_t i = 0; i < n_pairs; i++) {
                pci_edge e = pci_pair_at(n, directed, i);
                CU_ASSERT_FATAL(e.from < n && e.to < n && !is_taken[e.from][e.to]);
                CU_ASSERT_FATAL(directed ? e.from != e.to : e.from < e.to);
                is_taken[e.from][e.to] = true;
            }
        }
    uint64_t n = PCI_MAX_GRAPH_VERTICES;
    check_pair(n, false, 0, 0, 1);
    check_pair(n, false, pci_pairs_count(n, false) - 1, n - 2, n - 1);
    check_pair(n, true, 0, 0, 1);
    check_pair(n, true, pci_pairs_count(n, true) - 1, n - 1, n - 2);
    random_source source = {5};
    for (int i = 0; i < 100000; i++) { /* where doubles no longer have every number */
        uint64_t v = n - 1 - random_below(&source, n >> i % 30) / 2, first = v * (v - 1) / 2;
        check_pair(n, false, first, 0, v);
        check_pair(n, false, first - 1, v - 2, v - 1);
    }
}

/* ---- R-MAT ----------------------------------------------------------------------------------- */

/* At each level each quadrant has its share, whatever was chosen a level before. */
TEST("R-MAT: quadrants")
{
    enum { SCALE = 6, DRAWS = 200000 };
    static const pc_rmat kinds[] = {{.scale = SCALE},
                                    {.scale = SCALE, .a = 0.5, .b = 0.3, .c = 0.15},
                                    {.scale = SCALE, .a = 0.1, .b = 0.2, .c = 0.3}};
    static const double shares[][4] = {
        {0.57, 0.19, 0.19, 0.05}, {0.5, 0.3, 0.15, 0.05}, {0.1, 0.2, 0.3, 0.4}};
    for (int kind = 0; kind < 3; kind++) {
        pci_rmat rmat;
        unsigned count[SCALE][4][4] = {
            0}; /* of a level, by the quadrant there and one level above */
        MUST(pci_rmat_prepare(context, &kinds[kind], 9, &rmat));
        for (uint64_t e = 0; e < DRAWS; e++) {
            pci_edge edge = pci_rmat_edge(&rmat, e);
            CU_ASSERT_FATAL(edge.from < 1 << SCALE && edge.to < 1 << SCALE);
            for (int level = 0, above = 0; level < SCALE; level++) {
                int shift = SCALE - 1 - level;
                int quadrant = (int)(2 * (edge.from >> shift & 1) + (edge.to >> shift & 1));
                count[level][above][quadrant]++;
                above = quadrant;
            }
        }
        for (int level = 0; level < SCALE; level++)
            for (int cell = 0; cell < (level > 0 ? 16 : 4); cell++) {
                double above = level > 0 ? shares[kind][cell / 4] : 1;
                CU_ASSERT(is_likely(count[level][cell / 4][cell % 4], DRAWS,
                                    above * shares[kind][cell % 4]));
            }
    }
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* What is drawn, without loops and repetitions, is what the graph has, under other numbers. */
TEST("R-MAT: edges")
{
    enum { SCALE = 7, N = 1 << SCALE, FACTOR = 20 };
    const pc_rmat options = {.scale = SCALE, .edge_factor = FACTOR};
    static bool has[N][N];
    for (int directed = 0; directed < 2; directed++) {
        uint64_t n_edges = 0, n_duplicates = 0, degree[N] = {0}, degree_made[N];
        pci_rmat rmat;
        OWNED(pc_graph) *graph = NULL;
        pc_graph_info info;
        pc_arcs arcs;
        memset(has, 0, sizeof has);
        MUST(pci_rmat_prepare(context, &options, 77, &rmat));
        for (uint64_t e = 0; e < FACTOR * N; e++) {
            pci_edge d = pci_rmat_edge(&rmat, e);
            bool is_old = has[d.from][d.to], is_loop = d.from == d.to;
            n_edges += !is_loop && !is_old;
            n_duplicates += !is_loop && is_old;
            degree[d.from] += !is_loop && !is_old;
            degree[d.to] += !is_loop && !is_old && !directed;
            has[d.from][d.to] = true;
            has[d.to][d.from] = has[d.to][d.from] || !directed;
        }
        MUST(pc_generate_rmat(context, &options, 77, directed, &graph));
        check_simple(graph, directed);
        pc_graph_get_info(graph, &info);
        pc_graph_arcs(graph, &arcs);
        CU_ASSERT_EQUAL(info.n_vertices, N);
        CU_ASSERT_EQUAL(info.n_edges, n_edges);
        CU_ASSERT_EQUAL(info.n_duplicates, n_duplicates);
        for (int v = 0; v < N; v++)
            degree_made[v] = arcs.row_start[v + 1] - arcs.row_start[v];
        CU_ASSERT(memcmp(degree, degree_made, sizeof degree) != 0);
        qsort(degree, N, sizeof *degree, compare_numbers);
        qsort(degree_made, N, sizeof *degree_made, compare_numbers);
        CU_ASSERT(memcmp(degree, degree_made, sizeof degree) == 0);
    }
}

static uint64_t rmat_bits(double a, double b, double c)
{
    const pc_rmat rmat = {.scale = 3, .edge_factor = 2, .a = a, .b = b, .c = c};
    pc_graph *graph;
    MUST(pc_generate_rmat(context, &rmat, 5, 1, &graph));
    return arcs_as_bits(graph);
}

/* One quadrant only: loops, or always the same arc, turned round in the opposite quadrant. */
TEST("R-MAT: corners")
{
    pc_graph *graph;
    CU_ASSERT_EQUAL(rmat_bits(1, 0, 0), 0);
    CU_ASSERT_EQUAL(rmat_bits(1e-300, 0, 0), 0);
    uint64_t right = rmat_bits(0, 1, 0), left = rmat_bits(0, 0, 1);
    CU_ASSERT_EQUAL_FATAL(__builtin_popcountll(right), 1);
    int from = __builtin_ctzll(right) / 8, to = __builtin_ctzll(right) % 8;
    CU_ASSERT_EQUAL(left, UINT64_C(1) << (8 * to + from));
    MUST(pc_generate_rmat(context, &(pc_rmat){.edge_factor = 9}, 1, 0, &graph));
    CU_ASSERT_EQUAL(pc_graph_n_vertices(graph), 1);
    CU_ASSERT_EQUAL(arcs_as_bits(graph), 0);
}

/* ---- Erdos-Renyi ----------------------------------------------------------------------------- */

static void check_erdos_renyi(uint64_t n, uint64_t n_edges, uint64_t seed, bool directed)
{
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(pc_generate_erdos_renyi(context, n, n_edges, seed, directed, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_vertices, n);
    CU_ASSERT_EQUAL(info.n_edges, n_edges);
    CU_ASSERT_EQUAL(info.n_duplicates, 0);
    check_simple(graph, directed);
}

TEST("Erdos-Renyi: sizes")
{
    random_source source = {21};
    for (int i = 0; i < 300; i++) {
        uint64_t n = random_below(&source, 60), room = n * (n ? n - 1 : 0) / (1 + i % 2);
        uint64_t n_edges = i % 5 == 0 ? room : random_below(&source, room + 1);
        check_erdos_renyi(n, n_edges, random_u64(&source), i % 2 == 0);
    }
    check_erdos_renyi(20000, 300000, 1, false); /* several parts */
}

/* Each of the 20 graphs with 3 of the 6 edges between 4 vertices comes as often; and with a
 * probability each of the 64 graphs as often as its edges say. */
TEST("Erdos-Renyi: spread")
{
    enum { SEEDS = 20000 };
    static unsigned count[1 << 16], count_gilbert[1 << 16];
    const double p = 0.3;
    unsigned n_kinds = 0;
    memset(count, 0, sizeof count);
    memset(count_gilbert, 0, sizeof count_gilbert);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        pc_graph *graph;
        MUST(pc_generate_erdos_renyi(context, 4, 3, seed, 0, &graph));
        count[arcs_as_bits(graph)]++;
        MUST(pc_generate_gilbert(context, 4, p, seed, 0, &graph));
        count_gilbert[arcs_as_bits(graph)]++;
    }
    for (int bits = 0; bits < 1 << 16; bits++) {
        int n_edges = __builtin_popcount((unsigned)bits) / 2;
        if (count[bits] > 0)
            CU_ASSERT(is_likely(count[bits], SEEDS, 1.0 / 20));
        if (count_gilbert[bits] > 0)
            CU_ASSERT(
                is_likely(count_gilbert[bits], SEEDS, pow(p, n_edges) * pow(1 - p, 6 - n_edges)));
        CU_ASSERT(count[bits] == 0 || n_edges == 3);
        n_kinds += count[bits] > 0;
    }
    CU_ASSERT_EQUAL(n_kinds, 20);
}

static uint64_t gilbert_edges(uint64_t n, double p, uint64_t seed, bool directed)
{
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(pc_generate_gilbert(context, n, p, seed, directed, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_vertices, n);
    CU_ASSERT_EQUAL(info.n_duplicates, 0);
    if (n <= 500)
        check_simple(graph, directed);
    return info.n_edges;
}

/* Also where the pairs are cut into parts: none is lost or made twice there. */
TEST("Gilbert: sizes")
{
    for (uint64_t n = 0; n < 4; n++)
        for (int directed = 0; directed < 2; directed++) {
            CU_ASSERT_EQUAL(gilbert_edges(n, 0, 1, directed), 0);
            CU_ASSERT_EQUAL(gilbert_edges(n, 1, 1, directed), pci_pairs_count(n, directed));
        }
    CU_ASSERT_EQUAL(gilbert_edges(400, 0, 1, false), 0);
    CU_ASSERT_EQUAL(gilbert_edges(400, 1, 1, false), 79800); /* two parts */
    CU_ASSERT_EQUAL(gilbert_edges(400, 1, 1, true), 159600); /* three */
    CU_ASSERT(is_likely(gilbert_edges(2000, 0.1, 1, false), 1999000, 0.1));
    CU_ASSERT(is_likely(gilbert_edges(1500, 0.4, 2, true), 2248500, 0.4));
    CU_ASSERT(gilbert_edges(2000000, 5e-12, 3, false) < 40); /* ten are expected */
    CU_ASSERT(gilbert_edges(2000000, 5e-324, 3, true) == 0);
}

/* Parts of the pairs have nothing to do with one another: a pair and the one a part further on are
 * alike, both with an arc or both without, in half of all cases. */
TEST("Gilbert: parts")
{
    enum { N = 600, PAIRS = N * (N - 1), PART = 2 * PCI_PART_EDGES };
    static bool has[PAIRS];
    OWNED(pc_graph) *graph = NULL;
    pc_arcs arcs;
    uint64_t n_alike = 0;
    MUST(pc_generate_gilbert(context, N, 0.5, 1, 1, &graph));
    pc_graph_arcs(graph, &arcs);
    for (uint64_t row = 0; row < N; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++)
            has[row * (N - 1) + arcs.column[a] - (arcs.column[a] > row)] = true;
    for (uint64_t pair = 0; pair + PART < PAIRS; pair++)
        n_alike += has[pair] == has[pair + PART];
    CU_ASSERT(is_likely((double)n_alike, PAIRS - PART, 0.5));
}

/* ---- Barabasi-Albert ------------------------------------------------------------------------- */

TEST("Barabasi-Albert: attachment")
{
    for (uint64_t m = 1; m < 30; m += 4)
        for (uint64_t n = m + 1; n < 100; n += 17) {
            OWNED(pc_graph) *graph = NULL;
            pc_arcs arcs;
            MUST(pc_generate_barabasi_albert(context, n, m, n, 1, &graph));
            check_simple(graph, true);
            pc_graph_arcs(graph, &arcs);
            CU_ASSERT_EQUAL(arcs.row_start[n], m * (n - m));
            for (uint64_t v = 0; v < n; v++) {
                uint64_t end = arcs.row_start[v + 1], n_targets = end - arcs.row_start[v];
                CU_ASSERT_EQUAL_FATAL(n_targets, v < m ? 0 : m);
                CU_ASSERT(v < m || arcs.column[end - 1] < v);
            }
        }
}

/* One edge a vertex: vertex 1 joins 0, then 2 joins either. Vertex 3 joins 2, which has one end of
 * four, in 1/4 of all cases, and else 0 or 1, which nothing tells apart. */
TEST("Barabasi-Albert: preference")
{
    enum { SEEDS = 8000 };
    unsigned second[2] = {0}, third[3] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        pc_graph *graph;
        MUST(pc_generate_barabasi_albert(context, 4, 1, seed, 1, &graph));
        pc_arcs arcs;
        pc_graph_arcs(graph, &arcs);
        CU_ASSERT_EQUAL(arcs.column[0], 0);
        second[arcs.column[1]]++;
        third[arcs.column[2]]++;
        pc_graph_free(graph);
    }
    CU_ASSERT(is_likely(second[0], SEEDS, 0.5));
    CU_ASSERT(is_likely(third[2], SEEDS, 0.25));
    CU_ASSERT(is_likely(third[0], SEEDS, 0.375));
    /* Of many vertices 2 / (m + 2) keep the degree m, and some get a very large one. */
    enum { N = 20000, M = 4 };
    pc_graph *graph;
    pc_arcs arcs;
    unsigned n_least = 0;
    uint64_t largest = 0;
    MUST(pc_generate_barabasi_albert(context, N, M, 1, 0, &graph));
    pc_graph_arcs(graph, &arcs);
    for (uint64_t v = 0; v < N; v++) {
        uint64_t degree = arcs.row_start[v + 1] - arcs.row_start[v];
        n_least += degree == M;
        largest = degree > largest ? degree : largest;
    }
    CU_ASSERT(fabs(n_least / (double)N - 2.0 / (M + 2)) < 0.02);
    CU_ASSERT(largest > 150 && largest < 5000);
    pc_graph_free(graph);
}
