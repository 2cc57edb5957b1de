/* Edges with a text each: files of every shape typed here, random edges against a table that is filled entry by entry,
 * refusals, and memory that runs out. */
#include "graphs/builder.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/random_graph.h"
#include "tests/support/reading.h"

#include <stdio.h>
#include <unistd.h>

RELEASE_BY_FREE(pc_labelled_edges)

static pc_status read_labelled(pc_context *context, const char *suffix, const char *text,
                               const pc_graph_options *options, const char *column,
                               pc_labelled_edges **labelled)
{
    const char *path = scratch_path(suffix);
    scratch_write(path, text, strlen(text));
    pc_status status =
        pc_labelled_edges_read(context, path, PC_FORMAT_AUTO, options, column, labelled);
    unlink(path);
    return status;
}

/* "a b | a>b:x*2 b>a:y" */
static char *show(const pc_labelled_edges *labelled)
{
    char *text = NULL, from[64], to[64];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const pc_labels *labels = pc_labelled_edges_labels(labelled);
    for (uint64_t v = 0; v < pc_labels_count(labels); v++) {
        pc_labels_text(labels, v, from, sizeof from);
        fprintf(out, "%s ", from);
    }
    fputs("|", out);
    for (uint64_t v = 0; v < pc_labels_count(labels); v++)
        for (uint64_t a = labelled->graph.row_start[v]; a < labelled->graph.row_start[v + 1]; a++) {
            uint64_t weight = pci_graph_weight(&labelled->graph, a);
            size_t length;
            const char *kind =
                pci_names_text(&labelled->graph.texts.names, labelled->graph.text[a], &length);
            pc_labels_text(labels, v, from, sizeof from);
            pc_labels_text(labels, labelled->graph.column[a], to, sizeof to);
            fprintf(out, " %s>%s:%.*s", from, to, (int)length, kind);
            if (weight > 1)
                fprintf(out, "*%lu", (unsigned long)weight);
        }
    fclose(out);
    return text;
}

static void check_shown(const char *suffix, const char *text, const pc_graph_options *options,
                        const char *column, const char *shown)
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *labelled = NULL;
    pc_status status = read_labelled(context, suffix, text, options, column, &labelled);
    OWNED(char) *found = status ? strdup(pc_context_message(context)) : show(labelled);
    if (strcmp(found, shown) != 0)
        printf("\n    %s    %s\n    expected %s\n", text, found, shown);
    CU_ASSERT_STRING_EQUAL(found, shown);
}

static const pc_graph_options directed = {.direction = PC_DIRECTED};
static const pc_graph_options weighted = {.direction = PC_DIRECTED, .weights = 1};

TEST("columns by name and number, with and without a header")
{
    const pc_graph_options far = {.direction = PC_DIRECTED, .columns = "5,3"};
    const pc_graph_options multigraph = {.direction = PC_DIRECTED, .multigraph = 1};
    const pc_graph_options twice = {.loops = PC_LOOPS_TWICE};
    const pc_graph_options more = {.direction = PC_DIRECTED, .n_vertices = 3};
    check_shown(".tsv", "a\tb\tx\nb\ta\ty\n", &directed, "3", "a b | a>b:x b>a:y");
    check_shown("", "a b x\na b y\na b x\n", &directed, "3", "a b | a>b:x a>b:y");
    check_shown("", "a b x\na b y\na b x\n", &multigraph, "3", "a b | a>b:x*2 a>b:y");
    check_shown("", "a b x\nb b y\n", NULL, "3", "a b | a>b:x b>a:x b>b:y");
    check_shown("", "a b x\nb b y\n", &twice, "3", "a b | a>b:x b>a:x b>b:y*2");
    check_shown("", "a knows b\nb likes a\n", &directed, "2", "a b | a>b:knows b>a:likes");
    check_shown("", "x a b\ny b a\n", &directed, "1", "a b | a>b:x b>a:y");
    check_shown(".csv", "source,target,kind\na,b,x\nb,a,\"y, \"\"z\"\"\"\n", &directed, "kind",
                "a b | a>b:x b>a:y, \"z\"");
    check_shown(".csv", "id,kind,from,to\n1,x,a,b\n2,y,b,a\n", &directed, "kind",
                "a b | a>b:x b>a:y");
    check_shown("", "1 2 5 7\n2 1 6 8\n", &weighted, "3", "1 2 | 1>2:5*7 2>1:6*8");
    check_shown("", "1 2 5 7\n2 1 6 8\n", &weighted, "4", "1 2 | 1>2:7*5 2>1:8*6");
    check_shown(".csv", "from,to,weight,t\n1,2,3,x\n2,1,0,y\n", &weighted, "t", "1 2 | 1>2:x*3");
    check_shown("", "p 1 b x a\nq 2 a y b\n", &far, "4", "a b | a>b:x b>a:y");
    check_shown("", "0 1 x\n", &more, "3", "0 1 2 | 0>1:x");
    check_shown("", "# note\n0 1 x\n\n1 0 y\n", &directed, "3", "0 1 | 0>1:x 1>0:y");
    check_shown(".sif", "a pp b c\nb pd a\nd\n", &directed, "relation",
                "a b c d | a>b:pp a>c:pp b>a:pd");
    check_shown(".sif", "a\tp q\tb\n", NULL, "2", "a b | a>b:p q b>a:p q");
}

