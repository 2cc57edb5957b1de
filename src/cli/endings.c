/* GMP calls abort() when it gets no memory; it lets a program give it functions of its own, which must
 * not return without memory. jansson says in the same way that there is no memory and that a text is
 * none of UTF-8, so it gets such a function too. libgomp calls exit(1) when it gets no memory or no
 * thread; nothing else here calls exit() with that status before main has ended.
 *
 * All this may happen in any thread, while others go on. So the process ends at once: files without a
 * name vanish, and the next run that writes into the folder removes those with a name. */
#define _GNU_SOURCE /* on_exit */
#include "src/cli/endings.h"

#include "src/cli/exit_codes.h"

#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_done;

static void *check_memory(void *memory, size_t bytes)
{
    if (memory == NULL)
        _exit(cli_fail(CLI_UNAVAILABLE, "no memory (%zu bytes)", bytes));
    return memory;
}

static void *allocate(size_t bytes)
{
    return check_memory(malloc(bytes), bytes);
}

static void *reallocate(void *memory, size_t old_bytes, size_t bytes)
{
    (void)old_bytes;
    return check_memory(realloc(memory, bytes), bytes);
}

static void release(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

static void on_ending(int code, void *unused)
{
    (void)unused;
    if (code == EXIT_FAILURE && !is_done)
        _exit(cli_fail(CLI_UNAVAILABLE, "no memory, or no thread, for the OpenMP library; "
                                        "--threads 1 needs the least"));
}

void cli_endings_install(void)
{
    mp_set_memory_functions(allocate, reallocate, release);
    json_set_alloc_funcs(allocate, free);
    on_exit(on_ending, NULL);
}

void cli_endings_done(void)
{
    is_done = true;
}
