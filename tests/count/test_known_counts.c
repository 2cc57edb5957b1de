/* Real graphs (SNAP's ca-GrQc and facebook_combined) and their known counts, computed with Python
 * integers by a plain sparse sweep. They are read from the folder PATHCOUNT_TEST_DATA. */
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct known_count {
    uint64_t k;
    const char *total;
    const char *largest_row_sum;   /* NULL: not known */
    unsigned largest_row_sum_bits; /* 0: not known */
    const char *closed;            /* NULL: not known */
} known_count;

typedef struct known_graph {
    const char *file;
    uint64_t n_vertices, n_edges, n_loops;
    known_count counts[7]; /* ends with k = 0 */
} known_graph;

static const known_graph ca_grqc = {
    "ca-GrQc.txt",
    5242,
    14496,
    12,
    {
        {2, "488852", NULL, 0, NULL},
        {3, "13560523", NULL, 0, NULL},
        {4, "495825900", NULL, 0, NULL},
        {8, "1608011967273378", "24616291446015", 0, NULL},
        {16, "26058873547018263458554628074", NULL, 0, NULL},
        {64,
         "1087748783998103200300165575217414091962030912876474780984403739787645827020253295391"
         "838739142791208167206166",
         NULL, 354, NULL},
        {0, NULL, NULL, 0, NULL},
    },
};

static const known_graph facebook = {
    "facebook_combined.txt",
    4039,
    88234,
    0,
    {
        {2, "18806166", NULL, 0, NULL},
        {3, "2157760302", NULL, 0, "9672060"}, /* 6 times the 1612010 triangles of SNAP's page */
        {4, "286823817114", NULL, 0, NULL},
        {8, "139670273203627932778", "744857139486189977", 0, NULL},
        {16, "58009205615532215128858839906684684192", NULL, 0, NULL},
        {64,
         "7228988565066348916183520708666590645397214993791965757175885790211814593625075754589"
         "68257932747047786425887600832037860021434426322769594775258",
         NULL, 471, NULL},
        {0, NULL, NULL, 0, NULL},
    },
};

/* The path of a data file; skips the case when there is no data. */
static void data_path(const char *file, char *path, size_t size)
{
    const char *folder = getenv("PATHCOUNT_TEST_DATA");
    if (folder == NULL || *folder == '\0')
        test_skip("PATHCOUNT_TEST_DATA does not name the folder with the data sets");
    snprintf(path, size, "%s/%s", folder, file);
}

static pc_status add_to_summary(void *user, const pc_rows *rows)
{
    return pc_reduction_add(user, rows);
}

static size_t n_bits(const char *decimal)
{
    OWNED(mpz_t) value;
    mpz_init(value);
    CU_ASSERT_EQUAL_FATAL(mpz_set_str(value, decimal, 10), 0);
    size_t bits = mpz_sizeinbase(value, 2);
    return bits;
}

static void check_known_count(pc_context *context, const pc_graph *graph, const known_count *known)
{
    OWNED(pc_reduction) *summary = NULL;
    pc_summary_values values;
    MUST(summary_of_graph(context, graph, &summary));
    pc_status status = stream_counts(context, graph, known->k, NULL, add_to_summary, summary);
    if (status != PC_OK)
        print_message(context);
    MUST(status);
    MUST(pc_summary_get(summary, &values));
    if (strcmp(values.total, known->total) != 0)
        printf("\n    length %" PRIu64 ": expected %s\n    got %s\n", known->k, known->total,
               values.total);
    CU_ASSERT_STRING_EQUAL(values.total, known->total);
    if (known->largest_row_sum != NULL)
        CU_ASSERT_STRING_EQUAL(values.largest_row_sum, known->largest_row_sum);
    if (known->largest_row_sum_bits != 0)
        CU_ASSERT_EQUAL(n_bits(values.largest_row_sum), known->largest_row_sum_bits);
    if (known->closed != NULL)
        CU_ASSERT_STRING_EQUAL(values.closed, known->closed);
}

static pc_status compare_total(void *user, uint64_t length, const pc_rows *rows)
{
    const known_count *known = user;
    char text[512];
    CU_ASSERT_EQUAL(length, known->k);
    CU_ASSERT_EQUAL(pc_rows_text(rows, 0, text, sizeof text, NULL), PC_OK);
    CU_ASSERT_STRING_EQUAL(text, known->total);
    return PC_OK;
}

/* The total is that of the matrix, which is squared or swept, and that of a vector. */
static void check_known(const known_graph *known)
{
    char path[4096];
    data_path(known->file, path, sizeof path); /* skips before there is anything to free */
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_vertices, known->n_vertices);
    CU_ASSERT_EQUAL(info.n_edges, known->n_edges);
    CU_ASSERT_EQUAL(info.n_loops, known->n_loops);
    CU_ASSERT_EQUAL(info.n_arcs, 2 * known->n_edges - known->n_loops);
    for (const known_count *count = known->counts; count->k != 0; count++) {
        pc_query query = {.kind = PC_QUERY_TOTAL, .length = count->k};
        check_known_count(context, graph, count);
        MUST(pc_query_run(context, graph, &query, NULL, compare_total, (void *)(uintptr_t)count));
    }
}

TEST("ca-GrQc")
{
    check_known(&ca_grqc);
}

TEST("facebook_combined")
{
    check_known(&facebook);
}

/* The edges of facebook_combined among its first n vertices, read without the library. */
static edge_set facebook_subgraph(uint64_t n)
{
    char path[4096];
    data_path(facebook.file, path, sizeof path);
    edge_set edges = edge_set_empty(n, false);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    uint64_t u, v;
    while (fscanf(file, "%" SCNu64 " %" SCNu64, &u, &v) == 2)
        if (u < n && v < n)
            edge_set_add(&edges, u, v, 1);
    fclose(file);
    return edges;
}

/* Wider than the 8-bit moduli reach, every entry against GMP. */
TEST("facebook_combined, 200 vertices, length 64, every entry")
{
    OWNED(edge_set) edges = facebook_subgraph(200);
    CU_ASSERT_TRUE_FATAL(edges.n_edges > 900);
    check_against_oracle(&edges, 64);
}
