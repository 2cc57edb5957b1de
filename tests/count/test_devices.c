/* pc_devices: what is told of processors and of an engine's GPUs, what is chosen, and how large a
 * graph is said to fit. With tests/fakes/fake_engine.c for the CUDA engine: no GPU is used. */
#define _GNU_SOURCE
#include "src/core/context.h"

#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TOLD = 8, LARGEST = 131071, TEXT_BYTES = 512 };

/* ---- What every case begins and ends with ---------------------------------------------------- */

static pc_context *set_up(void)
{
    set_variable("PATHCOUNT_CUDA_ENGINE", "none");
    return new_context(1);
}

/* ---- What was told --------------------------------------------------------------------------- */

typedef struct told {
    uint32_t n;
    pc_device device[MOST_TOLD]; /* with strings that are copies: */
    char name[MOST_TOLD][TEXT_BYTES], missing[MOST_TOLD][TEXT_BYTES], kernel[MOST_TOLD][TEXT_BYTES];
} told;

static const char *copy_of(const char *text, char copy[TEXT_BYTES])
{
    snprintf(copy, TEXT_BYTES, "%s", text);
    return copy;
}

static void take(void *user, const pc_device *device)
{
    told *told = user;
    CU_ASSERT_TRUE_FATAL(told->n < MOST_TOLD);
    uint32_t i = told->n++;
    told->device[i] = *device;
    told->device[i].engine = strcmp(device->engine, "cpu") == 0    ? "cpu"
                             : strcmp(device->engine, "cuda") == 0 ? "cuda"
                                                                   : "unknown";
    told->device[i].name = copy_of(device->name, told->name[i]);
    told->device[i].missing = copy_of(device->missing, told->missing[i]);
    told->device[i].kernel = copy_of(device->kernel, told->kernel[i]);
}

/* So many entries, the processors first. */
static told list(pc_context *context, uint32_t n_expected)
{
    told told = {.n = 0};
    MUST(pc_devices(context, take, &told));
    CU_ASSERT_EQUAL_FATAL(told.n, n_expected);
    CU_ASSERT_STRING_EQUAL(told.device[0].engine, "cpu");
    CU_ASSERT_EQUAL(told.device[0].index, -1);
    for (uint32_t i = 1; i < told.n; i++) {
        CU_ASSERT_STRING_EQUAL(told.device[i].engine, "cuda");
        CU_ASSERT_EQUAL(told.device[i].index, (int)i - 1);
    }
    return told;
}

/* Which of the entries are chosen with a device: "100" is the processors. */
static void check_chosen(pc_context *context, const char *device, const char *expected)
{
    MUST(pc_context_set_device(context, device));
    told told = list(context, (uint32_t)strlen(expected));
    for (uint32_t i = 0; i < told.n; i++)
        CU_ASSERT_EQUAL(told.device[i].is_chosen, expected[i] == '1');
}

/* ---- The processors -------------------------------------------------------------------------- */

