/* FLINT: fmpz_mat_pow, exact at any width. */
#include "tests/bench/peer.h"

#include <flint/flint.h>
#include <flint/fmpz_mat.h>
#include <stdlib.h>
#include <string.h>

typedef struct flint_state {
    fmpz_mat_t a, power;
    unsigned length;
} flint_state;

static const char *flint_describe(void)
{
    return FLINT_VERSION;
}

static void *flint_prepare(const peer_setup *setup)
{
    const bench_graph *graph = setup->graph;
    slong n = (slong)graph->n;
    flint_state *state = malloc(sizeof *state);
    if (state == NULL)
        return NULL;
    flint_set_num_threads(setup->n_threads);
    fmpz_mat_init(state->a, n, n);
    fmpz_mat_init(state->power, n, n);
    state->length = setup->length;
    for (uint64_t e = 0; e < graph->n_arcs; e++)
        fmpz_one(fmpz_mat_entry(state->a, (slong)graph->from[e], (slong)graph->to[e]));
    return state;
}

static bool flint_run(void *memory)
{
    flint_state *state = memory;
    fmpz_mat_pow(state->power, state->a, state->length);
    return true;
}

/* A count too wide for n_limbs becomes all ones, which no count of pathcount's is. */
static void flint_row(void *memory, uint64_t row, uint32_t n_limbs, void *out)
{
    flint_state *state = memory;
    uint64_t *limbs = out;
    for (slong j = 0; j < fmpz_mat_ncols(state->power); j++, limbs += n_limbs) {
        const fmpz *entry = fmpz_mat_entry(state->power, (slong)row, j);
        if (fmpz_sgn(entry) < 0 || fmpz_size(entry) > (slong)n_limbs)
            memset(limbs, 0xff, n_limbs * sizeof *limbs);
        else
            fmpz_get_ui_array((ulong *)limbs, (slong)n_limbs, entry);
    }
}

static void flint_release(void *memory)
{
    flint_state *state = memory;
    fmpz_mat_clear(state->a);
    fmpz_mat_clear(state->power);
    free(state);
    flint_cleanup_master();
}

PEER_EXPORT const peer_power peer_power_table = {PEER_EXACT, flint_describe, flint_prepare,
                                                 flint_run,  flint_row,      flint_release};
