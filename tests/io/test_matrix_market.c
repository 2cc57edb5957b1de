/* Matrix Market files: what the format allows, and everything it does not. */
#include "tests/support/reading.h"

#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BANNER(FIELD, SYMMETRY) "%%MatrixMarket matrix coordinate " FIELD " " SYMMETRY "\n"

static const pc_graph_options directed = {.direction = PC_DIRECTED};
static const pc_graph_options undirected = {.direction = PC_UNDIRECTED};
static const pc_graph_options weighted = {.weights = 1};
static const pc_graph_options multigraph = {.multigraph = 1};

/* "% label 1 a" and so on behind our head comment; in any other arrangement they are comments. */
TEST("labels in comments")
{
#define LABELLED(HEAD, LABELS, SHOWN)                                                              \
    CHECK_READ(".mtx",                                                                             \
               "%%MatrixMarket matrix coordinate integer general\n" HEAD LABELS                    \
               "3 3 2\n1 2 4\n3 3 1\n",                                                            \
               NULL, SHOWN)
#define OURS  "% pathcount graph: directed, weights, 3 vertices\n"
#define PLAIN "1 2 3 | 1>2*4 3>3"
    LABELLED(OURS, "% label 1 a\n% label 2 b\n% label 3 c\n", "a b c | a>b*4 c>c");
    LABELLED("% pathcount graph: weights\n% numbers of paths of length 2\n",
             "% label 1 a b\n% label 2  b\n% label 3 %\n", "a b  b % | a b> b*4 %>%");
    LABELLED(OURS, "% label 1 a\\tb\n% label 2 \\\\n\n% label 3 \\n\r\n",
             "a\tb \\n \n | a\tb>\\n*4 \n>\n");
    LABELLED(OURS, "% label 1 30\n% label 2 4\n% label 3 5\n", "4 5 30 | 5>5 30>4*4");
    LABELLED(OURS, "% label 1 0\n% label 2 1\n% label 3 2\n", "0 1 2 | 0>1*4 2>2");
    LABELLED(OURS, "% label 1 a\n% label 2 b\n", PLAIN);
    LABELLED(OURS, "% label 1 a\n% label 2 b\n% label 3 c\n% label 4 d\n", PLAIN);
    LABELLED(OURS, "% label 1 a\n% label 2 a\n% label 3 c\n", PLAIN);
    LABELLED(OURS, "% label 1 a\n% label 3 b\n% label 2 c\n", PLAIN);
    LABELLED(OURS, "% label 1 a\n% label 2 \n% label 3 c\n", PLAIN);
    LABELLED(OURS, "% label 1 a\n% label 2 \\x\n% label 3 c\n", PLAIN);
    LABELLED(OURS, "% label 1 a\n% label 2 \\\n% label 3 c\n", PLAIN);
    LABELLED(OURS, "% label 1 a\n% label 2 b\n% label 3 c\n% more\n", PLAIN);
    LABELLED(OURS, "% label 01 a\n% label 02 b\n% label 03 c\n", PLAIN);
    LABELLED(OURS, "% label 1 1\n% label 2 18446744073709551616\n% label 3 c\n", PLAIN);
    LABELLED(OURS, "% row 1 a\n% row 2 b\n% row 3 c\n", PLAIN);
    CHECK_READ(".mtx",
               "%%MatrixMarket matrix coordinate integer general\n% label 1 a\n% label 2 b\n"
               "2 2 1\n1 2 1\n",
               NULL, "1 2 | 1>2");
    const pc_graph_options more = {.n_vertices = 3};
    CHECK_READ(".mtx",
               "%%MatrixMarket matrix coordinate integer general\n" OURS
               "% label 1 a\n% label 2 b\n2 2 1\n1 2 1\n",
               &more, "0 1 2 | 1>2");
}

