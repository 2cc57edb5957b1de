/* Contexts: settings, memory, the last message. */
#include "src/core/context.h"

#include "src/core/memory.h"

#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    ALIGNMENT = 64,
    PAGE_BYTES = 4096,
    HUGE_PAGE_MIN_BYTES = 2 << 20,
    OPERATIONS_A_THREAD = 30000,
    LIKELY_CACHE_BYTES = 512 << 10,
    LITTLE_BYTES = 1 << 20,
    MOST_THREADS = 1024
};

static const double THREAD_SECONDS = 1.5e-3;
static const double SEEN_SECONDS = 1;

const char *pc_version(void)
{
    return PC_VERSION;
}

const char *pc_status_text(pc_status status)
{
    static const char *const texts[] = {
        [PC_OK] = "done",
        [PC_ERR_ARGUMENT] = "bad argument",
        [PC_ERR_DATA] = "bad data",
        [PC_ERR_NO_INPUT] = "no input",
        [PC_ERR_ENGINE] = "engine not available",
        [PC_ERR_MEMORY] = "out of memory",
        [PC_ERR_RANGE] = "number out of range",
        [PC_ERR_CERTIFY] = "the result failed its check",
        [PC_ERR_CREATE] = "cannot create output",
        [PC_ERR_IO] = "input or output error",
        [PC_ERR_CANCELLED] = "cancelled",
        [PC_ERR_INTERNAL] = "internal error",
    };
    size_t index = (size_t)status;
    return index < sizeof texts / sizeof *texts ? texts[index] : "unknown status";
}

pc_status pc_context_create(pc_context **context)
{
    if (!context)
        return PC_ERR_ARGUMENT;
    pc_context *made = calloc(1, sizeof *made);
    if (!made)
        return PC_ERR_MEMORY;
    made->rates = pci_rates_default();
    made->thread_seconds = THREAD_SECONDS;
    pci_memory_find_groups("", &made->groups);
    made->own_cache_bytes = pci_processor_cache_bytes(2);
    made->shared_cache_bytes = pci_processor_cache_bytes(3);
    if (made->own_cache_bytes == 0)
        made->own_cache_bytes = LIKELY_CACHE_BYTES;
    *context = made;
    return PC_OK;
}

void pc_context_free(pc_context *context)
{
    free(context);
}

const char *pc_context_message(const pc_context *context)
{
    return context ? context->message : "";
}

pc_status pc_context_set_threads(pc_context *context, int n_threads)
{
    if (!context)
        return PC_ERR_ARGUMENT;
    if (n_threads < 0 || n_threads > MOST_THREADS)
        return pci_fail(context, PC_ERR_ARGUMENT, "%d threads: give 1 to %d, or 0 for all",
                        n_threads, MOST_THREADS);
    context->n_threads = n_threads;
    return PC_OK;
}

void pc_context_set_memory_limit(pc_context *context, uint64_t bytes)
{
    if (!context)
        return;
    context->memory_limit_bytes = bytes;
}

void pc_context_set_sync(pc_context *context, int sync)
{
    if (context)
        context->no_sync = !sync;
}

void pc_context_set_release(pc_context *context, pc_release_fn release, void *user)
{
    if (!context)
        return;
    context->release = release;
    context->release_user = user;
}

void pc_context_set_progress(pc_context *context, pc_progress_fn progress, void *user)
{
    if (!context)
        return;
    context->progress = progress;
    context->progress_user = user;
}

void pc_context_set_cancelled(pc_context *context, int cancelled)
{
    if (context)
        __atomic_store_n(&context->is_cancelled, cancelled, __ATOMIC_RELAXED);
}

void pc_context_set_allocator(pc_context *context, pc_allocator allocator)
{
    if (!context)
        return;
    context->allocator = allocator;
}

/* The address that the allocator gave is kept in the word before the aligned block. Large blocks come page-aligned from
 * the C library, so that a row of every plane would compete for the same few cache sets: each block begins one line
 * further into its page. */
void *pci_alloc(pc_context *context, size_t bytes)
{
    size_t shift = 0;
    if (bytes >= HUGE_PAGE_MIN_BYTES)
        shift = __atomic_fetch_add(&context->n_large_blocks, 1, __ATOMIC_RELAXED) %
                (PAGE_BYTES / ALIGNMENT) * ALIGNMENT;
    size_t padded_bytes = bytes + shift + ALIGNMENT - 1 + sizeof(void *);
    if (padded_bytes < bytes)
        return NULL;
    const pc_allocator *from = &context->allocator;
    char *given = from->allocate ? from->allocate(from->user, padded_bytes) : malloc(padded_bytes);
    if (!given)
        return NULL;
    uintptr_t aligned = ((uintptr_t)given + sizeof(void *) + ALIGNMENT - 1) & -(uintptr_t)ALIGNMENT;
    aligned += shift;
    ((void **)aligned)[-1] = given;
    if (bytes >= HUGE_PAGE_MIN_BYTES) { /* fewer page faults; only a hint, so not checked */
        uintptr_t page = (aligned + PAGE_BYTES - 1) & -(uintptr_t)PAGE_BYTES;
        madvise((void *)page, (bytes - (page - aligned)) & -(size_t)PAGE_BYTES, MADV_HUGEPAGE);
    }
    return (void *)aligned;
}

