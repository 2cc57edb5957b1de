/* What the driver and a peer say to each other. Each peer is a shared object of its own, loaded
 * at run time: a library that is not installed costs one line of the table and nothing else. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "tests/bench/workloads.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct peer_setup {
    const bench_graph *graph;
    unsigned length;
    int n_threads;
    const char *folder;  /* where the modules and the Python script are */
    const char *scratch; /* a folder for files */
} peer_setup;

typedef enum peer_kind {
    PEER_EXACT,  /* integers of any width */
    PEER_WRAPS,  /* right modulo 2^64 */
    PEER_DOUBLES /* floating point */
} peer_kind;

/* Computes the power of an adjacency matrix. Exported as `peer_power_table`. */
typedef struct peer_power {
    peer_kind kind;
    const char *(*describe)(void);             /* version and variant, known after prepare */
    void *(*prepare)(const peer_setup *setup); /* NULL when it cannot run here */
    bool (*run)(void *state);                  /* timed; false when it failed */
    /* Row of the result of the last run: n doubles, or n counts of n_limbs words, least first. */
    void (*row)(void *state, uint64_t row, uint32_t n_limbs, void *out);
    void (*release)(void *state);
} peer_power;

/* Sends vectors through A: X A^length. Exported as `peer_sweep_table`. */
typedef struct peer_sweep {
    /* X has n_vectors rows with a 1 at source[v] each; source NULL: rows of ones; n_vectors 0: X is A, and length counts
     * it. NULL when it cannot run here. */
    void *(*prepare)(const peer_setup *setup, uint64_t n_vectors, const uint64_t *source);
    peer_power power; /* all else; its prepare is NULL */
} peer_sweep;

/* Multiplies n x n matrices of bytes, C = A B. Exported as `peer_gemm_table`. */
typedef struct peer_gemm {
    const char *(*describe)(void);
    void (*set_threads)(int n_threads);
    bool (*multiply_s8)(int64_t n, const int8_t *a, const int8_t *b, int32_t *c);
    bool (*multiply_u8)(int64_t n, const uint8_t *a, const int8_t *b, int32_t *c);
} peer_gemm;

/* Reads an undirected edge list. Exported as `peer_reader_table`. */
typedef struct peer_reader {
    const char *(*describe)(void);
    bool (*read)(const char *path, uint64_t *n_vertices, uint64_t *n_edges); /* timed */
} peer_reader;

#define PEER_EXPORT __attribute__((visibility("default")))

#endif
