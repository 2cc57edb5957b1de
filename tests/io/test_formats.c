/* Formats other than edge lists, Matrix Market and graph6: lists of neighbours, METIS, DIMACS, SIF, JSON,
 * matrices, and columns of edge lists that are chosen. tests/files has many more files, and tests/spellings.py random graphs. */
#include "tests/support/reading.h"

#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const pc_graph_options directed = {.direction = PC_DIRECTED};
static const pc_graph_options weighted = {.weights = 1};
static const pc_graph_options two_more = {.n_vertices = 5};

#define NPY(SHAPE, ENTRIES)                                                                        \
    "\x93NUMPY\1\0\74\0{'descr': '|i1', 'fortran_order': False, 'shape': " SHAPE "}  \n" ENTRIES

/* Asserts that a text of n_bytes reads as the graph shown, on 1 and on 3 threads. */
static void check(const char *suffix, const char *text, size_t n_bytes,
                  const pc_graph_options *options, const char *shown, int line)
{
    for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = NULL;
        pc_context_set_threads(context, n_threads);
        pc_status status = read_text(context, suffix, text, n_bytes, options, &graph);
        OWNED(char) *found = status == PC_OK ? show_graph(graph) : NULL;
        bool is_right = found && strcmp(found, shown) == 0;
        if (!is_right)
            printf("\n    line %d: %s\n    expected: %s\n", line,
                   found ? found : pc_context_message(context), shown);
        CU_ASSERT(is_right);
    }
}
#define CHECK(SUFFIX, TEXT, OPTIONS, SHOWN)                                                        \
    check(SUFFIX, TEXT, sizeof(TEXT) - 1, OPTIONS, SHOWN, __LINE__)

/* ---- What is read ---------------------------------------------------------------------------- */

TEST("lists of neighbours")
{
    CHECK(".adjlist", "3 1 2\n1\n# c\n2 2\n", NULL, "1 2 3 | 1>3 2>2 2>3 3>1 3>2");
    CHECK(".adjlist", "b a\r\na c\r\n", &directed, "b a c | b>a a>c");
    CHECK(".adjlist", "a 2\nb {'weight': 3}\nc {'x': [1, 'weight'], 'weight': 2.0}\nb 0\n",
          &weighted, "a b c | a>b*3 a>c*2 b>a*3 c>a*2");
    CHECK(".adjlist", "0 1\n", &two_more, "0 1 2 3 4 | 0>1 1>0");
    CHECK(".sif", "a\tis a\tb c\td\ne\n", &directed, "a b c d e | a>b c a>d");
    CHECK(".sif", "1 pp 10 2\n", NULL, "1 2 10 | 1>2 1>10 2>1 10>1");
}

TEST("METIS and DIMACS")
{
    CHECK(".metis", "% c\n3 2 11 1\n9 2 4\n8 1 4 3 5\n7 2 5\n", &weighted,
          "1 2 3 | 1>2*4 2>1*4 2>3*5 3>2*5");
    CHECK(".metis", "3 1\n\n3\n2\n", NULL, "1 2 3 | 2>3 3>2");
    CHECK(".metis", "2 1\n2\n1\n", &two_more, "0 1 2 3 4 | 1>2 2>1");
    CHECK(".gr", "c x\np sp 3 3\na 1 2 4\na 3 1 0\na 2 2 1\n", &weighted, "1 2 3 | 1>2*4 2>2");
    CHECK(".gr", "p sp 3 3\na 1 2 4\na 3 1 0\na 2 2 1\n", NULL, "1 2 3 | 1>2 2>2 3>1");
    CHECK(".col", "p edge 3 2\nn 1 4\ne 1 2\ne 3 2\n", NULL, "1 2 3 | 1>2 2>1 2>3 3>2");
    CHECK(".col", "p edge 3 1\ne 1 2\n", &two_more, "0 1 2 3 4 | 1>2 2>1");
}

TEST("JSON")
{
    CHECK(".json",
          "{\"directed\": true, \"nodes\": [{\"id\": \"x\"}, {\"id\": 7}], \"links\": "
          "[{\"source\": 7, \"target\": \"x\", \"weight\": 3}]}",
          &weighted, "x 7 | 7>x*3");
    CHECK(".json", "{\"edges\": [{\"from\": 10, \"to\": 9}]}", NULL, "9 10 | 9>10 10>9");
    CHECK(".json",
          "{\"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"links\": [{\"source\": 1, "
          "\"target\": 0}, {\"source\": 1, \"target\": 1}]}",
          &directed, "a b | b>a b>b");
    CHECK(".json",
          "{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"adjacency\": [[{\"id\": 0}, {\"id\": 1}], "
          "[{\"id\": 0}]]}",
          NULL, "0 1 | 0>0 0>1 1>0");
    CHECK_REFUSAL(".json",
                  "{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"adjacency\": [[], [{\"id\": 0}]]}",
                  NULL, PC_ERR_DATA, 1, "in the list of one of its ends only");
}

