/* Finds the jobs of a batch: the paths of the command line, the files of folders, the lines of
 * --manifest. An error of the command line or of a line is reported before any job begins. A
 * dataset that cannot be counted makes a job with a problem, and only that job fails.
 *
 * The name of a result comes from outside. It must not lead out of the folder of results, must
 * not control a terminal, and must be UTF-8, which JSON needs. Results that would replace one
 * another, or a file that is read, are refused before anything is written. */
#define _GNU_SOURCE /* asprintf, O_PATH */
#include "src/cli/batch/jobs.h"

#include "src/cli/json.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_LINE_BYTES = 1 << 20,
    MAX_NAME_BYTES = 200, /* with endings far below the 255 of file systems */
    HEAD_BYTES = 1 << 14  /* of a file in JSON: enough to tell a graph from a result */
};

/* A dataset as it is given somewhere. */
typedef struct dataset {
    const char *path;
    const char *name;   /* of the result, without ending; NULL: from the path */
    const char *result; /* of an earlier run, which contains the name too; NULL: there was none */
    const char *where;  /* "jobs.jsonl:3"; NULL: the command line */
    int n_arguments;
    char **arguments; /* options of this dataset; their texts outlive the jobs */
} dataset;

/* ---- Digests --------------------------------------------------------------------------------- */

/* Makes one digest of all files that the query names; "" when it names none. known has the digests
 * of files that were read, by their paths. A file that cannot be read has the digest "": then the
 * job fails with the reason. */
static void digest_query(json_t *known, const cli_query_options *query,
                         char digest[CLI_DIGEST_SIZE])
{
    const char **digests = cli_need(malloc((query->n_named + 1) * sizeof *digests));
    size_t n = 0;
    for (size_t i = 0; i < query->n_named; i++) {
        const cli_named *named = &query->named[i];
        const char *path = cli_named_file(query, named);
        if (path == NULL)
            continue;
        if (json_object_get(known, path) == NULL && cli_digest_file(path, digest, NULL))
            json_object_set_new(known, path, json_string(digest));
        digests[n++] = cli_json_member(known, path);
    }
    digest[0] = '\0';
    if (n > 0)
        cli_digest_texts(n, digests, digest);
    free(digests);
}

bool cli_job_query_holds(const cli_job *job)
{
    char digest[CLI_DIGEST_SIZE];
    json_t *known = json_object();
    digest_query(known, &job->count.query, digest);
    json_decref(known);
    return strcmp(digest, job->query_digest) == 0;
}

/* Makes the digest of input, result, query_digest and options, each option with what was before. It
 * takes no memory, the lack of which would look like a change. */
static void digest_job(const cli_job *job, char digest[CLI_DIGEST_SIZE])
{
    const char *texts[] = {job->input, job->result, job->query_digest};
    const json_t *option;
    size_t i;
    cli_digest_texts(3, texts, digest);
    json_array_foreach(job->options, i, option)
    {
        const char *both[] = {digest, json_string_value(option)};
        cli_digest_texts(2, both, digest);
    }
}

bool cli_job_is_intact(const cli_job *job)
{
    char digest[CLI_DIGEST_SIZE];
    digest_job(job, digest);
    return strcmp(digest, job->digest) == 0;
}

/* ---- A job of a dataset ---------------------------------------------------------------------- */

/* Returns whether a file is called like a graph: "karate.mtx", "karate.gml.gz". .npy in a folder is
 * a result more often than a graph, and so is packed .json: those of a graph must be named. */
static bool is_graph_name(const char *name)
{
    const pc_file_format *format = pc_file_format_of(name, NULL);
    return format != NULL && (format->writes_graphs || !format->writes_matrices);
}

/* The name of a result without its ending, to be free()d. A name that the line gives comes first, then the name in an
 * earlier run, if the ending is the same, then the last part of the path without the ending of its format and
 * packing. */
