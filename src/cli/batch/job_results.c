/* Results that would take the place of one another, or of a file that is read, are found before
 * anything is written. */
#define _GNU_SOURCE /* O_PATH */
#include "src/cli/batch/job_sources.h"
#include "src/cli/exit_codes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Of one another -------------------------------------------------------------------------- */

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

/* ---- Of what is read ------------------------------------------------------------------------- */

enum { IDENTITY_BYTES = 48 };

/* What file it is, whatever it is called. */
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
static bool add_files(const cli_jobs *jobs, const char *manifest, json_t *files)
{
    const char *path;
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

int cli_jobs_check_results(const cli_jobs *jobs, const char *manifest, const char *folder)
{
    json_t *seen = json_object(), *files = json_object();
    int code = seen != NULL && files != NULL && add_files(jobs, manifest, files)
                   ? check_names(jobs, seen)
                   : cli_fail_for_memory();
    int opened = code == CLI_DONE ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (opened >= 0) { /* else there is nothing in it yet, or it will be complained of */
        code = check_files(jobs, opened, files);
        close(opened);
    }
    json_decref(seen);
    json_decref(files);
    return code;
}