TEST("matrices as text and of NumPy")
{
    CHECK(".matrix", "0 1 2\n0 0 1\n1 0 0\n", &weighted, "0 1 2 | 0>1 0>2*2 1>2 2>0");
    CHECK(".matrix", ",b,a\nb,0,1\na,1,1\n", NULL, "b a | b>a a>b a>a");
    CHECK(".matrix", "x;2\n0;1\n0;0\n", NULL, "x 2 | x>2");
    CHECK(".matrix", "id 1 2\n1 0 1\n2 0 0\n", NULL, "1 2 | 1>2");
    CHECK(".matrix", "10;2\n0;1\n0;0\n", NULL, "2 10 | 10>2");
    CHECK_REFUSAL(".matrix", "10;2\n0;1\n0;0\n0;0\n", NULL, PC_ERR_DATA, 4, "no square of numbers");
    CHECK_REFUSAL(".matrix", "a;b;c\n0;1;0\n", NULL, PC_ERR_DATA, 2, "2 rows and 3 columns");
    CHECK(".npy", NPY("(2, 2)", "\0\3\1\0"), &weighted, "0 1 | 0>1*3 1>0");
    /* Three columns may be edges with weights, unless all numbers are 0 and 1. */
    CHECK("", "0 1 1\n0 0 1\n0 0 0\n", &weighted, "0 1 2 | 0>1 0>2 1>2");
    CHECK_REFUSAL("", "0 1 2\n0 2 1\n1 2 1\n", &weighted, PC_ERR_DATA, 1,
                  "(--no-header) or a 3 x 3 matrix (--format matrix)?");
    CHECK("", "3 1 5\n3 2 4\n1 2 4\n", &weighted, "1 2 3 | 1>2*4 1>3*5 2>1*4 2>3*4 3>1*5 3>2*4");
}

/* ---- Columns --------------------------------------------------------------------------------- */

TEST("columns that are chosen")
{
    const pc_graph_options numbers = {.columns = "3,1", .direction = PC_DIRECTED};
    const pc_graph_options names = {.columns = "to,From,n", .direction = PC_DIRECTED, .weights = 1};
    const pc_graph_options header = {.header = PC_HEADER_FIRST_LINE};
    const pc_graph_options none = {.header = PC_HEADER_NONE};
    const pc_graph_options bar = {.separator = "|", .direction = PC_DIRECTED};
    CHECK("", "1 2 3 4\n2 3 1 9\n", &numbers, "1 2 3 | 1>2 3>1");
    CHECK("", "n,from,x,to\n5,a,,b\n6,b,,c\n", &names, "b a c | b>a*5 c>b*6");
    CHECK("", "u v\nv w\n", &header, "v w | v>w w>v");
    CHECK("", "source target\n", &none, "source target | source>target target>source");
    CHECK("", "a b|c\n c |\"d|e\"\n", &bar, "a b c d|e | a b>c c>d|e");
}

/* The text is METIS as well. Each of the options says that it is an edge list. */
TEST("options of columns decide what the text does not tell")
{
    static const char triangle[] = "3 3\n2 3\n1 3\n1 2\n";
    const pc_graph_options asked[] = {{.columns = "1,2"},
                                      {.header = PC_HEADER_NONE},
                                      {.separator = " ", .header = PC_HEADER_NONE}};
    const pc_graph_options header = {.header = PC_HEADER_FIRST_LINE}, blank = {.separator = " "};
    CHECK_REFUSAL(
        "", triangle, NULL, PC_ERR_DATA, 1,
        "(--no-header) or edges below a line of sizes (--header) or METIS (--format metis)?");
    CHECK_REFUSAL("", triangle, &blank, PC_ERR_DATA, 1, "edges below a line of sizes (--header)?");
    CHECK("", triangle, &header, "1 2 3 | 1>2 1>3 2>1 2>3 3>1 3>2");
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        CHECK("", triangle, &asked[i], "1 2 3 | 1>2 1>3 2>1 2>3 3>1 3>2 3>3");
}

static void check_argument(pc_graph_options options, const char *words)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    CU_ASSERT(is_refused(context, read_text(context, "", "a b\n", 4, &options, &graph),
                         PC_ERR_ARGUMENT, words));
}

