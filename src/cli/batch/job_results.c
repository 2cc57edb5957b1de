/* Results that would take the place of one another, or of a dataset, are found before anything is
 * written. */
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
            return cli_fail(CLI_UNAVAILABLE, "out of memory");
    }
    return CLI_DONE;
}

/* ---- Of a dataset ---------------------------------------------------------------------------- */

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

static int check_datasets(const cli_jobs *jobs, int folder, json_t *datasets)
{
    char identity[IDENTITY_BYTES];
    for (size_t j = 0; j < jobs->n; j++)
        if (identify(AT_FDCWD, jobs->job[j].input, identity) &&
            json_object_set_new(datasets, identity, json_integer((json_int_t)j)) != 0)
            return cli_fail(CLI_UNAVAILABLE, "out of memory");
    for (size_t j = 0; j < jobs->n; j++) {
        const cli_job *job = &jobs->job[j];
        if (job->problem != NULL || !identify(folder, job->result, identity))
            continue;
        const json_t *dataset = json_object_get(datasets, identity);
        if (dataset != NULL)
            return cli_fail(CLI_USAGE,
                            "the result '%s' of '%s' would take the place of the dataset '%s': "
                            "choose another --out or --as",
                            job->result, job->input, jobs->job[json_integer_value(dataset)].input);
    }
    return CLI_DONE;
}

int cli_jobs_check_results(const cli_jobs *jobs, const char *folder)
{
    json_t *seen = json_object(), *datasets = json_object();
    int code = seen != NULL && datasets != NULL ? check_names(jobs, seen)
                                                : cli_fail(CLI_UNAVAILABLE, "out of memory");
    int opened = code == CLI_DONE ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (opened >= 0) { /* else there is nothing in it yet, or it will be complained of */
        code = check_datasets(jobs, opened, datasets);
        close(opened);
    }
    json_decref(seen);
    json_decref(datasets);
    return code;
}
