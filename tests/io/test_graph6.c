/* graph6, sparse6 and digraph6: known lines, random matrices written by the specification, every way
 * a line can be broken, and what nauty makes of the same lines. */
#include "tests/support/failing_allocator.h"
#include "tests/support/graph6_lines.h"
#include "tests/support/reading.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pc_status decode(pci_listed *graph, const char *line, size_t n_bytes, bool keep_repeats,
                        const char **flaw)
{
    *flaw = NULL;
    char *copy = malloc(n_bytes + 1); /* its own block, so that a read beyond the end is seen */
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    char *text = copy + 1;
    memcpy(text, line, n_bytes);
    pc_status status = pci_graph6_decode(text, n_bytes, keep_repeats, graph, flaw);
    free(copy);
    return status;
}

static pci_listed open_listed(void)
{
    pci_listed graph = {0};
    MUST(pc_context_create(&graph.context));
    return graph;
}

static void close_listed(pci_listed *graph)
{
    pci_listed_free(graph);
    pc_context_free(graph->context);
}
#define release_pci_listed close_listed

/* ---- Known lines ----------------------------------------------------------------------------- */

/* "5: 0-2 0-4 1-3 3-4", arcs with '>', edges given again as often as they are; to be freed. */
static char *show(const pci_listed *graph)
{
    char *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fprintf(out, "%" PRIu64 ":", graph->n_vertices);
    for (uint64_t i = 0; graph->is_small && i < graph->n_vertices; i++)
        for (uint64_t j = graph->is_directed ? 0 : i; j < graph->n_vertices; j++)
            if (graph->row[i] >> j & 1)
                fprintf(out, " %" PRIu64 "%c%" PRIu64, i, graph->is_directed ? '>' : '-', j);
    for (uint64_t e = 0; !graph->is_small && e < graph->n_edges; e++)
        fprintf(out, " %" PRIu64 "%c%" PRIu64, graph->from[e], graph->is_directed ? '>' : '-',
                graph->to[e]);
    fclose(out);
    return text;
}

static void check_known(const char *line, bool keep_repeats, const char *shown)
{
    OWNED(pci_listed) graph = open_listed();
    const char *flaw;
    CU_ASSERT_EQUAL(decode(&graph, line, strlen(line), keep_repeats, &flaw), PC_OK);
    OWNED(char) *text = show(&graph);
    if (strcmp(text, shown) != 0)
        printf("\n    %s is %s, not %s\n", line, text, shown);
    CU_ASSERT_STRING_EQUAL(text, shown);
}

/* The examples of formats.txt and of NetworkX, and the smallest graphs by hand. */
TEST("known lines")
{
    check_known("DQc", true, "5: 0-2 0-4 1-3 3-4");
    check_known(":Fa@x^", true, "7: 0-1 0-2 1-2 5-6");
    check_known("&DI?AO?", true, "5: 0>2 0>4 3>1 3>4");
    check_known("A_", true, "2: 0-1");
    check_known(":A_", true, "2: 1-0 1-0 1-0");
    check_known(":A_", false, "2: 0-1");
    check_known("?", true, "0:");
    check_known(":?", true, "0:");
    check_known("&?", true, "0:");
    check_known("@", true, "1:");
    check_known("&@_", true, "1: 0>0");
    check_known(":@N", true, "1: 0-0 0-0");
    check_known(">>graph6<<Bw", true, "3: 0-1 0-2 1-2");
    check_known(">>sparse6<<:Fa@x^\r", true, "7: 0-1 0-2 1-2 5-6");
    check_known(">>digraph6<<&A_", true, "2: 0>0");
    check_known("~??Bw", true, "3: 0-1 0-2 1-2"); /* a longer size than needed, as nauty takes it */
    check_known("~~?????Bw", true, "3: 0-1 0-2 1-2");
}

