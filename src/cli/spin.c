/* libgomp's waiting threads spin for about 14 ms before they sleep. When a machine has other things
 * to do, they take the processor from the very thread they wait for: with twice as many busy
 * threads as processors, W1 of the benchmark took 0.9 s, and 0.15 s with this limit (about 0.1 ms).
 * libgomp reads the limit before main begins, so the program sets it and starts once more.
 *
 * OpenBLAS, which igraph may bring along, starts a thread a processor before main begins, each with 128
 * MiB. Nothing here uses them, and where the address space is limited (ulimit -v) they try for
 * their memory for ever, and a fork or the end of the program waits for them. */
#include "src/cli/spin.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static const char LIMIT[] = "2000"; /* rounds of the waiting loop */

/* Whether the variable had no value and has now. */
static bool give(const char *name, const char *value)
{
    return getenv(name) == NULL && setenv(name, value, 1) == 0;
}

void cli_limit_spinning(char **argv)
{
    bool changed = give("OPENBLAS_NUM_THREADS", "1");
    if (getenv("OMP_WAIT_POLICY") == NULL)
        changed = give("GOMP_SPINCOUNT", LIMIT) || changed;
    if (changed)
        execv("/proc/self/exe", argv); /* comes back only when it fails: then it is done as it is */
}
