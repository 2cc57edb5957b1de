/* Edge lists and Matrix Market files read by all processes against the same files read by one: mpirun -n N texts [FILES
 * [SEED]].
 *
 * The first process writes random files, good and bad ones, reads each whole and in parts, and compares statuses,
 * messages, facts, labels and the entries of A, of large graphs their sums by rows. The reader of one process is held
 * against oracles by other suites. Exits 1 when something differs. */
#include "pathcount_mpi.h"

#include "src/tool.h"

#include "tests/support/random_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Random files ---------------------------------------------------------------------------- */

/* How the lines of one file look. */
typedef struct style {
    uint64_t n_lines, n_ids, first_id, step; /* ids: first_id + step * (0 .. n_ids - 1) */
    const char *separator, *line_end;
    bool has_weights, is_mutual, has_noise;
    uint64_t most_weight;
    uint64_t bad_line; /* UINT64_MAX: none */
} style;

static const char *pick(random_source *source, const char *const *texts, size_t n)
{
    return texts[random_below(source, n)];
}

static style any_style(random_source *source)
{
    static const char *const separators[] = {" ", "\t", ",", "  ", ", "}, *const ends[] = {
                                                                              "\n", "\n", "\r\n"};
    static const uint64_t lines[] = {0, 1, 3, 12, 60, 4000}, ids[] = {1, 3, 20, 300};
    static const uint64_t firsts[] = {0, 0, 1, 1, 900000, 1 << 20}, steps[] = {1, 1, 1, 3, 1000};
    style s = {.n_lines = random_below(source, 1 + lines[random_below(source, 6)]),
               .n_ids = ids[random_below(source, 4)],
               .first_id = firsts[random_below(source, 6)],
               .step = steps[random_below(source, 5)],
               .separator = pick(source, separators, 5),
               .line_end = pick(source, ends, 3),
               .has_weights = random_below(source, 2),
               .is_mutual = random_below(source, 4) == 0,
               .has_noise = random_below(source, 2),
               .most_weight =
                   random_below(source, 2) ? 1 : 1 + random_below(source, UINT64_C(1) << 62)};
    s.bad_line = random_below(source, 3) ? UINT64_MAX : random_below(source, s.n_lines + 1);
    return s;
}

static void write_noise(FILE *out, random_source *source, const style *s, bool is_edge_list)
{
    static const char *const noise[] = {"", "   ", "%", "% 1 2 3", "# 5 6", "#"};
    if (s->has_noise && random_below(source, 6) == 0)
        fprintf(out, "%s%s", pick(source, noise, is_edge_list ? 6 : 4), s->line_end);
}

static void write_bad_line(FILE *out, random_source *source, const style *s)
{
    static const char *const bad[] = {"7",
                                      "1 2 3 4",
                                      "1 2 x",
                                      "1 2 -3",
                                      "1,,2",
                                      "1 two",
                                      "1 2 0.5",
                                      "2 1 0",
                                      "\"1 2",
                                      "0 0",
                                      "1 99999999999999999999",
                                      "1 2000000",
                                      "\t1",
                                      "1 2 99999999999999999999",
                                      "1\r2"};
    fprintf(out, "%s%s", pick(source, bad, sizeof bad / sizeof *bad), s->line_end);
}

static uint64_t any_id(random_source *source, const style *s)
{
    return s->first_id + s->step * random_below(source, s->n_ids);
}

/* The same weight for the same two ends, but for a few. */
static uint64_t weight_of(random_source *source, const style *s, uint64_t from, uint64_t to)
{
    uint64_t is_other = random_below(source, 500) == 0;
    return random_below(source, 400) ? 1 + ((from * to + from + to) * 7 + is_other) % s->most_weight
                                     : 0;
}

static void write_edge(FILE *out, random_source *source, const style *s, uint64_t from, uint64_t to)
{
    fprintf(out, "%" PRIu64 "%s%" PRIu64, from, s->separator, to);
    if (s->has_weights && random_below(source, 2000))
        fprintf(out, "%s%" PRIu64, s->separator, weight_of(source, s, from, to));
}

static void write_edges(FILE *out, random_source *source, const style *s, bool lacks_end)
{
    for (uint64_t l = 0; l <= s->n_lines; l++) {
        write_noise(out, source, s, true);
        if (l == s->bad_line)
            write_bad_line(out, source, s);
        if (l == s->n_lines)
            break;
        uint64_t from = any_id(source, s), to = any_id(source, s);
        write_edge(out, source, s, from, to);
        if (s->is_mutual) {
            fputs(s->line_end, out);
            write_edge(out, source, s, to, from);
        }
        if (l + 1 < s->n_lines || !lacks_end)
            fputs(s->line_end, out);
    }
}

