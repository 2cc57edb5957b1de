/* Formats that the name or the text tells: read, or refused where the two differ, never taken for edge lists. */
#include "tests/support/reading.h"
#include "tool.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct sample {
    const char *name, *text;
    const char *format; /* in messages or in the info; NULL: it is an edge list */
} sample;

/* What the name alone tells is an edge list to the eye, and each is refused. */
static const sample refused[] = {
    {"a.net", "a b\n", "pajek"}, {"a.paj", "a b\n", "pajek"},       {"a.dl", "a b\n", "dl"},
    {"a.gml", "a b\n", "gml"},   {"a.graphml", "a b\n", "graphml"},
};

/* The text tells these formats, whatever the name. */
static const sample recognised[] = {
    {"a.lgl", "# a\nb\nc 5\n", "LGL"},
    {"a.LGL", "# a\nb\n", "LGL"},
    {"a.ncol", "a b\nb c 2\n", "NCOL"},
    {"a.txt", "% by hand\n\n*vertices 3\n*edges\n1 2\n", "Pajek"},
    {"a.txt", "*Network N\n*Vertices 3\n1 2\n", "Pajek"},
    {"a", "<?xml version=\"1.0\"?>\n<graphml><graph><node id='a'/></graph></graphml>\n", "GraphML"},
    {"a.csv", "<graphml><graph><node id='a'/></graph></graphml>\n", "GraphML"},
    {"a.txt", "graph [\n directed 0\nnode [ id 1 ] ]", "GML"},
    {"a.txt", "Creator \"igraph version 0.10\"\nVersion 1\ngraph\n[\nnode [ id 1 ] ]", "GML"},
    {"a.txt", "# made by hand\ngraph [ node [ id 1 ] ]\n", "GML"},
    {"a.txt", "dl n=1\nformat = fullmatrix\ndata: 0\n", "DL"},
    {"a.txt",
     "\xef\xbb\xbf"
     "DL\nformat = edgelist1 N = 3\ndata:\n",
     "DL"},
};

/* Near to them, and edge lists all the same. */
static const sample taken[] = {
    {"a.txt", "graph theory\n", NULL},
    {"a.txt", "dl n\n", NULL},
    {"a.txt", "creator graph\n", NULL},
    {"a.txt", "version 1\ngraph version\n", NULL},
    {"a.net.txt", "a b\n", NULL},
    {"net", "a b\n", NULL},
    {"a.txt", "*star b\n", NULL},
    {"a.network", "a b\n", NULL},
    {"a.txt", "# *Vertices 3\n1 2\n", NULL},
    {"a.mtx.lgl.csv", "a,b\n", NULL},
};

static pc_status read_as(pc_context *context, const sample *s, pc_format format, pc_graph **graph)
{
    char folder[512], path[600];
    scratch_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/%s", folder, s->name);
    scratch_write(path, s->text, strlen(s->text));
    pc_relation *relation = NULL;
    pc_status of_relation = pc_relation_read(context, path, NULL, &relation);
    pc_status status = pc_graph_read(context, path, format, NULL, graph);
    if (format == PC_FORMAT_AUTO && (status || !s->format)) /* a relation is no graph */
        CU_ASSERT_EQUAL(of_relation, status);
    pc_relation_free(relation);
    unlink(path);
    rmdir(folder);
    return status;
}

TEST("names of formats that the text belies")
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = NULL;
        CU_ASSERT_EQUAL(read_as(context, &refused[i], PC_FORMAT_AUTO, &graph), PC_ERR_DATA);
        CU_ASSERT(says(context, "--format edges"));
        CU_ASSERT_PTR_NULL(graph);
    }
}

TEST("formats that the text tells")
{
    for (size_t i = 0; i < sizeof recognised / sizeof *recognised; i++) {
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = NULL;
        pc_graph_info info = {0};
        CU_ASSERT(succeeds(context, read_as(context, &recognised[i], PC_FORMAT_AUTO, &graph)));
        pc_graph_get_info(graph, &info);
        CU_ASSERT_STRING_EQUAL(info.format, recognised[i].format);
    }
}

TEST("edge lists near to them are read")
{
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        pc_context *context = NULL;
        pc_graph *graph = NULL;
        CU_ASSERT_EQUAL_FATAL(pc_context_create(&context), PC_OK);
        pc_status status = read_as(context, &taken[i], PC_FORMAT_AUTO, &graph);
        if (status != PC_OK)
            printf("\n    %s: '%s'\n", taken[i].name, pc_context_message(context));
        CU_ASSERT_EQUAL(status, PC_OK);
        pc_graph_free(graph);
        pc_context_free(context);
    }
}

