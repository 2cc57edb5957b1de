/* SuiteSparse:GraphBLAS: a chain of Y += X A with sparse A and full X and Y, 64-bit words that
 * wrap. The full accumulator is what makes it fast: no pattern is computed. */
#include "tests/bench/peer.h"

#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct graphblas_state {
    GrB_Index n;
    unsigned length;
    GrB_Matrix a, full_a, power, next;
} graphblas_state;

static char description[32];

static const char *graphblas_describe(void)
{
    return description;
}

static bool fill_with_zeros(GrB_Matrix matrix, GrB_Index n)
{
    return GrB_Matrix_assign_UINT64(matrix, NULL, NULL, 0, GrB_ALL, n, GrB_ALL, n, NULL) ==
           GrB_SUCCESS;
}

static void graphblas_release(void *memory)
{
    graphblas_state *state = memory;
    GrB_Matrix_free(&state->a);
    GrB_Matrix_free(&state->full_a);
    GrB_Matrix_free(&state->power);
    GrB_Matrix_free(&state->next);
    free(state);
}

/* The sparse A, the full one, and room for two full matrices. */
static bool make_matrices(graphblas_state *state, const bench_graph *graph)
{
    GrB_Index n = state->n;
    GrB_Scalar one = NULL;
    bool ok = GrB_Matrix_new(&state->a, GrB_UINT64, n, n) == GrB_SUCCESS &&
              GrB_Matrix_new(&state->full_a, GrB_UINT64, n, n) == GrB_SUCCESS &&
              GrB_Matrix_new(&state->next, GrB_UINT64, n, n) == GrB_SUCCESS &&
              GrB_Scalar_new(&one, GrB_UINT64) == GrB_SUCCESS &&
              GrB_Scalar_setElement_UINT64(one, 1) == GrB_SUCCESS &&
              GxB_Matrix_build_Scalar(state->a, graph->from, graph->to, one, graph->n_arcs) ==
                  GrB_SUCCESS &&
              fill_with_zeros(state->full_a, n) &&
              GrB_Matrix_assign(state->full_a, NULL, GrB_PLUS_UINT64, state->a, GrB_ALL, n, GrB_ALL,
                                n, NULL) == GrB_SUCCESS &&
              GrB_Matrix_wait(state->full_a, GrB_MATERIALIZE) == GrB_SUCCESS &&
              GrB_Matrix_wait(state->a, GrB_MATERIALIZE) == GrB_SUCCESS &&
              GrB_Matrix_dup(&state->power, state->full_a) == GrB_SUCCESS;
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

static void *graphblas_prepare(const peer_setup *setup)
{
    graphblas_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    if (!start_library()) {
        free(state);
        return NULL;
    }
    GxB_Global_Option_set_INT32(GxB_GLOBAL_NTHREADS, setup->n_threads);
    state->n = setup->graph->n;
    state->length = setup->length;
    if (!make_matrices(state, setup->graph)) {
        graphblas_release(state);
        return NULL;
    }
    return state;
}

static bool graphblas_run(void *memory)
{
    graphblas_state *state = memory;
    GrB_Matrix_free(&state->power);
    if (GrB_Matrix_dup(&state->power, state->full_a) != GrB_SUCCESS)
        return false;
    for (unsigned k = 1; k < state->length; k++) {
        if (!fill_with_zeros(state->next, state->n) ||
            GrB_mxm(state->next, NULL, GrB_PLUS_UINT64, GxB_PLUS_FIRST_UINT64, state->power,
                    state->a, NULL) != GrB_SUCCESS)
            return false;
        GrB_Matrix made = state->next;
        state->next = state->power;
        state->power = made;
    }
    return GrB_Matrix_wait(state->power, GrB_MATERIALIZE) == GrB_SUCCESS;
}

/* Modulo 2^64: the lowest word of each count. */
static void graphblas_row(void *memory, uint64_t row, uint32_t n_limbs, void *out)
{
    graphblas_state *state = memory;
    uint64_t *limbs = out;
    memset(limbs, 0, state->n * n_limbs * sizeof *limbs);
    for (GrB_Index j = 0; j < state->n; j++)
        GrB_Matrix_extractElement_UINT64(&limbs[j * n_limbs], state->power, row, j);
}

PEER_EXPORT const peer_power peer_power_table = {PEER_WRAPS,        graphblas_describe,
                                                 graphblas_prepare, graphblas_run,
                                                 graphblas_row,     graphblas_release};

/* ---- Vectors, the same way ------------------------------------------------------------------- */

typedef struct sweep_state {
    GrB_Index n, n_vectors;
    unsigned length;
    GrB_Matrix a, start, now, next;
} sweep_state;

static bool fill_rows(GrB_Matrix matrix, uint64_t value, GrB_Index n_rows, GrB_Index n)
{
    return GrB_Matrix_assign_UINT64(matrix, NULL, NULL, value, GrB_ALL, n_rows, GrB_ALL, n, NULL) ==
           GrB_SUCCESS;
}

static void sweep_release(void *memory)
{
    sweep_state *state = memory;
    GrB_Matrix_free(&state->a);
    GrB_Matrix_free(&state->start);
    GrB_Matrix_free(&state->now);
    GrB_Matrix_free(&state->next);
    free(state);
}

static bool make_vectors(sweep_state *state, const bench_graph *graph, const uint64_t *source)
{
    GrB_Index n = state->n, n_vectors = state->n_vectors;
    GrB_Scalar one = NULL;
    bool ok = GrB_Matrix_new(&state->a, GrB_UINT64, n, n) == GrB_SUCCESS &&
              GrB_Matrix_new(&state->start, GrB_UINT64, n_vectors, n) == GrB_SUCCESS &&
              GrB_Matrix_new(&state->next, GrB_UINT64, n_vectors, n) == GrB_SUCCESS &&
              GrB_Scalar_new(&one, GrB_UINT64) == GrB_SUCCESS &&
              GrB_Scalar_setElement_UINT64(one, 1) == GrB_SUCCESS &&
              GxB_Matrix_build_Scalar(state->a, graph->from, graph->to, one, graph->n_arcs) ==
                  GrB_SUCCESS &&
              fill_rows(state->start, source == NULL, n_vectors, n);
    for (GrB_Index v = 0; ok && source != NULL && v < n_vectors; v++)
        ok = GrB_Matrix_setElement_UINT64(state->start, 1, v, source[v]) == GrB_SUCCESS;
    ok = ok && GrB_Matrix_wait(state->a, GrB_MATERIALIZE) == GrB_SUCCESS &&
         GrB_Matrix_wait(state->start, GrB_MATERIALIZE) == GrB_SUCCESS;
    GrB_Scalar_free(&one);
    return ok;
}

static void *sweep_prepare(const peer_setup *setup, uint64_t n_vectors, const uint64_t *source)
{
    sweep_state *state = calloc(1, sizeof *state);
    if (state == NULL || !start_library()) {
        free(state);
        return NULL;
    }
    GxB_Global_Option_set_INT32(GxB_GLOBAL_NTHREADS, setup->n_threads);
    state->n = setup->graph->n;
    state->n_vectors = n_vectors;
    state->length = setup->length;
    if (!make_vectors(state, setup->graph, source)) {
        sweep_release(state);
        return NULL;
    }
    return state;
}

static bool sweep_run(void *memory)
{
    sweep_state *state = memory;
    GrB_Matrix_free(&state->now);
    if (GrB_Matrix_dup(&state->now, state->start) != GrB_SUCCESS)
        return false;
    for (unsigned k = 0; k < state->length; k++) {
        if (!fill_rows(state->next, 0, state->n_vectors, state->n) ||
            GrB_mxm(state->next, NULL, GrB_PLUS_UINT64, GxB_PLUS_FIRST_UINT64, state->now, state->a,
                    NULL) != GrB_SUCCESS)
            return false;
        GrB_Matrix made = state->next;
        state->next = state->now;
        state->now = made;
    }
    return GrB_Matrix_wait(state->now, GrB_MATERIALIZE) == GrB_SUCCESS;
}

static uint64_t sweep_entry(void *memory, uint64_t vector, uint64_t vertex)
{
    sweep_state *state = memory;
    uint64_t value = 0;
    GrB_Matrix_extractElement_UINT64(&value, state->now, vector, vertex);
    return value;
}

PEER_EXPORT const peer_sweep peer_sweep_table = {graphblas_describe, sweep_prepare, sweep_run,
                                                 sweep_entry, sweep_release};
