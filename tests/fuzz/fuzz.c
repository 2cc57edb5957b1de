/* What every fuzz target needs: its registration, its limits, files, and checks of what calls give. */
#define _GNU_SOURCE /* memfd_create, on_exit */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

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

static atomic_llong n_held,
    n_most; /* bytes; what was taken before they were counted may be freed */

/* Blocks that were taken since fuzz_exits was called, and not freed: a table of open addresses. */
enum { MOST_BLOCKS = 1 << 14 };
static const volatile void *block[MOST_BLOCKS];
static bool is_tracking;

static size_t find_block(const volatile void *memory)
{
    size_t at = ((uintptr_t)memory >> 4) % MOST_BLOCKS;
    for (size_t n = 0; n < MOST_BLOCKS && block[at] && block[at] != memory; n++)
        at = (at + 1) % MOST_BLOCKS;
    return at;
}

/* A freed block keeps its place, so that those behind it are found. */
static const char freed;

static void track(const volatile void *memory, const volatile void *now)
{
    if (!is_tracking)
        return;
    size_t at = find_block(memory);
    if (now == memory || block[at] == memory)
        block[at] = now;
}

static void on_malloc(const volatile void *memory, size_t n_bytes)
{
    track(memory, memory);
    long long now = atomic_fetch_add(&n_held, (long long)n_bytes) + (long long)n_bytes;
    long long most = atomic_load(&n_most);
    while (now > most && !atomic_compare_exchange_weak(&n_most, &most, now))
        ;
}

static void on_free(const volatile void *memory)
{
    if (!memory)
        return;
    track(memory, &freed);
    atomic_fetch_sub(&n_held, (long long)__sanitizer_get_allocated_size(memory));
}

static void count_memory(void)
{
    static bool is_counting;
    if (!is_counting && __sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    is_counting = true;
}

/* What the target's file may take beside that when it is packed: a frame of zstd says how large a window it wants, up to
 * 128 MB, whatever the size of the file. libzstd allocates it at once, and what is not unpacked is never touched. */
static const size_t ZSTD_WINDOW_BYTES = (size_t)136 << 20;
static size_t window_bytes;

/* Whether bytes have the mark of zstd, or of what may have a frame of zstd in it: gz, bz2, xz. */
static bool may_be_packed(const void *bytes, size_t n_bytes)
{
    static const char *const marks[] = {"\x28\xb5\x2f\xfd", "\x1f\x8b", "BZh", "\xfd\x37zXZ"};
    bool has_mark = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        has_mark = has_mark || memmem(bytes, n_bytes, marks[i], strlen(marks[i]));
    return has_mark;
}

void fuzz_run(const fuzz_target *target, const uint8_t *data, size_t size)
{
    count_memory();
    window_bytes = 0;
    long long before = atomic_load(&n_held);
    clock_t start = clock();
    atomic_store(&n_most, before);
    target->run(data, size);
    size_t n_bytes = (size_t)(atomic_load(&n_most) - before);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (n_bytes > FUZZ_MEMORY_BYTES + window_bytes + FUZZ_MEMORY_FACTOR * size)
        fuzz_fail("%s took %zu bytes of memory for an input of %zu bytes", target->name, n_bytes,
                  size);
    if (seconds > 1 + (double)size / 1024)
        fuzz_fail("%s took %.1f s of CPU time for an input of %zu bytes", target->name, seconds,
                  size);
}

/* ---- Calls that end the process -------------------------------------------------------------- */

static jmp_buf before_exit;
static bool is_catching, is_registered;
static int exit_code;

int fuzz_exit_code(void)
{
    return exit_code;
}

static void catch_exit(int code, void *unused)
{
    (void)unused;
    exit_code = code;
    is_registered = false;
    if (is_catching)
        longjmp(before_exit, 1);
}

bool fuzz_exits(void (*call)(void *user), void *user)
{
    static bool has_been_called;
    volatile bool has_exited = false;
    setvbuf(stdout, NULL, _IONBF, 0); /* a buffer would be one of the blocks */
    if (!is_registered)
        is_registered = on_exit(catch_exit, NULL) == 0;
    memset(block, 0, sizeof block);
    is_catching = is_tracking = true;
    if (setjmp(before_exit) == 0)
        call(user);
    else
        has_exited = true;
    is_catching = is_tracking = false;
    for (size_t i = 0; has_exited && has_been_called && i < MOST_BLOCKS; i++)
        if (block[i] && block[i] != &freed)
            free((void *)block[i]);
    has_been_called = true;
    return has_exited;
}

/* ---- Files ----------------------------------------------------------------------------------- */

const char *fuzz_path(const void *bytes, size_t n_bytes)
{
    static char path[64];
    static int file = -1;
    if (file < 0)
        file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes, n_bytes, 0) != (ssize_t)n_bytes)
        fuzz_fail("no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    window_bytes = n_bytes > 0 && may_be_packed(bytes, n_bytes) ? ZSTD_WINDOW_BYTES : 0;
    return path;
}

static char folder[64];

const char *fuzz_folder(void)
{
    snprintf(folder, sizeof folder, "%s/pathcount-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : P_tmpdir);
    if (!mkdtemp(folder))
        fuzz_fail("no folder %s", folder);
    return folder;
}

const char *fuzz_folder_write(const char *name, const void *bytes, size_t n_bytes)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || (n_bytes && fwrite(bytes, 1, n_bytes, file) != n_bytes) || fclose(file) != 0)
        fuzz_fail("%s cannot be written", path);
    return path;
}

void fuzz_folder_remove(void)
{
    DIR *files = opendir(folder);
    for (const struct dirent *file; files && (file = readdir(files));)
        unlinkat(dirfd(files), file->d_name, 0);
    if (files)
        closedir(files);
    if (rmdir(folder) != 0)
        fuzz_fail("%s cannot be removed", folder);
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
