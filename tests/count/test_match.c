/* Walks that match a pattern: random graphs and patterns against all words, which a matcher of its own tries one by one,
 * so that an ambiguous pattern shows; patterns that are none; limits; memory that runs out. */
#include "pathcount_match.h"
#include "src/tool.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/random_graph.h"

#include <stdio.h>

RELEASE_BY_FREE(pc_labelled_edges)
RELEASE_BY_FREE(pc_match)

enum { MOST_N = 5, LABELS = 3, MOST_LENGTH = 5, MOST_NODES = 64, TEXT_BYTES = 2000 };

static const char *const labels[LABELS] = {"A", "B-1", "c d"};
static const char *const written[LABELS] = {"A", "B-1", "'c d'"};

/* ---- Patterns, and what matches them --------------------------------------------------------- */

typedef struct tree {
    enum { ONE, ANY, EMPTY, BOTH, EITHER, TIMES } kind;
    int label, least, most; /* most -1: any number */
    const struct tree *a, *b;
} tree;

typedef struct pattern {
    tree node[MOST_NODES];
    int n;
    char text[TEXT_BYTES];
} pattern;

/* The places where words end that begin at one of the places of the set. */
static unsigned match(const tree *t, const int *word, int length, unsigned places)
{
    unsigned found = 0, more;
    switch (t->kind) {
    case EMPTY:
        return places;
    case BOTH:
        return match(t->b, word, length, match(t->a, word, length, places));
    case EITHER:
        return match(t->a, word, length, places) | match(t->b, word, length, places);
    case TIMES:
        for (int i = 0; i < t->least; i++)
            places = match(t->a, word, length, places);
        for (int i = t->least; i != t->most && (more = places & ~found) != 0; i++) {
            found |= places;
            places = match(t->a, word, length, t->most < 0 ? more : places);
        }
        return found | places;
    default:
        for (int i = 0; i < length; i++)
            if (places >> i & 1 && (t->kind == ANY || word[i] == t->label))
                found |= 1U << (i + 1);
        return found;
    }
}

static const tree *draw(random_source *source, pattern *p, unsigned present, int depth)
{
    tree *t = &p->node[p->n++];
    *t = (tree){.kind = depth == 0 ? random_below(source, 2) : random_below(source, 6)};
    if (t->kind == ONE && present == 0)
        t->kind = EMPTY;
    for (t->label = (int)random_below(source, LABELS);
         t->kind == ONE && !(present >> t->label & 1);)
        t->label = (t->label + 1) % LABELS;
    if (t->kind == BOTH || t->kind == EITHER || t->kind == TIMES)
        t->a = draw(source, p, present, depth - 1);
    if (t->kind == BOTH || t->kind == EITHER)
        t->b = draw(source, p, present, depth - 1);
    static const int times[][2] = {{0, -1}, {1, -1}, {0, 1}, {2, 2}, {1, 3}, {2, -1}, {0, 0}};
    const int *chosen = times[random_below(source, 7)];
    t->least = chosen[0];
    t->most = chosen[1];
    return t;
}

static void put(pattern *p, const char *text)
{
    strcat(p->text, text);
}

/* Writes a tree; brackets stand where they must, and sometimes elsewhere. */
static void write_tree(random_source *source, pattern *p, const tree *t, int binding)
{
    static const int strength[] = {3, 3, 3, 1, 0, 2};
    bool in_brackets =
        t->kind != EMPTY && (strength[t->kind] < binding || random_below(source, 8) == 0);
    char times[40];
    if (in_brackets)
        put(p, random_below(source, 2) ? "( " : "(");
    switch (t->kind) {
    case ONE:
        put(p, written[t->label]);
        break;
    case ANY:
        put(p, ".");
        break;
    case EMPTY:
        put(p, "()");
        break;
    case BOTH:
    case EITHER:
        write_tree(source, p, t->a, strength[t->kind]);
        put(p, t->kind == EITHER ? "|" : random_below(source, 2) ? " / " : " ");
        write_tree(source, p, t->b, strength[t->kind]);
        break;
    default:
        write_tree(source, p, t->a, 3);
        if (t->most < 0)
            snprintf(times, sizeof times,
                     t->least == 0   ? "*"
                     : t->least == 1 ? "+"
                                     : "{%d,}",
                     t->least);
        else
            snprintf(times, sizeof times,
                     t->least == t->most ? "{%d}"
                     : t->least == 0     ? "?"
                                         : "{%d,%d}",
                     t->least, t->most);
        put(p, times);
    }
    if (in_brackets)
        put(p, ")");
}

