/* Every public function with each of its pointers NULL in turn: a status says PC_ERR_ARGUMENT, with a
 * message where there is a context for it; what returns a value returns 0 or NULL; nothing crashes.
 * tests/check_nulls.sh finds functions that the tables here lack. */
#include "src/core/context.h"
#include "src/tool.h"
#include "pathcount_recurrence.h"
#include "pathcount_spc.h"
#include "pathcount_match.h"
#include "pathcount_time.h"
#include "pathcount_sample.h"
#include "tests/support/reading.h"
#include "tests/support/fixture.h"

#ifdef PATHCOUNT_WITH_IGRAPH
#include "io/igraph/pathcount_igraph.h"
#endif

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- One object of each kind ----------------------------------------------------------------- */

typedef struct objects {
    pc_context *context;
    pc_graph *graph, *made_graph;
    pc_partition *partition, *made_partition;
    pc_relation *relation, *made_relation;
    pc_counts *counts;
    pc_chain *chain, *made_chain;
    pc_recurrence *recurrence, *made_recurrence;
    pc_reduction *summary, *grid, *made_summary;
    pc_writer *writer, *made_writer;
    pc_output *output, *made_output;
    pc_plan *plan, *keeping, *made_plan;
    pc_labelled_edges *labelled, *made_labelled;
    pc_match *match, *made_match;
    pc_rows rows;
    pc_frame frame;
    char path[512], other_path[512], rates_path[512];
} objects;

static pc_status stop_walks(void *user, uint64_t n_walks, const uint32_t *vertices)
{
    (void)user, (void)n_walks, (void)vertices;
    return PC_ERR_IO;
}

static const uint64_t ends[] = {0, 1, 2};
static const char *const names[] = {"a", "b", "c"}, *const one_text[] = {"x"};
static const pc_edges one_edge = {.n_vertices = 3, .n_edges = 1, .from = ends, .to = ends + 1};

static void make(objects *o)
{
    const pc_edges edges = {
        .n_vertices = 3, .labels = names, .n_edges = 2, .from = ends, .to = ends + 1};
    *o = (objects){0};
    snprintf(o->path, sizeof o->path, "%s", scratch_path("a.tsv"));
    snprintf(o->other_path, sizeof o->other_path, "%s", scratch_path("b.tsv"));
    snprintf(o->rates_path, sizeof o->rates_path, "%s", scratch_path("rates"));
    pc_status status = pc_context_create(&o->context);
    MUST(status);
    MUST(pc_context_set_threads(o->context, 1));
    MUST(pc_context_set_device(o->context, "cpu"));
    MUST(pc_graph_from_edges(o->context, &edges, NULL, &o->graph));
    MUST(
        pc_labelled_edges_from_edges(o->context, &one_edge, 1, one_text, ends, NULL, &o->labelled));
    MUST(pc_match_create(o->context, o->labelled, "x", &(pc_query){.kind = PC_QUERY_TOTAL},
                         &o->match));
    MUST(pc_partition_read(o->context, o->graph, "components", &o->partition));
    MUST(pc_relation_from_arrays(o->context, 3, 3, 3, ends, ends, NULL, NULL, NULL, &o->relation));
    MUST(pc_count(o->context, o->graph, 2, NULL, &o->counts));
    pc_query matrix = {.kind = PC_QUERY_MATRIX, .length = 2};
    MUST(pc_plan_create(o->context, o->graph, &matrix, NULL, &o->plan));
    matrix.keeps = 1;
    MUST(pc_plan_create(o->context, o->graph, &matrix, NULL, &o->keeping));
    const pc_relation *factor = o->relation;
    MUST(pc_chain_create(o->context, 1, &factor, NULL, 0, 0, &o->chain));
    const pc_query all = {.kind = PC_QUERY_TOTAL};
    MUST(pc_recurrence_create(o->context, o->graph, &all, 0, &o->recurrence));
    pc_counts_rows(o->counts, &o->rows);
    o->frame = plan_frame(pc_plan_get_info(o->plan), pc_graph_labels(o->graph));
    MUST(pc_summary_create(o->context, &o->frame, PC_SUMMARY_PAIRS, &o->summary));
    MUST(pc_grid_create(o->context, &o->frame, 8, &o->grid));
    MUST(pc_writer_open(o->context, o->path, &o->frame, &o->writer));
    MUST(pc_output_open(o->context, o->other_path, &o->output));
    MUST(pc_context_fail(o->context, PC_OK, "")); /* no message */
}

