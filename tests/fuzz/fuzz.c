/* What every fuzz target needs: its registration, its limits, and checks of what calls give. */
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

fuzz_target *fuzz_targets;

void fuzz_add(fuzz_target *added)
{
    added->next = fuzz_targets;
    fuzz_targets = added;
}

void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("fuzz target: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* Of the address sanitizer; absent in other builds. */
__attribute__((weak)) int
__sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                          void (*on_free)(const volatile void *));
__attribute__((weak)) size_t __sanitizer_get_allocated_size(const volatile void *memory);

static atomic_size_t n_held, n_most; /* bytes */

static void on_malloc(const volatile void *memory, size_t n_bytes)
{
    (void)memory;
    size_t now = atomic_fetch_add(&n_held, n_bytes) + n_bytes, most = atomic_load(&n_most);
    while (now > most && !atomic_compare_exchange_weak(&n_most, &most, now))
        ;
}

static void on_free(const volatile void *memory)
{
    if (memory)
        atomic_fetch_sub(&n_held, __sanitizer_get_allocated_size(memory));
}

static void count_memory(void)
{
    static bool is_counting;
    if (!is_counting && __sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    is_counting = true;
}

void fuzz_run(const fuzz_target *target, const uint8_t *data, size_t size)
{
    count_memory();
    size_t before = atomic_load(&n_held);
    clock_t start = clock();
    atomic_store(&n_most, before);
    target->run(data, size);
    size_t n_bytes = atomic_load(&n_most) - before;
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (n_bytes > FUZZ_MEMORY_BYTES + FUZZ_MEMORY_FACTOR * size)
        fuzz_fail("%s took %zu bytes of memory for an input of %zu bytes", target->name, n_bytes,
                  size);
    if (seconds > 1 + (double)size / 1024)
        fuzz_fail("%s took %.1f s of CPU time for an input of %zu bytes", target->name, seconds,
                  size);
}

/* ---- What targets need ----------------------------------------------------------------------- */

uint8_t fuzz_byte(fuzz_input *input)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->at++;
}

char *fuzz_text(const fuzz_input *input)
{
    char *text = malloc(input->size > 0 ? input->size : 1);
    if (!text)
        fuzz_fail("no memory for a copy of the input");
    if (input->size > 0)
        memcpy(text, input->at, input->size);
    return text;
}

pc_context *fuzz_context(int n_threads)
{
    pc_context *context;
    if (pc_context_create(&context) != PC_OK)
        fuzz_fail("no memory for a context");
    pc_context_set_threads(context, n_threads);
    pc_context_set_memory_limit(context, 1 << 24);
    pc_context_set_sync(context, 0);
    return context;
}

void fuzz_check_status(const pc_context *context, pc_status status, const void *made)
{
    if (status == PC_ERR_INTERNAL)
        fuzz_fail("an internal error: %s", pc_context_message(context));
    if ((status == PC_OK) != (made != NULL))
        fuzz_fail("status %d, and %s", (int)status, made ? "an object" : "no object");
    if (status != PC_OK && *pc_context_message(context) == '\0')
        fuzz_fail("status %d without a message", (int)status);
}

void fuzz_check_graph(const pc_graph *graph)
{
    pc_arcs arcs;
    uint64_t n = pc_graph_n_vertices(graph);
    char label[32];
    pc_graph_arcs(graph, &arcs);
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++)
            if (arcs.column[a] >= n || (arcs.weight && arcs.weight[a] == 0) ||
                (a > arcs.row_start[row] && arcs.column[a] <= arcs.column[a - 1]))
                fuzz_fail("arc %" PRIu64 " of row %" PRIu64 " is not in order", a, row);
    if (n > 0)
        pc_labels_text(pc_graph_labels(graph), n - 1, label, sizeof label);
}
