/* Graphs in parts against the same graphs whole: mpirun -n N parts [GRAPHS [SEED]]. Of 0 graphs: each request for memory
 * that the first process makes for an answer is refused once.
 *
 * The first process makes random graphs, asks random questions of each, whole and in parts, and compares the statuses
 * and all entries delivered. A question in parts is also asked with a checkpoint, cancelled at a random moment, and
 * resumed. The whole graph is answered by the routes of one process, which the other suites hold
 * against an oracle. Exits 1 when an answer differs. */
#include "pathcount_mpi.h"
#include "pathcount_reduction.h"
#include "src/tool.h"

#include "tests/support/random_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_VERTICES = 70, MOST_ASKED = 5, QUESTIONS = 6, MOST_LENGTH = 40 };

/* The sum of hashes of all entries, with their places: blocks of rows may be cut anywhere, and words may be more. */
typedef struct fingerprint {
    pc_status status;
    uint64_t n_entries, sum;
} fingerprint;

static uint64_t mix(uint64_t word)
{
    word ^= word >> 31;
    word *= UINT64_C(0x7fb5d329728ea185);
    word ^= word >> 27;
    word *= UINT64_C(0x81dadef4bc2dd44d);
    return word ^ word >> 33;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    fingerprint *print = user;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        uint64_t hash = mix(length + 1);
        hash = mix(hash + rows->first_row + e / rows->n_columns);
        hash = mix(hash + e % rows->n_columns);
        for (uint32_t l = 0; l < rows->n_limbs; l++)
            if (rows->limbs[e * rows->n_limbs + l])
                hash = mix(hash + mix(rows->limbs[e * rows->n_limbs + l] + l));
        if (rows->values)
            hash = mix(hash + bits_of(rows->values[e])) + mix((uint64_t)rows->exponent);
        print->sum += hash;
        print->n_entries++;
    }
    return PC_OK;
}

/* An answer that was wrong at first and was computed again counts as wrong. */
static fingerprint ask(pc_context *context, const pc_graph *graph, const pc_query *query,
                       const pc_count_options *options)
{
    fingerprint print = {0};
    print.status = pc_query_run(context, graph, query, options, take, &print);
    if (print.status == PC_OK && *pc_plan_last(context)->recomputed)
        print.status = PC_ERR_CERTIFY;
    if (print.status != PC_OK)
        print.n_entries = print.sum = 0;
    return print;
}

static void add_text(fingerprint *print, const char *text)
{
    for (; *text; text++)
        print->sum = mix(print->sum + (unsigned char)*text + 1);
    print->n_entries++;
}

static void add_number(fingerprint *print, double number)
{
    print->sum = mix(print->sum + bits_of(number));
    print->n_entries++;
}

static void add_summary(fingerprint *print, const pc_summary_values *values)
{
    add_text(print, values->total);
    add_text(print, values->closed);
    add_text(print, values->largest_row_sum);
    add_number(print, (double)values->largest_row);
    add_number(print, (double)values->n_nonzero);
    for (uint64_t i = 0; i < values->n_pairs; i++) {
        add_text(print, values->pairs[i].count);
        add_number(print, (double)values->pairs[i].from);
        add_number(print, (double)values->pairs[i].to);
    }
}

static void add_grid(fingerprint *print, const pc_grid_values *values)
{
    for (uint32_t c = 0; c < values->n_down * values->n_across; c++)
        add_number(print, values->log2[c]);
    for (uint32_t b = 0; b < values->n_bins; b++)
        add_number(print, (double)values->bin[b]);
    add_number(print, (double)values->first_bin);
    add_number(print, (double)values->n_zeros);
}

/* A summary and, often, a picture of a matrix, whose rows nobody sees. */
static fingerprint reduce(pc_context *context, const pc_graph *graph, const pc_query *query,
                          const pc_count_options *options)
{
    fingerprint print = {0};
    pc_graph_info info;
    pc_plan *plan = NULL;
    pc_reduction *reductions[2] = {NULL};
    pc_summary_values summary;
    pc_grid_values grid;
    uint32_t n = 1 + query->length % 2;
    pc_graph_get_info(graph, &info);
    pc_frame frame = {.rows = pc_graph_labels(graph),
                      .columns = pc_graph_labels(graph),
                      .symmetric = !info.directed};
    print.status = pc_summary_create(context, &frame, 1 + query->length % 9, &reductions[0]);
    if (print.status == PC_OK && n > 1)
        print.status = pc_grid_create(context, &frame, 7, &reductions[1]);
    if (print.status == PC_OK)
        print.status = pc_plan_create(context, graph, query, options, &plan);
    if (print.status == PC_OK)
        print.status = pc_plan_run(plan, reductions, n, NULL, NULL);
    if (print.status == PC_OK)
        print.status = pc_summary_get(reductions[0], &summary);
    if (print.status == PC_OK && n > 1)
        print.status = pc_grid_get(reductions[1], &grid);
    if (print.status == PC_OK)
        add_summary(&print, &summary);
    if (print.status == PC_OK && n > 1)
        add_grid(&print, &grid);
    pc_plan_free(plan);
    pc_reduction_free(reductions[0]);
    pc_reduction_free(reductions[1]);
    return print;
}

