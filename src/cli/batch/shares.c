/* Divides threads and memory among workers. A worker tells the library its limit, which the
 * library plans by. RLIMIT_DATA enforces the limit: unlike RLIMIT_AS it does not count mapped
 * files. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "src/cli/batch/shares.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Plans count what grows with the graph. This is for the rest: data of the libraries, blocks that
 * malloc keeps, buffers of files. Measured: 5 to 20 MiB. */
#define HEADROOM_BYTES     (UINT64_C(64) << 20)
#define USUAL_STACK_BYTES  (UINT64_C(8) << 20)
#define BESIDE_STACK_BYTES (UINT64_C(1) << 20) /* a thread's malloc arena */

/* ---- Dividing ------------------------------------------------------------------------------ */

static int n_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN); /* more processors than a cpu_set_t has */
    return n > 0 ? (int)n : 1;
}

cli_gpu cli_gpu_of(const char *device)
{
    if (device == NULL || strcmp(device, "auto") == 0)
        return CLI_GPU_USEFUL;
    return strcmp(device, "cpu") == 0 ? CLI_GPU_NEVER : CLI_GPU_ASKED;
}

static uint64_t memory_of(const cli_running_options *running)
{
    pc_context *context;
    if (pc_context_create(&context) != PC_OK)
        return 0;
    pc_context_set_memory_limit(context, running->memory_limit_bytes);
    uint64_t bytes = pc_context_memory_available(context);
    pc_context_free(context);
    return bytes;
}

/* Jobs on a GPU go one after another: they need not share. */
static int most_workers(const cli_batch_options *options, int n_threads)
{
    if (cli_gpu_of(options->count.running.device) == CLI_GPU_ASKED)
        return 1;
    return options->n_workers > 0 ? options->n_workers : n_threads;
}

bool cli_shares_divide(const cli_batch_options *options, size_t n_jobs, cli_shares *shares)
{
    const cli_running_options *running = &options->count.running;
    int n_threads = running->n_threads > 0 ? running->n_threads : n_processors();
    uint64_t memory_bytes = memory_of(running);
    int n = most_workers(options, n_threads);
    if ((size_t)n > n_jobs)
        n = (int)n_jobs;
    shares->n_workers = n = n > 0 ? n : 1;
    shares->whole = (cli_share){.folder = options->folder,
                                .n_threads = n_threads,
                                .memory_bytes = memory_bytes,
                                .is_whole = true,
                                .device = running->device,
                                .report = options->report,
                                .no_sync = running->no_sync};
    shares->part = shares->whole;
    shares->part.n_threads = n_threads / n > 0 ? n_threads / n : 1;
    shares->part.memory_bytes = memory_bytes / (uint64_t)n;
    shares->part.is_whole = n == 1;
    return memory_bytes > 0;
}

/* ---- Enforcing ----------------------------------------------------------------------------- */

/* What this process has of that kind of memory already: a copy of the supervisor's. */
static uint64_t present_bytes(void)
{
    uint64_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %*s %*s %*s %*s %" SCNu64, &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t stack_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return USUAL_STACK_BYTES;
    return limit.rlim_cur;
}

/* RLIMIT_DATA is memory that is private and writable, touched or not; files that are mapped to be
 * read are not in it, as they are in RLIMIT_AS. */
void cli_share_enforce(const cli_share *share)
{
    struct rlimit limit;
    uint64_t bytes, others = present_bytes() + HEADROOM_BYTES;
    others += (uint64_t)share->n_threads * (stack_bytes() + BESIDE_STACK_BYTES);
    if (__builtin_add_overflow(others, share->memory_bytes, &bytes) ||
        getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes)
        limit.rlim_cur = bytes;
    setrlimit(RLIMIT_DATA, &limit);
}