/* Vertices are in proportion to nothing: a line of few characters may have 2^32-1. */
TEST("many vertices cost nothing")
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    pci_listed graph = {.context = failing_context(&allocator, 1)};
    const char *flaw;
    static const char most[] = ":~~B~~~~~";
    CU_ASSERT_EQUAL(decode(&graph, most, strlen(most), true, &flaw), PC_OK);
    CU_ASSERT_EQUAL(graph.n_vertices, 4294967295);
    CU_ASSERT_EQUAL(graph.n_edges, 0);
    CU_ASSERT(allocator.peak_bytes < 65536);
    static const char too_many[] = ":~~C?????", enormous[] = ":~~~~~~~~";
    CU_ASSERT_EQUAL(decode(&graph, too_many, strlen(too_many), true, &flaw), PC_ERR_DATA);
    CU_ASSERT_EQUAL(decode(&graph, enormous, strlen(enormous), true, &flaw), PC_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(flaw, "2^32-1"));
    static const char huge_matrix[] = "~~B~~~~~??";
    CU_ASSERT_EQUAL(decode(&graph, huge_matrix, strlen(huge_matrix), true, &flaw), PC_ERR_DATA);
    static const char huge_square[] = "&~~B~~~~~??";
    CU_ASSERT_EQUAL(decode(&graph, huge_square, strlen(huge_square), true, &flaw), PC_ERR_DATA);
    CU_ASSERT(allocator.peak_bytes < 65536);
    close_listed(&graph);
    CU_ASSERT_EQUAL(allocator.n_live, 0);
}

/* ---- Random matrices ------------------------------------------------------------------------- */

static void check_line(pci_listed *graph, const line_matrix *matrix, const char *line,
                       bool keep_repeats)
{
    const char *flaw;
    pc_status status = decode(graph, line, strlen(line), keep_repeats, &flaw);
    bool is_good = status == PC_OK && is_listed_as(graph, matrix, keep_repeats);
    if (!is_good)
        printf("\n    n %" PRIu64 ": %s: %s\n", matrix->n, line, flaw ? flaw : "another graph");
    CU_ASSERT_FATAL(is_good);
}

/* What a line says about a matrix of this kind, one character less of it and one more. */
static void check_matrix(pci_listed *graph, const line_matrix *matrix, bool as_sparse)
{
    OWNED(char) *line = as_sparse ? write_sparse6(matrix) : write_graph6(matrix);
    size_t length = strlen(line);
    const char *flaw;
    check_line(graph, matrix, line, true);
    check_line(graph, matrix, line, false);
    if (!as_sparse && matrix->n > 0) {
        OWNED(char) *longer = malloc(length + 2);
        snprintf(longer, length + 2, "%s?", line);
        CU_ASSERT_EQUAL(decode(graph, line, length - 1, true, &flaw), PC_ERR_DATA);
        CU_ASSERT_EQUAL(decode(graph, longer, length + 1, true, &flaw), PC_ERR_DATA);
    }
}

TEST("random matrices")
{
    random_source source = {606};
    OWNED(pci_listed) graph = open_listed();
    for (uint64_t turn = 0; turn < 700; turn++) {
        uint64_t n = turn < 260 ? turn % 130 : turn < 320 ? turn - 120 : random_below(&source, 24);
        unsigned per_mille = turn % 7 == 0 ? 1000 : (unsigned)random_below(&source, 400);
        OWNED(line_matrix) simple = line_matrix_random(&source, n, per_mille, false, false);
        OWNED(line_matrix) multiple = line_matrix_random(&source, n, per_mille, false, true);
        OWNED(line_matrix) directed = line_matrix_random(&source, n, per_mille, true, false);
        check_matrix(&graph, &simple, false);
        check_matrix(&graph, &simple, true);
        check_matrix(&graph, &multiple, true);
        check_matrix(&graph, &directed, false);
    }
}

/* The paddings that could be taken for an edge of the last vertex: paths and stars of 2 to 17
 * vertices whose last ones are alone. */
TEST("paddings of sparse6")
{
    OWNED(pci_listed) graph = open_listed();
    for (uint64_t n = 1; n <= 17; n++)
        for (uint64_t n_joined = 0; n_joined <= n; n_joined++)
            for (int star = 0; star <= 1; star++) {
                random_source none = {1};
                OWNED(line_matrix) matrix = line_matrix_random(&none, n, 0, false, false);
                for (uint64_t v = 1; v < n_joined; v++) {
                    uint64_t u = star ? 0 : v - 1;
                    matrix.entry[u * n + v] = matrix.entry[v * n + u] = 1;
                }
                check_matrix(&graph, &matrix, true);
            }
}

/* Sizes of one, three and six characters at their borders, an edge from 7 to the last vertex; NetworkX
 * reads them so, too. */
