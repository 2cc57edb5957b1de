/* Tests weights with decimals in each format: the stored weights, their probabilities and their Katz centrality
 * are compared with fractions of GMP. */
#include "tests/support/reading.h"

#include "graphs/multiplicity.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CASE_CONTEXT(context)

enum { MOST = 5, ENTRIES = MOST * MOST };

static const pc_graph_options real = {.weights = 1, .real_weights = 1, .direction = PC_DIRECTED};

/* ---- Random matrices and their files --------------------------------------------------------- */

typedef struct sample {
    uint64_t n;
    char text[ENTRIES][48]; /* "": no arc */
    mpq_t weight[ENTRIES];
    uint64_t n_arcs;
} sample;

static void release_sample(sample *s)
{
    for (int e = 0; e < ENTRIES; e++)
        mpq_clear(s->weight[e]);
}

/* mantissa * 10^-power, as text in one of three notations. */
static void put_weight(sample *s, uint64_t e, uint64_t mantissa, unsigned power, uint64_t notation)
{
    mpz_ui_pow_ui(mpq_denref(s->weight[e]), 10, power);
    mpz_set_ui(mpq_numref(s->weight[e]), mantissa);
    mpq_canonicalize(s->weight[e]);
    if (notation == 0) {
        snprintf(s->text[e], sizeof s->text[e], "%" PRIu64 "e-%u", mantissa, power);
        return;
    }
    char digits[80];
    int n = snprintf(digits, sizeof digits, "%0*" PRIu64, (int)power + 1, mantissa);
    snprintf(s->text[e], sizeof s->text[e], "%.*s.%s%s", n - (int)power, digits, digits + n - power,
             notation == 1 ? "0e+0" : "0");
}

/* Weights of at most most_digits digits and most_decimals decimals, or up to 2 fewer. */
static sample random_sample(random_source *source, unsigned most_digits, unsigned most_decimals)
{
    sample s = {.n = 2 + random_below(source, MOST - 1)};
    for (int e = 0; e < ENTRIES; e++)
        mpq_init(s.weight[e]);
    for (uint64_t e = 0; e < s.n * s.n; e++) {
        uint64_t limit = 1, n_digits = most_digits - random_below(source, 3);
        for (uint64_t d = 0; d < n_digits; d++)
            limit *= 10;
        if (random_below(source, 3) == 0 && s.n_arcs > 0)
            continue;
        put_weight(&s, e, 1 + random_below(source, limit - 1),
                   most_decimals - (unsigned)random_below(source, 3), random_below(source, 3));
        s.n_arcs++;
    }
    return s;
}

static void write_edges(FILE *out, const sample *s)
{
    for (uint64_t e = 0; e < s->n * s->n; e++)
        fprintf(out, *s->text[e] ? "%d %d %s\n" : "%d %d 0.0\n", (int)(e / s->n), (int)(e % s->n),
                s->text[e]);
}

static void write_coordinates(FILE *out, const sample *s)
{
    fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", (int)s->n,
            (int)s->n, (int)s->n_arcs);
    for (uint64_t e = 0; e < s->n * s->n; e++)
        if (*s->text[e])
            fprintf(out, "%d %d %s\n", (int)(e / s->n) + 1, (int)(e % s->n) + 1, s->text[e]);
}

static void write_array(FILE *out, const sample *s)
{
    fprintf(out, "%%%%MatrixMarket matrix array real general\n%d %d\n", (int)s->n, (int)s->n);
    for (uint64_t j = 0; j < s->n; j++)
        for (uint64_t i = 0; i < s->n; i++)
            fprintf(out, "%s\n", *s->text[i * s->n + j] ? s->text[i * s->n + j] : "0");
}

static void write_lists(FILE *out, const sample *s)
{
    for (uint64_t i = 0; i < s->n; i++) {
        int n = 0;
        for (uint64_t j = 0; j < s->n; j++)
            n += *s->text[i * s->n + j] != '\0';
        fprintf(out, "%d %d\n", (int)i, n);
        for (uint64_t j = 0; j < s->n; j++)
            if (*s->text[i * s->n + j])
                fprintf(out, "%d {'weight': %s}\n", (int)j, s->text[i * s->n + j]);
    }
}

