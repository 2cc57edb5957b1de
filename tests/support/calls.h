/* Calls of the library in the shapes that many tests want. */
#ifndef CALLS_H
#define CALLS_H

#include <gmp.h>

#include "src/core/number.h"
#include "src/rows/counts.h"
#include "graphs/partition.h"
#include "src/tool.h"

static inline pc_status generate_rmat(pc_context *context, const pc_model *model, uint64_t seed,
                                      int directed, pc_graph **graph)
{
    pc_model asked = *model;
    asked.kind = PC_MODEL_RMAT;
    asked.seed = seed;
    asked.directed = directed;
    return pc_generate(context, &asked, graph);
}

static inline pc_status generate_erdos_renyi(pc_context *context, uint64_t n, uint64_t n_edges,
                                             uint64_t seed, int directed, pc_graph **graph)
{
    const pc_model asked = {.kind = PC_MODEL_ERDOS_RENYI,
                            .directed = directed,
                            .seed = seed,
                            .n_vertices = n,
                            .n_edges = n_edges};
    return pc_generate(context, &asked, graph);
}

static inline pc_status generate_gilbert(pc_context *context, uint64_t n, double probability,
                                         uint64_t seed, int directed, pc_graph **graph)
{
    const pc_model asked = {.kind = PC_MODEL_GILBERT,
                            .directed = directed,
                            .seed = seed,
                            .n_vertices = n,
                            .probability = probability};
    return pc_generate(context, &asked, graph);
}

static inline pc_status generate_barabasi_albert(pc_context *context, uint64_t n, uint64_t each,
                                                 uint64_t seed, int directed, pc_graph **graph)
{
    const pc_model asked = {.kind = PC_MODEL_BARABASI_ALBERT,
                            .directed = directed,
                            .seed = seed,
                            .n_vertices = n,
                            .edges_per_vertex = each};
    return pc_generate(context, &asked, graph);
}

static inline pc_status graph_from_arrays(pc_context *context, uint64_t n, uint64_t n_edges,
                                          const uint64_t *from, const uint64_t *to,
                                          const uint64_t *weight, const pc_graph_options *options,
                                          pc_graph **graph)
{
    const pc_edges edges = {
        .n_vertices = n, .n_edges = n_edges, .from = from, .to = to, .weight = weight};
    return pc_graph_from_edges(context, &edges, options, graph);
}

static inline pc_status katz(pc_context *context, const pc_graph *graph, double beta,
                             uint64_t length, double *value, double *remainder)
{
    return pc_centrality(context, graph, PC_CENTRALITY_KATZ, beta, length, value, remainder, NULL);
}

static inline pc_status subgraph_centrality(pc_context *context, const pc_graph *graph,
                                            uint64_t length, double *value, double *remainder)
{
    return pc_centrality(context, graph, PC_CENTRALITY_SUBGRAPH, 0, length, value, remainder, NULL);
}

/* Finds the place of a count in the whole matrix. */
static inline pc_status counts_find(const pc_counts *counts, uint64_t row, uint64_t column,
                                    pc_rows *rows, uint64_t *e)
{
    pc_counts_rows(counts, rows);
    *e = row * rows->n_columns + column;
    return row < rows->n_rows && column < rows->n_columns ? PC_OK : PC_ERR_ARGUMENT;
}

static inline pc_status counts_text(const pc_counts *counts, uint64_t row, uint64_t column,
                                    char *buffer, size_t size, size_t *length)
{
    pc_rows rows;
    uint64_t e;
    pc_status status = counts_find(counts, row, column, &rows, &e);
    return status == PC_OK ? pc_rows_text(&rows, e, buffer, size, length) : status;
}

static inline pc_status counts_double(const pc_counts *counts, uint64_t row, uint64_t column,
                                      double *value)
{
    pc_rows rows;
    uint64_t e;
    pc_status status = counts_find(counts, row, column, &rows, &e);
    if (status == PC_OK)
        *value = rows.limbs ? pci_number_to_double(pci_rows_entry(&rows, e), rows.n_limbs)
                            : pci_number_scale(rows.values[e], rows.exponent);
    return status;
}

static inline pc_status counts_mpz(const pc_counts *counts, uint64_t row, uint64_t column,
                                   mpz_t value)
{
    pc_rows rows;
    uint64_t e;
    pc_status status = counts_find(counts, row, column, &rows, &e);
    if (status != PC_OK || !rows.limbs)
        return status ? status : PC_ERR_RANGE;
    mpz_import(value, rows.n_limbs, -1, sizeof(uint64_t), 0, 0, pci_rows_entry(&rows, e));
    return PC_OK;
}

#endif