static char *name_of(const dataset *dataset, const char *ending)
{
    size_t n = strlen(ending), length = dataset->result != NULL ? strlen(dataset->result) : 0;
    if (dataset->name != NULL)
        return cli_need(strdup(dataset->name));
    if (length > n && dataset->result[length - n - 1] == '.' &&
        strcmp(dataset->result + length - n, ending) == 0)
        return cli_need(strndup(dataset->result, length - n - 1));
    const char *slash = strrchr(dataset->path, '/');
    const char *name = slash != NULL ? slash + 1 : dataset->path;
    const pc_file_format *format = pc_file_format_of(name, &length);
    if (format != NULL && !is_graph_name(name))
        length += strlen(format->ending);
    return cli_need(strndup(name, length));
}

/* Why a name, without ending, cannot be that of a result; NULL: it can. */
static const char *flaw_of(const char *name)
{
    bool has_control = false;
    json_t *utf8 = json_string(name);
    json_decref(utf8);
    for (const char *c = name; *c != '\0'; c++)
        has_control |= (unsigned char)*c < ' ' || *c == 0x7f;
    return name[0] == '\0'                 ? "it is empty"
           : name[0] == '.'                ? "it begins with a dot"
           : strchr(name, '/') != NULL     ? "it contains a '/'"
           : has_control                   ? "it contains a control character"
           : strlen(name) > MAX_NAME_BYTES ? "it is longer than 200 bytes"
           : utf8 == NULL                  ? "it is not UTF-8"
                                           : NULL;
}

/* Adds a job. A bad name in a line is an error of the command line; a bad name of a file is a problem of its job
 * only. */
static int add_job(cli_jobs *jobs, const dataset *dataset)
{
    const char *ending;
    jobs->job = cli_need(realloc(jobs->job, (jobs->n + 1) * sizeof *jobs->job));
    cli_job *job = &jobs->job[jobs->n++];
    *job = (cli_job){0};
    cli_batch_options_parse_line(jobs->options, dataset->where, dataset->n_arguments,
                                 dataset->arguments, &job->count, &ending, &job->options);
    job->input = cli_need(strdup(dataset->path));
    job->count.input.path = job->input;
    digest_query(jobs->digests, &job->count.query, job->query_digest);
    if (job->options == NULL)
        return cli_fail(CLI_USAGE,
                        "options of a batch must be UTF-8, or they could not be recorded");
    char *name = name_of(dataset, ending);
    const char *flaw = flaw_of(name);
    if (asprintf(&job->result, "%s.%s", name, ending) < 0)
        job->result = cli_need(NULL);
    free(name);
    if (flaw != NULL && dataset->name != NULL)
        return cli_fail(CLI_BAD_DATA, "%s: \"name\" cannot be that of a result: %s", dataset->where,
                        flaw);
    if (flaw != NULL &&
        asprintf(&job->problem,
                 "its name cannot be that of a result: %s (give it one in a line of --manifest: "
                 "{\"input\": ..., \"name\": ...})",
                 flaw) < 0)
        job->problem = cli_need(NULL);
    digest_job(job, job->digest);
    return CLI_DONE;
}

/* ---- Files of a folder ----------------------------------------------------------------------- */

/* Returns whether the text of a file in JSON begins as a graph does. The first key says what
 * pathcount wrote; the keys of a graph are those of its lists, or of an edge. */
static bool begins_graph(const char *text)
{
    static const char *const ours[] = {"{\"schema\"", "{\"labels\"", "{\"certificate\"",
                                       "{\"rates\""};
    static const char *const keys[] = {"\"nodes\"",     "\"links\"",  "\"edges\"", "\"elements\"",
                                       "\"adjacency\"", "\"source\"", "\"from\"",  "\"src\""};
    char first[32];
    size_t n = 0;
    for (const char *c = text; *c != '\0' && n < sizeof first - 1; c++)
        if (*c != ' ' && *c != '\n' && *c != '\r' && *c != '\t')
            first[n++] = *c;
    first[n] = '\0';
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strncmp(first, ours[i], strlen(ours[i])) == 0)
            return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strstr(text, keys[i]) != NULL)
            return true;
    return false;
}