static void write_braces(FILE *out, const sample *s)
{
    for (uint64_t e = 0; e < s->n * s->n; e++)
        if (*s->text[e])
            fprintf(out, "%d %d {'weight': %s}\n", (int)(e / s->n), (int)(e % s->n), s->text[e]);
}

static const struct {
    const char *suffix;
    void (*write)(FILE *out, const sample *s);
} writers[] = {{".txt", write_edges},
               {".mtx", write_coordinates},
               {".mtx", write_array},
               {".adjlist", write_lists},
               {".txt", write_braces}};

/* NULL when a weight is too small beside others. */
static pc_graph *read_sample(const sample *s, size_t w)
{
    pc_graph *graph = NULL;
    char *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    writers[w].write(out, s);
    fclose(out);
    pc_status status = read_text(context, writers[w].suffix, text, n_bytes, &real, &graph);
    if (status == PC_ERR_DATA && says(context, "too small beside"))
        status = PC_OK;
    if (status != PC_OK)
        printf("\n%s\n", text);
    free(text);
    if (status != PC_OK)
        print_message(context);
    CU_ASSERT_EQUAL_FATAL(status, PC_OK);
    return graph;
}

/* ---- Against fractions ----------------------------------------------------------------------- */

/* The vertex of the graph that number v of the sample is; the sample's number when it has none. */
static uint64_t vertex_of(const pc_graph *graph, uint64_t v, uint64_t base)
{
    char label[24];
    uint64_t vertex = UINT64_MAX;
    snprintf(label, sizeof label, "%" PRIu64, v + base);
    return pc_graph_find(context, graph, label, &vertex) == PC_OK ? vertex : UINT64_MAX;
}

/* The entry from one vertex to another. */
static uint64_t entry_of(const pc_graph *graph, uint64_t from, uint64_t to)
{
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    for (uint64_t a = arcs.row_start[from]; a < arcs.row_start[from + 1]; a++)
        if (arcs.column[a] == to)
            return arcs.weight ? arcs.weight[a] : 1;
    return 0;
}

/* Returns whether |found - wanted| <= error * |found|. */
static bool is_near(const mpq_t found, const mpq_t wanted, double error)
{
    OWNED(mpq_t) off, room;
    mpq_inits(off, room, NULL);
    mpq_sub(off, found, wanted);
    mpq_abs(off, off);
    mpq_set_d(room, error);
    mpq_mul(room, room, found);
    return mpq_cmp(off, room) <= 0;
}

/* Entries are the weights times 10^decimals, but for weight_error. */
static void check_entries(const sample *s, const pc_graph *graph, uint64_t base)
{
    pc_graph_info info;
    uint64_t n_wrong = 0;
    OWNED(mpq_t) found;
    mpq_init(found);
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_arcs, s->n_arcs);
    for (uint64_t e = 0; e < s->n * s->n; e++) {
        uint64_t from = vertex_of(graph, e / s->n, base), to = vertex_of(graph, e % s->n, base);
        bool is_there = from != UINT64_MAX && to != UINT64_MAX;
        mpz_set_ui(mpq_numref(found), is_there ? entry_of(graph, from, to) : 0);
        mpz_ui_pow_ui(mpq_denref(found), 10, info.decimals);
        mpq_canonicalize(found);
        n_wrong += !is_near(found, s->weight[e], info.weight_error);
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
}

/* Fractions of a matrix and of two row vectors. */
typedef struct walk {
    mpq_t matrix[ENTRIES], at[MOST], next[MOST], term;
} walk;

static void begin_walk(walk *w)
{
    for (int e = 0; e < ENTRIES; e++)
        mpq_init(w->matrix[e]);
    for (int v = 0; v < MOST; v++)
        mpq_inits(w->at[v], w->next[v], NULL);
    mpq_init(w->term);
}

static void release_walk(walk *w)
{
    for (int e = 0; e < ENTRIES; e++)
        mpq_clear(w->matrix[e]);
    for (int v = 0; v < MOST; v++)
        mpq_clears(w->at[v], w->next[v], NULL);
    mpq_clear(w->term);
}

