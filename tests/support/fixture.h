/* What every test file needs: cases that register themselves, objects that are freed where their scope
 * ends, contexts and graphs that must come into being, calls that must succeed or be refused, forced
 * CPU kernels, results held against the oracle entry for entry, plans that are looked at and not run. */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <CUnit/CUnit.h>
#include <gmp.h>

#include "pathcount_chain.h"
#include "pathcount_io.h"
#include "tests/support/calls.h"
#include "tests/support/oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- Cases ----------------------------------------------------------------------------------- */

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

/* Sets a variable of the environment for the rest of the case; value NULL: it is not set. The runner calls
 * restore_variables after each case. */
void set_variable(const char *name, const char *value);
void restore_variables(void);

/* Ends the running case as SKIPPED, with the reason printed: for what this machine lacks. */
_Noreturn void test_skip(const char *reason);

/* ---- Objects --------------------------------------------------------------------------------- */

/* Declares a variable that is freed where its scope ends: OWNED(pc_graph) *graph = NULL, or of a type
 * that is no pointer OWNED(edge_set) edges = ... Such a type has a function release_TYPE. */
#define OWNED(TYPE) __attribute__((cleanup(release_##TYPE), unused)) TYPE

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
RELEASE_BY_FREE(pc_reduction)
RELEASE_BY_FREE(pc_writer)
RELEASE_BY_FREE(pc_plan)

static inline void release_mpz_t(mpz_t *number)
{
    mpz_clear(*number);
}

static inline void release_mpq_t(mpq_t *number)
{
    mpq_clear(*number);
}

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

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Ends the running case when the call fails. */
#define MUST(CALL) CU_ASSERT_EQUAL_FATAL(CALL, PC_OK)

/* A context of n_threads threads (0: all); the case is over when there is none. */
pc_context *new_context(int n_threads);

/* The graph of the edges; the case is over, with the message, when it cannot be made. */
pc_graph *new_graph(pc_context *context, const edge_set *edges);

/* A^k by squaring, otherwise with default options; the case is over, with the message, when it fails. */
pc_counts *new_counts(pc_context *context, const pc_graph *graph, uint64_t k);

/* Prints context's message under the running case. */
void print_message(const pc_context *context);

/* True when the message contains the words; prints it when not. */
bool says(const pc_context *context, const char *words);

/* True when a call on the context returned PC_OK; prints the message when not. */
bool succeeds(const pc_context *context, pc_status got);

/* True when a call returned the status expected, with a message that contains the words. */
bool is_refused(const pc_context *context, pc_status got, pc_status expected, const char *words);

/* Entries of counts that are not those of expected, a different shape counting as one; prints the
 * first wrong one. */
uint64_t n_wrong_counts(const pc_counts *counts, const integer_matrix *expected);
/* The same against words (counts below 2^64). */
uint64_t n_wrong_words(const pc_counts *counts, const uint64_t *expected, uint64_t n);

/* Counts edges at length k on a new context of n_threads, asserts that every entry is the one
 * expected. */
void check_count(const edge_set *edges, uint64_t k, int n_threads, const integer_matrix *expected);

/* Asserts that counting edges at length k gives the oracle's A^k. */
void check_against_oracle(const edge_set *edges, uint64_t k);

/* Names of the CPU kernels that PATHCOUNT_CPU forces, NULL at the end. */
extern const char *const kernel_names[];

/* Forces a kernel for contexts and counts to come; NULL lets the library choose. */
void force_kernel(const char *kernel);

/* Tells if this machine and this build run the kernel: forces it, counts a triangle and looks
 * which kernel did it. */
bool kernel_is_available(const char *kernel);

/* True when a plan for counts of 64 bits on a cycle of n vertices fits: there are at most 2^63 paths of
 * length 64. */
bool cycle_fits(pc_context *context, uint64_t n);

/* ---- Receivers ------------------------------------------------------------------------------- */

/* Receivers that count their calls in the int at user (NULL: they do not), and those that stop with
 * PC_ERR_IO besides. */
pc_status count_rows(void *user, const pc_rows *rows);
pc_status count_answers(void *user, uint64_t length, const pc_rows *rows);
pc_status stop_rows(void *user, const pc_rows *rows);
pc_status stop_answers(void *user, uint64_t length, const pc_rows *rows);

/* ---- Plans ----------------------------------------------------------------------------------- */

enum { N_QUERY_KINDS = PC_QUERY_TRACE + 1 }; /* but for the matrix */

/* Returns the facts of a plan of the query. */
pc_status plan_query(pc_context *context, const pc_graph *graph, const pc_query *query,
                     const pc_count_options *options, pc_plan_info *info);

/* The method that is planned for integers, or for residues where modulus is not 0. */
pc_method method_of(pc_context *context, const pc_graph *graph, const pc_query *query,
                    uint64_t modulus);

/* Returns the facts of a plan of the matrix between blocks; partition NULL: between vertices. */
pc_status plan_blocks(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                      uint64_t length, const pc_count_options *options, int keeps,
                      pc_plan_info *info);

pc_status plan_matrix(pc_context *context, const pc_graph *graph, uint64_t length,
                      const pc_count_options *options, int keeps, pc_plan_info *info);

/* Gives the facts of the last run on the context; PC_ERR_ARGUMENT when nothing ran. */
pc_status plan_last(const pc_context *context, pc_plan_info *info);

/* ---- Short ways to what the library tells ------------------------------------------------------ */

static inline pc_partition_info partition_info(const pc_partition *partition)
{
    pc_partition_info info;
    pc_partition_get_info(partition, &info);
    return info;
}

static inline pc_relation_info relation_info(const pc_relation *relation)
{
    pc_relation_info info;
    pc_relation_get_info(relation, &info);
    return info;
}

/* The frame of the counts that a plan makes, of a graph or a partition with these labels. */
static inline pc_frame plan_frame(const pc_plan_info *info, const pc_labels *labels)
{
    return (pc_frame){
        .rows = labels, .columns = labels, .n_limbs = info->n_limbs, .symmetric = info->symmetric};
}

static inline uint64_t counts_n_rows(const pc_counts *counts)
{
    pc_rows rows;
    pc_counts_rows(counts, &rows);
    return rows.n_rows;
}

static inline uint64_t counts_n_columns(const pc_counts *counts)
{
    pc_rows rows;
    pc_counts_rows(counts, &rows);
    return rows.n_columns;
}

static inline size_t graph_label(const pc_graph *graph, uint64_t vertex, char *buffer, size_t size)
{
    return pc_labels_text(pc_graph_labels(graph), vertex, buffer, size);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* A matrix passed on in rows; between the blocks of a partition; both. */
pc_status stream_counts(pc_context *context, const pc_graph *graph, uint64_t length,
                        const pc_count_options *options, pc_rows_fn deliver, void *user);
pc_status coarsen(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                  uint64_t length, const pc_count_options *options, pc_counts **counts);
pc_status coarsen_rows(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       uint64_t length, const pc_count_options *options, pc_rows_fn deliver,
                       void *user);

#endif
