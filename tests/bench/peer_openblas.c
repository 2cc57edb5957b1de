/* OpenBLAS: the same squarings in double precision. Not exact past 2^53. */
#include "tests/bench/peer.h"

#include <cblas-openblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct openblas_state {
    blasint n;
    unsigned length;
    double *a, *power, *next;
} openblas_state;

static char description[64];

static const char *openblas_describe(void)
{
    return description;
}

static void openblas_release(void *memory)
{
    openblas_state *state = memory;
    free(state->a);
    free(state->power);
    free(state->next);
    free(state);
}

static void *openblas_prepare(const peer_setup *setup)
{
    const bench_graph *graph = setup->graph;
    size_t n = graph->n, bytes = n * n * sizeof(double);
    openblas_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    *state = (openblas_state){(blasint)n, setup->length, calloc(n, n * sizeof(double)),
                              aligned_alloc(64, bytes), aligned_alloc(64, bytes)};
    if (state->a == NULL || state->power == NULL || state->next == NULL) {
        openblas_release(state);
        return NULL;
    }
    for (uint64_t e = 0; e < graph->n_arcs; e++)
        state->a[graph->from[e] * n + graph->to[e]] = 1;
    openblas_set_num_threads(setup->n_threads);
    char version[16] = "";
    sscanf(openblas_get_config(), "OpenBLAS %15s", version);
    snprintf(description, sizeof description, "%s %s", version, openblas_get_corename());
    return state;
}

/* power = power * right */
static void multiply(openblas_state *state, const double *right)
{
    blasint n = state->n;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, state->power, n, right, n,
                0.0, state->next, n);
    double *made = state->next;
    state->next = state->power;
    state->power = made;
}

static bool openblas_run(void *memory)
{
    openblas_state *state = memory;
    memcpy(state->power, state->a, (size_t)state->n * (size_t)state->n * sizeof(double));
    for (unsigned bit = 31u - (unsigned)__builtin_clz(state->length); bit > 0; bit--) {
        multiply(state, state->power);
        if (state->length >> (bit - 1) & 1)
            multiply(state, state->a);
    }
    return true;
}

static void openblas_row(void *memory, uint64_t row, uint32_t n_limbs, void *out)
{
    const openblas_state *state = memory;
    size_t n = (size_t)state->n;
    (void)n_limbs;
    memcpy(out, state->power + row * n, n * sizeof(double));
}

PEER_EXPORT const peer_power peer_power_table = {PEER_DOUBLES, openblas_describe, openblas_prepare,
                                                 openblas_run, openblas_row,      openblas_release};