/* Returns whether a file is a graph: it is called like one, or it is called .json and its text
 * begins as a graph does. */
static bool is_graph_file(const char *path)
{
    char text[HEAD_BYTES + 1];
    const char *name = strrchr(path, '/') + 1;
    size_t length = strlen(name), n_ending = strlen(".json");
    if (length < n_ending || strcasecmp(name + length - n_ending, ".json") != 0)
        return is_graph_name(name);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t n = file < 0 ? -1 : read(file, text, HEAD_BYTES);
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    return begins_graph(text);
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

/* Adds the files of a folder that are graphs, and prints how many others there are. */
static int add_files_of(cli_jobs *jobs, const char *folder, struct dirent **entry, int n_entries)
{
    size_t length = strlen(folder);
    int n_graphs = 0, n_folders = 0, n_others = 0, code = CLI_DONE;
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/", *other = NULL;
    for (int i = 0; i < n_entries && code == CLI_DONE; i++) {
        char *path = NULL;
        struct stat info;
        if (asprintf(&path, "%s%s%s", folder, slash, entry[i]->d_name) < 0)
            return cli_fail_for_memory();
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            n_folders++;
        } else if (is_graph_file(path)) {
            n_graphs++;
            code = add_job(jobs, &(dataset){.path = path});
        } else if (n_others++ == 0) {
            other = entry[i]->d_name;
        }
        free(path);
    }
    if (code == CLI_DONE && n_graphs == 0)
        return cli_fail(CLI_NO_INPUT,
                        "'%s' holds no file that is called like a graph, such as "
                        "graph.txt, graph.mtx or graph.gml.gz",
                        folder);
    bool is_told = code == CLI_DONE && !jobs->options->count.running.is_quiet;
    if (is_told && n_folders > 0)
        fprintf(stderr, "%s: %d folder%s in it not looked into\n", folder, n_folders,
                n_folders == 1 ? "" : "s");
    if (is_told && n_others > 0) {
        fprintf(stderr, "%s: %d skipped, not called like a graph file: ", folder, n_others);
        cli_print_shown(stderr, other);
        fputs(n_others > 1 ? ", ...\n" : "\n", stderr);
    }
    return code;
}

