/* Finds the jobs of a batch: the paths of the command line, the files of folders, the lines of --manifest.
 * An error of the command line or of a line is reported before any job begins. A dataset that cannot be
 * counted makes a job with a problem, and only that job fails. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/job.h"

#include "src/cli/batch/job_names.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_LINE_BYTES = 1 << 20 };

/* A dataset as it is given somewhere. */
typedef struct dataset {
    const char *path;
    const char *name;   /* of the result, without ending; NULL: from the path */
    const char *result; /* of an earlier run, which contains the name too; NULL: there was none */
    const char *where;  /* "jobs.jsonl:3"; NULL: the command line */
    int n_arguments;
    char **arguments; /* options of this dataset; their texts outlive the jobs */
} dataset;

/* ---- A job of a dataset ---------------------------------------------------------------------- */

/* The digest of a file, which is read once; "" when it cannot be read: then the job fails with the reason. */
static const char *digest_of(json_t *digests, const char *path)
{
    char digest[CLI_DIGEST_SIZE];
    if (json_object_get(digests, path) == NULL && cli_digest_file(path, digest, NULL))
        json_object_set_new(digests, path, json_string(digest));
    const char *known = json_string_value(json_object_get(digests, path));
    return known != NULL ? known : "";
}

/* The digest of all files that the query names; "" when it names none. False: out of memory. */
static bool digest_query(json_t *known, const cli_query_options *query,
                         char digest[CLI_DIGEST_SIZE])
{
    const char **digests = malloc((query->n_named + 1) * sizeof *digests);
    size_t n = 0;
    if (digests == NULL)
        return false;
    for (size_t i = 0; i < query->n_named; i++) {
        const char *path = cli_job_query_file(query, &query->named[i]);
        if (path != NULL)
            digests[n++] = digest_of(known, path);
    }
    digest[0] = '\0';
    if (n > 0)
        cli_digest_texts(n, digests, digest);
    free(digests);
    return true;
}

bool cli_job_query_holds(const cli_job *job)
{
    char digest[CLI_DIGEST_SIZE];
    json_t *known = json_object();
    bool holds = known != NULL && digest_query(known, &job->count.query, digest) &&
                 strcmp(digest, job->query_digest) == 0;
    json_decref(known);
    return holds;
}

/* The name of the result without its ending, to be free()d; NULL: out of memory. A name of the dataset comes
 * first, then the name in an earlier run, if the ending is the same. */
static char *name_of(const dataset *dataset, const char *ending)
{
    if (dataset->name != NULL)
        return strdup(dataset->name);
    size_t n = strlen(ending), length = dataset->result != NULL ? strlen(dataset->result) : 0;
    if (length > n && dataset->result[length - n - 1] == '.' &&
        strcmp(dataset->result + length - n, ending) == 0)
        return strndup(dataset->result, length - n - 1);
    return cli_job_name_of(dataset->path);
}

/* A bad name in a line is an error of the command line; a bad name of a file is a problem of its job only. */
static int refuse_name(cli_job *job, const dataset *dataset, const char *flaw)
{
    if (dataset->name != NULL)
        return cli_fail(CLI_BAD_DATA, "%s: \"name\" cannot be that of a result: %s", dataset->where,
                        flaw);
    if (asprintf(&job->problem,
                 "its name cannot be that of a result: %s (give it one in a line of --manifest: "
                 "{\"input\": ..., \"name\": ...})",
                 flaw) >= 0)
        return CLI_DONE;
    job->problem = NULL;
    return cli_fail_for_memory();
}

static int set_result(cli_job *job, const dataset *dataset, const char *ending)
{
    char *name = name_of(dataset, ending);
    const char *flaw = name != NULL ? cli_job_name_flaw(name) : NULL;
    if (name == NULL || asprintf(&job->result, "%s.%s", name, ending) < 0)
        job->result = NULL;
    free(name);
    if (job->result == NULL)
        return cli_fail_for_memory();
    return flaw != NULL ? refuse_name(job, dataset, flaw) : CLI_DONE;
}