TEST("pattern, integer, real; general, symmetric")
{
    CHECK_READ(".mtx", BANNER("pattern", "general") "3 3 2\n1 2\n3 3\n", NULL, "1 2 3 | 1>2 3>3");
    CHECK_READ(".mtx", BANNER("pattern", "symmetric") "3 3 2\n2 1\n3 3\n", NULL,
               "1 2 3 | 1>2 2>1 3>3");
    CHECK_READ(".mtx", BANNER("integer", "general") "2 2 2\n1 2 5\n2 1 -3\n", NULL,
               "1 2 | 1>2 2>1");
    CHECK_READ(".mtx", BANNER("integer", "general") "2 2 2\n1 2 5\n2 1 3\n", &weighted,
               "1 2 | 1>2*5 2>1*3");
    CHECK_READ(".mtx", BANNER("real", "symmetric") "2 2 2\n1 1 2.0e0\n2 1 30e-1\n", &weighted,
               "1 2 | 1>1*2 1>2*3 2>1*3");
    CHECK_READ(".mtx", BANNER("real", "general") "2 2 1\n1 2 9007199254740993.0\n", &weighted,
               "1 2 | 1>2*9007199254740993");
    CHECK_READ(".mtx", BANNER("real", "general") "2 2 1\n1 2 0.25\n", NULL, "1 2 | 1>2");
}

TEST("letter case, comments, line ends")
{
    CHECK_READ(".txt",
               "\xef\xbb\xbf%%matrixmarket MATRIX Coordinate Pattern General\r\n"
               "% a comment\r\n\r\n 2\t2 1 \r\n% more\r\n\r\n 1\t2\r\n",
               NULL, "1 2 | 1>2");
    CHECK_READ("", BANNER("pattern", "general") "2 2 1\n2 1", NULL, "1 2 | 2>1");
    CHECK_READ("", BANNER("pattern", "general") "2 2 0\n", NULL, "1 2 |");
    CHECK_READ("", BANNER("pattern", "general") "2 2 0", NULL, "1 2 |");
}

/* A stored zero is no arc, whether values are taken or ignored. */
TEST("stored zeros")
{
    static const char text[] = BANNER("real", "general") "2 2 3\n1 2 0\n2 1 1\n1 1 0.0\n";
    CHECK_READ(".mtx", text, NULL, "1 2 | 2>1");
    CHECK_READ(".mtx", text, &weighted, "1 2 | 2>1");
}

TEST("direction, duplicates, added vertices")
{
    static const char general[] = BANNER("pattern", "general") "2 2 3\n1 2\n1 2\n2 2\n";
    static const char symmetric[] = BANNER("pattern", "symmetric") "2 2 3\n2 1\n2 1\n2 2\n";
    CHECK_READ("", general, NULL, "1 2 | 1>2 2>2");
    CHECK_READ("", general, &undirected, "1 2 | 1>2 2>1 2>2");
    CHECK_READ("", general, &multigraph, "1 2 | 1>2*2 2>2");
    CHECK_READ("", symmetric, NULL, "1 2 | 1>2 2>1 2>2");
    CHECK_READ("", symmetric, &directed, "1 2 | 2>1 2>2");
    const pc_graph_options two = {.n_vertices = 2}, five = {.n_vertices = 5};
    CHECK_READ("", general, &two, "0 1 2 | 1>2 2>2");
    CHECK_READ("", general, &five, "0 1 2 3 4 | 1>2 2>2");
}

