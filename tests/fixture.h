/* What every test file needs: cases that register themselves, and objects that are freed where their
 * scope ends. */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <CUnit/CUnit.h>

typedef struct test_case {
    const char *file, *name;
    void (*run)(void);
    int line;
    struct test_case *next;
} test_case;

/* Adds a case to the suite of its file. Call it before main only. */
void test_add(test_case *added);

/* Begins a case: TEST("what it shows") { ... }. The suite is NAME in a file tests/test_NAME.c. */
#define TEST(WORDS)          TEST_AT(WORDS, __LINE__)
#define TEST_AT(WORDS, LINE) TEST_ON(WORDS, LINE)
#define TEST_ON(WORDS, LINE)                                                                       \
    static void test_at_##LINE(void);                                                              \
    static test_case case_at_##LINE = {__FILE__, WORDS, test_at_##LINE, LINE, NULL};               \
    __attribute__((constructor)) static void add_at_##LINE(void)                                   \
    {                                                                                              \
        test_add(&case_at_##LINE);                                                                 \
    }                                                                                              \
    static void test_at_##LINE(void)

/* Ends the running case as SKIPPED, with the reason printed: for what this machine lacks. */
_Noreturn void test_skip(const char *reason);

#endif
