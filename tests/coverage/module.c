/* Linked into every library and program of a build that measures coverage. Each of them has counters of its
 * own, and a function of its own that writes them. */
void __gcov_dump(void); /* of libgcov */

void coverage_add(void (*dump)(void)); /* tests/coverage/exit.c */

__attribute__((constructor)) static void add(void)
{
    coverage_add(__gcov_dump);
}