/* ---- Graphs, and the counts by words --------------------------------------------------------- */

typedef struct labelled {
    uint64_t n, n_edges, from[40], to[40], weight[40], text[40];
    uint64_t entry[LABELS][MOST_N][MOST_N];
    unsigned present; /* labels that edges have */
    pc_graph_options options;
} labelled;

static void draw_edges(random_source *source, labelled *l)
{
    uint64_t salt = random_below(source, 3);
    *l = (labelled){.n = 1 + random_below(source, MOST_N), .n_edges = 1 + random_below(source, 14)};
    l->options.direction = random_below(source, 2) ? PC_DIRECTED : PC_UNDIRECTED;
    l->options.multigraph = (int)random_below(source, 2);
    if (l->options.direction == PC_UNDIRECTED && random_below(source, 4) == 0)
        l->options.loops = PC_LOOPS_TWICE;
    for (uint64_t e = 0; e < l->n_edges; e++) {
        uint64_t u = random_below(source, l->n), v = random_below(source, l->n);
        uint64_t k = random_below(source, LABELS), weight = salt ? (u + v + salt * k) % 3 : 1;
        l->from[e] = u;
        l->to[e] = v;
        l->text[e] = k;
        l->weight[e] = weight;
        l->present |= 1U << k;
        uint64_t times = u == v && l->options.loops == PC_LOOPS_TWICE ? 2 * weight : weight;
        l->entry[k][u][v] = l->options.multigraph ? l->entry[k][u][v] + times : times;
        if (l->options.direction == PC_UNDIRECTED)
            l->entry[k][v][u] = l->entry[k][u][v];
    }
}

typedef uint64_t matrices[MOST_LENGTH + 1][MOST_N][MOST_N];

/* Adds the walks of all words that begin so and match. */
static void count_words(const labelled *l, const tree *t, int *word, int length,
                        uint64_t walks[MOST_N][MOST_N], matrices counts)
{
    if (match(t, word, length, 1) >> length & 1)
        for (uint64_t i = 0; i < l->n * l->n; i++)
            counts[length][i / l->n][i % l->n] += walks[i / l->n][i % l->n];
    for (int k = 0; k < LABELS && length < MOST_LENGTH; k++) {
        uint64_t next[MOST_N][MOST_N] = {{0}};
        for (uint64_t u = 0; u < l->n; u++)
            for (uint64_t v = 0; v < l->n; v++)
                for (uint64_t w = 0; w < l->n; w++)
                    next[u][w] += walks[u][v] * l->entry[k][v][w];
        word[length] = k;
        count_words(l, t, word, length + 1, next, counts);
    }
}

/* ---- Questions ------------------------------------------------------------------------------- */

typedef struct answers {
    uint64_t n_asked, from[3], to[3];
    uint64_t expected[MOST_LENGTH + 1][3 * MOST_N], n;
    uint64_t first_length, modulus, n_wrong, n_taken;
} answers;

static void fill(answers *a, const labelled *l, pc_query_kind kind, uint64_t length,
                 uint64_t counts[MOST_N][MOST_N])
{
    uint64_t *out = a->expected[length];
    a->n = kind == PC_QUERY_TOTAL                         ? 1
           : kind == PC_QUERY_FROM || kind == PC_QUERY_TO ? a->n_asked * l->n
           : kind == PC_QUERY_PAIRS                       ? a->n_asked
                                                          : l->n;
    for (uint64_t i = 0; i < a->n; i++)
        for (uint64_t u = 0; u < l->n; u++)
            for (uint64_t v = 0; v < l->n; v++) {
                bool counts_here = kind == PC_QUERY_TOTAL  ? true
                                   : kind == PC_QUERY_FROM ? u == a->from[i / l->n] && v == i % l->n
                                   : kind == PC_QUERY_TO   ? v == a->to[i / l->n] && u == i % l->n
                                   : kind == PC_QUERY_PAIRS  ? u == a->from[i] && v == a->to[i]
                                   : kind == PC_QUERY_STARTS ? u == i
                                   : kind == PC_QUERY_ENDS   ? v == i
                                                             : u == i && v == i;
                out[i] += counts_here ? counts[u][v] : 0;
            }
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    answers *a = user;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        uint64_t expected = a->expected[length][rows->first_row * rows->n_columns + e], found;
        char text[64];
        pc_rows_text(rows, e, text, sizeof text, NULL);
        found = strtoull(text, NULL, 10);
        a->n_wrong += found != (a->modulus ? expected % a->modulus : expected);
        a->n_taken++;
    }
    return PC_OK;
}

