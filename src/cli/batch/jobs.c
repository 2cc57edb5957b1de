/* Finds the jobs of a batch. Whatever can be wrong with a command line is said here, before anything
 * is done; what is wrong with a dataset takes that job only. */
#include "src/cli/batch/jobs.h"

#include "src/cli/batch/job_sources.h"
#include "src/cli/exit_codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A link that leads nowhere is there: its job will fail. */
static int add_path(cli_jobs *jobs, const cli_batch_options *options, const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return cli_fail(CLI_NO_INPUT, "cannot open '%s': %s", path, strerror(errno));
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return cli_jobs_add_folder(jobs, options, path);
    return cli_jobs_add(jobs, options, &(cli_dataset){.path = path});
}

static int add_all(cli_jobs *jobs, const cli_batch_options *options)
{
    int code = CLI_DONE;
    for (size_t i = 0; i < options->n_paths && code == CLI_DONE; i++)
        code = add_path(jobs, options, options->paths[i]);
    if (code == CLI_DONE && options->manifest_path != NULL)
        code = cli_jobs_add_lines(jobs, options);
    if (code == CLI_DONE)
        code = cli_jobs_check_results(jobs, options->manifest_path, options->folder);
    if (code == CLI_DONE && jobs->n == 0)
        code = cli_fail(CLI_NO_INPUT, "there is no dataset to count");
    return code;
}

int cli_jobs_find(const cli_batch_options *options, cli_jobs *jobs)
{
    *jobs = (cli_jobs){.lines = json_array(), .digests = json_object()};
    int code = jobs->lines != NULL && jobs->digests != NULL ? add_all(jobs, options)
                                                            : cli_fail_for_memory();
    if (code != CLI_DONE)
        cli_jobs_free(jobs);
    return code;
}

void cli_jobs_free(cli_jobs *jobs)
{
    for (size_t j = 0; j < jobs->n; j++) {
        cli_job *job = &jobs->job[j];
        free(job->input);
        free(job->result);
        free(job->problem);
        free(job->count.query.named);
        json_decref(job->options);
    }
    free(jobs->job);
    json_decref(jobs->lines);
    json_decref(jobs->digests);
    *jobs = (cli_jobs){0};
}