TEST("sizes at their borders")
{
    check_known(":~??~~@~", true, "63: 7-62");
    check_known(":~?@?~`~", true, "64: 7-63");
    check_known(":~}~~~^~??@~", true, "258047: 258046-7");
    check_known(":~~???~??~^~_?@~", true, "258048: 258047-7");
    check_known(":~~B~~~~~~~~~~o????D", true, "4294967295: 4294967294-5");
    OWNED(pci_listed) graph = open_listed();
    random_source source = {17};
    for (uint64_t n = 1000; n <= 3000; n += 1000) {
        OWNED(line_matrix) matrix = line_matrix_random(&source, n, 3, n == 2000, false);
        check_matrix(&graph, &matrix, false);
        if (n != 2000)
            check_matrix(&graph, &matrix, true);
    }
}

/* ---- Broken lines ---------------------------------------------------------------------------- */

static void check_flaw(const char *line, size_t n_bytes, const char *words)
{
    OWNED(pci_listed) graph = open_listed();
    const char *flaw;
    pc_status status = decode(&graph, line, n_bytes, false, &flaw);
    if (status != PC_ERR_DATA || !flaw || !strstr(flaw, words))
        printf("\n    '%s': %s\n", line, flaw ? flaw : pc_status_text(status));
    CU_ASSERT_EQUAL(status, PC_ERR_DATA);
    CU_ASSERT(flaw && strstr(flaw, words));
}
#define CHECK_FLAW(LINE, WORDS) check_flaw(LINE, sizeof(LINE) - 1, WORDS)

TEST("broken lines")
{
    CHECK_FLAW("", "no graph");
    CHECK_FLAW("\r", "no graph");
    CHECK_FLAW(">>graph6<<", "no graph");
    CHECK_FLAW(">>graph7<<A_", "character");
    CHECK_FLAW("A", "ends before");
    CHECK_FLAW("A__", "goes on");
    CHECK_FLAW("?_", "goes on");
    CHECK_FLAW("@?", "goes on");
    CHECK_FLAW(":", "ends before");
    CHECK_FLAW("&", "ends before");
    CHECK_FLAW("&A", "ends before");
    CHECK_FLAW("~", "ends before");
    CHECK_FLAW("~?", "ends before");
    CHECK_FLAW("~??", "ends before");
    CHECK_FLAW("~~?????", "ends before");
    CHECK_FLAW(";_", "incremental");
    CHECK_FLAW("A\x3e", "character");
    CHECK_FLAW("A\x7f", "character");
    CHECK_FLAW("A\xbf", "character");
    CHECK_FLAW("A\0", "character");
    CHECK_FLAW("A ", "character");
    CHECK_FLAW("0 1", "character");
    CHECK_FLAW("\xff", "character");
    CHECK_FLAW("~?\x7f?", "character");
    CHECK_FLAW(":Fa@x\x7f", "character");
    CHECK_FLAW(":Fa@\nx", "character");
    CHECK_FLAW("&DI?AO ", "character");
    CHECK_FLAW("A_ ", "goes on");
    CHECK_FLAW("A_\r\r", "goes on");
}

/* A byte that is none of the format is seen wherever it stands, also in lines of many words. */
TEST("strange bytes anywhere")
{
    static const char strange[] = {0, ' ', 62, 127, (char)128, (char)190, (char)255};
    random_source source = {4};
    const uint64_t sizes[] = {3, 10, 30, 64, 65, 100};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = 0; kind < 3; kind++) {
            OWNED(line_matrix) matrix =
                line_matrix_random(&source, sizes[s], 300, kind == 2, false);
            OWNED(char) *line = kind == 1 ? write_sparse6(&matrix) : write_graph6(&matrix);
            size_t length = strlen(line);
            for (size_t at = length > 60 ? length - 30 : 3; at < length; at++) {
                char was = line[at];
                line[at] = strange[at % sizeof strange];
                check_flaw(line, length, "character");
                line[at] = was;
            }
        }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static pc_status decode_with(pc_context *context, void *user)
{
    pci_listed graph = {.context = context};
    const char *flaw;
    pc_status status = decode(&graph, user, strlen(user), true, &flaw);
    pci_listed_free(&graph);
    return status ? pc_context_fail(context, status, "decoding failed") : PC_OK;
}

