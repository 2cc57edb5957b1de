/* How a test file presents its cases to the runner (tests/main.c). */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <CUnit/CUnit.h>

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

typedef struct test_suite {
    const char *name;
    const test_case *cases; /* ends with {NULL, NULL} */
} test_suite;

/* Ends the running case as SKIPPED, with the reason printed: for what this machine lacks. */
_Noreturn void test_skip(const char *reason);

#endif
