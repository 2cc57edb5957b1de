/* GraphML, GML, NCOL and LGL: each file read as its writer meant it, and those refused that could be read as another
 * graph. Each file is typed here. */
#include "tests/support/fixture.h"

#include "tests/support/typed_file.h"
#include "tests/support/reading.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

static const pc_graph_options defaults;
static const pc_graph_options directed = {.direction = PC_DIRECTED};
static const pc_graph_options undirected = {.direction = PC_UNDIRECTED};
static const pc_graph_options weighted = {.weights = 1};

/* ---- The formats ----------------------------------------------------------------------------- */

#define GRAPHML_HEAD                                                                               \
    "<?xml version=\"1.0\"?>\n<!-- <edge directed='true'/> -->\n"                                  \
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"                                  \
    "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"                     \
    "<key id=\"l\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
#define GRAPHML_TAIL  "</graph>\n</graphml>\n"
#define GRAPHML_NODES "<node id=\"c\"/><node id=\"a\"/>\n<node id=\"b\"/>\n"

TEST("GraphML")
{
    pc_graph_info info;
    const char *text = GRAPHML_HEAD "<graph edgedefault=\"undirected\">\n" GRAPHML_NODES
                                    "<edge source=\"c\" target=\"a\"/><edge source=\"b\" "
                                    "target=\"b\" directed='false'/>" GRAPHML_TAIL;
    check_reads("g.graphml", text, &defaults, "c a b", "c>a a>c b>b", &info);
    CU_ASSERT_FALSE(info.directed);
    CU_ASSERT_EQUAL(info.n_edges, 2);
    CU_ASSERT_EQUAL(info.n_loops, 1);
    CU_ASSERT_STRING_EQUAL(info.format, "GraphML");
    check_reads("g.graphml", text, &directed, "c a b", "c>a b>b", &info);
    CU_ASSERT_TRUE(info.directed && info.direction_overridden);
    text = GRAPHML_HEAD "<graph edgedefault='directed'>" GRAPHML_NODES
                        "<edge source=\"c\" target=\"a\" directed=\"true\"/>" GRAPHML_TAIL;
    check_reads("g.graphml", text, NULL, "c a b", "c>a", &info);
    CU_ASSERT_TRUE(info.directed && !info.direction_overridden);
    check_reads("g.graphml", text, &undirected, "c a b", "c>a a>c", &info);
    CU_ASSERT_TRUE(!info.directed && info.direction_overridden);
    text = GRAPHML_HEAD "<graph id=\"G\">" GRAPHML_NODES
                        "<edge source=\"c\" target=\"a\"/>" GRAPHML_TAIL;
    check_reads("g.graphml", text, &directed, "c a b", "c>a", &info);
    CU_ASSERT_TRUE(info.directed && !info.direction_overridden);
    check_reads("g.graphml", text, &defaults, "c a b", "c>a a>c", &info);
}

TEST("GML")
{
    pc_graph_info info;
    const char *text = "# [ graph [ directed 1\n"
                       "graph [ node [ id 7 label \"x\" ] node [ id 3 label \"y\" ]\n"
                       "edge [ source 7 target 3 ] edge [ source 3 target 3 ] ]";
    check_reads("g.gml", text, &defaults, "x y", "x>y y>x y>y", &info);
    CU_ASSERT_FALSE(info.directed);
    CU_ASSERT_STRING_EQUAL(info.format, "GML");
    check_reads("g.gml", text, &directed, "x y", "x>y y>y", &info);
    CU_ASSERT_TRUE(info.direction_overridden);
    text = "graph [ directed 0 node [ id 7 ] node [ id 3 ] edge [ source 7 target 3 ] ]";
    check_reads("g.gml", text, &defaults, "3 7", "3>7 7>3", &info);
    check_reads("g.gml", text, &directed, "3 7", "7>3", &info);
    text = "graph [ graph [ directed 1 ] node [ id 7 ] node [ id 3 ] edge [ source 7 target 3 ] ]";
    check_reads("g.gml", text, &defaults, "3 7", "3>7 7>3", &info);
    text = "graph [ node [ id 7 directed 5 ] node [ id 3 ] edge [ source 7 target 3 ] directed 1 ]";
    check_reads("g.gml", text, &defaults, "3 7", "7>3", &info);
    CU_ASSERT_TRUE(info.directed && !info.direction_overridden);
}

