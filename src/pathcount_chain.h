/* pathcount: chains of relations, such as authors and papers, multiplied exactly. The rules are those of
 * pathcount.h. */
#ifndef PATHCOUNT_CHAIN_H
#define PATHCOUNT_CHAIN_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A relation: a sparse matrix of multiplicities whose rows and columns have labels of their own, such
 * as authors and papers. */
typedef struct pc_relation pc_relation;

/* Reads a relation from a file as pc_graph_read takes it, an edge list or Matrix Market of any shape. A line or entry
 * relates the row of its first label to the column of its second. Rows and columns are those that occur, or 1..m and
 * 1..n of Matrix Market. The options multigraph, weights, max_vertices and those of columns count; NULL means defaults.
 * A relation without weights is read with the option weights, too. */
pc_status pc_relation_read(pc_context *context, const char *path, const pc_graph_options *options,
                           pc_relation **relation);

/* n_rows x n_columns from entries (row[e], column[e]), of weight[e], NULL: 1 each; labels NULL: "0",
 * "1", ... Entries given again add. The arrays are copied. PC_ERR_ARGUMENT, PC_ERR_RANGE. */
pc_status pc_relation_from_arrays(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                                  uint64_t n_entries, const uint64_t *row, const uint64_t *column,
                                  const uint64_t *weight, const char *const *row_labels,
                                  const char *const *column_labels, pc_relation **relation);

void pc_relation_free(pc_relation *relation);

typedef struct pc_relation_info {
    uint64_t n_entries;    /* other than 0 */
    uint64_t n_duplicates; /* entries given again: dropped, unless duplicates_added */
    uint64_t max_weight;
    int weights_ignored;             /* there was a third column and weights was 0 */
    int duplicates_added;            /* as in pc_graph_info */
    const char *format;              /* "edge list", ...; static storage */
    const char *note;                /* as in pc_graph_info; part of the relation */
    const pc_labels *rows, *columns; /* part of the relation; NULL for NULL, as the next */
    pc_arcs arcs; /* its entries: row_start has a number more than there are rows */
} pc_relation_info;

void pc_relation_get_info(const pc_relation *relation, pc_relation_info *info);

/* A product of relations, made ready: entry (i, j) is the number of ways from row i of the first
 * factor to column j of the last, one entry of each factor a way ("meta-paths"). */
typedef struct pc_chain pc_chain;

typedef struct pc_chain_info {
    uint64_t n_rows, n_columns;
    const pc_labels *rows, *columns; /* of the first factor and of the last */
    int square;                      /* rows and columns have the same labels in the same order */
    double bound_bits;               /* log2 of the proved limit of an entry */
    uint32_t n_limbs;
    const char *order;        /* "((1 2) 3)": chosen by cost, factors numbered from 1 */
    double n_multiplications; /* of entries, that this order is expected to take */
    double n_left_to_right;   /* ... and that multiplying from the left would */
    double error; /* the largest of a double that pc_chain_paths passed on last, proved; 0: exact */
} pc_chain_info;

/* factors[f] is read backwards where transposed[f] is not 0; transposed NULL: none is. Columns of a factor must be the
 * rows of the next, by label in any order; else PC_ERR_DATA names a label and where it is missing. A label that only
 * one of two neighbours has leads nowhere where allow_missing is not 0. n_certify_rounds is as in pc_count_options. The factors
 * must outlive the chain. */
pc_status pc_chain_create(pc_context *context, uint32_t n_factors,
                          const pc_relation *const *factors, const int *transposed,
                          int allow_missing, int n_certify_rounds, pc_chain **chain);
void pc_chain_free(pc_chain *chain);
void pc_chain_get_info(const pc_chain *chain, pc_chain_info *info);

typedef enum pc_chain_measure {
    PC_CHAIN_COUNTS = 0,
    /* PathSim (Sun, Han, Yan, Yu, Wu 2011) of a square chain M, in doubles: 2 M[i][j] / (M[i][i] + M[j][j]), 0 where
     * both are 0. PC_ERR_ARGUMENT when the chain is not square. */
    PC_CHAIN_PATHSIM
} pc_chain_measure;

/* Passes the product, or what measure makes of it, on in row blocks, dense, each certified before; only the two
 * operands of the last product are held, sparse. */
pc_status pc_chain_rows(pc_chain *chain, pc_chain_measure measure, pc_rows_fn deliver, void *user);

/* Passes the ways that visit no vertex twice on, in row blocks, dense; each is made twice and compared where the chain is
 * certified. Ways stand for positions 0 .. n_factors: the rows of the first factor, the columns of it, of the next one,
 * and so on. Only positions of one type have vertices in common. types[n_factors + 1] names them; NULL: positions have the
 * same type when they have the same labels, in any order, and PC_ERR_DATA when some labels are the same but not all.
 * Entries from a vertex to itself never count. simple is 0: vertices may come again, and types are not looked at.
 *
 * damping above 0, at most 1: each entry of a relation counts as itself times (r c)^-damping, with the sums r of its row
 * and c of its column in the relation (Himmelstein and Baranzini 2015: degree-weighted path count). The answers are
 * doubles then, 0 exactly where there is no way; pc_chain_info.error tells how far off they are at most.
 *
 * A chain with damping, or with two positions of one type, has at most 6 factors: PC_ERR_ARGUMENT. PC_ERR_RANGE when
 * a number of ways may have more than 128 bits. */
pc_status pc_chain_paths(pc_chain *chain, int simple, double damping, const char *const *types,
                         pc_rows_fn deliver, void *user);

/* Makes a graph of a square product, whose arcs have the entries as multiplicities: directed, or undirected when the
 * product is symmetric. Its powers are those of the product. PC_ERR_ARGUMENT when the product is not square,
 * PC_ERR_RANGE when an entry passes 2^64-1. */
pc_status pc_chain_graph(pc_chain *chain, pc_graph **graph);

#ifdef __cplusplus
}
#endif

#endif