void *pci_alloc_zero(pc_context *context, size_t n_items, size_t item_bytes)
{
    size_t bytes;
    if (__builtin_mul_overflow(n_items, item_bytes, &bytes))
        return NULL;
    void *memory = pci_alloc(context, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void pci_free(pc_context *context, void *memory)
{
    if (!memory)
        return;
    void *given = ((void **)memory)[-1];
    const pc_allocator *to = &context->allocator;
    if (to->release)
        to->release(to->user, given);
    else
        free(given);
}

pc_status pci_fail(pc_context *context, pc_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->message, sizeof context->message, format, arguments);
    va_end(arguments);
    return status;
}

pc_status pci_fail_check(pc_context *context, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return pci_fail(context, PC_ERR_CERTIFY, "%s failed its check and was not delivered", what);
}

pc_status pci_fail_null(pc_context *context, const char *what)
{
    if (context)
        pci_fail(context, PC_ERR_ARGUMENT, "%s is NULL", what);
    return PC_ERR_ARGUMENT;
}

/* Makes bytes a number of at least 1 of a unit. */
static const char *in_units(double *bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    size_t unit = 0;
    for (*bytes /= 1e3; *bytes >= 1e3 && unit + 1 < sizeof units / sizeof *units; unit++)
        *bytes /= 1e3;
    return units[unit];
}

pci_memory_words pci_memory_lack(const pc_context *context, double needed, double available)
{
    pci_memory_words words;
    const char *of_needed = in_units(&needed), *of_available = in_units(&available);
    snprintf(words.text, sizeof words.text, "%.1f %s of memory, and %s %.1f %s", needed, of_needed,
             context->memory_limit_bytes ? "--memory-limit allows" : "there are", available,
             of_available);
    return words;
}

pc_status pci_fail_memory(pc_context *context, const char *what, size_t bytes)
{
    return pci_fail(context, PC_ERR_MEMORY, "no memory for %s (%zu bytes)%s", what, bytes,
                    context->memory_limit_bytes ? " within --memory-limit" : "");
}

static bool is_cancelled(const pc_context *context)
{
    return __atomic_load_n(&context->is_cancelled, __ATOMIC_RELAXED);
}

static bool is_stopped(pc_context *context, const char *stage, double fraction)
{
    return is_cancelled(context) ||
           (context->progress && context->progress(context->progress_user, stage, fraction));
}

pc_status pci_gone_on(pc_context *context, pc_status status)
{
    return status == PC_ERR_CANCELLED ? pci_fail(context, status, "cancelled") : status;
}

pc_status pci_progress(pc_context *context, const char *stage, double fraction)
{
    return pci_gone_on(context, is_stopped(context, stage, fraction) ? PC_ERR_CANCELLED : PC_OK);
}

bool pci_goes_on(pc_context *context, const char *stage, double fraction, pc_status *status)
{
    pc_status now;
#pragma omp atomic read
    now = *status;
    if (now == PC_OK && (omp_get_thread_num() == 0 ? is_stopped(context, stage, fraction)
                                                   : is_cancelled(context))) {
        now = PC_ERR_CANCELLED;
#pragma omp atomic write
        *status = now;
    }
    return now == PC_OK;
}

uint64_t pci_cache_bytes(const pc_context *context, int n_threads)
{
    return context->own_cache_bytes + context->shared_cache_bytes / (uint64_t)n_threads;
}

/* OpenMP keeps its threads for the thread that used them. A fork does not copy them, and libgomp in the child would
 * wait for them without end. The variables belong to the thread and not to a context, because the child may make
 * another context. Asking for the number of the process instead would be a system call for each step of a vector. */
static _Thread_local bool has_used_threads, has_lost_threads;
static bool are_forks_noted;

static void note_fork(void)
{
    has_lost_threads = has_used_threads;
}

__attribute__((constructor)) static void begin_noting_forks(void)
{
    are_forks_noted = pthread_atfork(NULL, NULL, note_fork) == 0;
}

int pci_n_threads(const pc_context *context)
{
    int n_threads = context->n_threads > 0 ? context->n_threads : omp_get_max_threads();
    if (n_threads > MOST_THREADS) /* the environment may say any number */
        n_threads = MOST_THREADS;
    if (context->n_worth > 0 && n_threads > context->n_worth)
        n_threads = context->n_worth;
    if (n_threads == 1 || has_lost_threads || !are_forks_noted)
        return 1;
    has_used_threads = true;
    return n_threads;
}

/* The number is a power of two. libgomp ends threads when a team is smaller than the team before it, and makes
 * threads anew for a larger one, so a number that changes in each region costs more than threads gain. */
static int threads_at_most(const pc_context *context, double worth)
{
    if (worth < 2)
        return 1;
    int n_threads = pci_n_threads(context), n = 2;
    while (n < n_threads && 2 * n <= worth)
        n *= 2;
    return n < n_threads ? n : n_threads;
}

/* A team is worth waking, and waiting for where others use the processors, for work of two times thread_seconds; a
 * larger team than two waits little longer, so each of its threads needs a third of that time. */
int pci_threads_worth(const pc_context *context, double seconds)
{
    double worth = seconds / context->thread_seconds;
    return threads_at_most(context, worth < 2 ? 1 : 3 * worth);
}

int pci_threads_for(const pc_context *context, double n_operations)
{
    return threads_at_most(context, n_operations / OPERATIONS_A_THREAD);
}

int pci_threads_in_step(const pc_context *context, double n_operations, int n_step_threads)
{
    int n_threads = pci_threads_for(context, n_operations);
    return n_threads > 1 && n_step_threads > 1 ? n_step_threads : n_threads;
}

/* Memory without a known limit is half of what 64 bits can say, so that plans can add to it. */
uint64_t pci_memory_available(const pc_context *context)
{
    uint64_t bytes = context->memory_limit_bytes ? context->memory_limit_bytes
                                                 : pci_memory_now("", &context->groups).available;
    return bytes < INT64_MAX ? bytes : INT64_MAX;
}

uint64_t pci_memory_for(pc_context *context, double bytes)
{
    double now = pci_now_seconds();
    bool is_known =
        context->memory_seen_seconds > 0 && now - context->memory_seen_seconds < SEEN_SECONDS;
    if (bytes > LITTLE_BYTES || context->memory_limit_bytes)
        return pci_memory_available(context);
    if (!is_known) {
        context->memory_seen_bytes = pci_memory_available(context);
        context->memory_seen_seconds = now;
    }
    return context->memory_seen_bytes;
}

bool pci_memory_has(const pc_context *context, double bytes)
{
    bool is_little = bytes <= LITTLE_BYTES && !context->memory_limit_bytes;
    return is_little || bytes <= (double)pci_memory_available(context);
}

double pci_now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

pc_status pc_context_fail(pc_context *context, pc_status status, const char *sentence)
{
    if (!context || !sentence)
        return pci_fail_null(context, "sentence");
    return pci_fail(context, status, "%s", sentence);
}

pc_status pc_context_progress(pc_context *context, const char *stage, double fraction)
{
    if (!context || !stage)
        return pci_fail_null(context, "stage");
    return pci_progress(context, stage, fraction);
}

uint64_t pc_context_memory_available(const pc_context *context)
{
    return context ? pci_memory_available(context) : 0;
}

/* ---- Devices -------------------------------------------------------------------------------- */

static const char usage[] =
    "give auto, cpu, cuda, cuda:all, or cuda:LIST with numbers of GPUs such "
    "as cuda:0,1";

/* "0,1": the numbers of the devices, of one or two digits, each once. */
static pc_status parse_list(pc_context *context, const char *name, const char *list,
                            pci_devices *devices)
{
    for (bool is_last = false; !is_last; list++) {
        int n_digits = 0, index = 0;
        for (; *list >= '0' && *list <= '9' && n_digits < 3; n_digits++)
            index = 10 * index + *list++ - '0';
        is_last = *list == '\0';
        if (n_digits < 1 || n_digits > 2 || (!is_last && *list != ','))
            return pci_fail(context, PC_ERR_ARGUMENT, "device '%.100s': %s", name, usage);
        if (index >= PCI_MAX_DEVICES)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "device '%.100s': there is no GPU %d, numbers go from 0 to %d", name,
                            index, PCI_MAX_DEVICES - 1);
        for (int i = 0; i < devices->n; i++)
            if (devices->index[i] == index)
                return pci_fail(context, PC_ERR_ARGUMENT, "device '%.100s': GPU %d is named twice",
                                name, index);
        devices->index[devices->n++] = index;
    }
    return PC_OK;
}

pc_status pc_context_set_device(pc_context *context, const char *device)
{
    static const char list_prefix[] = "cuda:";
    const char *name = device ? device : "";
    pci_devices parsed = {.kind = PCI_DEVICE_CUDA};
    pc_status status = PC_OK;
    if (!context)
        return PC_ERR_ARGUMENT;
    if (strcmp(name, "auto") == 0)
        parsed.kind = PCI_DEVICE_AUTO;
    else if (strcmp(name, "cpu") == 0)
        parsed.kind = PCI_DEVICE_CPU;
    else if (strcmp(name, "cuda:all") == 0)
        parsed.all = true;
    else if (strcmp(name, "cuda") == 0)
        parsed.n = 1; /* the first */
    else if (strncmp(name, list_prefix, strlen(list_prefix)) == 0)
        status = parse_list(context, name, name + strlen(list_prefix), &parsed);
    else
        status = pci_fail(context, PC_ERR_ARGUMENT, "device '%.100s': %s", name, usage);
    if (status != PC_OK)
        return status;
    context->devices = parsed;
    snprintf(context->device_name, sizeof context->device_name, "%s", name);
    return PC_OK;
}