/* A node with such a label, and a loop. */
static void check_label(const char *written, const char *meant)
{
    pc_graph_info info;
    char text[256], arcs[256];
    snprintf(text, sizeof text, "graph [ node [ id 1 label \"%s\" ] edge [ source 1 target 1 ] ]",
             written);
    snprintf(arcs, sizeof arcs, "%s>%s", meant, meant);
    check_reads("g.gml", text, &defaults, meant, arcs, &info);
}

TEST("entities in GML")
{
    check_label("S&#227;o", "S\xc3\xa3o");
    check_label("&nbsp;", "&nbsp;");
    check_label("&#8364;&#x1F600;&#X41;", "\xe2\x82\xac\xf0\x9f\x98\x80"
                                          "A");
    check_label("&#34;&#38;&#x26;amp;", "\"&&amp;");
    check_label("&quot;&amp;&lt;", "\"&<");
    check_label("a&b;c&#;&#x;&#1x;", "a&b;c&#;&#x;&#1x;");
    check_label("&#xd800;&#x110000;", "&#xd800;&#x110000;");
    check_label("&withoutanend", "&withoutanend");
}

TEST("NCOL and LGL")
{
    pc_graph_info info;
    check_reads("g.ncol", "b a\na a\r\nc b 7\n\n", &defaults, "b a c", "a>b b>a a>a b>c c>b",
                &info);
    CU_ASSERT_TRUE(!info.directed && info.weights_ignored && info.n_loops == 1);
    CU_ASSERT_STRING_EQUAL(info.format, "NCOL");
    check_reads("g.ncol", "b a\nc b", &directed, "b a c", "b>a c>b", &info);
    CU_ASSERT_TRUE(info.directed && !info.direction_overridden);
    check_reads("g.ncol", "10 9\n9 100\n", &defaults, "9 10 100", "9>10 10>9 9>100 100>9", &info);
    check_reads("g.ncol", "10 9\n9 100\n", &directed, "9 10 100", "10>9 9>100", &info);
    check_reads("g.lgl", "# b\na\nc 5\n# c\na\n", &defaults, "b a c", "b>a a>b b>c c>b c>a a>c",
                &info);
    CU_ASSERT_STRING_EQUAL(info.format, "LGL");
    check_reads("g.lgl", "# b\na\n", &directed, "b a", "b>a", &info);
}

TEST("ids of GML beyond 32 bits")
{
    pc_graph_info info;
    check_reads("g.gml",
                "graph [ node [ id 5000000000 ] node [ id -007 ] node [ id 9007199254740993 ]\n"
                "node [ id 9007199254740992 ] edge [ source 9007199254740993 target 5000000000 ]\n"
                "edge [ target 9007199254740992 source -007 ] ]",
                &directed, "5000000000 -007 9007199254740993 9007199254740992",
                "9007199254740993>5000000000 -007>9007199254740992", &info);
    check_reads("g.gml",
                "graph [ node [ id 18446744073709551616 ] node [ id 3 ]\n"
                "edge [ source +3 target 018446744073709551616 ] directed 1 ]",
                &defaults, "18446744073709551616 3", "3>18446744073709551616", &info);
    check_reads(
        "g.gml",
        "graph [ node [ id 5000000000 label \"x\" ] node [ id -2 label \"y\" ] edge [ source "
        "-2 target 5000000000 ] ]",
        &directed, "x y", "y>x", &info);
    check_refused("g.gml", "graph [ node [ id 5000000000 ]\nedge [ source 5000000000 target 0 ] ]",
                  &defaults, "2:", "no node has the id that is the target");
    check_refused("g.gml", "graph [ node [ id 5000000000 ]\nnode [ id 5000000000 ] ]", &defaults,
                  "2:", "another node before has this id");
}