TEST("what the info says")
{
    const pc_graph_options loops = {.multigraph = 1, .weights = 1, .loops = PC_LOOPS_TWICE};
    const char *text = "a b x 2\nb a x 3\nb b y 4\nb a y 0\na a y 1\nb c x 1\n";
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *labelled = NULL;
    pc_graph_info info, of_graph;
    MUST(read_labelled(context, "", text, &loops, "3", &labelled));
    pc_labelled_edges_get_info(labelled, &info);
    CU_ASSERT(info.n_vertices == 3 && info.n_edges == 4 && info.n_arcs == 6);
    CU_ASSERT(info.n_loops == 2 && info.n_duplicates == 1 && info.max_weight == 8);
    CU_ASSERT(!info.directed && info.duplicates_added && info.loops == PC_LOOPS_TWICE);
    OWNED(pc_graph) *graph = NULL;
    MUST(pc_labelled_edges_graph(context, labelled, &graph));
    OWNED(char) *shown = show_graph(graph);
    CU_ASSERT_STRING_EQUAL(shown, "a b c | a>a*2 a>b*5 b>a*5 b>b*8 b>c c>b");
    pc_graph_get_info(graph, &of_graph);
    CU_ASSERT(of_graph.n_edges == 4 && of_graph.n_duplicates == 1);
}

#define GRAPHML(KEYS, EDGES)                                                                       \
    "<graphml><key id='w' for='edge' attr.name='weight'/>" KEYS                                    \
    "<graph edgedefault='directed'><node id='a'/><node id='b'/>" EDGES "</graph></graphml>"
#define EDGE(FROM, TO, DATA) "<edge source='" FROM "' target='" TO "'>" DATA "</edge>"
#define KIND                 "<key id='k' for='edge' attr.name='kind'><default>y</default></key>"

TEST("attributes of GraphML")
{
    check_shown(".graphml",
                GRAPHML(KIND, EDGE("a", "b", "<data key='w'>3</data><data key='k'>x &lt; 1</data>")
                                  EDGE("a", "b", "<data key='w'>2</data>")),
                &weighted, "kind", "a b | a>b:x < 1*3 a>b:y*2");
    check_shown(".graphml",
                GRAPHML("<key id='k' attr.name='name'/>",
                        EDGE("b", "a", "<data key='k'> z </data>")
                            EDGE("a", "a", "<data key='k'>z</data>")),
                NULL, "name", "a b | a>a:z b>a:z");
    check_shown(".graphml", GRAPHML("", EDGE("a", "b", "<data key='w'>3</data>")), NULL, "weight",
                "a b | a>b:3");
}

#define VERTICES "*Vertices 3\n1 a\n2 b\n3 c\n"