static void check_kind(random_source *source, pc_context *context, const pc_labelled_edges *edges,
                       const labelled *l, const pattern *p, matrices counts, pc_query_kind kind)
{
    answers a = {.n_asked = 1 + random_below(source, 3)};
    uint64_t length = random_below(source, MOST_LENGTH + 1), way = random_below(source, 4);
    pc_count_options options = {0};
    for (uint64_t i = 0; i < a.n_asked; i++) {
        a.from[i] = random_below(source, l->n);
        a.to[i] = random_below(source, l->n);
    }
    length += length == 0 && way < 2;
    for (uint64_t k = way < 2 ? 1 : length; k <= length; k++)
        fill(&a, l, kind, way == 1 ? length : k, counts[k]);
    if (way == 3) {
        options.arithmetic = PC_MODULAR;
        options.modulus = a.modulus = 7;
    }
    bool has_from = kind == PC_QUERY_FROM || kind == PC_QUERY_PAIRS;
    bool has_to = kind == PC_QUERY_TO || kind == PC_QUERY_PAIRS;
    const pc_query query = {.kind = kind,
                            .length = length,
                            .n_asked = has_from || has_to ? a.n_asked : 0,
                            .from = has_from ? a.from : NULL,
                            .to = has_to ? a.to : NULL,
                            .each = way == 0,
                            .up_to = way == 1};
    OWNED(pc_match) *made = NULL;
    pc_status status = pc_match_create(context, edges, p->text, &query, &made);
    if (status == PC_OK)
        status =
            pc_query_run(context, pc_match_graph(made), pc_match_query(made), &options, take, &a);
    bool is_right =
        succeeds(context, status) && a.n_wrong == 0 && a.n_taken == a.n * (way == 0 ? length : 1);
    if (!is_right)
        printf("\n    pattern '%s', kind %d, length %lu, way %lu: %lu of %lu wrong\n", p->text,
               (int)kind, (unsigned long)length, (unsigned long)way, (unsigned long)a.n_wrong,
               (unsigned long)a.n_taken);
    CU_ASSERT(is_right);
}

static pc_status load(pc_context *context, const labelled *l, pc_labelled_edges **edges)
{
    const pc_edges given = {.n_vertices = l->n,
                            .n_edges = l->n_edges,
                            .from = l->from,
                            .to = l->to,
                            .weight = l->weight};
    return pc_labelled_edges_from_edges(context, &given, LABELS, labels, l->text, &l->options,
                                        edges);
}

static void check_graph(const labelled *l, pc_context *context, const pc_labelled_edges *edges)
{
    OWNED(pc_graph) *graph = NULL;
    pc_arcs arcs;
    MUST(pc_labelled_edges_graph(context, edges, &graph));
    pc_graph_arcs(graph, &arcs);
    for (uint64_t u = 0; u < l->n; u++)
        for (uint64_t v = 0; v < l->n; v++) {
            uint64_t found = 0,
                     expected = l->entry[0][u][v] + l->entry[1][u][v] + l->entry[2][u][v];
            for (uint64_t i = arcs.row_start[u]; i < arcs.row_start[u + 1]; i++)
                found += arcs.column[i] == v ? (arcs.weight ? arcs.weight[i] : 1) : 0;
            CU_ASSERT_EQUAL(found, expected);
        }
}

TEST("random graphs and patterns against all words")
{
    random_source source = {4141};
    OWNED(pc_context) *context = new_context(1);
    for (int i = 0; i < 2000; i++) {
        labelled l;
        pattern p = {.n = 0};
        matrices counts = {{{0}}};
        uint64_t walks[MOST_N][MOST_N] = {{0}};
        int word[MOST_LENGTH];
        draw_edges(&source, &l);
        const tree *t = draw(&source, &p, l.present, 4);
        write_tree(&source, &p, t, 0);
        for (uint64_t v = 0; v < l.n; v++)
            walks[v][v] = 1;
        count_words(&l, t, word, 0, walks, counts);
        OWNED(pc_labelled_edges) *edges = NULL;
        MUST(load(context, &l, &edges));
        check_graph(&l, context, edges);
        for (int kind = PC_QUERY_FROM; kind <= PC_QUERY_CLOSED; kind++)
            check_kind(&source, context, edges, &l, &p, counts, (pc_query_kind)kind);
    }
}

/* ---- Graphs that are chosen ------------------------------------------------------------------ */

