/* The manifest of a folder. Its lock belongs to this process. The file is never opened a second
 * time, because closing any descriptor of it would release the lock. */
#define _GNU_SOURCE /* asprintf, TEMP_FAILURE_RETRY */
#include "src/cli/batch/manifest.h"
#include "tool.h"

#include "src/cli/load.h"
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

/* Reads all lines. A process that was killed may have left part of a line. It records nothing, and amid other lines it
 * would look like damage, so it is removed; a line that lacks only its line feed gets it. */
static int read_lines(cli_manifest *manifest)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    bool is_ended = true;
    int file = fileno(manifest->file);
    struct stat info;
    while ((n = getline(&line, &size, manifest->file)) > 0) {
        json_t *object = json_loadb(line, (size_t)n, 0, NULL);
        const char *result = json_string_value(json_object_get(object, "result"));
        if (result != NULL)
            json_object_set(manifest->latest, result, object);
        if (line[n - 1] != '\n' && object != NULL)
            is_ended = write(file, "\n", 1) == 1;
        else if (line[n - 1] != '\n')
            is_ended = fstat(file, &info) == 0 && ftruncate(file, info.st_size - n) == 0;
        json_decref(object);
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

/* Makes the folder, and opens DIR/manifest.jsonl, or that of a shard, DIR/manifest.2-of-5.jsonl. The library refuses a
 * path with links of other users. A link that belongs to this user is followed: nobody else can replace it in a sticky
 * folder. */
static int open_file(const cli_batch_options *options, cli_manifest *manifest)
{
    const char *folder = options->folder;
    int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    struct stat info;
    pc_context *context;
    pc_output *output = NULL;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail_to_create(folder);
    int length = options->n_shards == 0 ? asprintf(&manifest->path, "%s/manifest.jsonl", folder)
                                        : asprintf(&manifest->path, "%s/manifest.%u-of-%u.jsonl",
                                                   folder, options->shard, options->n_shards);
    if (length < 0) {
        manifest->path = NULL;
        return cli_fail_for_memory();
    }
    const char *path = manifest->path;
    if (pc_context_create(&context) != PC_OK)
        return cli_fail_for_memory();
    pc_status status = pc_output_open(context, path, &output);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_output_free(output);
    pc_context_free(context);
    if (code != CLI_DONE)
        return code;
    int file = open(path, flags | O_NOFOLLOW, 0666);
    if (file < 0 && errno == ELOOP && lstat(path, &info) == 0 && info.st_uid == geteuid())
        file = open(path, flags, 0666);
    manifest->file = file >= 0 ? fdopen(file, "r") : NULL;
    if (manifest->file == NULL) {
        code = fail_to_create(path);
        if (file >= 0)
            close(file);
        return code;
    }
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        return cli_fail(CLI_NO_CREATE, "cannot write to '%s': it is no plain file", path);
    return CLI_DONE;
}

int cli_manifest_open(const cli_batch_options *options, cli_manifest *manifest)
{
    struct stat info;
    *manifest = (cli_manifest){.latest = json_object(), .no_sync = options->count.running.no_sync};
    int code = open_file(options, manifest);
    if (code == CLI_DONE)
        code = lock(manifest, options->folder);
    if (code == CLI_DONE && !options->resume && fstat(fileno(manifest->file), &info) == 0 &&
        info.st_size > 0)
        code = cli_fail(CLI_USAGE,
                        "'%s' holds an earlier run: --resume does what is left of it, or choose "
                        "another --out",
                        options->folder);
    if (code == CLI_DONE)
        code = read_lines(manifest);
    if (code == CLI_DONE)
        cli_results_clean(options->folder); /* nobody else writes here while the lock is ours */
    else
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
    return strcmp(cli_json_member(line, "query_sha256"), job->query_digest) == 0 ? line : NULL;
}

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? cli_json_text(text) : json_null();
}

static json_t *integer_if(bool is_known, uint64_t value)
{
    return is_known ? json_integer((json_int_t)value) : json_null();
}

static json_t *seconds_if(bool is_known, double seconds)
{
    return is_known ? json_real(seconds) : json_null();
}

json_t *cli_manifest_line(const cli_job *job, const cli_job_report *report, bool with_picture)
{
    const cli_count_facts *facts = &report->facts;
    const pc_plan_info *plan = &facts->plan;
    bool has_graph = facts->has_graph, has_plan = facts->has_plan;
    double count_seconds = plan->seconds.start + plan->seconds.load + plan->seconds.extend +
                           plan->seconds.product + plan->seconds.step + plan->seconds.sweep +
                           plan->seconds.collect;
    json_t *seconds = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:f}", "read", seconds_if(has_graph, facts->read_seconds),
        "bound", seconds_if(has_plan, plan->seconds.bound), "count",
        seconds_if(has_plan, count_seconds), "certify", seconds_if(has_plan, plan->seconds.certify),
        "write", seconds_if(has_plan, plan->seconds.deliver), "total", report->total_seconds);
    json_t *made = json_pack(
        "{s:o, s:o, s:O, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}",
        "input", cli_json_text(job->input), "input_sha256", text_or_null(report->input_digest),
        "options", job->options, "version", pc_version(), "vertices",
        integer_if(has_graph, facts->graph.n_vertices), "edges",
        integer_if(has_graph, facts->graph.n_edges), "bits", integer_if(has_plan, facts->bits),
        "total_paths", text_or_null(facts->total), "largest_count", text_or_null(facts->largest),
        "engine", text_or_null(report->engine), "method",
        has_plan ? json_string(cli_method_name(plan->method)) : json_null(), "seconds", seconds,
        "peak_memory_bytes", integer_if(report->peak_memory_bytes > 0, report->peak_memory_bytes),
        "result", job->problem == NULL ? cli_json_text(job->result) : json_null(), "result_sha256",
        text_or_null(report->result_digest), "exit", report->exit, "message",
        cli_json_text(report->message));
    if (job->query_digest[0] != '\0')
        json_object_set_new(made, "query_sha256", json_string(job->query_digest));
    if (with_picture)
        json_object_set_new(made, "picture",
                            report->has_picture ? json_sprintf("%s" CLI_RESULT_PICTURE, job->result)
                                                : json_null());
    if (report->has_labels)
        json_object_set_new(made, "labels", json_sprintf("%s" PC_LABELS_ENDING, job->result));
    return made;
}

char *cli_manifest_text(const json_t *line)
{
    return cli_need(json_dumps(line, JSON_REAL_PRECISION(SIGNIFICANT_DIGITS)));
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

/* ---- Results in the folder ------------------------------------------------------------------- */

void cli_result_remove(const char *folder, const char *name)
{
    static const char *const endings[] = {"", CLI_RESULT_PICTURE, PC_LABELS_ENDING};
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s%s", folder, name, endings[e]) >= 0) {
            unlink(path);
            free(path);
        }
    }
}

void cli_results_clean(const char *folder)
{
    char *path = NULL;
    if (asprintf(&path, "%s/.", folder) >= 0) {
        cli_clean_beside(path);
        free(path);
    }
}
