/* Graphs whose vertices have twins, and graphs in components: counted by way of a quotient they have the
 * counts that they have without one, and those of GMP. The environment variable PATHCOUNT_TEST_QUOTIENTS
 * says how many random graphs; 5,000 have been tried. All cases share the graphs with twins and the text of answers, so they
 * are one file. */
#include "pathcount_reduction.h"
#include "graphs/partition.h"
#include "src/plan/plan.h"
#include "tests/gpu/gpu_device.h"
#include "tests/support/all_graphs.h"
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fake.h"
#include "tests/support/fixture.h"
#include "tests/support/noted_blocks.h"

#include <stdio.h>

enum { DEFAULT_GRAPHS = 250, MOST_VERTICES = 30, MOST_LENGTH = 40 };

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* The graph of few vertices of which each becomes several: they are joined to each other as it is to itself
 * or, where it is closed, by one more. */
static edge_set blow_up(random_source *source, const edge_set *small, uint64_t n)
{
    edge_set edges = edge_set_empty(n, small->directed);
    uint64_t of[MOST_VERTICES], is_adjacent = random_u64(source);
    OWNED(integer_matrix) a = oracle_adjacency(small);
    for (uint64_t v = 0; v < n; v++)
        of[v] = random_below(source, small->n);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = small->directed ? 0 : u; v < n; v++) {
            uint64_t weight = mpz_get_ui(a.entry[of[u] * small->n + of[v]]);
            weight += u != v && of[u] == of[v] && (is_adjacent >> of[u] & 1);
            if (weight)
                edge_set_add(&edges, u, v, weight);
        }
    return edges;
}

static edge_set small_graph(random_source *source)
{
    static const uint64_t most_weight[] = {1, 1, 1, 3, 1000, UINT64_C(1) << 40};
    uint64_t n = 1 + random_below(source, 7), kind = random_below(source, 6);
    edge_set edges = edge_set_empty(n, random_below(source, 2));
    unsigned share = 1 + (unsigned)random_below(source, 9),
             loops = (unsigned)random_below(source, 6);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = edges.directed ? 0 : u; v < n; v++)
            if (random_below(source, 10) < (u == v ? loops : share))
                edge_set_add(&edges, u, v, 1 + random_below(source, most_weight[kind]));
    return edges;
}

/* Complete multipartite graphs, among which are stars; crowns; bipartite ones; arcs out of few vertices into
 * few others, so that most are sources and sinks. */
static edge_set known_graph(random_source *source, uint64_t n)
{
    uint64_t kind = random_below(source, 5), n_parts = 2 + random_below(source, 3);
    edge_set edges = edge_set_empty(n, kind == 4);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = kind == 4 ? 0 : u + 1; v < n; v++) {
            bool is_edge = kind == 0   ? u == 0
                           : kind == 1 ? u % n_parts != v % n_parts
                           : kind == 2 ? u % 2 != v % 2 && u / 2 != v / 2
                           : kind == 3 ? u % 2 != v % 2 && random_below(source, 3) == 0
                                       : u % 5 == 1 && v % 5 != 2 && random_below(source, 2) == 0;
            if (is_edge)
                edge_set_add(&edges, u, v, 1);
        }
    return edges;
}

/* Two graphs side by side, and vertices without edges. */
static edge_set side_by_side(const edge_set *a, const edge_set *b, uint64_t n)
{
    edge_set edges = edge_set_empty(n, a->directed);
    for (uint64_t e = 0; e < a->n_edges; e++)
        edge_set_add(&edges, a->from[e], a->to[e], a->weight[e]);
    for (uint64_t e = 0; e < b->n_edges; e++)
        edge_set_add(&edges, n - 1 - b->from[e], n - 1 - b->to[e], b->weight[e]);
    return edges;
}

static void shuffle(random_source *source, edge_set *edges)
{
    uint64_t place[MOST_VERTICES];
    for (uint64_t v = 0; v < edges->n; v++) {
        uint64_t other = random_below(source, v + 1);
        place[v] = place[other];
        place[other] = v;
    }
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        edges->from[e] = place[edges->from[e]];
        edges->to[e] = place[edges->to[e]];
    }
}

