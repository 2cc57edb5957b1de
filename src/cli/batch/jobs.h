/* The jobs of a batch: which datasets, with which options, and what their results are called. */
#ifndef CLI_BATCH_JOBS_H
#define CLI_BATCH_JOBS_H

#include "src/cli/batch/batch_options.h"

#include <jansson.h>

/* Everything a worker needs to know; none of it changes once jobs are made. */
typedef struct cli_job {
    char *input;             /* path of the dataset */
    char *result;            /* name of the result in the folder: "karate.mtx" */
    char *problem;           /* why it cannot be done at all; NULL */
    cli_count_options count; /* input.path is input */
    json_t *options; /* array of texts: the arguments that the result depends on, in one order */
    const json_t *before; /* its last line in the folder's manifest; NULL: there is none */
} cli_job;

typedef struct cli_jobs {
    cli_job *job;
    size_t n;
    json_t *lines; /* of the manifest that was read: its strings are in use */
} cli_jobs;

/* Finds all jobs, in the order of paths, files of a folder by name, then lines of the manifest.
 * Returns CLI_DONE, or an exit code after a message: a path that is not there, a line that makes no
 * sense, two jobs whose result would be one file. A dataset whose name cannot be one of a result
 * becomes a job with a problem. */
int cli_jobs_find(const cli_batch_options *options, cli_jobs *jobs);
void cli_jobs_free(cli_jobs *jobs);

/* Why a name cannot be that of a result; NULL: it can. */
const char *cli_job_name_flaw(const char *name);

#endif