TEST("GraphML with keys for all elements and blanks in namespaces")
{
    pc_graph_info info;
    const char *keys[] = {"<key id=\"w\" for=\"all\" attr.name=\"weight\" attr.type=\"int\"/>",
                          "<key id=\"w\" attr.name=\"weight\" attr.type=\"int\"/>",
                          "<key id=\"v\" for=\"node\" attr.name=\"weight\" attr.type=\"int\"/>"
                          "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"int\"/>"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\" "
                 "http://www.w3.org/2001/XML Schema-instance\n\">%s<graph>" GRAPHML_NODES
                 "<edge source=\"a\" target=\"b\"><data key=\"w\">4</data></edge>" GRAPHML_TAIL,
                 keys[i]);
        check_reads("g.graphml", text, &weighted, "c a b", "a>b*4 b>a*4", &info);
    }
    const char *two =
        GRAPHML_HEAD "<key id=\"v\" for=\"edge\" attr.name=\"weight\" attr.type=\"int\"/>\n"
                     "<graph>" GRAPHML_NODES "<edge source=\"a\" target=\"b\"/>" GRAPHML_TAIL;
    check_refused("g.graphml", two, &weighted, "6:", "called weight, \"w\" and \"v\"");
    check_reads("g.graphml", two, &defaults, "c a b", "a>b b>a", &info);
}

/* The text of a file tells its format, where the name tells another one of igraph. */
TEST("the text and the name")
{
    static const char gml[] =
        "Creator \"x\"\ngraph\n[ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]";
    static const char graphml[] = GRAPHML_HEAD "<graph>" GRAPHML_NODES GRAPHML_TAIL;
    pc_graph_info info;
    const char *names[] = {"g.graphml", "g.gml", "g.net", "g.dl", "g.lgl", "g.ncol"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_reads(names[i], gml, &defaults, "1 2", "1>2 2>1", &info);
        CU_ASSERT_STRING_EQUAL(info.format, "GML");
        check_reads(names[i], "% x\n*vertices 2\n*Edges\n1 2\n", &defaults, "1 2", "1>2 2>1",
                    &info);
        check_reads(names[i], "DL\n N = 2 data:\n0 1\n0 0\n", &defaults, "1 2", "1>2", &info);
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = NULL;
        MUST(read_bytes(context, names[i], graphml, strlen(graphml), NULL, &graph));
        check_labels(graph, "c a b");
        if (i < 5) /* NCOL has no marks */
            check_refused(names[i], "1 2\n2 3\n", &defaults,
                          "1:", "--format edges reads an edge list");
    }
    check_refused("g.gml", "{\"nodes\": []}", &defaults, "1:", "this looks like JSON");
    OWNED(pc_context) *context = new_context(0);
    pc_graph *graph = NULL;
    char *path = temporary_path("g.gml");
    scratch_write(path, graphml, strlen(graphml));
    CU_ASSERT(is_refused(context, pc_graph_read(context, path, PC_FORMAT_GML, NULL, &graph),
                         PC_ERR_DATA, "a key is expected here"));
    remove_path(path);
}

/* ---- Weights --------------------------------------------------------------------------------- */