static edge_set any_graph(random_source *source)
{
    uint64_t n = 1 + random_below(source, MOST_VERTICES), half = (n + 1) / 2;
    OWNED(edge_set) small = small_graph(source), other = small_graph(source);
    edge_set edges;
    other.directed = small.directed;
    switch (random_below(source, 4)) {
    case 0:
        edges = known_graph(source, n);
        break;
    case 1: {
        OWNED(edge_set) a = blow_up(source, &small, half),
                        b = blow_up(source, &other, half / 2 + 1);
        edges = side_by_side(&a, &b, n + 2 < MOST_VERTICES ? n + 2 : MOST_VERTICES);
        break;
    }
    case 2:
        edges = edge_set_any_simple(source, n);
        break;
    default:
        edges = blow_up(source, &small, n);
    }
    shuffle(source, &edges);
    return edges;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* The options of every third graph or so are those of another method or of residues. */
static pc_count_options any_options(random_source *source)
{
    static const uint64_t moduli[] = {2,
                                      6,
                                      10,
                                      256,
                                      97,
                                      UINT64_C(1) << 32,
                                      1000000007,
                                      720,
                                      5040,
                                      3u * 5 * 7 * 11 * 13,
                                      (UINT64_C(1) << 63) - 25};
    static const pc_method methods[] = {PC_METHOD_AUTO, PC_METHOD_AUTO, PC_METHOD_DENSE,
                                        PC_METHOD_SWEEP};
    pc_count_options options = {.method = methods[random_below(source, 4)]};
    if (random_below(source, 3) == 0) {
        options.arithmetic = PC_MODULAR;
        options.modulus = moduli[random_below(source, 11)];
    }
    if (random_below(source, 10) == 0)
        options.n_certify_rounds = PC_CERTIFY_NONE;
    return options;
}

/* Rows that were passed on, as text: in whatever width they come. */
typedef struct transcript {
    char *text;
    size_t length, capacity;
} transcript;

static void write_text(transcript *t, const char *text, size_t length)
{
    if (t->length + length + 2 > t->capacity) {
        t->capacity = 2 * (t->length + length + 2);
        t->text = realloc(t->text, t->capacity);
    }
    memcpy(t->text + t->length, text, length);
    t->length += length;
    t->text[t->length++] = ' ';
    t->text[t->length] = '\0';
}

static void write_number(transcript *t, uint64_t number)
{
    char text[32];
    write_text(t, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)number));
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    char text[8192];
    (void)length;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        size_t n = 0;
        MUST(pc_rows_text(rows, e, text, sizeof text, &n));
        write_text(user, text, n);
    }
    return PC_OK;
}

/* The summary with its largest pairs. */
static void summarize(pc_context *context, const pc_graph *graph, const pc_query *query,
                      const pc_count_options *options, uint64_t n_pairs, transcript *t)
{
    pc_frame frame = {.rows = pc_graph_labels(graph),
                      .columns = pc_graph_labels(graph),
                      .symmetric = graph->symmetric};
    OWNED(pc_plan) *plan = NULL;
    OWNED(pc_reduction) *summary = NULL;
    pc_summary_values values;
    MUST(pc_summary_create(context, &frame, n_pairs, &summary));
    if (!succeeds(context, pc_plan_create(context, graph, query, options, &plan)) ||
        !succeeds(context, pc_plan_run(plan, &summary, 1, NULL, NULL)))
        CU_FAIL_FATAL("a summary");
    MUST(pc_summary_get(summary, &values));
    const char *texts[] = {values.total, values.closed, values.largest, values.largest_row_sum};
    for (int i = 0; i < 4; i++)
        write_text(t, texts[i], strlen(texts[i]));
    write_number(t, values.largest_row);
    write_number(t, values.n_nonzero);
    for (uint64_t i = 0; i < values.n_pairs; i++) {
        write_number(t, values.pairs[i].from);
        write_number(t, values.pairs[i].to);
        write_text(t, values.pairs[i].count, strlen(values.pairs[i].count));
    }
}

static bool was_counted_once(pc_context *context)
{
    pc_plan_info info = {0};
    MUST(plan_last(context, &info));
    return !*info.recomputed;
}

