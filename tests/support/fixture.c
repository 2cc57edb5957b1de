/* Shared pieces of most tests. */
#include "tests/support/fixture.h"

#include "tests/support/guarded_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const kernel_names[] = {"portable", "avx2", "avxvnni", "avx512vnni", "amx", NULL};

/* Variables that the running case has set, with what they were before. */
static struct {
    const char *name;
    char *value;
} former[8];
static size_t n_former;

static void put_variable(const char *name, const char *value)
{
    if ((value ? setenv(name, value, 1) : unsetenv(name)) != 0)
        abort();
}

void set_variable(const char *name, const char *value)
{
    size_t i = 0;
    while (i < n_former && strcmp(former[i].name, name) != 0)
        i++;
    if (i == n_former) {
        const char *now = getenv(name);
        CU_ASSERT_FATAL(n_former < sizeof former / sizeof *former);
        former[n_former].name = name;
        former[n_former++].value = now ? strdup(now) : NULL;
    }
    put_variable(name, value);
}

void restore_variables(void)
{
    while (n_former > 0) {
        n_former--;
        put_variable(former[n_former].name, former[n_former].value);
        free(former[n_former].value);
    }
}

pc_context *new_context(int n_threads)
{
    pc_context *context = NULL;
    MUST(pc_context_create(&context));
    MUST(pc_context_set_threads(context, n_threads));
    guard_context(context);
    return context;
}

void print_message(const pc_context *context)
{
    printf("\n    message: %s\n", pc_context_message(context));
}

bool says(const pc_context *context, const char *words)
{
    bool is_said = strstr(pc_context_message(context), words) != NULL;
    if (!is_said)
        print_message(context);
    return is_said;
}

bool succeeds(const pc_context *context, pc_status got)
{
    if (got != PC_OK)
        print_message(context);
    return got == PC_OK;
}

bool is_refused(const pc_context *context, pc_status got, pc_status expected, const char *words)
{
    if (got != expected)
        printf("\n    status: %s\n", pc_status_text(got));
    return says(context, words) && got == expected;
}

pc_graph *new_graph(pc_context *context, const edge_set *edges)
{
    pc_graph *graph = NULL;
    CU_ASSERT_FATAL(succeeds(context, edge_set_load(context, edges, &graph)));
    return graph;
}

pc_counts *new_counts(pc_context *context, const pc_graph *graph, uint64_t k)
{
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    pc_counts *counts = NULL;
    CU_ASSERT_FATAL(succeeds(context, pc_count(context, graph, k, &squaring, &counts)));
    return counts;
}

static bool has_shape(const pc_counts *counts, uint64_t n)
{
    bool is_square = counts_n_rows(counts) == n && counts_n_columns(counts) == n;
    if (!is_square)
        printf("\n    expected %llu rows and columns\n", (unsigned long long)n);
    return is_square;
}

static void print_wrong(uint64_t row, uint64_t column, const mpz_t expected, const mpz_t got)
{
    gmp_printf("\n    (%llu, %llu): expected %Zd\n    got %Zd\n", (unsigned long long)row,
               (unsigned long long)column, expected, got);
}

uint64_t n_wrong_counts(const pc_counts *counts, const integer_matrix *expected)
{
    uint64_t n = expected->n, n_wrong = 0;
    if (!has_shape(counts, n))
        return 1;
    OWNED(mpz_t) got;
    mpz_init(got);
    for (uint64_t e = 0; e < n * n; e++) {
        mpz_set_si(got, -1);
        if (counts_mpz(counts, e / n, e % n, got) == PC_OK && mpz_cmp(got, expected->entry[e]) == 0)
            continue;
        if (n_wrong++ == 0)
            print_wrong(e / n, e % n, expected->entry[e], got);
    }
    return n_wrong;
}

uint64_t n_wrong_words(const pc_counts *counts, const uint64_t *expected, uint64_t n)
{
    uint64_t n_wrong = 0;
    if (!has_shape(counts, n))
        return 1;
    for (uint64_t e = 0; e < n * n; e++) {
        uint64_t got = ~expected[e];
        if (pc_counts_u64(counts, e / n, e % n, &got) == PC_OK && got == expected[e])
            continue;
        if (n_wrong++ == 0)
            printf("\n    (%llu, %llu): expected %llu, got %llu\n", (unsigned long long)(e / n),
                   (unsigned long long)(e % n), (unsigned long long)expected[e],
                   (unsigned long long)got);
    }
    return n_wrong;
}

void check_count(const edge_set *edges, uint64_t k, int n_threads, const integer_matrix *expected)
{
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_counts) *counts = new_counts(context, graph, k);
    CU_ASSERT_EQUAL(n_wrong_counts(counts, expected), 0);
}

void check_against_oracle(const edge_set *edges, uint64_t k)
{
    OWNED(integer_matrix) expected = oracle_count(edges, k);
    check_count(edges, k, 0, &expected);
}