static void write_edge_list(FILE *out, random_source *source)
{
    static const char *const heads[] = {"",
                                        "",
                                        "# Directed graph (each unordered pair)",
                                        "# Undirected graph",
                                        "% asym positive",
                                        "% sym",
                                        "from,to",
                                        "# pathcount graph: directed, weights, 40 vertices",
                                        "# pathcount graph: undirected, 20 vertices"};
    style s = any_style(source);
    const char *head = pick(source, heads, sizeof heads / sizeof *heads);
    if (random_below(source, 20) == 0)
        fputs("\xef\xbb\xbf", out);
    if (*head)
        fprintf(out, "%s%s", head, s.line_end);
    write_edges(out, source, &s, random_below(source, 3) == 0);
    if (random_below(source, 30) == 0)
        fputs("alpha 1\n", out);
}

static void write_matrix(FILE *out, random_source *source)
{
    static const char *const fields[] = {"pattern", "integer", "real"}, *const shapes[] = {
                                                                            "general", "symmetric"};
    style s = any_style(source);
    s.separator = random_below(source, 3) ? " " : "  ";
    const char *field = pick(source, fields, 3), *shape = pick(source, shapes, 2);
    bool is_symmetric = *shape == 's';
    uint64_t n_wrong = random_below(source, 8) ? 0 : random_below(source, 3);
    fprintf(out, "%%%%MatrixMarket matrix coordinate %s %s%s", field, shape, s.line_end);
    write_noise(out, source, &s, false);
    fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "%s", s.n_ids, s.n_ids, s.n_lines + n_wrong,
            s.line_end);
    for (uint64_t l = 0; l <= s.n_lines; l++) {
        write_noise(out, source, &s, false);
        if (l == s.bad_line)
            write_bad_line(out, source, &s);
        if (l == s.n_lines)
            break;
        uint64_t a = 1 + random_below(source, s.n_ids), b = 1 + random_below(source, s.n_ids);
        if (is_symmetric && a < b && random_below(source, 2000)) {
            uint64_t low = a;
            a = b;
            b = low;
        }
        fprintf(out, "%" PRIu64 "%s%" PRIu64, a, s.separator, b);
        if (*field != 'p')
            fprintf(out, "%s%" PRIu64, s.separator, weight_of(source, &s, a, b));
        if (l + 1 < s.n_lines || random_below(source, 2))
            fputs(s.line_end, out);
    }
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct reading {
    pc_status status;
    char message[2048];
    pc_graph *graph;
} reading;

static void note(reading *r, pc_context *context, pc_status status)
{
    r->status = status;
    snprintf(r->message, sizeof r->message, "%s",
             status == PC_OK ? "" : pc_context_message(context));
}

static pc_status add_entries(void *user, uint64_t length, const pc_rows *rows)
{
    uint64_t *sum = user, n = rows->n_rows * rows->n_columns;
    for (uint64_t e = 0; e < n; e++)
        for (uint32_t l = 0; l < rows->n_limbs; l++) {
            random_source mixed = {rows->limbs[e * rows->n_limbs + l] * 31 + l +
                                   (rows->first_row * rows->n_columns + e) * 1000003 + length};
            *sum += rows->limbs[e * rows->n_limbs + l] ? random_u64(&mixed) : 0;
        }
    return PC_OK;
}

/* A hash of the entries of A, or of their sums. */
static uint64_t hash_of(pc_context *context, const pc_graph *graph, pc_query_kind kind)
{
    uint64_t sum = 0;
    const pc_query query = {.kind = kind, .length = 1};
    const pc_count_options options = {.method = PC_METHOD_SWEEP};
    pc_status status = pc_query_run(context, graph, &query, &options, add_entries, &sum);
    return status == PC_OK ? sum : ~(uint64_t)status;
}

