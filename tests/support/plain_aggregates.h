/* Aggregates of rows, computed in the plainest way: what engines must give. */
#ifndef TESTS_PLAIN_AGGREGATES_H
#define TESTS_PLAIN_AGGREGATES_H

#include "graphs/graph.h"
#include "src/rows/aggregates.h"

#include <stdbool.h>

/* The record of row number row of an n x n matrix, whose counts[n][n_limbs] are given. Column j counts size[j] times, or
 * once where size is NULL. */
void plain_record(const uint64_t *counts, const uint64_t *size, uint64_t n, uint32_t n_limbs,
                  uint64_t row, uint64_t *record);

/* Adds a row of counts to a copy of the cells; row_span is not 0. */
void plain_cells(const uint64_t *counts, uint64_t n, uint32_t n_limbs, uint64_t row, int copy,
                 pci_cells *cells);

/* The dot product of the row with x, modulo a number. */
uint64_t plain_dot(const uint64_t *counts, uint64_t n, uint32_t n_limbs, const uint64_t *x,
                   uint64_t modulus);

/* The diagonal of P P, or of P A P if is_step, of n_limbs words, modulo 2^(64 n_limbs): power[n][n][n_limbs] is
 * P, other[n][n][n_limbs] is overwritten. */
void plain_diagonal(const pc_graph *graph, bool is_step, const uint64_t *power, uint32_t n_limbs,
                    uint64_t *other, uint64_t *diagonal);

#endif
