/* Contexts: settings, messages, the caller's allocator, progress. */
#include "src/core/context.h"

#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST("version and status texts")
{
    CU_ASSERT_STRING_EQUAL(pc_version(), PC_VERSION);
    for (int a = PC_OK; a <= PC_ERR_INTERNAL; a++) {
        CU_ASSERT_TRUE(strlen(pc_status_text((pc_status)a)) > 2);
        for (int b = PC_OK; b < a; b++)
            CU_ASSERT_STRING_NOT_EQUAL(pc_status_text((pc_status)a), pc_status_text((pc_status)b));
    }
    CU_ASSERT_PTR_NOT_NULL(pc_status_text((pc_status)(PC_ERR_INTERNAL + 1)));
    CU_ASSERT_PTR_NOT_NULL(pc_status_text((pc_status)-1));
}

TEST("threads out of range")
{
    OWNED(pc_context) *context = new_context(0);
    CU_ASSERT_EQUAL(pc_context_set_threads(context, 3), PC_OK);
    CU_ASSERT_EQUAL(pci_n_threads(context), 3);
    CU_ASSERT(is_refused(context, pc_context_set_threads(context, -1), PC_ERR_ARGUMENT, "-1"));
    CU_ASSERT(is_refused(context, pc_context_set_threads(context, 1025), PC_ERR_ARGUMENT, "1025"));
    CU_ASSERT_EQUAL(pci_n_threads(context), 3); /* a refused setting changes nothing */
    CU_ASSERT_EQUAL(pc_context_set_threads(context, 1024), PC_OK);
    CU_ASSERT_EQUAL(pci_n_threads(context), 1024);
    CU_ASSERT_EQUAL(pc_context_set_threads(context, 0), PC_OK);
    CU_ASSERT_TRUE(pci_n_threads(context) >= 1);
}

TEST("devices by name")
{
    static const struct {
        const char *name;
        int kind;
        bool all;
        int n, last;
    } known[] = {
        {"cpu", PCI_DEVICE_CPU, false, 0, 0},          {"auto", PCI_DEVICE_AUTO, false, 0, 0},
        {"cuda", PCI_DEVICE_CUDA, false, 1, 0},        {"cuda:0", PCI_DEVICE_CUDA, false, 1, 0},
        {"cuda:all", PCI_DEVICE_CUDA, true, 0, 0},     {"cuda:1", PCI_DEVICE_CUDA, false, 1, 1},
        {"cuda:2,63,0", PCI_DEVICE_CUDA, false, 3, 0}, {"cuda:0,1", PCI_DEVICE_CUDA, false, 2, 1},
    };
    static const char *const unknown[] = {
        "",         "gpu",      "CPU",        "cuda ",      "cuda:",           "cuda:,",
        "cuda:x",   "cuda:1,",  "cuda:,1",    "cuda:1;2",   "cuda:-1",         "cuda:64",
        "cuda:007", "cuda:1,1", "cuda:0,2,0", "cuda:all,1", "cuda:4294967296", "auto,cuda",
        NULL};
    OWNED(pc_context) *context = new_context(0);
    CU_ASSERT_EQUAL(context->devices.kind, PCI_DEVICE_AUTO);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        MUST(pc_context_set_device(context, known[i].name));
        CU_ASSERT_EQUAL((int)context->devices.kind, known[i].kind);
        CU_ASSERT_EQUAL(context->devices.all, known[i].all);
        CU_ASSERT_EQUAL(context->devices.n, known[i].n);
        if (known[i].n > 0)
            CU_ASSERT_EQUAL(context->devices.index[known[i].n - 1], known[i].last);
        CU_ASSERT_STRING_EQUAL(context->device_name, known[i].name);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        CU_ASSERT(is_refused(context, pc_context_set_device(context, unknown[i]), PC_ERR_ARGUMENT,
                             unknown[i] ? unknown[i] : "''"));
        CU_ASSERT_EQUAL(context->devices.n, 2); /* a refused setting changes nothing */
    }
}

TEST("long messages are cut")
{
    OWNED(pc_context) *context = new_context(0);
    char longer[3 * sizeof context->message];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CU_ASSERT_EQUAL(pci_fail(context, PC_ERR_DATA, "%s", longer), PC_ERR_DATA);
    CU_ASSERT_EQUAL(strlen(pc_context_message(context)), sizeof context->message - 1);
}

static bool is_zero(const unsigned char *bytes, size_t n)
{
    bool zero = true;
    for (size_t i = 0; i < n; i++)
        zero = zero && bytes[i] == 0;
    return zero;
}