static void unmake(objects *o)
{
    pc_labelled_edges_free(o->labelled);
    pc_labelled_edges_free(o->made_labelled);
    pc_match_free(o->match);
    pc_match_free(o->made_match);
    pc_plan_free(o->plan);
    pc_plan_free(o->keeping);
    pc_plan_free(o->made_plan);
    pc_graph_free(o->made_graph);
    pc_partition_free(o->made_partition);
    pc_relation_free(o->made_relation);
    pc_chain_free(o->made_chain);
    pc_recurrence_free(o->made_recurrence);
    pc_reduction_free(o->made_summary);
    pc_writer_free(o->made_writer);
    pc_output_free(o->made_output);
    pc_output_free(o->output);
    pc_writer_free(o->writer);
    pc_reduction_free(o->summary);
    pc_reduction_free(o->grid);
    pc_chain_free(o->chain);
    pc_recurrence_free(o->recurrence);
    pc_counts_free(o->counts);
    pc_relation_free(o->relation);
    pc_partition_free(o->partition);
    pc_graph_free(o->graph);
    pc_context_free(o->context);
    unlink(o->path);
    unlink(o->other_path);
    unlink(o->rates_path);
}

/* ---- What functions call back ---------------------------------------------------------------- */

static pc_status take_text(void *user, const char *text, size_t n_bytes)
{
    (void)user, (void)text, (void)n_bytes;
    return PC_OK;
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user, (void)stage, (void)fraction;
    return 1;
}

static void take_device(void *user, const pc_device *device)
{
    (void)user, (void)device;
}

/* ---- Calls that take more than an expression ------------------------------------------------- */

static bool refuses_to_create(int which)
{
    OWNED(pc_context) *context = NULL;
    pc_status status = pc_context_create(which == 0 ? NULL : &context);
    return status == PC_ERR_ARGUMENT;
}

static bool refuses_to_calibrate(pc_context *context)
{
    if (context)
        pc_context_set_progress(context, stop, NULL); /* it takes seconds */
    return pc_calibrate(context, NULL, NULL) == PC_ERR_ARGUMENT;
}

static bool refuses_to_finish_writer(objects *o, int which)
{
    int descriptor;
    if (which < 0 && pc_writer_add(o->writer, &o->rows) != PC_OK)
        return true;
    return pc_writer_finish(which == 0 ? NULL : o->writer, which == 1 ? NULL : &descriptor) ==
           PC_ERR_ARGUMENT;
}

static bool refuses_to_commit_writer(objects *o, int which)
{
    pc_writer *writer = which == 0 ? NULL : o->writer;
    if (writer && pc_writer_add(writer, &o->rows) != PC_OK)
        return true;
    pc_status status = pc_writer_commit(writer);
    o->writer = writer ? NULL : o->writer;
    return status == PC_ERR_ARGUMENT;
}

static bool refuses_to_commit_output(objects *o, int which)
{
    pc_output *output = which == 0 ? NULL : o->output;
    pc_status status = pc_output_commit(output);
    o->output = output ? NULL : o->output;
    return status == PC_ERR_ARGUMENT;
}

static bool refuses_to_write_and_read_rates(objects *o, int which)
{
    if (pc_rates_write(o->context, o->rates_path) != PC_OK)
        return true;
    return pc_rates_read(which == 0 ? NULL : o->context, which == 1 ? NULL : o->rates_path) ==
           PC_ERR_ARGUMENT;
}

static bool refuses_arcs(objects *o, int which)
{
    static const uint64_t starts[] = {0, 1, 1};
    static const uint32_t column = 1;
    const pc_arcs arcs = {.row_start = which == 1 ? NULL : starts,
                          .column = which == 2 ? NULL : &column};
    return pc_graph_from_arcs(which == 0 ? NULL : o->context, 2, which == 3 ? NULL : &arcs, NULL,
                              which == 4 ? NULL : &o->made_graph) == PC_ERR_ARGUMENT;
}

static bool refuses_rows_of_frame(objects *o, int which, bool writes)
{
    pc_frame frame = {.rows = which == 1 ? NULL : pc_graph_labels(o->graph),
                      .columns = which == 2 ? NULL : pc_graph_labels(o->graph),
                      .n_limbs = 1};
    const pc_frame *given = which == 3 ? NULL : &frame;
    pc_context *context = which == 0 ? NULL : o->context;
    if (writes)
        return pc_writer_open(context, which == 5 ? NULL : o->path, given,
                              which == 4 ? NULL : &o->made_writer) == PC_ERR_ARGUMENT;
    return pc_summary_create(context, given, PC_SUMMARY_PAIRS,
                             which == 4 ? NULL : &o->made_summary) == PC_ERR_ARGUMENT;
}

