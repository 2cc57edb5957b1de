/* Streams of small graphs, from text to rows: against GMP matrices, whatever the kind of graph
 * and of path; in order, and as wide as they need to be. */
#include <gmp.h>

#include "tests/support/all_graphs.h"
#include "tests/support/reading.h"
#include "tests/support/stream_columns.h"
#include "tests/support/stream_text.h"
#include "tests/support/fixture.h"
#include "tests/support/graph6_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows that must come --------------------------------------------------------------------- */

typedef struct awaited {
    uint64_t n_graphs, next;
    const columns *rows; /* [n_graphs] */
    uint64_t n_wrong, n_blocks;
} awaited;

static pc_status take(void *user, const pc_rows *rows)
{
    awaited *a = user;
    uint32_t n_words = 1;
    a->n_wrong += rows->first_row != a->next || a->next + rows->n_rows > a->n_graphs;
    for (uint64_t i = 0; i < rows->n_rows && a->next < a->n_graphs; i++, a->next++) {
        const columns *expected = &a->rows[a->next];
        a->n_wrong += !columns_are(expected, rows->n_columns, rows->n_limbs,
                                   rows->limbs + i * rows->n_columns * rows->n_limbs);
        uint32_t n = columns_words(expected);
        n_words = n > n_words ? n : n_words;
    }
    a->n_wrong += rows->n_limbs != n_words;
    a->n_blocks++;
    return PC_OK;
}

typedef struct asked_stream {
    pc_graph_options graph;
    pc_stream_query query;
    pc_count_options options;
    int n_threads;
} asked_stream;

/* Runs the stream at path and asserts that just the rows of the graphs come. */
static void check_stream(const char *path, const asked_stream *a, uint64_t n_graphs,
                         const edge_set *graphs)
{
    columns *rows = calloc(n_graphs + 1, sizeof *rows);
    for (uint64_t g = 0; g < n_graphs; g++)
        rows[g] = columns_of(&graphs[g], &a->query,
                             a->options.arithmetic == PC_MODULAR ? a->options.modulus : 0);
    awaited rows_to_come = {.n_graphs = n_graphs, .rows = rows};
    pc_context *context = new_context(0);
    pc_context_set_threads(context, a->n_threads);
    pc_status status =
        pc_stream_run(context, path, &a->graph, &a->query, &a->options, take, &rows_to_come);
    CU_ASSERT_EQUAL(status, PC_OK);
    CU_ASSERT_STRING_EQUAL(pc_context_message(context), "");
    CU_ASSERT_EQUAL(rows_to_come.next, n_graphs);
    CU_ASSERT_EQUAL(rows_to_come.n_wrong, 0);
    pc_context_free(context);
    for (uint64_t g = 0; g < n_graphs; g++)
        columns_free(&rows[g]);
    free(rows);
}

static asked_stream any_question(random_source *source, uint64_t most_length, bool may_turn)
{
    static const uint64_t moduli[] = {2, 1000003, (UINT64_C(1) << 63) - 25};
    uint64_t what = random_below(source, 3), how = random_below(source, 3);
    asked_stream a = {.query = {.total = what != 1,
                                .closed = what != 0,
                                .length = random_below(source, most_length + 1),
                                .each = how == 1,
                                .up_to = how == 2},
                      .graph.direction = (pc_direction)random_below(source, 3),
                      .n_threads = 1 + (int)random_below(source, 4)};
    if (!may_turn)
        a.query.paths = PC_PATHS_NON_BACKTRACKING;
    if (random_below(source, 4) == 0)
        a.options = (pc_count_options){.arithmetic = PC_MODULAR,
                                       .modulus = moduli[random_below(source, 3)]};
    return a;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static edge_set any_graph(random_source *source, uint64_t n, bool directed)
{
    static const unsigned per_thousand[] = {10, 100, 300, 600, 1000};
    edge_set edges = edge_set_empty(n, directed);
    unsigned part = per_thousand[random_below(source, 5)];
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < (directed ? n : i); j++)
            if (random_below(source, 1000) < part)
                edge_set_add(&edges, i, j, 1);
    return edges;
}

/* As the options have it. Without them an edge is an arc from its larger vertex to the smaller. */
static void turn(pc_direction direction, edge_set *edges)
{
    if (direction != PC_DIRECTION_OF_FORMAT)
        edges->directed = direction == PC_DIRECTED;
}