TEST("weights")
{
    pc_graph_info info;
    const pc_graph_options added = {.weights = 1, .multigraph = 1};
    check_reads("g.ncol", "a b 3\nb c 0\nc c 2\n", &weighted, "a b c", "a>b*3 b>a*3 c>c*2", &info);
    CU_ASSERT_FALSE(info.weights_ignored);
    CU_ASSERT_EQUAL(info.max_weight, 3);
    check_reads("g.ncol", "a b 3\na b 4\n", &added, "a b", "a>b*7 b>a*7", &info);
    check_refused("g.ncol", "a b\nb c\n", &weighted, "", "leave --weights out");
    check_reads("g.ncol", "a b 3\nb c 0\n", &defaults, "a b c", "a>b b>a b>c c>b", &info);
    check_reads("g.lgl", "# a\nb 18446744073709551615\n", &weighted, "a b",
                "a>b*18446744073709551615 b>a*18446744073709551615", &info);
    check_reads("g.net", "*Vertices 2\n*Arcs\n1 2 5 c Blue\n", &weighted, "1 2", "1>2*5", &info);
    check_reads("g.net", "*Vertices 2\n*Arcs\n1 2 c Blue\n", &defaults, "1 2", "1>2", &info);
    CU_ASSERT_FALSE(info.weights_ignored);
    check_reads("g.net", "*Vertices 2\n*Arcs\n1 2 2.5\n", &defaults, "1 2", "1>2", &info);
    CU_ASSERT_TRUE(info.weights_ignored);
    check_reads("g.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 value 6 ] ]",
                &weighted, "0 1", "0>1*6 1>0*6", &info);
    check_reads("g.gml",
                "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 value 6 weight 2 ] ]",
                &weighted, "0 1", "0>1*2 1>0*2", &info);
    check_reads("g.graphml",
                GRAPHML_HEAD
                "<graph edgedefault=\"directed\">" GRAPHML_NODES
                "<edge source=\"a\" target=\"b\"><data key=\"w\">4</data></edge>" GRAPHML_TAIL,
                &weighted, "c a b", "a>b*4", &info);
    check_reads("g.dl", "dl n=2\nformat = edgelist1\ndata:\n1 2 4\n", &weighted, "1 2", "1>2*4",
                &info);
}

TEST("weights under another name")
{
    check_refused(
        "g.graphml",
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><key id=\"a\" for=\"edge\" "
        "attr.name=\"Weight\" attr.type=\"double\"/><key id=\"b\" for=\"edge\" "
        "attr.name=\"kind\" attr.type=\"string\"/><key id=\"c\" for=\"edge\" attr.name=\"cost\" "
        "attr.type=\"int\"/><graph>" GRAPHML_NODES
        "<edge source=\"a\" target=\"b\"><data key=\"a\">2</data></edge>" GRAPHML_TAIL,
        &weighted, "", "edges have no 'weight', but they have 'Weight', 'cost': call that");
    check_refused("g.gml", "graph [ node [ id 0 ] edge [ source 0 target 0 cost 2 ] ]", &weighted,
                  "", "they have 'cost'");
}

TEST("weights with decimals")
{
    pc_graph_info info;
    const pc_graph_options real = {.weights = 1, .real_weights = 1};
    check_reads("g.ncol", "a b 0.25\nb c 3\n", &real, "a b c", "a>b*25 b>a*25 b>c*300 c>b*300",
                &info);
    CU_ASSERT(info.decimals == 2 && info.max_weight == 300 && info.weight_error == 0);
    check_reads("g.graphml",
                GRAPHML_HEAD
                "<graph edgedefault=\"directed\">" GRAPHML_NODES
                "<edge source=\"a\" target=\"b\"><data key=\"w\">0.1</data></edge>" GRAPHML_TAIL,
                &real, "c a b", "a>b", &info);
    CU_ASSERT_EQUAL(info.decimals, 1);
    check_reads("g.ncol", "a b 2\nb c 3\n", &real, "a b c", "a>b*2 b>a*2 b>c*3 c>b*3", &info);
    CU_ASSERT_EQUAL(info.decimals, 0);
    check_refused("g.ncol", "a b 1e15\nb c 1e-9\n", &real, "2:", "6 of its digits");
    check_refused("g.ncol", "a b -0.5\n", &real, "1:", "weight '-0.5' is negative");
}

