/* The jobs of a batch: for each a dataset, its options, the name of its result, and what became of
 * it. */
#ifndef CLI_BATCH_JOBS_H
#define CLI_BATCH_JOBS_H

#include "src/cli/batch/options.h"
#include "src/cli/count.h"

/* A worker needs it. Only problem and line change after the jobs are found. */
typedef struct cli_job {
    char *input;                        /* path of the dataset */
    char *result;                       /* name of the result in the folder: "karate.mtx" */
    char *problem;                      /* why it cannot be counted at all, or has failed; NULL */
    cli_count_options count;            /* input.path is input */
    json_t *options;                    /* array of texts: the options that the result depends on */
    char query_digest[CLI_DIGEST_SIZE]; /* of the files that the options name; "": there are none */
    char digest[CLI_DIGEST_SIZE];       /* of the texts above, taken when the job was found */
    /* The last line about it in the manifest: first of an earlier run, when that may still be
     * right; after the job has ended, and for the report only, of this run. NULL: there is none. */
    json_t *line;
} cli_job;

typedef struct cli_jobs {
    const cli_batch_options *options;
    cli_job *job; /* [n] those of the shard, or all */
    size_t n;
    json_t *lines;   /* of --manifest: their strings are in use */
    json_t *digests; /* of files that options name, by their paths */
} cli_jobs;

/* Finds all jobs, in the order of paths, files of a folder by name, then lines of --manifest.
 * Returns CLI_DONE, or an exit code after a message: a path does not exist, a line is wrong, or a
 * result would replace another one or a file that is read. A dataset whose name cannot be that of a
 * result becomes a job with a problem. options must live as long as jobs. */
int cli_jobs_find(const cli_batch_options *options, cli_jobs *jobs);
void cli_jobs_free(cli_jobs *jobs);

/* Returns whether the files that the query names still have the digest of the job. */
bool cli_job_query_holds(const cli_job *job);

/* Returns whether the texts of a job still have its digest. CLI_JOB_CHANGED is the message when
 * they do not. */
bool cli_job_is_intact(const cli_job *job);

#define CLI_JOB_CHANGED                                                                            \
    "what is known of a dataset changed in memory, so nothing is recorded about it: --resume "     \
    "goes "                                                                                        \
    "on; test the memory of this machine"

/* ---- What became of a job -------------------------------------------------------------------- */

typedef enum cli_outcome {
    CLI_JOB_DONE,
    CLI_JOB_KEPT,      /* the result of an earlier run is still right */
    CLI_JOB_FAILED,    /* exit and message say why */
    CLI_JOB_TOO_LARGE, /* does not fit in its memory budget; message contains the numbers */
    CLI_JOB_FOR_GPU    /* takes long on processors: the process with the GPU is to count it */
} cli_outcome;

/* A worker sends it to the supervisor. */
typedef struct cli_job_report {
    cli_outcome outcome;
    int exit; /* code; 128 + number of the signal that ended the process */
    char input_digest[CLI_DIGEST_SIZE], result_digest[CLI_DIGEST_SIZE]; /* "": not known */
    cli_count_facts
        facts; /* where it was begun; other processes lack the texts that the plan points to */
    char engine[16];
    double total_seconds;
    uint64_t peak_memory_bytes; /* of the process */
    bool has_picture;
    bool has_labels;    /* in a file beside the result */
    char message[2048]; /* "" when nothing went wrong; without "pathcount: " */
} cli_job_report;

#endif
