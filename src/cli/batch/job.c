/* Makes a job of a dataset. What is wrong with a name that was given is said here; what is wrong with
 * one that comes from a path takes that job only. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/batch/job.h"

#include "src/cli/batch/job_names.h"
#include "src/cli/exit_codes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The digest of a file, asked of the file once; "" when it cannot be read: the job will say why. */
static const char *digest_of(json_t *digests, const char *path)
{
    char digest[CLI_DIGEST_SIZE];
    const char *known = json_string_value(json_object_get(digests, path));
    if (known != NULL)
        return known;
    if (!cli_digest_file(path, digest))
        return "";
    json_object_set_new(digests, path, json_string(digest));
    known = json_string_value(json_object_get(digests, path));
    return known != NULL ? known : "";
}

/* "" when the query names no file. */
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

static bool ends_with(const char *text, size_t length, const char *ending)
{
    size_t n = strlen(ending);
    return length > n && strcmp(text + length - n, ending) == 0 && text[length - n - 1] == '.';
}

/* To be free()d; NULL: out of memory. */
static char *name_of(const cli_dataset *dataset, const char *ending)
{
    size_t length = dataset->result != NULL ? strlen(dataset->result) : 0;
    if (dataset->name != NULL)
        return strdup(dataset->name);
    if (dataset->result != NULL && ends_with(dataset->result, length, ending))
        return strndup(dataset->result, length - strlen(ending) - 1);
    return cli_job_name_of(dataset->path);
}

/* A name that was given is an error when it is flawed; one from a path is a problem of the job. */
static int refuse_name(cli_job *job, const cli_dataset *dataset, const char *flaw)
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

static int set_result(cli_job *job, const cli_dataset *dataset, const char *ending)
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

static int make_job(cli_jobs *jobs, const cli_batch_options *options, const cli_dataset *dataset,
                    cli_job *job)
{
    const char *ending;
    cli_batch_options_parse_line(options, dataset->where, dataset->n_arguments, dataset->arguments,
                                 &job->count, &ending);
    job->input = strdup(dataset->path);
    job->count.input.path = job->input;
    if (job->input == NULL || !digest_query(jobs->digests, &job->count.query, job->query_digest))
        return cli_fail_for_memory();
    job->options = cli_job_options(&job->count, ending);
    if (job->options == NULL)
        return cli_fail(CLI_USAGE,
                        "options of a batch must be UTF-8, or they could not be recorded");
    return set_result(job, dataset, ending);
}

int cli_jobs_add(cli_jobs *jobs, const cli_batch_options *options, const cli_dataset *dataset)
{
    if (jobs->n == jobs->capacity) {
        size_t capacity = jobs->capacity > 0 ? 2 * jobs->capacity : 64;
        cli_job *grown = realloc(jobs->job, capacity * sizeof *grown);
        if (grown == NULL)
            return cli_fail_for_memory();
        jobs->job = grown;
        jobs->capacity = capacity;
    }
    jobs->job[jobs->n] = (cli_job){0};
    return make_job(jobs, options, dataset, &jobs->job[jobs->n++]);
}