TEST("weights on some edges only")
{
    check_refused("g.ncol", "a b 3\nb c\n", &weighted, "2:", "no weight here");
    check_refused("g.ncol", "a b\nb c 1\n", &weighted, "2:", "a weight here");
    check_refused("g.lgl", "# a\nb 3\nc\n", &weighted, "3:", "no weight here");
    check_refused("g.net", "*Vertices 3\n*Arcs\n1 2\n2 3 5\n", &weighted, "4:", "a weight here");
    check_refused("g.net", "*Vertices 3\n*Arcs\n1 2 5\n*Arcslist\n2 3\n", &weighted,
                  "5:", "no weight here");
    check_refused("g.dl", "dl n=3\nformat = edgelist1\ndata:\n1 2 4\n2 3\n", &weighted,
                  "5:", "no weight here");
    check_refused("g.gml",
                  "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 weight 1 ]"
                  " edge [ source 0 target 0 ] ]",
                  &weighted, "1:", "no weight here");
}

TEST("weights that are no multiplicities")
{
    check_refused("g.ncol", "a b -1\n", &weighted, "1:", "weight '-1' is negative");
    check_refused("g.ncol", "a b 0.5\n", &weighted, "1:", "--markov and --katz");
    check_refused("g.ncol", "a b 18446744073709551616\n", &weighted, "1:", "2^64-1");
    check_refused("g.ncol", "a b inf\n", &weighted, "1:", "not a number");
    check_refused("g.ncol", "a b 1\nb a 2\n", &weighted, "", "");
    check_refused("g.gml", "graph [ node [ id 0 ] edge [ source 0 target 0 weight \"x\" ] ]",
                  &weighted, "1:", "not a number");
}

/* ---- What could be read as another graph ---------------------------------------------------------- */

TEST("comments in NCOL and LGL")
{
    check_refused("g.ncol", "a b\n  # c\nc d\n", &defaults, "2:", "no comments");
    check_refused("g.ncol", "% c\nc d\n", &defaults, "1:", "no comments");
    check_refused("g.lgl", "# a\nb\n%c\n", &defaults, "3:", "no comments");
}

TEST("GraphML of other kinds")
{
    check_refused("g.graphml",
                  GRAPHML_HEAD "<graph edgedefault=\"undirected\">\n" GRAPHML_NODES
                               "<edge source=\"a\" target='b'\ndirected =\"true\"/>" GRAPHML_TAIL,
                  &defaults, "9:", "directed is not \"false\"");
    check_refused("g.graphml",
                  GRAPHML_HEAD "<graph edgedefault=\"directed\">\n" GRAPHML_NODES
                               "<edge directed='false' source=\"a\" target='b'/>" GRAPHML_TAIL,
                  &undirected, "9:", "directed is not \"true\"");
    check_refused("g.graphml", GRAPHML_HEAD "<graph edgedefault=\"\">\n" GRAPHML_NODES GRAPHML_TAIL,
                  &defaults, "6:", "edgedefault");
    check_refused("g.graphml",
                  GRAPHML_HEAD "<graph>" GRAPHML_NODES "</graph>\n<graph>" GRAPHML_TAIL, &defaults,
                  "9:", "second");
    check_refused("g.graphml", GRAPHML_HEAD "<graph>" GRAPHML_NODES "<hyperedge/>" GRAPHML_TAIL,
                  &defaults, "8:", "hyperedge");
    check_refused("g.graphml",
                  GRAPHML_HEAD "<graph>" GRAPHML_NODES
                               "<edge source=\"a\" target=\"z\"/>" GRAPHML_TAIL,
                  &defaults, "", "an end of an edge is the id of no <node>: 'z'");
    check_refused("g.graphml",
                  "<!DOCTYPE graphml [<!ENTITY e '<edge/>'>]>\n" GRAPHML_HEAD
                  "<graph>" GRAPHML_NODES GRAPHML_TAIL,
                  &defaults, "1:", "this looks like XML");
    check_refused("g.graphml", "<graphml>\n<!DOCTYPE graphml [<!ENTITY e '<edge/>'>]></graphml>",
                  &defaults, "2:", "DOCTYPE");
    check_refused("g.graphml", GRAPHML_HEAD "<graph>" GRAPHML_NODES "<node id='a'/>" GRAPHML_TAIL,
                  &defaults, "8:", "several <node> have the same id");
    check_refused("g.graphml",
                  GRAPHML_HEAD "<graph>" GRAPHML_NODES
                               "<edge source='a' source='b' target='a'/>" GRAPHML_TAIL,
                  &defaults, "8:", "an attribute is given twice");
    check_refused("g.graphml",
                  GRAPHML_HEAD "<graph>" GRAPHML_NODES
                               "<g:edge source='a' target='b'/>" GRAPHML_TAIL,
                  &defaults, "8:", "prefix 'g:'");
}