static bool refuses_frame_of_grid(objects *o, int which)
{
    pc_frame frame = {.rows = which == 1 ? NULL : pc_graph_labels(o->graph),
                      .columns = which == 2 ? NULL : pc_graph_labels(o->graph)};
    return pc_grid_create(which == 0 ? NULL : o->context, which == 3 ? NULL : &frame, 8,
                          which == 4 ? NULL : &o->made_summary) == PC_ERR_ARGUMENT;
}

static bool refuses_to_run(objects *o, int which)
{
    pc_reduction *reductions[] = {o->summary, which == 2 ? NULL : o->grid};
    pc_status status = which == 3 ? pc_plan_run(o->plan, NULL, 0, NULL, NULL)
                                  : pc_plan_run(which == 0 ? NULL : o->plan,
                                                which == 1 ? NULL : reductions, 2, NULL, NULL);
    return status == PC_ERR_ARGUMENT;
}

static bool refuses_numbers_of_rows(objects *o, int which, bool writes)
{
    pc_rows rows = o->rows;
    rows.limbs = which == 2 ? NULL : rows.limbs;
    const pc_rows *given = which == 1 ? NULL : &rows;
    if (writes)
        return pc_writer_add(which == 0 ? NULL : o->writer, given) == PC_ERR_ARGUMENT;
    return pc_reduction_add(which == 0 ? NULL : o->summary, given) == PC_ERR_ARGUMENT;
}

static bool refuses_chain(objects *o, int which)
{
    const pc_relation *factors[] = {o->relation, which == 3 ? NULL : o->relation};
    return pc_chain_create(which == 0 ? NULL : o->context, 2, which == 1 ? NULL : factors, NULL, 0,
                           0, which == 2 ? NULL : &o->made_chain) == PC_ERR_ARGUMENT;
}

static bool refuses_edges(objects *o, int which)
{
    const char *labels[] = {"a", which == 5 ? NULL : "b", "c"};
    const pc_edges edges = {.n_vertices = 3,
                            .labels = labels,
                            .n_edges = 2,
                            .from = which == 3 ? NULL : ends,
                            .to = which == 4 ? NULL : ends + 1};
    return pc_graph_from_edges(which == 0 ? NULL : o->context, which == 1 ? NULL : &edges, NULL,
                               which == 2 ? NULL : &o->made_graph) == PC_ERR_ARGUMENT;
}

static void make_nothing(void *user, pc_piece *piece)
{
    (void)user, (void)piece;
}

static pc_status put_nothing(void *user, const pc_piece *piece)
{
    (void)user, (void)piece;
    return PC_OK;
}

static bool refuses_pieces(objects *o, int which)
{
    pc_pieces pieces = {.n_items = 1,
                        .piece_items = 1,
                        .make = which == 2 ? NULL : make_nothing,
                        .put = which == 3 ? NULL : put_nothing};
    return pc_pieces_put(which == 0 ? NULL : o->context, which == 1 ? NULL : &pieces) ==
           PC_ERR_ARGUMENT;
}

static bool refuses_blocks(objects *o, int which)
{
    const char *labels[] = {"a", "b", which == 4 ? NULL : "c"};
    return pc_partition_from_arrays(which == 0 ? NULL : o->context, which == 1 ? NULL : o->graph, 3,
                                    which == 2 ? NULL : ends, labels,
                                    which == 3 ? NULL : &o->made_partition) == PC_ERR_ARGUMENT;
}

static bool refuses_entries(objects *o, int which)
{
    const char *rows[] = {"a", "b", which == 4 ? NULL : "c"};
    const char *columns[] = {"a", "b", which == 5 ? NULL : "c"};
    return pc_relation_from_arrays(which == 0 ? NULL : o->context, 3, 3, 3,
                                   which == 1 ? NULL : ends, which == 2 ? NULL : ends, NULL, rows,
                                   columns,
                                   which == 3 ? NULL : &o->made_relation) == PC_ERR_ARGUMENT;
}

static bool refuses_query(objects *o, int which, bool plans)
{
    const pc_query query = {.kind = PC_QUERY_PAIRS,
                            .length = 2,
                            .n_asked = 3,
                            .from = which == 4 ? NULL : ends,
                            .to = which == 5 ? NULL : ends};
    pc_context *context = which == 0 ? NULL : o->context;
    const pc_graph *graph = which == 1 ? NULL : o->graph;
    const pc_query *given = which == 2 ? NULL : &query;
    if (plans)
        return pc_plan_create(context, graph, given, NULL, which == 3 ? NULL : &o->made_plan) ==
               PC_ERR_ARGUMENT;
    return pc_query_run(context, graph, given, NULL, which == 3 ? NULL : count_answers, NULL) ==
           PC_ERR_ARGUMENT;
}

