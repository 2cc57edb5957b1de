/* Ways that visit no vertex twice, and damped ones, against an enumeration of all ways; published numbers.
 * All cases share the enumeration, so they are one file. */
#include "tests/support/fixture.h"

#include "src/relations/chain.h"
#include "src/simple/formula.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/random_graph.h"

#include <math.h>
#include <stdio.h>

CASE_CONTEXT(context)

typedef unsigned __int128 wide;

enum { MOST_LABELS = 9, MOST_RANDOM = 6, MOST_CHAIN = 7, MOST_TYPES = 3 };

/* ---- The oracle ------------------------------------------------------------------------------ */

/* A relation between two types, by vertex; has[side][vertex]: it is a label there. */
typedef struct table {
    int type[2];
    bool has[2][MOST_LABELS];
    uint64_t entry[MOST_LABELS][MOST_LABELS];
    pc_relation *relation;
    int order[2][MOST_LABELS]; /* the vertices in the order of the labels */
    int n[2];
} table;

typedef struct ways {
    int n, n_types, size[MOST_TYPES];
    table tables[MOST_CHAIN];
    const table *factor[MOST_CHAIN];
    int backwards[MOST_CHAIN];
    int type[MOST_CHAIN + 1]; /* of positions */
    bool is_simple;
    long double damping;
    int visited[MOST_CHAIN + 1]; /* vertices, by position */
    wide count;                  /* of a pair */
    long double value;
} ways;

static uint64_t entry_of(const ways *w, int f, int from, int to)
{
    return w->backwards[f] ? w->factor[f]->entry[to][from] : w->factor[f]->entry[from][to];
}

/* The sum of what leads from a vertex in factor f, or to it. */
static long double degree_of(const ways *w, int f, int vertex, bool is_end)
{
    long double sum = 0;
    for (int v = 0; v < MOST_LABELS; v++)
        sum += (long double)(is_end ? entry_of(w, f, v, vertex) : entry_of(w, f, vertex, v));
    return sum;
}

/* Adds all ways that go on from position p to a vertex. */
static void follow(ways *w, int p, int target, wide count, long double value)
{
    int at = w->visited[p];
    if (p == w->n) {
        w->count += at == target ? count : 0;
        w->value += at == target ? value : 0;
        return;
    }
    for (int to = 0; to < w->size[w->type[p + 1]]; to++) {
        uint64_t entry = entry_of(w, p, at, to);
        bool is_new = entry > 0;
        for (int q = 0; q <= p && w->is_simple; q++)
            is_new &= w->type[q] != w->type[p + 1] || w->visited[q] != to;
        if (!is_new)
            continue;
        w->visited[p + 1] = to;
        follow(w, p + 1, target, count * entry,
               value * (long double)entry * powl(degree_of(w, p, at, false), -w->damping) *
                   powl(degree_of(w, p, to, true), -w->damping));
    }
}

static void enumerate(ways *w, int from, int to)
{
    w->visited[0] = from;
    w->count = 0;
    w->value = 0;
    follow(w, 0, to, 1, 1);
}

/* ---- Random chains --------------------------------------------------------------------------- */

/* Labels of all types differ, or all are integers. */
static void make_relation(const pc_context *on, random_source *random, bool are_integers, table *t)
{
    uint64_t row[MOST_LABELS * MOST_LABELS], column[MOST_LABELS * MOST_LABELS];
    uint64_t weight[MOST_LABELS * MOST_LABELS + 1], n = 0;
    char text[2][MOST_LABELS][16];
    const char *label[2][MOST_LABELS];
    for (int s = 0; s < 2; s++) {
        t->n[s] = 0;
        for (int v = 0; v < MOST_LABELS; v++)
            if (t->has[s][v])
                t->order[s][t->n[s]++] = v;
        for (int i = t->n[s]; i-- > 1;) {
            int other = (int)random_below(random, (uint64_t)i + 1), swap = t->order[s][i];
            t->order[s][i] = t->order[s][other];
            t->order[s][other] = swap;
        }
        for (int i = 0; i < t->n[s]; i++) {
            if (are_integers)
                snprintf(text[s][i], 16, "%d", t->order[s][i]);
            else
                snprintf(text[s][i], 16, "%c%d", 'a' + t->type[s], t->order[s][i]);
            label[s][i] = text[s][i];
        }
    }
    for (int i = 0; i < t->n[0]; i++)
        for (int j = 0; j < t->n[1]; j++) {
            row[n] = (uint64_t)i;
            column[n] = (uint64_t)j;
            weight[n] = t->entry[t->order[0][i]][t->order[1][j]];
            n += weight[n] > 0;
        }
    MUST(pc_relation_from_arrays((pc_context *)on, (uint64_t)t->n[0], (uint64_t)t->n[1], n, row,
                                 column, weight, label[0], label[1], &t->relation));
}