TEST("options without sense")
{
    check_argument((pc_graph_options){.direction = (pc_direction)7}, "unknown direction 7");
    check_argument((pc_graph_options){.columns = "1"}, "FROM,TO");
    check_argument((pc_graph_options){.columns = ""}, "FROM,TO");
    check_argument((pc_graph_options){.columns = "1,"}, "FROM,TO");
    check_argument((pc_graph_options){.columns = "1,2,3,4"}, "FROM,TO");
    check_argument((pc_graph_options){.columns = "0,1"}, "from 1 on");
    check_argument((pc_graph_options){.columns = "1,4294967297"}, "from 1 on");
    check_argument((pc_graph_options){.columns = "1,99999999999999999999"}, "from 1 on");
    check_argument((pc_graph_options){.columns = "2,2"}, "twice");
    check_argument((pc_graph_options){.columns = "a,b", .header = PC_HEADER_NONE}, "need a header");
    check_argument((pc_graph_options){.separator = "ab"}, "--separator");
    check_argument((pc_graph_options){.separator = ""}, "--separator");
    check_argument((pc_graph_options){.separator = "\""}, "--separator");
    check_argument((pc_graph_options){.header = (pc_header)3}, "unknown header");
    const pc_graph_options columns = {.columns = "1,2"};
    CHECK_REFUSAL(".mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n", &columns,
                  PC_ERR_DATA, 1, "are for edge lists");
}

TEST("columns behind a long comment")
{
    enum { N_BYTES = 70000 };
    const pc_graph_options columns = {.columns = "2,3"};
    char *text = malloc(N_BYTES + 16);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, '#', N_BYTES);
    strcpy(text + N_BYTES, "\n1 2 3\n");
    check("", text, strlen(text), &columns, "2 3 | 2>3 3>2", __LINE__);
    free(text);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct reading {
    const char *suffix, *text;
    const pc_graph_options *options;
    size_t n_bytes; /* 0: of a string */
} reading;

static pc_status read_and_free(pc_context *context, void *user)
{
    const reading *what = user;
    pc_graph *graph;
    size_t n_bytes = what->n_bytes > 0 ? what->n_bytes : strlen(what->text);
    pc_status status = read_text(context, what->suffix, what->text, n_bytes, what->options, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

TEST("every allocation of the readers fails once")
{
    static const char npy[] = NPY("(2, 2)", "\0\3\1\0");
    const pc_graph_options columns = {.columns = "3,1", .separator = ";"};
    const reading readings[] = {
        {".adjlist", "a b c\nd\n", NULL, 0},
        {".adjlist", "1 1\n3 {'weight': 2}\n", &weighted, 0},
        {".sif", "a pp b\n", NULL, 0},
        {".metis", "2 1 1\n2 3\n1 3\n", &weighted, 0},
        {".gr", "p sp 2 1\na 1 2 3\n", &two_more, 0},
        {".json", "{\"links\": [{\"source\": 2, \"target\": 1, \"weight\": 3}]}", &weighted, 0},
        {".matrix", ",a,b\na,0,1\nb,1,0\n", NULL, 0},
        {".mtx", "%%MatrixMarket matrix array integer general\n1 1\n2\n", &weighted, 0},
        {".mtx",
         "%%MatrixMarket matrix coordinate integer general\n% pathcount graph: weights\n"
         "% label 1 b\n% label 2 a\n2 2 1\n1 2 3\n",
         NULL, 0},
        {".npy", npy, &weighted, sizeof npy - 1},
        {"", "a;b;c\nb;c;d\n", &columns, 0},
    };
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        CU_ASSERT(fail_each_allocation(read_and_free, (void *)&readings[i]) > 4);
}

/* What a few bytes state is refused before memory is taken for it. */
TEST("numbers in files allocate nothing")
{
    static const char npy[] = NPY("(2000000, 2000000)", "");
    static const struct {
        const char *suffix, *text;
        size_t n_bytes;
        const char *words;
    } files[] = {
        {".metis", "4000000000 1\n2\n", 15, "may state"},
        {".metis", "2000000 1\n2\n", 12, "vertices promised"},
        {".gr", "p sp 4000000000 0\n", 18, "may state"},
        {".adjlist", "a 4000000000\nb {}\n", 18, "ends before"},
        {".mtx", "%%MatrixMarket matrix array integer general\n2000000 2000000\n0\n", 62,
         "before the last"},
        {".npy", npy, sizeof npy - 1, "array"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        failing_allocator allocator = FAILING_ALLOCATOR;
        OWNED(pc_context) *context = failing_context(&allocator, 2);
        OWNED(pc_graph) *graph = NULL;
        pc_status status =
            read_text(context, files[i].suffix, files[i].text, files[i].n_bytes, NULL, &graph);
        bool is_right = is_refused(context, status, PC_ERR_DATA, files[i].words);
        if (!is_right)
            printf("\n    %s: %s\n", files[i].suffix, pc_context_message(context));
        CU_ASSERT(is_right);
        CU_ASSERT(allocator.peak_bytes < 1 << 20);
    }
}

TEST("JSON that may take too much memory")
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    enum { N_BYTES = 20000 };
    char *text = calloc(1, N_BYTES + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, ' ', N_BYTES);
    memcpy(text, "{\"links\": []}", 13);
    pc_context_set_memory_limit(context, 1 << 20);
    pc_status status = read_text(context, ".json", text, N_BYTES, NULL, &graph);
    CU_ASSERT(is_refused(context, status, PC_ERR_MEMORY, "JSON of 20000 bytes"));
    free(text);
}