void force_kernel(const char *kernel)
{
    set_variable("PATHCOUNT_CPU", kernel);
}

bool kernel_is_available(const char *kernel)
{
    OWNED(edge_set) triangle = edge_set_empty(3, false);
    for (uint64_t v = 0; v < 3; v++)
        edge_set_add(&triangle, v, (v + 1) % 3, 1);
    force_kernel(kernel);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &triangle);
    OWNED(pc_counts) *counts = NULL;
    pc_plan_info plan;
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    pc_status status = pc_count(context, graph, 8, &squaring, &counts);
    if (status == PC_OK) { /* a kernel that is not the one asked for would test nothing */
        MUST(plan_last(context, &plan));
        CU_ASSERT_STRING_EQUAL_FATAL(plan.kernel, kernel);
    } else {
        CU_ASSERT_EQUAL_FATAL(status, PC_ERR_ENGINE);
        CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(pc_context_message(context), kernel));
    }
    return status == PC_OK;
}

bool cycle_fits(pc_context *context, uint64_t n)
{
    pc_plan_info plan;
    OWNED(edge_set) edges = edge_set_empty(n, false);
    for (uint64_t v = 0; v < n; v++)
        edge_set_add(&edges, v, (v + 1) % n, 1);
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_status status = plan_matrix(context, graph, 64, &squaring, 0, &plan);
    CU_ASSERT_TRUE(status == PC_ERR_MEMORY || (status == PC_OK && plan.n_limbs == 1));
    return status == PC_OK;
}

pc_status count_rows(void *user, const pc_rows *rows)
{
    int *n_calls = user;
    (void)rows;
    if (n_calls)
        ++*n_calls;
    return PC_OK;
}

pc_status count_answers(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    return count_rows(user, rows);
}

pc_status stop_rows(void *user, const pc_rows *rows)
{
    count_rows(user, rows);
    return PC_ERR_IO;
}

pc_status stop_answers(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    return stop_rows(user, rows);
}

pc_status plan_query(pc_context *context, const pc_graph *graph, const pc_query *query,
                     const pc_count_options *options, pc_plan_info *info)
{
    OWNED(pc_plan) *plan = NULL;
    pc_status status = pc_plan_create(context, graph, query, options, &plan);
    if (status == PC_OK)
        *info = *pc_plan_get_info(plan);
    return status;
}

pc_method method_of(pc_context *context, const pc_graph *graph, const pc_query *query,
                    uint64_t modulus)
{
    pc_plan_info plan;
    const pc_count_options options = {.arithmetic = modulus ? PC_MODULAR : PC_EXACT,
                                      .modulus = modulus};
    MUST(plan_query(context, graph, query, &options, &plan));
    return plan.method;
}

pc_status plan_blocks(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                      uint64_t length, const pc_count_options *options, int keeps,
                      pc_plan_info *info)
{
    pc_query query = {
        .kind = PC_QUERY_MATRIX, .length = length, .partition = partition, .keeps = keeps};
    return plan_query(context, graph, &query, options, info);
}

pc_status plan_matrix(pc_context *context, const pc_graph *graph, uint64_t length,
                      const pc_count_options *options, int keeps, pc_plan_info *info)
{
    return plan_blocks(context, graph, NULL, length, options, keeps, info);
}

pc_status plan_last(const pc_context *context, pc_plan_info *info)
{
    const pc_plan_info *last = pc_plan_last(context);
    if (!last)
        return PC_ERR_ARGUMENT;
    *info = *last;
    CU_ASSERT(info->seconds.certify >= 0 && info->seconds.certify <= info->seconds.total);
    return PC_OK;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

typedef struct rows_receiver {
    pc_rows_fn deliver;
    void *user;
} rows_receiver;

static pc_status receive_rows(void *user, uint64_t length, const pc_rows *rows)
{
    const rows_receiver *receiver = user;
    (void)length;
    return receiver->deliver(receiver->user, rows);
}

pc_status coarsen_rows(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       uint64_t length, const pc_count_options *options, pc_rows_fn deliver,
                       void *user)
{
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = length, .partition = partition};
    rows_receiver receiver = {deliver, user};
    return pc_query_run(context, graph, &query, options, receive_rows, &receiver);
}

pc_status stream_counts(pc_context *context, const pc_graph *graph, uint64_t length,
                        const pc_count_options *options, pc_rows_fn deliver, void *user)
{
    return coarsen_rows(context, graph, NULL, length, options, deliver, user);
}

pc_status coarsen(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                  uint64_t length, const pc_count_options *options, pc_counts **counts)
{
    pc_query query = {
        .kind = PC_QUERY_MATRIX, .length = length, .partition = partition, .keeps = 1};
    OWNED(pc_plan) *plan = NULL;
    pc_status status = pc_plan_create(context, graph, &query, options, &plan);
    return status == PC_OK ? pc_plan_collect(plan, counts) : status;
}