/* A path of n arcs with label A, and a loop with label B-1 at its end. */
static pc_labelled_edges *new_path(pc_context *context, uint64_t n, uint64_t weight)
{
    OWNED(uint64_t) *from = calloc(5 * (n + 1), sizeof *from);
    uint64_t *to = from + n + 1, *weights = to + n + 1, *text = weights + n + 1;
    for (uint64_t e = 0; e <= n; e++) {
        from[e] = e;
        to[e] = e < n ? e + 1 : e;
        weights[e] = weight;
        text[e] = e == n;
    }
    const pc_edges given = {
        .n_vertices = n + 1, .n_edges = n + 1, .from = from, .to = to, .weight = weights};
    const pc_graph_options options = {.direction = PC_DIRECTED};
    pc_labelled_edges *edges = NULL;
    MUST(pc_labelled_edges_from_edges(context, &given, LABELS, labels, text, &options, &edges));
    return edges;
}

TEST("an ambiguous pattern counts each walk once; the product has no part that leads to no end")
{
    static const char *const patterns[] = {"A* A*", "(A|A A)(A A|A)", "(A|.|A{1,3})+", ".*"};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *edges = new_path(context, 1000, 1);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        answers a = {.expected = {[3] = {1}}};
        const pc_query query = {.kind = PC_QUERY_PAIRS,
                                .length = 3,
                                .n_asked = 1,
                                .from = (uint64_t[]){10},
                                .to = (uint64_t[]){13}};
        OWNED(pc_match) *made = NULL;
        MUST(pc_match_create(context, edges, patterns[i], &query, &made));
        MUST(pc_query_run(context, pc_match_graph(made), pc_match_query(made), NULL, take, &a));
        CU_ASSERT(a.n_wrong == 0 && a.n_taken == 1);
        CU_ASSERT(pc_graph_n_vertices(pc_match_graph(made)) <= 2 * 1001 + 10);
    }
}

TEST("patterns that are none")
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "position 1: a label, . or ( is expected"},
        {"A |", "position 4: a label"},
        {"| A", "position 1: a label"},
        {"A / / A", "position 5: a label"},
        {"/A", "position 1: a label"},
        {"A/", "position 3: a label"},
        {"(A", "position 1: this bracket is not closed"},
        {"A)", "position 2: no bracket is open"},
        {"(", "position 2: a label"},
        {"*", "position 1: a label"},
        {"A**", "position 3: what is repeated already"},
        {"A{2}?", "position 5: what is repeated already"},
        {"A{", "position 2: this is none of"},
        {"A{2,1}", "position 2: this is none of"},
        {"A{,2}", "position 2: this is none of"},
        {"A{x}", "position 2: this is none of"},
        {"A{10001}", "position 3: at most 10000"},
        {"A{99999999999999999999}", "position 3: at most 10000"},
        {"'A", "position 1: this quote"},
        {"\"\"", "position 1: a label in quotes is empty"},
        {"A 'A'' B'", "position 7: no edge"},
        {"A E", "position 3: no edge has the label 'E'; there are 'A', 'B-1', 'c d'"},
        {"'\xc3\xa9' A", "position 2: no edge has the label '\xc3\xa9'"},
        {"'c d' \xc3\xa9", "position 7: no edge"},
        {"A{100}{100}", "position 7: what is repeated already"},
        {"((A{100}){100}){100}", "more than 4096 states"},
        {"A{4096}", "more than 4096 states"},
        {".* A .{13}", "more than 4096 states"},
        {"A & A", "position 3: a label"},
    };
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *edges = new_path(context, 2, 1);
    const pc_query query = {.kind = PC_QUERY_TOTAL, .length = 3};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OWNED(pc_match) *made = NULL;
        CU_ASSERT(is_refused(context, pc_match_create(context, edges, bad[i].text, &query, &made),
                             PC_ERR_ARGUMENT, bad[i].words));
    }
    char deep[2 * 101 + 2] = "";
    memset(deep, '(', 101);
    deep[101] = '.';
    memset(deep + 102, ')', 101);
    OWNED(pc_match) *made = NULL;
    CU_ASSERT(is_refused(context, pc_match_create(context, edges, deep, &query, &made),
                         PC_ERR_ARGUMENT, "more than 100 brackets"));
    deep[202] = '\0';
    MUST(pc_match_create(context, edges, deep + 1, &query, &made));
    char many[4000] = "A"; /* many terms in few states */
    for (int i = 0; i < 30; i++)
        sprintf(many + strlen(many), "|.{%d} A{%d}", 3000 + i, 2 + i);
    CU_ASSERT(is_refused(context, pc_match_create(context, edges, many, &query, &made),
                         PC_ERR_ARGUMENT, "too large"));
    OWNED(char) *long_one = malloc(70000);
    memset(long_one, 'A', 69999);
    long_one[69999] = '\0';
    CU_ASSERT(is_refused(context, pc_match_create(context, edges, long_one, &query, &made),
                         PC_ERR_ARGUMENT, "32768"));
}