/* All that is asked of one graph, with one setting of the reduction. */
static void ask_all(pc_context *context, const pc_graph *graph, uint64_t length,
                    const pc_count_options *options, uint64_t n_pairs, transcript *t)
{
    static const pc_query_kind kinds[] = {PC_QUERY_TOTAL,  PC_QUERY_STARTS, PC_QUERY_ENDS,
                                          PC_QUERY_CLOSED, PC_QUERY_TRACE,  PC_QUERY_MATRIX};
    pc_query query = {.length = length};
    for (int k = 0; k < 6; k++) {
        pc_count_options dense = *options;
        query.kind = kinds[k];
        if (query.kind != PC_QUERY_MATRIX)
            dense.method = PC_METHOD_DENSE;
        if (!succeeds(context, pc_query_run(context, graph, &query, &dense, take, t)))
            CU_FAIL_FATAL("a query");
        CU_ASSERT_TRUE(was_counted_once(context));
    }
    /* The last one is that of a power, which a device may make. */
    for (query.up_to = options->method != PC_METHOD_DENSE; query.up_to >= 0; query.up_to--) {
        summarize(context, graph, &query, options, n_pairs, t);
        CU_ASSERT_TRUE(was_counted_once(context));
        if (query.up_to &&
            !succeeds(context, pc_query_run(context, graph, &query, options, take, t)))
            CU_FAIL_FATAL("a query");
        CU_ASSERT_TRUE(was_counted_once(context));
    }
}

static bool is_kept_right(pc_context *context, const pc_graph *graph, const edge_set *edges,
                          uint64_t length, const pc_count_options *options)
{
    OWNED(integer_matrix) expected = oracle_count(edges, length);
    OWNED(pc_counts) *counts = NULL;
    if (!succeeds(context, pc_count(context, graph, length, options, &counts)))
        return false;
    if (!options->modulus)
        return n_wrong_counts(counts, &expected) == 0;
    OWNED(uint64_t) *words = oracle_reduce(&expected, options->modulus);
    return n_wrong_words(counts, words, edges->n) == 0;
}

static int n_graphs(void)
{
    const char *text = getenv("PATHCOUNT_TEST_QUOTIENTS");
    return text ? atoi(text) : DEFAULT_GRAPHS;
}

/* Returns how many matrices were counted by a quotient on the device. */
static int compare_random_graphs(const char *device, uint64_t seed)
{
    random_source source = {seed};
    int n_reduced = 0;
    for (int g = 0; g < n_graphs(); g++) {
        OWNED(edge_set) edges = any_graph(&source);
        OWNED(pc_context) *context = new_context(1 + g % 3);
        MUST(pc_context_set_device(context, device));
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        uint64_t length = 1 + random_below(&source, random_below(&source, 4) ? 9 : MOST_LENGTH);
        uint64_t n_pairs = 1 + random_below(&source, random_below(&source, 2) ? 3 : 100);
        pc_count_options options = any_options(&source);
        transcript plain = {0}, reduced = {0};
        pc_plan_info info = {0};
        options.reduce = PC_REDUCE_NEVER;
        ask_all(context, graph, length, &options, n_pairs, &plain);
        options.reduce = PC_REDUCE_ALWAYS;
        ask_all(context, graph, length, &options, n_pairs, &reduced);
        MUST(plan_last(context, &info));
        n_reduced += info.n_classes > 0 && strncmp(device, info.engine, 3) == 0;
        bool is_right = plain.length == reduced.length &&
                        memcmp(plain.text, reduced.text, plain.length) == 0 &&
                        is_kept_right(context, graph, &edges, length, &options);
        if (!is_right)
            printf("\n    graph %d: n %d, length %d, method %d, modulus %llu, classes %d\n", g,
                   (int)edges.n, (int)length, (int)options.method,
                   (unsigned long long)options.modulus, (int)info.n_classes);
        CU_ASSERT_TRUE(is_right);
        free(plain.text);
        free(reduced.text);
        if (!is_right)
            break;
    }
    return n_reduced;
}

TEST("random graphs with twins and in components")
{
    CU_ASSERT_TRUE(compare_random_graphs("cpu", 39) > n_graphs() / 2);
}

/* A third of them or so is counted on a device: undirected graphs, exactly, but for sweeps. The engine that only pretends to
 * be that of CUDA powers the quotient on the processors, and makes entries between classes of the result. */
TEST("random graphs with twins on an engine that knows classes")
{
    use_fake("");
    CU_ASSERT_TRUE(compare_random_graphs("cuda", 3938) > n_graphs() / 4);
    set_variable("PATHCOUNT_CUDA_ENGINE", NULL);
}