/* Weights: 0 ones, 1 small, 2 of 45 bits. Some labels are missing on purpose. */
static void make_ways(pc_context *on, random_source *random, int n, unsigned weights, bool missing,
                      bool are_integers, ways *w)
{
    *w = (ways){.n = n, .n_types = 1 + (int)random_below(random, MOST_TYPES)};
    for (int t = 0; t < w->n_types; t++)
        w->size[t] = 1 + (int)random_below(random, n > 4 ? 5 : MOST_RANDOM);
    for (int p = 0; p <= n; p++)
        w->type[p] = (int)random_below(random, (uint64_t)w->n_types);
    for (int f = 0; f < n; f++) {
        int g = 0; /* the factor that is the same relation, either way round */
        for (; g < f; g++) {
            bool is_turned = random_below(random, 2);
            const table *t = w->factor[g];
            if (random_below(random, 3) && t->type[is_turned] == w->type[f] &&
                t->type[!is_turned] == w->type[f + 1]) {
                w->factor[f] = t;
                w->backwards[f] = is_turned;
                break;
            }
        }
        if (g < f)
            continue;
        table *t = &w->tables[f];
        unsigned density = 2 + (unsigned)random_below(random, 9);
        bool is_turned = random_below(random, 2);
        w->backwards[f] = is_turned;
        w->factor[f] = t;
        for (int s = 0; s < 2; s++) {
            t->type[s] = w->type[f + (s != is_turned)];
            for (int v = 0; v < w->size[t->type[s]]; v++)
                t->has[s][v] = !missing || random_below(random, 5) > 0;
        }
        for (int i = 0; i < MOST_LABELS; i++)
            for (int j = 0; j < MOST_LABELS; j++)
                if (t->has[0][i] && t->has[1][j] && random_below(random, 10) < density)
                    t->entry[i][j] = weights == 0   ? 1
                                     : weights == 1 ? 1 + random_below(random, 9)
                                                    : 1 + (random_u64(random) >> 19);
        make_relation(on, random, are_integers, t);
    }
}

static void free_ways(ways *w)
{
    for (int f = 0; f < w->n; f++)
        pc_relation_free(w->tables[f].relation);
}
#define release_ways free_ways

static pc_chain *chain_of(pc_context *on, const ways *w, int n_rounds)
{
    const pc_relation *factors[MOST_CHAIN];
    pc_chain *chain = NULL;
    for (int f = 0; f < w->n; f++)
        factors[f] = w->factor[f]->relation;
    MUST(pc_chain_create(on, (uint32_t)w->n, factors, w->backwards, 1, n_rounds, &chain));
    return chain;
}

/* ---- Rows against the oracle ----------------------------------------------------------------- */

typedef struct comparison {
    ways *ways;
    uint64_t next_row, n_wrong, n_nonzero;
    long double furthest, largest; /* from the truth; a value */
} comparison;

static int vertex_at(const ways *w, bool is_end, uint64_t i)
{
    const table *t = w->factor[is_end ? w->n - 1 : 0];
    return t->order[w->backwards[is_end ? w->n - 1 : 0] ^ is_end][i];
}

static pc_status compare_rows(void *user, const pc_rows *rows)
{
    comparison *c = user;
    CU_ASSERT(rows->first_row == c->next_row);
    c->next_row += rows->n_rows;
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (uint64_t j = 0; j < rows->n_columns; j++) {
            uint64_t at = i * rows->n_columns + j;
            int from = vertex_at(c->ways, false, rows->first_row + i);
            enumerate(c->ways, from, vertex_at(c->ways, true, j));
            c->n_nonzero += c->ways->count > 0;
            if (rows->n_limbs > 0) {
                const uint64_t *words = rows->limbs + at * rows->n_limbs;
                wide found = words[0] | (rows->n_limbs > 1 ? (wide)words[1] << 64 : 0);
                c->n_wrong += found != c->ways->count;
                continue;
            }
            c->n_wrong += (rows->values[at] == 0) != (c->ways->count == 0);
            c->furthest = fmaxl(c->furthest, fabsl(rows->values[at] - c->ways->value));
            c->largest = fmaxl(c->largest, c->ways->value);
        }
    return PC_OK;
}

