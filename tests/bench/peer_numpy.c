/* NumPy: matrix_power in float64. */
#include "tests/bench/python_power.h"

static char description[64];

static const char *describe(void)
{
    return description;
}

static void *prepare(const peer_setup *setup)
{
    return python_power_prepare(setup, "numpy", "numpy_peer.py", description);
}

static void row(void *memory, uint64_t row, uint32_t n_limbs, void *out)
{
    (void)n_limbs;
    python_power_row(memory, row, 1, out);
}

PEER_EXPORT const peer_power peer_power_table = {PEER_DOUBLES,     describe, prepare,
                                                 python_power_run, row,      python_power_release};