static int add_folder(cli_jobs *jobs, const char *folder)
{
    struct dirent **entry;
    struct stat one, two;
    if (stat(folder, &one) == 0 && stat(jobs->options->folder, &two) == 0 &&
        one.st_dev == two.st_dev && one.st_ino == two.st_ino)
        return cli_fail(CLI_USAGE,
                        "'%s' is the folder of the results too: they would become "
                        "datasets of the next run; choose another --out",
                        folder);
    int n = scandir(folder, &entry, is_visible, by_name);
    if (n < 0)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", folder, strerror(errno));
    int code = add_files_of(jobs, folder, entry, n);
    for (int i = 0; i < n; i++)
        free(entry[i]);
    free(entry);
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

/* A line of an earlier manifest.jsonl has a version, and other keys, which are passed over. */
static int check_object(const reader *from, json_t *object)
{
    bool is_earlier = json_object_get(object, "version") != NULL;
    json_t *value, *options = json_object_get(object, "options");
    bool are_texts = options == NULL || json_is_array(options);
    const char *key;
    size_t i;
    json_object_foreach(object, key, value)
    {
        bool is_known = strcmp(key, "input") == 0 || strcmp(key, "options") == 0 ||
                        strcmp(key, "name") == 0 || strcmp(key, "result") == 0;
        if (!is_known && !is_earlier)
            return fail_line(from, "unknown key \"%s\": known are input, options and name", key);
    }
    if (!json_is_string(json_object_get(object, "input")))
        return fail_line(from, "\"input\" must be there and be a text, the path of a dataset");
    value = json_object_get(object, "name");
    if (value != NULL && !json_is_string(value))
        return fail_line(from, "\"name\" must be a text");
    json_array_foreach(options, i, value) are_texts = are_texts && json_is_string(value);
    if (!are_texts)
        return fail_line(from, "\"options\" must be an array of texts, such as [\"--directed\"]");
    return CLI_DONE;
}

/* Fills in a dataset from an object in JSON, which is kept, because the options of the job point
 * into its texts. dataset->arguments is to be free()d. */
static int read_object(const reader *from, const char *line, dataset *dataset)
{
    json_error_t error;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL)
        return fail_line(from, "no JSON object: %s (at byte %d)", error.text, error.position);
    const json_t *options = json_object_get(object, "options");
    size_t n = json_array_size(options);
    int code = check_object(from, object);
    if (code == CLI_DONE) {
        dataset->path = json_string_value(json_object_get(object, "input"));
        dataset->name = json_string_value(json_object_get(object, "name"));
        dataset->result = json_string_value(json_object_get(object, "result"));
        dataset->arguments = cli_need(malloc((n + 1) * sizeof *dataset->arguments));
        dataset->n_arguments = (int)n;
        json_array_append(from->jobs->lines, object);
        for (size_t i = 0; i < n; i++)
            dataset->arguments[i] = (char *)json_string_value(json_array_get(options, i));
    }
    json_decref(object);
    return code;
}

