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

/* ---- Certificates (src/cli/verify/certificate.c) ------------------------------------------------ */

/* Writes the certificate of a question, whose result is in the file result_path (NULL: it was printed). Exact
 * counts get n_rounds rounds. PC_ERR_CREATE, PC_ERR_IO. */
pc_status cli_certificate_write(const cli_verify_question *question, const char *result_path,
                                const char *path, uint64_t n_rounds);

/* Checks that the certificate in a file is that of the question and of the result: PC_ERR_DATA names the part that
 * differs. */
pc_status cli_certificate_check(const cli_verify_question *question, const char *result_path,
                                const char *path);

/* ---- Streams (src/cli/verify/stream.c) ---------------------------------------------------------- */

/* Certifies the answers in a file, totals, closed paths or both (options->query.beside_option), for the graphs
 * in options->input.path, a line each. PC_ERR_DATA names the line; as cli_verify_file otherwise. */
pc_status cli_verify_stream(pc_context *context, const cli_count_options *options, const char *path,
                            cli_verified *verified);

/* A graph in a line. All zero at first. Edges of graph6 and sparse6 go from the larger vertex. */
typedef struct cli_graph6 {
    uint64_t n_vertices, n_edges;
    uint64_t *from, *to; /* [n_edges] */
    size_t capacity;
    bool is_directed;
} cli_graph6;

/* Reads a line without its end. False when it is no graph, or has more than most_vertices. The next line takes the same
 * memory, which is that of cli_need; cli_graph6_free after the last one. */
bool cli_graph6_read(const char *line, size_t n_bytes, uint64_t most_vertices, cli_graph6 *graph);
void cli_graph6_free(cli_graph6 *graph);

/* ---- The command (src/cli/verify/command.c) ----------------------------------------------------- */

typedef struct cli_verify_options {
    cli_count_options count;
    const char *result; /* NULL: the graph is the folder of a batch */
    bool is_stream;     /* GRAPH is a stream of graphs, RESULT a line for each */
    bool is_chain;      /* RESULT is a product of relations, or its power, where has_length */
    bool allow_missing;
    uint32_t n_factors;
    cli_factor factors[CLI_MOST_FACTORS];
    size_t n_arguments;
    char *arguments[CLI_MOST_FACTORS + 1]; /* the relations, or the graph, then the result */
} cli_verify_options;

/* Its structure is cli_verify_options. */
extern const cli_command cli_verify_command;

/* Certifies one result by its own command line; returns an exit code after a message. */
typedef int (*cli_verify_one_fn)(const cli_verify_options *options);

/* Certifies the last result of each job in FOLDER/manifest.jsonl, and goes on after one that does not
 * hold. Returns the exit code: CLI_BAD_DATA when one does not hold, CLI_SOME_FAILED when a job has no
 * result. */
int cli_verify_folder(const char *folder, bool is_quiet, cli_verify_one_fn verify);

#endif