static pc_status read_with(pc_context *context, void *user)
{
    const pc_graph_options options = {.max_vertices = UINT32_MAX};
    OWNED(pc_graph) *graph = NULL;
    pc_status status = read_text(context, ".g6", user, strlen(user), &options, &graph);
    return status;
}

TEST("no memory")
{
    random_source source = {8};
    OWNED(line_matrix) matrix = line_matrix_random(&source, 100, 100, false, false);
    OWNED(char) *line = write_graph6(&matrix), *sparse = write_sparse6(&matrix);
    CU_ASSERT_EQUAL(fail_each_allocation(decode_with, line), 2);
    CU_ASSERT_EQUAL(fail_each_allocation(decode_with, sparse), 2);
    CU_ASSERT(fail_each_allocation(read_with, line) > 4);
    CU_ASSERT(fail_each_allocation(read_with, "DQc") > 4);
    OWNED(pc_context) *context = new_context(0);
    pc_context_set_memory_limit(context, 1 << 22);
    OWNED(line_matrix) complete = line_matrix_random(&source, 1000, 1000, false, false);
    OWNED(char) *dense = write_graph6(&complete);
    CU_ASSERT_EQUAL(decode_with(context, dense), PC_ERR_MEMORY);
    CU_ASSERT_EQUAL(read_with(context, dense), PC_ERR_MEMORY);
    CU_ASSERT_EQUAL(read_with(context, ":~~B~~~~~\n"), PC_ERR_MEMORY); /* 2^32-1 vertices */
}

/* ---- Files of one graph ---------------------------------------------------------------------- */

/* Asserts that the text of a file of this suffix is the graph shown. */
static void check_file(const char *suffix, const char *text, const pc_graph_options *options,
                       const char *shown)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_status status = read_text(context, suffix, text, strlen(text), options, &graph);
    MUST(status);
    OWNED(char) *found = show_graph(graph);
    CU_ASSERT_STRING_EQUAL(found, shown);
}

TEST("files of one graph")
{
    const pc_graph_options directed = {.direction = PC_DIRECTED}, multigraph = {.multigraph = 1},
                           undirected = {.direction = PC_UNDIRECTED}, six = {.n_vertices = 6};
    static const char shown[] = "0 1 2 3 4 | 0>2 0>4 1>3 2>0 3>1 3>4 4>0 4>3";
    check_file(".g6", "DQc\n", NULL, shown);
    check_file(".g6", "DQc", NULL, shown);
    check_file(".g6", "DQc\r\n\n\n", NULL, shown);
    check_file("", ">>graph6<<DQc\n", NULL, shown);
    check_file(".txt", ">>digraph6<<&DI?AO?\n", NULL, "0 1 2 3 4 | 0>2 0>4 3>1 3>4");
    check_file(".d6", "&DI?AO?\n", &undirected, shown);
    check_file(".g6", "DQc\n", &directed, "0 1 2 3 4 | 2>0 3>1 4>0 4>3");
    check_file(".g6", "DQc\n", &six, "0 1 2 3 4 5 | 0>2 0>4 1>3 2>0 3>1 3>4 4>0 4>3");
    check_file(".s6", ":A_\n", NULL, "0 1 | 0>1 1>0");
    check_file(".s6", ":A_\n", &multigraph, "0 1 | 0>1*3 1>0*3");
    check_file(".s6", ":@N\n", &multigraph, "0 | 0>0*2");
    check_file(".g6", "?\n", NULL, "|");
    CHECK_REFUSAL(".g6", "", NULL, PC_ERR_DATA, 1, "empty");
    CHECK_REFUSAL(".g6", "DQc\nDQc\n", NULL, PC_ERR_DATA, 2, "pathcount batch");
    CHECK_REFUSAL(".g6", "\nDQc\n", NULL, PC_ERR_DATA, 1, "no graph");
    CHECK_REFUSAL(".s6", ":Fa@x\x7f\n", NULL, PC_ERR_DATA, 1, "character");
    CHECK_REFUSAL(".s6", ":~~~~~~~~\n", NULL, PC_ERR_DATA, 1, "2^32-1");
}

