/* Counts a stream of small graphs. The answers are rows on standard output: one number, or columns
 * below a header. */
#define _GNU_SOURCE /* fwrite_unlocked */
#include "src/cli/batch/options.h"

#include "src/cli/process.h"
#include "src/cli/load.h"
#include "src/cli/text.h"
#include "src/cli/verify/residues.h"
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#define TOLD_AFTER_SECONDS 1.0

/* A block of rows is written as soon as it is made, so the buffer only saves calls. The widest
 * counts, of 11,000 bits, have 3,300 digits. */
enum { OUTPUT_BYTES = 1 << 16, COUNT_BYTES = 1 << 13 };

typedef struct stream_job {
    const cli_batch_options *options;
    pc_context *context;
    pc_stream_query query;
    cli_progress *progress;
    bool has_header; /* printed, or not needed */
    uint64_t n_graphs;
    cli_text_check check; /* of texts of numbers */
    uint64_t n_texts;     /* that were made */
    double start_seconds;
} stream_job;

/* ---- What a stream is ------------------------------------------------------------------------ */

bool cli_is_stream(const char *path)
{
    const pc_file_format *format = pc_file_format_of(path, NULL);
    if (strcmp(path, "-") == 0 || (format != NULL && format->format == PC_FORMAT_GRAPH6))
        return true;
    return pc_stream_is_folder(path);
}

/* ---- The question ---------------------------------------------------------------------------- */

static int set_query(stream_job *job)
{
    const cli_count_options *options = &job->options->count;
    const cli_query_options *asked = &options->query;
    bool asks_total = asked->question == CLI_ASK_TOTAL; /* else for closed paths */
    if (asked->paths == PC_PATHS_MARKOV)
        return cli_fail(CLI_USAGE, "--markov gives probabilities; of a stream paths are counted");
    if (options->input.graph.weights || options->input.graph.n_vertices > 0)
        return cli_fail(CLI_USAGE,
                        "%s is not for streams: their graphs have no weights, and say "
                        "how many vertices they have",
                        options->input.graph.weights ? "--weights" : "--vertices");
    const pc_graph_options *graph = &options->input.graph;
    if (graph->columns != NULL || graph->separator != NULL || graph->header != PC_HEADER_FOUND)
        return cli_fail(CLI_USAGE,
                        "--columns, --separator, --header and --no-header are for edge lists, "
                        "and a stream has none");
    const pc_file_format *format = options->input.format;
    if (format != NULL && format->format != PC_FORMAT_GRAPH6)
        return cli_fail(CLI_USAGE, "a stream is in graph6, sparse6 or digraph6, not in %s",
                        format->name);
    job->query = (pc_stream_query){.total = asks_total,
                                   .closed = !asks_total || asked->beside_option != NULL,
                                   .paths = asked->paths,
                                   .length = options->length,
                                   .each = asked->each,
                                   .up_to = asked->up_to};
    return CLI_DONE;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A single column needs no name. */
static void print_header(stream_job *job)
{
    const pc_stream_query *query = &job->query;
    bool has_columns = (query->each && query->length > 1) || (query->total && query->closed);
    const char *before = "", *head;
    for (int returns = !query->total; returns <= query->closed; returns++) {
        cli_stream_question(returns, &head);
        for (uint64_t l = 1; has_columns && l <= (query->each ? query->length : 1); l++) {
            printf("%s%s", before, head);
            if (query->each)
                printf("_%" PRIu64, l);
            before = "\t";
        }
    }
    if (has_columns)
        putchar('\n');
}

/* Drops what standard output did not accept. Otherwise it would be written, and would fail, again
 * at exit. */
static pc_status flush_output(stream_job *job)
{
    char sentence[256];
    if (fflush(stdout) == 0 && !ferror(stdout))
        return PC_OK;
    snprintf(sentence, sizeof sentence, "standard output: %s", strerror(errno != 0 ? errno : EIO));
    __fpurge(stdout);
    clearerr(stdout);
    return pc_context_fail(job->context, PC_ERR_IO, sentence);
}

/* Prints rows of counts, and reads the text of some of them back. */
static pc_status print_rows(stream_job *job, const pc_rows *rows)
{
    char text[COUNT_BYTES];
    size_t n_bytes;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        if (pc_rows_text(rows, e, text, COUNT_BYTES - 1, &n_bytes) != PC_OK)
            return pc_context_fail(job->context, PC_ERR_MEMORY, "no memory to print the answer");
        if (!cli_text_check_holds(&job->check, job->n_texts++, rows, e, text))
            return cli_text_check_fail(job->context, text);
        text[n_bytes] = (e + 1) % rows->n_columns == 0 ? '\n' : '\t';
        fwrite_unlocked(text, 1, n_bytes + 1, stdout);
    }
    return PC_OK;
}

static pc_status take_rows(void *user, const pc_rows *rows)
{
    stream_job *job = user;
    errno = 0;
    if (!job->has_header)
        print_header(job);
    job->has_header = true;
    pc_status status = print_rows(job, rows);
    if (status != PC_OK)
        return status;
    job->n_graphs += rows->n_rows;
    return flush_output(job);
}

/* ---- Progress -------------------------------------------------------------------------------- */

/* Draws the line of progress: "1234567 graphs, 1100000 a second, 12 s". */
static int show_progress(void *user, const char *stage, double fraction)
{
    stream_job *job = user;
    cli_status_line *line = &job->progress->line;
    (void)stage, (void)fraction;
    if (line->is_wanted) {
        char words[64], elapsed_text[24];
        double now = cli_now_seconds(), elapsed = now - job->start_seconds;
        if (elapsed >= TOLD_AFTER_SECONDS && cli_status_line_is_due(line, now)) {
            snprintf(words, sizeof words, "%" PRIu64 " graphs, %.0f a second,", job->n_graphs,
                     (double)job->n_graphs / elapsed);
            cli_duration_text(elapsed, sizeof elapsed_text, elapsed_text);
            cli_status_line_draw(line, now, words, -1, elapsed_text);
        }
    }
    return cli_progress_is_over(job->progress) || cli_signals_pending();
}

/* ---- All of it ------------------------------------------------------------------------------- */

static pc_status run(pc_context *context, cli_progress *progress, void *user)
{
    stream_job *job = user;
    const cli_count_options *options = &job->options->count;
    job->context = context;
    job->progress = progress;
    pc_context_set_progress(context, show_progress, job);
    if (isatty(STDOUT_FILENO)) /* the answers themselves move on, where the line would be */
        progress->line.is_wanted = false;
    setvbuf(stdout, NULL, _IOFBF, OUTPUT_BYTES);
    pc_status status = pc_stream_run(context, job->options->paths[0], &options->input.graph,
                                     &job->query, &options->count, take_rows, job);
    if (status != PC_OK)
        return status;
    if (!job->has_header) /* a stream without graphs has it too */
        print_header(job);
    return flush_output(job);
}

int cli_stream_run(const cli_batch_options *options)
{
    const cli_count_options *count = &options->count;
    stream_job job = {.options = options, .start_seconds = cli_now_seconds()};
    int code = set_query(&job);
    job.check = cli_text_check_for(count->count.n_certify_rounds);
    if (code == CLI_DONE)
        code = cli_run_in_context(&count->running, run, &job);
    if (code == CLI_DONE && !count->running.is_quiet)
        fprintf(stderr, "%s: %s, %.1f s\n", cli_shown_path(options->paths[0]),
                cli_number_of(job.n_graphs, "graph", "graphs").text,
                cli_now_seconds() - job.start_seconds);
    return code;
}