TEST("GML and DL of other kinds")
{
    check_refused("g.gml", "graph [ node [ id 0 ] ]\ngraph [ node [ id 1 ] ]", &defaults,
                  "2:", "second graph");
    check_refused("g.gml", "graph [\ndirected \"1\" node [ id 0 ] ]", &defaults, "2:", "0 or 1");
    check_refused("g.gml", "graph [ directed 2 node [ id 0 ] ]", &defaults, "1:", "0 or 1");
    check_refused("g.gml", "graph [ directed 0\ndirected 1 node [ id 0 ] ]", &defaults,
                  "2:", "twice");
    check_refused("g.gml", "graph [ node [ id 0\nid 1 ] node [ id 2 ] ]", &defaults,
                  "2:", "id is given twice");
    check_refused("g.gml",
                  "graph [ node [ id 0 ] node [ id 1 ]\nedge [ source 0 target 1 target 0 ] ]",
                  &defaults, "2:", "target is given twice");
    check_refused("g.dl", "dl n=3\nformat = edgelist1\ndata:\n1 2\n,\n2 3\n", &defaults,
                  "5:", "comma");
    check_refused("g.dl", "dl n=3\ndata:\n0 1 1\n0 1\n0 0 1\n", &defaults,
                  "4:", "more than 3 entries");
    check_refused("g.dl", "dl n=3\ndata:\n0 1 1\n0 1 0\n", &defaults, "5:", "2 rows");
    check_refused("g.dl", "dl n=2\nlabels embedded\ndata:\na b\na 0 1\nb 0\n", &defaults,
                  "7:", "1 rows");
}

/* ---- Files that are not what they should be -------------------------------------------------- */

TEST("malformed files")
{
    check_refused("g.graphml", GRAPHML_HEAD "<graph>" GRAPHML_NODES, &defaults, "7:", "ends early");
    check_refused("g.graphml", GRAPHML_HEAD "<graph>\n<node id=\"a\"></graph>", &defaults,
                  "7:", "is not closed");
    check_refused("g.graphml", GRAPHML_HEAD "<graph>\n<edge source=\"a\"/>" GRAPHML_TAIL, &defaults,
                  "7:", "without target");
    check_refused("g.graphml",
                  "<graphml><graph><edge source=\"a\" target=\"b\"/></graph></graphml>", &defaults,
                  "1:", "no node");
    check_refused("g.graphml", "<graphs>\n</graphs>\n", &defaults, "1:", "not GraphML");
    check_refused("g.gml", "graph [\n node [ id 0 ]\n edge [ source 0\n", &defaults,
                  "3:", "the file ends early: GML has keys with values");
    check_refused("g.gml", "graph [\n node [ id 0 ]\n edge [ source 0 target 5 ] ]", &defaults,
                  "3:", "no node has the id that is the target");
    check_refused("g.gml", "node [ id 0 ]", &defaults, "1:", "there is no 'graph [ ... ]'");
    check_refused("g.net", "*Vertices 2\n*Arcs\n1\n", &defaults, "3:", "Pajek has");
    check_refused("g.net", "*Vertices 2\n*Arcs\n1\n\n\n1 2\n", &defaults, "3:", "Pajek has");
    check_refused("g.net", "*Vertices 2\n*Arcs\n1 2\n1", &defaults, "4:", "Pajek has");
    check_refused("g.net", "*Vertices 2\n*Arcs\n1 3\n", &defaults, "3:", "no vertex 3");
    check_refused("g.net", "*Vertices 2\n0 \"a\"\n", &defaults, "2:", "no vertex 0");
    check_refused("g.net", "*Vertices 2\n*Arcslist\n1 2 2\n1 2 7\n", &defaults,
                  "4:", "no vertex 7");
    check_refused("g.lgl", "# a\nb 1 d\n", &defaults, "2:", "3 words");
    check_refused("g.lgl", "# a\nb c\n", &defaults, "2:", "not a number");
    check_refused("g.lgl", "#\nb\n", &defaults, "1:", "empty name");
    check_refused("g.lgl", "b\n# a\n", &defaults, "1:", "before the first line");
    check_refused("g.ncol", "a b\nc\n", &defaults, "2:", "1 words");
    check_refused("g.dl", "dl n=2\nformat = edgelist1\ndata:\n1 two\n", &defaults, "4:", "");
    check_refused("g.dl", "dl n=2\nformat = edgelist1\ndata:\n1 3\n", &defaults,
                  "4:", "no vertex 3");
    check_refused("g.dl", "dl n=2\nformat = edgelist1\ndata:\n1\n1 2\n", &defaults,
                  "4:", "two vertices");
    check_refused("g.ncol", "\n\n", &defaults, "3:", "no vertices");
    check_refused("g.gml", "graph [ ]", &defaults, "1:", "no vertices");
    static const char *const names[] = {"g.graphml", "g.gml", "g.net", "g.lgl", "g.ncol", "g.dl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_refused(names[i], "", &defaults, "1:", "empty");
        check_refused_bytes(names[i], "a b\n\0", 5, &defaults, "2:", "a NUL byte");
        check_refused_bytes(names[i], "\xff\xfe<\0", 4, &defaults, "1:", "UTF-16");
    }
}

