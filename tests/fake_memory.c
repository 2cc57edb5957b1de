/* Memory that runs out, for tests of the command and of the libraries that it opens (LD_PRELOAD):
 *
 *   FAKE_MEMORY=N        from the N-th request on there is none; nothing is refused without it
 *   FAKE_MEMORY_ONCE=N   the N-th request is refused, and no other
 *   FAKE_MEMORY_COUNT=F  the process writes the number of its requests to file F when it ends by exit()
 *
 * Requests before the first of the library itself count too, so that N says the same in each run. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_ulong n_requests;
static unsigned long fail_from, fail_at;

static unsigned long number_of(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    fail_from = number_of("FAKE_MEMORY");
    fail_at = number_of("FAKE_MEMORY_ONCE");
    n_requests = 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAKE_MEMORY_COUNT");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file < 0)
        return;
    fail_from = fail_at = 0;
    dprintf(file, "%lu\n", (unsigned long)n_requests);
    close(file);
}

static bool is_refused(void)
{
    unsigned long n = ++n_requests;
    bool is_one = (fail_from != 0 && n >= fail_from) || n == fail_at;
    if (is_one)
        errno = ENOMEM;
    return is_one;
}

void *malloc(size_t bytes)
{
    return is_refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return is_refused() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return is_refused() ? NULL : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return is_refused() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    *memory = is_refused() ? NULL : __libc_memalign(alignment, bytes);
    return *memory != NULL ? 0 : ENOMEM;
}
