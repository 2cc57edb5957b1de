/* The matrices of all lengths from 1 on. All rows are asked for as a query from all vertices, so one
 * sweep goes on from length to length where they fit in memory. The rows of a length go to its
 * summary and files, which are completed and read back when the next length begins. They get their
 * names at the end, when all is right. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/count.h"

#include "src/cli/answers.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/outputs.h"
#include "src/cli/process.h"
#include "src/cli/text.h"
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OTHER_DESCRIPTORS = 64, DESCRIPTORS_A_FILE = 4, SENTENCE_BYTES = 1024 };

typedef struct each_job {
    const cli_asked *asked;
    const cli_count_options *options;
    cli_count_options of_length; /* with the length at hand, and without --each */
    size_t n_outputs;
    cli_output output[CLI_MOST_OUTPUTS]; /* with the path of the file at hand */
    char *path[CLI_MOST_OUTPUTS];        /* the same; NULL: none yet */
    bool is_folder[CLI_MOST_OUTPUTS], made_folder[CLI_MOST_OUTPUTS];
    pc_frame frame;
    uint64_t length;       /* whose rows come; 0: none yet */
    pc_reduction *summary; /* of this length */
    char **totals;         /* [lengths] texts */
    cli_file *files;       /* [lengths][n_outputs]; of a stack the first one only */
    double relative_error;
    pc_status failure; /* of a file: the library is not to count again */
    bool is_committed;
} each_job;

/* ---- Places ---------------------------------------------------------------------------------- */

/* Makes the folder of an output; an empty one may be there. All of its files are open until the last
 * one is complete. */
static pc_status make_folder(each_job *job, size_t i)
{
    const char *path = job->options->output.list[i].path;
    pc_context *context = job->asked->context;
    uint64_t n_files = job->options->length * job->n_outputs;
    uint64_t needed =
        n_files < UINT32_MAX ? n_files * DESCRIPTORS_A_FILE + OTHER_DESCRIPTORS : UINT64_MAX;
    char sentence[SENTENCE_BYTES], inside[PATH_MAX];
    struct rlimit limit;
    bool is_limited = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < needed;
    if (is_limited && limit.rlim_max >= needed) {
        limit.rlim_cur = needed;
        is_limited = setrlimit(RLIMIT_NOFILE, &limit) != 0;
    }
    if (is_limited) {
        snprintf(sentence, sizeof sentence,
                 "%" PRIu64
                 " files are too many for this system, which lets a process open %" PRIu64
                 " files: -o FILE.npy writes one file of all matrices",
                 n_files, (uint64_t)limit.rlim_max);
        return pc_context_fail(context, PC_ERR_CREATE, sentence);
    }
    job->made_folder[i] = mkdir(path, 0777) == 0;
    int error = errno;
    if (job->made_folder[i])
        return PC_OK;
    if (error == EEXIST && snprintf(inside, sizeof inside, "%s/1", path) < PATH_MAX)
        pc_output_clean(context, inside); /* what a run left that was killed */
    DIR *folder = error == EEXIST ? opendir(path) : NULL;
    size_t n_entries = 0;
    while (folder != NULL && readdir(folder) != NULL)
        n_entries++;
    if (folder != NULL && closedir(folder) == 0 && n_entries <= 2) /* . and .. */
        return PC_OK;
    snprintf(sentence, sizeof sentence, "%.600s: %s", path,
             error == EEXIST
                 ? "is there, and no empty folder: --each writes to a new folder, or an empty one"
                 : strerror(error));
    return pc_context_fail(context, PC_ERR_CREATE, sentence);
}

/* Names the file of a length: "FOLDER/03.tsv". */
static const char *name_file(each_job *job, size_t i, uint64_t length)
{
    const cli_output *output = &job->options->output.list[i];
    int n_digits = snprintf(NULL, 0, "%" PRIu64, job->options->length);
    free(job->path[i]);
    if (asprintf(&job->path[i], "%s/%0*" PRIu64 "%s", output->path, n_digits, length,
                 strchr(output->as, '.')) < 0)
        job->path[i] = NULL;
    return cli_need(job->path[i]);
}

/* Opens the files of the length at hand, or the stacks, of all lengths. */
static pc_status open_files(each_job *job, bool of_length)
{
    const cli_count_options *options = of_length ? &job->of_length : job->options;
    uint64_t first = of_length ? (job->length - 1) * job->n_outputs : 0;
    char what[CLI_ABOUT_BYTES], about[CLI_ABOUT_BYTES + 32];
    pc_frame frame = job->frame;
    pc_status status = PC_OK;
    snprintf(about, sizeof about, "%s from vertex i to vertex j",
             cli_about_matrix(options->query.paths, options->length, false, false, what));
    frame.about = about;
    frame.n_matrices = of_length ? 0 : options->length;
    for (size_t i = 0; i < job->n_outputs && status == PC_OK; i++) {
        cli_read_back *read_back;
        if (job->is_folder[i] != of_length)
            continue;
        if (of_length)
            job->output[i].path = name_file(job, i, job->length);
        status = cli_read_back_create(job->asked->context, options, &job->output[i],
                                      job->asked->graph, NULL, &read_back);
        if (status == PC_OK)
            status = cli_file_open(&job->files[first + i], job->asked->context, &job->output[i],
                                   &frame, read_back);
    }
    return status;
}