/* ---- The table ------------------------------------------------------------------------------- */

#define P(number, pointer) (which == (number) ? NULL : (pointer))
#define REFUSED(call)      ((call) == PC_ERR_ARGUMENT)

/* C(function, how many pointers to try, whether a message must say what is NULL when the context, or
 * the object of it, which is pointer 0, is there; whether the call is refused or gives nothing) */
/* clang-format off */
#define CALLS(C) \
    C(pc_version, 0, 0, pc_version() == NULL) \
    C(pc_status_text, 0, 0, pc_status_text(PC_OK) == NULL) \
    C(pc_file_format_at, 0, 0, pc_file_format_at(0) == NULL) \
    C(pc_file_format_of, 1, 0, pc_file_format_of(P(0, "a.gml"), NULL) == NULL) \
    C(pc_context_create, 1, 0, refuses_to_create(which)) \
    C(pc_context_free, 1, 0, (pc_context_free(NULL), which == 0)) \
    C(pc_context_message, 1, 0, pc_context_message(P(0, o->context))[0] == '\0' && which == 0) \
    C(pc_context_set_threads, 1, 0, REFUSED(pc_context_set_threads(P(0, o->context), 1))) \
    C(pc_context_set_device, 2, 1, REFUSED(pc_context_set_device(P(0, o->context), P(1, "cpu")))) \
    C(pc_context_set_memory_limit, 1, 0, \
      (pc_context_set_memory_limit(P(0, o->context), 7), pc_context_memory_available(o->context) != 7)) \
    C(pc_context_set_sync, 1, 0, (pc_context_set_sync(NULL, 1), which == 0)) \
    C(pc_context_set_release, 1, 0, (pc_context_set_release(NULL, NULL, NULL), which == 0)) \
    C(pc_context_set_progress, 1, 0, \
      (pc_context_set_progress(P(0, o->context), stop, NULL), o->context->progress == NULL)) \
    C(pc_context_set_cancelled, 1, 0, \
      (pc_context_set_cancelled(P(0, o->context), 1), o->context->is_cancelled == 0)) \
    C(pc_context_set_allocator, 1, 0, \
      (pc_context_set_allocator(P(0, o->context), (pc_allocator){NULL, NULL, o}), \
       o->context->allocator.user == NULL)) \
    C(pc_context_fail, 2, 1, REFUSED(pc_context_fail(P(0, o->context), PC_ERR_IO, P(1, "x")))) \
    C(pc_context_progress, 2, 1, REFUSED(pc_context_progress(P(0, o->context), P(1, "read"), 0))) \
    C(pc_context_memory_available, 1, 0, pc_context_memory_available(P(0, o->context)) == 0) \
    C(pc_graph_from_edges, 6, 1, refuses_edges(o, which)) \
    C(pc_graph_read, 3, 1, \
      REFUSED(pc_graph_read(P(0, o->context), P(1, "/dev/null"), PC_FORMAT_AUTO, NULL, P(2, &o->made_graph)))) \
    C(pc_graph_check, 2, 1, REFUSED(pc_graph_check(P(0, o->context), P(1, o->graph)))) \
    C(pc_graph_free, 1, 0, (pc_graph_free(NULL), which == 0)) \
    C(pc_graph_get_info, 2, 0, \
      (pc_graph_get_info(P(0, o->graph), P(1, &info.graph)), info.graph.n_vertices == 0)) \
    C(pc_graph_n_vertices, 1, 0, pc_graph_n_vertices(P(0, o->graph)) == 0) \
    C(pc_graph_find, 4, 1, REFUSED(pc_graph_find(P(0, o->context), P(1, o->graph), P(2, "a"), P(3, &number)))) \
    C(pc_graph_arcs, 2, 0, (pc_graph_arcs(P(0, o->graph), P(1, &info.arcs)), info.arcs.row_start == NULL)) \
    C(pc_graph_from_arcs, 5, 1, refuses_arcs(o, which)) \
    C(pc_graph_labels, 1, 0, pc_graph_labels(P(0, o->graph)) == NULL) \
    C(pc_graph_quotient, 4, 1, \
      REFUSED(pc_graph_quotient(P(0, o->context), P(1, o->graph), P(2, o->partition), P(3, &o->made_graph)))) \
    C(pc_graph_write, 3, 1, REFUSED(pc_graph_write(P(0, o->context), P(1, o->graph), P(2, o->path)))) \
    C(pc_generate, 3, 1, REFUSED(pc_generate(P(0, o->context), P(1, &model), P(2, &o->made_graph)))) \
    C(pc_labels_count, 1, 0, pc_labels_count(P(0, pc_graph_labels(o->graph))) == 0) \
    C(pc_labels_text, 1, 0, pc_labels_text(P(0, pc_graph_labels(o->graph)), 0, text, sizeof text) == 0) \
    C(pc_labels_longest, 1, 0, pc_labels_longest(P(0, pc_graph_labels(o->graph))) == 0) \
    C(pc_partition_from_arrays, 5, 1, refuses_blocks(o, which)) \
    C(pc_partition_read, 4, 1, \
      REFUSED(pc_partition_read(P(0, o->context), P(1, o->graph), P(2, "/dev/null"), P(3, &o->made_partition)))) \
    C(pc_partition_free, 1, 0, (pc_partition_free(NULL), which == 0)) \
    C(pc_text_read, 3, 1, REFUSED(pc_text_read(P(0, o->context), P(1, "/dev/null"), P(2, take_text), NULL))) \
    C(pc_packing_open, 0, 0, (pc_packing_open(), false)) \
    C(pc_pieces_put, 4, 1, refuses_pieces(o, which)) \
    C(pc_output_open, 3, 1, REFUSED(pc_output_open(P(0, o->context), P(1, o->path), P(2, &o->made_output)))) \
    C(pc_output_write, 2, 1, REFUSED(pc_output_write(P(0, o->output), P(1, "x"), 1))) \
    C(pc_output_descriptor, 1, 0, pc_output_descriptor(P(0, o->output)) < 0) \
    C(pc_output_commit, 1, 0, refuses_to_commit_output(o, which)) \
    C(pc_output_free, 1, 0, (pc_output_free(NULL), which == 0)) \
    C(pc_output_clean, 2, 0, (pc_output_clean(P(0, o->context), P(1, o->path)), which >= 0)) \
    C(pc_plan_create, 6, 1, refuses_query(o, which, true)) \
    C(pc_plan_free, 1, 0, (pc_plan_free(NULL), which == 0)) \
    C(pc_plan_get_info, 1, 0, pc_plan_get_info(P(0, o->plan)) == NULL) \
    C(pc_plan_run, 4, 1, refuses_to_run(o, which)) \
    C(pc_plan_collect, 2, 1, REFUSED(pc_plan_collect(P(0, o->plan), P(1, &counts)))) \
    C(pc_plan_last, 1, 0, pc_plan_last(P(0, o->context)) == NULL) \
    C(pc_count, 3, 1, REFUSED(pc_count(P(0, o->context), P(1, o->graph), 2, NULL, P(2, &counts)))) \
    C(pc_counts_free, 1, 0, (pc_counts_free(NULL), which == 0)) \
    C(pc_counts_rows, 2, 0, (pc_counts_rows(P(0, o->counts), P(1, &info.rows)), info.rows.n_rows == 0)) \
    C(pc_counts_u64, 2, 0, REFUSED(pc_counts_u64(P(0, o->counts), 0, 0, P(1, &number)))) \
    C(pc_rows_text, 2, 0, REFUSED(pc_rows_text(P(0, &o->rows), 0, P(1, text), sizeof text, NULL))) \
    C(pc_query_run, 6, 1, refuses_query(o, which, false)) \
    C(pc_series_error, 1, 0, pc_series_error(P(0, o->graph), 2) == 0) \
    C(pc_centrality, 4, 1, \
      REFUSED(pc_centrality(P(0, o->context), P(1, o->graph), PC_CENTRALITY_KATZ, 0.1, 2, P(2, value), \
                            P(3, value + 3), NULL))) \
    C(pc_stream_run, 4, 1, \
      REFUSED(pc_stream_run(P(0, o->context), P(1, "/dev/null"), NULL, P(2, &stream_query), NULL, \
                            P(3, count_rows), NULL))) \
    C(pc_stream_is_folder, 1, 0, !pc_stream_is_folder(P(0, "/")) && which == 0) \
    C(pc_relation_read, 3, 1, \
      REFUSED(pc_relation_read(P(0, o->context), P(1, "/dev/null"), NULL, P(2, &o->made_relation)))) \
    C(pc_relation_from_arrays, 6, 1, refuses_entries(o, which)) \
    C(pc_relation_free, 1, 0, (pc_relation_free(NULL), which == 0)) \
    C(pc_partition_get_info, 2, 0, \
      (pc_partition_get_info(P(0, o->partition), P(1, &info.partition)), info.partition.n_blocks == 0)) \
    C(pc_relation_get_info, 2, 0, \
      (pc_relation_get_info(P(0, o->relation), P(1, &info.relation)), info.relation.n_entries == 0)) \
    C(pc_graph_longest_path, 3, 1, REFUSED(pc_graph_longest_path(P(0, o->context), P(1, o->graph), P(2, &(uint64_t){0})))) \
    C(pc_recurrence_create, 4, 1, REFUSED(pc_recurrence_create(P(0, o->context), P(1, o->graph), P(2, &total), 0, P(3, &o->made_recurrence)))) \
    C(pc_labelled_edges_read, 4, 1, \
      REFUSED(pc_labelled_edges_read(P(0, o->context), P(1, "/dev/null"), PC_FORMAT_AUTO, NULL, P(2, "3"), P(3, &o->made_labelled)))) \
    C(pc_labelled_edges_from_edges, 5, 1, \
      REFUSED(pc_labelled_edges_from_edges(P(0, o->context), P(1, &one_edge), 1, P(2, one_text), P(3, ends), NULL, P(4, &o->made_labelled)))) \
    C(pc_time_walks, 4, 1, \
      REFUSED(pc_time_walks(P(0, o->context), P(1, o->labelled), P(2, &total), NULL, NULL, P(3, &(pc_counts *){NULL})))) \
    C(pc_labelled_edges_free, 1, 0, (pc_labelled_edges_free(NULL), which == 0)) \
    C(pc_labelled_edges_get_info, 2, 0, (pc_labelled_edges_get_info(P(0, o->labelled), P(1, &info.graph)), info.graph.n_vertices == 0)) \
    C(pc_labelled_edges_graph, 3, 1, REFUSED(pc_labelled_edges_graph(P(0, o->context), P(1, o->labelled), P(2, &o->made_graph)))) \
    C(pc_match_create, 5, 1, \
      REFUSED(pc_match_create(P(0, o->context), P(1, o->labelled), P(2, "x"), P(3, &total), P(4, &o->made_match)))) \
    C(pc_match_free, 1, 0, (pc_match_free(NULL), which == 0)) \
    C(pc_match_graph, 1, 0, pc_match_graph(P(0, o->match)) == NULL) \
    C(pc_match_query, 1, 0, pc_match_query(P(0, o->match)) == NULL) \
    C(pc_time_path_counts, 4, 1, REFUSED(pc_time_path_counts(P(0, o->context), P(1, o->labelled), PC_SPC, NULL, P(2, &counts), P(3, &counts)))) \
    C(pc_time_main_path, 5, 1, REFUSED(pc_time_main_path(P(0, o->context), P(1, o->labelled), NULL, P(2, o->counts), PC_MAIN_PATH_LOCAL, P(3, &number), P(4, &counts)))) \
    C(pc_labelled_edges_arcs, 2, 0, (pc_labelled_edges_arcs(P(0, o->labelled), P(1, &info.arcs), NULL), info.arcs.row_start == NULL)) \
    C(pc_labelled_edges_check, 2, 1, REFUSED(pc_labelled_edges_check(P(0, o->context), P(1, o->labelled)))) \
    C(pc_labelled_edges_texts, 1, 0, pc_labelled_edges_texts(P(0, o->labelled)) == NULL) \
    C(pc_labelled_edges_labels, 1, 0, pc_labelled_edges_labels(P(0, o->labelled)) == NULL) \
    C(pc_sample, 4, 1, REFUSED(pc_sample(P(0, o->context), P(1, o->graph), P(2, &(pc_sample_options){.number = 1}), P(3, stop_walks), NULL))) \
    C(pc_recurrence_free, 1, 0, (pc_recurrence_free(NULL), which == 0)) \
    C(pc_recurrence_get_info, 2, 0, (pc_recurrence_get_info(P(0, o->recurrence), P(1, &info.recurrence)), info.recurrence.order == 0)) \
    C(pc_recurrence_text, 2, 0, REFUSED(pc_recurrence_text(P(0, o->recurrence), PC_RECURRENCE_INITIAL, 0, P(1, text), sizeof text, NULL))) \
    C(pc_recurrence_term, 2, 1, REFUSED(pc_recurrence_term(P(0, o->recurrence), 5, 0, P(1, count_answers), NULL))) \
    C(pc_recurrence_growth, 3, 1, REFUSED(pc_recurrence_growth(P(0, o->recurrence), 9, P(1, text), sizeof text, P(2, &(int){0})))) \
    C(pc_search_path_counts, 4, 1, REFUSED(pc_search_path_counts(P(0, o->context), P(1, o->graph), PC_SPC, P(2, &counts), P(3, &counts)))) \
    C(pc_main_path, 5, 1, REFUSED(pc_main_path(P(0, o->context), P(1, o->graph), P(2, o->counts), PC_MAIN_PATH_LOCAL, P(3, &number), P(4, &counts)))) \
    C(pc_chain_create, 4, 1, refuses_chain(o, which)) \
    C(pc_chain_free, 1, 0, (pc_chain_free(NULL), which == 0)) \
    C(pc_chain_get_info, 2, 0, (pc_chain_get_info(P(0, o->chain), P(1, &info.chain)), info.chain.n_rows == 0)) \
    C(pc_chain_rows, 2, 1, REFUSED(pc_chain_rows(P(0, o->chain), PC_CHAIN_COUNTS, P(1, count_rows), NULL))) \
    C(pc_chain_paths, 2, 1, REFUSED(pc_chain_paths(P(0, o->chain), 1, 0, NULL, P(1, count_rows), NULL))) \
    C(pc_chain_graph, 2, 1, REFUSED(pc_chain_graph(P(0, o->chain), P(1, &o->made_graph)))) \
    C(pc_summary_create, 5, 1, refuses_rows_of_frame(o, which, false)) \
    C(pc_grid_create, 5, 1, refuses_frame_of_grid(o, which)) \
    C(pc_grid_get, 2, 1, REFUSED(pc_grid_get(P(0, o->grid), P(1, &info.grid)))) \
    C(pc_reduction_free, 1, 0, (pc_reduction_free(NULL), which == 0)) \
    C(pc_reduction_add, 3, 1, refuses_numbers_of_rows(o, which, false)) \
    C(pc_summary_get, 2, 1, REFUSED(pc_summary_get(P(0, o->summary), P(1, &info.summary)))) \
    C(pc_writer_open, 6, 1, refuses_rows_of_frame(o, which, true)) \
    C(pc_writer_add, 3, 1, refuses_numbers_of_rows(o, which, true)) \
    C(pc_writer_commit, 1, 0, refuses_to_commit_writer(o, which)) \
    C(pc_writer_finish, 2, 1, refuses_to_finish_writer(o, which)) \
    C(pc_writer_labels_path, 1, 0, pc_writer_labels_path(NULL) == NULL && which == 0) \
    C(pc_writer_free, 1, 0, (pc_writer_free(NULL), which == 0)) \
    C(pc_calibrate, 1, 0, refuses_to_calibrate(P(0, o->context))) \
    C(pc_calibrate_quickly, 1, 0, pc_calibrate_quickly(P(0, o->context), NULL) == PC_ERR_ARGUMENT) \
    C(pc_rates_write, 2, 1, REFUSED(pc_rates_write(P(0, o->context), P(1, o->rates_path)))) \
    C(pc_rates_read, 2, 1, refuses_to_write_and_read_rates(o, which)) \
    C(pc_devices, 2, 1, REFUSED(pc_devices(P(0, o->context), P(1, take_device), NULL)))