TEST("relations of Pajek")
{
    check_shown(".net",
                VERTICES "*Arcs :1 \"likes it\"\n1 2 4\n2 3\n*Arcs :2 \"hates\"\n1 2\n"
                         "*Edges :2\n1 3\n3 3\n*Arcs :3\n1 2\n",
                NULL, "relation",
                "a b c | a>b:likes it a>b:hates a>b:3 a>c:hates b>c:likes it c>a:hates c>c:hates");
    check_shown(".net", VERTICES "*Arcs\n1 2\n*Edges :4 x\n1 2\n", NULL, "interaction",
                "a b c | a>b:1 a>b:x b>a:x");
    check_shown(".net", VERTICES "*Edges : 7 \"\"\n1 2\n*Edges :8 y\n", NULL, "2",
                "a b c | a>b:7 b>a:7");
    check_shown(".net", VERTICES "*Edgeslist :2 y\n3 1 2\n*Matrix :1 x\n0 1 0\n0 0 0\n0 0 0\n",
                NULL, "2", "a b c | a>b:x a>c:y b>c:y c>a:y c>b:y");
    check_shown(".net", VERTICES "*Edges :1 x\n1 2\n*Edges :2 y\n2 1\n", NULL, "2",
                "a b c | a>b:x a>b:y b>a:x b>a:y");
}

static void check_refused(const char *suffix, const char *text, const pc_graph_options *options,
                          const char *column, pc_status expected, const char *words)
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *labelled = NULL;
    pc_status status = read_labelled(context, suffix, text, options, column, &labelled);
    CU_ASSERT_TRUE(is_refused(context, status, expected, words));
    CU_ASSERT_PTR_NULL(labelled);
}

TEST("refusals")
{
    const pc_graph_options real = {.weights = 1, .real_weights = 1};
    const pc_graph_options twice = {.direction = PC_DIRECTED, .loops = PC_LOOPS_TWICE};
    const pc_graph_options columns = {.columns = "1,2"};
    const pc_graph_options added = {.weights = 1, .multigraph = 1};
    check_refused("", "a b x\nb c\n", NULL, "3", PC_ERR_DATA, ":2: ");
    check_refused("", "a b x\nb c \"\"\n", NULL, "3", PC_ERR_DATA, ":2: the column is empty");
    check_refused("", "a b\nb c\n", NULL, "3", PC_ERR_DATA, "fewer columns than that of the label");
    check_refused(".csv", "from,to,x\na,b,c\n", NULL, "y", PC_ERR_DATA, "no column is named 'y'");
    check_refused("", "a b x\n", NULL, "0", PC_ERR_ARGUMENT, "'0' is no column");
    check_refused("", "a b x\n", &columns, "2", PC_ERR_ARGUMENT, "a column twice");
    check_refused("", "a b x\n", &real, "3", PC_ERR_ARGUMENT, "integers");
    check_refused("", "a b x\n", &twice, "3", PC_ERR_ARGUMENT, "--loops twice");
    check_refused("", "a b x\n", &weighted, "3", PC_ERR_DATA, "weights");
    check_refused("", "a b x 1\na b x 2\n", &weighted, "3", PC_ERR_DATA,
                  "edge a b with 'x' is given with weight 1 and again with weight 2");
    check_refused("", "a b x 18446744073709551615\na b x 1\n", &added, "3", PC_ERR_RANGE,
                  "add up to more");
    check_refused(".sif", "a pp b\n", NULL, "3", PC_ERR_DATA, "no '3'");
    check_refused(".mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", NULL,
                  "3", PC_ERR_DATA, "edge lists, SIF, Pajek and GraphML");
    check_refused(".graphml", GRAPHML("", EDGE("a", "b", "")), NULL, "kind", PC_ERR_DATA,
                  "no text");
    check_refused(".graphml", GRAPHML(KIND KIND, EDGE("a", "b", "")), NULL, "kind", PC_ERR_DATA,
                  "two keys for edges are called kind");
    check_refused("", "", NULL, "3", PC_ERR_DATA, "empty");
    check_refused(".net", VERTICES "*Arcs :1 x\n1 2\n*Arcs :1 x\n2 3\n", NULL, "relation",
                  PC_ERR_DATA, ":8: a second section");
    check_refused(".net", VERTICES "*Arcs :1 x\n1 2\n*Edges :1 y\n2 3\n", NULL, "relation",
                  PC_ERR_DATA, ":8: the relation :1 is called 'y' here, and was 'x'");
    check_refused(".net", VERTICES "*Arcs :1 x\n1 2\n", NULL, "kind", PC_ERR_DATA,
                  "edges of Pajek have the text 'relation' and no 'kind'");
}