/* As a plan of the same context has it. */
TEST("the processors")
{
    OWNED(pc_context) *context = set_up();
    OWNED(edge_set) edges = edge_set_empty(3, false);
    edge_set_add(&edges, 0, 1, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_plan_info plan;
    MUST(pc_context_set_threads(context, 3));
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    MUST(plan_matrix(context, graph, 4, &squaring, 0, &plan));
    told told = list(context, 2);
    const pc_device *cpu = &told.device[0];
    CU_ASSERT_STRING_EQUAL(cpu->missing, "");
    CU_ASSERT_STRING_NOT_EQUAL(cpu->name, "");
    CU_ASSERT_PTR_NULL(strchr(cpu->name, '\n'));
    CU_ASSERT_STRING_EQUAL(cpu->kernel, plan.kernel);
    CU_ASSERT_EQUAL(cpu->n_multiprocessors, 3);
    CU_ASSERT_TRUE(cpu->memory_bytes > 0 && cpu->free_bytes > 0);
    CU_ASSERT_TRUE(cpu->free_bytes <= cpu->memory_bytes);
    CU_ASSERT_TRUE(cpu->largest_n_plan > 0 && cpu->largest_n_plan <= LARGEST);
    uint64_t n = cpu->largest_n_theory;
    CU_ASSERT_TRUE(24 * n * n <= cpu->memory_bytes);
    CU_ASSERT_TRUE(24 * (n + 1) * (n + 1) > cpu->memory_bytes);
}

/* With planes padded, and arcs that the answer leaves out, the end is not that sharp. */
TEST("the largest graph, by plans")
{
    OWNED(pc_context) *context = set_up();
    for (uint64_t megabytes = 16; megabytes <= 1024; megabytes *= 4) {
        pc_context_set_memory_limit(context, megabytes << 20);
        CU_ASSERT_EQUAL(pc_context_set_device(context, "cpu"), PC_OK);
        told told = list(context, 2);
        uint64_t n = told.device[0].largest_n_plan;
        CU_ASSERT_EQUAL(told.device[0].free_bytes, megabytes << 20);
        CU_ASSERT_TRUE(cycle_fits(context, n - n / 50));
        CU_ASSERT_FALSE(cycle_fits(context, n + n / 50 + 128));
    }
    pc_context_set_memory_limit(context, 1);
    CU_ASSERT_EQUAL(list(context, 2).device[0].largest_n_plan, 0);
    pc_context_set_memory_limit(context, UINT64_MAX);
    CU_ASSERT_EQUAL(list(context, 2).device[0].largest_n_plan, LARGEST);
}

TEST("no kernel for the processors")
{
    OWNED(pc_context) *context = set_up();
    force_kernel("abacus");
    told told = list(context, 2);
    force_kernel(NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(told.device[0].missing, "abacus"));
    CU_ASSERT_EQUAL(told.device[0].is_chosen, 0);
    CU_ASSERT_EQUAL(told.device[0].memory_bytes, 0);
}

/* ---- GPUs ------------------------------------------------------------------------------------ */

TEST("no CUDA engine")
{
    OWNED(pc_context) *context = set_up();
    told told = list(context, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(told.device[1].missing, "PATHCOUNT_CUDA_ENGINE"));
    CU_ASSERT_STRING_EQUAL(told.device[1].kernel, "");
    CU_ASSERT_EQUAL(told.device[1].memory_bytes, 0);
    set_variable("PATHCOUNT_CUDA_ENGINE", "/nowhere/at_all.so");
    told = list(context, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(told.device[1].missing, "/nowhere/at_all.so"));
    check_chosen(context, "auto", "10");
    check_chosen(context, "cpu", "10");
    check_chosen(context, "cuda", "00");
    check_chosen(context, "cuda:all", "00");
}

TEST("an engine without GPUs")
{
    OWNED(pc_context) *context = set_up();
    use_fake("broken");
    told told = list(context, 2);
    CU_ASSERT_STRING_EQUAL(told.device[1].missing, "fake finds no GPU");
    check_chosen(context, "auto", "10");
    use_fake("stranger");
    told = list(context, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(told.device[1].missing, "another build"));
    use_fake("listless");
    told = list(context, 2);
    CU_ASSERT_STRING_EQUAL(told.device[1].missing, "fake list is not to be had");
}

/* As the fake engine has them. */
TEST("two GPUs, and which is chosen")
{
    OWNED(pc_context) *context = set_up();
    use_fake("");
    told told = list(context, 3);
    const pc_device *first = &told.device[1], *second = &told.device[2];
    CU_ASSERT_STRING_EQUAL(first->name, "fake GPU");
    CU_ASSERT_STRING_EQUAL(first->missing, "");
    CU_ASSERT_STRING_EQUAL(first->kernel, "fake");
    CU_ASSERT_EQUAL(first->memory_bytes, 24000000);
    CU_ASSERT_EQUAL(first->free_bytes, 20000000);
    CU_ASSERT_TRUE(first->major == 9 && first->minor == 1 && first->n_multiprocessors == 7);
    CU_ASSERT_EQUAL(first->largest_n_theory, 1000); /* 24 bytes an entry */
    CU_ASSERT_STRING_EQUAL(second->missing, "fake GPU is defective");
    CU_ASSERT_EQUAL(second->largest_n_plan, 0);
    check_chosen(context, "auto", "010");
    check_chosen(context, "cpu", "100");
    check_chosen(context, "cuda", "010");
    check_chosen(context, "cuda:0,1", "010");
    check_chosen(context, "cuda:all", "010");
    check_chosen(context, "cuda:1", "000");
}

static uint64_t largest_of_fake(pc_context *context, const char *behaviour)
{
    use_fake(behaviour);
    return list(context, 3).device[1].largest_n_plan;
}

/* The forecast decides, and the memory of the host. */
TEST("the largest graph of a GPU")
{
    OWNED(pc_context) *context = set_up();
    pc_context_set_memory_limit(context, UINT64_C(1) << 30);
    CU_ASSERT_EQUAL(largest_of_fake(context, "small"), 0);
    CU_ASSERT_EQUAL(largest_of_fake(context, "hungry"), 0);
    uint64_t like_cpu = largest_of_fake(context, "");
    CU_ASSERT_TRUE(like_cpu > 4000 && like_cpu < 20000);
    CU_ASSERT_EQUAL(largest_of_fake(context, "frugal"), LARGEST);
}

/* ---- Manners --------------------------------------------------------------------------------- */

TEST("the context stays as it is")
{
    OWNED(pc_context) *context = set_up();
    use_fake("");
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cuda:1,0"), PC_OK);
    CU_ASSERT_EQUAL(pc_context_set_device(context, "nonsense"), PC_ERR_ARGUMENT);
    pc_context before;
    memcpy(&before, context, sizeof before);
    list(context, 3);
    before.n_large_blocks = context->n_large_blocks; /* a graph's rows were one of them */
    CU_ASSERT_EQUAL(memcmp(&before, context, sizeof before), 0);
}

static pc_status list_into(pc_context *context, void *user)
{
    told *told = user;
    told->n = 0;
    pc_status status = pc_devices(context, take, told);
    CU_ASSERT_EQUAL(told->n, status == PC_OK ? 2 : 0);
    return status;
}

TEST("out of memory")
{
    told told;
    OWNED(pc_context) *context = set_up();
    CU_ASSERT_TRUE(fail_each_allocation(list_into, &told) >= 1);
}