#ifdef PATHCOUNT_WITH_IGRAPH
#define IGRAPH_CALLS(C) \
    C(pc_graph_from_igraph, 3, 1, \
      REFUSED(pc_graph_from_igraph(P(0, o->context), P(1, &igraph), NULL, NULL, NULL, P(2, &o->made_graph)))) \
    C(pc_igraph_communities, 3, 1, \
      REFUSED(pc_igraph_communities(P(0, o->context), P(1, o->graph), NULL, 1, 1, 0, P(2, &o->made_partition)))) \
    C(pc_igraph_famous, 3, 1, REFUSED(pc_igraph_famous(P(0, o->context), P(1, "Bull"), P(2, &o->made_graph))))
#else
#define IGRAPH_CALLS(C)
#endif
/* clang-format on */

/* What calls write to. */
typedef struct infos {
    pc_graph_info graph;
    pc_partition_info partition;
    pc_relation_info relation;
    pc_chain_info chain;
    pc_recurrence_info recurrence;
    pc_summary_values summary;
    pc_grid_values grid;
    pc_arcs arcs;
    pc_rows rows;
} infos;

static const pc_model model = {.scale = 2, .edge_factor = 1};
static const pc_query total = {.kind = PC_QUERY_TOTAL};
static const pc_stream_query stream_query = {.total = 1, .length = 2};
#ifdef PATHCOUNT_WITH_IGRAPH
static igraph_t igraph;
#endif

