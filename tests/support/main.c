/* The test runner: every suite there is, run by CUnit, one line a case. Arguments choose:
 *
 *     tests query paths           two suites
 *     tests 'query:very long'     the cases of a suite whose names begin so
 *     tests -grid -known_counts   all suites but these
 *
 * A suite that is not in this build counts as one skipped case. Exits 0 when nothing failed, 1 when
 * something did, 2 for an unknown suite. */
#include "tests/support/fixture.h"
#include "tests/support/guarded_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Cases are in name order; those of one file are in the order of its lines. */
static test_case *first_case;
static test_context *first_context;

/* Suites that not every build has. */
static const char *const optional_suites[] = {
    "gpu_aggregate", "gpu_bench_ladder", "gpu_devices",   "gpu_digits", "gpu_entrywise",
    "gpu_ladder",    "gpu_products",     "gpu_recombine", "gpu_reduce", "gpu_simple",
    "gpu_sweep",     "gpu_sweep_sums",   "igraph",
};
enum { N_OPTIONAL = sizeof optional_suites / sizeof *optional_suites, MAX_NAME = 64 };

enum { MAX_FAILURES_SHOWN = 10 };

static char skip_reason[512]; /* of the running case; "" when it was not skipped */
static unsigned n_skipped;
static size_t n_live_before; /* blocks of memory, when the case began */
static unsigned n_leaking;   /* cases that did not fail otherwise */
static struct timespec case_start;

void test_add(test_case *added)
{
    test_case **at = &first_case;
    for (; *at; at = &(*at)->next) {
        int order = strcmp((*at)->file, added->file);
        if (order > 0 || (order == 0 && (*at)->line > added->line))
            break;
    }
    added->next = *at;
    *at = added;
}

void test_add_context(test_context *added)
{
    added->next = first_context;
    first_context = added;
}

/* query of tests/count/test_query.c. */
static void get_suite(const char *file, char suite[MAX_NAME])
{
    const char *name = strstr(file, "test_");
    snprintf(suite, MAX_NAME, "%s", name ? name + strlen("test_") : file);
    suite[strcspn(suite, ".")] = '\0';
}

void test_skip(const char *reason)
{
    snprintf(skip_reason, sizeof skip_reason, "%s", reason);
    longjmp(*CU_get_current_test()->pJumpBuf, 1); /* out of the case, as CU_ASSERT_FATAL goes */
}

/* Frees the contexts of the suite's file and makes them anew, or not. Their memory is guarded. */
static void renew_contexts(const char *suite_name, bool makes)
{
    for (test_context *c = first_context; c; c = c->next) {
        char suite[MAX_NAME];
        get_suite(c->file, suite);
        if (strcmp(suite, suite_name) != 0)
            continue;
        pc_context_free(*c->context);
        *c->context = NULL;
        if (makes && pc_context_create(c->context) != PC_OK)
            abort();
        guard_context(*c->context);
    }
}

static void on_case_start(const CU_pTest test, const CU_pSuite suite)
{
    skip_reason[0] = '\0';
    n_live_before = guarded_n_live();
    printf("%-14s %s: ", suite->pName, test->pName);
    fflush(stdout);
    renew_contexts(suite->pName, true);
    clock_gettime(CLOCK_MONOTONIC, &case_start);
}

static void print_failures(const CU_FailureRecord *failure)
{
    for (int shown = 0; failure != NULL; failure = failure->pNext) {
        if (shown++ == MAX_FAILURES_SHOWN) {
            printf("    ...\n");
            return;
        }
        printf("    %s:%u: %s\n", failure->strFileName ? failure->strFileName : "?",
               failure->uiLineNumber, failure->strCondition ? failure->strCondition : "?");
    }
}

static void on_case_end(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failure)
{
    (void)test;
    struct timespec now;
    renew_contexts(suite->pName, false);
    restore_variables();
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - case_start.tv_sec) +
                     1e-9 * (double)(now.tv_nsec - case_start.tv_nsec);
    if (failure != NULL) {
        printf("FAILED (%.2f s)\n", seconds);
        print_failures(failure);
    } else if (skip_reason[0] != '\0') {
        printf("SKIPPED: %s\n", skip_reason);
        n_skipped++;
    } else if (guarded_n_live() != n_live_before) {
        printf("FAILED: %zu blocks of memory were not freed\n", guarded_n_live() - n_live_before);
        n_leaking++;
    } else {
        printf("passed (%.2f s)\n", seconds);
    }
}

/* Tells whether an argument, without a leading minus, is about this suite. */
static bool is_about(const char *argument, const char *suite)
{
    size_t length = strlen(suite);
    argument += *argument == '-';
    return strncmp(argument, suite, length) == 0 &&
           (argument[length] == '\0' || argument[length] == ':');
}

