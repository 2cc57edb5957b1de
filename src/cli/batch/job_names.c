/* Names of datasets and of results. A name from outside must not lead out of the folder of results, must
 * not control a terminal, and must be UTF-8, which JSON needs. Results that would replace one another, or
 * a file that is read, are refused before anything is written. */
#define _GNU_SOURCE /* O_PATH */
#include "src/cli/batch/job_names.h"

#include "src/cli/batch/job.h"
#include "src/cli/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_NAME_BYTES = 200, /* with endings far below the 255 of file systems */
    HEAD_BYTES = 1 << 14
};

/* .npy in a folder is a result more often than a graph, and so is packed .json: those of a graph must
 * be named. */
bool cli_job_is_graph_name(const char *name)
{
    const pc_file_format *format = pc_file_format_of(name, NULL);
    return format != NULL && format->reads_graphs &&
           (format->writes_graphs || !format->writes_matrices);
}

/* The first key says what pathcount wrote; the keys of a graph are those of its lists, or of an edge. */
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

bool cli_job_is_graph_file(int folder, const char *name)
{
    char text[HEAD_BYTES + 1];
    size_t length = strlen(name), n_ending = strlen(".json");
    if (length < n_ending || strcasecmp(name + length - n_ending, ".json") != 0)
        return cli_job_is_graph_name(name);
    int file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t n = file < 0 ? -1 : read(file, text, HEAD_BYTES);
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    return begins_graph(text);
}

char *cli_job_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length, length_unpacked;
    const pc_file_format *format = pc_file_format_of(name, &length);
    length_unpacked = length + (format != NULL ? strlen(format->ending) : 0);
    return strndup(name, cli_job_is_graph_name(name) ? length : length_unpacked);
}

static bool has_control_character(const char *name)
{
    for (; *name != '\0'; name++)
        if ((unsigned char)*name < ' ' || (unsigned char)*name == 0x7f)
            return true;
    return false;
}

static bool is_utf8(const char *name)
{
    json_t *string = json_string(name);
    json_decref(string);
    return string != NULL;
}

const char *cli_job_name_flaw(const char *name)
{
    return name[0] == '\0'                 ? "it is empty"
           : name[0] == '.'                ? "it begins with a dot"
           : strchr(name, '/') != NULL     ? "it contains a '/'"
           : has_control_character(name)   ? "it contains a control character"
           : strlen(name) > MAX_NAME_BYTES ? "it is longer than 200 bytes"
           : !is_utf8(name)                ? "it is not UTF-8"
                                           : NULL;
}

/* ---- Results that would replace one another, or a file that is read --------------------------- */

static int refuse_two(const cli_job *one, const cli_job *other)
{
    if (strcmp(one->input, other->input) == 0)
        return cli_fail(CLI_USAGE,
                        "'%s' is given twice, and both would write '%s': give one of them another "
                        "name in a line of --manifest: {\"input\": ..., \"name\": ...}",
                        one->input, one->result);
    return cli_fail(CLI_USAGE,
                    "'%s' and '%s' would both write '%s': give one of them another name in a line "
                    "of --manifest: {\"input\": ..., \"name\": ...}",
                    one->input, other->input, one->result);
}

static int check_names(const cli_jobs *jobs, json_t *seen)
{
    for (size_t j = 0; j < jobs->n; j++) {
        const cli_job *job = &jobs->job[j];
        if (job->problem != NULL)
            continue;
        const json_t *before = json_object_get(seen, job->result);
        if (before != NULL)
            return refuse_two(&jobs->job[json_integer_value(before)], job);
        if (json_object_set_new(seen, job->result, json_integer((json_int_t)j)) != 0)
            return cli_fail_for_memory();
    }
    return CLI_DONE;
}

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

static bool add_file(json_t *files, const char *path)
{
    char identity[IDENTITY_BYTES];
    return !identify(AT_FDCWD, path, identity) ||
           json_object_set_new(files, identity, json_stringn_nocheck(path, strlen(path))) == 0;
}

/* Datasets, the manifest, and lists of vertices and pairs. */
static bool add_files(const cli_jobs *jobs, json_t *files)
{
    const char *path, *manifest = jobs->options->manifest_path;
    json_t *digest;
    bool is_done = manifest == NULL || add_file(files, manifest);
    for (size_t j = 0; j < jobs->n && is_done; j++)
        is_done = add_file(files, jobs->job[j].input);
    json_object_foreach(jobs->digests, path, digest) is_done = is_done && add_file(files, path);
    return is_done;
}

static int check_files(const cli_jobs *jobs, int folder, const json_t *files)
{
    char identity[IDENTITY_BYTES];
    for (size_t j = 0; j < jobs->n; j++) {
        const cli_job *job = &jobs->job[j];
        if (job->problem != NULL || !identify(folder, job->result, identity))
            continue;
        const char *path = json_string_value(json_object_get(files, identity));
        if (path != NULL)
            return cli_fail(CLI_USAGE,
                            "the result '%s' of '%s' would take the place of '%s', which is read: "
                            "choose another --out or --as",
                            job->result, job->input, path);
    }
    return CLI_DONE;
}

int cli_jobs_check_results(const cli_jobs *jobs)
{
    json_t *seen = json_object(), *files = json_object();
    int code = seen != NULL && files != NULL && add_files(jobs, files) ? check_names(jobs, seen)
                                                                       : cli_fail_for_memory();
    int opened =
        code == CLI_DONE ? open(jobs->options->folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (opened >= 0) { /* else it is empty, or cli_manifest_open reports the error */
        code = check_files(jobs, opened, files);
        close(opened);
    }
    json_decref(seen);
    json_decref(files);
    return code;
}