static int make_job(cli_jobs *jobs, const dataset *dataset, cli_job *job)
{
    const char *ending;
    cli_batch_options_parse_line(jobs->options, dataset->where, dataset->n_arguments,
                                 dataset->arguments, &job->count, &ending);
    job->input = strdup(dataset->path);
    job->count.input.path = job->input;
    if (job->input == NULL || !digest_query(jobs->digests, &job->count.query, job->query_digest))
        return cli_fail_for_memory();
    job->options = cli_job_options(&job->count, ending);
    if (job->options == NULL)
        return cli_fail(CLI_USAGE,
                        "options of a batch must be UTF-8, or they could not be recorded");
    int code = set_result(job, dataset, ending);
    if (code == CLI_DONE)
        cli_digest_job(job, job->digest);
    return code;
}

static int add_job(cli_jobs *jobs, const dataset *dataset)
{
    cli_job *grown = realloc(jobs->job, (jobs->n + 1) * sizeof *grown);
    if (grown == NULL)
        return cli_fail_for_memory();
    jobs->job = grown;
    jobs->job[jobs->n] = (cli_job){.number = jobs->n};
    return make_job(jobs, dataset, &jobs->job[jobs->n++]);
}

/* ---- Files of a folder ----------------------------------------------------------------------- */

static bool is_folder(int folder, const char *name)
{
    struct stat info;
    return fstatat(folder, name, &info, 0) == 0 && S_ISDIR(info.st_mode);
}