/* The row vector times the matrix. */
static void step(walk *w, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++) {
        mpq_set_ui(w->next[j], 0, 1);
        for (uint64_t i = 0; i < n; i++) {
            mpq_mul(w->term, w->at[i], w->matrix[i * n + j]);
            mpq_add(w->next[j], w->next[j], w->term);
        }
    }
    for (uint64_t j = 0; j < n; j++)
        mpq_swap(w->at[j], w->next[j]);
}

/* The terms of the sum of Katz up to a length, and those after it, which the remainder bounds. */
static void check_katz(const sample *s, const pc_graph *graph, uint64_t base, double beta)
{
    enum { LENGTH = 4, FURTHER = 9 };
    double value[MOST + 1] = {0}, remainder;
    mpq_t sum[2][MOST];
    OWNED(mpq_t) ratio;
    OWNED(walk) w;
    begin_walk(&w);
    mpq_init(ratio);
    mpq_set_d(ratio, beta);
    for (uint64_t e = 0; e < s->n * s->n; e++)
        mpq_mul(w.matrix[e], s->weight[e], ratio);
    for (uint64_t v = 0; v < s->n; v++) {
        mpq_set_ui(w.at[v], 1, 1);
        mpq_inits(sum[0][v], sum[1][v], NULL);
    }
    for (uint64_t l = 1; l <= FURTHER; l++) {
        step(&w, s->n);
        for (uint64_t v = 0; v < s->n; v++)
            mpq_add(sum[l > LENGTH][v], sum[l > LENGTH][v], w.at[v]);
    }
    MUST(katz(context, graph, beta, LENGTH, value, &remainder));
    for (uint64_t v = 0; v < s->n; v++) {
        uint64_t vertex = vertex_of(graph, v, base);
        mpq_set_d(w.term, vertex == UINT64_MAX ? 0 : value[vertex]);
        CU_ASSERT(is_near(sum[0][v], w.term, pc_series_error(graph, LENGTH)));
        if (isfinite(remainder)) {
            mpq_set_d(w.term, remainder);
            CU_ASSERT(mpq_cmp(sum[1][v], w.term) <= 0);
        }
        mpq_clears(sum[0][v], sum[1][v], NULL);
    }
}

typedef struct row {
    double value[MOST + 1];
} row;

static pc_status take_row(void *user, uint64_t length, const pc_rows *rows)
{
    row *to = user;
    (void)length;
    for (uint64_t j = 0; j < rows->n_columns; j++)
        to->value[j] = ldexp(rows->values[j], (int)rows->exponent);
    return PC_OK;
}