static void lines(uint64_t seed, int n_streams, uint64_t most_n, uint64_t most_length,
                  bool may_turn)
{
    enum { MOST_GRAPHS = 150 };
    random_source source = {seed};
    edge_set graphs[MOST_GRAPHS];
    for (int s = 0; s < n_streams; s++) {
        const char *path = scratch_path(".g6");
        asked_stream a = any_question(&source, most_length, may_turn);
        uint64_t n_graphs = random_below(&source, most_n > 20 ? 20 : MOST_GRAPHS);
        FILE *file = fopen(path, "w");
        for (uint64_t g = 0; g < n_graphs; g++) {
            graphs[g] =
                any_graph(&source, random_below(&source, most_n + 1), random_below(&source, 2));
            print_graph(file, &graphs[g]);
            turn(a.graph.direction, &graphs[g]);
        }
        fclose(file);
        check_stream(path, &a, n_graphs, graphs);
        remove(path);
        for (uint64_t g = 0; g < n_graphs; g++)
            edge_set_free(&graphs[g]);
    }
}

TEST("small graphs")
{
    lines(1, 60, 9, 30, true);
}

TEST("larger graphs")
{
    lines(2, 40, 70, 12, true);
    lines(3, 4, 70, 70, true);
}

/* sparse6 has loops. Each count is that of the oracle; a directed graph is refused. */
TEST("loops that count twice")
{
    enum { N_GRAPHS = 60 };
    random_source source = {7};
    edge_set graphs[N_GRAPHS];
    const char *path = scratch_path(".s6");
    asked_stream a = {.query = {.total = 1, .closed = 1, .length = 5, .each = 1},
                      .graph = {.loops = PC_LOOPS_TWICE, .multigraph = 1},
                      .n_threads = 2};
    FILE *file = fopen(path, "w");
    for (int g = 0; g < N_GRAPHS; g++) {
        uint64_t n = 1 + random_below(&source, g % 10 ? 12 : 80);
        OWNED(line_matrix) matrix = line_matrix_random(&source, n, 200, false, true);
        OWNED(char) *line = write_sparse6(&matrix);
        fprintf(file, "%s\n", line);
        graphs[g] = edge_set_empty(n, false);
        graphs[g].multigraph = graphs[g].loops_twice = true;
        for (uint64_t e = 0; e < n * n; e++)
            if (e / n >= e % n && matrix.entry[e])
                edge_set_add(&graphs[g], e / n, e % n, matrix.entry[e]);
    }
    fclose(file);
    check_stream(path, &a, N_GRAPHS, graphs);
    for (int g = 0; g < N_GRAPHS; g++)
        edge_set_free(&graphs[g]);
    a.graph.direction = PC_DIRECTED;
    OWNED(pc_context) *context = new_context(1);
    awaited none = {0};
    CU_ASSERT(is_refused(context,
                         pc_stream_run(context, path, &a.graph, &a.query, NULL, take, &none),
                         PC_ERR_ARGUMENT, "this one is directed"));
    remove(path);
}

TEST("paths that never turn back")
{
    lines(4, 25, 7, 6, false);
}

/* Wide counts among narrow ones: complete graphs have n (n - 1)^k paths. */
TEST("wide among narrow")
{
    random_source source = {5};
    edge_set graphs[60];
    const char *path = scratch_path(".g6");
    asked_stream a = {.query = {.total = 1, .closed = 1, .length = 40}, .n_threads = 3};
    FILE *file = fopen(path, "w");
    for (uint64_t g = 0; g < 60; g++) {
        graphs[g] = edge_set_empty(random_below(&source, g % 7 ? 3 : 67), false);
        for (uint64_t i = 0; i < graphs[g].n; i++)
            for (uint64_t j = 0; j < i; j++)
                edge_set_add(&graphs[g], i, j, 1);
        print_graph(file, &graphs[g]);
    }
    fclose(file);
    check_stream(path, &a, 60, graphs);
    remove(path);
    for (uint64_t g = 0; g < 60; g++)
        edge_set_free(&graphs[g]);
}

/* So many wide counts that they come in pieces: of triangles, 3 2^l paths of length l, between
 * graphs without an edge. */