/* Tells whether there is a GPU, or why not. */
static bool has_gpu(char reason[512])
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_plan_info plan;
    MUST(pc_context_set_device(context, gpu_name()));
    pc_status status = plan_matrix(context, graph, 2, NULL, 1, &plan);
    snprintf(reason, 512, "%s", pc_context_message(context));
    return status == PC_OK;
}

TEST("random graphs with twins on a GPU")
{
    char reason[512];
    if (!has_gpu(reason))
        test_skip(reason); /* which does not come back to free anything */
    CU_ASSERT_TRUE(compare_random_graphs(gpu_name(), 3939) > n_graphs() / 4);
}

/* On the processors and on the engine that knows classes. */
static void check_small_graph(const edge_set *edges)
{
    static const char *const devices[] = {"cpu", "cuda"};
    for (int d = 0; d < 2; d++) {
        OWNED(pc_context) *context = new_context(1);
        MUST(pc_context_set_device(context, devices[d]));
        OWNED(pc_graph) *graph = new_graph(context, edges);
        pc_query query = {.kind = PC_QUERY_MATRIX};
        for (query.length = 1; query.length < 8; query.length += query.length < 4 ? 1 : 3) {
            transcript text[2] = {{0}, {0}};
            for (int r = 0; r < 2; r++) {
                pc_count_options options = {.reduce = r ? PC_REDUCE_ALWAYS : PC_REDUCE_NEVER};
                MUST(pc_query_run(context, graph, &query, &options, take, &text[r]));
                summarize(context, graph, &query, &options, 40, &text[r]);
            }
            CU_ASSERT_TRUE(text[0].length == text[1].length &&
                           memcmp(text[0].text, text[1].text, text[0].length) == 0);
            free(text[0].text);
            free(text[1].text);
        }
    }
}

/* PATHCOUNT_TEST_QUOTIENT_VERTICES says how many vertices they have at most; 8 have been tried. */
TEST("all graphs up to isomorphism")
{
    const char *text = getenv("PATHCOUNT_TEST_QUOTIENT_VERTICES");
    use_fake("");
    for_all_graphs(text ? strtoull(text, NULL, 10) : 6, check_small_graph);
    set_variable("PATHCOUNT_CUDA_ENGINE", NULL);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* How the choice of a plan by a quotient begins (src/count/quotient.c). */
typedef struct chosen {
    pci_quotient *quotient;
    pc_graph **between;
} chosen;

/* Changes one number of a quotient to another one that it might be. */
static void damage(random_source *source, const chosen *chosen)
{
    pci_quotient *q = chosen->quotient;
    uint64_t c = random_below(source, q->n_classes), v = random_below(source, q->n_vertices);
    pc_graph *piece =
        (chosen->between ? chosen->between : q->piece)[random_below(source, q->n_pieces)];
    uint64_t n_arcs = piece->row_start[piece->n], arc = n_arcs ? random_below(source, n_arcs) : 0;
    switch (random_below(source, 6)) {
    case 0:
    case 1:
        q->class_of[v] = (uint32_t)c;
        break;
    case 2:
        q->size[c] = 1 + random_below(source, 4);
        break;
    case 3:
        q->is_adjacent[c] ^= 1;
        break;
    case 4:
        q->first[c] = (uint32_t)v;
        break;
    default:
        if (piece->weight && n_arcs)
            piece->weight[arc] += 1 + random_below(source, 3);
        else if (n_arcs)
            piece->column[arc] = (uint32_t)random_below(source, piece->n);
    }
}

/* The answer by a quotient that is damaged before it is used, if damages: right, or there is none. */
static bool is_not_wrong(pc_context *context, random_source *source, bool damages,
                         const pc_graph *graph, const pc_query *query,
                         const pc_count_options *options, const transcript *expected,
                         int *n_noticed)
{
    pc_frame frame = {.rows = pc_graph_labels(graph),
                      .columns = pc_graph_labels(graph),
                      .symmetric = graph->symmetric};
    OWNED(pc_plan) *plan = NULL;
    OWNED(pc_reduction) *summary = NULL;
    transcript rows = {0};
    bool is_summary = random_below(source, 2);
    MUST(pc_summary_create(context, &frame, 3, &summary));
    MUST(pc_plan_create(context, graph, query, options, &plan));
    if (plan->info.n_classes == 0)
        return true;
    if (damages)
        damage(source, plan->plan[0]->choice);
    pc_status status = is_summary ? pc_plan_run(plan, &summary, 1, NULL, NULL)
                                  : pc_plan_run(plan, NULL, 0, take, &rows);
    pc_summary_values values = {0};
    if (is_summary && status == PC_OK)
        MUST(pc_summary_get(summary, &values));
    if (is_summary && status == PC_OK)
        write_text(&rows, values.total, strlen(values.total));
    const transcript *right = &expected[is_summary];
    bool is_right = status == PC_ERR_CERTIFY || (status == PC_OK && rows.length == right->length &&
                                                 memcmp(rows.text, right->text, rows.length) == 0);
    *n_noticed += status != PC_OK || *plan->info.recomputed;
    free(rows.text);
    return is_right;
}

/* Returns how many of the faults were noticed, in the classes or, if the engine flips bits, in what is read of it. */
static int make_faults(const char *device, uint64_t seed, bool flips)
{
    random_source source = {seed};
    int n_noticed = 0;
    for (int g = 0; g < 2 * n_graphs(); g++) {
        char behaviour[32];
        OWNED(edge_set) edges = any_graph(&source);
        OWNED(pc_context) *context = new_context(1);
        MUST(pc_context_set_device(context, device));
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = 1 + random_below(&source, 6)};
        pc_query total = {.kind = PC_QUERY_TOTAL, .length = query.length};
        pc_count_options options = {.reduce = PC_REDUCE_NEVER};
        transcript expected[2] = {{0}, {0}};
        MUST(pc_query_run(context, graph, &query, &options, take, &expected[0]));
        MUST(pc_query_run(context, graph, &total, &options, take, &expected[1]));
        options.reduce = PC_REDUCE_ALWAYS;
        for (int f = 0; f < 4; f++) {
            snprintf(behaviour, sizeof behaviour, "flip:%d", 1 + (int)random_below(&source, 6));
            if (flips)
                use_fake(behaviour);
            CU_ASSERT_TRUE(is_not_wrong(context, &source, !flips, graph, &query, &options, expected,
                                        &n_noticed));
            if (flips)
                use_fake("");
        }
        free(expected[0].text);
        free(expected[1].text);
    }
    return n_noticed;
}

