/* Pajek and DL, the formats of programs for social networks. Each file is typed here. */
#include "tests/support/fixture.h"

#include "tests/support/typed_file.h"

static const pc_graph_options defaults;
static const pc_graph_options directed = {.direction = PC_DIRECTED};
static const pc_graph_options undirected = {.direction = PC_UNDIRECTED};
static const pc_graph_options weighted = {.weights = 1};

TEST("Pajek")
{
    pc_graph_info info;
    const char *text = "*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n% *Arcs\n*Edges\n3 1\n2 2\n";
    check_reads("g.net", text, &defaults, "a b c", "a>c c>a b>b", &info);
    CU_ASSERT_STRING_EQUAL(info.format, "Pajek");
    const pc_graph_options twice = {.loops = PC_LOOPS_TWICE};
    check_reads("g.net", text, &twice, "a b c", "a>c c>a b>b*2", &info);
    CU_ASSERT_EQUAL(info.loops, PC_LOOPS_TWICE);
    check_reads("g.net", text, &directed, "a b c", "c>a b>b", &info);
    CU_ASSERT_TRUE(info.directed && info.direction_overridden);
    check_reads("g.PAJ", "*vertices 3\n*ARCS\n3 1\n", &defaults, "1 2 3", "3>1", &info);
    CU_ASSERT_TRUE(info.directed && !info.direction_overridden);
    check_reads("g.net", "*Vertices 3\n*Edgeslist\n3 1 2\n", &directed, "1 2 3", "3>1 3>2", &info);
    check_reads("g.net", "*Vertices 2\n*Matrix\n0 1\n0 1\n", &defaults, "1 2", "1>2 2>2", &info);
    /* A label that not every vertex has, or that two share, names none. */
    check_reads("g.net", "*Vertices 3\n1 \"a\"\n*Arcs\n1 2\n", &defaults, "1 2 3", "1>2", &info);
    check_reads("g.net", "*Vertices 2\n1 \"a\"\n2 \"a\"\n*Arcs\n1 2\n", &defaults, "1 2", "1>2",
                &info);
}

TEST("Pajek sections")
{
    pc_graph_info info;
    check_reads("g.net", "*Vertices 3\n*Edges\n1 2 4\n3 3 1\n*Arcs\n2 3 5\n*Edges :1\n", &weighted,
                "1 2 3", "1>2*4 2>1*4 2>3*5 3>3", &info);
    CU_ASSERT_TRUE(info.directed && info.n_duplicates == 0);
    check_reads("g.net", "*Vertices 3\n*Arcslist\n1 2\n\n*edgeslist\n2 3 1", &directed, "1 2 3",
                "1>2 2>3 3>2 2>1", &info);
    CU_ASSERT_FALSE(info.direction_overridden);
    check_reads("g.net", "*Vertices 2\n*Edges\n1 1\n*Arcs\n2 1\n", &undirected, "1 2",
                "1>1 1>2 2>1", &info);
    check_reads("g.net", "*Vertices 3\n*Edges\n1 2\n*Matrix\n0 0 1\n0 0 0\n0 0 0\n", &defaults,
                "1 2 3", "1>2 2>1 1>3", &info);
    check_reads("g.net", "*Vertices 2\n*Matrix\n0 1\n0 0\n*Edges\n2 2\n", &defaults, "1 2",
                "1>2 2>2", &info);
    check_reads("g.net", "*Vertices 3\n*Arcs\n2 1\n*Edges\n% none\n", &defaults, "1 2 3", "2>1",
                &info);
    CU_ASSERT_TRUE(info.directed);
    check_reads("g.net", "*Vertices 3\n*Arcs\n*Edges\n2 1\n*Arcs\n", &defaults, "1 2 3", "1>2 2>1",
                &info);
    check_reads("g.net", "*Vertices 3\n*Edges\n2 1\n*Arcs\n", &directed, "1 2 3", "2>1", &info);
    check_refused("g.net", "*Vertices 2\n1 \"a\n*Edges\n2 1\"\n*Arcs\n2 1\n", &defaults,
                  "2:", "double quote");
    check_reads("g.net", "*Vertices 4\n*Arcslist\n1 2 % 3\n3 4\n", &defaults, "1 2 3 4", "1>2 3>4",
                &info);
    check_reads("g.net", "*Vertices 2 % two\n1 \"50 % x\"\n2 b\n*Arcs\n2 2\n", &defaults,
                "50 % x b", "b>b", &info);
    check_refused("g.net", "*Vertices 3\n*Matrix\n0 1 0\n0 1\n1 0 0\n", &defaults,
                  "4:", "2 entries");
    check_refused("g.net", "*Vertices 3\n*Matrix\n0 1 0\n0 1 0\n", &defaults, "4:", "2 rows");
    check_reads("g.net", "*Vertices 3 1\n*Matrix\n0 1\n", &defaults, "1 2 3", "1>3 3>1", &info);
}