/* ---- From length to length ------------------------------------------------------------------- */

/* Completes the files that are open: of the length at hand, or the stacks. */
static pc_status finish_files(each_job *job, bool of_length)
{
    pc_status status = PC_OK;
    int descriptor;
    for (size_t i = 0; i < job->n_outputs && status == PC_OK; i++) {
        cli_file *file = &job->files[of_length ? (job->length - 1) * job->n_outputs + i : i];
        if (job->is_folder[i] != of_length)
            continue;
        status = cli_file_finish(file, &descriptor);
        cli_read_back_free(file->read_back);
        file->read_back = NULL;
    }
    return status;
}

/* Keeps the sum of the length at hand, and completes its files. */
static pc_status end_length(each_job *job)
{
    const pc_count_options *count = &job->options->count;
    pc_summary_values values;
    char residue[24];
    if (job->length == 0)
        return PC_OK;
    pc_status status = pc_summary_get(job->summary, &values);
    if (status != PC_OK)
        return status;
    const char *text = values.total;
    if (count->arithmetic == PC_MODULAR) {
        snprintf(residue, sizeof residue, "%" PRIu64, cli_decimal_modulo(text, count->modulus));
        text = residue;
    }
    char *total = cli_need(malloc(strlen(text) + CLI_DIGITS_BYTES));
    job->totals[job->length - 1] = strcpy(total, text);
    if (count->arithmetic == PC_FLOAT && !job->options->output.json)
        cli_set_digits(
            cli_digits_of(job->relative_error, job->options->query.paths != PC_PATHS_MARKOV),
            total);
    pc_reduction_free(job->summary);
    job->summary = NULL;
    return finish_files(job, true);
}

/* Goes on to a length; those without rows, of a graph without vertices, too. */
static pc_status advance(each_job *job, uint64_t length)
{
    pc_status status = PC_OK;
    while (job->length < length && status == PC_OK) {
        status = end_length(job);
        if (status != PC_OK)
            break;
        job->of_length.length = ++job->length;
        status = pc_summary_create(job->asked->context, &job->frame, 1, &job->summary);
        if (status == PC_OK)
            status = open_files(job, true);
    }
    return status;
}

static pc_status take_rows(void *user, uint64_t length, const pc_rows *rows)
{
    each_job *job = user;
    uint64_t above = length - 1;
    pc_rows stacked = *rows;
    stacked.first_row += above * rows->n_columns;
    pc_status status = advance(job, length);
    if (status == PC_OK)
        status = pc_reduction_add(job->summary, rows);
    for (size_t i = 0; i < job->n_outputs && status == PC_OK; i++) {
        bool of_folder = job->is_folder[i];
        const cli_file *file = &job->files[of_folder ? above * job->n_outputs + i : i];
        cli_read_back_note(file->read_back, of_folder ? 0 : above, rows);
        status = pc_writer_add(file->writer, of_folder ? rows : &stacked);
    }
    job->failure = status;
    return status == PC_ERR_CERTIFY ? PC_ERR_IO : status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static pc_status prepare(each_job *job)
{
    pc_context *context = job->asked->context;
    uint64_t n_lengths = job->options->length;
    pc_status status = PC_OK;
    if (n_lengths == 0)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "--each begins with length 1, and 0 is the longest asked for");
    if (n_lengths >= UINT32_MAX)
        return pc_context_fail(context, PC_ERR_RANGE,
                               "a matrix for each of 2^32 lengths or more: ask for fewer");
    job->totals = calloc(n_lengths + 1, sizeof *job->totals);
    job->files = calloc((n_lengths + 1) * job->n_outputs, sizeof *job->files);
    if (job->totals == NULL || job->files == NULL)
        return pc_context_fail(context, PC_ERR_MEMORY, "no memory for the matrices of each length");
    for (size_t i = 0; i < job->n_outputs && status == PC_OK; i++)
        if (job->is_folder[i]) {
            cli_signals_defer();
            status = make_folder(job, i);
        }
    return status;
}

