/* Runs the one target of this program under libFuzzer, for FUZZ_CPU_SECONDS of CPU time when that
 * variable is set. */
#include "tests/fuzz/fuzz.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libFuzzer ends on this signal, and prints its statistics. It measures wall time itself, which says
 * little where several programs share the processors. */
static void end_when_time_is_up(void)
{
    static clock_t limit = -1;
    if (limit < 0) {
        const char *seconds = getenv("FUZZ_CPU_SECONDS");
        limit = seconds ? (clock_t)atol(seconds) * CLOCKS_PER_SEC : 0;
    }
    if (limit > 0 && clock() > limit)
        raise(SIGUSR1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_run(fuzz_targets, data, size);
    end_when_time_is_up();
    return 0;
}
