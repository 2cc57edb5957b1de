/* A clock that stands still but when it is looked at, for tests of what the command shows while it works
 * (LD_PRELOAD):
 *
 *   FAKE_CLOCK=SECONDS   each look at CLOCK_MONOTONIC is so much later than the one before */
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_ulong n_looks;

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *step = getenv("FAKE_CLOCK");
    if (clock != CLOCK_MONOTONIC || step == NULL)
        return (int)syscall(SYS_clock_gettime, clock, now);
    double seconds = 1000 + strtod(step, NULL) * (double)atomic_fetch_add(&n_looks, 1);
    now->tv_sec = (time_t)seconds;
    now->tv_nsec = (long)(1e9 * (seconds - (double)now->tv_sec));
    return 0;
}
