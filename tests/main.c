/* The test runner: every suite of the table below, run by CUnit, one line a case. Arguments choose:
 *
 *     tests query paths           two suites
 *     tests 'query:very long'     the cases of a suite whose names begin so
 *     tests -grid -known_counts   all suites but these
 *
 * A suite that is not in this build counts as one skipped case. Exits 0 when nothing failed, 1 when
 * something did, 2 for an unknown suite. */
#include "tests/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
#define SUITES(S) \
    S(context) \
    S(nulls) \
    S(memory) \
    S(graph) \
    S(packed) \
    S(edge_list) \
    S(foreign) \
    S(matrix_market) \
    S(input) \
    S(graph6) \
    S(stream_source) \
    S(stream_folder) \
    S(partition) \
    S(write_graph) \
    S(generate) \
    S(generate_models) \
    S(igraph) \
    S(communities) \
    S(number) \
    S(counts) \
    S(bound) \
    S(residues) \
    S(crt) \
    S(kernels) \
    S(reduce) \
    S(certify) \
    S(relation) \
    S(sparse_product) \
    S(sweep) \
    S(swept_rows) \
    S(chain) \
    S(chain_failures) \
    S(count) \
    S(coarsen) \
    S(coarsen_failures) \
    S(small_counts) \
    S(stream) \
    S(stream_failures) \
    S(query) \
    S(query_failures) \
    S(grid) \
    S(rates) \
    S(query_sums) \
    S(query_halves) \
    S(row_dot) \
    S(step_check) \
    S(methods) \
    S(methods_failures) \
    S(plan_and_run) \
    S(paths) \
    S(centrality) \
    S(hochberg) \
    S(known_counts) \
    S(modular_float) \
    S(ladder) \
    S(threads) \
    S(api) \
    S(reductions) \
    S(summary) \
    S(writer) \
    S(frames) \
    S(failures) \
    S(engines) \
    S(bench) \
    S(look) \
    S(gpu_host) \
    S(models) \
    S(devices) \
    S(gpu_devices) \
    S(gpu_entrywise) \
    S(gpu_recombine) \
    S(gpu_products) \
    S(gpu_reduce) \
    S(gpu_sweep_sums) \
    S(gpu_sweep) \
    S(gpu_ladder) \
    S(gpu_bench_ladder) \
    S(gpu_engine)
/* clang-format on */

/* Weak, so that a suite whose file is not built is a null address and not a link error. */
#define DECLARE_SUITE(NAME) extern const test_suite test_##NAME##_suite __attribute__((weak));
SUITES(DECLARE_SUITE)

typedef struct entry {
    const char *name;
    const test_suite *suite; /* NULL: not in this build */
} entry;

#define TABLE_ENTRY(NAME) {#NAME, &test_##NAME##_suite},
static const entry table[] = {SUITES(TABLE_ENTRY)};
static const size_t n_suites = sizeof table / sizeof *table;

enum { MAX_FAILURES_SHOWN = 10 };

static char skip_reason[512]; /* of the running case; "" when it was not skipped */
static unsigned n_skipped;
static struct timespec case_start;

void test_skip(const char *reason)
{
    snprintf(skip_reason, sizeof skip_reason, "%s", reason);
    longjmp(*CU_get_current_test()->pJumpBuf, 1); /* out of the case, as CU_ASSERT_FATAL goes */
}

static void on_case_start(const CU_pTest test, const CU_pSuite suite)
{
    skip_reason[0] = '\0';
    printf("%-14s %s: ", suite->pName, test->pName);
    fflush(stdout);
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
    (void)suite;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - case_start.tv_sec) +
                     1e-9 * (double)(now.tv_nsec - case_start.tv_nsec);
    if (failure != NULL) {
        printf("FAILED (%.2f s)\n", seconds);
        print_failures(failure);
    } else if (skip_reason[0] != '\0') {
        printf("SKIPPED: %s\n", skip_reason);
        n_skipped++;
    } else {
        printf("passed (%.2f s)\n", seconds);
    }
}

/* Whether an argument, without a leading minus, is about this suite. */
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

/* Whether a case of a wanted suite is wanted, too. */
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

/* Whether every name given is in the table; says which is not. */
static bool names_are_known(int n_names, char **names)
{
    for (int i = 0; i < n_names; i++) {
        bool known = false;
        for (size_t s = 0; s < n_suites; s++)
            known = known || is_about(names[i], table[s].name);
        if (!known) {
            fprintf(stderr, "tests: there is no suite '%s'; the suites are:", names[i]);
            for (size_t s = 0; s < n_suites; s++)
                fprintf(stderr, " %s", table[s].name);
            fputc('\n', stderr);
            return false;
        }
    }
    return true;
}

static bool add_suite(const test_suite *suite, int n_names, char **names)
{
    CU_pSuite registered = CU_add_suite(suite->name, NULL, NULL);
    bool added = registered != NULL;
    for (const test_case *c = suite->cases; added && c->name != NULL; c++)
        if (is_case_wanted(suite->name, c->name, n_names, names))
            added = CU_add_test(registered, c->name, c->run) != NULL;
    return added;
}

/* Hands the wanted suites to CUnit; n_absent counts those that are not in this build. */
static bool register_suites(int n_names, char **names, unsigned *n_absent)
{
    bool added = CU_initialize_registry() == CUE_SUCCESS;
    for (size_t s = 0; added && s < n_suites; s++) {
        if (!is_wanted(table[s].name, n_names, names))
            continue;
        if (table[s].suite != NULL) {
            added = add_suite(table[s].suite, n_names, names);
        } else {
            printf("%-14s SKIPPED: this suite is not in this build\n", table[s].name);
            ++*n_absent;
        }
    }
    return added;
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

    unsigned n_absent = 0;
    if (!register_suites(argc - 1, argv + 1, &n_absent)) {
        fprintf(stderr, "tests: CUnit: %s\n", CU_get_error_msg());
        return 1;
    }
    CU_set_test_start_handler(on_case_start);
    CU_set_test_complete_handler(on_case_end);
    bool has_run = CU_run_all_tests() == CUE_SUCCESS;

    unsigned n_run = CU_get_number_of_tests_run();
    unsigned n_failed = CU_get_number_of_tests_failed();
    bool is_clean = has_run && n_failed == 0 && CU_get_number_of_failure_records() == 0;
    CU_cleanup_registry();
    printf("%u passed, %u failed, %u skipped\n", n_run - n_failed - n_skipped, n_failed,
           n_skipped + n_absent);
    return is_clean ? EXIT_SUCCESS : EXIT_FAILURE;
}
