/* Fuzz targets. Each is a file tests/fuzz/NAME.c with FUZZ(NAME) { ... }, and registers itself. The same
 * objects make two kinds of programs: build/fuzz/fuzz_NAME searches for inputs with libFuzzer (libfuzzer.c),
 * and build/fuzz_replay runs all targets over the inputs in tests/fuzz/corpus/NAME (replay.c).
 *
 * A target ends normally, whatever its input is. It calls fuzz_fail when something is wrong. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "src/tool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Targets --------------------------------------------------------------------------------- */

typedef struct fuzz_target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
    struct fuzz_target *next;
} fuzz_target;

/* All targets of this program. */
extern fuzz_target *fuzz_targets;

/* Adds a target. Call it before main only. */
void fuzz_add(fuzz_target *added);

/* Begins a target: FUZZ(NAME) { ... }, which has the parameters data and size. */
#define FUZZ(NAME)                                                                                 \
    static void fuzz_##NAME(const uint8_t *data, size_t size);                                     \
    __attribute__((constructor)) static void fuzz_add_##NAME(void)                                 \
    {                                                                                              \
        static fuzz_target added = {#NAME, fuzz_##NAME, NULL};                                     \
        fuzz_add(&added);                                                                          \
    }                                                                                              \
    static void fuzz_##NAME(const uint8_t *data, size_t size)

/* Runs a target once. Fails when it takes more than FUZZ_MEMORY_BYTES and FUZZ_MEMORY_FACTOR times the
 * size of the input, where a sanitizer counts memory, or more than a second of CPU time, and another
 * for each KB of the input. */
void fuzz_run(const fuzz_target *target, const uint8_t *data, size_t size);

#define FUZZ_MEMORY_BYTES  ((size_t)64 << 20)
#define FUZZ_MEMORY_FACTOR ((size_t)32)

/* Prints the sentence and aborts. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- What targets need ----------------------------------------------------------------------- */

/* The input while a target takes it apart. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t size;
} fuzz_input;

/* The next byte; 0 when there is none. */
uint8_t fuzz_byte(fuzz_input *input);

/* Copies the rest of the input into a block of its own, so that a sanitizer sees a read behind its end.
 * The caller frees it. */
char *fuzz_text(const fuzz_input *input);

/* A context with that many threads, which may plan for 16 MB of memory. */
pc_context *fuzz_context(int n_threads);

/* The path of a file in memory with these bytes, valid until the next call. */
const char *fuzz_path(const void *bytes, size_t n_bytes);

/* A new empty folder, valid until fuzz_folder_remove, and one of its files. */
const char *fuzz_folder(void);
const char *fuzz_folder_write(const char *name, const void *bytes, size_t n_bytes);

/* Removes the folder with the files in it. */
void fuzz_folder_remove(void);

/* Calls a function that may end the process by exit(). Whether it did; then what it had taken by malloc is
 * freed, where a sanitizer counts memory. The first call of the program frees nothing: let it make the
 * streams and buffers that stay. */
bool fuzz_exits(void (*call)(void *user), void *user);

/* The exit status, after a call that ended the process. */
int fuzz_exit_code(void);

/* Fails unless a call that gave this status kept the rules: a graph (or whatever is at made) exactly
 * when it is PC_OK, and otherwise a message. */
void fuzz_check_status(const pc_context *context, pc_status status, const void *made);

/* Fails unless the arcs of a graph are in order. */
void fuzz_check_graph(const pc_graph *graph);

#endif
