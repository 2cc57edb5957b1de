/* Edge lists: every way people write them, every way they are wrong, against lines written by hand
 * and against an oracle that searches lists. */
#include "tests/support/reading.h"

#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const pc_graph_options directed = {.direction = PC_DIRECTED};
static const pc_graph_options weighted = {.weights = 1};
static const pc_graph_options multigraph = {.multigraph = 1};
static const pc_graph_options weighted_multigraph = {.weights = 1, .multigraph = 1};

TEST("separators, line ends, comments, ignored columns")
{
    static const char *const texts[] = {
        "1 2\n2 3\n",
        "1 2\n2 3",
        "1\t2\r\n2\t3\r\n",
        "1 2\r\n2 3\r",
        "1,2\n2,3\n",
        "1, 2\n2 ,3\n",
        "  1 \t 2  \n\t2 \t 3 ",
        "\xef\xbb\xbf\x31 2\n2 3\n",
        "# a b c d e\n1 2\n\n%x\n \t\r\n  # y\n2 3\n\n",
        "1 2 9\n2 3 1e400\n",
        "1 2\n2 3 0.5\n",
        "1 2 {}\n2 3 {}\n",
        "1 2 # a comment, with a comma\n2 3 5 #c\td\n",
        "1 2 % c\n2,3 # c\n",
        "1\t2\t# c\n2\t3 # c\n",
        "1,\t2\n2\t,\t3\n",
        "1\t\t2\n\t2\t 3\t\n",
        "\"1\",\"2\"\n\"2\" , 3\n",
        "\"2\" \"3\" 4\n\"1\"\t2 5\n",
        "2 3 7 \n1\t2\t-1\n",
        "2,3\n3,2,1\n2,1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK_READ(".txt", texts[i], NULL, "1 2 3 | 1>2 2>1 2>3 3>2");
}

TEST("integer and text labels")
{
    CHECK_READ("", "10 9\n9 100\n", NULL, "9 10 100 | 9>10 9>100 10>9 100>9");
    CHECK_READ("", "0 4000000000\n", NULL, "0 4000000000 | 0>4000000000 4000000000>0");
    CHECK_READ("", "18446744073709551615 0\n5 18446744073709551614", &directed,
               "0 5 18446744073709551614 18446744073709551615 | 5>18446744073709551614 "
               "18446744073709551615>0");
    CHECK_READ("", "9999999 10000000\n1048575 1048576\n", &directed,
               "1048575 1048576 9999999 10000000 | 1048575>1048576 9999999>10000000");
    CHECK_READ("", "10 9\n9 x\n", &directed, "10 9 x | 10>9 9>x");
    CHECK_READ("", "007 7\n", &directed, "007 7 | 007>7");
    CHECK_READ("", "7 0\n0 00\n", &directed, "7 0 00 | 7>0 0>00");
    CHECK_READ("", "-1 2\n2 +2\n-3 2\n", &directed, "-1 2 +2 -3 | -1>2 2>+2 -3>2");
    CHECK_REFUSAL("", "1 2\n2 -1\n3 2\n", NULL, PC_ERR_DATA, 2, "stands for a missing value");
    CHECK_REFUSAL("", "a,b\nb,NA\n", NULL, PC_ERR_DATA, 2, "stands for a missing value");
    CHECK_READ("", "a#b c%\nc% #d\n", &directed, "a#b c% #d | a#b>c% c%>#d");
    CHECK_READ("", "\xc3\xa9t\xc3\xa9 hiver\n", &directed,
               "\xc3\xa9t\xc3\xa9 hiver | \xc3\xa9t\xc3\xa9>hiver");
    CHECK_READ("", "1,2,\n3\t,4,\n", &directed, "1 2 3 4 | 1>2 3>4");
    CHECK_READ("", "1.0 2\n2 1e3\n", &directed, "1.0 2 1e3 | 1.0>2 2>1e3");
    CHECK_READ("", "1 2\n2 18446744073709551616\n", &directed,
               "1 2 18446744073709551616 | 1>2 2>18446744073709551616");
    CHECK_READ("", "x y\ny 99999999999999999999999\n", &directed,
               "x y 99999999999999999999999 | x>y y>99999999999999999999999");
    CHECK_READ("", "00000000000000000000001 1\n", &directed,
               "00000000000000000000001 1 | 00000000000000000000001>1");
}

/* Labels with blanks, commas and quotes, in files of each separator. */
TEST("quotes")
{
    CHECK_READ("", "New York\tRome, Italy\n", &directed,
               "New York Rome, Italy | New York>Rome, Italy");
    CHECK_READ("", "New York,Oslo\nOslo,Rome\n", &directed,
               "New York Oslo Rome | New York>Oslo Oslo>Rome");
    CHECK_READ("", "\"a\" b,c\n", &directed, "a b,c | a>b,c");
    CHECK_READ("", "\"New York\" Oslo\nOslo \"a \"\"b\"\"\"\n", &directed,
               "New York Oslo a \"b\" | New York>Oslo Oslo>a \"b\"");
    CHECK_READ("", "\"a,b\",\"c #5\" # why\n", &directed, "a,b c #5 | a,b>c #5");
    CHECK_READ("", "\"a\tb\"\t\"#c\"\n", &directed, "a\tb #c | a\tb>#c");
    CHECK_READ("", "5\" pipe\n", &directed, "5\" pipe | 5\">pipe");
}

/* A weight of 0 is no edge where weights are taken, but its vertices exist, in whichever order lines come. */
TEST("weights of 0")
{
    const pc_graph_options arcs = {.weights = 1, .direction = PC_DIRECTED};
    CHECK_READ("", "2 3 0\n1 2 5\n", NULL, "1 2 3 | 1>2 2>1 2>3 3>2");
    CHECK_READ("", "2 3 0\n1 2 5\n", &weighted, "1 2 3 | 1>2*5 2>1*5");
    CHECK_READ("", "2 3 0.0\n1 2 1\n3 2 4\n2 1 0\n", &arcs, "1 2 3 | 1>2 3>2*4");
    CHECK_READ("", "a b 0\nb c -1\nb a 2\n", &directed, "a b c | a>b b>a b>c");
    CHECK_READ("", "a b 0\na b 1\n", &multigraph, "a b | a>b*2 b>a*2");
    CHECK_READ("", "a b 0\na b 1\n", &weighted_multigraph, "a b | a>b b>a");
}

TEST("direction, duplicates, loops, weights")
{
    CHECK_READ("", "1 2\n2 1\n1 1\n1 1\n", NULL, "1 2 | 1>1 1>2 2>1");
    CHECK_READ("", "1 2\n2 1\n1 1\n1 1\n", &directed, "1 2 | 1>1 1>2 2>1");
    CHECK_READ("", "1 2\n2 1\n1 1\n1 1\n", &multigraph, "1 2 | 1>1*2 1>2*2 2>1*2");
    CHECK_READ("", "1 2\n1 2\n", &directed, "1 2 | 1>2");
    CHECK_READ("", "1 2 5\n2 3 1\n", &weighted, "1 2 3 | 1>2*5 2>1*5 2>3 3>2");
    CHECK_REFUSAL("", "1 2\n2 3\n", &weighted, PC_ERR_DATA, 1, "weights are asked for");
    CHECK_READ("", "1 2 1\n2 3 1.0\n", &weighted, "1 2 3 | 1>2 2>1 2>3 3>2");
    CHECK_READ("", "1 2 0\n2 3 20e-1\n", &weighted, "1 2 3 | 2>3*2 3>2*2");
    CHECK_READ("", "1 2 18446744073709551615\n", &weighted,
               "1 2 | 1>2*18446744073709551615 2>1*18446744073709551615");
    CHECK_READ("", "1 2 3\n2 1 3\n", &weighted, "1 2 | 1>2*3 2>1*3");
    CHECK_READ("", "1 2 3\n2 1 4\n1 1 5\n1 1 6\n2 2 0\n", &weighted_multigraph,
               "1 2 | 1>1*11 1>2*7 2>1*7");
    CHECK_READ("", "a b 2\nb a 0\n", &weighted_multigraph, "a b | a>b*2 b>a*2");
}

TEST("loops that count twice")
{
    const pc_graph_options twice = {.loops = PC_LOOPS_TWICE},
                           arcs = {.loops = PC_LOOPS_TWICE, .direction = PC_DIRECTED},
                           all = {.loops = PC_LOOPS_TWICE, .multigraph = 1, .weights = 1};
    CHECK_READ("", "1 2\n2 1\n1 1\n1 1\n", &twice, "1 2 | 1>1*2 1>2 2>1");
    CHECK_READ("", "1 2 3\n2 1 4\n1 1 5\n1 1 6\n2 2 0\n", &all, "1 2 | 1>1*22 1>2*7 2>1*7");
    CHECK_REFUSAL("", "1 1\n", &arcs, PC_ERR_ARGUMENT, 0, "a loop is one arc");
    /* What our own files state. */
    const char *own = "# pathcount graph: undirected, weights, loops twice\na a 4\na b 1\n";
    const pc_graph_options ends = {.columns = "1,2", .loops = PC_LOOPS_TWICE};
    CHECK_READ("", own, NULL, "a b | a>a*4 a>b b>a");
    CHECK_READ("", own, &twice, "a b | a>a*4 a>b b>a");
    CHECK_READ("", own, &directed, "a b | a>a*4 a>b");
    CHECK_READ("", own, &ends, "a b | a>a*2 a>b b>a");
    CHECK_REFUSAL("", "# pathcount graph: directed, weights, loops twice\na a 4\n", NULL,
                  PC_ERR_DATA, 1, "cannot be read");
    CHECK_REFUSAL("", "# pathcount graph: undirected, loops twice\na a 4\n", NULL, PC_ERR_DATA, 1,
                  "cannot be read");
}

/* The entries of a matrix count as they stand, and where the directions are equal no edge is undirected. */
TEST("loops of matrices")
{
    const pc_graph_options twice = {.loops = PC_LOOPS_TWICE},
                           edges = {.loops = PC_LOOPS_TWICE, .direction = PC_UNDIRECTED};
    static const char *const texts[][2] = {
        {".mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n"},
        {".mtx", "%%MatrixMarket matrix array integer symmetric\n1 1\n1\n"},
        {".matrix", "1 1\n1 0\n"}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int e = 0; e < 2; e++)
            check_refusal(texts[t][0], texts[t][1], strlen(texts[t][1]), e ? &edges : &twice,
                          PC_ERR_ARGUMENT, 0, "has the entries of the adjacency matrix", __LINE__);
}

TEST("added vertices")
{
    const pc_graph_options three = {.n_vertices = 3}, two_million = {.n_vertices = 2000000};
    CHECK_READ("", "1 7\n", &three, "0 1 2 7 | 1>7 7>1");
    CHECK_READ("", "0 1\n", &three, "0 1 2 | 0>1 1>0");
    CHECK_READ("", "9000000000 1\n", &three, "0 1 2 9000000000 | 1>9000000000 9000000000>1");
    CHECK_READ("", "1 2\n2 3\n3 4\n", &three, "0 1 2 3 4 | 1>2 2>1 2>3 3>2 3>4 4>3");
    CHECK_REFUSAL("", "a b\n", &three, PC_ERR_ARGUMENT, -1, "integer labels");
    CHECK_REFUSAL("", "1 2\n3 04\n", &three, PC_ERR_ARGUMENT, -1, "'04'");
    CHECK_READ("", "", &three, "0 1 2 |");
    CHECK_READ("", "# no edges\n", &three, "0 1 2 |");
    const pc_graph_options too_many = {.n_vertices = UINT64_C(1) << 32};
    CHECK_REFUSAL("", "1 2\n", &too_many, PC_ERR_ARGUMENT, -1, "4294967295");
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    MUST(read_text(context, "", "5 1999999\n", 10, &two_million, &graph));
    CU_ASSERT_EQUAL(pc_graph_n_vertices(graph), 2000000);
}

TEST("lines that are wrong")
{
    CHECK_REFUSAL("", "", NULL, PC_ERR_DATA, 1, "empty");
    CHECK_REFUSAL("", "\xef\xbb\xbf", NULL, PC_ERR_DATA, 1, "empty");
    CHECK_REFUSAL("", "# a\n\n", NULL, PC_ERR_DATA, 3, "no edges");
    CHECK_REFUSAL("", "1 2\n3\n", NULL, PC_ERR_DATA, 2, "'3' stands alone");
    CHECK_REFUSAL("", "1 2\n3", NULL, PC_ERR_DATA, 2, "stands alone");
    CHECK_REFUSAL("",
                  "a b\n\nabc\x01"
                  "def\n",
                  NULL, PC_ERR_DATA, 3, "'abc?def'");
    CHECK_REFUSAL("", "1 2\n1 2 3 4\n", NULL, PC_ERR_DATA, 2, "columns");
    CHECK_REFUSAL("", "a b c\n", NULL, PC_ERR_DATA, 1,
                  "(--columns 1,2) or edges with columns 1 and 3");
    CHECK_REFUSAL("", "a\tb\n1\t2 3\n", NULL, PC_ERR_DATA, 2, "in one column");
    CHECK_REFUSAL("", "1 2,3\n", NULL, PC_ERR_DATA, 1, "in one column");
    CHECK_REFUSAL("", "2,3,1\n3,2\n2,1\n", NULL, PC_ERR_DATA, 1, "than all others");
    CHECK_REFUSAL("", "a,50 %\n", NULL, PC_ERR_DATA, 1, "in one column");
    CHECK_REFUSAL("", "1\t2\t3\n1\t\t3\n", NULL, PC_ERR_DATA, 2, "empty");
    CHECK_REFUSAL("", "Bach,Symphony #5\n", NULL, PC_ERR_DATA, 1, "quotes around the label");
    CHECK_REFUSAL("", "New York #5,Oslo\n", NULL, PC_ERR_DATA, 1, "quotes around the label");
    CHECK_REFUSAL("", "\"a b\n", NULL, PC_ERR_DATA, 1, "quote is not closed");
    CHECK_REFUSAL("", "\"a\"b c\n", NULL, PC_ERR_DATA, 1, "more follows");
    CHECK_REFUSAL("", "\"a\" b\tc\n", NULL, PC_ERR_DATA, 1, "(--columns 1,2)");
    CHECK_REFUSAL("", "a,\"\"\n", NULL, PC_ERR_DATA, 1, "empty");
    CHECK_REFUSAL("", "a b 1 {'weight': 3}\n", NULL, PC_ERR_DATA, 1, "more than 3 columns");
    CHECK_REFUSAL("", "a b {weight}\n", &weighted, PC_ERR_DATA, 1, "is not a number");
    CHECK_REFUSAL("", "a b {'weight': 0.5}\n", &weighted, PC_ERR_DATA, 1,
                  "'0.5' is not an integer");
    CHECK_REFUSAL("", "1,,2\n", NULL, PC_ERR_DATA, 1, "empty");
    CHECK_REFUSAL("", ",1,2\n", NULL, PC_ERR_DATA, 1, "empty");
    CHECK_REFUSAL("", "1,2\n,3\n", NULL, PC_ERR_DATA, 2, "empty");
    CHECK_REFUSAL("", "1.5 2\n2 1e3\n", NULL, PC_ERR_DATA, 1, "a 2 x 2 matrix (--format matrix)");
    CHECK_REFUSAL("", "1 2\n2 \0003\n", NULL, PC_ERR_DATA, 2, "NUL");
    CHECK_REFUSAL("", "1 2\n# \0 comment\n", NULL, PC_ERR_DATA, 2, "NUL");
    CHECK_REFUSAL("", "1 2\n2 3\n\0", NULL, PC_ERR_DATA, 3, "NUL");
    CHECK_REFUSAL("",
                  "\xff\xfe"
                  "1\0 \0",
                  NULL, PC_ERR_DATA, 1, "UTF-16");
    CHECK_REFUSAL("",
                  "\xfe\xff\0"
                  "1",
                  NULL, PC_ERR_DATA, 1, "UTF-16");
    CHECK_REFUSAL("",
                  "1\0 \0"
                  "2\0\n\0",
                  NULL, PC_ERR_DATA, 1, "UTF-16");
    CHECK_REFUSAL("", "1 2\n3\r 4\n", NULL, PC_ERR_DATA, 2, "carriage return");
}

TEST("weights that are wrong")
{
    CHECK_REFUSAL("", "1 2 1\n1 3 x\n", &weighted, PC_ERR_DATA, 2, "'x' is not a number");
    CHECK_REFUSAL("", "1 2 -1\n", &weighted, PC_ERR_DATA, 1, "negative");
    CHECK_REFUSAL("", "1 2 0.5\n", &weighted, PC_ERR_DATA, 1, "not an integer");
    CHECK_REFUSAL("", "1 2 nan\n", &weighted, PC_ERR_DATA, 1, "no column is known");
    CHECK_REFUSAL("", "1 2 3\n1 3 nan\n", &weighted, PC_ERR_DATA, 2, "not a number");
    CHECK_REFUSAL("", "1 2 18446744073709551616\n", &weighted, PC_ERR_DATA, 1, "too large");
    CHECK_REFUSAL("", "1 2 1e99\n", &weighted, PC_ERR_DATA, 1, "too large");
    CHECK_REFUSAL("", "1 2 1\n2 3\n", &weighted, PC_ERR_DATA, 2, "no weight");
    CHECK_REFUSAL("", "1 2\n\n2 3 1\n", &weighted, PC_ERR_DATA, 3, "has none");
    CHECK_REFUSAL("", "1 2\n2 3 1\n4\n", &weighted, PC_ERR_DATA, 3, "stands alone");
    CHECK_REFUSAL("", "1 2\n4\n2 3 1\n", &weighted, PC_ERR_DATA, 2, "stands alone");
    CHECK_REFUSAL("", "ann bob 3\nbob ann 5\n", &weighted, PC_ERR_DATA, -1, "ann bob");
    CHECK_REFUSAL("", "1 2 3\n2 1 5\n", &weighted, PC_ERR_DATA, -1, "--multigraph");
    CHECK_REFUSAL("", "1 2 0\n2 1 5\n", &weighted, PC_ERR_DATA, -1, "weight 0 and again");
    CHECK_REFUSAL("", "1 2 18446744073709551615\n2 1 1\n", &weighted_multigraph, PC_ERR_RANGE, -1,
                  "2^64-1");
}

TEST("what the info says")
{
    static const char text[] = "1 2 7\n2 1 8.5\n3 3\n3 3\n3 3\n1 3\n";
    OWNED(pc_context) *context = new_context(0);
    pc_graph *graph;
    pc_graph_info info;
    MUST(read_text(context, "", text, sizeof text - 1, NULL, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_edges, 3);
    CU_ASSERT_EQUAL(info.n_arcs, 5);
    CU_ASSERT_EQUAL(info.n_loops, 1);
    CU_ASSERT_EQUAL(info.n_duplicates, 3);
    CU_ASSERT(info.weights_ignored && !info.directed && !info.direction_overridden);
    CU_ASSERT_STRING_EQUAL(info.format, "edge list");
    pc_graph_free(graph);
    MUST(read_text(context, "", text, sizeof text - 1, &directed, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_edges, 4);
    CU_ASSERT_EQUAL(info.n_duplicates, 2);
    CU_ASSERT(info.directed && !info.direction_overridden); /* an edge list states no direction */
    pc_graph_free(graph);
}

/* ---- Random files ---------------------------------------------------------------------------- */

static random_source source;

enum { SMALL_IDS, ANY_IDS, NAMES, N_LABEL_KINDS };

static void random_label(char *label, size_t size, int kind, unsigned v)
{
    uint64_t spread = UINT64_C(0x9e3779b97f4a7c15) * (v + 1);
    if (kind == SMALL_IDS)
        snprintf(label, size, "%" PRIu64, spread >> 44 >> v % 20);
    else if (kind == ANY_IDS)
        snprintf(label, size, "%" PRIu64, spread >> v % 63);
    else
        snprintf(label, size, "%s%" PRIx64, v % 3 ? "v" : "", spread >> v % 63);
}

/* Appends a line for the edge, with a separator, and blanks and comments that do not matter. */
static void write_line(FILE *out, const char *from, const char *separator, const char *to)
{
    static const char *const forms[] = {"%s%s%s\n",  "%s%s%s\r\n",    " %s%s%s\n",
                                        "%s%s%s \n", "# c\n%s%s%s\n", "%s%s%s\n\n"};
    fprintf(out, forms[random_below(&source, sizeof forms / sizeof *forms)], from, separator, to);
}

static char *random_text(dense_graph *expected, int kind, unsigned n, unsigned n_lines,
                         size_t *n_bytes)
{
    static const char *const separators[] = {" ", "\t", ",", " , ", "  "};
    const char *separator =
        separators[random_below(&source, sizeof separators / sizeof *separators)];
    const char *weight = random_below(&source, 4) > 0 ? "" : "0.5";
    char *text = NULL;
    FILE *out = open_memstream(&text, n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (unsigned i = 0; i < n_lines; i++) {
        char from[32], to[32], more[64];
        random_label(from, sizeof from, kind, (unsigned)random_below(&source, n));
        random_label(to, sizeof to, kind, (unsigned)random_below(&source, n));
        snprintf(more, sizeof more, "%s%s%s", to, *weight ? separator : "", weight);
        write_line(out, from, separator, more);
        dense_add(expected, from, to);
    }
    fclose(out);
    if (kind != NAMES)
        dense_sort_integers(expected);
    return text;
}

static void check_random_file(dense_graph *expected, int kind, unsigned n, unsigned n_lines)
{
    const pc_graph_options options = {.direction = expected->directed ? PC_DIRECTED : PC_UNDIRECTED,
                                      .multigraph = expected->multigraph,
                                      .header = PC_HEADER_NONE};
    size_t n_bytes;
    OWNED(char) *text = random_text(expected, kind, n, n_lines, &n_bytes);
    OWNED(char) *shown = dense_show(expected);
    for (int n_threads = 1; n_threads <= 7; n_threads += 3) {
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = NULL;
        pc_graph_info info;
        pc_context_set_threads(context, n_threads);
        MUST(read_text(context, "", text, n_bytes, &options, &graph));
        OWNED(char) *found = show_graph(graph);
        CU_ASSERT(strcmp(found, shown) == 0);
        pc_graph_get_info(graph, &info);
        CU_ASSERT_EQUAL(info.n_duplicates, expected->n_duplicates);
    }
}

TEST("random files against the oracle")
{
    source.state = 20260101;
    dense_graph *expected = malloc(sizeof *expected);
    CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
    for (int i = 0; i < 240; i++) {
        memset(expected, 0, sizeof *expected);
        expected->directed = i & 1;
        expected->multigraph = i >> 1 & 1;
        unsigned n = i % 10 ? (unsigned)random_below(&source, 30) + 1 : 300;
        unsigned n_lines = i % 10 ? (unsigned)random_below(&source, 90) + 1 : 20000;
        check_random_file(expected, i % N_LABEL_KINDS, n, n_lines);
    }
    free(expected);
}

/* Many lines, a few of them wrong: the first is named, whatever the number of threads. */
TEST("the first of many flaws")
{
    source.state = 7;
    for (int round = 0; round < 40; round++) {
        enum { N_LINES = 30000 };
        bool by_name = round & 1;
        unsigned first = N_LINES;
        char *text = NULL, at[32];
        size_t n_bytes;
        FILE *out = open_memstream(&text, &n_bytes);
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        for (unsigned i = 1; i <= N_LINES; i++) {
            bool wrong = random_below(&source, 10000) == 0 || i == N_LINES;
            first = wrong && i < first ? i : first;
            if (wrong)
                fputs(random_below(&source, 2) ? "1 \"2\n" : "alone\n", out);
            else
                fprintf(out, by_name && i % 7 == 0 ? "v%u %u\n" : "%u %u\n", i, i / 2);
        }
        fclose(out);
        snprintf(at, sizeof at, ":%u: ", first);
        for (int n_threads = 1; n_threads <= 9; n_threads += 2) {
            OWNED(pc_context) *context = new_context(0);
            pc_graph *graph;
            pc_context_set_threads(context, n_threads);
            CU_ASSERT(is_refused(context, read_text(context, "", text, n_bytes, NULL, &graph),
                                 PC_ERR_DATA, at));
        }
        free(text);
    }
}

/* ---- Memory, cancelling, real files ---------------------------------------------------------- */

typedef struct reading {
    const char *text;
    const pc_graph_options *options;
} reading;

static pc_status read_and_free(pc_context *context, void *user)
{
    const reading *what = user;
    pc_graph *graph;
    pc_status status =
        read_text(context, "", what->text, strlen(what->text), what->options, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

TEST("every allocation fails once")
{
    const pc_graph_options five = {.n_vertices = 5};
    const reading readings[] = {
        {"1 2\n3 7\n", NULL},
        {"1 2\n3 90000000000\n", &five},
        {"a b\nb c\n", NULL},
        {"1 2 3\n2 3 4\n", &weighted},
        {"1 2\n1 2\n", &multigraph},
        {"\"a\"\"\" b 0\nb c 1\n", NULL},
        {"# Directed graph\n1 2\n2 1\n", NULL},
    };
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        CU_ASSERT(fail_each_allocation(read_and_free, (void *)&readings[i]) > 4);
}

TEST("refused before allocating")
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 2);
    const pc_graph_options options = {.n_vertices = 100000000};
    OWNED(pc_graph) *graph = NULL;
    pc_context_set_memory_limit(context, 1 << 20);
    CU_ASSERT(is_refused(context, read_text(context, "", "1 2\n", 4, &options, &graph),
                         PC_ERR_MEMORY, "GB"));
    CU_ASSERT(allocator.peak_bytes < 1 << 20);
    CU_ASSERT_EQUAL(allocator.n_live, 0);
    MUST(read_text(context, "", "1 2\n", 4, NULL, &graph));
}

typedef struct stopper {
    int n_calls, stop_at;
    double fraction;
    bool orderly;
} stopper;

static int stop_at_call(void *user, const char *stage, double fraction)
{
    stopper *s = user;
    s->orderly =
        s->orderly && strcmp(stage, "read") == 0 && fraction >= s->fraction && fraction <= 1;
    s->fraction = fraction;
    return ++s->n_calls == s->stop_at;
}

/* Stops the reading at its 1st, 2nd, ... call, until it has no more calls. */
static void cancel_each_call(const char *text)
{
    pc_status status = PC_ERR_CANCELLED;
    int stop_at = 0;
    while (status == PC_ERR_CANCELLED && stop_at < 1000) {
        failing_allocator allocator = FAILING_ALLOCATOR;
        OWNED(pc_context) *context = failing_context(&allocator, 1);
        stopper s = {.stop_at = ++stop_at, .orderly = true};
        reading what = {text, NULL};
        pc_context_set_progress(context, stop_at_call, &s);
        status = read_and_free(context, &what);
        CU_ASSERT(s.orderly);
        CU_ASSERT_EQUAL(s.n_calls, status == PC_OK ? stop_at - 1 : stop_at);
        CU_ASSERT_EQUAL(allocator.n_live, 0);
    }
    CU_ASSERT_EQUAL(status, PC_OK);
    CU_ASSERT(stop_at > 3);
}

TEST("cancelled at every step")
{
    cancel_each_call("1 2\n3 4\n5 6\n7 8\n");
    cancel_each_call("a b\nb c\n");
    cancel_each_call("1 2 0\na b 1\n");
}

static void check_real_file(const char *name, uint64_t n, uint64_t m, uint64_t n_loops,
                            uint64_t n_duplicates)
{
    const char *folder = getenv("PATHCOUNT_TEST_DATA");
    if (!folder || !*folder)
        test_skip("PATHCOUNT_TEST_DATA is not set");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_vertices, n);
    CU_ASSERT_EQUAL(info.n_edges, m);
    CU_ASSERT_EQUAL(info.n_arcs, 2 * m - n_loops);
    CU_ASSERT_EQUAL(info.n_loops, n_loops);
    CU_ASSERT_EQUAL(info.n_duplicates, n_duplicates);
}

TEST("ca-GrQc")
{
    check_real_file("ca-GrQc.txt", 5242, 14496, 12, 14484);
}

TEST("facebook_combined")
{
    check_real_file("facebook_combined.txt", 4039, 88234, 0, 0);
}
