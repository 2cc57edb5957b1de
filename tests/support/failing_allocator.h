/* An allocator that counts what it gave and can refuse one request or every request from one on:
 * to see each failure path run, and nothing leak. Works from several threads. */
#ifndef TESTS_FAILING_ALLOCATOR_H
#define TESTS_FAILING_ALLOCATOR_H

#include "pathcount.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct failing_allocator {
    pthread_mutex_t lock;
    uint64_t n_requests;
    uint64_t fail_at;   /* the number of the request to refuse, from 1; 0: none */
    bool keeps_failing; /* and every request after it */
    uint64_t n_refused;
    uint64_t n_live; /* blocks given and not released */
    uint64_t live_bytes, peak_bytes;
} failing_allocator;

#define FAILING_ALLOCATOR ((failing_allocator){.lock = PTHREAD_MUTEX_INITIALIZER})

/* The functions of a pc_allocator; user is the failing_allocator. */
void *counted_allocate(void *user, size_t bytes);
void counted_release(void *user, void *memory);

/* A context that takes its memory from the allocator, of the given number of threads; the case is
 * over when there is none. */
pc_context *failing_context(failing_allocator *allocator, int n_threads);

/* Counts requests from 1 again and refuses number fail_at. */
void failing_allocator_rearm(failing_allocator *allocator, uint64_t fail_at, bool keeps_failing);

/* Something that can run out of memory, and undoes all it did: returns its status. */
typedef pc_status (*failing_action)(pc_context *context, void *user);

/* Runs action with its 1st, 2nd, 3rd ... request refused until it succeeds: each run before must
 * say PC_ERR_MEMORY with a message, leave no block behind, and leave a context on which the action
 * succeeds. Then the same with every request from that one on refused. Returns how many requests the action makes. */
uint64_t fail_each_allocation(failing_action action, void *user);

/* Runs action with the progress callback saying stop once, when it is asked for the 1st, 2nd, 3rd ...
 * time, until it succeeds: each run before must say PC_ERR_CANCELLED, "cancelled", and not ask again, and none leaves
 * a block behind. Returns how many runs that took. */
int cancel_at_each_question(failing_action action, int n_threads, void *user);

#endif
