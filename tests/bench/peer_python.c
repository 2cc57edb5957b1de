/* Packages of Python, NumPy's matrix_power in float64 and FLINT by python-flint, which is newer than Debian's: powers that a
 * process computes, which waits between runs. It is started as
 *   python_peer.py NAME ARCS N LENGTH THREADS RESULT
 * ARCS holds n_arcs words of 64 bits "from", then as many "to". It prints "ready VERSION". Then, for each line "run" it
 * computes and prints "done"; for "save WORDS" it writes the last result to RESULT, rows one after the other, each
 * entry WORDS words, and prints "saved". */
#include "tests/bench/child.h"
#include "tests/bench/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMPY, PYFLINT, N_PACKAGES };

static char description[N_PACKAGES][64];

typedef struct python_power {
    child python;
    int package;
    uint64_t n;
    char arcs_path[320], result_path[320];
    FILE *result; /* from which rows are read, once it is saved */
} python_power;

static bool write_arcs(const char *path, const bench_graph *graph)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    fwrite(graph->from, sizeof *graph->from, graph->n_arcs, file);
    fwrite(graph->to, sizeof *graph->to, graph->n_arcs, file);
    return fclose(file) == 0;
}

static bool start_python(python_power *state, const peer_setup *setup)
{
    static const char *const names[N_PACKAGES] = {"numpy", "flint"};
    char script[512], n[24], length[24], threads[24], reply[64];
    snprintf(script, sizeof script, "%s/python_peer.py", setup->folder);
    snprintf(n, sizeof n, "%llu", (unsigned long long)setup->graph->n);
    snprintf(length, sizeof length, "%u", setup->length);
    snprintf(threads, sizeof threads, "%d", setup->n_threads);
    const char *const arguments[] = {child_python(names[state->package]),
                                     script,
                                     names[state->package],
                                     state->arcs_path,
                                     n,
                                     length,
                                     threads,
                                     state->result_path,
                                     NULL};
    if (arguments[0] == NULL || !write_arcs(state->arcs_path, setup->graph))
        return false;
    setenv("OPENBLAS_NUM_THREADS", threads, 1); /* read when NumPy is loaded */
    bool started = child_start(&state->python, arguments);
    unsetenv("OPENBLAS_NUM_THREADS");
    if (!started)
        return false;
    if (child_read_line(&state->python, reply, sizeof reply) &&
        sscanf(reply, "ready %63s", description[state->package]) == 1)
        return true;
    child_end(&state->python);
    return false;
}

static void *prepare(const peer_setup *setup, int package)
{
    python_power *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->package = package;
    state->n = setup->graph->n;
    snprintf(state->arcs_path, sizeof state->arcs_path, "%s/arcs", setup->scratch);
    snprintf(state->result_path, sizeof state->result_path, "%s/power", setup->scratch);
    bool ok = start_python(state, setup);
    unlink(state->arcs_path);
    if (!ok) {
        free(state);
        return NULL;
    }
    return state;
}

/* Asks Python for something and waits for the answer. */
static bool ask(python_power *state, const char *question, const char *answer)
{
    char reply[64];
    return child_write_line(&state->python, question) &&
           child_read_line(&state->python, reply, sizeof reply) && strcmp(reply, answer) == 0;
}

static bool run(void *memory)
{
    return ask(memory, "run", "done");
}

/* All ones when the row cannot be had: no number, and no count. */
static void row(void *memory, uint64_t row, uint32_t n_words, void *out)
{
    python_power *state = memory;
    n_words = state->package == NUMPY ? 1 : n_words;
    size_t n_bytes = state->n * n_words * sizeof(uint64_t);
    char question[32];
    memset(out, 0xff, n_bytes);
    snprintf(question, sizeof question, "save %u", n_words);
    if (state->result == NULL && ask(state, question, "saved"))
        state->result = fopen(state->result_path, "rb");
    if (state->result == NULL || fseek(state->result, (long)(row * n_bytes), SEEK_SET) != 0)
        return;
    if (fread(out, 1, n_bytes, state->result) != n_bytes)
        memset(out, 0xff, n_bytes);
}

static void release(void *memory)
{
    python_power *state = memory;
    child_end(&state->python);
    if (state->result != NULL)
        fclose(state->result);
    unlink(state->result_path);
    free(state);
}

static const char *describe_numpy(void)
{
    return description[NUMPY];
}

static void *prepare_numpy(const peer_setup *setup)
{
    return prepare(setup, NUMPY);
}

static const char *describe_pyflint(void)
{
    return description[PYFLINT];
}

static void *prepare_pyflint(const peer_setup *setup)
{
    return prepare(setup, PYFLINT);
}

PEER_EXPORT const peer_power peer_numpy_table = {PEER_DOUBLES, describe_numpy, prepare_numpy, run,
                                                 row,          release};
PEER_EXPORT const peer_power peer_pyflint_table = {
    PEER_EXACT, describe_pyflint, prepare_pyflint, run, row, release};
