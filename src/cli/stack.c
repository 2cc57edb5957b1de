/* Kernels keep tables on the stack, up to 1.3 MB. A stack that is too small ends the process without a message, so
 * lower limits than 2 MB are raised: that of the first thread, which the kernel asks when the stack grows, and
 * that of new threads, which the C library took from it when the process started. The OpenMP library takes the size of
 * its threads from its own variables, before main; where these say less, nothing can be done but to refuse. */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include "src/cli/stack.h"

#include "src/cli/exit_codes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const uint64_t LEAST_BYTES = 2 << 20;

static bool reserve_first(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= LEAST_BYTES)
        return true;
    limit.rlim_cur = LEAST_BYTES;
    if (limit.rlim_max < LEAST_BYTES)
        limit.rlim_max = LEAST_BYTES; /* the superuser may */
    return setrlimit(RLIMIT_STACK, &limit) == 0;
}

static bool reserve_others(void)
{
    pthread_attr_t usual;
    size_t n_bytes = 0;
    bool is_done = true;
    if (pthread_getattr_default_np(&usual) != 0)
        return true;
    if (pthread_attr_getstacksize(&usual, &n_bytes) == 0 && n_bytes < LEAST_BYTES)
        is_done = pthread_attr_setstacksize(&usual, LEAST_BYTES) == 0 &&
                  pthread_setattr_default_np(&usual) == 0;
    pthread_attr_destroy(&usual);
    return is_done;
}

/* True when a variable of the OpenMP library says fewer bytes: a number of KB, or of what its last letter names. That
 * library ignores other texts, too. */
static bool says_less(const char *name)
{
    static const char units[] = "bkmg";
    const char *text = getenv(name);
    char *end;
    double n_bytes = text != NULL ? (double)strtoull(text, &end, 10) : 0;
    if (text == NULL || end == text)
        return false;
    end += strspn(end, " \t");
    const char *unit = *end != '\0' ? strchr(units, *end | 0x20) : units + 1;
    for (; unit != NULL && unit > units; unit--)
        n_bytes *= 1024;
    return unit != NULL && n_bytes > 0 && n_bytes < (double)LEAST_BYTES;
}

int cli_stack_reserve(void)
{
    static const char *const variables[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    if (!reserve_first() || !reserve_others())
        return cli_fail(CLI_UNAVAILABLE,
                        "the stack may not have the %" PRIu64
                        " MB that counting takes: raise its limit (ulimit -s 8192)",
                        LEAST_BYTES >> 20);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (says_less(variables[i]))
            return cli_fail(
                CLI_UNAVAILABLE,
                "the environment variable %s=%s gives threads less stack than the %" PRIu64
                " MB that counting takes: give 2M or more, or leave it out",
                variables[i], getenv(variables[i]), LEAST_BYTES >> 20);
    return CLI_DONE;
}