TEST("memory is aligned and writable")
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 100001, 9 << 20};
    OWNED(pc_context) *context = new_context(0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned char *block = pci_alloc(context, sizes[s]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block);
        CU_ASSERT_EQUAL((uintptr_t)block % 64, 0);
        memset(block, 0xAB, sizes[s]);
        pci_free(context, block);
        block = pci_alloc_zero(context, sizes[s], 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block);
        CU_ASSERT_TRUE(is_zero(block, sizes[s]));
        pci_free(context, block);
    }
    pci_free(context, NULL);
}

TEST("sizes that overflow are refused")
{
    OWNED(pc_context) *context = new_context(0);
    CU_ASSERT_PTR_NULL(pci_alloc(context, SIZE_MAX));
    CU_ASSERT_PTR_NULL(pci_alloc(context, SIZE_MAX - 70));
    CU_ASSERT_PTR_NULL(pci_alloc_zero(context, SIZE_MAX / 2 + 1, 2));
    CU_ASSERT_PTR_NULL(pci_alloc_zero(context, (size_t)1 << 32, (size_t)1 << 32));
}

TEST("memory comes from the caller's allocator")
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 1);
    void *block = pci_alloc(context, 1000);
    CU_ASSERT_PTR_NOT_NULL(block);
    CU_ASSERT_EQUAL(allocator.n_live, 1);
    CU_ASSERT_TRUE(allocator.live_bytes >= 1000);
    pci_free(context, block);
    CU_ASSERT_EQUAL(allocator.n_live, 0);
    failing_allocator_rearm(&allocator, 1, false);
    CU_ASSERT_PTR_NULL(pci_alloc(context, 1000));
    CU_ASSERT_EQUAL(allocator.n_live, 0);
    pc_context_set_allocator(context, (pc_allocator){NULL, NULL, NULL});
    block = pci_alloc(context, 1000);
    CU_ASSERT_PTR_NOT_NULL(block);
    CU_ASSERT_EQUAL(allocator.n_live, 0);
    pci_free(context, block);
}

TEST("what fits in memory")
{
    OWNED(pc_context) *context = new_context(0);
    CU_ASSERT_TRUE(pci_memory_has(context, 0));
    CU_ASSERT_TRUE(pci_memory_has(context, 1 << 22));
    CU_ASSERT_FALSE(pci_memory_has(context, 0x1p63));
    CU_ASSERT_FALSE(pci_memory_has(context, INFINITY));
    pc_context_set_memory_limit(context, 1000);
    CU_ASSERT_TRUE(pci_memory_has(context, 1000));
    CU_ASSERT_FALSE(pci_memory_has(context, 1001));
}

typedef struct seen_progress {
    int n_calls, answer;
    const char *stage;
    double fraction;
} seen_progress;

static int note_progress(void *user, const char *stage, double fraction)
{
    seen_progress *seen = user;
    seen->n_calls++;
    seen->stage = stage;
    seen->fraction = fraction;
    return seen->answer;
}

/* Plans add what they have already. */
TEST("memory without a limit can be added to")
{
    OWNED(pc_context) *context = new_context(1);
    pc_context_set_memory_limit(context, UINT64_MAX);
    CU_ASSERT_TRUE(pc_context_memory_available(context) <= INT64_MAX);
    CU_ASSERT_TRUE(pc_context_memory_available(context) > INT64_MAX / 2);
}

TEST("progress reaches the caller")
{
    OWNED(pc_context) *context = new_context(0);
    seen_progress seen = {0};
    CU_ASSERT_EQUAL(pci_progress(context, "square", 0.25), PC_OK);
    pc_context_set_progress(context, note_progress, &seen);
    CU_ASSERT_EQUAL(pci_progress(context, "square", 0.25), PC_OK);
    CU_ASSERT_EQUAL(seen.n_calls, 1);
    CU_ASSERT_STRING_EQUAL(seen.stage, "square");
    CU_ASSERT_EQUAL(seen.fraction, 0.25);
    seen.answer = 1;
    CU_ASSERT_EQUAL(pci_progress(context, "square", 0.5), PC_ERR_CANCELLED);
    CU_ASSERT_EQUAL(pc_context_progress(context, "square", 0.5), PC_ERR_CANCELLED);
    CU_ASSERT_TRUE(strlen(pc_context_message(context)) > 0);
    pc_context_set_progress(context, NULL, NULL);
    CU_ASSERT_EQUAL(pci_progress(context, "square", 0.75), PC_OK);
    CU_ASSERT_EQUAL(pc_context_progress(context, "square", 0.75), PC_OK);
    CU_ASSERT_EQUAL(seen.n_calls, 3);
}