static void make_question(random_source *source, uint64_t n, uint64_t *vertices, pc_query *query,
                          pc_count_options *options)
{
    static const pc_query_kind kinds[] = {
        PC_QUERY_FROM, PC_QUERY_TO,     PC_QUERY_PAIRS, PC_QUERY_TOTAL,  PC_QUERY_STARTS,
        PC_QUERY_ENDS, PC_QUERY_CLOSED, PC_QUERY_TRACE, PC_QUERY_MATRIX, PC_QUERY_MATRIX};
    *query = (pc_query){.kind = kinds[random_below(source, sizeof kinds / sizeof *kinds)],
                        .length = random_below(source, random_below(source, 4) ? 10 : MOST_LENGTH)};
    for (int i = 0; i < 2 * MOST_ASKED; i++)
        vertices[i] = random_below(source, n);
    query->n_asked = query->kind <= PC_QUERY_PAIRS ? 1 + random_below(source, MOST_ASKED) : 0;
    query->from = query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_PAIRS ? vertices : NULL;
    query->to =
        query->kind == PC_QUERY_TO || query->kind == PC_QUERY_PAIRS ? vertices + MOST_ASKED : NULL;
    query->each = query->kind != PC_QUERY_MATRIX && random_below(source, 4) == 0;
    query->up_to = !query->each && random_below(source, 4) == 0;
    *options = (pc_count_options){0};
    if (random_below(source, 3) == 0) {
        options->arithmetic = PC_MODULAR;
        options->modulus = 2 + random_below(source, UINT64_C(1) << (2 + random_below(source, 60)));
    }
    static const pc_method methods[] = {PC_METHOD_AUTO, PC_METHOD_SWEEP, PC_METHOD_DENSE,
                                        PC_METHOD_HYBRID};
    options->method = methods[random_below(source, sizeof methods / sizeof *methods)];
}

/* Pairs of one length, which halves answer where the graph is undirected (src/count/halves.c). */
static void ask_pairs(random_source *source, const uint64_t *vertices, pc_query *query,
                      pc_count_options *options)
{
    *query = (pc_query){.kind = PC_QUERY_PAIRS,
                        .length = query->length,
                        .n_asked = 1 + random_below(source, MOST_ASKED),
                        .from = vertices,
                        .to = vertices + MOST_ASKED};
    *options = (pc_count_options){0};
}

/* Another kind of path, often, that parts can be asked for. */
static void choose_paths(random_source *source, const pc_graph *graph, pc_query *query,
                         pc_count_options *options)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    uint64_t kind = random_below(source, 4);
    if (kind > 1 || (kind == 1 && info.directed))
        return;
    options->method = random_below(source, 2) ? PC_METHOD_SWEEP : PC_METHOD_AUTO;
    query->paths = kind == 1 ? PC_PATHS_NON_BACKTRACKING : PC_PATHS_MARKOV;
    if (kind == 0)
        *options = (pc_count_options){.arithmetic = PC_FLOAT};
}

/* Squaring modulo a number that a weight reaches is refused in parts. */
static bool is_refused(const pc_graph *parts, const pc_count_options *options)
{
    pc_graph_info info;
    pc_graph_get_info(parts, &info);
    return options->arithmetic == PC_MODULAR && options->method == PC_METHOD_DENSE &&
           info.max_weight >= options->modulus;
}

typedef fingerprint (*ask_fn)(pc_context *context, const pc_graph *graph, const pc_query *query,
                              const pc_count_options *options);

/* ---- Checkpoints ----------------------------------------------------------------------------- */

typedef struct checkpointing {
    pc_cluster *cluster;
    char folder[32];
    uint64_t left;                 /* steps of sweeps until count_down cancels */
    uint64_t n_cancelled, n_saved; /* of these, with a state to go on from */
} checkpointing;