TEST("byte order mark")
{
    pc_graph_info info;
    check_reads("g.ncol",
                "\xef\xbb\xbf"
                "a b\n",
                &defaults, "a b", "a>b b>a", &info);
}

/* Vertices that are asked for may stand in for a text, but in no format that states its own. */
TEST("empty texts and vertices that are asked for")
{
    static const char *const names[] = {"g.graphml", "g.gml", "g.net", "g.dl"};
    const pc_graph_options three = {.n_vertices = 3};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_refused(names[i], "", &three, "1:", "");
}

/* Refused from the header, before there is room for vertices. */
TEST("too many vertices declared")
{
    pc_context *context = new_context(0);
    pc_graph *graph = NULL;
    pc_context_set_memory_limit(context, 4 << 20);
    const char *pajek = "*Vertices 1000000\n*Arcs\n1 2\n";
    const char *dl = "dl n=1000000\nformat = edgelist1\ndata:\n1 2\n";
    CU_ASSERT_EQUAL(read_bytes(context, "g.net", pajek, strlen(pajek), NULL, &graph),
                    PC_ERR_MEMORY);
    CU_ASSERT_EQUAL(read_bytes(context, "g.dl", dl, strlen(dl), NULL, &graph), PC_ERR_MEMORY);
    pc_context_free(context);
    check_refused("g.net", "*Vertices 2097182\n*Arcs\n1 2\n", &defaults, "1:", "--max-vertices");
    check_refused("g.net", "*Vertices 99999999999999999999\n*Arcs\n1 2\n", &defaults,
                  "1:", "2^32-1");
}

TEST("packed file")
{
    static const char text[] = "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]";
    char *path = temporary_path("g.gml.gz");
    struct archive *out = archive_write_new();
    struct archive_entry *file = archive_entry_new();
    archive_write_set_format_raw(out);
    archive_write_add_filter_gzip(out);
    CU_ASSERT_EQUAL(archive_write_open_filename(out, path), ARCHIVE_OK);
    archive_entry_set_filetype(file, AE_IFREG);
    archive_write_header(out, file);
    archive_write_data(out, text, strlen(text));
    archive_write_close(out);
    archive_entry_free(file);
    archive_write_free(out);
    pc_context *context = new_context(0);
    pc_graph *graph = NULL;
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph));
    check_arcs(graph, "1>2 2>1");
    pc_graph_free(graph);
    pc_context_free(context);
    remove_path(path);
}
