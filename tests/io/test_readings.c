/* Readings of texts that have no mark of a format: each kind of reading, each rule that chooses between two, texts that
 * are asked about, and large files whose lines are no longer alike. */
#include "tests/support/reading.h"

#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct decided {
    const char *suffix, *text, *format, *note, *shown;
} decided;

/* Asserts the graph, its format, and the note about how it was read, which is "" where there is none. */
static void check_decided(const decided *d)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info = {0};
    pc_status status = read_text(context, d->suffix, d->text, strlen(d->text), NULL, &graph);
    OWNED(char) *found = status == PC_OK ? show_graph(graph) : strdup(pc_context_message(context));
    if (status == PC_OK)
        pc_graph_get_info(graph, &info);
    const char *note = info.note ? info.note : "", *format = info.format ? info.format : "";
    bool is_right = strcmp(found, d->shown) == 0 && strcmp(format, d->format) == 0 &&
                    strcmp(note, d->note) == 0;
    if (!is_right)
        printf("\n    %s    %s, '%s': %s\n    expected %s, '%s': %s\n", d->text, format, note,
               found, d->format, d->note, d->shown);
    CU_ASSERT(is_right);
}

TEST("each kind of reading, each rule")
{
    static const decided texts[] = {
        {"", "1 2\n2 3\n", "edge list", "", "1 2 3 | 1>2 2>1 2>3 3>2"},
        {"", "from,to\n1,2\n2,3\n", "edge list", "header 'from,to' skipped",
         "1 2 3 | 1>2 2>1 2>3 3>2"},
        {"", "6 4\n1 2\n2 3\n3 5\n5 1\n", "edge list", "line of sizes '6 4' read",
         "1 2 3 4 5 6 | 1>2 1>5 2>1 2>3 3>2 3>5 5>1 5>3"},
        {"", "1 a b\n2 b c\n3 c a\n", "edge list", "columns 2 and 3 read",
         "a b c | a>b a>c b>a b>c c>a c>b"},
        {"", "a -> b\nb -> c\n", "edge list", "", "a b c | a>b b>c"},
        {"", "# a\nb\nc\n# b\nc\n# d\na\n", "LGL", "", "a b c d | a>b a>c a>d b>a b>c c>a c>b d>a"},
        {"", "1 2\n2,3\n3\t1\n", "edge list", "", "1 2 3 | 1>2 1>3 2>1 2>3 3>1 3>2"},
        {"", "0 1 0\n0 0 1\n1 0 0\n", "adjacency matrix", "", "0 1 2 | 0>1 1>2 2>0"},
        {"", "3\n0 1 0\n0 0 1\n1 0 0\n", "adjacency matrix", "", "0 1 2 | 0>1 1>2 2>0"},
        {"", "1 2 3\n2 1\n3 1\n", "adjacency list", "", "1 2 3 | 1>2 1>3 2>1 3>1"},
        {"", "a: b c\nb: a\n", "adjacency list", "", "a b c | a>b a>c b>a c>a"},
        {"", "a 2\nb {}\nc {}\nb 0\nc 0\n", "adjacency list", "", "a b c | a>b a>c b>a c>a"},
        {"", "(a, b)\n(b, c)\n", "pairs in brackets", "", "a b c | a>b b>a b>c c>b"},
        {"", "  (0, 1)\t1\n  (1, 2)\t1\n", "pairs in brackets", "", "0 1 2 | 0>1 1>2"},
        /* Without its rule each of these has two readings, or another one. */
        {"", "#x\n# GMT Tue Mar  3 10:00:00 2026\n#\n1 2\n2 3\n", "adjacency list", "",
         "1 2 3 | 1>2 2>1 2>3 3>2"},
        {"", "# GMT Tue Mar  3 10:00:00 2026\na 1\nb\nb 1\na\n", "adjacency list", "",
         "a b | a>b b>a"},
        {"", "4 4\n2 4\n1 3\n2 4\n1 3\n", "METIS", "", "1 2 3 4 | 1>2 1>4 2>1 2>3 3>2 3>4 4>1 4>3"},
        {"", ",a,b\na,0,2\nb,3,0\n", "adjacency matrix", "", "a b | a>b b>a"},
        {"", "3 1 5\n3 2 4\n1 2 4\n", "edge list", "", "1 2 3 | 1>2 1>3 2>1 2>3 3>1 3>2"},
        {"", "source,target,n\n1,2,0\n2,0,5\n0,1,4\n", "edge list",
         "header 'source,target,n' skipped", "0 1 2 | 0>1 0>2 1>0 1>2 2>0 2>1"},
        {"", "; by hand\nsource,target\na,b\nb,c\n", "edge list",
         "comment '; by hand' skipped, header 'source,target' skipped", "a b c | a>b b>a b>c c>b"},
        {"", "0 1\n1 0\n", "edge list", "", "0 1 | 0>1 1>0"},
        {"", "a b\nb,c\n", "edge list", "", "a b c | a>b b>a b>c c>b"},
        {"", "# a\n1 2\n# b\n2 1\n# c\n3 1\n", "edge list", "", "1 2 3 | 1>2 1>3 2>1 3>1"},
        {"", "from to\na b\nb c\n", "edge list", "header 'from to' skipped",
         "a b c | a>b b>a b>c c>b"},
        {"", "5 4\n1 2 3 4\n2 3 4 1\n3 4 1 2\n4 5 1 2\n", "edge list",
         "line of sizes '5 4' read, columns 1, 2 and 3 read",
         "1 2 3 4 5 | 1>2 2>1 2>3 3>2 3>4 4>3 4>5 5>4"},
        {"", "a to x\nb to y\n", "edge list", "columns 1 and 3 read", "a x b y | a>x x>a b>y y>b"},
        {"", "a,b,3\nb,c,\nc,a,4\n", "edge list", "", "a b c | a>b a>c b>a b>c c>a c>b"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_decided(&texts[i]);
}

/* The message names each reading with the option that chooses it; an option that it names chooses that graph. */
TEST("texts that are asked about")
{
    const pc_graph_options header = {.header = PC_HEADER_FIRST_LINE},
                           none = {.header = PC_HEADER_NONE}, tail = {.columns = "2,3"},
                           comma = {.separator = ",", .header = PC_HEADER_NONE};
    static const char sizes[] = "3 3\n1 2\n2 3\n3 1\n", index[] = "1 2 5\n2 3 5\n3 5 2\n";
    CHECK_REFUSAL("", sizes, NULL, PC_ERR_DATA, 1,
                  "edges without a header (--no-header) or edges below a line of sizes (--header)");
    CHECK_READ("", sizes, &header, "1 2 3 | 1>2 1>3 2>1 2>3 3>1 3>2");
    CHECK_READ("", sizes, &none, "1 2 3 | 1>2 1>3 2>1 2>3 3>1 3>2 3>3");
    CHECK_REFUSAL("", index, NULL, PC_ERR_DATA, 1, "(--columns 2,3)");
    CHECK_READ("", index, &tail, "2 3 5 | 2>5 3>5 5>2 5>3");
    CHECK_REFUSAL("", "a b,c\n", NULL, PC_ERR_DATA, 1, "(--separator ,)");
    CHECK_READ("", "a b,c\n", &comma, "a b c | a b>c c>a b");
    CHECK_REFUSAL("", "1 2 2 3\n2 1 1\n3 1 1\n", NULL, PC_ERR_DATA, 1, "which is to be left out");
    CHECK_REFUSAL("", "a-b\nb-c\n", NULL, PC_ERR_DATA, 1, "--separator -)");
    CHECK_REFUSAL(".mtx.txt", "1 0.5\n0.5 1\n", NULL, PC_ERR_DATA, 1,
                  "2 x 2 matrix (--format matrix)");
}

/* ---- Behind the first lines ------------------------------------------------------------------ */

enum { N_LINES = 20000 };

/* A head, then lines that are alike, and an odd one as line `at` of all. */
static char *text_with_one(const char *head, const char *line, int at, const char *odd,
                           size_t n_odd, size_t *n_bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(head, out);
    for (int i = 1 + (*head != 0); i <= N_LINES; i++)
        if (i == at)
            fwrite(odd, 1, n_odd, out);
        else
            fprintf(out, line, i, 2 + i / 2);
    fclose(out);
    CU_ASSERT(*n_bytes > 2 << 16);
    return text;
}

static void check_odd(const char *head, const char *line, int at, const char *odd, size_t n_odd,
                      int place, const char *words)
{
    size_t n_bytes;
    OWNED(char) *text = text_with_one(head, line, at, odd, n_odd, &n_bytes);
    check_refusal("", text, n_bytes, NULL, PC_ERR_DATA, place, words, place);
}
#define CHECK_ODD(HEAD, LINE, AT, ODD, PLACE, WORDS)                                               \
    check_odd(HEAD, LINE, AT, ODD, sizeof(ODD) - 1, PLACE, WORDS)

TEST("lines that differ behind the first ones")
{
    CHECK_ODD("", "%d %d\n", 15000, "1 2 3\n", 15000, "another number of columns");
    CHECK_ODD("", "%d,%d\n", 15001, "1\n", 15001, "stands alone");
    CHECK_ODD("", "%d %d\n", 15002, "1,2\n", 15002, "separated in another way");
    CHECK_ODD("", "%d %d\n", 15003, "1 2\0\n", 15003, "NUL");
    CHECK_ODD("", "%d %d\n", 15004, "1 2\r3\n", 15004, "carriage return");
    CHECK_ODD("from to\n", "a%d b%d\n", 15005, "a5 from\n", 1, "'from' is the name of a column");
    CHECK_ODD("20000 19999\n", "%d %d\n", 15006, "1 20001\n", 1, "states 20000 vertices");
    CHECK_ODD("20000 19999\n", "%d %d\n", 15007, "1 x\n", 1, "line of sizes states");
    CHECK_ODD("", "%d %d 0.5\n", 15008, "1 2\n", 15008, "another number of columns");
    CHECK_ODD("", "v%d\tw%d\n", 15009, "v1 w1\n", 15009, "separated in another way");
}

TEST("a large matrix that is no square")
{
    enum { SIDE = 300 };
    for (int more = -1; more <= 1; more += 2) {
        char *text = NULL;
        size_t n_bytes;
        FILE *out = open_memstream(&text, &n_bytes);
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        for (int i = 0; i < SIDE + more; i++)
            for (int j = 0; j < SIDE; j++)
                fprintf(out, "%d%c", i == j, j + 1 < SIDE ? ' ' : '\n');
        fclose(out);
        check_refusal("", text, n_bytes, NULL, PC_ERR_DATA, more < 0 ? SIDE : SIDE + 1, "square",
                      __LINE__);
        free(text);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static pc_status read_and_free(pc_context *context, void *user)
{
    const char *text = user;
    pc_graph *graph;
    pc_status status = read_text(context, "", text, strlen(text), NULL, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

/* The lines of the large file are counted, because its first line may state their number. */
TEST("every allocation of the readings fails once")
{
    static const char *const texts[] = {"1 2 3\n2 1\n3 1\n", "a 2\nb {}\nc {}\nb 0\nc 0\n",
                                        "4 3\n1 2 5\n2 3 5\n3 4 6\n", "a -> b\nb -> c\n",
                                        "4 4\n2 4\n1 3\n2 4\n1 3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CU_ASSERT(fail_each_allocation(read_and_free, (void *)texts[i]) > 4);
    size_t n_bytes;
    OWNED(char) *large = text_with_one("20000 19999\n", "%d %d\n", 0, "", 0, &n_bytes);
    CU_ASSERT(fail_each_allocation(read_and_free, large) > 4);
}
