/* The library aligns each block to a line of the cache within a larger one. Blocks begin such that it uses
 * all of a block and the guard follows at once. */
#include "tests/support/guarded_memory.h"

#include "src/core/context.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_BYTES = 64,
    GUARD_BYTES = 64,
    GUARD = 0xA7,
    POISON = 0x5B,
    MOST_POISONED = 1 << 16 /* more would make large graphs slow */
};

/* Stands before each block, not aligned. */
typedef struct header {
    char *given; /* by malloc */
    size_t bytes;
} header;

static atomic_size_t n_live;

static header header_of(const void *memory)
{
    header h;
    memcpy(&h, (const char *)memory - sizeof h, sizeof h);
    return h;
}

void *guarded_allocate(size_t bytes)
{
    size_t all_bytes = sizeof(header) + LINE_BYTES + bytes + GUARD_BYTES;
    header h = {.given = all_bytes > bytes ? malloc(all_bytes) : NULL, .bytes = bytes};
    if (h.given == NULL)
        return NULL;
    uintptr_t first = (uintptr_t)h.given + sizeof h;
    /* one byte after the last place where the address that the library keeps would fit before a line */
    uintptr_t line = (first + sizeof(void *) + LINE_BYTES - 2) / LINE_BYTES * LINE_BYTES;
    char *block = (char *)(line + 1 - sizeof(void *));
    memcpy(block - sizeof h, &h, sizeof h);
    memset(block, POISON, bytes < MOST_POISONED ? bytes : MOST_POISONED);
    memset(block + bytes, GUARD, GUARD_BYTES);
    atomic_fetch_add(&n_live, 1);
    return block;
}

size_t guarded_bytes(const void *memory)
{
    return header_of(memory).bytes;
}

void guarded_release(void *memory)
{
    if (memory == NULL)
        return;
    header h = header_of(memory);
    const unsigned char *guard = (const unsigned char *)memory + h.bytes;
    for (size_t i = 0; i < GUARD_BYTES; i++)
        if (guard[i] != GUARD) {
            fprintf(stderr, "tests: byte %zu beyond a block of %zu was written\n", i, h.bytes);
            abort();
        }
    free(h.given);
    atomic_fetch_sub(&n_live, 1);
}

size_t guarded_n_live(void)
{
    return n_live;
}

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    return guarded_allocate(bytes);
}

static void release(void *user, void *memory)
{
    (void)user;
    guarded_release(memory);
}

void guard_context(pc_context *context)
{
    pc_context_set_allocator(context, (pc_allocator){allocate, release, NULL});
    if (context)
        context->thread_seconds = LITTLE_SECONDS;
}
