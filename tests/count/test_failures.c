/* Every allocation of every long call fails once, and every call of the progress callback stops one:
 * the right status, a message, nothing left in memory or on disk. */
#include "tests/support/failing_allocator.h"
#include "pathcount_io.h"
#include "tests/support/library_call.h"
#include "tests/support/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static edge_set middle_graph(uint64_t n, bool directed)
{
    random_source source = {300 + n};
    return edge_set_density(&source, n, 200, directed);
}

/* ---- Each allocation fails ------------------------------------------------------------------- */

typedef struct count_job {
    const edge_set *edges;
    uint64_t k;
    pc_count_options options;
    const char *path; /* of a file to write or read; NULL: none */
} count_job;

static pc_status make_graph(pc_context *context, void *user)
{
    const count_job *job = user;
    OWNED(pc_graph) *graph = NULL;
    pc_status status = edge_set_load(context, job->edges, &graph);
    return status;
}

static pc_status add_to_summary(void *user, const pc_rows *rows)
{
    return pc_reduction_add(user, rows);
}

static pc_status make_summary(pc_context *context, void *user)
{
    const count_job *job = user;
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_reduction) *summary = NULL;
    pc_summary_values values;
    pc_status status = edge_set_load(context, job->edges, &graph);
    if (status == PC_OK)
        status = summary_of_graph(context, graph, &summary);
    if (status == PC_OK)
        status = stream_counts(context, graph, job->k, &job->options, add_to_summary, summary);
    if (status == PC_OK)
        status = pc_summary_get(summary, &values);
    return status;
}

static pc_status add_to_file(void *user, const pc_rows *rows)
{
    return pc_writer_add(user, rows);
}

/* Everything between a graph and a file of its counts. */
static pc_status write_counts(pc_context *context, const count_job *job, const pc_graph *graph)
{
    pc_plan_info plan;
    pc_writer *writer = NULL;
    pc_status status = plan_matrix(context, graph, job->k, &job->options, 0, &plan);
    pc_frame frame = plan_frame(&plan, pc_graph_labels(graph));
    if (status == PC_OK)
        status = pc_writer_open(context, job->path, &frame, &writer);
    if (status == PC_OK)
        status = stream_counts(context, graph, job->k, &job->options, add_to_file, writer);
    if (status == PC_OK)
        return pc_writer_commit(writer);
    pc_writer_free(writer);
    return status;
}

static pc_status make_file(pc_context *context, void *user)
{
    const count_job *job = user;
    pc_graph *graph = NULL;
    unlink(job->path);
    pc_status status = edge_set_load(context, job->edges, &graph);
    if (status == PC_OK)
        status = write_counts(context, job, graph);
    pc_graph_free(graph);
    if ((access(job->path, F_OK) == 0) != (status == PC_OK)) /* there, and only on success */
        return PC_ERR_INTERNAL;
    return status;
}

static pc_status read_graph(pc_context *context, void *user)
{
    const count_job *job = user;
    OWNED(pc_graph) *graph = NULL;
    pc_status status = pc_graph_read(context, job->path, PC_FORMAT_AUTO, NULL, &graph);
    return status;
}

TEST("each allocation of a graph fails")
{
    OWNED(edge_set) edges = middle_graph(20, true);
    for (uint64_t e = 0; e < edges.n_edges; e++)
        edges.weight[e] = e + 1;
    count_job job = {.edges = &edges};
    CU_ASSERT_TRUE(fail_each_allocation(make_graph, &job) > 2);
}

/* Two arithmetics of integers, and doubles. */
static const pc_count_options arithmetics[] = {
    {0}, {.arithmetic = PC_MODULAR, .modulus = 1000003}, {.arithmetic = PC_FLOAT}};
enum { N_ARITHMETICS = 3 };

/* Narrow, wide (past 8-bit moduli), modulo M and doubles; length 0; directed and not; kept or passed on;
 * between vertices and between blocks. */
TEST("matrices")
{
    static const uint64_t lengths[] = {0, 1, 2, 5, 30, 90, 300, 5, 5};
    for (int i = 0; i < 4 * 9; i++) {
        OWNED(edge_set) edges = middle_graph(20, i / 9 % 2);
        check_halfway(&(library_call){.edges = &edges,
                                      .query = {.kind = PC_QUERY_MATRIX,
                                                .length = lengths[i % 9],
                                                .keeps = (i + i / 18) % 2},
                                      .options = arithmetics[i % 9 < 7 ? 0 : i % 9 - 6],
                                      .block_size = i / 18 ? 3 : 0},
                      3, 1);
    }
}