static bool are_same_texts(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static bool are_same_facts(const pc_graph *a, const pc_graph *b)
{
    pc_graph_info x, y;
    pc_graph_get_info(a, &x);
    pc_graph_get_info(b, &y);
    return x.n_vertices == y.n_vertices && x.n_arcs == y.n_arcs && x.n_edges == y.n_edges &&
           x.n_loops == y.n_loops && x.n_duplicates == y.n_duplicates &&
           x.max_weight == y.max_weight && x.directed == y.directed &&
           x.direction_overridden == y.direction_overridden &&
           x.weights_ignored == y.weights_ignored && x.decimals == y.decimals &&
           are_same_texts(x.format, y.format) && are_same_texts(x.note, y.note);
}

static bool are_same_graphs(pc_context *context, const pc_graph *a, const pc_graph *b)
{
    const pc_labels *of_a = pc_graph_labels(a), *of_b = pc_graph_labels(b);
    uint64_t n = pc_labels_count(of_a);
    if (!are_same_facts(a, b) || n != pc_labels_count(of_b) || pc_graph_check(context, b) != PC_OK)
        return false;
    for (uint64_t v = 0; v < n; v++) {
        char text[2][64];
        pc_labels_text(of_a, v, text[0], sizeof text[0]);
        pc_labels_text(of_b, v, text[1], sizeof text[1]);
        if (strcmp(text[0], text[1]) != 0)
            return false;
    }
    pc_query_kind kind = n > 2000 ? PC_QUERY_STARTS : PC_QUERY_MATRIX;
    return hash_of(context, a, kind) == hash_of(context, b, kind);
}

static pc_graph_options any_options(random_source *source)
{
    if (random_below(source, 3) == 0)
        return (pc_graph_options){0};
    return (pc_graph_options){.direction = random_below(source, 3)
                                               ? PC_DIRECTION_OF_FORMAT
                                               : (pc_direction)random_below(source, 3),
                              .multigraph = random_below(source, 3) == 0,
                              .weights = (int)random_below(source, 2),
                              .loops = random_below(source, 3) ? PC_LOOPS_ONCE : PC_LOOPS_TWICE,
                              .n_vertices = random_below(source, 5) ? 0 : random_below(source, 50)};
}

/* Whether the first process sent no rows: then all of them read the file. */
static bool was_shared(const pc_process_count *before, const pc_process_count *after)
{
    return before->vector_bytes == after->vector_bytes;
}

typedef struct tally {
    uint64_t n_good, n_bad, n_shared, n_wrong;
} tally;

static void check_file(pc_context *context, pc_cluster *cluster, random_source *source,
                       const char *path, pc_process_count *counts, tally *tally)
{
    reading one = {0}, parts = {0};
    bool is_matrix = random_below(source, 3) == 0;
    FILE *out = fopen(path, "w");
    (is_matrix ? write_matrix : write_edge_list)(out, source);
    fclose(out);
    pc_graph_options options = any_options(source);
    pc_format format = random_below(source, 2) ? PC_FORMAT_AUTO
                       : is_matrix             ? PC_FORMAT_MATRIX_MARKET
                                               : PC_FORMAT_EDGE_LIST;
    note(&one, context, pc_graph_read(context, path, format, &options, &one.graph));
    pc_cluster_count(cluster, counts);
    pc_process_count before = *counts;
    note(&parts, context, pc_cluster_read(context, cluster, path, format, &options, &parts.graph));
    pc_cluster_count(cluster, counts);
    bool is_good = one.status == PC_OK;
    bool is_right = one.status == parts.status && strcmp(one.message, parts.message) == 0 &&
                    (!is_good || are_same_graphs(context, one.graph, parts.graph));
    tally->n_shared += is_good && was_shared(&before, counts);
    tally->n_good += is_good;
    tally->n_bad += !is_good;
    tally->n_wrong += !is_right;
    if (!is_right) {
        printf("WRONG: status %d and %d: %s | %s\n", (int)one.status, (int)parts.status,
               one.message, parts.message);
        char kept[64];
        snprintf(kept, sizeof kept, "%s.%" PRIu64, path, tally->n_wrong);
        rename(path, kept);
    }
    pc_graph_free(one.graph);
    pc_graph_free(parts.graph);
}

static tally check_files(pc_context *context, pc_cluster *cluster, uint64_t n_files, uint64_t seed)
{
    char path[] = "/tmp/mpi_texts.XXXXXX";
    random_source source = {seed};
    tally tally = {0};
    pc_process_count *counts = calloc((size_t)pc_cluster_n_processes(cluster), sizeof *counts);
    int file = mkstemp(path);
    if (file < 0 || !counts)
        return (struct tally){.n_wrong = 1};
    close(file);
    for (uint64_t f = 0; f < n_files; f++)
        check_file(context, cluster, &source, path, counts, &tally);
    unlink(path);
    free(counts);
    return tally;
}

int main(int argc, char **argv)
{
    pc_cluster *cluster;
    int level, n_processes, is_wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
    pc_status status = pc_cluster_begin(MPI_COMM_WORLD, &cluster);
    uint64_t n_files = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    pc_context *context = NULL;
    if (cluster && (status = pc_context_create(&context)) == PC_OK) {
        tally found =
            check_files(context, cluster, n_files, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
        printf("%d processes: %" PRIu64 " good files, %" PRIu64 " of them read by all, %" PRIu64
               " bad ones, %" PRIu64 " wrong\n",
               n_processes, found.n_good, found.n_shared, found.n_bad, found.n_wrong);
        is_wrong = found.n_wrong > 0 ||
                   (n_files >= 50 && n_processes > 1 && found.n_shared < n_files / 10);
    }
    pc_context_free(context);
    pc_cluster_end(cluster);
    MPI_Finalize();
    return status != PC_OK || is_wrong;
}
