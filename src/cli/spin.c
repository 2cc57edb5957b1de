/* libgomp's waiting threads spin for about 14 ms before they sleep. When a machine has other things
 * to do, they take the processor from the very thread they wait for: with twice as many busy
 * threads as processors, W1 of the benchmark took 0.9 s, and 0.15 s with this limit (about 0.1 ms).
 * libgomp reads the limit before main begins, so the program sets it and starts once more. */
#include "src/cli/spin.h"

#include <stdlib.h>
#include <unistd.h>

static const char LIMIT[] = "2000"; /* rounds of the waiting loop */

void cli_limit_spinning(char **argv)
{
    if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY"))
        return;
    if (setenv("GOMP_SPINCOUNT", LIMIT, 1) == 0)
        execv("/proc/self/exe", argv); /* comes back only when it fails: then it is done as it is */
}
