/* The failing allocator: guarded memory with a count, a lock and a request to refuse. */
#include "tests/support/failing_allocator.h"

#include "tests/support/fixture.h"
#include "tests/support/guarded_memory.h"

#include <string.h>

static bool is_denied(const failing_allocator *allocator)
{
    return allocator->fail_at != 0 &&
           (allocator->n_requests == allocator->fail_at ||
            (allocator->keeps_failing && allocator->n_requests > allocator->fail_at));
}

void *counted_allocate(void *user, size_t bytes)
{
    failing_allocator *allocator = user;
    void *block = NULL;
    pthread_mutex_lock(&allocator->lock);
    allocator->n_requests++;
    if (is_denied(allocator))
        allocator->n_refused++;
    else
        block = guarded_allocate(bytes);
    if (block != NULL) {
        allocator->n_live++;
        allocator->live_bytes += bytes;
        if (allocator->live_bytes > allocator->peak_bytes)
            allocator->peak_bytes = allocator->live_bytes;
    }
    pthread_mutex_unlock(&allocator->lock);
    return block;
}

void counted_release(void *user, void *memory)
{
    failing_allocator *allocator = user;
    if (memory == NULL)
        return;
    pthread_mutex_lock(&allocator->lock);
    allocator->n_live--;
    allocator->live_bytes -= guarded_bytes(memory);
    pthread_mutex_unlock(&allocator->lock);
    guarded_release(memory);
}

void failing_allocator_rearm(failing_allocator *allocator, uint64_t fail_at, bool keeps_failing)
{
    allocator->n_requests = 0;
    allocator->n_refused = 0;
    allocator->fail_at = fail_at;
    allocator->keeps_failing = keeps_failing;
}

pc_context *failing_context(failing_allocator *allocator, int n_threads)
{
    pc_context *context = NULL;
    MUST(pc_context_create(&context));
    pc_context_set_allocator(context, (pc_allocator){counted_allocate, counted_release, allocator});
    MUST(pc_context_set_threads(context, n_threads));
    context->thread_seconds = LITTLE_SECONDS;
    return context;
}

enum { MOST_REQUESTS = 100000 }; /* no action of a test comes near */

/* Now and then: the same call succeeds on a context where it failed. */
static void check_next_call(pc_context *context, failing_allocator *allocator,
                            failing_action action, void *user)
{
    uint64_t n_refused = allocator->n_refused;
    if (n_refused == 0 || allocator->fail_at % 8 != 1)
        return;
    failing_allocator_rearm(allocator, 0, false);
    CU_ASSERT_EQUAL(action(context, user), PC_OK);
    allocator->n_refused = n_refused;
}

static uint64_t fail_until_success(failing_action action, void *user, bool keeps_failing)
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    for (uint64_t fail_at = 1; fail_at < MOST_REQUESTS; fail_at++) {
        pc_context *context = failing_context(&allocator, 2);
        failing_allocator_rearm(&allocator, fail_at, keeps_failing);
        pc_status status = action(context, user);
        bool has_message = strlen(pc_context_message(context)) > 0;
        CU_ASSERT_EQUAL_FATAL(allocator.n_live, 0);
        check_next_call(context, &allocator, action, user);
        pc_context_free(context);
        CU_ASSERT_EQUAL_FATAL(allocator.n_live, 0);
        if (allocator.n_refused == 0) {
            CU_ASSERT_EQUAL(status, PC_OK);
            return fail_at - 1;
        }
        CU_ASSERT_EQUAL_FATAL(status, PC_ERR_MEMORY);
        CU_ASSERT_FATAL(has_message);
    }
    CU_FAIL("the action never succeeds");
    return 0;
}

uint64_t fail_each_allocation(failing_action action, void *user)
{
    uint64_t n_requests = fail_until_success(action, user, false);
    fail_until_success(action, user, true);
    return n_requests;
}

typedef struct stopper {
    int n_calls, stop_at;
} stopper;

/* Stops once: what goes on is not stopped again, and would succeed. */
static int stop_once(void *user, const char *stage, double fraction)
{
    stopper *s = user;
    CU_ASSERT(stage && *stage != '\0' && fraction >= 0 && fraction <= 1);
    return ++s->n_calls == s->stop_at;
}

int cancel_at_each_question(failing_action action, int n_threads, void *user)
{
    enum { MOST_QUESTIONS = 10000 };
    stopper s = {.stop_at = 1};
    for (bool is_over = false; !is_over && s.stop_at < MOST_QUESTIONS; s.stop_at++) {
        failing_allocator allocator = FAILING_ALLOCATOR;
        pc_context *context = failing_context(&allocator, n_threads);
        pc_context_set_progress(context, stop_once, &s);
        s.n_calls = 0;
        pc_status status = action(context, user);
        is_over = s.n_calls < s.stop_at;
        CU_ASSERT(is_over || strcmp(pc_context_message(context), "cancelled") == 0);
        pc_context_free(context);
        CU_ASSERT_EQUAL_FATAL(status, is_over ? PC_OK : PC_ERR_CANCELLED);
        CU_ASSERT(is_over || s.n_calls == s.stop_at); /* not asked again */
        CU_ASSERT_EQUAL_FATAL(allocator.n_live, 0);
    }
    return s.stop_at - 1;
}