/* Entries that are given again add up where values are taken, as scipy.io.mmread adds them. */
TEST("entries given again")
{
    static const char general[] = BANNER("integer", "general") "2 2 3\n1 2 3\n1 2 4\n2 2 1\n";
    static const char symmetric[] = BANNER("integer", "symmetric") "2 2 3\n2 1 3\n2 1 4\n2 2 1\n";
    static const char pattern[] = BANNER("pattern", "general") "2 2 2\n1 2\n1 2\n";
    static const char both_ways[] = BANNER("integer", "general") "2 2 2\n1 2 3\n2 1 3\n";
    const pc_graph_options one_edge = {.weights = 1, .direction = PC_UNDIRECTED};
    CHECK_READ("", general, NULL, "1 2 | 1>2 2>2");
    CHECK_READ("", general, &weighted, "1 2 | 1>2*7 2>2");
    CHECK_READ("", symmetric, &weighted, "1 2 | 1>2*7 2>1*7 2>2");
    CHECK_READ("", pattern, &weighted, "1 2 | 1>2*2");
    CHECK_READ("", both_ways, &one_edge, "1 2 | 1>2*3 2>1*3");
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(read_text(context, "", general, strlen(general), &weighted, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT(info.duplicates_added && info.n_duplicates == 1);
}

/* A program that prints the banner by a format of printf leaves one % of the two. */
TEST("a banner with one %")
{
    static const char text[] = "%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 4\n";
    CHECK_READ(".mtx", text, NULL, "1 2 3 | 1>2");
    CHECK_READ(".txt", text, &weighted, "1 2 3 | 1>2*4");
    CHECK_REFUSAL(".txt", "%MatrixMarkets matrix coordinate integer general\n3 3 1\n1 2 4\n", NULL,
                  PC_ERR_DATA, 1, "the banner is not");
}

static void check_info(const char *text, const pc_graph_options *options, int is_directed,
                       int overridden, int ignored)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(read_text(context, "", text, strlen(text), options, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.directed, is_directed);
    CU_ASSERT_EQUAL(info.direction_overridden, overridden);
    CU_ASSERT_EQUAL(info.weights_ignored, ignored);
    CU_ASSERT_STRING_EQUAL(info.format, "Matrix Market");
}

TEST("what the info says")
{
    static const char general[] = BANNER("pattern", "general") "2 2 1\n1 2\n";
    static const char symmetric[] = BANNER("integer", "symmetric") "2 2 1\n2 1 4\n";
    check_info(general, NULL, 1, 0, 0);
    check_info(general, &directed, 1, 0, 0);
    check_info(general, &undirected, 0, 1, 0);
    check_info(symmetric, NULL, 0, 0, 1);
    check_info(symmetric, &directed, 1, 1, 1);
    check_info(symmetric, &weighted, 0, 0, 0);
}

TEST("banners that are wrong")
{
    CHECK_REFUSAL(".mtx", "1 2\n", NULL, PC_ERR_DATA, 1, "banner");
    CHECK_REFUSAL(".mtx", "% comment\n2 2 1\n1 2\n", NULL, PC_ERR_DATA, 1, "banner");
    CHECK_REFUSAL("", "%%MatrixMarket\n2 2 1\n", NULL, PC_ERR_DATA, 1, "banner");
    CHECK_REFUSAL("", "%%MatrixMarket matrix coordinate pattern\n", NULL, PC_ERR_DATA, 1, "banner");
    CHECK_REFUSAL("", "%%MatrixMarketing matrix coordinate pattern general\n", NULL, PC_ERR_DATA, 1,
                  "banner");
    CHECK_REFUSAL("", "%%MatrixMarket vector coordinate real general\n", NULL, PC_ERR_DATA, 1,
                  "'vector'");
    CHECK_REFUSAL("", "%%MatrixMarket matrix array pattern general\n", NULL, PC_ERR_DATA, 1,
                  "a pattern in an array");
    CHECK_REFUSAL("", BANNER("complex", "general"), NULL, PC_ERR_DATA, 1, "'complex'");
    CHECK_REFUSAL("", BANNER("integer", "skew-symmetric"), NULL, PC_ERR_DATA, 1,
                  "general or symmetric");
    CHECK_REFUSAL("", BANNER("complex", "hermitian"), NULL, PC_ERR_DATA, 1, "'complex'");
    CHECK_REFUSAL("", BANNER("pattern", "hermitian"), NULL, PC_ERR_DATA, 1, "'hermitian'");
    CHECK_REFUSAL("", BANNER("strange", "general"), NULL, PC_ERR_DATA, 1, "'strange'");
}

TEST("sizes that are wrong")
{
#define SIZES(LINES, PLACE, WORDS)                                                                 \
    CHECK_REFUSAL(".mtx", BANNER("pattern", "general") "%\n" LINES, NULL, PC_ERR_DATA, PLACE, WORDS)
    SIZES("", 3, "before the size line");
    SIZES("3 3\n", 3, "three integers");
    SIZES("3 3 x\n", 3, "three integers");
    SIZES("3 -3 1\n", 3, "three integers");
    SIZES("3 3 1 1\n", 3, "columns");
    SIZES("3 4 1\n1 2\n", 3, "square");
    SIZES("18446744073709551616 3 1\n1 2\n", 3, "2^64-1");
    SIZES("18446744073709551615 18446744073709551615 1\n1 2\n", 3, "4294967295");
    SIZES("4294967296 4294967296 1\n1 2\n", 3, "4294967295");
    SIZES("3 3 18446744073709551615\n1 2\n", 3, "promised");
    SIZES("3 3 99999999999999999999\n1 2\n", 3, "2^64-1");
    SIZES("3 3 2\n1 2\n", 3, "promised");
    SIZES("3 3 2\n1 2\n\n\n", 7, "promises 2 entries, and there are 1");
    SIZES("3 3 1\n1 2\n%\n2 3\n3 1\n", 6, "promises 1 entries, and there are 3");
    SIZES("3 3 0\n1 2\n", 4, "promises 0");
}

TEST("entries that are wrong")
{
#define ENTRIES(FIELD, SYMMETRY, OPTIONS, LINES, PLACE, WORDS)                                     \
    CHECK_REFUSAL(".mtx", BANNER(FIELD, SYMMETRY) LINES, OPTIONS, PC_ERR_DATA, PLACE, WORDS)
    ENTRIES("pattern", "general", NULL, "3 3 1\n0 1\n", 3, "begin at 1");
    ENTRIES("pattern", "general", NULL, "3 3 1\n1 0\n", 3, "begin at 1");
    ENTRIES("pattern", "general", NULL, "3 3 1\n1 4\n", 3, "'4' is beyond the size");
    ENTRIES("pattern", "general", NULL, "3 3 1\n99999999999999999999 1\n", 3, "beyond the size");
    ENTRIES("pattern", "general", NULL, "3 3 1\n1 x\n", 3, "not an integer");
    ENTRIES("pattern", "general", NULL, "3 3 1\n-1 2\n", 3, "not an integer");
    ENTRIES("pattern", "general", NULL, "3 3 1\n1,2\n", 3, "not followed by a column alone");
    ENTRIES("pattern", "general", NULL, "3 3 1\n# 1\n", 3, "not an integer");
    ENTRIES("pattern", "general", NULL, "3 3 2\n1 2\n2\n", 4, "not followed");
    ENTRIES("pattern", "general", NULL, "3 3 1\n1 2 1\n", 3, "not followed");
    ENTRIES("integer", "general", NULL, "3 3 1\n1 2\n", 3, "not followed by a column and a value");
    ENTRIES("integer", "general", NULL, "3 3 1\n1 2 3 4\n", 3, "columns");
    ENTRIES("integer", "general", NULL, "3 3 1\n1 2 x\n", 3, "not a number");
    ENTRIES("pattern", "general", NULL, "3 3 3\n1 2\n1 x\n2 3\n", 4, "not an integer");
    ENTRIES("pattern", "general", NULL, "3 3 3\n1 2\n1 x\n9 9\n", 4, "not an integer");
    ENTRIES("integer", "general", NULL, "3 3 4\n1 2 1\n4 1 0\n2 3 0\n1 1 1\n", 4, "beyond");
    ENTRIES("pattern", "symmetric", NULL, "3 3 3\n2 2\n1 2\n3 1\n", 5, "below the diagonal");
    ENTRIES("pattern", "symmetric", NULL, "3 3 2\n2 1\n1 2\n", 4, "above the diagonal");
    ENTRIES("integer", "general", &weighted, "3 3 1\n1 2 -1\n", 3, "negative");
    ENTRIES("real", "general", &weighted, "3 3 2\n1 2 1\n1 3 0.5\n", 4, "not an integer");
    ENTRIES("real", "general", &weighted, "3 3 1\n1 2 1e20\n", 3, "too large");
    CHECK_REFUSAL(".mtx", BANNER("pattern", "general") "3 3 1\n1 2\0\n", NULL, PC_ERR_DATA, 3,
                  "NUL");
}

static pc_status read_and_free(pc_context *context, void *text)
{
    pc_graph *graph;
    pc_status status = read_text(context, ".mtx", text, strlen(text), &weighted, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

TEST("memory")
{
    static char text[] = BANNER("integer", "symmetric") "3 3 2\n2 1 4\n3 3 1\n";
    CU_ASSERT(fail_each_allocation(read_and_free, text) > 4);
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 2);
    static const char huge[] = BANNER("pattern", "general") "4294967295 4294967295 1\n1 2\n";
    pc_graph *graph;
    pc_context_set_memory_limit(context, 1 << 20);
    const pc_graph_options allowed = {.max_vertices = UINT32_MAX};
    CU_ASSERT_EQUAL(read_text(context, "", huge, sizeof huge - 1, &allowed, &graph), PC_ERR_MEMORY);
    CU_ASSERT(allocator.peak_bytes < 1 << 20);
}

/* A long file on several threads against the table of its entries. */
TEST("a long file on several threads")
{
    enum { N = 60, N_ENTRIES = 40000 };
    static uint64_t entry[N][N];
    uint64_t state = 3, n_wrong = 0;
    OWNED(char) *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(BANNER("integer", "general"), out);
    fprintf(out, "%d %d %d\n", N, N, N_ENTRIES);
    for (int e = 0; e < N_ENTRIES; e++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned row = (unsigned)(state >> 40) % N, column = (unsigned)(state >> 20 & 0xfffff) % N;
        unsigned value = (unsigned)(state >> 60);
        entry[row][column] += value;
        fprintf(out, "%u %u %u\n%s", row + 1, column + 1, value, e % 5 ? "" : "% comment\n");
    }
    fclose(out);
    const pc_graph_options options = {.weights = 1, .multigraph = 1};
    for (int n_threads = 1; n_threads <= 5; n_threads += 2) {
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = NULL;
        pc_context_set_threads(context, n_threads);
        MUST(read_text(context, "", text, n_bytes, &options, &graph));
        char *shown = show_graph(graph), *at = strchr(shown, '|') + 1;
        for (int row = 0; row < N; row++)
            for (int column = 0; column < N; column++) {
                char expected[64] = "";
                if (entry[row][column] == 1)
                    sprintf(expected, " %d>%d", row + 1, column + 1);
                else if (entry[row][column] > 1)
                    sprintf(expected, " %d>%d*%" PRIu64, row + 1, column + 1, entry[row][column]);
                n_wrong += strncmp(at, expected, strlen(expected)) != 0;
                at += strlen(expected);
            }
        n_wrong += *at != 0;
        free(shown);
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
}

TEST("one triangle, above the diagonal")
{
    CHECK_READ(".mtx", BANNER("pattern", "symmetric") "3 3 3\n1 1\n1 2\n2 3\n", NULL,
               "1 2 3 | 1>1 1>2 2>1 2>3 3>2");
    CHECK_READ(".mtx", BANNER("unsigned-integer", "symmetric") "2 2 1\n1 2 7\n", &weighted,
               "1 2 | 1>2*7 2>1*7");
}

#define ARRAY(FIELD, SYMMETRY) "%%MatrixMarket matrix array " FIELD " " SYMMETRY "\n"

TEST("arrays: every entry, column by column")
{
    const pc_graph_options four = {.n_vertices = 4};
    const pc_graph_options directed = {.direction = PC_DIRECTED};
    CHECK_READ(".mtx", ARRAY("integer", "general") "% c\n2 2\n0\n3\n\n0\n1\n", &weighted,
               "1 2 | 2>1*3 2>2");
    CHECK_READ(".mtx", ARRAY("real", "general") "2 2\n0\n0.5\n2\n0\n", NULL, "1 2 | 1>2 2>1");
    CHECK_READ(".mtx", ARRAY("real", "general") "2 2\n0\n0.5\n2\n0\n", &directed, "1 2 | 1>2 2>1");
    CHECK_READ(".mtx", ARRAY("integer", "symmetric") "3 3\n0\n1\n0\n5\n2\n0\n", &weighted,
               "1 2 3 | 1>2 2>1 2>2*5 2>3*2 3>2*2");
    CHECK_READ(".mtx", ARRAY("integer", "general") "1 1\n1\n", &four, "0 1 2 3 | 1>1");
    CHECK_REFUSAL(".mtx", ARRAY("integer", "general") "2 2\n0\n3\n0\n", NULL, PC_ERR_DATA, 6,
                  "before the last entry");
    CHECK_REFUSAL(".mtx", ARRAY("integer", "general") "1 1\n0\n3\n", NULL, PC_ERR_DATA, 4,
                  "more entries");
    CHECK_REFUSAL(".mtx", ARRAY("integer", "general") "2 3\n0\n", NULL, PC_ERR_DATA, 2, "square");
    CHECK_REFUSAL(".mtx", ARRAY("integer", "general") "1 1 1\n0\n", NULL, PC_ERR_DATA, 2,
                  "two integers");
    CHECK_REFUSAL(".mtx", ARRAY("integer", "general") "2 2\n0 3\n0 0\n", NULL, PC_ERR_DATA, 3,
                  "a line for each entry");
    CHECK_REFUSAL(".mtx", ARRAY("real", "general") "1 1\n0.5\n", &weighted, PC_ERR_DATA, 3,
                  "not an integer");
    CHECK_REFUSAL(".mtx", ARRAY("real", "general") "2000000000 2000000000\n1\n", NULL, PC_ERR_DATA,
                  2, "may state");
}
