/* What every test file needs: cases that register themselves, and objects that are freed where their
 * scope ends. */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <CUnit/CUnit.h>

#include "pathcount.h"

#include <stdlib.h>
#include <string.h>

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

/* A context that the runner makes before each case of a file, and frees after it. */
typedef struct test_context {
    const char *file;
    pc_context **context;
    struct test_context *next;
} test_context;

void test_add_context(test_context *added);

/* Declares NAME, a context of the running case. */
#define CASE_CONTEXT(NAME)                                                                         \
    static pc_context *NAME;                                                                       \
    __attribute__((constructor)) static void add_##NAME(void)                                      \
    {                                                                                              \
        static test_context added = {__FILE__, &NAME, NULL};                                       \
        test_add_context(&added);                                                                  \
    }

/* Ends the running case as SKIPPED, with the reason printed: for what this machine lacks. */
_Noreturn void test_skip(const char *reason);

/* Declares a variable that is freed where its scope ends: OWNED(pc_graph) *graph = NULL, or of a type
 * that is no pointer OWNED(edge_set) edges = ... Such a type has a function release_TYPE. */
#define OWNED(TYPE) __attribute__((cleanup(release_##TYPE))) TYPE

/* A TYPE_free that takes a pointer to what is freed. */
#define RELEASE_BY_FREE(TYPE)                                                                      \
    static inline void release_##TYPE(TYPE **at)                                                   \
    {                                                                                              \
        TYPE##_free(*at);                                                                          \
    }
RELEASE_BY_FREE(pc_context)
RELEASE_BY_FREE(pc_graph)
RELEASE_BY_FREE(pc_counts)
RELEASE_BY_FREE(pc_partition)
RELEASE_BY_FREE(pc_relation)
RELEASE_BY_FREE(pc_chain)
RELEASE_BY_FREE(pc_summary)
RELEASE_BY_FREE(pc_writer)
RELEASE_BY_FREE(pc_plan)

/* Memory of malloc. */
static inline void release_memory(void *at)
{
    void *memory;
    memcpy(&memory, at, sizeof memory);
    free(memory);
}
#define release_char     release_memory
#define release_bool     release_memory
#define release_double   release_memory
#define release_uint64_t release_memory
#define release_uint32_t release_memory

#endif