/* Results among the datasets would be datasets of the next run. */
static bool is_same(const char *path, const char *other)
{
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

/* Hidden files are passed over without a message. */
static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

typedef struct listing {
    struct dirent **entry; /* [n], by name; after sorting out, graphs come first */
    int n, n_graphs, n_folders, n_others;
    const char *other; /* the first name that is not one of a graph; NULL: there is none */
} listing;

/* Moves graphs to the front; their order stays. */
static void sort_out(int folder, listing *list)
{
    for (int i = 0; i < list->n; i++) {
        struct dirent *entry = list->entry[i];
        if (is_folder(folder, entry->d_name)) {
            list->n_folders++;
        } else if (cli_job_is_graph_file(folder, entry->d_name)) {
            list->entry[i] = list->entry[list->n_graphs];
            list->entry[list->n_graphs++] = entry;
        } else if (list->n_others++ == 0) {
            list->other = entry->d_name;
        }
    }
}

static void print_skipped(const char *folder, const listing *list)
{
    if (list->n_folders > 0)
        fprintf(stderr, "%s: %d folder%s in it not looked into\n", folder, list->n_folders,
                list->n_folders == 1 ? "" : "s");
    if (list->n_others > 0) {
        fprintf(stderr, "%s: %d skipped, not called like a graph file: ", folder, list->n_others);
        cli_print_shown(stderr, list->other);
        fputs(list->n_others > 1 ? ", ...\n" : "\n", stderr);
    }
}

static int add_graphs(cli_jobs *jobs, const char *folder, const listing *list)
{
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    int code = CLI_DONE;
    if (list->n_graphs == 0)
        return cli_fail(CLI_NO_INPUT,
                        "'%s' holds no file that is called like a graph, such as "
                        "graph.txt, graph.mtx or graph.gml.gz",
                        folder);
    if (!jobs->options->count.running.is_quiet)
        print_skipped(folder, list);
    for (int i = 0; i < list->n_graphs && code == CLI_DONE; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s%s%s", folder, slash, list->entry[i]->d_name) < 0)
            return cli_fail_for_memory();
        code = add_job(jobs, &(dataset){.path = path});
        free(path);
    }
    return code;
}

static int add_folder(cli_jobs *jobs, const char *folder)
{
    listing list = {0};
    if (is_same(folder, jobs->options->folder))
        return cli_fail(CLI_USAGE,
                        "'%s' is the folder of the results too: they would become "
                        "datasets of the next run; choose another --out",
                        folder);
    DIR *opened = opendir(folder);
    if (opened == NULL)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", folder, strerror(errno));
    int code = CLI_DONE;
    list.n = scandir(folder, &list.entry, is_visible, by_name);
    if (list.n < 0)
        code = cli_fail(CLI_IO, "cannot read '%s': %s", folder, strerror(errno));
    sort_out(dirfd(opened), &list);
    closedir(opened);
    if (code == CLI_DONE)
        code = add_graphs(jobs, folder, &list);
    for (int i = 0; i < list.n; i++)
        free(list.entry[i]);
    free(list.entry);
    return code;
}

/* ---- Lines of --manifest --------------------------------------------------------------------- */

typedef struct reader {
    cli_jobs *jobs;
    FILE *file;
    const char *name; /* for messages */
    uint64_t number;  /* of the line */
    char *line;       /* [MAX_LINE_BYTES + 1] */
} reader;

__attribute__((format(printf, 2, 3))) static int fail_line(const reader *from, const char *format,
                                                           ...)
{
    char sentence[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    return cli_fail(CLI_BAD_DATA, "%s:%" PRIu64 ": %s", from->name, from->number, sentence);
}

/* The keys of manifest.jsonl, whose lines may be given again. The first four are used. */
static bool is_known(const char *key)
{
    static const char *const known[] = {"input",         "options",
                                        "name",          "result",
                                        "input_sha256",  "query_sha256",
                                        "version",       "vertices",
                                        "edges",         "bits",
                                        "engine",        "method",
                                        "seconds",       "peak_memory_bytes",
                                        "result_sha256", "exit",
                                        "message",       "picture",
                                        "total_paths",   "largest_count"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

static bool is_array_of_texts(const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!json_is_string(json_array_get(array, i)))
            return false;
    return json_is_array(array);
}

static int check_object(const reader *from, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!is_known(key))
            return fail_line(from, "unknown key \"%s\": known are input, options and name", key);
    }
    if (!json_is_string(json_object_get(object, "input")))
        return fail_line(from, "\"input\" must be there and be a text, the path of a dataset");
    value = json_object_get(object, "name");
    if (value != NULL && !json_is_string(value))
        return fail_line(from, "\"name\" must be a text");
    value = json_object_get(object, "options");
    if (value != NULL && !is_array_of_texts(value))
        return fail_line(from, "\"options\" must be an array of texts, such as [\"--directed\"]");
    return CLI_DONE;
}

static int add_dataset(const reader *from, dataset *dataset)
{
    char *where = NULL;
    if (dataset->path[0] == '\0')
        return fail_line(from, "the path is empty");
    if (strcmp(dataset->path, "-") == 0)
        return fail_line(from, "standard input cannot be one dataset of many");
    if (asprintf(&where, "%s:%" PRIu64, from->name, from->number) < 0)
        return cli_fail_for_memory();
    dataset->where = where;
    int code = add_job(from->jobs, dataset);
    free(where);
    return code;
}

/* The object is kept, because the options of the job point into its texts. */
static int add_object(const reader *from, json_t *object)
{
    int code = check_object(from, object);
    if (code != CLI_DONE)
        return code;
    const json_t *options = json_object_get(object, "options");
    size_t n = json_array_size(options);
    char **arguments = malloc((n + 1) * sizeof *arguments);
    if (arguments == NULL || json_array_append(from->jobs->lines, object) != 0) {
        code = cli_fail_for_memory();
    } else {
        for (size_t i = 0; i < n; i++)
            arguments[i] = (char *)json_string_value(json_array_get(options, i));
        code = add_dataset(
            from, &(dataset){.path = json_string_value(json_object_get(object, "input")),
                             .name = json_string_value(json_object_get(object, "name")),
                             .result = json_string_value(json_object_get(object, "result")),
                             .n_arguments = (int)n,
                             .arguments = arguments});
    }
    free(arguments);
    return code;
}

static int add_json(const reader *from, const char *line)
{
    json_error_t error;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL)
        return fail_line(from, "no JSON object: %s (at byte %d)", error.text, error.position);
    int code = add_object(from, object);
    json_decref(object);
    return code;
}

/* Reads a line without its end into from->line. *is_there is false at the end of the file. */
static int read_line(reader *from, bool *is_there)
{
    size_t length = 0;
    int c;
    from->number++;
    errno = 0;
    while ((c = getc(from->file)) != EOF && c != '\n') {
        if (c == '\0')
            return fail_line(from, "a zero byte: this is no text");
        if (length == MAX_LINE_BYTES)
            return fail_line(from, "longer than %d bytes", MAX_LINE_BYTES);
        from->line[length++] = (char)c;
    }
    if (c == EOF && ferror(from->file))
        return cli_fail(CLI_IO, "cannot read '%s': %s", from->name, strerror(errno));
    if (length > 0 && from->line[length - 1] == '\r')
        length--;
    from->line[length] = '\0';
    *is_there = c != EOF || length > 0;
    return CLI_DONE;
}