/* Two relations over the same vertices are two graphs, however the file tells them apart. */
TEST("several relations of Pajek")
{
    static const char *const second[] = {
        "*Vertices 3\n*Arcs\n1 2\n*Arcs\n2 3\n",
        "*Vertices 3\n*Edges\n1 2\n*edges\n2 3\n",
        "*Vertices 3\n*Arcslist\n1 2\n*Arcslist\n2 3\n",
    };
    pc_graph_info info;
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        check_refused("g.net", second[i], &defaults, "5:", "second relation");
    }
    check_refused("g.net", "*Vertices 2\n*Matrix\n0 1\n0 0\n*Matrix\n0 0\n1 0\n", &defaults,
                  "6:", "second relation");
    check_refused("g.net", "*Vertices 3\n*Arcs :1 \"likes\"\n1 2\n*Arcs :2 \"hates\"\n2 3\n",
                  &defaults, "5:", "the relations :1 and :2");
    check_refused("g.net", "*Vertices 3\n*Arcs\n1 2\n*Edges : 3\n2 3\n", &defaults,
                  "5:", "the relations :1 and :3");
    check_reads("g.net", "*Vertices 2\n*Matrix :7 \"x\"\n0 1\n0 0\n", &defaults, "1 2", "1>2",
                &info);
    check_reads("g.net", "*Vertices 2\n*Edges :1 \"x y\"\n1 2\n*Arcs :1\n*Edges :2\n", &defaults,
                "1 2", "1>2 2>1", &info);
    check_reads("g.net", "*Vertices 3\n*Arcs\n1 2\n*Arcslist\n2 3\n*Arcs\n", &defaults, "1 2 3",
                "1>2 2>3", &info);
}

TEST("what is drawn in Pajek")
{
    pc_graph_info info;
    check_reads(
        "g.net",
        "*Network x\n*Vertices 4\n1 \"a\" ic RED 0.1 0.2\n2 b ic Red bc Blue 0 0 box\n"
        "3 c-d 1.0 2.0 ellipse lbl hi\n4 \"5\" x_fact 2\n"
        "*Edges\n1 2 3 c Blue l \"lab x\"\n2 3 .5 w 7\n*Partition p\n*Vertices 4\n1\n2\n1\n\"\n",
        &defaults, "a b c-d 5", "a>b b>a b>c-d c-d>b", &info);
    check_refused("g.net", "*Vertices 2\n*Arcs\n1 2 1 [1-3]\n", &defaults, "3:", "at some times");
    check_refused("g.net", "*Network a\n*Vertices 2\n*Arcs\n1 2\n*Network b\n*Vertices 2\n",
                  &defaults, "5:", "a second network");
    check_refused("g.net", "*Vertices 2\n*Partition p\n1\n2\n*Arcs\n1 2\n", &defaults,
                  "5:", "behind a partition");
    check_refused("g.net", "1 2\n", &defaults, "1:", "no line '*Vertices N' before this one");
}

TEST("DL")
{
    pc_graph_info info;
    const char *text = "dl n=3\nformat = fullmatrix\ndata:\n0 1 1\n0 0 1\n0 0 1\n";
    check_reads("g.dl", text, &defaults, "1 2 3", "1>2 1>3 2>3 3>3", &info);
    CU_ASSERT_TRUE(info.directed && !info.direction_overridden);
    CU_ASSERT_STRING_EQUAL(info.format, "DL");
    check_reads("g.dl", text, &undirected, "1 2 3", "1>2 2>1 1>3 3>1 2>3 3>2 3>3", &info);
    CU_ASSERT_TRUE(info.direction_overridden);
    check_reads("g.dl", "DL N = 3\nlabels embedded:\ndata:\na b c\na 0 1 0\nb 0 0 1\nc 0 0 0\n",
                &defaults, "a b c", "a>b b>c", &info);
    check_reads("g.dl", "dl n=3\nformat = edgelist1\nlabels:\nx,y,z\ndata:\n3 1\n1 2 4\n",
                &defaults, "x y z", "z>x x>y", &info);
    check_reads("g.dl", "dl n=4\nformat = nodelist1\nlabels:\na b c  d \ndata:\n1 2 4\n4 1\n",
                &defaults, "a b c d", "a>b a>d d>a", &info);
}