/* The probabilities after three steps from each vertex. */
static void check_markov(const sample *s, const pc_graph *graph, uint64_t base)
{
    enum { LENGTH = 3 };
    const pc_count_options doubles = {.arithmetic = PC_FLOAT};
    uint64_t n = s->n;
    OWNED(mpq_t) sum;
    OWNED(walk) w;
    begin_walk(&w);
    mpq_init(sum);
    for (uint64_t i = 0; i < n; i++) {
        mpq_set_ui(sum, 0, 1);
        for (uint64_t j = 0; j < n; j++)
            mpq_add(sum, sum, s->weight[i * n + j]);
        for (uint64_t j = 0; j < n; j++)
            if (mpq_sgn(sum) == 0)
                mpq_set_ui(w.matrix[i * n + j], i == j, 1);
            else
                mpq_div(w.matrix[i * n + j], s->weight[i * n + j], sum);
    }
    for (uint64_t i = 0; i < n; i++) {
        row got = {{0}};
        uint64_t from = vertex_of(graph, i, base);
        if (from == UINT64_MAX)
            continue;
        const pc_query query = {.kind = PC_QUERY_FROM,
                                .paths = PC_PATHS_MARKOV,
                                .length = LENGTH,
                                .n_asked = 1,
                                .from = &from};
        MUST(pc_query_run(context, graph, &query, &doubles, take_row, &got));
        double error = pc_plan_last(context)->relative_error;
        CU_ASSERT(error < 1e-4);
        for (uint64_t v = 0; v < n; v++)
            mpq_set_ui(w.at[v], v == i, 1);
        for (int l = 0; l < LENGTH; l++)
            step(&w, n);
        for (uint64_t v = 0; v < n; v++) {
            uint64_t to = vertex_of(graph, v, base);
            mpq_set_d(w.term, to == UINT64_MAX ? 0 : got.value[to]);
            CU_ASSERT(is_near(w.at[v], w.term, error));
        }
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* Numbers that fit are kept as they are. The others have up to 18 digits and 20 decimals, and the reader
 * states their error. */
TEST("random weights in every format")
{
    static const unsigned digits[][2] = {{3, 2}, {6, 9}, {15, 15}, {18, 20}};
    random_source source = {18};
    uint64_t n_rounded = 0, n_refused = 0;
    for (int round = 0; round < 400; round++) {
        size_t w = (size_t)round % (sizeof writers / sizeof *writers);
        size_t kind = random_below(&source, 4);
        OWNED(sample) s = random_sample(&source, digits[kind][0], digits[kind][1]);
        OWNED(pc_graph) *graph = read_sample(&s, w);
        pc_graph_info info;
        n_refused += !graph;
        if (!graph)
            continue;
        uint64_t base = strcmp(writers[w].suffix, ".mtx") == 0;
        pc_graph_get_info(graph, &info);
        n_rounded += info.weight_error > 0;
        CU_ASSERT(info.weight_error == 0 || kind == 3);
        CU_ASSERT(info.weight_error <= PCI_MOST_WEIGHT_ERROR);
        check_entries(&s, graph, base);
        check_katz(&s, graph, base, round % 2 ? 0.001 : 0.75);
        check_markov(&s, graph, base);
    }
    CU_ASSERT(n_rounded > 10 && n_refused < 100);
}

TEST("as doubles, as NumPy, JSON and arrays have them")
{
    static const double weights[] = {0.25, 0.1, 1.0 / 3, 2e-5, 0};
    static const uint64_t from[] = {0, 1, 2, 3, 3}, to[] = {1, 2, 3, 0, 1};
    pc_edges edges = {.n_vertices = 4,
                      .n_edges = 5,
                      .from = from,
                      .to = to,
                      .real_weight = weights,
                      .stated = PC_DIRECTED};
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(pc_graph_from_edges(context, &edges, &real, &graph));
    pc_graph_get_info(graph, &info);
    OWNED(char) *shown = show_graph(graph);
    CU_ASSERT_STRING_EQUAL(shown, "0 1 2 3 | 0>1*2500000000000000 1>2*1000000000000000 "
                                  "2>3*3333333333333333 3>0*200000000000");
    CU_ASSERT(info.decimals == 16 && info.weight_error == 0);
    OWNED(pc_graph) *refused = NULL;
    CU_ASSERT(is_refused(context, pc_graph_from_edges(context, &edges, NULL, &refused), PC_ERR_DATA,
                         "vertex 0 to vertex 1 has weight 0.25"));
    edges.n_edges = 0;
    OWNED(pc_graph) *empty = NULL;
    MUST(pc_graph_from_edges(context, &edges, &real, &empty));
    static const char json[] =
        "{\"directed\": true, \"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"links\": "
        "[{\"source\": \"a\", \"target\": \"b\", \"weight\": 0.1}, {\"source\": \"b\", \"target\": "
        "\"a\", \"weight\": 3}]}";
    OWNED(pc_graph) *links = NULL;
    MUST(read_text(context, ".json", json, sizeof json - 1, &real, &links));
    OWNED(char) *two = show_graph(links);
    CU_ASSERT_STRING_EQUAL(two, "a b | a>b b>a*30");
    static const char npy[] = "\x93NUMPY\1\0\74\0{'descr': '<f4', 'fortran_order': False, 'shape': "
                              "(1, 1)}  \n\0\0\200\76"; /* 0.25 */
    OWNED(pc_graph) *loop = NULL;
    MUST(read_text(context, ".npy", npy, sizeof npy - 1, &real, &loop));
    OWNED(char) *one = show_graph(loop);
    CU_ASSERT_STRING_EQUAL(one, "0 | 0>0*25");
}

TEST("integers stay integers, and none is asked for twice")
{
    CHECK_READ(".txt", "a b 2\nb a 3.0\n", &real, "a b | a>b*2 b>a*3");
    CHECK_READ(".txt", "a b 18446744073709551615\n", &real, "a b | a>b*18446744073709551615");
    CHECK_READ(".txt", "a b 1.50\nb a 0.000\na a 4\n", &real, "a b | a>a*40 a>b*15");
    const pc_graph_options unweighted = {.real_weights = 1, .direction = PC_DIRECTED};
    CHECK_READ(".txt", "a b 0.5\nb a 0.000\n", &unweighted, "a b | a>b b>a");
    const pc_graph_options added = {
        .weights = 1, .real_weights = 1, .multigraph = 1, .direction = PC_DIRECTED};
    CHECK_READ(".txt", "a b 0.5\na b 0.75\nb a 1\n", &added, "a b | a>b*125 b>a*100");
}

TEST("as much as fits")
{
    pc_graph_info info;
    OWNED(pc_graph) *graph = NULL;
    static const char text[] = "a b 1.5\nb a 1e-9\na a 0.12345678901234567890123456789\n";
    MUST(read_text(context, ".txt", text, sizeof text - 1, &real, &graph));
    pc_graph_get_info(graph, &info);
    OWNED(char) *shown = show_graph(graph);
    CU_ASSERT_STRING_EQUAL(shown,
                           "a b | a>a*123456789012345679 a>b*1500000000000000000 b>a*1000000000");
    CU_ASSERT(info.decimals == 18 && info.weight_error > 0 && info.weight_error < 1e-17);
}

TEST("refused")
{
    CHECK_REFUSAL(".txt", "a b 1e15\nb a 0.5\na a 0.00001\n", &real, PC_ERR_DATA, 3,
                  "too small beside the largest weight");
    CHECK_REFUSAL(".txt", "a b 1\nb a 1e-400\n", &real, PC_ERR_DATA, 2, "too small");
    CHECK_REFUSAL(".txt", "a b 18446744073709551615.5\n", &real, PC_ERR_DATA, 1, "too large");
    CHECK_REFUSAL(".txt", "a b 1e30\nb a 0.5\n", &real, PC_ERR_DATA, 1, "too large");
    CHECK_REFUSAL(".txt", "a b -0.5\n", &real, PC_ERR_DATA, 1, "negative");
    CHECK_REFUSAL(".txt", "a b 0.5\na c x\n", &real, PC_ERR_DATA, 2, "not a number");
    CHECK_REFUSAL(".txt", "a b 0.5\na b 0.25\n", &real, PC_ERR_DATA, 0,
                  "is given with weight 0.5 and again with weight 0.25");
    CHECK_REFUSAL(".txt", "a b 0.5\nb c\n", &real, PC_ERR_DATA, 2, "no weight here");
    const pc_graph_options integers = {.weights = 1};
    CHECK_REFUSAL(".txt", "a b 0.5\n", &integers, PC_ERR_DATA, 1, "--markov and --katz");
    OWNED(pc_graph) *graph = NULL;
    double value[2], remainder;
    MUST(read_text(context, ".txt", "a b 0.5\n", 8, &real, &graph));
    CU_ASSERT(is_refused(context, katz(context, graph, 3e-308, 2, value, &remainder),
                         PC_ERR_ARGUMENT, "above 0"));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static pc_status read_and_free(pc_context *failing, void *user)
{
    pc_graph *graph;
    const char *const *file = user;
    pc_status status = read_text(failing, file[0], file[1], strlen(file[1]), &real, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

TEST("memory fails")
{
    static const char *files[][2] = {
        {".txt", "a b 0.5\nb c 2.25\n"},
        {".mtx", "%%MatrixMarket matrix array real general\n1 1\n0.5\n"},
        {".json", "{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 1, "
                  "\"weight\": 0.1}]}"}};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        CU_ASSERT(fail_each_allocation(read_and_free, (void *)files[f]) > 5);
}