TEST("faults in classes")
{
    CU_ASSERT_TRUE(make_faults("cpu", 391, false) > n_graphs());
}

TEST("faults in classes on an engine that knows them")
{
    use_fake("");
    CU_ASSERT_TRUE(make_faults("cuda", 392, false) > n_graphs() / 2);
    CU_ASSERT_TRUE(make_faults("cuda", 393, true) > n_graphs() / 2);
    set_variable("PATHCOUNT_CUDA_ENGINE", NULL);
}

/* A graph of TWINS vertices in TWIN_CLASSES classes, of both kinds. */
enum { TWINS = 14, TWIN_CLASSES = 5 };

static pc_status load_twins(pc_context *context, pc_graph **graph)
{
    edge_set edges = edge_set_empty(TWINS, false);
    for (uint64_t u = 0; u < 3; u++)
        for (uint64_t v = u + 1; v < 8; v++)
            edge_set_add(&edges, u, v, 1);
    for (uint64_t v = 9; v < TWINS; v++)
        edge_set_add(&edges, 8, v, 2);
    edge_set_add(&edges, 0, 8, 1);
    pc_status status = edge_set_load(context, &edges, graph);
    edge_set_free(&edges);
    return status;
}

TEST("which products are half ones")
{
    use_fake("");
    for (int on_device = 0; on_device < 2; on_device++) {
        pc_count_options options = {.reduce = PC_REDUCE_ALWAYS, .method = PC_METHOD_DENSE};
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = NULL;
        pc_plan_info info;
        MUST(pc_context_set_device(context, on_device ? "cuda" : "cpu"));
        MUST(load_twins(context, &graph));
        MUST(plan_matrix(context, graph, 6, &options, 1, &info));
        CU_ASSERT_EQUAL(info.n_classes, TWIN_CLASSES);
        CU_ASSERT_EQUAL(info.symmetric, on_device); /* S B + L is not */
    }
    set_variable("PATHCOUNT_CUDA_ENGINE", NULL);
}

/* Changes a bit of the rows of classes that are kept for a summary, when memory is taken for what is made of them. */
typedef struct row_fault {
    noted_blocks blocks;
    bool is_made;
} row_fault;

