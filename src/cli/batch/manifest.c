/* The manifest of a folder. Its lock belongs to this process. The file is never opened a second time, because
 * closing any descriptor of it would release the lock. */
#define _GNU_SOURCE /* asprintf, TEMP_FAILURE_RETRY */
#include "src/cli/batch/manifest.h"
#include "pathcount_io.h"

#include "src/cli/process.h"
#include "src/cli/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIGNIFICANT_DIGITS = 6 };

/* ---- Reading --------------------------------------------------------------------------------- */

static void take_line(cli_manifest *manifest, const char *line, size_t n_bytes)
{
    json_t *object = json_loadb(line, n_bytes, 0, NULL);
    const char *result = json_string_value(json_object_get(object, "result"));
    if (result != NULL)
        json_object_set(manifest->latest, result, object);
    else if (manifest->shard.n_shards == 0)
        manifest->shard = cli_shard_of_line(object);
    json_decref(object);
}

/* A process that was killed may have left part of a line. It records nothing, and amid other lines it would look like
 * damage, so it is removed; a line that lacks only its end gets it. */
static bool end_last_line(const cli_manifest *manifest, const char *line, size_t n_bytes)
{
    json_t *object = json_loadb(line, n_bytes, 0, NULL);
    bool is_whole = object != NULL;
    struct stat info;
    int file = fileno(manifest->file);
    json_decref(object);
    return is_whole
               ? write(file, "\n", 1) == 1
               : fstat(file, &info) == 0 && ftruncate(file, info.st_size - (off_t)n_bytes) == 0;
}

static int read_lines(cli_manifest *manifest)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    bool is_ended = true;
    while ((n = getline(&line, &size, manifest->file)) > 0) {
        take_line(manifest, line, (size_t)n);
        if (line[n - 1] != '\n')
            is_ended = end_last_line(manifest, line, (size_t)n);
    }
    bool is_read = feof(manifest->file) != 0;
    free(line);
    if (is_read && is_ended)
        return CLI_DONE;
    return cli_fail(CLI_IO, "cannot read '%s': %s", manifest->path, strerror(errno));
}

/* ---- Opening --------------------------------------------------------------------------------- */

static int fail_to_create(const char *path)
{
    return cli_fail(CLI_NO_CREATE, "cannot create '%s': %s%s", path, strerror(errno),
                    errno == ENOENT ? ": make the folder around it first" : "");
}

static int lock(const cli_manifest *manifest, const char *folder)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(manifest->file), F_SETLK, &whole) == 0)
        return CLI_DONE;
    if (errno != EACCES && errno != EAGAIN)
        return cli_fail(CLI_NO_CREATE, "cannot lock '%s': %s", manifest->path, strerror(errno));
    char process[40] = "";
    if (fcntl(fileno(manifest->file), F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK)
        snprintf(process, sizeof process, ", process %ld,", (long)whole.l_pid);
    return cli_fail(CLI_NO_CREATE,
                    "another batch%s is writing to '%s': wait for it, or choose another --out",
                    process, folder);
}

/* The library refuses a path with links of other users. */
static int check_path(const char *path)
{
    pc_context *context;
    pc_output *output = NULL;
    if (pc_context_create(&context) != PC_OK)
        return cli_fail_for_memory();
    pc_status status = pc_output_open(context, path, &output);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_output_free(output);
    pc_context_free(context);
    return code;
}

/* Follows a link that belongs to this user: nobody else can replace it in a sticky folder. */
static int open_path(const char *path)
{
    int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat link;
    int file = open(path, flags | O_NOFOLLOW, 0666);
    if (file >= 0 || errno != ELOOP)
        return file;
    return lstat(path, &link) == 0 && link.st_uid == geteuid() ? open(path, flags, 0666) : -1;
}

static int open_file(cli_manifest *manifest, const cli_batch_options *options)
{
    char name[CLI_MANIFEST_NAME_BYTES];
    const char *folder = options->folder;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail_to_create(folder);
    if (asprintf(&manifest->path, "%s/%s", folder,
                 cli_manifest_name(options->shard, options->n_shards, name)) < 0) {
        manifest->path = NULL;
        return cli_fail_for_memory();
    }
    int code = check_path(manifest->path);
    if (code != CLI_DONE)
        return code;
    int file = open_path(manifest->path);
    manifest->file = file >= 0 ? fdopen(file, "r") : NULL;
    if (manifest->file != NULL)
        return CLI_DONE;
    if (file >= 0)
        close(file);
    return fail_to_create(manifest->path);
}

/* A shard is only of use with the others when all are of one list of jobs. */
static int begin_shard(cli_manifest *manifest, const cli_jobs *jobs)
{
    const cli_batch_options *options = jobs->options;
    cli_shard shard = {options->shard, options->n_shards, jobs->n_all, ""};
    if (options->n_shards == 0)
        return CLI_DONE;
    memcpy(shard.digest, jobs->list_digest, CLI_DIGEST_SIZE);
    if (manifest->shard.n_shards == 0) {
        json_t *line = cli_shard_line(&shard);
        char *text = line != NULL ? cli_manifest_text(line) : NULL;
        int code = text != NULL ? cli_manifest_add(manifest, text) : cli_fail_for_memory();
        free(text);
        json_decref(line);
        return code;
    }
    return cli_shard_equal(&manifest->shard, &shard)
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "'%s' is of another list of datasets, or of other options: a shard is "
                          "resumed with those that it was begun with; choose another --out",
                          manifest->path);
}