TEST("many wide counts")
{
    enum { N_GRAPHS = 120, LENGTH = 1000 };
    const char *path = scratch_path(".g6");
    columns rows[N_GRAPHS];
    awaited a = {.n_graphs = N_GRAPHS, .rows = rows};
    pc_context *context = new_context(0);
    pc_stream_query query = {.total = 1, .length = LENGTH, .each = 1};
    FILE *file = fopen(path, "w");
    for (int g = 0; g < N_GRAPHS; g++) {
        bool is_triangle = g % 3 == 0;
        fputs(is_triangle ? "Bw\n" : "B?\n", file);
        rows[g] = (columns){LENGTH, calloc(LENGTH, sizeof *rows[g].count)};
        for (unsigned l = 0; l < LENGTH; l++) {
            mpz_init_set_ui(rows[g].count[l], is_triangle ? 6 : 0);
            mpz_mul_2exp(rows[g].count[l], rows[g].count[l], l);
        }
    }
    fclose(file);
    CU_ASSERT_EQUAL(pc_stream_run(context, path, NULL, &query, NULL, take, &a), PC_OK);
    CU_ASSERT(a.next == N_GRAPHS && a.n_wrong == 0 && a.n_blocks > 2);
    pc_context_free(context);
    remove(path);
    for (int g = 0; g < N_GRAPHS; g++)
        columns_free(&rows[g]);
}

/* ---- Faults of memory ------------------------------------------------------------------------ */

enum { N_NARROW = 60, N_AFTER = 60, LENGTHS = 1000 };

typedef struct spoiler {
    awaited rows;
    bool has_spoiled;
} spoiler;

/* Changes a count that is still to be delivered. */
static pc_status spoil(void *user, const pc_rows *rows)
{
    spoiler *s = user;
    if (!s->has_spoiled && rows->n_limbs == 1 && rows->first_row == 0) {
        uint64_t *word = (uint64_t *)rows->limbs; /* of the rows of a block, narrow or wide */
        s->has_spoiled = rows->n_rows < N_NARROW + N_AFTER;
        for (uint64_t g = N_NARROW + 2; g < N_NARROW + N_AFTER; g += 2)
            word[g * LENGTHS + g] ^= UINT64_C(1) << g % 64;
    }
    return take(&s->rows, rows);
}

/* Graphs with two vertices and an edge or none, then triangles among them: counts are narrow at first,
 * and the wide ones are delivered apart. */
TEST("counts that change before they are delivered")
{
    const char *path = scratch_path(".g6");
    columns rows[N_NARROW + N_AFTER];
    spoiler s = {.rows = {.n_graphs = N_NARROW + N_AFTER, .rows = rows}};
    pc_context *context = new_context(0);
    pc_stream_query query = {.total = 1, .length = LENGTHS, .each = 1};
    FILE *file = fopen(path, "w");
    for (uint64_t g = 0; g < N_NARROW + N_AFTER; g++) {
        bool is_triangle = g >= N_NARROW && g % 2;
        fputs(is_triangle ? "Bw\n" : "A_\n", file);
        rows[g] = (columns){LENGTHS, calloc(LENGTHS, sizeof *rows[g].count)};
        for (unsigned l = 0; l < LENGTHS; l++) {
            mpz_init_set_ui(rows[g].count[l], is_triangle ? 6 : 2);
            if (is_triangle)
                mpz_mul_2exp(rows[g].count[l], rows[g].count[l], l);
        }
    }
    fclose(file);
    CU_ASSERT_EQUAL(pc_stream_run(context, path, NULL, &query, NULL, spoil, &s), PC_OK);
    CU_ASSERT(s.has_spoiled && s.rows.next == N_NARROW + N_AFTER && s.rows.n_wrong == 0);
    pc_context_free(context);
    remove(path);
    for (int g = 0; g < N_NARROW + N_AFTER; g++)
        columns_free(&rows[g]);
}

/* ---- All graphs there are -------------------------------------------------------------------- */

