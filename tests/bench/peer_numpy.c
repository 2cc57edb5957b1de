/* NumPy: matrix_power in float64, in a Python process that waits between runs. */
#include "tests/bench/peer.h"

#include "tests/bench/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct numpy_state {
    child python;
    uint64_t n;
    char arcs_path[320], result_path[320];
    FILE *result; /* rows are read from it once it is saved */
} numpy_state;

static char description[64];

static const char *numpy_describe(void)
{
    return description;
}

static bool write_arcs(const char *path, const bench_graph *graph)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    fwrite(graph->from, sizeof *graph->from, graph->n_arcs, file);
    fwrite(graph->to, sizeof *graph->to, graph->n_arcs, file);
    return fclose(file) == 0;
}

static bool start_python(numpy_state *state, const peer_setup *setup)
{
    char script[512], n[24], length[24], threads[24], reply[64];
    snprintf(script, sizeof script, "%s/numpy_peer.py", setup->folder);
    snprintf(n, sizeof n, "%llu", (unsigned long long)setup->graph->n);
    snprintf(length, sizeof length, "%u", setup->length);
    snprintf(threads, sizeof threads, "%d", setup->n_threads);
    setenv("OPENBLAS_NUM_THREADS", threads, 1);
    const char *const arguments[] = {
        child_python(), script, "power", state->arcs_path, n, length, state->result_path, NULL};
    bool started = child_start(&state->python, arguments);
    unsetenv("OPENBLAS_NUM_THREADS");
    if (!started)
        return false;
    if (child_read_line(&state->python, reply, sizeof reply) &&
        sscanf(reply, "ready %63s", description) == 1)
        return true;
    child_end(&state->python);
    return false;
}

static void *numpy_prepare(const peer_setup *setup)
{
    numpy_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->n = setup->graph->n;
    snprintf(state->arcs_path, sizeof state->arcs_path, "%s/arcs", setup->scratch);
    snprintf(state->result_path, sizeof state->result_path, "%s/power", setup->scratch);
    bool ok = child_python() != NULL && write_arcs(state->arcs_path, setup->graph) &&
              start_python(state, setup);
    unlink(state->arcs_path);
    if (!ok) {
        free(state);
        return NULL;
    }
    return state;
}

/* Asks Python for something and waits for the answer. */
static bool ask(numpy_state *state, const char *question, const char *answer)
{
    char reply[64];
    return child_write_line(&state->python, question) &&
           child_read_line(&state->python, reply, sizeof reply) && strcmp(reply, answer) == 0;
}

static bool numpy_run(void *memory)
{
    return ask(memory, "run", "done");
}

static void numpy_row(void *memory, uint64_t row, uint32_t n_limbs, void *out)
{
    numpy_state *state = memory;
    (void)n_limbs;
    memset(out, 0xff, state->n * sizeof(double)); /* not a number, should reading fail */
    if (state->result == NULL && ask(state, "save", "saved"))
        state->result = fopen(state->result_path, "rb");
    if (state->result == NULL ||
        fseek(state->result, (long)(row * state->n * sizeof(double)), SEEK_SET) != 0)
        return;
    if (fread(out, sizeof(double), state->n, state->result) != state->n)
        memset(out, 0xff, state->n * sizeof(double));
}

static void numpy_release(void *memory)
{
    numpy_state *state = memory;
    child_end(&state->python);
    if (state->result != NULL)
        fclose(state->result);
    unlink(state->result_path);
    free(state);
}

PEER_EXPORT const peer_power peer_power_table = {PEER_DOUBLES, numpy_describe, numpy_prepare,
                                                 numpy_run,    numpy_row,      numpy_release};