static const char *const *names_of(const ways *w, const char *names[MOST_CHAIN + 1])
{
    static const char *const NAMES[] = {"gene", "disease", "tissue"};
    for (int p = 0; p <= w->n; p++)
        names[p] = NAMES[w->type[p]];
    return names;
}

/* Compares the rows of a chain. Told errors are at most `most` times the largest number. Returns the number of entries that
 * are not 0. */
static uint64_t check_ways(pc_chain *chain, ways *w, bool is_named, long double most)
{
    const char *names[MOST_CHAIN + 1];
    comparison c = {.ways = w};
    pc_chain_info info;
    pc_status status = pc_chain_paths(chain, w->is_simple, (double)w->damping,
                                      is_named ? names_of(w, names) : NULL, compare_rows, &c);
    pc_chain_get_info(chain, &info);
    if (status == PC_ERR_RANGE && info.n_limbs > 2)
        return 0;
    if (status != PC_OK)
        print_message(context);
    CU_ASSERT_EQUAL(status, PC_OK);
    CU_ASSERT_EQUAL(c.n_wrong, 0);
    CU_ASSERT(c.next_row == info.n_rows);
    CU_ASSERT(c.furthest <= info.error + 0x1p-60L * c.largest);
    CU_ASSERT((info.error > 0) == (w->damping > 0 && c.n_nonzero > 0));
    CU_ASSERT(info.error <= most * c.largest || c.n_nonzero == 0);
    return c.n_nonzero;
}

TEST("random relations of up to three types, no vertex twice and damped")
{
    static const long double DAMPINGS[] = {0, 0, 0.5L, 0.25L, 1};
    random_source random = {.state = 211};
    uint64_t n_nonzero[7] = {0}, n_cases = 0;
    for (int t = 0; t < 3000; t++) {
        int n = 1 + t % 6;
        bool are_integers = random_below(&random, 2), missing = random_below(&random, 2);
        OWNED(ways) w;
        make_ways(context, &random, n, (unsigned)random_below(&random, 3), missing, are_integers,
                  &w);
        OWNED(pc_chain) *chain = chain_of(context, &w, t % 4 ? 0 : PC_CERTIFY_NONE);
        w.is_simple = random_below(&random, 4) > 0;
        w.damping = DAMPINGS[random_below(&random, 5)];
        n_nonzero[n] += check_ways(chain, &w, are_integers || missing, 1e-10L);
        n_cases++;
    }
    CU_ASSERT(n_cases == 3000);
    for (int n = 1; n <= 6; n++)
        CU_ASSERT(n_nonzero[n] > 300);
}

/* A path 0 .. 6 of ones, and two heavy edges from its ends to 7 and one more to 8: a way along the path is all that is
 * left of walks that weigh much more. */
TEST("errors of differences are told")
{
    OWNED(ways) w = {.n = 6, .n_types = 1, .size = {9}, .is_simple = true, .damping = 0x1p-8L};
    static const int from[] = {0, 1, 2, 3, 4, 5, 0, 6, 8}, to[] = {1, 2, 3, 4, 5, 6, 7, 7, 7};
    for (int e = 0; e < 9; e++)
        w.tables[0].entry[from[e]][to[e]] = w.tables[0].entry[to[e]][from[e]] = e < 6 ? 1 : 1 << 20;
    for (int v = 0; v < 9; v++)
        w.tables[0].has[0][v] = w.tables[0].has[1][v] = true;
    for (int f = 0; f < 6; f++)
        w.factor[f] = &w.tables[0];
    random_source random = {.state = 213};
    make_relation(context, &random, false, &w.tables[0]);
    OWNED(pc_chain) *chain = chain_of(context, &w, 0);
    CU_ASSERT(check_ways(chain, &w, false, INFINITY) >= 2);
}