/* Which pointer is NULL; -1: none. */
#define CALL_FUNCTION(NAME, N, SAYS, REFUSES)                                                      \
    static bool try_##NAME(objects *o, int which)                                                  \
    {                                                                                              \
        infos info = {0};                                                                          \
        pc_counts *counts = NULL;                                                                  \
        char text[64] = "";                                                                        \
        double value[4];                                                                           \
        uint64_t number;                                                                           \
        (void)o, (void)which, (void)info, (void)text, (void)value, (void)number;                   \
        bool is_refused = REFUSES;                                                                 \
        pc_counts_free(counts);                                                                    \
        return is_refused;                                                                         \
    }
CALLS(CALL_FUNCTION)
IGRAPH_CALLS(CALL_FUNCTION)

typedef struct call {
    const char *name;
    int n_pointers;
    bool says_why;
    bool (*is_refused)(objects *o, int which);
} call;

#define CALL_ENTRY(NAME, N, SAYS, REFUSES) {#NAME, N, SAYS, try_##NAME},
static const call calls[] = {CALLS(CALL_ENTRY) IGRAPH_CALLS(CALL_ENTRY)};

static void check(const call *c, int which)
{
    objects o;
    make(&o);
    bool is_refused = c->is_refused(&o, which);
    bool is_silent = c->says_why && which > 0 && pc_context_message(o.context)[0] == '\0';
    if (is_refused != (which >= 0) || is_silent)
        printf("\n    %s, pointer %d: %s, message '%s'\n", c->name, which,
               is_refused ? "refused" : "taken", pc_context_message(o.context));
    CU_ASSERT_EQUAL(is_refused, which >= 0);
    CU_ASSERT_FALSE(is_silent);
    unmake(&o);
}

