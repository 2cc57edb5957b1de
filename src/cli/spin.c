/* libgomp's waiting threads spin for about 14 ms before they sleep. When a machine has other things
 * to do, they take the processor from the very thread they wait for: with twice as many busy
 * threads as processors, W1 of the benchmark took 0.9 s, and 0.15 s with this limit (about 0.1 ms).
 *
 * libgomp reads the limit from the environment in its constructor, which runs before main. Functions
 * in .preinit_array run earlier, but the C library takes the environment from the stack after them, so
 * that a setenv there is lost. The array on the stack cannot grow. So the limit takes the place of
 * PATH, which no constructor reads, until main begins. Without PATH there is no limit.
 *
 * OpenBLAS, which igraph may bring along, starts a thread a processor when it is opened, each with 128
 * MiB. Nothing here uses them, and where the address space is limited (ulimit -v) they try for
 * their memory for ever, and a fork or the end of the program waits for them.
 *
 * A program that embeds the library may want to set GOMP_SPINCOUNT=2000 as well. */
#define _GNU_SOURCE /* environ */
#include "src/cli/spin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char limit[] = "GOMP_SPINCOUNT=2000"; /* rounds of the waiting loop */
static char *path;                           /* the entry whose place the limit took */

static char **find(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (; *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return environment;
    return NULL;
}

static void limit_spinning(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    char **place = find(environment, "PATH");
    if (place == NULL || find(environment, "GOMP_SPINCOUNT") != NULL ||
        find(environment, "OMP_WAIT_POLICY") != NULL)
        return;
    path = *place;
    *place = limit;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = limit_spinning;

void cli_spin_restore_environment(void)
{
    for (char **entry = environ; path != NULL && *entry != NULL; entry++)
        if (*entry == limit)
            *entry = path;
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
}