/* Makes the programs of all chains whose positions from p on have any types. */
static uint64_t make_programs(pci_formula_path *path, uint32_t p, uint8_t n_types)
{
    uint64_t n = 0;
    if (p <= path->length) {
        for (uint8_t t = 0; t <= n_types; t++) {
            path->type[p] = t;
            n += make_programs(path, p + 1, (uint8_t)(n_types + (t == n_types)));
        }
        return n;
    }
    pci_formula *formula;
    pci_program *program;
    MUST(pci_formula_create(context, false, false, &formula));
    MUST(pci_formula_add(context, path, formula));
    MUST(pci_program_create(context, formula, &program));
    pci_program_free(context, program);
    return 1;
}

/* The numbers of partitions of 2 .. 7 positions are those of Bell, OEIS A000110. */
TEST("relations that all differ have formulas, whatever the types")
{
    static const uint64_t BELL[] = {1, 1, 2, 5, 15, 52, 203, 877};
    for (uint32_t length = 1; length <= PCI_FORMULA_LENGTH; length++) {
        pci_formula_path path = {.length = length};
        for (uint32_t i = 0; i < length; i++)
            path.base[i] = (uint8_t)(2 * i);
        CU_ASSERT_EQUAL(make_programs(&path, 0, 0), BELL[length + 1]);
    }
}

/* ---- Published numbers ----------------------------------------------------------------------- */

/* The graph of figure 2 of Himmelstein and Baranzini (2015), "Heterogeneous network edge prediction", PLOS Computational
 * Biology 11(7). Genes are CXCR4, IL2RA, IRF1, IRF8, ITCH, STAT3 and SUMO1, diseases Crohn's disease and multiple
 * sclerosis, tissues leukocyte and lung. */
enum { GENE, DISEASE, TISSUE, MOST_EDGES = 10 };

static const struct {
    char kind; /* interaction, association, expression, localization */
    int from, to;
} EDGES[] = {{'i', 2, 6}, {'i', 6, 2}, {'i', 2, 1}, {'i', 1, 2}, {'i', 2, 3},
             {'i', 3, 2}, {'i', 2, 0}, {'i', 0, 2}, {'i', 4, 0}, {'i', 0, 4},
             {'a', 2, 0}, {'a', 5, 0}, {'a', 5, 1}, {'a', 1, 1}, {'a', 3, 1},
             {'a', 0, 1}, {'e', 2, 1}, {'e', 2, 0}, {'l', 1, 0}};

/* The relation between two types, from the one that its edges begin at. */
static pc_relation *relation_of(char kind)
{
    static const int N[] = {7, 2, 2};
    static const char *const NAMES[][7] = {
        {"CXCR4", "IL2RA", "IRF1", "IRF8", "ITCH", "STAT3", "SUMO1"},
        {"Crohn's disease", "multiple sclerosis"},
        {"leukocyte", "lung"}};
    int from = kind == 'l' ? DISEASE : GENE, to = kind == 'i'   ? GENE
                                                  : kind == 'a' ? DISEASE
                                                                : TISSUE;
    uint64_t row[MOST_EDGES], column[MOST_EDGES], n = 0;
    pc_relation *relation = NULL;
    for (size_t e = 0; e < sizeof EDGES / sizeof *EDGES; e++)
        if (EDGES[e].kind == kind) {
            row[n] = (uint64_t)EDGES[e].from;
            column[n++] = (uint64_t)EDGES[e].to;
        }
    MUST(pc_relation_from_arrays(context, (uint64_t)N[from], (uint64_t)N[to], n, row, column, NULL,
                                 NAMES[from], NAMES[to], &relation));
    return relation;
}

/* Values other than 0, by row and column. */
typedef struct published {
    const char *metapath;
    int n;
    struct {
        int row, column;
        double value;
    } entry[32];
} published;

typedef struct reading {
    const published *expected;
    double error;
    uint64_t n_nonzero;
} reading;

static pc_status compare_published(void *user, const pc_rows *rows)
{
    reading *r = user;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++)
        r->n_nonzero += rows->values[e] != 0;
    for (int i = 0; i < r->expected->n; i++) {
        uint64_t at = (uint64_t)r->expected->entry[i].row * rows->n_columns +
                      (uint64_t)r->expected->entry[i].column;
        r->error = fmax(r->error, fabs(rows->values[at] - r->expected->entry[i].value));
    }
    return PC_OK;
}