TEST("matrices by every method")
{
    for (int i = 0; i < 24; i++) {
        pc_method method = (pc_method)(PC_METHOD_DENSE + i % 3);
        OWNED(edge_set) edges = middle_graph(9, true);
        library_call call = {.edges = &edges,
                             .query = {.kind = PC_QUERY_MATRIX, .length = 6, .keeps = i % 2},
                             .options = arithmetics[i / 3 % N_ARITHMETICS]};
        if (method == PC_METHOD_HYBRID)
            call.options = arithmetics[0];
        call.options.method = method;
        check_halfway(&call, 11, 3);
    }
}

static void check_queries(pc_path_kind paths, pc_method method, int arithmetic)
{
    static const uint64_t from[] = {1, 4, 4}, to[] = {0, 0, 7};
    for (int i = 0; i < N_QUERY_KINDS; i++) {
        int way = (i + arithmetic) % 3;
        OWNED(edge_set) edges = middle_graph(12, i % 3 != 0);
        library_call call = {.edges = &edges,
                             .query = {.kind = (pc_query_kind)i,
                                       .paths = paths,
                                       .length = 5,
                                       .n_asked = 3,
                                       .from = from,
                                       .to = to,
                                       .each = way == 1,
                                       .up_to = way == 2},
                             .options = arithmetics[arithmetic]};
        call.options.method = method;
        check_halfway(&call, 6, 3);
    }
}

TEST("queries by every method")
{
    for (int a = 0; a < N_ARITHMETICS; a++) {
        check_queries(PC_PATHS_ALL, PC_METHOD_AUTO, a);
        check_queries(PC_PATHS_ALL, PC_METHOD_DENSE, a);
        check_queries(PC_PATHS_ALL, PC_METHOD_SWEEP, a);
    }
    check_queries(PC_PATHS_ALL, PC_METHOD_HYBRID, 0);
}

TEST("queries of other kinds of path")
{
    check_queries(PC_PATHS_NON_BACKTRACKING, PC_METHOD_AUTO, 0);
    check_queries(PC_PATHS_NON_BACKTRACKING, PC_METHOD_AUTO, 1);
    check_queries(PC_PATHS_MARKOV, PC_METHOD_AUTO, 2);
}

/* Single vectors of counts of many words. */
TEST("single vectors of heavy graphs")
{
    static const pc_query_kind kinds[] = {PC_QUERY_TOTAL, PC_QUERY_STARTS, PC_QUERY_ENDS,
                                          PC_QUERY_FROM, PC_QUERY_TO};
    static const uint64_t vertex = 4;
    for (int i = 0; i < 30; i++) {
        random_source source = {8};
        OWNED(edge_set) edges = middle_graph(12, i % 2);
        for (uint64_t e = 0; e < edges.n_edges; e++)
            edges.weight[e] = random_u64(&source) | 1;
        check_halfway(&(library_call){.edges = &edges,
                                      .query = {.kind = kinds[i % 5],
                                                .length = 5,
                                                .n_asked = i % 5 > 2,
                                                .from = &vertex,
                                                .to = &vertex,
                                                .each = i / 5 % 3 == 1,
                                                .up_to = i / 5 % 3 == 2}},
                      6, 4);
    }
}

TEST("each allocation of a summary fails")
{
    OWNED(edge_set) edges = middle_graph(20, false);
    for (uint64_t k = 3; k < 100; k += 40) {
        count_job job = {.edges = &edges, .k = k};
        CU_ASSERT_TRUE(fail_each_allocation(make_summary, &job) > 2);
        CU_ASSERT_TRUE(cancel_at_each_question(make_summary, 2, &job) > 4);
    }
}

TEST("each allocation of a writer fails")
{
    static const char *const endings[] = {"tsv",    "csv",     "mtx",    "npy",    "json",
                                          "tsv.gz", "mtx.zst", "mtx.gz", "json.gz"};
    char folder[4000], path[4096];
    scratch_folder(folder, sizeof folder);
    OWNED(edge_set) edges = middle_graph(12, false);
    for (size_t f = 0; f < sizeof endings / sizeof *endings; f++)
        for (uint64_t k = 3; k <= 60; k += 57) {
            snprintf(path, sizeof path, "%s/counts.%s", folder, endings[f]);
            count_job job = {.edges = &edges, .k = k, .path = path};
            CU_ASSERT_TRUE(fail_each_allocation(make_file, &job) > 2);
            CU_ASSERT_EQUAL(unlink(path), 0);
        }
    CU_ASSERT_EQUAL(rmdir(folder), 0); /* fails when a temporary file was left */
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_TRUE(fputs(text, file) >= 0);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

TEST("each allocation of a reader fails")
{
    static const char *const texts[] = {
        "# comment\n0 1\n1 2\n2 0\n",
        "18446744073709551615 4\n4 17\n",
        "alice bob\nbob carol\r\n\ncarol dave",
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 3 1\n",
    };
    char folder[4000], path[4096];
    scratch_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/graph", folder);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        write_text(path, texts[t]);
        count_job job = {.path = path};
        CU_ASSERT_TRUE(fail_each_allocation(read_graph, &job) > 2);
    }
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}
