/* One job of a batch: a dataset, its options, and what its result is called. */
#ifndef CLI_BATCH_JOB_H
#define CLI_BATCH_JOB_H

#include "src/cli/batch/batch_options.h"
#include "src/cli/batch/digest.h"

#include <jansson.h>

/* Everything a worker needs to know; none of it changes once jobs are made. */
typedef struct cli_job {
    char *input;             /* path of the dataset */
    char *result;            /* name of the result in the folder: "karate.mtx" */
    char *problem;           /* why it cannot be done at all; NULL */
    cli_count_options count; /* input.path is input */
    json_t *options; /* array of texts: the arguments that the result depends on, in one order */
    char query_digest[CLI_DIGEST_SIZE]; /* of the files that the options name; "": there are none */
    json_t *before; /* its last line in the folder's manifest, if that may still hold; or NULL */
} cli_job;

typedef struct cli_jobs {
    cli_job *job;
    size_t n, capacity;
    json_t *lines;   /* of the manifest that was read: its strings are in use */
    json_t *digests; /* of files that options name, by their paths */
} cli_jobs;

/* A dataset as it is named somewhere. */
typedef struct cli_dataset {
    const char *path;
    const char *name;   /* of the result, without ending; NULL: from the path */
    const char *result; /* of an earlier run, which says the name too; NULL: there was none */
    const char *where;  /* "jobs.jsonl:3"; NULL: the command line */
    int n_arguments;
    char **arguments; /* of its own; their texts outlive the jobs */
} cli_dataset;

/* Adds the job of a dataset. Returns CLI_DONE, or an exit code after a message. */
int cli_jobs_add(cli_jobs *jobs, const cli_batch_options *options, const cli_dataset *dataset);

/* The arguments that a result depends on; NULL: one is not UTF-8, or out of memory. */
json_t *cli_job_options(const cli_count_options *count, const char *ending);

/* Whether the files that the query names still have the digest of the job. */
bool cli_job_query_holds(const cli_job *job);

/* A file that a query names; NULL: it is no file that is named. */
const char *cli_job_query_file(const cli_query_options *query, const cli_named *named);

#endif
