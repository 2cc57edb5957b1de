/* What each worker may use of the machine. */
#ifndef CLI_BATCH_SHARES_H
#define CLI_BATCH_SHARES_H

#include "src/cli/batch/worker.h"

#include <stddef.h>

typedef enum cli_gpu {
    CLI_GPU_NEVER,  /* not to be used */
    CLI_GPU_ASKED,  /* as the command line says: jobs go there from the beginning */
    CLI_GPU_USEFUL, /* jobs that need it go there; whether there is one, the first finds out */
    CLI_GPU_MISSING
} cli_gpu;

/* What --device says of it, NULL: nothing. */
cli_gpu cli_gpu_of(const char *device);

typedef struct cli_shares {
    int n_workers;         /* at once */
    cli_share part, whole; /* of one of them; of one that runs alone */
} cli_shares;

/* Divides threads and memory for n_jobs jobs; devices are left as the command line says. False when
 * out of memory. */
bool cli_shares_divide(const cli_batch_options *options, size_t n_jobs, cli_shares *shares);

/* Holds this process to its share of the memory, and a bit for what plans leave out: an allocation
 * beyond that fails here, before the machine is out of memory. */
void cli_share_enforce(const cli_share *share);

#endif
