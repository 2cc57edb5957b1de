/* What the benchmarks refuse before they look for a GPU. What the command does with their rows is in
 * tests/cli. */
#include "tests/compare.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

static void take_machine(void *user, const pc_bench_machine *machine)
{
    (void)user, (void)machine;
    CU_FAIL("nothing should be measured");
}

static void take_ladder_row(void *user, const pc_ladder_row *row)
{
    (void)user, (void)row;
    CU_FAIL("nothing should be measured");
}

static void take_row(void *user, const pc_bench_row *row)
{
    (void)user, (void)row;
    CU_FAIL("nothing should be measured");
}

/* There is no engine: only what is in order gets as far as looking for it. */
static void check_ladder(const pc_ladder_options *options, pc_status expected, const char *about)
{
    pc_context *context = new_context(0);
    setenv("PATHCOUNT_CUDA_ENGINE", "none", 1);
    pc_status status = pc_bench_ladder(context, options, take_machine, take_ladder_row, NULL);
    CU_ASSERT_EQUAL(status, expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), about));
    unsetenv("PATHCOUNT_CUDA_ENGINE");
    pc_context_free(context);
}

static void test_ladder_options(void)
{
    const char *const names[] = {"GPU1", NULL};
    check_ladder(NULL, PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){0}, PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){.n = 1, .n_rounds = 1000, .n_kernels = 1, .kernels = names},
                 PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){.n = 16384}, PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){.n = 16385}, PC_ERR_ARGUMENT, "size 16385: give 1 to 16384");
    check_ladder(&(pc_ladder_options){.n = UINT32_MAX}, PC_ERR_ARGUMENT, "size 4294967295");
    check_ladder(&(pc_ladder_options){.n_rounds = -1}, PC_ERR_ARGUMENT,
                 "-1 rounds: give 1 to 1000");
    check_ladder(&(pc_ladder_options){.n_rounds = 1001}, PC_ERR_ARGUMENT, "or 0 for 5");
    check_ladder(&(pc_ladder_options){.n_kernels = 2, .kernels = names}, PC_ERR_ARGUMENT,
                 "kernel 1 has no name");
    check_ladder(&(pc_ladder_options){.n_kernels = 1}, PC_ERR_ARGUMENT, "kernel 0 has no name");
    check_ladder(&(pc_ladder_options){.n_kernels = 257, .kernels = names}, PC_ERR_ARGUMENT,
                 "257 kernels: give 256 at most");
}

static void check_bench(const pc_bench_options *options, pc_status expected, const char *about)
{
    pc_context *context = new_context(0);
    setenv("PATHCOUNT_CUDA_ENGINE", "none", 1);
    CU_ASSERT_EQUAL(pc_bench(context, options, take_machine, take_row, NULL), expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), about));
    unsetenv("PATHCOUNT_CUDA_ENGINE");
    pc_context_free(context);
}

static void test_engine_options(void)
{
    const uint32_t sizes[] = {128, 65536, 129};
    check_bench(NULL, PC_ERR_ENGINE, "no CUDA engine");
    check_bench(&(pc_bench_options){.n_sizes = 2, .sizes = sizes}, PC_ERR_ENGINE, "no CUDA engine");
    check_bench(&(pc_bench_options){.n_sizes = 3, .sizes = sizes}, PC_ERR_ARGUMENT, "size 129");
    check_bench(&(pc_bench_options){.n_rounds = 1001}, PC_ERR_ARGUMENT, "or 0 for 7");
    check_bench(&(pc_bench_options){.parts = 16}, PC_ERR_ARGUMENT, "unknown parts");
}

static const test_case cases[] = {
    {"options of the ladder", test_ladder_options},
    {"options of the engine's benchmark", test_engine_options},
    {NULL, NULL},
};

const test_suite test_bench_suite = {"bench", cases};