static int add_line(const reader *from)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin UTF-8 with it */
    bool has_mark = from->number == 1 && strncmp(from->line, mark, sizeof mark - 1) == 0;
    const char *line = from->line + (has_mark ? sizeof mark - 1 : 0);
    if (line[0] == '\0' || line[0] == '#')
        return CLI_DONE;
    if (line[0] == '{')
        return add_json(from, line);
    return add_dataset(from, &(dataset){.path = line});
}

static int add_lines(reader *from)
{
    bool is_there = true;
    int code = CLI_DONE;
    while (code == CLI_DONE && is_there) {
        code = read_line(from, &is_there);
        if (code == CLI_DONE && is_there)
            code = add_line(from);
    }
    return code;
}

static int add_manifest(cli_jobs *jobs, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    reader from = {.jobs = jobs,
                   .file = is_stdin ? stdin : fopen(path, "re"),
                   .name = is_stdin ? "standard input" : path};
    if (from.file == NULL)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", path, strerror(errno));
    from.line = malloc(MAX_LINE_BYTES + 1);
    int code = from.line != NULL ? add_lines(&from) : cli_fail_for_memory();
    free(from.line);
    if (!is_stdin)
        fclose(from.file);
    return code;
}

/* ---- Shards ---------------------------------------------------------------------------------- */

static void free_job(cli_job *job)
{
    free(job->input);
    free(job->result);
    free(job->problem);
    free(job->count.query.named);
    json_decref(job->options);
    json_decref(job->line);
}

/* Leaves the jobs of the shard that the options choose. */
static int choose_shard(cli_jobs *jobs)
{
    unsigned shard = jobs->options->shard, n_shards = jobs->options->n_shards;
    jobs->n_all = jobs->n;
    if (n_shards == 0)
        return CLI_DONE;
    cli_digest_jobs(jobs, jobs->list_digest);
    jobs->n = 0;
    for (size_t j = 0; j < jobs->n_all; j++) {
        if (j % n_shards == shard - 1)
            jobs->job[jobs->n++] = jobs->job[j];
        else
            free_job(&jobs->job[j]);
    }
    return CLI_DONE;
}

/* ---- All jobs -------------------------------------------------------------------------------- */

/* A link without a target is accepted here: its job fails. */
static int add_path(cli_jobs *jobs, const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", path, strerror(errno));
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return add_folder(jobs, path);
    return add_job(jobs, &(dataset){.path = path});
}

static int add_all(cli_jobs *jobs)
{
    const cli_batch_options *options = jobs->options;
    int code = CLI_DONE;
    for (size_t i = 0; i < options->n_paths && code == CLI_DONE; i++)
        code = add_path(jobs, options->paths[i]);
    if (code == CLI_DONE && options->manifest_path != NULL)
        code = add_manifest(jobs, options->manifest_path);
    if (code == CLI_DONE)
        code = cli_jobs_check_results(jobs);
    if (code == CLI_DONE && jobs->n == 0)
        code = cli_fail(CLI_NO_INPUT, "there is no dataset to count");
    return code == CLI_DONE ? choose_shard(jobs) : code;
}

int cli_jobs_find(const cli_batch_options *options, cli_jobs *jobs)
{
    *jobs = (cli_jobs){.options = options, .lines = json_array(), .digests = json_object()};
    int code = jobs->lines != NULL && jobs->digests != NULL ? add_all(jobs) : cli_fail_for_memory();
    if (code != CLI_DONE)
        cli_jobs_free(jobs);
    return code;
}

void cli_jobs_free(cli_jobs *jobs)
{
    for (size_t j = 0; j < jobs->n; j++)
        free_job(&jobs->job[j]);
    free(jobs->job);
    json_decref(jobs->lines);
    json_decref(jobs->digests);
    *jobs = (cli_jobs){0};
}