static pc_status count(each_job *job)
{
    pc_graph *graph = job->asked->graph;
    uint64_t n = pc_graph_n_vertices(graph), n_lengths = job->options->length;
    uint64_t *all = cli_need(calloc(n + 1, sizeof *all));
    for (uint64_t v = 0; v < n; v++)
        all[v] = v;
    pc_query query = {.kind = PC_QUERY_FROM,
                      .paths = job->options->query.paths,
                      .length = n_lengths,
                      .n_asked = n,
                      .from = all,
                      .each = 1};
    pc_plan *plan = NULL;
    pc_status status = cli_plan_create(job->asked->context, graph, &query, &job->options->count,
                                       &job->options->running, &plan);
    if (status == PC_OK) {
        /* A sum of n^2 entries is one of long doubles: so many roundings of 2^-64. */
        const pc_plan_info *info = pc_plan_get_info(plan);
        job->frame.n_limbs = info->n_limbs;
        job->relative_error =
            info->arithmetic == PC_FLOAT ? info->relative_error + 2 * (double)n * 0x1p-63 : 0;
        status = open_files(job, false);
    }
    if (status == PC_OK)
        status = pc_plan_run(plan, NULL, 0, take_rows, job);
    status = job->failure != PC_OK ? job->failure : status;
    if (status == PC_OK)
        status = advance(job, n_lengths);
    if (status == PC_OK)
        status = end_length(job);
    if (status == PC_OK)
        status = finish_files(job, false);
    if (status == PC_OK)
        cli_tell_of_run(pc_plan_get_info(plan), job->options->running.explain);
    pc_plan_free(plan);
    free(all);
    return status;
}

/* Gives the files their names. After a failure it removes those that have theirs already: a folder is
 * whole, or there is none. */
static pc_status commit(each_job *job)
{
    uint64_t n_files = (job->length + 1) * job->n_outputs;
    char labels[PATH_MAX];
    pc_status status = PC_OK;
    for (uint64_t f = 0; f < n_files && status == PC_OK; f++) {
        bool is_quiet = job->options->running.is_quiet || f >= job->n_outputs;
        if (job->files[f].writer != NULL)
            status = cli_file_commit(&job->files[f], is_quiet, -1);
    }
    job->is_committed = status == PC_OK;
    for (uint64_t f = 0; f < n_files && !job->is_committed; f++) {
        size_t i = f % job->n_outputs;
        if (!job->is_folder[i] || f >= job->length * job->n_outputs)
            continue;
        const char *path = name_file(job, i, f / job->n_outputs + 1);
        unlink(path);
        if (snprintf(labels, sizeof labels, "%s%s", path, PC_LABELS_ENDING) < PATH_MAX)
            unlink(labels);
    }
    return status;
}

static pc_status print(each_job *job)
{
    const cli_count_options *options = job->options;
    const uint64_t none[] = {CLI_NO_VERTEX, CLI_NO_VERTEX};
    cli_answers answers = {.context = job->asked->context,
                           .columns = {"length", cli_path_kind_of(options->query.paths)->sum},
                           .n_columns = 2,
                           .has_length = true,
                           .is_json = options->output.json};
    pc_status status = PC_OK;
    for (uint64_t l = 1; l <= job->length && status == PC_OK; l++)
        status = cli_answers_add(&answers, l, none, NULL, job->totals[l - 1]);
    if (options->output.json)
        cli_json_print_answers("count", options, job->asked->graph,
                               json_pack("{s:o}", "relative_error",
                                         options->count.arithmetic == PC_FLOAT
                                             ? cli_json_error(job->relative_error)
                                             : json_null()),
                               answers.lines);
    cli_answers_end(&answers);
    cli_answers_free(&answers);
    return status;
}

pc_status cli_each_matrix_answer(const cli_asked *asked)
{
    const cli_count_options *options = asked->options;
    const pc_labels *labels = pc_graph_labels(asked->graph);
    each_job job = {
        .asked = asked, .options = options, .of_length = *options, .n_outputs = options->output.n};
    job.of_length.query.each = 0;
    job.frame = (pc_frame){
        .rows = labels,
        .columns = labels,
        .symmetric = cli_paths_are_symmetric(options->query.paths, !asked->facts->graph.directed),
        .entry = cli_entry_of(options->query.paths, false)};
    for (size_t i = 0; i < job.n_outputs; i++) {
        job.output[i] = options->output.list[i];
        job.is_folder[i] = cli_output_is_folder(&job.output[i]);
    }
    pc_status status = prepare(&job);
    if (status == PC_OK)
        status = count(&job);
    cli_progress_end(asked->progress);
    if (status == PC_OK)
        status = pc_graph_check(asked->context, asked->graph);
    if (status == PC_OK)
        status = commit(&job);
    if (status == PC_OK)
        status = print(&job);
    if (status == PC_OK && job.length > 0)
        cli_shorten_number(job.totals[job.length - 1], CLI_FACT_BYTES, asked->facts->total);
    for (uint64_t f = 0; job.files != NULL && f < (options->length + 1) * job.n_outputs; f++)
        cli_file_free(&job.files[f]);
    for (size_t i = 0; i < job.n_outputs; i++) {
        free(job.path[i]);
        if (job.made_folder[i] && !job.is_committed)
            rmdir(options->output.list[i].path);
    }
    for (uint64_t l = 0; job.totals != NULL && l < options->length; l++)
        free(job.totals[l]);
    pc_reduction_free(job.summary);
    free(job.totals);
    free(job.files);
    return status;
}