static int count_down(void *user, const char *stage, double fraction)
{
    checkpointing *c = user;
    (void)fraction;
    if (strcmp(stage, "sweep") != 0)
        return 0;
    return c->left == 0 ? 1 : (c->left--, 0);
}

/* Removes the files of the folder, and counts those of lines. */
static uint64_t empty_folder(const char *folder, bool removes)
{
    DIR *listing = opendir(folder);
    uint64_t n = 0;
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        n += strstr(entry->d_name, ".lines") != NULL;
        if (removes && entry->d_name[0] != '.')
            unlinkat(dirfd(listing), entry->d_name, 0);
    }
    closedir(listing);
    return n;
}

static fingerprint ask_resumed(pc_context *context, checkpointing *c, random_source *source,
                               ask_fn asks, const pc_graph *graph, const pc_query *query,
                               const pc_count_options *options)
{
    fingerprint print = {.status = PC_ERR_INTERNAL};
    c->left = 1 + random_below(source, query->length + 1);
    if (pc_cluster_checkpoint(context, c->cluster, c->folder, 0, false) != PC_OK)
        return print;
    pc_context_set_progress(context, count_down, c);
    print = asks(context, graph, query, options);
    pc_context_set_progress(context, NULL, NULL);
    if (print.status == PC_ERR_CANCELLED) {
        c->n_cancelled++;
        c->n_saved += empty_folder(c->folder, false) > 0;
        print.status = pc_cluster_checkpoint(context, c->cluster, c->folder, 0, true);
        if (print.status == PC_OK)
            print = asks(context, graph, query, options);
    }
    pc_cluster_checkpoint(context, c->cluster, NULL, 0, false);
    empty_folder(c->folder, true);
    return print;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static bool is_same(const fingerprint *a, const fingerprint *b)
{
    return a->status == b->status && a->n_entries == b->n_entries && a->sum == b->sum;
}

static uint64_t check_graph(pc_context *context, checkpointing *c, random_source *source,
                            uint64_t *n_asked)
{
    uint64_t n = 1 + random_below(source, MOST_VERTICES), n_wrong = 0;
    edge_set edges = edge_set_any_simple(source, n);
    pc_graph *whole = NULL, *parts = NULL;
    if (edge_set_load(context, &edges, &whole) == PC_OK &&
        edge_set_load(context, &edges, &parts) == PC_OK &&
        pc_graph_distribute(context, c->cluster, parts) == PC_OK)
        for (int q = 0; q < QUESTIONS; q++) {
            uint64_t vertices[2 * MOST_ASKED];
            pc_query query;
            pc_count_options options;
            make_question(source, n, vertices, &query, &options);
            if (q == 0)
                ask_pairs(source, vertices, &query, &options);
            else
                choose_paths(source, parts, &query, &options);
            if (is_refused(parts, &options))
                options.method = PC_METHOD_SWEEP;
            bool is_reduced = query.kind == PC_QUERY_MATRIX && random_below(source, 2);
            ask_fn asks = is_reduced ? reduce : ask;
            fingerprint a = asks(context, whole, &query, &options);
            fingerprint b = asks(context, parts, &query, &options);
            bool is_swept = options.method == PC_METHOD_AUTO || options.method == PC_METHOD_SWEEP;
            fingerprint r =
                is_swept ? ask_resumed(context, c, source, asks, parts, &query, &options) : b;
            bool is_right = is_same(&a, &b) && is_same(&a, &r);
            n_wrong += !is_right;
            ++*n_asked;
            if (!is_right)
                printf("WRONG: %" PRIu64 " vertices, kind %d, paths %d, method %d, length %" PRIu64
                       ", each %d, up to %d, modulus %" PRIu64
                       ": status %d, %d and resumed %d, %" PRIu64 ", %" PRIu64 " and %" PRIu64
                       " entries; %s\n",
                       n, (int)query.kind, (int)query.paths, (int)options.method, query.length,
                       query.each, query.up_to, options.modulus, (int)a.status, (int)b.status,
                       (int)r.status, a.n_entries, b.n_entries, r.n_entries,
                       pc_context_message(context));
        }
    else
        n_wrong++;
    if (pc_graph_check(context, parts) != PC_OK)
        n_wrong++;
    pc_graph_free(whole);
    pc_graph_free(parts);
    edge_set_free(&edges);
    return n_wrong;
}

/* ---- No memory in the first process ---------------------------------------------------------- */

static uint64_t n_requests, refused_request; /* 0: none */

static void *allocate(void *user, size_t bytes)
{
    uint64_t number;
    (void)user;
#pragma omp atomic capture
    number = ++n_requests;
    return number == refused_request ? NULL : malloc(bytes);
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* One request after the other is refused, until the question is answered: without memory it fails, and the processes
 * answer the next one. */
static uint64_t refuse_each_request(pc_context *context, const pc_graph *graph,
                                    const pc_query *query, const pc_count_options *options,
                                    bool is_reduced)
{
    fingerprint expected = (is_reduced ? reduce : ask)(context, graph, query, options);
    uint64_t n_wrong = expected.status != PC_OK;
    for (uint64_t r = 1;; r++) {
        n_requests = 0;
        refused_request = r;
        fingerprint print = (is_reduced ? reduce : ask)(context, graph, query, options);
        refused_request = 0;
        if (print.status == PC_OK && n_requests < r) {
            printf("%" PRIu64 " requests for memory, ", r - 1);
            return n_wrong + (print.sum != expected.sum);
        }
        bool is_right =
            print.status == PC_OK ? print.sum == expected.sum : print.status == PC_ERR_MEMORY;
        if (!is_right)
            printf("WRONG: request %" PRIu64 " refused: status %d, %s\n", r, (int)print.status,
                   pc_context_message(context));
        n_wrong += !is_right;
    }
}

static uint64_t check_memory(pc_context *context, pc_cluster *cluster)
{
    random_source source = {1};
    edge_set edges = edge_set_density(&source, 30, 300, false);
    const pc_query matrix = {.kind = PC_QUERY_MATRIX, .length = 150},
                   closed = {.kind = PC_QUERY_CLOSED, .length = 5};
    const struct {
        pc_query query;
        pc_count_options options;
        bool is_reduced;
    } question[] = {
        {matrix, {.method = PC_METHOD_DENSE}, false},
        {matrix, {.method = PC_METHOD_HYBRID}, true},
        {matrix, {.method = PC_METHOD_DENSE, .arithmetic = PC_MODULAR, .modulus = 1000003}, false},
        {closed, {.arithmetic = PC_MODULAR, .modulus = 101}, false}};
    pc_graph *graph = NULL;
    pc_context_set_allocator(context, (pc_allocator){allocate, release, NULL});
    uint64_t n_wrong = edge_set_load(context, &edges, &graph) != PC_OK ||
                       pc_graph_distribute(context, cluster, graph) != PC_OK;
    for (size_t q = 0; q < sizeof question / sizeof *question && !n_wrong; q++)
        n_wrong += refuse_each_request(context, graph, &question[q].query, &question[q].options,
                                       question[q].is_reduced);
    for (int paths = PC_PATHS_NON_BACKTRACKING; paths <= PC_PATHS_MARKOV && !n_wrong; paths++) {
        pc_query query = closed;
        pc_count_options options = {.arithmetic = paths == PC_PATHS_MARKOV ? PC_FLOAT : PC_EXACT};
        query.paths = (pc_path_kind)paths;
        n_wrong += refuse_each_request(context, graph, &query, &options, false);
    }
    printf("%" PRIu64 " wrong\n", n_wrong);
    pc_graph_free(graph);
    edge_set_free(&edges);
    return n_wrong;
}

int main(int argc, char **argv)
{
    pc_cluster *cluster;
    int level, n_processes;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
    pc_status status = pc_cluster_begin(MPI_COMM_WORLD, &cluster);
    uint64_t n_graphs = argc > 1 ? strtoull(argv[1], NULL, 10) : 100, n_wrong = 0, n_asked = 0;
    random_source source = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    pc_context *context = NULL;
    checkpointing c = {.cluster = cluster, .folder = "/tmp/mpi_parts.XXXXXX"};
    if (cluster && (status = pc_context_create(&context)) == PC_OK && n_graphs == 0) {
        n_wrong = check_memory(context, cluster);
    } else if (cluster && status == PC_OK && mkdtemp(c.folder)) {
        pc_context_set_sync(context, false);
        for (uint64_t g = 0; g < n_graphs; g++)
            n_wrong += check_graph(context, &c, &source, &n_asked);
        printf("%d processes: %" PRIu64 " graphs, %" PRIu64 " questions, %" PRIu64
               " cancelled and resumed, %" PRIu64 " of them from a checkpoint, %" PRIu64 " wrong\n",
               n_processes, n_graphs, n_asked, c.n_cancelled, c.n_saved, n_wrong);
        rmdir(c.folder);
    }
    pc_context_free(context);
    pc_cluster_end(cluster);
    MPI_Finalize();
    return status != PC_OK || n_wrong > 0 || (cluster && n_graphs >= 8 && c.n_saved == 0);
}
