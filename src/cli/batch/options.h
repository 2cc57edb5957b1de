/* Options of the command batch, and of one of its jobs. */
#ifndef CLI_BATCH_OPTIONS_H
#define CLI_BATCH_OPTIONS_H

#include "src/cli/count_options.h"

#include <jansson.h>

/* An option as it was given, on which the result of a job depends. */
typedef struct cli_given {
    const cli_option *option;
    const char *value;  /* NULL: it takes none */
    const char *second; /* the second word of --pair; else NULL */
} cli_given;

typedef struct cli_batch_options {
    cli_count_options count; /* what holds for every job that says nothing else; no input.path */
    cli_given *given;        /* [n_given], in the order of the command line; without --as */
    size_t n_given;
    const char **paths; /* [n_paths] files, folders, or one stream */
    size_t n_paths;
    const char *manifest_path; /* --manifest; NULL: none */
    const char *folder;        /* --out; NULL: paths[0] is a stream, answered on stdout */
    const char *ending;        /* --as: of results, such as "npy" or "tsv.gz"; NULL: as fits */
    int n_workers;             /* --jobs; 0: as many as there are processors */
    double timeout_seconds;    /* 0: none */
    unsigned n_retries;
    bool resume, report;
    unsigned shard, n_shards; /* --shard I/N, I from 1 on; n_shards 0: all jobs */
} cli_batch_options;

extern const cli_command cli_batch_command;

/* Parses the command line, as cli_parse_options does. */
void cli_batch_options_parse(int argc, char **argv, cli_batch_options *options);

/* Makes the options of one job: those of the command line, and over them n arguments of its own.
 * where ("jobs.jsonl:3"; NULL: nowhere) begins the message of an error, which ends the process with
 * CLI_USAGE. The arguments must live as long as count, whose query.named is to be free()d.
 * *recorded is an array of texts: the options on which the result depends, by their long names,
 * --as last. It is NULL when one of them is not UTF-8. */
void cli_batch_options_parse_line(const cli_batch_options *batch, const char *where, int n,
                                  char **arguments, cli_count_options *count, const char **ending,
                                  json_t **recorded);

void cli_batch_options_free(cli_batch_options *options);

/* ---- A stream of small graphs (src/cli/batch/stream.c) ------------------------------------------ */

/* Returns whether a path is a stream: "-", a name ending in .g6, .s6 or .d6 (packed or not), or the
 * folder of a TUDataset. */
bool cli_is_stream(const char *path);

/* Counts the stream options->paths[0], a row each on standard output. Returns the exit code. */
int cli_stream_run(const cli_batch_options *options);

#endif