TEST("queries that are none, and numbers that do not fit")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *edges = new_path(context, 3, UINT64_MAX);
    OWNED(pc_match) *made = NULL;
    const uint64_t far[] = {9};
    const pc_query queries[] = {{.kind = PC_QUERY_MATRIX, .length = 2},
                                {.kind = PC_QUERY_TRACE, .length = 2},
                                {.kind = PC_QUERY_TOTAL, .length = 2, .paths = PC_PATHS_SIMPLE},
                                {.kind = PC_QUERY_TO, .length = 2, .n_asked = 1, .to = far},
                                {.kind = PC_QUERY_FROM, .length = 2, .n_asked = 1}};
    for (int i = 0; i < 5; i++)
        CU_ASSERT(is_refused(context, pc_match_create(context, edges, "A", &queries[i], &made),
                             PC_ERR_ARGUMENT,
                             i < 3   ? "not for simple"
                             : i < 4 ? "to[0] is vertex 9, and the graph has"
                                     : "no array 'from'"));
    const pc_query sums = {.kind = PC_QUERY_STARTS, .length = 2};
    CU_ASSERT(is_refused(context,
                         pc_match_create(context, edges, ".|A .",
                                         &(pc_query){.kind = PC_QUERY_TOTAL, .length = 1}, &made),
                         PC_ERR_RANGE, "add up to more"));
    pc_context_set_memory_limit(context, 1);
    CU_ASSERT_EQUAL(pc_match_create(context, edges, "A", &sums, &made), PC_ERR_MEMORY);
}

TEST("no vertices, and one")
{
    OWNED(pc_context) *context = new_context(1);
    for (uint64_t n = 0; n < 2; n++) {
        const uint64_t zero[] = {0};
        const pc_edges given = {.n_vertices = n, .n_edges = n, .from = zero, .to = zero};
        OWNED(pc_labelled_edges) *edges = NULL;
        MUST(pc_labelled_edges_from_edges(context, &given, 1, labels, zero, NULL, &edges));
        for (int kind = PC_QUERY_TOTAL; kind <= PC_QUERY_CLOSED; kind++)
            for (uint64_t length = 0; length < 3; length++) {
                answers a = {.expected = {{n}, {n}, {n}}};
                const pc_query query = {.kind = (pc_query_kind)kind, .length = length};
                OWNED(pc_match) *made = NULL;
                MUST(pc_match_create(context, edges, ".*", &query, &made));
                CU_ASSERT(succeeds(context, pc_query_run(context, pc_match_graph(made),
                                                         pc_match_query(made), NULL, take, &a)));
                CU_ASSERT(a.n_wrong == 0 && a.n_taken == (kind == PC_QUERY_TOTAL ? 1 : n));
            }
    }
}

static pc_status create(pc_context *context, void *user)
{
    static const uint64_t from[] = {0, 1, 1, 0}, to[] = {1, 1, 0, 1}, text[] = {0, 1, 2, 1};
    const pc_edges given = {.n_vertices = 2, .n_edges = 4, .from = from, .to = to};
    OWNED(pc_labelled_edges) *edges = NULL;
    OWNED(pc_match) *made = NULL;
    OWNED(pc_graph) *graph = NULL;
    pc_status status =
        pc_labelled_edges_from_edges(context, &given, LABELS, labels, text, NULL, &edges);
    if (status == PC_OK)
        status = pc_labelled_edges_graph(context, edges, &graph);
    return status ? status : pc_match_create(context, edges, "(A|B-1)* .{2}", user, &made);
}

TEST("memory that runs out, and calls that are cancelled")
{
    pc_query queries[] = {
        {.kind = PC_QUERY_TOTAL, .length = 3},
        {.kind = PC_QUERY_FROM, .n_asked = 1, .from = (uint64_t[]){0}, .length = 2},
        {.kind = PC_QUERY_STARTS}};
    for (int i = 0; i < 3; i++)
        fail_each_allocation(create, &queries[i]);
    cancel_at_each_question(create, 1, &queries[0]);
}