TEST("DL as UCINET and sna write it")
{
    pc_graph_info info;
    check_reads(
        "g.dl",
        "DL N=3, NM = 1\nFORMAT = FULLMATRIX, DIAGONAL PRESENT\nROW LABELS:\n\"a,1\"\nb\nc\n"
        "COLUMN LABELS:\n\"a,1\"\nb\nc\nLEVEL LABELS:\nlevel\nDATA:\n0 1\n0\n1 0 1\n0 2 0\n",
        &weighted, "a,1 b c", "a,1>b b>a,1 b>c c>b*2", &info);
    check_reads("g.dl", "DL\nn = 3 format=edgelist1 labels embedded data:\n\"x\" y 2\ny z 3\n",
                &weighted, "x y z", "x>y*2 y>z*3", &info);
    check_reads("g.dl",
                "dl nr=3 nc=3\nlabels embedded:\ndata:\n a b c\na 0 1 0\nb 0 0 0\nc 1 0 0\n",
                &weighted, "a b c", "a>b c>a", &info);
    CU_ASSERT_EQUAL(info.max_weight, 1);
    check_reads("g.dl",
                "dl n=4\nformat=nodelist1\nlabels:\na,b,c,d\nlabels embedded\ndata:\nd a b\n",
                &defaults, "a b c d", "d>a d>b", &info);
    check_reads("g.dl", "dl n=3 format = edgelist1\ndata:\n1 2 0\n2 3 4\n", &defaults, "1 2 3",
                "1>2 2>3", &info);
    check_refused("g.dl", "dl n=2 nm=2\ndata:\n0 1\n1 0\n0 0\n0 0\n", &defaults, "1:", "nm = 2");
    check_refused("g.dl", "dl nr=2, nc=3\ndata:\n0 1 0\n1 0 0\n", &defaults,
                  "1:", "2 rows and 3 columns");
    check_refused("g.dl", "dl n=3\nformat=upperhalf\ndata:\n1 0\n1\n", &defaults,
                  "2:", "upperhalf");
    check_refused("g.dl", "dl n=2\nrow labels: a b\ncol labels: b a\ndata:\n0 1\n0 0\n", &defaults,
                  "1:", "other labels");
    check_refused("g.dl", "dl n=2\nlabels embedded\ndata:\na b\nb 0 1\na 0 0\n", &defaults,
                  "5:", "the row is called 'b' and its column 'a'");
    check_refused("g.dl", "dl n=2\nlabels: a\ndata:\n0 1\n0 0\n", &defaults, "3:", "1 labels");
    check_refused("g.dl", "dl n=2\nformat=edgelist1 labels embedded\ndata:\na b\nb c\n", &defaults,
                  "5:", "one vertex more than the 2");
    check_refused("g.dl", "dl n=2 format=edgelist1\nlabels: a b\nlabels embedded\ndata:\na c\n",
                  &defaults, "5:", "no vertex is called 'c'");
    check_refused("g.dl", "dl n=2\ndata:\n0 x\n0 0\n", &defaults, "3:", "'x' is not a number");
    check_refused("g.dl", "dl n=2\ndata:\n0 1\n0 0\n0 0\n", &defaults, "5:", "more rows than 2");
    check_refused("g.dl", "dl n=2 colour\ndata:\n0 1\n0 0\n", &defaults,
                  "1:", "'colour' is not expected");
    check_refused("g.dl", "dl format=edgelist1\ndata:\n1 2\n", &defaults, "1:", "n = N");
    check_refused("g.dl", "dl n=2 format=edgelist1\n", &defaults, "1:", "ends before 'data:'");
}