TEST("each pointer of each function")
{
    const char *engine = getenv("PATHCOUNT_CUDA_ENGINE");
    char *before = engine ? strdup(engine) : NULL;
    setenv("PATHCOUNT_CUDA_ENGINE", "none", 1);
#ifdef PATHCOUNT_WITH_IGRAPH
    CU_ASSERT_EQUAL_FATAL(igraph_empty(&igraph, 2, IGRAPH_DIRECTED), IGRAPH_SUCCESS);
#endif
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        for (int which = -1; which < calls[c].n_pointers; which++)
            check(&calls[c], which);
#ifdef PATHCOUNT_WITH_IGRAPH
    igraph_destroy(&igraph);
#endif
    before ? setenv("PATHCOUNT_CUDA_ENGINE", before, 1) : unsetenv("PATHCOUNT_CUDA_ENGINE");
    free(before);
}

/* ---- Numbers that make no sense -------------------------------------------------------------- */

TEST("labels without room and without a vertex")
{
    objects o;
    make(&o);
    CU_ASSERT_EQUAL(graph_label(o.graph, 1, NULL, 10), 1); /* its length is asked for */
    CU_ASSERT_EQUAL(graph_label(o.graph, 3, NULL, 0), 0);  /* no such vertex */
    unmake(&o);
}

