/* Faults while a small graph is counted are found. small.c is compiled here once more, and
 * `row` is a macro in it: from some reading of a row on, or for one reading only, the rows that are
 * read have a wrong bit. So the vectors, powers and counts that follow are wrong ones. Or at some reading a
 * bit turns in the room of the powers, which is what memset cleared last. */
#include <gmp.h>

#include "src/streams/stream.h"

#include <string.h>

typedef struct faulty_graph {
    uint32_t n_vertices;
    const uint64_t *rows[2]; /* right, wrong */
    bool is_symmetric;
    uint64_t n_entries;
} faulty_graph;

static uint64_t n_readings, first_wrong, end_wrong; /* readings first_wrong .. end_wrong - 1 */

static char *cleared;
static uint64_t turning = UINT64_MAX; /* the reading at which a bit turns */
static size_t turned_byte;
static char turned_bits;

static void *clear(void *to, int byte, size_t n)
{
    cleared = memset(to, byte, n);
    return to;
}

static int is_wrong(void)
{
    uint64_t reading = n_readings++;
    if (reading == turning)
        cleared[turned_byte] ^= turned_bits;
    return reading >= first_wrong && reading < end_wrong;
}

#define pci_small_graph faulty_graph
#define pci_small_limbs faulty_limbs
#define pci_small_count faulty_count
#define row             rows[is_wrong()]
#define memset          clear
uint32_t faulty_limbs(const faulty_graph *graph, const pc_stream_query *query);
bool faulty_count(const faulty_graph *graph, const pc_stream_query *query, uint32_t n_limbs,
                  uint64_t *counts);
#include "src/streams/small.c"
#undef row
#undef memset
#undef pci_small_graph

#include "tests/support/fixture.h"
#include "tests/support/random_graph.h"

typedef struct trial {
    uint64_t row[2][PCI_SMALL_VERTICES];
    faulty_graph graph;
    pc_stream_query query;
    uint32_t n_limbs;
    size_t n_words;
    uint64_t counts[256];
} trial;

static void set_graph(random_source *source, uint64_t n, trial *t)
{
    bool directed = random_below(source, 2);
    unsigned per_thousand = 100 + (unsigned)random_below(source, 800);
    OWNED(edge_set) edges = edge_set_density(source, n, per_thousand, directed);
    memset(t->row, 0, sizeof t->row);
    for (uint64_t e = 0; e < edges.n_edges; e++) {
        t->row[0][edges.from[e]] |= UINT64_C(1) << edges.to[e];
        if (!directed)
            t->row[0][edges.to[e]] |= UINT64_C(1) << edges.from[e];
    }
    memcpy(t->row[1], t->row[0], sizeof *t->row);
    t->row[1][random_below(source, n)] ^= UINT64_C(1) << random_below(source, n);
    t->graph = (faulty_graph){(uint32_t)n, {t->row[0], t->row[1]}, !directed, 0};
    for (uint64_t i = 0; i < n; i++)
        t->graph.n_entries += (uint64_t)__builtin_popcountll(t->row[0][i]);
}

/* Counts with the readings first .. end - 1 wrong. */
static bool count_with(trial *t, uint64_t first, uint64_t end, uint64_t *counts)
{
    n_readings = 0;
    first_wrong = first;
    end_wrong = end;
    return faulty_count(&t->graph, &t->query, t->n_limbs, counts);
}

/* Each reading in turn is wrong, alone or with all after it. Returns how many were found; every
 * other one must be harmless. */
static uint64_t fail_each_reading(trial *t)
{
    uint64_t counts[256], n_found = 0;
    first_wrong = UINT64_MAX;
    t->n_limbs = faulty_limbs(&t->graph, &t->query);
    t->n_words = (size_t)t->n_limbs * (t->query.total + t->query.closed) *
                 (t->query.each ? t->query.length : 1);
    if (t->n_limbs == 0)
        return 0;
    CU_ASSERT(count_with(t, UINT64_MAX, UINT64_MAX, t->counts));
    uint64_t n_all = n_readings, n_wrong = 0;
    for (uint64_t r = 0; r < n_all; r++)
        for (int stays = 0; stays < 2; stays++) {
            bool holds = count_with(t, r, stays ? UINT64_MAX : r + 1, counts);
            n_found += !holds;
            n_wrong += holds && memcmp(counts, t->counts, t->n_words * sizeof *counts) != 0;
        }
    CU_ASSERT_EQUAL(n_wrong, 0);
    return n_found;
}

static void fail_graphs(uint64_t seed, int n_graphs, uint64_t most_n, uint64_t most_length)
{
    random_source source = {seed};
    uint64_t n_found = 0;
    for (int g = 0; g < n_graphs; g++) {
        trial t;
        uint64_t what = random_below(&source, 3), how = random_below(&source, 3);
        set_graph(&source, 1 + random_below(&source, most_n), &t);
        t.query = (pc_stream_query){.total = what != 1,
                                    .closed = what != 0,
                                    .length = random_below(&source, most_length + 1),
                                    .each = how == 1,
                                    .up_to = how == 2};
        n_found += fail_each_reading(&t);
    }
    CU_ASSERT(n_found > (uint64_t)n_graphs);
}

TEST("no wrong count passes")
{
    fail_graphs(1, 1500, 9, 9);
    fail_graphs(2, 40, 12, 40);
    fail_graphs(3, 4, 64, 12);
}

/* Each bit of a word of a power, at each reading of a row. Every vertex has four neighbours, so what a high
 * bit adds to a sum would be lost in as many bits as words have. */
TEST("bits that turn in powers")
{
    enum { N = 7, N_PADDED = 8, N_WORDS = N * N_PADDED };
    trial t = {.graph = {N, {t.row[0], t.row[0]}, true, N * 4}};
    uint64_t n_found = 0, n_wrong = 0, counts[256];
    for (uint64_t i = 0; i < N; i++) /* a circle, each joined to the next two and the last two */
        for (uint64_t step = 1; step <= 2; step++)
            t.row[0][i] |= UINT64_C(1) << (i + step) % N | UINT64_C(1) << (i + N - step) % N;
    for (uint64_t length = 7; length <= 9; length++) {
        t.query = (pc_stream_query){.closed = 1, .length = length};
        t.n_limbs = faulty_limbs(&t.graph, &t.query);
        turning = UINT64_MAX;
        CU_ASSERT(count_with(&t, UINT64_MAX, UINT64_MAX, t.counts));
        uint64_t n_all = n_readings;
        for (turning = 0; turning < n_all; turning++)
            for (size_t bit = 0; bit < N_WORDS * 32; bit += 1 + turning % 3) {
                turned_byte = bit / 8;
                turned_bits = (char)(1 << bit % 8);
                bool holds = count_with(&t, UINT64_MAX, UINT64_MAX, counts);
                n_found += !holds;
                n_wrong += holds && counts[0] != t.counts[0];
            }
    }
    turning = UINT64_MAX;
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT(n_found > 1000);
}

/* Rows that were read wrongly: another number of entries was counted in the text. */
TEST("rows that are not those read")
{
    random_source source = {5};
    for (int g = 0; g < 500; g++) {
        trial t;
        uint64_t counts[2];
        set_graph(&source, 2 + random_below(&source, 8), &t);
        t.query = (pc_stream_query){.total = g % 2, .closed = 1 - g % 2, .length = 1 + g % 7};
        t.n_limbs = 1;
        CU_ASSERT(count_with(&t, UINT64_MAX, UINT64_MAX, counts));
        CU_ASSERT_FALSE(count_with(&t, 0, UINT64_MAX, counts));
    }
}
