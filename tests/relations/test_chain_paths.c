/* Ways that visit no vertex twice, and damped ones, against an enumeration of all ways; published numbers. */
#include "tests/support/fixture.h"

#include "src/relations/chain.h"
#include "src/simple/program.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/random_graph.h"

#include <math.h>
#include <stdio.h>

CASE_CONTEXT(context)

typedef unsigned __int128 wide;

enum { MOST_LABELS = 6, MOST_CHAIN = 7, MOST_TYPES = 3 };

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
    uint64_t row[36], column[36], weight[36], n = 0;
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
        w->size[t] = 1 + (int)random_below(random, n > 4 ? 5 : MOST_LABELS);
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

/* Compares the rows of a chain; returns the number of entries that are not 0. */
static uint64_t check_ways(pc_chain *chain, ways *w, bool is_named)
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
    CU_ASSERT(info.error <= 1e-10L * c.largest || c.n_nonzero == 0);
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
        n_nonzero[n] += check_ways(chain, &w, are_integers || missing);
        n_cases++;
    }
    CU_ASSERT(n_cases == 3000);
    for (int n = 1; n <= 6; n++)
        CU_ASSERT(n_nonzero[n] > 300);
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