/* They have words and, for each class, half a word. */
static bool are_rows(size_t bytes)
{
    size_t row_bytes = TWIN_CLASSES * sizeof(uint64_t);
    return bytes > row_bytes && bytes % row_bytes == row_bytes / 2;
}

static void *allocate_or_change(void *user, size_t bytes)
{
    row_fault *fault = user;
    noted_blocks *noted = &fault->blocks;
    int b = noted->n;
    void *block = noted_allocate(noted, bytes);
    bool is_room = noted->n > b && noted->bytes[b] == 2 * TWINS * sizeof(uint64_t);
    while (is_room && !fault->is_made && b-- > 0)
        if (noted->block[b] && are_rows(noted->bytes[b])) {
            noted_data(noted->block[b])[0] ^= 64;
            fault->is_made = true;
        }
    return block;
}

TEST("a row that was kept for a summary changes")
{
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 6};
    pc_count_options options = {.reduce = PC_REDUCE_ALWAYS};
    transcript expected = {0}, made = {0};
    use_fake("");
    for (int is_faulty = 0; is_faulty < 2; is_faulty++) {
        row_fault fault = {.blocks.is_on = false};
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = NULL;
        pc_plan_info info;
        pc_context_set_allocator(context,
                                 (pc_allocator){allocate_or_change, noted_release, &fault});
        MUST(pc_context_set_device(context, "cuda"));
        MUST(load_twins(context, &graph));
        fault.blocks.is_on = is_faulty;
        summarize(context, graph, &query, &options, 1, is_faulty ? &made : &expected);
        MUST(plan_last(context, &info));
        CU_ASSERT_EQUAL(fault.is_made, is_faulty);
        CU_ASSERT_EQUAL(*info.recomputed != 0, is_faulty);
    }
    CU_ASSERT(expected.length == made.length && memcmp(expected.text, made.text, made.length) == 0);
    free(expected.text);
    free(made.text);
    set_variable("PATHCOUNT_CUDA_ENGINE", NULL);
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* What is asked of the graph with twins. */
typedef struct failing_question {
    const char *device;
    pc_count_options options;
    bool up_to, is_summary, is_kept;
} failing_question;

static pc_status take_nothing(void *user, uint64_t length, const pc_rows *rows)
{
    (void)user, (void)length, (void)rows;
    return PC_OK;
}

static pc_status ask_twins(pc_context *context, void *user)
{
    const failing_question *q = user;
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_plan) *plan = NULL;
    OWNED(pc_reduction) *summary = NULL;
    OWNED(pc_counts) *counts = NULL;
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 6, .up_to = q->up_to};
    pc_status status = pc_context_set_device(context, q->device);
    if (status == PC_OK)
        status = load_twins(context, &graph);
    if (status == PC_OK && q->is_kept)
        return pc_count(context, graph, query.length, &q->options, &counts);
    if (status == PC_OK)
        status = pc_plan_create(context, graph, &query, &q->options, &plan);
    pc_frame frame = {
        .rows = pc_graph_labels(graph), .columns = pc_graph_labels(graph), .symmetric = true};
    if (status == PC_OK && q->is_summary)
        status = pc_summary_create(context, &frame, 3, &summary);
    if (status == PC_OK)
        status =
            pc_plan_run(plan, &summary, q->is_summary, q->is_summary ? NULL : take_nothing, NULL);
    if (status == PC_OK)
        CU_ASSERT(pc_plan_get_info(plan)->n_classes > 0);
    return status;
}

TEST("allocations of quotients fail, and they are cancelled")
{
    use_fake("");
    for (unsigned i = 0; i < 24; i++) {
        failing_question q = {.device = i % 2 ? "cuda" : "cpu",
                              .options = {.reduce = PC_REDUCE_ALWAYS},
                              .up_to = i % 2 == 0 && i / 2 % 2,
                              .is_summary = i % 3 == 0,
                              .is_kept = i % 3 == 1 && !(i % 2 == 0 && i / 2 % 2)};
        if (i / 12) {
            q.options.arithmetic = PC_MODULAR;
            q.options.modulus = 101;
        }
        CU_ASSERT(fail_each_allocation(ask_twins, &q) > 30);
        CU_ASSERT(cancel_at_each_question(ask_twins, 2, &q) > 3);
    }
    set_variable("PATHCOUNT_CUDA_ENGINE", NULL);
}