/* Who says that it is an edge list is believed. */
TEST("an edge list by another name")
{
    const sample list = {"a.ncol", "a b\nb c\n", NULL};
    pc_context *context = NULL;
    pc_graph *graph = NULL;
    CU_ASSERT_EQUAL_FATAL(pc_context_create(&context), PC_OK);
    CU_ASSERT_EQUAL(read_as(context, &list, PC_FORMAT_EDGE_LIST, &graph), PC_OK);
    CU_ASSERT_EQUAL(pc_graph_n_vertices(graph), 3);
    pc_graph_free(graph);
    pc_context_free(context);
}

/* Each row of the table of formats is what the readers and writers do. */
TEST("the table of formats")
{
    static const char npy[] =
        "\x93NUMPY\1\0\72\0{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2)}\n"
        "\1\1\1\1";
    static const char *const texts[] = {
        [PC_FORMAT_EDGE_LIST] = "0 1\n",
        [PC_FORMAT_MATRIX_MARKET] = "%%MatrixMarket matrix coordinate pattern general\n"
                                    "2 2 1\n1 2\n",
        [PC_FORMAT_GRAPH6] = "A_\n",
        [PC_FORMAT_ADJACENCY_LIST] = "a b c\n",
        [PC_FORMAT_METIS] = "2 1\n2\n1\n",
        [PC_FORMAT_DIMACS] = "p edge 2 1\ne 1 2\n",
        [PC_FORMAT_SIF] = "a pp b\n",
        [PC_FORMAT_JSON] = "{\"edges\": [{\"from\": 1, \"to\": 2}]}",
        [PC_FORMAT_MATRIX] = "0 1\n1 0\n",
        [PC_FORMAT_NPY] = npy,
        [PC_FORMAT_NPZ] = NULL,
        [PC_FORMAT_SERIALIZED] = NULL,
        [PC_FORMAT_MULTILINE_ADJACENCY_LIST] = "a 1\nb {}\n",
        [PC_FORMAT_TUPLES] = "(a, b)\n",
        [PC_FORMAT_GRAPHML] = "<graphml><graph><node id='a'/></graph></graphml>",
        [PC_FORMAT_GML] = "graph [ node [ id 1 ] ]",
        [PC_FORMAT_PAJEK] = "*Vertices 2\n",
        [PC_FORMAT_LGL] = "# a\nb\n",
        [PC_FORMAT_NCOL] = "a b\n",
        [PC_FORMAT_DL] = "dl n=1 data: 0\n"};
    const pc_file_format *format;
    unsigned i = 0;
    for (; (format = pc_file_format_at(i)) != NULL; i++) {
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = NULL, *read = NULL;
        OWNED(pc_writer) *writer = NULL;
        char name[64];
        size_t stem = 0;
        snprintf(name, sizeof name, "x%s.GZ", format->ending);
        CU_ASSERT_PTR_EQUAL(pc_file_format_of(name, &stem), format);
        CU_ASSERT_EQUAL(stem, 1);
        const char *text = texts[format->format];
        size_t n_bytes = text == npy ? sizeof npy - 1 : text ? strlen(text) : 0;
        pc_status status = PC_OK;
        if (text) /* archives are in tests/files */
            status = read_text(context, format->ending, text, n_bytes, NULL, &read);
        CU_ASSERT_EQUAL(status, PC_OK);
        if (text && status != PC_OK)
            printf("\n    %s: '%s'\n", format->ending, pc_context_message(context));
        const uint64_t from = 0, to = 1;
        MUST(graph_from_arrays(context, 2, 1, &from, &to, NULL, NULL, &graph));
        const char *path = scratch_path(format->ending);
        CU_ASSERT_EQUAL(pc_graph_write(context, graph, path) == PC_OK, format->writes_graphs);
        unlink(path);
        const pc_labels *labels = pc_graph_labels(graph);
        const pc_frame frame = {.rows = labels, .columns = labels, .n_limbs = 1};
        path = scratch_path(format->ending);
        CU_ASSERT_EQUAL(pc_writer_open(context, path, &frame, &writer) == PC_OK,
                        format->writes_matrices);
    }
    CU_ASSERT(i > 10);
    CU_ASSERT_PTR_NULL(pc_file_format_of("x.unknown", NULL));
}