/* 1, 2, 4, 11, 34, 156, 1044, 12346 graphs of 1 to 8 vertices. */
TEST("all graphs of 8 vertices and fewer")
{
    enum { ALL = 13598 };
    const char *path = scratch_path(".g6");
    edge_set *graphs = calloc(ALL + 1, sizeof *graphs);
    char command[512], line[64];
    snprintf(command, sizeof command,
             "GENG=$(command -v geng || command -v nauty-geng) || exit 1\n"
             "for n in 1 2 3 4 5 6 7 8; do $GENG -q $n || exit 1; done > '%s'",
             path);
    if (system(command) != 0) {
        remove(path);
        free(graphs);
        test_skip("geng (package nauty) is not installed");
    }
    uint64_t n_graphs = 0;
    FILE *file = fopen(path, "r");
    while (n_graphs <= ALL && fgets(line, sizeof line, file))
        graphs[n_graphs++] = edge_set_of_graph6(line);
    fclose(file);
    CU_ASSERT_EQUAL(n_graphs, ALL);
    asked_stream a = {.query = {.total = 1, .closed = 1, .length = 8}};
    check_stream(path, &a, n_graphs, graphs);
    remove(path);
    for (uint64_t g = 0; g < n_graphs; g++)
        edge_set_free(&graphs[g]);
    free(graphs);
}

/* ---- Folders --------------------------------------------------------------------------------- */

/* Arcs, loops and entries given again; symmetric ones too, which have a shorter way. */
static edge_set any_entries(random_source *source, uint64_t n)
{
    edge_set edges = edge_set_empty(n, true);
    bool both_ways = random_below(source, 2);
    for (uint64_t e = random_below(source, 4 * n); e > 0; e--) {
        uint64_t u = random_below(source, n), v = random_below(source, n);
        edge_set_add(&edges, u, v, 1);
        if (both_ways)
            edge_set_add(&edges, v, u, 1);
    }
    return edges;
}

TEST("folders")
{
    enum { N_GRAPHS = 40 };
    random_source source = {6};
    edge_set graphs[N_GRAPHS];
    for (int s = 0; s < 60; s++) {
        folder f;
        folder_create(&f);
        asked_stream a = any_question(&source, s % 10 ? 20 : 70, true);
        a.graph.multigraph = random_below(&source, 2);
        for (uint64_t g = 0; g < N_GRAPHS; g++) {
            graphs[g] = any_entries(&source, 1 + random_below(&source, g % 19 ? 9 : 70));
            folder_add(&f, &graphs[g]);
            graphs[g].multigraph = a.graph.multigraph;
            turn(a.graph.direction, &graphs[g]);
        }
        folder_close(&f);
        CU_ASSERT(pc_stream_is_folder(f.path));
        check_stream(f.path, &a, N_GRAPHS, graphs);
        folder_remove(&f);
        for (uint64_t g = 0; g < N_GRAPHS; g++)
            edge_set_free(&graphs[g]);
    }
}

/* Circles so large that all threads count one together, between others: n 2^k paths, and n times
 * the middle of k closed ones. */
TEST("large among small")
{
    static const uint64_t sizes[] = {4000, 3, 5000, 40, 4000, 10};
    enum { N = sizeof sizes / sizeof *sizes };
    columns rows[N];
    awaited a = {.n_graphs = N, .rows = rows};
    folder f;
    folder_create(&f);
    pc_stream_query query = {.total = 1, .closed = 1, .length = 10};
    for (int g = 0; g < N; g++) {
        OWNED(edge_set) circle = edge_set_empty(sizes[g], true);
        for (uint64_t v = 0; v < sizes[g]; v++) {
            edge_set_add(&circle, v, (v + 1) % sizes[g], 1);
            edge_set_add(&circle, (v + 1) % sizes[g], v, 1);
        }
        folder_add(&f, &circle);
        if (sizes[g] > 1000) {
            rows[g] = (columns){2, calloc(2, sizeof *rows[g].count)};
            mpz_init_set_ui(rows[g].count[0], sizes[g] << 10);
            mpz_init_set_ui(rows[g].count[1], sizes[g] * 252);
        } else {
            rows[g] = columns_of(&circle, &query, 0);
        }
    }
    folder_close(&f);
    pc_context *context = new_context(0);
    CU_ASSERT_EQUAL(pc_stream_run(context, f.path, NULL, &query, NULL, take, &a), PC_OK);
    CU_ASSERT(a.next == N && a.n_wrong == 0);
    pc_context_free(context);
    folder_remove(&f);
    for (int g = 0; g < N; g++)
        columns_free(&rows[g]);
}