static int fill(cli_manifest *manifest, const cli_jobs *jobs)
{
    const char *folder = jobs->options->folder;
    bool resume = jobs->options->resume;
    struct stat info;
    int code = open_file(manifest, jobs->options);
    if (code != CLI_DONE)
        return code;
    if (fstat(fileno(manifest->file), &info) != 0 || !S_ISREG(info.st_mode))
        return cli_fail(CLI_NO_CREATE, "cannot write to '%s': it is no plain file", manifest->path);
    code = lock(manifest, folder);
    if (code != CLI_DONE)
        return code;
    if (!resume && fstat(fileno(manifest->file), &info) == 0 && info.st_size > 0)
        return cli_fail(CLI_USAGE,
                        "'%s' holds an earlier run: --resume does what is left of it, or choose "
                        "another --out",
                        folder);
    code = read_lines(manifest);
    if (code == CLI_DONE)
        code = begin_shard(manifest, jobs);
    if (code == CLI_DONE)
        cli_results_clean(folder); /* nobody else writes here while the lock is ours */
    return code;
}

int cli_manifest_open(const cli_jobs *jobs, cli_manifest *manifest)
{
    *manifest =
        (cli_manifest){.latest = json_object(), .no_sync = jobs->options->count.running.no_sync};
    int code = manifest->latest != NULL ? fill(manifest, jobs) : cli_fail_for_memory();
    if (code != CLI_DONE)
        cli_manifest_close(manifest);
    return code;
}

void cli_manifest_close(cli_manifest *manifest)
{
    if (manifest->file != NULL)
        fclose(manifest->file);
    free(manifest->path);
    json_decref(manifest->latest);
    *manifest = (cli_manifest){0};
}

/* ---- Lines of jobs --------------------------------------------------------------------------- */

json_t *cli_manifest_find(const cli_manifest *manifest, const cli_job *job)
{
    json_t *line = job->problem == NULL ? json_object_get(manifest->latest, job->result) : NULL;
    const char *digest = json_string_value(json_object_get(line, "query_sha256"));
    return strcmp(digest != NULL ? digest : "", job->query_digest) == 0 ? line : NULL;
}

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? cli_json_text(text) : json_null();
}

static json_t *integer_if(bool is_known, uint64_t value)
{
    return is_known ? json_integer((json_int_t)value) : json_null();
}

/* The times of the stages. A job without a plan has only the total. */
static json_t *seconds_object(const cli_job_report *report)
{
    bool has_plan = report->has_plan;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f}", "read",
                     report->has_graph ? json_real(report->read_seconds) : json_null(), "bound",
                     has_plan ? json_real(report->bound_seconds) : json_null(), "count",
                     has_plan ? json_real(report->count_seconds) : json_null(), "certify",
                     has_plan ? json_real(report->certify_seconds) : json_null(), "write",
                     has_plan ? json_real(report->write_seconds) : json_null(), "total",
                     report->total_seconds);
}

static json_t *picture_name(const cli_job *job, const cli_job_report *report)
{
    return report->has_picture ? json_sprintf("%s.png", job->result) : json_null();
}

json_t *cli_manifest_line(const cli_job *job, const cli_job_report *report, bool with_picture,
                          bool with_number)
{
    json_t *line = json_pack(
        "{s:o, s:o, s:O, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}",
        "input", cli_json_text(job->input), "input_sha256", text_or_null(report->input_digest),
        "options", job->options, "version", pc_version(), "vertices",
        integer_if(report->has_graph, report->n_vertices), "edges",
        integer_if(report->has_graph, report->n_edges), "bits",
        integer_if(report->has_plan, report->bits), "total_paths", text_or_null(report->total),
        "largest_count", text_or_null(report->largest), "engine", text_or_null(report->engine),
        "method", text_or_null(report->method), "seconds", seconds_object(report),
        "peak_memory_bytes", integer_if(report->peak_memory_bytes > 0, report->peak_memory_bytes),
        "result", job->problem == NULL ? cli_json_text(job->result) : json_null(), "result_sha256",
        text_or_null(report->result_digest), "exit", report->exit, "message",
        cli_json_text(report->message));
    bool is_whole = line != NULL;
    if (is_whole && job->query_digest[0] != '\0')
        is_whole = json_object_set_new(line, "query_sha256", json_string(job->query_digest)) == 0;
    if (is_whole && with_picture)
        is_whole = json_object_set_new(line, "picture", picture_name(job, report)) == 0;
    if (is_whole && report->has_labels)
        is_whole = json_object_set_new(line, "labels",
                                       json_sprintf("%s%s", job->result, PC_LABELS_ENDING)) == 0;
    if (is_whole && with_number)
        is_whole =
            json_object_set_new(line, CLI_JOB_NUMBER, json_integer((json_int_t)job->number)) == 0;
    if (is_whole)
        return line;
    json_decref(line);
    return NULL;
}

char *cli_manifest_text(const json_t *line)
{
    return json_dumps(line, JSON_REAL_PRECISION(SIGNIFICANT_DIGITS));
}

int cli_manifest_add(const cli_manifest *manifest, char *text)
{
    struct iovec parts[] = {{text, strlen(text)}, {"\n", 1}};
    int file = fileno(manifest->file);
    ssize_t n = TEMP_FAILURE_RETRY(writev(file, parts, 2));
    bool is_written = n == (ssize_t)parts[0].iov_len + 1;
    if (is_written && (manifest->no_sync || fdatasync(file) == 0))
        return CLI_DONE;
    return cli_fail(CLI_IO, "cannot write to '%s': %s", manifest->path,
                    strerror(n < 0 || is_written ? errno : ENOSPC));
}
