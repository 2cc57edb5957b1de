/* A certificate beside a result: one JSON object that names the graph and the question, and has the residues that
 * the result must make of random vectors.
 *
 *     certificate  1, the version of this format
 *     version      of pathcount
 *     graph        sha256 (below), vertices, arcs
 *     policies     directed, multigraph, weights, vertices: how edges became the adjacency matrix; also loops,
 *                  "twice", where loops were asked to count twice
 *     question     query ("matrix", or the option that asks), paths, length, each, up_to, vertices (those
 *                  that are asked for: pairs [from, to] of labels), blocks (null; or of each vertex its
 *                  block, from 0), mean, arithmetic, modulus
 *     rows, columns   of the answer C for a length
 *     result       sha256 and bytes of the file; null where it was printed
 *     rounds       for each: modulus, seed (in decimal) and images, an array for each length of the residues
 *                  C x, a hexadecimal number for each row. x[j] is (S * modulus) >> 64, where S is number
 *                  j + 1 of SplitMix64 with that seed; of one column x is [1]. Doubles have no rounds.
 *
 * The digest of a graph is SHA-256, as 64 hexadecimal digits, of this text:
 *
 *     pathcount graph
 *     N                     the number of vertices
 *     LABEL                 a line for each vertex, in their order
 *     I J W                 a line for each nonzero entry of the adjacency matrix, row by row, columns
 *                           ascending: row and column from 0, and the multiplicity
 *
 * Each line ends with a line feed. Labels have tab, line feed, carriage return and backslash as \t, \n, \r
 * and \\, as in .tsv. */
#ifndef CLI_VERIFY_CERTIFICATE_H
#define CLI_VERIFY_CERTIFICATE_H

#include "src/cli/verify/question.h"

/* Writes the certificate of a question, whose result is in the file result_path (NULL: it was printed). Exact
 * counts get n_rounds rounds. PC_ERR_CREATE, PC_ERR_IO. */
pc_status cli_certificate_write(const cli_verify_question *question, const char *result_path,
                                const char *path, uint64_t n_rounds);

/* Checks that the certificate in a file is that of the question and of the result: PC_ERR_DATA names the part that
 * differs. */
pc_status cli_certificate_check(const cli_verify_question *question, const char *result_path,
                                const char *path);

#endif
