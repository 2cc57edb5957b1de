/* Linked into every library and program of a build that measures coverage. Each of them has counters of its
 * own, and a function of its own that writes them. */
#include <stdio.h>

void __gcov_dump(void); /* of libgcov */

void coverage_add(void (*dump)(void)); /* tests/coverage/exit.c */

void fake_memory_end(void)
    __attribute__((weak)); /* tests/fakes/fake_memory.c, where it is loaded */

/* What writes the counters would crash without memory, and is to count what writes streams. Its destructor has a
 * priority, so it comes later. */
__attribute__((destructor)) static void end_refusals(void)
{
    fflush(NULL);
    if (fake_memory_end != NULL)
        fake_memory_end();
}

__attribute__((constructor)) static void add(void)
{
    coverage_add(__gcov_dump);
}
