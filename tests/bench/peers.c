/* Loading peers and verifying them. */
#include "tests/bench/peers.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const void *peer_load(const bench_options *options, const char *module, const char *symbol)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", options->folder, module);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library == NULL ? NULL : dlsym(library, symbol);
}

typedef struct tally {
    uint64_t n_wrong;  /* entries that are not the count */
    uint64_t n_broken; /* entries that are not what this kind of peer promises either */
    double worst_error;
} tally;

/* A count as a double, and whether that is all of it. */
static double limbs_to_double(const uint64_t *limbs, uint32_t n_limbs, bool *is_exact)
{
    double value = 0;
    int lowest = 0, highest = -1; /* bits that are set */
    for (uint32_t l = 0; l < n_limbs; l++) {
        if (limbs[l] == 0)
            continue;
        if (highest < 0)
            lowest = (int)l * 64 + __builtin_ctzll(limbs[l]);
        highest = (int)l * 64 + 63 - __builtin_clzll(limbs[l]);
    }
    for (uint32_t l = n_limbs; l-- > 0;)
        value = value * 0x1p64 + (double)limbs[l];
    *is_exact = highest - lowest < 53;
    return value;
}

static void tally_doubles(const pc_rows *ours, const uint64_t *limbs, const double *row, tally *t)
{
    for (uint64_t j = 0; j < ours->n_columns; j++) {
        bool is_exact;
        double count = limbs_to_double(limbs + j * ours->n_limbs, ours->n_limbs, &is_exact);
        double error = fabs(row[j] - count) / (count > 0 ? count : 1);
        if (!is_exact || row[j] != count)
            t->n_wrong++;
        if (!(error < 1e-6)) /* also when it is not a number */
            t->n_broken++;
        if (!(error <= t->worst_error))
            t->worst_error = error;
    }
}

/* Peers of integers: all limbs, or the lowest alone. */
static void tally_limbs(const pc_rows *ours, const uint64_t *limbs, const uint64_t *row, bool wraps,
                        tally *t)
{
    uint32_t n_limbs = ours->n_limbs;
    for (uint64_t j = 0; j < ours->n_columns; j++) {
        const uint64_t *a = limbs + j * n_limbs, *b = row + j * n_limbs;
        bool is_equal = memcmp(a, b, n_limbs * sizeof *a) == 0;
        t->n_wrong += !is_equal;
        t->n_broken += wraps ? a[0] != b[0] : !is_equal;
    }
}

static void describe(const peer_power *peer, const tally *t, uint64_t n_entries, char *text,
                     size_t size)
{
    unsigned long long wrong = t->n_wrong, broken = t->n_broken, all = n_entries;
    double part = 100.0 * (double)wrong / (double)all;
    if (broken > 0)
        snprintf(text, size, "DIFFERS in %llu of %llu entries", broken, all);
    else if (wrong == 0)
        snprintf(text, size, "equal, every entry");
    else if (peer->kind == PEER_DOUBLES)
        snprintf(text, size, "%.1f%% of entries wrong, by up to %.1e of the count", part,
                 t->worst_error);
    else
        snprintf(text, size, "equal mod 2^64, %.1f%% of entries wrapped", part);
}

bool peer_verify(const peer_power *peer, void *state, const pc_rows *ours, char *text, size_t size)
{
    tally t = {0};
    uint64_t n = ours->n_columns;
    uint64_t *row = need_memory(n * ours->n_limbs * sizeof *row);
    for (uint64_t i = 0; i < ours->n_rows; i++) {
        const uint64_t *limbs = ours->limbs + i * n * ours->n_limbs;
        peer->row(state, i, ours->n_limbs, row);
        if (peer->kind == PEER_DOUBLES)
            tally_doubles(ours, limbs, (const double *)row, &t);
        else
            tally_limbs(ours, limbs, row, peer->kind == PEER_WRAPS, &t);
    }
    free(row);
    describe(peer, &t, ours->n_rows * n, text, size);
    return t.n_broken == 0;
}