/* Edges between few vertices with few texts, as lines, and as a table of their multiplicities. */
typedef struct table {
    uint64_t times[6][6][3];
} table;

static void check_random(random_source *source)
{
    static const char *const names[2][6] = {{"0", "1", "2", "3", "4", "5"},
                                            {"a", "b", "g", "d", "e e", "f"}};
    static const char *const kinds[] = {"x", "y z", "\"\"\"q\""};
    bool of_words = random_below(source, 2), mirrors = random_below(source, 2);
    const pc_graph_options options = {.direction = mirrors ? PC_UNDIRECTED : PC_DIRECTED,
                                      .multigraph = (int)random_below(source, 2),
                                      .header = PC_HEADER_NONE};
    uint64_t n_lines = 1 + random_below(source, 30), at[6], n = 0;
    table t = {0};
    char text[2000];
    size_t length = 0;
    memset(at, 0xff, sizeof at);
    for (uint64_t i = 0; i < n_lines; i++) {
        uint64_t u = random_below(source, 6), v = random_below(source, 6);
        uint64_t k = random_below(source, 3);
        for (int e = 0; e < 2; e++)
            if (at[e == 0 ? u : v] == UINT64_MAX)
                at[e == 0 ? u : v] = n++;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\t%s\t%s\n",
                                   names[of_words][u], kinds[k], names[of_words][v]);
        uint64_t times = options.multigraph ? t.times[u][v][k] + 1 : 1;
        t.times[u][v][k] = times;
        if (mirrors)
            t.times[v][u][k] = times;
    }
    OWNED(pc_context) *context = new_context((int)(1 + random_below(source, 4)));
    OWNED(pc_labelled_edges) *labelled = NULL;
    CU_ASSERT_FATAL(
        succeeds(context, read_labelled(context, ".tsv", text, &options, "2", &labelled)));
    const pc_labels *labels = pc_labelled_edges_labels(labelled);
    CU_ASSERT_EQUAL(pc_labels_count(labels), n);
    for (uint64_t u = 0; u < 6; u++) {
        uint64_t from, to;
        if (at[u] == UINT64_MAX ||
            !pci_labels_find(labels, names[of_words][u], strlen(names[of_words][u]), &from))
            continue;
        for (uint64_t a = labelled->graph.row_start[from]; a < labelled->graph.row_start[from + 1];
             a++)
            for (uint64_t v = 0; v < 6; v++)
                for (uint32_t k = 0; k < 3; k++) {
                    const char *kind = k < 2 ? kinds[k] : "\"q";
                    uint32_t number = UINT32_MAX;
                    pci_names_find(&labelled->graph.texts.names, kind, strlen(kind), &number);
                    if (at[v] != UINT64_MAX && number == labelled->graph.text[a] &&
                        pci_labels_find(labels, names[of_words][v], strlen(names[of_words][v]),
                                        &to) &&
                        to == labelled->graph.column[a])
                        t.times[u][v][k] -= pci_graph_weight(&labelled->graph, a);
                }
    }
    for (uint64_t i = 0; i < 6 * 6 * 3; i++)
        CU_ASSERT_EQUAL(t.times[i / 18][i / 3 % 6][i % 3], 0);
}

TEST("random edges")
{
    random_source source = {41};
    for (int i = 0; i < 500; i++)
        check_random(&source);
}

TEST("many lines: texts have the same numbers on any number of threads")
{
    enum { LINES = 60000, BYTES = 24 };
    OWNED(char) *text = malloc(LINES * BYTES), *shown = NULL;
    size_t length = 0;
    for (int i = 0; i < LINES; i++)
        length += (size_t)snprintf(text + length, BYTES, "%d %s%d r%d\n", i % 997, i % 2 ? "" : "v",
                                   i % 1009, i * 7 % 1013);
    for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
        OWNED(pc_context) *context = new_context(n_threads);
        OWNED(pc_labelled_edges) *labelled = NULL;
        MUST(read_labelled(context, "", text, &directed, "3", &labelled));
        OWNED(char) *found = show(labelled);
        CU_ASSERT_TRUE(!shown || strcmp(shown, found) == 0);
        CU_ASSERT_EQUAL(labelled->graph.texts.n, 1013);
        for (uint32_t i = 0; i < 1013; i++) {
            size_t n;
            char name[16];
            const char *is = pci_names_text(&labelled->graph.texts.names, i, &n);
            int wanted = snprintf(name, sizeof name, "r%u", i * 7 % 1013);
            CU_ASSERT_TRUE((int)n == wanted && memcmp(is, name, n) == 0);
        }
        if (!shown)
            shown = strdup(found);
    }
}

