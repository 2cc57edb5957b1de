/* Every allocation of every long call fails once, and every call of the progress callback stops one:
 * the right status, a message, nothing left in memory or on disk. */
#include "tests/fixture.h"
#include "tests/failing_allocator.h"
#include "tests/reading.h"

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

static pc_status make_counts(pc_context *context, void *user)
{
    const count_job *job = user;
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_counts) *counts = NULL;
    pc_status status = edge_set_load(context, job->edges, &graph);
    if (status == PC_OK)
        status = pc_count(context, graph, job->k, &job->options, &counts);
    return status;
}

static pc_status add_to_summary(void *user, const pc_rows *rows)
{
    return pc_summary_add(user, rows);
}

static pc_status make_summary(pc_context *context, void *user)
{
    const count_job *job = user;
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_summary) *summary = NULL;
    pc_summary_values values;
    pc_status status = edge_set_load(context, job->edges, &graph);
    if (status == PC_OK)
        status = summary_of_graph(context, graph, &summary);
    if (status == PC_OK)
        status = pc_count_rows(context, graph, job->k, &job->options, add_to_summary, summary);
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
    pc_frame frame = pc_plan_frame(&plan, pc_graph_labels(graph));
    if (status == PC_OK)
        status = pc_writer_open(context, job->path, &frame, &writer);
    if (status == PC_OK)
        status = pc_count_rows(context, graph, job->k, &job->options, add_to_file, writer);
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

/* Narrow, wide (past 8-bit moduli), modulo M and doubles; length 0; directed and not. */
TEST("each allocation of a count fails")
{
    static const count_job jobs[] = {
        {.k = 0},
        {.k = 1},
        {.k = 5},
        {.k = 30},
        {.k = 300},
        {.k = 5, .options = {.arithmetic = PC_MODULAR, .modulus = 1000003}},
        {.k = 5, .options = {.arithmetic = PC_FLOAT}},
    };
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = middle_graph(20, directed);
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
            count_job job = jobs[j];
            job.edges = &edges;
            CU_ASSERT_TRUE(fail_each_allocation(make_counts, &job) > 2);
        }
    }
}

TEST("each allocation of a summary fails")
{
    OWNED(edge_set) edges = middle_graph(20, false);
    for (uint64_t k = 3; k < 100; k += 40) {
        count_job job = {.edges = &edges, .k = k};
        CU_ASSERT_TRUE(fail_each_allocation(make_summary, &job) > 2);
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
        "# comment\n0 1\n1 2\n2 0 7\n",
        "18446744073709551615 4\n4 17\n",
        "alice bob\nbob,carol\r\n\ncarol dave",
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

/* ---- Stopping -------------------------------------------------------------------------------- */

typedef struct stopper {
    int n_calls, stop_at; /* stop_at 0: never */
    int n_bad;            /* stages without a name, fractions outside 0..1 */
} stopper;

static int count_down(void *user, const char *stage, double fraction)
{
    stopper *s = user;
    s->n_bad += stage == NULL || *stage == '\0' || !(fraction >= 0 && fraction <= 1);
    return ++s->n_calls == s->stop_at;
}

/* Stops at the 1st, 2nd, ... call of the callback until there are no more. */
static void check_each_stop(failing_action action, void *user)
{
    stopper s = {.stop_at = 1};
    for (bool is_over = false; !is_over; s.stop_at++) {
        failing_allocator allocator;
        failing_allocator_init(&allocator);
        OWNED(pc_context) *context = failing_context(&allocator, 2);
        pc_context_set_progress(context, count_down, &s);
        s.n_calls = 0;
        pc_status status = action(context, user);
        is_over = s.n_calls < s.stop_at;
        CU_ASSERT_EQUAL_FATAL(status, is_over ? PC_OK : PC_ERR_CANCELLED);
        CU_ASSERT_TRUE(is_over || s.n_calls == s.stop_at); /* not asked again */
        CU_ASSERT_EQUAL(allocator.n_live, 0);
    }
    CU_ASSERT_EQUAL(s.n_bad, 0);
    CU_ASSERT_TRUE(s.stop_at > 4);
}

TEST("callback stops a count")
{
    OWNED(edge_set) edges = middle_graph(50, true);
    count_job exact = {.edges = &edges, .k = 37};
    check_each_stop(make_counts, &exact);
    check_each_stop(make_summary, &exact);
    count_job floating = {.edges = &edges, .k = 37, .options = {.arithmetic = PC_FLOAT}};
    check_each_stop(make_counts, &floating);
}