static bool is_wanted(const char *suite, int n_names, char **names)
{
    bool has_choice = false, wanted = false, excluded = false;
    for (int i = 0; i < n_names; i++) {
        bool excludes = names[i][0] == '-';
        has_choice = has_choice || !excludes;
        excluded = excluded || (excludes && is_about(names[i], suite));
        wanted = wanted || (!excludes && is_about(names[i], suite));
    }
    return !excluded && (wanted || !has_choice);
}

/* Tells whether a case of a wanted suite is wanted, too. */
static bool is_case_wanted(const char *suite, const char *name, int n_names, char **names)
{
    bool has_choice = false, wanted = false;
    for (int i = 0; i < n_names; i++) {
        const char *begin = strchr(names[i], ':');
        if (!begin || !is_about(names[i], suite))
            continue;
        has_choice = true;
        wanted = wanted || strncmp(name, begin + 1, strlen(begin + 1)) == 0;
    }
    return wanted || !has_choice;
}

/* The first case of the suite that the argument is about; NULL: there is none in this build. */
static const test_case *find_suite(const char *argument)
{
    char suite[MAX_NAME];
    for (const test_case *c = first_case; c; c = c->next) {
        get_suite(c->file, suite);
        if (is_about(argument, suite))
            return c;
    }
    return NULL;
}

static bool is_known(const char *argument)
{
    bool known = find_suite(argument) != NULL;
    for (int i = 0; i < N_OPTIONAL; i++)
        known = known || is_about(argument, optional_suites[i]);
    return known;
}

/* Tells whether every name given is that of a suite, and prints one that is not. */
static bool names_are_known(int n_names, char **names)
{
    char suite[MAX_NAME], former[MAX_NAME] = "";
    for (int i = 0; i < n_names; i++) {
        if (is_known(names[i]))
            continue;
        fprintf(stderr, "tests: there is no suite '%s'; the suites are:", names[i]);
        for (const test_case *c = first_case; c; c = c->next) {
            get_suite(c->file, suite);
            if (strcmp(suite, former) != 0)
                fprintf(stderr, " %s", suite);
            strcpy(former, suite);
        }
        fputc('\n', stderr);
        return false;
    }
    return true;
}

/* Hands the wanted cases to CUnit. */
static bool register_cases(int n_names, char **names)
{
    bool added = CU_initialize_registry() == CUE_SUCCESS;
    for (const test_case *c = first_case; added && c; c = c->next) {
        char suite[MAX_NAME];
        get_suite(c->file, suite);
        if (!is_wanted(suite, n_names, names) || !is_case_wanted(suite, c->name, n_names, names))
            continue;
        CU_pSuite registered = CU_get_suite(suite);
        if (!registered)
            registered = CU_add_suite(suite, NULL, NULL);
        added = registered && CU_add_test(registered, c->name, c->run);
    }
    return added;
}

/* Counts the wanted suites that are not in this build. */
static unsigned count_absent(int n_names, char **names)
{
    unsigned n_absent = 0;
    for (int i = 0; i < N_OPTIONAL; i++)
        if (!find_suite(optional_suites[i]) && is_wanted(optional_suites[i], n_names, names)) {
            printf("%-14s SKIPPED: this suite is not in this build\n", optional_suites[i]);
            n_absent++;
        }
    return n_absent;
}

/* Threads that wait by spinning make thousands of tiny counts take minutes on a busy machine. OpenMP
 * reads how they wait before main, so the program starts itself once more. */
static void wait_passively(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") == NULL && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        execv("/proc/self/exe", argv); /* returns only when it cannot: then slower */
}

int main(int argc, char **argv)
{
    wait_passively(argv);
    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash must not swallow the lines before it */
    if (!names_are_known(argc - 1, argv + 1))
        return 2;

    unsigned n_absent = count_absent(argc - 1, argv + 1);
    if (!register_cases(argc - 1, argv + 1)) {
        fprintf(stderr, "tests: CUnit: %s\n", CU_get_error_msg());
        return 1;
    }
    CU_set_test_start_handler(on_case_start);
    CU_set_test_complete_handler(on_case_end);
    bool has_run = CU_run_all_tests() == CUE_SUCCESS;

    unsigned n_run = CU_get_number_of_tests_run();
    unsigned n_failed = CU_get_number_of_tests_failed() + n_leaking;
    bool is_clean = has_run && n_failed == 0 && CU_get_number_of_failure_records() == 0;
    CU_cleanup_registry();
    printf("%u passed, %u failed, %u skipped\n", n_run - n_failed - n_skipped, n_failed,
           n_skipped + n_absent);
    return is_clean ? EXIT_SUCCESS : EXIT_FAILURE;
}
