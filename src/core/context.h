/* Context internals: memory, the last message, progress. Every module may include this.
 *
 * The library keeps no state outside its handles, prints nothing, and takes memory from the
 * allocator of the context. Two contexts work in two threads at once. There are two exceptions.
 * Each thread remembers the process in which it first used several threads (pci_n_threads). The
 * CUDA engine stays open once it is open (gpu/engine_cuda.c). The message of a context is
 * meaningful only after a call that failed. */
#ifndef PCI_CONTEXT_H
#define PCI_CONTEXT_H

#include "pathcount.h" /* with -Isrc; everything else is included by its path from the root */
#include "tool.h"

#include "src/core/memory.h"

#include <stdbool.h>

enum { PCI_MAX_DEVICES = 64, PCI_MESSAGE_SIZE = 2048 };

/* The devices that compute, as pc_context_set_device was told. */
typedef struct pci_devices {
    enum { PCI_DEVICE_AUTO, PCI_DEVICE_CPU, PCI_DEVICE_CUDA } kind;
    bool all; /* every CUDA device there is; then n is 0 */
    int n;    /* CUDA devices named; AUTO and CPU name none, AUTO means device 0 */
    int index[PCI_MAX_DEVICES]; /* all different, in the order given */
} pci_devices;

struct pc_context {
    pc_allocator allocator;
    pc_progress_fn progress;
    void *progress_user;
    int is_cancelled;            /* see pc_context_set_cancelled: other threads write it */
    uint64_t memory_limit_bytes; /* 0: ask the machine */
    pci_memory_groups groups;    /* that limit it further */
    uint64_t memory_seen_bytes;  /* the answer to the last question of pci_memory_for, ... */
    double memory_seen_seconds;  /* ... by pci_now_seconds; 0: never */
    int n_threads;               /* 0: all processors */
    int n_worth;                 /* that the question under way is worth; 0: all of them */
    double thread_seconds;       /* of work that pay for a thread: see pci_threads_worth */
    bool no_sync;                /* see pc_context_set_sync */
    pc_release_fn release;       /* see pc_context_set_release; NULL */
    void *release_user;
    unsigned n_large_blocks;   /* handed out so far: see pci_alloc */
    pci_devices devices;       /* parsed from ... */
    char device_name[256];     /* ... this text; "": auto */
    double cuda_start_seconds; /* that calls on this context took to start the CUDA engine */
    pci_rates rates;
    uint64_t own_cache_bytes, shared_cache_bytes; /* of a processor, levels 2 and 3 */
    const struct pci_kernel
        *fastest_kernel;     /* that runs here; NULL: not looked for, see src/cpu/kernel.c */
    uint64_t n_bound_passes; /* sparse products that limits of counts took so far */
    bool has_plan;
    pc_plan_info plan; /* of the last count, with measured times */
    char message[PCI_MESSAGE_SIZE];
};

/* Memory aligned to 64 bytes, not cleared; NULL when there is none (no message is set). */
void *pci_alloc(pc_context *context, size_t bytes);
/* n_items * item_bytes with the product checked, cleared to zero. */
void *pci_alloc_zero(pc_context *context, size_t n_items, size_t item_bytes);
void pci_free(pc_context *context, void *memory);

/* Sets the message and returns status, for `return pci_fail(...)`. */
pc_status pci_fail(pc_context *context, pc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* PC_ERR_ARGUMENT for public functions: context, or one of the arguments that what lists, is NULL. */
pc_status pci_fail_null(pc_context *context, const char *what);
/* PC_ERR_CERTIFY: the format says what failed its check. */
pc_status pci_fail_check(pc_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says what memory is needed and what there is, in fitting units: "18.4 MB of memory, and there are 10.5 MB", or that
 * --memory-limit allows no more. */
typedef struct pci_memory_words {
    char text[96];
} pci_memory_words;

pci_memory_words pci_memory_lack(const pc_context *context, double needed, double available);

/* PC_ERR_MEMORY with a message that says how much was asked for and what for. */
pc_status pci_fail_memory(pc_context *context, const char *what, size_t bytes);

/* Tells the progress callback; PC_ERR_CANCELLED when it asks to stop, or the call was cancelled. */
pc_status pci_progress(pc_context *context, const char *stage, double fraction);

/* The same within a parallel region, whose threads share *status, PC_OK at first. Only the thread that
 * made the call asks the callback. False from then on when it asks to stop, or the call was cancelled. */
bool pci_goes_on(pc_context *context, const char *stage, double fraction, pc_status *status);

/* The same at row i of n, where a row takes little time: every 8th row asks. Threads take 8 rows at a time, or more, so
 * that each of them asks. */
static inline bool pci_goes_on_at(pc_context *context, const char *stage, uint64_t i, uint64_t n,
                                  pc_status *status)
{
    pc_status now;
    if (i % 8 == 0)
        return pci_goes_on(context, stage, (double)i / (double)n, status);
#pragma omp atomic read
    now = *status;
    return now == PC_OK;
}

/* After the region: what the threads shared, with a message. */
pc_status pci_gone_on(pc_context *context, pc_status status);

/* Bytes of cache for each of n_threads: its own, and its part of what they share. */
uint64_t pci_cache_bytes(const pc_context *context, int n_threads);

/* Threads to use now: at least 1, and no more in a process that was forked by a thread that used more. */
int pci_n_threads(const pc_context *context);

/* The same for a question, or work of its own, that takes one thread so many seconds. A team waits for its last member,
 * and that one, on a busy machine, for its turn of several milliseconds. So one thread does alone what takes less. */
int pci_threads_worth(const pc_context *context, double seconds);

/* The same for work that takes so many elementary operations (about a nanosecond each): no more
 * than it pays to wake. In a loop, work for one thread must not enter a parallel region: a region of one thread
 * ends all others, too. */
int pci_threads_for(const pc_context *context, double n_operations);

/* The same for work beside a step that n_step_threads threads shared (0: not known): one thread, or the team of the
 * step, so that its threads stay. */
int pci_threads_in_step(const pc_context *context, double n_operations, int n_step_threads);

/* Bytes that may still be planned for: the memory limit, or what machine and container leave. To read
 * that from the system takes as long as a count of a small graph. */
uint64_t pci_memory_available(const pc_context *context);
/* The same for what needs so many bytes: of little the answer of a second ago, because the system takes longer to answer
 * than a small graph is counted. */
uint64_t pci_memory_for(pc_context *context, double bytes);

/* Tells whether so many bytes may be planned for. A megabyte without a memory limit is not looked up. */
bool pci_memory_has(const pc_context *context, double bytes);

/* Seconds of a monotonic clock. */
double pci_now_seconds(void);

#endif
