/* Finding the peers that are installed, and checking what they compute. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "pathcount.h"
#include "tests/bench/bench.h"
#include "tests/bench/peer.h"

typedef struct peer_place {
    const char *name;
    const char *module;  /* file in the benchmark's folder */
    const char *package; /* what to install to have it */
    bool is_slow;        /* left out by --quick */
} peer_place;

/* The table that a module exports under symbol, or NULL when it or its library is not there. */
const void *peer_load(const bench_options *options, const char *module, const char *symbol);

/* Compares a peer's result with ours, entry by entry; text says how it went. False when a peer that
 * should agree does not. */
bool peer_verify(const peer_power *peer, void *state, const pc_rows *ours, char *text, size_t size);

#endif
