/* Memory that runs out, for tests of the command and of the libraries that it opens (LD_PRELOAD):
 *
 *   FAKE_MEMORY=N        from the N-th request on there is none; nothing is refused without it
 *   FAKE_MEMORY_ONCE=N   the N-th request is refused, and no other
 *   FAKE_MEMORY_COUNT=F  the process writes the number of its requests to file F when it ends by exit()
 *   FAKE_MEMORY_TABLE=F  the process and those that it forks count together, in file F of
 *                        sizeof(request_table) zeros, and note for each request which code makes it
 *
 * Requests before the constructor of this library do not count. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "tests/failures/request_table.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_ulong own_requests;
static atomic_ulong *n_requests = &own_requests;
static request_table *table; /* NULL: requests are not noted */
static unsigned long fail_from, fail_at;
static __thread bool is_noting; /* what finds the callers asks for memory too */

static unsigned long number_of(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtoul(text, NULL, 10) : 0;
}

/* Requests are noted only where none is refused: it takes time. */
static void share(const char *path, bool is_noted)
{
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *shared = file < 0
                       ? MAP_FAILED
                       : mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (shared == MAP_FAILED)
        return;
    void *callers[2];
    if (is_noted && backtrace(callers, 2) > 0)
        table = shared;
    n_requests = &((request_table *)shared)->n_requests;
}

__attribute__((constructor)) static void begin(void)
{
    fail_from = number_of("FAKE_MEMORY");
    fail_at = number_of("FAKE_MEMORY_ONCE");
    share(getenv("FAKE_MEMORY_TABLE"), fail_from == 0 && fail_at == 0);
    *n_requests = 0;
    syscall(SYS_close, REQUESTS_BEGIN); /* seen by a tracer */
}

/* From now on nothing is refused: called before a build that measures coverage writes its counters. */
void fake_memory_end(void);
void fake_memory_end(void)
{
    fail_from = fail_at = 0;
    syscall(SYS_close, REQUESTS_END); /* seen by a tracer */
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAKE_MEMORY_COUNT");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file < 0)
        return;
    fail_from = fail_at = 0;
    dprintf(file, "%lu\n", (unsigned long)*n_requests);
    close(file);
}

/* The object that asks: the first one that is neither this nor the C library. */
static void note_object(request *r, void **callers, int n)
{
    for (int c = 2; c < n; c++) {
        Dl_info info;
        if (dladdr(callers[c], &info) == 0)
            continue;
        const char *name = strrchr(info.dli_fname, '/');
        name = name != NULL ? name + 1 : info.dli_fname;
        snprintf(r->object, sizeof r->object, "%s", name);
        if (strncmp(name, "libc.so", 7) != 0 && strncmp(name, "fake_memory", 11) != 0)
            return;
    }
}

static void note(unsigned long n)
{
    if (table == NULL || is_noting || n > REQUESTS_MOST)
        return;
    void *callers[REQUEST_CALLERS];
    is_noting = true;
    int n_callers = backtrace(callers, REQUEST_CALLERS);
    request *r = &table->request[n - 1];
    r->stack = 14695981039346656037u;
    for (int c = 0; c < n_callers; c++)
        r->stack = (r->stack ^ (uintptr_t)callers[c]) * 1099511628211u;
    note_object(r, callers, n_callers);
    is_noting = false;
}

static bool is_refused(void)
{
    unsigned long n = atomic_fetch_add(n_requests, 1) + 1;
    note(n);
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

void *memalign(size_t alignment, size_t bytes)
{
    return is_refused() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    *memory = is_refused() ? NULL : __libc_memalign(alignment, bytes);
    return *memory != NULL ? 0 : ENOMEM;
}
