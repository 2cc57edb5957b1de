/* One job in a process of its own. */
#ifndef CLI_BATCH_WORKER_H
#define CLI_BATCH_WORKER_H

#include "src/cli/batch/digest.h"
#include "src/cli/batch/job.h"

typedef enum cli_outcome {
    CLI_JOB_DONE,
    CLI_JOB_KEPT,      /* the result of an earlier run is still right */
    CLI_JOB_FAILED,    /* exit and message say why */
    CLI_JOB_TOO_LARGE, /* does not fit in this share of the memory; message says the numbers */
    CLI_JOB_FOR_GPU    /* would take the processors long: to be done where the GPU is */
} cli_outcome;

/* Sent from the worker to the supervisor through a pipe, whole: it fits PIPE_BUF. */
typedef struct cli_job_report {
    cli_outcome outcome;
    int exit; /* code; of a process that a signal ended 128 + its number */
    bool has_graph, has_plan;
    char input_digest[CLI_DIGEST_SIZE], result_digest[CLI_DIGEST_SIZE]; /* "": not known */
    uint64_t n_vertices, n_edges;
    uint32_t bits;
    char engine[16], method[16];
    double read_seconds, bound_seconds, count_seconds, certify_seconds, write_seconds,
        total_seconds;
    uint64_t peak_memory_bytes; /* of the process */
    bool has_picture;
    char message[2048]; /* "" when all is well; without "pathcount: " */
} cli_job_report;

/* What a worker may use. */
typedef struct cli_share {
    const char *folder;
    int n_threads;
    uint64_t memory_bytes; /* 0: all there is */
    bool is_whole;         /* there is no larger share: what does not fit is refused */
    const char *device;    /* "cpu", or as the command line says; NULL: the default */
    double
        most_seconds; /* a job predicted to take the processors longer is CLI_JOB_FOR_GPU; 0: none */
    bool report;      /* draw a picture too */
    bool no_sync;
} cli_share;

/* Does the job in a process made for it, whose standard streams it takes over: what is printed on
 * standard error goes to the file notes (notes.h). */
void cli_worker_do(const cli_job *job, const cli_share *share, int notes, cli_job_report *report);

#endif
