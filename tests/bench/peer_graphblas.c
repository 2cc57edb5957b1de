/* SuiteSparse:GraphBLAS: a chain of Y += X A with sparse A and full X and Y, 64-bit words that
 * wrap. The full accumulator is what makes it fast: no pattern is computed. X begins as A for a power, else as vectors. */
#include "tests/bench/peer.h"

#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graphblas_state {
    GrB_Index n, n_vectors;
    unsigned n_steps;
    GrB_Matrix a, start, now, next;
} graphblas_state;

static char description[32];

static const char *describe(void)
{
    return description;
}

static void release(void *memory)
{
    graphblas_state *state = memory;
    GrB_Matrix_free(&state->a);
    GrB_Matrix_free(&state->start);
    GrB_Matrix_free(&state->now);
    GrB_Matrix_free(&state->next);
    free(state);
}

static bool fill_rows(const graphblas_state *state, GrB_Matrix matrix, uint64_t value)
{
    return GrB_Matrix_assign_UINT64(matrix, NULL, NULL, value, GrB_ALL, state->n_vectors, GrB_ALL,
                                    state->n, NULL) == GrB_SUCCESS;
}

/* The sparse A, and room for two full matrices of vectors, the first of which is filled with a value. */
static bool make_matrices(graphblas_state *state, const bench_graph *graph, uint64_t value)
{
    GrB_Index n = state->n;
    GrB_Scalar one = NULL;
    bool ok = GrB_Matrix_new(&state->a, GrB_UINT64, n, n) == GrB_SUCCESS &&
              GrB_Matrix_new(&state->start, GrB_UINT64, state->n_vectors, n) == GrB_SUCCESS &&
              GrB_Matrix_new(&state->next, GrB_UINT64, state->n_vectors, n) == GrB_SUCCESS &&
              GrB_Scalar_new(&one, GrB_UINT64) == GrB_SUCCESS &&
              GrB_Scalar_setElement_UINT64(one, 1) == GrB_SUCCESS &&
              GxB_Matrix_build_Scalar(state->a, graph->from, graph->to, one, graph->n_arcs) ==
                  GrB_SUCCESS &&
              fill_rows(state, state->start, value) &&
              GrB_Matrix_wait(state->a, GrB_MATERIALIZE) == GrB_SUCCESS;
    GrB_Scalar_free(&one);
    return ok;
}

/* The library can be started once in a process, and is never ended. */
static bool start_library(void)
{
    static bool is_started = false;
    int version[3];
    if (!is_started && GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS)
        return false;
    is_started = true;
    GxB_Global_Option_get_INT32(GxB_LIBRARY_VERSION, version);
    snprintf(description, sizeof description, "%d.%d.%d", version[0], version[1], version[2]);
    return true;
}

/* n_vectors 0: X begins as A, a full matrix. */
static void *prepare(const peer_setup *setup, uint64_t n_vectors, const uint64_t *source)
{
    graphblas_state *state = calloc(1, sizeof *state);
    if (state == NULL || !start_library()) {
        free(state);
        return NULL;
    }
    GxB_Global_Option_set_INT32(GxB_GLOBAL_NTHREADS, setup->n_threads);
    state->n = setup->graph->n;
    state->n_vectors = n_vectors > 0 ? n_vectors : state->n;
    state->n_steps = setup->length - (n_vectors == 0);
    bool ok = make_matrices(state, setup->graph, n_vectors > 0 && source == NULL);
    if (ok && n_vectors == 0)
        ok = GrB_Matrix_assign(state->start, NULL, GrB_PLUS_UINT64, state->a, GrB_ALL, state->n,
                               GrB_ALL, state->n, NULL) == GrB_SUCCESS;
    for (GrB_Index v = 0; ok && source != NULL && v < n_vectors; v++)
        ok = GrB_Matrix_setElement_UINT64(state->start, 1, v, source[v]) == GrB_SUCCESS;
    if (ok && GrB_Matrix_wait(state->start, GrB_MATERIALIZE) == GrB_SUCCESS)
        return state;
    release(state);
    return NULL;
}

static void *prepare_power(const peer_setup *setup)
{
    return prepare(setup, 0, NULL);
}

static bool run(void *memory)
{
    graphblas_state *state = memory;
    GrB_Matrix_free(&state->now);
    if (GrB_Matrix_dup(&state->now, state->start) != GrB_SUCCESS)
        return false;
    for (unsigned k = 0; k < state->n_steps; k++) {
        if (!fill_rows(state, state->next, 0) ||
            GrB_mxm(state->next, NULL, GrB_PLUS_UINT64, GxB_PLUS_FIRST_UINT64, state->now, state->a,
                    NULL) != GrB_SUCCESS)
            return false;
        GrB_Matrix made = state->next;
        state->next = state->now;
        state->now = made;
    }
    return GrB_Matrix_wait(state->now, GrB_MATERIALIZE) == GrB_SUCCESS;
}

/* Modulo 2^64: the lowest word of each count. */
static void row(void *memory, uint64_t row, uint32_t n_limbs, void *out)
{
    graphblas_state *state = memory;
    uint64_t *limbs = out;
    memset(limbs, 0, state->n * n_limbs * sizeof *limbs);
    for (GrB_Index j = 0; j < state->n; j++)
        GrB_Matrix_extractElement_UINT64(&limbs[j * n_limbs], state->now, row, j);
}

PEER_EXPORT const peer_power peer_power_table = {PEER_WRAPS, describe, prepare_power,
                                                 run,        row,      release};
PEER_EXPORT const peer_sweep peer_sweep_table = {prepare,
                                                 {PEER_WRAPS, describe, NULL, run, row, release}};
