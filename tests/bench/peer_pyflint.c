/* FLINT of the package python-flint, which is newer than Debian's: fmpz_mat_pow, exact at any width. */
#include "tests/bench/python_power.h"

static char description[64];

static const char *describe(void)
{
    return description;
}

static void *prepare(const peer_setup *setup)
{
    return python_power_prepare(setup, "flint", "flint_peer.py", description);
}

PEER_EXPORT const peer_power peer_power_table = {
    PEER_EXACT, describe, prepare, python_power_run, python_power_row, python_power_release};