/* The format asked for, whatever the name; its name as the reader learns it. */
TEST("formats and their names")
{
    static const char *const lines[][2] = {
        {"A_\n", "graph6"}, {":A_\n", "sparse6"}, {"&A_\n", "digraph6"}};
    OWNED(pc_context) *context = new_context(0);
    for (int i = 0; i < 3; i++) {
        OWNED(pc_graph) *graph = NULL;
        pc_graph_info info;
        const char *path = scratch_path(".txt");
        scratch_write(path, lines[i][0], strlen(lines[i][0]));
        MUST(pc_graph_read(context, path, PC_FORMAT_GRAPH6, NULL, &graph));
        pc_graph_get_info(graph, &info);
        CU_ASSERT_STRING_EQUAL(info.format, lines[i][1]);
        CU_ASSERT_EQUAL(info.directed, i == 2);
        CU_ASSERT_EQUAL(info.n_duplicates, i == 1 ? 2 : 0);
        unlink(path);
    }
    pc_relation *relation;
    const char *path = scratch_path(".g6");
    scratch_write(path, "A_\n", 3);
    CU_ASSERT(is_refused(context, pc_relation_read(context, path, NULL, &relation), PC_ERR_DATA,
                         "graph6"));
    unlink(path);
}

/* ---- What nauty says ------------------------------------------------------------------------- */

/* Reads a matrix as nauty-listg -a prints it: n, then rows of digits. */
static bool read_listed(FILE *from, line_matrix *matrix)
{
    char *row = NULL;
    size_t capacity = 0;
    uint64_t n;
    if (getline(&row, &capacity, from) < 0 || sscanf(row, "%" SCNu64, &n) != 1) {
        free(row);
        return false;
    }
    matrix->n = n;
    matrix->entry = calloc(n * n + 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(matrix->entry);
    for (uint64_t i = 0; i < n; i++) {
        CU_ASSERT_FATAL(getline(&row, &capacity, from) >= (ssize_t)n);
        for (uint64_t j = 0; j < n; j++)
            matrix->entry[i * n + j] = row[j] == '1';
    }
    free(row);
    return true;
}

/* Decodes what a command writes, beside the matrices that nauty-listg makes of it. */
static void check_with_nauty(const char *command, bool directed, size_t least)
{
    char listing[512], *line = NULL;
    size_t capacity = 0, n_graphs = 0;
    snprintf(listing, sizeof listing, "(%s) | nauty-listg -aq 2>&1", command);
    FILE *lines = popen(command, "r"), *matrices = popen(listing, "r");
    CU_ASSERT_FATAL(lines != NULL && matrices != NULL);
    OWNED(pci_listed) graph = open_listed();
    line_matrix matrix = {.directed = directed};
    for (ssize_t length; (length = getline(&line, &capacity, lines)) > 0; n_graphs++) {
        CU_ASSERT_FATAL(read_listed(matrices, &matrix));
        line[length - 1] = 0;
        check_line(&graph, &matrix, line, true);
        line_matrix_free(&matrix);
    }
    CU_ASSERT(n_graphs >= least);
    CU_ASSERT_FALSE(read_listed(matrices, &matrix));
    pclose(lines);
    pclose(matrices);
    free(line);
}

TEST("nauty reads the same")
{
    if (system("command -v nauty-listg nauty-geng nauty-genrang nauty-directg >/dev/null 2>&1"))
        test_skip("nauty is not installed");
    check_with_nauty("nauty-geng -q 6", false, 156);
    check_with_nauty("nauty-geng -qh 5", false, 34);
    check_with_nauty("nauty-geng -q 6 | nauty-copyg -qs", false, 156);
    check_with_nauty("nauty-geng -q 3 | nauty-directg -q", true, 16);
    check_with_nauty("nauty-genrang -qg -S5 33 20", false, 20);
    check_with_nauty("nauty-genrang -qs -S6 -P1/9 64 20", false, 20);
    check_with_nauty("nauty-genrang -qs -S6 -P1/9 150 20", false, 20);
    check_with_nauty("nauty-genrang -qs -S6 -l1 -P1/5 17 20", false, 20);
    check_with_nauty("nauty-genrang -qz -S7 70 20", true, 20);
    for (int n = 1; n <= 17; n++) { /* sparse6 has paddings of its own for some of these */
        char command[128];
        snprintf(command, sizeof command, "nauty-genrang -qs -S%d -P1/%d %d 60", n, n, n);
        check_with_nauty(command, false, 60);
    }
}
