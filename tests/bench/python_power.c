#include "tests/bench/python_power.h"

#include "tests/bench/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct python_power {
    child python;
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

static bool start_python(python_power *state, const peer_setup *setup, const char *python,
                         const char *name, char *description)
{
    char script[512], n[24], length[24], threads[24], reply[64];
    snprintf(script, sizeof script, "%s/%s", setup->folder, name);
    snprintf(n, sizeof n, "%llu", (unsigned long long)setup->graph->n);
    snprintf(length, sizeof length, "%u", setup->length);
    snprintf(threads, sizeof threads, "%d", setup->n_threads);
    setenv("OPENBLAS_NUM_THREADS", threads, 1); /* read when NumPy is loaded */
    const char *const arguments[] = {
        python, script, "power", state->arcs_path, n, length, threads, state->result_path, NULL};
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

void *python_power_prepare(const peer_setup *setup, const char *package, const char *script,
                           char *description)
{
    const char *python = child_python(package);
    python_power *state = python ? calloc(1, sizeof *state) : NULL;
    if (state == NULL)
        return NULL;
    state->n = setup->graph->n;
    snprintf(state->arcs_path, sizeof state->arcs_path, "%s/arcs", setup->scratch);
    snprintf(state->result_path, sizeof state->result_path, "%s/power", setup->scratch);
    bool ok = write_arcs(state->arcs_path, setup->graph) &&
              start_python(state, setup, python, script, description);
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

bool python_power_run(void *memory)
{
    return ask(memory, "run", "done");
}

static void open_result(python_power *state, uint32_t n_words)
{
    char question[32];
    snprintf(question, sizeof question, "save %u", n_words);
    if (ask(state, question, "saved"))
        state->result = fopen(state->result_path, "rb");
}

void python_power_row(void *memory, uint64_t row, uint32_t n_words, void *out)
{
    python_power *state = memory;
    size_t n_bytes = state->n * n_words * sizeof(uint64_t);
    memset(out, 0xff, n_bytes);
    if (state->result == NULL)
        open_result(state, n_words);
    if (state->result == NULL || fseek(state->result, (long)(row * n_bytes), SEEK_SET) != 0)
        return;
    if (fread(out, 1, n_bytes, state->result) != n_bytes)
        memset(out, 0xff, n_bytes);
}

void python_power_release(void *memory)
{
    python_power *state = memory;
    child_end(&state->python);
    if (state->result != NULL)
        fclose(state->result);
    unlink(state->result_path);
    free(state);
}