TEST("unknown enumerators")
{
    objects o;
    make(&o);
    const pc_graph_options direction = {.direction = (pc_direction)3};
    const pc_edges stated = {.n_vertices = 1, .stated = (pc_direction)-1};
    const pc_count_options arithmetic = {.arithmetic = (pc_arithmetic)3};
    const pc_count_options method = {.method = (pc_method)-1};
    const pc_query kind = {.kind = (pc_query_kind)(PC_QUERY_MATRIX + 1)},
                   paths = {.paths = (pc_path_kind)(PC_PATHS_DISTANCE + 1)};
    pc_counts *counts = NULL;
    CU_ASSERT(REFUSED(pc_graph_read(o.context, "/dev/null", (pc_format)99, NULL, &o.made_graph)));
    CU_ASSERT(REFUSED(pc_graph_read(o.context, "/dev/null", (pc_format)-1, NULL, &o.made_graph)));
    CU_ASSERT(REFUSED(
        pc_graph_read(o.context, "/dev/null", PC_FORMAT_EDGE_LIST, &direction, &o.made_graph)));
    CU_ASSERT(REFUSED(
        graph_from_arrays(o.context, 3, 2, ends, ends + 1, NULL, &direction, &o.made_graph)));
    CU_ASSERT(REFUSED(pc_graph_from_edges(o.context, &stated, NULL, &o.made_graph)));
    CU_ASSERT(REFUSED(
        pc_stream_run(o.context, "/dev/null", &direction, &stream_query, NULL, count_rows, NULL)));
    CU_ASSERT(REFUSED(pc_count(o.context, o.graph, 2, &arithmetic, &counts)));
    CU_ASSERT(REFUSED(pc_count(o.context, o.graph, 2, &method, &counts)));
    CU_ASSERT(REFUSED(pc_query_run(o.context, o.graph, &kind, NULL, count_answers, NULL)));
    CU_ASSERT(REFUSED(pc_query_run(o.context, o.graph, &paths, NULL, count_answers, NULL)));
    unmake(&o);
}