static void check_published(const published *expected, bool is_simple, double most)
{
    const char *path = expected->metapath;
    uint32_t n = (uint32_t)strlen(path) / 2;
    const pc_relation *factors[6];
    pc_relation *made[6];
    int backwards[6];
    OWNED(pc_chain) *chain = NULL;
    reading r = {.expected = expected};
    for (uint32_t f = 0; f < n; f++) {
        const char *step = path + 2 * f;
        factors[f] = made[f] = relation_of(step[1]);
        backwards[f] = step[0] == 'T' || (step[0] == 'D' && step[1] == 'a');
    }
    MUST(pc_chain_create(context, n, factors, backwards, 0, 0, &chain));
    MUST(pc_chain_paths(chain, is_simple, 0.5, NULL, compare_published, &r));
    bool is_right = r.error <= most && (!is_simple || r.n_nonzero == (uint64_t)expected->n);
    if (!is_right)
        fprintf(stderr, "%s\n", path);
    CU_ASSERT(is_right);
    for (uint32_t f = 0; f < n; f++)
        pc_relation_free(made[f]);
}

/* The values are those of hetmatpy/tests/test_degree_weight.py of hetmatpy (github.com/hetio/hetmatpy), with a damping of
 * 0.5, given to 1e-7. */
TEST("the published numbers of the graph of diseases and genes")
{
    static const double A = 0.1767767, B = 0.21338835, C = 0.33838835, D = 0.47855339,
                        E = 0.35355339, F = 0.70710678;
    const published values[] = {
        {"GiG",
         10,
         {{0, 2, E},
          {0, 4, F},
          {1, 2, 0.5},
          {2, 0, E},
          {2, 1, 0.5},
          {2, 3, 0.5},
          {2, 6, 0.5},
          {3, 2, 0.5},
          {4, 0, F},
          {6, 2, 0.5}}},
        {"GaDaG",
         14,
         {{0, 1, 0.25},
          {0, 3, 0.25},
          {0, 5, A},
          {1, 0, 0.25},
          {1, 3, 0.25},
          {1, 5, A},
          {2, 5, E},
          {3, 0, 0.25},
          {3, 1, 0.25},
          {3, 5, A},
          {5, 0, A},
          {5, 1, A},
          {5, 2, E},
          {5, 3, A}}},
        {"GiGiG",
         14,
         {{0, 1, A},
          {0, 3, A},
          {0, 6, A},
          {1, 0, A},
          {1, 3, 0.25},
          {1, 6, 0.25},
          {2, 4, 0.25},
          {3, 0, A},
          {3, 1, 0.25},
          {3, 6, 0.25},
          {4, 2, 0.25},
          {6, 0, A},
          {6, 1, 0.25},
          {6, 3, 0.25}}},
        {"GiGiGiG",
         6,
         {{1, 4, 0.125},
          {3, 4, 0.125},
          {4, 1, 0.125},
          {4, 3, 0.125},
          {4, 6, 0.125},
          {6, 4, 0.125}}},
        {"DaGiGiG", 5, {{0, 4, A}, {1, 0, A}, {1, 1, B}, {1, 3, B}, {1, 6, C}}},
        {"DaGiGaD", 2, {{0, 1, D}, {1, 0, D}}},
        {"DaGiGiGaD", 0, {{0, 0, 0}}},
        {"DaGiGeTlD", 0, {{0, 0, 0}}},
        {"DaGeTeGaD", 0, {{0, 0, 0}}},
        {"TlDaGiGeT", 1, {{0, 1, D}}},
        {"GaDaGaD", 4, {{0, 0, 0.08838835}, {1, 0, 0.08838835}, {2, 1, 0.125}, {3, 0, 0.08838835}}},
        {"GaDlTeGaD", 4, {{0, 0, 0.25}, {1, 0, 0.25}, {3, 0, 0.25}, {5, 0, A}}},
        {"GeTlDaGaD", 1, {{2, 0, 0.125}}},
        {"GaDaGeTlD", 1, {{5, 1, 0.25}}},
        {"TlDaGaDaGeT", 1, {{0, 1, 0.0883883476}}},
        {"TlDaGiGaDlT", 0, {{0, 0, 0}}},
        {"TeGiGaD", 2, {{0, 1, D}, {1, 1, D}}},
        {"TeGaDaG", 2, {{0, 5, 0.25}, {1, 5, 0.25}}},
        {"DlTeG", 1, {{1, 2, F}}}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_published(&values[i], true, 1e-7);
    /* Walks, among others, in the figure itself. */
    const published walks = {"GiGaD", 1, {{2, 1, 0.5 + 0.17677669529663687}}};
    check_published(&walks, false, 1e-14);
}

/* ---- Larger: blocks, threads ----------------------------------------------------------------- */

enum { LARGE = 1500, LARGE_COLUMNS = 40, LARGE_ENTRIES = 9000 };

typedef struct large_check {
    uint64_t next_row, n_blocks;
    bool is_damped;
    const uint64_t *shared; /* [LARGE][LARGE]: columns that two rows share, and damped */
    const double *damped;
    double furthest;
} large_check;

static pc_status compare_large(void *user, const pc_rows *rows)
{
    large_check *c = user;
    CU_ASSERT(rows->first_row == c->next_row);
    c->next_row += rows->n_rows;
    c->n_blocks++;
    for (uint64_t e = 0; e < rows->n_rows * LARGE; e++) {
        uint64_t at = rows->first_row * LARGE + e;
        bool is_itself = at / LARGE == at % LARGE;
        if (c->is_damped)
            c->furthest =
                fmax(c->furthest, fabs(rows->values[e] - (is_itself ? 0 : c->damped[at])));
        else if (rows->limbs[e] != (is_itself ? 0 : c->shared[at]))
            c->furthest = 1;
    }
    return PC_OK;
}

/* There and back by a relation: what two rows share. */
TEST("several blocks, several threads")
{
    random_source random = {.state = 212};
    OWNED(uint64_t) *row = calloc(2 * LARGE_ENTRIES, sizeof *row),
                    *shared = calloc(LARGE * LARGE, 8);
    OWNED(double) *damped = calloc(LARGE * LARGE, 8);
    static uint64_t entry[LARGE][LARGE_COLUMNS], row_sum[LARGE], column_sum[LARGE_COLUMNS];
    CU_ASSERT_FATAL(row && shared && damped);
    memset(entry, 0, sizeof entry);
    memset(row_sum, 0, sizeof row_sum);
    memset(column_sum, 0, sizeof column_sum);
    uint64_t *column = row + LARGE_ENTRIES;
    for (uint64_t e = 0; e < LARGE_ENTRIES; e++) {
        row[e] = random_below(&random, LARGE);
        column[e] = random_below(&random, LARGE_COLUMNS);
        entry[row[e]][column[e]]++;
        row_sum[row[e]]++;
        column_sum[column[e]]++;
    }
    for (uint64_t i = 0; i < LARGE; i++)
        for (uint64_t j = 0; j < LARGE; j++)
            for (uint64_t k = 0; k < LARGE_COLUMNS; k++) {
                uint64_t ways = entry[i][k] * entry[j][k];
                shared[i * LARGE + j] += ways;
                if (ways)
                    damped[i * LARGE + j] += (double)ways / (double)column_sum[k] /
                                             sqrt((double)row_sum[i] * (double)row_sum[j]);
            }
    for (int t = 0; t < 4; t++) {
        OWNED(pc_context) *on = new_context(t / 2 ? 4 : 1);
        OWNED(pc_relation) *relation = NULL;
        OWNED(pc_chain) *chain = NULL;
        large_check c = {.is_damped = t % 2, .shared = shared, .damped = damped};
        MUST(pc_relation_from_arrays(on, LARGE, LARGE_COLUMNS, LARGE_ENTRIES, row, column, NULL,
                                     NULL, NULL, &relation));
        const pc_relation *factors[] = {relation, relation};
        static const int backwards[] = {0, 1};
        static const char *const types[] = {"row", "column", "row"};
        MUST(pc_chain_create(on, 2, factors, backwards, 0, 0, &chain));
        MUST(pc_chain_paths(chain, 1, c.is_damped ? 0.5 : 0, types, compare_large, &c));
        CU_ASSERT(c.next_row == LARGE && c.n_blocks > 1);
        CU_ASSERT(c.furthest < 1e-13);
    }
}

/* ---- Refused ---------------------------------------------------------------------------------- */

/* A relation of labels a, b, ... to others, an entry for each row. */
static pc_relation *letters(pc_context *on, uint64_t n, const char *const *rows,
                            const char *const *columns, uint64_t weight)
{
    const uint64_t at[] = {0, 1, 2}, weights[] = {weight, weight, weight};
    pc_relation *relation = NULL;
    MUST(pc_relation_from_arrays(on, n, n, n, at, at, weights, rows, columns, &relation));
    return relation;
}

TEST("types that cannot be told, and other refusals")
{
    static const char *const ab[] = {"a", "b"}, *const bc[] = {"b", "c"}, *const xy[] = {"x", "y"};
    static const char *const types[] = {"letter", "other", "letter"}, *const none[] = {"letter",
                                                                                       NULL, ""};
    int n_calls = 0;
    OWNED(pc_relation) *first = letters(context, 2, ab, xy, 1),
                       *second = letters(context, 2, xy, bc, 1);
    OWNED(pc_relation) *heavy = letters(context, 2, ab, ab, UINT64_MAX);
    const pc_relation *factors[] = {first, second}, *many[7];
    OWNED(pc_chain) *chain = NULL;
    pc_chain *other = NULL;
    MUST(pc_chain_create(context, 2, factors, NULL, 0, 0, &chain));
    CU_ASSERT(is_refused(context, pc_chain_paths(chain, 1, 0, NULL, count_rows, &n_calls),
                         PC_ERR_DATA,
                         "positions 0 and 2 of the chain, counted from 0, both have 'b'"));
    CU_ASSERT(is_refused(context, pc_chain_paths(chain, 1, 0, none, count_rows, &n_calls),
                         PC_ERR_ARGUMENT, "type 1 of the chain is NULL"));
    CU_ASSERT(is_refused(context, pc_chain_paths(chain, 1, 1.5, types, count_rows, &n_calls),
                         PC_ERR_ARGUMENT, "damping 1.5 is not from 0 to 1"));
    CU_ASSERT(pc_chain_paths(chain, 1, NAN, types, count_rows, &n_calls) == PC_ERR_ARGUMENT);
    CU_ASSERT(pc_chain_paths(chain, 1, 0, types, NULL, NULL) == PC_ERR_ARGUMENT);
    CU_ASSERT(pc_chain_paths(NULL, 1, 0, types, count_rows, NULL) == PC_ERR_ARGUMENT);
    pc_context_set_memory_limit(context, 4096);
    CU_ASSERT(pc_chain_paths(chain, 1, 0, types, count_rows, &n_calls) == PC_ERR_MEMORY);
    pc_context_set_memory_limit(context, 0);
    CU_ASSERT_EQUAL(n_calls, 0);
    CU_ASSERT(pc_chain_paths(chain, 1, 0, types, stop_rows, &n_calls) == PC_ERR_IO && n_calls == 1);
    for (int f = 0; f < 7; f++)
        many[f] = heavy;
    MUST(pc_chain_create(context, 7, many, NULL, 0, 0, &other));
    CU_ASSERT(is_refused(context, pc_chain_paths(other, 1, 0, NULL, count_rows, &n_calls),
                         PC_ERR_ARGUMENT, "go along 6 relations at most; this chain has 7"));
    CU_ASSERT(pc_chain_paths(other, 0, 0.5, NULL, count_rows, &n_calls) == PC_ERR_ARGUMENT);
    MUST(pc_chain_paths(other, 0, 0, NULL, count_rows, &n_calls)); /* the product */
    pc_chain_free(other);
    MUST(pc_chain_create(context, 3, many, NULL, 0, 0, &other));
    CU_ASSERT(is_refused(context, pc_chain_paths(other, 1, 0, NULL, count_rows, &n_calls),
                         PC_ERR_RANGE, "numbers of ways may have 192 bits"));
    pc_chain_free(other);
}

static pc_status damped_ways(pc_context *on, void *user)
{
    static const char *const ab[] = {"a", "b"};
    const uint64_t row[] = {0, 1, 0}, column[] = {1, 0, 0};
    int n_calls = 0;
    pc_relation *relation = NULL;
    OWNED(pc_chain) *chain = NULL;
    (void)user;
    pc_status status = pc_relation_from_arrays(on, 2, 2, 3, row, column, NULL, ab, ab, &relation);
    const pc_relation *factors[] = {relation, relation, relation};
    if (status == PC_OK)
        status = pc_chain_create(on, 3, factors, NULL, 0, 0, &chain);
    if (status == PC_OK)
        status = pc_chain_paths(chain, 1, 0.5, NULL, count_rows, &n_calls);
    pc_relation_free(relation);
    return status;
}

TEST("any allocation may fail, cancelled at every step")
{
    CU_ASSERT(fail_each_allocation(damped_ways, NULL) > 100);
    CU_ASSERT(cancel_at_each_question(damped_ways, 2, NULL) > 3);
}