static pc_status read_and_free(pc_context *context, void *user)
{
    OWNED(pc_labelled_edges) *labelled = NULL;
    return read_labelled(context, ((const char **)user)[0], ((const char **)user)[1], NULL, "2",
                         &labelled);
}

static pc_status make_and_free(pc_context *context, void *user)
{
    static const char *const texts[] = {"x", "y"}, *const labels[] = {"b", "a"};
    static const uint64_t from[] = {0, 1, 1}, to[] = {1, 1, 0}, text[] = {1, 0, 1};
    const pc_edges edges = {
        .n_vertices = 2, .labels = labels, .n_edges = 3, .from = from, .to = to};
    OWNED(pc_labelled_edges) *labelled = NULL;
    pc_status status =
        pc_labelled_edges_from_edges(context, &edges, 2, texts, text, user, &labelled);
    if (status == PC_OK) {
        OWNED(char) *shown = show(labelled);
        CU_ASSERT_STRING_EQUAL(shown, "b a | b>a:y a>b:y a>a:x");
    }
    return status;
}

TEST("memory that runs out, and calls that are cancelled")
{
    const char *words[] = {"", "a x b\nb \"y\"\"\" a\n"}, *ids[] = {"", "1 x 2\n2 y 1\n"};
    const char *sif[] = {".sif", "a x b c\nb y a\n"};
    fail_each_allocation(read_and_free, words);
    fail_each_allocation(read_and_free, ids);
    const char *pajek[] = {".net", VERTICES "*Arcs :1 x\n1 2\n*Edges :2 y\n1 3\n"};
    fail_each_allocation(read_and_free, sif);
    fail_each_allocation(read_and_free, pajek);
    fail_each_allocation(make_and_free, (void *)&directed);
    cancel_at_each_question(read_and_free, 1, words);
}

TEST("arrays that are out of range")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *labelled = NULL;
    const uint64_t end[] = {0}, text[] = {1};
    const char *const texts[] = {"x", "x"};
    pc_edges edges = {.n_vertices = 1, .n_edges = 1, .from = end, .to = end};
    CU_ASSERT_TRUE(is_refused(
        context, pc_labelled_edges_from_edges(context, &edges, 1, texts, text, NULL, &labelled),
        PC_ERR_ARGUMENT, "has text 1, and there are 1"));
    CU_ASSERT_TRUE(is_refused(
        context, pc_labelled_edges_from_edges(context, &edges, 2, texts, text, NULL, &labelled),
        PC_ERR_ARGUMENT, "the same label"));
    CU_ASSERT_TRUE(is_refused(
        context, pc_labelled_edges_read(context, "/dev/null", (pc_format)99, NULL, "3", &labelled),
        PC_ERR_ARGUMENT, "unknown format"));
}

TEST("a wrong bit in labelled edges is found")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_labelled_edges) *labelled = NULL;
    MUST(read_labelled(context, "", "a b x\na b y\nb a zz\n", &directed, "3", &labelled));
    pc_graph *g = &labelled->graph;
    const struct {
        void *place;
        size_t bytes;
    } parts[] = {{g->text, 12},
                 {g->column, 12},
                 {g->row_start, 24},
                 {g->texts.names.text, 4},
                 {g->texts.names.start, 32},
                 {g->texts.names.slots, g->texts.names.n_slots * sizeof *g->texts.names.slots},
                 {&g->texts.n, 8},
                 {&g->labels.names.text[0], 2}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (size_t bit = 0; bit < 8 * parts[p].bytes; bit += p == 5 ? 61 : 1) {
            char *byte = (char *)parts[p].place + bit / 8, as_it_was = *byte;
            *byte = (char)(as_it_was ^ 1 << bit % 8);
            CU_ASSERT_EQUAL(pc_labelled_edges_check(context, labelled), PC_ERR_CERTIFY);
            *byte = as_it_was;
        }
    MUST(pc_labelled_edges_check(context, labelled));
}
