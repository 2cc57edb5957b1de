/* A lack of memory for tests of the command: loaded before the C library (LD_PRELOAD), it refuses one
 * request for memory, that of the number in MALLOC_FAULT_AT, from 1. Requests count from the moment
 * that this library is ready. */
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static long n_left; /* requests up to the one that is refused; 0: none is */

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("MALLOC_FAULT_AT");
    n_left = at ? atol(at) : 0;
}

static int is_refused(void)
{
    return __atomic_load_n(&n_left, __ATOMIC_RELAXED) > 0 &&
           __atomic_sub_fetch(&n_left, 1, __ATOMIC_RELAXED) == 0;
}

void *malloc(size_t n_bytes)
{
    return is_refused() ? NULL : __libc_malloc(n_bytes);
}

void *calloc(size_t n, size_t n_bytes)
{
    return is_refused() ? NULL : __libc_calloc(n, n_bytes);
}

void *realloc(void *old, size_t n_bytes)
{
    return is_refused() ? NULL : __libc_realloc(old, n_bytes);
}