/* Adds the dataset of a line: a path, or an object in JSON. */
static int add_line(const reader *from)
{
    static const char mark[] = "\xef\xbb\xbf"; /* some editors begin UTF-8 with it */
    bool has_mark = from->number == 1 && strncmp(from->line, mark, sizeof mark - 1) == 0;
    const char *line = from->line + (has_mark ? sizeof mark - 1 : 0);
    dataset dataset = {.path = line};
    char *where = NULL;
    if (line[0] == '\0' || line[0] == '#')
        return CLI_DONE;
    int code = line[0] == '{' ? read_object(from, line, &dataset) : CLI_DONE;
    if (code == CLI_DONE && dataset.path[0] == '\0')
        code = fail_line(from, "the path is empty");
    else if (code == CLI_DONE && strcmp(dataset.path, "-") == 0)
        code = fail_line(from, "standard input cannot be one dataset of many");
    else if (code == CLI_DONE && asprintf(&where, "%s:%" PRIu64, from->name, from->number) < 0)
        code = cli_fail_for_memory();
    if (code == CLI_DONE) {
        dataset.where = where;
        code = add_job(from->jobs, &dataset);
        free(where);
    }
    free(dataset.arguments);
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

static int add_manifest(cli_jobs *jobs, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0, is_there = true;
    reader from = {.jobs = jobs,
                   .file = is_stdin ? stdin : fopen(path, "re"),
                   .name = is_stdin ? "standard input" : path};
    if (from.file == NULL)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", path, strerror(errno));
    from.line = cli_need(malloc(MAX_LINE_BYTES + 1));
    int code = read_line(&from, &is_there);
    while (code == CLI_DONE && is_there) {
        code = add_line(&from);
        if (code == CLI_DONE)
            code = read_line(&from, &is_there);
    }
    free(from.line);
    if (!is_stdin)
        fclose(from.file);
    return code;
}

/* ---- Results that would replace one another, or a file that is read -------------------------- */

enum { IDENTITY_BYTES = 48 };

/* Device and number of a file: the same for all its names. */
static bool identify(int folder, const char *path, char identity[IDENTITY_BYTES])
{
    struct stat info;
    if (fstatat(folder, path, &info, 0) != 0)
        return false;
    snprintf(identity, IDENTITY_BYTES, "%" PRIxMAX ":%" PRIxMAX, (uintmax_t)info.st_dev,
             (uintmax_t)info.st_ino);
    return true;
}

static void add_file(json_t *files, const char *path)
{
    char identity[IDENTITY_BYTES];
    if (identify(AT_FDCWD, path, identity))
        json_object_set_new(files, identity, json_stringn_nocheck(path, strlen(path)));
}

/* Checks the name of each result against those of the jobs before, and against the files that are read: datasets, the
 * manifest, and lists of vertices and pairs. A folder that does not exist holds nothing; cli_manifest_open reports
 * other errors of it. */
static int check_results(const cli_jobs *jobs)
{
    static const char advice[] =
        "give one of them another name in a line of --manifest: {\"input\": ..., \"name\": ...}";
    json_t *seen = json_object(), *files = json_object(), *digest;
    const char *path;
    char identity[IDENTITY_BYTES];
    int folder = open(jobs->options->folder, O_PATH | O_DIRECTORY | O_CLOEXEC), code = CLI_DONE;
    if (jobs->options->manifest_path != NULL)
        add_file(files, jobs->options->manifest_path);
    for (size_t j = 0; j < jobs->n; j++)
        add_file(files, jobs->job[j].input);
    json_object_foreach(jobs->digests, path, digest) add_file(files, path);
    for (size_t j = 0; j < jobs->n && code == CLI_DONE; j++) {
        const cli_job *job = &jobs->job[j];
        if (job->problem != NULL)
            continue;
        const json_t *before = json_object_get(seen, job->result), *read = NULL;
        const char *other =
            before != NULL ? jobs->job[json_integer_value(before)].input : job->input;
        if (before != NULL && strcmp(other, job->input) == 0)
            code = cli_fail(CLI_USAGE, "'%s' is given twice, and both would write '%s': %s", other,
                            job->result, advice);
        else if (before != NULL)
            code = cli_fail(CLI_USAGE, "'%s' and '%s' would both write '%s': %s", other, job->input,
                            job->result, advice);
        json_object_set_new(seen, job->result, json_integer((json_int_t)j));
        if (folder >= 0 && identify(folder, job->result, identity))
            read = json_object_get(files, identity);
        if (code == CLI_DONE && read != NULL)
            code = cli_fail(CLI_USAGE,
                            "the result '%s' of '%s' would take the place of '%s', which is read: "
                            "choose another --out or --as",
                            job->result, job->input, json_string_value(read));
    }
    if (folder >= 0)
        close(folder);
    json_decref(seen);
    json_decref(files);
    return code;
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

static void free_job(cli_job *job)
{
    free(job->input);
    free(job->result);
    free(job->problem);
    free(job->count.query.named);
    json_decref(job->options);
    json_decref(job->line);
}

int cli_jobs_find(const cli_batch_options *options, cli_jobs *jobs)
{
    *jobs = (cli_jobs){.options = options, .lines = json_array(), .digests = json_object()};
    int code = CLI_DONE;
    for (size_t i = 0; i < options->n_paths && code == CLI_DONE; i++)
        code = add_path(jobs, options->paths[i]);
    if (code == CLI_DONE && options->manifest_path != NULL)
        code = add_manifest(jobs, options->manifest_path);
    if (code == CLI_DONE)
        code = check_results(jobs);
    if (code == CLI_DONE && jobs->n == 0)
        code = cli_fail(CLI_NO_INPUT, "there is no dataset to count");
    if (code != CLI_DONE) {
        cli_jobs_free(jobs);
        return code;
    }
    size_t n_all = jobs->n, n_shards = options->n_shards > 0 ? options->n_shards : 1;
    jobs->n = 0; /* each Nth job stays, from number I on, for --shard I/N */
    for (size_t j = 0; j < n_all; j++)
        if (n_shards == 1 || j % n_shards == options->shard - 1)
            jobs->job[jobs->n++] = jobs->job[j];
        else
            free_job(&jobs->job[j]);
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
