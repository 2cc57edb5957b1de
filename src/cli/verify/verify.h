/* Certifies results: reads them, and holds every number against the graph; and reads a matrix back that was written,
 * before the file gets its name. */
#ifndef CLI_VERIFY_VERIFY_H
#define CLI_VERIFY_VERIFY_H

#include "src/cli/verify/question.h"

/* The numbers that were certified. */
typedef struct cli_verified {
    uint64_t n_counts; /* that were read and hold */
    uint64_t n_rounds; /* 0: doubles */
} cli_verified;

/* Certifies the result of a question in a file; messages call it name. PC_ERR_DATA names the line and the
 * fault; PC_ERR_NO_INPUT, PC_ERR_IO, PC_ERR_MEMORY. */
pc_status cli_verify_file(const cli_verify_question *question, const char *path, const char *name,
                          cli_verified *verified);

/* ---- Reading back ---------------------------------------------------------------------------- */

/* Numbers that were certified may still be spoilt on their way to text and to the file.
 *
 * Some rows are read with --certify 1 or 2, the default: the first, the last and sixteen others at random. Notes are
 * taken of them when they go to the writer: each count modulo a random prime; doubles are kept. All labels and ends of lines are read, too. A packed file is not read
 * back then, since that would take half as long as packing it. The whole file is certified as well with --certify 3 or
 * more, as `pathcount verify` does. Nothing is read back with --certify 0. */
typedef struct cli_read_back cli_read_back;

/* Prepares to read back the matrix that options ask for, which goes to output. *read_back is NULL when nothing is
 * to be read back. All arguments must outlive it. PC_ERR_INTERNAL. Memory is that of cli_need. */
pc_status cli_read_back_create(pc_context *context, const cli_count_options *options,
                               const cli_output *output, const pc_graph *graph,
                               const pc_partition *partition, cli_read_back **read_back);
void cli_read_back_free(cli_read_back *read_back);

/* Notes rows of a matrix that go to the writer: the one of length number length_index, from 0, of a file that
 * has several. NULL notes nothing, here and below. */
void cli_read_back_note(cli_read_back *read_back, uint64_t length_index, const pc_rows *rows);

/* Reads the finished file. PC_ERR_CERTIFY when a number or label is wrong; PC_ERR_IO, PC_ERR_MEMORY. */
pc_status cli_read_back_check(cli_read_back *read_back, int descriptor);

#endif
